"""From a project's folder, or a file, to what it resolves to.

Here: which locks decide in which folder, whether they agree, the members of a repository, the environment beside them.
Not here: formats, walking (depcodex.lockfiles.folders), and writing records.

Locks of different ecosystems stand beside each other; those of one must agree. A folder below the root with a lock of
its own is a member, unless a lock above already has it as one (a workspace's).
"""

from __future__ import annotations

import dataclasses
import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from depcodex.closure import Closure
from depcodex.errors import AmbiguousClosureError, ClosureError, LockfileError, NoClosureError, UsageError
from depcodex.lockfiles.detection import (
    FORMATS,
    Format,
    Lock,
    find_locks,
    format_named,
    format_of,
    may_hold_locks,
    reader_named,
)
from depcodex.lockfiles.documents import normalised_name
from depcodex.lockfiles.folders import Folder, walk_folders
from depcodex.lockfiles.installed import InstalledEnvironment, find_environment, open_environment
from depcodex.lockfiles.interface import Reading, Target
from depcodex.markers import target_environment

# A note stays one line: it names this many examples and counts the rest.
_EXAMPLE_COUNT = 3
# A repository with more is no project that somebody asks about; reading each may start a tool.
_MAX_MEMBERS = 200
# Where one of these lies beside an environment, the environment is that project's.
_PYTHON_MANIFESTS = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "requirements.in"})


@dataclass(frozen=True)
class ClosureRequest:
    """What a person asked `depcodex record` or `depcodex closure` for.

    Attributes:
        path: the project's folder, a lock file, or an environment's folder.
        venv: the environment to read in place; None: the project's ``.venv``, else ``VIRTUAL_ENV``.
        groups: dependency groups beside the main dependencies.
        extras: extras of the project.
        python: the Python version that decides markers; "" for the environment's, else the running one.
        format: the one format to read, in the project's own folder; "" for whatever is there and below.
        is_network_allowed: an ecosystem's own tool may ask its registry (``--resolve``).
    """

    path: Path
    venv: Path | None = None
    groups: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    python: str = ""
    format: str = ""
    is_network_allowed: bool = False


def project_folder(path: Path) -> Path:
    """The resolved folder of the project that a path means: itself, or the folder that a lock file lies in.

    Raises:
        UsageError: nothing is there.
    """
    if not path.exists():
        raise UsageError(f"{path}: expected a project folder or a lock file, got nothing")
    folder = path.resolve()
    return folder if folder.is_dir() else folder.parent


def read_closures(request: ClosureRequest, environ: Mapping[str, str] | None = None) -> Reading:
    """What the request resolves to, one closure a member and ecosystem, the root's own first.

    No database. The network only where the request allows it, and then by an ecosystem's own tool.

    Raises:
        UsageError: the path, environment, version, format, a group or an extra does not exist.
        LockfileError: a lock file of the root cannot be read. One of a folder below is a note.
        AmbiguousClosureError: two lock files of the root disagree about a version. Below it is a note.
        NoClosureError: nothing there resolves.
    """
    environ = os.environ if environ is None else environ
    folder = project_folder(request.path)
    if request.path.is_dir() and (folder / "pyvenv.cfg").is_file() and request.venv is None and not find_locks(folder):
        installed = open_environment(folder)
        reading = reader_named("environment").read(folder, _target(request, installed, None))
        return _joined_readings([_Read(reading, "pypi")], request)
    installed = find_environment(folder, request.venv, environ)
    target = _target(request, installed, folder)
    if request.format == "environment":
        return _joined_readings([_environment(folder, target, request)], request)
    if not request.path.is_dir():
        path = request.path.resolve()
        format = format_named(request.format) if request.format else format_of(path)
        return _joined_readings([_read_agreeing([Lock(format, path)], target)], request)
    if request.format:
        locks = _locks(folder, request.format)
        if not locks:
            raise NoClosureError(_nothing_found(folder, request.format))
        return _joined_readings([_read_agreeing(locks, target)], request)
    return _repository(folder, request, target)


@dataclass(frozen=True)
class _Read:
    """What one ecosystem's locks in one folder came to; ``path`` is the lock that decided."""

    reading: Reading
    ecosystem: str
    path: Path | None = None
    folder: str = "."


def _repository(folder: Path, request: ClosureRequest, target: Target) -> Reading:
    try:
        walk = walk_folders(folder)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror}") from error
    own, *below = walk.folders
    reads = _read_locks(find_locks(folder, "", own.names), target, target.installed, is_root=True)
    notes: list[str] = []
    try:
        reads += _read_installed(folder, own.names, target, {each.ecosystem for each in reads})
    except LockfileError as error:
        notes.append(f"left out: {error}")
    own_count, has_python = len(reads), any(each.ecosystem == "pypi" for each in reads)
    for each in below:
        if len(reads) >= _MAX_MEMBERS:
            notes.append(f"{folder}: only the first {_MAX_MEMBERS} projects below it are read")
            break
        try:
            reads += _read_below(folder, each, request, target, reads)
        except (LockfileError, ClosureError) as error:
            notes.append(f"left out: {error}")
    if not has_python and _has_environment(own, request, target, bool(reads)):
        reads.insert(own_count, _environment(folder, target, request))
    if not reads:
        if notes:
            raise NoClosureError(f"{folder}: no lock file there can be read; {notes[0]}")
        raise NoClosureError(_nothing_found(folder, ""))
    if walk.is_cut:
        notes.append(f"{folder}: too many folders to look at all; record the projects further down by their own paths")
    return _joined_readings(reads, request, (*_members_note(reads), *notes))


