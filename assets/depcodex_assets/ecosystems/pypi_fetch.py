"""Fetches Python release files with pip, as the user has set it up; nothing is built and nothing is run.

Here: starting pip in a process of its own, its time-outs, and what its answers mean. Not here: pip's internals
(depcodex_assets.ecosystems.pip_finder), reading the archives (pypi_archive).

Why not `pip download` alone: for a source distribution it runs the package's build backend to learn its metadata. Its
finder and its session do not (docs/adr/0011-fetch-sdists-without-building.md). Where a pip has other internals than we
know, wheels still come by `pip download --only-binary :all:`.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depcodex.coordinates import Coordinate
from depcodex.errors import (
    ArchiveLimitError,
    DepcodexError,
    DigestMismatchError,
    FetchError,
    SourceNotFoundError,
    StoreFullError,
)
from depcodex_assets.ecosystems import pip_finder
from depcodex_assets.ecosystems.interface import Fetched, HarvestParameters, HarvestRequest

_MAX_DETAIL_CHARACTERS = 120
# What a user may have told pip to install, and where: no wish of this process.
_OTHER_WISHES = frozenset(
    {"PIP_PYTHON", "PIP_REQUIREMENT", "PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT", "PIP_REQUIRE_HASHES"}
)
_MAX_LINE_BYTES = 64 * 1024


@dataclass(frozen=True)
class PipFetcher:
    """A Fetcher that asks pip.

    Attributes:
        python: the interpreter whose pip and pip configuration serve; the running one by default.
        environment: further variables for pip (``PIP_…``), over the process's own.
    """

    python: str = sys.executable
    environment: tuple[tuple[str, str], ...] = ()

    def fetch(
        self, requests: Sequence[HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Generator[Fetched, None, None]:
        """One ``Fetched`` for each request, as they come; one pip process serves them all."""
        waiting = {str(number): request for number, request in enumerate(requests)}
        if not waiting:
            return
        lost = FetchError("pip ended before it had answered")
        for answer in self._answers(waiting, folder, parameters):
            if "fatal" in answer:
                if answer["fatal"] == "unsupported":
                    for number in list(waiting):
                        request = waiting.pop(number)
                        yield self._fetched_by_command(request, folder / number, parameters)
                    return
                lost = FetchError(f"pip: {_screened(answer.get('detail'))}")
                break
            request_or_none = waiting.pop(str(answer.get("id")), None)
            if request_or_none is not None:
                yield _fetched(request_or_none, answer)
        for request in waiting.values():
            yield Fetched(request.coordinate, error=lost)

    def _answers(
        self, waiting: dict[str, HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Iterator[dict[str, Any]]:
        wish = {
            "folder": str(folder),
            "max_bytes": parameters.limits.max_archive_bytes,
            "python_version": parameters.python_version,
            "platforms": list(parameters.platforms),
            "requests": [
                {
                    "id": number,
                    "name": request.coordinate.name,
                    "version": request.coordinate.version,
                    "digests": [each.removeprefix("sha256:") for each in request.digests],
                }
                for number, request in waiting.items()
            ],
        }
        # -P: the script's own folder is no place to import from.
        command = [self.python, "-P", str(Path(pip_finder.__file__))]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env=self._environment(folder),
                start_new_session=True,
            )
        except OSError as error:
            yield {"fatal": "missing", "detail": f"the interpreter cannot be started ({type(error).__name__})"}
            return
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(json.dumps(wish).encode())
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            yield from _lines(process.stdout.fileno(), parameters.silence_seconds)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stdout is not None:
                process.stdout.close()

    def _environment(self, folder: Path) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in _OTHER_WISHES}
        return {
            **kept,
            **dict(self.environment),
            "PIP_NO_INPUT": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "TMPDIR": str(folder),
        }

    def _fetched_by_command(self, request: HarvestRequest, folder: Path, parameters: HarvestParameters) -> Fetched:
        """The same by pip's command line, which never touches a source distribution when told `--only-binary :all:`."""
        coordinate = request.coordinate
        folder.mkdir(mode=0o700)
        command = [self.python, "-P", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "-d", str(folder)]
        command += ["--no-build-isolation", "--progress-bar", "off", "--ignore-requires-python"]
        if parameters.python_version:
            command += ["--python-version", parameters.python_version]
        for platform in parameters.platforms:
            command += ["--platform", platform]
        command.append(f"{coordinate.name}=={coordinate.version}")
        try:
            finished = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=folder,
                env=self._environment(folder),
                timeout=parameters.silence_seconds * 5,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Fetched(coordinate, error=FetchError(f"{coordinate}: pip did not end in time"))
        wheels = sorted(folder.glob("*.whl"))
        if finished.returncode or not wheels:
            return Fetched(coordinate, error=_command_error(coordinate, finished.stderr))
        with wheels[0].open("rb") as file:
            digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
        if request.digests and digest not in request.digests:
            return Fetched(coordinate, error=_digest_error(request, digest))
        return Fetched(coordinate, wheels[0], wheels[0].name, digest, is_verified=bool(request.digests))


