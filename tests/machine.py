"""A machine of its own for a test: a data home, projects with installed distributions, and the command line.

Here: what acceptance tests share to act as a user does. Not here: expectations, release files (data.releases), a
package index (servers.package_index).
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from contracts.installs import make_environment
from data import releases
from depcodex import cli, embedding, records
from depcodex.coordinates import Coordinate
from depcodex.query import Codex
from depcodex.settings import Settings
from depcodex.tables import PublicTables
from fakes.embedder import WordEmbedder

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("store", "assets", "pipelines", "tests")
# Nothing listens there: a real Ollama of the machine that runs the tests must not change what they see.
NO_OLLAMA = "http://127.0.0.1:9"
# A process as a user starts it, but for the model-free embedder; ``{before}`` and ``{after}`` are a test's own.
PROGRAM = """
import sys
from fakes.embedder import WordEmbedder
import depcodex.embedding
depcodex.embedding.load_embedder = lambda settings: WordEmbedder()
{before}
from depcodex.cli import main
status = main()
{after}
sys.exit(status)
"""
# When rows were made is no part of what they say.
_TIMES = ("indexed_at", "as_of")


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> dict[str, Any]:
        """The last line of standard output as one object."""
        value: dict[str, Any] = json.loads(self.stdout.strip().splitlines()[-1])
        return value


@dataclass
class Machine:
    """A data home below ``root``; ``embedder`` counts what this process embeds."""

    root: Path
    variables: dict[str, str] = field(default_factory=dict)
    embedder: WordEmbedder = field(default_factory=WordEmbedder)

    def __post_init__(self) -> None:
        self.home = self.root / "home"
        self.settings = Settings(home=self.home, embedder="words", ollama_host=NO_OLLAMA)
        self._installed = self.root / "installed"
        _lay_entry_points(self._installed)

    def project(self, name: str, *distributions: tuple[str, str, Mapping[str, str]]) -> Path:
        """A project with an environment in which these distributions (name, version, files) are installed."""
        folder = self.root / name
        site = make_environment(folder / ".venv")
        for distribution, version, files in distributions:
            releases.install(site, distribution, version, files)
        return folder

    def locked_project(self, name: str, *pins: str, hashes: Mapping[str, str] | None = None) -> Path:
        """A project without an environment: pinned requirements only."""
        folder = self.root / name
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"{pin} --hash={hashes[pin]}" if hashes and pin in hashes else pin for pin in pins]
        (folder / "requirements.txt").write_text("\n".join([*lines, ""]))
        return folder

    @staticmethod
    def site(project: Path) -> Path:
        """The site-packages of a project made by ``project``."""
        return next(project.glob(".venv/lib/python*/site-packages"))

    def environment(self, **variables: str) -> dict[str, str]:
        """The variables of a process of this machine."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DEPCODEX_", "DAGSTER_", "PIP_")) and name not in ("VIRTUAL_ENV", "PYTHONPATH")
        }
        return {
            **kept,
            "PYTHONPATH": os.pathsep.join([str(self._installed), *(str(ROOT / room) for room in ROOMS)]),
            "DEPCODEX_HOME": str(self.home),
            "DEPCODEX_EMBEDDER": "words",
            "DEPCODEX_OLLAMA_HOST": NO_OLLAMA,
            "OMP_NUM_THREADS": "1",
            "HOME": str(self.root),
            "XDG_CONFIG_HOME": str(self.root),
            "XDG_CACHE_HOME": str(self.root),
            **self.variables,
            **variables,
        }

    def start(self, *arguments: str, before: str = "", after: str = "", **variables: str) -> subprocess.Popen[str]:
        """A command in a process of its own, running."""
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(before=before, after=after), *arguments],
            cwd=self.root,
            env=self.environment(**variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def process(self, *arguments: str, before: str = "", after: str = "", **variables: str) -> Finished:
        """A command in a process of its own, to its end."""
        with self.start(*arguments, before=before, after=after, **variables) as running:
            out, err = running.communicate(timeout=200)
        return Finished(running.returncode, out, err)

    def run(self, *arguments: str, **variables: str) -> Finished:
        """A command in this process: Dagster's import is paid once for all tests."""
        out, err = io.StringIO(), io.StringIO()
        with self._acting(**variables), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = cli.main(list(arguments))
        return Finished(status, out.getvalue(), err.getvalue())

    def index(self, project: Path, *options: str, **variables: str) -> dict[str, Any]:
        """Indexes a project, which has to succeed; the figures."""
        done = self.run("index", str(project), "--json", *options, **variables)
        assert done.status == 0, done.stderr
        return done.json

    @contextlib.contextmanager
    def _acting(self, **variables: str) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            for name in [each for each in os.environ if each.startswith(("DEPCODEX_", "DAGSTER_", "PIP_"))]:
                patch.delenv(name)
            patch.delenv("VIRTUAL_ENV", raising=False)
            # Opening a Dagster instance sets these in the process; they go again with the rest.
            patch.setenv("DAGSTER_HOME", "")
            patch.setenv("DAGSTER_DISABLE_TELEMETRY", "yes")
            for name, value in self.environment(**variables).items():
                if name != "PYTHONPATH":
                    patch.setenv(name, value)
            patch.syspath_prepend(str(self._installed))
            patch.setattr(embedding, "load_embedder", lambda _: self.embedder)
            yield

    def codex(self, project: Path) -> Codex:
        """Questions to a project."""
        return Codex.open(project, self.settings, embedder=self.embedder)

    def coordinates(self, project: Path) -> list[Coordinate]:
        """What a project's record holds."""
        return [row.coordinate for row in records.read_record(self.settings, project).union()]

    def public_rows(self) -> dict[str, list[dict[str, Any]]]:
        """Every row of the public store by table, in key order, without the times at which it was made."""
        tables = PublicTables.of(self.settings)
        return {name: _ordered(tables.read(name), tables.contracts[name].key) for name in tables.names()}

    def states(self) -> dict[str, str]:
        """Purl to state, as the public store has it."""
        return {row["purl"]: row["state"] for row in self.public_rows()["coordinates"]}


def _ordered(table: pa.Table, key: Sequence[str]) -> list[dict[str, Any]]:
    rows = table.sort_by([(name, "ascending") for name in key]).to_pylist()
    return [{name: value for name, value in row.items() if name not in _TIMES} for row in rows]


def _lay_entry_points(folder: Path) -> None:
    """The commands of the upper rooms as an installer would make them known, whether or not depcodex is installed."""
    info = folder / "depcodex_rooms-0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {target}" for name, target in entries.items()))
    ]
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: depcodex-rooms\nVersion: 0\n")
    (info / "entry_points.txt").write_text("\n".join([*lines, ""]))
