"""Reads one Rust file with tree-sitter.

Here: walking the tree, attributes and doc comments in front of an item, items inside macros. Not here: where a module's
file is (rust_modules), what a name means (rust_names).

A macro in the place of an item may hold items (``cfg_rt! { pub mod x; }``, ``pin_project! { pub struct … }``): where
its body reads as items, they are taken as such, with the condition that the macro's own definition puts on them. What a
macro makes of other bodies is not known without running the compiler; such macros are counted.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from depcodex_assets.grammars import parser
from depcodex_assets.languages.rust_attributes import Meta, expanded, features_of, holds, read_attribute
from depcodex_assets.languages.rust_docs import DocPiece, comment_piece, joined
from depcodex_assets.languages.rust_syntax import FileSyntax, Item, Use
from depcodex_assets.rust_tokens import one_line

if TYPE_CHECKING:
    import tree_sitter

MAX_DEPTH = 60
MAX_SIGNATURE_CHARACTERS = 4000
_MAX_ARMS = 12
_NAMED = {
    "struct_item": "struct",
    "enum_item": "enum",
    "union_item": "union",
    "trait_item": "trait",
    "function_item": "function",
    "function_signature_item": "function",
    "const_item": "constant",
    "static_item": "static",
    "type_item": "type",
    "associated_type": "type",
    "mod_item": "module",
    "macro_definition": "macro",
    "enum_variant": "variant",
    "field_declaration": "field",
}
_BODIES = frozenset({"block", "field_declaration_list", "enum_variant_list", "declaration_list"})
_PASSED_ROUND = frozenset({"ERROR", "expression_statement", "foreign_mod_item"})
_COMMENTS = ("line_comment", "block_comment")
_PROC_MACROS = {"proc_macro": "function", "proc_macro_derive": "derive", "proc_macro_attribute": "attribute"}
_MACRO_PATTERN = re.compile(rb"macro_rules!\s*(\w+)\s*\{(.*?)\n\s{0,4}\}", re.DOTALL)
_MACRO_CFG_PATTERN = re.compile(r"#\[cfg\((?:[^\[\]\"]|\"[^\"]*\")*\)\]")
_ITEM_FRAGMENT_PATTERN = re.compile(r"\$\w+\s*:\s*(?:item|tt|vis)\b")
# lazy_static! writes `static ref`, bitflags! a type behind a struct's name.
_STATIC_REF_PATTERN = re.compile(rb"\bstatic\s+ref\b")
_FLAGS_PATTERN = re.compile(rb"(\bstruct\s+\w+)\s*:\s*[\w:]+\s*\{")
_FLAG_PATTERN = re.compile(rb"\bconst\s+(\w+)(\s*=[^;]*)?;")

# Text of a file that `include_str!` names, by its path as written; None where it is not in the crate.
Include = Callable[[str], str | None]


def macro_conditions(sources: Iterable[bytes]) -> dict[str, str]:
    """Macro name → the ``cfg`` that a crate's own macro puts on the items in it.

    Example:
        >>> macro_conditions([b'macro_rules! rt {\\n($($i:item)*) => { $( #[cfg(feature = "rt")] $i )* }\\n}'])
        {'rt': '#[cfg(feature = "rt")]'}
    """
    found: dict[str, str] = {}
    for source in sources:
        if b"macro_rules!" not in source:
            continue
        for match in _MACRO_PATTERN.finditer(source):
            body = match[2].decode("utf-8", "replace")
            condition = _MACRO_CFG_PATTERN.search(body)
            if condition and _ITEM_FRAGMENT_PATTERN.search(body):
                found.setdefault(match[1].decode(), one_line(condition[0]))
    return found


def read_file(content: bytes, include: Include, macros: Mapping[str, str]) -> FileSyntax:
    """One file's items.

    Args:
        content: its bytes.
        include: brings the text of a file that documentation is included from.
        macros: see ``macro_conditions``.
    """
    source = content.removeprefix(b"\xef\xbb\xbf")
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return FileSyntax(problem="encoding")
    if source.startswith(b"#!") and not source.startswith(b"#!["):
        source = b"//" + source[2:]
    reader = _Reader(source, include, macros)
    root = parser("rust").parse(source).root_node
    own = _Pending()
    items = tuple(reader.items(root, own, depth=0))
    problem = "nesting" if reader.is_too_deep else "syntax" if root.has_error else None
    attributes = _Attributes(own.metas)
    return FileSyntax(
        items,
        own.doc(include),
        attributes.is_hidden,
        attributes.is_left_out,
        attributes.conditions,
        attributes.is_deprecated,
        problem,
        reader.lost_macro_count,
        attributes.is_unstable,
    )


class _Pending:
    """Attributes and doc comments that wait for their item, or that are a container's own."""

    def __init__(self) -> None:
        self.metas: list[Meta] = []
        self._pieces: list[DocPiece | Meta] = []

    def add_comment(self, piece: DocPiece) -> None:
        self._pieces.append(piece)

    def add_attribute(self, text: str) -> None:
        meta = read_attribute(text)
        if meta is None:
            return
        for each in expanded([meta]):
            self.metas.append(each)
            if each.name == "doc" and (each.value is not None or each.included is not None):
                self._pieces.append(each)

    def doc(self, include: Include) -> str | None:
        """The Markdown of all pieces, in order."""
        pieces = []
        for each in self._pieces:
            if isinstance(each, DocPiece):
                pieces.append(each)
            else:
                text = each.value if each.value is not None else include(each.included or "")
                if text is not None:
                    pieces.append(DocPiece(text, is_comment=False))
        return joined(pieces)


