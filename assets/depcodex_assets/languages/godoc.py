"""Go doc comments as plain text.

Here: from the comments above a declaration to its text, and the text's deprecation note. Not here: which comments are
a declaration's (go_files).

Spec: "Go Doc Comments" (go.dev/doc/comment) and go/ast CommentGroup.Text, as of Go 1.26. Words of headings, lists and
links stay; directives, link targets and the marks go.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# `//go:generate`, `//nolint:all`, `//export Name`, `//line a.go:1`: for tools, not for readers (go/ast isDirective).
_DIRECTIVE_PATTERN = re.compile(r"(?:line |extern |export |[a-z0-9]+:[a-z0-9])")
_DEPRECATED_PATTERN = re.compile(r"(?:\A|\n\n)Deprecated: ")
_TARGET_PATTERN = re.compile(r"^\[([^\[\]\n]+)\]:[ \t]+\S+[ \t]*$", re.MULTILINE)
_HEADING_PATTERN = re.compile(r"^#+[ \t]+(?=\S)")
# What stands in brackets and is a link: an exported name, `pkg.Name`, an import path.
_LINK_PATTERN = re.compile(
    r"(?<![\w\[\]`])\[(\*?(?:[A-Z]\w*(?:\.[A-Z]\w*)?|(?:[a-z][\w.~-]*/)*[a-z][\w~-]*\.[A-Z]\w*(?:\.[A-Z]\w*)?"
    r"|(?:[a-z][\w.~-]*/)+[\w.~-]+))\](?![\w(\[`])"
)
_LIST_PATTERN = re.compile(r"[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+\S")


def comment_text(comments: Sequence[str]) -> str:
    """The text of a group of comments as go/ast has it: no signs, no directives, no blank lines but single ones.

    Example:
        >>> comment_text(["// Get gets.", "//go:noinline", "//  code"])
        'Get gets.\\n code'
    """
    lines: list[str] = []
    for comment in comments:
        if comment.startswith("//"):
            body = comment[2:]
            if body.startswith(" "):
                lines.append(body[1:])
            elif not body or not _DIRECTIVE_PATTERN.match(body):
                lines.append(body)
        else:
            lines += comment[2:].removesuffix("*/").split("\n")
    kept: list[str] = []
    for line in lines:
        line = line.rstrip(" \t\r\n\v\f")
        if line or (kept and kept[-1]):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept)


def plain_text(text: str) -> str | None:
    """A comment's text without markup; None where nothing is left.

    Example:
        >>> plain_text("# Use\\n\\nSee [Client.Do] and [the spec].\\n\\n[the spec]: https://example.com/spec")
        'Use\\n\\nSee Client.Do and the spec.'
    """
    targets = set(_TARGET_PATTERN.findall(text)) if "]:" in text else set()
    if targets:
        text = _TARGET_PATTERN.sub("", text)
    blocks = re.split(r"\n(?:[ \t]*\n)+", text.strip("\n"))
    shown: list[str] = []
    for block in blocks:
        lines = block.split("\n")
        if not block.strip():
            continue
        if lines[0][:1] in (" ", "\t") and not _LIST_PATTERN.match(lines[0]):
            # Indented: code, which has no markup.
            shown.append("\n".join(lines))
            continue
        if len(lines) == 1:
            lines[0] = _HEADING_PATTERN.sub("", lines[0])
        shown.append("\n".join(_without_links(each, targets) for each in lines))
    return "\n\n".join(shown).strip("\n") or None


def is_deprecated_by(text: str | None) -> bool:
    """Whether a paragraph of a plain text begins with ``Deprecated:``.

    Example:
        >>> is_deprecated_by("Get gets.\\n\\nDeprecated: use Fetch."), is_deprecated_by("It is Deprecated: no.")
        (True, False)
    """
    return text is not None and _DEPRECATED_PATTERN.search(text) is not None


def _without_links(line: str, targets: set[str]) -> str:
    if "[" not in line:
        return line
    for target in targets:
        line = line.replace(f"[{target}]", target)
    return _LINK_PATTERN.sub(r"\1", line)
