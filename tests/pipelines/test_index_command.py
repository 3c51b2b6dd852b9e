"""`depcodex index` as a person runs it: a child process over a small installed project, real stages, no network."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from contracts.installs import make_environment
from depcodex.settings import Settings
from depcodex.tables import PublicTables
from fakes.releases import CANARY, release
from servers.ollama_replay import replaying

# The entry point of an installed distribution does the same; here nothing has to be installed.
RUNNER = """
import argparse, sys
{before}
from depcodex_pipelines.commands import index_command
parser = argparse.ArgumentParser()
index_command(parser.add_subparsers())
arguments = parser.parse_args(["index", *sys.argv[1:]])
status = arguments.run(arguments)
heavy = ("dagster", "lancedb", "polars", "matplotlib", "onnxruntime", "sklearn", "rich")
print("loaded", sorted(name for name in heavy if name in sys.modules), file=sys.stderr)
sys.exit(status)
"""
# Takes its time over retelling, so that a signal meets it there.
SLOW = """
import signal, time
# A script's background job ignores SIGINT, and hands that down to the tests and to this process.
signal.signal(signal.SIGINT, signal.default_int_handler)
from depcodex_assets.workbench import Workbench
compute = Workbench.compute
def slow(self, stage, coordinates, on_progress=None):
    if stage == "summarise":
        print("retelling", file=sys.stderr, flush=True)
        time.sleep(120)
    return compute(self, stage, coordinates, on_progress)