class _Attributes:
    """What attributes say of an item."""

    def __init__(self, metas: Iterable[Meta]) -> None:
        self.is_hidden = self.is_left_out = self.is_deprecated = self.is_exported = False
        self.is_unstable = False
        self.since = self.macro_kind = self.derive_name = ""
        self.paths: tuple[str, ...] = ()
        conditions: list[str] = []
        stated: list[str] = []
        for meta in metas:
            match meta.name:
                case "cfg" if meta.arguments:
                    self.is_left_out = self.is_left_out or holds(meta.arguments[0]) is False
                    conditions.append(features_of(meta.arguments[0]))
                case "doc":
                    self.is_hidden = self.is_hidden or meta.argument("hidden") is not None
                    condition = meta.argument("cfg")
                    if condition and condition.arguments:
                        stated.append(features_of(condition.arguments[0]))
                case "deprecated" | "rustc_deprecated":
                    self.is_deprecated = True
                case "unstable":
                    self.is_unstable = True
                case "stable":
                    since = meta.argument("since")
                    self.since = (since.value or "") if since else ""
                case "path" if meta.value:
                    self.paths = (*self.paths, meta.value)
                case "macro_export":
                    self.is_exported = True
                    if meta.argument("item") is not None:
                        self.macro_kind = "item"
                case "proc_macro" | "proc_macro_derive" | "proc_macro_attribute":
                    self.macro_kind = _PROC_MACROS[meta.name]
                    if meta.arguments:
                        self.derive_name = meta.arguments[0].name
        # What a page states for its readers is about the same features, often about more of them than the cfg beside.
        self.conditions = tuple(each for each in (stated if any(stated) else conditions) if each)


