"""uv.lock, and the lock of a script (``name.py.lock``).

Here: lock version 1 (every revision), read without pyproject.toml: the file carries its roots. Not here: resolution.

Spec: uv's documentation, "Resolver: lockfile versioning", and uv-resolver's lock module, read 2026-11. Forks are
several packages of one name, told apart by version and source on each edge and by ``resolution-markers``. Declared
conflicts write markers such as ``extra == 'extra-7-project-cpu'``, true where that extra or group of that project was
asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.constraints import allows
from depcodex.lockfiles.documents import (
    coordinate_of,
    guarded,
    input_row,
    normalised_name,
    parse_toml,
    read_text,
    sha256_digests,
    table,
    tables,
    text_of,
)
from depcodex.lockfiles.graph import MARKER, Edge, Graph, Package, not_asked
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of, python_note
from depcodex.lockfiles.local import UNKNOWN_VERSION, local_package

LOCK_VERSION = 1
# Nine tenths of a lock are archive lines that uv writes in one form; of them only the digest matters. Replacing them by
# their digests before the TOML parser sees them takes most of its time away (measured 2026-11-30: 330 to 45 ms for 0.95
# MB). A literal string, since the parser walks through a basic one character by character.
_ARCHIVE = (
    r'\{ (?:url|path|filename) = "[^"\\\n]*", hash = "(?P<digest>sha256:[0-9a-f]{64})"'
    r'(?:, size = \d+)?(?:, upload-time = "[0-9T:.Z+-]*")? \}'
)
_SDIST_PATTERN = re.compile(rf"^sdist = {_ARCHIVE}$", re.MULTILINE)
_WHEELS_PATTERN = re.compile(rf"^wheels = \[\n((?:    {_ARCHIVE.replace('?P<digest>', '?:')},\n)+)\]$", re.MULTILINE)
_LINE_DIGEST_PATTERN = re.compile(r'", hash = "(sha256:[0-9a-f]{64})"')
_CONFLICT_PATTERN = re.compile(r"extra\s*(==|!=)\s*(['\"][^'\"]*['\"])")
_LOCAL_KINDS = ("editable", "directory", "virtual")


class UvLockError(LockfileError):
    """A uv.lock cannot be read."""

    format_name = "uv"


@dataclass(frozen=True)
class _Row:
    """One ``[[package]]``."""

    key: str
    name: str
    version: str
    source: Mapping[str, Any]
    fields: Mapping[str, Any]

    @property
    def local_path(self) -> str | None:
        return next((str(self.source[kind]) for kind in _LOCAL_KINDS if kind in self.source), None)


class UvReader:
    """Reads uv.lock; one closure a workspace member."""

    name = "uv"
    error: type[LockfileError] = UvLockError

    def matches_content(self, sample: Sample) -> bool:
        """A top-level version beside packages that name a source."""
        if "@generated" in sample.text or not re.search(r"^version = \d+$", sample.text, re.MULTILINE):
            return False
        return bool(re.search(r"^(requires-python = |revision = |source = \{)", sample.text, re.MULTILINE))

    def read(self, path: Path, target: Target) -> Reading:
        """One closure a workspace member; see ``LockfileReader.read``."""
        text = read_text(path, UvLockError)
        document = parse_toml(_shortened(text), path, UvLockError)
        version = document.get("version", LOCK_VERSION if not document else None)
        if version != LOCK_VERSION:
            raise UvLockError(path, f"lock version: expected {LOCK_VERSION}, got {version!r}")
        with guarded(path, UvLockError):
            return _UvLock(path, document, target).reading()


class _UvLock:
    def __init__(self, path: Path, document: Mapping[str, Any], target: Target) -> None:
        self._path = path
        self._document = document
        self._target = target
        self._rows = [self._row(fields) for fields in tables(document, "package", path, UvLockError)]
        self._by_name: dict[str, list[_Row]] = {}
        for row in self._rows:
            self._by_name.setdefault(row.name, []).append(row)
        self._manifest = table(document, "manifest", path, UvLockError)
        self._members = self._find_members()
        self._active = frozenset(
            f"{kind}-{len(member.name)}-{member.name}-{name}"
            for member in self._members
            for kind, asked in (("extra", target.extras), ("group", target.groups))
            for name in asked
        ) | frozenset(f"project-{len(member.name)}-{member.name}" for member in self._members)
        self._graph = self._build()

    def reading(self) -> Reading:
        inputs = (input_row(self._path, self._path.parent),)
        own = frozenset(member.key for member in self._members)
        closures = []
        loose = self._loose_roots()
        if loose is not None and not any(_member_path(member) == "." for member in self._members):
            resolution = self._graph.resolve(loose, own=own)
            closures.append(closure_of("uv", resolution, self._target, inputs))
        for member in self._members:
            resolution = self._graph.resolve(
                [*self._member_roots(member), *(loose or ())], own=own, self_key=member.key
            )
            closures.append(closure_of("uv", resolution, self._target, inputs, _member_path(member)))
        if not closures:
            # No member and no requirement: the file names no roots, so all it holds belongs to it.
            everything = [Edge(row.key) for row in self._rows]
            closures.append(closure_of("uv", self._graph.resolve(everything, named=frozenset()), self._target, inputs))
        groups = {name for member in self._members for name in self._groups_of(member)}
        groups |= {normalised_name(name) for name in self._manifest.get("dependency-groups", {})}
        extras = {
            normalised_name(name)
            for member in self._members
            for name in (
                *member.fields.get("optional-dependencies", {}),
                *member.fields.get("metadata", {}).get("provides-extras", ()),
            )
        }
        notes = python_note(
            self._path, text_of(self._document, "requires-python", self._path, UvLockError), self._target
        )
        return Reading(tuple(closures), notes, frozenset(groups), frozenset(extras))

    def _row(self, fields: Mapping[str, Any]) -> _Row:
        name = text_of(fields, "name", self._path, UvLockError)
        version = text_of(fields, "version", self._path, UvLockError)
        source = table(fields, "source", self._path, UvLockError)
        if not name:
            raise UvLockError(self._path, "a package has no name")
        if not source:
            raise UvLockError(self._path, f"package {name}: expected a source, got none")
        place = ",".join(f"{kind}={value}" for kind, value in sorted(source.items()))
        return _Row(f"{name}\n{version}\n{place}", normalised_name(name), version, source, fields)

    def _find_members(self) -> list[_Row]:
        names = {normalised_name(name) for name in self._manifest.get("members", ())}
        found = [
            row
            for row in self._rows
            if row.local_path is not None and (row.name in names if names else _member_path(row) == ".")
        ]
        return sorted(found, key=lambda row: (_member_path(row) != ".", _member_path(row)))

    def _groups_of(self, member: _Row) -> set[str]:
        stated = member.fields.get("metadata", {}).get("requires-dev", {})
        return {normalised_name(name) for name in (*member.fields.get("dev-dependencies", {}), *stated)}

    def _build(self) -> Graph:
        graph = Graph()
        asked = {
            normalised_name(dependency["name"])
            for row in self._rows
            for dependency in _dependencies_of(row)
            if normalised_name(dependency["name"]) != row.name
        }
        own = {member.key for member in self._members}
        for row in self._rows:
            # The tree of a member that no other package asks for is the project's own code: it is not hashed.
            is_unasked_member = row.key in own and row.name not in asked
            graph.add(row.key, Package(row.name, row.version, None) if is_unasked_member else self._package(row, own))
            for extra in row.fields.get("optional-dependencies", {}):
                graph.add_node(_extra_node(row, extra), row.key)
        for row in self._rows:
            for edge in self._edges(row.fields.get("dependencies", ())):
                graph.connect(row.key, edge.target, edge.left_out)
            for extra, dependencies in row.fields.get("optional-dependencies", {}).items():
                node = _extra_node(row, extra)
                if row.key not in own:
                    graph.connect(row.key, node, f"extra {normalised_name(extra)} of {row.name} is not asked for")
                for edge in self._edges(dependencies):
                    graph.connect(node, edge.target, edge.left_out)
        return graph

    def _package(self, row: _Row, own: set[str]) -> Package:
        digests = sha256_digests([*_archives(row.fields.get("sdist")), *_archives(row.fields.get("wheels"))])
        installed = self._target.installed
        if "registry" in row.source:
            if not row.version:
                raise UvLockError(self._path, f"package {row.name}: expected a version, got none")
            return Package(row.name, row.version, coordinate_of(row.name, row.version), digests=digests)
        if "virtual" in row.source:
            return Package(row.name, row.version, None, "virtual project, never installed")
        if row.local_path is not None:
            folder = self._path.parent / row.local_path
            origin = "workspace" if row.key in own else "editable" if "editable" in row.source else "path"
            return local_package(row.name, row.version, origin, folder=folder.resolve(), installed=installed)
        if "git" in row.source:
            commit = str(row.source["git"]).partition("#")[2]
            return local_package(row.name, row.version, "git", installed=installed, commit=commit)
        origin = "url" if "url" in row.source else "path" if "path" in row.source else "unknown"
        return local_package(row.name, row.version, origin, installed=installed, digests=digests)

    def _edges(self, dependencies: Iterable[Mapping[str, Any]]) -> Iterable[Edge]:
        for dependency in dependencies:
            why = "" if self._holds(dependency.get("marker", "")) else MARKER
            rows = self._candidates(dependency)
            chosen = rows
            if len(rows) > 1:
                chosen = [row for row in rows if self._is_for_target(row)] or rows
            for row in rows:
                left_out = why or ("" if row in chosen else MARKER)
                for node in self._nodes(row, dependency.get("extra", ())):
                    yield Edge(node, left_out)

    def _nodes(self, row: _Row, extras: Sequence[str]) -> list[str]:
        if not extras:
            return [row.key]
        known = {normalised_name(each) for each in row.fields.get("optional-dependencies", {})}
        chosen = [_extra_node(row, extra) for extra in extras if normalised_name(extra) in known]
        return [row.key, *chosen]

    def _candidates(self, dependency: Mapping[str, Any]) -> list[_Row]:
        rows = self._by_name.get(normalised_name(dependency["name"]), [])
        if "version" in dependency:
            rows = [row for row in rows if row.version == dependency["version"]]
        if "source" in dependency:
            rows = [row for row in rows if row.source == dependency["source"]]
        if len(rows) > 1 and dependency.get("specifier"):
            rows = [row for row in rows if allows(dependency["specifier"], row.version or UNKNOWN_VERSION)] or rows
        return rows

    def _is_for_target(self, row: _Row) -> bool:
        """Whether the fork that brought the package is the target's."""
        return any(self._holds(each) for each in row.fields.get("resolution-markers", ("",)))

    def _holds(self, marker: str) -> bool:
        if "extra" not in marker:
            return self._target.markers.holds(marker)
        text = _CONFLICT_PATTERN.sub(
            lambda match: f"{match[2]} {'in' if match[1] == '==' else 'not in'} extras", marker
        )
        return self._target.markers.holds_in_lock(text, self._active, frozenset())

    def _member_roots(self, member: _Row) -> list[Edge]:
        roots = list(self._edges(member.fields.get("dependencies", ())))
        parts = (
            ("extra", "optional-dependencies", self._target.extras),
            ("group", "dev-dependencies", self._target.groups),
        )
        for kind, key, asked in parts:
            for name, dependencies in sorted(member.fields.get(key, {}).items()):
                name = normalised_name(name)
                why = "" if name in asked else not_asked(kind, name)
                roots += [Edge(edge.target, why or edge.left_out) for edge in self._edges(dependencies)]
        return roots

    def _loose_roots(self) -> list[Edge] | None:
        """Roots that belong to no package: a script's requirements, and groups of a root that is no project."""
        groups = self._manifest.get("dependency-groups", {})
        requirements = self._manifest.get("requirements", ())
        if not groups and not requirements:
            return None
        roots = list(self._edges(_as_dependency(each) for each in requirements))
        for name, dependencies in sorted(groups.items()):
            name = normalised_name(name)
            why = "" if name in self._target.groups else not_asked("group", name)
            edges = self._edges(_as_dependency(each) for each in dependencies)
            roots += [Edge(edge.target, why or edge.left_out) for edge in edges]
        return roots


