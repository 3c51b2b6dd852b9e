"""Repositories with several projects and languages: what is a member, what is not, and what each resolves to."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from contracts.installs import install, make_environment
from depcodex.closure import Closure, ResolvedDependency
from depcodex.coordinates import Coordinate
from depcodex.errors import AmbiguousClosureError, LockfileError, NoClosureError, UsageError
from depcodex.lockfiles import ClosureRequest, detection, folders, projects, read_closures
from depcodex.lockfiles.detection import FORMATS, Format
from depcodex.lockfiles.folders import walk_folders
from depcodex.lockfiles.interface import Reading, Target

UV = """version = 1
[[package]]
name = "{name}"
version = "0.1"
source = {{ virtual = "." }}
dependencies = [{{ name = "{asked}" }}]
[[package]]
name = "{asked}"
version = "{version}"
source = {{ registry = "https://index.example.invalid/simple" }}
"""
WORKSPACE = """version = 1
[manifest]
members = ["app", "lib"]
[[package]]
name = "app"
version = "0.1"
source = { editable = "." }
dependencies = [{ name = "client" }]
[[package]]
name = "lib"
version = "0.1"
source = { editable = "packages/lib" }
dependencies = [{ name = "server" }]
[[package]]
name = "client"
version = "2.0"
source = { registry = "https://index.example.invalid/simple" }
[[package]]
name = "server"
version = "3.0"
source = { registry = "https://index.example.invalid/simple" }
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def uv(folder: Path, asked: str, version: str = "2.0", name: str = "app") -> None:
    write(folder / "uv.lock", UV.format(name=name, asked=asked, version=version))


def bill(folder: Path, *purls: str) -> None:
    components = [{"type": "library", "name": purl, "purl": purl} for purl in purls]
    document = {"bomFormat": "CycloneDX", "specVersion": "1.5", "components": components}
    write(folder / "bom.json", json.dumps(document))


def read(path: Path, **options: object) -> Reading:
    return read_closures(ClosureRequest(path, **options), {})  # type: ignore[arg-type]


def members(reading: Reading) -> list[tuple[str, str, list[str]]]:
    def names(closure: Closure) -> list[str]:
        return [row.coordinate.name for row in closure.dependencies]

    return [(each.member, each.format, names(each)) for each in reading.closures]


def test_projects_below_the_root_are_members_by_their_path(tmp_path: Path) -> None:
    uv(tmp_path, "client")
    uv(tmp_path / "services/api", "server")
    write(tmp_path / "tools/requirements.txt", "black==25.1\n")
    bill(tmp_path / "web", "pkg:npm/react@19.0.0")
    reading = read(tmp_path)
    assert members(reading) == [
        (".", "uv", ["client"]),
        ("tools", "requirements", ["black"]),
        ("web", "cyclonedx", ["react"]),
        ("services/api", "uv", ["server"]),
    ]
    assert "tools (requirements), web (cyclonedx), services/api (uv)" in reading.notes[-1]
    assert [path for closure in reading.closures for path, _ in closure.inputs] == [
        "uv.lock",
        "tools/requirements.txt",
        "web/bom.json",
        "services/api/uv.lock",
    ]


def test_a_root_without_a_lock_has_its_projects_below(tmp_path: Path) -> None:
    uv(tmp_path / "api", "server")
    uv(tmp_path / "worker", "client")
    assert [each.member for each in read(tmp_path).closures] == ["api", "worker"]


def test_members_of_one_repository_may_have_different_versions(tmp_path: Path) -> None:
    uv(tmp_path, "client", "2.0")
    uv(tmp_path / "old", "client", "1.0")
    versions = [each.dependencies[0].coordinate.version for each in read(tmp_path).closures]
    assert versions == ["2.0", "1.0"]


def test_a_lock_below_that_a_workspace_above_has_as_a_member_is_not_doubled(tmp_path: Path) -> None:
    write(tmp_path / "uv.lock", WORKSPACE)
    uv(tmp_path / "packages/lib", "stale", name="lib")
    uv(tmp_path / "packages/apart", "client", name="apart")
    assert members(read(tmp_path)) == [
        (".", "uv", ["client"]),
        ("packages/lib", "uv", ["server"]),
        ("packages/apart", "uv", ["client"]),
    ]


def test_a_members_own_workspace_keeps_its_paths_from_the_root(tmp_path: Path) -> None:
    write(tmp_path / "backend/uv.lock", WORKSPACE)
    assert [each.member for each in read(tmp_path).closures] == ["backend", "backend/packages/lib"]


