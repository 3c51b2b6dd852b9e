"""Fetches crates with cargo, as the user has set it up; nothing is built and no build script is run.

Here: packages made up for cargo to fetch the dependencies of, its time-outs, and what its messages mean. Not here:
reading the archives (cargo_archive).

Cargo has no command that downloads one crate. ``cargo fetch`` downloads what a manifest resolves to, so a manifest is
made whose dependencies are exactly the wanted versions, without their default features, under a home of its own with
the user's configuration and credentials in it (registries, mirrors and proxies work as they do for the user). Two
versions that cargo would unify cannot stand in one manifest, nor two crates that link one native library: the wanted
ones are dealt out so that no two of a name share a manifest, and where cargo refuses one, it is halved until the
crates that cannot be had stand alone.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import signal
import subprocess
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex.errors import DepcodexError, DigestMismatchError, FetchError, SourceNotFoundError, StoreFullError
from depcodex_assets.ecosystems.cargo_local import cargo_home
from depcodex_assets.ecosystems.interface import Fetched, HarvestParameters, HarvestRequest

# What of a user's cargo home says where and as whom to fetch.
_CONFIGURATION = ("config.toml", "config", "credentials.toml", "credentials")
# More wanted versions in one manifest than this make a refusal dear.
_MAX_GROUP = 200
_MAX_MESSAGE_BYTES = 256 * 1024
_NAME_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,100}")
_VERSION_PATTERN = re.compile(r"[0-9A-Za-z.+-]{1,100}")
_SOURCE_PATTERN = re.compile(r'^source = "registry\+[^"\n]*"$', re.MULTILINE)
_MISSING_MARKS = (
    b"no matching package named",
    b"no matching package found",
    b"candidate versions found which didn't match",
    b"failed to select a version for the requirement",
    b"is yanked",
)
_NETWORK_MARKS = (b"spurious network error", b"failed to download", b"Couldn't resolve host", b"could not connect")
_CHECKSUM_MARK = b"failed to verify the checksum of"
# As many groups in a row that brought nothing for want of a connection are enough.
_MAX_UNREACHED = 3
# Longest wait for one call of cargo, in multiples of the silence that a client may keep.
_PATIENCE = 5


@dataclass(frozen=True)
class CargoFetcher:
    """A Fetcher that asks cargo.

    Attributes:
        cargo: the command.
        environment: further variables for cargo, over the process's own.
    """

    cargo: str = "cargo"
    environment: Mapping[str, str] = field(default_factory=dict)

    def fetch(
        self, requests: Sequence[HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Generator[Fetched, None, None]:
        """One ``Fetched`` for each request, as they come; a few calls of cargo serve them all."""
        home = self._make_home(folder)
        waiting: list[list[HarvestRequest]] = []
        for request in requests:
            coordinate = request.coordinate
            if _NAME_PATTERN.fullmatch(coordinate.name) and _VERSION_PATTERN.fullmatch(coordinate.version):
                _deal(request, waiting)
            else:
                yield Fetched(coordinate, error=SourceNotFoundError(f"{coordinate}: no crate has such a name"))
        number = unreached_count = 0
        while waiting:
            group = waiting.pop(0)
            number += 1
            place = folder / str(number)
            error = self._fetch_group(group, place, home, parameters)
            is_withdrawn = error is not None and len(group) == 1 and error.misses(group[0].coordinate)
            if is_withdrawn:
                # A withdrawn version is only given to who has had it in a lock.
                again = folder / f"{number}-locked"
                error = self._fetch_group(group, again, home, parameters, lock=_lock(group[0], place.parent))
            brought = [(request, _find_archive(request.coordinate, home)) for request in group]
            missing = [request for request, archive in brought if archive is None]
            for request, archive in brought:
                if archive is not None:
                    yield _fetched(request, archive, is_yanked=is_withdrawn)
            is_unreached = error is not None and error.is_of_network and len(missing) == len(group)
            unreached_count = unreached_count + 1 if is_unreached else 0
            if unreached_count >= _MAX_UNREACHED:
                # Halving would only ask a registry that is not there again and again.
                missing += [request for other in waiting for request in other]
                waiting.clear()
                error = _HopelessError(b"the registry cannot be reached")
            if error is None or len(missing) < 2 or isinstance(error, _HopelessError):
                for request in missing:
                    yield Fetched(request.coordinate, error=_error_of(request.coordinate, error))
                continue
            named = [request for request in missing if error.names(request.coordinate)]
            rest = [request for request in missing if request not in named]
            if not named or not rest:
                named, rest = missing[: len(missing) // 2], missing[len(missing) // 2 :]
            # Those in the message come last: what the others leave behind may help them.
            waiting[:0] = [rest, named]

    def _make_home(self, folder: Path) -> Path:
        home = folder / "home"
        home.mkdir(mode=0o700)
        users = cargo_home()
        for name in _CONFIGURATION:
            if (users / name).is_file():
                (home / name).symlink_to((users / name).resolve())
        return home

    def _fetch_group(
        self,
        group: Sequence[HarvestRequest],
        place: Path,
        home: Path,
        parameters: HarvestParameters,
        *,
        lock: str = "",
    ) -> _CargoError | None:
        """Fetches a group; None where cargo was content. ``lock``: of a Cargo.lock that was there before."""
        (place / "src").mkdir(parents=True, mode=0o700)
        (place / "Cargo.toml").write_text(_manifest([request.coordinate for request in group]), encoding="utf-8")
        (place / "src/lib.rs").write_text("", encoding="utf-8")
        if lock:
            (place / "Cargo.lock").write_text(lock, encoding="utf-8")
        try:
            process = subprocess.Popen(
                [self.cargo, "fetch"],
                cwd=place,
                env=self._environment(home, place),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            return _HopelessError(f"cargo cannot be started ({type(error).__name__})".encode())
        try:
            _, message = process.communicate(timeout=parameters.silence_seconds * _PATIENCE)
        except subprocess.TimeoutExpired:
            return _HopelessError(b"cargo did not end in time")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        if process.returncode == 0:
            return None
        return _CargoError(message[:_MAX_MESSAGE_BYTES])

    def _environment(self, home: Path, place: Path) -> dict[str, str]:
        # What a build that we run in has told its own cargo is no wish of this one.
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("CARGO_BUILD_", "CARGO_PKG_"))
        }
        return {
            **kept,
            **self.environment,
            "CARGO_HOME": str(home),
            "CARGO_TARGET_DIR": str(place / "target"),
            "CARGO_TERM_PROGRESS_WHEN": "never",
            "CARGO_TERM_COLOR": "never",
            "CARGO_NET_OFFLINE": "false",
            "TMPDIR": str(place),
        }


class _CargoError(Exception):
    """Cargo refused a group; its message is matched, never passed on."""

    def __init__(self, message: bytes) -> None:
        self.message = message
        super().__init__()

    @property
    def is_of_network(self) -> bool:
        """Whether the registry, or a file of it, could not be reached."""
        return any(mark in self.message for mark in _NETWORK_MARKS) and not self._is_of_bytes

    @property
    def _is_of_bytes(self) -> bool:
        return _CHECKSUM_MARK in self.message

    def names(self, coordinate: Coordinate) -> bool:
        """Whether the message is about this wanted version."""
        mark = f"`{coordinate.name} v{_bare(coordinate.version)}"
        return self.misses(coordinate) or mark.encode() in self.message

    def misses(self, coordinate: Coordinate) -> bool:
        """Whether the registry has no such version; a version that it has may still ask for one that it has not."""
        name, version = coordinate.name, _bare(coordinate.version)
        marks = (f'{name} = "={version}"', f"no matching package named `{name}` found")
        is_named = any(mark.encode() in self.message for mark in marks)
        return is_named and any(mark in self.message for mark in _MISSING_MARKS)

    def is_about_bytes_of(self, coordinate: Coordinate) -> bool:
        """Whether what came for this wanted version is not what the registry's index names."""
        return self._is_of_bytes and self.names(coordinate)


