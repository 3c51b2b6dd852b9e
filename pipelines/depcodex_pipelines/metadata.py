"""What an operator sees beside a materialization: figures, reasons, a picture, a few rows.

Here: tallies as Dagster metadata. Not here: counting (depcodex_pipelines.tallies), drawing
(depcodex_pipelines.pictures).

Nothing a library wrote in prose comes here: Dagster's storage and its UI are outside the boundary. Rows show symbols,
digests, lengths and verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import dagster as dg

from depcodex.schemas import State
from depcodex_pipelines.pictures import score_histogram
from depcodex_pipelines.tallies import StageTally

Metadata = dict[str, dg.MetadataValue]
# A table in the UI is for reading; all reasons are in the store.
_TABLE_ROWS = 200
# States that no coordinate is in are not worth a line.
_STATES = frozenset(State)


def coordinate_metadata(tally: StageTally, purl: str) -> Metadata:
    """What is said of one coordinate: its rows, its state, and why it failed if it did."""
    said: Metadata = {
        f"rows/{name}": dg.MetadataValue.int(count) for name, count in sorted(tally.rows.get(purl, {}).items())
    }
    state, reason = tally.states.get(purl, ("", ""))
    if purl in tally.failures:
        state, reason = state or "failed", tally.failures[purl]
    if state:
        said["state"] = dg.MetadataValue.text(state)
    if reason:
        said["reason"] = dg.MetadataValue.text(reason)
    return said


def run_metadata(tallies: Sequence[StageTally]) -> Metadata:
    """What is said of a stage's whole run: the batches of one stage, joined.

    Example:
        >>> tally = StageTally("harvest", coordinate_count=2, seconds=0.5)
        >>> run_metadata([tally])["run/coordinates per second"].value
        4.0
    """
    seconds = sum(each.seconds for each in tallies)
    coordinate_count = sum(each.coordinate_count for each in tallies)
    counts: Counter[str] = Counter()
    withheld: Counter[str] = Counter()
    for each in tallies:
        counts.update(each.counts)
        withheld.update(each.withheld)
    said: Metadata = {
        "run/coordinates": dg.MetadataValue.int(coordinate_count),
        "run/seconds": dg.MetadataValue.float(round(seconds, 3)),
        "run/coordinates per second": dg.MetadataValue.float(round(coordinate_count / seconds, 2) if seconds else 0.0),
    }
    for name, count in counts.items():
        if name != "coordinates" and (count or name not in _STATES):
            said[f"run/{name}"] = dg.MetadataValue.int(count)
    states = {purl: state for each in tallies for purl, state in each.states.items()}
    failures = {purl: ("failed", reason) for each in tallies for purl, reason in each.failures.items()}
    if states or failures:
        said["run/states"] = state_table({**failures, **states})
    if withheld:
        unit = "sentences" if tallies[0].stage == "summarise" else "entries"
        said["run/withheld reasons"] = count_table("reason", unit, withheld)
    scores = [score for each in tallies for score in each.scores]
    if scores:
        said["run/gate scores"] = dg.MetadataValue.md(score_histogram(scores))
    samples = [row for each in tallies for row in each.samples][:8]
    if samples:
        said["run/sample rows"] = row_table(samples)
    return said


def state_table(states: Mapping[str, tuple[str, str]]) -> dg.TableMetadataValue:
    """Coordinates with their state and reason; those that are not indexed come first."""
    rows = sorted(states.items(), key=lambda each: (each[1][0] == "indexed", each[0]))
    return row_table([{"coordinate": purl, "state": state, "reason": reason} for purl, (state, reason) in rows])


def count_table(label: str, unit: str, counts: Mapping[str, int]) -> dg.TableMetadataValue:
    """How often each label occurs, the most frequent first."""
    rows = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return row_table([{label: name, unit: count} for name, count in rows])


def row_table(rows: Iterable[Mapping[str, str | int | float | bool]]) -> dg.TableMetadataValue:
    """Rows of one shape as a table; at most 200 of them."""
    kept = [dict(row) for row in rows][:_TABLE_ROWS]
    names = list(kept[0]) if kept else []
    columns = [dg.TableColumn(name, _column_type(kept[0][name])) for name in names]
    return dg.MetadataValue.table([dg.TableRecord(row) for row in kept], schema=dg.TableSchema(columns))


def _column_type(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    return {int: "int", float: "float"}.get(type(value), "string")
