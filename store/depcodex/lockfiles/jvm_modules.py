"""The Java and Kotlin sources of a module on disk, and the digest that keys its coordinate.

Here: which files of a module's folder count. Not here: what is in them (the stages), jars (depcodex_assets.ecosystems).

Layout: Maven's "Standard Directory Layout" and Kotlin's multiplatform source sets: ``src/main/java``,
``src/main/kotlin``, ``src/commonMain/kotlin``, ``src/jvmMain/kotlin``. Tests and generated sources are not what others
compile against.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from depcodex.trees import tree_digest

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


def module_digest(folder: Path) -> str:
    """sha256 (64 hexadecimal digits) over a module's sources, as ``trees.tree_digest`` has it; "" where it has none."""
    paths = module_sources(folder)
    return tree_digest(folder, paths) if paths else ""
