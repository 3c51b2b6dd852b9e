"""The types of one artifact: which there are, what a written name means, what is inherited from where.

Here: names across files, supertypes, the documentation that an overriding member takes over. Not here: reading a file
(java, kotlin, jvm_class), rows (jvm).

Specs: the Java Language Specification 6.4.1 and 6.5 (which declaration a name means), 8.4.8 (inheritance); the standard
doclet's "automatic copying of method comments".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from depcodex_assets.languages.jvm_doc import INHERITED
from depcodex_assets.languages.jvm_syntax import Definition, FileSyntax

# Real hierarchies end after a dozen steps; a hostile one may be a circle or a lattice.
_MAX_TYPES_VISITED = 200
_MAX_NESTED_DOCS = 8
# What needs no import and is a base or a receiver often enough to be looked up.
_JAVA_LANG = """
    Object String Iterable Comparable Runnable AutoCloseable Cloneable CharSequence Number Enum Record Thread
    ThreadLocal ClassLoader Exception RuntimeException Error Throwable IllegalArgumentException
    IllegalStateException UnsupportedOperationException IndexOutOfBoundsException NullPointerException
    ArithmeticException ClassCastException Appendable Readable Class Process SecurityManager
"""
_KOTLIN = """
    Any String CharSequence Comparable Number Int Long Short Byte Double Float Char Boolean Array Enum Throwable
    Function Lazy Pair Triple Result Unit Nothing AutoCloseable IntArray LongArray ByteArray CharArray ShortArray
    DoubleArray FloatArray BooleanArray UInt ULong UByte UShort UIntArray ULongArray UByteArray UShortArray
"""
_KOTLIN_COLLECTIONS = """
    Iterable MutableIterable Collection MutableCollection List MutableList Set MutableSet Map MutableMap Iterator
    MutableIterator ListIterator AbstractList AbstractMap AbstractSet AbstractCollection ArrayList HashMap HashSet
    LinkedHashMap LinkedHashSet AbstractMutableList AbstractMutableMap AbstractMutableSet Grouping ArrayDeque
"""
_KOTLIN_THROWABLES = """
    Exception RuntimeException Error IllegalArgumentException IllegalStateException NoSuchElementException
    UnsupportedOperationException IndexOutOfBoundsException ConcurrentModificationException NumberFormatException
