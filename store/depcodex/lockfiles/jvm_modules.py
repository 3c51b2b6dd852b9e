"""The Java and Kotlin sources of a module on disk, and the digest that keys its coordinate.

Here: which files of a module's folder count, and the package that they make. Not here: what is in them (the stages),
jars (depcodex_assets.ecosystems).

Layout: Maven's "Standard Directory Layout" and Kotlin's multiplatform source sets: ``src/main/java``,
``src/main/kotlin``, ``src/commonMain/kotlin``, ``src/jvmMain/kotlin``. Tests and generated sources are not what others
compile against.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex.lockfiles.graph import Package
from depcodex.trees import tree_digest

OWN_MODULE = "a module of this project"
SUFFIXES = (".java", ".kt")
SOURCE_FOLDERS = ("src/main/java", "src/main/kotlin", "src/commonMain/kotlin", "src/jvmMain/kotlin")


def module_sources(folder: Path) -> tuple[str, ...]:
    """Paths of a module's sources below its folder, relative with ``/``, sorted; links are not followed."""
    return tuple(sorted(path for each in SOURCE_FOLDERS for path in _sources(folder, each)))


def _sources(folder: Path, place: str) -> Iterator[str]:
    for at, folders, names in os.walk(folder / place):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(at) / name
            if name.endswith(SUFFIXES) and path.is_file() and not path.is_symlink():
                yield path.relative_to(folder).as_posix()


def module_package(group: str, artifact: str, version: str, folder: Path | None) -> Package:
    """A project's own module as others depend on it: it changes under its version, so its sources key it.

    Args:
        group: as the build calls it.
        artifact: likewise.
        version: likewise.
        folder: where it lies; None where that is not known.

    Returns:
        A package without a coordinate where its sources are not there: no registry is asked for a project's own module.

    Raises:
        CoordinateError: a part cannot stand in a coordinate.
    """
    name = f"{group}:{artifact}"
    digest = module_digest(folder) if folder is not None and folder.is_dir() else ""
    if folder is None or not digest or not version or "${" in version:
        return Package(name, version, None, OWN_MODULE)
    coordinate = Coordinate.of("maven", artifact, version, namespace=group, checksum=f"sha256:{digest}")
    return Package(name, version, coordinate, location=str(folder.resolve()))


def module_digest(folder: Path) -> str:
    """sha256 (64 hexadecimal digits) over a module's sources, as ``trees.tree_digest`` has it; "" where it has none."""
    paths = module_sources(folder)
    return tree_digest(folder, paths) if paths else ""
