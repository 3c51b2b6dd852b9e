"""pylock.toml and pylock.<name>.toml.

Here: lock version 1.x. Not here: any tool's own table in it.

Spec: PEP 751 and the packaging.python.org page "pylock.toml specification", read 2026-11. The file lists what to
install, each with a marker that may ask about ``extras`` and ``dependency_groups``; it names no roots, so these come
from the pyproject.toml beside it, where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import (
    coordinate_of,
    guarded,
    input_row,
    normalised_name,
    parse_toml,
    read_text,
    sha256_digests,
    tables,
    text_of,
)
from depcodex.lockfiles.graph import MARKER, Edge, Graph, Package, not_asked
from depcodex.lockfiles.installed_graph import connect_installed
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of, python_note
from depcodex.lockfiles.local import local_package
from depcodex.lockfiles.manifest import Manifest, read_pyproject

_KNOWN_MAJOR = "1"
_SET_PATTERN = re.compile(r"(['\"])([A-Za-z0-9._-]+)\1 in (extras|dependency_groups)")
# A field in which one package may differ from another of the same name.
_SOURCES = ("vcs", "directory", "archive", "sdist", "wheels")


class PylockError(LockfileError):
    """A pylock.toml cannot be read."""

    format_name = "pylock"


class PylockReader:
    """Reads pylock.toml."""

    name = "pylock"
    error: type[LockfileError] = PylockError

    def matches_content(self, sample: Sample) -> bool:
        """A top-level lock version, and ``packages``."""
        return bool(re.search(r"^lock-version\s*=\s*['\"]1", sample.text, re.MULTILINE)) and bool(
            re.search(r"^(\[\[packages\]\]|packages\s*=|created-by\s*=)", sample.text, re.MULTILINE)
        )

    def read(self, path: Path, target: Target) -> Reading:
        """One closure; see ``LockfileReader.read``."""
        document = parse_toml(read_text(path, PylockError), path, PylockError)
        lock_version = document.get("lock-version")
        if document and str(lock_version).split(".")[0] != _KNOWN_MAJOR:
            raise PylockError(path, f"lock version: expected {_KNOWN_MAJOR}.x, got {lock_version!r}")
        manifest = read_pyproject(path.parent)
        with guarded(path, PylockError):
            return _read(path, document, manifest, target)


def _read(path: Path, document: Mapping[str, Any], manifest: Manifest | None, target: Target) -> Reading:
    defaults = frozenset(map(normalised_name, document.get("default-groups", ())))
    groups = target.groups | defaults
    graph = Graph()
    why_of: dict[str, str] = {}
    names: dict[str, list[str]] = {}
    rows = tables(document, "packages", path, PylockError)
    self_key = ""
    for index, fields in enumerate(rows):
        name = normalised_name(text_of(fields, "name", path, PylockError))
        if not name:
            raise PylockError(path, "a package has no name")
        key = f"{name}\n{index:06}"
        if _is_project(path, fields):
            self_key = key
            graph.add(key, Package(name, "", None))
        else:
            graph.add(key, _package(path, name, fields, target))
        why_of[key] = _why_not(fields, target, groups)
        names.setdefault(name, []).append(key)
    for index, fields in enumerate(rows):
        key = f"{normalised_name(fields['name'])}\n{index:06}"
        for dependency in fields.get("dependencies", ()):
            for child in _matching(dependency, names, rows):
                graph.connect(key, child, why_of[child])
    if not any("dependencies" in fields for fields in rows) and target.installed:
        _borrow_edges(graph, names, rows, why_of, target)
    roots = [Edge(key, why) for key, why in why_of.items()]
    named, inputs = frozenset[str](), [input_row(path, path.parent)]
    if manifest is not None:
        inputs.append(input_row(manifest.path, path.parent))
        asked = {
            wanted.name
            for wanted, why in manifest.labelled(target.groups, target.extras)
            if not why and target.markers.holds(wanted.marker)
        }
        named = frozenset(key for name in asked for key in names.get(name, ()) if not why_of[key])
    resolution = graph.resolve(roots, named=named, self_key=self_key)
    closure = closure_of("pylock", resolution, target, tuple(inputs))
    return Reading(
        (closure,),
        python_note(path, text_of(document, "requires-python", path, PylockError), target),
        frozenset(map(normalised_name, document.get("dependency-groups", ()))),
        frozenset(map(normalised_name, document.get("extras", ()))),
    )


def _is_project(path: Path, fields: Mapping[str, Any]) -> bool:
    directory = fields.get("directory")
    return (
        isinstance(directory, dict)
        and (path.parent / str(directory.get("path", ""))).resolve() == path.parent.resolve()
    )


def _why_not(fields: Mapping[str, Any], target: Target, groups: frozenset[str]) -> str:
    marker = str(fields.get("marker", ""))
    if not target.markers.holds_in_lock(marker, target.extras, groups):
        # Asked for everything it mentions, would it hold? Then it is the extra or group that is missing.
        mentioned = [(match[3], normalised_name(match[2])) for match in _SET_PATTERN.finditer(marker)]
        extras = frozenset(name for kind, name in mentioned if kind == "extras")
        named = frozenset(name for kind, name in mentioned if kind == "dependency_groups")
        if mentioned and target.markers.holds_in_lock(marker, target.extras | extras, groups | named):
            missing = sorted((kind, name) for kind, name in mentioned if name not in target.extras | groups)
            kind, name = missing[0] if missing else mentioned[0]
            return not_asked("extra" if kind == "extras" else "group", name)
        return MARKER
    if not target.markers.satisfies_python(str(fields.get("requires-python", ""))):
        return "its requires-python leaves this Python out"
    return ""


def _package(path: Path, name: str, fields: Mapping[str, Any], target: Target) -> Package:
    version = text_of(fields, "version", path, PylockError)
    sources = [fields[key] for key in ("archive", "sdist") if key in fields] + list(fields.get("wheels", ()))
    hashes = (source.get("hashes", {}) for source in sources)
    digests = sha256_digests([f"sha256:{value['sha256']}" for value in hashes if "sha256" in value])
    installed = target.installed
    if "vcs" in fields:
        vcs = fields["vcs"]
        return local_package(name, version, "git", installed=installed, commit=str(vcs.get("commit-id", "")))
    if "directory" in fields:
        directory = fields["directory"]
        folder = (path.parent / str(directory["path"])).resolve()
        if directory.get("subdirectory"):
            folder = folder / str(directory["subdirectory"])
        origin = "editable" if directory.get("editable") else "path"
        return local_package(name, version, origin, folder=folder, installed=installed)
    if "archive" in fields:
        origin = "path" if "path" in fields["archive"] else "url"
        return local_package(name, version, origin, installed=installed, digests=digests)
    version = version or _version_in_file_name(sources)
    if not version:
        return Package(name, "", None, "no version and no archive name to read it from")
    return Package(name, version, coordinate_of(name, version), digests=digests)


def _version_in_file_name(sources: list[Mapping[str, Any]]) -> str:
    for source in sources:
        text = str(source.get("name") or source.get("path") or source.get("url") or "").rpartition("/")[2]
        match = re.fullmatch(r"[^-]+-([^-]+)(-.+\.whl|\.tar\.gz|\.zip)", text)
        if match:
            return match[1]
    return ""


def _matching(dependency: Mapping[str, Any], names: Mapping[str, list[str]], rows: list[dict[str, Any]]) -> list[str]:
    """The packages that an entry of ``dependencies`` means: every field that it states agrees."""
    keys = names.get(normalised_name(str(dependency.get("name", ""))), [])
    if len(keys) < 2:
        return keys
    stated = {key: value for key, value in dependency.items() if key in ("version", *_SOURCES)}
    return [
        key
        for key in keys
        if all(rows[int(key.rpartition("\n")[2])].get(field) == value for field, value in stated.items())
    ]


def _borrow_edges(
    graph: Graph,
    names: Mapping[str, list[str]],
    rows: list[dict[str, Any]],
    why_of: Mapping[str, str],
    target: Target,
) -> None:
    """Edges from the installed METADATA where the very versions are installed, for locks that state none."""
    if target.installed is None:
        return
    chosen: dict[str, str] = {}
    for name, keys in names.items():
        live = [key for key in keys if not why_of[key]]
        if len(live) == 1:
            chosen[name] = live[0]
    same = [
        each
        for name, each in target.installed.distributions.items()
        if name in chosen and rows[int(chosen[name].rpartition("\n")[2])].get("version") == each.version
    ]
    connect_installed(graph, same, target.markers, chosen.get)
