"""Lock files and environments: environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.installs import install, make_environment
from contracts.lockfile_reader import linux_target, purls, skipped
from depcodex.errors import LockfileError, UsageError
from depcodex.lockfiles.environment import EnvironmentReader
from depcodex.lockfiles.installed import find_environment, open_environment
from depcodex.lockfiles.interface import Reading


def read(project: Path, **asked: tuple[str, ...]) -> Reading:
    installed = open_environment(project / ".venv")
    assert installed is not None
    return EnvironmentReader().read(installed.root, linux_target(installed=installed, project=project, **asked))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    site = make_environment(tmp_path / ".venv")
    install(
        site,
        "client",
        "2.0.0",
        "Encoding>=1",
        "socks-lib; extra == 'socks'",
        "winlib; sys_platform == 'win32'",
        extras=("socks",),
    )
    install(site, "encoding", "1.0")
    install(site, "socks-lib", "1.7")
    install(site, "tester", "8.0", "plugin-lib")
    install(site, "plugin-lib", "1.0")
    install(site, "pip", "25.0")
    return tmp_path


def test_without_a_manifest_all_that_is_installed_is_importable(project: Path) -> None:
    closure = read(project).closures[0]
    assert len(closure.dependencies) == 6
    assert {(row.scope, row.distance) for row in closure.dependencies} == {("importable", None)}
    assert ("pkg:pypi/client@2.0.0", "pkg:pypi/encoding@1.0") in closure.edges
    assert closure.site_packages == (str(project / ".venv/lib/python3.12/site-packages"),)


def test_a_manifest_names_the_roots_and_its_groups_leave_out(project: Path) -> None:
    (project / "pyproject.toml").write_text(
        '[project]\nname = "app"\ndependencies = ["client[socks]"]\n[dependency-groups]\ndev = ["tester"]\n'
    )
    closure = read(project).closures[0]
    rows = {row.coordinate.name: (row.scope, row.distance) for row in closure.dependencies}
    assert rows == {
        "client": ("declared", 1),
        "encoding": ("importable", 2),
        "socks-lib": ("importable", 2),
        "pip": ("all", None),
    }
    assert skipped(closure) == {("tester", "8.0"), ("plugin-lib", "1.0")}
    assert {row.reason for row in closure.skipped} == {"group dev is not asked for"}
    assert "pkg:pypi/tester@8.0" in purls(read(project, groups=("dev",)).closures[0])


def test_unpinned_requirements_name_the_roots(project: Path) -> None:
    (project / "requirements.txt").write_text("client\n")
    rows = {row.coordinate.name: row.distance for row in read(project).closures[0].dependencies}
    assert (rows["client"], rows["encoding"], rows["tester"]) == (1, 2, None)


def test_what_the_manifest_names_and_nobody_installed_is_said(project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "app"\ndependencies = ["client", "absent"]\n')
    assert "absent" in read(project).notes[0]


def test_the_project_installed_in_its_own_environment_is_no_coordinate_and_names_its_roots(project: Path) -> None:
    site = project / ".venv/lib/python3.12/site-packages"
    url = {"url": project.as_uri(), "dir_info": {"editable": True}}
    install(site, "app", "0.1", "client", "tester; extra == 'test'", extras=("test",), direct_url=url)
    closure = read(project).closures[0]
    rows = {row.coordinate.name: row.distance for row in closure.dependencies}
    assert "app" not in rows
    assert rows["client"] == 1
    assert ("tester", "8.0") in skipped(closure)
    assert "pkg:pypi/tester@8.0" in purls(read(project, extras=("test",)).closures[0])


def test_editable_and_git_installs_are_keyed_by_what_is_on_disk(project: Path, tmp_path: Path) -> None:
    site = project / ".venv/lib/python3.12/site-packages"
    source = tmp_path / "elsewhere"
    source.mkdir()
    (source / "module.py").write_text("x = 1\n")
    install(site, "team-lib", "0.2", direct_url={"url": source.as_uri(), "dir_info": {"editable": True}})
    git = {"url": "https://git.example.invalid/g", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
    install(site, "git-lib", "0.3", direct_url=git)
    rows = {row.coordinate.name: row for row in read(project).closures[0].dependencies}
    assert rows["team-lib"].location == str(source)
    assert rows["team-lib"].coordinate.checksum
    before = rows["git-lib"].coordinate
    assert before.checksum
    (site / "git_lib/__init__.py").write_text("edited = True\n")
    assert {row.coordinate.name: row for row in read(project).closures[0].dependencies}["git-lib"].coordinate != before


def test_a_distribution_without_metadata_is_skipped_and_the_rest_is_read(project: Path) -> None:
    (project / ".venv/lib/python3.12/site-packages/encoding-1.0.dist-info/METADATA").unlink()
    closure = read(project).closures[0]
    assert [(row.name, row.reason) for row in closure.skipped] == [("encoding", "its METADATA cannot be read")]
    assert "pkg:pypi/client@2.0.0" in purls(closure)


def test_a_requirement_that_cannot_be_parsed_is_passed_over(project: Path) -> None:
    install(project / ".venv/lib/python3.12/site-packages", "odd", "1", "not a >> requirement", "encoding")
    closure = read(project).closures[0]
    assert ("pkg:pypi/odd@1", "pkg:pypi/encoding@1.0") in closure.edges


def test_the_version_of_python_comes_from_the_environments_files(tmp_path: Path) -> None:
    make_environment(tmp_path / "a", "3.13.2")
    (tmp_path / "b/lib/python3.10/site-packages").mkdir(parents=True)
    first, second = open_environment(tmp_path / "a"), open_environment(tmp_path / "b")
    assert first is not None
    assert second is not None
    assert (first.python_version, first.implementation) == ("3.13.2", "cpython")
    assert second.python_version == "3.10"


def test_the_order_is_the_option_then_the_projects_own_then_the_active_one(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    make_environment(tmp_path / "active")
    environ = {"VIRTUAL_ENV": str(tmp_path / "active")}
    found = find_environment(project, None, environ)
    assert found is not None
    assert found.root == tmp_path / "active"
    make_environment(project / ".venv")
    found = find_environment(project, None, environ)
    assert found is not None
    assert found.root == project / ".venv"
    assert find_environment(tmp_path, None, {}) is None


def test_an_environment_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--venv"):
        find_environment(tmp_path, tmp_path, {})
    with pytest.raises(LockfileError):
        EnvironmentReader().read(tmp_path, linux_target())


def test_legacy_egg_info_is_read(tmp_path: Path) -> None:
    site = make_environment(tmp_path / ".venv")
    (site / "old_lib-1.2-py3.12.egg-info").write_text("Metadata-Version: 1.0\nName: old-lib\nVersion: 1.2\n")
    assert purls(read(tmp_path).closures[0]) == {"pkg:pypi/old-lib@1.2"}
