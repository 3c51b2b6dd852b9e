"""Tokens of a JavaScript or TypeScript signature, and finding ends of brackets among them.

Here: cutting a text into tokens, brackets and angles, splitting at commas. Not here: what a reader may see of them
(signatures_typescript), the tokens of the languages that are read as Python is (signature_tokens).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from depcodex_assets.signature_tokens import Token, UnreadableError

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
    | (?P<name>\#?[^\W\d][\w$]*|\#?\$[\w$]*|@@[A-Za-z]\w*)
    | (?P<number>0[xXoObB][0-9a-fA-F_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?n?)
    | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<template>`(?:[^`\\]|\\.)*`)
    | (?P<operator>\.\.\.|=>|\?\?=?|\?\.|[<>=!]==?|&&|\|\||\*\*|[-+*/%&|^~<>=.,:;(){}\[\]!?@])
    )""",
    re.VERBOSE | re.DOTALL,
)
_MAX_IDENTIFIER_CHARACTERS = 80
MAX_DEPTH = 60
OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSE = frozenset(")]}")


def tokens_of(text: str) -> list[Token]:
    """Tokens as (kind, text), without spaces and comments; kinds: name, number, string, template, operator.

    Raises:
        UnreadableError: something is no token of the language, or a name has more than 80 characters.

    >>> tokens_of("a?: B[] // note")
    [('name', 'a'), ('operator', '?'), ('operator', ':'), ('name', 'B'), ('operator', '['), ('operator', ']')]
    """
    found: list[Token] = []
    position = 0
    for match in _TOKEN.finditer(text):
        if match.start() != position:
            break
        position = match.end()
        kind = match.lastgroup or ""
        if kind == "comment":
            continue
        value = match[kind]
        if kind == "name" and len(value) > _MAX_IDENTIFIER_CHARACTERS:
            raise UnreadableError
        found.append((kind, value))
    if text[position:].strip():
        raise UnreadableError
    return found


def without_decorators(tokens: list[Token]) -> list[Token]:
    """Decorators and their arguments away: they are no part of how a thing is called."""
    while tokens and tokens[0][1] == "@":
        end = 2
        while end + 1 < len(tokens) and tokens[end][1] == "." and tokens[end + 1][0] == "name":
            end += 2
        if end < len(tokens) and tokens[end][1] == "(":
            end = closing(tokens, end) + 1
        tokens = tokens[end:]
    return tokens


def closing(tokens: Sequence[Token], opening: int) -> int:
    """The index of the bracket that closes the one at ``opening``."""
    stack: list[str] = []
    for index in range(opening, len(tokens)):
        kind, value = tokens[index]
        if kind != "operator":
            continue
        if value in OPEN:
            stack.append(OPEN[value])
            if len(stack) > MAX_DEPTH:
                raise UnreadableError
        elif value in CLOSE:
            if not stack or stack.pop() != value:
                raise UnreadableError
            if not stack:
                return index
    raise UnreadableError


def closing_angle(tokens: Sequence[Token], opening: int) -> int:
    """The index of the ``>`` that closes the ``<`` at ``opening``; brackets in between are passed over."""
    depth = 0
    index = opening
    while index < len(tokens):
        kind, value = tokens[index]
        if kind == "operator":
            if value in OPEN:
                index = closing(tokens, index)
            elif value in CLOSE:
                break
            elif value == "<":
                depth += 1
            elif value == ">":
                depth -= 1
                if depth == 0:
                    return index
        index += 1
    raise UnreadableError


def after(tokens: Sequence[Token], index: int) -> int:
    """The index behind a bracket, or behind one token."""
    kind, value = tokens[index]
    if kind == "operator" and value in OPEN:
        return closing(tokens, index) + 1
    if kind == "operator" and value == "<":
        return closing_angle(tokens, index) + 1
    return index + 1


def find(tokens: Sequence[Token], wanted: str, start: int = 0) -> int | None:
    """The first ``wanted`` outside all brackets."""
    index = start
    while index < len(tokens):
        kind, value = tokens[index]
        if kind == "operator" and value == wanted:
            return index
        if kind == "operator" and value in CLOSE:
            raise UnreadableError
        index = after(tokens, index)
    return None


def find_angle(tokens: Sequence[Token]) -> int | None:
    """The first ``<`` outside the other brackets."""
    index = 0
    while index < len(tokens):
        if tokens[index] == ("operator", "<"):
            return index
        index = after(tokens, index)
    return None


def split(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """``tokens`` cut at the commas outside all brackets, empty pieces dropped."""
    pieces: list[Sequence[Token]] = []
    start = index = 0
    is_type = False
    while index < len(tokens):
        kind, value = tokens[index]
        if kind == "operator" and value == ",":
            pieces.append(tokens[start:index])
            start, is_type = index + 1, False
            index += 1
        elif kind == "operator" and value in CLOSE:
            raise UnreadableError
        elif kind == "operator" and value == "<" and not is_type:
            # Before a colon `<` compares; defaults hold expressions of any kind.
            index += 1
        else:
            is_type = (is_type or value == ":") and value != "="
            index = after(tokens, index)
    pieces.append(tokens[start:])
    return [each for each in pieces if each]


def split_types(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """Types cut at the commas outside all brackets, empty pieces dropped; ``<`` always opens a bracket."""
    pieces: list[Sequence[Token]] = []
    start = index = 0
    while index < len(tokens):
        kind, value = tokens[index]
        if kind == "operator" and value == ",":
            pieces.append(tokens[start:index])
            start = index + 1
            index += 1
        else:
            if kind == "operator" and (value in CLOSE or value == ">"):
                raise UnreadableError
            index = after(tokens, index)
    pieces.append(tokens[start:])
    return [each for each in pieces if each]