Workbench.compute = slow
"""
KEYS = ["coordinates", "harvested", "texts", "model_calls", "embedded", "reused", "withheld", "failed", "seconds"]

Index = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    each = make_environment(tmp_path / "project" / ".venv")
    release(each, "alpha", "size", "weight")
    release(each, "beta", "length")
    return each


@pytest.fixture
def project(tmp_path: Path, site: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "requirements.txt").write_text("alpha==1.0\nbeta==1.0\n")
    return folder


@pytest.fixture
def command(project: Path) -> Callable[..., list[str]]:
    def making(*options: str, before: str = "") -> list[str]:
        return [sys.executable, "-c", RUNNER.format(before=before), str(project), "--json", *options]

    return making


@pytest.fixture
def index(command: Callable[..., list[str]], environment: dict[str, str]) -> Index:
    def running(*options: str, env: Sequence[tuple[str, str]] = ()) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*options),
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
            env=environment | dict(env),
        )

    return running


def figures(done: subprocess.CompletedProcess[str], status: int = 0) -> dict[str, float]:
    assert done.returncode == status, done.stderr
    (line,) = done.stdout.splitlines()
    values: dict[str, float] = json.loads(line)
    assert list(values) == KEYS
    return values


def summary(done: subprocess.CompletedProcess[str]) -> str:
    """The last line of ours on standard error, without the seconds."""
    *_, last = [line for line in done.stderr.splitlines() if line.startswith("depcodex index: ")]
    return last.removeprefix("depcodex index: ").rpartition(" (")[0]


def states(settings: Settings) -> dict[str, str]:
    rows = PublicTables.of(settings).read("coordinates", columns=["purl", "state"]).to_pylist()
    return {row["purl"]: row["state"] for row in rows}


def test_the_first_index_does_all_the_work_and_the_second_none(index: Index, settings: Settings, project: Path) -> None:
    first = index()
    values = figures(first)
    # Two module docstrings and three functions; the undocumented ones cost no call.
    assert (values["coordinates"], values["harvested"], values["reused"], values["failed"]) == (2, 2, 0, 0)
    assert values["texts"] == 5
    assert 0 < values["model_calls"] <= 5
    assert values["embedded"] > 0
    assert f"{values['model_calls']:.0f} model calls, for 5 distinct documented texts" in first.stderr
    assert summary(first) == (
        f"2 coordinates; 7 entries, {values['withheld']:.0f} withheld, {values['model_calls']:.0f} model calls"
    )
    assert set(states(settings).values()) == {"indexed"}
    assert (project / ".depcodex" / "closure.json").is_file()
    # Dagster itself says nothing: every line is ours, and neither it nor the terminal has any documentation.
    assert [line for line in first.stderr.splitlines() if not line.startswith(("depcodex index: ", "loaded "))] == []
    word = CANARY.split()[0]
    assert word not in first.stdout + first.stderr
    stored = [path for path in settings.dagster.rglob("*") if path.is_file()]
    assert stored
    assert [path for path in stored if word.encode() in path.read_bytes()] == []
    second = index()
    again = figures(second)
    assert {name: again[name] for name in KEYS[:-1]} == dict.fromkeys(KEYS[:-1], 0) | {"coordinates": 2, "reused": 2}
    assert "loaded []" in second.stderr
    assert summary(second) == "2 coordinates, all up to date"
    with replaying() as ollama:
        noticed = index(env=[("DEPCODEX_OLLAMA_HOST", ollama.url)])
        assert figures(noticed)["reused"] == 2
        notes = [line for line in noticed.stderr.splitlines() if "Ollama" in line]
        assert notes == [
            f"depcodex index: Ollama answers at {ollama.url} and is not used; "
            "DEPCODEX_REWRITER=ollama:<model> has it retell the documentation"
        ]
        # Looking whether it is there is all: nothing is sent to it.
        assert ollama.chats() == []


def test_a_dry_run_tells_the_calls_and_a_budget_below_them_refuses(index: Index) -> None:
    calls = figures(index("--dry-run"))["model_calls"]
    assert calls > 1
    refused = index("--budget", str(int(calls) - 1))
    assert refused.returncode == 2
    assert json.loads(refused.stdout)["error"]["type"] == "BudgetExceededError"
    assert f"{calls:.0f} needed" in refused.stderr
    assert figures(index("--budget", str(int(calls))))["model_calls"] == calls


def test_a_coordinate_that_cannot_be_had_fails_alone(index: Index, settings: Settings, project: Path) -> None:
    (project / "requirements.txt").write_text("alpha==1.0\nbeta==1.0\nmissing==3.0\n")
    done = index("--offline")
    assert figures(done, status=3)["failed"] == 1
    assert done.stderr.count("pkg:pypi/missing@3.0") == 1
    assert "failed: pkg:pypi/missing@3.0: " in done.stderr
    assert summary(done).startswith("3 coordinates, 1 failed; 7 entries, ")
    assert states(settings) == {
        "pkg:pypi/alpha@1.0": "indexed",
        "pkg:pypi/beta@1.0": "indexed",
        "pkg:pypi/missing@3.0": "failed",
    }


def test_bad_input_is_one_line_and_a_status_of_two(index: Index, project: Path) -> None:
    (project / "uv.lock").write_text("version = [")
    for done in (index(), index("--budget", "-1")):
        assert done.returncode == 2
        assert json.loads(done.stdout)["error"]["message"]
        assert len(done.stderr.splitlines()) == 2
        assert "Traceback" not in done.stderr


def test_a_dead_model_server_is_one_line_and_loses_nothing(index: Index, settings: Settings, site: Path) -> None:
    figures(index())
    release(site, "gamma", "colour")
    (site.parents[3] / "requirements.txt").write_text("alpha==1.0\nbeta==1.0\ngamma==1.0\n")
    away = (("DEPCODEX_REWRITER", "ollama:any"), ("DEPCODEX_OLLAMA_HOST", "http://127.0.0.1:9"))
    done = index(env=away)
    assert done.returncode == 3
    error = json.loads(done.stdout)["error"]
    assert error["type"] == "ModelUnavailableError"
    assert "start it with: ollama serve" in error["message"]
    assert done.stderr.count(error["message"]) == 1
    assert "Traceback" not in done.stderr
    assert {"pkg:pypi/alpha@1.0", "pkg:pypi/beta@1.0"} <= set(states(settings))


def signalled(command: list[str], environment: dict[str, str], number: signal.Signals) -> tuple[int, str]:
    """The status and the messages of a run that got a signal while it was retelling."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stderr is not None
    seen = []
    for line in process.stderr:
        seen.append(line)
        if line == "retelling\n":
            break
    time.sleep(0.3)
    process.send_signal(number)
    _, rest = process.communicate(timeout=60)
    return process.returncode, "".join(seen) + rest


def test_an_interrupted_index_ends_with_130_and_the_next_one_goes_on(
    index: Index, command: Callable[..., list[str]], environment: dict[str, str], settings: Settings
) -> None:
    status, text = signalled(command(before=SLOW), environment, signal.SIGINT)
    assert status == 130, text
    assert "Traceback" not in text
    assert figures(index())["failed"] == 0
    assert set(states(settings).values()) == {"indexed"}


def test_a_killed_index_leaves_nothing_that_the_next_one_waits_for(
    index: Index, command: Callable[..., list[str]], environment: dict[str, str], settings: Settings
) -> None:
    status, _ = signalled(command(before=SLOW), environment, signal.SIGKILL)
    assert status == -signal.SIGKILL
    # It held the only place in the model's pool.
    assert figures(index())["failed"] == 0
    assert set(states(settings).values()) == {"indexed"}
