"""Python distributions as they lie in site-packages: found, checked against RECORD, read in place.

Here: which installed tree is a coordinate's, whether it is still what was installed, and its sources. Not here:
archives, fetching, editable installs (their source is a location of its own in the closure; a .pth file is never
followed).

One project must not write another's answers. A tree that is not byte for byte what its RECORD says answers only under a
coordinate that carries the checksum of the tree. What RECORD cannot show: an edit that also rewrote RECORD.

Specs: "Recording installed projects" (dist-info, RECORD) and "Recording the Direct URL Origin" (PEP 610).
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

from depcodex.closure import ResolvedDependency
from depcodex.coordinates import Coordinate
from depcodex.trees import SOURCE_SUFFIXES, TESTS_FOLDER, is_installed_source
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import HarvestRequest, SourceFile, SourceTree
from depcodex_assets.ecosystems.pypi_record import RecordRow, read_record

_PEP503_PATTERN = re.compile(r"[-_.]+")
_EGG_INFO_PATTERN = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+?)(?:-py[0-9.]+)?\.egg-info")
_TOP_PATTERN = re.compile(rb'^"?([^/,"\r\n]+)/', re.MULTILINE)
_CHUNK_BYTES = 1024 * 1024
# Metadata files are small; one that is not is not read.
_MAX_METADATA_BYTES = 32 * 1024 * 1024


class Status(enum.StrEnum):
    """What an installed tree is worth as a coordinate's source."""

    VERIFIED = "verified"
    EDITED = "edited"
    UNVERIFIED = "unverified"
    ABSENT = "absent"


@dataclass(frozen=True)
class InstalledTree:
    """An installed distribution's sources.

    Attributes:
        status: ``verified``: RECORD has a digest for each file and all agree; ``edited``: a file differs, is missing or
            was added, or the distribution did not come from an index (PEP 610); ``unverified``: digests are missing;
            ``absent``: not installed here, or installed as editable.
        digest: sha256 hex over the sorted (path, sha256 of its bytes), as ``depcodex.trees.tree_digest``; "" if absent.
        files: sorted by path; empty unless they were asked for.
    """

    status: Status
    digest: str = ""
    files: tuple[SourceFile, ...] = ()


@dataclass(frozen=True)
class _Distribution:
    """Where a distribution's metadata lies: ``folder`` is the site-packages, ``info`` the name in it."""

    folder: str
    info: str


def verify_installed(
    site_packages: Sequence[str], coordinate: Coordinate, digests: Sequence[str] = ()
) -> InstalledTree:
    """What the installed tree of a coordinate is worth; without its files.

    For many coordinates of one environment keep one ``InstalledPackages``: it lists the folders once.
    """
    return InstalledPackages().verify(site_packages, coordinate, digests)


def rekeyed(dependencies: Iterable[ResolvedDependency], site_packages: Sequence[str]) -> dict[Coordinate, Coordinate]:
    """The coordinates that what is installed gives another key, each with the one that takes its place.

    An edited tree is keyed by its checksum; one that was keyed and has been mended becomes the plain release again.
    Dependencies of another ecosystem, with a location of their own, or not installed are left as they are.
    """
    packages = InstalledPackages()
    found: dict[Coordinate, Coordinate] = {}
    # One thread: with two the wall time was the same (2026-11-30, 150 distributions), the files are many and small.
    for each in dependencies:
        if each.location or each.coordinate.type != "pypi":
            continue
        plain = dataclasses.replace(each.coordinate, checksum="")
        tree = packages.verify(site_packages, plain, each.digests)
        if tree.status is Status.ABSENT:
            continue
        settled = plain.with_checksum(tree.digest) if tree.status is Status.EDITED else plain
        if settled != each.coordinate:
            found[each.coordinate] = settled
    return found


