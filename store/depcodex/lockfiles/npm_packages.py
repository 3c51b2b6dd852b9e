"""The packages of a lock: a registry's releases, and those that none serves (workspace, folders, git, URLs).

Here: making their coordinate from the tree on disk, or saying why there is none; and, beside them, packages that a
registry serves. Not here: which files of the tree count (depcodex.trees), which dependency is of which kind (each
format's reader).

What a local package holds can change under one version, so its coordinate carries the checksum of its sources.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from depcodex.errors import CoordinateError
from depcodex.lockfiles.graph import Package
from depcodex.lockfiles.npm_names import full_name, is_version, npm_coordinate
from depcodex.trees import NPM_TREE, source_files, tree_digest

UNKNOWN_VERSION = "0.0.0"
_MAX_MANIFEST_BYTES = 4_000_000
_GROUPS = ("dependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta")


def npm_release(name: str, version: str, digests: tuple[str, ...] = ()) -> Package:
    """A package that a registry serves.

    Args:
        name: with its scope, spelt as the registry knows it.
        version: exact; without one there is no coordinate.
        digests: of its archive.

    Raises:
        CoordinateError: name or version cannot stand in a coordinate.
    """
    if not version:
        return Package(name, "", None, "no version in the lock")
    coordinate = npm_coordinate(name, version)
    # Old packages such as JSONStream have capitals, and the registry tells them from others without.
    spelling = name if full_name(coordinate) != name else ""
    return Package(name, version, coordinate, digests=digests, spelling=spelling)


def npm_local_package(name: str, version: str, origin: str, root: Path, folder: str | None = None) -> Package:
    """A package that no registry serves, with a checksum-keyed coordinate where its sources are in the project.

    Args:
        name: as the lock has it; a package.json in the folder overrules it, since that is what the asker installs.
        version: as the lock has it; "" where it has none.
        origin: ``git``, ``url``, ``file``, ``link`` or ``workspace``; stands in the reason.
        root: the folder that the lock lies in.
        folder: where its tree is, below ``root`` or beside it in the same repository; None where no folder holds it.
    """
    if not folder:
        return Package(name, version, None, f"{origin} source, not on this machine")
    place = (root / folder).resolve()
    if not place.is_dir():
        return Package(name, version, None, f"{origin} source, not on this machine")
    if not place.is_relative_to(_repository(root.resolve())):
        return Package(name, version, None, f"{origin} source outside the project")
    paths = source_files(place, NPM_TREE)
    if not any(path.endswith(NPM_TREE.suffixes) for path in paths):
        return Package(name, version, None, f"{origin} source without JavaScript files")
    stated_name, stated_version = stated_identity(place)
    # What lies there is what is read, whatever the lock was written for; yarn puts a version of its own.
    name, version = stated_name or name, stated_version or version or UNKNOWN_VERSION
    try:
        coordinate = npm_coordinate(name, version)
    except CoordinateError:
        # What stands in a package.json that nobody publishes may be anything.
        return Package(name, version, None, f"{origin} source with a name or version that npm has not")
    return Package(name, version, coordinate.with_checksum(tree_digest(place, paths)), location=str(place))


def _repository(root: Path) -> Path:
    """The nearest folder at or above the lock's that is a repository's root; the lock's own where there is none.

    A path that leads out of the repository is nobody's source: a lock must not bring in the rest of the machine.
    """
    return next((each for each in (root, *root.parents) if (each / ".git").exists()), root)


def stated_identity(folder: Path) -> tuple[str, str]:
    """Name and version that the folder's package.json states; "" for what it does not."""
    try:
        path = folder / "package.json"
        if path.stat().st_size > _MAX_MANIFEST_BYTES:
            return "", ""
        document = json.loads(path.read_text(encoding="utf-8-sig"))
        name, version = document.get("name", ""), document.get("version", "")
    except (OSError, ValueError, AttributeError, RecursionError):
        return "", ""
    if not isinstance(name, str) or not isinstance(version, str):
        return "", ""
    return name, version if is_version(version) else ""


def installed_row(folder: Path) -> dict[str, Any] | None:
    """What a package's own package.json says, in the shape of a lock's row; None where it says nothing usable.

    The tree is other people's work: a field of the wrong type is left out, not refused.
    """
    try:
        path = folder / "package.json"
        if path.stat().st_size > _MAX_MANIFEST_BYTES:
            return None
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(document, Mapping):
        return None
    row: dict[str, Any] = {key: document[key] for key in ("name", "version") if isinstance(document.get(key), str)}
    # npm before 7 wrote where a package came from into its package.json.
    for key, source in (("resolved", "_resolved"), ("integrity", "_integrity")):
        if isinstance(document.get(source), str):
            row[key] = document[source]
    for group in _GROUPS:
        if isinstance(document.get(group), Mapping):
            row[group] = document[group]
    return row
