"""Fetches Go module zips with the go command, as the user has set it up; nothing is built and nothing is run.

Here: starting ``go mod download``, its silence, and what its answers mean. Not here: reading the zips (golang_archive).

Spec: ``go help mod download``; the Go modules reference, "Environment variables". One call brings many modules into a
module cache of its own inside the harvest's private folder; GOPROXY, GOPRIVATE, GONOSUMDB, GOAUTH and netrc are the
user's, so mirrors and private modules work, and the checksum database is asked as they say.
"""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depcodex.errors import DepcodexError, DigestMismatchError, FetchError, SourceNotFoundError
from depcodex.lockfiles.go_modules import module_path
from depcodex_assets.ecosystems.golang_archive import module_hash
from depcodex_assets.ecosystems.interface import Fetched, HarvestParameters, HarvestRequest

# One call asks for so many: its answers come when all are there, and what it unpacks lies on the disk until then.
MODULES_A_CALL = 40
_READ_BYTES = 64 * 1024
_MAX_OUTPUT_BYTES = 32 * 1024 * 1024
# What the go command says, by its meaning; the first that fits. Its texts are of Go 1.21 to 1.26.
_ERRORS = (
    (re.compile(r"checksum mismatch|SECURITY ERROR"), "digest"),
    # `git` or another tool that is missing, before anything else is "not found".
    (re.compile(r"executable file not found"), ""),
    (
        re.compile(
            r"40[34] (?:Not Found|Forbidden)|410 Gone|no such file or directory|unknown revision|invalid version"
            r"|not found|no matching versions|malformed module path"
        ),
        "none",
    ),
    (re.compile(r"401 Unauth|407 Proxy|could not read (?:User|Pass)|terminal prompts|Authentication failed"), "login"),
    (re.compile(r"GOPROXY=off|module lookup disabled"), "off"),
)


