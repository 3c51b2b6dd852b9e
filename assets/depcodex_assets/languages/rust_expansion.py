"""Macros by example, expanded: what a crate's own ``macro_rules!`` make in the place of items.

Here: definitions as trees of tokens, matching a call, writing out what the first matching arm makes. Not here: reading
what was made (rust_files). Procedural macros and other crates' macros are not known here: nothing is ever run.

Spec: the Rust reference, "Macros By Example". Fragments are recognised by their tokens, which is enough for what stands
in the place of items; a call that no arm takes, or that grows beyond bounds, is left as it is. Nothing is tried twice,
as in the compiler, so a call costs no more than its length times its arms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from depcodex_assets.languages.rust_docs import comment_piece
from depcodex_assets.languages.rust_matching import (
    Element,
    Group,
    Grouped,
    Matched,
    Matcher,
    NoMatchError,
    Repeat,
    Tree,
    Variable,
    is_token,
    names_of,
)
from depcodex_assets.rust_tokens import RustToken, RustTokenError, rust_tokens, tokens_from

_MAX_DEPTH = 60
# A macro that makes more than this in one crate is a table or a bomb.
MAX_EXPANDED_CHARACTERS = 1_500_000
MAX_CALLS = 10_000
_MAX_CALL_CHARACTERS = 400_000
_MAX_DEFINITION_TOKENS = 60_000
_DEFINITION_PATTERN = re.compile(r"\bmacro_rules!\s*(?P<name>[A-Za-z_]\w*)\s*(?=[({\[])")
_ALIAS_PATTERN = re.compile(r"\buse\s+[\w:]*?(?P<name>\w+)\s+as\s+(?P<alias>\w+)\s*;")
_PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class _Arm:
    pattern: tuple[Element, ...]
    body: tuple[Element, ...]


@dataclass
class Macros:
    """The macros of one crate.

    Attributes:
        arms: by name, and then by the file that defines it.
        remaining: characters that may still be made.
        remaining_calls: calls that may still be expanded.
    """

    arms: Mapping[str, Mapping[str, Sequence[_Arm]]]
    remaining: int = field(default=MAX_EXPANDED_CHARACTERS)
    remaining_calls: int = field(default=MAX_CALLS)

    def expanded(self, name: str, call: str, path: str = "") -> str | None:
        """What a call makes, as text on one line; None where no arm of the crate takes it.

        Args:
            name: of the macro.
            call: what stands between its brackets.
            path: of the file that calls it; its own macros come first.
        """
        known = self.arms.get(name, {})
        arms = [*known.get(path, ()), *(arm for place, each in known.items() if place != path for arm in each)]
        if not arms or len(call) > _MAX_CALL_CHARACTERS or self.remaining_calls <= 0:
            return None
        self.remaining_calls -= 1
        try:
            trees = _trees(_code(rust_tokens(call)))
        except (RustTokenError, NoMatchError, RecursionError):
            return None
        for arm in arms:
            try:
                matched: dict[str, Matched] = {}
                if Matcher(trees).matches(arm.pattern, matched):
                    writer = _Writer(self.remaining)
                    text = writer.written(arm.body, matched)
                    self.remaining -= len(text)
                    return text
            except (NoMatchError, RecursionError):
                continue
        return None


def read_macros(sources: Mapping[str, str]) -> Macros:
    """The macros that a crate's sources (path → text) define.

    Example:
        >>> macros = read_macros({"a.rs": "macro_rules! both { ($($n:ident),*) => { $(pub fn $n() {})* } }"})
        >>> macros.expanded("both", "a, b")
        'pub fn a() { } pub fn b() { }'
    """
    arms: dict[str, dict[str, list[_Arm]]] = {}
    renamed: dict[str, str] = {}
    for path, text in sources.items():
        renamed.update((match["alias"], match["name"]) for match in _ALIAS_PATTERN.finditer(text))
        for match in _DEFINITION_PATTERN.finditer(text):
            try:
                (body,) = _trees(_definition_tokens(text, match.end()))
                if isinstance(body, Group):
                    arms.setdefault(match["name"], {}).setdefault(path, []).extend(_arms(body.trees))
            except (RustTokenError, NoMatchError, RecursionError, ValueError):
                continue
    for alias, name in renamed.items():
        if name in arms and alias not in arms:
            arms[alias] = arms[name]
    return Macros(arms)


def _definition_tokens(text: str, position: int) -> list[RustToken]:
    """The tokens of one pair of brackets."""
    found: list[RustToken] = []
    depth = 0
    for token in tokens_from(text, position):
        if token.kind == "operator":
            depth += (token.text in _PAIRS) - (token.text in (")", "]", "}"))
        found.append(token)
        if not depth:
            return list(_code(found))
        if len(found) > _MAX_DEFINITION_TOKENS:
            break
    raise NoMatchError


def _code(tokens: Iterable[RustToken]) -> Iterator[RustToken]:
    """Tokens without spaces and comments; documentation as the attribute that it is."""
    for token in tokens:
        if token.kind == "comment":
            piece = comment_piece(token.text, is_inner=False)
            if piece is not None:
                hashes = "#" * (max((len(each) for each in re.findall(r'"(#*)', piece.text)), default=-1) + 1)
                yield from (RustToken("operator", "#"), RustToken("operator", "["), RustToken("name", "doc"))
                yield from (RustToken("operator", "="), RustToken("string", f'r{hashes}"{piece.text}"{hashes}'))
                yield RustToken("operator", "]")
        elif token.kind != "space":
            yield token


def _trees(tokens: Iterable[RustToken]) -> tuple[Tree, ...]:
    stack: list[tuple[str, list[Tree]]] = [("", [])]
    for token in tokens:
        if token.kind == "operator" and token.text in _PAIRS:
            if len(stack) > _MAX_DEPTH:
                raise NoMatchError
            stack.append((token.text, []))
        elif token.kind == "operator" and token.text in (")", "]", "}"):
            opening, trees = stack.pop()
            if _PAIRS.get(opening) != token.text:
                raise NoMatchError
            stack[-1][1].append(Group(opening, tuple(trees)))
        else:
            stack[-1][1].append(token)
    if len(stack) != 1:
        raise NoMatchError
    return tuple(stack[0][1])


def _arms(trees: Sequence[Tree]) -> Iterator[_Arm]:
    rest = [each for each in trees if not is_token(each, ";")]
    for index in range(0, len(rest) - 2, 3):
        pattern, arrow, body = rest[index : index + 3]
        if not isinstance(pattern, Group) or not is_token(arrow, "=>") or not isinstance(body, Group):
            return
        yield _Arm(_elements(pattern.trees, is_pattern=True), _elements(body.trees, is_pattern=False))


def _elements(trees: Sequence[Tree], *, is_pattern: bool) -> tuple[Element, ...]:
    found: list[Element] = []
    index = 0
    while index < len(trees):
        tree = trees[index]
        following = trees[index + 1] if index + 1 < len(trees) else None
        if is_token(tree, "$") and isinstance(following, Group) and following.opening == "(":
            operators = trees[index + 2 : index + 4]
            separator = ""
            if operators and not (isinstance(operators[0], RustToken) and operators[0].text in ("*", "+", "?")):
                if len(operators) < 2 or not isinstance(operators[0], RustToken):
                    raise NoMatchError
                separator = operators[0].text
                operators = operators[1:]
            if not operators or not isinstance(operators[0], RustToken):
                raise NoMatchError
            inner = _elements(following.trees, is_pattern=is_pattern)
            found.append(Repeat(inner, separator, operators[0].text))
            index += 3 + bool(separator)
        elif is_token(tree, "$") and isinstance(following, RustToken) and following.kind == "name":
            fragment = trees[index + 3] if is_pattern and index + 3 < len(trees) else None
            if following.text == "crate":
                found.append(following)
                index += 2
            elif is_pattern and is_token(trees[index + 2] if index + 2 < len(trees) else None, ":"):
                found.append(Variable(following.text, fragment.text if isinstance(fragment, RustToken) else ""))
                index += 4
            else:
                found.append(Variable(following.text, ""))
                index += 2
        elif isinstance(tree, Group):
            found.append(Grouped(tree.opening, _elements(tree.trees, is_pattern=is_pattern)))
            index += 1
        else:
            found.append(tree)
            index += 1
    return tuple(found)


class _Writer:
    """What an arm makes, as text."""

    def __init__(self, max_characters: int) -> None:
        self._left = max_characters

    def written(self, body: Sequence[Element], matched: Mapping[str, Matched]) -> str:
        """The body with its variables in it."""
        pieces: list[str] = []
        self._write(body, matched, pieces)
        return _joined(pieces)

    def _add(self, text: str, pieces: list[str]) -> None:
        self._left -= len(text) + 1
        if self._left < 0:
            raise NoMatchError
        if pieces and (pieces[-1] == "$" or (pieces[-1] == "macro_rules" and text == "!")):
            # A macro that makes macros: the grammar wants these in one piece.
            pieces[-1] += text
        elif pieces and text in _COMPOUND.get(pieces[-1], ()):
            pieces[-1] += text
        else:
            pieces.append(text)

    def _write(self, body: Sequence[Element], matched: Mapping[str, Matched], pieces: list[str]) -> None:
        for element in body:
            match element:
                case Variable():
                    value = matched.get(element.name)
                    if value is None:
                        # A macro that makes macros: the variable is the inner one's.
                        self._add(f"${element.name}", pieces)
                    elif value.repeated is not None:
                        raise NoMatchError
                    else:
                        self._write_trees(value.trees, pieces)
                case Repeat():
                    self._write_repeated(element, matched, pieces)
                case Grouped():
                    self._add(element.opening, pieces)
                    self._write(element.elements, matched, pieces)
                    self._add(_PAIRS[element.opening], pieces)
                case RustToken():
                    self._add(element.text, pieces)

    def _write_repeated(self, repeat: Repeat, matched: Mapping[str, Matched], pieces: list[str]) -> None:
        names = [name for name in dict.fromkeys(names_of(repeat.elements)) if name in matched]
        rounds = {len(found) for name in names if (found := matched[name].repeated) is not None}
        if len(rounds) != 1:
            raise NoMatchError
        for number in range(rounds.pop()):
            if number and repeat.separator:
                self._add(repeat.separator, pieces)
            inner = dict(matched)
            for name in names:
                repeated = matched[name].repeated
                if repeated is not None:
                    inner[name] = repeated[number]
            self._write(repeat.elements, inner, pieces)

    def _write_trees(self, trees: Sequence[Tree], pieces: list[str]) -> None:
        for tree in trees:
            if isinstance(tree, Group):
                self._add(tree.opening, pieces)
                self._write_trees(tree.trees, pieces)
                self._add(_PAIRS[tree.opening], pieces)
            else:
                self._add(tree.text, pieces)


# Operators of several tokens, which brackets of generics keep apart: `+=`, `<<`, `>>=`.
_COMPOUND: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys("+-*/%^&|", ("=",)),
    "<": ("<", "<="),
    ">": (">", ">="),
}
_TIGHT_BEFORE = frozenset({")", "]", ",", ";", "?", ":", "::", ">", "."})
_TIGHT_BEHIND = frozenset({"(", "[", "&", "#", "::", "."})
_TIGHT_BEHIND_NAMES = frozenset({"(", "[", "!", "<"})


def _joined(pieces: Sequence[str]) -> str:
    """Tokens as a person would write them; no two are put together that would be another one."""
    written: list[str] = []
    previous = ""
    for piece in pieces:
        is_name_before = previous[-1:].isalnum() or previous[-1:] == "_"
        is_tight = (
            piece in _TIGHT_BEFORE
            or (piece in _TIGHT_BEHIND_NAMES and is_name_before)
            or (previous in _TIGHT_BEHIND and not piece.startswith("&"))
            or (previous in ("<", "!") and (piece[:1].isalnum() or piece[:1] in "_'(["))
        )
        if previous and not is_tight:
            written.append(" ")
        written.append(piece)
        previous = piece
    return "".join(written)
