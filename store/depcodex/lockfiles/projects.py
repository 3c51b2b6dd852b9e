"""From a project's folder, or a file, to what it resolves to.

Here: which lock decides, whether locks agree, the environment beside them. Not here: formats, and writing records.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex.errors import AmbiguousClosureError, NoClosureError, UsageError
from depcodex.lockfiles.detection import find_locks, reader_named, reader_of
from depcodex.lockfiles.documents import normalised_name
from depcodex.lockfiles.installed import InstalledEnvironment, find_environment, open_environment
from depcodex.lockfiles.interface import LockfileReader, Reading, Target
from depcodex.markers import target_environment

# A note stays one line: it names this many examples and counts the rest.
_EXAMPLE_COUNT = 3


@dataclass(frozen=True)
class ClosureRequest:
    """What a person asked `depcodex record` or `depcodex closure` for.

    Attributes:
        path: the project's folder, a lock file, or an environment's folder.
        venv: the environment to read in place; None: the project's ``.venv``, else ``VIRTUAL_ENV``.
        groups: dependency groups beside the main dependencies.
        extras: extras of the project.
        python: the Python version that decides markers; "" for the environment's, else the running one.
        format: the one format to read; "" for whatever is there.
    """

    path: Path
    venv: Path | None = None
    groups: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    python: str = ""
    format: str = ""


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
    """What the request resolves to; no network, no database, nothing started.

    Raises:
        UsageError: the path, environment, version, format, a group or an extra does not exist.
        LockfileError: a lock file cannot be read.
        AmbiguousClosureError: two lock files disagree about a version.
        NoClosureError: nothing there resolves.
    """
    environ = os.environ if environ is None else environ
    folder = project_folder(request.path)
    is_environment = request.path.is_dir() and (folder / "pyvenv.cfg").is_file()
    if is_environment and request.venv is None and not find_locks(folder):
        installed = open_environment(folder)
        target = _target(request, installed, None)
        return _checked(reader_named("environment").read(folder, target), request)
    installed = find_environment(folder, request.venv, environ)
    target = _target(request, installed, folder)
    locks = _locks(request, folder)
    if request.format == "environment" or not locks:
        if installed is None:
            raise NoClosureError(_nothing_found(folder, request.format))
        return _checked(reader_named("environment").read(installed.root, target), request)
    readings = [(path, reader.read(path, target)) for reader, path in locks]
    _refuse_disagreement(readings)
    path, reading = readings[0]
    notes = (*reading.notes, *_difference_note(path, reading, installed))
    return _checked(dataclasses.replace(reading, notes=notes), request)


def _target(request: ClosureRequest, installed: InstalledEnvironment | None, project: Path | None) -> Target:
    python = request.python or (installed.python_version if installed else "")
    implementation = installed.implementation if installed else ""
    return Target(
        target_environment(python, implementation),
        frozenset(map(normalised_name, request.groups)),
        frozenset(map(normalised_name, request.extras)),
        installed,
        project,
    )


def _locks(request: ClosureRequest, folder: Path) -> list[tuple[LockfileReader, Path]]:
    if request.format == "environment":
        return []
    if not request.path.is_dir():
        path = request.path.resolve()
        return [(reader_named(request.format) if request.format else reader_of(path), path)]
    try:
        locks = find_locks(folder, request.format)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror}") from error
    if request.format and not locks:
        raise NoClosureError(_nothing_found(folder, request.format))
    return locks


def _nothing_found(folder: Path, format_name: str) -> str:
    if format_name:
        return f"{folder}: expected a lock file of format {format_name}, got none"
    for parent in folder.parents:
        if (parent / "uv.lock").is_file():
            return f"{folder}: no lock file and no environment; its workspace has one: depcodex record {parent}"
    return f"{folder}: expected a lock file, pinned requirements or an environment (--venv DIR), got none"


def _refuse_disagreement(readings: list[tuple[Path, Reading]]) -> None:
    first_path, first = readings[0]
    versions = _versions(first)
    for path, reading in readings[1:]:
        for name, others in sorted(_versions(reading).items()):
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


def _versions(reading: Reading) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for closure in reading.closures:
        for row in closure.dependencies:
            # A local package's version is what each tool made of it; its checksum is what counts.
            if not row.coordinate.checksum:
                found.setdefault(_library_name(row.coordinate), set()).add(row.coordinate.version)
    return {name: frozenset(versions) for name, versions in found.items()}


def _library_name(coordinate: Coordinate) -> str:
    """A PyPI package's name; for the others, whose names repeat in other namespaces, the package URL."""
    return coordinate.name if coordinate.type == "pypi" else coordinate.library


def _joined(values: Iterable[str]) -> str:
    return ", ".join(sorted(values))


def _difference_note(path: Path, reading: Reading, installed: InstalledEnvironment | None) -> tuple[str, ...]:
    if installed is None:
        return ()
    rows = [
        f"{name} {_joined(versions)} (installed: {installed.distributions[name].version})"
        for name, versions in sorted(_versions(reading).items())
        if name in installed.distributions and installed.distributions[name].version not in versions
    ]
    if not rows:
        return ()
    more = f" and {len(rows) - _EXAMPLE_COUNT} more" if len(rows) > _EXAMPLE_COUNT else ""
    return (
        f"{path.name} decides, {installed.root} differs: {', '.join(rows[:_EXAMPLE_COUNT])}{more}; they are fetched",
    )


def _checked(reading: Reading, request: ClosureRequest) -> Reading:
    for option, asked, known in (
        ("--group", request.groups, reading.groups),
        ("--extra", request.extras, reading.extras),
    ):
        for name in asked:
            if known is not None and normalised_name(name) not in known:
                has = f"it has {_joined(known)}" if known else "it has none"
                raise UsageError(f"{option} {name}: {reading.closures[0].format} knows no such name, {has}")
    return reading
