"""Which format a file belongs to, and which lock files a project's folder holds.

Here: the table of formats in the order of preference, matching by name and by content, loading a format's reader on
first use. Not here: what to do when several match (depcodex.lockfiles.projects).
"""

from __future__ import annotations

import functools
import importlib
import re
from dataclasses import dataclass
from pathlib import Path

from depcodex.errors import LockfileError, UsageError
from depcodex.lockfiles.documents import read_text
from depcodex.lockfiles.interface import LockfileReader, Sample


@dataclass(frozen=True)
class Format:
    """One row of the table.

    Attributes:
        name: what ``--format`` takes.
        file_pattern: file names of its locks in a project's folder; None where no file name says it.
        ecosystem: the package URL type of what it locks; "" where a file may hold several. Locks of different
            ecosystems in one folder stand beside each other, those of one must agree.
        reader: module and class; imported only when a file needs it, because recording runs inside builds and most
            projects have one format.
    """

    name: str
    file_pattern: str | None
    ecosystem: str
    reader: tuple[str, str]

    def matches_name(self, name: str) -> bool:
        """Whether a file of this name is a lock of this format."""
        return self.file_pattern is not None and re.fullmatch(self.file_pattern, name) is not None

    def load(self) -> LockfileReader:
        """The format's reader."""
        return _load(*self.reader)


# Locks that agree are read in this order of preference; the environment only where no lock is.
FORMATS = (
    Format("uv", r"uv\.lock", "pypi", ("depcodex.lockfiles.uv", "UvReader")),
    Format("poetry", r"poetry\.lock", "pypi", ("depcodex.lockfiles.poetry", "PoetryReader")),
    Format("pdm", r"pdm\.lock", "pypi", ("depcodex.lockfiles.pdm", "PdmReader")),
    Format("pylock", r"pylock(\.[^.]+)?\.toml", "pypi", ("depcodex.lockfiles.pylock", "PylockReader")),
    Format("pipfile", r"Pipfile\.lock", "pypi", ("depcodex.lockfiles.pipfile", "PipfileReader")),
    Format("requirements", r"requirements\.txt", "pypi", ("depcodex.lockfiles.requirements", "RequirementsReader")),
    Format("cargo", r"Cargo\.lock", "cargo", ("depcodex.lockfiles.cargo", "CargoReader")),
    Format("environment", None, "pypi", ("depcodex.lockfiles.environment", "EnvironmentReader")),
)


@functools.cache
def _load(module: str, name: str) -> LockfileReader:
    reader: LockfileReader = getattr(importlib.import_module(module), name)()
    return reader


def format_names() -> tuple[str, ...]:
    """What ``--format`` takes, in the order of preference."""
    return tuple(each.name for each in FORMATS)


def reader_named(name: str) -> LockfileReader:
    """The reader of a format.

    Raises:
        UsageError: there is none of that name.
    """
    return _format_named(name).load()


def _format_named(name: str) -> Format:
    for each in FORMATS:
        if each.name == name:
            return each
    raise UsageError(f"--format: expected one of {', '.join(format_names())}, got {name!r}")


def reader_of(path: Path) -> LockfileReader:
    """The reader that a file belongs to, by its name, else by its content.

    Raises:
        LockfileError: no format recognises it, or it cannot be read.
    """
    for each in FORMATS:
        if each.matches_name(path.name):
            return each.load()
    sample = Sample(path, read_text(path, LockfileError))
    for each in FORMATS:
        if each.load().matches_content(sample):
            return each.load()
    raise LockfileError(path, f"format not recognised; --format names it ({', '.join(format_names())})")


def find_locks(folder: Path, format_name: str = "") -> list[tuple[LockfileReader, Path]]:
    """The lock files in a project's folder, in the order of preference.

    A requirements.txt counts where it pins something. Of pylock files ``pylock.toml`` stands before the named ones,
    which count only where it is missing: they are for other purposes, not other opinions.

    Raises:
        UsageError: no reader has that name.
        LockfileError: a requirements.txt that cannot be read.
        OSError: the folder cannot be listed.
    """
    formats = (_format_named(format_name),) if format_name else FORMATS
    names = sorted(each.name for each in folder.iterdir())
    found: list[tuple[LockfileReader, Path]] = []
    for each in formats:
        paths = [folder / name for name in names if each.matches_name(name) and (folder / name).is_file()]
        if folder / "pylock.toml" in paths:
            paths = [folder / "pylock.toml"]
        if each.name == "requirements" and not format_name and paths:
            from depcodex.lockfiles.requirements import is_pinned

            paths = [path for path in paths if is_pinned(path)]
        found += [(each.load(), path) for path in paths]
    return found
