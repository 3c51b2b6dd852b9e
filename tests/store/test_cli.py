"""The command line through real processes."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contracts.public_store import Entry, Store
from depcodex import cli, records
from depcodex.closure import Closure, ProjectRecord, ResolvedDependency, Scope
from depcodex.commands import doctor
from depcodex.coordinates import Coordinate
from depcodex.settings import Settings

ROOT = Path(__file__).parents[2]
REQUESTS, HTTPX = "pkg:pypi/requests@2.34.2", "pkg:pypi/httpx@0.28.1"
LIBRARY = {
    REQUESTS: [
        Entry("requests.get", "Sends a get request.", "Downloads a page."),
        Entry("requests.Session", "Keeps cookies.", "Holds cookies.", kind="class"),
    ],
    HTTPX: [Entry("httpx.get", "Fetches a resource.", "Fetches a resource.", signatures=("def get(url: str)",))],
}
# A model-free embedder takes the place of the real one, in a process like any other.
RUN = """
import sys
from contracts.public_store import WordEmbedder
import depcodex.embedding
depcodex.embedding.load_embedder = lambda settings: WordEmbedder()
from depcodex.cli import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(tmp_path_factory.mktemp("cli"))
    store.publish(LIBRARY)
    store.record(REQUESTS, HTTPX)
    return store


