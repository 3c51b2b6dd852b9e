"""What an operator is shown of a stage's run: made of real Arrow tables of each stage, without anything raw."""

from __future__ import annotations

import base64
import re
from typing import Any

import dagster as dg
import pyarrow as pa
import pytest

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex.settings import Settings
from depcodex_assets.workbench import StageResult
from depcodex_pipelines.bench import TABLE_OF_STAGE
from depcodex_pipelines.metadata import coordinate_metadata, row_table, run_metadata, state_table
from depcodex_pipelines.pictures import score_histogram
from depcodex_pipelines.tallies import StageTally
from fakes.stage_bench import RAW_DOC, FakeBench


def tally_of(result: StageResult, coordinates: list[Coordinate], seconds: float = 2.0) -> StageTally:
    tally = StageTally(result.stage)
    tally.add(result, coordinates, seconds)
    return tally


def rows_of(value: dg.MetadataValue) -> list[dict[str, Any]]:
    assert isinstance(value, dg.TableMetadataValue)
    return [dict(record.data) for record in value.records]


def quarantined(bench: FakeBench, coordinates: list[Coordinate], *rules: str | None) -> StageResult:
    """What quarantine makes of the coordinates, with these rules on its first rows."""
    result = bench.compute("quarantine", coordinates)
    rows = result.tables["quarantined"].to_pylist()
    for row, rule in zip(rows, rules, strict=False):
        row |= {"withheld_rule": rule, "is_withheld": rule is not None}
    table = pa.Table.from_pylist(rows, schema=result.tables["quarantined"].schema)
    return StageResult("quarantine", {"quarantined": table}, dict(result.counts))


@pytest.fixture
def bench(settings: Settings) -> FakeBench:
    return FakeBench(settings)


def test_a_run_tells_its_size_its_time_and_its_pace(bench: FakeBench, coordinates: list[Coordinate]) -> None:
    said = run_metadata([tally_of(bench.compute("harvest", coordinates[:3]), coordinates[:3], 1.5)])
    assert {name: said[name].value for name in ("run/coordinates", "run/seconds", "run/coordinates per second")} == {
        "run/coordinates": 3,
        "run/seconds": 1.5,
        "run/coordinates per second": 2.0,
    }
    assert said["run/files"].value == 3


def test_batches_are_joined_into_one_account(bench: FakeBench, coordinates: list[Coordinate]) -> None:
    tallies = [tally_of(bench.compute("publish", part), part) for part in (coordinates[:3], coordinates[3:])]
    said = run_metadata(tallies)
    assert said["run/coordinates"].value == 7
    assert said["run/entries"].value == 14
    assert [row["coordinate"] for row in rows_of(said["run/states"])] == [each.purl for each in coordinates]


def test_what_is_not_indexed_stands_first_with_its_reason(settings: Settings, coordinates: list[Coordinate]) -> None:
    bad = coordinates[4].purl
    bench = FakeBench(settings, failing={bad: "failed:archive: corrupt"})
    rows = rows_of(run_metadata([tally_of(bench.compute("publish", coordinates), coordinates)])["run/states"])
    assert rows[0] == {"coordinate": bad, "state": "failed", "reason": "failed:archive: corrupt"}
    assert {row["state"] for row in rows[1:]} == {"indexed"}


def test_reasons_for_withholding_are_counted_the_most_frequent_first(
    bench: FakeBench, coordinates: list[Coordinate]
) -> None:
    result = quarantined(bench, coordinates, "gate:order", None, "words", "gate:order", None)
    said = run_metadata([tally_of(result, coordinates)])
    assert rows_of(said["run/withheld reasons"]) == [
        {"reason": "gate:order", "entries": 2},
        {"reason": "words", "entries": 1},
    ]


def test_a_run_that_withholds_nothing_has_no_table_of_reasons(bench: FakeBench, coordinates: list[Coordinate]) -> None:
    assert "run/withheld reasons" not in run_metadata([tally_of(quarantined(bench, coordinates), coordinates)])


def test_the_scores_are_a_picture(bench: FakeBench, coordinates: list[Coordinate]) -> None:
    said = run_metadata([tally_of(bench.compute("classify", coordinates), coordinates)])
    match = re.fullmatch(r"!\[gate scores\]\(data:image/png;base64,(\S+)\)", str(said["run/gate scores"].value))
    assert match is not None
    assert base64.b64decode(match[1]).startswith(b"\x89PNG\r\n")


