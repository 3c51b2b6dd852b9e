"""The text that a JavaScript or TypeScript node stands for.

Here: cutting names, literals and one-line signatures out of a file by its nodes. Not here: what the nodes declare
(typescript_definitions).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

# A longer text cannot be shown; reading it costs time only (types of 100 KB are generated now and then).
MAX_SIGNATURE_CHARACTERS = 2000
MAX_VALUE_CHARACTERS = 200
FUNCTION_VALUES = frozenset({"arrow_function", "function", "function_expression", "generator_function"})
BODIES = frozenset({"statement_block", "class_body", "object_type", "interface_body", "enum_body"})
_STRING_OR_COMMENT = re.compile(
    r"(?P<string>\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`)|/\*(?:[^*]|\*(?!/))*+\*/|//[^\n]*",
    re.DOTALL,
)
_SPACES = re.compile(r"\s+")
_EDGE = re.compile(r"(?<=[(\[]) | (?=[)\],;])")
# A member's name that a caller can write after a dot, or in quotes without surprise (an event, a header, a path).
_QUOTED_NAME = re.compile(r"[\w$][\w$-]{0,79}")
_WELL_KNOWN = re.compile(r"\[\s*Symbol\s*\.\s*([A-Za-z]\w*)\s*\]")


class NodeText:
    """Reads nodes of one file.

    Args:
        source: the file's bytes, which nodes point into; the grammar may have seen others at the same places.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source

    def text(self, node: tree_sitter.Node) -> str:
        """The text of a node."""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def between(self, start: int, end: int) -> str:
        """The text between two bytes."""
        return self.source[start:end].decode("utf-8", "replace")

    def string(self, node: tree_sitter.Node | None) -> str:
        """The content of a string literal, as written; "" for any other node."""
        if node is None or node.type != "string":
            return ""
        return self.between(node.start_byte + 1, max(node.start_byte + 1, node.end_byte - 1))

    def name(self, node: tree_sitter.Node | None) -> str:
        """The name that a property's name node gives: ``a``, ``"a-b"``, ``@@iterator`` (ECMA-262's word); else ""."""
        if node is None:
            return ""
        kind = node.type
        if kind in ("property_identifier", "identifier", "type_identifier", "shorthand_property_identifier"):
            return self.text(node)
        if kind == "string":
            quoted = self.string(node)
            return quoted if _QUOTED_NAME.fullmatch(quoted) else ""
        if kind == "computed_property_name":
            known = _WELL_KNOWN.fullmatch(self.text(node))
            return f"@@{known[1]}" if known else ""
        return self.text(node) if kind == "number" and _QUOTED_NAME.fullmatch(self.text(node)) else ""

    def is_unnamed(self, function: tree_sitter.Node) -> bool:
        """Whether a function's name is one that only the grammar was given (``typescript_grammar.mended``)."""
        named = function.child_by_field_name("name")
        return named is not None and self.source[named.start_byte - 1 : named.end_byte] == b"function"

    def head(self, node: tree_sitter.Node, body: tree_sitter.Node | None, prefix: str = "") -> str:
        """A declaration up to its body on one line."""
        end = node.end_byte if body is None else body.start_byte
        return prefix + one_line(
            self.between(node.start_byte, min(end, node.start_byte + 2 * MAX_SIGNATURE_CHARACTERS))
        )

    def without_bodies(self, node: tree_sitter.Node, types: Sequence[tree_sitter.Node]) -> str:
        """A node on one line, the insides of these object types left out."""
        pieces: list[str] = []
        start = node.start_byte
        for each in types:
            pieces.append(self.between(start, each.start_byte))
            pieces.append("{ ... }")
            start = each.end_byte
            if start - node.start_byte > 8 * MAX_SIGNATURE_CHARACTERS:
                break
        pieces.append(self.between(start, min(node.end_byte, start + 2 * MAX_SIGNATURE_CHARACTERS)))
        return one_line("".join(pieces))

    def value(self, node: tree_sitter.Node) -> str:
        """An expression on one line, ``...`` where it is long."""
        if node.end_byte - node.start_byte > MAX_VALUE_CHARACTERS:
            return "..."
        return one_line(self.text(node))


def one_line(code: str) -> str:
    """Code without comments, its white space outside strings collapsed.

    Example:
        >>> one_line("function f(\\n  a: 'x  y', // first\\n): void;")
        "function f(a: 'x  y',): void"
    """
    if "/" in code or '"' in code or "'" in code or "`" in code:
        pieces: list[str] = []
        start = 0
        for match in _STRING_OR_COMMENT.finditer(code):
            _append(pieces, _collapsed(code[start : match.start()]))
            _append(pieces, match["string"] or " ")
            start = match.end()
        _append(pieces, _collapsed(code[start:]))
        code = "".join(pieces)
    elif "\n" in code or "  " in code or "\t" in code:
        code = _collapsed(code)
    return code.strip().rstrip(";{ ").rstrip()[:MAX_SIGNATURE_CHARACTERS]


def _append(pieces: list[str], piece: str) -> None:
    """Adds a piece; of two spaces that meet one stays."""
    if pieces and piece[:1] == " " and pieces[-1][-1:] in (" ", "(", "["):
        piece = piece[1:]
    if pieces and piece[:1] in (")", "]", ",", ";"):
        pieces[-1] = pieces[-1].rstrip()
    if piece:
        pieces.append(piece)


def _collapsed(code: str) -> str:
    return _EDGE.sub("", _SPACES.sub(" ", code))
