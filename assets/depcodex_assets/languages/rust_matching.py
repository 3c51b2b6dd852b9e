"""The call of a macro by example held against a pattern, by its tokens.

Here: trees of tokens, elements of patterns, and what a variable stands for. Not here: definitions, and writing out what
an arm makes (rust_expansion).

Spec: the Rust reference, "Macros By Example: metavariables, repetitions". Nothing is tried twice, as in the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from depcodex_assets.rust_tokens import RustToken


class NoMatchError(Exception):
    """A call is not what an arm takes, or is over a bound."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tokens in brackets."""

    opening: str
    trees: tuple[Tree, ...]


Tree = RustToken | Group


@dataclass(frozen=True, slots=True)
class Variable:
    """``$name:fragment`` in a pattern, ``$name`` in what an arm makes."""

    name: str
    fragment: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """``$( … ) separator operator``."""

    elements: tuple[Element, ...]
    separator: str
    operator: str


@dataclass(frozen=True, slots=True)
class Grouped:
    """Elements in brackets."""

    opening: str
    elements: tuple[Element, ...]


Element = RustToken | Variable | Repeat | Grouped


@dataclass(frozen=True, slots=True)
class Matched:
    """What a variable stands for: trees, or one of it for each repetition."""

    trees: tuple[Tree, ...] = ()
    repeated: tuple[Matched, ...] | None = None


def is_token(tree: Tree | None, text: str) -> bool:
    """Whether a tree is that one token."""
    return isinstance(tree, RustToken) and tree.text == text


class Matcher:
    """A position in the trees of a call."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        self._trees = trees
        self._at = 0

    def matches(self, pattern: Sequence[Element], matched: dict[str, Matched]) -> bool:
        """Whether the pattern takes all of the trees."""
        return self._take(pattern, matched) and self._at == len(self._trees)

    def _take(self, pattern: Sequence[Element], matched: dict[str, Matched]) -> bool:
        return all(self._take_one(element, matched) for element in pattern)

    def _take_one(self, element: Element, matched: dict[str, Matched]) -> bool:
        match element:
            case Repeat():
                return self._take_repeated(element, matched)
            case Variable():
                start = self._at
                if not self._take_fragment(element.fragment):
                    self._at = start
                    return False
                matched[element.name] = Matched(tuple(self._trees[start : self._at]))
                return True
            case Grouped():
                tree = self._peek()
                if not isinstance(tree, Group) or tree.opening != element.opening:
                    return False
                if not Matcher(tree.trees).matches(element.elements, matched):
                    return False
            case RustToken():
                if not is_token(self._peek(), element.text):
                    return False
        self._at += 1
        return True

    def _take_repeated(self, repeat: Repeat, matched: dict[str, Matched]) -> bool:
        rounds: list[dict[str, Matched]] = []
        while self._at < len(self._trees) or not rounds:
            start = self._at
            if rounds and repeat.separator:
                if not is_token(self._peek(), repeat.separator):
                    break
                self._at += 1
            inner: dict[str, Matched] = {}
            if not self._take(repeat.elements, inner) or self._at == start:
                self._at = start
                break
            rounds.append(inner)
            if repeat.operator == "?":
                break
        for name in names_of(repeat.elements):
            matched[name] = Matched(repeated=tuple(each[name] for each in rounds if name in each))
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
                if is_token(self._peek(), "pub"):
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
                if is_token(self._peek(), "-"):
                    self._at += 1
                is_word = is_token(self._peek(), "true") or is_token(self._peek(), "false")
                return self._take_if(is_word or self._kind() in ("string", "char", "number"))
            case "block":
                tree = self._peek()
                return self._take_if(isinstance(tree, Group) and tree.opening == "{")
            case "item":
                return self._take_item()
            case "ty" | "path":
                return self._take_type()
            case "meta":
                return self._take_until({","})
            case "pat" | "pat_param":
                return self._take_until({",", "=>", "=", "if", "in"})
            case "expr" | "expr_2021" | "stmt":
                return self._take_until({",", ";", "=>"})
        return False

    def _take_if(self, is_there: bool) -> bool:
        self._at += is_there
        return is_there

    def _take_until(self, ends: set[str]) -> bool:
        start = self._at
        while (tree := self._peek()) is not None:
            if isinstance(tree, RustToken) and tree.text in ends:
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
        while is_token(self._peek(), "#") and isinstance(self._peek(1), Group):
            self._at += 2
        first = self._at
        ends_with_semicolon = False
        while (tree := self._peek()) is not None:
            self._at += 1
            if isinstance(tree, RustToken):
                if tree.text == ";":
                    return True
                is_valued = tree.text in ("const", "static", "type", "use") and not is_token(self._peek(), "fn")
                ends_with_semicolon = ends_with_semicolon or is_valued
                if tree.text in ("fn", "impl", "trait", "struct", "enum", "union", "mod"):
                    ends_with_semicolon = False
            elif tree.opening == "{" and not ends_with_semicolon and self._at > first + 1:
                return True
        return False


def _is_restriction(group: Group) -> bool:
    first = group.trees[0] if group.trees else None
    return isinstance(first, RustToken) and first.text in ("crate", "super", "self", "in")


def names_of(elements: Iterable[Element]) -> Iterator[str]:
    """The variables of elements, inner ones among them."""
    for each in elements:
        if isinstance(each, Variable):
            yield each.name
        elif isinstance(each, Repeat | Grouped):
            yield from names_of(each.elements)
