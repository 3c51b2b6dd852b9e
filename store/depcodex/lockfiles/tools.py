"""Asks an ecosystem's own tool what a project resolves to.

Here: starting one command in a project's folder, with a time limit, and getting what it prints. Not here: which command
and what its output means (each format's reader).

Recording runs inside builds and never breaks one: a tool that is missing, fails or takes too long is no error here.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

OFFLINE_SECONDS = 20.0
RESOLVE_SECONDS = 600.0


def run_tool(
    command: Sequence[str],
    folder: Path,
    *,
    environment: Mapping[str, str] | None = None,
    seconds: float = OFFLINE_SECONDS,
) -> str | None:
    """What the command prints on its standard output, or None where it cannot be had.

    Args:
        command: the tool and its arguments; no shell is involved.
        folder: where it runs.
        environment: variables beside those of this process.
        seconds: after which the tool and all it started is ended.

    Returns:
        None where the tool is not on this machine, ends with another status than 0, or runs out of time.

    Example:
        >>> run_tool(["no-such-tool"], Path("."))
    """
    if shutil.which(command[0]) is None:
        return None
    try:
        # A session of its own: ending the tool ends its children as well (mvn and cargo start others).
        process = subprocess.Popen(
            list(command),
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    try:
        output, _ = process.communicate(timeout=seconds)
    except BaseException as trouble:
        _end(process)
        if isinstance(trouble, subprocess.TimeoutExpired):
            return None
        raise
    return output.decode("utf-8", "replace") if process.returncode == 0 else None


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
