"""What go/doc documents is found with the same text (bench/oracles.py go, over two small modules)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.online
@pytest.mark.skipif(shutil.which("go") is None, reason="no go command on this machine")
def test_what_go_doc_documents_is_found_with_the_same_text() -> None:
    modules = ("github.com/google/uuid@v1.6.0", "gopkg.in/yaml.v3@v3.0.1")
    paths = os.pathsep.join(str(ROOT / each) for each in ("store", "assets", "pipelines"))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(ROOT / "bench/oracles.py"), "go", *modules],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )
    answer = json.loads(done.stdout.splitlines()[-1])
    assert answer["documented"] > 100
    assert answer["share"] >= 0.97
    assert done.returncode == 0