def _read_below(
    root: Path, folder: Folder, request: ClosureRequest, target: Target, reads: Sequence[_Read]
) -> list[_Read]:
    """What a folder below the root adds: its locks that no workspace above has, else its own environment."""
    has_own = ".venv" in folder.names and request.venv is None and not _PYTHON_MANIFESTS.isdisjoint(folder.names)
    if not has_own and not may_hold_locks(folder.names) and not _installed_formats(folder.names):
        return []
    place = root / folder.path
    covered = frozenset(
        each.ecosystem for each in reads if any(closure.member == folder.path for closure in each.reading.closures)
    )
    installed = (open_environment(place / ".venv") if has_own else None) or target.installed
    own_target = dataclasses.replace(_target(request, installed, place), installed=installed)
    found = _read_locks(find_locks(place, "", folder.names), own_target, installed, covered=covered)
    known = covered | {each.ecosystem for each in found}
    found += _read_installed(place, folder.names, own_target, known)
    if has_own and "pypi" not in known and installed is not None:
        found.append(_environment(place, own_target, request))
    return [_below(each, folder.path) for each in found]


def _read_locks(
    locks: Sequence[Lock],
    target: Target,
    installed: InstalledEnvironment | None,
    *,
    is_root: bool = False,
    covered: frozenset[str] = frozenset(),
) -> list[_Read]:
    """One reading for each ecosystem that has a lock among those of one folder, but for what is covered already."""
    groups: dict[str, list[Lock]] = {}
    for lock in locks:
        groups.setdefault(lock.format.ecosystem, []).append(lock)
    if len(groups) > 1:
        # A bill of materials tells what was built; the locks beside it tell more.
        groups.pop("", None)
    found = []
    trouble: LockfileError | None = None
    for ecosystem, group in groups.items():
        if ecosystem in covered:
            continue
        telling = [lock for lock in group if not lock.format.gives_way] or group[:1]
        try:
            found.append(_read_agreeing(telling, target))
        except LockfileError as error:
            if not (is_root and telling[0].format.gives_way):
                raise
            trouble = error
    if trouble is not None and not found:
        raise trouble
    return [_with_difference(each, installed) for each in found]


def _read_agreeing(locks: Sequence[Lock], target: Target) -> _Read:
    """The first of one ecosystem's locks, after the others were found to agree with it."""
    readings = [(lock.path, lock.format.load().read(lock.path, target)) for lock in locks]
    _refuse_disagreement(readings)
    return _Read(readings[0][1], locks[0].format.ecosystem, locks[0].path)


def _installed_formats(names: Iterable[str]) -> list[Format]:
    """The formats whose installed packages a folder with these names holds."""
    present = set(names)
    return [each for each in FORMATS if each.installed and present.issuperset(each.installed)]


def _read_installed(place: Path, names: Iterable[str], target: Target, known: AbstractSet[str]) -> list[_Read]:
    """What is installed in a folder, of the ecosystems that have no lock there."""
    rows = [each for each in _installed_formats(names) if each.ecosystem not in known]
    return [_Read(each.load().read(place, target), each.ecosystem) for each in rows]


def _environment(folder: Path, target: Target, request: ClosureRequest) -> _Read:
    if target.installed is None:
        raise NoClosureError(_nothing_found(folder, request.format))
    return _Read(reader_named("environment").read(target.installed.root, target), "pypi")


def _has_environment(folder: Folder, request: ClosureRequest, target: Target, has_locks: bool) -> bool:
    """Whether the environment at hand is the project's: where other locks lie, an activated one may be anybody's."""
    if target.installed is None:
        return False
    is_own = request.venv is not None or ".venv" in folder.names
    return is_own or not has_locks or not _PYTHON_MANIFESTS.isdisjoint(folder.names)


def _below(read: _Read, folder: str) -> _Read:
    """The reading of a folder below the root as the root sees it: members and inputs by their paths from there."""
    closures = tuple(
        dataclasses.replace(
            closure,
            member=posixpath.normpath(posixpath.join(folder, closure.member)),
            inputs=tuple((posixpath.join(folder, path), digest) for path, digest in closure.inputs),
        )
        for closure in read.reading.closures
    )
    notes = tuple(f"{folder}: {note}" for note in read.reading.notes)
    return dataclasses.replace(
        read, reading=dataclasses.replace(read.reading, closures=closures, notes=notes), folder=folder
    )


