"""A workbench without stages: makes small rows of each table's schema, counts what it was asked, fails where told to.

Here: ``FakeBench``, which fulfils depcodex_pipelines.bench.StageBench over a real public store. Not here: any stage.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa

from depcodex import schemas
from depcodex.coordinates import Coordinate, entry_id
from depcodex.schemas import SETTLED_STATES, State
from depcodex.settings import Settings
from depcodex.tables import PublicTables, StoreManifest, pin_manifest
from depcodex_assets.workbench import StageResult

WIDTH = 4
NOW = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
# Stands for what a library wrote: must never come out of a run.
RAW_DOC = "zanthoxyl marmalade drips slowly over seven brass kettles"


class FakeBench:
    """Two declarations a coordinate: one documented, one not; each documented text is one model call."""

    def __init__(
        self,
        settings: Settings,
        *,
        states: Mapping[str, str] | None = None,
        failing: Mapping[str, str] | None = None,
        errors: Mapping[str, list[Exception]] | None = None,
        score: float = 0.1,
    ) -> None:
        self.settings = settings
        self.known: dict[str, str] = dict(states or {})
        self.failing = dict(failing or {})
        self.errors = {stage: list(each) for stage, each in (errors or {}).items()}
        self.score = score
        self.computed: list[tuple[str, tuple[str, ...]]] = []
        self.written: list[tuple[str, tuple[str, ...]]] = []
        self.retold: set[str] = set()
        self.optimized = 0
        pin_manifest(settings.public, StoreManifest("fake", "0", WIDTH, "mean"))
        self.public = PublicTables(settings.public, WIDTH)

    def compute(
        self,
        stage: str,
        coordinates: Sequence[Coordinate],
        on_progress: Callable[[str, int, int], None] | None = None,
    ) -> StageResult:
        self.computed.append((stage, tuple(each.purl for each in coordinates)))
        if self.errors.get(stage):
            raise self.errors[stage].pop(0)
        if on_progress is not None:
            on_progress(stage, len(coordinates), len(coordinates))
        result: StageResult = getattr(self, f"_{stage}")(coordinates)
        return result

    def write(self, result: StageResult, coordinates: Sequence[Coordinate]) -> None:
        self.written.append((result.stage, tuple(each.purl for each in coordinates)))
        if result.stage == "summarise":
            self.retold.update(each.purl for each in coordinates)
        if result.stage == "publish":
            with self.public.publication():
                for name in ("entries", "mentions", "coordinates"):
                    ids = [each.coordinate_id for each in coordinates]
                    self.public.write(name, result.tables[name], coordinate_ids=ids)
            for row in result.tables["coordinates"].to_pylist():
                self.known[row["purl"]] = row["state"]

    def pending_model_calls(self, coordinates: Sequence[Coordinate]) -> int:
        return len({each.purl for each in coordinates} - self.retold - set(self.failing))

    def states(self) -> dict[str, str]:
        return dict(self.known)

    def unsettled(self, coordinates: Sequence[Coordinate]) -> list[Coordinate]:
        return [each for each in coordinates if self.known.get(each.purl) not in SETTLED_STATES]

    def optimize(self) -> None:
        self.optimized += 1

    def _good(self, coordinates: Sequence[Coordinate]) -> list[Coordinate]:
        return [each for each in coordinates if each.purl not in self.failing]

    def _harvest(self, coordinates: Sequence[Coordinate]) -> StageResult:
        rows = [
            {
                "coordinate_id": each.coordinate_id,
                "path": f"{each.name}.py",
                "file_digest": "sha256:" + "0" * 64,
                "size_bytes": 100,
                "language": "python",
                "convention": "docstring",
                "is_verified": True,
                "archive_digest": "",
                "is_yanked": False,
                "as_of": "2026-11-30",
                "content": RAW_DOC.encode(),
                "is_retryable": False,
            }
            for each in self._good(coordinates)
        ]
        failures = {each.purl: self.failing[each.purl] for each in coordinates if each.purl in self.failing}
        table = pa.Table.from_pylist(rows, schema=schemas.SOURCE_FILES)
        return StageResult("harvest", {"source_files": table}, {"files": len(rows)}, failures)

    def _parse(self, coordinates: Sequence[Coordinate]) -> StageResult:
        rows = [
            {
                "coordinate_id": each.coordinate_id,
                "symbol": f"{each.name}.{name}",
                "kind": "function",
                "name": name,
                "defining_path": f"{each.name}.{name}",
                "signatures": ["def run()"],
                "doc": doc,
                "language": "python",
                "convention": "docstring",
                "path": f"{each.name}.py",
                "line": 1,
                "file_digest": "sha256:" + "0" * 64,
                "aliases": [],
                "bases": [],
                "is_deprecated": False,
                "is_experimental": False,
            }
            for each in self._good(coordinates)
            for name, doc in (("run", RAW_DOC), ("stop", None))
        ]
        table = pa.Table.from_pylist(rows, schema=schemas.DECLARATIONS)
        return StageResult("parse", {"declarations": table}, {"declarations": len(rows)})

    def _dedupe(self, coordinates: Sequence[Coordinate]) -> StageResult:
        good = self._good(coordinates)
        texts = [
            {
                "text_digest": f"text-{each.purl}",
                "language": "python",
                "convention": "docstring",
                "kind": "function",
                "name": "run",
                "signatures": ["def run()"],
                "doc": RAW_DOC,
            }
            for each in good
        ]
        occurrences = [
            {
                "coordinate_id": each.coordinate_id,
                "symbol": f"{each.name}.run",
                "text_digest": f"text-{each.purl}",
                "is_documented": True,
                "path": f"{each.name}.py",
                "line": 1,
            }
            for each in good
        ]
        tables = {
            "texts": pa.Table.from_pylist(texts, schema=schemas.TEXTS),
            "occurrences": pa.Table.from_pylist(occurrences, schema=schemas.OCCURRENCES),
        }
        return StageResult("dedupe", tables, {"texts": len(texts), "occurrences": len(occurrences)})

    def _classify(self, coordinates: Sequence[Coordinate]) -> StageResult:
        rows = [
            {
                "row_key": each.purl,
                "text_digest": f"text-{each.purl}",
                "gate_version": "fake",
                "score": self.score,
                "rule": None,
                "sentence_index": 0,
                "view": "plain",
                "decided_at": NOW,
            }
            for each in self._good(coordinates)
        ]
        return StageResult("classify", {"verdicts": pa.Table.from_pylist(rows, schema=schemas.VERDICTS)}, {})

    def _summarise(self, coordinates: Sequence[Coordinate]) -> StageResult:
        calls = self.pending_model_calls(coordinates)
        rows = [
            {
                "row_key": each.purl,
                "text_digest": f"text-{each.purl}",
                "rewriter": "fake",
                "prompt_version": "1",
                "model_digest": "0",
                "sentence": "Starts the process.",
                "rule": None,
                "attempt_count": 1,
                "rules_version": "1",
                "created_at": NOW,
            }
            for each in self._good(coordinates)
            if each.purl not in self.retold
        ]
        table = pa.Table.from_pylist(rows, schema=schemas.SUMMARIES)
        counts = {"rewritten": calls, "model_calls": calls}
        return StageResult("summarise", {}, counts, seen={"summaries": table})

    def _quarantine(self, coordinates: Sequence[Coordinate]) -> StageResult:
        table = pa.Table.from_pylist(
            [{**row, "mention_hashes": [], "is_name_refused": False} for row in self._entries(coordinates)],
            schema=schemas.quarantined_schema(WIDTH),
        )
        return StageResult("quarantine", {"quarantined": table}, {"embedded": table.num_rows, "withheld": 0})

    def _entries(self, coordinates: Sequence[Coordinate]) -> list[dict[str, object]]:
        return [
            {
                "coordinate_id": each.coordinate_id,
                "id": entry_id(each.purl, f"{each.name}.{name}"),
                "symbol": f"{each.name}.{name}",
                "kind": "function",
                "name": name,
                "aliases": [],
                "bases": [],
                "signatures": ["def run()"],
                "sentence": sentence,
                "is_documented": sentence is not None,
                "is_withheld": False,
                "path": f"{each.name}.py",
                "line": 1,
                "file_digest": "sha256:" + "0" * 64,
                "is_deprecated": False,
                "is_experimental": False,
                "packages_mentioned": [],
                "doc_vector": [0.5] * WIDTH,
                "term_hashes": [],
                "term_counts": [],
            }
            for each in self._good(coordinates)
            for name, sentence in (("run", "Starts the process."), ("stop", None))
        ]

    def _publish(self, coordinates: Sequence[Coordinate]) -> StageResult:
        rows = []
        for each in coordinates:
            reason = self.failing.get(each.purl)
            rows.append(
                {
                    "coordinate_id": each.coordinate_id,
                    "purl": each.purl,
                    "library": each.library,
                    "version": each.version,
                    "state": State.FAILED if reason else State.INDEXED,
                    "reason": reason,
                    "is_retryable": False,
                    "is_verified": True,
                    "is_yanked": False,
                    "as_of": "2026-11-30",
                    "archive_digest": "",
                    "import_names": [each.name],
                    "indexed_at": NOW,
                    **dict.fromkeys(
                        ("file_count", "file_error_count", "entry_count", "documented_count", "withheld_count"), 1
                    ),
                    "refused_name_count": 0,
                    "gate_threshold": 0.5,
                    **dict.fromkeys(
                        (
                            "gate_version",
                            "rules_version",
                            "rewriter",
                            "prompt_version",
                            "model_digest",
                            "embedder",
                            "stages_version",
                        ),
                        "fake",
                    ),
                }
            )
        entries = self._entries(coordinates)
        tables = {
            "entries": pa.Table.from_pylist(entries, schema=schemas.entries_schema(WIDTH)),
            "mentions": schemas.MENTIONS.empty_table(),
            "coordinates": pa.Table.from_pylist(rows, schema=schemas.COORDINATES),
        }
        failures = {each.purl: self.failing[each.purl] for each in coordinates if each.purl in self.failing}
        return StageResult("publish", tables, {"entries": len(entries)}, failures)
