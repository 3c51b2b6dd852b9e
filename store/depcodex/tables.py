"""The two LanceDB databases: opening, reading by key, and writing as each table's contract says.

Here: ``Tables`` (one database under its contracts), ``PublicTables`` (what readers open), the store manifest and the
generation file. Not here: the private store's opening (depcodex_assets.private_tables is the only code that does),
what rows mean.

Measured at LanceDB 0.40 (2026-11-30): four writers at once lose no rows; merge_insert of the same new keys doubles
them unless the table has a primary key; a bitmap index and rows clustered by coordinate make a closure of 100
coordinates in a million rows a read of 13 ms.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import fcntl
import functools
import json
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from depcodex import schemas
from depcodex.errors import EmbedderMismatchError, NoIndexError, StoreBusyError, StoreError, StoreFullError
from depcodex.schemas import TableContract, WriteMode

if TYPE_CHECKING:
    from depcodex.settings import Settings

STORE_VERSION = 1
# LanceDB parses an IN list of 2,000 keys in 5 ms; longer lists grow faster than their length.
_KEYS_PER_QUERY = 2000
# A table of up to so many rows a wanted key is read whole. Measured (2026-12-01, 40,635 vectors of 384 numbers): all of
# them 1.09 s by lists of keys, 0.13 s by a scan; a quarter of them 0.27 s and 0.07 s; a tenth 0.12 s and 0.06 s.
_SCAN_FACTOR = 4
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class StoreManifest:
    """What a store was built with: pinned at its first write, checked at every opening.

    Attributes:
        store_version: layout of the tables.
        embedder: the embedder's name.
        embedder_digest: sha256 hex of its weights, or the model digest its server reports.
        width: numbers a vector.
        pooling: how token vectors became one.
    """

    embedder: str
    embedder_digest: str
    width: int
    pooling: str
    store_version: int = STORE_VERSION


@dataclass(frozen=True)
class WriteCounts:
    """What one write did, in rows."""

    inserted_count: int
    deleted_count: int


class Tables:
    """One LanceDB database, its tables created on first write under their contracts.

    Rows come in and go out as Arrow tables of the contract's schema. Safe between threads; a forked child must open its
    own (LanceDB's runtime does not survive a fork).
    """

    def __init__(self, folder: Path, contracts: Mapping[str, TableContract]) -> None:
        self.folder = folder
        self.contracts = contracts
        self._database: Any = None
        self._handles: dict[str, Any] = {}

    def read(
        self,
        name: str,
        *,
        coordinate_ids: Iterable[int] | None = None,
        columns: Sequence[str] | None = None,
    ) -> pa.Table:
        """The rows of a table, all or those of some coordinates; an empty table where nothing was written yet."""
        empty = self._empty(name, columns)
        handle = self._open(name)
        if handle is None:
            return empty
        if coordinate_ids is None:
            return self._rows(handle, None, columns, empty.schema)
        ids = sorted(set(coordinate_ids))
        parts = [
            self._rows(handle, f"coordinate_id IN ({', '.join(map(str, chunk))})", columns, empty.schema)
            for chunk in _chunks(ids, _KEYS_PER_QUERY)
        ]
        return pa.concat_tables(parts) if parts else empty

    def read_keys(self, name: str, column: str, keys: Iterable[str], columns: Sequence[str] | None = None) -> pa.Table:
        """The rows whose ``column`` is one of ``keys``, in no order."""
        empty = self._empty(name, columns)
        handle = self._open(name)
        wanted = sorted(set(keys))
        if handle is None or not wanted:
            return empty
        if len(wanted) > _KEYS_PER_QUERY and len(wanted) * _SCAN_FACTOR > handle.count_rows():
            # Reading all and choosing here is quicker than a list of keys for each of many queries.
            return self._scanned(handle, column, wanted, empty.schema)
        parts = [
            self._rows(handle, f"{column} IN ({', '.join(map(_quoted, chunk))})", columns, empty.schema)
            for chunk in _chunks(wanted, _KEYS_PER_QUERY)
        ]
        return pa.concat_tables(parts)

    def count(self, name: str, coordinate_ids: Iterable[int] | None = None) -> int:
        """How many rows a table has, or has of some coordinates."""
        handle = self._open(name)
        if handle is None:
            return 0
        if coordinate_ids is None:
            return int(handle.count_rows())
        ids = sorted(set(coordinate_ids))
        return sum(
            int(handle.count_rows(f"coordinate_id IN ({', '.join(map(str, chunk))})"))
            for chunk in _chunks(ids, _KEYS_PER_QUERY)
        )

    def write(self, name: str, table: pa.Table, *, coordinate_ids: Iterable[int] = ()) -> WriteCounts:
        """Writes rows as the table's contract says; the same call twice leaves the same rows.

        Args:
            name: the table.
            table: rows of its schema.
            coordinate_ids: for ``REPLACE_COORDINATES`` the run's coordinates: those without rows in ``table`` lose
                theirs.

        Raises:
            StoreError: rows do not fit the schema, or two of them share a key.
            StoreFullError: the disk is full; what was there stays.
        """
        contract = self.contracts[name]
        rows = schemas.conform(table, contract.schema)
        if contract.mode is WriteMode.REPLACE_COORDINATES:
            return self._replace(contract, rows, sorted(set(coordinate_ids)))
        handle = self._created(contract)
        if contract.mode is WriteMode.APPEND:
            _guarded(lambda: handle.add(rows))
            return WriteCounts(rows.num_rows, 0)
        rows = _first_of_each(rows, contract.primary_key or contract.key[0])
        if not rows.num_rows:
            return WriteCounts(0, 0)
        key = contract.primary_key or contract.key[0]
        done = _guarded(lambda: handle.merge_insert(key).when_not_matched_insert_all().execute(rows))
        return WriteCounts(int(done.num_inserted_rows), 0)

    def optimize(self, *, cleanup_older_than_seconds: float = 3600.0) -> None:
        """Compacts small files, brings indexes up to date and drops versions older than the given age."""
        age = dt.timedelta(seconds=cleanup_older_than_seconds)
        for name in self.names():
            handle = self._open(name)
            _guarded(functools.partial(handle.optimize, cleanup_older_than=age))

    def names(self) -> list[str]:
        """The tables that exist, in contract order."""
        return [name for name in self.contracts if self._open(name) is not None]

    def handle(self, name: str) -> Any:
        """LanceDB's own table, or None where nothing was written: for checks that look at versions and indexes."""
        return self._open(name)

    def _replace(self, contract: TableContract, rows: pa.Table, ids: list[int]) -> WriteCounts:
        surplus = set(rows.column("coordinate_id").unique().to_pylist()) - set(ids)
        if surplus:
            raise StoreError(f"{contract.name}: rows of {len(surplus)} coordinates outside the run")
        keys = rows.group_by(list(contract.key)).aggregate([([], "count_all")])
        if keys.num_rows != rows.num_rows:
            raise StoreError(f"{contract.name}: {rows.num_rows - keys.num_rows} rows share a key {contract.key}")
        # Clustered by coordinate: shuffled rows make a read of 100 coordinates ten times slower.
        rows = rows.sort_by([(column, "ascending") for column in contract.key])
        handle = self._created(contract)
        before = self.count(contract.name, ids)
        if before == 0:
            if rows.num_rows:
                _guarded(lambda: handle.add(rows))
            return WriteCounts(rows.num_rows, 0)
        condition = f"coordinate_id IN ({', '.join(map(str, ids))})"
        if not rows.num_rows:
            _guarded(lambda: handle.delete(condition))
            return WriteCounts(0, before)
        # One commit: a reader sees a coordinate's old rows or its new ones, never half.
        done = _guarded(
            lambda: (
                handle.merge_insert(list(contract.key))
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(condition)
                # An entry without a face has a null vector: refused here by default, though not in add().
                .execute(rows, on_bad_vectors="null")
            )
        )
        return WriteCounts(int(done.num_inserted_rows), int(done.num_deleted_rows))

    def _rows(self, handle: Any, condition: str | None, columns: Sequence[str] | None, schema: pa.Schema) -> pa.Table:
        query = handle.search()
        if condition is not None:
            query = query.where(condition)
        if columns is not None:
            query = query.select(list(columns))
        return _guarded(query.to_arrow).select(schema.names).cast(schema)

    def _scanned(self, handle: Any, column: str, keys: Sequence[str], schema: pa.Schema) -> pa.Table:
        """The rows whose ``column`` is one of ``keys``, out of a scan of the whole table."""
        names = list(dict.fromkeys([*schema.names, column]))
        table = _guarded(handle.search().select(names).to_arrow)
        chosen = table.filter(pc.is_in(table.column(column), pa.array(keys, table.schema.field(column).type)))
        return chosen.select(schema.names).cast(schema)

    def _empty(self, name: str, columns: Sequence[str] | None) -> pa.Table:
        empty = self.contracts[name].schema.empty_table()
        return empty if columns is None else empty.select(list(columns))

    def _connect(self) -> Any:
        if self._database is None:
            import lancedb

            # Another process's commits are seen at once: a reader must notice a hold on its next query.
            self._database = lancedb.connect(str(self.folder), read_consistency_interval=dt.timedelta(0))
        return self._database

    def _open(self, name: str) -> Any:
        handle = self._handles.get(name)
        if handle is None and (self.folder / f"{name}.lance").is_dir():
            try:
                handle = self._connect().open_table(name)
            except (ValueError, RuntimeError, OSError) as error:
                if not any((self.folder / f"{name}.lance").glob("_versions/*")):
                    return None  # another process is creating it and has not committed yet
                raise StoreError(f"{self.folder.name}/{name}: cannot be opened: {_one_line(error)}") from error
            self._handles[name] = handle
        return handle

    def _created(self, contract: TableContract) -> Any:
        handle = self._open(contract.name)
        if handle is not None:
            return handle
        self.folder.mkdir(parents=True, exist_ok=True)
        handle = _guarded(lambda: self._connect().create_table(contract.name, schema=contract.schema, exist_ok=True))
        if contract.primary_key and not handle.count_rows():
            with contextlib.suppress(RuntimeError, ValueError):  # another process that created it at once has set it
                handle.set_unenforced_primary_key(contract.primary_key)
        self._handles[contract.name] = handle
        return handle

    def index(self) -> None:
        """Builds the indexes that the contracts ask for where they are missing: once a table has rows."""
        import lancedb.index

        for name in self.names():
            contract, handle = self.contracts[name], self._open(name)
            column = ""
            config: Any = None
            if contract.has_coordinate_index:
                column, config = "coordinate_id", lancedb.index.Bitmap()
            elif contract.primary_key:
                column, config = contract.primary_key, lancedb.index.BTree()
            if config is None or not handle.count_rows():
                continue
            if not any(each.columns == [column] for each in handle.list_indices()):
                _guarded(functools.partial(handle.create_index, column, config=config, replace=True))


class PublicTables(Tables):
    """The public store: what a reader may be shown.

    Example:
        >>> import tempfile
        >>> tables = PublicTables(Path(tempfile.mkdtemp()), width=384)
        >>> tables.read("entries").num_rows
        0
    """

    def __init__(self, folder: Path, width: int) -> None:
        super().__init__(folder, schemas.public_contracts(width))

    @classmethod
    def of(cls, settings: Settings) -> PublicTables:
        """The machine's public store.

        Raises:
            NoIndexError: nothing has been indexed yet.
        """
        manifest = read_manifest(settings.public)
        if manifest is None:
            raise NoIndexError(f"{settings.public}: nothing is indexed yet; run: depcodex index")
        return cls(settings.public, manifest.width)

    def generation(self) -> int:
        """A number that rises with every publish and hold; read without opening LanceDB."""
        return read_generation(self.folder)

    @contextlib.contextmanager
    def publication(self) -> Iterator[None]:
        """Around the commits of one publish: readers keep no cache meanwhile, and see a new generation after."""
        self.folder.mkdir(parents=True, exist_ok=True)
        clear_dead_publications(self.folder)
        marker = self.folder / f"publishing-{os.getpid()}-{uuid.uuid4().hex}"
        marker.touch()
        try:
            yield
        finally:
            raise_generation(self.folder)
            marker.unlink(missing_ok=True)


def read_manifest(folder: Path) -> StoreManifest | None:
    """What the store was built with; None where there is no store.

    Raises:
        StoreError: the manifest is damaged, or of a version this depcodex cannot read.
    """
    path = folder / "store.json"
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        manifest = StoreManifest(**values)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise StoreError(f"{path}: damaged: {_one_line(error)}") from error
    if manifest.store_version != STORE_VERSION:
        raise StoreError(f"{path}: store version, expected {STORE_VERSION}, got {manifest.store_version}")
    return manifest


def pin_manifest(folder: Path, manifest: StoreManifest) -> None:
    """Writes the manifest of a new store, or checks the one that is there.

    Raises:
        EmbedderMismatchError: the store was built with another embedder, width or pooling.
    """
    known = read_manifest(folder)
    if known is None:
        folder.mkdir(parents=True, exist_ok=True)
        _write_atomically(folder / "store.json", json.dumps(asdict(manifest), indent=2, sort_keys=True) + "\n")
        return
    if known != manifest:
        raise EmbedderMismatchError(
            f"{folder}: embedder, expected {known.embedder} ({known.embedder_digest[:12]}), got {manifest.embedder} "
            f"({manifest.embedder_digest[:12]}); set DEPCODEX_EMBEDDER={known.embedder}, or run: depcodex store reembed"
        )


def read_generation(folder: Path) -> int:
    """The store's generation; 0 where nothing was published."""
    try:
        return int((folder / "generation").read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        return 0


def is_publishing(folder: Path) -> bool:
    """Whether a publish is under way, or one was killed: caches keyed by generation are then neither used nor made."""
    return any(folder.glob("publishing-*"))


def raise_generation(folder: Path) -> int:
    """Raises the generation by one, safely between processes; the new number."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "generation.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        number = read_generation(folder) + 1
        _write_atomically(folder / "generation", str(number))
    return number


def clear_dead_publications(folder: Path) -> int:
    """Removes the markers of publishes whose process is gone and raises the generation for them; how many."""
    dead = [marker for marker in folder.glob("publishing-*") if not _is_alive(marker.name.split("-")[1])]
    if dead:
        raise_generation(folder)
    for marker in dead:
        marker.unlink(missing_ok=True)
    return len(dead)


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return True


def _write_atomically(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _guarded(action: Callable[[], _Result]) -> _Result:
    """The action's result, with LanceDB's errors as ours: full disk, contention, damage."""
    try:
        return action()
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreFullError("store: the disk is full; what was indexed before stays") from error
        raise StoreError(f"store: {_one_line(error)}") from error
    except (RuntimeError, ValueError) as error:
        text = str(error)
        if "No space left" in text or "os error 28" in text:
            raise StoreFullError("store: the disk is full; what was indexed before stays") from error
        if "conflict" in text.lower() or "contention" in text.lower():
            raise StoreBusyError(f"store: another writer was faster: {_one_line(error)}") from error
        raise StoreError(f"store: {_one_line(error)}") from error


def _one_line(error: BaseException) -> str:
    # LanceDB puts source locations behind the first line; values of rows never stand in the first one.
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def _first_of_each(table: pa.Table, column: str) -> pa.Table:
    """The first row of each value: merge_insert would insert both of two equal new keys in one batch."""
    values = table.column(column).to_pylist()
    seen: set[str] = set()
    keep = [index for index, value in enumerate(values) if not (value in seen or seen.add(value))]  # type: ignore[func-returns-value]
    return table if len(keep) == len(values) else table.take(keep)


def _chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
