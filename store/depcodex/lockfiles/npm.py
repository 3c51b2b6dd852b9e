"""package-lock.json and npm-shrinkwrap.json.

Here: lock versions 1 to 3, workspaces, links, nested duplicates as Node finds them. Not here: package.json's own
shape (depcodex.lockfiles.npm_manifest), an installed node_modules without a lock (depcodex.lockfiles.node_modules).

Spec: npm's documentation, "package-lock.json", and @npmcli/arborist's shrinkwrap module, read 2026-12. Versions 2 and 3
list every place of the tree (``packages``). Version 1 nests them (``dependencies``), names neither peers nor platforms
nor roots (those are package.json's), and is turned into places first: peers are those of what is installed, and of its
optional packages those count that are installed, or all where nothing is. npm before 5 wrote no ``lockfileVersion`` and
did not say who asks for what.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depcodex.closure import Scope
from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, parse_json, read_text, table
from depcodex.lockfiles.graph import Package
from depcodex.lockfiles.interface import Reading, Sample, Target
from depcodex.lockfiles.npm_checkouts import NpmCheckouts
from depcodex.lockfiles.npm_graph import NOT_INSTALLED, Asked, Member, NpmGraph
from depcodex.lockfiles.npm_manifest import (
    MANIFEST_NAME,
    NpmManifest,
    is_member,
    read_manifest,
    specifiers,
    workspace_folders,
)
from depcodex.lockfiles.npm_names import (
    alias_target,
    integrity_digests,
    is_version,
    origin_of,
    split_at_version,
)
from depcodex.lockfiles.npm_packages import installed_row, npm_local_package, npm_release
from depcodex.lockfiles.npm_platforms import OTHER_PLATFORM, Platform

LOCK_VERSIONS = (1, 2, 3)
_FOLDER = "node_modules/"
# npm itself refuses to nest deeper than a file system lets it.
_MAX_NESTING = 200


class NpmLockError(LockfileError):
    """A package-lock.json or npm-shrinkwrap.json cannot be read."""

    format_name = "npm"


@dataclass(frozen=True)
class _Place:
    """One place of the tree: ``location`` below the project's folder, ``row`` as version 3 writes it."""

    location: str
    row: Mapping[str, Any]

    @property
    def installed_name(self) -> str:
        """The name that an asker imports it by."""
        return self.location.rpartition(_FOLDER)[2] if _FOLDER in self.location else ""

    @property
    def name(self) -> str:
        """The package's own name."""
        stated = self.row.get("name")
        if isinstance(stated, str) and stated:
            return stated
        return self.installed_name or self.location.rpartition("/")[2]


class NpmReader:
    """Reads package-lock.json and npm-shrinkwrap.json; one closure a workspace member."""

    name = "npm"
    error: type[LockfileError] = NpmLockError

    def matches_content(self, sample: Sample) -> bool:
        """A JSON object with a lock version, whose workspaces are not bun's."""
        text = sample.text
        if not text.lstrip().startswith("{") or re.search(r'"workspaces"\s*:\s*\{\s*(""|\})', text):
            return False
        return re.search(r'"lockfileVersion"\s*:\s*\d', text) is not None

    def read(self, path: Path, target: Target) -> Reading:
        """One closure a workspace member; see ``LockfileReader.read``."""
        document = parse_json(read_text(path, NpmLockError), path, NpmLockError)
        version = document.get("lockfileVersion", 1)
        if version not in LOCK_VERSIONS or isinstance(version, bool):
            raise NpmLockError(path, f"lockfileVersion: expected 1, 2 or 3, got {version!r}")
        with guarded(path, NpmLockError):
            return read_places(path, document, target)


def read_places(
    path: Path,
    document: Mapping[str, Any],
    target: Target,
    root: Path | None = None,
    format_name: str = "npm",
) -> Reading:
    """The closures of a tree's places, given as the JSON of a lock.

    Args:
        path: where that was read from.
        document: of lock version 1, 2 or 3.
        target: what it is read for.
        root: the project's folder, where that is not the folder of ``path``: what is installed there is given, and what
            nothing leads to is in scope ``all``.
        format_name: the name of the closure's format.

    Raises:
        LockfileError, and what ``documents.guarded`` translates.
    """
    return _NpmLock(path, document, target, root).reading(format_name)


