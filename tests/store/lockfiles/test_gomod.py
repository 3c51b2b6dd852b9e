"""Lock files and environments: go.mod, with and without its go.sum, the go command and a module cache."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.errors import LockfileError
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.go_tool import build_list
from depcodex.lockfiles.gomod import GoModReader

SUM = "h1:" + "A" * 43 + "="
GOOD = """// The service.
module example.com/service

go 1.23.1

toolchain go1.24.2

require (
	github.com/BurntSushi/toml v1.0.0
	"github.com/google/uuid" v1.6.0 // pinned
)

require golang.org/x/net v0.25.0

require (
	golang.org/x/sys v0.20.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect; kept by tidy
	golang.org/x/text v0.14.0 // indirect
)

exclude golang.org/x/text v0.14.1

replace golang.org/x/net => example.com/fork/net v0.25.1

retract [v1.0.0, v1.0.5] // a mistake

tool example.com/service/cmd/gen
"""


@pytest.fixture(autouse=True)
def _no_cache_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "no-cache"))


class TestGoMod(LockfileReaderContract):
    format_name = "gomod"
    file_name = "go.mod"
    good = GOOD
    good_purls = frozenset(
        {
            "pkg:golang/github.com/BurntSushi/toml@v1.0.0",
            "pkg:golang/github.com/google/uuid@v1.6.0",
            "pkg:golang/example.com/fork/net@v0.25.1",
            "pkg:golang/golang.org/x/sys@v0.20.0",
            "pkg:golang/golang.org/x/text@v0.14.0",
            "pkg:golang/gopkg.in/yaml.v3@v3.0.1",
        }
    )
    good_skipped = frozenset({("golang.org/x/text", "v0.14.1"), ("stdlib", "1.24.2")})
    empty = "// nothing yet\n"
    malformed = GOOD + "\nrequire (\n\ta.org/b v1.0.0\n"
    wrong_version = GOOD.replace("go 1.23.1", "go two")
    wrong_type = "module example.com/a\n\nrequire a.org/b master\n"

    def test_a_good_file_resolves_to_what_the_tool_would_install(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        assert {each.lower() for each in purls(closure)} == {each.lower() for each in self.good_purls}
        assert skipped(closure) == self.good_skipped

    def test_direct_requirements_are_declared_and_the_others_are_all_the_rest(self, tmp_path: Path) -> None:
        rows = {row.coordinate.name: row for row in self.read_good(tmp_path).closures[0].dependencies}
        assert (rows["toml"].scope, rows["toml"].distance) == ("declared", 1)
        assert (rows["net"].scope, rows["net"].distance) == ("declared", 1)
        assert (rows["yaml.v3"].scope, rows["yaml.v3"].distance) == ("all", None)

    def test_a_path_keeps_its_own_case_for_fetching(self, tmp_path: Path) -> None:
        row = next(each for each in self.read_good(tmp_path).closures[0].dependencies if each.coordinate.name == "toml")
        spelt = row.spelling or f"{row.coordinate.namespace}/{row.coordinate.name}"
        assert spelt == "github.com/BurntSushi/toml"

    @pytest.mark.parametrize(
        "text",
        [
            "this is not a go.mod file!\n",
            "module a.org/b\nmodule a.org/c\n",
            'module "a.org/b\n',
            "module a.org/b\n/* a comment */\n",
            "require a.org/b\n",
            "require a.org/b v1.2\n",
            "require ../b v1.0.0 extra\n",
            "replace a.org/b v1.0.0 a.org/c v1.0.0\n",
            "replace a.org/b => a.org/c\n",
            "replace a.org/b => ./c v1.0.0\n",
            "toolchain gone\n",
            "use ./a\n",
        ],
    )
    def test_what_the_go_command_refuses_is_refused(self, tmp_path: Path, text: str) -> None:
        self.refuses(self.write(tmp_path, text))


def write(folder: Path, text: str, name: str = "go.mod") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


def test_a_local_replacement_is_keyed_by_its_tree_and_an_absent_one_is_skipped(tmp_path: Path) -> None:
    write(tmp_path / "app/fork", "module a.org/here\n")
    write(tmp_path / "app/fork", "package here\n", "here.go")
    path = write(
        tmp_path / "app",
        "module a.org/app\n\ngo 1.22\n\nrequire (\n\ta.org/here v1.2.3\n\ta.org/gone v1.0.0\n)\n\n"
        "replace (\n\ta.org/here => ./fork\n\ta.org/gone v1.0.0 => ../gone\n)\n",
    )
    closure = GoModReader().read(path, linux_target()).closures[0]
    (row,) = closure.dependencies
    assert row.coordinate.library == "pkg:golang/a.org/here"
    assert row.coordinate.checksum.startswith("sha256:")
    assert row.location == str(tmp_path / "app/fork")
    assert {(each.name, each.version, each.reason) for each in closure.skipped} == {
        ("../gone", "", "local replacement of a.org/gone, not on this machine"),
        ("stdlib", "1.22", "Go's standard library, which no setting asks for"),
    }


def test_a_changed_tree_is_another_coordinate_and_a_test_in_testdata_changes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "module a.org/app\n\nrequire a.org/b v1.0.0\n\nreplace a.org/b => ./b\n")
    write(tmp_path / "b", "package b\n", "b.go")
    write(tmp_path / "b", "module a.org/b\n")

    def checksum() -> str:
        return GoModReader().read(path, linux_target()).closures[0].dependencies[0].coordinate.checksum

    first = checksum()
    write(tmp_path / "b/testdata", "package x\n", "x.go")
    assert checksum() == first
    write(tmp_path / "b", "package b\n\nfunc New() {}\n", "b.go")
    assert checksum() != first


def test_a_replacement_by_a_folder_that_is_no_module_is_skipped_and_not_walked(tmp_path: Path) -> None:
    path = write(tmp_path, "require a.org/b v1.0.0\nreplace a.org/b => /\n", "copy.mod")
    closure = GoModReader().read(path, linux_target()).closures[0]
    assert [(each.name, each.reason) for each in closure.skipped] == [
        ("/", "local replacement of a.org/b, without Go files or go.mod")
    ]


def test_of_two_requirements_of_a_module_the_higher_version_is_built(tmp_path: Path) -> None:
    path = write(tmp_path, "require (\n\ta.org/b v1.9.0\n\ta.org/b v1.10.0\n)\n", "copy.mod")
    closure = GoModReader().read(path, linux_target()).closures[0]
    assert purls(closure) == {"pkg:golang/a.org/b@v1.10.0"}
    assert [(each.version, each.reason) for each in closure.skipped] == [
        ("v1.9.0", "a higher version of it is required")
    ]


def test_an_excluded_requirement_is_skipped_with_that_reason(tmp_path: Path) -> None:
    path = write(tmp_path, "require a.org/b v1.2.0\nexclude a.org/b v1.2.0\n", "copy.mod")
    closure = GoModReader().read(path, linux_target()).closures[0]
    assert closure.dependencies == ()
    assert [(each.name, each.reason) for each in closure.skipped] == [("a.org/b", "excluded by go.mod")]


def test_go_sum_brings_digests_of_what_is_built_and_of_replacements(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "go 1.21\nrequire (\n\ta.org/b v1.2.0\n\ta.org/c v1.0.0\n)\n"
        "replace a.org/c => a.org/fork v2.0.0+incompatible\n",
    )
    sums = f"a.org/b v1.2.0 {SUM}\na.org/b v1.2.0/go.mod {SUM}\na.org/b v1.1.0 {SUM}\n"
    write(tmp_path, f"{sums}a.org/fork v2.0.0+incompatible {SUM}\na.org/more v1.0.0 {SUM}\n", "go.sum")
    closure = GoModReader().read(path, linux_target()).closures[0]
    assert {row.coordinate.name: row.digests for row in closure.dependencies} == {"b": (SUM,), "fork": (SUM,)}
    assert [name for name, _ in closure.inputs] == ["go.mod", "go.sum"]


def test_before_go_1_17_the_sum_completes_the_list(tmp_path: Path) -> None:
    path = write(tmp_path, "go 1.16\nrequire a.org/b v1.2.0\nreplace a.org/b => a.org/fork v1.3.0\n", "copy.mod")
    sums = "".join(
        f"{each} {SUM}\n"
        for each in ("a.org/fork v1.3.0", "a.org/c v1.9.0", "a.org/c v1.10.0", "a.org/d v1.0.0/go.mod")
    )
    write(tmp_path, sums, "copy.sum")
    reading = GoModReader().read(path, linux_target())
    assert {row.coordinate.purl: row.scope for row in reading.closures[0].dependencies} == {
        "pkg:golang/a.org/fork@v1.3.0": "declared",
        "pkg:golang/a.org/c@v1.10.0": "all",
    }
    assert reading.notes == (
        "copy.mod: before Go 1.17 it names direct modules only; the go command could not say more, "
        "what go.sum pins completes it",
    )


def test_the_module_cache_tells_the_edges_and_indirect_lines_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("GOMODCACHE", str(cache))
    monkeypatch.setenv("PATH", str(tmp_path / "no-tools"))
    write(
        cache / "cache/download/a.org/!b/@v",
        "module a.org/B\nfuture directive\nrequire (\n\ta.org/c v1.0.0\n\ta.org/d v1.0.0 // indirect\n)\n",
        "v1.2.0.mod",
    )
    write(cache / "cache/download/a.org/c/@v", "module a.org/c\nrequire a.org/d v0.9.0\n", "v1.1.0.mod")
    path = write(
        tmp_path / "app",
        "go 1.21\nrequire a.org/B v1.2.0\nrequire (\n\ta.org/c v1.1.0 // indirect\n\ta.org/d v1.0.0 // indirect\n)\n",
    )
    closure = GoModReader().read(path, linux_target()).closures[0]
    rows = {row.coordinate.name.lower(): row for row in closure.dependencies}
    assert [rows[name].distance for name in "bcd"] == [1, 2, 3]
    assert rows["d"].via == (rows["b"].coordinate.purl, rows["c"].coordinate.purl)
    assert [rows[name].scope for name in "bcd"] == ["declared", "all", "all"]


def stub_go(folder: Path, answer: str, status: int = 0) -> None:
    """A `go` that notes how it was called and prints ``answer``: a real program, not a real Go."""
    folder.mkdir()
    (folder / "answer").write_text(answer)
    script = folder / "go"
    script.write_text(
        f'#!/bin/sh\necho "$* GOPROXY=$GOPROXY GOFLAGS=$GOFLAGS GOWORK=$GOWORK" > {folder}/called\n'
        f"/bin/cat {folder}/answer\nexit {status}\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)


LISTED = """
{"Path": "a.org/app", "Main": true}
{"Path": "a.org/b", "Version": "v1.3.0", "GoMod": "/none/b.mod"}
{"Path": "a.org/c", "Version": "v1.0.0", "Indirect": true, "GoMod": "/none/c.mod"}
"""


@pytest.mark.parametrize(("go", "scope_of_c"), [("1.16", "all"), ("1.21", None)])
def test_the_go_command_selects_versions_and_what_gives_no_package_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, go: str, scope_of_c: str | None
) -> None:
    stub_go(tmp_path / "bin", LISTED)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("GOFLAGS", "-mod=mod -buildvcs=false")
    path = write(tmp_path / "app", f"module a.org/app\n\ngo {go}\n\nrequire a.org/b v1.2.0\n")
    closure = GoModReader().read(path, linux_target()).closures[0]
    rows = {row.coordinate.name: row for row in closure.dependencies}
    assert rows["b"].coordinate.version == "v1.3.0"
    assert (rows["c"].scope if "c" in rows else None) == scope_of_c
    if scope_of_c is None:
        reasons = {each.name: each.reason for each in closure.skipped}
        assert reasons["a.org/c"] == "in the module graph, and provides no package of the build"
    called = (tmp_path / "bin/called").read_text()
    assert called.strip() == "list -m -e -json all GOPROXY=off GOFLAGS=-buildvcs=false -mod=readonly GOWORK=off"


@pytest.mark.parametrize(
    ("answer", "status"),
    [("not json", 0), ("[1]", 0), (LISTED, 1), (LISTED.replace(', "GoMod": "/none/c.mod"', ""), 0)],
)
def test_a_go_command_that_cannot_say_leaves_the_files_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, status: int
) -> None:
    stub_go(tmp_path / "bin", answer, status)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    path = write(tmp_path / "app", "module a.org/app\n\ngo 1.21\n\nrequire a.org/b v1.2.0\n")
    assert purls(GoModReader().read(path, linux_target()).closures[0]) == {"pkg:golang/a.org/b@v1.2.0"}


def test_the_files_of_a_project_folder_are_one_lock_and_its_vendor_is_read_in_place(tmp_path: Path) -> None:
    write(tmp_path, "module a.org/app\n\ngo 1.21\n\nrequire a.org/b v1.2.0\n")
    write(tmp_path, f"a.org/b v1.2.0 {SUM}\na.org/b v1.3.0 {SUM}\n", "go.sum")
    write(tmp_path / "vendor", "# a.org/b v1.2.0\n## explicit\na.org/b\n", "modules.txt")
    reading = read_closures(ClosureRequest(tmp_path), {})
    assert [each.format for each in reading.closures] == ["gomod"]
    assert reading.closures[0].source_folders == (str(tmp_path / "vendor"),)
    assert read_closures(ClosureRequest(tmp_path, format="govendor"), {}).closures[0].format == "govendor"
    assert len(read_closures(ClosureRequest(tmp_path, format="gosum"), {}).closures[0].dependencies) == 2


def test_a_malformed_sum_beside_it_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "go 1.21\nrequire a.org/b v1.2.0\n")
    write(tmp_path, "a.org/b v1.2.0\n", "go.sum")
    with pytest.raises(LockfileError, match="line 1"):
        GoModReader().read(path, linux_target())


def test_the_real_go_command_agrees_and_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a proxy that is a folder: three modules, of which one requires a higher version of another."""
    if shutil.which("go") is None:
        pytest.skip("no go command on this machine")
    proxy = tmp_path / "proxy"
    for name, version, mod in (
        ("b", "v1.0.0", "module a.org/b\n\ngo 1.16\n\nrequire a.org/c v1.1.0\n"),
        ("c", "v1.0.0", "module a.org/c\n\ngo 1.16\n"),
        ("c", "v1.1.0", "module a.org/c\n\ngo 1.16\n"),
    ):
        folder = proxy / f"a.org/{name}/@v"
        write(folder, mod, f"{version}.mod")
        write(folder, f'{{"Version": "{version}"}}', f"{version}.info")
        with zipfile.ZipFile(folder / f"{version}.zip", "w") as archive:
            archive.writestr(f"a.org/{name}@{version}/go.mod", mod)
            archive.writestr(f"a.org/{name}@{version}/{name}.go", f"package {name}\n")
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GOFLAGS", "-modcacherw")
    monkeypatch.setenv("GONOSUMDB", "*")
    monkeypatch.setenv("GOPROXY", proxy.as_uri())
    path = write(tmp_path / "app", "module a.org/app\n\ngo 1.16\n\nrequire a.org/b v1.0.0\n")
    write(tmp_path / "app", 'package app\n\nimport _ "a.org/b"\n', "app.go")
    target = linux_target()
    assert build_list(path.parent, target) is None
    # What a developer has done before: the cache and the sums are filled, through the proxy.
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOSUMDB": "off"}
    subprocess.run(["go", "mod", "tidy"], cwd=path.parent, check=True, capture_output=True, env=environment)
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    monkeypatch.delenv("GOPROXY")
    listed = build_list(path.parent, target)
    assert listed is not None
    assert {name: each.version for name, each in listed.items()} == {
        "a.org/app": "",
        "a.org/b": "v1.0.0",
        "a.org/c": "v1.1.0",
    }
    assert listed["a.org/app"].is_main
    closure = GoModReader().read(path, target).closures[0]
    assert {row.coordinate.purl: row.distance for row in closure.dependencies} == {
        "pkg:golang/a.org/b@v1.0.0": 1,
        "pkg:golang/a.org/c@v1.1.0": 2,
    }
    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == before


def test_the_example_project_has_a_digest_for_every_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "no-tools"))
    example = Path(__file__).resolve().parents[3] / "examples/gin-tool"
    closure = read_closures(ClosureRequest(example), {}).closures[0]
    assert len(closure.dependencies) == 33
    assert all(len(row.digests) == 1 for row in closure.dependencies)
    assert {row.coordinate.name for row in closure.dependencies if row.scope == "declared"} == {
        "cobra",
        "gin",
        "uuid",
        "zap",
    }
