"""One Go file: from its tree to the definitions in it.

Here: walking a tree-sitter tree, and which comment is whose. Not here: joining files (depcodex_assets.languages.go), a
comment's markup (godoc).

Spec: The Go Programming Language Specification, "Source file organization", "Declarations and scope", "Types". A
declaration's comment is the group of comments that ends on the line above it, else (constants, variables, fields and
interface methods) the comment behind it on its last line, as go/parser attaches them; a group's own comment serves the
members that have none.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from depcodex_assets import grammars
from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.go_constraints import is_built, is_never_built
from depcodex_assets.languages.go_syntax import GoDefinition, GoFile, GoMember, is_exported
from depcodex_assets.languages.go_text import decode, mended, one_line, value_text
from depcodex_assets.languages.godoc import comment_text, plain_text

if TYPE_CHECKING:
    from tree_sitter import Node

# A declaration's text without its body; only tables of generated code are longer, and those are cut.
_MAX_SIGNATURE_BYTES = 8000
_MAX_DEPTH = 4
_METHODS = frozenset({"method_spec", "method_elem"})
_NAMES_OF_TYPES = frozenset({"type_identifier", "qualified_type", "generic_type"})
_DECLARATIONS = frozenset(
    {
        "function_declaration",
        "method_declaration",
        "type_declaration",
        "const_declaration",
        "var_declaration",
        "import_declaration",
        "package_clause",
    }
)


class _Documented(NamedTuple):
    """A node, the comments that end above it, and those behind it on its last line."""

    node: Node
    above: tuple[str, ...]
    behind: tuple[str, ...]


def read_file(file: SourceFile) -> GoFile:
    """What a file declares. A file that its package is never built with has no package."""
    source = decode(file.content)
    if source is None:
        return GoFile(file, problem="encoding")
    try:
        root = grammars.parser("go").parse(mended(source)).root_node
        return _Reader(file, source).read(root)
    except RecursionError:
        return GoFile(file, problem="nesting")


def _arranged(nodes: Sequence[Node]) -> list[_Documented]:
    """Nodes in source order without comments, each with its own."""
    found: list[_Documented] = []
    group: list[str] = []
    group_end = last_end = behind_end = -1
    behind: list[str] = []
    for node in nodes:
        start, end = node.start_point[0], node.end_point[0]
        if node.type == "comment":
            text = (node.text or b"").decode("utf-8", "replace")
            if start == last_end and not group:
                behind.append(text)
                behind_end = end
            elif group and start <= group_end + 1:
                group.append(text)
                group_end = end
            else:
                group, group_end = [text], end
            continue
        if not node.is_named and not (node.text or b"").strip():
            continue
        if found and behind and start != behind_end:
            found[-1] = found[-1]._replace(behind=tuple(behind))
        above = tuple(group) if group and group_end + 1 == start else ()
        found.append(_Documented(node, above, ()))
        group, behind, group_end, last_end, behind_end = [], [], -1, end, -1
    if found and behind:
        found[-1] = found[-1]._replace(behind=tuple(behind))
    return found


def _doc(comments: Sequence[str]) -> str | None:
    return plain_text(comment_text(comments)) if comments else None


class _Reader:
    def __init__(self, file: SourceFile, source: bytes) -> None:
        self._file = file
        self._source = source
        self._definitions: list[GoDefinition] = []
        self._methods: dict[str, list[GoMember]] = {}
        self._imports: dict[str, str] = {}
        self._unnamed: list[str] = []

    def read(self, root: Node) -> GoFile:
        result = GoFile(self._file, problem="syntax" if root.has_error else None)
        for each in _arranged(list(_top_level(root))):
            match each.node.type:
                case "package_clause":
                    head = self._source[: each.node.start_byte].decode("utf-8", "replace")
                    if is_never_built(head):
                        return dataclasses.replace(result, package="", problem=None)
                    name = next(
                        (self._text(child) for child in each.node.named_children if child.type != "comment"), ""
                    )
                    result = dataclasses.replace(
                        result,
                        package=name,
                        is_built=is_built(self._file.path.rpartition("/")[2], head),
                        doc=_doc(each.above),
                        line=_line(each.node),
                    )
                    if name == "main":
                        return dataclasses.replace(result, problem=None)
                case "import_declaration":
                    self._read_imports(each.node)
                case "function_declaration":
                    self._read_function(each)
                case "method_declaration":
                    self._read_method(each)
                case "type_declaration":
                    self._read_types(each)
                case "const_declaration" | "var_declaration":
                    self._read_values(each)
        return dataclasses.replace(
            result,
            imports=self._imports,
            unnamed_imports=tuple(self._unnamed),
            definitions=tuple(self._definitions),
            methods={name: tuple(members) for name, members in self._methods.items()},
        )

    def _text(self, node: Node | None) -> str:
        return "" if node is None else self._cut(node.start_byte, node.end_byte)

    def _cut(self, start: int, end: int) -> str:
        return self._source[start : min(end, start + _MAX_SIGNATURE_BYTES)].decode("utf-8", "replace")

    def _read_imports(self, node: Node) -> None:
        for spec in _found(node, "import_spec"):
            path = self._text(spec.child_by_field_name("path")).strip('"`')
            name = spec.child_by_field_name("name")
            if name is None:
                self._unnamed.append(path)
            else:
                self._imports[self._text(name)] = path

    def _read_function(self, each: _Documented) -> None:
        name = self._text(each.node.child_by_field_name("name"))
        if is_exported(name):
            signature = self._header(each.node)
            self._definitions.append(GoDefinition(name, "function", signature, _doc(each.above), _line(each.node)))

    def _read_method(self, each: _Documented) -> None:
        name = self._text(each.node.child_by_field_name("name"))
        receiver = self._text(each.node.child_by_field_name("receiver"))
        if not is_exported(name):
            return
        words = one_line(receiver).strip("() ").partition("[")[0].replace("*", " ").replace("(", " ").split()
        if words:
            member = GoMember(name, "method", self._header(each.node), _doc(each.above), _line(each.node))
            self._methods.setdefault(words[-1], []).append(member)

    def _header(self, node: Node) -> str:
        body = node.child_by_field_name("body")
        return one_line(self._cut(node.start_byte, body.start_byte if body is not None else node.end_byte))

    def _read_types(self, declaration: _Documented) -> None:
        specs = [each for each in _arranged(declaration.node.children) if each.node.type in ("type_spec", "type_alias")]
        for each in specs:
            self._read_type(each, each.above or declaration.above)

    def _read_type(self, each: _Documented, comments: Sequence[str]) -> None:
        node = each.node
        name = self._text(node.child_by_field_name("name"))
        written = node.child_by_field_name("type")
        if written is None or not name:
            return
        head = one_line(self._cut(node.start_byte, written.start_byte))
        members: list[GoMember] = []
        embedded: list[str] = []
        kind, alias_of = "type", ""
        if written.type in ("struct_type", "interface_type"):
            kind = "class"
            signature = f"type {head} {written.type.removesuffix('_type')}"
            if written.type == "struct_type":
                self._read_fields(written, "", members, embedded, 0)
            else:
                self._read_interface(written, members, embedded)
        else:
            signature = f"type {head} {one_line(self._text(written))}"
            if head.endswith("=") and written.type in _NAMES_OF_TYPES:
                alias_of = self._text(written).partition("[")[0].strip()
        self._definitions.append(
            GoDefinition(name, kind, signature, _doc(comments), _line(node), tuple(members), tuple(embedded), alias_of)
        )

    def _read_fields(self, struct: Node, prefix: str, members: list[GoMember], embedded: list[str], depth: int) -> None:
        body = next((child for child in struct.named_children if child.type == "field_declaration_list"), None)
        if body is None or depth > _MAX_DEPTH:
            return
        for each in _arranged(body.children):
            if each.node.type != "field_declaration":
                continue
            written = each.node.child_by_field_name("type")
            names = [self._text(name) for name in each.node.children_by_field_name("name")]
            doc = _doc(each.above) or _doc(each.behind)
            line = _line(each.node)
            if not names:
                type_name = self._text(written).partition("[")[0].strip("* ")
                own = type_name.rpartition(".")[2]
                if not prefix:
                    embedded.append(type_name)
                if doc and is_exported(own):
                    members.append(GoMember(prefix + own, "property", one_line(self._text(written)), doc, line))
                continue
            for name in filter(is_exported, names):
                if written is not None and written.type == "struct_type":
                    members.append(GoMember(prefix + name, "property", f"{name} struct", doc, line))
                    self._read_fields(written, f"{prefix}{name}.", members, embedded, depth + 1)
                else:
                    shown = one_line(self._text(written))
                    members.append(GoMember(prefix + name, "property", f"{name} {shown}".strip(), doc, line))

    def _read_interface(self, interface: Node, members: list[GoMember], embedded: list[str]) -> None:
        # One grammar keeps the elements in the interface itself, another in a list of their own.
        body = next((child for child in interface.named_children if child.type == "method_spec_list"), interface)
        for each in _arranged(body.children):
            if each.node.type in _METHODS:
                name = self._text(each.node.child_by_field_name("name"))
                if is_exported(name):
                    doc = _doc(each.above) or _doc(each.behind)
                    signature = one_line(self._text(each.node))
                    members.append(GoMember(name, "method", signature, doc, _line(each.node)))
            elif each.node.is_named:
                text = self._text(each.node).partition("[")[0].strip()
                if text.replace(".", "").isidentifier():
                    embedded.append(text)

    def _read_values(self, declaration: _Documented) -> None:
        keyword = declaration.node.type.removesuffix("_declaration")
        children = declaration.node.children
        listed = next((child for child in children if child.type == "var_spec_list"), None)
        specs = _arranged(children if listed is None else listed.children)
        is_group = listed is not None or any(child.type == "(" for child in children)
        repeated_type = ""
        for each in specs:
            if each.node.type not in ("const_spec", "var_spec"):
                continue
            written = self._text(each.node.child_by_field_name("type"))
            value = each.node.child_by_field_name("value")
            values = [] if value is None else [part for part in value.named_children if part.type != "comment"]
            if value is not None or written:
                repeated_type = written
            doc = (
                (_doc(each.above) if is_group else None)
                or _doc(each.behind if is_group else declaration.behind)
                or _doc(declaration.above)
            )
            if not is_group:
                doc = _doc(declaration.above) or _doc(declaration.behind)
            names = [self._text(name) for name in each.node.children_by_field_name("name")]
            for position, name in enumerate(each for each in names if each != ","):
                if not is_exported(name):
                    continue
                type_text = one_line(written or (repeated_type if keyword == "const" else ""))
                signature = f"{keyword} {name} {type_text}".strip()
                if position < len(values):
                    cut = self._source[values[position].start_byte : values[position].end_byte]
                    signature = f"{signature} = {value_text(cut)}"
                self._definitions.append(GoDefinition(name, "constant", signature, doc, _line(each.node)))


def _top_level(root: Node) -> Iterator[Node]:
    """The children of a file; what stands in a node that could not be read as well, where it is a declaration."""
    for child in root.children:
        if child.type == "ERROR":
            inside = [each for each in child.children if each.type in _DECLARATIONS or each.type == "comment"]
            if any(each.type in _DECLARATIONS for each in inside):
                yield from inside
                continue
        yield child


def _found(node: Node, kind: str) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == kind:
            yield child
        elif child.type == f"{kind}_list":
            yield from _found(child, kind)


def _line(node: Node) -> int:
    return int(node.start_point[0]) + 1
