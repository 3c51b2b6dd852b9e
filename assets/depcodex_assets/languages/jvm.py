"""The JVM's languages: the public declarations of one artifact, Java and Kotlin together, or its class files.

Here: symbols, aliases, overloads and twins, rows. Not here: reading a file (java, kotlin, jvm_class), what names mean
and what is inherited (jvm_types).

A symbol is the name a caller writes: package, classes around it, name. Functions outside of classes and extensions
stand in their package (their file's class and the receiver make aliases), a companion's members on its class. A
constructor is called by its class's name, so its signatures stand on the class; one with documentation of its own also
has an entry, which Javadoc's own way of naming it gives the name: ``Response.Response``. Of overloads the first that is
documented gives the text; a class goes before the functions that make it (``Job`` and ``Job()``), and what is common to
all platforms before what one of them adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from depcodex.coordinates import Coordinate
from depcodex_assets.general_words import word_set
from depcodex_assets.languages.declarations import Declaration, SourceFile, unread_file
from depcodex_assets.languages.java import read_java
from depcodex_assets.languages.jvm_class import read_class
from depcodex_assets.languages.jvm_readme import readme
from depcodex_assets.languages.jvm_syntax import MAX_DEPTH, Definition, FileSyntax
from depcodex_assets.languages.jvm_types import Type, Types
from depcodex_assets.languages.kotlin import read_kotlin

_READERS = {"java": read_java, "kotlin": read_kotlin, "jvm-class": read_class}
_SOURCES = ("java", "kotlin")
MAX_ALIASES = 32
# Modifiers that differ between a member and the one it overrides without changing how it is called.
_OVERRIDING = word_set(
    """
    public protected abstract override open final default static
    """
)


@dataclass(frozen=True, slots=True)
class _Written:
    """One declaration where it is written.

    Attributes:
        definition: what is written.
        syntax: the file.
        owner: the symbol of its class; "" outside of classes.
    """

    definition: Definition
    syntax: FileSyntax
    owner: str


def declarations(coordinate: Coordinate, files: Sequence[SourceFile]) -> Sequence[Declaration]:
    """The public declarations of one artifact's files, sorted by symbol, each symbol once.

    Class files count only where there is no source: they say less of the same.
    """
    has_sources = any(each.language in _SOURCES for each in files)
    builder = _Builder()
    problems: list[Declaration] = []
    for file in sorted(files, key=_order):
        reader = _READERS.get(file.language)
        if reader is None or (has_sources and file.language not in _SOURCES):
            continue
        syntax = reader(file)
        if syntax.problem is not None:
            problems.append(unread_file(file, syntax.language, syntax.problem))
        builder.add(syntax)
    rows: dict[str, Declaration] = {}
    for each in (*builder.rows(), *readme(coordinate, files), *problems):
        rows.setdefault(each.symbol, each)
    return [rows[symbol] for symbol in sorted(rows)]


def _order(file: SourceFile) -> tuple[bool, str]:
    """Multi-release twins come behind what they stand in for."""
    return "META-INF/versions/" in file.path, file.path


class _Builder:
    """Makes the rows of one artifact."""

    def __init__(self) -> None:
        self._types = Types()
        self._written: dict[str, list[_Written]] = {}
        self._constructors: dict[str, list[_Written]] = {}

    def add(self, syntax: FileSyntax) -> None:
        """Enters what one file says."""
        if syntax.package_doc is not None:
            self._enter(syntax.package, _Written(syntax.package_doc, syntax, ""))
        for each in syntax.definitions:
            symbol = f"{syntax.package}.{each.name}" if syntax.package and each.kind != "module" else each.name
            self._add(each, symbol, syntax, "", 0, is_public=True)

    def _add(
        self, definition: Definition, symbol: str, syntax: FileSyntax, owner: str, depth: int, *, is_public: bool
    ) -> None:
        is_public = is_public and definition.is_public
        if definition.is_constructor:
            if is_public:
                self._constructors.setdefault(owner, []).append(_Written(definition, syntax, owner))
            return
        if is_public:
            self._enter(symbol, _Written(definition, syntax, owner))
        if definition.kind == "class":
            self._types.add(Type(symbol, definition, syntax, owner, is_public))
            if depth < MAX_DEPTH:
                for member in definition.members:
                    self._add(member, f"{symbol}.{member.name}", syntax, symbol, depth + 1, is_public=is_public)

    def _enter(self, symbol: str, written: _Written) -> None:
        self._written.setdefault(symbol, []).append(written)

    def rows(self) -> Iterator[Declaration]:
        """One row a symbol."""
        self._hide_nested()
        self._inherit_from_hidden()
        for symbol, group in self._written.items():
            yield self._row(symbol, group)
        for owner, group in self._constructors.items():
            if _documented(group) is not None and owner in self._written:
                symbol = f"{owner}.{group[0].definition.name}"
                if symbol not in self._written:
                    yield self._row(symbol, group)

    def _hide_nested(self) -> None:
        """A nested class has a class file of its own, which does not say whether callers can name the outer one."""
        hidden = {each.symbol for each in self._types.hidden() if each.syntax.language == "jvm-class"}
        if not hidden:
            return
        for symbol in list(self._written):
            if any(outer in hidden for outer in _around(symbol)):
                del self._written[symbol]
                self._constructors.pop(symbol, None)

    def _inherit_from_hidden(self) -> None:
        """What public classes inherit from classes that nobody can name is theirs, as callers see it."""
        owners = [symbol for symbol, group in self._written.items() if any(w.definition.kind == "class" for w in group)]
        for owner in owners:
            for hidden in self._types.hidden_bases(owner):
                for member in hidden.definition.members:
                    symbol = f"{owner}.{member.name}"
                    if member.is_constructor or not member.is_public or member.kind == "class":
                        continue
                    group = self._written.get(symbol, [])
                    if all(each.definition.key != member.key or each.syntax is hidden.syntax for each in group):
                        self._enter(symbol, _Written(member, hidden.syntax, hidden.symbol))

    def _row(self, symbol: str, group: Sequence[_Written]) -> Declaration:
        ordered = group if len(group) == 1 else sorted(group, key=_precedence)
        distinct = ordered if len(group) == 1 else _without_twins(ordered)
        documented = _documented(ordered)
        first = ordered[0]
        shown = documented if documented is not None and _precedence(documented)[0] == _precedence(first)[0] else first
        definition = first.definition
        doc = (documented or first).definition.doc
        package = first.syntax.package
        name = (
            symbol.removeprefix(f"{package}.") if package and definition.kind not in ("package", "module") else symbol
        )
        signatures = tuple(dict.fromkeys(each.definition.signature for each in distinct if each.definition.signature))
        if documented is not None:
            doc = self._types.doc(documented.definition, _instance_owner(documented))
        else:
            inherited = next(filter(None, map(self._inherited, distinct)), None)
            if inherited is not None:
                base, base_owner = inherited
                doc = self._types.doc(base, base_owner)
                name, signatures = self._shared(name, signatures, base, base_owner)
        if definition.kind == "class":
            own = _without_twins(sorted(self._constructors.get(symbol, ()), key=_precedence))
            signatures = tuple(dict.fromkeys((*signatures, *(each.definition.signature for each in own))))
        aliases = self._aliases(symbol, group)
        bases = self._types.public_bases(symbol) if definition.kind == "class" else ()
        top = [each for each in distinct if _precedence(each)[0] == _precedence(first)[0]]
        return Declaration(
            symbol=symbol,
            kind=definition.kind,
            name=name,
            defining_path=self._defining_path(symbol, first),
            signatures=signatures,
            doc=doc,
            language=shown.syntax.language,
            convention=shown.syntax.file.convention,
            path=shown.syntax.file.path,
            line=shown.definition.line,
            file_digest=shown.syntax.file.file_digest,
            aliases=aliases,
            bases=bases,
            # One deprecated overload of several deprecates a way to call, not the name.
            is_deprecated=all(each.definition.is_deprecated for each in top),
            is_experimental=all(each.definition.is_experimental for each in top),
            since=shown.definition.since,
        )

    def _inherited(self, written: _Written) -> tuple[Definition, str] | None:
        definition = written.definition
        if not written.owner or definition.kind == "class" or (definition.is_static and not definition.companion):
            return None
        return self._types.overridden(definition, _instance_owner(written))

    def _shared(
        self, name: str, signatures: tuple[str, ...], base: Definition, base_owner: str
    ) -> tuple[str, tuple[str, ...]]:
        """An overriding member that says nothing of its own is its base's text: one sentence serves both."""
        found = self._types.get(base_owner)
        if found is None or len(signatures) != 1 or _bare(signatures[0]) != _bare(base.signature):
            return name, signatures
        package = found.syntax.package
        base_name = f"{base_owner}.{base.name}"
        return base_name.removeprefix(f"{package}.") if package else base_name, (base.signature,)

    def _defining_path(self, symbol: str, written: _Written) -> str:
        syntax, definition = written.syntax, written.definition
        if syntax.facade and not written.owner and definition.kind not in ("class", "type"):
            head = f"{syntax.package}." if syntax.package else ""
            return f"{head}{syntax.facade}.{definition.name}"
        if written.owner and definition.companion:
            return f"{written.owner}.{definition.companion}.{definition.name}"
        return f"{written.owner}.{definition.name}" if written.owner else symbol

    def _aliases(self, symbol: str, group: Sequence[_Written]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for each in group:
            definition, syntax = each.definition, each.syntax
            path = self._defining_path(symbol, each)
            found[path] = None
            for name in definition.jvm_names:
                found[f"{path.rpartition('.')[0]}.{name}"] = None
            if definition.receiver and not each.owner:
                receiver = self._types.resolve(definition.receiver, syntax, "")
                # A name that nothing brings is a type parameter's.
                if "." in receiver:
                    found[f"{receiver}.{definition.name}"] = None
        found.pop(symbol, None)
        return tuple(sorted(found, key=lambda path: (path.count("."), path))[:MAX_ALIASES]) if found else ()


def _precedence(written: _Written) -> tuple[int, bool]:
    """Packages, then classes, then what makes them; the common half of twins first."""
    definition = written.definition
    rank = {"package": 0, "module": 1, "class": 2, "type": 3}.get(definition.kind, 4)
    return rank, definition.is_actual


def _instance_owner(written: _Written) -> str:
    """The class whose supertypes a member may override; a companion's members stand on the class around it."""
    companion = written.definition.companion
    return f"{written.owner}.{companion}" if companion else written.owner


def _documented(group: Sequence[_Written]) -> _Written | None:
    """The first that says something, else the first with tags alone (``@since 2.4`` and no word)."""
    found = [each for each in group if each.definition.doc is not None]
    return next(
        (each for each in found if not (each.definition.doc or "").startswith("@")), found[0] if found else None
    )


def _without_twins(group: Sequence[_Written]) -> list[_Written]:
    """One of each that callers cannot tell apart: same kind of thing, same parameters."""
    kept: dict[object, _Written] = {}
    for each in group:
        definition = each.definition
        kept.setdefault((definition.key, definition.kind == "class" or definition.kind == "type"), each)
    return list(kept.values())


def _around(symbol: str) -> Iterator[str]:
    """The names that ``symbol`` stands in, longest first."""
    while symbol := symbol.rpartition(".")[0]:
        yield symbol


def _bare(signature: str) -> str:
    return " ".join(word for word in signature.split(" ") if word not in _OVERRIDING)
