"""The text and the documentation that a Python node stands for.

Here: cutting names, literals and docstrings out of a file by its nodes. Not here: what the texts mean (python_text),
the order of a walk (python_modules).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from depcodex_assets.languages.python_text import clean_doc, string_value

if TYPE_CHECKING:
    import tree_sitter

STRINGS = ("string", "concatenated_string")
_DOC_OPENING_PATTERN = re.compile(rb"[rRuU]?[\"']|\(")


def expression_of(statement: tree_sitter.Node) -> tree_sitter.Node:
    """The expression that is a statement: newer grammars put it where older ones put a node around it."""
    if statement.type != "expression_statement":
        return statement
    children = statement.children
    return children[0] if len(children) == 1 else statement


class NodeText:
    """Reads nodes of one file.

    Args:
        source: the file's bytes, which nodes point into.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.has_comment_docs = b"#:" in source

    def slice(self, node: tree_sitter.Node) -> bytes:
        """The bytes of a node."""
        return self.source[node.start_byte : node.end_byte]

    def text(self, node: tree_sitter.Node) -> str:
        """The text of a node."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def string(self, node: tree_sitter.Node) -> str | None:
        """The value of a string literal; None for any other node."""
        return string_value(self.text(node)) if node.type in STRINGS else None

    def call_head(self, node: tree_sitter.Node) -> str:
        """The last name of what is called or subscripted: ``TypeVar`` of ``typing.TypeVar("T")``."""
        field = {"call": "function", "subscript": "value"}.get(node.type)
        head = node.child_by_field_name(field) if field else None
        return self.text(head).rpartition(".")[2] if head is not None else ""

    def doc_of_body(self, body: tree_sitter.Node) -> str | None:
        """The docstring of a body; its nodes are built only where the body opens with a string."""
        if _DOC_OPENING_PATTERN.match(self.source, body.start_byte) is None:
            return None
        cursor = body.walk()
        if not cursor.goto_first_child():
            return None
        node = cursor.node
        return self.doc_of_statement(node) if node is not None else None

    def doc_of_statement(self, statement: tree_sitter.Node) -> str | None:
        """The docstring that an expression statement is, else None."""
        node = expression_of(statement)
        if node.type == "parenthesized_expression" and node.named_children:
            node = node.named_children[0]
        value = self.string(node)
        return clean_doc(value) if value is not None else None

    def doc_beside(self, nodes: Sequence[tree_sitter.Node], position: int) -> str | None:
        """An attribute's doc: the string after it, else the ``#:`` comments above or behind it."""
        for following in nodes[position + 1 : position + 3]:
            kind = following.type
            if kind != "comment":
                if _DOC_OPENING_PATTERN.match(self.source, following.start_byte):
                    doc = self.doc_of_statement(following)
                    if doc is not None:
                        return doc
                break
        return self._comment_doc(nodes, position) if self.has_comment_docs else None

    def _comment_doc(self, nodes: Sequence[tree_sitter.Node], position: int) -> str | None:
        row = nodes[position].start_point[0]
        lines: list[str] = []
        for index in range(position - 1, -1, -1):
            node = nodes[index]
            row -= 1
            if node.type != "comment" or node.start_point[0] != row:
                break
            text = self.text(node)
            if not text.startswith("#:"):
                break
            lines.append(text[2:])
        if not lines and position + 1 < len(nodes):
            node = nodes[position + 1]
            if node.type == "comment" and node.start_point[0] == nodes[position].end_point[0]:
                text = self.text(node)
                lines = [text[2:]] if text.startswith("#:") else []
        return clean_doc("\n" + "\n".join(reversed(lines))) if lines else None
