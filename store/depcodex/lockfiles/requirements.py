"""Pinned requirements files, under any name when named.

Here: what the lines of a requirements file resolve to. Not here: the lines (depcodex.lockfiles.requirement_lines).

Spec: as there. Two kinds of file meet here. A compiled one lists everything; its annotations, where it has them, give
edges and roots. A hand-pinned one may list only what the project itself imports; where an environment is at hand, what
these need is taken from it as installed. Without annotations or a manifest beside it the file names no roots.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import coordinate_of, guarded, input_row, normalised_name
from depcodex.lockfiles.graph import MARKER, Edge, Graph, Package
from depcodex.lockfiles.installed_graph import connect_installed, installed_package
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of
from depcodex.lockfiles.local import local_package
from depcodex.lockfiles.manifest import read_pyproject
from depcodex.lockfiles.requirement_lines import RequirementLine, read_lines

_PINNED_PATTERN = re.compile(r"^\s*[A-Za-z0-9][A-Za-z0-9._-]*(\[[^\]\n]*\])?\s*={2,3}\s*[0-9]", re.MULTILINE)


class RequirementsError(LockfileError):
    """A requirements file cannot be read, or pins nothing."""

    format_name = "requirements"


@dataclass(frozen=True)
class _Choice:
    """A line with the package it resolves to; ``why`` is empty where it counts."""

    key: str
    line: RequirementLine
    why: str


class RequirementsReader:
    """Reads pinned requirements files."""

    name = "requirements"
    error: type[LockfileError] = RequirementsError

    def matches_content(self, sample: Sample) -> bool:
        """At least one pinned line, and none that no requirements file has."""
        try:
            return bool(_PINNED_PATTERN.search(sample.text)) and bool(read_lines(sample.path, RequirementsError)[0])
        except LockfileError:
            return False

    def read(self, path: Path, target: Target) -> Reading:
        """One closure; see ``LockfileReader.read``."""
        with guarded(path, RequirementsError):
            lines, files = read_lines(path, RequirementsError)
            return _read(path, lines, files, target)


def is_pinned(path: Path) -> bool:
    """Whether a requirements file pins at least one version and so can serve as a lock.

    Raises:
        RequirementsError: the file cannot be read.
    """
    return any(line.version and not line.is_constraint for line in read_lines(path, RequirementsError)[0])


def _read(path: Path, lines: list[RequirementLine], files: list[Path], target: Target) -> Reading:
    graph = Graph()
    constraints = {line.name: line.version for line in lines if line.is_constraint and line.version}
    asked = [line for line in lines if not line.is_constraint]
    choices: list[_Choice] = []
    notes: list[str] = []
    live: dict[str, str] = {}
    unpinned = 0
    for line in asked:
        if line.location == path.parent.resolve():
            # `-e .`: the project itself.
            continue
        package = _package(line, constraints, target)
        key = f"{package.name}\n{package.version}"
        why = "" if target.markers.holds(line.marker) else MARKER
        if not package.version and not why:
            unpinned += line.origin == ""
        if key not in graph:
            graph.add(key, package)
        if not why and package.name in live and live[package.name] != key:
            first = graph.package(live[package.name]).version
            raise RequirementsError(path, f"{package.name}: two versions at once, {first} and {package.version}")
        if not why:
            live[package.name] = key
        choices.append(_Choice(key, line, why))
    if unpinned:
        notes.append(f"{path.name}: {unpinned} of {len(asked)} lines pin no version and were left out")
    if unpinned and unpinned == len(asked):
        raise RequirementsError(path, "no line pins a version; name an environment with --venv, or compile the file")
    is_annotated = any(line.via for line in asked)
    if is_annotated:
        _connect_annotations(graph, choices, live)
    borrowed = _connect_installed(graph, live, target, is_complete=is_annotated)
    inputs = [input_row(each, path.parent.resolve()) for each in files]
    # An annotation that names no line of the file names the project, by its own name; an annotated file leaves one out
    # only where a group of the project is what asks (`uv export`).
    names = {line.name for line in asked}
    named = frozenset(
        choice.key
        for choice in choices
        if not choice.why and (not choice.line.via or any(via not in names for via in choice.line.via))
    )
    if not is_annotated:
        manifest_named = _named_by_manifest(path.parent, target)
        named = frozenset(live[name] for name in manifest_named if name in live)
    roots = [Edge(node, choice.why) for choice in choices for node in _nodes(graph, choice)]
    resolution = graph.resolve(roots, named=named, own=borrowed)
    return Reading((closure_of("requirements", resolution, target, tuple(inputs)),), tuple(notes))


def _nodes(graph: Graph, choice: _Choice) -> list[str]:
    extras = [f"{choice.key}[{extra}]" for extra in choice.line.extras]
    return [choice.key, *(node for node in extras if node in graph)]


def _package(line: RequirementLine, constraints: dict[str, str], target: Target) -> Package:
    installed = target.installed
    if line.origin:
        folder = line.location if line.location and not line.location.is_file() else None
        name = line.name or _name_of_folder(folder)
        return local_package(
            name,
            line.version,
            line.origin,
            folder=folder,
            installed=installed,
            commit=line.commit,
            digests=line.digests,
        )
    version = line.version or constraints.get(line.name, "")
    if not version and installed and line.name in installed.distributions:
        return installed_package(installed.distributions[line.name], installed)
    if not version:
        return Package(line.name, "", None, "its line pins no version")
    return Package(line.name, version, coordinate_of(line.name, version), digests=line.digests)


def _name_of_folder(folder: Path | None) -> str:
    if folder is None:
        return "unnamed"
    manifest = read_pyproject(folder)
    return (manifest.name if manifest else "") or normalised_name(folder.name)


def _connect_annotations(graph: Graph, choices: list[_Choice], live: dict[str, str]) -> None:
    for choice in choices:
        for parent in choice.line.via:
            if parent in live and live[parent] != choice.key:
                graph.connect(live[parent], choice.key, choice.why)


def _connect_installed(graph: Graph, live: dict[str, str], target: Target, *, is_complete: bool) -> frozenset[str]:
    """Edges from METADATA of what is installed in the very version; with them, what an incomplete file leaves out.

    Returns the keys of the packages that came from the environment.
    """
    if target.installed is None:
        return frozenset()
    distributions = target.installed.distributions
    same = [
        distributions[name]
        for name, key in live.items()
        if name in distributions and distributions[name].version == graph.package(key).version
    ]
    keys = dict(live)
    if not is_complete:
        for name, distribution in distributions.items():
            if name not in keys:
                keys[name] = f"{name}\n{distribution.version}"
                if keys[name] not in graph:
                    graph.add(keys[name], installed_package(distribution, target.installed))
                same.append(distribution)
    connect_installed(graph, same, target.markers, keys.get)
    return frozenset(keys.values()) - frozenset(live.values())


def _named_by_manifest(folder: Path, target: Target) -> list[str]:
    """Names that a requirements.in or a pyproject.toml beside the file asks for."""
    source = folder / "requirements.in"
    if source.is_file():
        lines = read_lines(source, RequirementsError)[0]
        return [line.name for line in lines if not line.is_constraint and target.markers.holds(line.marker)]
    manifest = read_pyproject(folder)
    if manifest is None:
        return []
    return [wanted.name for wanted, why in manifest.labelled(target.groups, target.extras) if not why]