@dataclass(frozen=True)
class GoFetcher:
    """A Fetcher that asks the go command.

    Attributes:
        command: the go command.
        environment: further variables for it, over the process's own.
    """

    command: str = "go"
    environment: tuple[tuple[str, str], ...] = ()

    def fetch(
        self, requests: Sequence[HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Generator[Fetched, None, None]:
        """One ``Fetched`` for each request; a call serves ``MODULES_A_CALL`` of them."""
        unverifiable = _Unverified.of(self._settings(folder))
        for start in range(0, len(requests), MODULES_A_CALL):
            batch = requests[start : start + MODULES_A_CALL]
            own = folder / str(start)
            own.mkdir(mode=0o700)
            waiting = {f"{_path(each)}@{each.coordinate.version}": each for each in batch}
            lost: DepcodexError = FetchError("the go command ended before it had answered")
            try:
                for answer in self._answers(list(waiting), own, parameters):
                    request = waiting.pop(f"{answer.get('Path')}@{answer.get('Version')}", None)
                    if request is not None:
                        yield _fetched(request, answer, own, parameters, unverifiable)
            except FetchError as error:
                lost = error
            for request in waiting.values():
                yield Fetched(request.coordinate, error=lost)
            # What the go command has unpacked beside the zips is of no use to us.
            shutil.rmtree(own, ignore_errors=True)

    def _answers(self, modules: Sequence[str], folder: Path, parameters: HarvestParameters) -> Iterator[dict[str, Any]]:
        # -x tells of every request on the error output: the sign of life.
        command = [self.command, "mod", "download", "-x", "-json", *modules]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=self._environment(folder),
                start_new_session=True,
            )
        except OSError as error:
            raise FetchError(f"the go command cannot be started ({type(error).__name__})") from error
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            output = _output(process.stdout.fileno(), process.stderr.fileno(), parameters.silence_seconds)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()
            process.stderr.close()
        yield from _objects(output)

    def _environment(self, folder: Path) -> dict[str, str]:
        environ = {**os.environ, **dict(self.environment)}
        flags = [
            each for each in environ.get("GOFLAGS", "").split() if not each.lstrip("-").startswith(("mod=", "modfile="))
        ]
        return {
            **environ,
            # The folder has to go when it was read: -modcacherw leaves it writable.
            "GOFLAGS": " ".join([*flags, "-modcacherw"]),
            "GOMODCACHE": str(folder / "cache"),
            "GOPATH": str(folder / "path"),
            "GOCACHE": str(folder / "build"),
            "TMPDIR": str(folder),
            "GO111MODULE": "on",
            "GOWORK": "off",
            "GOTOOLCHAIN": "local",
            "GIT_TERMINAL_PROMPT": "0",
        }

    def _settings(self, folder: Path) -> Mapping[str, str]:
        """GOSUMDB, GONOSUMDB and GOINSECURE as the go command understands them; empty where it cannot say."""
        try:
            answer = subprocess.run(
                [self.command, "env", "-json", "GOSUMDB", "GONOSUMDB", "GONOSUMCHECK", "GOFLAGS"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=folder,
                env={**os.environ, **dict(self.environment)},
                timeout=20,
                check=False,
            )
            stated = json.loads(answer.stdout)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return {"GOSUMDB": "off"}
        return {key: str(value) for key, value in stated.items()} if isinstance(stated, dict) else {"GOSUMDB": "off"}


@dataclass(frozen=True)
class _Unverified:
    """For which modules the go command asks no checksum database."""

    is_all: bool
    patterns: tuple[str, ...]

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> _Unverified:
        is_all = settings.get("GOSUMDB") == "off" or settings.get("GONOSUMCHECK") == "1"
        is_all = is_all or "-insecure" in settings.get("GOFLAGS", "")
        return cls(is_all, tuple(filter(None, settings.get("GONOSUMDB", "").split(","))))

    def covers(self, path: str) -> bool:
        """A pattern covers a path when it fits as many of its leading elements as it has itself."""
        return self.is_all or any(
            fnmatch.fnmatchcase("/".join(path.split("/")[: each.count("/") + 1]), each.rstrip("/"))
            for each in self.patterns
        )


def _path(request: HarvestRequest) -> str:
    return module_path(request.coordinate, request.spelling)


def _output(stdout: int, stderr: int, silence_seconds: float) -> bytes:
    """All that a process writes on ``stdout``, as long as either of its outputs goes on.

    Raises:
        FetchError: both were silent for too long, or it wrote more than any answer has.
    """
    chunks: list[bytes] = []
    size_bytes = 0
    with selectors.DefaultSelector() as selector:
        for descriptor in (stdout, stderr):
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(silence_seconds)
            if not ready:
                raise FetchError(f"the go command showed no sign of life for {silence_seconds:.0f} s")
            for key, _ in ready:
                data = os.read(key.fd, _READ_BYTES)
                if not data:
                    selector.unregister(key.fd)
                elif key.fd == stdout:
                    chunks.append(data)
                    size_bytes += len(data)
                    if size_bytes > _MAX_OUTPUT_BYTES:
                        raise FetchError("the go command wrote more than an answer can be")
    return b"".join(chunks)


def _objects(output: bytes) -> Iterator[dict[str, Any]]:
    """The JSON objects of a text, one after the other, until something else comes."""
    text = output.decode("utf-8", "replace").strip()
    decoder = json.JSONDecoder()
    while text:
        try:
            value, end = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            yield value
        text = text[end:].lstrip()


def _fetched(
    request: HarvestRequest,
    answer: Mapping[str, Any],
    folder: Path,
    parameters: HarvestParameters,
    unverified: _Unverified,
) -> Fetched:
    coordinate = request.coordinate
    zip_text = answer.get("Zip")
    if answer.get("Error") or not isinstance(zip_text, str):
        return Fetched(coordinate, error=_error(request, str(answer.get("Error", ""))))
    archive = Path(zip_text)
    if not archive.resolve().is_relative_to(folder.resolve()):
        return Fetched(coordinate, error=FetchError(f"{coordinate}: the go command put it elsewhere"))
    wanted = [each for each in request.digests if each.startswith("h1:")]
    try:
        got = module_hash(archive, parameters.limits)
        with archive.open("rb") as file:
            digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except DepcodexError as error:
        return Fetched(coordinate, error=error)
    except OSError as error:
        return Fetched(coordinate, error=FetchError(f"{coordinate}: cannot be read ({type(error).__name__})"))
    if wanted and got not in wanted:
        return Fetched(coordinate, error=DigestMismatchError(coordinate.purl, " or ".join(wanted), got))
    # Without a lock's digest the go command has held it against the checksum database, unless it was told not to.
    is_verified = bool(wanted) or (got == answer.get("Sum") and not unverified.covers(_path(request)))
    return Fetched(coordinate, archive, archive.name, digest, is_verified)


def _error(request: HarvestRequest, text: str) -> DepcodexError:
    """Our words for the go command's; its own may hold a server's and go nowhere."""
    coordinate = request.coordinate
    meaning = next((name for pattern, name in _ERRORS if pattern.search(text)), "")
    match meaning:
        case "digest":
            wanted = " or ".join(request.digests) or "the checksum database's"
            return DigestMismatchError(coordinate.purl, wanted, "another")
        case "none":
            return SourceNotFoundError(f"{coordinate}: no proxy or repository has this version")
        case "login":
            return FetchError(f"{coordinate}: the proxy or repository wants credentials")
        case "off":
            return FetchError(f"{coordinate}: GOPROXY forbids to fetch it")
        case _:
            return FetchError(f"{coordinate}: the go command could not bring it")
