"""Reads members out of archives that may be hostile, in memory, within limits.

Here: zip (wheels, jars, module zips) and tar (plain, gzip, bzip2, xz; sdists, crates, npm tarballs), the limits, and
the typed refusals. Not here: what a member means (ecosystems), where an archive came from (depcodex_assets.harvest).

Nothing is ever written to disk, so no member can leave its folder. An archive that no honest tool makes (a path out of
its folder, overlapping members, a bomb) is refused whole; what honest tools do make now and then (links, doubled names,
names of another encoding) costs only the member, with a reason.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import struct
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from depcodex.errors import ArchiveLimitError, ArchiveMemberError, CorruptArchiveError

_CONTROL_PATTERN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_DRIVE_PATTERN = re.compile(r"[A-Za-z]:")
# One read of at most this many bytes: tarfile reads a whole extended header at once, as long as the header says it is.
_CHUNK_BYTES = 32 * 1024
# A central directory is held in memory whole, with about 0.5 KB of objects for each entry of 46 bytes or more.
_BYTES_FOR_EACH_ENTRY = 1024
_XZ_MEMORY_BYTES = 128 * 1024 * 1024
# Ratios of small archives say nothing: a few zeros compress a thousandfold.
_RATIO_FLOOR_BYTES = 64 * 1024 * 1024
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    KeyError,
    IndexError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True)
class Limits:
    """What an archive may cost. The defaults hold every release in use that we looked at (2026-11-30).

    Attributes:
        max_archive_bytes: size of the file itself.
        max_member_bytes: one wanted member; a longer one is skipped, not the archive.
        max_read_bytes: all wanted members together; bounds memory.
        max_total_bytes: all that must be decompressed to pass over a tar archive.
        max_ratio: decompressed to compressed, looked at above 64 MiB.
        max_member_count: entries of any kind.
        max_depth: folders above a member.
        max_path_characters: length of a member's path.
        max_seconds: wall time for one archive.
    """

    max_archive_bytes: int = 512 * 1024 * 1024
    max_member_bytes: int = 5_000_000
    max_read_bytes: int = 256 * 1024 * 1024
    max_total_bytes: int = 2 * 1024 * 1024 * 1024
    max_ratio: int = 250
    max_member_count: int = 60_000
    max_depth: int = 40
    max_path_characters: int = 400
    max_seconds: float = 25.0


@dataclass(frozen=True)
class Member:
    """One wanted member.

    Attributes:
        path: with ``/``, without ``.`` and empty segments.
        content: its bytes; empty where ``skip_reason`` is set.
        size_bytes: as the archive says.
        modified_at: UTC, as the archive says (a zip's has no zone and is read as UTC); None where it says nothing sane.
        skip_reason: ``limit:<which>`` or ``archive:<what>`` where the member is not read, else None.
        skip_detail: one line of ours.
    """

    path: str
    content: bytes
    size_bytes: int
    modified_at: datetime | None
    skip_reason: str | None = None
    skip_detail: str | None = None


def read_members(
    path: Path, limits: Limits, wanted: Callable[[str], bool], *, name: str | None = None
) -> Iterator[Member]:
    """The members of a zip or tar archive that ``wanted`` names, in the archive's order.

    The file's bytes say of which kind it is. Every entry counts against the limits, wanted or not. Of two entries with
    one path the first is given; the second, and a path that differs only in case, is given as skipped
    (``archive:duplicate``, ``archive:case_clash``). An archive may be refused after members were given: use them only
    when the iterator has ended.

    Args:
        path: the archive.
        limits: what it may cost.
        wanted: told a normalised path, says whether its content is needed.
        name: how errors call the archive; its file name by default.

    Raises:
        ArchiveLimitError: it is over a limit, or its members overlap.
        ArchiveMemberError: a member has an absolute path or one that leaves its folder.
        CorruptArchiveError: it is no archive that we read, or cannot be read to its end.
    """
    reading = _Reading(path, limits, wanted, name or path.name)
    try:
        size_bytes = path.stat().st_size
        if size_bytes > limits.max_archive_bytes:
            raise reading.over("archive", f"{size_bytes} bytes, expected at most {limits.max_archive_bytes}")
        with path.open("rb") as file:
            magic = file.read(262)
            file.seek(0)
            if magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
                yield from reading.zip_members(file, size_bytes)
                return
            with closing(_decompressed(file, magic)) as stream:
                metered = _Metered(stream, reading, size_bytes)
                yield from reading.tar_members(metered)
                metered.drain()
    except _DAMAGE as error:
        raise CorruptArchiveError(
            reading.name, "corrupt", f"cannot be read to its end ({type(error).__name__})"
        ) from error


def _decompressed(file: IO[bytes], magic: bytes) -> IO[bytes]:
    if magic.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file, mode="rb")  # type: ignore[return-value]
    if magic.startswith(b"BZh"):
        return bz2.BZ2File(file, "rb")
    if magic.startswith(b"\xfd7zXZ\x00"):
        return io.BufferedReader(_XzStream(file), _CHUNK_BYTES)
    if magic[257:262] == b"ustar":
        return file
    raise ValueError("neither zip nor tar")


class _XzStream(io.RawIOBase):
    """Decompressed bytes of an xz file; lzma.LZMAFile cannot bound the dictionary that a hostile header asks for."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY_BYTES)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._decompressor.eof:
            data = self._file.read(_CHUNK_BYTES) if self._decompressor.needs_input else b""
            if self._decompressor.needs_input and not data:
                raise EOFError("xz stream ends early")
            out = self._decompressor.decompress(data, len(buffer))
            if out:
                buffer[: len(out)] = out
                return len(out)
        return 0


class _Metered(io.RawIOBase):
    """A forward-only file that counts what passes, for tarfile: each read and each skip is held against the limits."""

    def __init__(self, stream: IO[bytes], reading: _Reading, archive_bytes: int) -> None:
        self._stream = stream
        self._reading = reading
        self._archive_bytes = max(archive_bytes, 1)
        self._position = 0

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence != io.SEEK_SET or offset < self._position:
            raise ValueError("an archive is read forward only")
        while self._position < offset:
            if not self.read(min(_CHUNK_BYTES, offset - self._position)):
                break
        return self._position

    def drain(self) -> None:
        """Reads on to the end: tarfile stops at the last member, before the checksum that tells damage."""
        try:
            while self.read(_CHUNK_BYTES):
                pass
        except gzip.BadGzipFile as error:
            # Careless tools leave bytes behind the last gzip member; what came before was checked.
            if not str(error).startswith("Not a gzipped file"):
                raise

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > _CHUNK_BYTES:
            raise self._reading.over("header", f"an extended header of {size} bytes, expected at most {_CHUNK_BYTES}")
        self._reading.check_time()
        data = self._stream.read(size)
        self._position += len(data)
        limits = self._reading.limits
        if self._position > limits.max_total_bytes:
            raise self._reading.over("total", f"more than {limits.max_total_bytes} bytes when decompressed")
        if self._position > _RATIO_FLOOR_BYTES and self._position > limits.max_ratio * self._archive_bytes:
            raise self._reading.over("ratio", f"grows more than {limits.max_ratio} times when decompressed")
        return data


class _Reading:
    """The state of one pass over one archive."""

    def __init__(self, path: Path, limits: Limits, wanted: Callable[[str], bool], name: str) -> None:
        self.path = path
        self.limits = limits
        self.wanted = wanted
        self.name = name
        self._started = time.monotonic()
        self._read_bytes = 0
        self._paths: set[str] = set()
        self._folded: set[str] = set()

    def over(self, rule: str, problem: str) -> ArchiveLimitError:
        return ArchiveLimitError(self.name, rule, problem)

    def check_time(self) -> None:
        if time.monotonic() - self._started > self.limits.max_seconds:
            raise self.over("seconds", f"took longer than {self.limits.max_seconds:.0f} s to read")

    def check_count(self, count: int) -> None:
        if count > self.limits.max_member_count:
            raise self.over("count", f"more than {self.limits.max_member_count} members")

    def zip_members(self, file: IO[bytes], archive_bytes: int) -> Iterator[Member]:
        # ZipFile builds the whole directory before anything can be asked; the end record says how long it is.
        end_record: Any = zipfile._EndRecData(file)  # type: ignore[attr-defined]
        if end_record is None:
            raise zipfile.BadZipFile("no end record")
        if end_record[5] > self.limits.max_member_count * _BYTES_FOR_EACH_ENTRY or end_record[5] > archive_bytes:
            raise self.over("count", f"a directory of {end_record[5]} bytes")
        self.check_count(end_record[4])
        with zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
            self.check_count(len(infos))
            if sum(info.compress_size for info in infos) > archive_bytes:
                raise self.over("overlap", "its members together are longer than the archive")
            for info in infos:
                self.check_time()
                is_ascii_or_utf8 = info.filename.isascii() or bool(info.flag_bits & 0x800)
                path = self._checked_path(info.orig_filename)
                if path is None or info.is_dir() or not self.wanted(path):
                    continue
                mode = stat.S_IFMT(info.external_attr >> 16)
                reason = self._member_problem(path, info.file_size)
                if reason is None and mode not in (0, stat.S_IFREG):
                    reason = ("archive:link" if mode == stat.S_IFLNK else "archive:device", "not a regular file")
                if reason is None and info.flag_bits & 0x1:
                    reason = ("archive:encrypted", "is encrypted")
                if reason is None and info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    reason = ("archive:compression", f"compression method {info.compress_type}")
                if reason is None and not is_ascii_or_utf8:
                    reason = ("archive:encoding", "its name is not UTF-8")
                content = b""
                if reason is None:
                    with archive.open(info) as member:
                        content = self._content(member)
                yield _member(path, content, info.file_size, _zip_time(info.date_time), reason)

    def tar_members(self, stream: _Metered) -> Iterator[Member]:
        with tarfile.open(fileobj=stream, mode="r:", errorlevel=2) as archive:
            for count, info in enumerate(archive, start=1):
                self.check_count(count)
                path = self._checked_path(info.name)
                if path is None or info.isdir() or not self.wanted(path):
                    continue
                reason = self._member_problem(path, info.size)
                if reason is None and info.issparse():
                    reason = ("archive:sparse", "a sparse file")
                if reason is None and not info.isreg():
                    is_link = info.issym() or info.islnk()
                    reason = ("archive:link" if is_link else "archive:device", "not a regular file")
                content = b""
                if reason is None:
                    member = archive.extractfile(info)
                    content = self._content(member) if member else b""
                    if len(content) != info.size:
                        raise EOFError("member ends early")
                yield _member(path, content, info.size, _sane_time(info.mtime), reason)

    def _checked_path(self, name: str) -> str | None:
        """The normalised path, or None for the archive's root itself."""
        as_posix = name.replace("\\", "/")
        segments = as_posix.split("/")
        if as_posix.startswith("/") or ".." in segments or _DRIVE_PATTERN.match(name):
            raise ArchiveMemberError(self.name, "path", "a member's path leads out of the archive")
        return "/".join(each for each in segments if each not in ("", ".")) or None

    def _member_problem(self, path: str, size_bytes: int) -> tuple[str, str] | None:
        """Why a wanted member is not read, by its path and size; remembers the path."""
        try:
            path.encode()
        except UnicodeEncodeError:
            return "archive:encoding", "its name is not UTF-8"
        if _CONTROL_PATTERN.search(path):
            return "archive:path", "its name has control or invisible characters"
        if len(path) > self.limits.max_path_characters:
            return "limit:path", f"a path of {len(path)} characters"
        if path.count("/") > self.limits.max_depth:
            return "limit:depth", f"below {path.count('/')} folders"
        if path in self._paths:
            return "archive:duplicate", "a second entry of the same path, the first is read"
        self._paths.add(path)
        folded = path.casefold()
        if folded in self._folded:
            return "archive:case_clash", "differs from an earlier path only in case, the first is read"
        self._folded.add(folded)
        if size_bytes > self.limits.max_member_bytes:
            return "limit:file", f"{size_bytes} bytes, expected at most {self.limits.max_member_bytes}"
        return None

    def _content(self, member: IO[bytes]) -> bytes:
        chunks: list[bytes] = []
        while chunk := member.read(_CHUNK_BYTES):
            self.check_time()
            chunks.append(chunk)
            self._read_bytes += len(chunk)
            if self._read_bytes > self.limits.max_read_bytes:
                raise self.over("read", f"more than {self.limits.max_read_bytes} bytes of sources")
        return b"".join(chunks)


def _member(
    path: str, content: bytes, size_bytes: int, modified_at: datetime | None, reason: tuple[str, str] | None
) -> Member:
    skip_reason, skip_detail = reason or (None, None)
    # A path that is skipped for its characters is still written to a table.
    shown = _CONTROL_PATTERN.sub("\ufffd", path.encode(errors="replace").decode())
    return Member(shown, content, size_bytes, modified_at, skip_reason, skip_detail)


def _zip_time(parts: tuple[int, ...]) -> datetime | None:
    try:
        return datetime(*parts[:6], tzinfo=UTC)  # type: ignore[misc, arg-type]
    except ValueError:
        return None


def _sane_time(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
