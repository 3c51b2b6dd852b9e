"""The Dagster room: processes."""

from __future__ import annotations

import socket
import subprocess
import sys

import dagster as dg

from depcodex_pipelines.assets import MODEL_POOL
from depcodex_pipelines.jobs import optimize_stores
from depcodex_pipelines.processes import PROCESS_TAG, end_dead_runs, mark_process, process_mark


def started(instance: dg.DagsterInstance, mark: str | None) -> dg.DagsterRun:
    tags = {} if mark is None else {PROCESS_TAG: mark}
    return instance.create_run_for_job(optimize_stores, status=dg.DagsterRunStatus.STARTED, tags=tags)


def ended_process_mark() -> str:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    mark = process_mark(process.pid)
    process.communicate(b"\n")
    return mark


def test_a_run_whose_process_is_gone_fails_and_frees_its_place_in_the_pool(instance: dg.DagsterInstance) -> None:
    storage = instance.event_log_storage
    storage.set_concurrency_slots(MODEL_POOL, 1)
    dead = started(instance, ended_process_mark())
    assert storage.claim_concurrency_slot(MODEL_POOL, dead.run_id, "finish").is_claimed
    assert end_dead_runs(instance) == [dead.run_id]
    assert instance.get_run_by_id(dead.run_id).status is dg.DagsterRunStatus.FAILURE  # type: ignore[union-attr]
    assert storage.claim_concurrency_slot(MODEL_POOL, "another", "finish").is_claimed


def test_runs_that_live_or_cannot_be_judged_are_left_alone(instance: dg.DagsterInstance) -> None:
    started(instance, process_mark())
    started(instance, None)
    started(instance, "another-machine/1/2")
    assert end_dead_runs(instance) == []


def test_a_process_number_that_came_round_again_is_another_process(instance: dg.DagsterInstance) -> None:
    host, pid, _ = process_mark().rsplit("/", 2)
    assert host == socket.gethostname()
    reused = started(instance, f"{host}/{pid}/an-earlier-start")
    assert end_dead_runs(instance) == [reused.run_id]


def test_a_mark_is_written_on_the_run(instance: dg.DagsterInstance) -> None:
    run = started(instance, None)
    mark_process(instance, run)
    assert instance.get_run_by_id(run.run_id).tags[PROCESS_TAG] == process_mark()  # type: ignore[union-attr]
