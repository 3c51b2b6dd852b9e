"""`make ui` in a real browser: a recorded project is indexed by the daemon, then backfilled by clicking."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contracts.installs import make_environment
from depcodex.settings import Settings
from depcodex.tables import PublicTables
from fakes.releases import CANARY, release

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
COORDINATES = [f"pkg:pypi/lib{number:02}@1.0" for number in range(20)]
ASSETS = ["source_files", "declarations", "occurrences", "verdicts", "summaries", "quarantined", "entries"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
    # Two and a half minutes on two busy cores (load 6, 2026-12-01); no machine is failed for being slower than that.
    pytest.mark.timeout(600),
]


@dataclass(frozen=True)
class Dagster:
    """A running webserver and daemon."""

    url: str
    home: Path

    def ask(self, query: str) -> dict[str, Any]:
        """The data of a GraphQL answer."""
        body = json.dumps({"query": query}).encode()
        request = urllib.request.Request(f"{self.url}/graphql", body, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            values: dict[str, Any] = json.load(answer)["data"]
        return values

    def runs(self) -> list[dict[str, Any]]:
        """Job name and status of each run, the newest first."""
        found: list[dict[str, Any]] = self.ask("{runsOrError {... on Runs {results {jobName status}}}}")["runsOrError"][
            "results"
        ]
        return found

    def backfills(self) -> list[dict[str, Any]]:
        """Id, status and partition count of each backfill."""
        query = "{partitionBackfillsOrError {... on PartitionBackfills {results {id status numPartitions}}}}"
        found: list[dict[str, Any]] = self.ask(query)["partitionBackfillsOrError"]["results"]
        return found


def wait_for(what: str, is_there: Callable[[], bool], seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not is_there():
        assert time.monotonic() < deadline, f"{what}: not within {seconds} s"
        time.sleep(1)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    rooms = [str(ROOT / room) for room in ("store", "assets", "pipelines")]
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(rooms),
        "DEPCODEX_HOME": str(tmp_path / "home"),
        "DEPCODEX_IS_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }


@pytest.fixture
def dagster(tmp_path: Path, environment: dict[str, str]) -> Iterator[Dagster]:
    """`make ui` over a data home in which a project of twenty coordinates is recorded."""
    project = tmp_path / "project"
    site = make_environment(project / ".venv")
    names = [purl.removeprefix("pkg:pypi/").removesuffix("@1.0") for purl in COORDINATES]
    for name in names:
        release(site, name, "size", f"weight_{name}")
    (project / "requirements.txt").write_text("".join(f"{name}==1.0\n" for name in names))
    subprocess.run([sys.executable, "-m", "depcodex", "record", str(project)], check=True, env=environment)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["sh", str(ROOT / "deploy" / "ui.sh"), str(Path(sys.executable).parent), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        try:
            lines = []
            for line in process.stdout:
                lines.append(line)
                if "Dagster answers at" in line:
                    break
            assert lines[-1:] == [f"Dagster answers at http://127.0.0.1:{port} (Ctrl-C stops it)\n"], lines
            yield Dagster(f"http://127.0.0.1:{port}", tmp_path / "home")
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=120)
    assert process.returncode == 0
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0, "the webserver is still there"


def test_a_backfill_of_twenty_coordinates_launched_by_clicking_succeeds(dagster: Dagster, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    # The sensor has seen the record: one run for all, and nothing left to ask for.
    wait_for("the inbox's run", lambda: [each["status"] for each in dagster.runs()] == ["SUCCESS"])
    assert [each["jobName"] for each in dagster.runs()] == ["index_coordinates"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1500, "height": 1000})
        page.set_default_timeout(60_000)
        page.goto(f"{dagster.url}/asset-groups")
        page.get_by_role("button", name="Materialize all").click()
        page.get_by_role("button", name="All", exact=True).click()
        page.get_by_text("20 partitions").first.wait_for()
        page.screenshot(path=tmp_path / "launch.png")
        page.get_by_role("button", name="Launch backfill").click()
        wait_for("the backfill", lambda: bool(dagster.backfills()))
        wait_for("its end", lambda: dagster.backfills()[0]["status"] not in ("REQUESTED", "FAILING"))
        (backfill,) = dagster.backfills()
        assert (backfill["status"], backfill["numPartitions"]) == ("COMPLETED_SUCCESS", len(COORDINATES))
        # One run served them all.
        assert [each["jobName"] for each in dagster.runs()] == ["__ASSET_JOB", "index_coordinates"]
        page.goto(f"{dagster.url}/runs/b/{backfill['id']}")
        page.get_by_text("Succeeded").first.wait_for()
        for asset in ASSETS:
            page.get_by_text(asset, exact=True).first.wait_for()
        assert page.get_by_text("100% completed").count() == len(ASSETS)
        page.screenshot(path=tmp_path / "backfill.png")
        page.goto(f"{dagster.url}/assets/entries")
        page.get_by_text("run/coordinates", exact=True).first.wait_for()
        page.screenshot(path=tmp_path / "entries.png", full_page=True)
        page.goto(f"{dagster.url}/assets/verdicts")
        # The backfill judged nothing anew; its picture is of what was judged before.
        page.get_by_text("run/gate scores", exact=True).first.wait_for()
        page.screenshot(path=tmp_path / "verdicts.png", full_page=True)
        page.goto(f"{dagster.url}/assets/entries?view=checks")
        page.get_by_text("Passed").first.wait_for()
        page.screenshot(path=tmp_path / "checks.png")
        browser.close()
    rows = PublicTables.of(Settings(home=dagster.home)).read("coordinates", columns=["purl", "state"]).to_pylist()
    assert sorted((row["purl"], row["state"]) for row in rows) == [(purl, "indexed") for purl in COORDINATES]
    stored = [path for path in (dagster.home / "dagster").rglob("*") if path.is_file()]
    word = CANARY.split()[0].encode()
    assert [path.name for path in stored if word in path.read_bytes()] == []
