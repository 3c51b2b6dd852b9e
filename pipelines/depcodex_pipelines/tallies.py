"""What a run has done so far: figures, failures, and small samples without anything a library wrote in prose.

Here: ``StageTally`` (one stage over any number of batches) and ``RunReport`` (all stages of a run, and whom to tell).
Not here: Dagster's metadata (depcodex_pipelines.metadata), how progress looks (depcodex_pipelines.progress).

A tally outlives its batch's tables, so it keeps numbers and a few labels only: symbols, digests, lengths, verdicts.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from depcodex.coordinates import Coordinate
    from depcodex.errors import DepcodexError
    from depcodex_assets.workbench import StageResult

_SAMPLE_ROWS = 8
# Enough to find the row again, and narrow enough for a table on a page.
_DIGEST_CHARACTERS = len("sha256:") + 12
# A dotted name and nothing else; what a library wrote otherwise is shown by its length only.
_PLAIN_NAME_PATTERN = re.compile(r"[\w.:/$#@-]{1,120}")


@dataclass
class StageTally:
    """One stage's figures over the batches it has seen.

    Attributes:
        stage: its name.
        coordinate_count: coordinates it was given.
        seconds: wall time, computing and writing.
        counts: the stage's own figures, summed.
        failures: purl → one line of ours.
        notes: purl → one line of ours about what was done all the same.
        rows: purl → rows of the stage's tables that belong to it, for tables keyed by coordinate.
        states: purl → (state, reason), once published.
        withheld: rule → withheld entries; after summarise rule → sentences that it refused.
        scores: the gate's scores, 0 to 1.
        samples: a few rows: symbol, digest, lengths, verdict.
    """

    stage: str
    coordinate_count: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    states: dict[str, tuple[str, str]] = field(default_factory=dict)
    withheld: Counter[str] = field(default_factory=Counter)
    scores: list[float] = field(default_factory=list)
    samples: list[dict[str, str | int | float | bool]] = field(default_factory=list)

    def add(self, result: StageResult, coordinates: Sequence[Coordinate], seconds: float) -> None:
        """Counts one batch's result in."""
        self.coordinate_count += len(coordinates)
        self.seconds += seconds
        self.counts.update(result.counts)
        self.failures.update(result.failures)
        self.notes.update(result.notes)
        purls = {each.coordinate_id: each.purl for each in coordinates}
        for name, table in result.tables.items():
            if "coordinate_id" in table.column_names:
                self._count_rows(name, table, purls)
        for tables in (result.tables, result.seen):
            if "verdicts" in tables:
                self.scores.extend(tables["verdicts"].column("score").to_pylist())
            for name, column in (("quarantined", "withheld_rule"), ("summaries", "rule")):
                if name in tables:
                    self.withheld.update(tables[name].column(column).drop_null().to_pylist())
        published = result.tables.get("coordinates")
        if published is not None:
            for row in published.select(["purl", "state", "reason"]).to_pylist():
                self.states[row["purl"]] = (row["state"], row["reason"] or "")
        self._sample(result.tables)
        self._sample(result.seen)

    def _count_rows(self, name: str, table: pa.Table, purls: Mapping[int, str]) -> None:
        for row in table.column("coordinate_id").value_counts().to_pylist():
            purl = purls.get(row["values"])
            if purl is not None:
                counts = self.rows.setdefault(purl, {})
                counts[name] = counts.get(name, 0) + row["counts"]

    def _sample(self, tables: Mapping[str, pa.Table]) -> None:
        for name, table in tables.items():
            columns = _SAMPLED_COLUMNS.get(name)
            wanted = _SAMPLE_ROWS - len(self.samples)
            if columns is None or wanted <= 0 or not table.num_rows:
                continue
            # Spread over the table: its first rows are all of one coordinate.
            step = max(1, table.num_rows // wanted)
            picked = table.select(list(columns)).take(list(range(0, table.num_rows, step))[:wanted])
            self.samples.extend(_shown(row) for row in picked.to_pylist())


# Columns that can be shown of a table's rows; text columns that hold prose become lengths. The widest is last: the UI
# cuts a table off on its right.
_SAMPLED_COLUMNS = {
    "source_files": ("file_digest", "size_bytes", "language", "is_verified"),
    "declarations": ("kind", "doc", "signatures", "symbol"),
    "occurrences": ("text_digest", "is_documented", "symbol"),
    "verdicts": ("text_digest", "score", "rule", "view"),
    "summaries": ("text_digest", "sentence", "rule", "attempt_count"),
    "quarantined": ("kind", "sentence", "withheld_rule", "symbol"),
    "entries": ("kind", "sentence", "is_withheld", "symbol"),
}
_LENGTH_ONLY = ("doc", "sentence")


def _shown(row: Mapping[str, object]) -> dict[str, str | int | float | bool]:
    """The row with labels as they are and every prose column as its length in characters."""
    shown: dict[str, str | int | float | bool] = {}
    for name, value in row.items():
        if name in _LENGTH_ONLY:
            shown[f"{name}_characters"] = len(value) if isinstance(value, str) else 0
        elif isinstance(value, list):
            shown[f"{name}_count"] = len(value)
        elif name == "symbol":
            text = str(value)
            shown[name] = text if _PLAIN_NAME_PATTERN.fullmatch(text) else f"({len(text)} characters)"
        elif isinstance(value, str) and name.endswith("digest"):
            shown[name] = value[:_DIGEST_CHARACTERS]
        elif isinstance(value, bool | int | str):
            shown[name] = value
        elif isinstance(value, float):
            shown[name] = round(value, 4)
        else:
            shown[name] = ""
    return shown


class Listener(Protocol):
    """Is told how a run goes; a terminal, a log, or nobody."""

    def run_begins(self, coordinate_count: int) -> None:
        """A run over so many coordinates starts."""

    def stage_begins(self, stage: str, coordinate_count: int) -> None:
        """A stage starts on a batch."""

    def advanced(self, stage: str, done: int, total: int) -> None:
        """Within a stage's batch: items of the stage's own kind."""

    def stage_ends(self, tally: StageTally, coordinate_count: int) -> None:
        """A stage's batch is written; ``tally`` holds that batch alone."""

    def model_calls_are_known(self, call_count: int, text_count: int) -> None:
        """Everything is judged: so many texts are to be retold, out of so many documented ones."""


class SilentListener:
    """Tells nobody: the default where Dagster's own log is enough."""

    def run_begins(self, coordinate_count: int) -> None:
        """Nothing."""

    def stage_begins(self, stage: str, coordinate_count: int) -> None:
        """Nothing."""

    def advanced(self, stage: str, done: int, total: int) -> None:
        """Nothing."""

    def stage_ends(self, tally: StageTally, coordinate_count: int) -> None:
        """Nothing."""

    def model_calls_are_known(self, call_count: int, text_count: int) -> None:
        """Nothing."""


@dataclass
class RunReport:
    """All stages of one run: what came of it, and the error that ended it.

    Attributes:
        listener: whom to tell.
        harvested_count: coordinates that harvest was given and brought.
        text_digests: the distinct documented texts that were met.
        counts: every stage's figures by ``stage.name``, summed.
        pending_call_count: texts that were to be retold after everything was judged; None until then.
        states: purl → (state, reason), once published.
        failures: purl → one line of ours.
        notes: purl → one line of ours about what was done all the same.
        error: what concerned every coordinate alike and ended the run.
        is_interrupted: a person stopped it.
        batches: stage → first purl of a batch → the batch's figures; a batch that is tried again is counted once.
    """

    listener: Listener = field(default_factory=SilentListener)
    harvested_count: int = 0
    text_digests: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    pending_call_count: int | None = None
    states: dict[str, tuple[str, str]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    error: DepcodexError | None = None
    is_interrupted: bool = False
    batches: dict[str, dict[str, StageTally]] = field(default_factory=dict)
    started_at: float = field(default_factory=time.monotonic)

    def add(self, tally: StageTally, result: StageResult) -> None:
        """Counts one batch of one stage in."""
        if tally.stage == "harvest":
            self.harvested_count += tally.coordinate_count - len(tally.failures)
        texts = result.tables.get("texts")
        if texts is not None:
            is_documented = texts.column("doc").is_valid()
            self.text_digests.update(texts.column("text_digest").filter(is_documented).to_pylist())
        self.counts.update({f"{tally.stage}.{name}": count for name, count in result.counts.items()})
        self.states.update(tally.states)
        self.failures.update(tally.failures)
        self.notes.update(tally.notes)
        self.listener.stage_ends(tally, tally.coordinate_count)
