"""Fetches npm tarballs with ``npm pack``, as the user has set it up; no script of any package is run.

Here: starting npm, its time-outs, and what its answers mean. Not here: reading the archives (npm_archive), npm's cache
(npm_cache).

npm is run in an empty folder, so that no project's ``.npmrc`` can lead it to another registry: what one project brings
is what all get. Names and versions are held against npm's own rules first: ``npm pack`` would take a folder, a git
address or a URL as well. npm holds every tarball against the registry's integrity, and we against the lock's.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import time
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
from depcodex_assets.ecosystems.interface import Fetched, HarvestParameters, HarvestRequest
from depcodex_assets.ecosystems.npm_archive import package_name
from depcodex_assets.ecosystems.npm_cache import NpmCache, Published

# One npm start costs half a second, and a call's tarballs lie on the disk together until they are read.
MAX_SPECS_PER_CALL = 30
_NAME = re.compile(r"(?:@[A-Za-z0-9~-][\w.~-]*/)?[A-Za-z0-9~_-][\w.~!'()*-]*")
_VERSION = re.compile(r"\d{1,16}\.\d{1,16}\.\d{1,16}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
# npm's error codes that another try answers in the same way.
_MISSING = frozenset({"E404", "ETARGET", "ENOVERSIONS", "E410", "E451"})
# Codes that tell of the way to the registry and not of one package.
_UNREACHABLE = frozenset(
    {
        "ECONNREFUSED",
        "ECONNRESET",
        "ENOTFOUND",
        "EAI_AGAIN",
        "ETIMEDOUT",
        "ERR_SOCKET_TIMEOUT",
        "ENETUNREACH",
        "E401",
        "E403",
    }
)
_MAX_OUTPUT_BYTES = 64 * 1024 * 1024
_CODE = re.compile(r"[A-Z0-9_]{2,40}")
_WATCH_SECONDS = 1.0


@dataclass(frozen=True)
class NpmFetcher:
    """A Fetcher that asks npm.

    Attributes:
        npm: the program.
        environment: further variables for npm (``npm_config_…``), over the process's own.
    """

    npm: str = "npm"
    environment: tuple[tuple[str, str], ...] = ()

    def fetch(
        self, requests: Sequence[HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Generator[Fetched, None, None]:
        """One ``Fetched`` for each request, as calls end; a version that the registry lacks costs a second call."""
        askable: list[HarvestRequest] = []
        for request in requests:
            if _is_askable(request.coordinate):
                askable.append(request)
            else:
                yield _failed(request, SourceNotFoundError(f"{request.coordinate}: no name or version of npm's"))
        waiting = _calls(askable)
        count = 0
        cache: NpmCache | None = None
        while waiting:
            call = waiting.pop(0)
            place = folder / str(count)
            count += 1
            place.mkdir(mode=0o700)
            answer = self._pack(call, place, parameters)
            if answer.packed is None:
                again = yield from _refused(call, answer)
                waiting = [*again, *waiting]
            else:
                cache = cache or NpmCache(dict(self.environment_settings()) or None)
                for request in call:
                    published = cache.published(request.coordinate)
                    yield _fetched(request, answer.packed, place, parameters, published)
            shutil.rmtree(place, ignore_errors=True)

    def environment_settings(self) -> Iterator[tuple[str, str]]:
        """npm's settings that ``environment`` makes, by their own names."""
        for name, value in self.environment:
            if name.startswith("npm_config_"):
                yield name.removeprefix("npm_config_"), value

    def _pack(self, call: Sequence[HarvestRequest], place: Path, parameters: HarvestParameters) -> _Answer:
        command = [self.npm, "pack", "--json", "--ignore-scripts", f"--pack-destination={place}", "--loglevel=http"]
        command += ["--no-update-notifier", "--no-audit", "--no-fund", "--logs-max=0", "--no-progress", "--no-color"]
        command += ["--", *(f"{package_name(each.coordinate)}@{each.coordinate.version}" for each in call)]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=place,
                env={**os.environ, **dict(self.environment), "TMPDIR": str(place)},
                start_new_session=True,
            )
        except OSError as error:
            return _Answer(None, "ENOENT", f"npm cannot be started ({type(error).__name__})")
        try:
            output = _output(process, place, parameters.silence_seconds)
            if output is None:
                return _Answer(None, "ESILENT", f"no sign of life for {parameters.silence_seconds:.0f} s")
            status = process.wait(timeout=parameters.silence_seconds)
        except subprocess.TimeoutExpired:
            return _Answer(None, "ESILENT", "npm did not end")
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
        return _answer_of(output, status)


@dataclass(frozen=True)
class _Answer:
    """What one call of npm ended with: its packed tarballs by ``name@version``, or an error's code and words."""

    packed: dict[str, dict[str, Any]] | None
    code: str = ""
    words: str = ""


def _is_askable(coordinate: Coordinate) -> bool:
    return bool(_NAME.fullmatch(package_name(coordinate)) and _VERSION.fullmatch(coordinate.version))


def _calls(requests: Sequence[HarvestRequest]) -> list[list[HarvestRequest]]:
    """Requests by call; two whose tarballs would have one file name (`@a/b-c`, `@a-b/c`) never share one."""
    calls: list[list[HarvestRequest]] = []
    names: list[set[str]] = []
    for request in requests:
        name = _file_name(request.coordinate)
        for call, taken in zip(calls[-3:], names[-3:], strict=True):
            if len(call) < MAX_SPECS_PER_CALL and name not in taken:
                call.append(request)
                taken.add(name)
                break
        else:
            calls.append([request])
            names.append({name})
    return calls


