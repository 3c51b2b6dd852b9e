"""Crates that lie on this machine: a project's own trees, its vendor folders, and cargo's registry cache.

Here: reading them in place, and what they are held against. Not here: fetching (cargo_fetch), which files count
(cargo_archive, depcodex.trees).

A cached archive is held against the lock's digest, a vendored tree against its ``.cargo-checksum.json`` (the Cargo
book, "Directory Sources"). Trees that cargo has unpacked beside its cache carry no digests: they serve only where
nothing may be fetched, and their files are labelled unverified.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex.lockfiles.standard_library import is_standard_library
from depcodex.trees import RUST_TREE, source_files, tree_digest
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.cargo_archive import is_crate_source, read_crate
from depcodex_assets.ecosystems.interface import (
    HarvestParameters,
    HarvestRequest,
    InPlace,
    SourceFile,
    SourceTree,
    TreeChangedError,
)
from depcodex_assets.ecosystems.standard_library import read_standard_library

_CHECKSUM_NAME = ".cargo-checksum.json"
_MAX_CHECKSUM_BYTES = 16 * 1024 * 1024


def cargo_home() -> Path:
    """Cargo's home folder on this machine, there or not."""
    return Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")


def open_in_place(parameters: HarvestParameters) -> InPlace:
    """What is asked for each request of a batch; see ``Ecosystem.open_in_place``."""
    registry = cargo_home() / "registry"
    caches = sorted(each for each in registry.glob("cache/*") if each.is_dir())
    unpacked = sorted(each for each in registry.glob("src/*") if each.is_dir())

    def in_place(request: HarvestRequest) -> SourceTree | None:
        if is_standard_library(request.coordinate):
            # No registry has it: where it is not on this machine, that is the answer.
            return read_standard_library(request, parameters.limits)
        if request.location:
            return _read_own(request, parameters.limits)
        if request.coordinate.checksum:
            return None
        found = _vendored(request, parameters.limits) or _cached(request, caches, parameters.limits)
        if found is None and parameters.is_offline:
            found = _unpacked(request, unpacked, parameters.limits)
        return found

    return in_place


def _read_own(request: HarvestRequest, limits: Limits) -> SourceTree:
    """The tree at ``request.location``.

    Raises:
        TreeChangedError: the tree is gone, or its digest is not the coordinate's checksum.
    """
    root = Path(request.location)
    if not root.is_dir():
        raise TreeChangedError(f"{request.coordinate}: its tree is no longer on this machine")
    paths = source_files(root, RUST_TREE)
    files = tuple(_file(root / path, path, limits, is_verified=True) for path in paths)
    # After reading: an edit that came in between is seen, not read under the old checksum.
    got = tree_digest(root, paths)
    if request.coordinate.checksum != f"sha256:{got}":
        raise TreeChangedError(f"{request.coordinate}: its tree has changed since it was recorded")
    return SourceTree(files)


def _cached(request: HarvestRequest, caches: Sequence[Path], limits: Limits) -> SourceTree | None:
    """Out of the archives that cargo keeps, where one has the lock's digest, or the lock names none."""
    for cache in caches:
        archive = cache / _archive_name(request.coordinate)
        if not archive.is_file() or archive.is_symlink() or archive.stat().st_size > limits.max_archive_bytes:
            continue
        with archive.open("rb") as file:
            digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
        if not request.digests or digest in request.digests:
            day = date.fromtimestamp(archive.stat().st_mtime)
            return read_crate(archive, digest, limits, day, is_verified=bool(request.digests))
    return None


def _vendored(request: HarvestRequest, limits: Limits) -> SourceTree | None:
    """Out of a vendor folder whose checksum file agrees with the lock and with each file that is read."""
    coordinate = request.coordinate
    for folder in map(Path, request.source_folders):
        for root in (folder / f"{coordinate.name}-{coordinate.version}", folder / coordinate.name):
            checksums = _read_checksums(root)
            if checksums is None or not _is_of(root, coordinate):
                continue
            if request.digests and checksums.package not in request.digests:
                continue
            tree = _agreeing(root, checksums.files, limits)
            if tree is not None:
                return tree
    return None


def _agreeing(root: Path, digests: Mapping[str, str], limits: Limits) -> SourceTree | None:
    """The tree, or None where a file differs: cargo refuses such a folder, and what it holds is not that release."""
    files = []
    for path in sorted(each for each in digests if is_crate_source(each)):
        place = root / path
        if ".." in path.split("/") or path.startswith("/") or place.is_symlink() or not place.is_file():
            return None
        file = _file(place, path, limits, is_verified=True)
        if file.skip_reason is None and file.digest != f"sha256:{digests[path]}":
            return None
        files.append(file)
    return SourceTree(tuple(files)) if files else None


@dataclass(frozen=True)
class _Checksums:
    """What a vendored crate's checksum file says: of the crate's archive, and of each file."""

    package: str
    files: Mapping[str, str]


def _read_checksums(root: Path) -> _Checksums | None:
    path = root / _CHECKSUM_NAME
    try:
        if path.stat().st_size > _MAX_CHECKSUM_BYTES:
            return None
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    files = document.get("files") if isinstance(document, dict) else None
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        return None
    return _Checksums(f"sha256:{document.get('package')}", files)


def _is_of(root: Path, coordinate: Coordinate) -> bool:
    try:
        package = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8")).get("package")
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(package, dict) and (package.get("name"), package.get("version")) == (
        coordinate.name,
        coordinate.version,
    )


def _unpacked(request: HarvestRequest, folders: Sequence[Path], limits: Limits) -> SourceTree | None:
    coordinate = request.coordinate
    for folder in folders:
        root = folder / f"{coordinate.name}-{coordinate.version}"
        if root.is_dir() and not root.is_symlink() and _is_of(root, coordinate):
            paths = source_files(root, RUST_TREE)
            return SourceTree(tuple(_file(root / path, path, limits, is_verified=False) for path in paths))
    return None


def _archive_name(coordinate: Coordinate) -> str:
    return f"{coordinate.name}-{coordinate.version}.crate"


def _file(file: Path, path: str, limits: Limits, *, is_verified: bool) -> SourceFile:
    size_bytes = file.stat().st_size
    shown = path.encode("utf-8", "replace").decode()
    if size_bytes > limits.max_member_bytes:
        detail = f"{size_bytes} bytes, expected at most {limits.max_member_bytes}"
        return SourceFile(shown, b"", False, "limit:file", detail, size_bytes)
    return SourceFile.read(shown, file.read_bytes(), is_verified=is_verified)