def read_installed(request: HarvestRequest, packages: InstalledPackages, limits: Limits) -> SourceTree | None:
    """The sources of a request out of its folders, or None where none of them has a tree that may answer for it.

    A plain coordinate is answered by a tree that is verified or has no digests at all; one that is keyed by checksum
    only by the tree with that digest.
    """
    checksum = request.coordinate.checksum
    unverified: InstalledTree | None = None
    for tree in packages.trees(
        request.site_packages, request.coordinate, request.digests, keep=limits.max_member_bytes
    ):
        if checksum == f"sha256:{tree.digest}" or (not checksum and tree.status is Status.VERIFIED):
            return SourceTree(tree.files)
        if not checksum and tree.status is Status.UNVERIFIED and unverified is None:
            # The folders are those of all projects: what one of them cannot show must not displace what another can.
            unverified = tree
    return None if unverified is None else SourceTree(unverified.files)


class InstalledPackages:
    """The distributions of any number of environments; each folder is listed once, each RECORD parsed at most once.

    What it has seen it keeps: one object serves one run, while nothing is being installed.
    """

    def __init__(self) -> None:
        self._folders: dict[str, _SitePackages] = {}

    def verify(
        self, site_packages: Sequence[str], coordinate: Coordinate, digests: Sequence[str] = (), *, keep: int = -1
    ) -> InstalledTree:
        """The tree of a coordinate that an environment imports: the one in the nearest folder.

        Args:
            site_packages: absolute folders, nearest first.
            coordinate: of type pypi, else the answer is ``absent``; its checksum is not looked at.
            digests: archives that the lock accepts: a tree installed from one of them by URL is not a stranger.
            keep: files are given, with contents up to so many bytes each; -1 for no files.
        """
        trees = self.trees(site_packages, coordinate, digests, keep=keep)
        return next(trees, InstalledTree(Status.ABSENT))

    def trees(
        self, site_packages: Sequence[str], coordinate: Coordinate, digests: Sequence[str] = (), *, keep: int = -1
    ) -> Iterator[InstalledTree]:
        """The trees of a coordinate in all folders that have it, nearest first; arguments as for ``verify``."""
        if coordinate.type != "pypi":
            return
        for path in dict.fromkeys(site_packages):
            folder = self._folders.setdefault(path, _SitePackages(path))
            info = folder.find(coordinate.name, coordinate.version)
            if info is not None:
                yield folder.verify(info, coordinate, digests, keep)


