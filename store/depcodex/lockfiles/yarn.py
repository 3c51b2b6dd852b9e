"""yarn.lock of yarn classic and yarn berry.

Here: which of the two a file is, members, roots, edges and peers. Not here: their syntax
(depcodex.lockfiles.yarn_classic, depcodex.lockfiles.yarn_berry), which entry a dependency means
(depcodex.lockfiles.yarn_entries), what a peer is (depcodex.lockfiles.npm_peers).

Yarn classic's lock names neither roots nor peers nor machines: its roots are package.json's, and without one every
package belongs to the closure at no distance; peers are those of what is installed, and of its optional packages those
count that are installed, or all where nothing is. Berry's lock has the workspace in it, and peers by range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, read_text
from depcodex.lockfiles.graph import Package
from depcodex.lockfiles.interface import Reading, Sample, Target
from depcodex.lockfiles.npm_graph import NOT_INSTALLED, Asked, Member, NpmGraph
from depcodex.lockfiles.npm_manifest import MANIFEST_NAME, NpmManifest, read_manifest, workspace_folders
from depcodex.lockfiles.npm_names import split_at_version
from depcodex.lockfiles.npm_packages import installed_row, npm_local_package, npm_release
from depcodex.lockfiles.npm_peers import Peered, PeerTree
from depcodex.lockfiles.npm_platforms import OTHER_PLATFORM, Platform
from depcodex.lockfiles.yaml_documents import parse_yaml
from depcodex.lockfiles.yarn_berry import berry_entries
from depcodex.lockfiles.yarn_classic import classic_entries, parse_classic
from depcodex.lockfiles.yarn_entries import YarnEntry, YarnIndex

_MEMBER = "member:"


class YarnLockError(LockfileError):
    """A yarn.lock cannot be read."""

    format_name = "yarn"


class YarnReader:
    """Reads yarn.lock; one closure a workspace member."""

    name = "yarn"
    error: type[LockfileError] = YarnLockError

    def matches_content(self, sample: Sample) -> bool:
        """Classic's first lines, or berry's metadata."""
        return re.search(r"^(# yarn lockfile v\d|__metadata:\s*$)", sample.text, re.MULTILINE) is not None

    def read(self, path: Path, target: Target) -> Reading:
        """One closure a workspace member; see ``LockfileReader.read``."""
        text = read_text(path, YarnLockError)
        with guarded(path, YarnLockError):
            return _YarnLock(path, text, target).reading()


class _YarnLock:
    def __init__(self, path: Path, text: str, target: Target) -> None:
        self._path = path
        self._root = path.parent
        self._target = target
        self._platform = Platform.of(target)
        self._inputs = [input_row(path, self._root)]
        self._manifests: dict[str, NpmManifest] = {}
        if re.search(r"^__metadata:", text, re.MULTILINE):
            document = parse_yaml(text, path, YarnLockError)[0]
            self._entries = list(berry_entries(document, path, YarnLockError))
            self._read_manifests([entry.member for entry in self._entries if entry.member])
        else:
            blocks = parse_classic(text, path, YarnLockError)
            root = read_manifest(self._root, YarnLockError)
            if root is not None and (blocks or root.workspaces):
                self._read_manifests([".", *workspace_folders(self._root, root.workspaces)])
            self._entries = list(classic_entries(blocks, self._root, [each for each in self._manifests if each != "."]))
        resolutions = self._manifests["."].resolutions if "." in self._manifests else {}
        self._members = {entry.member: entry for entry in self._entries if entry.member}
        self._is_berry = bool(self._members)
        places = (self._root / path / "node_modules" for path in (".", *self._manifests))
        self._module_folders = () if self._is_berry else tuple(each for each in places if each.is_dir())
        self._index = YarnIndex(self._entries, resolutions)
        self._member_names = {manifest.name: path for path, manifest in self._manifests.items() if manifest.name}

    def reading(self) -> Reading:
        graph = NpmGraph()
        paths = sorted({*self._members, *(() if self._is_berry else self._manifests)})
        plain = {entry.key: entry for entry in self._entries if not entry.member}
        tree = PeerTree(map(_peered, plain.values()), lambda key: self._asks(plain[key]))
        roots = {path: tree.grow(self._member_asks(path, is_root=True)) for path in paths}
        if not paths:
            tree.grow(Asked(entry.name, key) for key, entry in plain.items())
        for key, entry_key in tree.keys_of(plain):
            graph.add(key, self._package(plain[entry_key]))
        wanted = {each.target for rows in tree.edges.values() for each in rows}
        wanted |= {each.target for path, rows in roots.items() for each in rows if each.target != _MEMBER + path}
        for path in paths:
            graph.add(_MEMBER + path, self._member_package(path, is_asked=_MEMBER + path in wanted))
        for key, rows in tree.edges.items():
            for each in rows:
                graph.connect(key, each.name, each.target, each.left_out)
        for key, name, target in self._installed_peers(plain):
            graph.connect(key, name, target)
        for path in paths:
            own = {each.name for each in self._member_asks(path, is_root=False)}
            for each in roots[path]:
                if each.name in own:
                    graph.connect(_MEMBER + path, each.name, each.target, each.left_out)
        members = [Member(path, roots[path], _MEMBER + path) for path in paths] or [Member(".", None)]
        return graph.reading("yarn", self._root, self._target, members, tuple(self._inputs), self._notes())

    def _installed_peers(self, plain: Mapping[str, YarnEntry]) -> Iterator[tuple[str, str, str]]:
        """(asking, name, target) of classic's peers, between packages that lie side by side in ``node_modules``."""
        folder = self._root / "node_modules"
        if self._is_berry or folder not in self._module_folders:
            return
        by_version = {
            (split_at_version(pattern)[0], entry.version): key
            for key, entry in plain.items()
            for pattern in entry.patterns
        }
        rows = {name: installed_row(folder / name) or {} for name in {name for name, _ in by_version}}
        keys = {name: by_version.get((name, row.get("version", ""))) for name, row in rows.items()}
        for name, key in sorted(keys.items()):
            for peer in rows[name].get("peerDependencies", ()) if key else ():
                target = keys.get(peer)
                if key and target and key != target:
                    yield key, peer, target

    def _notes(self) -> Iterator[str]:
        patched = sum(entry.is_patched for entry in self._entries)
        if patched:
            yield f"{self._path.name}: {patched} packages are patched; they are read as released"

    def _read_manifests(self, folders: list[str]) -> None:
        for folder in sorted(set(folders)):
            place = (self._root / folder).resolve()
            manifest = read_manifest(place, YarnLockError) if place.is_relative_to(self._root.resolve()) else None
            if manifest is not None:
                self._manifests[folder] = manifest
                self._inputs.append(input_row(self._root / folder / MANIFEST_NAME, self._root))

    def _linked_manifest(self, folder: str) -> NpmManifest:
        place = (self._root / folder).resolve()
        inside = place.is_relative_to(self._root.resolve())
        return (read_manifest(place, YarnLockError) if inside else None) or NpmManifest()

    def _package(self, entry: YarnEntry) -> Package:
        if entry.origin:
            return npm_local_package(entry.name, entry.version, entry.origin, self._root, entry.folder)
        return npm_release(entry.name, entry.version, entry.digests)

    def _member_package(self, path: str, *, is_asked: bool) -> Package:
        manifest = self._manifests.get(path, NpmManifest())
        name = manifest.name or (self._members[path].name if path in self._members else path)
        if not is_asked:
            # The tree of a member that no other package asks for is the project's own code: it is not hashed.
            return Package(name, manifest.version, None)
        return npm_local_package(name, manifest.version, "workspace", self._root, path)

    def _member_asks(self, path: str, *, is_root: bool) -> Iterator[Asked]:
        entry, manifest = self._members.get(path), self._manifests.get(path)
        if entry is None:
            for name, specifier, is_optional in (manifest or NpmManifest()).asked(is_root=is_root):
                yield from self._found(name, specifier, is_optional=is_optional)
            return
        # A dependency's own devDependencies never count; only package.json tells them from the others.
        known = manifest.dev.keys() - manifest.main.keys() - manifest.optional.keys() if manifest else frozenset()
        for each in self._asks(entry):
            if is_root or each.name not in known:
                yield each
        for name, specifier in entry.peers.items():
            if name not in entry.dependencies:
                yield from self._found(name, specifier)

    def _asks(self, entry: YarnEntry) -> Iterator[Asked]:
        dependencies = entry.dependencies
        if entry.origin == "link" and entry.folder and not dependencies:
            # Classic leaves out what a linked folder asks for; Node finds it from where the folder lies.
            manifest = self._linked_manifest(entry.folder)
            dependencies = {name: specifier for name, specifier, _ in manifest.asked(is_root=False)}
        for name, specifier in dependencies.items():
            yield from self._found(name, specifier, is_optional=name in entry.optional)

    def _found(self, name: str, specifier: str, *, is_optional: bool = False) -> Iterator[Asked]:
        entry = self._index.find(name, specifier)
        if entry is None:
            if name in self._member_names and not self._is_berry:
                # Classic links members to one another and leaves them out of the lock.
                yield Asked(name, _MEMBER + self._member_names[name])
            return
        if entry.member:
            yield Asked(name, _MEMBER + entry.member)
            return
        # Berry skips what is for other machines, optional or not.
        left_out = "" if not entry.conditions or self._platform.meets(entry.conditions) else OTHER_PLATFORM
        if is_optional and self._module_folders and not any((each / name).is_dir() for each in self._module_folders):
            left_out = NOT_INSTALLED
        yield Asked(name, entry.key, left_out)


def _peered(entry: YarnEntry) -> Peered:
    return Peered(entry.key, entry.name, tuple(name for name in entry.peers if name not in entry.dependencies))
