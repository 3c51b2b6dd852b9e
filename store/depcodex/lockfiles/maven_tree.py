"""Maven's dependency tree as JSON: what ``mvn dependency:tree -DoutputType=json`` writes.

Here: one tree or several in one file, and what of a tree is in the closure. Not here: asking mvn
(depcodex.lockfiles.pom), the Gradle script that writes the same form (depcodex.lockfiles.build_hook).

Spec: maven-dependency-plugin, goal ``tree``, output type ``json`` (3.7.0 on), written and read with 3.8.1. A node has
groupId, artifactId, version, type, scope, classifier, optional and children; the root is the project itself. Output
that was appended to (``-DappendOutput=true``) is several trees one after the other, one a module; of two trees of one
module the later one counts. A verbose tree (``-Dverbose``) repeats a library under each that asks for it, also in
versions that lost: Maven takes the one nearest to the project, the first of several, and so does this reader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depcodex.closure import Closure
from depcodex.coordinates import Coordinate
from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, read_text
from depcodex.lockfiles.graph import Edge, Graph, Package
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of
from depcodex.lockfiles.jvm_caches import JvmCaches
from depcodex.lockfiles.jvm_modules import OWN_MODULE, module_package
from depcodex.lockfiles.jvm_packages import TEST_GROUP, Use, decided, jvm_package, use_of_maven_scope, with_scopes

_SYSTEM = "a file of its own (scope system)"
_LOST = "another version is nearer to the project"
_TREE_PATTERN = re.compile(r'"groupId"\s*:.*"artifactId"\s*:.*"scope"\s*:', re.DOTALL)
# Deeper is no tree that Maven resolved; the deepest of the projects that were looked at had 19 levels.
_MAX_DEPTH = 200
# ``folder`` is our own script's: where a project lies below the build's root; no library has one.
_TEXTS = ("groupId", "artifactId", "version", "scope", "type", "classifier", "folder")

# Group and artifact, and with them type and classifier: of what is alike in all four Maven takes one version.
Library = tuple[str, str]
Mediated = tuple[str, str, str, str]


class MavenTreeError(LockfileError):
    """A dependency tree cannot be read."""

    format_name = "maven-tree"


@dataclass(frozen=True)
class Node:
    """One node of a tree, as it stands there."""

    group: str
    artifact: str
    version: str
    scope: str = ""
    kind: tuple[str, str] = ("", "")
    children: tuple[Node, ...] = ()
    folder: str = ""

    @property
    def library(self) -> Library:
        """Group and artifact."""
        return self.group, self.artifact

    @property
    def mediated(self) -> Mediated:
        """What Maven takes one version of."""
        return (*self.library, *self.kind)

    @property
    def key(self) -> str:
        """What stands for it in a graph."""
        return f"{self.group}:{self.artifact}:{self.version}"


class MavenTreeReader:
    """Reads dependency trees in JSON."""

    name = "maven-tree"
    error: type[LockfileError] = MavenTreeError

    def matches_content(self, sample: Sample) -> bool:
        """JSON whose first node has what a node of a tree has."""
        head = sample.text[:4096].lstrip()
        return head.startswith(("{", "[")) and _TREE_PATTERN.search(head) is not None

    def read(self, path: Path, target: Target) -> Reading:
        """One closure a module; see ``LockfileReader.read``."""
        trees = parse_trees(read_text(path, MavenTreeError), path, MavenTreeError)
        root = _root(path)
        with guarded(path, MavenTreeError):
            return reading_of(self.name, trees, target, (input_row(path, root),), _own_modules(trees, root))


def _root(path: Path) -> Path:
    """The folder of the project that a tree belongs to: builds write it below their own output folder."""
    for place in (("target",), ("build", "depcodex")):
        if path.resolve().parent.parts[-len(place) :] == place:
            return path.resolve().parents[len(place)]
    return path.parent


def _own_modules(trees: Sequence[Node], root: Path) -> dict[Library, Package]:
    """The projects that our script marks with their folders, as packages keyed by their sources.

    Only those that another project depends on: making the key reads all their sources.
    """
    found: dict[Library, Package] = {}
    for node in (child for tree in trees for parent in _levels(tree) for child in parent.children):
        if node.folder and node.library not in found:
            place = (root / node.folder).resolve()
            # A project of another build lies elsewhere; a folder that leads out of this one is not read.
            inside = place if place.is_relative_to(root.resolve()) else None
            found[node.library] = module_package(node.group, node.artifact, node.version, inside)
    return found


def parse_trees(text: str, path: Path, error: type[LockfileError]) -> tuple[Node, ...]:
    """The trees of a text, the last one of each module, in the text's order.

    Raises:
        LockfileError: ``error``; not JSON, cut off, a field missing or of the wrong type, or nested too deep.
    """
    found: dict[Library, Node] = {}
    with guarded(path, error):
        for value in _values(text, path, error):
            for row in value if isinstance(value, list) else [value]:
                node = _node(row, path, error, _MAX_DEPTH)
                found.pop(node.library, None)
                found[node.library] = node
    return tuple(found.values())


def _values(text: str, path: Path, error: type[LockfileError]) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    place = 0
    while True:
        while place < len(text) and text[place].isspace():
            place += 1
        if place == len(text):
            return
        try:
            value, place = decoder.raw_decode(text, place)
        except json.JSONDecodeError as problem:
            raise error(path, f"not JSON, line {problem.lineno}, column {problem.colno}") from problem
        except RecursionError as problem:
            raise error(path, "not JSON, nested too deep") from problem
        yield value


def _node(row: Any, path: Path, error: type[LockfileError], depth: int) -> Node:
    if not isinstance(row, dict):
        raise error(path, "expected a tree's node, got another value")
    if depth == 0:
        raise error(path, "nested too deep")
    texts = [row.get(key, "") for key in _TEXTS]
    below = row.get("children", [])
    if not all(isinstance(each, str) for each in texts) or not isinstance(below, list):
        raise error(path, "a node's field is of the wrong type")
    group, artifact, version, scope, type_, classifier, folder = texts
    if not group or not artifact or not version:
        raise error(path, "a node without groupId, artifactId or version")
    nodes = tuple(_node(each, path, error, depth - 1) for each in below)
    return Node(group, artifact, version, scope, (type_, classifier), nodes, folder)


def reading_of(
    format_name: str,
    trees: Sequence[Node],
    target: Target,
    inputs: tuple[tuple[str, str], ...],
    modules: Mapping[Library, Package] | None = None,
    members: Mapping[Library, str] | None = None,
) -> Reading:
    """One closure for each tree, the project's root first.

    Args:
        format_name: of the reader that asks.
        trees: one a module.
        target: what they are read for.
        inputs: of every closure.
        modules: the project's own modules as packages, where it is known what lies in them.
        members: path of each module below the project's root, where it is known.

    Raises:
        CoordinateError: a node cannot be a coordinate.
    """
    own = {tree.library: Package(f"{tree.group}:{tree.artifact}", tree.version, None, OWN_MODULE) for tree in trees}
    own.update(modules or {})
    caches = JvmCaches.of()
    closures: list[Closure] = []
    for number, tree in enumerate(trees or (Node("", "", ""),)):
        # A tree does not say where its module lies: the first one is the root's, the others go by their names.
        place = tree.folder if _is_below(tree.folder) else ""
        member = (members or {}).get(tree.library) or place or (tree.artifact if number else ".")
        closures.append(_closure(format_name, tree, target, inputs, own, caches, member))
    closures.sort(key=lambda closure: (closure.member != ".", closure.member))
    return Reading(tuple(closures), groups=frozenset({TEST_GROUP}), extras=frozenset())


def _is_below(folder: str) -> bool:
    return bool(folder) and not folder.startswith("/") and ".." not in folder.split("/") and folder.isprintable()


def _closure(
    format_name: str,
    tree: Node,
    target: Target,
    inputs: tuple[tuple[str, str], ...],
    own: Mapping[Library, Package],
    caches: JvmCaches,
    member: str,
) -> Closure:
    graph = Graph()
    winners: dict[Mediated, str] = {}
    uses: dict[str, set[Use]] = {}
    coordinates: dict[str, Coordinate | None] = {}
    levels = list(_levels(tree))
    for node in (child for parent in levels for child in parent.children):
        winners.setdefault(node.mediated, node.key)
        if node.key in graph:
            continue
        package = own.get(node.library)
        if package is None or package.version != node.version:
            package = jvm_package(node.group, node.artifact, node.version, caches=caches)
        if node.scope == "system":
            package = Package(package.name, package.version, None, _SYSTEM)
        graph.add(node.key, package)
        coordinates[node.key] = package.coordinate
    roots: list[Edge] = []
    for parent in levels:
        is_root = parent is tree
        if not is_root and winners[parent.mediated] != parent.key:
            continue
        for node in parent.children:
            use = use_of_maven_scope(node.scope)
            _, why = decided([use], target.groups)
            winner = winners[node.mediated]
            if winner != node.key:
                # The one that lost is reported, and what asked for it has the winner.
                roots.append(Edge(node.key, _LOST))
            if not why:
                uses.setdefault(winner, set()).add(use)
            if is_root:
                roots.append(Edge(winner, why))
            else:
                graph.connect(parent.key, winner, why)
    scopes = {
        coordinate.purl: decided(uses.get(key, ()), target.groups)[0]
        for key, coordinate in coordinates.items()
        if coordinate is not None
    }
    own_names = {f"{group}:{artifact}" for group, artifact in own}
    own_keys = frozenset(key for key in coordinates if key.rpartition(":")[0] in own_names)
    resolution = with_scopes(graph.resolve(roots, own=own_keys), scopes)
    return closure_of(format_name, resolution, target, inputs, member)


def _levels(tree: Node) -> Iterator[Node]:
    """Every node, those nearer to the root first."""
    level: list[Node] = [tree]
    while level:
        yield from level
        level = [child for node in level for child in node.children]
