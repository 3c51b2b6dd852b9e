"""What griffe finds public in a release, `Codex.lookup` answers by name: 98 % and more, misses listed by cause.

``pytest -m online tests/end_to_end/test_lookup_oracle.py -s`` prints the figures. DEPCODEX_TEST_LARGE=1 adds the large
libraries (minutes). Wheels are kept in the folder that DEPCODEX_TEST_CACHE names, else in a temporary one.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.utils import parse_wheel_filename

from griffe_public import griffe_public, report
from machine import Machine

SMALL = ("requests", "httpx", "click", "fastapi", "starlette", "pydantic")
LARGE = ("sqlalchemy", "numpy", "pandas")
PACKAGES = (*SMALL, *(LARGE if os.environ.get("DEPCODEX_TEST_LARGE") == "1" else ()))
REQUIRED_SHARE = 0.98

pytestmark = [pytest.mark.online, pytest.mark.timeout(1800)]


@dataclass(frozen=True)
class Indexed:
    """One project that resolved all packages, indexed; ``wheels`` by normalised name."""

    machine: Machine
    project: Path
    wheels: dict[str, Path]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    named = os.environ.get("DEPCODEX_TEST_CACHE")
    folder = Path(named) if named else tmp_path_factory.mktemp("wheels")
    folder = folder / f"resolved-{len(PACKAGES)}"
    if not folder.is_dir():
        part = folder.with_name(f".{folder.name}.{os.getpid()}")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", str(part)]
        done = subprocess.run([*command, *PACKAGES], capture_output=True, text=True, timeout=900, check=False)
        if done.returncode:
            pytest.skip("pip could not bring the packages")
        part.rename(folder)
    wheels, pins = {}, []
    for path in sorted(folder.glob("*.whl")):
        name, version, *_ = parse_wheel_filename(path.name)
        wheels[str(name)] = path
        pins.append(f"{name}=={version}")
    machine = Machine(tmp_path_factory.mktemp("oracle"))
    # The client is the user's own pip with the user's own settings.
    machine.variables.update({name: value for name, value in os.environ.items() if name.startswith("PIP_")})
    machine.variables["HOME"] = str(Path.home())
    machine.variables["XDG_CONFIG_HOME"] = os.environ.get("XDG_CONFIG_HOME", str(Path.home() / ".config"))
    project = machine.locked_project("project", *pins)
    figures = machine.index(project)
    print(f"\nindexed: {figures}")
    return Indexed(machine, project, wheels)


@pytest.fixture(autouse=True)
def _quiet_griffe() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("package", PACKAGES)
def test_nearly_every_public_symbol_that_griffe_finds_is_answered_by_its_name(
    package: str, indexed: Indexed, tmp_path: Path
) -> None:
    with zipfile.ZipFile(indexed.wheels[package]) as archive:
        archive.extractall(tmp_path)
    expected = griffe_public(package, tmp_path)
    missed = {}
    with indexed.machine.codex(indexed.project) as codex:
        for path, what in expected.items():
            hits = codex.lookup(path).results
            # Under its own name, or followed there from an alias, a base or a re-export, which then is told first.
            if not any("exact" in hit.found_by and (path == hit.symbol or path in hit.aliases) for hit in hits):
                missed[path] = what
    share, plain_share = report(package, expected, missed)
    assert share >= REQUIRED_SHARE
    assert plain_share >= REQUIRED_SHARE
