"""Packages of one lock file and the edges between them: what is reached, how far, through what, what is left out.

Here: reachability, distance, ``via``, scope and skip reasons, the same for every format and ecosystem. Not here: when
an edge counts (the reader decides that, and says why not in ``left_out``).

A node is what an edge can lead to; several nodes may stand for one package (``a`` and ``a[socks]``), and an edge
``a[socks] → b`` counts as ``a → b``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from depcodex.closure import ResolvedDependency, Scope, SkippedDependency, merged_dependencies
from depcodex.coordinates import Coordinate

NOT_ASKED = "nothing that was asked for leads to it"
MARKER = "its marker does not hold for this environment"


def not_asked(kind: str, name: str) -> str:
    """The skip reason of what only an ``extra`` or ``group`` brings that was not asked for."""
    return f"{kind} {name} is not asked for"


@dataclass(frozen=True)
class Package:
    """One package of a lock file.

    Attributes:
        name: as the ecosystem normalises it.
        version: exact, or "" where the file has none.
        coordinate: None where it cannot be indexed; ``reason`` then says why in a short phrase.
        digests, location, is_yanked, spelling: as in ``ResolvedDependency``.
    """

    name: str
    version: str
    coordinate: Coordinate | None
    reason: str = ""
    digests: tuple[str, ...] = ()
    location: str = ""
    is_yanked: bool = False
    spelling: str = ""


@dataclass(frozen=True)
class Edge:
    """An edge to a node; ``left_out`` is empty where it counts, else why it does not."""

    target: str
    left_out: str = ""


@dataclass(frozen=True)
class Resolution:
    """What a graph came to: the columns of ``Closure`` that depend on it."""

    dependencies: tuple[ResolvedDependency, ...]
    edges: tuple[tuple[str, str], ...]
    skipped: tuple[SkippedDependency, ...]


class Graph:
    """Packages, nodes and edges of one lock file; ``resolve`` may be asked once for each member of the project."""

    def __init__(self) -> None:
        self._packages: dict[str, Package] = {}
        self._owners: dict[str, str] = {}
        self._edges: dict[str, list[Edge]] = {}

    def add(self, key: str, package: Package) -> None:
        """Add a package and the node of the same key."""
        self._packages[key] = package
        self._owners[key] = key
        self._edges.setdefault(key, [])

    def add_node(self, node: str, owner: str) -> None:
        """Add another node that stands for the package ``owner`` and always leads to its own node."""
        self._owners[node] = owner
        self._edges.setdefault(node, []).append(Edge(owner))

    def connect(self, node: str, target: str, left_out: str = "") -> None:
        """Add an edge between two nodes; a target that the file does not hold is passed over."""
        self._edges[node].append(Edge(target, left_out))

    def __contains__(self, node: str) -> bool:
        return node in self._owners

    def package(self, key: str) -> Package:
        """The package of a key."""
        return self._packages[key]

    def resolve(
        self,
        roots: Iterable[Edge],
        *,
        named: frozenset[str] | None = None,
        own: frozenset[str] = frozenset(),
        self_key: str = "",
        unreached_scope: Scope = Scope.IMPORTABLE,
    ) -> Resolution:
        """What the roots reach.

        Args:
            roots: what belongs to the closure to begin with: edges from the project itself, or, for files that only
                list what is installed, an edge to every package.
            named: keys of the packages that the project itself names, where that is not all of ``roots``; empty where
                nothing says it, and then no package has a distance.
            own: keys of packages that are members of the project: never reported as skipped.
            self_key: key of the project's own package: a coordinate only where another package asks for it.
            unreached_scope: the scope of what belongs to the closure and nothing named leads to.
        """
        roots = [edge for edge in roots if edge.target in self._owners]
        reached_nodes, children, direct = self._walk([edge for edge in roots if not edge.left_out], self_key)
        members = direct.union(*children.values())
        starts = direct if named is None else named & members
        distances = self._distances(children, starts)
        rows = []
        for key in members:
            package = self._packages[key]
            if package.coordinate is None:
                continue
            distance, path = distances.get(key, (None, ()))
            scope = Scope.DECLARED if distance == 1 else Scope.IMPORTABLE
            if distance is None and starts:
                scope = unreached_scope
            rows.append(
                ResolvedDependency(
                    package.coordinate,
                    scope,
                    distance,
                    path,
                    tuple(sorted(package.digests)),
                    package.location,
                    package.is_yanked,
                    package.spelling,
                )
            )
        purls = {key: self._purl(key) for key in members}
        edges = {
            (purls[parent], purls[child])
            for parent in members
            for child in children.get(parent, ())
            if purls[parent] and purls[child] and purls[parent] != purls[child]
        }
        reasons = self._reasons(roots, reached_nodes, members)
        skipped = self._skipped(members, own | {self_key}, reasons)
        return Resolution(merged_dependencies(rows), tuple(sorted(edges)), skipped)

    def _purl(self, key: str) -> str:
        coordinate = self._packages[key].coordinate
        return coordinate.purl if coordinate else ""

    def _walk(self, live: Iterable[Edge], self_key: str) -> tuple[set[str], dict[str, set[str]], set[str]]:
        """Nodes reached; package → packages that it asks for; packages that the project itself asks for."""
        reached: set[str] = set()
        children: dict[str, set[str]] = {}
        direct = {self._owners[edge.target] for edge in live} - {self_key}
        # Each pending entry: a node, and whether it is the project itself that got there (through its own extras, too).
        pending = [(edge.target, self._owners[edge.target] == self_key) for edge in live]
        seen: set[tuple[str, bool]] = set()
        while pending:
            node, is_own = pending.pop()
            if (node, is_own) in seen:
                continue
            seen.add((node, is_own))
            reached.add(node)
            owner = self._owners[node]
            for edge in self._edges[node]:
                target = self._owners.get(edge.target)
                if edge.left_out or target is None:
                    continue
                if target != owner:
                    (direct if is_own else children.setdefault(owner, set())).add(target)
                pending.append((edge.target, is_own and target == self_key))
        return reached, children, direct

    def _distances(
        self, children: Mapping[str, set[str]], starts: Iterable[str]
    ) -> dict[str, tuple[int, tuple[str, ...]]]:
        """Package → (edges from the project, purls on the way): the shortest way, of these the first by alphabet.

        A package without a coordinate counts as an edge and has no purl to show on the way.
        """
        found: dict[str, tuple[int, tuple[str, ...]]] = dict.fromkeys(starts, (1, ()))
        level = sorted(found)
        distance = 1
        while level:
            distance += 1
            best: dict[str, tuple[str, ...]] = {}
            for parent in level:
                purl = self._purl(parent)
                path = (*found[parent][1], purl) if purl else found[parent][1]
                for child in children.get(parent, ()):
                    if child not in found and (child not in best or path < best[child]):
                        best[child] = path
            found.update({child: (distance, path) for child, path in best.items()})
            level = sorted(best)
        return found

    def _reasons(self, roots: Iterable[Edge], reached: set[str], members: set[str]) -> dict[str, str]:
        """Package → why it is not in the closure: what the first left-out edge on a way to it says."""
        pending = [(edge.target, edge.left_out) for edge in roots if edge.left_out]
        for node in sorted(reached):
            pending += [(edge.target, edge.left_out) for edge in self._edges[node] if edge.left_out]
        reasons: dict[str, str] = {}
        seen: set[str] = set()
        while pending:
            following = []
            for node, why in pending:
                owner = self._owners.get(node)
                if owner is None or node in seen or node in reached:
                    continue
                seen.add(node)
                if owner not in members:
                    reasons.setdefault(owner, why)
                following += [(edge.target, edge.left_out or why) for edge in self._edges[node]]
            pending = following
        return reasons

    def _skipped(
        self, members: set[str], own: frozenset[str], reasons: Mapping[str, str]
    ) -> tuple[SkippedDependency, ...]:
        kept = {(self._packages[key].name, self._packages[key].version) for key in members if self._purl(key)}
        rows: dict[tuple[str, str], SkippedDependency] = {}
        for key in sorted(self._packages):
            package = self._packages[key]
            identity = (package.name, package.version)
            if identity in kept or (key in own and key not in members):
                continue
            reason = package.reason if key in members else reasons.get(key, NOT_ASKED)
            rows.setdefault(identity, SkippedDependency(package.name, package.version, reason))
        return tuple(rows[identity] for identity in sorted(rows))
