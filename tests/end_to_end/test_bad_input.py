"""What goes wrong is said in one clear line, ends with the agreed status, and takes nothing that was indexed."""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data import hostile_archives
from data.releases import write_sdist, write_wheel
from machine import NO_OLLAMA, Finished, Machine
from servers.package_index import PackageIndex, pip_environment, serve_index

FIRST = '"""Counts sheep."""\n\n\ndef count(sheep):\n    """Counts the sheep."""\n'
SECOND = '"""Feeds goats."""\n\n\ndef feed(goat):\n    """Feeds a goat."""\n'
GOOD = ("sheepfold", "1.0", {"sheepfold.py": FIRST})
# What a run says on its way, whether or not it ends well.
PROGRESS_PATTERN = re.compile(
    r"depcodex index: ([\d,]+ of [\d,]+ coordinates are to be indexed|[\d,]+ model calls, for .*|\d+%, .*"
    r"|[\d,]+ coordinates, .*; [\d,]+ entries, .*)"
)
TRACE_MARKS = ("Traceback", 'File "', "  at ", "dagster._core")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Where the machine of these tests lies, and a copy of it as it was when one project had been indexed."""
    place = tmp_path_factory.mktemp("bad_input")
    machine = Machine(place / "machine")
    machine.index(machine.project("good", GOOD))
    shutil.copytree(machine.root, place / "kept", symlinks=True)
    return machine.root, place / "kept"


@pytest.fixture
def machine(kept: tuple[Path, Path]) -> Machine:
    """A machine on which one project was indexed and can be asked; always at one path, which its record names."""
    root, copy = kept
    shutil.rmtree(root)
    shutil.copytree(copy, root, symlinks=True)
    return Machine(root)


@pytest.fixture
def index(machine: Machine) -> Iterator[PackageIndex]:
    """A package index on loopback that the machine's pip asks."""
    folder = machine.root / "index"
    folder.mkdir()
    with serve_index(folder) as running:
        machine.variables.update(pip_environment(running))
        yield running


@pytest.fixture(autouse=True)
def nothing_indexed_is_lost(machine: Machine) -> Iterator[None]:
    """Whatever a test here does: what was answered before is answered after, by the same rows."""
    project = machine.root / "good"
    kept = {each.coordinate_id for each in machine.coordinates(project)}

    def rows() -> dict[str, list[dict[str, object]]]:
        return {
            name: [row for row in rows if row["coordinate_id"] in kept] for name, rows in machine.public_rows().items()
        }

    def answer() -> tuple[object, ...]:
        with machine.codex(project) as codex:
            return codex.lookup("sheepfold.count").results, codex.search("count the sheep").results

    before = rows(), answer()
    yield
    assert (rows(), answer()) == before


def one_line(done: Finished) -> str:
    """The only line that says what is wrong; progress aside."""
    assert not any(mark in done.stderr for mark in TRACE_MARKS), done.stderr
    lines = [line for line in done.stderr.splitlines() if not PROGRESS_PATTERN.fullmatch(line)]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("depcodex")
    return lines[0]


BROKEN_LOCKS = {
    "uv.lock": "version = 1\n[[package]\nname = ",
    "poetry.lock": "[[package]]\nname = 3\n",
    "pdm.lock": "\x00\x01\x02",
    "pylock.toml": 'lock-version = "99.0"\n',
    "Pipfile.lock": '{"default": [',
    "requirements.txt": "sheep ==\n\x00",
}


@pytest.mark.parametrize("command", ["index", "record", "closure"])
@pytest.mark.parametrize("name", BROKEN_LOCKS)
def test_a_broken_lock_is_refused_by_its_name(machine: Machine, name: str, command: str) -> None:
    folder = machine.root / "broken"
    folder.mkdir()
    (folder / name).write_text(BROKEN_LOCKS[name])
    done = machine.run(command, str(folder))
    assert done.status == 2, done
    assert name in one_line(done)
    assert not (folder / ".depcodex").exists()


