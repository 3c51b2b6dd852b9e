"""Gradle's dependency locks: ``gradle.lockfile``, ``buildscript-gradle.lockfile`` and one file a configuration.

Here: the lines, the configurations that decide scope and groups, the files that belong together. Not here: what a
configuration's name means (depcodex.lockfiles.jvm_packages), verification metadata
(depcodex.lockfiles.gradle_verification).

Spec: Gradle's manual, "Locking versions" (Gradle 6.8 to 9) and "Locking dependency versions" (4.8 to 6.7, one file a
configuration under ``gradle/dependency-locks``), read 2026-12. A line is ``group:artifact:version=configuration,…``;
``empty=…`` names configurations without any; the form with one file a configuration has no ``=``. The format has no
version. It names no roots and no edges, so nothing in it has a distance. A line that is none of these is passed over
and said in a note, as Gradle passes over what it does not ask for; a file in which no line reads is refused, and so is
one with the marks of an unresolved merge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from depcodex.closure import Scope
from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, normalised_name, read_text
from depcodex.lockfiles.gradle_verification import PLACE, Key, read_components
from depcodex.lockfiles.graph import Edge, Graph
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of
from depcodex.lockfiles.jvm_caches import JvmCaches
from depcodex.lockfiles.jvm_packages import Use, decided, jvm_package, use_of_configuration, with_scopes

SCRIPT_LOCK = "buildscript-gradle.lockfile"
SCRIPT_GROUP = "buildscript"
LOCKS_FOLDER = "gradle/dependency-locks"
_SETTINGS = ("settings.gradle", "settings.gradle.kts")
_HEADER = "# This is a Gradle generated file for dependency locking"
_ENTRY_PATTERN = re.compile(r"([^\s:=#]+):([^\s:=]+):([^\s:=]+)(?:=(.*))?")
_EMPTY_PATTERN = re.compile(r"empty=([A-Za-z0-9_.,\s-]*)")
_MERGE_PATTERN = re.compile(r"(<{7}|>{7})( |$)")
_LINE_PATTERN = re.compile(r"^[^\s:=#]+:[^\s:=]+:[^\s:=]+=[A-Za-z0-9_.-]+(,[A-Za-z0-9_.-]+)*$", re.MULTILINE)
_FORM = "group:artifact:version=configurations"
_EXAMPLE_COUNT = 3


class GradleLockError(LockfileError):
    """A Gradle lock file, or the verification metadata beside it, cannot be read."""

    format_name = "gradle"


class GradleReader:
    """Reads Gradle's lock files."""

    name = "gradle"
    error: type[LockfileError] = GradleLockError

    def matches_content(self, sample: Sample) -> bool:
        """Gradle's own first line, or a line of its form."""
        return sample.text.startswith(_HEADER) or _LINE_PATTERN.search(sample.text) is not None

    def read(self, path: Path, target: Target) -> Reading:
        """One closure; see ``LockfileReader.read``.

        With ``gradle.lockfile`` goes the build script's lock beside it, as group ``buildscript``; with one file of
        ``gradle/dependency-locks`` go the others there.
        """
        root, locks = _files(path)
        entries = _Entries()
        for lock in locks:
            text = read_text(lock, GradleLockError)
            group = SCRIPT_GROUP if lock.name == SCRIPT_LOCK and lock != path else ""
            entries.read(lock, text, configuration=lock.stem if _is_of_one(lock) else "", group=group)
        verification = _verification(root)
        digests: Mapping[Key, tuple[str, ...]] = {}
        if verification is not None:
            digests = read_components(verification, GradleLockError)
        with guarded(path, GradleLockError):
            graph, edges, scopes = _graph(entries, digests, target)
            resolution = with_scopes(graph.resolve(edges, named=frozenset()), scopes)
        read = [*locks, *([verification] if verification is not None else [])]
        closure = closure_of("gradle", resolution, target, tuple(input_row(each, root) for each in read))
        groups = {use.group for uses in entries.uses.values() for use in uses} | entries.groups
        return Reading((closure,), tuple(entries.notes), frozenset(groups - {""}), frozenset())


def _is_of_one(lock: Path) -> bool:
    return lock.parent.name == "dependency-locks" and lock.suffix == ".lockfile"


def _files(path: Path) -> tuple[Path, list[Path]]:
    """The project's folder, and the files that make up the lock that ``path`` belongs to."""
    if _is_of_one(path) and path.parent.parent.name == "gradle":
        return path.parent.parent.parent, sorted({path, *path.parent.glob("*.lockfile")})
    beside = path.with_name(SCRIPT_LOCK)
    if path.name == "gradle.lockfile" and beside.is_file():
        return path.parent, [path, beside]
    return path.parent, [path]


def _verification(root: Path) -> Path | None:
    """The verification metadata of the build that a project's folder belongs to: it lies in the build's root."""
    above = (folder for folder in (root, *root.parents) if any((folder / name).is_file() for name in _SETTINGS))
    place = next(above, root) / PLACE
    return place if place.is_file() else None


@dataclass
class _Entries:
    """What the lines say: key → uses, in the files' order."""

    uses: dict[Key, set[Use]] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def read(self, path: Path, text: str, *, configuration: str, group: str) -> None:
        """Take in one file; ``configuration`` where the whole file is one's, ``group`` where the whole file is one's.

        Raises:
            GradleLockError: no line of the file reads, or it holds an unresolved merge.
        """
        strange: list[int] = []
        count = 0
        for number, line in _lines(text):
            if _MERGE_PATTERN.match(line):
                raise GradleLockError(path, f"line {number}: an unresolved merge")
            entry = _ENTRY_PATTERN.fullmatch(line)
            empty = _EMPTY_PATTERN.fullmatch(line)
            if entry is None and empty is None:
                strange.append(number)
                continue
            count += 1
            listed = (entry[4] if entry else empty[1] if empty else "") or configuration
            names = [each.strip() for each in listed.split(",") if each.strip()]
            uses = {Use(group, Scope.IMPORTABLE) if group else use_of_configuration(each) for each in names}
            self.groups.update(use.group for use in uses)
            if entry is not None:
                self.uses.setdefault((entry[1], entry[2], entry[3]), set()).update(uses)
        if strange and not count:
            raise GradleLockError(path, f"expected lines {_FORM}, got none")
        if strange:
            shown = ", ".join(map(str, strange[:_EXAMPLE_COUNT]))
            more = f" and {len(strange) - _EXAMPLE_COUNT} more" if len(strange) > _EXAMPLE_COUNT else ""
            word = "line" if len(strange) == 1 else "lines"
            self.notes.append(f"{path.name}: {word} {shown}{more} passed over, expected {_FORM}")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _graph(
    entries: _Entries, digests: Mapping[Key, tuple[str, ...]], target: Target
) -> tuple[Graph, list[Edge], dict[str, Scope]]:
    graph = Graph()
    edges: list[Edge] = []
    scopes: dict[str, Scope] = {}
    caches = JvmCaches.of()
    groups = frozenset(map(normalised_name, target.groups))
    for (group, artifact, version), uses in entries.uses.items():
        key = f"{group}:{artifact}:{version}"
        found = digests.get((group, artifact, version), ())
        package = jvm_package(group, artifact, version, digests=found, caches=caches)
        graph.add(key, package)
        scope, why = decided(uses, groups)
        edges.append(Edge(key, why))
        if package.coordinate is not None:
            scopes[package.coordinate.purl] = scope
    return graph, edges, scopes
