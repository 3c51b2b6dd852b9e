"""pnpm-lock.yaml.

Here: lock versions 5 to 9 (pnpm 3 to 12), workspaces (``importers``), links, injected packages. Not here: the keys of
packages (depcodex.lockfiles.pnpm_paths), YAML (depcodex.lockfiles.yaml_documents).

Spec: pnpm's ``lockfile-types`` and ``lockfile.fs`` packages, read 2026-12. Each key names a package with the peers it
was resolved with, so that its ``dependencies`` are what Node finds; version 9 keeps these in ``snapshots`` and what
the release itself says in ``packages``. Of several YAML documents the last is the project's; one before it is pnpm's
own tools.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, read_text
from depcodex.lockfiles.graph import Package
from depcodex.lockfiles.interface import Reading, Sample, Target
from depcodex.lockfiles.npm_checkouts import PnpmCheckouts
from depcodex.lockfiles.npm_graph import Asked, Member, NpmGraph
from depcodex.lockfiles.npm_names import integrity_digests, is_version, origin_of
from depcodex.lockfiles.npm_packages import npm_local_package, npm_release
from depcodex.lockfiles.npm_platforms import OTHER_PLATFORM, Platform
from depcodex.lockfiles.pnpm_paths import possible_keys, split_path, without_peers
from depcodex.lockfiles.yaml_documents import parse_yaml

FIRST_MAJOR, LAST_MAJOR = 5, 9
_LINK = "link:"
_IMPORTER = "importer:"


class PnpmLockError(LockfileError):
    """A pnpm-lock.yaml cannot be read."""

    format_name = "pnpm"


class PnpmReader:
    """Reads pnpm-lock.yaml; one closure an importer."""

    name = "pnpm"
    error: type[LockfileError] = PnpmLockError

    def matches_content(self, sample: Sample) -> bool:
        """A line with the lock's version, in YAML."""
        return re.search(r"^lockfileVersion: ", sample.text, re.MULTILINE) is not None

    def read(self, path: Path, target: Target) -> Reading:
        """One closure an importer; see ``LockfileReader.read``."""
        document = parse_yaml(read_text(path, PnpmLockError), path, PnpmLockError)[-1]
        with guarded(path, PnpmLockError):
            return read_packages(path, document, target)


def read_packages(
    path: Path, document: Mapping[str, Any], target: Target, root: Path | None = None, format_name: str = "pnpm"
) -> Reading:
    """The closures of a lock's document; ``root`` is the project's folder where that is not the folder of ``path``.

    Raises:
        LockfileError, and what ``documents.guarded`` translates.
    """
    return _PnpmLock(path, document, _major(path, document), target, root or path.parent).reading(format_name)


def _major(path: Path, document: Mapping[str, Any]) -> int:
    if not document:
        return LAST_MAJOR
    version = document.get("lockfileVersion")
    match = re.fullmatch(r"(\d{1,3})(\.\d{1,3})?", version) if isinstance(version, str) else None
    if match is None or not FIRST_MAJOR <= int(match[1]) <= LAST_MAJOR:
        shown = version if match else "something else"
        raise PnpmLockError(path, f"lockfileVersion: expected {FIRST_MAJOR} to {LAST_MAJOR}, got {shown}")
    return int(match[1])


