"""Every hazard in every ecosystem's archives: refused typed, or the member skipped, in time and in memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from data.hostile_layouts import HAZARDS, LAYOUTS, REFUSED, Layout, Writer

ROOTS = [str(Path(__file__).parents[2] / name) for name in ("store", "assets", "tests")]

# Reads each archive of a folder as its ecosystem does, with at most 1 GiB of address space, and says what became of it.
READER = """
import json, resource, sys, time
from datetime import date
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from data.hostile_layouts import EVIL, LAYOUTS, MAX_READ_BYTES
from depcodex.coordinates import Coordinate
from depcodex.errors import ArchiveError
from depcodex_assets.archives import Limits, read_members
from depcodex_assets.ecosystems.interface import Fetched
from depcodex_assets.ecosystems.known import ECOSYSTEMS
layout = LAYOUTS[int(sys.argv[2])]
limits = Limits(max_read_bytes=MAX_READ_BYTES)
for path in sorted(Path(sys.argv[1]).iterdir()):
    started = time.monotonic()
    row = {"name": path.name, "error": "", "read": [], "skipped": [], "has_evil": False}
    try:
        ecosystem = ECOSYSTEMS.get(layout.type)
        if ecosystem is None:
            files = list(read_members(path, limits, lambda name: name.endswith(layout.suffix)))
        else:
            fetched = Fetched(Coordinate.parse(layout.purl), path, layout.file_name, "sha256:0", True)
            files = ecosystem.read_archive(fetched, limits, date(2026, 12, 1)).files
        row["read"] = [each.path for each in files if not each.skip_reason]
        row["skipped"] = sorted({each.skip_reason for each in files if each.skip_reason})
        row["has_evil"] = any(each.content.startswith(EVIL) for each in files)
    except ArchiveError as error:
        row["error"] = type(error).__name__
    row["seconds"] = time.monotonic() - started
    print(json.dumps(row))
"""


@pytest.fixture(scope="module", params=range(len(LAYOUTS)), ids=lambda number: LAYOUTS[number].name)
def outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Layout, dict[str, dict[str, Any]]]:
    """What became of each hazard in one ecosystem's archives, read by one process with 1 GiB of memory."""
    layout = LAYOUTS[request.param]
    base = tmp_path_factory.mktemp("layout")
    archives, elsewhere = base / "archives", base / "elsewhere"
    archives.mkdir()
    elsewhere.mkdir()
    for write in HAZARDS:
        write(layout, archives / write.__name__)
    before = sorted(base.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-c", READER, str(archives), str(request.param)],
        capture_output=True,
        text=True,
        cwd=elsewhere,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join([*ROOTS, *sys.path]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        },
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(base.rglob("*")) == before, "nothing may be written"
    assert not list(Path("/tmp").glob("evil.*"))
    for path in archives.iterdir():
        path.unlink()
    return layout, {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("hazard", HAZARDS, ids=lambda hazard: hazard.__name__)
def test_a_hazard_is_refused_or_costs_its_member(
    outcomes: tuple[Layout, dict[str, dict[str, Any]]], hazard: Writer
) -> None:
    layout, rows = outcomes
    row = rows[hazard.__name__]
    assert row["seconds"] < 30
    assert not row["has_evil"]
    if hazard in REFUSED:
        assert row["error"] in ("ArchiveLimitError", "ArchiveMemberError", "CorruptArchiveError")
    if HAZARDS[hazard]:
        assert row["error"] == ""
        # Below which import root it ends up is its ecosystem's business.
        assert any(path.endswith(layout.source.rpartition("/")[2]) for path in row["read"]), row
