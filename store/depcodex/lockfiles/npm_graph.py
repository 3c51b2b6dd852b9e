"""From the packages of one npm-family lock to a closure for each member of the project.

Here: the names under which packages are imported (aliases), the members, the folders that hold their sources, what is
skipped. Not here: reachability and distance (depcodex.lockfiles.graph), any format.

Edges are those that Node follows from the asking module, so nested duplicates (``a/node_modules/b``) are nodes of
their own that share a coordinate where they share a version. Scope: what the project's root names in any of its four
tables is declared; everything that this leads to through dependencies, peers and installed optionals is importable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from depcodex.closure import Closure, Scope, SkippedDependency
from depcodex.lockfiles.graph import NOT_ASKED, Edge, Graph, Package, Resolution
from depcodex.lockfiles.interface import Reading, Target
from depcodex.lockfiles.npm_names import full_name

# Of locks that do not say for which machines a package is, where there is an installation to look at.
NOT_INSTALLED = "optional and not installed"


@dataclass(frozen=True)
class Asked:
    """What a member of the project names: under which ``name`` it imports the package ``target``.

    ``left_out`` is empty where it counts, else why it does not.
    """

    name: str
    target: str
    left_out: str = ""


@dataclass(frozen=True)
class Member:
    """One member of the project.

    Attributes:
        path: below the lock's folder, ``"."`` for the root.
        asked: what it names; None where nothing says it, and then all packages belong to it, none at a distance.
        key: of its own package in the graph; "" where it has none.
        unreached: the scope of packages that nothing it names leads to; None: they do not belong to it.
    """

    path: str
    asked: tuple[Asked, ...] | None
    key: str = ""
    unreached: Scope | None = None


class NpmGraph:
    """The packages of one lock, with the edges between them and the names on the edges."""

    def __init__(self) -> None:
        self._graph = Graph()
        self._keys: list[str] = []
        self._aliases: list[tuple[str, str, str]] = []

    def add(self, key: str, package: Package) -> None:
        """Add a package."""
        self._graph.add(key, package)
        self._keys.append(key)

    def __contains__(self, key: str) -> bool:
        return key in self._graph

    def package(self, key: str) -> Package:
        """The package of a key."""
        return self._graph.package(key)

    def connect(self, asking: str, name: str, target: str, left_out: str = "") -> None:
        """Add an edge to a package that the asking one imports as ``name``; an unknown target is passed over."""
        if target not in self._graph:
            return
        self._graph.connect(asking, target, left_out)
        if not left_out and name != self._graph.package(target).name:
            self._aliases.append((asking, name, target))

    def reading(
        self,
        format_name: str,
        root: Path,
        target: Target,
        members: Sequence[Member],
        inputs: tuple[tuple[str, str], ...],
        notes: Iterable[str] = (),
    ) -> Reading:
        """One closure a member, the root first.

        Args:
            format_name: the reader's name.
            root: the project's folder.
            target: what the lock is read for.
            members: at least one.
            inputs: the files read.
            notes: lines for people.
        """
        own = frozenset(member.key for member in members if member.key)
        ordered = sorted(members, key=lambda member: (member.path != ".", member.path))
        resolved = [(member, self._resolve(member, own)) for member in ordered]
        accounted: set[tuple[str, str]] = set()
        for _, resolution in resolved:
            accounted.update((full_name(row.coordinate), row.coordinate.version) for row in resolution.dependencies)
            accounted.update((row.name, row.version) for row in resolution.skipped if row.reason != NOT_ASKED)
        closures = tuple(
            Closure(
                format_name,
                member.path,
                resolution.dependencies,
                resolution.edges,
                _skipped(resolution, accounted, is_first=index == 0),
                environment=dict(target.markers.variables),
                inputs=inputs,
                source_folders=source_folders(root, member.path),
                aliases=self._aliases_of(member, resolution),
            )
            for index, (member, resolution) in enumerate(resolved)
        )
        return Reading(closures, tuple(notes))

    def _resolve(self, member: Member, own: frozenset[str]) -> Resolution:
        if member.asked is None:
            everything = [Edge(key) for key in self._keys if key not in own]
            return self._graph.resolve(everything, named=frozenset(), own=own)
        roots = [Edge(each.target, each.left_out) for each in member.asked]
        if member.unreached is not None:
            named = frozenset(edge.target for edge in roots if not edge.left_out)
            everything = [Edge(key) for key in self._keys if key not in own]
            return self._graph.resolve(
                [*roots, *everything],
                named=named,
                own=own,
                self_key=member.key,
                unreached_scope=member.unreached,
            )
        return self._graph.resolve(roots, own=own, self_key=member.key)

    def _aliases_of(self, member: Member, resolution: Resolution) -> tuple[tuple[str, str, str], ...]:
        edges = frozenset(resolution.edges)
        rows = set()
        for asking, name, target in self._aliases:
            pair = (self._purl(asking), self._purl(target))
            if pair in edges:
                rows.add((pair[0], name, pair[1]))
        for each in member.asked or ():
            if not each.left_out and each.target in self._graph and each.name != self._graph.package(each.target).name:
                purl = self._purl(each.target)
                if purl:
                    rows.add(("", each.name, purl))
        return tuple(sorted(rows))

    def _purl(self, key: str) -> str:
        coordinate = self._graph.package(key).coordinate
        return coordinate.purl if coordinate else ""


def _skipped(
    resolution: Resolution, accounted: set[tuple[str, str]], *, is_first: bool
) -> tuple[SkippedDependency, ...]:
    """What this member leaves out; what no member leads to stands with the first one only.

    A workspace of fifty members would otherwise list each member's packages forty-nine times.
    """
    return tuple(
        row
        for row in resolution.skipped
        if row.reason != NOT_ASKED or (is_first and (row.name, row.version) not in accounted)
    )


def source_folders(root: Path, member: str = ".") -> tuple[str, ...]:
    """The member's ``node_modules`` folders that exist, nearest first, as Node looks; pnpm's own store last."""
    place = root if member == "." else root / member
    folders = [place, *(each for each in place.parents if each.is_relative_to(root))] if place != root else [root]
    found = [each / "node_modules" for each in folders]
    found.append(root / "node_modules/.pnpm/node_modules")
    return tuple(str(each) for each in found if each.is_dir())