def test_a_refusal_is_json_where_json_was_asked(machine: Machine) -> None:
    folder = machine.root / "broken"
    folder.mkdir()
    (folder / "uv.lock").write_text("version = [")
    done = machine.run("index", str(folder), "--json")
    assert done.status == 2
    assert set(done.json["error"]) == {"type", "message"}
    one_line(done)


def test_two_locks_that_disagree_are_told_apart_and_none_is_picked(machine: Machine) -> None:
    folder = machine.locked_project("both", "sheepfold==1.0")
    (folder / "uv.lock").write_text(
        'version = 1\n[[package]]\nname = "both"\nversion = "0"\nsource = { virtual = "." }\n'
        'dependencies = [{ name = "sheepfold" }]\n[[package]]\nname = "sheepfold"\nversion = "2.0"\n'
        'source = { registry = "https://index.example.invalid/simple" }\n'
    )
    done = machine.run("index", str(folder))
    assert done.status == 2
    line = one_line(done)
    assert all(each in line for each in ("1.0", "2.0", "sheepfold", "--format"))


@pytest.mark.parametrize("command", ["index", "record", "closure"])
def test_an_absent_project_is_refused(machine: Machine, command: str) -> None:
    done = machine.run(command, str(machine.root / "nowhere"))
    assert done.status == 2
    assert "nowhere" in one_line(done)


def test_an_empty_project_is_refused_with_what_is_expected(machine: Machine) -> None:
    (machine.root / "empty").mkdir()
    done = machine.run("index", str(machine.root / "empty"))
    assert done.status == 2
    assert "lock file" in one_line(done)


def test_a_question_from_an_absent_project_abstains(machine: Machine) -> None:
    for command in ("lookup", "search"):
        done = machine.run(command, "sheep", "--project", str(machine.root / "nowhere"), "--json")
        assert done.status == 1
        assert done.json["abstention"]["type"] == "no_closure"


def test_a_missing_version_ends_with_no_source_and_stops_no_other(machine: Machine, index: PackageIndex) -> None:
    write_wheel(index.folder, "goatpen", "1.0", {"goatpen.py": SECOND})
    write_wheel(index.folder, "sheepfold", "1.0", {"sheepfold.py": FIRST})
    folder = machine.locked_project("mixed", "goatpen==1.0", "sheepfold==9.9", "unknownlib==1.0")
    done = machine.run("index", str(folder), "--json")
    # No such version: settled, and said in the status; the command ends well, as every coordinate has its state.
    assert done.status == 0, done.stderr
    assert machine.states()["pkg:pypi/sheepfold@9.9"] == "no_source"
    assert machine.states()["pkg:pypi/unknownlib@1.0"] == "no_source"
    assert machine.states()["pkg:pypi/goatpen@1.0"] == "indexed"
    status = machine.run("status", "--project", str(folder)).stdout
    assert "no such version" in status
    asked = machine.run("lookup", "sheepfold.count", "--project", str(folder), "--json")
    assert asked.status == 1


def test_a_project_of_a_missing_version_alone_says_so_when_asked(machine: Machine, index: PackageIndex) -> None:
    folder = machine.locked_project("alone", "sheepfold==9.9")
    machine.run("index", str(folder))
    asked = machine.run("lookup", "sheepfold.count", "--project", str(folder), "--json")
    assert (asked.status, asked.json["abstention"]["type"]) == (1, "no_source")


def test_a_yanked_release_is_indexed_with_a_warning(machine: Machine, index: PackageIndex) -> None:
    wheel = write_wheel(index.folder, "goatpen", "1.0", {"goatpen.py": SECOND})
    index.yanked.add(wheel.name)
    folder = machine.locked_project("project", "goatpen==1.0")
    done = machine.run("index", str(folder))
    assert done.status == 0, done.stderr
    assert machine.states()["pkg:pypi/goatpen@1.0"] == "indexed"
    warning = [line for line in done.stderr.splitlines() if "yanked" in line or "withdrawn" in line]
    assert len(warning) == 1, done.stderr
    assert "goatpen" in warning[0]