def _lines(descriptor: int, silence_seconds: float) -> Iterator[dict[str, Any]]:
    """The JSON objects that a process writes, until it closes its end or is silent for too long."""
    buffer = b""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if not selector.select(silence_seconds):
                yield {"fatal": "silent", "detail": f"no sign of life for {silence_seconds:.0f} s"}
                return
            data = os.read(descriptor, _MAX_LINE_BYTES)
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                with contextlib.suppress(ValueError):
                    answer = json.loads(line)
                    if isinstance(answer, dict) and "progress" not in answer:
                        yield answer


def _fetched(request: HarvestRequest, answer: dict[str, Any]) -> Fetched:
    coordinate = request.coordinate
    if "error" in answer:
        return Fetched(coordinate, error=_error(request, str(answer["error"]), _screened(answer.get("detail"))))
    return Fetched(
        coordinate=coordinate,
        archive=Path(answer["file"]),
        file_name=str(answer["file_name"]),
        digest=f"sha256:{answer['sha256']}",
        is_verified=bool(answer["is_verified"]),
        released_on=str(answer["released_on"]),
        is_yanked=bool(answer["is_yanked"]),
    )


def _error(request: HarvestRequest, kind: str, detail: str) -> DepcodexError:
    coordinate = request.coordinate
    match kind:
        case "no_source":
            return SourceNotFoundError(f"{coordinate}: {detail}")
        case "digest":
            return _digest_error(request, f"sha256:{detail}")
        case "size":
            return ArchiveLimitError(coordinate.purl, "archive", detail)
        case "full":
            return StoreFullError(f"{coordinate}: {detail}")
    return FetchError(f"{coordinate}: {detail}")


def _digest_error(request: HarvestRequest, got: str) -> DigestMismatchError:
    expected = request.digests[0] if len(request.digests) == 1 else f"one of {len(request.digests)} in the lock"
    return DigestMismatchError(request.coordinate.purl, expected, got)


def _command_error(coordinate: Coordinate, stderr: bytes) -> DepcodexError:
    """What pip's messages on stderr mean; they are matched, never passed on."""
    if os.strerror(errno.ENOSPC).encode() in stderr:
        return StoreFullError(f"{coordinate}: no space left on the disk")
    if b"No module named pip" in stderr:
        return FetchError(f"{coordinate}: pip is not installed for this interpreter")
    was_unreachable = any(mark in stderr for mark in (b"Retrying (", b"connection broken", b"SSLError", b"ProxyError"))
    if b"No matching distribution found" in stderr and not was_unreachable:
        return SourceNotFoundError(f"{coordinate}: the registry has no wheel of this version")
    return FetchError(f"{coordinate}: pip could not bring it")


def _screened(text: object) -> str:
    """One short printable line."""
    line = " ".join(str(text or "").split())
    return "".join(each for each in line if each.isprintable())[:_MAX_DETAIL_CHARACTERS]
