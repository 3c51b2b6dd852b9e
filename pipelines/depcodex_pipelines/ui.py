"""The webserver and the daemon over the data home: what `make ui` starts.

Here: starting them on loopback, saying where, and stopping all together. Not here: what they load
(depcodex_pipelines.definitions).

One code server for both, on a Unix socket. Left to themselves each starts its own, and the daemon's ends itself when a
busy machine delays its heartbeat by 20 seconds, failing the backfill under way (measured at dagster 1.13.27, load 7 on
2 cores, 2026-12-01).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from depcodex.errors import UsageError
from depcodex.settings import Settings
from depcodex_pipelines.instance import prepare_dagster_home

HOST = "127.0.0.1"
DEFAULT_PORT = 3000
# Each imports Dagster, and the code server our definitions: 25 s in all on a slow machine.
_START_SECONDS = 180.0
_STOP_SECONDS = 20.0
_WORKSPACE = """\
load_from:
  - grpc_server:
      socket: {socket}
      location_name: depcodex
"""


class _EndedError(Exception):
    """One of the processes has ended, or does not answer. The text is for people."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs until Ctrl-C or until one of the processes ends; the exit status."""
    parser = argparse.ArgumentParser(prog="make ui", description="Dagster's webserver and daemon over the data home.")
    parser.add_argument("--port", type=int, default=0, help=f"loopback port; {DEFAULT_PORT} or a free one by default")
    arguments = parser.parse_args(argv)
    folder = prepare_dagster_home(Settings.load())
    port = arguments.port or free_port(DEFAULT_PORT)
    with contextlib.ExitStack() as stack:
        for number in (signal.SIGINT, signal.SIGTERM):
            # SIGINT as well: a script's background job starts with it ignored, and so would all that we start.
            stack.callback(signal.signal, number, signal.signal(number, _interrupt))
        # Paths of sockets have some hundred characters at most; a data home's may be longer.
        socket_path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="depcodex-"))) / "code"
        try:
            _serve(stack, folder, port, socket_path)
        except _EndedError as error:
            print(f"ui: {error}", file=sys.stderr)
            return 3
        except KeyboardInterrupt:
            print("\nDagster is stopping", flush=True)
    return 0


def _serve(stack: contextlib.ExitStack, folder: Path, port: int, socket_path: Path) -> None:
    """Starts the three and watches them. Raises _EndedError when one is gone."""
    processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(name: str, *command: str) -> None:
        processes[name] = stack.enter_context(_running(command, folder / f"{name}.log"))

    def wait_for(what: str, is_there: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not is_there():
            _check(processes, folder)
            if time.monotonic() > deadline:
                raise _EndedError(f"the {what} does not answer; see {folder / what}.log")
            time.sleep(0.2)

    print(f"Dagster is starting; its logs are in {folder}", flush=True)
    code = ("-m", "depcodex_pipelines.definitions", "--socket", str(socket_path), "--location-name", "depcodex")
    start("code-server", "dagster", "api", "grpc", *code, "--use-python-environment-entry-point")
    wait_for("code-server", socket_path.exists)
    workspace = socket_path.with_name("workspace.yaml")
    workspace.write_text(_WORKSPACE.format(socket=socket_path), encoding="utf-8")
    start("webserver", "dagster-webserver", "-h", HOST, "-p", str(port), "-w", str(workspace))
    start("daemon", "dagster-daemon", "run", "-w", str(workspace))
    url = f"http://{HOST}:{port}"
    wait_for("webserver", lambda: _answers(url))
    print(f"Dagster answers at {url} (Ctrl-C stops it)", flush=True)
    while True:
        _check(processes, folder)
        time.sleep(0.5)


def free_port(wanted: int) -> int:
    """``wanted`` where nothing listens on it, else any free loopback port.

    Raises:
        UsageError: no port can be had at all.
    """
    for port in (wanted, 0):
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise UsageError("ui: no free port on loopback")


@contextlib.contextmanager
def _running(command: Sequence[str], log_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    program = Path(sys.executable).with_name(command[0])
    with log_path.open("wb") as log:
        # Its own process group: Ctrl-C reaches us alone, and we stop it together with the runs that it started.
        process = subprocess.Popen(
            [str(program), *command[1:]], stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            yield process
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Asks the process to end, then ends what is left of its group."""
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _check(processes: dict[str, subprocess.Popen[bytes]], folder: Path) -> None:
    for name, process in processes.items():
        if process.poll() is not None:
            raise _EndedError(f"the {name} ended with {process.returncode}; see {folder / name}.log")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/server_info", timeout=2):  # noqa: S310  # our own loopback address
            return True
    except (urllib.error.URLError, OSError):
        return False


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
