"""Doc comments of Rust put together as rustdoc does: the Markdown of one item.

Here: ``///``, ``//!``, ``/** */``, ``#[doc = …]`` in a row, and their common indentation. Not here: Markdown
(rustdoc_markdown).

Spec: the Rust reference, "Comments: doc comments"; rustdoc's ``unindent_doc_fragments`` for the indentation, which
counts one more column for an attribute where comments stand beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class DocPiece(NamedTuple):
    """One comment or attribute.

    Attributes:
        text: without the comment's own signs.
        is_comment: written as a comment.
    """

    text: str
    is_comment: bool


def comment_piece(text: str, *, is_inner: bool) -> DocPiece | None:
    """The piece that a comment makes; None where it is no doc comment of that kind.

    Example:
        >>> comment_piece("/// Opens.", is_inner=False), comment_piece("//// ruler", is_inner=False)
        (DocPiece(text=' Opens.', is_comment=True), None)
    """
    line, block = ("//!", "/*!") if is_inner else ("///", "/**")
    if text.startswith(line):
        if not is_inner and text.startswith("////"):
            return None
        return DocPiece(text[3:].rstrip("\r\n"), is_comment=True)
    if text.startswith(block) and text.endswith("*/") and len(text) >= 5:
        if not is_inner and (text.startswith("/***") or text == "/**/"):
            return None
        return DocPiece(_block_text(text[3:-2]), is_comment=True)
    return None


def _block_text(text: str) -> str:
    """A block's lines without the column of stars and the rulers at its ends."""
    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > 1 and not lines[0].strip("* "):
        del lines[0]
    if len(lines) > 1 and not lines[-1].strip("* "):
        del lines[-1]
    stars = [line.lstrip() for line in lines[1:] if line.strip()]
    if stars and all(each.startswith("*") for each in stars):
        first = lines[0].lstrip()
        head = first[1:] if first.startswith("*") else lines[0]
        return "\n".join([head, *(line.lstrip()[1:] for line in lines[1:])])
    return "\n".join(lines)


def joined(pieces: Sequence[DocPiece]) -> str | None:
    """The Markdown of an item; None where nothing is left.

    Example:
        >>> joined([DocPiece(" Opens.", True), DocPiece("", True), DocPiece("   code", True)])
        'Opens.\\n\\n  code'
    """
    if not pieces:
        return None
    kinds = {each.is_comment for each in pieces}
    extra = 1 if len(kinds) == 2 else 0
    lines = [(line, each.is_comment) for each in pieces for line in each.text.expandtabs(4).split("\n")]
    widths = [
        len(line) - len(line.lstrip(" ")) + (0 if is_comment else extra) for line, is_comment in lines if line.strip()
    ]
    if not widths:
        return None
    width = min(widths)
    kept = [line[max(0, width if is_comment else width - extra) :].rstrip() for line, is_comment in lines]
    return "\n".join(kept).strip("\n") or None
