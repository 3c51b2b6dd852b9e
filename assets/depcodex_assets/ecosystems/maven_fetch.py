"""Brings jars with Maven, as the user has set it up.

Here: the mvn process, its repository folders, which coordinates need a second call, digests. Not here: the generated
build (maven_build), reading jars (maven_archive).

The user's settings.xml decides mirrors, proxies and credentials. The user's local repository is not written: mvn gets
one in the work folder, begun with a copy of the plugin's own files, which are kept from one harvest to the next
(``maven-tools`` in the work folder; nothing of any library is in it). Two calls serve a batch: one for the sources
jars, one for the main jars of what has none.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex.errors import DepcodexError, DigestMismatchError, FetchError, SourceNotFoundError
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import Fetched, HarvestParameters, HarvestRequest
from depcodex_assets.ecosystems.maven_archive import (
    CLASSES_ENDING,
    SOURCES_ENDING,
    JarUse,
    jar_use,
    module_root_error,
)
from depcodex_assets.ecosystems.maven_build import (
    CLASSES,
    SOURCES,
    THREAD_COUNT,
    Wish,
    brought,
    failures,
    is_nameable,
    was_refused,
    write_build,
)
from depcodex_assets.ecosystems.maven_cached import file_digest, is_one_of
from depcodex_assets.ecosystems.maven_process import output_lines

_TOOLS = "maven-tools"


class _BrokenError(FetchError):
    """mvn failed as a whole, for none of the coordinates."""


@dataclass(frozen=True)
class MavenFetcher:
    """A Fetcher that asks mvn.

    Attributes:
        command: what starts Maven.
        environment: further variables for it, over the process's own.
    """

    command: tuple[str, ...] = ("mvn",)
    environment: tuple[tuple[str, str], ...] = ()

    def fetch(
        self, requests: Sequence[HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Generator[Fetched, None, None]:
        """One ``Fetched`` for each request; sources first, then classes and what is not to be had."""
        waiting: dict[int, HarvestRequest] = {}
        for number, request in enumerate(requests):
            if is_nameable(request.coordinate):
                waiting[number] = request
            else:
                said = f"{request.coordinate}: no registry has a library of such a name"
                yield Fetched(request.coordinate, error=SourceNotFoundError(said))
        if not waiting:
            return
        run = _Run(self, folder, parameters)
        try:
            run.prepare()
            errors = run.bring(SOURCES, {number: request.coordinate for number, request in waiting.items()})
        except FetchError as problem:
            for request in waiting.values():
                yield Fetched(request.coordinate, error=FetchError(f"{request.coordinate}: {problem}"))
            return
        # Sources of a module that may have no classes wait until it is known whether it has.
        common: dict[int, Path] = {}
        for number, request in list(waiting.items()):
            answer: Fetched | None = None
            if number in errors:
                answer = Fetched(request.coordinate, error=errors[number])
            else:
                jar = brought(run.place(SOURCES), number)
                use = _use(jar, request, parameters.limits)
                if isinstance(use, DepcodexError):
                    answer = Fetched(request.coordinate, error=use)
                elif use is JarUse.SOURCES and jar is not None:
                    answer = run.fetched(request, jar, SOURCES_ENDING)
                elif use is JarUse.COMMON and jar is not None:
                    common[number] = jar
                elif jar is None and was_refused(run.repository, request.coordinate, SOURCES_ENDING):
                    said = f"{request.coordinate}: the registry did not answer for its sources"
                    answer = Fetched(request.coordinate, error=FetchError(said))
            if answer is not None:
                del waiting[number]
                yield answer
        if not waiting:
            return
        try:
            errors = run.bring(CLASSES, {number: request.coordinate for number, request in waiting.items()})
        except FetchError as problem:
            errors = {number: FetchError(f"{request.coordinate}: {problem}") for number, request in waiting.items()}
        for number, request in waiting.items():
            yield run.without_sources(request, number, common.get(number), errors.get(number))


def _use(jar: Path | None, request: HarvestRequest, limits: Limits) -> JarUse | DepcodexError:
    """What a jar is good for, or why it is refused."""
    if jar is None:
        return JarUse.NOTHING
    try:
        return jar_use(jar, request.coordinate.name, limits)
    except DepcodexError as error:
        return error


@dataclass(frozen=True)
class _Run:
    """One batch: its folders and its calls."""

    fetcher: MavenFetcher
    folder: Path
    parameters: HarvestParameters

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    def place(self, wish: Wish) -> Path:
        return self.folder / (wish.classifier or "main")

    def prepare(self) -> None:
        """The repository for this batch, with the plugin in it.

        Raises:
            FetchError: mvn is missing, or cannot bring its plugin.
        """
        with self._tools() as kept:
            if not kept.is_dir():
                place = self.folder / "tools"
                place.mkdir(mode=0o700)
                part = self.folder / "tools-repository"
                self._mvn(place, SOURCES, {}, part)
                part.rename(kept)
            shutil.copytree(kept, self.repository)

    @contextlib.contextmanager
    def _tools(self) -> Iterator[Path]:
        """Where the plugin's own files are kept, for one process at a time."""
        tools = self.parameters.work_folder / _TOOLS
        tools.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(tools / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield tools / "repository"
        finally:
            os.close(descriptor)

    def bring(self, wish: Wish, coordinates: Mapping[int, Coordinate]) -> dict[int, DepcodexError]:
        """Call mvn once; what could not be brought, by number.

        Raises:
            FetchError: mvn was ended, or failed as a whole.
        """
        place = self.place(wish)
        place.mkdir(mode=0o700)
        try:
            return self._mvn(place, wish, coordinates, self.repository)
        except _BrokenError:
            # The plugin's files that were kept may be what is wrong; the next try begins without them.
            with self._tools() as kept:
                shutil.rmtree(kept, ignore_errors=True)
            raise

    def _mvn(
        self, place: Path, wish: Wish, coordinates: Mapping[int, Coordinate], repository: Path
    ) -> dict[int, DepcodexError]:
        pom = write_build(place, coordinates, wish)
        command = [
            *self.fetcher.command,
            *("-B", "-V", "-fae", "-T", str(THREAD_COUNT), "-Dstyle.color=never"),
            *("-f", str(pom), f"-Dmaven.repo.local={repository}", f"-Djava.io.tmpdir={self.folder}"),
            *wish.arguments,
        ]
        status = ""
        errors: list[str] = []
        for line in output_lines(command, place, self._environment(), self.parameters.silence_seconds):
            status = line
            if line.startswith("[ERROR]"):
                errors.append(line)
        found = failures(errors, coordinates)
        if status != "0" and not found:
            raise _BrokenError("mvn failed before it had asked for any library")
        return found

    def _environment(self) -> dict[str, str]:
        return {**os.environ, **dict(self.fetcher.environment), "LC_ALL": "C.UTF-8", "TMPDIR": str(self.folder)}

    def fetched(self, request: HarvestRequest, jar: Path, ending: str) -> Fetched:
        """The jar under its name in the registry, held against the digests of lock and registry."""
        coordinate = request.coordinate
        name = f"{coordinate.name}-{coordinate.version}{ending}"
        digest = file_digest(jar, "sha256")
        registered = self._registered(coordinate, ending)
        if registered and file_digest(jar, "sha1") != f"sha1:{registered}":
            got = file_digest(jar, "sha1")
            return Fetched(coordinate, error=DigestMismatchError(coordinate.purl, f"sha1:{registered}", got))
        is_named = is_one_of(jar, request.digests)
        if request.digests and not is_named and ending == CLASSES_ENDING:
            count = len(request.digests)
            expected = request.digests[0] if count == 1 else f"one of {count} in the lock"
            return Fetched(coordinate, error=DigestMismatchError(coordinate.purl, expected, digest))
        return Fetched(coordinate, jar, name, digest, is_verified=is_named or bool(registered))

    def _registered(self, coordinate: Coordinate, ending: str) -> str:
        """The sha1 that the registry gave beside the jar; "" where it gave none."""
        from depcodex.lockfiles.jvm_caches import JvmCaches

        caches = JvmCaches(self.repository, self.folder / "none")
        found = caches.files(coordinate.namespace, coordinate.name, coordinate.version, ending)
        return next((each.sha1 for each in found), "")

    def without_sources(
        self, request: HarvestRequest, number: int, common: Path | None, error: DepcodexError | None
    ) -> Fetched:
        """What becomes of a request that the first call brought no certain sources for."""
        coordinate = request.coordinate
        # Its pom was there, or the first call would have failed: what is missing now is the jar.
        if error is not None and not isinstance(error, SourceNotFoundError):
            return Fetched(coordinate, error=error)
        jar = brought(self.place(CLASSES), number)
        use = _use(jar, request, self.parameters.limits)
        if isinstance(use, DepcodexError):
            return Fetched(coordinate, error=use)
        has_classes = use is JarUse.CLASSES and jar is not None
        if common is not None:
            if has_classes:
                return self.fetched(request, common, SOURCES_ENDING)
            return Fetched(coordinate, error=module_root_error(coordinate))
        if jar is not None and has_classes:
            return self.fetched(request, jar, CLASSES_ENDING)
        problem = "the registry has neither sources nor classes of it"
        return Fetched(coordinate, error=SourceNotFoundError(f"{coordinate}: {problem}"))
