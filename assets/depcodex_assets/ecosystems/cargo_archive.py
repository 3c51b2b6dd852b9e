"""Reads the sources out of crates, as data: an archive, or the same files in a folder.

Here: which files of a crate count, the release day. Not here: limits and hostile members (depcodex_assets.archives),
where a crate lies (cargo_local, cargo_fetch).

Format: a ``.crate`` is a gzip-compressed tar with one folder ``<name>-<version>`` (the Cargo book, "cargo package"). No
build script is run; what one would generate is not there.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from depcodex.trees import RUST_TREE
from depcodex_assets.archives import Limits, Member, read_members
from depcodex_assets.ecosystems.interface import Fetched, SourceFile, SourceTree
from depcodex_assets.ecosystems.pypi_archive import release_day

# What cargo writes instead of a time since 2020 (and 1 second after the epoch for files that it makes itself).
_CARGO_DAY = date(2006, 7, 24)


def read_archive(fetched: Fetched, limits: Limits, today: date) -> SourceTree:
    """The sources of a fetched crate.

    Raises:
        ArchiveError: it is refused, or cannot be read (see ``archives.read_members``).
    """
    assert fetched.archive is not None
    return read_crate(fetched.archive, fetched.digest, limits, today, is_verified=fetched.is_verified)


def read_crate(archive: Path, digest: str, limits: Limits, today: date, *, is_verified: bool) -> SourceTree:
    """The sources of a crate's archive, paths below the crate's own folder.

    Args:
        archive: the file.
        digest: ``sha256:<hex>`` of its bytes.
        limits: what it may cost.
        today: no release day lies after it.
        is_verified: the digest is one that a lock or the registry names.

    Raises:
        ArchiveError: it is refused, or cannot be read (see ``archives.read_members``).
    """
    members = list(read_members(archive, limits, _is_wanted_member))
    files: dict[str, SourceFile] = {}
    for member in members:
        path = member.path.partition("/")[2]
        first = files.get(path)
        if first is None or (first.skip_reason and not member.skip_reason):
            files[path] = _file(path, member, is_verified=is_verified)
        elif not first.skip_reason:
            detail = "archive:duplicate: the first is read"
            files[path] = SourceFile.read(path, first.content, is_verified=first.is_verified, detail=detail)
    stamps = [each.modified_at for each in members if each.modified_at and each.modified_at.date() != _CARGO_DAY]
    return SourceTree(tuple(files[path] for path in sorted(files)), digest, release_day(stamps, today))


def is_crate_source(path: str) -> bool:
    """Whether a file below a crate's folder is read: its sources, manifest and Markdown, without tests and examples.

    Example:
        >>> [is_crate_source(each) for each in ("src/lib.rs", "Cargo.toml", "tests/a.rs", "src/tests/b.rs")]
        [True, True, False, True]
    """
    folders = path.split("/")[:-1]
    if any(each.startswith(".") or each in RUST_TREE.left_out_folders for each in folders):
        return False
    if folders and folders[0] in RUST_TREE.left_out_at_top:
        return False
    # A manifest below the top is another crate's (a template, a test's project).
    if path.rpartition("/")[2] == "Cargo.toml":
        return not folders
    return path.endswith(RUST_TREE.suffixes)


def _is_wanted_member(path: str) -> bool:
    return is_crate_source(path.partition("/")[2])


def _file(path: str, member: Member, *, is_verified: bool) -> SourceFile:
    if member.skip_reason is None:
        return SourceFile.read(path, member.content, is_verified=is_verified)
    return SourceFile(path, b"", False, member.skip_reason, member.skip_detail, member.size_bytes)
