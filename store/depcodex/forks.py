"""Processes that LanceDB does not work in: noticing them, and having a snapshot's files made by a fresh interpreter.

Here: the asking end of that call. Not here: the answering one (depcodex.snapshot_process), what the files hold
(depcodex.snapshots).

A process that was forked from one that had used LanceDB dies of a segmentation fault at its next use of it, reset of
its runtime or not (LanceDB 0.40, 5 of 5 forks, 2026-11-30). Servers fork their workers, so this is no rare case.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from depcodex.errors import StoreError

if TYPE_CHECKING:
    from depcodex.settings import Settings

_TIMEOUT_SECONDS = 600.0


class _Fork:
    is_unsafe = False


def is_lancedb_unsafe() -> bool:
    """Whether this process was forked from one that had loaded LanceDB."""
    return _Fork.is_unsafe


def make_files(settings: Settings, coordinate_ids: Sequence[int], folder: Path) -> None:
    """Writes the files of a closure's snapshot into an existing folder, from a fresh interpreter.

    Raises:
        StoreError: it ended without them.
    """
    question = {"home": str(settings.home), "coordinate_ids": list(coordinate_ids), "folder": str(folder)}
    try:
        done = subprocess.run(
            # -P: the working folder may be a project, whose modules are never run.
            [sys.executable, "-P", "-m", "depcodex.snapshot_process"],
            input=json.dumps(question),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise StoreError(f"store: cannot be read after a fork: {type(error).__name__}") from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise StoreError(f"store: cannot be read after a fork: {last}")


def _note_fork() -> None:
    _Fork.is_unsafe = _Fork.is_unsafe or "lancedb" in sys.modules


os.register_at_fork(after_in_child=_note_fork)
