"""Snapshots: one closure's rows as memory-mapped files, so that a question opens no LanceDB.

Here: their key, making, opening and deleting. Not here: what the arrays hold (depcodex.snapshot_rows), scoring
(depcodex.faces).

A snapshot is keyed by the closure (its coordinates, whole), the store (its manifest) and the store's generation, which
rises with every publish and hold. It lies in ``cache/snapshots/<closure>/<generation>-<store>/``, is written under
another name and renamed, can be deleted at any time, and is then rebuilt to the same bytes. While a publish is under
way none is made or used: the rows are then read through LanceDB for each question.

Importing LanceDB costs seconds; opening a snapshot costs milliseconds.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from depcodex import forks, snapshot_rows
from depcodex.errors import StoreError
from depcodex.tables import PublicTables, StoreManifest, is_publishing, read_generation, read_manifest
from depcodex.terms import TERMS_VERSION

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from depcodex.settings import Settings

LAYOUT_VERSION = 2
ARRAYS = (
    "place",
    "flags",
    "doc",
    "rewrite",
    "depth",
    "popularity",
    "term",
    "term_offset",
    "posting_row",
    "posting_weight",
    "name_hash",
    "name_row",
    "fold_hash",
    "fold_row",
    "segment_text",
    "segment_letters",
    "segment_length",
    "segment_offset",
    "segment_row",
)
# A publish between the two looks at the generation is met by another try; three in a row are met by no snapshot.
_TRIES = 3
_STALE_TEMPORARY_SECONDS = 3600.0


@dataclass(frozen=True)
class SnapshotKey:
    """What decides a snapshot's content.

    Attributes:
        closure: hex digest over the sorted coordinate ids of the whole closure.
        generation: the store's.
        store: hex digest over the store's manifest, its making, and the layout of these files.
    """

    closure: str
    generation: int
    store: str

    @property
    def folder(self) -> str:
        """Its folder's name below the closure's."""
        return f"{self.generation}-{self.store}"


@dataclass(frozen=True)
class Snapshot:
    """One closure's rows; nothing of other coordinates is in it.

    Attributes:
        key: what it was made from.
        manifest: the store's embedder.
        coordinates: rows of the table ``coordinates``, sorted by purl; coordinates never registered have none.
        entries: ``snapshot_rows.ENTRY_COLUMNS`` of the indexed coordinates, sorted by purl and symbol.
        arrays: by the names in ``ARRAYS``; those over entries are in the same order.
        is_transient: made while a publish was under way; serves one question.
    """

    key: SnapshotKey
    manifest: StoreManifest
    coordinates: pa.Table
    entries: pa.Table
    arrays: dict[str, NDArray[Any]]
    is_transient: bool = False

    def row(self, index: int) -> dict[str, Any]:
        """One entry's columns as Python values."""
        found: list[dict[str, Any]] = self.entries.slice(index, 1).to_pylist()
        return found[0]

    def purl_of(self, index: int) -> str:
        """The purl of one entry's coordinate."""
        return str(self.coordinates["purl"][int(self.arrays["place"][index])].as_py())


def closure_digest(coordinate_ids: Iterable[int]) -> str:
    """Names a closure by its coordinates, 32 hexadecimal digits.

    Example:
        >>> closure_digest([2, 1]) == closure_digest([1, 2, 2])
        True
    """
    text = ",".join(map(str, sorted(set(coordinate_ids))))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def current_key(settings: Settings, coordinate_ids: Iterable[int]) -> SnapshotKey | None:
    """The key of the closure's rows as they are now; None where nothing is indexed on this machine.

    Raises:
        StoreError: the manifest is damaged or of another version.
    """
    manifest = read_manifest(settings.public)
    if manifest is None:
        return None
    return _key(settings.public, manifest, closure_digest(coordinate_ids))


def acquire(settings: Settings, coordinate_ids: Iterable[int], known: Snapshot | None = None) -> Snapshot | None:
    """The closure's rows as they are now.

    Args:
        settings: where store and cache lie.
        coordinate_ids: every coordinate of the closure, whatever the scope.
        known: a snapshot from before; given back where it is still current.

    Returns:
        A snapshot; None where nothing is indexed on this machine.

    Raises:
        StoreError: the store cannot be read.
    """
    ids = sorted(set(coordinate_ids))
    for _ in range(_TRIES):
        key = current_key(settings, ids)
        if key is None:
            return None
        if is_publishing(settings.public):
            break
        if known is not None and known.key == key and not known.is_transient:
            return known
        folder = settings.cache / "snapshots" / key.closure / key.folder
        opened = _open(folder, key)
        if opened is not None:
            return opened
        made = _make(settings, ids, key)
        # Rows that were read while a publish began may be half of it.
        if current_key(settings, ids) == key and not is_publishing(settings.public):
            return _saved(made, folder)
    key = current_key(settings, ids)
    return None if key is None else _make(settings, ids, key, is_transient=True)


