"""Declarations out of nodes: functions, classes, interfaces, enums, types, variables and their members.

Here: one node in, its definitions out. Not here: which names are exported (typescript_statements), CommonJS
(javascript_commonjs).

An interface counts as a class, as in the other languages: it has members and others extend it. A variable that holds a
function is one. Private members are left out, by keyword, ``#`` or tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from depcodex_assets.languages.jsdoc import is_hidden
from depcodex_assets.languages.typescript_syntax import (
    RANK_CLASS,
    RANK_CONSTANT,
    RANK_FUNCTION,
    RANK_INTERFACE,
    RANK_TYPE,
    Definition,
)
from depcodex_assets.languages.typescript_text import BODIES, FUNCTION_VALUES, NodeText

if TYPE_CHECKING:
    import tree_sitter

_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_FUNCTIONS = frozenset(
    {"function_declaration", "function_signature", "generator_function_declaration", *FUNCTION_VALUES}
)
_METHODS = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
_FIELDS = frozenset({"public_field_definition", "field_definition", "property_signature"})
_MEMBERS = _METHODS | _FIELDS | {"call_signature", "construct_signature", "pair", "shorthand_property_identifier"}
_HERITAGE = frozenset({"class_heritage", "extends_clause", "implements_clause", "extends_type_clause"})
DECLARATIONS = frozenset(
    {
        "class_declaration",
        "abstract_class_declaration",
        "function_declaration",
        "function_signature",
        "generator_function_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "lexical_declaration",
        "variable_declaration",
    }
)
# Members that a class of generated types may have; more are a table, not an interface that somebody reads.
MAX_MEMBERS = 4000
MAX_CALL_SIGNATURES = 8
_MAX_TYPE_DEPTH = 12


class DefinitionReader:
    """Makes definitions out of one file's nodes.

    Args:
        text: the file's text.
    """

    def __init__(self, text: NodeText) -> None:
        self._text = text

    def doc(self, comment: tree_sitter.Node | None) -> tuple[str, ...]:
        """The comment as a definition keeps it."""
        return () if comment is None else (self._text.text(comment),)

    def read(self, node: tree_sitter.Node, doc: tuple[str, ...], name: str = "") -> Iterator[Definition]:
        """The definitions of a declaration or of an expression that is exported; ``name`` where it has none itself."""
        kind = node.type
        if kind in _CLASSES:
            yield self.class_(node, doc, name)
        elif kind in _FUNCTIONS:
            yield self.function(node, doc, name)
        elif kind == "interface_declaration":
            yield self._interface(node, doc)
        elif kind == "type_alias_declaration":
            yield self._alias(node, doc)
        elif kind == "enum_declaration":
            yield self._enum(node, doc)
        elif kind in ("lexical_declaration", "variable_declaration"):
            yield from self._variables(node, doc)

    def class_(self, node: tree_sitter.Node, doc: tuple[str, ...], name: str = "") -> Definition:
        """A class, named or not."""
        body = node.child_by_field_name("body")
        named = self._text.name(node.child_by_field_name("name")) or name
        found = Definition(
            named, "class", RANK_CLASS, (self._class_head(node, body),), _line(node), doc, tuple(self._bases(node))
        )
        if body is not None:
            self._members(body.children, found)
        return found

    def _class_head(self, node: tree_sitter.Node, body: tree_sitter.Node | None) -> str:
        start = node
        for child in node.children:
            if child.type != "decorator":
                start = child
                break
        return self._text.head(_Span(start.start_byte, node.end_byte), body)  # type: ignore[arg-type]

    def function(self, node: tree_sitter.Node, doc: tuple[str, ...], name: str = "") -> Definition:
        """A function, named or not."""
        named = self._text.name(node.child_by_field_name("name"))
        body = node.child_by_field_name("body")
        head = self._text.head(node, body)
        if not named:
            named = name
            head = f"const {name} = {head}" if name and not head.startswith(("function", "async function")) else head
        return Definition(named, "function", RANK_FUNCTION, (head,), _line(node), doc)

    def unnamed_function(self, node: tree_sitter.Node, doc: tuple[str, ...], name: str) -> Definition:
        """``export default function (): T;``, whose name is only the grammar's."""
        parameters = node.child_by_field_name("type_parameters") or node.child_by_field_name("parameters") or node
        head = self._text.head(_Span(parameters.start_byte, node.end_byte), None)  # type: ignore[arg-type]
        return Definition(name, "function", RANK_FUNCTION, (f"function {name}{head}",), _line(node), doc)

    def _interface(self, node: tree_sitter.Node, doc: tuple[str, ...]) -> Definition:
        body = node.child_by_field_name("body")
        name = self._text.name(node.child_by_field_name("name"))
        head = self._text.head(node, body)
        found = Definition(name, "class", RANK_INTERFACE, (head,), _line(node), doc, tuple(self._bases(node)))
        if body is not None:
            self._members(body.children, found)
        return found

    def _alias(self, node: tree_sitter.Node, doc: tuple[str, ...]) -> Definition:
        name = self._text.name(node.child_by_field_name("name"))
        value = node.child_by_field_name("value")
        types = list(_object_types(value)) if value is not None else []
        found = Definition(name, "type", RANK_TYPE, (self._text.without_bodies(node, types),), _line(node), doc)
        for each in types:
            self._members(each.children, found)
        return found

    def _enum(self, node: tree_sitter.Node, doc: tuple[str, ...]) -> Definition:
        body = node.child_by_field_name("body")
        name = self._text.name(node.child_by_field_name("name"))
        found = Definition(name, "class", RANK_CLASS, (self._text.head(node, body),), _line(node), doc)
        comment: tree_sitter.Node | None = None
        for child in body.children if body is not None else ():
            kind = child.type
            if kind == "comment":
                comment = self.doc_comment(child) or comment
            elif kind != ",":
                named = child.child_by_field_name("name") if kind == "enum_assignment" else child
                member = self._text.name(named)
                if member and child.is_named:
                    shown = f"{name}.{self._text.value(child)}"
                    made = Definition(member, "constant", RANK_CONSTANT, (shown,), _line(child), self.doc(comment))
                    found.add_member(made)
                comment = None
        return found

    def _variables(self, node: tree_sitter.Node, doc: tuple[str, ...]) -> Iterator[Definition]:
        children = node.children
        keyword = self._text.text(children[0]) if children else "const"
        comment: tree_sitter.Node | None = None
        is_first = True
        for child in children:
            if child.type == "comment":
                comment = self.doc_comment(child) or comment
            elif child.type == "variable_declarator":
                own = self.doc(comment) or (doc if is_first else ())
                yield from self._variable(child, own, keyword)
                is_first, comment = False, None

    def _variable(self, node: tree_sitter.Node, doc: tuple[str, ...], keyword: str) -> Iterator[Definition]:
        target = node.child_by_field_name("name")
        if target is None:
            return
        if target.type in ("object_pattern", "array_pattern"):
            for each in _pattern_names(target):
                written = self._text.text(each)
                yield Definition(written, "constant", RANK_CONSTANT, (f"{keyword} {written}",), _line(each), doc)
            return
        name = self._text.text(target)
        annotation = node.child_by_field_name("type")
        value = node.child_by_field_name("value")
        if value is not None and annotation is None:
            if value.type in FUNCTION_VALUES:
                head = self._text.head(value, value.child_by_field_name("body"))
                shown = f"{keyword} {name} = {head}"
                yield Definition(name, "function", RANK_FUNCTION, (shown,), _line(node), doc)
                return
            if value.type == "class":
                yield self.class_(value, doc, name)
                return
        written_type = _annotated(annotation)
        types = list(_object_types(written_type)) if written_type is not None else []
        shown = f"{keyword} {name}"
        if annotation is not None:
            shown += self._text.without_bodies(annotation, types)
        elif value is not None:
            shown += f" = {self._text.value(value)}"
        is_function = written_type is not None and written_type.type == "function_type"
        named_types = ("type_identifier", "nested_type_identifier", "generic_type")
        found = Definition(
            name,
            "function" if is_function else "constant",
            RANK_FUNCTION if is_function else RANK_CONSTANT,
            (shown,),
            _line(node),
            doc,
            # A lookup of what the constant can do goes on at its type.
            (self._type_name(written_type),) if written_type is not None and written_type.type in named_types else (),
        )
        for each in types:
            self._members(each.children, found)
        if value is not None and annotation is None and value.type == "object":
            self.object_members(value, found)
        yield found

    def object_members(self, node: tree_sitter.Node, owner: Definition) -> None:
        """Members of an object literal that can be called or are documented."""
        comment: tree_sitter.Node | None = None
        for child in node.children:
            if child.type == "comment":
                comment = self.doc_comment(child) or comment
            elif child.type in ("pair", "method_definition"):
                value = child.child_by_field_name("value")
                if comment is not None or value is None or value.type in FUNCTION_VALUES:
                    self._member(child, comment, owner)
                comment = None
            elif child.is_named:
                comment = None

    def _members(self, nodes: Sequence[tree_sitter.Node], owner: Definition) -> None:
        comment: tree_sitter.Node | None = None
        for child in nodes:
            kind = child.type
            if kind == "comment":
                comment = self.doc_comment(child) or comment
            elif kind in _MEMBERS:
                if len(owner.members) < MAX_MEMBERS:
                    self._member(child, comment, owner)
                comment = None
            elif kind == "ERROR":
                self._members(
                    child.children, owner
                ) if child.parent is not None and child.parent.type != "ERROR" else None
            elif child.is_named and kind != "decorator":
                comment = None

    def _member(self, node: tree_sitter.Node, comment: tree_sitter.Node | None, owner: Definition) -> None:
        kind = node.type
        doc = self.doc(comment)
        if kind in ("call_signature", "construct_signature"):
            if len(owner.signatures) <= MAX_CALL_SIGNATURES and owner.name:
                head = self._text.head(node, None)
                head = (
                    f"new {owner.name}{head[3:].lstrip()}" if kind == "construct_signature" else f"{owner.name}{head}"
                )
                owner.signatures = (*owner.signatures, head)
            return
        named = node.child_by_field_name("name") or node.child_by_field_name("key")
        if named is None:
            named = node.child_by_field_name("property") or (node if kind.startswith("shorthand") else None)
        name = self._text.name(named)
        if not name or (doc and is_hidden(doc[0])):
            return
        is_accessor = False
        start = node
        body = node.child_by_field_name("body")
        value = node.child_by_field_name("value")
        for child in node.children:
            what = child.type
            if what == "accessibility_modifier" and self._text.text(child) == "private":
                return
            if what == "comment" and not doc:
                doc = self.doc(self.doc_comment(child))
            elif what == "decorator":
                continue
            elif what in ("get", "set"):
                is_accessor = True
            if start is node and what not in ("decorator", "comment"):
                start = child
            if named is not None and child.start_byte >= named.start_byte:
                break
        span = _Span(start.start_byte, node.end_byte)
        if kind in _METHODS:
            made_kind = "property" if is_accessor else "method"
            head = self._text.head(span, body)  # type: ignore[arg-type]
            owner.add_member(Definition(name, made_kind, RANK_FUNCTION, (head,), _line(node), doc))
            if name == "constructor":
                self._parameter_properties(node, owner)
            return
        annotation = node.child_by_field_name("type")
        if value is not None and value.type in FUNCTION_VALUES and annotation is None:
            head = self._text.head(value, value.child_by_field_name("body"))
            joint = ": " if kind == "pair" else " = "
            lead = self._text.between(start.start_byte, named.end_byte) if named is not None else name
            owner.add_member(Definition(name, "method", RANK_FUNCTION, (f"{lead}{joint}{head}",), _line(node), doc))
            return
        written_type = _annotated(annotation)
        types = list(_object_types(written_type)) if written_type is not None else []
        if annotation is not None:
            lead = self._text.between(start.start_byte, annotation.start_byte)
            shown = lead + self._text.without_bodies(annotation, types)
        elif value is not None and named is not None:
            joint = ": " if kind == "pair" else " = "
            shown = self._text.between(start.start_byte, named.end_byte) + joint + self._text.value(value)
        else:
            shown = self._text.head(span, None)  # type: ignore[arg-type]
        made = Definition(
            name, "property", RANK_CONSTANT, (" ".join(shown.split()) if '"' not in shown else shown,), _line(node), doc
        )
        owner.add_member(made)
        for each in types:
            self._members(each.children, made)

    def _parameter_properties(self, node: tree_sitter.Node, owner: Definition) -> None:
        """``constructor(readonly x: T)`` declares a property as well."""
        parameters = node.child_by_field_name("parameters")
        for child in parameters.children if parameters is not None else ():
            if child.type not in ("required_parameter", "optional_parameter"):
                continue
            marks = [
                each
                for each in child.children
                if each.type in ("accessibility_modifier", "readonly", "override_modifier")
            ]
            named = child.child_by_field_name("pattern")
            if not marks or named is None or named.type != "identifier":
                continue
            if any(self._text.text(each) == "private" for each in marks):
                continue
            shown = self._text.head(child, None)
            made = Definition(self._text.text(named), "property", RANK_CONSTANT, (shown,), _line(child))
            owner.add_member(made)

    def doc_comment(self, node: tree_sitter.Node) -> tree_sitter.Node | None:
        """The node where it is a doc comment."""
        start = node.start_byte
        source = self._text.source
        return node if source[start : start + 3] == b"/**" and source[start : start + 5] != b"/**/" else None

    def _bases(self, node: tree_sitter.Node) -> Iterator[str]:
        for child in node.children:
            kind = child.type
            if kind in _HERITAGE:
                yield from self._heritage(child)
            elif kind in BODIES:
                return

    def _type_name(self, node: tree_sitter.Node) -> str:
        """The name of a type without its arguments."""
        return self._text.text(node.children[0] if node.type == "generic_type" and node.children else node)

    def _heritage(self, node: tree_sitter.Node) -> Iterator[str]:
        for child in node.children:
            kind = child.type
            if kind in _HERITAGE:
                yield from self._heritage(child)
            elif kind == "generic_type":
                yield self._type_name(child)
            elif kind in ("identifier", "type_identifier", "member_expression", "nested_type_identifier"):
                yield self._text.text(child)


