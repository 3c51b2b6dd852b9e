"""Edges between installed distributions, as their METADATA states them.

Here: packages and edges of an environment put into a ``Graph``. Not here: what belongs to a closure.

An environment resolves a closure by itself, completes a hand-pinned requirements file, and gives edges to locks that
have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from depcodex.lockfiles.documents import coordinate_of
from depcodex.lockfiles.graph import Graph, Package
from depcodex.lockfiles.installed import InstalledDistribution, InstalledEnvironment
from depcodex.lockfiles.local import local_package
from depcodex.lockfiles.manifest import wanted_of
from depcodex.markers import MarkerEnvironment


def installed_package(distribution: InstalledDistribution, installed: InstalledEnvironment) -> Package:
    """The package that a distribution is.

    Raises:
        CoordinateError: its name or version cannot stand in a coordinate.
    """
    if distribution.origin:
        return local_package(
            distribution.name,
            distribution.version,
            distribution.origin,
            folder=distribution.folder,
            installed=installed,
        )
    metadata = distribution.metadata
    if metadata is None:
        return Package(distribution.name, distribution.version, None, "its METADATA cannot be read")
    return Package(distribution.name, metadata.version, coordinate_of(metadata.name, metadata.version))


def connect_installed(
    graph: Graph,
    distributions: Iterable[InstalledDistribution],
    markers: MarkerEnvironment,
    key_of: Callable[[str], str | None],
) -> None:
    """Add the edges that METADATA states between packages that the graph holds.

    Requirements behind an extra start at the node ``key[extra]``. Those whose marker does not hold, or whose extra
    nobody asks for, explain nothing about what is installed, so they leave no reason behind. A requirement that cannot
    be parsed is passed over: one bad line of one installed package must not take the closure from the project.

    Args:
        graph: holds the packages already.
        distributions: whose edges to add.
        markers: where markers are evaluated.
        key_of: normalised name → the package's key, None where the graph has none.
    """
    rows = [(key, each) for each in distributions if (key := key_of(each.name)) is not None and each.metadata]
    for key, each in rows:
        for extra in each.metadata.extras if each.metadata else ():
            node = f"{key}[{extra}]"
            if node not in graph:
                graph.add_node(node, key)
    for key, each in rows:
        for text in each.metadata.requires if each.metadata else ():
            try:
                wanted = wanted_of(text)
                starts = _starts(key, wanted.marker, each.metadata.extras if each.metadata else (), markers)
            except ValueError:
                continue
            target = key_of(wanted.name)
            if target is None:
                continue
            nodes = [target, *(f"{target}[{extra}]" for extra in wanted.extras)]
            for start in starts:
                for node in nodes:
                    graph.connect(start, node)


def _starts(key: str, marker: str, extras: tuple[str, ...], markers: MarkerEnvironment) -> list[str]:
    """The nodes that a requirement starts at; none where its marker does not hold."""
    if markers.holds(marker):
        return [key]
    return [f"{key}[{extra}]" for extra in extras if "extra" in marker and markers.holds(marker, extra)]