"""
_IMPLICIT: Mapping[str, Mapping[str, str]] = {
    "java": {name: f"java.lang.{name}" for name in _JAVA_LANG.split()},
    "kotlin": {
        **{name: f"kotlin.{name}" for name in f"{_KOTLIN} {_KOTLIN_THROWABLES}".split()},
        **{name: f"kotlin.collections.{name}" for name in _KOTLIN_COLLECTIONS.split()},
        **{name: f"kotlin.sequences.{name}" for name in ("Sequence",)},
    },
    "jvm-class": {},
}


@dataclass(frozen=True, slots=True)
class Type:
    """One class, interface, object or annotation of the artifact.

    Attributes:
        symbol: its canonical name.
        definition: what was written.
        syntax: the file that it stands in.
        outer: the symbol of the class around it; "" at the top level.
        is_public: a caller can name it and all that is around it.
    """

    symbol: str
    definition: Definition
    syntax: FileSyntax
    outer: str
    is_public: bool


class Types:
    """The types of one artifact by symbol; of twins the first wins."""

    def __init__(self) -> None:
        self._types: dict[str, Type] = {}
        self._members: dict[str, dict[str, list[Definition]]] = {}
        self._bases: dict[str, tuple[str, ...]] = {}

    def add(self, found: Type) -> None:
        """Enters a type; of twins the first that has members or bases is kept."""
        known = self._types.get(found.symbol)
        if known is None or (not known.definition.members and not known.definition.bases):
            self._types[found.symbol] = found

    def get(self, symbol: str) -> Type | None:
        """The type of that name."""
        return self._types.get(symbol)

    def hidden(self) -> Iterator[Type]:
        """The types that no caller can name."""
        return (each for each in self._types.values() if not each.is_public)

    def resolve(self, written: str, syntax: FileSyntax, owner: str) -> str:
        """The full name that ``written`` means inside ``owner`` ("" at the top level); as written where nobody says."""
        head, dot, rest = written.partition(".")
        tail = f"{dot}{rest}"
        types = self._types
        scope = owner
        while scope and scope != syntax.package:
            if f"{scope}.{head}" in types:
                return f"{scope}.{head}{tail}"
            if scope.rpartition(".")[2] == head and scope in types:
                return f"{scope}{tail}"
            scope = scope.rpartition(".")[0]
        if head in syntax.imports:
            return f"{syntax.imports[head]}{tail}"
        beside = f"{syntax.package}.{head}" if syntax.package else head
        if beside in types:
            return f"{beside}{tail}"
        for star in syntax.stars:
            if f"{star}.{head}" in types:
                return f"{star}.{head}{tail}"
        if written in types:
            return written
        implicit = _IMPLICIT[syntax.language].get(head)
        return f"{implicit}{tail}" if implicit else written

    def bases(self, symbol: str) -> tuple[str, ...]:
        """The full names of a type's supertypes."""
        known = self._bases.get(symbol)
        if known is None:
            found = self._types.get(symbol)
            known = ()
            if found is not None:
                # A supertype is written around the class, not in it.
                known = tuple(
                    dict.fromkeys(
                        each
                        for written in found.definition.bases
                        if (each := self.resolve(written, found.syntax, found.outer)) != symbol
                    )
                )
            self._bases[symbol] = known
        return known

    def public_bases(self, symbol: str) -> tuple[str, ...]:
        """As ``bases``, with those in place of a hidden class that it has itself."""
        found: dict[str, None] = {}
        seen = {symbol}
        stack = list(reversed(self.bases(symbol)))
        while stack and len(seen) < _MAX_TYPES_VISITED:
            base = stack.pop()
            if base in seen:
                continue
            seen.add(base)
            known = self._types.get(base)
            if known is None or known.is_public:
                found[base] = None
            else:
                stack += reversed(self.bases(base))
        return tuple(found)

    def hidden_bases(self, symbol: str) -> Iterator[Type]:
        """The classes that a public class inherits from and no caller can name, nearest first."""
        seen = {symbol}
        queue = list(self.bases(symbol))
        for base in queue:
            known = self._types.get(base)
            if base in seen or known is None or known.is_public or len(seen) > _MAX_TYPES_VISITED:
                continue
            seen.add(base)
            yield known
            queue += self.bases(base)

    def overridden(self, member: Definition, owner: str) -> tuple[Definition, str] | None:
        """The documented member that ``member`` of ``owner`` overrides, and its class; None outside the artifact."""
        seen = {owner}
        queue = list(self.bases(owner))
        for base in queue:
            if base in seen or base not in self._types or len(seen) > _MAX_TYPES_VISITED:
                continue
            seen.add(base)
            found = _same(member, self._named(base).get(member.name, ()))
            if found is not None and found.doc is not None:
                return found, base
            queue += self.bases(base)
        return None

    def doc(self, member: Definition, owner: str, depth: int = 0) -> str | None:
        """A member's own documentation, with the overridden one's where it asks for it."""
        doc = member.doc
        if doc is None or INHERITED not in doc:
            return doc
        found = self.overridden(member, owner) if depth < _MAX_NESTED_DOCS else None
        inherited = self.doc(*found, depth + 1) if found is not None else None
        description = (inherited or "").split("\n@", 1)[0]
        return (
            doc.replace(INHERITED, "" if description.startswith("@") else description, 1).replace(INHERITED, "").strip()
            or inherited
        )

    def _named(self, symbol: str) -> dict[str, list[Definition]]:
        known = self._members.get(symbol)
        if known is None:
            known = {}
            for each in self._types[symbol].definition.members:
                if not each.is_static and not each.is_constructor:
                    known.setdefault(each.name, []).append(each)
            self._members[symbol] = known
        return known


def _same(member: Definition, candidates: list[Definition] | tuple[()]) -> Definition | None:
    """The candidate with the same parameters: by their types, else the only one with as many."""
    for each in candidates:
        if each.key == member.key and each.kind == member.kind:
            return each
    if member.key is None:
        return None
    close = [each for each in candidates if each.key is not None and len(each.key) == len(member.key)]
    return close[0] if len(close) == 1 else None
