"""The text of one Java or Kotlin file: its encoding, its comments, and what stands before a declaration.

Here: bytes and offsets only. Not here: trees (java, kotlin), what a comment says (javadoc, kdoc).

Specs: the Java Language Specification 3.7 (comments), JEP 467 (``///`` comments), the Kotlin grammar's lexer.
"""

from __future__ import annotations

import bisect
import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass

# Above it a file is generated; the largest in the JDK has 1 MB.
MAX_FILE_BYTES = 16 * 1024 * 1024
# A constant's value above it is a table or a class of its own; only that it has one is said then.
MAX_VALUE_BYTES = 200
_COMMENT = rb"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?+"
_CHARACTER = rb"'(?:[^'\\\n]|\\[^\n]){1,8}+'"
_JAVA_TOKEN = re.compile(
    rb'"""(?:[^"\\]|\\.|"(?!""))*+"""|"(?:[^"\\\n]|\\[^\n])*+"|' + _CHARACTER + rb"|(?P<comment>" + _COMMENT + rb")",
    re.DOTALL,
)
# A template holds strings of its own; one level of them, without braces, is read.
_TEMPLATE = rb'\$\{(?:[^{}"\n]|"[^"\n]*+")*+\}'
KOTLIN_STRING = rb'"""(?:[^"]|"(?!""))*+"{3,}+|"(?:[^"\\\n$]|\\[^\n]|' + _TEMPLATE + rb'|\$)*+"'
# Kotlin's comments nest, and samples in KDoc make use of it; two levels are read.
_NESTED = rb"/\*(?:[^*/]|\*(?!/)|/(?!\*))*+\*/"
KOTLIN_COMMENT = rb"//[^\n]*+|/\*(?:[^*/]|\*(?!/)|/(?!\*)|" + _NESTED + rb")*+\*/|/\*(?:[^*]|\*(?!/))*+(?:\*/)?+"
_KOTLIN_TOKEN = re.compile(KOTLIN_STRING + rb"|" + _CHARACTER + rb"|(?P<comment>" + KOTLIN_COMMENT + rb")", re.DOTALL)
_STRING_OR_COMMENT = re.compile(
    r'(?P<string>"""(?:[^"]|"(?!""))*+"{3,}+|"(?:[^"\\\n]|\\.)*+"|'
    + r"'(?:[^'\\\n]|\\.){1,8}+')|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/",
    re.DOTALL,
)
_SPACES = re.compile(r"\s+")
_TIGHT = re.compile(r"(?<=[(\[<]) | (?=[)\],;>])")
_SLASHES_ONLY = re.compile(rb"[/\s]*+")


def decode(content: bytes) -> bytes | None:
    """The file as UTF-8 with ``\\n`` line ends and no byte order mark; None for what is no text.

    A file that is no UTF-8 is read as Latin-1: sources name no encoding, and names are ASCII in nearly all.
    """
    source = content.removeprefix(codecs.BOM_UTF8)
    if b"\0" in source:
        return None
    if not source.isascii():
        try:
            source.decode("utf-8")
        except UnicodeDecodeError:
            source = source.decode("latin-1").encode("utf-8")
    if b"\r" in source:
        source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return source


@dataclass(frozen=True, slots=True)
class Lead:
    """What stands before a declaration.

    Attributes:
        doc: its doc comment with the signs of a comment; None without one.
        annotations: those that were masked for the grammar, as written, the last first.
    """

    doc: str | None
    annotations: tuple[str, ...] = ()