def test_texts_that_were_judged_before_are_in_the_picture_too(bench: FakeBench, coordinates: list[Coordinate]) -> None:
    first = bench.compute("classify", coordinates)
    again = StageResult("classify", {"verdicts": schemas.VERDICTS.empty_table()}, seen=dict(first.tables))
    tally = tally_of(again, coordinates)
    assert len(tally.scores) == 7
    assert "run/gate scores" in run_metadata([tally])


def test_sentences_that_a_rule_refused_are_counted_by_rule(bench: FakeBench, coordinates: list[Coordinate]) -> None:
    result = bench.compute("summarise", coordinates)
    rows = result.seen["summaries"].to_pylist()
    rows[0] |= {"rule": "words", "sentence": None}
    table = pa.Table.from_pylist(rows, schema=schemas.SUMMARIES)
    said = run_metadata([tally_of(StageResult("summarise", {}, seen={"summaries": table}), coordinates)])
    assert rows_of(said["run/withheld reasons"]) == [{"reason": "words", "sentences": 1}]


@pytest.mark.parametrize("scores", [[0.0], [1.0] * 5, [0.0, 0.5, 1.0] * 1000])
def test_any_scores_can_be_drawn(scores: list[float]) -> None:
    assert len(score_histogram(scores)) < 60_000


@pytest.mark.parametrize("stage", TABLE_OF_STAGE)
def test_samples_show_labels_and_lengths_and_nothing_that_was_written_in_prose(
    bench: FakeBench, coordinates: list[Coordinate], stage: str
) -> None:
    said = run_metadata([tally_of(bench.compute(stage, coordinates), coordinates)])
    text = "\n".join(dg.serialize_value(value) for value in said.values() if isinstance(value, dg.TableMetadataValue))
    assert not [word for word in (*RAW_DOC.split(), "Starts the process") if len(word) > 5 and word in text]
    assert 0 < len(rows_of(said["run/sample rows"])) <= 8


def test_a_doc_is_shown_by_its_length(bench: FakeBench, coordinates: list[Coordinate]) -> None:
    said = run_metadata([tally_of(bench.compute("parse", coordinates[:1]), coordinates[:1])])
    assert rows_of(said["run/sample rows"]) == [
        {"kind": "function", "doc_characters": len(RAW_DOC), "signatures_count": 1, "symbol": "liba.run"},
        {"kind": "function", "doc_characters": 0, "signatures_count": 1, "symbol": "liba.stop"},
    ]


def test_a_symbol_that_reads_as_prose_is_shown_by_its_length(bench: FakeBench, coordinates: list[Coordinate]) -> None:
    rows = bench.compute("parse", coordinates[:1]).tables["declarations"].to_pylist()
    rows[0]["symbol"] = f"liba.{RAW_DOC}"
    table = pa.Table.from_pylist(rows, schema=schemas.DECLARATIONS)
    said = run_metadata([tally_of(StageResult("parse", {"declarations": table}), coordinates[:1])])
    assert rows_of(said["run/sample rows"])[0]["symbol"] == f"({len(RAW_DOC) + 5} characters)"


def test_a_coordinate_tells_its_rows_and_why_it_failed(settings: Settings, coordinates: list[Coordinate]) -> None:
    bad = coordinates[0].purl
    bench = FakeBench(settings, failing={bad: "failed:digest: differs"})
    tally = tally_of(bench.compute("harvest", coordinates), coordinates)
    assert {name: value.value for name, value in coordinate_metadata(tally, bad).items()} == {
        "state": "failed",
        "reason": "failed:digest: differs",
    }
    good = coordinate_metadata(tally, coordinates[1].purl)
    assert {name: value.value for name, value in good.items()} == {"rows/source_files": 1}


def test_a_table_is_cut_where_nobody_reads_on() -> None:
    many = {f"pkg:pypi/lib{number}@1": ("indexed", "") for number in range(500)}
    assert len(rows_of(state_table({**many, "pkg:pypi/z@1": ("failed", "why")}))) == 200
    assert rows_of(state_table({**many, "pkg:pypi/z@1": ("failed", "why")}))[0]["reason"] == "why"


def test_no_rows_are_an_empty_table() -> None:
    assert rows_of(row_table([])) == []
