"""Gradle's verification metadata, ``gradle/verification-metadata.xml``.

Here: its components as a closure of their own, and the digests it names for a lock's packages. Not here: the lock
(depcodex.lockfiles.gradle).

Spec: Gradle's manual, "Verifying dependencies", schema dependency-verification 1.0 to 1.3, read 2026-12. The file lists
what any part of the build ever fetched, plugins among it, and says neither what asked for a component nor which version
was chosen. So it decides only where nothing better lies in the project: every component is importable, no distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row
from depcodex.lockfiles.graph import Edge, Graph
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of
from depcodex.lockfiles.jvm_caches import JvmCaches
from depcodex.lockfiles.jvm_packages import jvm_package, library_name

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PLACE = "gradle/verification-metadata.xml"
_ROOT = "verification-metadata"
# md5 proves nothing and no archive is held against it.
_ALGORITHMS = ("sha512", "sha256", "sha1")

Key = tuple[str, str, str]


class GradleVerificationError(LockfileError):
    """A verification-metadata.xml cannot be read."""

    format_name = "gradle-verification"


class GradleVerificationReader:
    """Reads gradle/verification-metadata.xml."""

    name = "gradle-verification"
    error: type[LockfileError] = GradleVerificationError

    def matches_content(self, sample: Sample) -> bool:
        """XML with the root element of verification metadata."""
        return f"<{_ROOT}" in sample.text and sample.text.lstrip().startswith("<")

    def read(self, path: Path, target: Target) -> Reading:
        """One closure; see ``LockfileReader.read``."""
        components = read_components(path, GradleVerificationError)
        graph = Graph()
        caches = JvmCaches.of()
        edges = []
        with guarded(path, GradleVerificationError):
            for (group, name, version), digests in components.items():
                key = f"{library_name(group, name)}:{version}"
                graph.add(key, jvm_package(group, name, version, digests=digests, caches=caches))
                edges.append(Edge(key))
            resolution = graph.resolve(edges, named=frozenset())
        closure = closure_of(self.name, resolution, target, (input_row(path, path.parent),))
        return Reading((closure,), groups=frozenset(), extras=frozenset())


def read_components(path: Path, error: type[LockfileError]) -> Mapping[Key, tuple[str, ...]]:
    """(group, name, version) → digests of its jar and sources jar, ``<algorithm>:<hex>``, those also trusted included.

    Raises:
        LockfileError: ``error``; not XML, or a component without one of its three parts.
    """
    from depcodex.lockfiles.xml_documents import children, read_xml

    found: dict[Key, tuple[str, ...]] = {}
    for component in children(read_xml(path, error, _ROOT), "components", "component"):
        parts = tuple(component.get(each, "").strip() for each in ("group", "name", "version"))
        if not all(parts):
            raise error(path, "a component without group, name or version")
        group, name, version = parts
        jars = {f"{name}-{version}.jar", f"{name}-{version}-sources.jar"}
        digests = {
            digest
            for artifact in children(component, "artifact")
            if artifact.get("name") in jars
            for digest in _digests(artifact)
        }
        key = (group, name, version)
        found[key] = tuple(sorted({*found.get(key, ()), *digests}))
    return found


def _digests(artifact: Element) -> Iterator[str]:
    from depcodex.lockfiles.xml_documents import children

    for algorithm in _ALGORITHMS:
        for element in children(artifact, algorithm):
            for each in (element, *children(element, "also-trust")):
                value = each.get("value", "").strip().lower()
                if value:
                    yield f"{algorithm}:{value}"
