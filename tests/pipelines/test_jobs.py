"""The Dagster room: jobs."""

from __future__ import annotations

from typing import Any

import dagster as dg
import pytest

from depcodex.coordinates import Coordinate
from depcodex.errors import BudgetExceededError, ModelUnavailableError, StoreFullError
from depcodex.settings import Settings
from depcodex_pipelines import failures
from depcodex_pipelines.bench import TABLE_OF_STAGE
from depcodex_pipelines.jobs import coordinates_asked, index_coordinates, index_run_config, optimize_stores
from depcodex_pipelines.partitions import PARTITIONS_NAME
from depcodex_pipelines.tallies import RunReport
from fakes.stage_bench import RAW_DOC, FakeBench

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def run(
    bench: FakeBench, coordinates: list[Coordinate], instance: dg.DagsterInstance, **options: Any
) -> tuple[dg.ExecuteInProcessResult, RunReport]:
    report = RunReport()
    result = index_coordinates.execute_in_process(
        run_config={**index_run_config([each.purl for each in coordinates], **options), **QUIET},
        instance=instance,
        resources={"bench": bench, "report": report, "io_manager": dg.mem_io_manager},
        raise_on_error=False,
    )
    return result, report


def stored_text(instance: dg.DagsterInstance) -> str:
    """Every event of every run as Dagster stores it."""
    return "\n".join(dg.serialize_value(each) for run in instance.get_runs() for each in instance.all_logs(run.run_id))


def test_every_stage_sees_every_coordinate_once_in_batches(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings)
    result, report = run(bench, coordinates, instance)
    assert result.success
    for stage in TABLE_OF_STAGE:
        assert [len(purls) for name, purls in bench.written if name == stage] == [3, 3, 1]
    assert report.harvested_count == 7
    assert report.counts["summarise.model_calls"] == report.pending_call_count == len(report.text_digests) == 7
    assert bench.optimized == 1


def test_a_batch_is_published_before_the_next_is_retold(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings)
    run(bench, coordinates, instance)
    finishing = [name for name, _ in bench.written if name in ("summarise", "publish")]
    assert finishing == ["summarise", "publish"] * 3


