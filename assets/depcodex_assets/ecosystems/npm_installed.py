"""npm packages that lie on this machine as folders: a project's node_modules, workspace members, ``file:`` packages.

Here: finding a version in node_modules, and reading a folder. Not here: which files count (npm_files, depcodex.trees).

node_modules has no digest of any file, and what it holds can be patched by hand: nothing out of it is verified.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from depcodex.trees import NPM_TREE, source_files, tree_digest
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import HarvestRequest, SourceFile, SourceTree, TreeChangedError
from depcodex_assets.ecosystems.npm_archive import package_name
from depcodex_assets.ecosystems.npm_files import (
    MANIFEST,
    further_sources,
    is_candidate,
    is_first,
    sorted_files,
    source_file,
)

_MAX_MANIFEST_BYTES = 4_000_000
# Folders of node_modules below one another; npm's own trees have at most about six.
_MAX_NESTING = 12
_MAX_FOLDERS = 200_000


class InstalledModules:
    """The packages in node_modules folders, each folder listed once."""

    def __init__(self) -> None:
        self._listed: dict[str, dict[str, list[Path]]] = {}

    def find(self, request: HarvestRequest) -> Path | None:
        """The folder of exactly this version, the nearest first; None where no folder has it."""
        name = package_name(request.coordinate)
        for root in request.source_folders:
            direct = Path(root) / name
            if _version(direct) == (name, request.coordinate.version):
                return direct
        for root in request.source_folders:
            for folder in self._folders(root).get(name, ()):
                if _version(folder) == (name, request.coordinate.version):
                    return folder
        return None

    def _folders(self, root: str) -> dict[str, list[Path]]:
        if root not in self._listed:
            found: dict[str, list[Path]] = {}
            for name, folder in _packages(Path(root)):
                found.setdefault(name, []).append(folder)
            self._listed[root] = found
        return self._listed[root]


def _packages(root: Path) -> Iterator[tuple[str, Path]]:
    """Packages in a node_modules folder and in those nested in it, pnpm's ``.pnpm`` too; no link is followed."""
    waiting = [(root, 0)]
    count = 0
    while waiting:
        folder, depth = waiting.pop()
        for entry in _folders_in(folder):
            count += 1
            if count > _MAX_FOLDERS:
                return
            if entry.name == ".pnpm":
                waiting += [(Path(each.path) / "node_modules", depth + 1) for each in _folders_in(Path(entry.path))]
                continue
            if entry.name.startswith("."):
                continue
            inner = _folders_in(Path(entry.path)) if entry.name.startswith("@") else (entry,)
            for each in inner:
                name = f"{entry.name}/{each.name}" if each is not entry else entry.name
                yield name, Path(each.path)
                nested = Path(each.path) / "node_modules"
                if depth < _MAX_NESTING and nested.is_dir():
                    waiting.append((nested, depth + 1))


def _folders_in(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            return sorted((each for each in listing if each.is_dir(follow_symlinks=False)), key=lambda each: each.name)
    except OSError:
        return []


def _version(folder: Path) -> tuple[str, str] | None:
    try:
        path = folder / MANIFEST
        if path.stat().st_size > _MAX_MANIFEST_BYTES:
            return None
        value = json.loads(path.read_bytes().decode("utf-8-sig", "replace"))
        return str(value["name"]), str(value["version"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def read_installed(request: HarvestRequest, installed: InstalledModules, limits: Limits) -> SourceTree | None:
    """The sources of a request out of node_modules, unverified; None where no folder holds that version."""
    folder = installed.find(request)
    if folder is None:
        return None
    root = folder.resolve()
    return SourceTree(_read(root, source_files(root, NPM_TREE), limits, is_verified=False))


def read_local(request: HarvestRequest, limits: Limits) -> SourceTree:
    """The sources of a request out of its own tree at ``request.location``.

    Raises:
        TreeChangedError: the tree is gone, or its digest is not the coordinate's checksum.
    """
    root = Path(request.location)
    if not root.is_dir():
        raise TreeChangedError(f"{request.coordinate}: its tree is no longer on this machine")
    paths = source_files(root, NPM_TREE)
    files = _read(root, paths, limits, is_verified=True)
    # After reading: an edit that came in between is seen, not read under the old checksum.
    if request.coordinate.checksum != f"sha256:{tree_digest(root, paths)}":
        raise TreeChangedError(f"{request.coordinate}: its tree has changed since it was recorded")
    return SourceTree(files)


def _read(root: Path, paths: tuple[str, ...], limits: Limits, *, is_verified: bool) -> tuple[SourceFile, ...]:
    candidates = [path for path in paths if is_candidate(path)][: limits.max_member_count]
    manifests = {
        path: _bytes(root / path, _MAX_MANIFEST_BYTES) or b"" for path in candidates if path.endswith(MANIFEST)
    }
    more = further_sources(candidates, manifests)
    files: list[SourceFile] = []
    left_bytes = limits.max_read_bytes
    for path in candidates:
        if not is_first(path) and path not in more:
            continue
        shown = path.encode("utf-8", "replace").decode()
        size_bytes = _size(root / path)
        if size_bytes > limits.max_member_bytes or size_bytes > left_bytes:
            detail = f"{size_bytes} bytes, expected at most {min(limits.max_member_bytes, left_bytes)}"
            files.append(SourceFile(shown, b"", False, "limit:file", detail, size_bytes))
            continue
        content = _bytes(root / path, limits.max_member_bytes)
        if content is not None:
            left_bytes -= len(content)
            files.append(source_file(shown, content, is_verified=is_verified))
    return sorted_files(files)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _bytes(path: Path, limit: int) -> bytes | None:
    try:
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except OSError:
        return None
    return content if len(content) <= limit else None
