"""Parsing that is shared among processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pytest

from depcodex.coordinates import Coordinate
from depcodex_assets import parse_shares
from depcodex_assets.parse import parse
from depcodex_assets.parse_shares import parse_shared
from source_rows import source_rows

COORDINATES = [Coordinate.parse(f"pkg:pypi/{name}@1.0") for name in ("delta", "alpha", "charlie", "bravo")]


@pytest.fixture
def files() -> pa.Table:
    return source_rows(
        {
            (
                each,
                f"{each.name}.py",
            ): f'def {each.name}(a):\n    """Doc of {each.name}."""\n\nclass Z:\n    b = 1\n'.encode()
            for each in COORDINATES
        }
    )


@pytest.mark.parametrize("process_count", [1, 2, 3, 9])
def test_what_several_processes_parse_is_what_one_parses(files: pa.Table, process_count: int) -> None:
    shared = parse_shared(COORDINATES, files, process_count=process_count, min_share_bytes=1)
    assert shared.equals(parse(COORDINATES, files))
    assert shared.num_rows > len(COORDINATES)


def test_a_coordinate_without_files_and_an_empty_batch_are_no_trouble(files: pa.Table) -> None:
    asked = [*COORDINATES, Coordinate.parse("pkg:pypi/absent@1.0")]
    assert parse_shared(asked, files, process_count=2, min_share_bytes=1).equals(parse(asked, files))
    assert parse_shared([], files, process_count=2, min_share_bytes=1).num_rows == 0


def test_the_share_of_a_worker_that_dies_is_parsed_here(
    files: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 139\n")
    broken.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(broken))
    shared = parse_shared(COORDINATES, files, process_count=3, min_share_bytes=1)
    assert shared.equals(parse(COORDINATES, files))


def test_little_to_do_starts_no_process(files: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a worker was started")

    monkeypatch.setattr(parse_shares, "_Worker", refuse)
    assert parse_shared(COORDINATES, files, process_count=2).num_rows > 0
