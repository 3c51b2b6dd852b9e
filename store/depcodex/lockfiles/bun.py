"""bun.lock, bun's lock in text.

Here: lock versions 0 to 2, workspaces, nested duplicates. Not here: comments and trailing commas
(depcodex.lockfiles.jsonc); bun.lockb, the older binary lock, which only bun reads.

Spec: bun's ``src/install/lockfile/bun.lock.zig`` and documentation, read 2026-12. A key of ``packages`` is the way to
the package in the tree (``supports-color/has-flag``); its row is a tuple that starts with ``name@resolution``: a
version (then registry, fields, integrity), or ``workspace:``, ``file:``, ``link:``, ``root:``, git or an address (then
fields, where there are any). The fields name what it asks for, and for which machines it is.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, parse_json, read_text, table
from depcodex.lockfiles.graph import Package
from depcodex.lockfiles.interface import Reading, Sample, Target
from depcodex.lockfiles.jsonc import plain_json
from depcodex.lockfiles.npm_graph import Asked, Member, NpmGraph
from depcodex.lockfiles.npm_manifest import NpmManifest, specifiers
from depcodex.lockfiles.npm_names import integrity_digests, is_version, origin_of, split_at_version
from depcodex.lockfiles.npm_packages import npm_local_package, npm_release
from depcodex.lockfiles.npm_peers import Peered, PeerTree
from depcodex.lockfiles.npm_platforms import OTHER_PLATFORM, Platform

LAST_VERSION = 2
_MEMBER = "member:"


class BunLockError(LockfileError):
    """A bun.lock cannot be read."""

    format_name = "bun"


@dataclass(frozen=True)
class _Entry:
    """One row of ``packages``: ``name@resolution``, its fields, its integrity."""

    name: str
    resolution: str
    fields: Mapping[str, Any]
    integrity: str

    @property
    def peers(self) -> tuple[str, ...]:
        """The names of its peers that it does not ask for itself."""
        stated = specifiers(self.fields, "peerDependencies")
        return tuple(name for name in stated if name not in specifiers(self.fields, "dependencies"))

    @property
    def member_path(self) -> str | None:
        """The folder of the workspace member that it stands for."""
        if not self.resolution.startswith("workspace:"):
            return None
        return posixpath.normpath(self.resolution[len("workspace:") :])


class BunReader:
    """Reads bun.lock; one closure a workspace member."""

    name = "bun"
    error: type[LockfileError] = BunLockError

    def matches_content(self, sample: Sample) -> bool:
        """A lock version beside workspaces, keyed by folder, of which the root is the first."""
        text = sample.text
        return bool(re.search(r'"lockfileVersion"\s*:', text) and re.search(r'"workspaces"\s*:\s*\{\s*""', text))

    def read(self, path: Path, target: Target) -> Reading:
        """One closure a workspace member; see ``LockfileReader.read``."""
        document = parse_json(plain_json(read_text(path, BunLockError)), path, BunLockError)
        version = document.get("lockfileVersion", None if document else 0)
        if isinstance(version, bool) or not isinstance(version, int) or not 0 <= version <= LAST_VERSION:
            shown = version if isinstance(version, int) else "something else"
            raise BunLockError(path, f"lockfileVersion: expected 0 to {LAST_VERSION}, got {shown}")
        with guarded(path, BunLockError):
            return _BunLock(path, document, target).reading()


class _BunLock:
    def __init__(self, path: Path, document: Mapping[str, Any], target: Target) -> None:
        self._path = path
        self._target = target
        self._platform = Platform.of(target)
        workspaces = table(document, "workspaces", path, BunLockError)
        self._members = {posixpath.normpath(key): NpmManifest.of(row) for key, row in workspaces.items()}
        packages = table(document, "packages", path, BunLockError)
        self._entries = {key: self._entry(key, row) for key, row in packages.items()}
        # bun 1.3 and later: a workspace that is new to it is installed isolated, all else hoisted.
        self._is_isolated = document.get("configVersion", 0) != 0 and len(self._members) > 1
        self._patched_count = len(table(document, "patchedDependencies", path, BunLockError))
        self._ways = self._member_ways()

    def reading(self) -> Reading:
        graph = NpmGraph()
        plain = {key: entry for key, entry in self._entries.items() if entry.member_path not in self._members}
        # Hoisted, a package finds its peers where it lies; isolated, each asker's copy gets what that asker has.
        peered = (Peered(key, entry.name, entry.peers if self._is_isolated else ()) for key, entry in plain.items())
        tree = PeerTree(peered, self._entry_asks)
        asked = {
            path: tree.grow(self._member_asks(path, manifest, is_root=True)) for path, manifest in self._members.items()
        }
        if not self._members:
            tree.grow(Asked(entry.name, key) for key, entry in plain.items())
        for key, entry_key in tree.keys_of(plain):
            graph.add(key, self._package(plain[entry_key]))
        inner = tree.edges
        wanted = {
            each.target
            for asking, rows in [*((_MEMBER + path, rows) for path, rows in asked.items()), *inner.items()]
            for each in rows
            if each.target != asking
        }
        for path, manifest in self._members.items():
            graph.add(_MEMBER + path, self._member_package(path, manifest, is_asked=_MEMBER + path in wanted))
        for key, rows in inner.items():
            for each in rows:
                graph.connect(key, each.name, each.target, each.left_out)
        for path, manifest in self._members.items():
            own = {each.name for each in self._member_asks(path, manifest, is_root=False)}
            for each in asked[path]:
                if each.name in own:
                    graph.connect(_MEMBER + path, each.name, each.target, each.left_out)
        members = [Member(path, asked[path], _MEMBER + path) for path in self._members]
        if not members:
            members = [Member(".", None if self._entries else ())]
        notes: tuple[str, ...] = ()
        if self._patched_count:
            notes = (f"{self._path.name}: {self._patched_count} packages are patched; they are read as released",)
        inputs = (input_row(self._path, self._path.parent),)
        return graph.reading("bun", self._path.parent, self._target, members, inputs, notes)

    def _entry(self, key: str, row: object) -> _Entry:
        if not isinstance(row, list) or not row or not isinstance(row[0], str):
            raise BunLockError(self._path, f"package {key[:100]!r}: expected a list that starts with name@version")
        name, resolution = split_at_version(row[0])
        fields = next((each for each in row[1:] if isinstance(each, Mapping)), {})
        integrity = row[-1] if len(row) > 1 and isinstance(row[-1], str) else ""
        return _Entry(name, resolution, fields, integrity)

    def _member_ways(self) -> dict[str, str]:
        """Member path → the way below which its own copies stand, as in the keys of ``packages``."""
        found = {"." if path == "." else path: manifest.name for path, manifest in self._members.items()}
        found.update({entry.member_path: key for key, entry in self._entries.items() if entry.member_path is not None})
        found["."] = ""
        return found

    def _package(self, entry: _Entry) -> Package:
        root = self._path.parent
        resolution = entry.resolution
        if entry.member_path is not None:
            return npm_local_package(entry.name, "", "workspace", root, entry.member_path)
        if resolution.startswith("root:"):
            return Package(entry.name, "", None, "the project itself")
        if is_version(resolution):
            return npm_release(entry.name, resolution, integrity_digests(entry.integrity))
        origin = origin_of(resolution) or "unknown"
        # An archive stands there by its path alone, a folder behind its scheme.
        folder = resolution.partition(":")[2] if origin in ("file", "link") else None
        # `link:` names what was registered with `bun link`; only a path says where that is.
        if folder is not None and (folder.endswith((".tgz", ".tar.gz")) or (origin == "link" and "/" not in folder)):
            folder = None
        return npm_local_package(entry.name, "", origin, root, folder)

    def _member_package(self, path: str, manifest: NpmManifest, *, is_asked: bool) -> Package:
        name = manifest.name or path
        if not is_asked:
            # The tree of a member that no other package asks for is the project's own code: it is not hashed.
            return Package(name, manifest.version, None)
        return npm_local_package(name, manifest.version, "workspace", self._path.parent, path)

    def _member_asks(self, path: str, manifest: NpmManifest, *, is_root: bool) -> Iterator[Asked]:
        for name, _, is_optional in manifest.asked(is_root=is_root):
            yield from self._found(self._ways.get(path, ""), name, is_optional=is_optional)

    def _entry_asks(self, key: str) -> Iterator[Asked]:
        fields = self._entries[key].fields
        if not any(group in fields for group in ("dependencies", "optionalDependencies", "peerDependencies")):
            return
        manifest = NpmManifest.of(fields)
        for name, _, is_optional in manifest.asked(is_root=False):
            yield from self._found(key, name, is_optional=is_optional)

    def _found(self, way: str, name: str, *, is_optional: bool) -> Iterator[Asked]:
        """What ``name`` means to a package at ``way``: the nearest of the copies that its own way passes by."""
        parts = _way_names(way)
        for count in range(len(parts), -1, -1):
            entry = self._entries.get("/".join([*parts[:count], name]))
            if entry is None:
                continue
            key = "/".join([*parts[:count], name])
            if entry.member_path in self._members:
                yield Asked(name, f"{_MEMBER}{entry.member_path}")
                return
            fields = entry.fields
            serves = not is_optional or self._platform.serves(fields.get("os"), fields.get("cpu"), fields.get("libc"))
            yield Asked(name, key, "" if serves else OTHER_PLATFORM)
            return


def _way_names(way: str) -> list[str]:
    """The names that a key of ``packages`` goes through; a scope and its name are one.

    Example:
        >>> _way_names("@ws/a/debug/ms")
        ['@ws/a', 'debug', 'ms']
    """
    names: list[str] = []
    scope = ""
    for part in way.split("/") if way else ():
        if part.startswith("@") and not scope:
            scope = part
        else:
            names.append(f"{scope}/{part}" if scope else part)
            scope = ""
    return names
