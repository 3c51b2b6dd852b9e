"""JSDoc and TSDoc comments: their plain text, and what their tags say of a declaration.

Here: pure functions over one comment. Not here: which comment belongs to which declaration (typescript_statements),
READMEs (readme).

Specs: TSDoc (tsdoc.org), the JSDoc 3 tag dictionary, and the TypeScript compiler's reading of ``{@link}``. The words of
a link are kept and its target is dropped; code, in back quotes or fences, stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

# The star of a line and one space behind it; a Markdown list may open a line without a star.
_STAR_PATTERN = re.compile(r"\n[ \t]*\*(?!/) ?")
_LINE_END_PATTERN = re.compile(r"[ \t]++\n")
_FENCE_PATTERN = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)
_INLINE_PATTERN = re.compile(
    r"(?P<code>(`{1,3})(?!`).+?(?<!`)\2(?!`))"
    r"|\{@(?P<tag>link|linkcode|linkplain|see|tutorial)(?P<link>\s[^{}]*)?\}"
    r"|(?P<image>!\[[^\]\[]*\](?:\([^()\s]*(?:\s+\"[^\"]*\")?\)|\[[^\]\[]*\]))"
    r"|\[(?P<words>(?:[^\[\]]|\[[^\[\]]*\])+)\]\((?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+[\"'(][^\"')]*[\"')])?\)"
    r"|\[(?P<referred>[^\[\]\n]+)\]\[[^\[\]\n]*\]"
    r"|<(?P<address>(?:https?|ftp|mailto):[^<>\s]*)>"
    r"|(?P<html></?(?:a|abbr|b|blockquote|br|code|dd|del|div|dl|dt|em|h[1-6]|hr|i|img|ins|kbd|li|ol|p|pre|q|s|samp|small|span|strike"
    r"|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|var)(?:\s+[a-zA-Z-]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))?)*\s*/?>)"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<strong>\*\*|__)(?=\S)(?P<bold>[^*_\n]+?)(?<=\S)(?P=strong)",
    re.DOTALL,
)
_NEEDS_READING = re.compile(r"[\[<]|\{@|\*\*|__")
_TAG_PATTERN = re.compile(r"^[ \t]*@([a-zA-Z]\w*)", re.MULTILINE)
# A tag opens its line; an `@` further on is text, to the compiler as well.
_DEPRECATED_PATTERN = re.compile(r"^[ \t]*@deprecated\b", re.MULTILINE)
_SINCE_PATTERN = re.compile(
    r"^[ \t]*@(?:since|version-added|added)[ \t]+v?([0-9][\w.+-]{0,39})(?![\w.+-])", re.MULTILINE
)
_FILE_TAGS = frozenset({"packageDocumentation", "fileoverview", "fileOverview", "file", "overview", "module"})
_HIDDEN_TAGS = frozenset({"internal", "private", "hidden", "ignore"})


@dataclass(frozen=True, slots=True)
class DocComment:
    """One doc comment as it was read.

    Attributes:
        text: plain text with its block tags, one a line (``@param name words``); "" where only marks were in it.
        is_deprecated: has ``@deprecated``.
        since: the version of ``@since`` as packaging writes it; None without one.
    """

    text: str
    is_deprecated: bool
    since: str | None


def body_of(comment: str) -> str:
    """What stands in a comment, without its delimiters and the stars of its lines.

    Example:
        >>> body_of("/**\\n * Sends it.\\n *\\n *   - now\\n */")
        'Sends it.\\n\\n  - now'
    """
    inner = comment[3:-2] if comment.endswith("*/") else comment[3:]
    if "\n" not in inner:
        return inner.strip()
    inner = inner.replace("\r\n", "\n").replace("\r", "\n")
    text = _STAR_PATTERN.sub("\n", "\n" + inner if inner[0] == "*" else inner).strip()
    return _LINE_END_PATTERN.sub("\n", text) if " \n" in text or "\t\n" in text else text


def tags_of(comment: str) -> frozenset[str]:
    """The names of a comment's block and modifier tags."""
    return frozenset(_TAG_PATTERN.findall(body_of(comment))) if "@" in comment else frozenset()


def is_hidden(comment: str) -> bool:
    """Whether a comment says that its declaration is for nobody else: @internal, @private, @hidden, @ignore."""
    return "@" in comment and not _HIDDEN_TAGS.isdisjoint(tags_of(comment))


def is_of_file(comment: str) -> bool:
    """Whether a comment speaks of its file and not of the declaration below it."""
    return "@" in comment and not _FILE_TAGS.isdisjoint(tags_of(comment))


def read_comment(comment: str) -> DocComment:
    """A comment's plain text and marks.

    Example:
        >>> read_comment("/** Sends {@link Request|the request}. */").text
        'Sends the request.'
        >>> read_comment("/**\\n * Old.\\n * @since 1.2\\n * @deprecated use it no more\\n */").since
        '1.2'
    """
    body = body_of(comment)
    has_tags = "@" in body
    is_deprecated = has_tags and _DEPRECATED_PATTERN.search(body) is not None
    return DocComment(plain(body), is_deprecated, _since(body) if has_tags else None)


def _since(body: str) -> str | None:
    match = _SINCE_PATTERN.search(body)
    if match is None:
        return None
    try:
        # It is shown, so the part that could hold text goes: the local one (`1.0+any.words`).
        return Version(match[1].rstrip(".,;:")).public
    except InvalidVersion:
        return None


def plain(markdown: str) -> str:
    """Markdown as the plain text that a reader would hear: links' words, no targets, no tags of HTML, code as it is.

    Example:
        >>> plain("See [the **guide**](https://x.y/z) and `a[b](c)`.")
        'See the guide and `a[b](c)`.'
    """
    # A lone surrogate cannot stand in a column; bytes that are no UTF-8 were replaced before.
    if _NEEDS_READING.search(markdown) is None:
        return markdown.strip()
    if _FENCE_PATTERN.search(markdown) is None:
        return _inline(markdown).strip()
    pieces: list[str] = []
    waiting: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = line.lstrip()[:3]
        if not fence and mark in ("```", "~~~"):
            pieces += [_inline("\n".join(waiting))] if waiting else []
            waiting, fence = [line], mark
        elif fence and mark == fence:
            pieces.append("\n".join([*waiting, line]))
            waiting, fence = [], ""
        else:
            waiting.append(line)
    if waiting:
        pieces.append("\n".join(waiting) if fence else _inline("\n".join(waiting)))
    return "\n".join(pieces).strip()


def _inline(text: str) -> str:
    return _INLINE_PATTERN.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    if match["code"] is not None:
        return match["code"]
    if match["tag"] is not None:
        return _link_words((match["link"] or "").strip())
    if match["words"] is not None:
        return _inline(match["words"])
    if match["referred"] is not None:
        return match["referred"]
    if match["bold"] is not None:
        return match["bold"]
    return ""


def _link_words(link: str) -> str:
    """Of ``target|words`` and ``target words`` the words, of a name alone the name, of an address alone nothing."""
    target, bar, words = link.partition("|")
    if not bar:
        target, *rest = link.split(None, 1) or [""]
        words = rest[0] if rest else ""
    if words.strip():
        return words.strip()
    return "" if "://" in target else target.strip()
