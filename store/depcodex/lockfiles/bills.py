"""Bills of materials of any format as one closure: components named by package URLs, and edges between them.

Here: which components become coordinates, which are skipped and why, roots and scope. Not here: how a format writes
them (depcodex.lockfiles.cyclonedx, depcodex.lockfiles.spdx).

A coordinate is the package URL without what tells archives of one release apart: Maven's ``type`` and ``classifier``,
``vcs_url``, ``repository_url``, a subpath. So a jar and its natives of one version are one coordinate, with the digests
of both.
"""

from __future__ import annotations

import base64
import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from packageurl import PackageURL

from depcodex.closure import Scope
from depcodex.coordinates import ECOSYSTEMS, Coordinate
from depcodex.errors import CoordinateError
from depcodex.lockfiles.documents import input_row
from depcodex.lockfiles.graph import Edge, Graph, Package
from depcodex.lockfiles.interface import Reading, Target, closure_of
from depcodex.purls import CASELESS_TYPES, parse_purl
from depcodex.symbols import full_name

DEVELOPMENT = "only development or tests need it"
EXCLUDED = "the bill of materials excludes it from what runs"
_DIGEST_CHARACTERS = {"sha1": 40, "sha256": 64, "sha512": 128}
_NAME_PATTERN = re.compile(r"(?i:pkg:/*(?:golang|npm)/+)(?P<name>(?:@[^/]+/)?[^@?#]+)")
_HEX_PATTERN = re.compile(r"[0-9a-f]+")
# What npm, Maven and others write where a manifest asks for a range, an address or a folder.
_NO_VERSION_PATTERN = re.compile(r"[\s^~<>=*|,\[\]()/\\]|^(?:latest|next|file:.*|link:.*|git.*:.*|https?:.*)$")
# Components that stand for a place and not for a library: what they lead to is what the project itself names.
PLACE_KINDS = frozenset({"application", "file", "container", "operating-system", "platform", "device", "firmware"})


@dataclass(frozen=True)
class Component:
    """One component as the file has it.

    Attributes:
        key: what edges call it.
        name: with its group or scope.
        version: "" where there is none.
        purl: "" where there is none.
        kind: the format's word for what it is; "" where it has none.
        digests: ``<algorithm>:<hex>``.
        left_out: why it is no part of what runs; else "".
    """

    key: str
    name: str
    version: str
    purl: str
    kind: str = ""
    digests: tuple[str, ...] = ()
    left_out: str = ""


@dataclass
class Bill:
    """A whole bill of materials.

    Attributes:
        components: in the file's order.
        edges: (asking key, asked key, why it does not count or "").
        roots: keys of the components that are the project itself.
        named: keys that the file says the project consists of, beside what the edges from the roots say.
    """

    components: list[Component] = field(default_factory=list)
    edges: list[tuple[str, str, str]] = field(default_factory=list)
    roots: set[str] = field(default_factory=set)
    named: list[str] = field(default_factory=list)


def digest_of(algorithm: str, value: str) -> tuple[str, ...]:
    """``<algorithm>:<hex>`` of a hash, in a tuple; an empty one for algorithms that nothing checks, and for no hash.

    Example:
        >>> digest_of("SHA-1", "A9993E364706816ABA3E25717850C26C9CD0D89D")
        ('sha1:a9993e364706816aba3e25717850c26c9cd0d89d',)
    """
    # CycloneDX writes SHA-256, SPDX SHA256.
    known, text = algorithm.lower().replace("-", ""), value.strip().lower()
    if len(text) != _DIGEST_CHARACTERS.get(known) or not _HEX_PATTERN.fullmatch(text):
        return ()
    return (f"{known}:{text}",)


def closure_reading(format_name: str, bill: Bill, path: Path, target: Target) -> Reading:
    """The one closure that a bill of materials resolves to.

    What the root asks for is declared, what that leads to is importable, and what nothing leads to is in scope ``all``;
    where the file has no edge from a root, all of it is importable and has no distance.
    """
    graph = Graph()
    nodes = _add_components(graph, bill)
    excluded = {nodes[each.key]: each.left_out for each in bill.components if each.left_out and each.key in nodes}
    places = _places(bill, nodes)
    starts = [Edge(nodes[key], excluded.get(nodes[key], "")) for key in bill.named if key in nodes]
    children: dict[str, list[Edge]] = {node: [] for node in nodes.values()}
    for asking, asked, left_out in bill.edges:
        if asked not in nodes:
            continue
        edge = Edge(nodes[asked], left_out or excluded.get(nodes[asked], ""))
        if asking in places:
            starts += [] if asked in places else [edge]
        elif asking in nodes:
            children[nodes[asking]].append(edge)
            graph.connect(nodes[asking], edge.target, edge.left_out)
    direct = frozenset(edge.target for edge in starts if not edge.left_out)
    led_to = _led_to(starts, children)
    # What no edge leads to is in the file all the same; what only an edge that does not count leads to is left out.
    loose = [Edge(node, excluded.get(node, "")) for node in children if node not in led_to]
    resolution = graph.resolve(
        [*starts, *loose], named=direct, unreached_scope=Scope.ALL if direct else Scope.IMPORTABLE
    )
    inputs = (input_row(path, path.parent),)
    note = () if direct or not children else (f"{path.name}: names no roots, so nothing in it has a distance",)
    return Reading((closure_of(format_name, resolution, target, inputs),), note)


