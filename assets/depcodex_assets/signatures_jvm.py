"""What signatures of Java and Kotlin share: types in canonical spelling, neutral defaults, cutting at commas.

Here: pieces of signatures. Not here: the order of the pieces in a language (signatures_java, signatures_kotlin).

A type is made of names and a few signs: anything else in its place (a string, a number, two names in a row that no
keyword joins) could be prose and makes the signature unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from depcodex_assets.general_words import word_set
from depcodex_assets.signature_tokens import Token, UnreadableError, tokens_of

ELLIPSIS = "..."
_OPEN = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSE = frozenset(_OPEN.values())
_TYPE_SIGNS = frozenset([".", ",", "<", ">", "?", "(", ")", "->", "&", "*", ":", "[", "]", "..."])
_PLAIN_NAME = re.compile(r"`\w{1,60}`")
_NUMBER_ENDINGS = word_set(
    """
    L l f F d D u U uL UL U
    """
)
_DEFAULT_WORDS = word_set(
    """
    true false null
    """
)
_TIGHT_BEFORE = frozenset([",", ")", "]", ">", "?", ".", "...", ";"])
_TIGHT_AFTER = frozenset(["(", "[", "<", ".", "@"])
_MAX_DEFAULT_NAMES = 5


def tokens(text: str, language: str) -> list[Token]:
    """Tokens with every ``>`` on its own and Kotlin's quoted names as names.

    Raises:
        UnreadableError: something is no token, or a quoted name is no name.
    """
    found: list[Token] = []
    for kind, value in tokens_of(text, language):
        if kind == "operator" and value in (">>", ">=", "<<", "<="):
            found += [("operator", each) for each in value]
        elif value == "$":
            raise UnreadableError
        elif kind == "string" and value[0] == "`":
            if not _PLAIN_NAME.fullmatch(value):
                raise UnreadableError
            found.append(("name", value))
        else:
            found.append((kind, value))
    return found


def closing(found: Sequence[Token], opening: int) -> int:
    """The index of the bracket that closes the one at ``opening``; angle brackets count.

    Raises:
        UnreadableError: none does.
    """
    stack: list[str] = []
    for index in range(opening, len(found)):
        kind, value = found[index]
        if kind != "operator":
            continue
        if value in _OPEN:
            stack.append(_OPEN[value])
        elif value in _CLOSE:
            # Outside of types `<` and `>` compare: they give way to the brackets around them.
            while stack and stack[-1] == ">" and value != ">":
                stack.pop()
            if value == ">" and (not stack or stack[-1] != ">"):
                continue
            if not stack or stack.pop() != value:
                raise UnreadableError
            if not stack:
                return index
    raise UnreadableError


def split(found: Sequence[Token], separator: str = ",") -> list[list[Token]]:
    """Tokens cut at ``separator`` outside of brackets; empty pieces dropped.

    Raises:
        UnreadableError: a bracket does not close.
    """
    pieces: list[list[Token]] = [[]]
    index = 0
    while index < len(found):
        kind, value = found[index]
        if kind == "operator" and value in _OPEN:
            end = closing(found, index)
            pieces[-1].extend(found[index : end + 1])
            index = end
        elif kind == "operator" and value == separator:
            pieces.append([])
        elif kind == "operator" and value in (")", "]", "}"):
            raise UnreadableError
        else:
            pieces[-1].append(found[index])
        index += 1
    return [piece for piece in pieces if piece]


def cut(found: Sequence[Token], at: str) -> tuple[list[Token], list[Token] | None]:
    """Tokens before and after the first ``at`` outside of brackets; None where there is no ``at``."""
    index = 0
    while index < len(found):
        kind, value = found[index]
        if value == at and kind in ("operator", "name"):
            return list(found[:index]), list(found[index + 1 :])
        index = closing(found, index) + 1 if kind == "operator" and value in _OPEN else index + 1
    return list(found), None


def without_annotations(found: Sequence[Token], kept: Collection[str] = ()) -> list[Token]:
    """Tokens without annotations and what they are given; those named in ``kept`` stay, bare.

    Raises:
        UnreadableError: an annotation has no name.
    """
    result: list[Token] = []
    index = 0
    while index < len(found):
        if found[index][1] != "@" or found[index][0] != "operator":
            result.append(found[index])
            index += 1
            continue
        if index + 1 < len(found) and found[index + 1][1] == "interface":
            result += [("name", "@interface")]
            index += 2
            continue
        index += 1
        if index >= len(found):
            raise UnreadableError
        if found[index][1] == "[":
            index = closing(found, index) + 1
            continue
        if found[index][0] != "name":
            raise UnreadableError
        last = found[index][1]
        index += 1
        while index + 1 < len(found) and found[index][1] in (".", ":") and found[index + 1][0] == "name":
            last = found[index + 1][1]
            index += 2
        if index < len(found) and found[index][1] == "(":
            index = closing(found, index) + 1
        if last in kept:
            result.append(("name", f"@{last}"))
    return result


def type_text(found: Sequence[Token], joining: Collection[str] = ()) -> str:
    """A type in canonical spelling.

    Args:
        found: its tokens, without annotations.
        joining: names that may stand before or behind another name (``extends``, ``in``).

    Raises:
        UnreadableError: something in it is no part of a type.
    """
    pieces: list[str] = []
    brackets: list[str] = []
    previous_kind = previous = ""
    for kind, value in found:
        if kind not in ("name", "operator") or (kind == "operator" and value not in _TYPE_SIGNS):
            raise UnreadableError
        if kind == previous_kind == "name" and not (
            value in joining or previous in joining or value[0] == "@" or previous[0] == "@"
        ):
            raise UnreadableError
        if value in _OPEN:
            brackets.append(value)
        elif value in _CLOSE and brackets:
            brackets.pop()
        # A bound is spaced (`<T : Any>`), a parameter of a function type is not.
        is_tight = value == ":" and brackets[-1:] == ["("]
        if previous and not is_tight and _is_spaced(previous, value, kind):
            pieces.append(" ")
        pieces.append(value)
        previous_kind, previous = kind, value
    return "".join(pieces)


def _is_spaced(previous: str, value: str, kind: str) -> bool:
    if value == "->" or previous == "->" or value in ("&", ":") or previous in ("&", ":", ","):
        return value not in (")", "]", ",", ">") or value == "->"
    if value in _TIGHT_BEFORE or previous in _TIGHT_AFTER or value in ("<", "["):
        # `<T> List` is spaced, `Map<K>` is not; `? extends` and `(A) -> B` follow below.
        return False
    if value == "(":
        return previous in ("suspend", "in", "out", "where") or previous == ">"
    if value == "*" or previous == "*":
        return previous.isidentifier()
    return kind == "name" or previous.isidentifier()


def default_text(found: Sequence[Token]) -> str:
    """The neutral form of a value: a number, true, false, null or a dotted name stays, all else is ``...``."""
    values = [value for _, value in found]
    sign = ""
    if len(found) > 1 and values[0] in ("-", "+") and found[1][0] == "number":
        sign, found, values = values[0], found[1:], values[1:]
    if found and found[0][0] == "number":
        if len(found) == 1:
            return sign + values[0]
        if len(found) == 2 and values[1] in _NUMBER_ENDINGS:
            return sign + values[0] + values[1]
        return ELLIPSIS
    is_dotted = len(found) % 2 and all(
        (kind == "name" and value[0] != "@") if index % 2 == 0 else value == "."
        for index, (kind, value) in enumerate(found)
    )
    return "".join(values) if is_dotted and len(found) < 2 * _MAX_DEFAULT_NAMES else ELLIPSIS
