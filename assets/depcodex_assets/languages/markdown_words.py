"""Markdown in doc comments as plain words.

Here: links, code, emphasis, headings. Not here: what a convention adds to Markdown (javadoc, kdoc).

Spec: CommonMark 0.31. A Markdown parser builds a tree of each text, which for a library's every comment takes longer
than parsing its code; only what changes words is read here.
"""

from __future__ import annotations

import html
import re

from depcodex_assets.general_words import word_set

# What is no running text: code between fences, which stays, and comments, which go.
_APART = re.compile(
    r"^ {0,8}(`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?:^ {0,8}\1[`~]*[ \t]*$|\Z)|<!--(?:[^-]|-(?!->))*+(?:-->|\Z)",
    re.MULTILINE | re.DOTALL,
)
_INLINE = re.compile(
    r"(?<!`)(?:`(?P<code>[^`]{1,500})`|``(?P<codes>(?:[^`]|`(?!`)){1,500})``)(?!`)"
    r"|(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|!?\[(?P<words>(?:[^\[\]\\]|\\.|\[[^\[\]]{0,200}\]){0,500})\]"
    r"(?:\((?P<target>[^()\s]*(?:\([^()]*\)[^()\s]*)?(?:\s+[\"'][^\"'\n]*[\"'])?)\)|\[(?P<label>[^\[\]\n]{0,200})\])?"
    r"|<(?P<address>(?:https?|mailto|ftp):[^<>\s]*)>"
    r"|</?(?P<tag>table|thead|tbody|tr|td|th|p|br|b|i|em|strong|code|ul|ol|li|a|img|h[1-6]|div|span|pre|sub|sup|hr"
    r"|kbd|details|summary)(?:\s[^<>]{0,300})?/?>"
    r"|(?<![\w*_])(?P<strong>\*{1,3}|_{1,3})(?=[^\s*_])(?P<emphasised>[^*_\n]{1,300}?)(?<=[^\s*_])(?P=strong)(?![\w*_])"
)
_WITHIN_LINE = word_set(
    """
    a b i em strong code span sub sup kbd img
    """
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]*\S+.*$", re.MULTILINE)
_HTML_OR_CODE = re.compile(
    r"(^ {0,8}```.*?(?:^ {0,8}```|\Z)|`[^`\n]+`)|<!--(?:[^-]|-(?!->))*+(?:-->|\Z)"
    r"|</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]{0,500})?/?>",
    re.MULTILINE | re.DOTALL,
)
_SPECIAL = re.compile(r"[`\\\[<*_~#&]")


def markdown_text(text: str) -> str:
    """The words of a Markdown text: links and code keep theirs, targets, signs and HTML go.

    Example:
        >>> markdown_text("See [the docs](https://x.test), [List] and `a < b`, **now**.")
        'See the docs, List and a < b, now.'
    """
    if not _SPECIAL.search(text):
        return text
    pieces: list[str] = []
    position = 0
    if "```" in text or "~~~" in text or "<!--" in text:
        for match in _APART.finditer(text):
            pieces += (_inline_text(text[position : match.start()]), (match["code"] or "").rstrip("\n"))
            position = match.end()
    pieces.append(_inline_text(text[position:]))
    return "".join(pieces)


def _inline_text(text: str) -> str:
    if "#" in text:
        text = _HEADING.sub(r"\1", text)
    if "]:" in text:
        text = _DEFINITION.sub("", text)
    return _INLINE.sub(_words, text)


def _words(match: re.Match[str]) -> str:
    code = match["code"] or match["codes"]
    if code is not None:
        return code.strip()
    if match["entity"]:
        return html.unescape(match["entity"])
    if match["escaped"]:
        return match["escaped"]
    if match["words"] is not None:
        words = match["words"]
        if not words and match["target"] is None:
            return match[0]
        return _INLINE.sub(_words, words) if _SPECIAL.search(words) else words
    if match["emphasised"]:
        inner = match["emphasised"]
        return _INLINE.sub(_words, inner) if _SPECIAL.search(inner) else inner
    if match["tag"]:
        return "" if match["tag"] in _WITHIN_LINE else "\n" if match["tag"] not in ("td", "th") else " "
    return match["address"] or ""


def without_html(text: str) -> str:
    """A Markdown text without the HTML that people put around badges and images; code keeps its angle brackets."""
    if "<" not in text:
        return text
    return _HTML_OR_CODE.sub(lambda found: found[1] or "", text)