class _NpmLock:
    def __init__(self, path: Path, document: Mapping[str, Any], target: Target, root: Path | None) -> None:
        self._path = path
        self._root = path.parent if root is None else root
        self._is_installed = root is not None
        self._platform = Platform.of(target)
        self._checkouts = NpmCheckouts(self._root)
        self._target = target
        self._inputs = [input_row(path, self._root)] if path.is_file() else []
        packages = table(document, "packages", path, NpmLockError)
        nested = table(document, "dependencies", path, NpmLockError)
        self._has_installed = (self._root / "node_modules").is_dir()
        self._is_nested = not packages and bool(nested)
        self._tells_edges = True
        if self._is_nested:
            self._tells_edges = any("requires" in row for row in _rows_of(nested))
            self._places = {place.location: place for place in self._unnested(nested)}
        else:
            self._places = {location: _Place(location, _row(row)) for location, row in packages.items()}
        self._manifests = self._read_manifests()
        self._patterns = self._manifests["."].workspaces if "." in self._manifests else ()
        self._origins = self._specified_origins()

    def reading(self, format_name: str) -> Reading:
        members = self._member_locations()
        member_set = frozenset(members)
        graph = NpmGraph()
        askers = [
            place.location
            for place in self._places.values()
            if place.location and not place.row.get("link") and place.location not in member_set
        ]
        asked = {location: tuple(self._asked(location, is_root=False)) for location in [*askers, *members]}
        rooted = {location: tuple(self._asked(location, is_root=True)) for location in members}
        if "." in self._manifests:
            rooted[""] = tuple(self._asked("", is_root=True))
        unasked = _unasked(members, [*asked.items(), *rooted.items()])
        for location in [*askers, *members]:
            graph.add(location, self._package(self._places[location], members, unasked))
        for location in [*askers, *members]:
            for each in asked[location]:
                graph.connect(location, each.name, each.target, each.left_out)
        unreached = Scope.IMPORTABLE if not self._tells_edges else None
        if self._is_installed and not members:
            unreached = Scope.ALL
        rows = [Member(location or ".", each, location, unreached) for location, each in rooted.items()]
        if not rows:
            rows.append(Member(".", None))
        return graph.reading(format_name, self._root, self._target, rows, tuple(self._inputs))

    def _read_manifests(self) -> dict[str, NpmManifest]:
        """Member path → manifest: the lock's own rows, else package.json on disk (version 1)."""
        if "" in self._places:
            return {".": NpmManifest.of(self._places[""].row)}
        found: dict[str, NpmManifest] = {}
        root = read_manifest(self._root, NpmLockError)
        if root is None or (not self._places and not root.workspaces):
            return found
        found["."] = root
        self._inputs.append(input_row(self._root / MANIFEST_NAME, self._root))
        for folder in workspace_folders(self._root, root.workspaces):
            manifest = read_manifest(self._root / folder, NpmLockError)
            if manifest is not None:
                found[folder] = manifest
                self._inputs.append(input_row(self._root / folder / MANIFEST_NAME, self._root))
                self._places.setdefault(folder, _Place(folder, {"name": manifest.name, "version": manifest.version}))
        return found

    def _member_locations(self) -> tuple[str, ...]:
        return tuple(
            sorted(
                location
                for location, place in self._places.items()
                if location
                and _FOLDER not in location
                and not place.row.get("link")
                and is_member(location, self._patterns)
            )
        )

    def _unnested(self, nested: Mapping[str, Any]) -> Iterator[_Place]:
        """The places that version 1 nests, in the shape of version 3."""
        waiting = [("", nested, 0)]
        while waiting:
            prefix, rows, depth = waiting.pop()
            if depth > _MAX_NESTING:
                raise NpmLockError(self._path, f"nested deeper than {_MAX_NESTING}")
            for name, row in rows.items():
                row = _row(row)
                location = f"{prefix}{_FOLDER}{name}"
                version = row.get("version", "")
                if not isinstance(version, str):
                    raise NpmLockError(self._path, f"package {name[:100]}: version: expected a string")
                fields: dict[str, Any] = {key: row[key] for key in ("integrity", "resolved", "optional") if key in row}
                # A lock that does not tell edges nests what a package installed for itself.
                asked = row.get("requires") if self._tells_edges else row.get("dependencies")
                fields["dependencies"] = dict.fromkeys(asked, "") if isinstance(asked, Mapping) else {}
                real = alias_target(version)
                origin = "" if is_version(version) or real else origin_of(version)
                if real:
                    fields["name"], version = real, split_at_version(version[4:])[1]
                elif origin in ("file", "link"):
                    folder = posixpath.normpath(version.partition(":")[2])
                    if not folder.endswith((".tgz", ".tar.gz", ".tar")):
                        yield _Place(location, {"link": True, "resolved": folder})
                        location, fields["name"] = folder, name
                    else:
                        fields["resolved"] = version
                    version = ""
                elif origin or not is_version(version):
                    fields["resolved"], version = version, ""
                fields["version"] = version
                if version and self._has_installed:
                    installed = installed_row(self._root / location) or {}
                    if installed.get("version") == version:
                        fields["peerDependencies"] = installed.get("peerDependencies")
                yield _Place(location, fields)
                inner = row.get("dependencies") or {}
                if not isinstance(inner, Mapping):
                    raise NpmLockError(self._path, f"package {name[:100]}: dependencies: expected an object")
                if inner:
                    waiting.append((f"{location}/", inner, depth + 1))

    def _manifest(self, location: str) -> NpmManifest:
        known = self._manifests.get(location or ".")
        return known if known is not None else NpmManifest.of(self._places[location].row)

    def _asked(self, location: str, *, is_root: bool) -> Iterator[Asked]:
        if location and not is_root and location not in self._manifests:
            row = self._places[location].row
            groups = ("dependencies", "optionalDependencies", "peerDependencies")
            optional = row.get("optionalDependencies") or {}
            names = {name: name in optional for group in groups for name in specifiers(row, group)}
        else:
            manifest = self._manifest(location)
            names = {name: is_optional for name, _, is_optional in manifest.asked(is_root=is_root)}
        for name, is_optional in names.items():
            target = self._find(location, name)
            if target is None:
                continue
            row = self._places[target].row
            left_out = ""
            if (is_optional or row.get("optional")) and not self._serves(row):
                left_out = OTHER_PLATFORM
            elif self._is_nested and row.get("optional") and self._is_missing(target):
                left_out = NOT_INSTALLED
            yield Asked(name, target, left_out)

    def _is_missing(self, location: str) -> bool:
        return self._has_installed and not (self._root / location).is_dir()

    def _serves(self, row: Mapping[str, Any]) -> bool:
        return self._platform.serves(row.get("os"), row.get("cpu"), row.get("libc"))

    def _find(self, location: str, name: str) -> str | None:
        """The place that Node finds for ``name`` asked in ``location``: nearest ``node_modules``, links followed."""
        folder = location
        while True:
            found = f"{folder}/{_FOLDER}{name}" if folder else f"{_FOLDER}{name}"
            place = self._places.get(found)
            if place is not None:
                return self._followed(place)
            if not folder or folder == "..":
                return None
            folder = folder.rpartition("/")[0]

    def _followed(self, place: _Place) -> str | None:
        if not place.row.get("link"):
            return place.location
        resolved = place.row.get("resolved")
        location = posixpath.normpath(resolved.removeprefix("file:")) if isinstance(resolved, str) else ""
        target = self._places.get(location)
        return location if location and target is not None and not target.row.get("link") else None

    def _specified_origins(self) -> dict[str, str]:
        """Place → origin, where somebody asks for git or an address: the place itself looks like any other."""
        found: dict[str, str] = {}
        for location, place in self._places.items():
            if place.row.get("link"):
                continue
            for group in ("dependencies", "optionalDependencies", "devDependencies"):
                for name, specifier in specifiers(place.row, group).items():
                    # Most are ranges, and this loop runs over all of them.
                    origin = origin_of(specifier) if ":" in specifier or "/" in specifier else ""
                    target = self._find(location, name) if origin in ("url", "git") else None
                    if target is not None:
                        found[target] = origin
        return found

    def _package(self, place: _Place, members: tuple[str, ...], unasked: frozenset[str]) -> Package:
        row, name = place.row, place.name
        version = row.get("version") or ""
        resolved = row.get("resolved") or ""
        integrity = row.get("integrity") or ""
        if not all(isinstance(each, str) for each in (version, resolved, integrity)):
            raise NpmLockError(self._path, f"package {name[:100]}: a field is of the wrong type")
        if place.location in unasked:
            return Package(name, version, None)
        if _FOLDER not in place.location:
            origin = "workspace" if place.location in members else "file"
            return npm_local_package(name, version, origin, self._root, place.location)
        origin = origin_of(resolved) if resolved else ""
        if origin in ("", "url"):
            origin = self._origins.get(place.location) or ("url" if _is_foreign(resolved, version) else "")
        if origin:
            folder = self._checkouts.folder(place.location, row)
            return npm_local_package(name, version, origin, self._root, folder)
        return npm_release(name, version, integrity_digests(integrity))


def _unasked(members: Iterable[str], asked: Iterable[tuple[str, Iterable[Asked]]]) -> frozenset[str]:
    """Members that no other package asks for: they are the project's own code and are not hashed."""
    wanted = {each.target for location, rows in asked for each in rows if each.target != location}
    return frozenset(members) - wanted


def _is_foreign(resolved: str, version: str) -> bool:
    """Whether an archive's address is none of a registry's, which name the version or stand below ``/-/``."""
    return (
        resolved.startswith(("http:", "https:")) and (not version or version not in resolved) and "/-/" not in resolved
    )


def _row(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError("expected an object")
    return value


def _rows_of(nested: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    waiting: list[Any] = list(nested.values())
    while waiting:
        row = _row(waiting.pop())
        yield row
        inner = row.get("dependencies")
        waiting += inner.values() if isinstance(inner, Mapping) else []
