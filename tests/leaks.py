"""Looks for texts in everything that a folder holds, decoded: databases of every kind and version, archives, blobs.

Here: what any test needs that asks whether something leaked. Not here: which folders may hold what.

Strings are encoded on disk, so searching files as they lie proves nothing: LanceDB tables are opened at each of their
versions, SQLite databases dumped, Arrow files read, compressed blobs unpacked.
"""

from __future__ import annotations

import base64
import bz2
import gzip
import lzma
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

_GAP_PATTERN = re.compile(r"(?:\\+[nrtf]|[^a-z0-9])+")
_UNPACKERS = (
    zlib.decompress,
    gzip.decompress,
    bz2.decompress,
    lzma.decompress,
    lambda data: zlib.decompress(data, -15),
)
# A blob inside a blob inside a blob: further down nobody would look either.
_MAX_DEPTH = 3


@dataclass(frozen=True)
class Canary:
    """A text planted in one place, in two forms: a rare word in clear, and six plain English words in a row."""

    place: str
    token: str
    run: str

    def __str__(self) -> str:
        return f"{self.token} {self.run}"


@dataclass(frozen=True, order=True)
class Find:
    """A canary's form (``token`` or ``run``) and where it was seen."""

    place: str
    form: str
    where: str


def find_in_folder(folder: Path, canaries: Iterable[Canary]) -> list[Find]:
    """What a folder holds of the canaries, each form at most once a place."""
    return _find(_decoded_folder(folder), tuple(canaries))


def find_in_texts(texts: Iterable[tuple[str, str]], canaries: Iterable[Canary]) -> list[Find]:
    """What (where, text) pairs hold of the canaries."""
    return _find(texts, tuple(canaries))


def _find(texts: Iterable[tuple[str, str]], canaries: tuple[Canary, ...]) -> list[Find]:
    found = set()
    forms = [(each, _spellings(each.token), _base64(each.token)) for each in canaries]
    seen = set()
    for where, text in texts:
        # Most values of a table are the same in each of its versions.
        if text in seen:
            continue
        seen.add(text)
        lower = text.lower()
        words = _words(lower)
        for canary, spellings, encoded in forms:
            if any(each in lower for each in spellings) or any(each in text for each in encoded):
                found.add(Find(canary.place, "token", where))
            if canary.run in words:
                found.add(Find(canary.place, "run", where))
    return sorted(found)


def _words(lower: str) -> str:
    return _GAP_PATTERN.sub(" ", lower)


def _spellings(token: str) -> tuple[str, ...]:
    return (token.lower(), token[::-1].lower(), token.encode().hex())


def _base64(token: str) -> list[str]:
    """The part of a token's base64 that is the same whatever stands around it, at each of the three offsets."""
    return [
        base64.b64encode(b"\0" * offset + token.encode())[4 : 4 * (len(token) // 3)].decode() for offset in range(3)
    ]


def _decoded_folder(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        where = path.relative_to(folder).as_posix()
        yield "names of files", where
        if path.is_dir() and path.suffix == ".lance":
            yield from _decoded_lance(path)
        elif path.is_file():
            yield from _decoded_file(path, where)


def _decoded_lance(path: Path) -> Iterator[tuple[str, str]]:
    import lancedb

    table = lancedb.connect(str(path.parent)).open_table(path.stem)
    seen: set[bytes] = set()
    for version in [each["version"] for each in table.list_versions()]:
        table.checkout(version)
        yield from _decoded_table(table.to_arrow(), f"{path.stem} version {version}", seen)


def _decoded_table(table: pa.Table, where: str, seen: set[bytes]) -> Iterator[tuple[str, str]]:
    for name in table.column_names:
        if pa.types.is_fixed_size_list(table.schema.field(name).type):
            continue  # a vector
        for value in table.column(name).to_pylist():
            if isinstance(value, bytes):
                if value in seen:
                    continue
                seen.add(value)
            yield from _decoded_value(value, f"{where}, {name}")


def _decoded_file(path: Path, where: str) -> Iterator[tuple[str, str]]:
    data = path.read_bytes()
    yield from _decoded_value(data, where)
    if data.startswith(b"SQLite format 3\0"):
        yield from _decoded_sqlite(path, where)
    elif data.startswith(b"ARROW1"):
        yield from _decoded_table(pa.ipc.open_file(pa.BufferReader(data)).read_all(), where, set())


def _decoded_sqlite(path: Path, where: str) -> Iterator[tuple[str, str]]:
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            for row in database.execute(f'SELECT * FROM "{name}"'):
                for value in row:
                    yield from _decoded_value(value, f"{where}, {name}")
    finally:
        database.close()


def _decoded_value(value: object, where: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Every text that a value can be read as; a list also as its items in a row."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        yield from _decoded_value([*value, *value.values()], where, depth)
    elif isinstance(value, list | tuple):
        yield where, " ".join(each for each in value if isinstance(each, str))
        for each in value:
            if not isinstance(each, str):
                yield from _decoded_value(each, where, depth)
    elif isinstance(value, bytes):
        yield where, value.decode("utf-8", "replace")
        for encoding in ("utf-16-le", "utf-16-be"):
            yield where, value.decode(encoding, "ignore")
        for unpack in _UNPACKERS if depth < _MAX_DEPTH else ():
            try:
                unpacked = unpack(value)
            except (zlib.error, OSError, EOFError, lzma.LZMAError, ValueError):
                continue
            yield from _decoded_value(unpacked, where, depth + 1)
