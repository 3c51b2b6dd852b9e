"""The texts that a node of a Rust file stands for: signatures, paths, and what a ``use`` brings.

Here: cutting them out of a file by its nodes. Not here: the order of a walk (rust_files).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from depcodex_assets.languages.rust_syntax import Use
from depcodex_assets.rust_tokens import one_line

if TYPE_CHECKING:
    import tree_sitter

MAX_DEPTH = 60
MAX_SIGNATURE_CHARACTERS = 4000
COMMENTS = ("line_comment", "block_comment")
BODIES = frozenset({"block", "field_declaration_list", "enum_variant_list", "declaration_list"})
_MAX_ARMS = 12


class NodeText:
    """Reads nodes of one file.

    Args:
        source: the file's bytes, which nodes point into.
    """

    def __init__(self, source: bytes) -> None:
        self._source = source

    def signature(self, node: tree_sitter.Node, kind: str, name: str, body: tree_sitter.Node | None) -> str:
        """One line as written, without the body; of a macro one line for each arm."""
        if kind == "macro":
            return self._macro_signature(node, name)
        end = node.end_byte
        if body is not None and body.type in BODIES and kind != "variant":
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
                is_visible = self.text(node) == "pub"
            elif node.is_named and node.type not in (*COMMENTS, "attribute_item"):
                pieces.append(f"pub {one_line(self.text(node))}" if is_visible else "_")
                is_visible = False
        return f"({', '.join(pieces)})"

    def _shown_fields(self, body: tree_sitter.Node) -> str:
        fields = (one_line(self.text(each)) for each in body.children if each.type == "field_declaration")
        return f" {{ {', '.join(fields)} }}"

    def _macro_signature(self, node: tree_sitter.Node, name: str) -> str:
        """What each arm of a macro takes, one a line; the caller makes a signature of each."""
        arms = []
        for rule in node.children:
            left = rule.child_by_field_name("left") if rule.type == "macro_rule" else None
            if left is not None:
                arms.append(f"{name}!{one_line(self.text(left))}"[:MAX_SIGNATURE_CHARACTERS])
        return "\n".join(arms[:_MAX_ARMS]) or f"{name}!"

    def uses(self, node: tree_sitter.Node, prefix: tuple[str, ...], line: int, depth: int) -> Iterator[Use]:
        """The names that an argument of ``use`` brings."""
        if depth > MAX_DEPTH:
            return
        match node.type:
            case "use_list":
                for each in node.named_children:
                    yield from self.uses(each, prefix, line, depth + 1)
            case "scoped_use_list":
                path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
                head = self._path(path) if path is not None else ("",) if self.text(node).startswith("::") else ()
                if inner is not None:
                    yield from self.uses(inner, (*prefix, *head), line, depth + 1)
            case "use_wildcard":
                head = self._path(node.named_children[0]) if node.named_children else ()
                if not head and self.text(node).startswith("::"):
                    head = ("",)
                yield Use((*prefix, *head), "", line)
            case "use_as_clause":
                path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
                if path is not None and alias is not None:
                    yield from self._use_of((*prefix, *self._path(path)), self.text(alias), line)
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
        text = one_line(self.text(node)).replace(" ", "")
        return tuple(each.removeprefix("r#") for each in text.split("::"))

    def type_path(self, node: tree_sitter.Node | None) -> tuple[str, ...]:
        """The path of a type without its arguments; empty for tuples and the like.

        The language's own types are called as rustdoc calls them, in brackets: a module of that name is not meant.
        """
        for _ in range(MAX_DEPTH):
            if node is None:
                return ()
            match node.type:
                case "type_identifier" | "scoped_type_identifier" | "identifier" | "scoped_identifier":
                    text = one_line(self.text(node))
                    return tuple(each.partition("<")[0].strip().removeprefix("r#") for each in _segments(text))
                case "primitive_type":
                    return (f"[{self.text(node)}]",)
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

    def bounds(self, node: tree_sitter.Node) -> Iterator[tuple[str, ...]]:
        """Paths of a trait's bounds."""
        for each in node.named_children:
            path = self.type_path(each)
            if path:
                yield path

    def is_public(self, node: tree_sitter.Node) -> bool:
        """Whether it is ``pub`` without a restriction."""
        for each in node.children:
            if each.type == "visibility_modifier":
                return self.text(each) == "pub"
            if each.type not in (*COMMENTS, "attribute_item"):
                return False
        return False

    def text(self, node: tree_sitter.Node) -> str:
        """The text of a node."""
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
