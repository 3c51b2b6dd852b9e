"""A README as plain text.

Here: Markdown to its words; other markups keep theirs. Not here: when a README stands for a package
(depcodex_assets.languages.go).

Spec: CommonMark 0.31, read by markdown-it-py. Kept: paragraphs, headings, list items. Left out: code blocks, HTML,
images (badges, mostly), tables, and the targets of links.
"""

from __future__ import annotations

from markdown_it import MarkdownIt

# The first screens say what a module is; the rest is a manual.
MAX_README_CHARACTERS = 6000
_MAX_INPUT_BYTES = 200_000
_SKIPPED = frozenset({"fence", "code_block", "html_block"})


def readme_text(content: bytes, path: str) -> str | None:
    """The words of a README; None where it is not UTF-8 or has none.

    Example:
        >>> readme_text(b"# Title\\n\\n![badge](x) See the [docs](https://example.com).", "README.md")
        'Title\\n\\nSee the docs.'
    """
    try:
        text = content[:_MAX_INPUT_BYTES].decode(
            "utf-8-sig", "strict" if len(content) <= _MAX_INPUT_BYTES else "ignore"
        )
    except UnicodeDecodeError:
        return None
    if not path.lower().endswith((".md", ".markdown")):
        return text[:MAX_README_CHARACTERS].strip() or None
    blocks: list[str] = []
    size = 0
    for token in MarkdownIt("commonmark").parse(text):
        if token.type in _SKIPPED or token.type != "inline":
            continue
        words = "".join(
            " " if each.type in ("softbreak", "hardbreak") else each.content
            for each in token.children or ()
            if each.type in ("text", "code_inline", "softbreak", "hardbreak")
        )
        words = " ".join(words.split())
        if words:
            blocks.append(words)
            size += len(words)
        if size > MAX_README_CHARACTERS:
            break
    return "\n\n".join(blocks)[:MAX_README_CHARACTERS].strip() or None
