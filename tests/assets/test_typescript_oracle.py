"""The TypeScript compiler reads the same packages: at least 97 % of what it documents must be found with the same doc.

``pytest -m online tests/assets/test_typescript_oracle.py -s`` prints the figures and the misses. Packages are kept in
the folder that DEPCODEX_TEST_CACHE names, else in a temporary one; `python bench/oracles.py typescript` runs them all.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

PACKAGES = ("@types/express@5.0.6", "zod@4.6.7", "rxjs@7.8.2", "@types/react@19.3.3")
REQUIRED_SHARE = 0.97
_BENCH = Path(__file__).parents[2] / "bench" / "oracles_typescript.py"


@pytest.fixture(scope="module")
def oracle() -> ModuleType:
    spec = importlib.util.spec_from_file_location("oracles_typescript", _BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.online
def test_what_the_compiler_documents_is_found(oracle: ModuleType, tmp_path: Path) -> None:
    named = os.environ.get("DEPCODEX_TEST_CACHE")
    folder = Path(named, "typescript-oracle") if named else tmp_path
    oracle.install(folder, PACKAGES)
    answer = oracle.compare(folder, PACKAGES, 20)
    print(answer, file=sys.stderr)
    assert answer["documented"] > 300
    assert answer["share"] >= REQUIRED_SHARE, answer["misses"]


def test_the_comparison_is_about_words_before_the_first_tag(oracle: ModuleType) -> None:
    assert oracle.description("Adds.\n```\n@x\n```\nMore.\n@param a b") == "Adds.\n```\n@x\n```\nMore."
    row = {"names": ["a.b", "a.c"], "docs": ["See {@link X | the x}."]}
    assert oracle.judge(row, {"a.c": "See the\nx.\n@returns y"}) == "same"
    assert oracle.judge(row, {"a.c": "See."}) == "another doc"
    assert oracle.judge(row, {"a.c": ""}) == "no doc"
    assert oracle.judge(row, {"a.d": ""}) == "not found"