class SourceText:
    """One file's bytes, with its comments by where they end.

    Args:
        source: UTF-8.
        is_java: else Kotlin, whose strings hold templates.
        masked: spans of annotations that the grammar did not see.
    """

    def __init__(self, source: bytes, *, is_java: bool, masked: list[tuple[int, int]] | None = None) -> None:
        self.source = source
        self._is_java = is_java
        pattern = _JAVA_TOKEN if is_java else _KOTLIN_TOKEN
        spans = [match.span() for match in pattern.finditer(source) if match.lastindex]
        self._is_masked: set[int] = set()
        if masked:
            spans = sorted([*spans, *masked])
            self._is_masked.update(end for _, end in masked)
        self._ends = [end for _, end in spans]
        self._starts = [start for start, _ in spans]
        self._newlines: list[int] | None = None

    def mask(self, start: int, end: int) -> None:
        """Takes what lies between two offsets for an annotation of what follows."""
        end = _before_space(self.source, end)
        index = bisect.bisect_left(self._ends, end)
        self._ends.insert(index, end)
        self._starts.insert(index, start)
        self._is_masked.add(end)

    def lead(self, start: int) -> Lead:
        """The doc comment that belongs to what begins at ``start``, and the masked annotations between."""
        source = self.source
        annotations: list[str] = []
        position = start
        while True:
            position = _before_space(source, position)
            if position <= 0:
                return Lead(None, tuple(annotations))
            index = bisect.bisect_left(self._ends, position)
            if index == len(self._ends) or self._ends[index] != position:
                return Lead(None, tuple(annotations))
            begin = self._starts[index]
            if position in self._is_masked:
                annotations.append(source[begin:position].decode("utf-8", "replace"))
            elif source.startswith(b"/**", begin) and position - begin > 4:
                return Lead(source[begin:position].decode("utf-8", "replace"), tuple(annotations))
            elif self._is_java and source.startswith(b"///", begin):
                begin, doc = self._slashes(index)
                if doc is not None:
                    return Lead(doc, tuple(annotations))
            position = begin

    def _slashes(self, index: int) -> tuple[int, str | None]:
        """A run of ``///`` lines: where it begins, and its text unless it is a ruled line."""
        source = self.source
        first = index
        while first and source.startswith(b"///", self._starts[first - 1]):
            gap = source[self._ends[first - 1] : self._starts[first]]
            if gap.strip() or gap.count(b"\n") > 1:
                break
            first -= 1
        text = source[self._starts[first] : self._ends[index]]
        return self._starts[first], None if _SLASHES_ONLY.fullmatch(text) else text.decode("utf-8", "replace")

    def text(self, start: int, end: int) -> str:
        """The code between two offsets on one line, without comments; strings stay as they are."""
        return one_line(self.source[start:end].decode("utf-8", "replace"))

    @staticmethod
    def shown(code: str, words: Sequence[str]) -> str:
        """Words, then code on one line."""
        line = one_line(code)
        return " ".join([*words, line]) if words else line

    def line(self, offset: int) -> int:
        """The 1-based line of an offset."""
        if self._newlines is None:
            self._newlines = [match.start() for match in re.finditer(rb"\n", self.source)]
        return bisect.bisect_left(self._newlines, offset) + 1


def _before_space(source: bytes, position: int) -> int:
    while position and source[position - 1] in b" \t\n\f":
        position -= 1
    return position


def one_line(code: str) -> str:
    """Code without comments, its white space outside strings collapsed to single spaces.

    Example:
        >>> one_line("void f(\\n    int a, // first\\n    int b\\n)")
        'void f(int a, int b)'
    """
    if "/" in code or '"' in code or "'" in code:
        pieces: list[str] = []
        position = 0
        for match in _STRING_OR_COMMENT.finditer(code):
            pieces.append(_SPACES.sub(" ", code[position : match.start()]))
            pieces.append(match["string"] or " ")
            position = match.end()
        pieces.append(_SPACES.sub(" ", code[position:]))
        code = "".join(pieces)
        if '"' in code or "'" in code:
            return code.strip()
        code = _SPACES.sub(" ", code)
    elif "\n" in code or "  " in code or "\t" in code:
        code = _SPACES.sub(" ", code)
    else:
        return code.strip()
    return _TIGHT.sub("", code).strip().replace(",)", ")")
