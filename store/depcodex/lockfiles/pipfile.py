"""Pipfile.lock.

Here: specification 6 (``_meta``, ``default``, ``develop``, further categories). Not here: the Pipfile itself
(depcodex.lockfiles.manifest), which names the roots where it lies beside the lock.

Spec: pipfile-spec 6 and Pipenv's documentation, "Pipfile & Pipfile.lock", read 2026-11. ``develop`` is the group
``dev``. Entries from git or a path carry no version: what is not on this machine is named in a note, since there is no
version to report it under.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import (
    coordinate_of,
    guarded,
    input_row,
    normalised_name,
    parse_json,
    read_text,
    sha256_digests,
    table,
)
from depcodex.lockfiles.graph import MARKER, Edge, Graph, Package, not_asked
from depcodex.lockfiles.installed_graph import connect_installed
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of
from depcodex.lockfiles.local import local_package
from depcodex.lockfiles.manifest import Manifest, read_pipfile

_KNOWN_SPECIFICATION = 6
_MAIN = "default"


class PipfileLockError(LockfileError):
    """A Pipfile.lock, or the Pipfile it belongs to, cannot be read."""

    format_name = "pipfile"


class PipfileReader:
    """Reads Pipfile.lock."""

    name = "pipfile"
    error: type[LockfileError] = PipfileLockError

    def matches_content(self, sample: Sample) -> bool:
        """JSON that states a Pipfile specification."""
        return sample.text.lstrip().startswith("{") and '"pipfile-spec"' in sample.text

    def read(self, path: Path, target: Target) -> Reading:
        """One closure; see ``LockfileReader.read``."""
        document = parse_json(read_text(path, PipfileLockError), path, PipfileLockError)
        specification = table(document, "_meta", path, PipfileLockError).get("pipfile-spec")
        if document and specification != _KNOWN_SPECIFICATION:
            raise PipfileLockError(path, f"pipfile-spec: expected {_KNOWN_SPECIFICATION}, got {specification!r}")
        manifest = read_pipfile(path.parent)
        with guarded(path, PipfileLockError):
            return _read(path, document, manifest, target)


def _read(path: Path, document: Mapping[str, Any], manifest: Manifest | None, target: Target) -> Reading:
    graph = Graph()
    edges: list[Edge] = []
    notes: list[str] = []
    live: dict[str, str] = {}
    # The main category first: where two categories name one package, Pipenv installs the main one's version.
    categories = sorted((key for key in document if not key.startswith("_")), key=lambda key: key != _MAIN)
    for category in categories:
        group = "" if category == _MAIN else _group_name(category)
        for name, fields in table(document, category, path, PipfileLockError).items():
            place = fields.get("path")
            if place is not None and (path.parent / str(place)).resolve() == path.parent.resolve():
                # The project itself, installed editable.
                continue
            package = _package(path, normalised_name(name), fields, target)
            key = f"{category}\n{package.name}"
            if not package.version:
                notes.append(f"{path.name}: {package.name}: {package.reason}, and the lock has no version for it")
                continue
            graph.add(key, package)
            why = not_asked("group", group) if group and group not in target.groups else ""
            why = why or ("" if target.markers.holds(str(fields.get("markers", ""))) else MARKER)
            if not why and package.name in live:
                why = "the main category has another version"
            if not why:
                live[package.name] = key
            edges.append(Edge(key, why))
    if target.installed:
        distributions = target.installed.distributions
        same = [
            distributions[name]
            for name, key in live.items()
            if name in distributions and distributions[name].version == graph.package(key).version
        ]
        connect_installed(graph, same, target.markers, live.get)
    inputs = [input_row(path, path.parent)]
    named = frozenset[str]()
    if manifest is not None:
        inputs.append(input_row(manifest.path, path.parent))
        named = frozenset(
            live[wanted.name]
            for wanted, why in manifest.labelled(target.groups, target.extras)
            if not why and wanted.name in live
        )
    closure = closure_of("pipfile", graph.resolve(edges, named=named), target, tuple(inputs))
    groups = frozenset(_group_name(category) for category in categories) - {_MAIN}
    return Reading((closure,), tuple(notes), groups, frozenset())


def _group_name(category: str) -> str:
    return "dev" if category == "develop" else normalised_name(category)


def _package(path: Path, name: str, fields: Mapping[str, Any], target: Target) -> Package:
    version = str(fields.get("version", "")).lstrip("=").strip()
    digests = sha256_digests(fields.get("hashes", ()))
    installed = target.installed
    if "git" in fields:
        return local_package(name, version, "git", installed=installed, commit=str(fields.get("ref", "")))
    if "path" in fields or ("file" in fields and fields.get("editable")):
        folder = (path.parent / str(fields.get("path") or fields["file"])).resolve()
        origin = "editable" if fields.get("editable") else "path"
        found = None if folder.is_file() else folder
        return local_package(name, version, origin, folder=found, installed=installed, digests=digests)
    if "file" in fields:
        return local_package(name, version, "url", installed=installed, digests=digests)
    if not version:
        return Package(name, "", None, "any version")
    return Package(name, version, coordinate_of(name, version), digests=digests)
