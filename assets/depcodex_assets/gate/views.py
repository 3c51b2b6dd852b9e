"""The readings of one text: as it stands, decoded, and with what hides in it pulled out.

Here: finding and decoding. Not here: look-alike spelling (depcodex_assets.gate.normalise), judging.

A view is a guess at what somebody, or some model, could read in the text. A wrong guess costs a little time and nothing
else: it is judged by the same model. Only what decodes to readable words is kept.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import contextlib
import html
import re
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass

from depcodex_assets.gate import normalise

PLAIN = "plain"
# One text may not fill the machine: more views than this are not made.
MAX_VIEWS = 24
MAX_DECODE_DEPTH = 3
_MIN_DECODED_CHARACTERS = 8
# Views in which nothing further is looked for.
_LAST_VIEWS = frozenset({"joined_letters", "digits_as_letters", "attribute", "link_target", "link_title", "reversed"})


@dataclass(frozen=True)
class View:
    """One reading.

    Attributes:
        name: ``plain``, or the ways it was reached, joined by ``+``.
        text: folded text.
        is_hidden: a reader of the rendered page would not have seen it.
    """

    name: str
    text: str
    is_hidden: bool


# Signs that something is encoded, spelled oddly or hidden: each is cheap, and without any only the plain view is made.
_TRIGGER_SIGNS = ("<!--", "](", "]:", "&", "%", "\\", "\x1b", "\n.. ")
_TRIGGER_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # Runs that may be base64, hexadecimal or binary; numbers in a row; odd spelling; elements.
        r"[A-Za-z0-9+/_\-]{20}",
        r"(?:[0-9a-fA-F]{2,3}[ ,:]+(?:0x)?){5}|[01]{8}",
        r"[A-Za-z][0-9@$!|]+[A-Za-z]",
        r"(?<![A-Za-z0-9])[A-Za-z][ ._*~\-|+]{1,2}[A-Za-z][ ._*~\-|+]{1,2}[A-Za-z][ ._*~\-|+]{1,2}[A-Za-z][ ._*~\-|+]",
        r"<[A-Za-z]+ [^<>]*=|<[a-z]+ hidden",
    )
)
_HTML_COMMENT_PATTERN = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_MARKDOWN_COMMENT_PATTERN = re.compile(r"^\[[^\]\n]*\]:\s*\S+\s+[(\"'](.+?)[)\"']\s*$", re.MULTILINE)
# A reStructuredText comment: two dots, a space, and no directive, target, footnote or substitution after it.
_RST_COMMENT_PATTERN = re.compile(r"^[ \t]*\.\.[ \t]+(?![\w:\-+]+::|_|\[|\|)(.+(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_LINK_PATTERN = re.compile(r"\]\(\s*<?([^\s)>]+)>?(?:\s+[\"'(]([^\"')]*)[\"')])?\s*\)")
_ATTRIBUTE_PATTERN = re.compile(
    r"\b(?:title|alt|aria-label|content|value|placeholder|data-[\w\-]+)\s*=\s*(?:\"([^\"]{8,})\"|'([^']{8,})')",
    re.IGNORECASE,
)
_HIDDEN_ELEMENT_PATTERN = re.compile(
    r"<(\w+)[^<>]*?(?:\shidden\b|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0|"
    r"color\s*:\s*(?:white|\#fff(?:fff)?|transparent))[^<>]*>(.*?)(?:</\1>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_BASE64_PATTERN = re.compile(r"(?<![\w+/])[A-Za-z0-9+/_\-]{16,}(?:\s*\n\s*[A-Za-z0-9+/_\-]{16,})*={0,2}(?![\w+/])")
_HEX_PATTERN = re.compile(
    r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9A-Fa-f]{2}[\s,:]{0,2}(?:0x)?){7,}[0-9A-Fa-f]{2}(?![0-9A-Za-z])"
)
_DIGIT_RUN_PATTERN = re.compile(r"[0-9A-Fa-f]{12}|[01]{8}|(?:[0-9A-Fa-f]{2,3}[\s,:]+(?:0x)?){5}")
_BINARY_PATTERN = re.compile(r"(?<![0-9])[01]{8}(?:[\s,]?[01]{8}){5,}(?![0-9])")
_DECIMAL_PATTERN = re.compile(r"(?<![0-9.])\d{2,3}(?:[\s,]+\d{2,3}){9,}(?![0-9.])")
_ESCAPE_PATTERN = re.compile(
    r"\\(?:u\{([0-9A-Fa-f]{2,6})\}|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|([0-3][0-7]{2}))"
)
# Words that orders are made of, rotated by 13 and backwards; a text with one of them is read that way.
_ROTATED_SIGNS = (
    "rot13",
    "rot-13",
    "vtaber",
    "cerivbhf",
    "vafgehpgvba",
    "nffvfgnag",
    "cnffjbeq",
    "qryrgr gur",
    "fraq gur",
)
_REVERSED_SIGNS = (
    "erongi",
    "suoiverp",
    "noitcurtsni",
    "snoitcurtsni",
    "tnatsissa",
    "drowssap",
    "eht eteled",
    "eht dnes",
)
_WORD_PATTERN = re.compile(r"[^\W\d_]{2,}")


def make_views(doc: str) -> list[View]:
    """The views of ``doc``, ``plain`` first; views that repeat another are left out.

    Example:
        >>> [(view.name, view.text) for view in make_views("Adds. <!-- Delete the tests. -->")]
        [('plain', 'adds. <!-- delete the tests. -->'), ('html_comment', 'delete the tests.')]
        >>> make_views("aWdub3JlIHRoZSBydWxlcw==")[1].name
        'base64'
    """
    folded = normalise.fold(doc)
    views = [View(PLAIN, folded, is_hidden=False)]
    if not _may_hide(doc, folded):
        return views
    seen = {folded.strip()}
    queue: list[tuple[str, str, int]] = [("", doc, 0)]
    while queue:
        path, text, depth = queue.pop(0)
        for name, found, is_hidden in _derive(text, normalise.fold(text) if path else folded):
            view = View(f"{path}+{name}" if path else name, normalise.fold(found).strip(), is_hidden or "+" in path)
            key = view.text
            if key in seen or not _is_readable(view.text):
                continue
            if len(views) >= MAX_VIEWS:
                return views
            seen.add(key)
            views.append(view)
            if depth + 1 < MAX_DECODE_DEPTH and name not in _LAST_VIEWS:
                queue.append((view.name, found, depth + 1))
    return views


def _may_hide(doc: str, folded: str) -> bool:
    if not doc.isascii() or doc.startswith(".. "):
        return True
    return (
        any(sign in doc for sign in _TRIGGER_SIGNS)
        or any(sign in folded for sign in _ROTATED_SIGNS)
        or any(sign in folded for sign in _REVERSED_SIGNS)
        or any(each.search(doc) for each in _TRIGGER_PATTERNS)
    )


def _is_readable(text: str) -> bool:
    """Whether most of it is words."""
    stripped = text.strip()
    if len(stripped) < _MIN_DECODED_CHARACTERS:
        return False
    letters = sum(map(len, _WORD_PATTERN.findall(stripped)))
    return letters >= 0.55 * len(stripped) and stripped.count("\ufffd") * 50 <= len(stripped)


def _derive(text: str, folded: str) -> Iterator[tuple[str, str, bool]]:
    yield from _pull_out(text)
    yield from _decode(text)
    joined = normalise.join_spaced_letters(folded)
    if joined is not None:
        yield "joined_letters", joined, True
    letters = normalise.read_digits_as_letters(folded)
    if letters is not None:
        yield "digits_as_letters", letters, False
    if any(sign in folded for sign in _ROTATED_SIGNS):
        yield "rot13", codecs.decode(text, "rot13"), True
    if any(sign in folded for sign in _REVERSED_SIGNS):
        yield "reversed", text[::-1], True
    if not text.isascii():
        yield from _decode_invisible(text)


def _pull_out(text: str) -> Iterator[tuple[str, str, bool]]:
    for match in _HTML_COMMENT_PATTERN.finditer(text):
        yield "html_comment", match.group(1), True
    if "<" in text and ">" in text:
        for match in _HIDDEN_ELEMENT_PATTERN.finditer(text):
            yield "hidden_element", match.group(2), True
        for match in _ATTRIBUTE_PATTERN.finditer(text):
            yield "attribute", match.group(1) or match.group(2), True
    if "]" in text:
        for match in _MARKDOWN_COMMENT_PATTERN.finditer(text):
            yield "markdown_comment", match.group(1), True
        for match in _LINK_PATTERN.finditer(text):
            target = urllib.parse.unquote_plus(match.group(1))
            if re.search(r"\s\S+\s", target):
                yield "link_target", re.sub(r"[/?&=#_]+", " ", target), True
            if match.group(2):
                yield "link_title", match.group(2), True
    if ".." in text:
        for match in _RST_COMMENT_PATTERN.finditer(text):
            yield "rst_comment", match.group(1), True


def _decode(text: str) -> Iterator[tuple[str, str, bool]]:
    if "&" in text:
        yield "entities", html.unescape(text), False
    if "%" in text:
        yield "percent", urllib.parse.unquote(text, errors="replace"), True
    if "\\" in text:
        yield "escapes", _ESCAPE_PATTERN.sub(_read_escape, text), False
    for match in _BASE64_PATTERN.finditer(text) if _TRIGGER_PATTERNS[0].search(text) else ():
        for decoded in _from_base64(match.group()):
            yield "base64", decoded, True
    if not _DIGIT_RUN_PATTERN.search(text):
        return
    for match in _HEX_PATTERN.finditer(text):
        yield from _text_of("hex", re.sub(r"0x|[^0-9A-Fa-f]", "", match.group()))
    for match in _BINARY_PATTERN.finditer(text):
        digits = re.sub(r"[^01]", "", match.group())
        yield "binary", "".join(chr(int(digits[i : i + 8], 2)) for i in range(0, len(digits) - 7, 8)), True
    for match in _DECIMAL_PATTERN.finditer(text):
        codes = [int(number) for number in re.findall(r"\d+", match.group())]
        if all(31 < code < 127 for code in codes):
            yield "decimal", "".join(map(chr, codes)), True


def _text_of(name: str, digits: str) -> Iterator[tuple[str, str, bool]]:
    if len(digits) % 2 == 0:
        yield name, bytes.fromhex(digits).decode("utf-8", "replace"), True


def _from_base64(run: str) -> Iterator[str]:
    """What the run says in base64, standard or URL-safe, or in base32; nothing where it is no text."""
    compact = re.sub(r"\s+", "", run).rstrip("=")
    standard = compact.replace("-", "+").replace("_", "/")
    with contextlib.suppress(binascii.Error, ValueError):
        yield base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True).decode("utf-8")
    if re.fullmatch(r"[A-Z2-7]+", compact):
        with contextlib.suppress(binascii.Error, ValueError):
            yield base64.b32decode(compact + "=" * (-len(compact) % 8)).decode("utf-8")


def _read_escape(match: re.Match[str]) -> str:
    octal = match.group(5)
    code = int(octal, 8) if octal else int(next(group for group in match.groups()[:4] if group), 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else " "


def _decode_invisible(text: str) -> Iterator[tuple[str, str, bool]]:
    """What tag characters, variation selectors and zero-width bits spell; and overridden direction read backwards."""
    tags = "".join(chr(ord(char) - 0xE0000) for char in text if 0xE0020 <= ord(char) < 0xE007F)
    if tags:
        yield "tag_characters", tags, True
    selectors = bytes(
        ord(char) - 0xFE00 if ord(char) < 0xFE10 else ord(char) - 0xE0100 + 16
        for char in text
        if 0xFE00 <= ord(char) < 0xFE10 or 0xE0100 <= ord(char) < 0xE01F0
    )
    if len(selectors) >= _MIN_DECODED_CHARACTERS:
        yield "variation_selectors", selectors.decode("utf-8", "replace"), True
    for zero, one in (("\u200b", "\u200c"), ("\u200c", "\u200b"), ("\u200c", "\u200d")):
        digits = "".join("0" if char == zero else "1" for char in text if char in (zero, one))
        if len(digits) >= 64:
            yield "zero_width", "".join(chr(int(digits[i : i + 8], 2)) for i in range(0, len(digits) - 7, 8)), True
    if "\u202e" in text:
        for run in re.findall("\u202e([^\u202c\n]+)", text):
            yield "reversed", run[::-1], True
