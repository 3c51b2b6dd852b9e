"""The build that brings jars: one generated pom a coordinate, in one call of mvn.

Here: what is written for mvn, and what its log says about each coordinate. Not here: starting mvn and what becomes of
the jars (maven_fetch).

Every coordinate is a module of its own, since then one that the registry lacks stops no other (``--fail-at-end``), two
versions of one library do not meet, and several are fetched at once. A module asks for its coordinate with everything
excluded that it depends on, so that no library but the asked ones is fetched. For sources it asks for the pom alone;
the plugin then takes the sources jar, or passes over one that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from depcodex.coordinates import Coordinate
from depcodex.errors import DepcodexError, FetchError, SourceNotFoundError, StoreFullError

# The version whose ways were measured: 68 sources jars in 11 s with four threads (2026-12-01).
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
THREAD_COUNT = 4
# What Maven allows in an id, and in a version what is neither a range nor an expression that Maven would fill in.
_ID_PATTERN = re.compile(r"[A-Za-z0-9_.-]+")
_VERSION_PATTERN = re.compile(r"[A-Za-z0-9_.+~!@=-]+")
# Versions that Maven replaces by others.
_KEYWORDS = frozenset({"LATEST", "RELEASE"})
_FAILURE_PATTERN = re.compile(r"\[ERROR\] Failed to execute goal .*on project m(\d+): (.*)")
_MISSING_PATTERN = re.compile(r"Could not find artifact |was not found in |Failure to find ")
_TRANSFER_PATTERN = re.compile(r"Could not transfer|Transfer failed|transferring|Unauthorized|Forbidden|status code")
_NOTED_PATTERN = re.compile(r"[^#].*\.error=.*\S")
_FULL_PATTERN = re.compile(r"No space left on device|Disk quota exceeded")
_HEAD = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
_OWN = "<groupId>depcodex.fetch</groupId><version>1</version><packaging>pom</packaging>"


@dataclass(frozen=True)
class Wish:
    """What a build is to bring.

    Attributes:
        type: of the artifact that a module depends on; that one is fetched in any case.
        classifier: ``sources``, or "" for the main jar.
    """

    type: str
    classifier: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """The goal and its parameters."""
        return (
            f"{PLUGIN}:copy-dependencies",
            *(["-Dtype=jar", f"-Dclassifier={self.classifier}"] if self.classifier else []),
            "-DfailOnMissingClassifierArtifact=false",
            "-DexcludeTransitive=true",
            "-Dmdep.useBaseVersion=true",
            "-DoutputDirectory=out",
        )


SOURCES = Wish("pom", "sources")
CLASSES = Wish("jar", "")


def is_nameable(coordinate: Coordinate) -> bool:
    """Whether Maven can have an artifact of this name: nothing that it would read as a range or fill in itself."""
    return (
        _ID_PATTERN.fullmatch(coordinate.namespace) is not None
        and _ID_PATTERN.fullmatch(coordinate.name) is not None
        and _VERSION_PATTERN.fullmatch(coordinate.version) is not None
        and coordinate.version not in _KEYWORDS
    )


def write_build(folder: Path, coordinates: Mapping[int, Coordinate], wish: Wish) -> Path:
    """Write the build for the numbered coordinates into an empty folder; its pom is returned."""
    # Maven looks upwards for this folder: options of others' do not apply.
    (folder / ".mvn").mkdir()
    for number, coordinate in coordinates.items():
        module = folder / f"m{number}"
        module.mkdir()
        (module / "pom.xml").write_text(_module(number, coordinate, wish.type), encoding="utf-8")
    modules = "".join(f"<module>m{number}</module>" for number in coordinates)
    pom = folder / "pom.xml"
    pom.write_text(
        f"{_HEAD}{_OWN}<artifactId>all</artifactId><modules>{modules}</modules></project>\n", encoding="utf-8"
    )
    return pom


def _module(number: int, coordinate: Coordinate, type_: str) -> str:
    dependency = (
        f"<groupId>{escape(coordinate.namespace)}</groupId><artifactId>{escape(coordinate.name)}</artifactId>"
        f"<version>{escape(coordinate.version)}</version><type>{type_}</type>"
        "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
    )
    return (
        f"{_HEAD}{_OWN}<artifactId>m{number}</artifactId>"
        f"<dependencies><dependency>{dependency}</dependency></dependencies></project>\n"
    )


def brought(folder: Path, number: int) -> Path | None:
    """The jar that the build brought for a coordinate, or None."""
    return next(iter(sorted((folder / f"m{number}" / "out").glob("*.jar"))), None)


def was_refused(repository: Path, coordinate: Coordinate, ending: str) -> bool:
    """Whether a registry failed to answer for a file, where the plugin only says that it is not there.

    Maven keeps a note of each failed try beside the place of the file; its error is empty where the registry has no
    such file, else it says what went wrong.
    """
    name = f"{coordinate.name}-{coordinate.version}{ending}.lastUpdated"
    place = repository.joinpath(*coordinate.namespace.split("."), coordinate.name, coordinate.version, name)
    try:
        lines = place.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return any(_NOTED_PATTERN.match(line) for line in lines)


def failures(log: Iterable[str], coordinates: Mapping[int, Coordinate]) -> dict[int, DepcodexError]:
    """What mvn's log says of the coordinates that it failed on; its words are matched, never passed on."""
    found: dict[int, DepcodexError] = {}
    for line in log:
        match = _FAILURE_PATTERN.match(line)
        if match is not None and int(match[1]) in coordinates:
            found[int(match[1])] = _error(coordinates[int(match[1])], match[2])
    return found


def _error(coordinate: Coordinate, message: str) -> DepcodexError:
    if _FULL_PATTERN.search(message):
        return StoreFullError(f"{coordinate}: no space left on the disk")
    if _MISSING_PATTERN.search(message) and not _TRANSFER_PATTERN.search(message):
        return SourceNotFoundError(f"{coordinate}: the registry has no such library or version")
    return FetchError(f"{coordinate}: mvn could not bring it")
