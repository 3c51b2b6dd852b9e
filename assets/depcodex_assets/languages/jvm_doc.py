"""A doc comment of the JVM's languages, read.

Here: the shape, taking the signs of a comment away. Not here: what its markup means (javadoc, kdoc).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

# Stands where the overridden member's own text belongs; no text of a library holds it, for NUL makes a file no text.
INHERITED = "\0"
_MARGIN = re.compile(r"^[ \t]*\*+(?!/) ?", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Doc:
    """A doc comment, read.

    Attributes:
        text: plain text, block tags as lines of their own; holds ``INHERITED`` where another's text belongs; None when
            nothing is left.
        since: a version, where a tag gives one.
        is_deprecated: a tag says so.
        is_hidden: a tag takes it out of the documentation.
        parameters: what is said of each parameter or property, by name.
    """

    text: str | None
    since: str | None = None
    is_deprecated: bool = False
    is_hidden: bool = False
    parameters: Mapping[str, str] = field(default_factory=dict)


def stripped(comment: str) -> str:
    """A block comment without its signs and the stars of its margin."""
    body = comment.removeprefix("/**").removesuffix("*/")
    if "\n" not in body:
        return body.strip("* \t") if body.endswith("*") else body
    first, _, rest = body.partition("\n")
    return f"{first}\n{_MARGIN.sub('', rest)}"


def dedent(body: str) -> str:
    """Lines without the margin that all but the first share."""
    lines = body.expandtabs(4).split("\n")
    margin = min((len(each) - len(each.lstrip(" ")) for each in lines[1:] if each.strip()), default=0)
    return "\n".join([lines[0].strip(), *(each[margin:].rstrip() for each in lines[1:])]).strip("\n")


def tidied(text: str) -> str | None:
    """Lines without trailing space, never two blank ones in a row; None when nothing is left."""
    if "\n" not in text:
        return text.strip() or None
    return _BLANK_LINES.sub("\n\n", _TRAILING.sub("", text)).strip() or None
