<<<<<<< HEAD
"""Dagster's home when several processes open it at once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from depcodex.settings import Settings


def _open(home: str, is_going: object, failed: object) -> None:
    import warnings

    warnings.simplefilter("ignore")
    from depcodex_pipelines.instance import open_instance

    is_going.wait()  # type: ignore[attr-defined]
    try:
        with open_instance(Settings(home=Path(home))) as instance:
            instance.get_runs_count()
    except Exception as error:  # noqa: BLE001
        failed.put(repr(error))  # type: ignore[attr-defined]


def test_processes_that_open_a_new_home_at_once_all_can(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    is_going, failed = context.Barrier(3), context.Queue()
    workers = [context.Process(target=_open, args=(str(tmp_path), is_going, failed)) for _ in range(3)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(120)
    assert failed.empty(), failed.get()
    assert [each.exitcode for each in workers] == [0, 0, 0]
=======
from __future__ import annotations

import socket

import pytest
import yaml

from depcodex.settings import Settings
from depcodex_pipelines.instance import open_instance, prepare_dagster_home
from depcodex_pipelines.ui import HOST, free_port


@pytest.fixture(autouse=True)
def _restored_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    # Set and removed, so that both are put back after the test whatever it does.
    for name in ("DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def test_dagsters_home_tells_nobody_and_keeps_no_output(settings: Settings) -> None:
    written = yaml.safe_load((prepare_dagster_home(settings) / "dagster.yaml").read_text())
    assert written["telemetry"] == {"enabled": False}
    assert written["compute_logs"]["class"] == "NoOpComputeLogManager"
    assert written["concurrency"]["pools"] == {"default_limit": 1, "granularity": "op"}


def test_the_instance_opens_with_what_was_written(settings: Settings) -> None:
    with open_instance(settings) as instance:
        assert not instance.telemetry_enabled
        assert instance.root_directory == str(settings.dagster)


def test_a_file_of_an_operators_own_stays_and_ours_is_renewed(settings: Settings) -> None:
    path = prepare_dagster_home(settings) / "dagster.yaml"
    ours = path.read_text()
    path.write_text(ours.splitlines()[0] + "\ntelemetry: {enabled: true}\n")
    prepare_dagster_home(settings)
    assert path.read_text() == ours
    path.write_text("telemetry: {enabled: false}\n")
    prepare_dagster_home(settings)
    assert path.read_text() == "telemetry: {enabled: false}\n"


def test_a_taken_port_gives_way_to_a_free_one() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port(port) != port
    assert free_port(port) == port
>>>>>>> pipelines
