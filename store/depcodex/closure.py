"""What one project resolved: coordinates, the edges between them, their distance, and the record a project leaves.

Here: the frozen dataclasses, scope arithmetic, and the record's JSON (``schema_version`` 1) in the inbox and in the
project. Not here: reading lock files (depcodex.lockfiles), asking questions (depcodex.query).

The record in the data home, keyed by the project's path, is the authority for scope; the project's own copy is never
read back. Nothing here imports pyarrow or LanceDB: `depcodex record` runs inside builds.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from depcodex.coordinates import Coordinate

SCHEMA_VERSION = 1


class Scope(enum.StrEnum):
    """How wide a question looks, from narrow to wide; each holds the ones before it."""

    DECLARED = "declared"
    IMPORTABLE = "importable"
    ALL = "all"

    def covers(self, other: Scope) -> bool:
        """Whether a coordinate whose narrowest scope is ``other`` is inside this scope."""
        order = list(Scope)
        return order.index(other) <= order.index(self)


@dataclass(frozen=True)
class ResolvedDependency:
    """One coordinate of a closure.

    Attributes:
        coordinate: the library at its version.
        scope: the narrowest scope that contains it.
        distance: edges from the project (1 = the project names it); None where the file names no roots.
        via: purls from a direct dependency down to this one's parent, on a shortest path (ties: by alphabet); empty
            for a direct one.
        digests: ``sha256:<hex>`` of the archives that the lock accepts for it; empty where it names none.
        location: absolute path of its source tree on this machine (path, editable, workspace, git checkouts); else "".
        is_yanked: the lock or index says that this release was withdrawn.
    """

    coordinate: Coordinate
    scope: Scope = Scope.IMPORTABLE
    distance: int | None = None
    via: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()
    location: str = ""
    is_yanked: bool = False


@dataclass(frozen=True)
class SkippedDependency:
    """A package of the lock file that is not in the closure, and why (``reason`` is one short phrase of ours)."""

    name: str
    version: str
    reason: str


@dataclass(frozen=True)
class Closure:
    """What one member of a project resolved.

    Attributes:
        format: the reader's name (``uv``, ``poetry``, … ``environment``).
        member: path of the member below the project's root, ``"."`` for the root itself.
        dependencies: sorted by purl, each coordinate once.
        edges: (asking purl, asked purl), sorted; edges from the project itself are not in it.
        skipped: sorted by name.
        site_packages: absolute folders of an installed environment to read in place, nearest first; may be empty.
        environment: the marker environment that decided (PEP 508 variable → value); empty where none was needed.
        inputs: (path below the root, ``sha256:<hex>``) of each file read.
    """

    format: str
    member: str
    dependencies: tuple[ResolvedDependency, ...]
    edges: tuple[tuple[str, str], ...] = ()
    skipped: tuple[SkippedDependency, ...] = ()
    site_packages: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[tuple[str, str], ...] = ()

    def coordinates(self, scope: Scope = Scope.ALL) -> tuple[Coordinate, ...]:
        """The coordinates inside ``scope``, sorted by purl."""
        return tuple(each.coordinate for each in self.dependencies if scope.covers(each.scope))

    def dependency(self, coordinate: Coordinate) -> ResolvedDependency | None:
        """This closure's row for a coordinate, or None."""
        return next((each for each in self.dependencies if each.coordinate == coordinate), None)


@dataclass(frozen=True)
class ProjectRecord:
    """What `depcodex record` writes: one closure a member, with the scope that a person set.

    Attributes:
        project: absolute, resolved path of the project's root.
        members: one closure for each member; at least one.
        scope: how wide questions of this project look.
        recorded_at: UTC, ISO 8601 to the second.
    """

    project: str
    members: tuple[Closure, ...]
    scope: Scope
    recorded_at: str

    def union(self) -> tuple[ResolvedDependency, ...]:
        """Every member's dependencies, each coordinate once, nearest distance and narrowest scope kept."""
        return merged_dependencies(each for member in self.members for each in member.dependencies)


def merged_dependencies(rows: Iterable[ResolvedDependency]) -> tuple[ResolvedDependency, ...]:
    """One row a coordinate, sorted by purl: nearest distance (its via), narrowest scope, all digests."""
    best: dict[Coordinate, ResolvedDependency] = {}
    for row in rows:
        known = best.get(row.coordinate)
        if known is None:
            best[row.coordinate] = row
            continue
        near, far = sorted((known, row), key=lambda each: (each.distance is None, each.distance or 0, each.via))
        best[row.coordinate] = ResolvedDependency(
            coordinate=row.coordinate,
            scope=known.scope if row.scope.covers(known.scope) else row.scope,
            distance=near.distance,
            via=near.via,
            digests=tuple(sorted({*known.digests, *row.digests})),
            location=near.location or far.location,
            is_yanked=known.is_yanked or row.is_yanked,
        )
    return tuple(best[coordinate] for coordinate in sorted(best, key=lambda each: each.purl))
