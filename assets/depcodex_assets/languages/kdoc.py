"""KDoc comments as plain text, and what their tags say.

Here: KDoc's tags. Not here: Markdown (markdown_words), where a comment stands (jvm_source).

Spec: "Document Kotlin code: KDoc" (the Kotlin documentation).
"""

from __future__ import annotations

import re

from depcodex_assets.languages.jvm_doc import Doc, dedent, stripped, tidied
from depcodex_assets.languages.jvm_marks import version
from depcodex_assets.languages.markdown_words import markdown_text

_BLOCK_TAG = re.compile(
    r"^[ \t]*@(param|property|returns?|receiver|constructor|throws|exception|sample|see|author|since|suppress"
    r"|deprecated)\b"
    r"[ \t]*",
    re.MULTILINE,
)
_FENCE = re.compile(r"^ {0,8}(?:```|~~~)", re.MULTILINE)
_SUBJECT = re.compile(r"\[?([\w.<>?$]+)\]?\s*(?:-\s+)?")
_WITH_SUBJECT = ("param", "property", "throws", "exception", "sample", "see")


def read_kdoc(comment: str) -> Doc:
    """A comment with its signs, ``/** … */``.

    ``@sample`` names code that lies elsewhere and goes; ``@property`` and ``@param`` are kept with the class and also
    by name, for the properties that its constructor declares.

    Example:
        >>> doc = read_kdoc("/** Opens [path], see [the docs](https://x.test).\\n * @since 1.3\\n */")
        >>> doc.text, doc.since
        ('Opens path, see the docs.\\n@since 1.3', '1.3')
    """
    body = dedent(stripped(comment))
    if "@" not in body:
        return Doc(tidied(markdown_text(body)))
    since, is_deprecated, is_hidden = None, False, False
    parameters: dict[str, str] = {}
    pieces: list[str] = []
    for name, content in _blocks(body):
        text = tidied(markdown_text(content)) or ""
        if not name:
            pieces.append(text)
            continue
        if name == "suppress":
            is_hidden = True
            continue
        if name == "sample":
            continue
        if name == "since" and since is None:
            since = version(text)
        elif name == "deprecated":
            is_deprecated = True
        if name in _WITH_SUBJECT:
            subject = _SUBJECT.match(text)
            if subject and name in ("param", "property"):
                said = text[subject.end() :].strip()
                if said and (name == "property" or subject[1] not in parameters):
                    parameters[subject[1]] = said
        pieces.append(f"@{name} {text}".rstrip())
    return Doc("\n".join(each for each in pieces if each).strip() or None, since, is_deprecated, is_hidden, parameters)


def _blocks(body: str) -> list[tuple[str, str]]:
    """The description, then each tag with what follows it; fenced code holds none."""
    fences = [match.start() for match in _FENCE.finditer(body)]
    blocks: list[tuple[str, str]] = []
    name, start = "", 0
    for match in _BLOCK_TAG.finditer(body):
        if sum(each < match.start() for each in fences) % 2:
            continue
        blocks.append((name, body[start : match.start()]))
        name, start = match[1], match.end()
    blocks.append((name, body[start:]))
    return blocks
