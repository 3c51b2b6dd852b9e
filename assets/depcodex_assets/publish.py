"""Publish: joins what quarantine let through into the public tables, and settles each coordinate's state.

Here: entries, mention counts and the coordinates' rows. Not here: deciding what may be shown (quarantine), committing
(depcodex.tables under a publication).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex.errors import StoreError
from depcodex.schemas import State
from depcodex.symbols import import_names

Clock = Callable[[], datetime]


@dataclass(frozen=True)
class PublishParameters:
    """What made the rows: written beside them, so that a later run can tell what is stale.

    Attributes:
        width: the embedder's, in numbers a vector.
        embedder: its name.
        gate_version: of the gate that judged.
        gate_threshold: the operator's override, negative where the calibrated one holds.
        rules_version: of output rules, screens and recipes.
        rewriter: the configured one's name.
        prompt_version: its prompt's.
        model_digest: its model's.
        stages_version: of the stages.
    """

    width: int
    embedder: str
    gate_version: str
    gate_threshold: float
    rules_version: str
    rewriter: str
    prompt_version: str
    model_digest: str
    stages_version: str


@dataclass(frozen=True)
class Published:
    """The public tables' new rows: each replaces those of the run's coordinates."""

    entries: pa.Table
    mentions: pa.Table
    coordinates: pa.Table


def publish(
    coordinates: Sequence[Coordinate],
    source_files: pa.Table,
    declarations: pa.Table,
    quarantined: pa.Table,
    *,
    parameters: PublishParameters,
    clock: Clock,
) -> Published:
    """The public rows of a batch.

    Args:
        coordinates: the run's coordinates; each gets exactly one row in ``coordinates``.
        source_files: SOURCE_FILES of them (``content`` is not read).
        declarations: DECLARATIONS of them; only ``coordinate_id`` and ``skip_reason`` are read.
        quarantined: QUARANTINED of them.
        parameters: what made the rows.
        clock: when it was.

    Returns:
        entries, sorted by (coordinate_id, symbol), the refused names left out; mentions, one row a (coordinate_id,
        mentioned symbol) with the number of docs that mention it; coordinates, one row each.

    Raises:
        StoreError: two coordinates share an id.
    """
    by_id: dict[int, Coordinate] = {}
    for coordinate in coordinates:
        if by_id.setdefault(coordinate.coordinate_id, coordinate) != coordinate:
            raise StoreError(f"{coordinate}: its id is that of {by_id[coordinate.coordinate_id]}")
    is_kept = pc.invert(quarantined.column("is_name_refused"))
    kept = quarantined.filter(is_kept).sort_by([("coordinate_id", "ascending"), ("symbol", "ascending")])
    entries = kept.select(schemas.entries_schema(parameters.width).names)
    rows = _coordinate_rows(by_id, source_files, declarations, quarantined, kept, parameters, clock())
    return Published(
        entries=schemas.conform(entries, schemas.entries_schema(parameters.width)),
        mentions=_mentions(kept),
        coordinates=schemas.conform(pa.Table.from_pylist(rows, schema=schemas.COORDINATES), schemas.COORDINATES),
    )


def _mentions(kept: pa.Table) -> pa.Table:
    lists = kept.column("mention_hashes").combine_chunks()
    flat = pa.table(
        {
            "coordinate_id": pc.take(kept.column("coordinate_id"), pc.list_parent_indices(lists)),
            "symbol_hash": pc.list_flatten(lists),
        }
    )
    counted = flat.group_by(["coordinate_id", "symbol_hash"]).aggregate([([], "count_all")])
    counted = counted.rename_columns({"count_all": "count"})
    return schemas.conform(counted, schemas.MENTIONS).sort_by(
        [("coordinate_id", "ascending"), ("symbol_hash", "ascending")]
    )


def _coordinate_rows(
    by_id: Mapping[int, Coordinate],
    source_files: pa.Table,
    declarations: pa.Table,
    quarantined: pa.Table,
    kept: pa.Table,
    parameters: PublishParameters,
    now: datetime,
) -> list[dict[str, object]]:
    files: dict[int, list[dict[str, object]]] = {key: [] for key in by_id}
    names = [name for name in source_files.column_names if name != "content"]
    for row in source_files.select(names).to_pylist():
        files[row["coordinate_id"]].append(row)
    errors = _counts(declarations.filter(pc.is_valid(declarations.column("skip_reason"))))
    counts = {
        "entry_count": _counts(kept),
        "documented_count": _counts(quarantined.filter(quarantined.column("is_documented"))),
        "withheld_count": _counts(quarantined.filter(quarantined.column("is_withheld"))),
        "refused_name_count": _counts(quarantined.filter(quarantined.column("is_name_refused"))),
    }
    symbols: dict[int, list[str]] = {key: [] for key in by_id}
    # Of published symbols only: a top-level module is named by the library, and its name may have been refused.
    for key, symbol in zip(kept.column("coordinate_id").to_pylist(), kept.column("symbol").to_pylist(), strict=True):
        symbols[key].append(symbol)
    rows: list[dict[str, object]] = []
    for key, coordinate in by_id.items():
        state, reason, is_retryable = _state(files[key])
        read = [row for row in files[key] if row["path"]]
        good = [row for row in read if row["skip_reason"] is None]
        rows.append(
            {
                "coordinate_id": key,
                "purl": coordinate.purl,
                "library": coordinate.library,
                "version": coordinate.version,
                "state": state.value,
                "reason": reason,
                "is_retryable": is_retryable,
                "is_verified": bool(good) and all(bool(row["is_verified"]) for row in good),
                "is_yanked": any(bool(row["is_yanked"]) for row in files[key]),
                "as_of": max((str(row["as_of"]) for row in files[key]), default=now.date().isoformat()),
                "archive_digest": next((str(row["archive_digest"]) for row in good if row["archive_digest"]), ""),
                "import_names": import_names(coordinate, symbols[key]),
                "file_count": len(read),
                "file_error_count": errors.get(key, 0),
                **{name: counted.get(key, 0) for name, counted in counts.items()},
                "gate_version": parameters.gate_version,
                "gate_threshold": parameters.gate_threshold,
                "rules_version": parameters.rules_version,
                "rewriter": parameters.rewriter,
                "prompt_version": parameters.prompt_version,
                "model_digest": parameters.model_digest,
                "embedder": parameters.embedder,
                "stages_version": parameters.stages_version,
                "indexed_at": now,
            }
        )
    return rows


def _state(files: Sequence[Mapping[str, object]]) -> tuple[State, str | None, bool]:
    """A coordinate's state by its harvested rows: the row with path "" says why there are none."""
    trouble = next((row for row in files if not row["path"]), None)
    if trouble is None:
        if any(row["skip_reason"] is None for row in files):
            return State.INDEXED, None, False
        if files:
            first = files[0]
            line = ": ".join(str(each) for each in (first["skip_reason"], first["skip_detail"]) if each)
            return State.NO_SOURCE, f"none of its {len(files)} source files could be read, {line}", False
        return State.NO_SOURCE, "no file in a language that is read", False
    reason = str(trouble["skip_reason"])
    detail = trouble["skip_detail"]
    line = f"{reason}: {detail}" if detail else reason
    if reason == "excluded":
        return State.EXCLUDED, line, False
    if reason == "no_source":
        return State.NO_SOURCE, line, False
    return State.FAILED, line, bool(trouble["is_retryable"])


def _counts(table: pa.Table) -> dict[int, int]:
    counted = table.group_by("coordinate_id").aggregate([([], "count_all")])
    return dict(zip(counted.column("coordinate_id").to_pylist(), counted.column("count_all").to_pylist(), strict=True))