class _Reader:
    def __init__(self, source: bytes, include: Include, macros: Mapping[str, str], line_offset: int = 0) -> None:
        self._source = source
        self._include = include
        self._macros = macros
        self._line_offset = line_offset
        self.is_too_deep = False
        self.lost_macro_count = 0

    def items(
        self, container: tree_sitter.Node, own: _Pending, *, depth: int, is_public: bool = False
    ) -> Iterator[Item]:
        """Items of a container in order; ``own`` takes what is said of the container itself.

        Args:
            container: a file, or the body of an item.
            own: see above.
            depth: containers around it.
            is_public: its items are public by their place.
        """
        if depth > MAX_DEPTH:
            self.is_too_deep = True
            return
        pending = _Pending()
        for node in container.children:
            kind = node.type
            if kind in _COMMENTS:
                text = self._text(node)
                inner = comment_piece(text, is_inner=True)
                outer = comment_piece(text, is_inner=False)
                if inner is not None:
                    own.add_comment(inner)
                elif outer is not None:
                    pending.add_comment(outer)
                continue
            if kind == "attribute_item":
                pending.add_attribute(self._text(node))
                continue
            if kind == "inner_attribute_item":
                own.add_attribute(self._text(node))
                continue
            if not node.is_named:
                continue
            if kind == "visibility_modifier":
                # A tuple's field: its visibility stands before its type, without a node around both.
                continue
            if kind in _PASSED_ROUND:
                yield from self._inside(node, pending, depth=depth, is_public=is_public)
            elif kind == "macro_invocation":
                yield from self._macro_items(node, pending, depth=depth, is_public=is_public)
            else:
                yield from self._item(node, pending, depth=depth, is_public=is_public)
            pending = _Pending()

    def _inside(self, node: tree_sitter.Node, pending: _Pending, *, depth: int, is_public: bool) -> Iterator[Item]:
        attributes = _Attributes(pending.metas)
        if attributes.is_left_out:
            return
        body = node.child_by_field_name("body") if node.type == "foreign_mod_item" else node
        if body is None:
            return
        for each in self.items(body, _Pending(), depth=depth + 1, is_public=is_public):
            yield _under(each, attributes.conditions)

    def _macro_items(self, node: tree_sitter.Node, pending: _Pending, *, depth: int, is_public: bool) -> Iterator[Item]:
        attributes = _Attributes(pending.metas)
        named = node.child_by_field_name("macro")
        tree = next((each for each in node.children if each.type == "token_tree"), None)
        if attributes.is_left_out or named is None or tree is None or depth > MAX_DEPTH:
            return
        name = self._text(named).rpartition("::")[2].strip()
        own = read_attribute(self._macros[name]) if name in self._macros else None
        conditions = attributes.conditions
        if own is not None and own.arguments:
            if holds(own.arguments[0]) is False:
                return
            conditions = (*conditions, *filter(None, [features_of(own.arguments[0])]))
        found: list[Item] = []
        bodies = [tree]
        if name == "cfg_if":
            bodies = [each for each in tree.children if each.type == "token_tree" and self._text(each)[:1] == "{"]
        is_read = True
        for body in bodies:
            items = self._items_of_body(body, depth=depth, is_public=is_public)
            is_read = is_read and items is not None
            found += items or ()
        if not is_read:
            self.lost_macro_count += 1
        for each in found:
            yield _under(each, conditions)

    def _items_of_body(self, tree: tree_sitter.Node, *, depth: int, is_public: bool) -> list[Item] | None:
        """The items that a macro's body reads as; None where it does not."""
        body = self._source[tree.start_byte + 1 : tree.end_byte - 1]
        if not body.strip():
            return []
        for source in (body, _STATIC_REF_PATTERN.sub(_blanked_ref, body), _as_flags(body)):
            if source is None:
                continue
            root = parser("rust").parse(source).root_node
            if root.has_error:
                continue
            offset = self._line_offset + tree.start_point[0]
            inner = _Reader(source, self._include, self._macros, offset)
            items = list(inner.items(root, _Pending(), depth=depth + 1, is_public=is_public))
            self.lost_macro_count += inner.lost_macro_count
            return items
        return None

    def _item(self, node: tree_sitter.Node, pending: _Pending, *, depth: int, is_public: bool) -> Iterator[Item]:
        attributes = _Attributes(pending.metas)
        if attributes.is_left_out:
            return
        line = node.start_point[0] + 1 + self._line_offset
        if node.type == "use_declaration":
            argument = node.child_by_field_name("argument")
            if argument is not None:
                uses = tuple(self._uses(argument, (), line, 0))
                yield self._plain_item("use", node, attributes, pending, line, uses=uses)
        elif node.type == "extern_crate_declaration":
            yield from self._extern_crate(node, attributes, pending, line)
        elif node.type == "impl_item":
            yield from self._impl(node, attributes, pending, line, depth)
        elif node.type in _NAMED:
            yield from self._named(node, attributes, pending, line, depth, is_public=is_public)

    def _plain_item(
        self,
        kind: str,
        node: tree_sitter.Node,
        attributes: _Attributes,
        pending: _Pending,
        line: int,
        *,
        uses: tuple[Use, ...],
    ) -> Item:
        return Item(
            kind,
            "",
            self._is_public(node),
            "",
            pending.doc(self._include),
            line,
            attributes.conditions,
            attributes.is_hidden,
            attributes.is_deprecated,
            uses=uses,
        )

    def _extern_crate(
        self, node: tree_sitter.Node, attributes: _Attributes, pending: _Pending, line: int
    ) -> Iterator[Item]:
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        if name is None:
            return
        crate = self._text(name)
        shown = self._text(alias) if alias is not None else crate
        path = ("crate",) if crate == "self" else ("", crate)
        if shown != "_":
            yield self._plain_item("use", node, attributes, pending, line, uses=(Use(path, shown, line),))

    def _impl(
        self, node: tree_sitter.Node, attributes: _Attributes, pending: _Pending, line: int, depth: int
    ) -> Iterator[Item]:
        target = self._type_path(node.child_by_field_name("type"))
        trait = self._type_path(node.child_by_field_name("trait"))
        body = node.child_by_field_name("body")
        if not target or body is None:
            return
        members = tuple(self.items(body, pending, depth=depth + 1))
        yield Item(
            "impl",
            "",
            False,
            "",
            None,
            line,
            attributes.conditions,
            attributes.is_hidden,
            members=members,
            path=target,
            bases=(trait,) if trait else (),
        )

    def _named(
        self,
        node: tree_sitter.Node,
        attributes: _Attributes,
        pending: _Pending,
        line: int,
        depth: int,
        *,
        is_public: bool,
    ) -> Iterator[Item]:
        kind = _NAMED[node.type]
        named = node.child_by_field_name("name")
        if named is None:
            return
        name = self._text(named).removeprefix("r#")
        if name == "_":
            return
        body = node.child_by_field_name("body")
        members: tuple[Item, ...] = ()
        is_inline = False
        if body is not None and body.type in _BODIES and kind != "function":
            is_inline = kind == "module"
            own = pending if is_inline else _Pending()
            members = tuple(self.items(body, own, depth=depth + 1, is_public=kind in ("trait", "enum", "variant")))
            if is_inline:
                attributes = _Attributes(pending.metas)
        elif body is not None and body.type == "ordered_field_declaration_list":
            members = tuple(self._tuple_fields(body, is_public=kind == "variant"))
        if attributes.is_left_out:
            return
        bounds = node.child_by_field_name("bounds")
        aliased = node.child_by_field_name("type") if kind == "type" else None
        yield Item(
            kind,
            attributes.derive_name if kind == "function" and attributes.derive_name else name,
            is_public or self._is_public(node),
            self._signature(node, kind, name, body),
            pending.doc(self._include),
            line,
            attributes.conditions,
            attributes.is_hidden,
            attributes.is_deprecated,
            attributes.since,
            members,
            is_inline,
            attributes.paths,
            path=self._type_path(aliased),
            bases=tuple(self._bounds(bounds)) if bounds is not None and kind == "trait" else (),
            is_exported=attributes.is_exported,
            macro_kind=attributes.macro_kind,
            is_unstable=attributes.is_unstable,
        )

    def _tuple_fields(self, body: tree_sitter.Node, *, is_public: bool) -> Iterator[Item]:
        """Fields without names, called by their number."""
        pending = _Pending()
        is_visible = False
        number = 0
        for node in body.children:
            if node.type in _COMMENTS:
                piece = comment_piece(self._text(node), is_inner=False)
                if piece is not None:
                    pending.add_comment(piece)
            elif node.type == "attribute_item":
                pending.add_attribute(self._text(node))
            elif node.type == "visibility_modifier":
                is_visible = self._text(node) == "pub"
            elif node.is_named:
                attributes = _Attributes(pending.metas)
                yield Item(
                    "field",
                    str(number),
                    is_public or is_visible,
                    f"{number}: {one_line(self._text(node))}"[:MAX_SIGNATURE_CHARACTERS],
                    pending.doc(self._include),
                    node.start_point[0] + 1 + self._line_offset,
                    attributes.conditions,
                    attributes.is_hidden,
                    attributes.is_deprecated,
                )
                number += 1
                pending, is_visible = _Pending(), False

    def _signature(self, node: tree_sitter.Node, kind: str, name: str, body: tree_sitter.Node | None) -> str:
        if kind == "macro":
            return self._macro_signature(node, name)
        end = node.end_byte
        if body is not None and body.type in _BODIES and kind != "variant":
            end = body.start_byte
        text = self._source[node.start_byte : end].decode("utf-8", "replace")
        if kind == "struct" and body is not None and body.type == "ordered_field_declaration_list":
            fields = self._source[body.start_byte : body.end_byte].decode("utf-8", "replace")
            text = text.replace(fields, self._shown_tuple(body), 1)
        elif kind == "variant" and body is not None and body.type == "field_declaration_list":
            text = text.replace(
                self._source[body.start_byte : body.end_byte].decode("utf-8", "replace"), self._shown_fields(body), 1
            )
        return one_line(text[:MAX_SIGNATURE_CHARACTERS]).rstrip(" ,;{")

    def _shown_tuple(self, body: tree_sitter.Node) -> str:
        """A tuple's public fields; ``_`` for the others, as rustdoc writes them."""
        pieces, is_visible = [], False
        for node in body.children:
            if node.type == "visibility_modifier":
                is_visible = self._text(node) == "pub"
            elif node.is_named and node.type not in (*_COMMENTS, "attribute_item"):
                pieces.append(f"pub {one_line(self._text(node))}" if is_visible else "_")
                is_visible = False
        return f"({', '.join(pieces)})"

    def _shown_fields(self, body: tree_sitter.Node) -> str:
        fields = (one_line(self._text(each)) for each in body.children if each.type == "field_declaration")
        return f" {{ {', '.join(fields)} }}"

    def _macro_signature(self, node: tree_sitter.Node, name: str) -> str:
        """What each arm of a macro takes, one a line; the caller makes a signature of each."""
        arms = []
        for rule in node.children:
            left = rule.child_by_field_name("left") if rule.type == "macro_rule" else None
            if left is not None:
                arms.append(f"{name}!{one_line(self._text(left))}"[:MAX_SIGNATURE_CHARACTERS])
        return "\n".join(arms[:_MAX_ARMS]) or f"{name}!"

    def _uses(self, node: tree_sitter.Node, prefix: tuple[str, ...], line: int, depth: int) -> Iterator[Use]:
        """The names that an argument of ``use`` brings."""
        if depth > MAX_DEPTH:
            self.is_too_deep = True
            return
        match node.type:
            case "use_list":
                for each in node.named_children:
                    yield from self._uses(each, prefix, line, depth + 1)
            case "scoped_use_list":
                path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
                head = self._path(path) if path is not None else ("",) if self._text(node).startswith("::") else ()
                if inner is not None:
                    yield from self._uses(inner, (*prefix, *head), line, depth + 1)
            case "use_wildcard":
                head = self._path(node.named_children[0]) if node.named_children else ()
                if not head and self._text(node).startswith("::"):
                    head = ("",)
                yield Use((*prefix, *head), "", line)
            case "use_as_clause":
                path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
                if path is not None and alias is not None:
                    yield from self._use_of((*prefix, *self._path(path)), self._text(alias), line)
            case "identifier" | "scoped_identifier" | "self" | "crate" | "super" | "metavariable":
                path_of = (*prefix, *self._path(node))
                yield from self._use_of(path_of, "", line)

    def _use_of(self, path: tuple[str, ...], alias: str, line: int) -> Iterator[Use]:
        if len(path) > 1 and path[-1] == "self":
            path = path[:-1]
        name = (alias or path[-1]).removeprefix("r#")
        if name and name not in ("_", "self", "super", "crate"):
            yield Use(path, name, line)

    def _path(self, node: tree_sitter.Node) -> tuple[str, ...]:
        """Segments of a path; a leading ``::`` is an empty segment."""
        text = one_line(self._text(node)).replace(" ", "")
        return tuple(each.removeprefix("r#") for each in text.split("::"))

    def _type_path(self, node: tree_sitter.Node | None) -> tuple[str, ...]:
        """The path of a type without its arguments; empty for tuples and the like.

        The language's own types are called as rustdoc calls them, in brackets: a module of that name is not meant.
        """
        for _ in range(MAX_DEPTH):
            if node is None:
                return ()
            match node.type:
                case "type_identifier" | "scoped_type_identifier" | "identifier" | "scoped_identifier":
                    text = one_line(self._text(node))
                    return tuple(each.partition("<")[0].strip().removeprefix("r#") for each in _segments(text))
                case "primitive_type":
                    return (f"[{self._text(node)}]",)
                case "array_type":
                    return ("[slice]",) if node.child_by_field_name("length") is None else ("[array]",)
                case "pointer_type":
                    return ("[pointer]",)
                case "generic_type":
                    node = node.child_by_field_name("type")
                case "dynamic_type":
                    node = node.child_by_field_name("trait")
                case "parenthesized_type" | "bounded_type" | "higher_ranked_trait_bound":
                    node = node.child_by_field_name("type") or next(iter(node.named_children), None)
                case _:
                    return ()
        return ()

    def _bounds(self, node: tree_sitter.Node) -> Iterator[tuple[str, ...]]:
        for each in node.named_children:
            path = self._type_path(each)
            if path:
                yield path

    def _is_public(self, node: tree_sitter.Node) -> bool:
        for each in node.children:
            if each.type == "visibility_modifier":
                return self._text(each) == "pub"
            if each.type not in (*_COMMENTS, "attribute_item"):
                return False
        return False

    def _text(self, node: tree_sitter.Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _segments(path: str) -> list[str]:
    """A type's path cut at ``::`` outside of its arguments."""
    pieces, depth, start = [], 0, 0
    for index, each in enumerate(path):
        depth += (each == "<") - (each == ">" and path[index - 1 : index] != "-")
        if not depth and path.startswith("::", index):
            pieces.append(path[start:index])
            start = index + 2
    return [*pieces, path[start:]]


def _under(item: Item, conditions: tuple[str, ...]) -> Item:
    if not conditions:
        return item
    return dataclasses.replace(item, conditions=(*conditions, *item.conditions))


def _blanked_ref(match: re.Match[bytes]) -> bytes:
    return b"static" + b" " * (len(match[0]) - len(b"static"))


def _as_flags(body: bytes) -> bytes | None:
    """The body of ``bitflags!`` with each struct as one with a block of constants; None for another body."""
    if not _FLAGS_PATTERN.search(body):
        return None
    opened = _FLAGS_PATTERN.sub(lambda match: match[1] + b"; impl " + match[1].split()[-1] + b" {", body)
    return _FLAG_PATTERN.sub(lambda match: b"pub const " + match[1] + b": Self" + (match[2] or b"") + b";", opened)
