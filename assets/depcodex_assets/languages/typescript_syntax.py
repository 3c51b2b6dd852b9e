"""What one JavaScript or TypeScript file says, before names are resolved across files.

Here: definitions, scopes, imports and exports as plain data. Not here: making them out of a tree
(typescript_statements, typescript_definitions, javascript_commonjs), resolving them (typescript_namespaces).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from depcodex_assets.languages.declarations import SourceFile

# The whole of a module, as `import * as ns`, `import x = require()` and `require()` give it.
WHOLE = "*"


@dataclass(slots=True, eq=False)
class Definition:
    """One declaration of a name; a name may have several (overloads, an interface beside a class).

    Attributes:
        name: as declared.
        kind: one of ``schemas.KINDS``.
        rank: which of merged declarations gives the kind, the least does (``KIND_RANKS``).
        signatures: as written, without bodies.
        line: 1-based.
        comments: its doc comments as written, ``/** … */``.
        bases: as written in its heritage.
        members: by name, in source order; overloads and accessors share a name.
        scope: what a namespace holds.
        file: where it stands, where that is not its module's own file (a module that several files declare).
    """

    name: str
    kind: str
    rank: int
    signatures: tuple[str, ...]
    line: int
    comments: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    members: dict[str, list[Definition]] = field(default_factory=dict)
    scope: Scope | None = None
    file: SourceFile | None = None

    def add_member(self, member: Definition) -> None:
        """Adds one declaration of a member."""
        self.members.setdefault(member.name, []).append(member)


# A class and a function are what a merged name is called with; an interface of that name types it.
RANK_CLASS, RANK_FUNCTION, RANK_INTERFACE, RANK_CONSTANT, RANK_TYPE, RANK_NAMESPACE = range(6)


@dataclass(frozen=True, slots=True)
class Reference:
    """A name somewhere else.

    Attributes:
        specifier: the module it comes from as written; "" for a name of the same scope.
        name: its name there, dotted for a member of a namespace; ``WHOLE`` for the module itself.
        line: 1-based line of the statement.
    """

    specifier: str
    name: str
    line: int = 1


@dataclass(slots=True)
class Scope:
    """The names of a file, of an ambient module or of a namespace.

    Attributes:
        parent: the scope around a namespace.
        definitions: by name.
        references: imported and aliased names, by local name.
        exports: exported name → where it is.
        stars: modules whose exports are all passed on.
        assigned: what ``export =`` or ``module.exports =`` names.
        only_default: the name of a declaration that is exported as ``default`` and not under it.
        is_implicit: an ambient scope without export declarations exports all it declares.
    """

    parent: Scope | None = None
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    references: dict[str, Reference] = field(default_factory=dict)
    exports: dict[str, Reference] = field(default_factory=dict)
    stars: list[Reference] = field(default_factory=list)
    assigned: Reference | None = None
    only_default: str = ""
    is_implicit: bool = False

    def add(self, definition: Definition) -> None:
        """Adds one declaration of a name."""
        self.definitions.setdefault(definition.name, []).append(definition)

    def merge(self, other: Scope, file: SourceFile | None = None) -> None:
        """Adds what another block of the same module says; which of its names that one exports is its own affair.

        Args:
            other: the other block.
            file: where that block stands, where it is another file than this one's.
        """
        for scope in (self, other):
            if scope.is_implicit:
                scope.exports.update(scope.implicit())
                scope.is_implicit = False
        for name, definitions in other.definitions.items():
            for each in definitions:
                each.file = each.file or file
            known = self.definitions.setdefault(name, [])
            known.extend(each for each in definitions if each not in known)
        self.references.update(other.references)
        self.exports.update(other.exports)
        self.stars.extend(other.stars)
        self.assigned = self.assigned or other.assigned

    def exported(self) -> Iterator[tuple[str, Reference]]:
        """Exported names with what they stand for, explicit ones first."""
        yield from self.exports.items()
        if self.is_implicit:
            yield from self.implicit().items()

    def implicit(self) -> dict[str, Reference]:
        """What an implicit scope exports beside its explicit exports."""
        return {
            name: Reference("", name, found[0].line)
            for name, found in self.definitions.items()
            if name not in self.exports and name != self.only_default
        }


@dataclass(slots=True)
class FileSyntax:
    """One file as it was read.

    Attributes:
        file: where it came from.
        scope: its top level.
        is_module: it imports or exports; a file that does neither declares globals.
        ambient: ``declare module "x"`` blocks by specifier.
        globals: what ``declare global`` adds.
        references: paths of ``/// <reference path="…" />``.
        comment: the doc comment that speaks of the file, or None.
        problem: why it was not read whole, or None.
    """

    file: SourceFile
    scope: Scope
    is_module: bool = False
    ambient: dict[str, Scope] = field(default_factory=dict)
    globals: Scope = field(default_factory=Scope)
    references: tuple[str, ...] = ()
    comment: str | None = None
    problem: str | None = None
