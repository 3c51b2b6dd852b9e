"""Macros by example, expanded: what a crate's own ``macro_rules!`` make in the place of items.

Here: definitions as trees of tokens, matching a call, writing out what the first matching arm makes. Not here: reading
what was made (rust_files). Procedural macros and other crates' macros are not known here: nothing is ever run.

Spec: the Rust reference, "Macros By Example". Fragments are recognised by their tokens, which is enough for what stands
in the place of items; a call that no arm takes, or that grows beyond bounds, is left as it is. Nothing is tried twice,
as in the compiler, so a call costs no more than its length times its arms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from depcodex_assets.languages.rust_docs import comment_piece
from depcodex_assets.rust_tokens import RustToken, RustTokenError, rust_tokens, tokens_from

_MAX_DEPTH = 60
# A macro that makes more than this in one crate is a table or a bomb.
MAX_EXPANDED_CHARACTERS = 3_000_000
_MAX_CALL_CHARACTERS = 400_000
_MAX_DEFINITION_TOKENS = 60_000
_DEFINITION_PATTERN = re.compile(r"\bmacro_rules!\s*(?P<name>[A-Za-z_]\w*)\s*(?=[({\[])")
_ALIAS_PATTERN = re.compile(r"\buse\s+[\w:]*?(?P<name>\w+)\s+as\s+(?P<alias>\w+)\s*;")
_PAIRS = {"(": ")", "[": "]", "{": "}"}


class _NoMatchError(Exception):
    """A call is not what an arm takes, or is over a bound."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tokens in brackets."""

    opening: str
    trees: tuple[Tree, ...]


Tree = RustToken | Group


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    fragment: str


@dataclass(frozen=True, slots=True)
class _Repeat:
    elements: tuple[_Element, ...]
    separator: str
    operator: str


@dataclass(frozen=True, slots=True)
class _Grouped:
    opening: str
    elements: tuple[_Element, ...]


_Element = RustToken | _Variable | _Repeat | _Grouped


@dataclass(frozen=True, slots=True)
class _Matched:
    """What a variable stands for: trees, or one of it for each repetition."""

    trees: tuple[Tree, ...] = ()
    repeated: tuple[_Matched, ...] | None = None


@dataclass(frozen=True, slots=True)
class _Arm:
    pattern: tuple[_Element, ...]
    body: tuple[_Element, ...]


@dataclass
class Macros:
    """The macros of one crate.

    Attributes:
        arms: by name, and then by the file that defines it.
        remaining: characters that may still be made.
    """

    arms: Mapping[str, Mapping[str, Sequence[_Arm]]]
    remaining: int = field(default=MAX_EXPANDED_CHARACTERS)

    def expanded(self, name: str, call: str, path: str = "") -> str | None:
        """What a call makes, as text on one line; None where no arm of the crate takes it.

        Args:
            name: of the macro.
            call: what stands between its brackets.
            path: of the file that calls it; its own macros come first.
        """
        known = self.arms.get(name, {})
        arms = [*known.get(path, ()), *(arm for place, each in known.items() if place != path for arm in each)]
        if not arms or len(call) > _MAX_CALL_CHARACTERS:
            return None
        try:
            trees = _trees(_code(rust_tokens(call)))
        except (RustTokenError, _NoMatchError, RecursionError):
            return None
        for arm in arms:
            try:
                matched: dict[str, _Matched] = {}
                if _Matcher(trees).matches(arm.pattern, matched):
                    writer = _Writer(self.remaining)
                    text = writer.written(arm.body, matched)
                    self.remaining -= len(text)
                    return text
            except (_NoMatchError, RecursionError):
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
            except (RustTokenError, _NoMatchError, RecursionError, ValueError):
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
    raise _NoMatchError


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
                raise _NoMatchError
            stack.append((token.text, []))
        elif token.kind == "operator" and token.text in (")", "]", "}"):
            opening, trees = stack.pop()
            if _PAIRS.get(opening) != token.text:
                raise _NoMatchError
            stack[-1][1].append(Group(opening, tuple(trees)))
        else:
            stack[-1][1].append(token)
    if len(stack) != 1:
        raise _NoMatchError
    return tuple(stack[0][1])


def _arms(trees: Sequence[Tree]) -> Iterator[_Arm]:
    rest = [each for each in trees if not _is(each, ";")]
    for index in range(0, len(rest) - 2, 3):
        pattern, arrow, body = rest[index : index + 3]
        if not isinstance(pattern, Group) or not _is(arrow, "=>") or not isinstance(body, Group):
            return
        yield _Arm(_elements(pattern.trees, is_pattern=True), _elements(body.trees, is_pattern=False))


