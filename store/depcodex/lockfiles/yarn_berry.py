"""The entries of yarn berry's yarn.lock (yarn 2 and later).

Here: what keys, resolutions and fields of lock versions 4 to 10 say. Not here: YAML
(depcodex.lockfiles.yaml_documents), closures (depcodex.lockfiles.yarn).

Spec: yarn's ``Project.setupResolutions`` and ``structUtils``, read 2026-12. A key lists the descriptors that an entry
serves; ``resolution`` is the locator. ``checksum`` is of yarn's own zip archive and no digest of what a registry
serves, so it is not taken for one. Packages that yarn patches for its own linker (``builtin<…>``) are what their
release is. A workspace's dependencies hold its devDependencies too.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from depcodex.errors import LockfileError
from depcodex.lockfiles.npm_manifest import specifiers
from depcodex.lockfiles.npm_names import is_version, origin_of, split_at_version
from depcodex.lockfiles.yarn_entries import YarnEntry

FIRST_VERSION, LAST_VERSION = 4, 10
_METADATA = "__metadata"
# A patch of a patch of a patch: yarn itself nests two.
_MAX_PATCHES = 8


def berry_entries(document: Mapping[str, Any], path: Path, error: type[LockfileError]) -> Iterator[YarnEntry]:
    """The packages of the document.

    Raises:
        LockfileError: ``error``; of another lock version, or a row is none.
        TypeError, AttributeError, ValueError: as ``documents.guarded`` translates.
    """
    metadata = document.get(_METADATA)
    version = metadata.get("version") if isinstance(metadata, Mapping) else None
    if not isinstance(version, str) or not version.isdecimal() or not FIRST_VERSION <= int(version) <= LAST_VERSION:
        shown = version if isinstance(version, str) and version.isdecimal() else "something else"
        raise error(path, f"lock version: expected {FIRST_VERSION} to {LAST_VERSION}, got {shown}")
    for key, row in document.items():
        if key != _METADATA:
            if not isinstance(row, Mapping):
                raise error(path, f"package {key[:100]!r}: expected a mapping")
            yield _entry(key, row, path, error)


def _entry(key: str, row: Mapping[str, Any], path: Path, error: type[LockfileError]) -> YarnEntry:
    version, resolution = row.get("version", ""), row.get("resolution", "")
    conditions = row.get("conditions", "")
    if not all(isinstance(each, str) for each in (version, resolution, conditions)) or not resolution:
        raise error(path, f"package {key[:100]!r}: expected version and resolution")
    name, reference = split_at_version(resolution)
    is_patched = False
    for _ in range(_MAX_PATCHES):
        if not reference.startswith("patch:"):
            break
        inner, _, patches = reference[len("patch:") :].partition("#")
        is_patched = is_patched or not _is_builtin(patches)
        name, reference = split_at_version(unquote(inner))
    member = ""
    folder = None
    origin = ""
    if reference.startswith("workspace:"):
        member = posixpath.normpath(reference[len("workspace:") :])
        origin, folder = "workspace", member
    elif not (reference.startswith("npm:") and is_version(reference[len("npm:") :].partition("::")[0])):
        origin = origin_of(reference) or "unknown"
        folder = _folder(reference) if origin in ("file", "link") else None
    version = "" if version == "0.0.0-use.local" else version
    return YarnEntry(
        tuple(key.split(", ")),
        name,
        version,
        origin,
        folder,
        member,
        dependencies=specifiers(row, "dependencies"),
        peers=specifiers(row, "peerDependencies"),
        conditions=conditions,
        is_patched=is_patched,
    )


def _is_builtin(patches: str) -> bool:
    names = patches.partition("::")[0].split("&")
    return all("builtin<" in each for each in names)


def _folder(reference: str) -> str | None:
    """The folder that ``file:``, ``portal:`` or ``link:`` means, below the lock's: it is told from its asker's."""
    path, _, bindings = reference.partition("::")
    path = unquote(path.partition(":")[2].partition("#")[0])
    asker = ""
    for binding in bindings.split("&"):
        name, _, value = binding.partition("=")
        if name == "locator":
            asker = split_at_version(unquote(value))[1].removeprefix("workspace:")
    if path.endswith((".tgz", ".tar.gz")) or "\0" in path or asker.partition(":")[0] in ("npm", "patch", "virtual"):
        return None
    return posixpath.normpath(posixpath.join(asker or ".", path))
