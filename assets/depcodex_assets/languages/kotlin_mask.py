"""A Kotlin file with everything blanked that declares nothing, for the grammar to read what it failed on.

Here: which bytes are blanked or replaced, always by as many. Not here: reading declarations (kotlin).

The grammar does not know ``fun interface``, ``..<``, guards, context parameters, annotated primary constructors and
more, and loses its way in bodies that are valid. Declarations need no bodies: without bodies, initialisers, accessors,
defaults, annotations and comments, what is left parses. Offsets stay, so texts are cut from the file as it is.

Spec: the Kotlin language specification, "Syntax and grammar"; KEEP-367 (context parameters).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from depcodex_assets.languages.jvm_source import KOTLIN_COMMENT, KOTLIN_STRING

_TOKEN = re.compile(
    rb"(?P<comment>" + KOTLIN_COMMENT + rb")"
    rb"|(?P<string>" + KOTLIN_STRING + rb"|'(?:[^'\\\n]|\\[^\n]){1,8}+')"
    rb"|(?P<word>[^\W\d]\w*+|`[^`\n]*+`)|(?P<number>\d[\w.]*+(?<!\.))|(?P<line>\n[\s\n]*+)"
    rb"|(?P<sign>->|\?\.|\?:|::|&&|\|\||\S)",
    re.DOTALL,
)
_MODIFIERS = frozenset(
    b"public private protected internal expect actual final open abstract sealed const external override lateinit"
    b" tailrec vararg suspend inner enum annotation companion inline value infix operator data noinline crossinline"
    b" reified".split()
)
_DECLARES = frozenset(b"fun val var class interface object typealias constructor init import package".split())
_ACCESSORS = frozenset((b"get", b"set"))
_VISIBILITIES = frozenset((b"private", b"internal", b"protected", b"public"))
_CONTINUES_BEFORE = frozenset(b": . , ( < -> = & ?. ?: :: && || + - * / % where by else return in is as fun".split())
_CONTINUES_HEADER = frozenset(b": . ( { = where by ?. , ->".split())
_FUNCTION_RECEIVER = re.compile(rb"(?<![\w.])([^\W\d]\w*(?:\.[^\W\d]\w*)+)(?=\.\()")
_BEFORE_ACCESSOR = frozenset((b"inline", b"private", b"internal", b"protected", b"external"))
_SPACES = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
_ACCESSOR_WORDS = _ACCESSORS | _BEFORE_ACCESSOR
_BODY_SIGNS = frozenset((b"{", b"=", b";", b"}"))
_PLATFORM = frozenset((b"actual", b"expect"))
_BEFORE_TYPE = frozenset((b":", b"->", b",", b"(", b"=", b"<"))
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}
_NOTHING = (b"", 0, 0)


@dataclass(frozen=True, slots=True)
class Masked:
    """What the grammar is given.

    Attributes:
        source: as many bytes as the file.
        spans: what was blanked before declarations and belongs to them: annotations, ``context(…)``, the ``fun`` of a
            ``fun interface``.
    """

    source: bytes
    spans: tuple[tuple[int, int], ...]


def mask(source: bytes) -> Masked:
    """The file without what declares nothing.

    Example:
        >>> mask(b"@A fun interface F { fun f(a: Int = g { }): Int = 1 }").source
        b'       interface F { fun f(a: Int        ): Int    ;}'
    """
    masker = _Masker(source)
    masker.run()
    return Masked(bytes(masker.out), tuple(masker.spans))


class _Masker:
    """One pass over a file's tokens; scopes are kept on a stack of its own."""

    def __init__(self, source: bytes) -> None:
        self.out = bytearray(source)
        self.spans: list[tuple[int, int]] = []
        self._tokens: list[tuple[bytes, int, int]] = []
        for match in _TOKEN.finditer(source):
            kind = match.lastgroup
            start, end = match.span()
            if kind == "comment":
                self._blank(start, end)
            elif kind == "string":
                self._tokens.append((b'"', start, end))
            elif kind == "line":
                self._tokens.append((b"\n", start, end))
            elif kind == "number":
                self._tokens.append((b"0", start, end))
            else:
                self._tokens.append((match[0], start, end))
        self._closes = self._matched()

    def run(self) -> None:
        # (next token, end of the scope, whether entries of an enum come first)
        scopes = [(0, len(self._tokens), False)]
        while scopes:
            position, end, in_entries = scopes.pop()
            scopes += self._scope(position, end, in_entries=in_entries)

    def _matched(self) -> dict[int, int]:
        """The index of the closing bracket by that of the opening one; the end where none closes."""
        closes: dict[int, int] = {}
        stack: list[int] = []
        for index, (value, _, _) in enumerate(self._tokens):
            if value in (b"(", b"[", b"{"):
                stack.append(index)
            elif value in (b")", b"]", b"}"):
                # A bracket that closes another kind closes those between as well.
                for depth in range(len(stack) - 1, max(-1, len(stack) - 6), -1):
                    if _CLOSING[self._tokens[stack[depth]][0]] == value:
                        for opened in stack[depth:]:
                            closes[opened] = index
                        del stack[depth:]
                        break
        for opened in stack:
            closes[opened] = len(self._tokens)
        return closes

    def _at(self, index: int) -> tuple[bytes, int, int]:
        return self._tokens[index] if 0 <= index < len(self._tokens) else _NOTHING

    def _blank(self, start: int, end: int) -> None:
        """Spaces between two offsets; line ends stay."""
        self.out[start:end] = self.out[start:end].translate(_SPACES)

    def _blank_tokens(self, first: int, last: int) -> None:
        """Blanks the tokens from ``first`` up to ``last``, which stays."""
        if first < last and first < len(self._tokens):
            self._blank(self._tokens[first][1], self._at(min(last, len(self._tokens)) - 1)[2])

    def _scope(self, position: int, end: int, *, in_entries: bool) -> list[tuple[int, int, bool]]:
        """Masks one scope's declarations; the scopes inside it come back."""
        inner: list[tuple[int, int, bool]] = []
        begin = position
        words: list[bytes] = []
        while position < end:
            value = self._tokens[position][0]
            if value in (b"\n", b";", b","):
                in_entries = in_entries and value != b";"
                position += 1
                if not words:
                    begin = position
            elif value == b"@":
                last = self._annotation(position)
                self.spans.append((self._tokens[position][1], self._at(last - 1)[2]))
                self._blank_tokens(position, last)
                position = last
            elif value == b"context" and self._at(position + 1)[0] == b"(":
                last = self._closes[position + 1] + 1
                self.spans.append((self._tokens[position][1], self._at(min(last, end) - 1)[2]))
                self._blank_tokens(position, last)
                position = last
            elif value in _MODIFIERS and not (
                in_entries and self._at(position + 1)[0] in (b",", b"(", b"{", b";", b"\n")
            ):
                words.append(value)
                position += 1
            else:
                position, in_entries = self._declaration(position, begin, end, words, inner, in_entries=in_entries)
                begin, words = position, []
        self._end_statement(end)
        return inner

    def _end_statement(self, end: int) -> None:
        """A semicolon before a bracket on the same line, which the grammar asks for."""
        if 0 < end < len(self._tokens) and self._tokens[end - 1][0] not in (b"\n", b";", b"{"):
            start = self._tokens[end][1]
            if self.out[start - 1 : start] == b" ":
                self.out[start - 1 : start] = b";"

    def _declaration(
        self,
        position: int,
        begin: int,
        end: int,
        words: list[bytes],
        inner: list[tuple[int, int, bool]],
        *,
        in_entries: bool,
    ) -> tuple[int, bool]:
        """Masks what begins at ``position``; where it ends, and whether entries may follow."""
        value, start, stop = self._tokens[position]
        if value == b"fun" and self._at(position + 1)[0] == b"interface":
            self.spans.append((start, stop))
            self._blank(start, stop)
            return self._declaration(position + 1, begin, end, words, inner, in_entries=in_entries)
        if value in (b"class", b"interface", b"object"):
            last = self._header(position + 1, end, is_class=True)
            if self._at(last)[0] == b"{" and last < end:
                closed = self._closes[last]
                inner.append((last + 1, closed, b"enum" in words))
                last = closed + 1
            return last, False
        if value == b"fun":
            last = self._header(position + 1, end)
            return self._body(last, end), False
        if value in (b"val", b"var"):
            last = self._header(position + 1, end, is_property=True)
            if self._at(last)[0] in _ACCESSOR_WORDS:
                return last, False
            if self._at(last)[0] == b"=" and b"const" in words and self._at(last + 2)[0] in (b"\n", b";", b"}", b""):
                return last + 2, False
            return self._body(last, end), False
        if value == b"typealias":
            last = self._header(position + 1, end)
            return self._header(last + 1, end) if self._at(last)[0] == b"=" else last, False
        if value in (b"package", b"import"):
            while position < end and self._tokens[position][0] not in (b"\n", b";"):
                position += 1
            return position, False
        if value == b"constructor":
            return self._constructor(position, end), False
        if value in _ACCESSORS and not in_entries:
            return self._accessor(position, begin, end, words), False
        if in_entries and value not in (b"{", b"}"):
            position += 1
            while self._at(position)[0] in (b"(", b"{"):
                last = self._closes[position]
                self._blank_tokens(position, last + 1)
                position = last + 1
            return position, True
        if value in (b"init", b"{"):
            opened = position + (value == b"init")
            last = self._closes.get(opened, opened) + 1
            self._blank_tokens(position, last)
            return last, False
        return position + 1, in_entries

    def _annotation(self, position: int) -> int:
        """The index behind the annotation at ``position``."""
        position += 1
        if self._at(position)[0] == b"[":
            return self._closes[position] + 1
        position += 1
        while self._at(position)[0] in (b":", b"."):
            position += 2
        if self._at(position)[0] == b"<":
            depth, ahead = 0, position
            while ahead < len(self._tokens) and ahead < position + 200:
                depth += {b"<": 1, b">": -1}.get(self._tokens[ahead][0], 0)
                ahead += 1
                if not depth:
                    position = ahead
                    break
        if self._at(position)[0] == b"(" and self._tokens[position][1] == self._tokens[position - 1][2]:
            return self._closes[position] + 1
        return position

    def _header(self, position: int, end: int, *, is_class: bool = False, is_property: bool = False) -> int:
        """Masks a declaration up to its body; the index of what follows it. Line ends inside become spaces."""
        first = position
        has_supertypes = False
        while position < end:
            value, start, stop = self._tokens[position]
            if value == b"\n":
                before, after = self._at(position - 1)[0], self._at(position + 1)[0]
                goes_on = before in _CONTINUES_BEFORE or after in _CONTINUES_HEADER
                if not goes_on and is_class:
                    goes_on = self._leads_to_constructor(position + 1, end)
                if not goes_on:
                    break
                position += 1
            elif value == b"(":
                if has_supertypes and self._at(position - 1)[2] == start:
                    # What a supertype's constructor is given.
                    self._blank_tokens(position + 1, self._closes[position])
                else:
                    self._parameters(position)
                position = self._closes[position] + 1
            elif value == b":" and is_class:
                has_supertypes = True
                position += 1
            elif value == b"@":
                last = self._annotation(position)
                self._blank_tokens(position, last)
                position = last
            elif value == b"by" and is_class and position > first:
                last = self._delegate(position, end)
                self._blank_tokens(position, last)
                position = last
            elif value in _BODY_SIGNS or (
                position > first and (value == b"by" or (is_property and value in _ACCESSOR_WORDS))
            ):
                break
            elif (
                value == b"context" and self._at(position - 1)[0] in _BEFORE_TYPE and self._at(position + 1)[0] == b"("
            ):
                last = self._closes[position + 1] + 1
                self._blank_tokens(position, last)
                position = last
            elif value == b"&":
                self._blank(start, self._at(position + 1)[2])
                position += 2
            elif value in _PLATFORM and is_class:
                self._blank(start, stop)
                position += 1
            else:
                if value in _MODIFIERS and not is_class and self._is_name(position):
                    # A function may be called what is a keyword elsewhere.
                    self.out[start:stop] = b"x" * (stop - start)
                position += 1
        stop = self._at(min(position, end) - 1)[2]
        start = self._at(first - 1)[1]
        if 0 <= start < stop:
            piece = bytes(self.out[start:stop]).replace(b"\n", b" ")
            if b".(" in piece:
                piece = _FUNCTION_RECEIVER.sub(lambda found: found[0].replace(b".", b"_"), piece).replace(
                    b"?.(", b" .("
                )
            self.out[start:stop] = piece
        return min(position, end)

    def _is_name(self, position: int) -> bool:
        return self._at(position + 1)[0] == b"(" and self._at(position - 1)[0] in (b"fun", b">", b".")

    def _leads_to_constructor(self, position: int, end: int) -> bool:
        while position < end:
            value = self._tokens[position][0]
            if value == b"@":
                position = self._annotation(position)
            elif value == b"\n" or value in _VISIBILITIES or value in _PLATFORM:
                position += 1
            else:
                return value == b"constructor"
        return False

    def _delegate(self, position: int, end: int) -> int:
        """The index behind ``by expression`` in a class header."""
        while position < end:
            value = self._tokens[position][0]
            if value == b"object":
                # An object of its own with a body; the class's body follows.
                while position < end and self._tokens[position][0] != b"{":
                    position += 1
                position = self._closes.get(position, position) + 1
                continue
            if value in (b",", b"{", b"where", b";", b"}"):
                return position
            if value == b"\n" and self._at(position + 1)[0] not in (b"{", b",", b".", b"where"):
                return position
            position = self._closes[position] + 1 if value in (b"(", b"[") else position + 1
        return position

    def _parameters(self, opened: int) -> None:
        """Masks annotations, defaults and platform words between two parentheses."""
        position, closed = opened + 1, self._closes[opened]
        while position < closed:
            value = self._tokens[position][0]
            if value == b"@":
                last = self._annotation(position)
                self._blank_tokens(position, last)
                position = last
            elif value == b"=":
                last = self._default(position, closed)
                self._blank_tokens(position, last)
                position = last
            elif value in _PLATFORM and self._at(position + 1)[0] not in (b":", b",", b")"):
                self._blank_tokens(position, position + 1)
                position += 1
            elif value == b"context" and self._at(position + 1)[0] == b"(":
                last = self._closes[position + 1] + 1
                self._blank_tokens(position, last)
                position = last
            elif value == b"&":
                self._blank_tokens(position, position + 2)
                position += 2
            elif value == b"{":
                last = self._closes[position] + 1
                self._blank_tokens(position, last)
                position = last
            else:
                position += 1

    def _default(self, position: int, closed: int) -> int:
        """The index of the comma or bracket behind a parameter's default."""
        angles = 0
        while position < closed:
            value = self._tokens[position][0]
            if value in (b"(", b"[", b"{"):
                position = self._closes[position]
            elif value == b"<" and self._tokens[position][1] == self._at(position - 1)[2]:
                angles += 1
            elif value == b">" and angles:
                angles -= 1
            elif value == b"," and not angles:
                break
            position += 1
        return min(position, closed)

    def _body(self, position: int, end: int) -> int:
        """Blanks a body, an initialiser or a delegate; the index behind it."""
        value = self._at(position)[0] if position < end else b""
        if value == b"{":
            last = self._closes[position] + 1
        elif value in (b"=", b"by"):
            last = self._expression(position + 1, end)
        else:
            return position if position < end else end
        self._blank_tokens(position, min(last, end))
        return min(last, end)

    def _expression(self, position: int, end: int) -> int:
        """The index behind an expression: where a line begins that declares, and does not go on."""
        while position < end:
            value = self._tokens[position][0]
            if value in (b"(", b"[", b"{"):
                position = self._closes[position] + 1
                continue
            if value in (b";", b"}"):
                break
            if value == b"\n" and self._at(position - 1)[0] not in _CONTINUES_BEFORE:
                ahead = position + 1
                while self._at(ahead)[0] in (b"@", b"\n"):
                    # An annotation may stand before an expression as well.
                    ahead = self._annotation(ahead) if self._at(ahead)[0] == b"@" else ahead + 1
                after = self._at(ahead)[0]
                if after in (b"}", b"") or after in _DECLARES or after in _MODIFIERS or after in _ACCESSORS:
                    break
                if after == b"context" and self._at(ahead + 1)[0] == b"(":
                    break
            position += 1
        return min(position, end)

    def _constructor(self, position: int, end: int) -> int:
        position += 1
        if self._at(position)[0] == b"(":
            self._parameters(position)
            closed = self._closes[position]
            start, stop = self._tokens[position][1], self._at(min(closed, end - 1))[2]
            self.out[start:stop] = bytes(self.out[start:stop]).replace(b"\n", b" ")
            position = closed + 1
        first = position
        while position < end:
            value = self._tokens[position][0]
            if value == b"(":
                position = self._closes[position] + 1
            elif value == b"{":
                position = self._closes[position] + 1
                break
            elif value in (b";", b"}") or (value == b"\n" and not self._goes_on(position)):
                break
            else:
                position += 1
        self._blank_tokens(first, min(position, end))
        return min(position, end)

    def _goes_on(self, position: int) -> bool:
        """Whether a constructor goes on behind a line end: what it calls, or its body."""
        return self._at(position + 1)[0] in (b":", b"{") or self._at(position - 1)[0] == b":"

    def _accessor(self, position: int, begin: int, end: int, words: list[bytes]) -> int:
        """Blanks ``get() = …``; of ``private set(value) {…}`` the first two words stay."""
        is_kept = self._tokens[position][0] == b"set" and not _VISIBILITIES.isdisjoint(words)
        first = position + 1 if is_kept else begin
        position += 1
        if self._at(position)[0] == b"(":
            position = self._closes[position] + 1
        last = self._header(position, end) if self._at(position)[0] == b":" else position
        ahead = last
        while self._at(ahead)[0] == b"\n":
            ahead += 1
        if self._at(ahead)[0] in (b"=", b"{") and ahead < end:
            last = self._body(ahead, end)
        self._blank_tokens(first, min(last, end))
        return min(last, end)