def environment(home: Path) -> dict[str, str]:
    path = os.pathsep.join(str(ROOT / each) for each in ("store", "assets", "pipelines", "tests"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DEPCODEX_")}
    return {**kept, "PYTHONPATH": path, "DEPCODEX_HOME": str(home), "PYTHONWARNINGS": "error"}


def run(store: Store, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        cwd=store.project,
        env=environment(store.settings.home),
        capture_output=True,
        text=True,
        timeout=120,
        **options,  # type: ignore[call-overload]
    )


def test_search_prints_one_json_object_and_exits_0(store: Store) -> None:
    done = run(store, "search", "keep", "cookies", "--json", "--limit", "1")
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["results"][0]["symbol"] == "requests.Session"


def test_search_for_people_fits_eighty_columns_and_has_no_colour(store: Store) -> None:
    done = run(store, "search", "fetch a resource")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "httpx.get" in done.stdout
    assert "def get(url: str)" in done.stdout


def test_lookup_says_on_standard_error_how_it_understood_the_name(store: Store) -> None:
    done = run(store, "lookup", "REQUESTS::get", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["results"][0]["symbol"] == "requests.get"
    assert done.stderr.count("\n") == 1
    assert "case" in done.stderr


def test_nothing_found_exits_1_with_a_typed_abstention(store: Store) -> None:
    done = run(store, "lookup", "zzz.qqqqqqq", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["results"] == []
    assert set(found["abstention"]) == {"type", "message", "resolve"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", ""],
        ["search"],
        ["search", "x", "--limit", "0"],
        ["search", "x", "--coordinate", "requests"],
        ["search", "x", "--cursor", "nonsense"],
        ["lookup", " "],
        ["search", "--batch", "no-such-file"],
        ["search", "x", "--scope", "all"],
        ["no-such-command"],
    ],
)
def test_refused_input_exits_2_with_a_line_and_no_output(store: Store, arguments: list[str]) -> None:
    done = run(store, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert done.stderr


def test_a_batch_answers_line_by_line_in_order(store: Store, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    rows = [
        {"query": "cookies"},
        {"query": "get", "coordinates": [HTTPX]},
        {"query": "get", "coordinates": ["pkg:pypi/x"]},
    ]
    batch.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    done = run(store, "search", "--batch", str(batch), "--json")
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert first["results"][0]["symbol"] == "requests.Session"
    assert {hit["coordinate"] for hit in second["results"]} == {HTTPX}
    assert third["abstention"]["type"] == "no_match"
    assert done.returncode == 0
    same = run(store, "search", "--batch", "-", input=batch.read_text())
    assert same.stdout == done.stdout


@pytest.mark.parametrize("line", ["{", "[]", '{"query": " "}', '{"query": "x", "coordinates": ["requests"]}'])
def test_a_wrong_line_of_a_batch_is_named_and_nothing_is_answered(store: Store, tmp_path: Path, line: str) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"query": "cookies"}\n' + line + "\n")
    done = run(store, "search", "--batch", str(batch))
    assert (done.returncode, done.stdout) == (2, "")
    assert "batch.jsonl:2" in done.stderr


def test_status_lists_coordinates_for_people_and_programs(store: Store) -> None:
    done = run(store, "status", "--json")
    assert done.returncode == 0
    assert [row["state"] for row in json.loads(done.stdout)["coordinates"]] == ["indexed", "indexed"]
    assert "2 indexed" in run(store, "status").stdout


def test_an_unrecorded_project_exits_1_and_names_the_command(store: Store, tmp_path: Path) -> None:
    done = run(store, "search", "x", "--json", "--project", str(tmp_path))
    assert done.returncode == 1
    assert json.loads(done.stdout)["abstention"] == {
        "type": "no_closure",
        "message": f"{tmp_path}: not part of a recorded project",
        "resolve": f"depcodex index {tmp_path}",
    }


def test_a_damaged_store_is_one_line_and_exit_3(store: Store, tmp_path: Path) -> None:
    broken = Store(tmp_path)
    broken.record(REQUESTS)
    broken.settings.public.mkdir()
    (broken.settings.public / "store.json").write_text("{")
    done = run(broken, "search", "x", "--json")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)


def test_doctor_reports_settings_with_their_source_and_what_is_missing(store: Store) -> None:
    done = run(store, "doctor", "--json")
    report = json.loads(done.stdout)
    assert report["settings"]["home"] == {
        "value": str(store.settings.home),
        "source": "environment DEPCODEX_HOME",
    }
    assert report["settings"]["embedder"]["source"] == "default"
    assert {check["name"]: check["is_ok"] for check in report["checks"]}["store"] is True
    assert done.returncode == (0 if all(check["is_ok"] for check in report["checks"]) else 1)
    assert "depcodex" in run(store, "doctor").stdout


def test_doctor_misses_the_client_of_a_recorded_ecosystem_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(home=tmp_path / "home")
    dependency = ResolvedDependency(Coordinate.parse("pkg:cargo/serde@1.0.0"))
    closure = Closure("cargo", ".", (dependency,))
    records.write_record(settings, ProjectRecord(str(tmp_path), (closure,), Scope.ALL, "2026-01-01T00:00:00+00:00"))
    monkeypatch.setattr(shutil, "which", lambda command: None if command in ("cargo", "go") else f"/bin/{command}")
    check = doctor._checked("clients", doctor._clients, settings)
    assert (check.is_ok, check.message.partition(" on the PATH")[0]) == (False, "cargo (packages of type cargo)")
    offline = doctor._clients(dataclasses.replace(settings, is_offline=True))
    assert offline == "pip, npm, mvn; not on the PATH: cargo, go"


def test_a_fresh_machine_is_told_what_is_missing(tmp_path: Path) -> None:
    fresh = Store(tmp_path)
    done = run(fresh, "doctor")
    assert done.returncode == 1
    assert "nothing is indexed" in done.stdout
    assert not fresh.settings.home.exists()


def test_help_and_version_import_nothing_heavy(store: Store) -> None:
    heavy = ("numpy", "pyarrow", "lancedb", "onnxruntime", "mcp", "rich", "packaging", "packageurl")
    code = (
        "import sys; from depcodex.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        f"print([each for each in {heavy} if each in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(store.settings.home), capture_output=True, text=True, timeout=60
    )
    assert done.stderr.strip() == "[]"
    for command in ("record", "search", "lookup", "status", "closure", "doctor", "mcp", "index"):
        assert command in done.stdout
    assert run(store, "--version").stdout.startswith("depcodex ")


def test_a_search_with_a_snapshot_does_not_import_lancedb(store: Store) -> None:
    run(store, "search", "cookies")
    code = RUN.replace("sys.exit(main())", "main(); print('lancedb' in sys.modules, file=sys.stderr)")
    done = subprocess.run(
        [sys.executable, "-c", code, "search", "cookies", "--json"],
        cwd=store.project,
        env=environment(store.settings.home),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr.strip() == "False"


def test_a_command_of_an_absent_room_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    assert cli.main(["index", "."]) == 3
    assert capsys.readouterr().err == "depcodex index needs: pip install 'depcodex[pipelines]'\n"


class LackingCommand:
    """An entry point whose room lacks a package, at load or later."""

    name = "index"

    def __init__(self, *, at_load: bool) -> None:
        self.at_load = at_load

    def load(self) -> object:
        if self.at_load:
            raise ModuleNotFoundError("No module named 'dagster'", name="dagster")
        return self.register

    def register(self, subparsers: object) -> None:
        def fail(_: object) -> int:
            raise ModuleNotFoundError("No module named 'dagster'", name="dagster")

        subparsers.add_parser("index").set_defaults(run=fail)  # type: ignore[attr-defined]


@pytest.mark.parametrize("at_load", [True, False])
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], at_load: bool
) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: (LackingCommand(at_load=at_load),))
    assert cli.main(["index"]) == 3
    assert "depcodex[pipelines]' (dagster is missing)" in capsys.readouterr().err


def test_a_reader_that_stops_early_is_met_with_silence(store: Store) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "search", "get"],
        cwd=store.project,
        env=environment(store.settings.home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_an_interrupt_exits_130(store: Store) -> None:
    code = RUN.replace(
        "sys.exit(main())",
        "import depcodex.query, signal, time\n"
        # Tests that run in a shell's background are handed down an interrupt that is ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def wait(*a, **k):\n    print('ready', flush=True); time.sleep(60)\n"
        "depcodex.query.Codex.search = wait\nsys.exit(main())",
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "search", "get"],
        cwd=store.project,
        env=environment(store.settings.home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process:
        process.stdout.readline()
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, errors) == (130, "depcodex: interrupted\n")


@pytest.mark.parametrize("closing", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_change_no_answer(store: Store, closing: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$@" {closing}', sys.executable, "-c", RUN, "lookup", "requests.Session"],
        cwd=store.project,
        env=environment(store.settings.home),
        check=False,
        timeout=120,
    )
    assert done.returncode == 0


def test_a_terminal_without_unicode_gets_escapes(store: Store) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN, "lookup", "caf\u00e9.z\u00fcrich"],
        cwd=store.project,
        env={**environment(store.settings.home), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1, done.stderr
    assert b"\\xe9" in done.stdout


def test_a_data_home_that_is_a_file_is_refused_input(store: Store, tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.write_text("no folder")
    done = subprocess.run(
        [sys.executable, "-c", RUN, "lookup", "requests.get"],
        cwd=store.project,
        env=environment(home),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert b"expected a folder" in done.stderr
