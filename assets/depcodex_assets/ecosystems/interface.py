"""What harvest asks of an ecosystem, and what it gets back.

Here: requests, parameters, sources as bytes, what an Ecosystem is, and the Fetcher protocol. Not here: any ecosystem's
own ways, which language a file is written in (depcodex_assets.ecosystems.file_kinds).
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Protocol

from depcodex.closure import ResolvedDependency
from depcodex.coordinates import Coordinate
from depcodex.errors import DepcodexError, FetchError
from depcodex.settings import Settings
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.file_kinds import kind_of


class TreeChangedError(FetchError):
    """The tree is not the one that was recorded. Recording the project again and indexing it mends that."""


@dataclass(frozen=True)
class HarvestRequest:
    """One coordinate whose sources are wanted.

    Attributes:
        coordinate: the library at its version.
        digests: of the archives that a lock accepts for it, as in ``ResolvedDependency``; empty where none is named.
        location: absolute path of its own source tree (path, editable, workspace, git checkout); else "".
        site_packages: absolute folders of an installed environment, nearest first.
        is_yanked: a lock says that the release was withdrawn.
        source_folders: absolute folders that hold a project's own packages (``node_modules``, ``vendor``).
        spelling: the name as its ecosystem spells it, where the package URL folds case; else "".
    """

    coordinate: Coordinate
    digests: tuple[str, ...] = ()
    location: str = ""
    site_packages: tuple[str, ...] = ()
    is_yanked: bool = False
    source_folders: tuple[str, ...] = ()
    spelling: str = ""

    @classmethod
    def of(
        cls, dependency: ResolvedDependency, site_packages: Sequence[str] = (), source_folders: Sequence[str] = ()
    ) -> HarvestRequest:
        """The request for one row of a closure, with its environment's folders."""
        return cls(
            coordinate=dependency.coordinate,
            digests=dependency.digests,
            location=dependency.location,
            site_packages=tuple(site_packages),
            is_yanked=dependency.is_yanked,
            source_folders=tuple(source_folders),
            spelling=dependency.spelling,
        )

    def merged(self, other: HarvestRequest) -> HarvestRequest:
        """One request for two of the same coordinate; this one's folders come first.

        Where only one lock names digests, they hold: what they refuse is not the release that the other means either.
        """
        return dataclasses.replace(
            self,
            digests=tuple(dict.fromkeys((*self.digests, *other.digests))),
            location=self.location or other.location,
            site_packages=tuple(dict.fromkeys((*self.site_packages, *other.site_packages))),
            is_yanked=self.is_yanked or other.is_yanked,
            source_folders=tuple(dict.fromkeys((*self.source_folders, *other.source_folders))),
            spelling=self.spelling or other.spelling,
        )


@dataclass(frozen=True)
class HarvestParameters:
    """How a harvest is done; the same for all its requests.

    Attributes:
        work_folder: where fetched archives lie until they are read, inside the private store; made with mode 0700.
        is_offline: nothing is fetched.
        exclude: purl patterns that are neither read nor fetched.
        limits: what one archive may cost.
        python_version: ``"3.12"``: whose wheels are preferred; "" for the running interpreter's.
        platforms: wheel platform tags that are preferred, best first; empty for this machine's.
        silence_seconds: a client that shows no sign of life for so long is ended.
    """

    work_folder: Path
    is_offline: bool = False
    exclude: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    python_version: str = ""
    platforms: tuple[str, ...] = ()
    silence_seconds: float = 120.0

    @classmethod
    def of(cls, settings: Settings) -> HarvestParameters:
        """The parameters that a person or a service has set."""
        return cls(
            work_folder=settings.private / "work",
            is_offline=settings.is_offline,
            exclude=settings.exclude,
            limits=Limits(max_archive_bytes=settings.max_archive_bytes),
        )


