"""Standard libraries as coordinates of a closure, where a setting asks for them and their source is on this machine.

Here: their reserved names, the digest that keys them, adding them to closures. Not here: whether they are asked for
(depcodex.settings), where each lies (python_library, go_library, rust_library, jdk_library), reading them (the stages).

A standard library is no package: distributions patch it under one version. So its coordinate carries the checksum of
its sources like a path dependency's, and it is read in place, never fetched. The names cannot be those of packages: no
registry takes them (ADR 0016).
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from depcodex.closure import Closure, ResolvedDependency, Scope, SkippedDependency, merged_dependencies
from depcodex.coordinates import Coordinate
from depcodex.lockfiles.go_library import find_go, go_paths
from depcodex.lockfiles.go_modules import STDLIB_REASON
from depcodex.lockfiles.jdk_library import find_jdk
from depcodex.lockfiles.library_source import LibrarySource
from depcodex.lockfiles.python_library import find_python, python_paths
from depcodex.lockfiles.rust_library import find_rust, rust_paths
from depcodex.trees import tree_digest

# Package URL type → (namespace, name). `~` begins no name on PyPI and stands in no Maven id; the registry of crates
# keeps `std` back, and no module path of Go's may begin with a word that has no dot.
RESERVED_NAMES: Mapping[str, tuple[str, str]] = {
    "pypi": ("", "~stdlib"),
    "golang": ("", "std"),
    "cargo": ("", "std"),
    "maven": ("~jdk", "jdk"),
}
_FINDERS: Mapping[str, Callable[[Closure, Path], LibrarySource | None]] = {
    "pypi": find_python,
    "golang": find_go,
    "cargo": find_rust,
    "maven": find_jdk,
}
# The JDK's is an archive, whose own digest keys it.
_PATHS: Mapping[str, Callable[[Path], tuple[str, ...]]] = {
    "pypi": python_paths,
    "golang": go_paths,
    "cargo": rust_paths,
}
_NOT_HERE = "Go's standard library, not on this machine"


def is_standard_library(coordinate: Coordinate) -> bool:
    """Whether a coordinate is a standard library and no package.

    Example:
        >>> is_standard_library(Coordinate.parse("pkg:pypi/~stdlib@3.12.4"))
        True
    """
    return RESERVED_NAMES.get(coordinate.type) == (coordinate.namespace, coordinate.name)


def library_paths(type: str, folder: Path) -> tuple[str, ...]:
    """The sources of a standard library that count, relative with ``/``, sorted; one rule for key and reading.

    Args:
        type: the package URL type of one whose place is a folder.
        folder: that place.
    """
    return _PATHS[type](folder)


def library_checksum(type: str, place: Path) -> str:
    """``sha256:<hex>`` that keys a standard library.

    Args:
        type: the package URL type.
        place: its folder or archive.

    Raises:
        OSError: the archive cannot be read.
    """
    if type in _PATHS:
        return f"sha256:{tree_digest(place, library_paths(type, place))}"
    with place.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def with_standard_libraries(closures: Iterable[Closure], root: Path) -> tuple[Closure, ...]:
    """The closures, each with the standard libraries of its ecosystems in it, importable and at no distance.

    As they were where they have nothing of an ecosystem, or its library is not on this machine.

    Args:
        closures: of one project's members.
        root: the project's folder.
    """
    added = _Libraries(root)
    return tuple(map(added.to, closures))


class _Libraries:
    """The libraries that members of one project use; each is digested once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._checksums: dict[Path, str] = {}

    def to(self, closure: Closure) -> Closure:
        types = _types(closure)
        if not types:
            return closure
        member = self._root / closure.member
        folder = member if member.is_dir() else self._root
        rows = []
        for type, find in _FINDERS.items():
            source = find(closure, folder) if type in types else None
            row = self._row(type, source) if source is not None else None
            if row is not None:
                rows.append(row)
        skipped = closure.skipped
        if "golang" in types:
            skipped = _skipped(closure, is_there=any(each.coordinate.type == "golang" for each in rows))
        if not rows and skipped == closure.skipped:
            return closure
        dependencies = merged_dependencies((*closure.dependencies, *rows))
        return dataclasses.replace(closure, dependencies=dependencies, skipped=skipped)

    def _row(self, type: str, source: LibrarySource) -> ResolvedDependency | None:
        if source.place not in self._checksums:
            try:
                self._checksums[source.place] = library_checksum(type, source.place)
            except OSError:
                return None
        namespace, name = RESERVED_NAMES[type]
        coordinate = Coordinate.of(type, name, source.version, namespace=namespace)
        keyed = coordinate.with_checksum(self._checksums[source.place].removeprefix("sha256:"))
        return ResolvedDependency(keyed, Scope.IMPORTABLE, location=str(source.place))


def _types(closure: Closure) -> frozenset[str]:
    """The ecosystems of a closure: of what it holds, and of what its format locks, which may be nothing.

    A member of a Go or Rust project has its library without any package; Python's needs one.
    """
    from depcodex.lockfiles.detection import FORMATS

    of_format = {each.ecosystem for each in FORMATS if each.name == closure.format} - {"", "pypi"}
    return frozenset({each.coordinate.type for each in closure.dependencies} | of_format)


def _skipped(closure: Closure, *, is_there: bool) -> tuple[SkippedDependency, ...]:
    """What a closure skipped, without Go's library where it is in it now, else with the reason that holds."""
    kept = (each for each in closure.skipped if not (is_there and each.reason == STDLIB_REASON))
    return tuple(dataclasses.replace(each, reason=_NOT_HERE) if each.reason == STDLIB_REASON else each for each in kept)