def test_that_a_release_was_yanked_stays_in_the_status(machine: Machine, index: PackageIndex) -> None:
    wheel = write_wheel(index.folder, "goatpen", "1.0", {"goatpen.py": SECOND})
    index.yanked.add(wheel.name)
    folder = machine.locked_project("project", "goatpen==1.0")
    machine.index(folder)
    (told,) = machine.run("status", "--project", str(folder), "--json").json["coordinates"]
    assert told["is_yanked"] is True


def test_an_index_that_cannot_be_reached_fails_and_a_later_run_succeeds(machine: Machine, index: PackageIndex) -> None:
    wheel = write_wheel(index.folder, "goatpen", "1.0", {"goatpen.py": SECOND})
    index.failing.add(wheel.name)
    folder = machine.locked_project("project", "goatpen==1.0")
    done = machine.run("index", str(folder))
    assert done.status == 3
    assert "pkg:pypi/goatpen@1.0" in one_line(done)
    index.failing.clear()
    assert machine.index(folder)["harvested"] == 1


def test_offline_fails_for_what_is_not_on_this_machine(machine: Machine) -> None:
    folder = machine.locked_project("project", "goatpen==1.0")
    done = machine.run("index", str(folder), "--offline")
    assert done.status == 3
    assert "offline" in one_line(done)


def test_bytes_that_are_not_those_of_the_lock_are_refused(machine: Machine, index: PackageIndex) -> None:
    wheel = write_wheel(index.folder, "goatpen", "1.0", {"goatpen.py": SECOND})
    index.without_digest.add(wheel.name)
    hashes = {"goatpen==1.0": "sha256:" + "0" * 64}
    done = machine.run("index", str(machine.locked_project("project", "goatpen==1.0", hashes=hashes)))
    assert done.status == 3
    assert "digest" in one_line(done)
    assert machine.states()["pkg:pypi/goatpen@1.0"] == "failed"


def corrupt(folder: Path) -> Path:
    path = write_wheel(folder, "goatpen", "1.0", {"goatpen.py": SECOND})
    path.write_bytes(path.read_bytes()[:-40])
    return path


def not_an_archive(folder: Path) -> Path:
    path = folder / "goatpen-1.0-py3-none-any.whl"
    path.write_bytes(b"<html>Sign in to continue</html>")
    return path


def traversing(folder: Path) -> Path:
    path = folder / "goatpen-1.0-py3-none-any.whl"
    hostile_archives.zip_traversal(path)
    return path


def bomb(folder: Path) -> Path:
    path = folder / "goatpen-1.0-py3-none-any.whl"
    hostile_archives.zip_many_large_members(path)
    return path


def cut_sdist(folder: Path) -> Path:
    path = write_sdist(folder, "goatpen", "1.0", {"goatpen.py": SECOND * 500})
    path.write_bytes(path.read_bytes()[:-60])
    return path


@pytest.mark.parametrize("make", [corrupt, not_an_archive, traversing, bomb, cut_sdist])
def test_a_corrupt_or_hostile_archive_is_refused_and_stops_no_other(
    machine: Machine, index: PackageIndex, make: Callable[[Path], Path]
) -> None:
    make(index.folder)
    write_wheel(index.folder, "cowshed", "1.0", {"cowshed.py": SECOND})
    folder = machine.locked_project("project", "goatpen==1.0", "cowshed==1.0")
    done = machine.run("index", str(folder))
    assert machine.states()["pkg:pypi/cowshed@1.0"] == "indexed"
    if make is traversing:
        # One member would leave its folder: it is skipped, the honest rest is read.
        assert not list(machine.root.rglob("evil.py"))
        assert done.status in (0, 3)
    else:
        assert done.status == 3
        assert "pkg:pypi/goatpen@1.0" in one_line(done)
        assert machine.states()["pkg:pypi/goatpen@1.0"] == "failed"
    work = machine.settings.private / "work"
    assert [each for each in work.rglob("*") if each.is_file()] == []


def test_a_dead_ollama_as_rewriter_fails_in_one_line_and_keeps_the_work(machine: Machine) -> None:
    project = machine.project("goats", ("goatpen", "1.0", {"goatpen.py": SECOND}))
    done = machine.run("index", str(project), DEPCODEX_REWRITER="ollama:some-model")
    assert done.status == 3
    line = one_line(done)
    assert NO_OLLAMA.removeprefix("http://") in line
    # Back to what needs no server, nothing is in the way.
    assert machine.index(project)["model_calls"] == 2