class _Span:
    """Two bytes that stand for a node from its first word on (decorators left out)."""

    __slots__ = ("end_byte", "start_byte")

    def __init__(self, start_byte: int, end_byte: int) -> None:
        self.start_byte = start_byte
        self.end_byte = end_byte


def _line(node: tree_sitter.Node) -> int:
    return int(node.start_point[0]) + 1


def _annotated(annotation: tree_sitter.Node | None) -> tree_sitter.Node | None:
    """The type behind a colon."""
    if annotation is None:
        return None
    children = annotation.named_children
    return children[0] if children else None


def _object_types(node: tree_sitter.Node, depth: int = 0) -> Iterator[tree_sitter.Node]:
    """Object types that a type is made of directly: itself, or members of an intersection or union."""
    kind = node.type
    if kind == "object_type":
        yield node
    elif kind in ("intersection_type", "parenthesized_type", "readonly_type") and depth < _MAX_TYPE_DEPTH:
        for child in node.named_children:
            yield from _object_types(child, depth + 1)


def _pattern_names(pattern: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for child in pattern.named_children:
        if child.type in ("shorthand_property_identifier_pattern", "identifier"):
            yield child
        elif child.type == "pair_pattern":
            value = child.child_by_field_name("value")
            if value is not None and value.type == "identifier":
                yield value
