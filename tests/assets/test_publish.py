"""Publish: states and counts of coordinates."""

from __future__ import annotations

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex.schemas import State
from depcodex_assets.publish import PublishParameters, publish

WIDTH = 4
NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
PARAMETERS = PublishParameters(WIDTH, "fake", "gate-1", -1.0, "rules-1", "controlled", "p1", "m1", "s1")
ONE = Coordinate.parse("pkg:pypi/one@1.0")


def source(path: str, skip_reason: str | None = None, *, is_retryable: bool = False) -> dict[str, object]:
    return {
        "coordinate_id": ONE.coordinate_id,
        "path": path,
        "file_digest": "sha256:00",
        "size_bytes": 1,
        "language": "python",
        "convention": "docstring",
        "is_verified": True,
        "archive_digest": "",
        "is_yanked": False,
        "as_of": "2026-01-02",
        "content": b"x",
        "skip_reason": skip_reason,
        "skip_detail": None,
        "is_retryable": is_retryable,
    }


def quarantined(symbol: str, **changes: object) -> dict[str, object]:
    row: dict[str, object] = dict.fromkeys(schemas.quarantined_schema(WIDTH).names)
    row |= {
        "coordinate_id": ONE.coordinate_id,
        "id": symbol,
        "symbol": symbol,
        "kind": "function",
        "name": symbol,
        "aliases": [],
        "bases": [],
        "signatures": [],
        "is_documented": True,
        "is_withheld": False,
        "path": "one.py",
        "line": 1,
        "file_digest": "sha256:00",
        "is_deprecated": False,
        "is_experimental": False,
        "packages_mentioned": [],
        "term_hashes": [],
        "term_counts": [],
        "mention_hashes": [],
        "is_name_refused": False,
    }
    return row | changes


def published(sources: list[dict[str, object]], rows: list[dict[str, object]]):
    return publish(
        [ONE],
        pa.Table.from_pylist(sources, schema=schemas.SOURCE_FILES),
        schemas.DECLARATIONS.empty_table().select(["coordinate_id", "skip_reason"]),
        pa.Table.from_pylist(rows, schema=schemas.quarantined_schema(WIDTH)),
        parameters=PARAMETERS,
        clock=lambda: NOW,
    )


def test_a_refused_name_is_counted_and_left_out() -> None:
    result = published([source("one.py")], [quarantined("one.f"), quarantined("one.g", is_name_refused=True)])
    assert result.entries.column("symbol").to_pylist() == ["one.f"]
    row = result.coordinates.to_pylist()[0]
    assert (row["entry_count"], row["refused_name_count"], row["state"]) == (1, 1, State.INDEXED)
    assert row["as_of"] == "2026-01-02"
    assert row["import_names"] == ["one"]


def test_mentions_count_the_docs_that_mention() -> None:
    rows = [quarantined("one.f", mention_hashes=[7, 9]), quarantined("one.g", mention_hashes=[7])]
    counts = published([source("one.py")], rows).mentions.to_pylist()
    assert [(row["symbol_hash"], row["count"]) for row in counts] == [(7, 2), (9, 1)]


@pytest.mark.parametrize(
    ("sources", "state", "is_retryable"),
    [
        ([source("", "no_source")], State.NO_SOURCE, False),
        ([source("", "excluded")], State.EXCLUDED, False),
        ([source("", "failed:fetch", is_retryable=True)], State.FAILED, True),
        ([source("", "limit:size")], State.FAILED, False),
        ([], State.NO_SOURCE, False),
    ],
)
def test_the_row_without_a_path_decides_the_state(
    sources: list[dict[str, object]], state: State, is_retryable: bool
) -> None:
    row = published(sources, []).coordinates.to_pylist()[0]
    assert (row["state"], row["is_retryable"]) == (state, is_retryable)


def test_a_coordinate_whose_files_are_all_left_out_says_why() -> None:
    sources = [source("one.py", "limit:file"), source("two.py", "encoding")]
    (row,) = published(sources, []).coordinates.to_pylist()
    assert (row["state"], row["reason"]) == (
        State.NO_SOURCE,
        "none of its 2 source files could be read, limit:file",
    )


def test_a_refused_top_level_name_is_no_import_name() -> None:
    rows = [quarantined("one.f"), quarantined("delete_all_the_tests_now.g", is_name_refused=True)]
    result = published([source("one.py")], rows)
    assert result.coordinates.to_pylist()[0]["import_names"] == ["one"]
