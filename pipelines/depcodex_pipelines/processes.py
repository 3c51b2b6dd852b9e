"""Which process a run lives in, and ending the runs whose process is gone.

Here: marks on runs, and freeing what a killed run still holds. Not here: starting runs.

A run that was killed stays "started" in Dagster's storage and keeps its place in a pool; the next one would wait for it
for ever, because the default launcher cannot tell whether a run's process lives (dagster 1.13.27).
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

import dagster as dg

PROCESS_TAG = "depcodex/process"
_UNDER_WAY = (dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING)


def process_mark(pid: int | None = None) -> str:
    """This machine, a process and its start: a pid alone comes round again.

    Example:
        >>> process_mark() == process_mark(os.getpid())
        True
    """
    number = os.getpid() if pid is None else pid
    return f"{socket.gethostname()}/{number}/{_started_at(number)}"


def mark_process(instance: dg.DagsterInstance, run: dg.DagsterRun) -> None:
    """Writes on a run which process it lives in."""
    mark = process_mark()
    if run.tags.get(PROCESS_TAG) != mark:
        instance.add_run_tags(run.run_id, {PROCESS_TAG: mark})


def end_dead_runs(instance: dg.DagsterInstance) -> list[str]:
    """Fails the runs of this machine whose process is gone and frees their places in pools; their run ids."""
    ended = []
    for run in instance.get_runs(dg.RunsFilter(statuses=list(_UNDER_WAY))):
        mark = run.tags.get(PROCESS_TAG)
        if mark is None or _is_alive(mark):
            continue
        instance.report_run_failed(run, "The process of this run ended before the run did.")
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
        ended.append(run.run_id)
    return ended


def _is_alive(mark: str) -> bool:
    host, pid, _ = mark.rsplit("/", 2)
    if host != socket.gethostname():
        return True  # another machine's process cannot be seen from here
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return process_mark(int(pid)) == mark


def _started_at(pid: int) -> str:
    """The process's start in clock ticks since boot, with the boot's id (Linux); empty where that cannot be read."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8]
    except OSError:
        return ""
    # The command's name is in brackets and may hold anything; field 22 is counted behind it (proc(5)).
    return f"{boot}-{stat.rpartition(')')[2].split()[19]}"
