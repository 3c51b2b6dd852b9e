"""Which format a file belongs to, and which lock files a project's folder holds.

Here: the table of formats in the order of preference, matching by name and by content, loading a format's reader on
first use. Not here: what to do when several match (depcodex.lockfiles.projects).
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from depcodex.errors import LockfileError, UsageError
from depcodex.lockfiles.documents import read_text
from depcodex.lockfiles.interface import LockfileReader, Sample


@dataclass(frozen=True)
class Format:
    """One row of the table.

    Attributes:
        name: what ``--format`` takes.
        file_pattern: paths of its locks below a project's folder; None where no file name says it.
        ecosystem: the package URL type of what it locks; "" where a file may hold several. Locks of different
            ecosystems in one folder stand beside each other, those of one must agree.
        stands_behind: names of files beside which it is no lock of its own, but a part of what they say.
        reader: module and class; imported only when a file needs it, because recording runs inside builds and most
            projects have one format.
        gives_way: it says less than another lock of its ecosystem would (checksums of all that was ever asked for, a
            manifest that a tool has to resolve), so it counts only where no other one lies beside it.
        places: folders below the project's in which its locks lie (``gradle``); "" is the project's own.
        is_spread: one lock may lie in several files; the first found stands for all, its reader finds the others.
        installed: names that a folder holds where something is installed in it; this then counts where the ecosystem
            has no lock there. Python's environments, which may lie elsewhere, are found by ``lockfiles.installed``.
    """

    name: str
    file_pattern: str | None
    ecosystem: str
    reader: tuple[str, str]
    gives_way: bool = False
    places: tuple[str, ...] = ("",)
    is_spread: bool = False
    stands_behind: tuple[str, ...] = ()
    installed: tuple[str, ...] = ()

    def matches_name(self, name: str) -> bool:
        """Whether a file of this name, or at this path below the project's folder, is a lock of this format."""
        return self.file_pattern is not None and re.fullmatch(self.file_pattern, name) is not None

    def matches_path(self, path: Path) -> bool:
        """Whether a path ends as one of this format's locks does."""
        return any(self.matches_name("/".join(path.parts[-count:])) for count in (1, 2, 3))

    def load(self) -> LockfileReader:
        """The format's reader."""
        return _load(*self.reader)


class Lock(NamedTuple):
    """A file that locks something, and the format that its name says."""

    format: Format
    path: Path


