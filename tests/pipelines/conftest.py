"""What the tests of this room share: settings in a temporary data home, coordinates, and an ephemeral instance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from depcodex.coordinates import Coordinate
from depcodex.settings import Settings


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings over an empty data home; batches of three."""
    home = tmp_path / "home"
    monkeypatch.setenv("DEPCODEX_HOME", str(home))
    return Settings(home=home, batch_coordinates=3)


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """A Dagster instance that leaves nothing behind."""
    with dg.DagsterInstance.ephemeral() as each:
        yield each


@pytest.fixture
def coordinates() -> list[Coordinate]:
    """Seven coordinates, sorted by purl: two full batches and a rest."""
    return [Coordinate.parse(f"pkg:pypi/lib{letter}@1.{number}") for number, letter in enumerate("abcdefg")]