def test_a_remote_model_is_refused_before_anything_is_sent(machine: Machine) -> None:
    project = machine.project("goats", ("goatpen", "1.0", {"goatpen.py": SECOND}))
    done = machine.run(
        "index", str(project), DEPCODEX_REWRITER="ollama:some-model", DEPCODEX_OLLAMA_HOST="http://203.0.113.7:11434"
    )
    assert done.status == 2
    assert "allow_remote_models" in one_line(done)


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
import depcodex_assets.workbench as workbench
real = workbench.Workbench.compute
def compute(self, stage, coordinates, on_progress=None):
    if stage == {stage!r}:
        # Every file is full from here on: what a full disk does to a write that goes on.
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    return real(self, stage, coordinates, on_progress)
workbench.Workbench.compute = compute
"""


@pytest.mark.parametrize("stage", ["harvest", "classify", "summarise", "publish"])
def test_files_that_cannot_grow_end_the_index_and_lose_nothing(machine: Machine, stage: str) -> None:
    project = machine.project("goats", ("goatpen", "1.0", {"goatpen.py": SECOND}))
    done = machine.process("index", str(project), before=FULL.format(stage=stage))
    assert done.status == 3, done
    assert not any(mark in done.stderr for mark in TRACE_MARKS), done.stderr
    machine.index(project)
    assert machine.states()["pkg:pypi/goatpen@1.0"] == "indexed"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 16 MB of its own."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a file system cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


# Bytes left: none at all, so that Dagster's own storage is the first to fail; enough for it, not for the sources.
@pytest.mark.parametrize("left_bytes", [0, 1_000_000])
def test_a_full_disk_is_said_in_one_line(kept: tuple[Path, Path], tmp_path: Path, disk: Path, left_bytes: int) -> None:
    machine = Machine(tmp_path / "machine")
    machine.home = disk / "home"
    machine.settings = replace(machine.settings, home=machine.home)
    first = machine.project("first", GOOD)
    machine.index(first)
    before = machine.public_rows()
    noise = random.Random(1)
    files = {f"goatpen/part{number}.py": f'X = "{noise.randbytes(900_000).hex()}"\n' for number in range(4)}
    second = machine.project("second", ("goatpen", "1.0", {"goatpen/__init__.py": SECOND, **files}))
    room = os.statvfs(disk)
    (disk / "filler").write_bytes(b"x" * (room.f_bavail * room.f_frsize - left_bytes))
    done = machine.process("index", str(second))
    assert done.status == 3, done
    assert re.search(r"full|no space", one_line(done), re.IGNORECASE)
    asked = machine.process("lookup", "sheepfold.count", "--project", str(first), "--json")
    assert asked.json["results"][0]["symbol"] == "sheepfold.count"
    assert machine.public_rows() == before
    (disk / "filler").unlink()
    machine.index(second)
    assert machine.states() == {"pkg:pypi/sheepfold@1.0": "indexed", "pkg:pypi/goatpen@1.0": "indexed"}


# Slow enough that a stage can be met half-way; each stage says when it begins.
SLOW = """
import sys, time
import depcodex_assets.workbench as workbench
real = workbench.Workbench.write
def write(self, result, coordinates):
    print("writing", result.stage, file=sys.stderr, flush=True)
    if result.stage == {stage!r}:
        done = self.{room}.write
        def slow(name, table, **options):
            value = done(name, table, **options)
            print("written", name, file=sys.stderr, flush=True)
            time.sleep(60)
            return value
        self.{room}.write = slow
    return real(self, result, coordinates)
