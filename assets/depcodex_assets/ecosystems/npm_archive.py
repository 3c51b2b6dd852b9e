"""Reads the sources out of npm tarballs, as data.

Here: which members of a tarball are the package, and holding its manifest against the coordinate. Not here: limits and
hostile members (depcodex_assets.archives), which files count (npm_files).

Format: what ``npm pack`` writes: a gzipped tar with one folder above everything, mostly ``package``; npm drops the
first segment of every path, whatever it is.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex.errors import CorruptArchiveError
from depcodex_assets.archives import Limits, Member, read_members
from depcodex_assets.ecosystems.interface import Fetched, SourceFile, SourceTree
from depcodex_assets.ecosystems.npm_files import (
    MANIFEST,
    further_sources,
    is_candidate,
    is_first,
    sorted_files,
    source_file,
)
from depcodex_assets.ecosystems.pypi_archive import release_day


def read_archive(fetched: Fetched, limits: Limits, today: date) -> SourceTree:
    """The sources of a fetched tarball.

    Raises:
        ArchiveError: it is refused, cannot be read, or is another package's.
    """
    assert fetched.archive is not None
    tree = read_tarball(
        fetched.archive,
        fetched.coordinate,
        limits,
        today,
        digest=fetched.digest,
        is_verified=fetched.is_verified,
        name=fetched.file_name,
    )
    return SourceTree(tree.files, tree.archive_digest, fetched.released_on or tree.released_on)


def read_tarball(
    path: Path,
    coordinate: Coordinate,
    limits: Limits,
    today: date,
    *,
    digest: str,
    is_verified: bool,
    name: str = "",
) -> SourceTree:
    """The sources of a tarball; read twice where its declarations do not answer for every entry point.

    Args:
        path: the tarball.
        coordinate: whose it must be.
        limits: what it may cost.
        today: no release day lies after it.
        digest: ``sha256:<hex>`` of its bytes.
        is_verified: the bytes are those that a lock or a registry names.
        name: how errors call it.

    Raises:
        ArchiveError: as ``read_archive``.
    """
    shown = name or f"{coordinate.name}-{coordinate.version}.tgz"
    paths: set[str] = set()

    def wanted_first(member: str) -> bool:
        inside = _inside(member)
        if not is_candidate(inside):
            return False
        paths.add(inside)
        return is_first(inside)

    members = list(read_members(path, limits, wanted_first, name=shown))
    manifests = {_inside(each.path): each.content for each in members if each.path.endswith("/" + MANIFEST)}
    _check_manifest(manifests.get(MANIFEST), coordinate, shown)
    more = further_sources(paths, manifests)
    if more:
        members += read_members(path, limits, lambda member: _inside(member) in more, name=shown)
    files = [_file(each, is_verified=is_verified) for each in members]
    stamps = [each.modified_at for each in members if _inside(each.path) == MANIFEST]
    return SourceTree(sorted_files(files), digest, release_day(stamps, today))


def _inside(path: str) -> str:
    return path.partition("/")[2]


def _file(member: Member, *, is_verified: bool) -> SourceFile:
    path = _inside(member.path)
    if member.skip_reason is None:
        return source_file(path, member.content, is_verified=is_verified)
    return SourceFile(path, b"", False, member.skip_reason, member.skip_detail, member.size_bytes)


def _check_manifest(content: bytes | None, coordinate: Coordinate, shown: str) -> None:
    """A tarball says whose it is: bytes that were found by a digest alone could be another package's."""
    try:
        manifest = json.loads((content or b"").decode("utf-8-sig", "replace"))
        stated = (manifest["name"], manifest["version"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CorruptArchiveError(shown, "manifest", "has no package.json with a name and a version") from error
    name, version = stated
    wanted = package_name(coordinate)
    if str(name).strip().lower() != wanted.lower() or _bare(str(version)) != _bare(coordinate.version):
        raise CorruptArchiveError(shown, "manifest", "its package.json names another package or version")


def package_name(coordinate: Coordinate) -> str:
    """The name that npm knows a coordinate by, with its scope."""
    return f"{coordinate.namespace}/{coordinate.name}" if coordinate.namespace else coordinate.name


def _bare(version: str) -> str:
    """A version without what npm drops when it publishes: build metadata, ``v`` and ``=`` in front."""
    return version.strip().lstrip("=v").partition("+")[0]
