"""The workbench: for one stage and a batch of coordinates, reads the inputs, calls the stage, writes what it made.

Here: which tables a stage reads, the tools it is given, what is stale, and that one coordinate's failure stays its own.
Not here: the stages, and when they run (depcodex_pipelines).
"""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex.errors import DepcodexError
from depcodex.schemas import State
from depcodex.settings import Settings
from depcodex.tables import PublicTables, StoreManifest, clear_dead_publications, pin_manifest
from depcodex_assets.collector import patient_collector
from depcodex_assets.makes import is_current, known_states, make_of
from depcodex_assets.private_tables import PrivateTables

if TYPE_CHECKING:
    from depcodex.embedding import Embedder
    from depcodex_assets.ecosystems.interface import Fetcher
    from depcodex_assets.gate.interface import Gate
    from depcodex_assets.rewriters.interface import Rewriter

# Reasons for having no files that settle a coordinate.
_NO_FAILURES = ("excluded", "no_source")
STAGES = ("harvest", "parse", "dedupe", "classify", "summarise", "quarantine", "publish")
# (stage, done, total): items of the stage's own kind, files or texts.
Progress = Callable[[str, int, int], None]
Clock = Callable[[], datetime]


@dataclass(frozen=True)
class StageResult:
    """What one stage made of a batch.

    Attributes:
        stage: one of ``STAGES``.
        tables: rows by table name, as their contracts have them; each replaces, or is inserted, when it is written.
        counts: figures for people, by name.
        failures: purl → one line of ours, for each coordinate that this stage could not do.
        retryable: the purls among them that a later try may bring.
        notes: purl → one line of ours that a person should hear although the stage did it.
        seen: rows by table name that are in the store already and belong to the batch's account; never written.
    """

    stage: str
    tables: Mapping[str, pa.Table]
    counts: Mapping[str, int] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)
    retryable: frozenset[str] = frozenset()
    notes: Mapping[str, str] = field(default_factory=dict)
    seen: Mapping[str, pa.Table] = field(default_factory=dict)


def utc_now() -> datetime:
    """The system's clock, aware."""
    return datetime.now(UTC)


