"""Go modules as they lie on this machine: a folder of their own, the module cache, a project's ``vendor``.

Here: which of them serves a request, and reading it. Not here: zips as such (golang_archive), fetching (golang_fetch).

One project must not write another's answers. A folder of its own answers under its checksum. A zip of the module cache
is held against the lock's digest, else against the one that the go command wrote beside it when it had checked the
checksum database. What is vendored has no digests and is only a part of the module, so it stands behind a good zip, and
its files are labelled unverified.

Spec: the Go modules reference, "Module cache" and "Vendoring".
"""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from depcodex.errors import ArchiveError, LockfileError
from depcodex.lockfiles.go_modules import cache_folder, cached_file, module_path
from depcodex.lockfiles.govendor import VendoredModule, read_modules
from depcodex.trees import GO_TREE, source_files, tree_digest
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.golang_archive import (
    MANIFEST,
    is_public_source,
    module_hash,
    read_archive,
    with_manifest,
)
from depcodex_assets.ecosystems.interface import (
    Fetched,
    HarvestRequest,
    SourceFile,
    SourceTree,
    TreeChangedError,
)

_MODULES_FILE = "modules.txt"
_MAX_MODULES_BYTES = 16 * 1024 * 1024


@dataclass
class GoPlaces:
    """What a batch remembers of this machine: where the module cache is, and what vendor folders hold."""

    limits: Limits
    _cache: Path | None = None
    _vendored: dict[str, tuple[VendoredModule, ...]] = field(default_factory=dict)

    @property
    def cache(self) -> Path:
        """The user's module cache; the go command knows it best, since it can be set in a file of its own."""
        if self._cache is None:
            self._cache = _stated_cache() or cache_folder()
        return self._cache

    def vendored(self, folder: str) -> tuple[VendoredModule, ...]:
        """The modules of a vendor folder; none where its list cannot be read."""
        if folder not in self._vendored:
            path = Path(folder, _MODULES_FILE)
            try:
                is_sane = path.stat().st_size <= _MAX_MODULES_BYTES
                self._vendored[folder] = read_modules(path.read_text(encoding="utf-8"), path) if is_sane else ()
            except (OSError, UnicodeDecodeError, LockfileError):
                self._vendored[folder] = ()
        return self._vendored[folder]


def read_in_place(request: HarvestRequest, places: GoPlaces) -> SourceTree | None:
    """What this machine has of a module, the best first; None where it must be fetched.

    Raises:
        TreeChangedError: it has a folder of its own, which is gone or not the one that was recorded.
        ArchiveLimitError: the only copy on this machine, in the module cache, is over a limit.
    """
    if request.location:
        return _read_folder(request, places.limits)
    if request.coordinate.checksum:
        return None
    refused: ArchiveError | None = None
    try:
        tree = _read_cached(request, places)
    except ArchiveError as error:
        tree, refused = None, error
    if tree is None:
        tree = _read_vendored(request, places)
    if tree is None and refused is not None:
        raise refused
    return tree


def _stated_cache() -> Path | None:
    try:
        answer = subprocess.run(
            ["go", "env", "GOMODCACHE"],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    place = answer.stdout.strip()
    return Path(place) if answer.returncode == 0 and place else None


def _read_cached(request: HarvestRequest, places: GoPlaces) -> SourceTree | None:
    path = module_path(request.coordinate, request.spelling)
    archive = cached_file(places.cache, path, request.coordinate.version, "zip")
    if not archive.is_file():
        return None
    wanted = tuple(each for each in request.digests if each.startswith("h1:")) or _stated_hash(archive)
    if not wanted or module_hash(archive, places.limits) not in wanted:
        # Not what the lock means: the client brings what is, or says that there is none.
        return None
    with archive.open("rb") as file:
        digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    fetched = Fetched(request.coordinate, archive, archive.name, digest, is_verified=True)
    return read_archive(fetched, places.limits, datetime.now(UTC).date())


def _stated_hash(archive: Path) -> tuple[str, ...]:
    try:
        return (archive.with_suffix(".ziphash").read_text(encoding="ascii")[:200].strip(),)
    except (OSError, UnicodeDecodeError):
        return ()


def _read_vendored(request: HarvestRequest, places: GoPlaces) -> SourceTree | None:
    path = module_path(request.coordinate, request.spelling)
    for folder in request.source_folders:
        for module in places.vendored(folder):
            target = module.replacement
            stands_for = (module.path, module.version) if target is None else (target.target, target.version)
            if stands_for == (path, request.coordinate.version):
                return _read_packages(Path(folder), module, places.limits)
    return None


def _read_packages(vendor: Path, module: VendoredModule, limits: Limits) -> SourceTree | None:
    """The files of the packages that modules.txt names: folders below may belong to other modules."""
    root = vendor / module.path
    inside_of = vendor.resolve()
    files: list[SourceFile] = []
    for package in module.packages:
        if package != module.path and not package.startswith(f"{module.path}/"):
            continue
        folder = vendor / package
        inside = package[len(module.path) + 1 :]
        # No link on the way: it could lead anywhere on the machine.
        if not folder.is_dir() or folder.resolve() != inside_of / package:
            continue
        for file in sorted(folder.iterdir()):
            path = f"{inside}/{file.name}" if inside else file.name
            if is_public_source(path) and file.is_file() and not file.is_symlink():
                files.append(_file(file, path, limits, is_verified=False))
    if not files:
        return None
    manifest = SourceFile.read(MANIFEST, f"module {module.path}\n".encode(), is_verified=False, detail=_MODULES_FILE)
    if not any(each.path == MANIFEST for each in files):
        files.append(manifest)
    return SourceTree(with_manifest(files, root / MANIFEST, is_verified=False))


def _read_folder(request: HarvestRequest, limits: Limits) -> SourceTree:
    root = Path(request.location)
    if not root.is_dir():
        raise TreeChangedError(f"{request.coordinate}: its tree is no longer on this machine")
    paths = source_files(root, GO_TREE)
    files = [_file(root / path, path, limits, is_verified=True) for path in paths if is_public_source(path)]
    # After reading: an edit that came in between is seen, not read under the old checksum.
    if request.coordinate.checksum != f"sha256:{tree_digest(root, paths)}":
        raise TreeChangedError(f"{request.coordinate}: its tree has changed since it was recorded")
    return SourceTree(with_manifest(files, root / MANIFEST, is_verified=True))


def _file(file: Path, path: str, limits: Limits, *, is_verified: bool) -> SourceFile:
    size_bytes = file.stat().st_size
    shown = path.encode("utf-8", "replace").decode()
    if size_bytes > limits.max_member_bytes:
        detail = f"{size_bytes} bytes, expected at most {limits.max_member_bytes}"
        return SourceFile(shown, b"", False, "limit:file", detail, size_bytes)
    return SourceFile.read(shown, file.read_bytes(), is_verified=is_verified)
