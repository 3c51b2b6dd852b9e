"""The library: markers."""

from __future__ import annotations

import pytest

from depcodex.errors import UsageError
from depcodex.markers import target_environment


def test_the_asked_python_decides_the_versions_and_the_platform_stays() -> None:
    here, asked = target_environment(), target_environment("3.14.1")
    assert asked.variables["python_version"] == "3.14"
    assert asked.variables["python_full_version"] == "3.14.1"
    assert asked.variables["sys_platform"] == here.variables["sys_platform"]


def test_a_minor_alone_is_its_first_release_unless_it_is_the_running_one() -> None:
    running = target_environment().variables
    assert target_environment("3.20").variables["python_full_version"] == "3.20.0"
    same = target_environment(running["python_version"]).variables["python_full_version"]
    assert same == running["python_full_version"]


@pytest.mark.parametrize("text", ["three", "3", ">=3.12", "3.12.4.5", "3.12; rm"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        target_environment(text)


def test_another_implementation_answers_its_markers() -> None:
    environment = target_environment("3.10", "PyPy")
    assert environment.holds("platform_python_implementation == 'PyPy' and implementation_name == 'pypy'")


def test_extras_and_groups_are_asked_as_sets_in_a_lock() -> None:
    environment = target_environment("3.12")
    marker = "'db' in extras and 'dev' not in dependency_groups"
    assert environment.holds_in_lock(marker, frozenset({"db"}), frozenset())
    assert not environment.holds_in_lock(marker, frozenset({"db"}), frozenset({"dev"}))
    assert not environment.holds("extra == 'db'")
    assert environment.holds("extra == 'db'", "db")


def test_requires_python_that_cannot_be_parsed_lets_pass() -> None:
    environment = target_environment("3.12")
    assert environment.satisfies_python(">=3.6.*")
    assert environment.satisfies_python("")
    assert not environment.satisfies_python(">=3.13")