class Workbench:
    """Runs stages over batches against the machine's two stores.

    Tools (gate, rewriter, embedder, fetcher) are loaded when a stage first needs them; tests hand in their own.

    Raises:
        EmbedderMismatchError: at the first stage, where the store was built with another embedder.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock = utc_now,
        fetcher: Fetcher | None = None,
        rewriter: Rewriter | None = None,
        embedder: Embedder | None = None,
        gate: Gate | None = None,
    ) -> None:
        self.settings = settings
        self._clock = clock
        self._given = {"fetcher": fetcher, "rewriter": rewriter, "embedder": embedder, "gate": gate}

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        clock: Clock = utc_now,
        fetcher: Fetcher | None = None,
        rewriter: Rewriter | None = None,
        embedder: Embedder | None = None,
        gate: Gate | None = None,
    ) -> Workbench:
        """A workbench over the data home of ``settings``; the store is made at the first write."""
        return cls(settings, clock=clock, fetcher=fetcher, rewriter=rewriter, embedder=embedder, gate=gate)

    @functools.cached_property
    def fetcher(self) -> Fetcher:
        """Brings what is not on this machine."""
        from depcodex_assets.ecosystems.known import EcosystemFetcher

        return self._given["fetcher"] or EcosystemFetcher()  # type: ignore[return-value]

    @functools.cached_property
    def rewriter(self) -> Rewriter:
        """The configured rewriter."""
        from depcodex_assets.rewriters import load_rewriter

        return self._given["rewriter"] or load_rewriter(self.settings)  # type: ignore[return-value]

    @functools.cached_property
    def embedder(self) -> Embedder:
        """The configured embedder."""
        from depcodex.embedding import load_embedder

        return self._given["embedder"] or load_embedder(self.settings)  # type: ignore[return-value]

    @functools.cached_property
    def gate(self) -> Gate:
        """The gate under the operator's threshold, where one is set."""
        from depcodex_assets.gate import load_gate

        override = self.settings.gate_threshold
        return self._given["gate"] or load_gate(None if override < 0 else override)  # type: ignore[return-value]

    @functools.cached_property
    def private(self) -> PrivateTables:
        """The private store."""
        self._pin()
        return PrivateTables(self.settings.private, self.embedder.width)

    @functools.cached_property
    def public(self) -> PublicTables:
        """The public store."""
        self._pin()
        return PublicTables(self.settings.public, self.embedder.width)

    def states(self) -> dict[str, str]:
        """The state of every coordinate that the public store knows, by purl."""
        return {purl: each.state for purl, each in known_states(self.settings).items()}

    def unsettled(self, coordinates: Sequence[Coordinate]) -> list[Coordinate]:
        """Those of the coordinates that have to be indexed: never settled, or made by what has changed since."""
        # A publish that was killed after its last commit leaves nothing to index, and readers without their caches.
        clear_dead_publications(self.settings.public)
        known = known_states(self.settings)
        make = make_of(self.settings)
        return [each for each in coordinates if not is_current(known.get(each.purl), make)]

    def compute(
        self, stage: str, coordinates: Sequence[Coordinate], on_progress: Progress | None = None
    ) -> StageResult:
        """One stage over a batch: its tables, not yet written (summarise alone writes its chunks as they come).

        Where the batch fails as a whole, each coordinate is tried by itself, and those that fail are named.

        Raises:
            TransientError, ModelError, EmbedderMismatchError …: what concerns every coordinate alike.
        """
        # Before anything is fetched or retold for a store that could not take it.
        self._pin()
        run = getattr(self, f"_{stage}")
        try:
            with patient_collector():
                result: StageResult = run(list(coordinates), on_progress)
            return result
        except DepcodexError:
            raise
        # Whatever a package's bytes provoke in a stage must not stop the other packages.
        except Exception as error:  # noqa: BLE001
            if len(coordinates) <= 1:
                return self._failed(stage, coordinates, error)
        parts = [self.compute(stage, [each], on_progress) for each in coordinates]
        return StageResult(
            stage,
            {
                name: pa.concat_tables([part.tables[name] for part in parts if name in part.tables])
                for name in dict.fromkeys(name for part in parts for name in part.tables)
            },
            {
                name: sum(part.counts.get(name, 0) for part in parts)
                for name in dict.fromkeys(name for part in parts for name in part.counts)
            },
            {purl: reason for part in parts for purl, reason in part.failures.items()},
            frozenset().union(*(part.retryable for part in parts)),
            {purl: note for part in parts for purl, note in part.notes.items()},
        )

    def write(self, result: StageResult, coordinates: Sequence[Coordinate]) -> None:
        """Writes a stage's tables under their contracts; the same call twice leaves the same rows.

        A coordinate that failed has one source row that says so and nothing else in private, so that the stages after
        pass it by; its public rows stay if it was indexed before.
        """
        failed = [each for each in coordinates if each.purl in result.failures]
        ids = [each.coordinate_id for each in coordinates if each.purl not in result.failures]
        for name in result.tables:
            if name in self.private.contracts:
                self.private.write(name, result.tables[name], coordinate_ids=ids)
        if failed and result.stage != "publish":
            rows = [self._trouble(each, result.failures[each.purl], each.purl in result.retryable) for each in failed]
            trouble = pa.Table.from_pylist(rows, schema=schemas.SOURCE_FILES)
            self.private.write("source_files", trouble, coordinate_ids=_ids(failed))
            for name in ("declarations", "occurrences", "quarantined"):
                empty = self.private.contracts[name].schema.empty_table()
                self.private.write(name, empty, coordinate_ids=_ids(failed))
        if result.stage == "publish":
            settled = [each for each in coordinates if each.purl not in result.failures or not self._is_indexed(each)]
            with self.public.publication():
                # The coordinate's row is last: it says that the others are whole.
                for name in (each for each in ("mentions", "entries", "coordinates") if each in result.tables):
                    self.public.write(name, result.tables[name], coordinate_ids=_ids(settled))

    def pending_model_calls(self, coordinates: Sequence[Coordinate]) -> int:
        """How many distinct texts of these coordinates a rewriter has still to retell."""
        return int(self._texts_to_rewrite(coordinates).num_rows)

    def optimize(self) -> None:
        """Indexes and compacts both stores."""
        for tables in (self.private, self.public):
            tables.index()
            tables.optimize()

    # The stages, each: read, call, name the tables.

    def _harvest(self, coordinates: list[Coordinate], on_progress: Progress | None) -> StageResult:
        from depcodex_assets.ecosystems.interface import HarvestParameters
        from depcodex_assets.harvest import harvest
        from depcodex_assets.recorded import harvest_requests

        del on_progress
        notes: dict[str, str] = {}
        table = harvest(
            harvest_requests(self.settings, coordinates),
            fetcher=self.fetcher,
            parameters=HarvestParameters.of(self.settings),
            clock=self._clock,
            on_note=lambda note: notes.update({note.coordinate.purl: note.message}),
        )
        purls = {each.coordinate_id: each.purl for each in coordinates}
        failures: dict[str, str] = {}
        retryable: set[str] = set()
        for row in table.filter(pc.equal(table.column("path"), "")).to_pylist():
            if not row["skip_reason"].startswith(_NO_FAILURES):
                purl = purls[row["coordinate_id"]]
                failures[purl] = ": ".join(filter(None, (row["skip_reason"], row["skip_detail"])))
                retryable |= {purl} if row["is_retryable"] else set()
        failed = [each.coordinate_id for each in coordinates if each.purl in failures]
        kept = table.filter(pc.invert(pc.is_in(table.column("coordinate_id"), pa.array(failed, pa.int64()))))
        sizes = pc.sum(kept.column("size_bytes")).as_py() or 0
        counts = {
            "coordinates": len(coordinates),
            "harvested": len(coordinates) - len(failures),
            "files": kept.num_rows,
            "bytes": sizes,
            "notes": len(notes),
        }
        return StageResult("harvest", {"source_files": kept}, counts, failures, frozenset(retryable), notes)

    def _parse(self, coordinates: list[Coordinate], on_progress: Progress | None) -> StageResult:
        from depcodex_assets.parse_shares import parse_shared

        del on_progress
        table = parse_shared(coordinates, self.private.read("source_files", coordinate_ids=_ids(coordinates)))
        documented = pc.sum(pc.is_valid(table.column("doc"))).as_py() or 0
        errors = pc.sum(pc.is_valid(table.column("skip_reason"))).as_py() or 0
        counts = {"declarations": table.num_rows - errors, "documented": documented, "files_with_errors": errors}
        return StageResult("parse", {"declarations": table}, counts)

    def _dedupe(self, coordinates: list[Coordinate], on_progress: Progress | None) -> StageResult:
        from depcodex_assets.dedupe import dedupe

        del on_progress
        declarations = self.private.read("declarations", coordinate_ids=_ids(coordinates))
        texts, occurrences = dedupe(coordinates, declarations)
        counts = {
            "texts": pc.sum(pc.is_valid(texts.column("doc"))).as_py() or 0,
            "occurrences": occurrences.num_rows,
        }
        return StageResult("dedupe", {"texts": texts, "occurrences": occurrences}, counts)

    def _classify(self, coordinates: list[Coordinate], on_progress: Progress | None) -> StageResult:
        from depcodex_assets.classify import classify

        del on_progress
        texts = self._documented_texts(coordinates)
        known = self._verdicts(texts.column("text_digest").to_pylist())
        fresh = _without(texts, "text_digest", known.column("text_digest"))
        table = classify(fresh, gate=self.gate, clock=self._clock)
        suspects = self._suspects(pa.concat_tables([known, table]), texts)
        counts = {"judged": table.num_rows, "known": known.num_rows, "suspected": len(suspects)}
        return StageResult("classify", {"verdicts": table}, counts, seen={"verdicts": known})

    def _summarise(self, coordinates: list[Coordinate], on_progress: Progress | None) -> StageResult:
        from depcodex_assets.summarise import summarise_chunks

        texts = self._texts_to_rewrite(coordinates)
        chunks, done = [schemas.SUMMARIES.empty_table()], 0
        # What came before a server died is kept: each chunk is written as it comes.
        for chunk in summarise_chunks(texts, rewriter=self.rewriter, clock=self._clock):
            self.private.write("summaries", chunk)
            chunks.append(chunk)
            done += chunk.num_rows
            if on_progress is not None:
                on_progress("summarise", done, texts.num_rows)
        table = pa.concat_tables(chunks)
        calls = pc.sum(table.column("attempt_count")).as_py() or 0
        counts = {"rewritten": done, "model_calls": calls, "refused": done - table.column("rule").null_count}
        return StageResult("summarise", {}, counts, seen={"summaries": table})

    def _quarantine(self, coordinates: list[Coordinate], on_progress: Progress | None) -> StageResult:
        from depcodex_assets import quarantine

        ids = _ids(coordinates)
        occurrences = self.private.read("occurrences", coordinate_ids=ids)
        documented = occurrences.filter(occurrences.column("is_documented")).column("text_digest").to_pylist()
        decided = quarantine.decide(
            coordinates,
            self.private.read("declarations", coordinate_ids=ids),
            occurrences,
            self._verdicts(documented),
            self.private.read_keys("summaries", "text_digest", documented),
            self.private.read("decisions"),
            gate=self.gate,
            parameters=quarantine.QuarantineParameters(
                rewriter=self.rewriter.name,
                prompt_version=self.rewriter.prompt_version,
                model_digest=self.rewriter.model_digest,
                hold=self.settings.hold,
            ),
        )
        keys = quarantine.vector_keys(quarantine.face_texts(decided), self.embedder)
        known = self.private.read_keys("vectors", "row_key", keys.values())
        report = None if on_progress is None else functools.partial(_report_embedding, on_progress, len(keys))
        fresh = quarantine.embed(keys, known, embedder=self.embedder, on_progress=report)
        table = quarantine.quarantine(decided, pa.concat_tables([known, fresh]), keys, embedder=self.embedder)
        counts = {
            "entries": table.num_rows,
            "withheld": pc.sum(table.column("is_withheld")).as_py() or 0,
            "refused_names": pc.sum(table.column("is_name_refused")).as_py() or 0,
            "embedded": fresh.num_rows,
        }
        return StageResult("quarantine", {"vectors": fresh, "quarantined": table}, counts)

    def _publish(self, coordinates: list[Coordinate], on_progress: Progress | None) -> StageResult:
        from depcodex_assets.publish import PublishParameters, publish

        del on_progress
        ids = _ids(coordinates)
        make = make_of(self.settings)
        published = publish(
            coordinates,
            self.private.read(
                "source_files",
                coordinate_ids=ids,
                columns=[name for name in schemas.SOURCE_FILES.names if name != "content"],
            ),
            self.private.read("declarations", coordinate_ids=ids, columns=["coordinate_id", "skip_reason"]),
            self.private.read("quarantined", coordinate_ids=ids),
            parameters=PublishParameters(
                width=self.embedder.width,
                embedder=self.embedder.name,
                gate_version=self.gate.version,
                gate_threshold=self.settings.gate_threshold,
                rules_version=make.rules_version,
                rewriter=self.rewriter.name,
                prompt_version=self.rewriter.prompt_version,
                model_digest=self.rewriter.model_digest,
                stages_version=make.stages_version,
            ),
            clock=self._clock,
        )
        rows = published.coordinates.select(["purl", "coordinate_id", "state", "reason", "is_retryable"]).to_pylist()
        failed = [row for row in rows if row["state"] == State.FAILED]
        purls = {each.purl: each for each in coordinates}
        # What was indexed stays so until something better replaces it.
        stay = pa.array([row["coordinate_id"] for row in failed if self._is_indexed(purls[row["purl"]])], pa.int64())
        tables = {
            name: table.filter(pc.invert(pc.is_in(table.column("coordinate_id"), stay)))
            for name, table in (
                ("entries", published.entries),
                ("mentions", published.mentions),
                ("coordinates", published.coordinates),
            )
        }
        states = [row["state"] for row in rows]
        counts = {
            "entries": published.entries.num_rows,
            "withheld": pc.sum(published.coordinates.column("withheld_count")).as_py() or 0,
            **{state.value: states.count(state.value) for state in State if state is not State.PENDING},
        }
        return StageResult(
            "publish",
            tables,
            counts,
            {row["purl"]: row["reason"] or "failed" for row in failed},
            frozenset(row["purl"] for row in failed if row["is_retryable"]),
        )

    def _failed(self, stage: str, coordinates: Sequence[Coordinate], error: Exception) -> StageResult:
        # The value of an unexpected error may quote a package's text: only its type crosses, the rest stays private.
        with (self.settings.private / "errors.log").open("a", encoding="utf-8") as log:
            log.write(f"{self._clock().isoformat()} {stage} {', '.join(each.purl for each in coordinates)}\n")
            traceback.print_exception(error, file=log)
        reason = f"failed:{stage}: {type(error).__name__}, see private/errors.log"
        return StageResult(stage, {}, {}, {each.purl: reason for each in coordinates})

    def _is_indexed(self, coordinate: Coordinate) -> bool:
        known = known_states(self.settings).get(coordinate.purl)
        return known is not None and known.state == State.INDEXED

    def _documented_texts(self, coordinates: Sequence[Coordinate]) -> pa.Table:
        occurrences = self.private.read(
            "occurrences", coordinate_ids=_ids(coordinates), columns=["text_digest", "is_documented"]
        )
        documented = occurrences.filter(occurrences.column("is_documented"))
        texts = self.private.read_keys("texts", "text_digest", documented.column("text_digest").to_pylist())
        return texts.sort_by("text_digest")

    def _verdicts(self, digests: Iterable[str]) -> pa.Table:
        rows = self.private.read_keys("verdicts", "text_digest", digests)
        return rows.filter(pc.equal(rows.column("gate_version"), self.gate.version))

    def _suspects(self, verdicts: pa.Table, texts: pa.Table) -> set[str]:
        conventions = dict(
            zip(texts.column("text_digest").to_pylist(), texts.column("convention").to_pylist(), strict=True)
        )
        return {
            row["text_digest"]
            for row in verdicts.select(["text_digest", "score", "rule"]).to_pylist()
            if self.gate.is_suspect(row["score"], row["rule"], conventions[row["text_digest"]])
        }

    def _texts_to_rewrite(self, coordinates: Sequence[Coordinate]) -> pa.Table:
        """Documented, judged and cleared texts that the configured rewriter has not retold."""
        texts = self._documented_texts(coordinates)
        verdicts = self._verdicts(texts.column("text_digest").to_pylist())
        cleared = set(verdicts.column("text_digest").to_pylist()) - self._suspects(verdicts, texts)
        keys = {
            digest: schemas.row_key(
                digest, self.rewriter.name, self.rewriter.prompt_version, self.rewriter.model_digest
            )
            for digest in cleared
        }
        known = set(
            self.private.read_keys("summaries", "row_key", keys.values(), ["row_key"]).column("row_key").to_pylist()
        )
        wanted = sorted(digest for digest, key in keys.items() if key not in known)
        return texts.filter(pc.is_in(texts.column("text_digest"), pa.array(wanted, pa.string())))

    def _trouble(self, coordinate: Coordinate, reason: str, is_retryable: bool) -> dict[str, object]:
        """The source row that stands for a coordinate that failed."""
        code, _, detail = reason.partition(": ")
        return {
            "coordinate_id": coordinate.coordinate_id,
            "path": "",
            "file_digest": "",
            "size_bytes": 0,
            "language": "",
            "convention": "",
            "is_verified": False,
            "archive_digest": "",
            "is_yanked": False,
            "as_of": self._clock().date().isoformat(),
            "content": b"",
            "skip_reason": code,
            "skip_detail": detail or None,
            "is_retryable": is_retryable,
        }

    def _pin(self) -> None:
        embedder = self.embedder
        pin_manifest(
            self.settings.public,
            StoreManifest(embedder.name, embedder.digest, embedder.width, embedder.pooling),
        )


def _ids(coordinates: Sequence[Coordinate]) -> list[int]:
    return [each.coordinate_id for each in coordinates]


def _without(table: pa.Table, column: str, values: pa.ChunkedArray) -> pa.Table:
    return table.filter(pc.invert(pc.is_in(table.column(column), values.combine_chunks())))


def _report_embedding(on_progress: Progress, total: int, done: int) -> None:
    on_progress("quarantine", done, total)