def _led_to(starts: Iterable[Edge], children: Mapping[str, list[Edge]]) -> set[str]:
    """The nodes on any way from the starts, over edges that count and over those that do not."""
    found: set[str] = set()
    waiting = [edge.target for edge in starts]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += [edge.target for edge in children[node]]
    return found


def _places(bill: Bill, nodes: dict[str, str]) -> set[str]:
    """The roots, and the components below them that stand for a place (a lock file, a container) in the project."""
    kinds = {each.key: each.kind for each in bill.components if not each.purl}
    children: dict[str, list[str]] = {}
    for asking, asked, _ in bill.edges:
        children.setdefault(asking, []).append(asked)
    places, waiting = set(bill.roots), list(bill.roots)
    while waiting:
        for each in children.get(waiting.pop(), ()):
            if each not in places and each in nodes and kinds.get(each) in PLACE_KINDS:
                places.add(each)
                waiting.append(each)
    return places


def _add_components(graph: Graph, bill: Bill) -> dict[str, str]:
    """Adds a package for each component that is not the project itself; component key → node.

    Components of one coordinate share a node: a jar and its natives, a package that is installed in several places.
    """
    nodes: dict[str, str] = {}
    for component in bill.components:
        if component.key in bill.roots or component.key in nodes:
            continue
        package = _package(component)
        node = package.coordinate.purl if package.coordinate else f"component {component.key}"
        nodes[component.key] = node
        if node in graph:
            known = graph.package(node)
            package = dataclasses.replace(known, digests=tuple(sorted({*known.digests, *package.digests})))
        graph.add(node, package)
    return nodes


def _package(component: Component) -> Package:
    name, version = component.name, component.version
    if not component.purl:
        kind = f" ({component.kind})" if component.kind in PLACE_KINDS else ""
        return Package(name, version, None, f"no package URL{kind}")
    coordinate = _plain_coordinate(component.purl)
    if coordinate is None:
        try:
            purl = parse_purl(component.purl)
        except ValueError:
            return Package(name, version, None, "its package URL cannot be read")
        name, version = name or _purl_name(purl), version or purl.version or ""
        reason = _refusal(purl)
        if reason:
            return Package(name, version, None, reason)
        try:
            coordinate = Coordinate.of(purl.type, purl.name, purl.version or "", namespace=purl.namespace or "")
        except CoordinateError as problem:
            return Package(name, version, None, f"its package URL: {problem.problem}")
    reason = _version_refusal(coordinate)
    if reason:
        return Package(name or full_name(coordinate), version or coordinate.version, None, reason)
    spelling = ""
    if coordinate.type in CASELESS_TYPES:
        stated = _stated_name(component.purl)
        spelling = stated if stated != full_name(coordinate) and stated.lower() == full_name(coordinate) else ""
    return Package(
        name or full_name(coordinate),
        version or coordinate.version,
        coordinate,
        digests=_digests(component, coordinate.type),
        spelling=spelling,
    )


def _plain_coordinate(purl: str) -> Coordinate | None:
    """The coordinate of a package URL with nothing to drop but ``type=jar``: most of them, ten times as fast."""
    head, _, qualifiers = purl.partition("?")
    if qualifiers not in ("", "type=jar") or "#" in head:
        return None
    try:
        return Coordinate.parse(head)
    except CoordinateError:
        return None


def _stated_name(purl: str) -> str:
    """The name with its namespace as the file writes it: Go's registry knows a module by its own case only."""
    match = _NAME_PATTERN.match(purl)
    return unquote(match["name"]) if match else ""


def _refusal(purl: PackageURL) -> str:
    if purl.type not in ECOSYSTEMS:
        return f"type {purl.type} is not indexed"
    if not purl.version:
        return "no version"
    qualifiers = purl.qualifiers if isinstance(purl.qualifiers, dict) else {}
    return "a pom, which has no code" if purl.type == "maven" and qualifiers.get("type") == "pom" else ""


def _version_refusal(coordinate: Coordinate) -> str:
    if coordinate.type == "maven":
        is_snapshot = coordinate.version.endswith("-SNAPSHOT")
        return "a snapshot, which changes under one version" if is_snapshot else ""
    if _NO_VERSION_PATTERN.search(coordinate.version):
        return "no exact version"
    if coordinate.type == "golang" and not coordinate.namespace and coordinate.name in ("std", "stdlib"):
        return "Go's standard library"
    return ""


def _digests(component: Component, type: str) -> tuple[str, ...]:
    if type != "golang":
        return component.digests
    # cyclonedx-gomod writes go.sum's h1 sum, which is base64 of a sha256 over the files, as a SHA-256 in hexadecimal
    # (checked against github.com/pkg/errors v0.9.1). It is no digest of the zip itself.
    found = (each.partition(":") for each in component.digests)
    return tuple(
        f"h1:{base64.b64encode(bytes.fromhex(value)).decode()}" for name, _, value in found if name == "sha256"
    )


def _purl_name(purl: PackageURL) -> str:
    separator = ":" if purl.type == "maven" else "/"
    return f"{purl.namespace}{separator}{purl.name}" if purl.namespace else str(purl.name)
