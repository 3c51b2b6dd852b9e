"""What a question may see: the asking closure, and narrowing inside it by scope, coordinate, version and asking module.

Here: who is in the closure, who is visible, which versions an asking module sees. Not here: names of symbols
(depcodex.names), ranking (depcodex.faces).

Order of decision: entity, version, scope. Identity comes from the purl. Where evidence conflicts nothing is picked.
Narrowing decides which hits are left, never their order.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from packageurl import PackageURL

from depcodex import abstentions
from depcodex.abstentions import Abstention
from depcodex.closure import ProjectRecord, ResolvedDependency
from depcodex.coordinates import ECOSYSTEMS, Coordinate
from depcodex.errors import CoordinateError
from depcodex.symbols import asking_strength, library_names
from depcodex.versions import is_same_version

NEVER_REGISTERED, HELD, EXCLUDED = "never_registered", "held", "excluded"


@dataclass(frozen=True)
class AskingClosure:
    """The closure that asks, as one question sees it.

    Attributes:
        record: the project's record in the data home.
        hold: purl patterns withheld from every answer.
        exclude: purl patterns that are never shown.
    """

    record: ProjectRecord
    hold: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @functools.cached_property
    def dependencies(self) -> dict[str, ResolvedDependency]:
        """Every coordinate of the closure by purl, sorted, whatever the scope."""
        return {each.coordinate.purl: each for each in self.record.union()}

    @functools.cached_property
    def coordinate_ids(self) -> tuple[int, ...]:
        """Of the whole closure: statistics are over all of it."""
        return tuple(sorted(each.coordinate.coordinate_id for each in self.dependencies.values()))

    @functools.cached_property
    def libraries(self) -> frozenset[str]:
        """Package URLs without version of the whole closure."""
        return frozenset(each.coordinate.library for each in self.dependencies.values())

    @functools.cached_property
    def mentionable(self) -> frozenset[str]:
        """Package URLs that a sentence may name here: the closure's, and short names that prose has for them.

        Prose says `Jackson` of `com.fasterxml.jackson.core:jackson-databind`, and `uuid` of `github.com/google/uuid`.
        """
        found = set(self.libraries)
        for each in self.dependencies.values():
            coordinate = each.coordinate
            words = {name for name in library_names(coordinate) if "/" not in name and ":" not in name}
            if coordinate.type == "maven":
                words |= {coordinate.name.partition("-")[0], *coordinate.namespace.split(".")[1:]}
            found |= {f"pkg:{coordinate.type}/{word.lower()}" for word in words if word}
        return frozenset(found)

    @functools.cached_property
    def scoped(self) -> tuple[str, ...]:
        """The purls inside the project's scope, sorted."""
        return tuple(purl for purl, each in self.dependencies.items() if self.record.scope.covers(each.scope))

    @functools.cached_property
    def hidden(self) -> dict[str, str]:
        """purl → ``held`` or ``excluded``, of what a person withheld from every answer."""
        found: dict[str, str] = {}
        for purl, each in self.dependencies.items():
            if any(each.coordinate.matches(pattern) for pattern in self.exclude):
                found[purl] = EXCLUDED
            elif any(each.coordinate.matches(pattern) for pattern in self.hold):
                found[purl] = HELD
        return found

    @functools.cached_property
    def edges(self) -> dict[str, tuple[str, ...]]:
        """Asking purl → asked purls, over all members."""
        found: dict[str, set[str]] = {}
        for member in self.record.members:
            for asking, asked in member.edges:
                found.setdefault(asking, set()).add(asked)
        return {asking: tuple(sorted(asked)) for asking, asked in found.items()}

    def states(self, registered: Mapping[str, str]) -> dict[str, str]:
        """purl → state of every coordinate in scope; ``registered`` is what the public store says of the closure."""
        return {purl: self.hidden.get(purl) or registered.get(purl, NEVER_REGISTERED) for purl in self.scoped}


@dataclass(frozen=True)
class Narrowing:
    """What is left of a closure after scope, coordinates, version and asking module.

    Attributes:
        purls: the coordinates whose entries may be hits.
        abstention: set where the narrowing itself is the reason for no answer.
        version: the version asked for, or None.
    """

    purls: frozenset[str]
    abstention: Abstention | None = None
    version: str | None = None


