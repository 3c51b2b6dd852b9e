"""Reads one Rust file with tree-sitter.

Here: walking the tree, attributes and doc comments in front of an item, items inside macros. Not here: where a module's
file is (rust_modules), what a name means (rust_names).

A macro in the place of an item may hold items (``cfg_rt! { pub mod x; }``, ``pin_project! { pub struct … }``): where
its body reads as items, they are taken as such, with the condition that the macro's own definition puts on them. What
the crate's own macros by example make is read as well (rust_expansion). What other macros make of other bodies is not
known without running the compiler; such macros are counted.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from depcodex_assets.grammars import parser
from depcodex_assets.languages.rust_attributes import features_of, holds, read_attribute
from depcodex_assets.languages.rust_docs import comment_piece
from depcodex_assets.languages.rust_expansion import Macros
from depcodex_assets.languages.rust_marks import Include, Marks, Pending
from depcodex_assets.languages.rust_nodes import BODIES, COMMENTS, MAX_DEPTH, MAX_SIGNATURE_CHARACTERS, NodeText
from depcodex_assets.languages.rust_syntax import FileSyntax, Item, Use
from depcodex_assets.rust_tokens import one_line

if TYPE_CHECKING:
    import tree_sitter

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
_MAX_OPEN_COMMENTS = 1000
_COMMENT_EDGE_PATTERN = re.compile(rb"/\*|\*/")
_PASSED_ROUND = frozenset({"ERROR", "expression_statement", "foreign_mod_item"})
_MACRO_PATTERN = re.compile(rb"macro_rules!\s*(\w+)\s*\{(.*?)\n\s{0,4}\}", re.DOTALL)
_MACRO_CFG_PATTERN = re.compile(r"#\[cfg\((?:[^\[\]\"]|\"[^\"]*\")*\)\]")
_ITEM_FRAGMENT_PATTERN = re.compile(r"\$\w+\s*:\s*(?:item|tt|vis)\b")
# lazy_static! writes `static ref`, bitflags! a type behind a struct's name.
_STATIC_REF_PATTERN = re.compile(rb"\bstatic\s+ref\b")
_FLAGS_PATTERN = re.compile(rb"(\bstruct\s+\w+)\s*:\s*[\w:]+\s*\{")
_FLAG_PATTERN = re.compile(rb"\bconst\s+(\w+)(\s*=[^;]*)?;")


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
            # One that adds documentation as well is expanded: its items are more than what stands in the call.
            condition = None if "///" in body else _MACRO_CFG_PATTERN.search(body)
            if condition and _ITEM_FRAGMENT_PATTERN.search(body):
                found.setdefault(match[1].decode(), one_line(condition[0]))
    return found


@dataclass(frozen=True)
class Surroundings:
    """What of its crate a file is read with.

    Attributes:
        conditions: see ``macro_conditions``.
        macros: the crate's own macros.
        path: of the file.
    """

    conditions: Mapping[str, str]
    macros: Macros
    path: str = ""

    def of_file(self, path: str) -> Surroundings:
        """The same for a file: where a name is defined several times, its own macros come first."""
        return dataclasses.replace(self, path=path)


def read_file(content: bytes, include: Include, crate: Surroundings) -> FileSyntax:
    """One file's items.

    Args:
        content: its bytes.
        include: brings the text of a file that documentation is included from.
        crate: see ``Surroundings``.
    """
    source = content.removeprefix(b"\xef\xbb\xbf")
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return FileSyntax(problem="encoding")
    if source.startswith(b"#!") and not source.startswith(b"#!["):
        source = b"//" + source[2:]
    edges = _COMMENT_EDGE_PATTERN.findall(source)
    if 2 * edges.count(b"/*") > len(edges) + _MAX_OPEN_COMMENTS:
        # The grammar looks for each one's end through the whole file: 20,000 of them would take minutes.
        return FileSyntax(problem="nesting")
    reader = _Reader(source, include, crate)
    root = parser("rust").parse(source).root_node
    own = Pending()
    items = tuple(reader.items(root, own, depth=0))
    problem = "nesting" if reader.is_too_deep else "syntax" if root.has_error else None
    attributes = Marks(own.metas)
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


class _Reader:
    def __init__(
        self, source: bytes, include: Include, crate: Surroundings, line_offset: int = 0, fixed_line: int = 0
    ) -> None:
        self._source = source
        self._nodes = NodeText(source)
        self._include = include
        self._crate = crate
        self._line_offset = line_offset
        self._fixed_line = fixed_line
        self.is_too_deep = False
        self.lost_macro_count = 0

    def items(
        self, container: tree_sitter.Node, own: Pending, *, depth: int, is_public: bool = False
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
        pending = Pending()
        for node in container.children:
            kind = node.type
            if kind in COMMENTS:
                text = self._nodes.text(node)
                inner = comment_piece(text, is_inner=True)
                outer = comment_piece(text, is_inner=False)
                if inner is not None:
                    own.add_comment(inner)
                elif outer is not None:
                    pending.add_comment(outer)
                continue
            if kind == "attribute_item":
                pending.add_attribute(self._nodes.text(node))
                continue
            if kind == "inner_attribute_item":
                own.add_attribute(self._nodes.text(node))
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
            pending = Pending()

    def _inside(self, node: tree_sitter.Node, pending: Pending, *, depth: int, is_public: bool) -> Iterator[Item]:
        attributes = Marks(pending.metas)
        if attributes.is_left_out:
            return
        body = node.child_by_field_name("body") if node.type == "foreign_mod_item" else node
        if body is None:
            return
        for each in self.items(body, Pending(), depth=depth + 1, is_public=is_public):
            yield _under(each, attributes.conditions)

    def _macro_items(self, node: tree_sitter.Node, pending: Pending, *, depth: int, is_public: bool) -> Iterator[Item]:
        attributes = Marks(pending.metas)
        named = node.child_by_field_name("macro")
        tree = next((each for each in node.children if each.type == "token_tree"), None)
        if attributes.is_left_out or named is None or tree is None or depth > MAX_DEPTH:
            return
        name = self._nodes.text(named).rpartition("::")[2].strip()
        known = self._crate.conditions
        own = read_attribute(known[name]) if name in known else None
        conditions = attributes.conditions
        if own is not None and own.arguments:
            if holds(own.arguments[0]) is False:
                return
            conditions = (*conditions, *filter(None, [features_of(own.arguments[0])]))
        found: list[Item] = []
        bodies = [tree]
        if name == "cfg_if":
            bodies = [each for each in tree.children if each.type == "token_tree" and self._nodes.text(each)[:1] == "{"]
        is_read = True
        made = None if own is not None else self._made_items(name, tree, depth=depth, is_public=is_public)
        if made is not None:
            found, bodies = made, []
        for body in bodies:
            items = self._items_of_body(body, depth=depth, is_public=is_public)
            is_read = is_read and items is not None
            found += items or ()
        if not is_read:
            self.lost_macro_count += 1
        for each in found:
            yield _under(each, conditions)

    def _made_items(self, name: str, tree: tree_sitter.Node, *, depth: int, is_public: bool) -> list[Item] | None:
        """The items that the crate's own macro makes of a call; None where it makes none that can be read."""
        call = self._source[tree.start_byte + 1 : tree.end_byte - 1].decode("utf-8", "replace")
        text = self._crate.macros.expanded(name, call, self._crate.path)
        if not text:
            return None
        source = text.encode()
        root = parser("rust").parse(source).root_node
        if root.has_error:
            return None
        line = self._line(tree)
        inner = _Reader(source, self._include, self._crate, 0, line)
        items = list(inner.items(root, Pending(), depth=depth + 1, is_public=is_public))
        self.lost_macro_count += inner.lost_macro_count
        return items

    def _line(self, node: tree_sitter.Node) -> int:
        """1-based line; of the call where a macro made it."""
        line: int = node.start_point[0] + 1 + self._line_offset
        return self._fixed_line or line

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
            inner = _Reader(source, self._include, self._crate, offset, self._fixed_line)
            items = list(inner.items(root, Pending(), depth=depth + 1, is_public=is_public))
            self.lost_macro_count += inner.lost_macro_count
            return items
        return None

    def _item(self, node: tree_sitter.Node, pending: Pending, *, depth: int, is_public: bool) -> Iterator[Item]:
        attributes = Marks(pending.metas)
        if attributes.is_left_out:
            return
        line = self._line(node)
        if node.type == "use_declaration":
            argument = node.child_by_field_name("argument")
            if argument is not None:
                uses = tuple(self._nodes.uses(argument, (), line, 0))
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
        attributes: Marks,
        pending: Pending,
        line: int,
        *,
        uses: tuple[Use, ...],
    ) -> Item:
        return Item(
            kind,
            "",
            self._nodes.is_public(node),
            "",
            pending.doc(self._include),
            line,
            attributes.conditions,
            attributes.is_hidden,
            attributes.is_deprecated,
            uses=uses,
        )

    def _extern_crate(self, node: tree_sitter.Node, attributes: Marks, pending: Pending, line: int) -> Iterator[Item]:
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        if name is None:
            return
        crate = self._nodes.text(name)
        shown = self._nodes.text(alias) if alias is not None else crate
        path = ("crate",) if crate == "self" else ("", crate)
        if shown != "_":
            yield self._plain_item("use", node, attributes, pending, line, uses=(Use(path, shown, line),))

    def _impl(
        self, node: tree_sitter.Node, attributes: Marks, pending: Pending, line: int, depth: int
    ) -> Iterator[Item]:
        target = self._nodes.type_path(node.child_by_field_name("type"))
        trait = self._nodes.type_path(node.child_by_field_name("trait"))
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
        attributes: Marks,
        pending: Pending,
        line: int,
        depth: int,
        *,
        is_public: bool,
    ) -> Iterator[Item]:
        kind = _NAMED[node.type]
        named = node.child_by_field_name("name")
        if named is None:
            return
        name = self._nodes.text(named).removeprefix("r#")
        if name == "_":
            return
        body = node.child_by_field_name("body")
        members: tuple[Item, ...] = ()
        is_inline = False
        if body is not None and body.type in BODIES and kind != "function":
            is_inline = kind == "module"
            own = pending if is_inline else Pending()
            members = tuple(self.items(body, own, depth=depth + 1, is_public=kind in ("trait", "enum", "variant")))
            if is_inline:
                attributes = Marks(pending.metas)
        elif body is not None and body.type == "ordered_field_declaration_list":
            members = tuple(self._tuple_fields(body, is_public=kind == "variant"))
        if attributes.is_left_out:
            return
        bounds = node.child_by_field_name("bounds")
        aliased = node.child_by_field_name("type") if kind == "type" else None
        yield Item(
            kind,
            attributes.derive_name if kind == "function" and attributes.derive_name else name,
            is_public or self._nodes.is_public(node),
            self._nodes.signature(node, kind, name, body),
            pending.doc(self._include),
            line,
            attributes.conditions,
            attributes.is_hidden,
            attributes.is_deprecated,
            attributes.since,
            members,
            is_inline,
            attributes.paths,
            path=self._nodes.type_path(aliased),
            bases=tuple(self._nodes.bounds(bounds)) if bounds is not None and kind == "trait" else (),
            is_exported=attributes.is_exported,
            macro_kind=attributes.macro_kind,
            is_unstable=attributes.is_unstable,
        )

    def _tuple_fields(self, body: tree_sitter.Node, *, is_public: bool) -> Iterator[Item]:
        """Fields without names, called by their number."""
        pending = Pending()
        is_visible = False
        number = 0
        for node in body.children:
            if node.type in COMMENTS:
                piece = comment_piece(self._nodes.text(node), is_inner=False)
                if piece is not None:
                    pending.add_comment(piece)
            elif node.type == "attribute_item":
                pending.add_attribute(self._nodes.text(node))
            elif node.type == "visibility_modifier":
                is_visible = self._nodes.text(node) == "pub"
            elif node.is_named:
                attributes = Marks(pending.metas)
                yield Item(
                    "field",
                    str(number),
                    is_public or is_visible,
                    f"{number}: {one_line(self._nodes.text(node))}"[:MAX_SIGNATURE_CHARACTERS],
                    pending.doc(self._include),
                    self._line(node),
                    attributes.conditions,
                    attributes.is_hidden,
                    attributes.is_deprecated,
                )
                number += 1
                pending, is_visible = Pending(), False


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
