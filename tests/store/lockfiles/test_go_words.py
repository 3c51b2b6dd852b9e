"""Go's module paths, versions and directives: examples, order, hostile text."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex.errors import LockfileError
from depcodex.lockfiles.go_directives import MOD_VERBS, read_module_file
from depcodex.lockfiles.go_versions import is_version, version_key


@pytest.mark.parametrize("name", ["go_versions", "go_directives", "go_modules"])
def test_the_examples_in_the_docstrings_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"depcodex.lockfiles.{name}"))
    assert result.attempted
    assert not result.failed


def test_versions_sort_as_semantic_versioning_says() -> None:
    # Clause 11's own example, and Go's two kinds of pseudo-version around a release.
    ordered = [
        "v0.0.0-20210630005230-0f9fa26af87c",
        "v1.0.0-alpha",
        "v1.0.0-alpha.1",
        "v1.0.0-alpha.beta",
        "v1.0.0-beta",
        "v1.0.0-beta.2",
        "v1.0.0-beta.11",
        "v1.0.0-rc.1",
        "v1.0.0",
        "v1.0.1-0.20210630005230-0f9fa26af87c",
        "v1.0.1",
        "v2.0.0+incompatible",
    ]
    assert all(map(is_version, ordered))
    assert sorted(set(ordered), key=version_key) == ordered


@given(st.text(max_size=200) | st.text(alphabet='modulerqi gv1.0/()"`=>,\n\t[]', max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        mod = read_module_file(text, Path("go.mod"), LockfileError, verbs=MOD_VERBS)
    except LockfileError as error:
        assert "\n" not in str(error)
    else:
        assert all(is_version(each.version) for each in mod.requirements)