@pytest.mark.parametrize(
    "folder",
    ["node_modules/x", ".hidden", "vendor/x", "target", "docs", "tests/data", "a/b/c/d/e", "venv", "generated"],
)
def test_what_is_no_project_of_the_repository_is_no_member(tmp_path: Path, folder: str) -> None:
    uv(tmp_path, "client")
    uv(tmp_path / folder, "server")
    write(tmp_path / ".gitignore", "# built\n/generated/\n*.pyc\n")
    assert [each.member for each in read(tmp_path).closures] == ["."]


def test_repositories_environments_packages_and_links_below_are_not_followed(tmp_path: Path) -> None:
    uv(tmp_path, "client")
    for name in ("clone", "environment", "package/inner"):
        uv(tmp_path / name, "server")
    (tmp_path / "clone/.git").mkdir()
    write(tmp_path / "environment/pyvenv.cfg", "version = 3.12.0\n")
    write(tmp_path / "package/__init__.py", "")
    (tmp_path / "link").symlink_to(tmp_path / "package/inner", target_is_directory=True)
    assert [each.member for each in read(tmp_path).closures] == ["."]


def test_a_broken_lock_below_is_a_note_and_the_rest_is_read(tmp_path: Path) -> None:
    uv(tmp_path, "client")
    write(tmp_path / "broken/uv.lock", "this is not TOML")
    uv(tmp_path / "torn", "client", "1.0")
    write(tmp_path / "torn/requirements.txt", "client==2.0\n")
    reading = read(tmp_path)
    assert [each.member for each in reading.closures] == ["."]
    assert any("broken/uv.lock" in note for note in reading.notes)
    assert any("disagree" in note for note in reading.notes)


def test_where_no_lock_can_be_read_the_reason_is_told(tmp_path: Path) -> None:
    write(tmp_path / "broken/uv.lock", "this is not TOML")
    with pytest.raises(NoClosureError, match="broken/uv"):
        read(tmp_path)
    write(tmp_path / "uv.lock", "this is not TOML")
    with pytest.raises(LockfileError):
        read(tmp_path)


def test_a_group_that_one_member_knows_is_known(tmp_path: Path) -> None:
    text = UV.format(name="app", asked="client", version="2.0")
    write(tmp_path / "uv.lock", text)
    write(
        tmp_path / "api/uv.lock",
        text.replace(
            'dependencies = [{ name = "client" }]',
            'dependencies = [{ name = "client" }]\n[package.dev-dependencies]\nlint = [{ name = "client" }]',
        ),
    )
    assert len(read(tmp_path, groups=("lint",)).closures) == 2
    with pytest.raises(UsageError, match="--group nonsense"):
        read(tmp_path, groups=("nonsense",))


def test_a_named_format_or_file_means_the_projects_own_folder(tmp_path: Path) -> None:
    uv(tmp_path, "client")
    uv(tmp_path / "api", "server")
    for reading in (read(tmp_path, format="uv"), read(tmp_path / "uv.lock")):
        assert [each.member for each in reading.closures] == ["."]


def test_locks_of_two_ecosystems_stand_beside_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Two formats of another ecosystem, read by a reader at hand: what counts is the table.
    row = {each.name: each for each in FORMATS}["cyclonedx"]
    other = Format("other", r"other\.lock", "npm", row.reader)
    weak = Format("weak", r"other\.sum", "npm", row.reader, gives_way=True)
    monkeypatch.setattr("depcodex.lockfiles.detection.FORMATS", (*FORMATS, other, weak))
    monkeypatch.setattr("depcodex.lockfiles.detection._any_name", lambda: re.compile(".*"))
    bill(tmp_path, "pkg:npm/client@9.0.0")
    (tmp_path / "bom.json").rename(tmp_path / "other.lock")
    bill(tmp_path, "pkg:npm/client@8.0.0")
    (tmp_path / "bom.json").rename(tmp_path / "other.sum")
    uv(tmp_path, "client", "2.0")
    bill(tmp_path, "pkg:npm/left-out@1.0.0")
    # The weak one disagrees and gives way; the bill of materials gives way to any lock.
    closures = read(tmp_path).closures
    assert [(each.member, each.dependencies[0].coordinate.purl) for each in closures] == [
        (".", "pkg:pypi/client@2.0"),
        (".", "pkg:npm/client@9.0.0"),
    ]


