"""Cargo.toml of a workspace's root and its members: what they name themselves, and as what.

Here: dependency tables with their kinds, members, path dependencies, features. Not here: the lock, resolution.

Spec: the Cargo book, "The Manifest Format", "Specifying Dependencies", "Workspaces". A manifest is written by the
project itself; one that cannot be read tells nothing, and the lock alone decides.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MANIFEST_NAME = "Cargo.toml"
_MAX_MANIFEST_BYTES = 4 * 1024 * 1024
_MAX_MEMBERS = 2000
_KINDS = (
    ("dependencies", "normal"),
    ("dev-dependencies", "dev"),
    ("dev_dependencies", "dev"),
    ("build-dependencies", "build"),
    ("build_dependencies", "build"),
)


@dataclass(frozen=True)
class Requirement:
    """One line of a dependency table.

    Attributes:
        name: the crate's own name, whatever it is called here.
        kind: ``normal``, ``dev`` or ``build``.
        version: the requirement as written; "" where there is none.
        folder: where a path dependency lies; None for the others.
    """

    name: str
    kind: str
    version: str
    folder: Path | None


@dataclass(frozen=True)
class Manifest:
    """A member of a workspace.

    Attributes:
        name: of its package; "" for a workspace's root without one (a virtual manifest).
        folder: resolved.
        requirements: of all its tables, those of targets among them.
        features: names of its features.
    """

    name: str
    folder: Path
    requirements: tuple[Requirement, ...]
    features: frozenset[str]


def read_document(path: Path) -> dict[str, Any]:
    """A TOML file as a dictionary; empty where it is absent or cannot be read."""
    import tomllib

    try:
        if path.stat().st_size > _MAX_MANIFEST_BYTES:
            return {}
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}


def read_workspace(root: Path) -> tuple[Manifest, ...]:
    """The members of the workspace at ``root``, by folder, the root's own package first; empty without a manifest.

    Members are what ``[workspace] members`` names and, as in cargo, path dependencies of members below the root.
    """
    root = root.resolve()
    document = read_document(root / MANIFEST_NAME)
    workspace = _table(document, "workspace")
    shared = _table(workspace, "dependencies")
    excluded = [(root / str(each)).resolve() for each in _list(workspace, "exclude")]
    waiting = [root] if document else []
    for pattern in _list(workspace, "members"):
        waiting += _folders(root, str(pattern))
    found: dict[Path, Manifest] = {}
    while waiting and len(found) < _MAX_MEMBERS:
        folder = waiting.pop(0)
        if folder in found or any(folder.is_relative_to(each) for each in excluded):
            continue
        own = document if folder == root else read_document(folder / MANIFEST_NAME)
        if not own:
            continue
        found[folder] = manifest = _manifest(folder, own, shared, root)
        waiting += [
            each.folder
            for each in manifest.requirements
            if each.folder is not None and each.folder.is_relative_to(root) and each.folder not in found
        ]
    members = (each for each in found.values() if each.name)
    return tuple(sorted(members, key=lambda each: (each.folder != root, each.folder)))


def _manifest(folder: Path, document: Mapping[str, Any], shared: Mapping[str, Any], root: Path) -> Manifest:
    package = _table(document, "package") or _table(document, "project")
    name = package.get("name")
    requirements = list(_requirements(document, folder, shared, root))
    for target in _table(document, "target").values():
        if isinstance(target, dict):
            requirements += _requirements(target, folder, shared, root)
    features = frozenset(_table(document, "features"))
    return Manifest(name if isinstance(name, str) else "", folder, tuple(requirements), features)


def _requirements(
    document: Mapping[str, Any], folder: Path, shared: Mapping[str, Any], root: Path
) -> Iterator[Requirement]:
    for key, kind in _KINDS:
        for alias, given in _table(document, key).items():
            fields, base = given, folder
            if isinstance(given, dict) and given.get("workspace") is True:
                fields, base = shared.get(alias, {}), root
            if isinstance(fields, str):
                fields = {"version": fields}
            if not isinstance(fields, dict):
                continue
            path = fields.get("path")
            yield Requirement(
                str(fields.get("package", alias)),
                kind,
                str(fields.get("version", "")),
                Path(os.path.normpath(base / path)) if isinstance(path, str) else None,
            )


def _folders(root: Path, pattern: str) -> list[Path]:
    if not any(each in pattern for each in "*?["):
        return [Path(os.path.normpath(root / pattern))]
    try:
        return sorted(each.resolve() for each in root.glob(pattern) if (each / MANIFEST_NAME).is_file())
    except (ValueError, NotImplementedError, OSError):
        return []


def _table(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = document.get(key)
    return value if isinstance(value, dict) else {}


def _list(document: Mapping[str, Any], key: str) -> list[Any]:
    value = document.get(key)
    return value if isinstance(value, list) else []
