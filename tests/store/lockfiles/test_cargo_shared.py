"""Cargo locks that others wrote, with what each contains. The data lies beside the project's root."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from depcodex.errors import LockfileError
from depcodex.lockfiles import ClosureRequest, read_closures

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("DEPCODEX_SHARED") or ROOT.parent / "shared") / "data/lockfiles"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the evaluation data is not beside the project"),
]


def expected() -> dict[str, dict[str, object]]:
    path = SHARED / "expected.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: row for name, row in rows.items() if name.startswith("cargo/")}


@pytest.mark.parametrize("name", sorted(expected()) or ["absent"])
def test_coordinates_and_skipped_together_are_exactly_what_the_file_holds(name: str) -> None:
    row = expected()[name]
    request = ClosureRequest(SHARED / name, format="cargo")
    if row["error"]:
        with pytest.raises(LockfileError):
            read_closures(request, {})
        return
    (closure,) = read_closures(request, {}).closures
    found = {(each.coordinate.name, each.coordinate.version) for each in closure.dependencies}
    found |= {(each.name, each.version) for each in closure.skipped}
    assert found == {tuple(pair) for pair in row["packages"]}  # type: ignore[attr-defined]
