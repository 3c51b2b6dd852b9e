"""The standard library as a coordinate: found where it is, keyed by its sources, under a name that no package has."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from contracts.installs import make_environment
from depcodex.closure import Closure, ResolvedDependency
from depcodex.commands.record import record_project
from depcodex.coordinates import Coordinate
from depcodex.lockfiles import ClosureRequest, go_library, standard_library
from depcodex.lockfiles.python_library import find_python_library, python_paths
from depcodex.lockfiles.standard_library import RESERVED_NAMES, is_standard_library, with_standard_libraries
from depcodex.settings import Settings


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A small standard library of Python 3.12, and an environment that was made from it."""
    folder = tmp_path / "usr/lib/python3.12"
    for name in (
        "os.py",
        "json/__init__.py",
        "json/decoder.py",
        "test/__init__.py",
        "idlelib/__init__.py",
        "data/x.py",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text('"""A module."""\n')
    (folder / "site-packages/other").mkdir(parents=True)
    (folder / "site-packages/other/__init__.py").write_text("")
    make_environment(tmp_path / "project/.venv", "3.12.4")
    home = tmp_path / "usr/bin"
    (tmp_path / "project/.venv/pyvenv.cfg").write_text(f"home = {home}\nversion_info = 3.12.4\n")
    return folder


def closure(tmp_path: Path, version: str = "3.12.4", purl: str = "pkg:pypi/client@2.0") -> Closure:
    site = tmp_path / "project/.venv/lib/python3.12/site-packages"
    rows = (ResolvedDependency(Coordinate.parse(purl)),)
    return Closure("uv", ".", rows, site_packages=(str(site),), environment={"python_full_version": version})


def with_standard_library(given: Closure) -> Closure:
    (found,) = with_standard_libraries([given], Path("no such folder"))
    return found


def test_modules_and_packages_count_and_tests_demos_and_installed_ones_do_not(library: Path) -> None:
    assert python_paths(library) == ("json/__init__.py", "json/decoder.py", "os.py")


def test_the_library_of_the_python_that_the_environment_was_made_from_is_added(tmp_path: Path, library: Path) -> None:
    found = with_standard_library(closure(tmp_path)).dependencies
    (row,) = (each for each in found if is_standard_library(each.coordinate))
    assert row.coordinate.purl.startswith("pkg:pypi/~stdlib@3.12.4?checksum=sha256:")
    assert Coordinate.parse(row.coordinate.purl) == row.coordinate
    assert (row.location, row.distance, row.scope.value) == (str(library), None, "importable")
    assert len(found) == 2


def test_another_patch_of_the_same_version_is_another_coordinate(tmp_path: Path, library: Path) -> None:
    before = with_standard_library(closure(tmp_path))
    (library / "test/__init__.py").write_text("changed = 1\n")
    assert with_standard_library(closure(tmp_path)) == before
    (library / "os.py").write_text("changed = 1\n")
    assert with_standard_library(closure(tmp_path)) != before


def test_another_minor_version_and_other_ecosystems_get_none(tmp_path: Path, library: Path) -> None:
    assert find_python_library("2.7.18", closure(tmp_path).site_packages) is None
    other = closure(tmp_path, purl="pkg:npm/react@19.0.0")
    assert with_standard_library(other) == other


def test_only_the_setting_adds_it_to_a_record(tmp_path: Path, library: Path) -> None:
    project = tmp_path / "project"
    (project / "requirements.txt").write_text("client==2.0\n")
    for is_on in (False, True):
        settings = Settings(home=tmp_path / "home", standard_library=is_on)
        record, _ = record_project(settings, ClosureRequest(project))
        assert any(is_standard_library(each.coordinate) for each in record.union()) == is_on


def test_no_registry_takes_the_reserved_names() -> None:
    assert not re.match(r"[A-Za-z0-9]", RESERVED_NAMES["pypi"][1])
    assert not re.fullmatch(r"[A-Za-z0-9_.-]+", RESERVED_NAMES["maven"][0])
    assert "." not in RESERVED_NAMES["golang"][1]
    assert not is_standard_library(Coordinate.parse("pkg:pypi/stdlib@1.0"))
    assert not is_standard_library(Coordinate.parse("pkg:npm/std@1.0.0"))


def test_the_examples_in_the_docstrings_run() -> None:
    for module in (standard_library, go_library):
        assert not doctest.testmod(module).failed
