"""JVM libraries that lie on this machine: Maven's and Gradle's caches, the copy of a snapshot, a module's own tree.

Here: which file of a cache serves a request, and holding it against its digests. Not here: where the caches are
(depcodex.lockfiles.jvm_caches), reading a jar (maven_archive), fetching (maven_fetch).

A cached file counts as verified where the lock, or the registry it came from (the ``.sha1`` that Maven keeps beside
it, the folder's name in Gradle's cache), names its digest. One that differs from it is passed over, as if it were not
there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path

from depcodex.errors import SourceNotFoundError
from depcodex.lockfiles.jvm_caches import JvmCaches
from depcodex.lockfiles.jvm_modules import module_digest, module_sources
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import HarvestRequest, SourceFile, SourceTree, TreeChangedError
from depcodex_assets.ecosystems.maven_archive import (
    CLASSES_ENDING,
    SOURCES_ENDING,
    JarUse,
    jar_use,
    module_root_error,
    package_path,
    read_jar,
)

_ALGORITHMS = ("sha512", "sha256", "sha1")


def read_local(request: HarvestRequest, limits: Limits) -> SourceTree:
    """The sources of a module's tree, or of a snapshot's jar, at ``request.location``.

    Raises:
        TreeChangedError: it is gone, or its digest is not the coordinate's checksum.
        ArchiveError: the jar is refused.
    """
    place = Path(request.location)
    coordinate = request.coordinate
    if place.is_file():
        digest = file_digest(place, "sha256")
        if coordinate.checksum != digest:
            raise TreeChangedError(f"{coordinate}: its copy on this machine has changed since it was recorded")
        return read_jar(place, place.name, digest, limits, _day_of(place), is_verified=True)
    if not place.is_dir():
        raise TreeChangedError(f"{coordinate}: its tree is no longer on this machine")
    found: dict[str, SourceFile] = {}
    for path in module_sources(place):
        shown = package_path(path)
        # Two source folders can have one package path; the second keeps its own.
        shown = path if shown in found else shown
        found[shown] = _file(place / path, shown, limits)
    files = tuple(found[shown] for shown in sorted(found))
    # After reading: an edit that came in between is seen, not read under the old checksum.
    if coordinate.checksum != f"sha256:{module_digest(place)}":
        raise TreeChangedError(f"{coordinate}: its tree has changed since it was recorded")
    return SourceTree(files)


def _file(file: Path, path: str, limits: Limits) -> SourceFile:
    shown = path.encode("utf-8", "replace").decode()
    size_bytes = file.stat().st_size
    if size_bytes > limits.max_member_bytes:
        detail = f"{size_bytes} bytes, expected at most {limits.max_member_bytes}"
        return SourceFile(shown, b"", False, "limit:file", detail, size_bytes)
    return SourceFile.read(shown, file.read_bytes(), is_verified=True)


def read_cached(request: HarvestRequest, caches: JvmCaches, limits: Limits, *, is_offline: bool) -> SourceTree | None:
    """The sources of a request out of the caches, or None where they must be fetched.

    Without sources the class files serve only where nothing can be fetched: a registry may have the sources.

    Raises:
        ArchiveError: the jar that would serve is refused.
        SourceNotFoundError: it is a multiplatform library's module for all platforms, without classes of its own.
    """
    coordinate = request.coordinate
    sources = _good(request, caches, SOURCES_ENDING)
    use = JarUse.NOTHING
    if sources is not None:
        use = jar_use(sources[0], coordinate.name, limits)
        if use is JarUse.SOURCES:
            return _tree(*sources, limits)
    classes = _good(request, caches, CLASSES_ENDING)
    if classes is None:
        return None
    has_classes = jar_use(classes[0], coordinate.name, limits) is JarUse.CLASSES
    if use is JarUse.COMMON and sources is not None:
        if not has_classes:
            raise module_root_error(coordinate)
        return _tree(*sources, limits)
    if sources is None and not is_offline:
        return None
    if not has_classes:
        raise SourceNotFoundError(f"{coordinate}: its jar has neither sources nor classes")
    return _tree(*classes, limits)


def _good(request: HarvestRequest, caches: JvmCaches, ending: str) -> tuple[Path, bool] | None:
    """The first file of an artifact that no digest contradicts, and whether one confirms it."""
    coordinate = request.coordinate
    for found in caches.files(coordinate.namespace, coordinate.name, coordinate.version, ending):
        is_named = is_one_of(found.path, request.digests)
        is_genuine = bool(found.sha1) and file_digest(found.path, "sha1") == f"sha1:{found.sha1}"
        if found.sha1 and not is_genuine:
            continue
        # A lock that names digests names the main jar's, and the sources jar's only where the build fetched it.
        if request.digests and not is_named and ending == CLASSES_ENDING:
            continue
        return found.path, is_named or is_genuine
    return None


def _tree(path: Path, is_verified: bool, limits: Limits) -> SourceTree:
    digest = file_digest(path, "sha256")
    return read_jar(path, path.name, digest, limits, _day_of(path), is_verified=is_verified)


def _day_of(path: Path) -> date:
    """The day on which a file came to this machine: what is in it was released before."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date()


def file_digest(path: Path, algorithm: str) -> str:
    """``<algorithm>:<hex>`` of a file's bytes."""
    with path.open("rb") as file:
        return f"{algorithm}:{hashlib.file_digest(file, algorithm).hexdigest()}"


def is_one_of(path: Path, digests: Iterable[str]) -> bool:
    """Whether a file has one of the digests."""
    wanted = frozenset(digests)
    algorithms = {each.partition(":")[0] for each in wanted}
    return any(file_digest(path, each) in wanted for each in _ALGORITHMS if each in algorithms)