workbench.Workbench.write = write
"""
KILLED_STAGES = (
    ("harvest", "private"),
    ("dedupe", "private"),
    ("classify", "private"),
    ("quarantine", "private"),
    ("publish", "public"),
)


FARM = (
    GOOD,
    ("goatpen", "1.0", {"goatpen.py": SECOND}),
    ("cowshed", "2.0", {"cowshed.py": FIRST.replace("sheep", "cows")}),
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """The public rows of the same two runs on a machine where nothing happens."""
    machine = Machine(tmp_path_factory.mktemp("undisturbed"))
    machine.index(machine.project("good", GOOD))
    machine.index(machine.project("farm", *FARM))
    return machine.public_rows()


@pytest.mark.parametrize(("stage", "room"), KILLED_STAGES)
def test_kill_9_leaves_a_store_that_answers_and_a_run_that_converges(
    machine: Machine, undisturbed: dict[str, list[dict[str, Any]]], stage: str, room: str
) -> None:
    project = machine.project("farm", *FARM)
    with machine.start("index", str(project), before=SLOW.format(stage=stage, room=room)) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if line.startswith("written"):
                break
        running.kill()
    assert running.returncode == -signal.SIGKILL
    # The other project is answered at once; this one answers or abstains.
    asked = machine.run("lookup", "sheepfold.count", "--project", str(machine.root / "good"), "--json")
    assert (asked.status, asked.json["results"][0]["symbol"]) == (0, "sheepfold.count")
    asked = machine.run("lookup", "goatpen.feed", "--project", str(project), "--json")
    assert asked.status in (0, 1), asked.stderr
    machine.index(project)
    assert machine.public_rows() == undisturbed
    # Nothing of the killed run is in the way of the next: no work is left, and nothing is loaded to find that out.
    again = machine.process("index", str(project), "--json", after="print(*sys.modules, file=sys.stderr)")
    assert again.json["reused"] == 3
    assert "lancedb" not in again.stderr.split()


def test_kill_9_in_the_middle_of_a_replacing_publish_keeps_whole_coordinates(machine: Machine) -> None:
    good = machine.root / "good"
    with machine.codex(good) as codex:
        before = codex.lookup("sheepfold.count").results
    slow = SLOW.format(stage="publish", room="public")
    with machine.start("index", str(good), before=slow, DEPCODEX_GATE_THRESHOLD="0.999") as running:
        assert running.stderr is not None
        for line in running.stderr:
            if line.startswith("written"):
                break
        running.kill()
    with machine.codex(good) as codex:
        assert codex.lookup("sheepfold.count").results == before
    machine.index(good)


def test_interrupting_ends_with_130_and_keeps_what_was_published(machine: Machine) -> None:
    project = machine.project("goats", ("goatpen", "1.0", {"goatpen.py": SECOND}))
    with machine.start("index", str(project), before=SLOW.format(stage="classify", room="private")) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if line.startswith("written"):
                break
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        rest = running.stderr.read()
    assert running.returncode == 130, rest
    assert not any(mark in rest for mark in TRACE_MARKS), rest
    assert machine.index(project)["failed"] == 0


@pytest.mark.parametrize("damage", ["generation", "store.json", "coordinates.lance"])
def test_a_damaged_store_is_told_in_one_line(machine: Machine, damage: str) -> None:
    path = machine.settings.public / damage
    backup = machine.root / "backup"
    path.rename(backup)
    try:
        if damage == "store.json":
            path.write_text("{")
        elif damage == "generation":
            path.write_text("many")
        done = machine.run("lookup", "sheepfold.count", "--project", str(machine.root / "good"))
        assert done.status in (0, 1, 3)
        assert not any(mark in done.stderr for mark in TRACE_MARKS)
        if damage == "store.json":
            assert done.status == 3
            assert "store.json" in one_line(done)
    finally:
        if path.exists():
            path.unlink()
        backup.rename(path)


def test_a_digest_of_the_lock_is_what_is_fetched(machine: Machine, index: PackageIndex) -> None:
    wheel = write_wheel(index.folder, "goatpen", "1.0", {"goatpen.py": SECOND})
    hashes = {"goatpen==1.0": "sha256:" + hashlib.sha256(wheel.read_bytes()).hexdigest()}
    folder = machine.locked_project("project", "goatpen==1.0", hashes=hashes)
    machine.index(folder)
    (told,) = machine.run("status", "--project", str(folder), "--json").json["coordinates"]
    assert (told["state"], told["is_verified"]) == ("indexed", True)
