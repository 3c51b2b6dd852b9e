"""Reads the sources out of Go module zips, as data, and computes the digest that go.sum has of them.

Here: what of a module zip is a public package's, the ``h1`` digest, the release day. Not here: limits and hostile
members (depcodex_assets.archives), where a zip came from (golang_cache, golang_fetch).

Formats: the Go modules reference, "Module zip files" (every member below ``<path>@<version>/``) and "Checksum
database"; golang.org/x/mod/sumdb/dirhash, Hash1.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
import zipfile
import zlib
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from depcodex.errors import ArchiveLimitError, CorruptArchiveError
from depcodex_assets.archives import Limits, Member, read_members
from depcodex_assets.ecosystems.file_kinds import kind_of
from depcodex_assets.ecosystems.interface import Fetched, SourceFile, SourceTree

MANIFEST = "go.mod"
# `go help packages` leaves the first two out; nothing outside the module may import from the third.
_LEFT_OUT_FOLDERS = frozenset({"testdata", "vendor", "internal"})
_CHUNK_BYTES = 256 * 1024
_MAX_MOD_BYTES = 4 * 1024 * 1024
_FIRST_DAY = "2005-01-01"


def read_archive(fetched: Fetched, limits: Limits, today: date) -> SourceTree:
    """The sources of a module zip.

    Raises:
        ArchiveError: it is refused, or cannot be read (see ``archives.read_members``).
    """
    archive = fetched.archive
    assert archive is not None
    name = fetched.file_name or archive.name
    wanted = read_members(archive, limits, lambda path: is_public_source(_inside(path)), name=name)
    files = [_file(each, is_verified=fetched.is_verified) for each in wanted]
    return SourceTree(
        with_manifest(files, archive.with_suffix(".mod"), is_verified=fetched.is_verified),
        fetched.digest,
        fetched.released_on or release_day(archive.with_suffix(".info"), today),
    )


def is_public_source(path: str) -> bool:
    """Whether a file below the module's root belongs to a package that others can import, or describes the module.

    Example:
        >>> [is_public_source(each) for each in ("a/b.go", "a/b_test.go", "internal/b.go", "README.md", "a/README.md")]
        [True, False, False, True, False]
    """
    folders, _, name = path.rpartition("/")
    if not folders and (name == MANIFEST or kind_of(name).language == "readme"):
        return True
    if not name.endswith(".go") or name.endswith("_test.go") or name.startswith(("_", ".")):
        return False
    return not any(each in _LEFT_OUT_FOLDERS or each.startswith(("_", ".")) for each in folders.split("/") if folders)


def _inside(path: str) -> str:
    """A member's path below ``<path>@<version>/``; "" where it lies elsewhere."""
    head, _, rest = path.partition("@")
    return rest.partition("/")[2] if head else ""


def _file(member: Member, *, is_verified: bool) -> SourceFile:
    path = _inside(member.path)
    if member.skip_reason is None:
        return SourceFile.read(path, member.content, is_verified=is_verified)
    return SourceFile(path, b"", False, member.skip_reason, member.skip_detail, member.size_bytes)


def with_manifest(files: Iterable[SourceFile], mod: Path, *, is_verified: bool) -> tuple[SourceFile, ...]:
    """The files sorted, each path once, with the go.mod of ``mod`` where they have none.

    Modules from before go.mod files have none in their zip; the go command makes one, beside the zip.
    """
    kept: dict[str, SourceFile] = {}
    for file in files:
        first = kept.get(file.path)
        if first is None or (first.skip_reason and not file.skip_reason):
            kept[file.path] = file
    if MANIFEST not in kept and mod.is_file() and mod.stat().st_size <= _MAX_MOD_BYTES:
        kept[MANIFEST] = SourceFile.read(MANIFEST, mod.read_bytes(), is_verified=is_verified)
    return tuple(kept[path] for path in sorted(kept))


def release_day(info: Path, today: date) -> str:
    """The day (YYYY-MM-DD) of the commit that a version names, out of the cache's ``.info`` file; "" without one."""
    try:
        if info.stat().st_size > _MAX_MOD_BYTES:
            return ""
        day = str(json.loads(info.read_bytes()).get("Time", ""))[:10]
        parsed = date.fromisoformat(day)
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""
    return day if day > _FIRST_DAY and parsed <= today else ""


def module_hash(archive: Path, limits: Limits) -> str:
    """``h1:<base64>`` of a module zip: sha256 over the sorted lines ``<sha256 hex of the file>  <its name>``.

    Raises:
        ArchiveLimitError: it is larger, has more members, unpacks to more or takes longer than ``limits`` say.
        CorruptArchiveError: it cannot be read to its end.
    """
    started = time.monotonic()
    total_bytes = 0
    lines: list[bytes] = []
    size_bytes = archive.stat().st_size
    if size_bytes > limits.max_archive_bytes:
        raise ArchiveLimitError(
            archive.name, "archive", f"{size_bytes} bytes, expected at most {limits.max_archive_bytes}"
        )
    try:
        with zipfile.ZipFile(archive) as opened:
            infos = sorted(opened.infolist(), key=lambda each: each.filename.encode("utf-8", "surrogateescape"))
            if len(infos) > limits.max_member_count:
                raise ArchiveLimitError(archive.name, "count", f"more than {limits.max_member_count} members")
            for info in infos:
                digest = hashlib.sha256()
                with opened.open(info) as member:
                    while chunk := member.read(_CHUNK_BYTES):
                        digest.update(chunk)
                        total_bytes += len(chunk)
                        if total_bytes > limits.max_total_bytes:
                            raise ArchiveLimitError(
                                archive.name, "total", f"more than {limits.max_total_bytes} bytes when unpacked"
                            )
                        if time.monotonic() - started > limits.max_seconds:
                            raise ArchiveLimitError(archive.name, "seconds", "took too long to read")
                name = info.filename.encode("utf-8", "surrogateescape")
                lines.append(digest.hexdigest().encode() + b"  " + name + b"\n")
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise CorruptArchiveError(
            archive.name, "corrupt", f"cannot be read to its end ({type(error).__name__})"
        ) from error
    return "h1:" + base64.b64encode(hashlib.sha256(b"".join(lines)).digest()).decode()
