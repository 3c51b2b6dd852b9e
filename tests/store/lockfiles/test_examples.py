"""Lock files and environments: examples."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = (
    "depcodex.markers",
    "depcodex.trees",
    "depcodex.records",
    "depcodex.lockfiles.constraints",
    "depcodex.lockfiles.documents",
    "depcodex.lockfiles.manifest",
    "depcodex.lockfiles.requirement_lines",
    "depcodex.lockfiles.bun",
    "depcodex.lockfiles.jsonc",
    "depcodex.lockfiles.npm_manifest",
    "depcodex.lockfiles.npm_names",
    "depcodex.lockfiles.pnpm_paths",
    "depcodex.lockfiles.yarn_entries",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed
