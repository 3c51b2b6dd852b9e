"""The tokens of Rust as it is written: for attributes, for signatures on one line, for what a reader may see of them.

Here: cutting a text into tokens, and values of string literals. Not here: items (depcodex_assets.languages), what is
public of a signature (depcodex_assets.signatures_rust).

Spec: the Rust reference, "Lexical structure". Generic brackets are cut one by one (``>>`` is two tokens).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN_PATTERN = re.compile(
    r"""
    (?P<space>\s+)
    | (?P<comment>//[^\n]*)
    | (?P<block>/\*)
    | (?P<string>[bc]?"(?:[^"\\]|\\.)*+")
    | (?P<char>b?'(?:\\(?:u\{[0-9A-Fa-f_]{0,8}\}|x[0-9A-Fa-f]{2}|.)|[^\\'\n])')
    | (?P<lifetime>'(?:r\#)?[^\W\d]\w*)
    | (?P<number>\d\w*(?:\.\d\w*)?(?:(?<=[eE])[+-]\d+)?)
    | (?P<name>(?:r\#)?[^\W\d]\w*)
    | (?P<operator>->|=>|::|\.\.\.|\.\.=|\.\.|&&|\|\||==|!=|<=|>=|[-+*/%^!&|=<>@.,;:\#$?~(){}\[\]\\])
    """,
    re.VERBOSE | re.DOTALL,
)
_RAW_PATTERN = re.compile(r'(?:b|c)?r(?P<hashes>#*)"(?P<body>.*?)"(?P=hashes)', re.DOTALL)
_BLOCK_EDGE_PATTERN = re.compile(r"/\*|\*/")
_ESCAPE_PATTERN = re.compile(r"\\(?:u\{([0-9A-Fa-f_]+)\}|x([0-9A-Fa-f]{2})|(\r?\n\s*)|(.))", re.DOTALL)
# What would have to be folded: lines, tabs, several spaces, comments, spaces at a bracket.
_FOLDED_PATTERN = re.compile(r"[^\S ]|  |//|/\*|[(\[] | [)\],;]|^ | $|,[)\]]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


class RustTokenError(ValueError):
    """The text has something that is no token of Rust, or a string or comment that does not end."""


class RustToken(NamedTuple):
    """One token.

    Attributes:
        kind: space, comment, string, char, lifetime, number, name or operator.
        text: as written.
    """

    kind: str
    text: str


def rust_tokens(text: str) -> list[RustToken]:
    """The tokens of a text, spaces and comments among them.

    Raises:
        RustTokenError: something is no token.

    Example:
        >>> [each.text for each in rust_tokens("fn f<'a>(x: &'a str)") if each.kind != "space"]
        ['fn', 'f', '<', "'a", '>', '(', 'x', ':', '&', "'a", 'str', ')']
    """
    return list(tokens_from(text, 0))


def tokens_from(text: str, position: int) -> Iterator[RustToken]:
    """The tokens of a text from a position on, one after the other.

    Raises:
        RustTokenError: something is no token; raised when it is come to.
    """
    while position < len(text):
        raw = _RAW_PATTERN.match(text, position) if text[position] in "rbc" else None
        if raw is not None:
            yield RustToken("string", raw[0])
            position = raw.end()
            continue
        match = _TOKEN_PATTERN.match(text, position)
        if match is None:
            raise RustTokenError
        kind = match.lastgroup or ""
        end = match.end()
        if kind == "block":
            kind, end = "comment", _block_end(text, position)
        yield RustToken(kind, text[position:end])
        position = end


def _block_end(text: str, start: int) -> int:
    """The end of a block comment; they nest."""
    depth = 0
    for edge in _BLOCK_EDGE_PATTERN.finditer(text, start):
        depth += 1 if edge[0] == "/*" else -1
        if not depth:
            return edge.end()
    raise RustTokenError


def string_value(literal: str) -> str | None:
    """The value of a string literal, raw or not; None for byte strings and what is no literal.

    Example:
        >>> string_value('r#"a"b"#'), string_value(r'"a\\nb"'), string_value('b"x"')
        ('a"b', 'a\\nb', None)
    """
    raw = _RAW_PATTERN.fullmatch(literal)
    if raw is not None:
        return None if literal.startswith(("b", "c")) else raw["body"]
    if len(literal) < 2 or not (literal.startswith('"') and literal.endswith('"')):
        return None
    return _ESCAPE_PATTERN.sub(_unescaped, literal[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        number = int(code.replace("_", "") or "0", 16)
        # A surrogate or a number beyond Unicode is no character: no UTF-8 column could hold it.
        return chr(number) if number < 0xD800 or 0xE000 <= number <= 0x10FFFF else "\ufffd"
    if match[3]:
        return ""
    return _ESCAPES.get(match[4], match[4])


def one_line(text: str) -> str:
    """A piece of code on one line: comments away, white space folded; as it is where it cannot be cut into tokens.

    Example:
        >>> one_line("fn f(\\n    a: u8, // first\\n    b: u8,\\n)")
        'fn f(a: u8, b: u8)'
    """
    if not _FOLDED_PATTERN.search(text):
        return text
    try:
        tokens = rust_tokens(text)
    except RustTokenError:
        return " ".join(text.split())
    pieces: list[str] = []
    is_apart = False
    for kind, value in tokens:
        if kind in ("space", "comment"):
            is_apart = True
            continue
        if value in (")", "]") and pieces[-1:] == [","] and pieces[-2:-1] not in (["("], ["["]):
            # The comma behind the last of several lines; `$(,)?` of a macro stays.
            pieces.pop()
            is_apart = False
        if is_apart and pieces and pieces[-1] not in ("(", "[") and value not in (")", "]", ",", ";"):
            pieces.append(" ")
        pieces.append(value)
        is_apart = False
    return "".join(pieces)
