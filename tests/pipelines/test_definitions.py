"""What Dagster's own programs load, and what the command line must not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from depcodex.settings import Settings
from depcodex_pipelines.instance import prepare_dagster_home

ROOT = Path(__file__).resolve().parents[2]


def python(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=240, check=False, env=environment
    )


def test_the_definitions_load_with_warnings_as_errors(environment: dict[str, str]) -> None:
    code = (
        "import dagster as dg\n"
        "from depcodex_pipelines.definitions import defs\n"
        "dg.Definitions.validate_loadable(defs)\n"
        "print(len(defs.resolve_asset_graph().get_all_asset_keys()))\n"
    )
    done = python(environment, "-W", "error", "-c", code)
    assert done.stderr == ""
    assert done.stdout == "7\n"


def test_dagster_validates_the_workspace_without_a_warning_of_ours(
    environment: dict[str, str], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DAGSTER_HOME", "DAGSTER_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "")  # set by the next line in this process; they go again with the test
    home = prepare_dagster_home(settings)
    watched = environment | {"DAGSTER_HOME": str(home), "PYTHONWARNINGS": "default"}
    done = python(watched, "-m", "dagster", "definitions", "validate", "-w", str(ROOT / "workspace.yaml"))
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "Validation successful for code location depcodex" in said
    words = ("Warning", "WARNING", "ERROR", "Traceback")
    lines = [line for line in said.splitlines() if any(word in line for word in words)]
    # Dagster announces the successors of its own commands; that is no word about us.
    assert [line for line in lines if "SupersessionWarning" not in line] == []


@pytest.mark.parametrize(
    "module", ["commands", "index_run", "progress", "forecast", "tallies", "bench", "batches", "instance"]
)
def test_what_the_command_line_imports_first_loads_nothing_heavy(environment: dict[str, str], module: str) -> None:
    code = (
        f"import sys, depcodex_pipelines.{module}\n"
        "heavy = ('dagster', 'lancedb', 'pyarrow', 'polars', 'sklearn', 'onnxruntime', 'matplotlib', 'rich')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    done = python(environment, "-c", code)
    assert (done.stdout, done.stderr) == ("[]\n", "")