class _SitePackages:
    """One folder of distributions."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._infos: dict[str, list[tuple[str, str]]] | None = None
        self._records: dict[str, Mapping[str, RecordRow] | None] = {}
        self._tops: dict[str, list[str]] | None = None
        self._owners: dict[str, tuple[Mapping[str, set[str]], frozenset[str]]] = {}
        self._strangers: dict[str, tuple[str, ...]] = {}

    def find(self, name: str, version: str) -> str | None:
        """The metadata folder (or egg-info file) of a distribution, by name and version."""
        for found_version, info in self._listing().get(name, ()):
            if _is_same_version(found_version, version):
                return info
        return None

    def _listing(self) -> dict[str, list[tuple[str, str]]]:
        if self._infos is None:
            self._infos = {}
            try:
                with os.scandir(self._path) as entries:
                    names = sorted(entry.name for entry in entries)
            except OSError:
                names = []
            for info in names:
                name, version = self._name_and_version(info)
                if name:
                    self._infos.setdefault(_PEP503_PATTERN.sub("-", name).lower(), []).append((version, info))
        return self._infos

    def _name_and_version(self, info: str) -> tuple[str, str]:
        if info.endswith(".dist-info"):
            name, _, version = info.removesuffix(".dist-info").rpartition("-")
            return name, version
        if info.endswith(".egg-info"):
            match = _EGG_INFO_PATTERN.fullmatch(info)
            if match:
                return match["name"], match["version"]
        return "", ""

    def _record(self, info: str) -> Mapping[str, RecordRow] | None:
        """The RECORD rows of source files that are installed below this folder; None where there is no RECORD."""
        if info not in self._records:
            content = self._record_bytes(info)
            rows = None if content is None else read_record(content, SOURCE_SUFFIXES)
            self._records[info] = rows and {path: row for path, row in rows.items() if is_installed_source(path)}
        return self._records[info]

    def _record_bytes(self, info: str) -> bytes | None:
        return _small_file(f"{self._path}/{info}/RECORD") if info.endswith(".dist-info") else None

    def _sharing(self, top: str) -> list[str]:
        """The distributions whose RECORD has anything below the folder ``top``."""
        if self._tops is None:
            # One pass over the bytes: parsing every RECORD for the sake of a few distributions took ten times as long.
            self._tops = {}
            for infos in self._listing().values():
                for _, info in infos:
                    for each in set(_TOP_PATTERN.findall(self._record_bytes(info) or b"")):
                        self._tops.setdefault(each.decode("utf-8", "replace"), []).append(info)
        return self._tops.get(top, [])

    def _recorded_below(self, top: str) -> tuple[Mapping[str, set[str]], frozenset[str]]:
        """Folders from ``top`` down with the distributions that RECORD a source directly in them; all those sources."""
        if top not in self._owners:
            owners: dict[str, set[str]] = {}
            recorded: set[str] = set()
            for info in self._sharing(top):
                paths = [path for path in self._record(info) or () if path.startswith(f"{top}/")]
                recorded.update(paths)
                for folder in {path.rpartition("/")[0] for path in paths}:
                    owners.setdefault(folder, set()).add(info)
            self._owners[top] = owners, frozenset(recorded)
        return self._owners[top]

    def verify(self, info: str, coordinate: Coordinate, digests: Sequence[str], keep: int) -> InstalledTree:
        """See ``InstalledPackages.trees``."""
        origin = _direct_url(f"{self._path}/{info}/direct_url.json")
        if _is_editable(origin):
            return InstalledTree(Status.ABSENT)
        record = self._record(info)
        is_edited = origin is not None and not _is_accepted(origin, digests)
        if record is None:
            rows = {path: RecordRow(path, "", b"") for path in self._unrecorded(info, coordinate.name)}
            if not rows:
                return InstalledTree(Status.ABSENT)
        else:
            added = self._added(info, record)
            is_edited = is_edited or bool(added)
            rows = {**record, **{path: RecordRow(path, "", b"") for path in added}}
        tree_digest = hashlib.sha256()
        files: list[SourceFile] = []
        is_whole = record is not None
        for path in sorted(rows):
            row = rows[path]
            read = _read(f"{self._path}/{path}", row.algorithm or "sha256", keep)
            if read is None:
                is_edited = True
                continue
            if (not row.algorithm or read.digest != row.digest) and self._leads_out(path):
                # A link may lie here where its target is what was installed, as uv links from its cache. One to
                # anything else could bring any file of this machine into answers.
                is_edited = True
                continue
            is_whole = is_whole and bool(row.algorithm)
            is_edited = is_edited or (bool(row.algorithm) and read.digest != row.digest)
            tree_digest.update(path.encode("utf-8", "surrogateescape") + b"\0" + read.sha256())
            if keep >= 0:
                files.append(read.source_file(path, keep))
        status = Status.EDITED if is_edited else Status.VERIFIED if is_whole else Status.UNVERIFIED
        # An edited tree is used only under the checksum that its bytes agree with.
        is_verified = status is not Status.UNVERIFIED
        labelled = tuple(each.with_verified(is_verified) for each in files)
        return InstalledTree(status, tree_digest.hexdigest(), labelled)

    def _leads_out(self, path: str) -> bool:
        """Whether a file is outside this folder when all links are followed."""
        root = os.path.realpath(self._path)
        return os.path.commonpath((root, os.path.realpath(f"{self._path}/{path}"))) != root

    def _added(self, info: str, record: Mapping[str, RecordRow]) -> list[str]:
        """Source files that no RECORD names and whose nearest folder with recorded sources is this distribution's."""
        tops = {path.partition("/")[0] for path in record if "/" in path}
        added: list[str] = []
        for top in tops:
            owners, _ = self._recorded_below(top)
            for path in self._strangers_below(top):
                folder = path.rpartition("/")[0]
                while folder and folder not in owners:
                    folder = folder.rpartition("/")[0]
                if info in owners.get(folder, ()):
                    added.append(path)
        return added

    def _strangers_below(self, top: str) -> tuple[str, ...]:
        """Source files on disk below ``top`` that no RECORD names."""
        if top not in self._strangers:
            _, recorded = self._recorded_below(top)
            found = _walk(f"{self._path}/{top}", f"{top}/")
            self._strangers[top] = tuple(path for path in found if path not in recorded)
        return self._strangers[top]

    def _unrecorded(self, info: str, name: str) -> list[str]:
        """The source files of a distribution without RECORD, by its top_level.txt, else by its name."""
        folder = f"{self._path}/{info}"
        shared = set((_small_file(f"{folder}/namespace_packages.txt") or b"").decode("utf-8", "replace").split())
        listed = (_small_file(f"{folder}/top_level.txt") or b"").decode("utf-8", "replace").split()
        found: list[str] = []
        for top in listed or [name.replace("-", "_")]:
            if not top.isidentifier() or top in shared:
                continue
            found += self._strangers_below(top)
            found += [top + end for end in SOURCE_SUFFIXES if Path(f"{self._path}/{top}{end}").is_file()]
        return found