def _is(tree: Tree | None, text: str) -> bool:
    return isinstance(tree, RustToken) and tree.text == text


def _elements(trees: Sequence[Tree], *, is_pattern: bool) -> tuple[_Element, ...]:
    found: list[_Element] = []
    index = 0
    while index < len(trees):
        tree = trees[index]
        following = trees[index + 1] if index + 1 < len(trees) else None
        if _is(tree, "$") and isinstance(following, Group) and following.opening == "(":
            operators = trees[index + 2 : index + 4]
            separator = ""
            if operators and not (isinstance(operators[0], RustToken) and operators[0].text in ("*", "+", "?")):
                if len(operators) < 2 or not isinstance(operators[0], RustToken):
                    raise _NoMatchError
                separator = operators[0].text
                operators = operators[1:]
            if not operators or not isinstance(operators[0], RustToken):
                raise _NoMatchError
            inner = _elements(following.trees, is_pattern=is_pattern)
            found.append(_Repeat(inner, separator, operators[0].text))
            index += 3 + bool(separator)
        elif _is(tree, "$") and isinstance(following, RustToken) and following.kind == "name":
            fragment = trees[index + 3] if is_pattern and index + 3 < len(trees) else None
            if following.text == "crate":
                found.append(following)
                index += 2
            elif is_pattern and _is(trees[index + 2] if index + 2 < len(trees) else None, ":"):
                found.append(_Variable(following.text, fragment.text if isinstance(fragment, RustToken) else ""))
                index += 4
            else:
                found.append(_Variable(following.text, ""))
                index += 2
        elif isinstance(tree, Group):
            found.append(_Grouped(tree.opening, _elements(tree.trees, is_pattern=is_pattern)))
            index += 1
        else:
            found.append(tree)
            index += 1
    return tuple(found)