@dataclass(frozen=True)
class SourceFile:
    """One source file as it was read.

    Attributes:
        path: below the import root, with ``/``.
        content: its bytes; empty where it was skipped.
        is_verified: the bytes agree with the digest of a lock, a registry, RECORD, or the coordinate's own checksum.
        skip_reason: why it is not read, else None.
        skip_detail: one line of ours; may stand on a file that was read (of two entries the first).
        size_bytes: of the file, read or not.
        digest: ``sha256:<hex>`` of the bytes; "" where they were not read.
    """

    path: str
    content: bytes
    is_verified: bool
    skip_reason: str | None = None
    skip_detail: str | None = None
    size_bytes: int = 0
    digest: str = ""

    @classmethod
    def read(cls, path: str, content: bytes, *, is_verified: bool, detail: str | None = None) -> SourceFile:
        """A file that was read whole."""
        digest = "sha256:" + hashlib.sha256(content).hexdigest()
        return cls(path, content, is_verified, None, detail, len(content), digest)

    def with_verified(self, is_verified: bool) -> SourceFile:
        """The same file under another label."""
        return self if self.is_verified == is_verified else dataclasses.replace(self, is_verified=is_verified)

    @property
    def language(self) -> str:
        """By the file's name; "" where it is none that is read."""
        return kind_of(self.path).language

    @property
    def convention(self) -> str:
        """How its documentation is marked up, one of ``schemas.CONVENTIONS``; "" where it holds none."""
        return kind_of(self.path).convention


@dataclass(frozen=True)
class SourceTree:
    """All sources of one coordinate.

    Attributes:
        files: sorted by path, each path once.
        archive_digest: ``sha256:<hex>`` of the archive they came out of; "" for a tree read in place.
        released_on: the release day as YYYY-MM-DD where the archive gives it, else "".
        is_yanked: the registry says that the release was withdrawn.
    """

    files: tuple[SourceFile, ...]
    archive_digest: str = ""
    released_on: str = ""
    is_yanked: bool = False


@dataclass(frozen=True)
class Fetched:
    """What became of one request that was given to a Fetcher: an archive, or the error.

    Attributes:
        coordinate: whose it is.
        archive: the file on disk; None where ``error`` is set.
        file_name: the name that the registry gives the archive.
        digest: ``sha256:<hex>`` of its bytes.
        is_verified: the digest is one that the lock or the registry names.
        released_on: the day of upload (YYYY-MM-DD) where the registry says it, else "".
        is_yanked: the registry says that the release was withdrawn.
        error: why there is no archive.
    """

    coordinate: Coordinate
    archive: Path | None = None
    file_name: str = ""
    digest: str = ""
    is_verified: bool = False
    released_on: str = ""
    is_yanked: bool = False
    error: DepcodexError | None = None


class Fetcher(Protocol):
    """An ecosystem's own client: brings archives, never builds and never runs what is in them."""

    def fetch(
        self, requests: Sequence[HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Generator[Fetched, None, None]:
        """One ``Fetched`` for each request, in any order, as they come; trouble is in it, not raised.

        The archive may be deleted by the caller before the next one is asked for. ``folder`` is private and empty.
        """
        ...


# Out of one request what lies on this machine, or None where it must be fetched; raises DepcodexError and OSError.
InPlace = Callable[[HarvestRequest], SourceTree | None]


@dataclass(frozen=True)
class Ecosystem:
    """One kind of package: how its sources lie on this machine, how they are fetched, and how its archives are read.

    Attributes:
        type: the package URL type, one of ``coordinates.ECOSYSTEMS``.
        label: what people call its sources, in ``it has no <label> source files``.
        open_in_place: called once a batch; what it returns is asked for each request and may remember folders. It
            answers for trees at ``location``, for a project's own packages and for the machine's caches.
        read_archive: the sources of a fetched archive; the last argument is today, no release day lies after it.
            Raises ArchiveError.
        load_fetcher: the ecosystem's own client; called when something must be fetched.
    """

    type: str
    label: str
    open_in_place: Callable[[HarvestParameters], InPlace]
    read_archive: Callable[[Fetched, Limits, date], SourceTree]
    load_fetcher: Callable[[], Fetcher]