class _HopelessError(_CargoError):
    """Trouble that smaller groups would meet as well; its message is ours."""


def _deal(request: HarvestRequest, groups: list[list[HarvestRequest]]) -> None:
    """Puts a request into the first group that has no other version of its crate."""
    for group in groups:
        if len(group) < _MAX_GROUP and all(each.coordinate.name != request.coordinate.name for each in group):
            group.append(request)
            return
    groups.append([request])


def _manifest(coordinates: Sequence[Coordinate]) -> str:
    """A package that needs exactly these crates; the empty workspace table keeps it out of any above it."""
    lines = ["[workspace]", "[package]", 'name = "wanted"', 'version = "0.0.0"', 'edition = "2021"', "[dependencies]"]
    for number, each in enumerate(coordinates):
        version = _bare(each.version)
        lines.append(f'd{number} = {{ package = "{each.name}", version = "={version}", default-features = false }}')
    return "\n".join(lines) + "\n"


def _lock(request: HarvestRequest, folder: Path) -> str:
    """A lock that holds the wanted version already; "" where no other lock of this fetch says how cargo names it.

    What a lock calls the registry is cargo's affair: it is copied from one that cargo has written.
    """
    coordinate = request.coordinate
    for path in sorted(folder.glob("*/Cargo.lock")):
        found = _SOURCE_PATTERN.search(path.read_text(encoding="utf-8"))
        if found:
            package = f'[[package]]\nname = "{coordinate.name}"\nversion = "{coordinate.version}"\n{found[0]}\n'
            wanted = f'[[package]]\nname = "wanted"\nversion = "0.0.0"\ndependencies = ["{coordinate.name}"]\n'
            return f"version = 3\n\n{package}\n{wanted}"
    return ""


