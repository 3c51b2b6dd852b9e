"""The webserver and the daemon over the data home: what `make ui` starts.

Here: starting both on loopback, saying where, and stopping both together. Not here: what they load (workspace.yaml,
depcodex_pipelines.definitions).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from depcodex.errors import UsageError
from depcodex.settings import Settings
from depcodex_pipelines.instance import prepare_dagster_home

HOST = "127.0.0.1"
DEFAULT_PORT = 3000
_DEFINITIONS = "depcodex_pipelines.definitions"
# Both load the code location: some 15 s each on a slow machine.
_START_SECONDS = 180.0
_STOP_SECONDS = 20.0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs until Ctrl-C or until one of the two ends; the exit status."""
    parser = argparse.ArgumentParser(prog="make ui", description="Dagster's webserver and daemon over the data home.")
    parser.add_argument("--port", type=int, default=0, help=f"loopback port; {DEFAULT_PORT} or a free one by default")
    parser.add_argument("--workspace", type=Path, default=Path("workspace.yaml"), help="Dagster workspace file")
    arguments = parser.parse_args(argv)
    settings = Settings.load()
    folder = prepare_dagster_home(settings)
    port = arguments.port or free_port(DEFAULT_PORT)
    location = ["-w", str(arguments.workspace)] if arguments.workspace.is_file() else ["-m", _DEFINITIONS]
    commands = {
        "webserver": ["dagster-webserver", "-h", HOST, "-p", str(port), *location],
        "daemon": ["dagster-daemon", "run", *location],
    }
    with contextlib.ExitStack() as stack:
        stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, _interrupt))
        processes = {name: stack.enter_context(_running(name, command, folder)) for name, command in commands.items()}
        url = f"http://{HOST}:{port}"
        print(f"Dagster is starting; its logs are in {folder}", flush=True)
        try:
            if not _answers(url, processes):
                return _ended(processes, folder)
            print(f"Dagster answers at {url} (Ctrl-C stops it)", flush=True)
            while all(process.poll() is None for process in processes.values()):
                time.sleep(0.5)
            return _ended(processes, folder)
        except KeyboardInterrupt:
            print("\nDagster is stopping", flush=True)
            return 0


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
def _running(name: str, command: Sequence[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    program = Path(sys.executable).with_name(command[0])
    log = (folder / f"{name}.log").open("wb")
    # Its own process group: Ctrl-C reaches us alone, and we stop it together with the code server it started.
    process = subprocess.Popen(
        [str(program), *command[1:]], stdout=log, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        yield process
    finally:
        _stop(process)
        log.close()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Asks the process to end, and ends its whole group when it does not in time."""
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _answers(url: str, processes: dict[str, subprocess.Popen[bytes]]) -> bool:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and all(process.poll() is None for process in processes.values()):
        try:
            with urllib.request.urlopen(f"{url}/server_info", timeout=2):  # noqa: S310  # our own loopback address
                return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    return False


def _ended(processes: dict[str, subprocess.Popen[bytes]], folder: Path) -> int:
    for name, process in processes.items():
        if process.poll() is not None:
            print(f"ui: the {name} ended with {process.returncode}; see {folder / (name + '.log')}", file=sys.stderr)
            return 3
    print(f"ui: the webserver does not answer; see {folder / 'webserver.log'}", file=sys.stderr)
    return 3


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
