"""The text inside a Python file: its encoding, literals, docstrings, and one-line forms of code.

Here: pure functions over bytes and strings. Not here: walking a tree (python_modules).

Specs: PEP 263 (source encodings), PEP 257 (docstring indentation), the language reference's lexical analysis.
"""

from __future__ import annotations

import ast
import codecs
import re
import warnings

from packaging.version import InvalidVersion, Version

MAX_VALUE_CHARACTERS = 200
# Reading more of a long value than can be shown costs time only (a table of 100 KB is nothing rare).
_VALUE_WINDOW_BYTES = 2000

# PEP 263: in the first or second line, alone in its comment or not.
_COOKIE_PATTERN = re.compile(rb"\A(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
# The old grammar knows no trailing comma in a subscript (`Annotated[int, Doc("…"),]`). A comma before a closing bracket
# decides nothing about names, so it is blanked in what the grammar sees; texts are cut from the file as it is.
_TRAILING_COMMA_PATTERN = re.compile(rb",(?=\s*+(?:#[^\n]*+\n\s*+){0,9}+\])")
_STRING = (
    r"[rRbBuUfFtT]{0,2}+(?:\"\"\"(?:[^\\\"]|\\.|\"(?!\"\"))*+\"\"\"|'''(?:[^\\']|\\.|'(?!''))*+'''"
    r"|\"(?:[^\\\"\n]|\\.)*+\"|'(?:[^\\'\n]|\\.)*+')"
)
_TOKEN_PATTERN = re.compile(rf"(?P<string>{_STRING})|(?P<space>[ ]+)|(?P<code>\w+|.)", re.DOTALL)
_STRING_OR_COMMENT_PATTERN = re.compile(rf"(?P<string>{_STRING})|\#[^\n]*", re.DOTALL)
_STRING_OR_SPACE_PATTERN = re.compile(
    rf"(?P<string>{_STRING})|(?P<edge>(?<=[(\[{{])(?:\s|\\\n)++|(?:\s|\\\n)++(?=[)\]}},]))|(?:\s|\\\n){{2,}}|[\n\t\f]",
    re.DOTALL,
)
_EDGE_PATTERN = re.compile(r"(?<=[(\[{]) | (?=[)\]},])")
_INDENT_PATTERN = re.compile(r"\n( *)(?=[^ \n])")
_LINE_END_PATTERN = re.compile(r"(?<![ \f\v])[ \f\v]++(?=\n)")
_LITERAL_PATTERN = re.compile(r"([rRbBuUfFtT]{0,2})(\"\"\"|'''|\"|')", re.DOTALL)
_DEPRECATED_PATTERN = re.compile(
    r"^(?:\.\. deprecated::|:deprecated:|\**Deprecated since version\b|Deprecated since )", re.MULTILINE
)
_SINCE_PATTERN = re.compile(r"^\.\. versionadded:: {0,9}v?([0-9]\S{0,39})(?!\S)", re.MULTILINE)


def decode(content: bytes) -> bytes | None:
    """The file as UTF-8 with ``\\n`` line ends and no byte order mark; None where it is not in the encoding it names.

    Example:
        >>> decode("# coding: latin-1\\nx = 'é'".encode("latin-1")).decode()
        "# coding: latin-1\\nx = 'é'"
    """
    has_mark = content.startswith(codecs.BOM_UTF8)
    source = content[3:] if has_mark else content
    cookie = _COOKIE_PATTERN.match(source[:400]) if b"coding" in source[:400] else None
    encoding = cookie.group(1).decode("ascii", "replace").lower().replace("_", "-") if cookie else "utf-8"
    try:
        if encoding in ("utf-8", "utf8", "ascii") or encoding.startswith("utf-8-"):
            if not source.isascii():
                source.decode("utf-8")
        elif has_mark:
            return None
        else:
            source = source.decode(encoding).encode("utf-8")
    except (UnicodeError, LookupError):
        return None
    if b"\r" in source:
        source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return source


def mended(source: bytes) -> bytes:
    """What the grammar is given: the same bytes at the same places, less the commas it does not know.

    Example:
        >>> mended(b"x: Annotated[int, 1,]")
        b'x: Annotated[int, 1 ]'
    """
    return _TRAILING_COMMA_PATTERN.sub(b" ", source)


def string_value(literal: str) -> str | None:
    """The value of one string literal or several in a row; None for bytes, f-strings and what is no literal.

    Example:
        >>> string_value(r"'a\\tb' r'\\d'")
        'a\\tb\\\\d'
    """
    opening = _LITERAL_PATTERN.match(literal)
    if opening is None:
        return None
    prefix, quote = opening.group(1).lower(), opening.group(2)
    if "b" in prefix or "f" in prefix or "t" in prefix:
        return None
    body = literal[opening.end() : -len(quote)]
    is_single = quote not in body and len(literal) >= opening.end() + len(quote) and literal.endswith(quote)
    if is_single and (len(quote) == 3 or "\n" not in body) and ("\\" not in body or "r" in prefix):
        return body
    try:
        # Escapes that Python does not know are warnings of their author's, not of ours.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(f"({literal})")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    if not isinstance(value, str):
        return None
    # `\ud800` is a lone surrogate, which no UTF-8 column can hold.
    return value.encode("utf-8", "replace").decode("utf-8")


def clean_doc(text: str) -> str | None:
    """A docstring as PEP 257 and ``inspect.cleandoc`` read it; None when nothing is left.

    Example:
        >>> clean_doc("One.\\n\\n    Two.\\n      Three.\\n    ")
        'One.\\n\\nTwo.\\n  Three.'
    """
    if "\t" in text:
        text = text.expandtabs()
    if "\n" not in text:
        return text.strip() or None
    if " \n" in text:
        text = _LINE_END_PATTERN.sub("", text)
    margin = min(map(len, _INDENT_PATTERN.findall(text)), default=0)
    if margin:
        text = text.replace("\n" + " " * margin, "\n")
    return text.lstrip(" ").strip("\n").rstrip() or None


def one_line(code: str) -> str:
    """Code without comments, its white space outside strings collapsed to single spaces.

    Example:
        >>> one_line("def f(\\n    a,  # first\\n    b='x  y',\\n) -> int")
        "def f(a, b='x  y',) -> int"
    """
    if "\n" not in code and "#" not in code and "  " not in code and "\t" not in code:
        return code.strip()
    if '"' not in code and "'" not in code and "#" not in code and "\\" not in code:
        return _EDGE_PATTERN.sub("", " ".join(code.split()))
    if "#" in code:
        code = _STRING_OR_COMMENT_PATTERN.sub(_kept_string, code)
    return _STRING_OR_SPACE_PATTERN.sub(_kept_string_or_space, code).strip()


def value_text(value: bytes) -> str:
    """The one-line form of an expression, cut after ``MAX_VALUE_CHARACTERS`` between two tokens (never in a string)."""
    code = one_line(value[:_VALUE_WINDOW_BYTES].decode("utf-8", "ignore"))
    if len(code) <= MAX_VALUE_CHARACTERS and len(value) <= _VALUE_WINDOW_BYTES:
        return code
    size = 0
    for match in _TOKEN_PATTERN.finditer(code):
        # A quote that opens no whole string is one that the window cut.
        if match.end() > MAX_VALUE_CHARACTERS or match.group() in ('"', "'"):
            break
        size = match.end()
    return f"{code[:size].rstrip()} ..."


def _kept_string(match: re.Match[str]) -> str:
    return match.group("string") or ""


def _kept_string_or_space(match: re.Match[str]) -> str:
    return match.group("string") or ("" if match.group("edge") else " ")


def is_deprecated_by(doc: str) -> bool:
    """Whether a cleaned doc says of its own object (not of a parameter, which is indented) that it is deprecated."""
    return "eprecated" in doc and _DEPRECATED_PATTERN.search(doc) is not None


def since_of(doc: str) -> str | None:
    """The version in the doc's own ``versionadded`` directive, as packaging writes it; None without one.

    It is shown, so the part that could hold text goes: the local one (`1.0+any.words`).

    Example:
        >>> since_of("Text.\\n\\n.. versionadded:: 2.0.0"), since_of(".. versionadded:: 2.1+some.words")
        ('2.0.0', '2.1')
    """
    if "versionadded" not in doc:
        return None
    match = _SINCE_PATTERN.search(doc)
    if match is None:
        return None
    try:
        return Version(match.group(1).rstrip(".,;:")).public
    except InvalidVersion:
        return None
