"""An installed environment as a closure of its own.

Here: what is installed, with edges from METADATA and roots from the project's manifest. Not here: finding it
(depcodex.lockfiles.installed).

Roots, first that exists: pyproject.toml (its ``project``, Poetry's or a group's dependencies), the project's own
METADATA where it is installed, Pipfile, requirements.in or requirements.txt. Without any of them every distribution is
importable and none has a distance. With roots, what only a group that was not asked for leads to is skipped, and what
nothing leads to (pip, tools installed by hand) is in scope ``all``.
"""

from __future__ import annotations

from pathlib import Path

from depcodex.closure import Scope
from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row
from depcodex.lockfiles.graph import NOT_ASKED, Edge, Graph
from depcodex.lockfiles.installed import InstalledDistribution, InstalledEnvironment, open_environment
from depcodex.lockfiles.installed_graph import connect_installed, installed_package
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of
from depcodex.lockfiles.manifest import Manifest, Wanted, read_pipfile, read_pyproject, wanted_of
from depcodex.lockfiles.requirement_lines import read_lines


class InstalledEnvironmentError(LockfileError):
    """An installed environment cannot be read."""

    format_name = "environment"


class EnvironmentReader:
    """Reads an installed environment's metadata files."""

    name = "environment"
    error: type[LockfileError] = InstalledEnvironmentError

    def matches_content(self, sample: Sample) -> bool:  # noqa: ARG002
        """No file reads like one."""
        return False

    def read(self, path: Path, target: Target) -> Reading:
        """One closure of the environment in the folder ``path``; see ``LockfileReader.read``."""
        installed = target.installed if target.installed and target.installed.root == path else open_environment(path)
        if installed is None:
            raise InstalledEnvironmentError(path, "expected an environment with site-packages, got none")
        with guarded(path, InstalledEnvironmentError):
            return _read(installed, target)


def _read(installed: InstalledEnvironment, target: Target) -> Reading:
    graph = Graph()
    distributions = installed.distributions
    own = next((each for each in distributions.values() if target.project and each.folder == target.project), None)
    for name, distribution in distributions.items():
        if distribution is not own:
            graph.add(name, installed_package(distribution, installed))
    connect_installed(
        graph,
        distributions.values(),
        target.markers,
        lambda name: name if name in graph and name in distributions else None,
    )
    manifest, inputs = _manifest(target.project, own)
    groups: frozenset[str] | None = None
    extras: frozenset[str] | None = None
    notes: tuple[str, ...] = ()
    if manifest is None:
        resolution = graph.resolve([Edge(name) for name in sorted(distributions)], named=frozenset())
    else:
        named = _named(manifest, target)
        groups, extras = frozenset(manifest.groups), frozenset(manifest.extras)
        first = graph.resolve(named)
        # Skipped for another reason than that nothing leads to it: a group or an extra leaves it out.
        unreached = [Edge(each.name) for each in first.skipped if each.reason == NOT_ASKED]
        notes = _missing_note(manifest, graph, target, installed)
        direct = frozenset(edge.target.partition("[")[0] for edge in named if not edge.left_out)
        resolution = graph.resolve([*named, *unreached], named=direct, unreached_scope=Scope.ALL)
    return Reading((closure_of("environment", resolution, target, inputs),), notes, groups, extras)


def _missing_note(manifest: Manifest, graph: Graph, target: Target, installed: InstalledEnvironment) -> tuple[str, ...]:
    missing = sorted(
        {
            wanted.name
            for wanted, why in manifest.labelled(target.groups, target.extras)
            if not why and wanted.name not in graph and target.markers.holds(wanted.marker)
        }
    )
    if not missing:
        return ()
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return (f"{installed.root}: {missing[0]}{more} of {manifest.path.name} not installed there",)


def _named(manifest: Manifest, target: Target) -> list[Edge]:
    edges = []
    for wanted, why in manifest.labelled(target.groups, target.extras):
        if not target.markers.holds(wanted.marker):
            # It is installed all the same; what a marker says about other environments is no reason to hide it.
            continue
        edges += [Edge(node, why) for node in (wanted.name, *(f"{wanted.name}[{each}]" for each in wanted.extras))]
    return edges


def _manifest(
    project: Path | None, own: InstalledDistribution | None
) -> tuple[Manifest | None, tuple[tuple[str, str], ...]]:
    """What names the roots, and the file it stands in."""
    if project is None:
        return None, ()
    manifest = read_pyproject(project) or read_pipfile(project)
    if manifest is not None and (manifest.main or manifest.groups):
        return manifest, (input_row(manifest.path, project),)
    if own is not None and own.metadata is not None:
        return _own_manifest(own), ()
    for name in ("requirements.in", "requirements.txt"):
        path = project / name
        if path.is_file():
            lines, files = read_lines(path, InstalledEnvironmentError)
            main = tuple(
                Wanted(line.name, line.constraint, line.marker, line.extras)
                for line in lines
                if line.name and not line.is_constraint
            )
            return Manifest(path, main=main), tuple(input_row(each, project) for each in files)
    return None, ()


def _own_manifest(own: InstalledDistribution) -> Manifest:
    """The roots that the project's own METADATA states (setup.py and setup.cfg projects)."""
    metadata = own.metadata
    main, extras = [], {}
    for text in metadata.requires if metadata else ():
        wanted = wanted_of(text)
        if "extra" not in wanted.marker:
            main.append(wanted)
    for extra in metadata.extras if metadata else ():
        chosen = [wanted_of(text) for text in metadata.requires if metadata and "extra" in text] if metadata else []
        pattern = (f"extra == '{extra}'", f'extra == "{extra}"')
        extras[extra] = tuple(
            Wanted(each.name, each.constraint, "", each.extras)
            for each in chosen
            if any(text in each.marker for text in pattern)
        )
    return Manifest(own.info, name=own.name, version=own.version, main=tuple(main), extras=extras)