def test_what_is_installed_counts_where_its_ecosystem_has_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class InstalledReader:
        """Reads any folder as one installed package."""

        name = "environment"

        def read(self, path: Path, target: Target) -> Reading:
            rows = (ResolvedDependency(Coordinate.of("npm", path.name, "1.0.0")),)
            return Reading((Closure("environment", ".", rows),))

    monkeypatch.setattr(detection, "_load", lambda module, name: InstalledReader())
    row = Format("node_modules", None, "npm", ("", ""), installed=("node_modules", "package.json"))
    monkeypatch.setattr(projects, "FORMATS", (*(each for each in FORMATS if not each.installed), row))
    for folder in (".", "web", "half"):
        write(tmp_path / folder / "package.json", "{}")
    for folder in (".", "web"):
        (tmp_path / folder / "node_modules/left").mkdir(parents=True)
    found = read(tmp_path).closures
    assert [(each.member, each.dependencies[0].coordinate.name) for each in found] == [
        (".", tmp_path.name.lower()),
        ("web", "web"),
    ]


def test_a_lock_may_lie_in_a_folder_of_its_project_and_stand_behind_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = {each.name: each for each in FORMATS}["cyclonedx"].reader
    vendored = Format(
        "vendored", r"(vendor/)?modules\.txt", "npm", reader, places=("vendor",), stands_behind=("main.mod",)
    )
    spread = Format("spread", r"locks/deep/[^/]+\.lockfile", "maven", reader, places=("locks/deep",), is_spread=True)
    monkeypatch.setattr(detection, "FORMATS", (vendored, spread))
    detection._any_name.cache_clear()
    for name in ("vendor/modules.txt", "locks/deep/a.lockfile", "locks/deep/b.lockfile", "modules.txt"):
        write(tmp_path / name, "")
    assert [(each.format.name, each.path.name) for each in detection.find_locks(tmp_path)] == [
        ("vendored", "modules.txt"),
        ("spread", "a.lockfile"),
    ]
    assert detection.may_hold_locks(["locks"])
    write(tmp_path / "main.mod", "")
    assert [each.format.name for each in detection.find_locks(tmp_path)] == ["spread"]
    assert [each.path.name for each in detection.find_locks(tmp_path, "vendored")] == ["modules.txt"]
    assert detection.format_of(tmp_path / "locks/deep/b.lockfile").name == "spread"
    detection._any_name.cache_clear()


def test_two_bills_that_disagree_are_refused(tmp_path: Path) -> None:
    bill(tmp_path, "pkg:npm/client@9.0.0")
    (tmp_path / "bom.json").rename(tmp_path / "a.cdx.json")
    bill(tmp_path, "pkg:npm/client@8.0.0")
    with pytest.raises(AmbiguousClosureError, match="client"):
        read(tmp_path)


def test_an_environment_counts_only_where_python_has_no_lock(tmp_path: Path) -> None:
    bill(tmp_path, "pkg:npm/react@19.0.0")
    environment = make_environment(tmp_path / "elsewhere/env")
    install(environment, "client", "1.9")
    # An activated environment beside another language's lock may be anybody's.
    activated = {"VIRTUAL_ENV": str(tmp_path / "elsewhere/env")}
    assert [each.format for each in read_closures(ClosureRequest(tmp_path), activated).closures] == ["cyclonedx"]
    write(tmp_path / "pyproject.toml", '[project]\nname = "app"\nversion = "1"\ndependencies = ["client"]\n')
    both = read_closures(ClosureRequest(tmp_path), activated).closures
    assert [(each.member, each.format) for each in both] == [(".", "cyclonedx"), (".", "environment")]
    uv(tmp_path, "client")
    assert [each.format for each in read_closures(ClosureRequest(tmp_path), activated).closures] == ["uv"]


def test_a_members_own_environment_is_read_where_it_has_no_lock(tmp_path: Path) -> None:
    uv(tmp_path, "client")
    write(tmp_path / "api/pyproject.toml", '[project]\nname = "api"\nversion = "1"\ndependencies = ["server"]\n')
    install(make_environment(tmp_path / "api/.venv"), "server", "3.1")
    reading = read(tmp_path)
    assert members(reading) == [(".", "uv", ["client"]), ("api", "environment", ["server"])]
    assert reading.closures[1].dependencies[0].distance == 1


def test_the_walk_is_bounded_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MAX_FOLDERS", 20)
    uv(tmp_path, "client")
    for number in range(40):
        (tmp_path / f"part{number:02}/inner").mkdir(parents=True)
    walk = walk_folders(tmp_path)
    assert walk.is_cut
    assert len(walk.folders) == 20
    assert [each.path for each in walk.folders[:3]] == [".", "part00", "part01"]
    assert any("too many folders" in note for note in read(tmp_path).notes)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list everything")
def test_a_folder_that_cannot_be_listed_is_passed_over(tmp_path: Path) -> None:
    uv(tmp_path, "client")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    assert [each.member for each in read(tmp_path).closures] == ["."]
    closed.chmod(0o700)
