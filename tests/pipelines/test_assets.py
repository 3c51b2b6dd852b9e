"""The assets as a backfill runs them: one run over many partitions, the IO manager writing, the checks after it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import dagster as dg
import pyarrow as pa
import pytest

from depcodex.coordinates import Coordinate
from depcodex.errors import ModelUnavailableError
from depcodex.settings import Settings
from depcodex.tables import PublicTables
from depcodex_pipelines import failures
from depcodex_pipelines.asset_checks import broken_entries, entry_checks
from depcodex_pipelines.assets import CARDS, stage_assets
from depcodex_pipelines.bench import TABLE_OF_STAGE
from depcodex_pipelines.io_managers import StoreIOManager
from depcodex_pipelines.partitions import register_coordinates
from depcodex_pipelines.tallies import RunReport
from fakes.stage_bench import RAW_DOC, FakeBench

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def backfill(
    bench: FakeBench, coordinates: list[Coordinate], instance: dg.DagsterInstance
) -> dg.ExecuteInProcessResult:
    register_coordinates(instance, coordinates)
    definitions = dg.Definitions(
        assets=stage_assets,
        asset_checks=entry_checks,
        resources={"bench": bench, "report": RunReport(), "store": StoreIOManager()},
        executor=dg.in_process_executor,
    )
    return definitions.resolve_implicit_global_asset_job_def().execute_in_process(
        instance=instance,
        run_config=QUIET,
        tags={
            "dagster/asset_partition_range_start": coordinates[0].purl,
            "dagster/asset_partition_range_end": coordinates[-1].purl,
        },
        raise_on_error=False,
    )


def materializations(result: dg.ExecuteInProcessResult, table: str) -> dict[str, dict[str, Any]]:
    return {
        str(event.partition): {
            name: value.value for name, value in event.step_materialization_data.materialization.metadata.items()
        }
        for event in result.get_asset_materialization_events()
        if event.asset_key == dg.AssetKey(table)
    }


def checks(result: dg.ExecuteInProcessResult) -> dict[str, dg.AssetCheckEvaluation]:
    return {each.check_name: each for each in result.get_asset_check_evaluations()}


def test_one_run_materializes_every_partition_of_every_asset_in_batches(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings)
    result = backfill(bench, coordinates, instance)
    assert result.success
    for stage, table in TABLE_OF_STAGE.items():
        assert set(materializations(result, table)) == {each.purl for each in coordinates}
        assert [len(purls) for name, purls in bench.written if name == stage] == [3, 3, 1]
    assert all(each.passed for each in checks(result).values())
    assert len(checks(result)) == 3


def test_each_partition_shows_its_own_rows_and_the_run_is_told_once(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    result = backfill(FakeBench(settings), coordinates, instance)
    shown = materializations(result, "entries")
    assert {(each["rows/entries"], each["state"]) for each in shown.values()} == {(2, "indexed")}
    assert [each["run/coordinates"] for each in shown.values() if "run/coordinates" in each] == [7]
    pictures = [each for each in materializations(result, "verdicts").values() if "run/gate scores" in each]
    assert len(pictures) == 1
    assert pictures[0]["run/gate scores"].startswith("![gate scores](data:image/png;base64,")


def test_a_backfill_of_three_is_written_once_and_the_same_again_changes_nothing(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings)
    stored = []
    for _ in range(2):
        assert backfill(bench, coordinates[:3], instance).success
        tables = PublicTables.of(settings)
        stored.append({name: tables.read(name).sort_by("coordinate_id").to_pylist() for name in tables.names()})
    assert stored[0] == stored[1]
    assert len(stored[0]["entries"]) == 6
    assert [len(purls) for name, purls in bench.written if name == "publish"] == [3, 3]


def test_no_raw_text_reaches_dagsters_storage(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    result = backfill(FakeBench(settings), coordinates, instance)
    stored = "\n".join(dg.serialize_value(each) for each in instance.all_logs(result.run_id))
    assert "liba.run" in stored
    assert not [word for word in RAW_DOC.split() if word in stored and len(word) > 5]


def test_a_coordinate_that_fails_stops_no_other_and_its_check_says_so(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bad = coordinates[2].purl
    result = backfill(FakeBench(settings, failing={bad: "failed:digest: differs"}), coordinates, instance)
    assert result.success
    assert materializations(result, "entries")[bad]["reason"] == "failed:digest: differs"
    settled = checks(result)["coordinates_are_settled"]
    assert not settled.passed
    assert bad in dg.serialize_value(settled)
    assert coordinates[0].purl not in dg.serialize_value(settled)


def test_a_passing_trouble_is_tried_again(
    settings: Settings,
    instance: dg.DagsterInstance,
    coordinates: list[Coordinate],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(failures, "RETRY_SECONDS", 0.01)
    away = ModelUnavailableError("ollama: no answer at the address")
    result = backfill(FakeBench(settings, errors={"summarise": [away, away]}), coordinates, instance)
    assert result.success


def test_an_unexpected_error_fails_the_step_without_its_text(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings, errors={"parse": [ValueError(RAW_DOC)]})
    result = backfill(bench, coordinates, instance)
    assert not result.success
    stored = "\n".join(dg.serialize_value(each) for each in instance.all_logs(result.run_id))
    assert "unexpected ValueError" in stored
    assert "zanthoxyl" not in stored


def test_every_asset_says_what_it_is_and_only_the_model_waits_in_a_pool() -> None:
    for asset in stage_assets:
        (spec,) = asset.specs
        assert spec.description
        assert spec.kinds
        assert asset.backfill_policy == dg.BackfillPolicy.single_run()
    assert Counter(card.pool for card in CARDS) == {None: 6, "llm": 1}


def entries(**changes: list[object]) -> pa.Table:
    columns: dict[str, list[object]] = {
        "id": ["a", "b", "c"],
        "sentence": ["Opens a file.", None, None],
        "is_documented": [True, True, False],
        "is_withheld": [False, True, False],
    }
    schema = pa.schema(
        [("id", pa.string()), ("sentence", pa.string()), ("is_documented", pa.bool_()), ("is_withheld", pa.bool_())]
    )
    return pa.table({**columns, **changes}, schema=schema)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"id": ["a", "b", "a"]}, "an id occurs twice"),
        ({"is_withheld": [True, True, False]}, "withheld, yet with a sentence"),
        ({"is_documented": [False, True, False]}, "undocumented, yet with a sentence"),
        ({"sentence": [" ".join(["word"] * 41), None, None]}, "a sentence of more than 40 words"),
        ({"sentence": ["Opens\na file.", None, None]}, "a sentence of several lines"),
    ],
)
def test_entries_that_break_a_promise_are_counted(changes: dict[str, list[object]], problem: str) -> None:
    assert broken_entries(entries(**changes)) == {problem: 1}


def test_good_entries_and_none_at_all_break_nothing() -> None:
    assert broken_entries(entries()) == broken_entries(entries().slice(0, 0)) == {}
