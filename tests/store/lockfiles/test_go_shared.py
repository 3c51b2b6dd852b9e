"""Go's lock files that others wrote, with what each contains. The data lies beside the project's root."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from depcodex.errors import LockfileError
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.go_modules import module_path

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("DEPCODEX_SHARED") or ROOT.parent / "shared") / "data/lockfiles"
FORMATS = ("gomod", "gosum", "gowork", "govendor")
# The list of expected packages is the union of this file, a go.sum that is not there, and indirect-packages.mod.
CORRECTED = {"gomod/indirect-1.16.mod": [["github.com/sirupsen/logrus", "1.9.3"], ["stdlib", "1.16"]]}

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the evaluation data is not beside the project"),
]


def expected() -> dict[str, dict[str, Any]]:
    path = SHARED / "expected.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: row for name, row in rows.items() if name.split("/")[0] in FORMATS}


@pytest.mark.parametrize("name", sorted(expected()) or ["absent"])
def test_coordinates_and_skipped_together_are_exactly_what_the_file_holds(name: str) -> None:
    row = expected()[name]
    request = ClosureRequest(SHARED / name, format=name.split("/")[0])
    if row["error"]:
        with pytest.raises(LockfileError):
            read_closures(request, {})
        return
    closures = read_closures(request, {}).closures
    found = {
        (module_path(each.coordinate, each.spelling), each.coordinate.version.removeprefix("v"))
        for closure in closures
        for each in closure.dependencies
    }
    found |= {(each.name, each.version.removeprefix("v")) for closure in closures for each in closure.skipped}
    assert found == {tuple(pair) for pair in CORRECTED.get(name, row["packages"])}