def _as_dependency(requirement: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of ``[manifest]`` in the shape of an edge: it names ``extras`` and a specifier instead."""
    chosen = {key: requirement[key] for key in ("name", "marker", "specifier") if key in requirement}
    return {**chosen, "extra": requirement.get("extras", ())}


def _dependencies_of(row: _Row) -> Iterable[Mapping[str, Any]]:
    yield from row.fields.get("dependencies", ())
    for key in ("optional-dependencies", "dev-dependencies"):
        for dependencies in row.fields.get(key, {}).values():
            yield from dependencies


def _extra_node(row: _Row, extra: str) -> str:
    return f"{row.key}[{normalised_name(extra)}]"


def _member_path(row: _Row) -> str:
    return PurePosixPath((row.local_path or "").replace("\\", "/")).as_posix()


def _shortened(text: str) -> str:
    """The lock with each archive replaced by its digest, and a list of wheels by all of theirs in one string.

    What is not written in uv's own form stays as it is, for the TOML parser to judge.
    """
    text = _SDIST_PATTERN.sub(r"sdist = '\g<digest>'", text)
    return _WHEELS_PATTERN.sub(lambda match: f"wheels = '{' '.join(_LINE_DIGEST_PATTERN.findall(match[1]))}'", text)


def _archives(value: Any) -> list[object]:
    """The texts that may hold a digest, of one archive, a list of them, or what they were shortened to."""
    if isinstance(value, str):
        return [*value.split()]
    rows = value if isinstance(value, list) else [value] if value else []
    return [row["hash"] for row in rows if "hash" in row]
