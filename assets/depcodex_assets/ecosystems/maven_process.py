"""The mvn process: what it writes, its end, and its end when it shows no sign of life.

Here: one command and all that it starts. Not here: what is asked of it (maven_build), what its lines mean.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from depcodex.errors import FetchError

_MAX_LINE_BYTES = 64 * 1024
_SLICE_SECONDS = 5.0


def output_lines(
    command: Sequence[str], place: Path, environment: Mapping[str, str], silence_seconds: float
) -> Iterator[str]:
    """The lines that a command writes, and last its exit status.

    Raises:
        FetchError: it cannot be started, or showed no sign of life for too long.
    """
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=place,
            env=dict(environment),
            start_new_session=True,
        )
    except OSError as error:
        raise FetchError(f"mvn cannot be started ({type(error).__name__}); install Maven") from error
    assert process.stdout is not None
    try:
        yield from _lines(process.stdout.fileno(), place.parent, silence_seconds)
        yield str(process.wait(timeout=silence_seconds))
    except subprocess.TimeoutExpired as error:
        raise FetchError("mvn did not end") from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def _lines(descriptor: int, folder: Path, silence_seconds: float) -> Iterator[str]:
    buffer = b""
    heard = time.monotonic()
    size_bytes = -1
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if not selector.select(min(_SLICE_SECONDS, silence_seconds)):
                # In batch mode mvn says nothing while a large jar comes; the file grows meanwhile.
                now_bytes = _size(folder)
                if now_bytes != size_bytes:
                    size_bytes, heard = now_bytes, time.monotonic()
                elif time.monotonic() - heard > silence_seconds:
                    raise FetchError(f"mvn showed no sign of life for {silence_seconds:.0f} s")
                continue
            heard = time.monotonic()
            data = os.read(descriptor, _MAX_LINE_BYTES)
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
            buffer = buffer[-_MAX_LINE_BYTES:]
            yield from (line.decode("utf-8", "replace").rstrip() for line in lines)


def _size(folder: Path) -> int:
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(at) / name).stat().st_size
    return total
