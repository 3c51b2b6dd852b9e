"""``Codex``: questions to one project's closure.

Here: the facade, and putting an answer together: what may be seen, in which order, page by page. Not here: who is in
the closure (depcodex.resolution), names (depcodex.names), ranking (depcodex.faces), a row as a hit
(depcodex.closure_view).

Only the public store, the inbox and the cache are opened, never the private store, and never the copy of the closure
that lies in the project: a project must not widen its own scope.
"""

from __future__ import annotations

import functools
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from depcodex import abstentions, cursors, records, resolution, snapshots
from depcodex.abstentions import Abstention as Abstention
from depcodex.answers import Answer as Answer
from depcodex.answers import Freshness, Hit
from depcodex.closure import ProjectRecord
from depcodex.closure_view import ClosureView
from depcodex.errors import EmbedderMismatchError, NoClosureError, UsageError
from depcodex.resolution import AskingClosure, Narrowing
from depcodex.schemas import State
from depcodex.settings import Settings
from depcodex.snapshots import Snapshot
from depcodex.statuses import CoordinateStatus as CoordinateStatus
from depcodex.statuses import Status as Status
from depcodex.statuses import coordinate_status

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from depcodex.embedding import Embedder

__all__ = ["Abstention", "Answer", "Codex", "CoordinateStatus", "Freshness", "Hit", "Status"]

DEFAULT_LIMIT, MAX_LIMIT = 10, 100
# The embedder reads its own window; more than this cannot matter to any arm.
_MAX_NEED_CHARACTERS = 8000
_KEPT_VECTORS = 256
_WAITING_STATES = (resolution.NEVER_REGISTERED, State.PENDING, State.FAILED)


@dataclass
class _Process:
    """What one process holds. A forked child starts with its own: locks and model threads do not survive a fork."""

    pid: int
    lock: threading.RLock = field(default_factory=threading.RLock)
    settings_stamp: object = None
    record_stamp: object = None
    asking: AskingClosure | None = None
    loaded: ClosureView | None = None
    embedder: Embedder | None = None
    vectors: OrderedDict[str, NDArray[np.float32]] = field(default_factory=OrderedDict)


