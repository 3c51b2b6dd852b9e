"""Asking an ecosystem's own tool."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from depcodex.lockfiles.tools import run_tool


def test_what_a_tool_prints_comes_back(tmp_path: Path) -> None:
    script = "import os; print(os.getcwd(), os.environ['COLOUR'])"
    assert run_tool([sys.executable, "-c", script], tmp_path, environment={"COLOUR": "blue"}) == f"{tmp_path} blue\n"


def test_a_tool_that_is_missing_or_fails_is_no_error(tmp_path: Path) -> None:
    assert run_tool(["depcodex-has-no-such-tool"], tmp_path) is None
    assert run_tool([sys.executable, "-c", "print(1); raise SystemExit(3)"], tmp_path) is None


def test_a_tool_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    inner = f"import time; time.sleep(2); open({str(mark)!r}, 'w').close()"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    assert run_tool([sys.executable, "-c", outer], tmp_path, seconds=0.5) is None
    time.sleep(2.5)
    assert not mark.exists()
