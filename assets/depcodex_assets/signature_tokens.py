"""The tokens of a signature as it was written.

Here: cutting a text into tokens, for Python and for the languages with braces. Not here: what a reader may see of them
(depcodex_assets.public_signatures).
"""

from __future__ import annotations

import re

_MAX_IDENTIFIER_CHARACTERS = 80
# Spaces belong to the token behind them. A name before a quote may be the string's prefix: it is tried last.
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<name>[^\W\d]\w*(?![\w"'`]))
    | (?P<number>(?:0[xXoObB][0-9a-fA-F_]+|(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][+-]?\d+)?\.?)[jJ]?)
    | (?P<comment>\#[^\n]*)
    | (?P<operator>\.\.\.|->|\*\*|//|<<|>>|[<>=!:]=|[-+*/%@&|^~<>=.,:;(){}\[\]!?$\\])
    | (?P<string>(?:[rRbBuUfFtT]{0,3})
        (?:\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    | (?P<quoted_name>[^\W\d]\w*)
    )""",
    re.VERBOSE | re.DOTALL,
)
# The other languages' comments and strings; a Python comment sign means something else there.
_TOKEN_BRACES = re.compile(
    _TOKEN.pattern.replace(r"\#[^\n]*", r"//[^\n]*|/\*.*?\*/").replace("|'(?:", "|`[^`]*`|'(?:"), re.VERBOSE | re.DOTALL
)
PYTHON = frozenset({"python", "python-stub"})

Token = tuple[str, str]


class UnreadableError(ValueError):
    """The text is not a signature; what reads signatures catches it."""


def tokens_of(text: str, language: str) -> list[Token]:
    """Tokens as (kind, text), without spaces and comments; kinds: name, number, string, operator.

    Raises:
        UnreadableError: something is no token of the language, or a name has more than 80 characters.

    >>> tokens_of("def f(a=1)  # note", "python")[2:5]
    [('operator', '('), ('name', 'a'), ('operator', '=')]
    """
    pattern = _TOKEN if language in PYTHON else _TOKEN_BRACES
    found: list[Token] = []
    position = 0
    for match in pattern.finditer(text):
        if match.start() != position:
            raise UnreadableError
        position = match.end()
        kind = match.lastgroup or ""
        value = match[kind]
        if kind == "comment" or value == "\\":
            continue
        if kind == "quoted_name":
            kind = "name"
        if kind == "name" and len(value) > _MAX_IDENTIFIER_CHARACTERS:
            raise UnreadableError
        found.append((kind, value))
    if position != len(text):
        raise UnreadableError
    return found