def test_the_asset_pages_show_each_coordinate_that_a_run_indexed(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    run(FakeBench(settings), coordinates, instance)
    assert set(instance.get_dynamic_partitions(PARTITIONS_NAME)) == {each.purl for each in coordinates}
    for table in TABLE_OF_STAGE.values():
        shown = instance.get_materialized_partitions(dg.AssetKey(table))
        assert shown == {each.purl for each in coordinates}


def test_the_latest_event_of_each_asset_tells_the_whole_run(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    run(FakeBench(settings), coordinates, instance)
    for table in TABLE_OF_STAGE.values():
        event = instance.get_latest_materialization_event(dg.AssetKey(table))
        assert event is not None
        assert event.asset_materialization is not None
        assert event.asset_materialization.metadata["run/coordinates"].value == 7


def test_a_batch_that_is_tried_again_is_told_once(
    settings: Settings,
    instance: dg.DagsterInstance,
    coordinates: list[Coordinate],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(failures, "RETRY_SECONDS", 0.01)
    away = ModelUnavailableError("ollama: no answer at the address")
    run(FakeBench(settings, errors={"classify": [away]}), coordinates, instance)
    event = instance.get_latest_materialization_event(dg.AssetKey("declarations"))
    assert event is not None
    assert event.asset_materialization is not None
    assert event.asset_materialization.metadata["run/declarations"].value == 14


def test_one_coordinate_that_fails_stops_no_other_and_fails_the_run_at_its_end(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bad = coordinates[1].purl
    bench = FakeBench(settings, failing={bad: "failed:archive: libb.whl: corrupt"})
    result, report = run(bench, coordinates, instance)
    assert not result.success
    assert report.failures == {bad: "failed:archive: libb.whl: corrupt"}
    assert [purl for purl, state in bench.states().items() if state == "indexed"] == [
        each.purl for each in coordinates if each.purl != bad
    ]
    assert bad not in instance.get_materialized_partitions(dg.AssetKey("entries"))
    failure = result.failure_data_for_node("finish")
    assert failure is not None
    assert failure.user_failure_data is not None
    assert failure.user_failure_data.description == "1 of 7 coordinates failed; the others stay"
    assert "failed" in failure.user_failure_data.metadata


def test_a_dry_run_stops_when_the_number_of_model_calls_is_known(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings)
    result, report = run(bench, coordinates, instance, is_dry_run=True)
    assert result.success
    assert report.pending_call_count == 7
    assert {name for name, _ in bench.computed} == {"harvest", "parse", "dedupe", "classify"}


def test_a_budget_below_the_need_refuses_before_anything_is_retold(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings)
    result, report = run(bench, coordinates, instance, budget_calls=6)
    assert not result.success
    assert isinstance(report.error, BudgetExceededError)
    assert (report.error.needed_count, report.error.budget_count) == (7, 6)
    assert not bench.retold
    assert run(FakeBench(settings), coordinates, instance, budget_calls=7)[0].success


def test_a_passing_trouble_is_tried_again_and_what_was_published_is_not_done_twice(
    settings: Settings,
    instance: dg.DagsterInstance,
    coordinates: list[Coordinate],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(failures, "RETRY_SECONDS", 0.01)
    bench = FakeBench(settings)
    away = ModelUnavailableError("ollama: no answer at the address")
    compute, calls = bench.compute, []

    def compute_with_one_outage(stage: str, batch: Any, on_progress: Any = None) -> Any:
        calls.append(stage)
        if calls.count("summarise") == 2 and stage == "summarise":
            raise away
        return compute(stage, batch, on_progress)

    monkeypatch.setattr(bench, "compute", compute_with_one_outage)
    result, _ = run(bench, coordinates, instance)
    assert result.success
    published = [purl for name, purls in bench.written if name == "publish" for purl in purls]
    assert sorted(published) == [each.purl for each in coordinates]


def test_a_passing_trouble_ends_the_run_at_once_where_a_person_waits(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings, errors={"summarise": [ModelUnavailableError("ollama: no answer")]})
    result, report = run(bench, coordinates, instance, retry_count=0)
    assert not result.success
    assert isinstance(report.error, ModelUnavailableError)


def test_a_full_disk_is_not_tried_again(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    bench = FakeBench(settings, errors={"parse": [StoreFullError("store: the disk is full")]})
    result, report = run(bench, coordinates, instance)
    assert not result.success
    assert isinstance(report.error, StoreFullError)
    assert [name for name, _ in bench.computed] == ["harvest", "parse"]


def test_an_unexpected_error_leaves_its_text_nowhere_in_dagsters_storage(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    error = ValueError(f"cannot read: {RAW_DOC}")
    error.__cause__ = KeyError(RAW_DOC)
    bench = FakeBench(settings, errors={"quarantine": [error]})
    result, report = run(bench, coordinates, instance)
    assert not result.success
    assert "ValueError" in str(report.error)
    text = stored_text(instance)
    assert "unexpected ValueError" in text
    assert "zanthoxyl" not in text


def test_no_raw_text_reaches_dagsters_storage(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    run(FakeBench(settings), coordinates, instance)
    text = stored_text(instance)
    assert "liba.run" in text
    assert "zanthoxyl" not in text


def test_a_run_tells_what_it_was_asked_for(
    settings: Settings, instance: dg.DagsterInstance, coordinates: list[Coordinate]
) -> None:
    run(FakeBench(settings), coordinates, instance, is_dry_run=True)
    assert coordinates_asked(instance.get_runs()[0]) == [each.purl for each in coordinates]


def test_tidying_is_a_job_of_its_own(settings: Settings, instance: dg.DagsterInstance) -> None:
    bench = FakeBench(settings)
    result = optimize_stores.execute_in_process(
        instance=instance, resources={"bench": bench, "report": RunReport()}, run_config=QUIET
    )
    assert result.success
    assert bench.optimized == 1