def delete_all(settings: Settings) -> None:
    """Removes every snapshot; they are made again when they are needed."""
    shutil.rmtree(settings.cache / "snapshots", ignore_errors=True)


def _key(public: Path, manifest: StoreManifest, closure: str) -> SnapshotKey:
    try:
        # A store that was deleted and made anew starts at generation 0 again.
        made_at = (public / "store.json").stat().st_mtime_ns
    except OSError:
        made_at = 0
    facts = json.dumps([LAYOUT_VERSION, TERMS_VERSION, made_at, asdict(manifest)], sort_keys=True)
    return SnapshotKey(closure, read_generation(public), hashlib.sha256(facts.encode()).hexdigest()[:12])


def write_files(settings: Settings, coordinate_ids: Iterable[int], folder: Path) -> None:
    """Reads a closure's rows and writes them as a snapshot's files into an existing folder.

    Raises:
        StoreError: the store cannot be read, or is gone.
    """
    ids = sorted(set(coordinate_ids))
    key = current_key(settings, ids)
    if key is None:
        raise StoreError(f"{settings.public}: the store went away while it was read")
    _write(_read(settings, ids, key), folder)


def _make(settings: Settings, ids: list[int], key: SnapshotKey, *, is_transient: bool = False) -> Snapshot:
    if not forks.is_lancedb_unsafe():
        return replace(_read(settings, ids, key), is_transient=is_transient)
    with tempfile.TemporaryDirectory(prefix="depcodex-") as name:
        forks.make_files(settings, ids, Path(name))
        # Mapped files stay readable when their names are gone.
        made = _open(Path(name), key)
    if made is None:
        raise StoreError(f"{settings.public}: the store went away while it was read")
    return replace(made, is_transient=is_transient)


def _read(settings: Settings, ids: list[int], key: SnapshotKey) -> Snapshot:
    manifest = read_manifest(settings.public)
    if manifest is None:
        raise StoreError(f"{settings.public}: the store went away while it was read")
    # Opened anew each time: what was published meanwhile is seen, and no handle is kept over a fork.
    tables = PublicTables(settings.public, manifest.width)
    coordinates, entries, arrays = snapshot_rows.read_rows(tables, ids, manifest.width)
    return Snapshot(key, manifest, coordinates, entries, arrays)


def _saved(snapshot: Snapshot, folder: Path) -> Snapshot:
    """The snapshot from its files; the one in memory where they cannot be written."""
    temporary = folder.parent / f".{uuid.uuid4().hex}"
    try:
        temporary.mkdir(parents=True)
        try:
            _write(snapshot, temporary)
            temporary.rename(folder)
        except OSError:
            # Another process was faster, or the disk is full or read-only: a question is answered all the same.
            shutil.rmtree(temporary, ignore_errors=True)
        else:
            _delete_others(folder)
    except OSError:
        return snapshot
    return _open(folder, snapshot.key) or snapshot


def _write(snapshot: Snapshot, folder: Path) -> None:
    for name in ARRAYS:
        np.save(folder / f"{name}.npy", snapshot.arrays[name], allow_pickle=False)
    for name, table in (("coordinates", snapshot.coordinates), ("entries", snapshot.entries)):
        with pa.OSFile(str(folder / f"{name}.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    manifest = {"layout_version": LAYOUT_VERSION, **asdict(snapshot.key), "manifest": asdict(snapshot.manifest)}
    (folder / "snapshot.json").write_text(json.dumps(manifest, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _open(folder: Path, key: SnapshotKey) -> Snapshot | None:
    """The snapshot of a folder; None where there is none, or one that cannot be read (it is then made again)."""
    try:
        facts = json.loads((folder / "snapshot.json").read_text(encoding="utf-8"))
        arrays = {name: _mapped(folder / f"{name}.npy") for name in ARRAYS}
        tables = [pa.ipc.open_file(pa.memory_map(str(folder / f"{name}.arrow"))) for name in ("coordinates", "entries")]
        coordinates, entries = (each.read_all() for each in tables)
        return Snapshot(key, StoreManifest(**facts["manifest"]), coordinates, entries, arrays)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _mapped(path: Path) -> NDArray[Any]:
    # An empty file cannot be mapped.
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


def _delete_others(folder: Path) -> None:
    """Removes the closure's older snapshots and what killed processes left. Mapped files stay readable until closed."""
    for other in folder.parent.iterdir():
        if other == folder:
            continue
        with contextlib.suppress(OSError):
            if other.name.startswith("."):
                if time.time() - other.stat().st_mtime < _STALE_TEMPORARY_SECONDS:
                    continue
            elif _generation(other) > _generation(folder):
                continue
            shutil.rmtree(other, ignore_errors=True)


def _generation(folder: Path) -> int:
    number = folder.name.partition("-")[0]
    return int(number) if number.isdigit() else -1


def size_bytes(folder: Path) -> int:
    """Bytes of all files below a folder; 0 where there is none."""
    total = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):
                total += (Path(place) / name).stat().st_size
    return total