class _PnpmLock:
    def __init__(self, path: Path, document: Mapping[str, Any], major: int, target: Target, root: Path) -> None:
        self._path = path
        self._root = root
        self._major = major
        self._target = target
        self._platform = Platform.of(target)
        self._checkouts = PnpmCheckouts(root)
        self._releases = {key: _row(row) for key, row in _row(document.get("packages")).items()}
        self._snapshots = {key: _row(row) for key, row in _row(document.get("snapshots")).items()}
        importers = _row(document.get("importers")) if "importers" in document else {".": document}
        self._importers = {posixpath.normpath(key): _row(row) for key, row in importers.items()}
        self._patched = len(_row(document.get("patchedDependencies")))
        self._unnamed_count = 0
        self._graph = NpmGraph()

    def reading(self, format_name: str) -> Reading:
        graph = self._graph
        rows = self._nodes()
        for key, row in rows.items():
            package = self._package(key, row)
            if package is None:
                self._unnamed_count += 1
            else:
                graph.add(key, package)
        self._add_linked(rows)
        for key, row in rows.items():
            if key in graph:
                for each in self._asked(row, ".", is_root=False):
                    graph.connect(key, each.name, each.target, each.left_out)
        members = []
        for path, row in self._importers.items():
            key = _IMPORTER + path
            for each in self._asked(row, path, is_root=False):
                graph.connect(key, each.name, each.target, each.left_out)
            members.append(Member(path, tuple(self._asked(row, path, is_root=True)), key))
        inputs = (input_row(self._path, self._root),)
        return graph.reading(format_name, self._root, self._target, members or [Member(".", ())], inputs, self._notes())

    def _notes(self) -> Iterator[str]:
        if self._unnamed_count:
            yield f"{self._path.name}: {self._unnamed_count} entries name no package"
        if self._patched:
            yield f"{self._path.name}: {self._patched} packages are patched; they are read as released"

    def _nodes(self) -> dict[str, Mapping[str, Any]]:
        if not self._snapshots:
            return self._releases
        covered = {without_peers(key) for key in self._snapshots}
        alone = {key: row for key, row in self._releases.items() if key not in covered}
        return {**self._snapshots, **alone}

    def _release(self, key: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._releases.get(without_peers(key), row) if self._snapshots else row

    def _package(self, key: str, row: Mapping[str, Any]) -> Package | None:
        """The package of a key; None where nothing names it."""
        release = self._release(key, row)
        try:
            name, rest = split_path(key, self._major)
        except ValueError as problem:
            raise PnpmLockError(self._path, f"package {key[:100]!r}: {problem}") from problem
        resolution = _row(release.get("resolution"))
        name = _text(release.get("name")) or name
        version = _text(release.get("version")) or (rest if is_version(rest) else "")
        if not name:
            return None
        root = self._root
        kind = _text(resolution.get("type"))
        if kind == "directory" or "directory" in resolution:
            return npm_local_package(name, version, "file", root, _text(resolution.get("directory")))
        # A tarball's address is a registry's own where the key names a version of it.
        is_named_release = is_version(rest) and not release.get("name")
        origin = "git" if kind == "git" else "" if is_named_release else origin_of(_text(resolution.get("tarball")))
        origin = origin or ("" if is_named_release or is_version(rest) else origin_of(rest))
        if origin:
            folder = self._checkouts.folder(without_peers(key), resolution, name, version)
            return npm_local_package(name, version, origin, root, folder)
        return npm_release(name, version, integrity_digests(_text(resolution.get("integrity"))))

    def _add_linked(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """The importers, and the folders that are linked in from elsewhere."""
        root = self._root
        linked: dict[str, str] = {}
        for path, row in [*self._importers.items(), *((".", row) for row in rows.values())]:
            for name, reference, _ in _references(row, is_root=True):
                if reference.startswith(_LINK):
                    linked.setdefault(_linked_path(path, reference), name)
        for path in self._importers:
            # The tree of a member that no other package asks for is the project's own code: it is not hashed.
            asked_as = linked.pop(path, None)
            package = npm_local_package(asked_as, "", "workspace", root, path) if asked_as else Package(path, "", None)
            self._graph.add(_IMPORTER + path, package)
        for path, name in linked.items():
            self._graph.add(_LINK + path, npm_local_package(name, "", "link", root, path))

    def _asked(self, row: Mapping[str, Any], path: str, *, is_root: bool) -> Iterator[Asked]:
        for name, reference, is_optional in _references(row, is_root=is_root):
            key = self._find(name, reference, path)
            if key is None:
                continue
            left_out = ""
            if not key.startswith((_IMPORTER, _LINK)):
                snapshot = self._snapshots.get(key) or self._releases.get(key, {})
                release = self._release(key, snapshot)
                is_optional = is_optional or snapshot.get("optional") == "true"
                if is_optional and not self._serves(release):
                    left_out = OTHER_PLATFORM
            yield Asked(name, key, left_out)

    def _serves(self, release: Mapping[str, Any]) -> bool:
        return self._platform.serves(release.get("os"), release.get("cpu"), release.get("libc"))

    def _find(self, name: str, reference: str, path: str) -> str | None:
        if reference.startswith(_LINK):
            place = _linked_path(path, reference)
            return (_IMPORTER if place in self._importers else _LINK) + place
        return next((key for key in possible_keys(name, reference) if key in self._graph), None)


def _references(row: Mapping[str, Any], *, is_root: bool) -> Iterator[tuple[str, str, bool]]:
    """(name, reference, whether it is optional) of what a row asks for, each name once."""
    seen: set[str] = set()
    for group in ("optionalDependencies", "dependencies", *(("devDependencies",) if is_root else ())):
        for name, value in _row(row.get(group)).items():
            if name not in seen:
                seen.add(name)
                # Before version 6 the specifiers stand apart; later each is {specifier, version}.
                reference = _text(value.get("version")) if isinstance(value, Mapping) else _text(value)
                yield name, reference, group == "optionalDependencies"


def _linked_path(path: str, reference: str) -> str:
    return posixpath.normpath(posixpath.join(path, reference[len(_LINK) :]))


def _row(value: object) -> Mapping[str, Any]:
    """A mapping; nothing at all is an empty one."""
    if value is None or value == "":
        return {}
    if not isinstance(value, Mapping):
        raise TypeError("expected a mapping")
    return value


def _text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("expected a string")
    return value