@dataclass(frozen=True, slots=True)
class _Read:
    """A file's digest by ``algorithm``, and its bytes where they were to be kept."""

    algorithm: str
    digest: bytes
    content: bytes | None
    size_bytes: int
    location: str

    def sha256(self) -> bytes:
        if self.algorithm == "sha256":
            return self.digest
        if self.content is not None:
            return hashlib.sha256(self.content).digest()
        again = _read(self.location, "sha256", -1)
        return again.digest if again else b""

    def source_file(self, path: str, keep: int) -> SourceFile:
        digest = "sha256:" + self.sha256().hex()
        shown = path.encode("utf-8", "replace").decode()
        if self.content is None:
            detail = f"{self.size_bytes} bytes, expected at most {keep}"
            return SourceFile(shown, b"", False, "limit:file", detail, self.size_bytes)
        return SourceFile(shown, self.content or b"", True, None, None, self.size_bytes, digest)


def _read(path: str, algorithm: str, keep: int) -> _Read | None:
    """One regular file, hashed; None where there is none. Nothing else is opened for long: a pipe would block."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        digest = getattr(hashlib, algorithm)()
        chunks: list[bytes] = []
        size_bytes = 0
        while chunk := os.read(descriptor, min(_CHUNK_BYTES, status.st_size + 1) if not size_bytes else _CHUNK_BYTES):
            digest.update(chunk)
            size_bytes += len(chunk)
            if size_bytes <= keep:
                chunks.append(chunk)
            if len(chunk) == status.st_size:
                break
    except OSError:
        return None
    finally:
        os.close(descriptor)
    content = b"".join(chunks) if size_bytes <= keep else None
    return _Read(algorithm, digest.digest(), content, size_bytes, path)


def _walk(folder: str, prefix: str) -> Iterator[str]:
    """Source files below a folder; tests, caches, hidden folders and links are no part of it."""
    # A list and no recursion: a package of 1,500 nested folders would end the whole run.
    waiting = [(folder, prefix)]
    while waiting:
        folder, prefix = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError:
            continue
        for entry in entries:
            name = entry.name
            if name.endswith(SOURCE_SUFFIXES):
                if entry.is_file(follow_symlinks=False):
                    yield prefix + name
            elif (
                name != TESTS_FOLDER
                and name != "__pycache__"
                and not name.startswith(".")
                and entry.is_dir(follow_symlinks=False)
            ):
                waiting.append((entry.path, f"{prefix}{name}/"))


def _direct_url(path: str) -> Mapping[str, object] | None:
    content = _small_file(path)
    if content is None:
        return None
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _is_editable(origin: Mapping[str, object] | None) -> bool:
    folder = (origin or {}).get("dir_info")
    return isinstance(folder, dict) and folder.get("editable") is True


def _is_accepted(origin: Mapping[str, object], digests: Sequence[str]) -> bool:
    """Whether a distribution that was installed by URL came out of an archive that the lock names."""
    archive = origin.get("archive_info")
    if not isinstance(archive, dict):
        return False
    hashes = archive.get("hashes")
    named = [f"sha256:{hashes['sha256']}"] if isinstance(hashes, dict) and "sha256" in hashes else []
    named.append(str(archive.get("hash", "")).replace("sha256=", "sha256:"))
    return any(each in digests for each in named)


def _small_file(path: str) -> bytes | None:
    read = _read(path, "sha256", _MAX_METADATA_BYTES)
    return read.content if read else None


def _is_same_version(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return Version(one.replace("_", "-")) == Version(other)
    except InvalidVersion:
        return False
