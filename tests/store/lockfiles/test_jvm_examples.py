"""The JVM's lock files and jars: examples."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = (
    "depcodex.lockfiles.jvm_packages",
    "depcodex.lockfiles.xml_documents",
    "depcodex_assets.ecosystems.class_files",
    "depcodex_assets.ecosystems.maven_archive",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed
