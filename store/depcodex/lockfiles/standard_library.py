"""The standard library as a coordinate of a closure, where a setting asks for it and its source is on this machine.

Here: its reserved names, where Python's lies, which of its files count, the digest that keys it. Not here: whether it
is asked for (depcodex.settings), reading the files (the stages).

A standard library is no package: distributions patch it under one version. So its coordinate carries the checksum of
its sources like a path dependency's, and it is read in place, never fetched. The names cannot be those of packages: no
registry takes them (ADR 0016).
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Mapping
from pathlib import Path

from depcodex.closure import Closure, ResolvedDependency, Scope, merged_dependencies
from depcodex.coordinates import Coordinate
from depcodex.trees import SOURCE_SUFFIXES, source_files, tree_digest

# Package URL type → (namespace, name). `~` begins no name on PyPI and stands in no Maven id; crates.io keeps `std`
# back, and no module path of Go's may begin with a word that has no dot.
RESERVED_NAMES: Mapping[str, tuple[str, str]] = {
    "pypi": ("", "~stdlib"),
    "golang": ("", "std"),
    "cargo": ("", "std"),
    "maven": ("~jdk", "jdk"),
}
# Tests of Python itself, its editor and demos: half of the files, and nothing that a project imports.
_LEFT_OUT = frozenset({"test", "idlelib", "turtledemo", "lib2to3", "ensurepip", "lib-dynload", "site-packages"})
_FOLDER_PATTERN = re.compile(r"python(\d+\.\d+)t?")


def is_standard_library(coordinate: Coordinate) -> bool:
    """Whether a coordinate is a standard library and no package.

    Example:
        >>> is_standard_library(Coordinate.parse("pkg:pypi/~stdlib@3.12.4"))
        True
    """
    return RESERVED_NAMES.get(coordinate.type) == (coordinate.namespace, coordinate.name)


def with_standard_library(closure: Closure) -> Closure:
    """The closure with Python's standard library in it, importable and at no distance.

    As it was where the closure has no Python packages, or no standard library of its Python's minor version is on this
    machine.
    """
    version = closure.environment.get("python_full_version", "")
    if not version or not any(each.coordinate.type == "pypi" for each in closure.dependencies):
        return closure
    folder = find_python_library(version, closure.site_packages)
    if folder is None:
        return closure
    checksum = tree_digest(folder, library_paths(folder))
    coordinate = Coordinate.of("pypi", RESERVED_NAMES["pypi"][1], version).with_checksum(checksum)
    row = ResolvedDependency(coordinate, Scope.IMPORTABLE, location=str(folder))
    return dataclasses.replace(closure, dependencies=merged_dependencies((*closure.dependencies, row)))


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


def library_paths(folder: Path) -> tuple[str, ...]:
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
