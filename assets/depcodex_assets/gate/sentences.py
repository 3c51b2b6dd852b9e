"""Where the sentences of a documentation text begin and end.

Here: splitting with offsets. Not here: what a sentence says.

Documentation is no newspaper prose: a list item, a field (``:param x:``, ``@return``), a heading and a paragraph end a
sentence as well as a full stop does, and a line that simply wraps does not. A sentence with no end in sight is cut into
pieces that overlap, so that nothing is diluted by what stands around it.
"""

# ruff: noqa: RUF001 - the words are data

from __future__ import annotations

import re

# Sentence ends; blank lines; line breaks before what opens an item, a field, a tag or a quoted line.
_BOUNDARY_PATTERN = re.compile(
    r"""[.!?]+["'`)\]*_]*(?=\s)\s+|[。！？]+|\n[ \t]*\n\s*"""
    r"""|\n[ \t]*(?=[-*+•>@:#|<{}$"'\[]|\d{1,2}[.)]\s|[\w ]{1,24}:\s)"""
)
# Longer pieces are cut; about 45 words of English.
MAX_CHARACTERS = 280
_OVERLAP_CHARACTERS = 140
_MIN_CHARACTERS = 2


def split(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence in ``text``, in order; pieces of an overlong one overlap by half.

    Text without a letter or digit makes no sentence. An empty text has none.

    Example:
        >>> text = "Sends a request. Returns\\nthe reply.\\n\\n:param url: where to."
        >>> [text[start:end] for start, end in split(text)]
        ['Sends a request.', 'Returns\\nthe reply.', ':param url: where to.']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _BOUNDARY_PATTERN.finditer(text):
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if len(stripped) < _MIN_CHARACTERS:
        return
    start += len(piece) - len(piece.lstrip())
    end = start + len(stripped)
    if end - start <= MAX_CHARACTERS:
        spans.append((start, end))
        return
    while True:
        stop = end if end - start <= MAX_CHARACTERS else _gap_before(text, start + MAX_CHARACTERS, start)
        spans.append((start, stop))
        if stop == end:
            return
        start = _gap_before(text, start + _OVERLAP_CHARACTERS, start)


def _gap_before(text: str, position: int, floor: int) -> int:
    """The last white space before ``position`` in its half of the piece, else ``position`` itself."""
    gap = max(text.rfind(" ", floor + 1, position), text.rfind("\n", floor + 1, position))
    return gap + 1 if gap - floor > _OVERLAP_CHARACTERS // 2 else position