class Codex:
    """Answers from the documentation of exactly the versions that one project resolved.

        with Codex.open("path/to/project") as codex:
            for hit in codex.search("retry a failed request").results:
                print(hit.symbol, hit.signatures, hit.sentence)
            codex.lookup("requests.Session.get", version="2.32.3")

    Safe between threads and after a fork. A record, publish, hold or change of settings.toml that happens meanwhile
    counts from the next question on. An answer without results says why in ``abstention``.

    Args:
        project: a recorded project's folder, or any folder below it.
        settings: fixed settings; None: the machine's, read again when settings.toml changes.
        embedder: instead of the one that the settings name.
    """

    def __init__(
        self, project: str | Path = ".", settings: Settings | None = None, *, embedder: Embedder | None = None
    ) -> None:
        self.project = Path(project).resolve()
        self._are_settings_fixed = settings is not None
        self._settings = settings or Settings.load()
        self._given_embedder = embedder
        self._process = _Process(os.getpid())
        self._is_closed = False

    @classmethod
    def open(
        cls, project: str | Path = ".", settings: Settings | None = None, *, embedder: Embedder | None = None
    ) -> Codex:
        """A codex for a project; nothing is read before the first question."""
        return cls(project, settings, embedder=embedder)

    def __enter__(self) -> Codex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of files and models. Questions after it raise UsageError."""
        self._is_closed = True
        self._process = _Process(os.getpid())

    def search(
        self,
        need: str,
        *,
        limit: int = DEFAULT_LIMIT,
        coordinates: Sequence[str] = (),
        version: str | None = None,
        from_module: str | None = None,
        cursor: str | None = None,
    ) -> Answer:
        """The entries that answer a need, by meaning and by words.

        Args:
            need: what somebody wants to do, in their own words.
            limit: hits a page, 1 to 100.
            coordinates: package URLs of the closure to look in; a version may be left out.
            version: an exact version inside the closure; overrides ``from_module``.
            from_module: the module that asks; where two versions of a library are resolved it sees one.
            cursor: of an answer to the same question, for its next page.

        Raises:
            UsageError: the need is empty, the limit or the cursor is wrong.
            CoordinateError: one of ``coordinates`` is no package URL.
            EmbedderMismatchError: the store was built with another embedder.
            ModelUnavailableError: the embedder's server does not answer.
        """
        text = _clean(need)[:_MAX_NEED_CHARACTERS]
        if not text:
            raise UsageError("search: the need is empty")
        asked = _Question("search", text, limit, tuple(coordinates), version, from_module, cursor)
        return self._answer(asked, self._searched)

    def lookup(
        self,
        symbol: str,
        *,
        limit: int = DEFAULT_LIMIT,
        coordinates: Sequence[str] = (),
        version: str | None = None,
        from_module: str | None = None,
        cursor: str | None = None,
    ) -> Answer:
        """The entries that a name means, in every resolved version.

        The exact name and its aliases first; then other separators, any case, a library's own name, inherited members,
        re-exports, unqualified endings and typing errors. ``message`` says how it was understood.

        Args and Raises: as ``search`` has them, without the embedder's.
        """
        text = _clean(symbol)
        if not text:
            raise UsageError("lookup: the symbol is empty")
        asked = _Question("lookup", text, limit, tuple(coordinates), version, from_module, cursor)
        return self._answer(asked, self._looked_up)

    async def asearch(self, need: str, **arguments: Any) -> Answer:
        """``search`` in a thread, for an event loop."""
        import asyncio

        return await asyncio.to_thread(functools.partial(self.search, need, **arguments))

    async def alookup(self, symbol: str, **arguments: Any) -> Answer:
        """``lookup`` in a thread, for an event loop."""
        import asyncio

        return await asyncio.to_thread(functools.partial(self.lookup, symbol, **arguments))

    def status(self) -> Status:
        """What stands behind the project's answers, coordinate by coordinate."""
        asking, loaded = self._current()
        public = snapshots.size_bytes(self._settings.public)
        if asking is None:
            return Status(
                str(self.project),
                Freshness(self._generation()),
                (),
                public,
                0,
                abstentions.no_closure(str(self.project)),
            )
        digest = snapshots.closure_digest(asking.coordinate_ids)
        kept = snapshots.size_bytes(self._settings.cache / "snapshots" / digest)
        rows: dict[str, dict[str, Any]] = {}
        if loaded is not None:
            rows = {row["purl"]: row for row in loaded.snapshot.coordinates.to_pylist()}
        found = tuple(coordinate_status(asking, purl, rows.get(purl)) for purl in asking.dependencies)
        freshness = loaded.freshness if loaded else self._unindexed_freshness(asking)
        states = loaded.states if loaded else asking.states({})
        reasons = {each.purl: each.reason or "" for each in found}
        abstention = abstentions.from_states(states, reasons, asking.record.project)
        return Status(asking.record.project, freshness, found, public, kept, abstention)

    def _answer(self, asked: _Question, rows_of: Callable[[_Question, ClosureView, Narrowing], _Rows]) -> Answer:
        if not 1 <= asked.limit <= MAX_LIMIT:
            raise UsageError(f"limit: expected 1 to {MAX_LIMIT}, got {asked.limit}")
        for text in asked.coordinates:
            resolution.parse_wanted(text)
        asking, loaded = self._current()
        if asking is None:
            return Answer((), abstentions.no_closure(str(self.project)), Freshness(self._generation()))
        if loaded is None:
            states = asking.states({})
            nothing = abstentions.from_states(states, {}, asking.record.project) or _no_match(asked, asking, 0)
            return Answer((), nothing, self._unindexed_freshness(asking))
        narrowing = resolution.narrow(
            asking,
            asked.text,
            coordinates=asked.coordinates,
            version=asked.version,
            from_module=asked.from_module,
            import_names=loaded.import_names,
        )
        if narrowing.abstention is not None:
            return Answer((), narrowing.abstention, loaded.freshness)
        states = {purl: loaded.states[purl] for purl in narrowing.purls}
        reasons = {purl: loaded.rows[purl]["reason"] or "" for purl in narrowing.purls if purl in loaded.rows}
        abstention = abstentions.from_states(states, reasons, asking.record.project)
        if abstention is not None:
            return Answer((), abstention, loaded.freshness)
        key = _cursor_key(asked, loaded, narrowing)
        offset = cursors.read_cursor(asked.cursor, key) if asked.cursor else 0
        rows = rows_of(asked, loaded, narrowing)
        page = rows.rows[offset : offset + asked.limit]
        if not len(page):
            waiting = sum(state in _WAITING_STATES for state in states.values())
            return Answer((), rows.abstention or _no_match(asked, asking, waiting), loaded.freshness)
        may_be_hit = loaded.may_be_hit(narrowing.purls)
        hits = tuple(
            loaded.hit(
                int(row),
                offset + number,
                rows.found_by(int(row)),
                asked_name=rows.asked_name(int(row)),
                may_be_hit=may_be_hit,
            )
            for number, row in enumerate(page, start=1)
        )
        end = offset + len(page)
        cursor = cursors.make_cursor(key, end) if end < len(rows.rows) else None
        return Answer(hits, None, loaded.freshness, cursor, rows.message)

    def _searched(self, asked: _Question, loaded: ClosureView, narrowing: Narrowing) -> _Rows:
        vector = self._vector(asked.text, loaded.snapshot)
        ranking = loaded.faces.rank(asked.text, vector, loaded.may_be_hit(narrowing.purls))
        rows = () if ranking.is_below_floor else ranking.rows
        return _Rows(rows, ranking.found_by)

    def _looked_up(self, asked: _Question, loaded: ClosureView, narrowing: Narrowing) -> _Rows:
        result = loaded.names.find(asked.text)
        may_be_hit = loaded.may_be_hit(narrowing.purls)
        shown = {each.row: each for each in result.found if may_be_hit[each.row]}
        if shown and all(each.arm == "fuzzy" for each in shown.values()):
            # A name of a library that is not indexed yet is no typing error.
            named = {purl: loaded.states[purl] for purl in loaded.named_library(asked.text, narrowing.purls)}
            waiting = abstentions.from_states(named, {}, loaded.asking.record.project)
            if waiting is not None:
                return _Rows((), abstention=waiting)
        if not shown:
            return _Rows((), abstention=_unshown(asked, loaded, narrowing, [each.row for each in result.found]))
        led = {row for row, each in shown.items() if each.how and each.arm == "exact"}
        return _Rows(
            tuple(sorted(shown) if all(each.arm == "exact" for each in shown.values()) else shown),
            lambda row: (shown[row].arm,),
            lambda row: asked.text if row in led else None,
            result.message,
        )

    def _vector(self, text: str, snapshot: Snapshot) -> NDArray[np.float32]:
        process = self._here()
        with process.lock:
            known = process.vectors.get(text)
            if known is not None:
                process.vectors.move_to_end(text)
                return known
            if process.embedder is None:
                from depcodex.embedding import load_embedder

                process.embedder = self._given_embedder or load_embedder(self._settings)
            embedder = process.embedder
        _check_embedder(embedder, snapshot)
        # One text at a time: the same question has the same vector whatever else is asked.
        vector = np.ascontiguousarray(embedder.embed([text])[0], dtype=np.float32)
        with process.lock:
            process.vectors[text] = vector
            while len(process.vectors) > _KEPT_VECTORS:
                process.vectors.popitem(last=False)
        return vector

    def _current(self) -> tuple[AskingClosure | None, ClosureView | None]:
        """The closure and its rows as they are now."""
        if self._is_closed:
            raise UsageError("this codex is closed")
        process = self._here()
        with process.lock:
            self._refresh_settings(process)
            self._refresh_record(process)
            asking, loaded = process.asking, process.loaded
            if asking is None:
                return None, None
            known = loaded.snapshot if loaded is not None else None
            snapshot = snapshots.acquire(self._settings, asking.coordinate_ids, known)
            if snapshot is None:
                process.loaded = None
                return asking, None
            if loaded is None or loaded.snapshot is not snapshot or loaded.asking is not asking:
                loaded = ClosureView(asking, snapshot)
                process.loaded = None if snapshot.is_transient else loaded
            return asking, loaded

    def _here(self) -> _Process:
        process = self._process
        if process.pid != os.getpid():
            process = self._process = _Process(os.getpid())
        return process

    def _refresh_settings(self, process: _Process) -> None:
        if self._are_settings_fixed:
            return
        stamp = _stamp(self._settings.home / "settings.toml")
        if process.settings_stamp is None:
            process.settings_stamp = stamp
        elif stamp != process.settings_stamp:
            before = self._settings
            self._settings = Settings.load()
            process.settings_stamp, process.record_stamp = stamp, None
            if (before.embedder, before.ollama_host) != (self._settings.embedder, self._settings.ollama_host):
                process.embedder = None
                process.vectors.clear()

    def _refresh_record(self, process: _Process) -> None:
        folders = (self.project, *self.project.parents)
        stamp = tuple(_stamp(records.record_path(self._settings, folder)) for folder in folders)
        if process.record_stamp == stamp:
            return
        record = self._nearest_record(folders)
        process.record_stamp = stamp
        hold, exclude = self._settings.hold, self._settings.exclude
        process.asking = None if record is None else AskingClosure(record, hold, exclude)
        # `loaded` stays: its snapshot may serve the new record as well.

    def _nearest_record(self, folders: Sequence[Path]) -> ProjectRecord | None:
        for folder in folders:
            try:
                return records.read_record(self._settings, folder)
            except NoClosureError:
                continue
        return None

    def _generation(self) -> int:
        from depcodex.tables import read_generation

        return read_generation(self._settings.public)

    def _unindexed_freshness(self, asking: AskingClosure) -> Freshness:
        counts = Counter(asking.states({}).values())
        record = asking.record
        return Freshness(self._generation(), record.recorded_at, record.scope.value, tuple(sorted(counts.items())))


