"""Dagster's own home inside the data home, set up so that it holds no raw text and tells nobody.

Here: writing ``dagster.yaml`` and opening the instance. Not here: runs.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TYPE_CHECKING

from depcodex.settings import Settings

if TYPE_CHECKING:
    import dagster as dg

_FIRST_LINE = "# Written by depcodex at each start. Remove this line to keep changes of your own."
_CONTENT = f"""{_FIRST_LINE}

# Nothing leaves this machine.
telemetry:
  enabled: false
nux:
  enabled: false

# What a step prints is not kept: a client's or a model server's output may quote a package.
compute_logs:
  module: dagster._core.storage.noop_compute_log_manager
  class: NoOpComputeLogManager

python_logs:
  # At DEBUG the daemon's log has a line for each event of each run.
  python_log_level: INFO

concurrency:
  # The pool `llm`: one caller of the model at a time, over all processes.
  pools:
    default_limit: 1
    granularity: op
  runs:
    max_concurrent_runs: 2

run_monitoring:
  enabled: true
  # Places in a pool that a dead run still holds.
  free_slots_after_run_end_seconds: 60

retention:
  schedule:
    purge_after_days: 90
  sensor:
    purge_after_days:
      skipped: 2
      failure: 30
      success: 30
"""


def prepare_dagster_home(settings: Settings) -> Path:
    """The folder of Dagster's storage, with its ``dagster.yaml``; also sets this process's DAGSTER_HOME.

    A file whose first line was removed is an operator's own and stays (Postgres, another run launcher …).
    """
    folder = settings.dagster
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "dagster.yaml"
    if not path.exists() or path.read_text(encoding="utf-8").startswith(_FIRST_LINE):
        # Whole or not at all: another process may read it at this moment.
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        temporary.write_text(_CONTENT, encoding="utf-8")
        temporary.replace(path)
    os.environ["DAGSTER_HOME"] = str(folder)
    # Also where an operator's own file forgets it.
    os.environ["DAGSTER_DISABLE_TELEMETRY"] = "yes"
    return folder


def open_instance(settings: Settings) -> dg.DagsterInstance:
    """The instance over the data home; a context manager."""
    folder = prepare_dagster_home(settings)
    import dagster as dg

    # The first to open it makes Dagster's databases; of two at once the second found half of their tables (1.13.27).
    with (folder / "opening.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return dg.DagsterInstance.get()
