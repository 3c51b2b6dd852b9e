"""Lock files and environments: go.work."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.gowork import GoWorkReader
from depcodex.lockfiles.interface import Reading

SUM = "h1:" + "A" * 43 + "="
GOOD = """go 1.23

use (
	./api
	./core
)

replace golang.org/x/net => example.com/fork/net v0.25.1
"""
API = """module a.org/api

go 1.23

require (
	a.org/core v0.0.0
	github.com/google/uuid v1.5.0
	golang.org/x/net v0.25.0
)
"""
CORE = """module a.org/core

go 1.23

require github.com/google/uuid v1.6.0

require golang.org/x/text v0.14.0 // indirect
"""


@pytest.fixture(autouse=True)
def _no_cache_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "no-cache"))
    monkeypatch.setenv("PATH", str(tmp_path / "no-tools"))


def write_members(folder: Path) -> None:
    for name, text in (("api", API), ("core", CORE)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "go.mod").write_text(text)
        (folder / name / f"{name}.go").write_text(f"package {name}\n")


class TestGoWork(LockfileReaderContract):
    format_name = "gowork"
    file_name = "go.work"
    good = GOOD
    good_purls = frozenset({"pkg:golang/github.com/google/uuid@v1.6.0", "pkg:golang/example.com/fork/net@v0.25.1"})
    good_skipped = frozenset({("golang.org/x/text", "v0.14.0"), ("stdlib", "1.23")})
    empty = "// nothing yet\n"
    malformed = GOOD + "\nuse (\n"
    wrong_version = GOOD.replace("go 1.23", "go next")
    wrong_type = "go 1.23\n\nuse ./a ./b\n"

    def read_good(self, folder: Path) -> Reading:
        write_members(folder)
        return super().read_good(folder)

    def test_a_good_file_resolves_to_what_the_tool_would_install(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        assert {each for each in purls(closure) if "checksum" not in each} == self.good_purls
        assert skipped(closure) == self.good_skipped

    def test_each_member_is_a_closure_at_the_versions_of_the_whole(self, tmp_path: Path) -> None:
        closures = {each.member: each for each in self.read_good(tmp_path).closures}
        assert set(closures) == {"api", "core"}
        core = {row.coordinate.name: row for row in closures["core"].dependencies}
        assert {name: row.coordinate.version for name, row in core.items()} == {"uuid": "v1.6.0", "text": "v0.14.0"}
        assert (core["text"].scope, core["text"].distance) == ("all", None)

    def test_a_member_that_another_requires_is_keyed_by_its_tree(self, tmp_path: Path) -> None:
        api = next(each for each in self.read_good(tmp_path).closures if each.member == "api")
        row = next(each for each in api.dependencies if each.coordinate.name == "core")
        assert row.coordinate.checksum
        assert row.location == str(tmp_path / "core")
        uuid = "pkg:golang/github.com/google/uuid@v1.6.0"
        assert (row.coordinate.purl, uuid) in api.edges


def test_sums_of_the_workspace_and_its_members_count(tmp_path: Path) -> None:
    write_members(tmp_path)
    path = tmp_path / "go.work"
    path.write_text(GOOD)
    (tmp_path / "go.work.sum").write_text(f"golang.org/x/text v0.14.0 {SUM}\n")
    (tmp_path / "core/go.sum").write_text(f"github.com/google/uuid v1.6.0 {SUM}\n")
    closures = {each.member: each for each in GoWorkReader().read(path, linux_target()).closures}
    assert {row.digests for row in closures["core"].dependencies} == {(SUM,)}


def test_what_go_work_vendor_made_is_read_in_place(tmp_path: Path) -> None:
    write_members(tmp_path)
    path = tmp_path / "go.work"
    path.write_text(GOOD)
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor/modules.txt").write_text("## workspace\n")
    closures = GoWorkReader().read(path, linux_target()).closures
    assert {each.source_folders for each in closures} == {(str(tmp_path / "vendor"),)}


def test_a_member_that_is_not_there_is_left_out_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "go.work"
    path.write_text("go 1.23\n\nuse ./gone\n")
    reading = GoWorkReader().read(path, linux_target())
    assert reading.closures[0].dependencies == ()
    assert reading.notes == ("go.work: use ./gone: no go.mod there; the member is left out",)


def test_a_workspace_speaks_for_the_go_mod_beside_it(tmp_path: Path) -> None:
    write_members(tmp_path)
    (tmp_path / "go.mod").write_text("module a.org/root\n\ngo 1.23\n\nrequire github.com/google/uuid v1.4.0\n")
    (tmp_path / "go.work").write_text(GOOD.replace("\t./api\n", "\t.\n\t./api\n"))
    reading = read_closures(ClosureRequest(tmp_path), {})
    assert (reading.closures[0].format, reading.closures[0].member) == ("gowork", ".")
    assert purls(reading.closures[0]) == {"pkg:golang/github.com/google/uuid@v1.6.0"}
