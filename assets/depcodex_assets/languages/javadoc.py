"""Javadoc comments as plain text, and what their tags say.

Here: the standard doclet's tags, HTML and ``///`` Markdown to text. Not here: where a comment stands (jvm_source), what
its words are worth.

Specs: "Documentation Comment Specification for the Standard Doclet" (JDK 17 and 23), JEP 467 (Markdown comments).
"""

from __future__ import annotations

import html
import re

from depcodex_assets.general_words import word_set
from depcodex_assets.languages.jvm_doc import INHERITED, Doc, dedent, stripped, tidied
from depcodex_assets.languages.jvm_marks import version
from depcodex_assets.languages.markdown_words import markdown_text

_SLASHES = re.compile(r"^[ \t]*///+ ?", re.MULTILINE)
_INLINE = re.compile(r"\{@([a-zA-Z]+)(?=[\s}])")
_BLOCK_TAG = re.compile(r"^[ \t]*@([a-zA-Z][\w.]*)", re.MULTILINE)
_MARKUP = re.compile(r"<!--(?:[^-]|-(?!->))*+(?:-->|\Z)|</?([a-zA-Z][a-zA-Z0-9]*)(?:\s[^<>]{0,2000}|/)?>|&#?\w{1,31};")
_PRE = re.compile(r"<pre\b[^<>]{0,200}>(.*?)(?:</pre\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_BREAKS = word_set(
    """
    p br div ul ol dl dt dd pre table tr h1 h2 h3 h4 h5 h6 blockquote hr section caption thead tbody
    """
)
_TYPE_PARAMETER = re.compile(r"\A\s*<(\w{1,40})>")
_KEPT = re.compile("\1([0-9]+)\1")
_REFERENCE = re.compile(r"\s*(?:[\w.$/]*#)?[\w.$/<>\[\]?]*(?:\([^()]{0,500}\))?")


def read_javadoc(comment: str) -> Doc:
    """A comment with its signs, ``/** … */`` or lines of ``///``.

    Example:
        >>> read_javadoc("/** Gets {@code x < y} of <b>all</b>.\\n * @since 1.2 */").text
        'Gets x < y of all.\\n@since 1.2'
    """
    is_markdown = comment.startswith("///")
    body = dedent(_SLASHES.sub("", comment)) if is_markdown else dedent(stripped(comment))
    since, is_deprecated, is_hidden = None, False, False
    parameters: dict[str, str] = {}
    if "@" not in body and "<" not in body and "&" not in body:
        return Doc(_plain_markdown(body) if is_markdown else tidied(body))
    pieces: list[str] = []
    for name, content in _blocks(body):
        if name == "param":
            # A type parameter is written as HTML would be: `<T>`.
            content = _TYPE_PARAMETER.sub(r"&lt;\1&gt;", content, count=1)
        text = tidied(_text(content, is_markdown=is_markdown)) or ""
        if not name:
            pieces.append(text)
            continue
        if name == "since" and since is None:
            since = version(text)
        elif name == "deprecated":
            is_deprecated = True
        elif name == "hidden":
            is_hidden = True
        elif name == "param":
            parameter, _, said = text.partition(" ")
            parameters.setdefault(parameter, said.strip())
        if name != "hidden":
            pieces.append(f"@{name} {text}".rstrip())
    return Doc("\n".join(each for each in pieces if each).strip() or None, since, is_deprecated, is_hidden, parameters)


def _blocks(body: str) -> list[tuple[str, str]]:
    """The description, then each block tag with what follows it; an ``@`` inside braces or code opens none."""
    blocks: list[tuple[str, str]] = []
    name, start = "", 0
    depth_end = 0
    for match in _BLOCK_TAG.finditer(body):
        if match.start() < depth_end:
            continue
        opened = body.rfind("{@", start, match.start())
        if opened >= 0:
            depth_end = _closing(body, opened)
            if depth_end > match.start():
                continue
        blocks.append((name, body[start : match.start()]))
        name, start = match[1], match.end()
    blocks.append((name, body[start:]))
    return blocks


def _closing(text: str, opened: int) -> int:
    """The offset behind the brace that closes the one at ``opened``; the end of the text where none does."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opened):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.end()
    return len(text)


def _text(content: str, *, is_markdown: bool) -> str:
    if "{@" not in content:
        return markdown_text(content) if is_markdown else _html_text(content)
    if "\1" in content:
        content = content.replace("\1", " ")
    pieces: list[str] = []
    position = 0
    # What an inline tag holds literally is put aside, so that its `<` opens no HTML.
    kept: list[str] = []
    while True:
        match = _INLINE.search(content, position)
        if match is None:
            break
        end = _closing(content, match.start())
        pieces.append(content[position : match.start()])
        inner = content[match.end() : end - 1] if content[end - 1 : end] == "}" else content[match.end() : end]
        kept.append(_inline(match[1], inner))
        pieces.append(f"\1{len(kept) - 1}\1")
        position = end
    pieces.append(content[position:])
    joined = "".join(pieces)
    text = markdown_text(joined) if is_markdown else _html_text(joined)
    return _KEPT.sub(lambda found: kept[int(found[1])], text)


def _inline(name: str, inner: str) -> str:
    inner = inner.strip("\n").strip() if name not in ("code", "snippet") else inner.strip("\n")
    if name in ("code", "literal"):
        return inner.strip()
    if name in ("link", "linkplain"):
        reference = _REFERENCE.match(inner)
        label = inner[reference.end() :].strip() if reference else ""
        # A label may hold markup and tags of its own; tags in tags stay words.
        return _html_text(label) if label else _reference(inner)
    if name == "inheritDoc":
        return INHERITED
    if name in ("value", "docRoot", "index", "systemProperty", "summary", "return"):
        if name == "docRoot":
            return ""
        if name == "return":
            return f"Returns {inner}."
        return _reference(inner) if name == "value" else _html_text(inner)
    if name == "snippet":
        return inner.partition(":")[2].strip("\n") if ":" in inner else ""
    return _html_text(inner)


def _reference(inner: str) -> str:
    """``java.util.List#of(Object)`` as the standard doclet shows it: ``List.of(Object)``."""
    text = " ".join(inner.split())
    head, sign, member = text.partition("#")
    head = head.rpartition("/")[2]
    arguments = ""
    if not sign:
        head, opened, rest = head.partition("(")
        arguments = f"{opened}{rest}"
    words = head.split(".")
    # Packages are lower case: what is shown begins at the first type.
    first = next((index for index, word in enumerate(words) if word[:1].isupper()), 0)
    head = ".".join(words[first:]) + arguments
    return f"{head}.{member}" if head and member else head or member


def _html_text(content: str) -> str:
    if "<" not in content and "&" not in content:
        return content
    if "<pre" in content or "<PRE" in content:
        content = _PRE.sub(lambda found: f"\n\n{found[1].strip(chr(10))}\n\n", content)
    return _MARKUP.sub(_markup, content)


def _markup(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == "&":
        return html.unescape(found)
    tag = (match[1] or "").lower()
    if tag == "li":
        return "" if found[1] == "/" else "\n- "
    if tag in ("td", "th"):
        return " "
    if tag == "p" and found[1] != "/":
        return "\n\n"
    return "\n" if tag in _BREAKS else ""


def _plain_markdown(body: str) -> str | None:
    return tidied(markdown_text(body))