def _file_name(coordinate: Coordinate) -> str:
    """As npm flattens it: ``@scope/name`` becomes ``scope-name``."""
    return f"{package_name(coordinate).removeprefix('@').replace('/', '-')}-{coordinate.version}.tgz".lower()


def _output(process: subprocess.Popen[bytes], place: Path, silence_seconds: float) -> bytes | None:
    """All of stdout; None where for too long nothing was written, neither to a stream nor to the folder."""
    assert process.stdout is not None
    assert process.stderr is not None
    output = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stderr, selectors.EVENT_READ)
        seen_at, size_bytes = time.monotonic(), 0
        while selector.get_map():
            ready = selector.select(min(_WATCH_SECONDS, silence_seconds))
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if not data:
                    selector.unregister(key.fileobj)
                elif key.fileobj is process.stdout and len(output) < _MAX_OUTPUT_BYTES:
                    output += data
            now, present = time.monotonic(), _size_of(place)
            if ready or present != size_bytes:
                seen_at, size_bytes = now, present
            elif now - seen_at > silence_seconds:
                return None
    return bytes(output)


def _size_of(place: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir(place):
            total += entry.stat(follow_symlinks=False).st_size
    return total


def _answer_of(output: bytes, status: int) -> _Answer:
    try:
        value = json.loads(output or b"null")
    except (ValueError, RecursionError):
        return _Answer(None, "EOUTPUT", "npm's answer cannot be read")
    if status == 0 and isinstance(value, dict) and "error" not in value:
        # npm 12 names its tarballs by package.
        value = list(value.values())
    if status == 0 and isinstance(value, list):
        rows = [each for each in value if isinstance(each, dict)]
        return _Answer({f"{each.get('name')}@{each.get('version')}": each for each in rows})
    error = value.get("error") if isinstance(value, dict) else None
    if not isinstance(error, dict):
        return _Answer(None, "EUNKNOWN", f"npm ended with status {status}")
    words = f"{error.get('summary') or ''}\n{error.get('detail') or ''}"
    return _Answer(None, str(error.get("code") or "EUNKNOWN"), words)


def _refused(call: list[HarvestRequest], answer: _Answer) -> Generator[Fetched, None, list[list[HarvestRequest]]]:
    """Outcomes of a call that failed, and what is asked again: one package's trouble must not be the others'."""
    if len(call) == 1 or answer.code in _UNREACHABLE or answer.code in ("ENOENT", "ENOSPC", "ESILENT"):
        for request in call:
            yield _failed(request, _error_of(request.coordinate, answer))
        return []
    if answer.code in _MISSING:
        named = [each for each in call if _is_named(each.coordinate, answer.words)]
        if len(named) == 1:
            yield _failed(named[0], _error_of(named[0].coordinate, answer))
            return [[each for each in call if each is not named[0]]]
    half = len(call) // 2
    return [call[:half], call[half:]]


def _is_named(coordinate: Coordinate, words: str) -> bool:
    spec = re.escape(f"{package_name(coordinate)}@{coordinate.version}")
    return re.search(rf"(?<![\w@/.-]){spec}(?![\w+-]|\.\w)", words) is not None


def _error_of(coordinate: Coordinate, answer: _Answer) -> DepcodexError:
    """What npm's code means; its words may hold addresses and are never passed on."""
    if answer.code in _MISSING:
        return SourceNotFoundError(f"{coordinate}: the registry has no such version")
    if answer.code == "ENOSPC":
        return StoreFullError(f"{coordinate}: no space left on the disk")
    if answer.code in ("ENOENT", "ESILENT", "EOUTPUT", "EUNKNOWN"):
        return FetchError(
            f"{coordinate}: npm: {answer.words}" if "\n" not in answer.words else f"{coordinate}: npm failed"
        )
    shown = answer.code if _CODE.fullmatch(answer.code) else "an error"
    return FetchError(f"{coordinate}: npm could not bring it ({shown})")


def _failed(request: HarvestRequest, error: DepcodexError) -> Fetched:
    return Fetched(request.coordinate, error=error)


def _fetched(
    request: HarvestRequest,
    packed: dict[str, dict[str, Any]],
    place: Path,
    parameters: HarvestParameters,
    published: Published,
) -> Fetched:
    coordinate = request.coordinate
    row = packed.get(f"{package_name(coordinate)}@{coordinate.version}", {})
    name = row.get("filename")
    path = place / _file_name(coordinate)
    if isinstance(name, str) and (place / Path(name).name).is_file():
        path = place / Path(name).name
    if not path.is_file():
        return _failed(request, FetchError(f"{coordinate}: npm brought nothing"))
    limit = parameters.limits.max_archive_bytes
    if path.stat().st_size > limit:
        return _failed(
            request,
            ArchiveLimitError(coordinate.purl, "archive", f"{path.stat().st_size} bytes, expected at most {limit}"),
        )
    algorithms = {each.partition(":")[0] for each in request.digests} & hashlib.algorithms_guaranteed
    found = {each: _digest(path, each) for each in algorithms | {"sha256"} if not each.startswith("shake")}
    if request.digests and not set(request.digests) & set(found.values()):
        expected = request.digests[0] if len(request.digests) == 1 else f"one of {len(request.digests)} in the lock"
        got = found.get(request.digests[0].partition(":")[0], found["sha256"])
        return _failed(request, DigestMismatchError(coordinate.purl, expected, got))
    return Fetched(
        coordinate=coordinate,
        archive=path,
        file_name=path.name,
        digest=found["sha256"],
        # npm refuses a tarball that is not the one of the registry's integrity.
        is_verified=bool(request.digests) or bool(row.get("integrity")),
        is_yanked=published.is_deprecated,
    )


def _digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as file:
        return f"{algorithm}:{hashlib.file_digest(file, algorithm).hexdigest()}"
