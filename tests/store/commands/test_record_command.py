"""The library: record command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from depcodex import records
from depcodex.closure import Scope
from depcodex.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
# A process that may not connect, start anything, or import what a build must not load.
_RUN = """
import argparse, sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
        raise RuntimeError(f"not allowed: {event}")
sys.addaudithook(refuse)
from depcodex.commands import closure_command, record
parser = argparse.ArgumentParser()
subparsers = parser.add_subparsers()
record.add_parser(subparsers)
closure_command.add_parser(subparsers)
arguments = parser.parse_args(sys.argv[1:])
status = arguments.run(arguments)
heavy = {"pyarrow", "lancedb", "numpy", "polars", "onnxruntime", "dagster", "mcp"} & set(sys.modules)
assert not heavy, heavy
sys.exit(status)
"""


def run(home: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment = {**keep, "PYTHONPATH": str(ROOT / "store"), "DEPCODEX_HOME": str(home), **variables}
    return subprocess.run(
        [sys.executable, "-c", _RUN, *arguments], env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "uv.lock").write_text(
        """version = 1
[[package]]
name = "app"
version = "0.1"
source = { virtual = "." }
dependencies = [{ name = "client" }]
[package.dev-dependencies]
dev = [{ name = "tester" }]
[[package]]
name = "client"
version = "2.0"
source = { registry = "https://index.example.invalid/simple" }
[[package]]
name = "tester"
version = "8.0"
source = { registry = "https://index.example.invalid/simple" }
"""
    )
    return folder


def test_recording_writes_the_inbox_and_the_copy_without_network_database_or_processes(
    project: Path, tmp_path: Path
) -> None:
    done = run(tmp_path / "home", "record", str(project), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    summary = json.loads(done.stdout)
    assert summary["coordinates"] == 1
    assert summary["members"] == [{"member": ".", "format": "uv", "coordinates": 1, "skipped": 1}]
    record = records.read_record(Settings(home=tmp_path / "home"), project)
    assert [each.purl for each in record.members[0].coordinates()] == ["pkg:pypi/client@2.0"]
    assert (project / ".depcodex/closure.json").is_file()
    assert sorted(each.name for each in project.iterdir()) == [".depcodex", "uv.lock"]


def test_a_scope_that_was_set_is_kept_until_it_is_set_again(project: Path, tmp_path: Path) -> None:
    home, settings = tmp_path / "home", Settings(home=tmp_path / "home")
    run(home, "record", str(project), "--scope", "declared")
    run(home, "record", str(project))
    assert records.read_record(settings, project).scope is Scope.DECLARED
    run(home, "record", str(project), "--scope", "all")
    assert records.read_record(settings, project).scope is Scope.ALL


def test_groups_come_in_when_named(project: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "home", "record", str(project), "--group", "dev")
    assert "2 coordinates from uv, 0 skipped" in done.stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_project_that_cannot_be_written_is_a_note(project: Path, tmp_path: Path) -> None:
    project.chmod(0o500)
    try:
        done = run(tmp_path / "home", "record", str(project))
    finally:
        project.chmod(0o700)
    assert done.returncode == 0
    assert "no copy written" in done.stderr


def test_a_copy_that_cannot_be_written_is_a_note(project: Path, tmp_path: Path) -> None:
    (project / ".depcodex").write_text("a file where the folder should be\n")
    done = run(tmp_path / "home", "record", str(project))
    assert done.returncode == 0
    assert "no copy written" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("text", ["this is not TOML", "version = 99\n", 'version = 1\n[[package]]\nname = "a"\n'])
def test_a_broken_lock_is_one_line_and_status_2_and_the_earlier_record_stays(
    project: Path, tmp_path: Path, text: str
) -> None:
    home = tmp_path / "home"
    run(home, "record", str(project))
    (project / "uv.lock").write_text(text)
    done = run(home, "record", str(project))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert records.read_record(Settings(home=home), project).members[0].dependencies


def test_an_absent_project_is_one_line_and_status_2(tmp_path: Path) -> None:
    done = run(tmp_path / "home", "record", str(tmp_path / "absent"))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_what_nobody_expected_is_one_line_and_status_3_and_debugging_shows_it(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "inbox").write_text("a file where the inbox should be\n")
    done = run(home, "record", str(project))
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" in run(home, "record", str(project), DEPCODEX_DEBUG="1").stderr


def test_closure_prints_what_a_lock_resolves_to_and_writes_nothing(project: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "home", "closure", str(project / "uv.lock"), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "format": "uv",
        "coordinates": [{"purl": "pkg:pypi/client@2.0", "scope": "declared", "distance": 1, "via": []}],
        "skipped": [{"name": "tester", "version": "8.0", "reason": "group dev is not asked for"}],
    }
    assert not (tmp_path / "home").exists()
    assert sorted(each.name for each in project.iterdir()) == ["uv.lock"]


def test_closure_without_json_is_a_table_for_people(project: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "home", "closure", str(project))
    assert "pkg:pypi/client@2.0" in done.stdout
    assert "tester 8.0: group dev is not asked for" in done.stdout


def test_a_refusal_is_an_object_on_stdout_and_status_2(project: Path, tmp_path: Path) -> None:
    (project / "uv.lock").write_text("this is not TOML")
    done = run(tmp_path / "home", "closure", str(project), "--json")
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert error["type"] == "UvLockError"
    assert "uv.lock" in error["message"]
    assert len(done.stderr.splitlines()) == 1
