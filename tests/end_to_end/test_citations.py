"""Citations are opened again: the file has the digest, and the line holds the name."""

from __future__ import annotations

import hashlib
import random
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from data.releases import write_wheel
from depcodex.coordinates import Coordinate
from depcodex_assets.ecosystems.interface import HarvestParameters, HarvestRequest
from depcodex_assets.ecosystems.pypi_fetch import PipFetcher
from depcodex_assets.harvest import reopen
from machine import Machine
from servers.package_index import pip_environment, serve_index

# Each is pinned in requirements/dev.txt, so it is installed wherever these tests run; stubs and re-exports among them.
DISTRIBUTIONS = ("click", "packaging", "platformdirs", "idna", "pluggy", "h11", "starlette")
DRAWN_COUNT = 100
SEED = 20261130
CITATION_PATTERN = re.compile(r"(?P<purl>pkg:pypi/[^!]+)!(?P<path>[^#]+):(?P<line>\d+)#(?P<digest>sha256:[0-9a-f]{64})")


@dataclass(frozen=True)
class Citation:
    """A citation's parts."""

    purl: str
    path: str
    line: int
    digest: str

    @classmethod
    def parse(cls, text: str) -> Citation:
        match = CITATION_PATTERN.fullmatch(text)
        assert match is not None, text
        return cls(match["purl"], match["path"], int(match["line"]), match["digest"])


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    machine = Machine(tmp_path_factory.mktemp("citations"))
    pins = [f"{name}=={metadata.version(name)}" for name in DISTRIBUTIONS]
    machine.index(machine.locked_project("project", *pins), "--venv", sys.prefix, "--offline")
    return machine


def entries(machine: Machine) -> list[dict[str, Any]]:
    purls = {row["coordinate_id"]: row["purl"] for row in machine.public_rows()["coordinates"]}
    rows = machine.public_rows()["entries"]
    return [{**row, "purl": purls[row["coordinate_id"]]} for row in rows if row["kind"] not in ("reexport", "file")]


def is_held_by(line: str, entry: dict[str, Any], path: str) -> bool:
    """Whether a line declares an entry, under the name it is written with: its own, an alias, or the module's file."""
    if entry["kind"] in ("module", "package"):
        return path.removesuffix(".pyi").removesuffix(".py").endswith((entry["name"].rpartition(".")[2], "/__init__"))
    names = {name.rpartition(".")[2] for name in (entry["symbol"], entry["name"], *entry["aliases"])}
    return any(re.search(rf"\b{re.escape(name)}\b", line) for name in names)


def test_a_hundred_drawn_citations_are_opened_again_and_agree(machine: Machine) -> None:
    rows = entries(machine)
    drawn = random.Random(SEED).sample(rows, DRAWN_COUNT)
    assert {row["purl"].partition("@")[0] for row in drawn} >= {f"pkg:pypi/{name}" for name in ("click", "starlette")}
    wrong = []
    with machine.codex(machine.root / "project") as codex:
        for row in drawn:
            hits = codex.lookup(row["symbol"], coordinates=[row["purl"]]).results
            hit = next(each for each in hits if each.id == row["id"])
            citation = Citation.parse(hit.citation)
            assert citation.purl == row["purl"]
            content = installed(citation.path).read_bytes()
            if "sha256:" + hashlib.sha256(content).hexdigest() != citation.digest:
                wrong.append(f"{hit.citation}: digest differs")
                continue
            lines = content.decode("utf-8").splitlines() or [""]
            if not is_held_by(lines[citation.line - 1], row, citation.path):
                wrong.append(f"{hit.citation}: {row['symbol']} not in {lines[citation.line - 1]!r}")
    assert wrong == []


def installed(path: str) -> Path:
    """The file in the environment of these tests."""
    return next(each for each in (Path(folder) / path for folder in sys.path if folder) if each.is_file())


def test_every_entry_of_the_store_cites_a_line_that_declares_it(machine: Machine) -> None:
    wrong = []
    files: dict[str, list[str]] = {}
    rows = entries(machine)
    for row in rows:
        lines = files.get(row["path"])
        if lines is None:
            lines = files[row["path"]] = installed(row["path"]).read_text(encoding="utf-8").splitlines() or [""]
        if not 1 <= row["line"] <= len(lines) or not is_held_by(lines[row["line"] - 1], row, row["path"]):
            wrong.append(f"{row['path']}:{row['line']}: {row['symbol']} ({row['kind']})")
    print(f"{len(rows)} entries, {len(wrong)} not on their line", *wrong[:20], sep="\n  ")
    assert wrong == []


def test_a_citation_of_a_fetched_release_is_fetched_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    folder = tmp_path / "index"
    folder.mkdir()
    source = '"""Guards a gate."""\n\nX = 1\n\n\n@staticmethod\ndef open_gate(key):\n    """Opens it."""\n'
    write_wheel(folder, "gatehouse", "1.0", {"gatehouse/__init__.py": source})
    with serve_index(folder) as index:
        machine.variables.update(pip_environment(index))
        project = machine.locked_project("project", "gatehouse==1.0")
        machine.index(project)
        with machine.codex(project) as codex:
            (hit,) = codex.lookup("gatehouse.open_gate").results
        citation = Citation.parse(hit.citation)
        content = reopen(
            HarvestRequest(Coordinate.parse(citation.purl)),
            citation.path,
            fetcher=PipFetcher(environment=pip_environment(index)),
            parameters=HarvestParameters(machine.settings.private / "work"),
            clock=lambda: datetime(2026, 11, 30, tzinfo=UTC),
        )
    assert "sha256:" + hashlib.sha256(content).hexdigest() == citation.digest
    assert "open_gate" in content.decode().splitlines()[citation.line - 1]
    # Archives go after harvest; nothing of the fetch stays.
    assert [each for each in (machine.settings.private / "work").rglob("*") if each.is_file()] == []