def narrow(
    asking: AskingClosure,
    asked: str,
    *,
    coordinates: Sequence[str] = (),
    version: str | None = None,
    from_module: str | None = None,
    import_names: Mapping[str, Sequence[str]],
) -> Narrowing:
    """The coordinates whose entries may be hits.

    Args:
        asking: the asking closure.
        asked: the need or symbol, for messages.
        coordinates: package URLs, a version may be left out; several widen.
        version: an exact version; overrides ``from_module``.
        from_module: what does the asking: a module as its language writes it, a library's name, or a package URL of the
            closure.
        import_names: purl → top-level names, of the indexed coordinates.

    Raises:
        CoordinateError: one of ``coordinates`` is no package URL.
    """
    project = asking.record.project
    purls = set(asking.scoped)
    if coordinates:
        wanted = [parse_wanted(text) for text in coordinates]
        named = {
            purl for purl in purls if any(_is_wanted(asking.dependencies[purl].coordinate, each) for each in wanted)
        }
        if not named:
            return Narrowing(frozenset(), _coordinates_abstention(asking, asked, wanted))
        purls = named
    if version is not None:
        same = {purl for purl in purls if same_version(asking.dependencies[purl].coordinate, version)}
        if not same:
            known = sorted(purls) if coordinates else []
            return Narrowing(frozenset(), abstentions.version_not_in_closure(version, known, project), version)
        return Narrowing(frozenset(same), None, version)
    if from_module is not None:
        askers = _askers(asking, from_module, import_names)
        libraries = {asking.dependencies[each].coordinate.library for each in askers}
        # Packages of the JVM are often split between artifacts; on a class path each of these has one version anyway.
        if len(libraries) > 1 and any(not each.startswith("pkg:maven/") for each in libraries):
            return Narrowing(frozenset(), abstentions.ambiguous(from_module, askers, project))
        purls -= _unseen(asking, askers)
    return Narrowing(frozenset(purls))


def parse_wanted(text: str) -> tuple[str, str | None, str]:
    """A package URL as (library, version or None, checksum).

    Raises:
        CoordinateError: the text is no package URL of an ecosystem we index.

    Example:
        >>> parse_wanted("pkg:pypi/Typing_Extensions")
        ('pkg:pypi/typing-extensions', None, '')
    """
    try:
        url = PackageURL.from_string(text)
    except ValueError as error:
        raise CoordinateError(text, "not a package URL") from error
    if url.version:
        coordinate = Coordinate.parse(text)
        return coordinate.library, coordinate.version, coordinate.checksum
    if url.type not in ECOSYSTEMS:
        raise CoordinateError(text, f"type {url.type!r} is not one of {', '.join(ECOSYSTEMS)}")
    return Coordinate.of(url.type, url.name, "0", namespace=url.namespace or "").library, None, ""


def same_version(coordinate: Coordinate, version: str) -> bool:
    """Whether a coordinate has a version by the rules of its ecosystem (PEP 440; SemVer, Go's ``v`` or not)."""
    return is_same_version(coordinate.type, coordinate.version, version)


def _is_wanted(coordinate: Coordinate, wanted: tuple[str, str | None, str]) -> bool:
    library, version, checksum = wanted
    if coordinate.library != library or (checksum and coordinate.checksum != checksum):
        return False
    return version is None or same_version(coordinate, version)


def _coordinates_abstention(
    asking: AskingClosure, asked: str, wanted: Iterable[tuple[str, str | None, str]]
) -> Abstention:
    """Another version of a library in scope is said to be one; anything else reads like what does not exist."""
    for library, version, _ in wanted:
        known = [purl for purl in asking.scoped if asking.dependencies[purl].coordinate.library == library]
        if known and version is not None:
            return abstentions.version_not_in_closure(version, known, asking.record.project)
    return abstentions.no_match(asked, asking.record.project, is_lookup=False)


def _askers(asking: AskingClosure, module: str, import_names: Mapping[str, Sequence[str]]) -> list[str]:
    """The coordinates that a module name means, those that it fits best; empty for a module of the project itself."""
    strengths = {
        purl: asking_strength(each.coordinate, module, import_names.get(purl, ()))
        for purl, each in asking.dependencies.items()
    }
    best = max(strengths.values(), default=0)
    return [purl for purl, strength in strengths.items() if strength == best > 0]


def _unseen(asking: AskingClosure, askers: Sequence[str]) -> set[str]:
    """Of libraries with several versions those that the asking module does not see, where the edges decide."""
    versions: dict[str, list[str]] = {}
    for purl, each in asking.dependencies.items():
        versions.setdefault(each.coordinate.library, []).append(purl)
    steps = _steps(asking, askers)
    unseen: set[str] = set()
    for purls in versions.values():
        if len(purls) < 2:
            continue
        reached = [purl for purl in purls if purl in steps]
        nearest = [purl for purl in reached if steps[purl] == min(steps[each] for each in reached)]
        if len(nearest) == 1:
            unseen.update(set(purls) - set(nearest))
    return unseen


def _steps(asking: AskingClosure, askers: Sequence[str]) -> dict[str, int]:
    """purl → edges from the asking module; from the project itself these are the recorded distances."""
    if not askers:
        return {purl: each.distance for purl, each in asking.dependencies.items() if each.distance is not None}
    steps = dict.fromkeys(askers, 0)
    front = list(askers)
    distance = 0
    while front:
        distance += 1
        asked = dict.fromkeys(each for purl in front for each in asking.edges.get(purl, ()) if each not in steps)
        steps.update(dict.fromkeys(asked, distance))
        front = list(asked)
    return steps