# Locks that agree are read in this order of preference; the environment only where no lock is.
FORMATS = (
    Format("uv", r"uv\.lock", "pypi", ("depcodex.lockfiles.uv", "UvReader")),
    Format("poetry", r"poetry\.lock", "pypi", ("depcodex.lockfiles.poetry", "PoetryReader")),
    Format("pdm", r"pdm\.lock", "pypi", ("depcodex.lockfiles.pdm", "PdmReader")),
    Format("pylock", r"pylock(\.[^.]+)?\.toml", "pypi", ("depcodex.lockfiles.pylock", "PylockReader")),
    Format("pipfile", r"Pipfile\.lock", "pypi", ("depcodex.lockfiles.pipfile", "PipfileReader")),
    Format("requirements", r"requirements\.txt", "pypi", ("depcodex.lockfiles.requirements", "RequirementsReader")),
    Format(
        "cyclonedx",
        r"(?i:s?bom\.(json|xml)|.+\.cdx\.(json|xml))",
        "",
        ("depcodex.lockfiles.cyclonedx", "CycloneDxReader"),
    ),
    Format("spdx", r"(?i:.+\.spdx\.json)", "", ("depcodex.lockfiles.spdx", "SpdxReader")),
    Format("npm", r"(npm-shrinkwrap|package-lock)\.json", "npm", ("depcodex.lockfiles.npm", "NpmReader")),
    Format("pnpm", r"pnpm-lock\.yaml", "npm", ("depcodex.lockfiles.pnpm", "PnpmReader")),
    Format("yarn", r"yarn\.lock", "npm", ("depcodex.lockfiles.yarn", "YarnReader")),
    Format("bun", r"bun\.lock", "npm", ("depcodex.lockfiles.bun", "BunReader")),
    Format(
        "node_modules",
        None,
        "npm",
        ("depcodex.lockfiles.node_modules", "NodeModulesReader"),
        installed=("package.json", "node_modules"),
    ),
    Format(
        "gradle",
        r"gradle\.lockfile|gradle/dependency-locks/[^/]+\.lockfile",
        "maven",
        ("depcodex.lockfiles.gradle", "GradleReader"),
        places=("", "gradle/dependency-locks"),
        is_spread=True,
    ),
    Format(
        "maven-tree",
        r"((build/depcodex|target)/)?dependency-tree\.json",
        "maven",
        ("depcodex.lockfiles.maven_tree", "MavenTreeReader"),
        places=("", "build/depcodex", "target"),
        is_spread=True,
        gives_way=True,
    ),
    Format(
        "pom",
        r"pom\.xml",
        "maven",
        ("depcodex.lockfiles.pom", "PomReader"),
        gives_way=True,
    ),
    Format(
        "gradle-verification",
        r"(gradle/)?verification-metadata\.xml",
        "maven",
        ("depcodex.lockfiles.gradle_verification", "GradleVerificationReader"),
        places=("gradle",),
        gives_way=True,
    ),
    Format("cargo", r"Cargo\.lock", "cargo", ("depcodex.lockfiles.cargo", "CargoReader")),
    # A go.work speaks for the go.mod beside it, and that for its go.sum and for what was vendored.
    Format("gowork", r"go\.work", "golang", ("depcodex.lockfiles.gowork", "GoWorkReader")),
    Format("gomod", r"go\.mod", "golang", ("depcodex.lockfiles.gomod", "GoModReader"), stands_behind=("go.work",)),
    Format(
        "govendor",
        r"(vendor/)?modules\.txt",
        "golang",
        ("depcodex.lockfiles.govendor", "GoVendorReader"),
        places=("vendor",),
        stands_behind=("go.work", "go.mod"),
    ),
    Format(
        "gosum",
        r"go\.sum",
        "golang",
        ("depcodex.lockfiles.gosum", "GoSumReader"),
        stands_behind=("go.work", "go.mod"),
    ),
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
    return format_named(name).load()


def reader_of(path: Path) -> LockfileReader:
    """The reader that a file belongs to, by its name, else by its content.

    Raises:
        LockfileError: no format recognises it, or it cannot be read.
    """
    return format_of(path).load()


def format_of(path: Path) -> Format:
    """The format that a file belongs to, by its name, else by its content. Raises LockfileError as ``reader_of``."""
    for each in FORMATS:
        if each.matches_path(path):
            return each
    sample = Sample(path, read_text(path, LockfileError))
    for each in FORMATS:
        if each.load().matches_content(sample):
            return each
    raise LockfileError(path, f"format not recognised; --format names it ({', '.join(format_names())})")


def format_named(name: str) -> Format:
    """The row of a format.

    Raises:
        UsageError: there is none of that name.
    """
    for each in FORMATS:
        if each.name == name:
            return each
    raise UsageError(f"--format: expected one of {', '.join(format_names())}, got {name!r}")


def find_locks(folder: Path, format_name: str = "", names: Sequence[str] | None = None) -> list[Lock]:
    """The lock files in a project's folder, in the order of preference.

    A requirements.txt counts where it pins something. Of pylock files ``pylock.toml`` stands before the named ones,
    which count only where it is missing: they are for other purposes, not other opinions.

    Args:
        folder: the project's.
        format_name: the one format to look for; "" for all.
        names: what the folder holds, where somebody has listed it already.

    Raises:
        UsageError: no reader has that name.
        LockfileError: a requirements.txt that cannot be read.
        OSError: the folder cannot be listed.
    """
    formats = (format_named(format_name),) if format_name else FORMATS
    names = _names(folder) if names is None else names
    found: list[Lock] = []
    for each in formats:
        if not format_name and any(name in names for name in each.stands_behind):
            continue
        paths = _paths(each, folder, names)
        if folder / "pylock.toml" in paths:
            paths = [folder / "pylock.toml"]
        if each.name == "requirements" and not format_name and paths:
            from depcodex.lockfiles.requirements import is_pinned

            paths = [path for path in paths if is_pinned(path)]
        found += [Lock(each, path) for path in paths]
    return found


def _paths(wanted: Format, folder: Path, names: Sequence[str]) -> list[Path]:
    """The locks of one format in its places; ``names`` are those of the folder itself."""
    paths: list[Path] = []
    for place in wanted.places:
        inside = folder / place
        if place:
            is_there = place.partition("/")[0] in names and inside.is_dir()
            listed = _names(inside) if is_there else []
        else:
            listed = [name for name in names if _any_name().fullmatch(name)]
        paths += [
            inside / name
            for name in listed
            if wanted.matches_name(f"{place}/{name}" if place else name) and (inside / name).is_file()
        ]
    return paths[:1] if wanted.is_spread else paths


def may_hold_locks(names: Iterable[str]) -> bool:
    """Whether a folder with these names can have anything for ``find_locks``: most folders of a repository cannot."""
    return any(_any_name().fullmatch(name) for name in names)


def _names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@functools.cache
def _any_name() -> re.Pattern[str]:
    """Names of locks of any format, and of the folders that hold some: one match rules most names out."""
    named = [each for each in FORMATS if each.file_pattern]
    folders = {place.partition("/")[0] for each in named for place in each.places if place}
    patterns = [*(str(each.file_pattern) for each in named), *map(re.escape, sorted(folders))]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
