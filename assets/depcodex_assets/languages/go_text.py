"""The text of Go code on one line.

Here: strings, comments and white space of Go source. Not here: trees (go_files), what a reader sees
(depcodex_assets.signatures_go).

Spec: The Go Programming Language Specification, "Lexical elements".
"""

from __future__ import annotations

import re

MAX_VALUE_CHARACTERS = 200
_VALUE_WINDOW_BYTES = 2000
STRING = r"\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|'(?:[^'\\\n]|\\.[^'\n]*)'"
_PIECE_PATTERN = re.compile(rf"(?P<string>{STRING})|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<space>\s+)", re.DOTALL)
_TOKEN_PATTERN = re.compile(rf"{STRING}|\w+|\s+|.", re.DOTALL)
# The old grammar knows no generic alias. An index never holds two names beside each other, so this is a parameter list;
# its `=` is blanked in what the grammar sees, texts are cut from the file as it is.
_GENERIC_ALIAS_PATTERN = re.compile(
    rb"^((?:type[ \t]+|[ \t]+)[^\W\d]\w*\[[ \t]*\w+(?:[ \t]*,[ \t]*\w+)*[ \t]+[^=\n\"`]*?\][ \t]*)=(?!=)", re.MULTILINE
)


def decode(content: bytes) -> bytes | None:
    """The file as UTF-8 with ``\\n`` line ends and no byte order mark; None where it is not UTF-8."""
    source = content.removeprefix(b"\xef\xbb\xbf")
    if not source.isascii():
        try:
            source.decode("utf-8")
        except UnicodeDecodeError:
            return None
    return source.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in source else source


def mended(source: bytes) -> bytes:
    """What the grammar is given: the same bytes at the same places, less what it does not know.

    It takes a file without a last line end for one that was cut off.

    Example:
        >>> mended(b"type Set[T comparable] = map[T]bool")
        b'type Set[T comparable]   map[T]bool\\n'
    """
    if not source.endswith(b"\n"):
        source += b"\n"
    if b"] =" not in source and b"]=" not in source:
        return source
    return _GENERIC_ALIAS_PATTERN.sub(rb"\1 ", source)


def one_line(code: str) -> str:
    """Code without comments, white space outside strings collapsed to single spaces.

    Example:
        >>> one_line("func F(\\n\\ta int, // the first\\n\\tb string,\\n) error")
        'func F(a int, b string) error'
    """
    if "\n" not in code and "/" not in code and "\t" not in code and "  " not in code:
        return code.strip()
    text = _PIECE_PATTERN.sub(lambda match: match["string"] or " ", code)
    text = _PIECE_PATTERN.sub(lambda match: match["string"] or " ", text).strip()
    return re.sub(rf"({STRING})|(?<=[(\[]) | ?,? (?=[)\]])", lambda match: match[1] or "", text)


def value_text(value: bytes) -> str:
    """An expression on one line, cut after ``MAX_VALUE_CHARACTERS`` between two tokens (never in a string)."""
    code = one_line(value[:_VALUE_WINDOW_BYTES].decode("utf-8", "ignore"))
    if len(code) <= MAX_VALUE_CHARACTERS and len(value) <= _VALUE_WINDOW_BYTES:
        return code
    size = 0
    for match in _TOKEN_PATTERN.finditer(code):
        # A quote that opens no whole string is one that the window cut.
        if match.end() > MAX_VALUE_CHARACTERS or match.group() in ('"', "'", "`"):
            break
        size = match.end()
    return f"{code[:size].rstrip()} ..."
