"""The stage that brings sources: a batch of coordinates in, their source files out.

Here: the order in which the ways are tried, the private work folder, and what each kind of trouble is called in a row.
Not here: the ways themselves (depcodex_assets.ecosystems), archive limits (depcodex_assets.archives).

Order: excluded by pattern; its own tree on disk; installed in one of the environment's folders, read in place; fetched
by the ecosystem's client. A coordinate keyed by checksum is never fetched: only the tree with that digest is it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pyarrow as pa

from depcodex.coordinates import Coordinate
from depcodex.errors import (
    ArchiveError,
    ArchiveLimitError,
    CorruptArchiveError,
    DepcodexError,
    DigestMismatchError,
    FetchError,
    SourceNotFoundError,
    StoreFullError,
    TransientError,
)
from depcodex.schemas import SOURCE_FILES, conform
from depcodex_assets.ecosystems.interface import (
    Fetched,
    Fetcher,
    HarvestParameters,
    HarvestRequest,
    InPlace,
    SourceFile,
    SourceTree,
    TreeChangedError,
)
from depcodex_assets.ecosystems.known import ECOSYSTEMS

__all__ = ["Clock", "HarvestParameters", "HarvestRequest", "Note", "harvest", "reopen"]

Clock = Callable[[], datetime]
_MAX_DETAIL_CHARACTERS = 200
_LOCK_SUFFIX = ".lock"
_FULL_DISK = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True)
class Note:
    """Something that a person should hear about a coordinate that was harvested all the same.

    Attributes:
        coordinate: whose it is.
        message: one line of ours.
    """

    coordinate: Coordinate
    message: str


def harvest(
    requests: Sequence[HarvestRequest],
    *,
    fetcher: Fetcher,
    parameters: HarvestParameters,
    clock: Clock,
    on_note: Callable[[Note], None] | None = None,
) -> pa.Table:
    """The source files of a batch of coordinates, schema ``SOURCE_FILES``.

    Grain: (coordinate_id, path), in the order of the requests, paths sorted; several requests for a coordinate (of
    several projects) count as one with all their folders and digests. A coordinate without any file has one row with
    path "" that says why (``skip_reason``): ``excluded``, ``no_source``, ``failed:<what>`` or ``limit:<which>``,
    ``is_retryable`` where a later try may bring it. Trouble with one coordinate never touches another's rows and is
    never raised.

    Args:
        requests: what is wanted, and where it may lie.
        fetcher: the client for what is not on this machine; one call for the whole batch.
        parameters: see ``HarvestParameters``.
        clock: gives the day of harvest where no release day is known.
        on_note: told of withdrawn releases and the like.

    Raises:
        StoreError: never for any input; a row that does not fit the schema is a defect of this module.
    """
    ordered = _each_coordinate_once(requests)
    now = clock()
    outcomes: dict[Coordinate, SourceTree | _Skip] = {}
    opened: dict[str, InPlace] = {}
    for request in ordered:
        outcome = _in_place(request, parameters, opened)
        if outcome is not None:
            outcomes[request.coordinate] = outcome
    missing = [request for request in ordered if request.coordinate not in outcomes]
    for coordinate, outcome in _fetched(missing, fetcher, parameters, now, on_note):
        outcomes[coordinate] = outcome
    rows = _Rows(now.date().isoformat())
    for request in ordered:
        rows.add(request, outcomes[request.coordinate])
    return conform(rows.table(), SOURCE_FILES)


def _each_coordinate_once(requests: Sequence[HarvestRequest]) -> list[HarvestRequest]:
    merged: dict[Coordinate, HarvestRequest] = {}
    for request in requests:
        first = merged.get(request.coordinate)
        merged[request.coordinate] = request if first is None else first.merged(request)
    return list(merged.values())


def reopen(
    request: HarvestRequest, path: str, *, fetcher: Fetcher, parameters: HarvestParameters, clock: Clock
) -> bytes:
    """The bytes that a citation (the request's coordinate, ``path`` below the import root) points at, brought again.

    Raises:
        SourceNotFoundError: the coordinate or the file cannot be brought; the message has the reason.
    """
    table = harvest([request], fetcher=fetcher, parameters=parameters, clock=clock)
    for row in table.select(["path", "content", "skip_reason"]).to_pylist():
        if row["path"] == path and row["skip_reason"] is None:
            content: bytes = row["content"]
            return content
        if row["path"] == "":
            raise SourceNotFoundError(f"{request.coordinate}: cannot be opened again, {row['skip_reason']}")
    raise SourceNotFoundError(f"{request.coordinate}: has no file {path!r}")


@dataclass(frozen=True)
class _Skip:
    """Why a coordinate has no files."""

    reason: str
    detail: str
    is_retryable: bool


def _in_place(
    request: HarvestRequest, parameters: HarvestParameters, opened: dict[str, InPlace]
) -> SourceTree | _Skip | None:
    """What this machine has of a coordinate, or None when it must be fetched."""
    coordinate = request.coordinate
    if any(coordinate.matches(pattern) for pattern in parameters.exclude):
        return _Skip("excluded", "covered by an exclude pattern", False)
    ecosystem = ECOSYSTEMS.get(coordinate.type)
    if ecosystem is None:
        return _Skip("failed:ecosystem", f"no reader for packages of type {coordinate.type}", False)
    if coordinate.type not in opened:
        opened[coordinate.type] = ecosystem.open_in_place(parameters)
    try:
        tree = opened[coordinate.type](request)
    except DepcodexError as error:
        return _skip_of(error, coordinate)
    except OSError as error:
        return _skip_of(_full_or_fetch_error(coordinate, error), coordinate)
    if tree is None and coordinate.checksum:
        return _Skip("failed:changed", "no tree with this checksum is on this machine", True)
    return tree


def _fetched(
    requests: Sequence[HarvestRequest],
    fetcher: Fetcher,
    parameters: HarvestParameters,
    now: datetime,
    on_note: Callable[[Note], None] | None,
) -> Iterator[tuple[Coordinate, SourceTree | _Skip]]:
    """One outcome for each request, out of archives that are gone again afterwards."""
    waiting = {request.coordinate: request for request in requests}
    if parameters.is_offline:
        for coordinate in waiting:
            yield coordinate, _Skip("failed:offline", "not on this machine, and fetching is switched off", True)
        return
    if not waiting:
        return
    lost: DepcodexError = FetchError("the client gave no answer")
    try:
        # Closing the client's generator ends its process, before the folder goes.
        with (
            work_area(parameters.work_folder) as folder,
            closing(fetcher.fetch(requests, folder, parameters)) as brought,
        ):
            for fetched in brought:
                request = waiting.pop(fetched.coordinate, None)
                if request is None:
                    continue
                if fetched.is_yanked and not request.is_yanked and on_note is not None:
                    on_note(Note(fetched.coordinate, "this release was withdrawn (yanked); it is read all the same"))
                yield fetched.coordinate, _read(fetched, parameters, now)
    except OSError as error:
        lost = _full_or_fetch_error("the work folder", error)
    for coordinate in waiting:
        yield coordinate, _skip_of(lost, coordinate)


def _read(fetched: Fetched, parameters: HarvestParameters, now: datetime) -> SourceTree | _Skip:
    if fetched.error is not None or fetched.archive is None:
        return _skip_of(fetched.error or FetchError("the client brought nothing"), fetched.coordinate)
    try:
        tree = ECOSYSTEMS[fetched.coordinate.type].read_archive(fetched, parameters.limits, now.date())
        return dataclasses.replace(tree, is_yanked=fetched.is_yanked)
    except DepcodexError as error:
        return _skip_of(error, fetched.coordinate)
    except OSError as error:
        return _skip_of(_full_or_fetch_error(fetched.coordinate, error), fetched.coordinate)
    finally:
        fetched.archive.unlink(missing_ok=True)


def _full_or_fetch_error(where: object, error: OSError) -> DepcodexError:
    if error.errno in _FULL_DISK:
        return StoreFullError(f"{where}: no space left on the disk")
    return FetchError(f"{where}: cannot be read ({type(error).__name__})")


def _skip_of(error: DepcodexError, coordinate: Coordinate) -> _Skip:
    """The row's words for an error; errors carry text of ours only."""
    reasons: tuple[tuple[type[DepcodexError], str], ...] = (
        (TreeChangedError, "failed:changed"),
        (StoreFullError, "failed:full"),
        (FetchError, "failed:fetch"),
        (SourceNotFoundError, "no_source"),
        (DigestMismatchError, "failed:digest"),
        (CorruptArchiveError, "failed:corrupt"),
        (ArchiveLimitError, f"limit:{getattr(error, 'rule', '')}"),
        (ArchiveError, "failed:archive"),
    )
    reason = next((text for kind, text in reasons if isinstance(error, kind)), "failed:unknown")
    detail = str(error).removeprefix(f"{coordinate}: ")[:_MAX_DETAIL_CHARACTERS]
    return _Skip(reason, detail, isinstance(error, TransientError))


class _Rows:
    """Columns of SOURCE_FILES as they grow."""

    def __init__(self, today: str) -> None:
        self._today = today
        self._columns: dict[str, list[object]] = {name: [] for name in SOURCE_FILES.names}

    def add(self, request: HarvestRequest, outcome: SourceTree | _Skip) -> None:
        coordinate = request.coordinate
        if isinstance(outcome, SourceTree) and not outcome.files:
            outcome = _Skip("no_source", f"it has no {ECOSYSTEMS[coordinate.type].label} source files", False)
        if isinstance(outcome, _Skip):
            file = SourceFile("", b"", False, outcome.reason, outcome.detail)
            self._append(request, SourceTree((file,)), file, is_retryable=outcome.is_retryable)
            return
        for file in outcome.files:
            self._append(request, outcome, file, is_retryable=False)

    def _append(self, request: HarvestRequest, tree: SourceTree, file: SourceFile, *, is_retryable: bool) -> None:
        values: dict[str, object] = {
            "coordinate_id": request.coordinate.coordinate_id,
            "path": file.path,
            "file_digest": file.digest,
            "size_bytes": file.size_bytes,
            "language": file.language,
            "convention": file.convention,
            "is_verified": file.is_verified,
            "archive_digest": tree.archive_digest,
            "is_yanked": tree.is_yanked or request.is_yanked,
            "as_of": tree.released_on or self._today,
            "content": file.content,
            "skip_reason": file.skip_reason,
            "skip_detail": file.skip_detail,
            "is_retryable": is_retryable,
        }
        for name, column in self._columns.items():
            column.append(values[name])

    def table(self) -> pa.Table:
        arrays = [pa.array(self._columns[field.name], field.type) for field in SOURCE_FILES]
        return pa.table(arrays, names=SOURCE_FILES.names)


@contextmanager
def work_area(work_folder: Path) -> Iterator[Path]:
    """An empty private folder (mode 0700) in ``work_folder``, gone afterwards, as are those of runs that were killed.

    A lock file beside each folder, held as long as its run lives, tells the living from the dead.
    """
    work_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    work_folder.chmod(0o700)
    _remove_stale(work_folder)
    folder = work_folder / f"harvest-{secrets.token_hex(8)}"
    lock_path = folder.with_suffix(_LOCK_SUFFIX)
    descriptor = os.open(lock_path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock_path.unlink(missing_ok=True)
        os.close(descriptor)


def _remove_stale(work_folder: Path) -> None:
    for lock_path in work_folder.glob(f"harvest-*{_LOCK_SUFFIX}"):
        try:
            descriptor = os.open(lock_path, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                folder = lock_path.with_suffix("")
                if folder.exists() or _is_old(lock_path):
                    shutil.rmtree(folder, ignore_errors=True)
                    lock_path.unlink(missing_ok=True)
        finally:
            os.close(descriptor)


def _is_old(path: Path) -> bool:
    """Whether a lock without a folder is left over: a run makes its folder within moments of taking the lock."""
    try:
        return time.time() - path.stat().st_mtime > 3600
    except OSError:
        return False
