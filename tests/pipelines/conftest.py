"""What the tests of this room share: settings in a temporary data home, coordinates, and an ephemeral instance."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from depcodex.coordinates import Coordinate
from depcodex.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings over an empty data home; batches of three."""
    home = tmp_path / "home"
    monkeypatch.setenv("DEPCODEX_HOME", str(home))
    return Settings(home=home, batch_coordinates=3)


@pytest.fixture
def environment(settings: Settings) -> dict[str, str]:
    """The environment of a child process: our rooms importable, the test's data home, one thread."""
    rooms = [str(ROOT / room) for room in ("store", "assets", "pipelines", "tests")]
    # No proxy and no index settings: nothing here may reach a network.
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(rooms),
        "DEPCODEX_HOME": str(settings.home),
        "DEPCODEX_IS_OFFLINE": "1",
        # Nothing listens there: an Ollama of this machine must not change what a test sees.
        "DEPCODEX_OLLAMA_HOST": "http://127.0.0.1:9",
        "OMP_NUM_THREADS": "1",
    }


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """A Dagster instance that leaves nothing behind."""
    with dg.DagsterInstance.ephemeral() as each:
        yield each


@pytest.fixture
def coordinates() -> list[Coordinate]:
    """Seven coordinates, sorted by purl: two full batches and a rest."""
    return [Coordinate.parse(f"pkg:pypi/lib{letter}@1.{number}") for number, letter in enumerate("abcdefg")]
