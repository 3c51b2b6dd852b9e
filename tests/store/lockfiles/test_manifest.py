"""Lock files and environments: manifest."""

from __future__ import annotations

from pathlib import Path

import pytest

from depcodex.lockfiles.constraints import allows, alternatives
from depcodex.lockfiles.manifest import ManifestError, python_marker, read_pipfile, read_pyproject


@pytest.mark.parametrize(
    ("constraint", "inside", "outside"),
    [
        ("^1.2.3", "1.9", "2.0"),
        ("^0.2.3", "0.2.9", "0.3"),
        ("^0.0.3", "0.0.3", "0.0.4"),
        ("^0", "0.9", "1.0"),
        ("~1.2", "1.2.9", "1.3"),
        ("~1", "1.9", "2.0"),
        ("1.2.*", "1.2.9", "1.3"),
        (">=1,<2 || >=3", "3.1", "2.5"),
        (">=1, <2|^4", "4.2", "3.0"),
        ("=1.5", "1.5", "1.6"),
        ("1.5", "1.5.0", "1.6"),
        ("(>=2.0)", "2.1", "1.9"),
        (">=1 <2", "1.5", "2.5"),
        ("~=1.4.2", "1.4.9", "1.5"),
    ],
)
def test_poetrys_constraints_allow_what_poetry_allows(constraint: str, inside: str, outside: str) -> None:
    assert allows(constraint, inside)
    assert not allows(constraint, outside)


def test_what_is_no_constraint_allows_everything_because_the_lock_has_decided() -> None:
    assert allows("banana please!", "1.0")
    with pytest.raises(ValueError, match="not a constraint"):
        alternatives("banana please!")


@pytest.mark.parametrize(
    ("constraint", "marker"),
    [
        ("*", ""),
        ("<3.11", "(python_full_version < '3.11')"),
        (">=3.8,<3.12", "(python_full_version >= '3.8' and python_full_version < '3.12')"),
        ("3.11.*", "(python_full_version == '3.11.*')"),
        ("~=3.9", "(python_full_version ~= '3.9')"),
        ("!=3.9.1", "(python_full_version != '3.9.1')"),
    ],
)
def test_a_python_constraint_becomes_a_marker_that_packaging_reads(constraint: str, marker: str) -> None:
    from packaging.markers import Marker

    assert python_marker(constraint) == marker
    if marker:
        assert Marker(marker) is not None


def test_groups_include_one_another_and_circles_end(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[dependency-groups]\ndev = ["a", {include-group = "Lint"}]\nlint = ["b>1", {include-group = "dev"}]\n'
    )
    manifest = read_pyproject(tmp_path)
    assert manifest is not None
    assert [wanted.name for wanted in manifest.groups["dev"]] == ["a", "b"]


def test_groups_of_every_tool_are_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        """
[project]
name = "app"
dependencies = ["main-lib"]
[tool.pdm.dev-dependencies]
test = ["p", "-e file:///${PROJECT_ROOT}/libs/q#egg=q"]
[tool.uv]
dev-dependencies = ["u"]
[tool.poetry.dev-dependencies]
old = "*"
[tool.poetry.group.docs.dependencies]
new = { version = "^1", extras = ["x"] }
"""
    )
    manifest = read_pyproject(tmp_path)
    assert manifest is not None
    found = {name: [wanted.name for wanted in members] for name, members in manifest.groups.items()}
    assert found == {"test": ["p", "q"], "dev": ["u", "old"], "docs": ["new"]}
    assert manifest.groups["docs"][0].extras == ("x",)


def test_an_extra_that_names_the_project_becomes_what_it_names(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        """
[project]
name = "My_App"
[project.optional-dependencies]
all = ["my-app[db,all]", "extra-lib"]
db = ["database"]
"""
    )
    manifest = read_pyproject(tmp_path)
    assert manifest is not None
    rows = [(wanted.name, why) for wanted, why in manifest.labelled(frozenset(), frozenset({"all"}))]
    assert ("database", "") in rows
    assert ("my-app", "") not in rows


@pytest.mark.parametrize(
    "text",
    [
        "not TOML",
        '[project]\ndependencies = ["a b c"]',
        "[project]\ndependencies = [3]",
        "[tool.poetry.dependencies]\na = 3",
        "project = 3",
    ],
)
def test_a_malformed_manifest_is_its_own_error_on_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(ManifestError) as caught:
        read_pyproject(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_pyproject_that_only_configures_tools_is_no_manifest(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 100\n")
    assert read_pyproject(tmp_path) is None
    assert read_pipfile(tmp_path) is None
