"""Lock files of the npm family that others wrote, with what each contains.

Here: every file of npm, pnpm, yarn and bun. The data lies beside the project's root and is not part of it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from depcodex.errors import LockfileError
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.detection import reader_named
from depcodex.lockfiles.npm_names import full_name

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("DEPCODEX_SHARED") or ROOT.parent / "shared") / "data/lockfiles"
FORMATS = ("npm", "pnpm", "yarn", "bun")

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the evaluation data is not beside the project"),
]


def expected() -> dict[str, dict[str, object]]:
    path = SHARED / "expected.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: row for name, row in rows.items() if name.split("/")[0] in FORMATS}


@pytest.mark.parametrize("name", sorted(expected()) or ["absent"])
def test_coordinates_and_skipped_together_are_exactly_what_the_file_holds(name: str) -> None:
    row = expected()[name]
    format_name = name.split("/")[0]
    request = ClosureRequest(SHARED / name, format=format_name)
    if row["error"]:
        with pytest.raises(LockfileError) as caught:
            read_closures(request, {})
        assert type(caught.value) is reader_named(format_name).error
        return
    reading = read_closures(request, {})
    found = {
        (full_name(each.coordinate), each.coordinate.version)
        for closure in reading.closures
        for each in closure.dependencies
    }
    found |= {(each.name, each.version) for closure in reading.closures for each in closure.skipped}
    assert found == {tuple(pair) for pair in row["packages"]}  # type: ignore[attr-defined]
