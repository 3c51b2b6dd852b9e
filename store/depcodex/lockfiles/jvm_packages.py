"""Packages of the JVM's lock files: coordinates, snapshots, and which scope a configuration or a Maven scope means.

Here: what Gradle's and Maven's formats share. Not here: the formats, the caches (depcodex.lockfiles.jvm_caches).

Scopes: what compiles is importable, what only runs is in ``all``, tests and the build's own tools are left out unless
their group is asked for: ``test``, or a configuration's own name.
Sources: Maven's "Introduction to the Dependency Mechanism"; Gradle's manual, "The Java Library Plugin", read 2026-12.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from depcodex.closure import Scope
from depcodex.coordinates import Coordinate
from depcodex.errors import CoordinateError
from depcodex.lockfiles.documents import normalised_name
from depcodex.lockfiles.graph import Package, Resolution, not_asked
from depcodex.lockfiles.jvm_caches import JvmCaches

TEST_GROUP = "test"
NOT_EXACT = "its version is a range"
NO_SNAPSHOT = "a snapshot, and no copy of it is on this machine"
_PLAIN_PATTERN = re.compile(r"(?!.*\.\.)[A-Za-z0-9_.-]{1,100}:[A-Za-z0-9_.-]{1,100}:[A-Za-z0-9_.-]{1,100}")
_WORD_PATTERN = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])|[A-Z]")
# 1.+, latest.release, [1.0,2.0): what a build asks for, never what it got.
_RANGE_PATTERN = re.compile(r"[\[\](),\s]|\+$|^latest\.|\$\{", re.IGNORECASE)
_COMPILE_ENDINGS = (
    ("compile", "classpath"),
    ("compile", "only"),
    ("api",),
    ("compile",),
    ("implementation",),
    ("provided",),
    ("dependencies", "metadata"),
)
_RUNTIME_ENDINGS = (("runtime", "classpath"), ("runtime", "only"), ("runtime",), ("development", "only"))
# What a build script itself is compiled against.
_SCRIPT = ("classpath",)
# Kotlin's other targets: their artifacts hold no JVM sources.
_OTHER_TARGETS = {"js", "wasm", "native"}


@dataclass(frozen=True)
class Use:
    """What one configuration or Maven scope uses a package for.

    Attributes:
        group: the group it belongs to, normalised; "" for the project's own.
        scope: the narrowest scope that contains what it holds.
    """

    group: str
    scope: Scope


@functools.lru_cache(maxsize=4096)
def use_of_configuration(name: str) -> Use:
    """What a Gradle configuration is for, by its name.

    Example:
        >>> use_of_configuration("compileClasspath").scope, use_of_configuration("releaseRuntimeClasspath").scope
        (<Scope.IMPORTABLE: 'importable'>, <Scope.ALL: 'all'>)
        >>> use_of_configuration("integrationTestCompileClasspath").group, use_of_configuration("kapt").group
        ('test', 'kapt')
    """
    words = tuple(each.lower() for each in _WORD_PATTERN.findall(name))
    is_run = any(words[-len(ending) :] == ending for ending in _RUNTIME_ENDINGS)
    is_compiled = words == _SCRIPT or any(words[-len(ending) :] == ending for ending in _COMPILE_ENDINGS)
    scope = Scope.ALL if is_run else Scope.IMPORTABLE
    if TEST_GROUP in words or "tests" in words:
        return Use(TEST_GROUP, scope)
    if not (is_run or is_compiled) or words[0] in _OTHER_TARGETS:
        return Use(normalised_name(name), scope)
    return Use("", scope)


def use_of_maven_scope(scope: str) -> Use:
    """What a Maven scope is for; one that Maven does not know counts as ``compile``, its default."""
    match scope:
        case "test":
            return Use(TEST_GROUP, Scope.IMPORTABLE)
        case "runtime":
            return Use("", Scope.ALL)
    return Use("", Scope.IMPORTABLE)


def decided(uses: Iterable[Use], groups: frozenset[str]) -> tuple[Scope, str]:
    """The narrowest scope of the uses that were asked for, and why a package with none of them is left out ("" if not).

    Example:
        >>> decided([Use("test", Scope.IMPORTABLE), Use("", Scope.ALL)], frozenset())
        (<Scope.ALL: 'all'>, '')
    """
    known = sorted(set(uses), key=lambda use: (use.group != TEST_GROUP, use.group))
    asked = [use.scope for use in known if not use.group or use.group in groups]
    if asked or not known:
        return (Scope.ALL if asked and Scope.IMPORTABLE not in asked else Scope.IMPORTABLE), ""
    return known[0].scope, not_asked("group", known[0].group)


def library_name(group: str, artifact: str) -> str:
    """How people write a JVM library without its version."""
    return f"{group}:{artifact}"


def jvm_package(
    group: str, artifact: str, version: str, *, digests: Iterable[str] = (), caches: JvmCaches | None = None
) -> Package:
    """A package of a lock file.

    A snapshot's content changes under its version: it is keyed by the sha256 of the copy on this machine, sources
    before classes, else it has no coordinate. A snapshot with its time in its version (``1.0-20260101.120000-1``)
    never changes.

    Raises:
        CoordinateError: a part cannot stand in a coordinate.
    """
    name = library_name(group, artifact)
    if not group or not artifact:
        raise CoordinateError(f"{name}@{version}", "a JVM coordinate has a group, a name and a version")
    if not version:
        return Package(name, "", None, "it has no version")
    if _RANGE_PATTERN.search(version):
        return Package(name, version, None, NOT_EXACT)
    coordinate = _coordinate(group, artifact, version)
    if not version.endswith("-SNAPSHOT"):
        return Package(name, version, coordinate, digests=tuple(digests))
    for ending in ("-sources.jar", ".jar"):
        for found in (caches or JvmCaches.of()).files(group, artifact, version, ending):
            return Package(name, version, coordinate.with_checksum(_sha256(found.path)), location=str(found.path))
    return Package(name, version, None, NO_SNAPSHOT)


def _coordinate(group: str, artifact: str, version: str) -> Coordinate:
    if _PLAIN_PATTERN.fullmatch(f"{group}:{artifact}:{version}"):
        # Nothing to encode or refuse: the general way prints and parses the package URL.
        return Coordinate("maven", group, artifact, version)
    return Coordinate.of("maven", artifact, version, namespace=group)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def with_scopes(resolution: Resolution, scopes: Mapping[str, Scope]) -> Resolution:
    """The same resolution, with each purl's scope as its uses decide; what the project names itself stays declared."""
    rows = tuple(
        row
        if row.scope is Scope.DECLARED
        else dataclasses.replace(row, scope=scopes.get(row.coordinate.purl, row.scope))
        for row in resolution.dependencies
    )
    return dataclasses.replace(resolution, dependencies=rows)
