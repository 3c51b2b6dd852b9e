"""Dagster's home: settings, ports, what is written once."""

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