class _Matcher:
    """A position in the trees of a call."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._trees = trees
        self._at = 0

    def matches(self, pattern: Sequence[_Element], matched: dict[str, _Matched]) -> bool:
        """Whether the pattern takes all of the trees."""
        return self._take(pattern, matched) and self._at == len(self._trees)

    def _take(self, pattern: Sequence[_Element], matched: dict[str, _Matched]) -> bool:
        return all(self._take_one(element, matched) for element in pattern)

    def _take_one(self, element: _Element, matched: dict[str, _Matched]) -> bool:
        match element:
            case _Repeat():
                return self._take_repeated(element, matched)
            case _Variable():
                start = self._at
                if not self._take_fragment(element.fragment):
                    self._at = start
                    return False
                matched[element.name] = _Matched(tuple(self._trees[start : self._at]))
                return True
            case _Grouped():
                tree = self._peek()
                if not isinstance(tree, Group) or tree.opening != element.opening:
                    return False
                if not _Matcher(tree.trees).matches(element.elements, matched):
                    return False
            case RustToken():
                if not _is(self._peek(), element.text):
                    return False
        self._at += 1
        return True

    def _take_repeated(self, repeat: _Repeat, matched: dict[str, _Matched]) -> bool:
        rounds: list[dict[str, _Matched]] = []
        while self._at < len(self._trees) or not rounds:
            start = self._at
            if rounds and repeat.separator:
                if not _is(self._peek(), repeat.separator):
                    break
                self._at += 1
            inner: dict[str, _Matched] = {}
            if not self._take(repeat.elements, inner) or self._at == start:
                self._at = start
                break
            rounds.append(inner)
            if repeat.operator == "?":
                break
        for name in _names(repeat.elements):
            matched[name] = _Matched(repeated=tuple(each[name] for each in rounds if name in each))
        return bool(rounds) or repeat.operator != "+"

    def _peek(self, ahead: int = 0) -> Tree | None:
        return self._trees[self._at + ahead] if self._at + ahead < len(self._trees) else None

    def _kind(self) -> str:
        tree = self._peek()
        return tree.kind if isinstance(tree, RustToken) else ""

    def _take_fragment(self, fragment: str) -> bool:
        """Passes over one fragment; False where none stands here."""
        match fragment:
            case "vis":
                if _is(self._peek(), "pub"):
                    self._at += 1
                    group = self._peek()
                    if isinstance(group, Group) and group.opening == "(" and _is_restriction(group):
                        self._at += 1
                return True
            case "ident" | "lifetime":
                return self._take_if(self._kind() == {"ident": "name", "lifetime": "lifetime"}[fragment])
            case "tt":
                return self._take_if(self._peek() is not None)
            case "literal":
                if _is(self._peek(), "-"):
                    self._at += 1
                is_word = _is(self._peek(), "true") or _is(self._peek(), "false")
                return self._take_if(is_word or self._kind() in ("string", "char", "number"))
            case "block":
                tree = self._peek()
                return self._take_if(isinstance(tree, Group) and tree.opening == "{")
            case "item":
                return self._take_item()
            case "ty" | "path":
                return self._take_type()
            case "meta":
                return self._take_until({","}, self._never)
            case "pat" | "pat_param":
                return self._take_until({",", "=>", "=", "if", "in"}, self._never)
            case "expr" | "expr_2021" | "stmt":
                return self._take_until({",", ";", "=>"}, self._never)
        return False

    def _take_if(self, is_there: bool) -> bool:
        self._at += is_there
        return is_there

    @staticmethod
    def _never(tree: Tree) -> bool:
        del tree
        return False

    def _take_until(self, ends: set[str], is_end: Callable[[Tree], bool]) -> bool:
        start = self._at
        while (tree := self._peek()) is not None:
            if (isinstance(tree, RustToken) and tree.text in ends) or is_end(tree):
                break
            self._at += 1
        return self._at > start

    def _take_type(self) -> bool:
        start = self._at
        depth = 0
        while (tree := self._peek()) is not None:
            if isinstance(tree, Group):
                if tree.opening == "{" and not depth:
                    break
            elif tree.text == "<":
                depth += 1
            elif tree.text == ">":
                depth -= 1
                if depth < 0:
                    break
            elif not depth and tree.text in (",", ";", "=", "=>", "|", ":", "where", "as", "for", "#"):
                break
            self._at += 1
        return self._at > start and depth <= 0

    def _take_item(self) -> bool:
        while _is(self._peek(), "#") and isinstance(self._peek(1), Group):
            self._at += 2
        first = self._at
        ends_with_semicolon = False
        while (tree := self._peek()) is not None:
            self._at += 1
            if isinstance(tree, RustToken):
                if tree.text == ";":
                    return True
                is_valued = tree.text in ("const", "static", "type", "use") and not _is(self._peek(), "fn")
                ends_with_semicolon = ends_with_semicolon or is_valued
                if tree.text in ("fn", "impl", "trait", "struct", "enum", "union", "mod"):
                    ends_with_semicolon = False
            elif tree.opening == "{" and not ends_with_semicolon and self._at > first + 1:
                return True
        return False


def _is_restriction(group: Group) -> bool:
    first = group.trees[0] if group.trees else None
    return isinstance(first, RustToken) and first.text in ("crate", "super", "self", "in")


def _names(elements: Iterable[_Element]) -> Iterator[str]:
    for each in elements:
        if isinstance(each, _Variable):
            yield each.name
        elif isinstance(each, _Repeat | _Grouped):
            yield from _names(each.elements)


class _Writer:
    """What an arm makes, as text."""

    def __init__(self, max_characters: int) -> None:
        self._left = max_characters

    def written(self, body: Sequence[_Element], matched: Mapping[str, _Matched]) -> str:
        """The body with its variables in it."""
        pieces: list[str] = []
        self._write(body, matched, pieces)
        return _joined(pieces)

    def _add(self, text: str, pieces: list[str]) -> None:
        self._left -= len(text) + 1
        if self._left < 0:
            raise _NoMatchError
        if pieces and (pieces[-1] == "$" or (pieces[-1] == "macro_rules" and text == "!")):
            # A macro that makes macros: the grammar wants these in one piece.
            pieces[-1] += text
        else:
            pieces.append(text)

    def _write(self, body: Sequence[_Element], matched: Mapping[str, _Matched], pieces: list[str]) -> None:
        for element in body:
            match element:
                case _Variable():
                    value = matched.get(element.name)
                    if value is None:
                        # A macro that makes macros: the variable is the inner one's.
                        self._add(f"${element.name}", pieces)
                    elif value.repeated is not None:
                        raise _NoMatchError
                    else:
                        self._write_trees(value.trees, pieces)
                case _Repeat():
                    self._write_repeated(element, matched, pieces)
                case _Grouped():
                    self._add(element.opening, pieces)
                    self._write(element.elements, matched, pieces)
                    self._add(_PAIRS[element.opening], pieces)
                case RustToken():
                    self._add(element.text, pieces)

    def _write_repeated(self, repeat: _Repeat, matched: Mapping[str, _Matched], pieces: list[str]) -> None:
        names = [name for name in dict.fromkeys(_names(repeat.elements)) if name in matched]
        rounds = {len(found) for name in names if (found := matched[name].repeated) is not None}
        if len(rounds) != 1:
            raise _NoMatchError
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
