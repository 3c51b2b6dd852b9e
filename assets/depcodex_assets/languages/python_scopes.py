"""What a Python module's or class's body collects while it is read, and what kind of thing each name is.

Here: which of several definitions of a name wins, how overloads join, kinds of assignments, what decorators mean.
Not here: walking a tree (python_modules).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from dataclasses import dataclass

from depcodex_assets.languages.python_syntax import Definition

# Without "property" in their names: pandas, sqlalchemy.
_PROPERTY_MAKERS = ("cache_readonly", "memoized_attribute")
_ACCESSORS = ("setter", "deleter", "getter")
# Callables whose result is a type: its name is used in annotations.
_TYPE_MAKERS = frozenset(
    ("TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "TypeAliasType", "namedtuple", "NamedTuple", "TypedDict")
)
# Subscripted, they make a type alias even without `TypeAlias` beside it.
_TYPE_FORMS = frozenset(
    (
        "Annotated",
        "Callable",
        "Dict",
        "FrozenSet",
        "Iterable",
        "Iterator",
        "List",
        "Literal",
        "Mapping",
        "Optional",
        "Sequence",
        "Set",
        "Tuple",
        "Type",
        "Union",
        "Awaitable",
        "AsyncIterator",
        "Coroutine",
        "Generator",
    )
)
_ENUM_ENDINGS = ("Enum", "Flag", "Choices")


@dataclass(frozen=True, slots=True)
class DecoratorMarks:
    """What a definition's decorators say about it."""

    is_property: bool = False
    is_accessor: bool = False
    is_overload: bool = False
    is_deprecated: bool = False


_NO_MARKS = DecoratorMarks()


@functools.lru_cache(maxsize=4096)
def decorator_marks(heads: tuple[str, ...]) -> DecoratorMarks:
    """Read decorators by their dotted names (without arguments).

    Example:
        >>> decorator_marks(("functools.cached_property",)).is_property, decorator_marks(("name.setter",)).is_accessor
        (True, True)
    """
    if not heads:
        return _NO_MARKS
    lasts = [head.rpartition(".")[2] for head in heads]
    return DecoratorMarks(
        # cached_property, hybrid_property, classproperty, memoized_property …
        is_property=any(last.endswith("property") or last in _PROPERTY_MAKERS for last in lasts),
        is_accessor=any("." in head and last in _ACCESSORS for head, last in zip(heads, lasts, strict=True)),
        is_overload="overload" in lasts,
        is_deprecated="deprecated" in lasts,
    )


def enum_like(bases: Sequence[str]) -> bool:
    """Whether a class's plain assignments are its members: enums, by the names of the bases."""
    return any(base.endswith(_ENUM_ENDINGS) for base in bases)


class Scope:
    """Collects the definitions of one body.

    Args:
        prefix_kind: ``module`` or ``class``.
        is_enum: assignments are members of an enum.
    """

    __slots__ = ("_definitions", "_overloads", "is_enum", "is_module")

    def __init__(self, *, prefix_kind: str, is_enum: bool = False) -> None:
        self.is_module = prefix_kind == "module"
        self.is_enum = is_enum
        self._definitions: dict[str, Definition] = {}
        self._overloads: dict[str, list[Definition]] = {}

    def add(self, definition: Definition) -> None:
        """Keep a definition: the first of its name wins, unless it is an assignment and this one is not."""
        name = definition.name
        if definition.is_overload:
            self._overloads.setdefault(name, []).append(definition)
            return
        known = self._definitions.get(name)
        if known is None or (known.is_assignment and not definition.is_assignment):
            self._definitions[name] = definition
        elif known.is_assignment and known.doc is None and definition.doc is not None:
            self._definitions[name] = dataclasses.replace(known, doc=definition.doc)

    def kind_of(self, name: str) -> str | None:
        """The kind of a name defined so far."""
        known = self._definitions.get(name)
        return known.kind if known else None

    def close(self) -> dict[str, Definition]:
        """The definitions by name, overloads joined to their implementation."""
        for name, overloads in self._overloads.items():
            implementation = self._definitions.get(name)
            if implementation is not None and implementation.is_assignment:
                implementation = None
            base = implementation or overloads[0]
            self._definitions[name] = dataclasses.replace(
                base,
                signatures=tuple(dict.fromkeys(each.signatures[0] for each in overloads)),
                doc=base.doc or next((each.doc for each in overloads if each.doc), None),
                is_annotated=True,
                # One deprecated overload of several deprecates a way to call, not the name.
                is_deprecated=base.is_deprecated
                if implementation is not None
                else all(each.is_deprecated for each in overloads),
                is_overload=False,
            )
        return self._definitions


def assignment_kind(scope: Scope, name: str, annotation: str, head: str, reference: str) -> str:
    """``constant``, ``type``, ``property`` or ``method`` for an assigned name.

    Args:
        scope: where it is assigned.
        name: the name.
        annotation: its annotation as written; "" without one.
        head: the last name of what its value calls or subscripts; "" otherwise.
        reference: the dotted name its value is; "" otherwise.
    """
    if scope.is_module:
        is_type = annotation.endswith("TypeAlias") or head in _TYPE_MAKERS or head in _TYPE_FORMS
        return "type" if is_type else "constant"
    if scope.kind_of(reference) == "method":
        return "method"
    is_member = scope.is_enum and not annotation and not name.startswith("_")
    return "constant" if is_member or (name.isupper() and len(name) > 1) else "property"
