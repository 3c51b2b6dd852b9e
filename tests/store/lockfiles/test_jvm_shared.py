"""Lock files of the JVM that others wrote, with what each contains. The data lies beside the project's root."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from contracts.jvm_machine import empty_caches
from depcodex.errors import LockfileError
from depcodex.lockfiles import ClosureRequest, read_closures

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("DEPCODEX_SHARED") or ROOT.parent / "shared")
LOCKS = SHARED / "data/lockfiles"
KTOR = SHARED / "eval/retrieval/ktor-closure"
FORMATS = ("gradle", "gradle-verification")

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not LOCKS.is_dir(), reason="the evaluation data is not beside the project"),
]


@pytest.fixture(autouse=True)
def _no_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_caches(tmp_path, monkeypatch)


def expected() -> dict[str, dict[str, object]]:
    path = LOCKS / "expected.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: row for name, row in rows.items() if name.split("/")[0] in FORMATS}


@pytest.mark.parametrize("name", sorted(expected()) or ["absent"])
def test_coordinates_and_skipped_together_are_exactly_what_the_file_holds(name: str) -> None:
    row = expected()[name]
    request = ClosureRequest(LOCKS / name, format=name.split("/")[0])
    if row["error"]:
        with pytest.raises(LockfileError):
            read_closures(request, {})
        return
    (closure,) = read_closures(request, {}).closures
    found = {
        (f"{each.coordinate.namespace}:{each.coordinate.name}", each.coordinate.version)
        for each in closure.dependencies
    }
    found |= {(each.name, each.version) for each in closure.skipped}
    assert found == {tuple(pair) for pair in row["packages"]}  # type: ignore[attr-defined]


@pytest.mark.skipif(not KTOR.is_dir(), reason="the evaluation data is not beside the project")
def test_a_ktor_services_lock_decides_over_its_pom() -> None:
    (closure,) = read_closures(ClosureRequest(KTOR), {}).closures
    assert (closure.format, len(closure.dependencies), closure.skipped) == ("gradle", 62, ())


@pytest.mark.skipif(not KTOR.is_dir(), reason="the evaluation data is not beside the project")
def test_a_ktor_services_pom_names_what_its_lock_has() -> None:
    reading = read_closures(ClosureRequest(KTOR, format="pom"), {})
    (closure,) = reading.closures
    assert {row.coordinate.purl for row in closure.dependencies} <= {
        row.coordinate.purl for row in read_closures(ClosureRequest(KTOR), {}).closures[0].dependencies
    }
    assert {(str(row.scope), row.distance) for row in closure.dependencies} == {("declared", 1)}
    assert len(closure.dependencies) == 13
    assert "only the dependencies that it names itself are known" in reading.notes[0]