@dataclass(frozen=True)
class _Question:
    operation: str
    text: str
    limit: int
    coordinates: tuple[str, ...]
    version: str | None
    from_module: str | None
    cursor: str | None


@dataclass(frozen=True)
class _Rows:
    """The rows that answer, best first, with what labels them."""

    rows: Sequence[int] | NDArray[np.int64]
    found_by: Callable[[int], tuple[str, ...]] = lambda _: ()
    asked_name: Callable[[int], str | None] = lambda _: None
    message: str = ""
    abstention: Abstention | None = None


def _clean(text: str) -> str:
    # A lone surrogate, as an undecodable byte of a command line becomes, can neither be hashed nor printed.
    return text.encode("utf-8", "replace").decode("utf-8").strip()


def _no_match(asked: _Question, asking: AskingClosure, waiting_count: int) -> Abstention:
    is_lookup = asked.operation == "lookup"
    return abstentions.no_match(asked.text, asking.record.project, is_lookup=is_lookup, waiting_count=waiting_count)


def _unshown(asked: _Question, loaded: ClosureView, narrowing: Narrowing, rows: Sequence[int]) -> Abstention | None:
    """Why a name of the closure shows nothing; None where it has to read like one that does not exist."""
    asking = loaded.asking
    purls = sorted({loaded.snapshot.purl_of(row) for row in rows} & set(asking.scoped))
    project = asking.record.project
    if not purls:
        named = loaded.named_library(asked.text, narrowing.purls)
        return abstentions.from_states({purl: loaded.states[purl] for purl in named}, {}, project)
    visible = [purl for purl in purls if loaded.states[purl] == State.INDEXED]
    if not visible:
        return abstentions.from_states({purl: loaded.states[purl] for purl in purls}, {}, project)
    if narrowing.version is not None:
        return abstentions.version_not_in_closure(narrowing.version, visible, project)
    return None


def _check_embedder(embedder: Embedder, snapshot: Snapshot) -> None:
    manifest = snapshot.manifest
    pinned = (manifest.embedder_digest, manifest.width, manifest.pooling)
    if pinned != (embedder.digest, embedder.width, embedder.pooling):
        raise EmbedderMismatchError(
            f"store: embedder, expected {manifest.embedder} ({manifest.embedder_digest[:12]}), got {embedder.name} "
            f"({embedder.digest[:12]}); set DEPCODEX_EMBEDDER={manifest.embedder}, or run: depcodex store reembed"
        )


def _cursor_key(asked: _Question, loaded: ClosureView, narrowing: Narrowing) -> bytes:
    key = loaded.snapshot.key
    return cursors.cursor_key(
        operation=asked.operation,
        text=asked.text,
        closure=key.closure,
        generation=key.generation,
        store=key.store,
        purls=sorted(purl for purl in narrowing.purls if loaded.states[purl] == State.INDEXED),
    )


def _stamp(path: Path) -> tuple[int, int, int] | tuple[()]:
    """Changes whenever a file is replaced, written or removed."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_ino, found.st_mtime_ns, found.st_size)
