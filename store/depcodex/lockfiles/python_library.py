"""Python's standard library on this machine.

Here: where it lies, and which of its files count. Not here: its coordinate (standard_library).
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from depcodex.closure import Closure
from depcodex.lockfiles.library_source import LibrarySource
from depcodex.trees import SOURCE_SUFFIXES, source_files

# Tests of Python itself, its editor and demos: half of the files, and nothing that a project imports.
_LEFT_OUT = frozenset({"test", "idlelib", "turtledemo", "lib2to3", "ensurepip", "lib-dynload", "site-packages"})
_FOLDER_PATTERN = re.compile(r"python(\d+\.\d+)t?")


def find_python(closure: Closure, folder: Path) -> LibrarySource | None:
    """The library of the Python that a member resolved for, of the same minor version; None where none is found."""
    del folder  # the environment says where its Python lies
    version = closure.environment.get("python_full_version", "")
    place = find_python_library(version, closure.site_packages) if version else None
    return LibrarySource(version, place) if place is not None else None


def find_python_library(version: str, site_packages: tuple[str, ...]) -> Path | None:
    """The folder of the standard library of a Python, of the same minor version; None where none is found.

    Args:
        version: ``3.12.4``.
        site_packages: of the environment; its own library, and that of the Python it was made from, come first.
    """
    minor = ".".join(version.split(".")[:2])
    for candidate in (*_beside(site_packages), _running()):
        match = _FOLDER_PATTERN.fullmatch(candidate.name) if candidate is not None else None
        if candidate is not None and match and match[1] == minor and (candidate / "os.py").is_file():
            return candidate.resolve()
    return None


def python_paths(folder: Path) -> tuple[str, ...]:
    """The sources of a standard library that count, relative with ``/``, sorted; one rule for key and reading.

    Modules at the top, and packages that have an ``__init__.py``, but for tests, demos and what is installed.
    """
    with os.scandir(folder) as listing:
        entries = sorted(listing, key=lambda each: each.name)
    paths = [each.name for each in entries if each.name.endswith(SOURCE_SUFFIXES) and each.is_file()]
    for each in entries:
        if each.name in _LEFT_OUT or not each.is_dir(follow_symlinks=False):
            continue
        if (folder / each.name / "__init__.py").is_file():
            paths += [f"{each.name}/{path}" for path in source_files(folder / each.name)]
    return tuple(sorted(paths))


def _beside(site_packages: tuple[str, ...]) -> list[Path]:
    """Where the libraries of the environments with these site-packages may lie."""
    found: list[Path] = []
    for site in map(Path, site_packages):
        library = site.parent
        found.append(library)
        try:
            text = (library.parent.parent / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        home = re.search(r"(?m)^home\s*=\s*(.+?)\s*$", text)
        if home:
            found.append(Path(home[1]).parent / "lib" / library.name)
    return found


def _running() -> Path | None:
    import sysconfig

    path = sysconfig.get_path("stdlib")
    return Path(path) if path else None
