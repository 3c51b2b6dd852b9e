"""The sensor and the schedules over a real inbox, with a workbench that counts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import dagster as dg
import pytest

from depcodex.closure import Closure, ProjectRecord, ResolvedDependency, Scope
from depcodex.coordinates import Coordinate
from depcodex.records import write_record
from depcodex.settings import Settings
from depcodex_pipelines.jobs import index_run_config
from depcodex_pipelines.partitions import PARTITIONS_NAME, register_coordinates
from depcodex_pipelines.schedules import reindex_stale, tidy_nightly
from depcodex_pipelines.sensors import inbox_sensor
from fakes.stage_bench import FakeBench

Evaluate = Callable[..., dg.SensorResult | dg.SkipReason]


def record(
    settings: Settings, project: str, coordinates: list[Coordinate], moment: str = "2026-11-30T00:00:00"
) -> None:
    rows = tuple(ResolvedDependency(each, Scope.IMPORTABLE, 1) for each in coordinates)
    closure = Closure("uv", ".", rows)
    write_record(settings, ProjectRecord(project, (closure,), Scope.IMPORTABLE, f"{moment}+00:00"))


@pytest.fixture
def evaluate(instance: dg.DagsterInstance) -> Evaluate:
    def evaluating(bench: FakeBench, cursor: str | None = None) -> dg.SensorResult | dg.SkipReason:
        context = dg.build_sensor_context(instance=instance, cursor=cursor, resources={"bench": bench})
        result = inbox_sensor(context)
        assert isinstance(result, dg.SensorResult | dg.SkipReason)
        return result

    return evaluating


def asked(result: dg.SensorResult | dg.SkipReason) -> list[list[str]]:
    assert isinstance(result, dg.SensorResult)
    return [each.run_config["ops"]["prepare"]["config"]["coordinates"] for each in result.run_requests or []]


def registered(result: dg.SensorResult | dg.SkipReason) -> list[str]:
    assert isinstance(result, dg.SensorResult)
    return [key for each in result.dynamic_partitions_requests or [] for key in each.partition_keys]


def test_a_half_known_project_is_asked_for_by_exactly_its_unknown_half(
    settings: Settings, evaluate: Evaluate, coordinates: list[Coordinate]
) -> None:
    record(settings, "/project", coordinates)
    indexed, no_source, excluded, failed, *never = (each.purl for each in coordinates)
    bench = FakeBench(
        settings, states={indexed: "indexed", no_source: "no_source", excluded: "excluded", failed: "failed"}
    )
    result = evaluate(bench)
    assert asked(result) == [[failed, *never]]
    assert len(asked(result)[0]) == 4
    assert registered(result) == [each.purl for each in coordinates]


def test_partitions_that_are_known_are_not_added_again(
    settings: Settings, instance: dg.DagsterInstance, evaluate: Evaluate, coordinates: list[Coordinate]
) -> None:
    register_coordinates(instance, coordinates[:5])
    record(settings, "/project", coordinates)
    assert registered(evaluate(FakeBench(settings))) == [each.purl for each in coordinates[5:]]
    assert set(instance.get_dynamic_partitions(PARTITIONS_NAME)) == {each.purl for each in coordinates[:5]}


def test_an_unchanged_inbox_is_not_read_again(
    settings: Settings, evaluate: Evaluate, coordinates: list[Coordinate]
) -> None:
    record(settings, "/project", coordinates)
    bench = FakeBench(settings)
    first = evaluate(bench)
    assert isinstance(first, dg.SensorResult)
    assert isinstance(evaluate(bench, first.cursor), dg.SkipReason)


def test_recording_the_same_again_asks_for_no_failed_coordinate(
    settings: Settings, evaluate: Evaluate, coordinates: list[Coordinate]
) -> None:
    record(settings, "/project", coordinates)
    bench = FakeBench(settings)
    first = evaluate(bench)
    bench.known = {each.purl: "indexed" for each in coordinates} | {coordinates[0].purl: "failed"}
    record(settings, "/project", coordinates, moment="2026-12-01T00:00:00")
    again = evaluate(bench, first.cursor)  # type: ignore[union-attr]
    assert asked(again) == []
    record(settings, "/project", coordinates[:3], moment="2026-12-01T00:00:01")
    assert asked(evaluate(bench, again.cursor)) == [[coordinates[0].purl]]  # type: ignore[union-attr]


def test_what_a_run_is_already_asked_for_is_left_to_it(
    settings: Settings, instance: dg.DagsterInstance, evaluate: Evaluate, coordinates: list[Coordinate]
) -> None:
    from depcodex_pipelines.jobs import index_coordinates

    record(settings, "/project", coordinates)
    instance.create_run_for_job(
        index_coordinates,
        run_config=index_run_config([each.purl for each in coordinates[:4]]),
        status=dg.DagsterRunStatus.STARTED,
    )
    bench = FakeBench(settings)
    result = evaluate(bench)
    assert asked(result) == [[each.purl for each in coordinates[4:]]]
    # That run may die: everything is looked at again at the next evaluation.
    assert isinstance(evaluate(bench, result.cursor), dg.SensorResult)  # type: ignore[union-attr]


def test_an_empty_inbox_asks_for_nothing(settings: Settings, evaluate: Evaluate) -> None:
    result = evaluate(FakeBench(settings))
    assert asked(result) == registered(result) == []


def night(bench: FakeBench) -> list[dg.RunRequest | dg.SkipReason]:
    moment = dt.datetime(2026, 11, 30, 2, tzinfo=dt.UTC)
    context = dg.build_schedule_context(scheduled_execution_time=moment, resources={"bench": bench})
    return list(reindex_stale(context))


def test_the_night_asks_for_what_is_recorded_and_stale(settings: Settings, coordinates: list[Coordinate]) -> None:
    record(settings, "/project", coordinates)
    (request,) = night(FakeBench(settings, states={each.purl: "indexed" for each in coordinates[2:]}))
    assert isinstance(request, dg.RunRequest)
    assert request.run_config == index_run_config([each.purl for each in coordinates[:2]])


def test_a_night_without_anything_stale_starts_no_run(settings: Settings, coordinates: list[Coordinate]) -> None:
    record(settings, "/project", coordinates)
    (skipped,) = night(FakeBench(settings, states={each.purl: "indexed" for each in coordinates}))
    assert isinstance(skipped, dg.SkipReason)


def test_sensor_and_schedules_are_on_by_default() -> None:
    assert inbox_sensor.default_status is dg.DefaultSensorStatus.RUNNING
    assert {each.default_status for each in (reindex_stale, tidy_nightly)} == {dg.DefaultScheduleStatus.RUNNING}