def _bare(version: str) -> str:
    """Without build metadata, which a requirement cannot name."""
    return version.partition("+")[0]


def _find_archive(coordinate: Coordinate, home: Path) -> Path | None:
    name = f"{coordinate.name}-{coordinate.version}.crate"
    return next((each / name for each in sorted(home.glob("registry/cache/*")) if (each / name).is_file()), None)


def _fetched(request: HarvestRequest, archive: Path, *, is_yanked: bool) -> Fetched:
    coordinate = request.coordinate
    with archive.open("rb") as file:
        digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    if request.digests and digest not in request.digests:
        expected = request.digests[0] if len(request.digests) == 1 else f"one of {len(request.digests)} in the lock"
        return Fetched(coordinate, error=DigestMismatchError(coordinate.purl, expected, digest))
    # Cargo itself holds each download against the registry's index.
    return Fetched(coordinate, archive, archive.name, digest, is_verified=True, is_yanked=is_yanked)


def _error_of(coordinate: Coordinate, error: _CargoError | None) -> DepcodexError:
    if error is None:
        return FetchError(f"{coordinate}: cargo did not bring it")
    message = error.message
    if os.strerror(errno.ENOSPC).encode() in message:
        return StoreFullError(f"{coordinate}: no space left on the disk")
    if isinstance(error, _HopelessError):
        return FetchError(f"{coordinate}: {message.decode()}")
    if error.is_about_bytes_of(coordinate):
        return DigestMismatchError(coordinate.purl, "what the registry's index names", "other bytes")
    if error.is_of_network:
        return FetchError(f"{coordinate}: the registry cannot be reached")
    if error.misses(coordinate):
        return SourceNotFoundError(f"{coordinate}: the registry has no such version, or has withdrawn it")
    return FetchError(f"{coordinate}: cargo could not resolve it")
