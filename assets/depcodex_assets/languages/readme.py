"""A package's README as the plain text of its first part.

Here: Markdown to its words; other markups keep theirs. Not here: doc comments, when a README stands for a package (each
language's parser).

Spec: CommonMark, read by markdown-it-py. Images, badges, HTML and code blocks say nothing in words; of a link the words
stay. What a package is stands at the top, so a long README is read up to ``MAX_CHARACTERS``.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from depcodex_assets.languages.markdown_words import without_html

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_CHARACTERS = 4000
_MAX_INPUT_BYTES = 40_000
_MARKDOWN_ENDINGS = (".md", ".markdown", ".mkd", "readme")
_SPACES = re.compile(r"[ \t]{2,}")
_ENDINGS = re.compile(
    r"(?i)^(?:table of contents|contents|licen[sc]e|contributing|contributors|sponsors|backers|changelog)$"
)


def readme_text(content: bytes, path: str) -> str | None:
    """The words of a README's first part, paragraphs apart; None where it has none.

    Args:
        content: of the file; what is no UTF-8 in it is replaced.
        path: its name says whether it is Markdown; a name without an ending counts as such.

    Example:
        >>> readme_text(b"# x ![ok](b.svg)\\n\\nSends [mail](https://y.z).\\n\\n```sh\\nnpm i x\\n```\\n", "README.md")
        'x\\n\\nSends mail.'
    """
    text = content[:_MAX_INPUT_BYTES].decode("utf-8", "replace").replace("\x00", "\ufffd").removeprefix("\ufeff")
    if not path.lower().endswith(_MARKDOWN_ENDINGS):
        return text[:MAX_CHARACTERS].strip() or None
    blocks: list[str] = []
    size = 0
    is_left_out = False
    is_heading = False
    # Many READMEs centre their first words in HTML, which CommonMark would pass over whole.
    for token in _markdown().parse(without_html(text)):
        if token.type == "heading_open":
            is_heading = True
        elif token.type == "inline":
            words = _words(token)
            if is_heading:
                is_left_out = _ENDINGS.match(words) is not None
                is_heading = False
            if words and not is_left_out:
                blocks.append(words)
                size += len(words)
        if size > MAX_CHARACTERS:
            break
    joined = "\n\n".join(blocks)
    if len(joined) > MAX_CHARACTERS:
        joined = joined[:MAX_CHARACTERS].rpartition(" ")[0] or joined[:MAX_CHARACTERS]
    return joined or None


@functools.cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable("table")


def _words(token: Token) -> str:
    pieces: list[str] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            pieces.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
    return _SPACES.sub(" ", "".join(pieces)).strip()
