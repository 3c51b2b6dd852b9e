"""What one project resolved: coordinates, the edges between them, their distance, and the record a project leaves.

Here: the frozen dataclasses, scope arithmetic, and the record's JSON (``schema_version`` 1) in the inbox and in the
project. Not here: reading lock files (depcodex.lockfiles), asking questions (depcodex.query).

The record in the data home, keyed by the project's path, is the authority for scope; the project's own copy is never
read back. Nothing here imports pyarrow or LanceDB: `depcodex record` runs inside builds.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from depcodex.coordinates import Coordinate
from depcodex.errors import ClosureError, CoordinateError

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
        digests: of the archives that the lock accepts for it, each ``<algorithm>:<value>``: ``sha256:<hex>``,
            ``sha512:<hex>``, ``sha1:<hex>``, ``h1:<base64>`` (Go's, of a module zip); empty where it names none.
        location: absolute path of its source tree on this machine (path, editable, workspace, git checkouts); else "".
        is_yanked: the lock or index says that this release was withdrawn.
        spelling: the name as its ecosystem spells it, where the package URL folds case (a Go module path: its registry
            knows ``github.com/BurntSushi/toml`` only so); "" where the coordinate's own is it.
    """

    coordinate: Coordinate
    scope: Scope = Scope.IMPORTABLE
    distance: int | None = None
    via: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()
    location: str = ""
    is_yanked: bool = False
    spelling: str = ""


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
        source_folders: the same for the other ecosystems: absolute folders that hold the sources of this member's own
            packages (``node_modules``, ``vendor``), nearest first. Caches that serve the whole machine are not in it.
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
    source_folders: tuple[str, ...] = ()

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
            spelling=near.spelling or far.spelling,
        )
    return tuple(best[coordinate] for coordinate in sorted(best, key=lambda each: each.purl))


def to_json(record: ProjectRecord) -> dict[str, Any]:
    """The record as JSON values (``schema_version`` 1), with the union beside the members for those who only read."""
    return {
        "schema_version": SCHEMA_VERSION,
        "project": record.project,
        "scope": str(record.scope),
        "recorded_at": record.recorded_at,
        "members": [closure_to_json(member) for member in record.members],
        "union": [
            {"purl": row.coordinate.purl, "scope": str(row.scope), "distance": row.distance, "via": list(row.via)}
            for row in record.union()
        ],
    }


def from_json(value: object) -> ProjectRecord:
    """The record that ``to_json`` wrote; ``union`` is not read, since it follows from the members.

    Raises:
        ClosureError: the value is not of schema version 1, or a field is missing, of the wrong type, or not what it
            claims to be. Record the project again.
    """
    try:
        row = _object(value)
        version = row.get("schema_version")
        if version != SCHEMA_VERSION:
            raise ClosureError(f"record: schema_version: expected {SCHEMA_VERSION}, got {version!r}")
        members = tuple(closure_from_json(each) for each in _array(row["members"]))
        if not members:
            raise ClosureError("record: members: expected at least one, got none")
        return ProjectRecord(_text(row["project"]), members, Scope(_text(row["scope"])), _text(row["recorded_at"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ClosureError("record: a field is missing or of the wrong type") from error
    except CoordinateError as error:
        raise ClosureError(f"record: {error}") from error


def closure_to_json(closure: Closure) -> dict[str, Any]:
    """One member as JSON values."""
    return {
        "format": closure.format,
        "member": closure.member,
        "dependencies": [
            {
                "purl": row.coordinate.purl,
                "scope": str(row.scope),
                "distance": row.distance,
                "via": list(row.via),
                "digests": list(row.digests),
                "location": row.location,
                "is_yanked": row.is_yanked,
                "spelling": row.spelling,
            }
            for row in closure.dependencies
        ],
        "edges": [list(edge) for edge in closure.edges],
        "skipped": [{"name": row.name, "version": row.version, "reason": row.reason} for row in closure.skipped],
        "site_packages": list(closure.site_packages),
        "environment": dict(closure.environment),
        "inputs": [list(each) for each in closure.inputs],
        "source_folders": list(closure.source_folders),
    }


def closure_from_json(value: object) -> Closure:
    """The member that ``closure_to_json`` wrote.

    Raises:
        KeyError, TypeError, ValueError, CoordinateError: a field is missing or of the wrong type (``from_json``
            translates).
    """
    row = _object(value)
    dependencies = tuple(
        ResolvedDependency(
            Coordinate.parse(_text(each["purl"])),
            Scope(_text(each["scope"])),
            None if each["distance"] is None else _whole(each["distance"]),
            _texts(each["via"]),
            _texts(each["digests"]),
            _text(each["location"]),
            _truth(each["is_yanked"]),
            # Records of depcodex 0.1 have none.
            _text(each.get("spelling", "")),
        )
        for each in map(_object, _array(row["dependencies"]))
    )
    skipped = tuple(
        SkippedDependency(_text(each["name"]), _text(each["version"]), _text(each["reason"]))
        for each in map(_object, _array(row["skipped"]))
    )
    environment = {key: _text(text) for key, text in _object(row["environment"]).items()}
    return Closure(
        _text(row["format"]),
        _text(row["member"]),
        dependencies,
        tuple(map(_pair, _array(row["edges"]))),
        skipped,
        _texts(row["site_packages"]),
        environment,
        tuple(map(_pair, _array(row["inputs"]))),
        # Records of depcodex 0.1 have none.
        _texts(row.get("source_folders", [])),
    )


def rekey(record: ProjectRecord, coordinates: Mapping[Coordinate, Coordinate]) -> ProjectRecord:
    """The record with coordinates replaced everywhere: dependencies, edges and ``via`` of every member.

    For an installed tree that differs from its RECORD, whose coordinate gets the checksum of what is there.

    Args:
        record: stays as it is.
        coordinates: old → new; the others stay.
    """
    if not coordinates:
        return record
    purls = {old.purl: new.purl for old, new in coordinates.items()}

    def renamed(purl: str) -> str:
        return purls.get(purl, purl)

    members = []
    for member in record.members:
        rows = (
            dataclasses.replace(
                row,
                coordinate=coordinates.get(row.coordinate, row.coordinate),
                via=tuple(map(renamed, row.via)),
            )
            for row in member.dependencies
        )
        edges = sorted({(renamed(asking), renamed(asked)) for asking, asked in member.edges})
        members.append(dataclasses.replace(member, dependencies=merged_dependencies(rows), edges=tuple(edges)))
    return dataclasses.replace(record, members=tuple(members))


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


def _array(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("expected an array")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a string")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(_text, _array(value)))


def _pair(value: object) -> tuple[str, str]:
    first, second = _texts(value)
    return first, second


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("expected a whole number")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("expected true or false")
    return value
