"""Which reader a file belongs to, and which lock files a project's folder holds.

Here: the list of readers in the order of preference, matching by name and by content. Not here: what to do when
several match (depcodex.lockfiles.projects).
"""

from __future__ import annotations

from pathlib import Path

from depcodex.errors import LockfileError, UsageError
from depcodex.lockfiles.documents import read_text
from depcodex.lockfiles.environment import EnvironmentReader
from depcodex.lockfiles.interface import LockfileReader, Sample
from depcodex.lockfiles.pdm import PdmReader
from depcodex.lockfiles.pipfile import PipfileReader
from depcodex.lockfiles.poetry import PoetryReader
from depcodex.lockfiles.pylock import PylockReader
from depcodex.lockfiles.requirements import RequirementsReader, is_pinned
from depcodex.lockfiles.uv import UvReader

# Locks that agree are read in this order of preference; the environment only where no lock is.
READERS: tuple[LockfileReader, ...] = (
    UvReader(),
    PoetryReader(),
    PdmReader(),
    PylockReader(),
    PipfileReader(),
    RequirementsReader(),
    EnvironmentReader(),
)


def format_names() -> tuple[str, ...]:
    """What ``--format`` takes, in the order of preference."""
    return tuple(reader.name for reader in READERS)


def reader_named(name: str) -> LockfileReader:
    """The reader of a format.

    Raises:
        UsageError: there is none of that name.
    """
    for reader in READERS:
        if reader.name == name:
            return reader
    raise UsageError(f"--format: expected one of {', '.join(format_names())}, got {name!r}")


def reader_of(path: Path) -> LockfileReader:
    """The reader that a file belongs to, by its name, else by its content.

    Raises:
        LockfileError: no format recognises it.
    """
    for reader in READERS:
        if reader.matches_name(path.name):
            return reader
    sample = Sample(path, read_text(path, LockfileError))
    for reader in READERS:
        if reader.matches_content(sample):
            return reader
    raise LockfileError(path, f"format not recognised; --format names it ({', '.join(format_names())})")


def find_locks(folder: Path, format_name: str = "") -> list[tuple[LockfileReader, Path]]:
    """The lock files in a project's folder, in the order of preference.

    A requirements.txt counts where it pins something. Of pylock files ``pylock.toml`` stands before the named ones,
    which count only where it is missing: they are for other purposes, not other opinions.

    Raises:
        UsageError: no reader has that name.
        LockfileError: a requirements.txt that cannot be read.
    """
    readers = (reader_named(format_name),) if format_name else READERS
    names = sorted(each.name for each in folder.iterdir())
    found: list[tuple[LockfileReader, Path]] = []
    for reader in readers:
        paths = [folder / name for name in names if reader.matches_name(name) and (folder / name).is_file()]
        if folder / "pylock.toml" in paths:
            paths = [folder / "pylock.toml"]
        if reader.name == "requirements" and not format_name:
            paths = [path for path in paths if is_pinned(path)]
        found += [(reader, path) for path in paths]
    return found