def _joined_readings(reads: Sequence[_Read], request: ClosureRequest, notes: tuple[str, ...] = ()) -> Reading:
    """All of a project's readings as one, after what was asked for by name was found in one of them."""
    readings = [each.reading for each in reads]
    joined = Reading(
        tuple(closure for each in readings for closure in each.closures),
        (*(note for each in readings for note in each.notes), *notes),
        _united(each.groups for each in readings),
        _united(each.extras for each in readings),
    )
    for option, asked, known in (
        ("--group", request.groups, joined.groups),
        ("--extra", request.extras, joined.extras),
    ):
        for name in asked:
            if known is not None and normalised_name(name) not in known:
                has = f"it has {_joined(known)}" if known else "it has none"
                formats = " and ".join(dict.fromkeys(closure.format for closure in joined.closures))
                raise UsageError(f"{option} {name}: {formats} knows no such name, {has}")
    return joined


def _united(values: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    known = [each for each in values if each is not None]
    return frozenset().union(*known) if known else None


def _members_note(reads: Sequence[_Read]) -> tuple[str, ...]:
    """Says which projects below the root were found; nothing where the root is the only one."""
    rows = [f"{each.folder} ({each.reading.closures[0].format})" for each in reads if each.folder != "."]
    if not rows:
        return ()
    more = f" and {len(rows) - _EXAMPLE_COUNT} more" if len(rows) > _EXAMPLE_COUNT else ""
    return (f"projects below: {', '.join(rows[:_EXAMPLE_COUNT])}{more}; ask each by its path",)


def _target(request: ClosureRequest, installed: InstalledEnvironment | None, project: Path | None) -> Target:
    python = request.python or (installed.python_version if installed else "")
    implementation = installed.implementation if installed else ""
    return Target(
        target_environment(python, implementation),
        frozenset(map(normalised_name, request.groups)),
        frozenset(map(normalised_name, request.extras)),
        installed,
        project,
        request.is_network_allowed,
    )


def _locks(folder: Path, format_name: str) -> list[Lock]:
    try:
        return find_locks(folder, format_name)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror}") from error


def _nothing_found(folder: Path, format_name: str) -> str:
    if format_name:
        return f"{folder}: expected a lock file of format {format_name}, got none"
    for parent in folder.parents:
        try:
            has_lock = bool(find_locks(parent))
        except (OSError, LockfileError):
            has_lock = False
        if has_lock:
            return f"{folder}: no lock file and no environment; its workspace has one: depcodex record {parent}"
        if (parent / ".git").exists():
            break
    return f"{folder}: expected a lock file, pinned requirements or an environment (--venv DIR), got none"


def _refuse_disagreement(readings: Sequence[tuple[Path, Reading]]) -> None:
    first_path, first = readings[0]
    versions = _versions(first.closures)
    for path, reading in readings[1:]:
        for name, others in sorted(_versions(reading.closures).items()):
            mine = versions.get(name)
            if mine is not None and mine != others:
                formats = [each.closures[0].format for each in (first, reading)]
                choice = " or ".join(f"--format {each}" for each in formats)
                if formats[0] == formats[1]:
                    choice = "the file itself instead of its folder"
                raise AmbiguousClosureError(
                    f"{first_path.name} and {path.name} disagree: {name} is {_joined(mine)} in one and "
                    f"{_joined(others)} in the other; choose with {choice}, or remove the stale one"
                )


def _versions(closures: Iterable[Closure]) -> dict[str, frozenset[str]]:
    """Library, by its namespace and name, → the versions of it."""
    found: dict[str, set[str]] = {}
    for closure in closures:
        for row in closure.dependencies:
            # A local package's version is what each tool made of it; its checksum is what counts.
            if not row.coordinate.checksum:
                space, name = row.coordinate.namespace, row.coordinate.name
                found.setdefault(f"{space}/{name}" if space else name, set()).add(row.coordinate.version)
    return {name: frozenset(versions) for name, versions in found.items()}


def _joined(values: Iterable[str]) -> str:
    return ", ".join(sorted(values))


def _with_difference(read: _Read, installed: InstalledEnvironment | None) -> _Read:
    """The reading with a note where the environment has other versions than the Python lock that decided."""
    if installed is None or read.ecosystem != "pypi" or read.path is None:
        return read
    rows = [
        f"{name} {_joined(versions)} (installed: {installed.distributions[name].version})"
        for name, versions in sorted(_versions(read.reading.closures).items())
        if name in installed.distributions and installed.distributions[name].version not in versions
    ]
    if not rows:
        return read
    more = f" and {len(rows) - _EXAMPLE_COUNT} more" if len(rows) > _EXAMPLE_COUNT else ""
    differing = f"{', '.join(rows[:_EXAMPLE_COUNT])}{more}"
    note = f"{read.path.name} decides, {installed.root} differs: {differing}; they are fetched"
    reading = dataclasses.replace(read.reading, notes=(*read.reading.notes, note))
    return dataclasses.replace(read, reading=reading)
