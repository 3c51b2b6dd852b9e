"""What a question gets back: hits, the answer around them, and how fresh it is.

Here: the frozen dataclasses and their JSON (the keys that others measure by). Not here: finding hits (depcodex.query),
showing them to a person (depcodex.render), why there are none (depcodex.abstentions).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from depcodex.abstentions import Abstention


@dataclass(frozen=True)
class Hit:
    """One entry that answers.

    Attributes:
        rank: 1-based, counted over all pages.
        id: 20 base32 characters of sha256(purl, symbol).
        coordinate: the purl of the library at its version.
        symbol: the canonical name a caller writes.
        aliases: its other public names; the asked name is first where it led here by a re-export or by inheritance.
        kind: package module class function method property constant type skill recipe.
        signatures: public ones, overloads in source order.
        sentence: the rewrite; None for an undocumented or withheld entry.
        is_withheld: there is a sentence, and it may not be shown.
        citation: ``purl!path:line#sha256:<hex of the file>``.
        as_of: YYYY-MM-DD, the release day, else the day of harvest.
        rewriter: who wrote the sentence.
        is_deprecated: the library says so.
        since: the version that introduced it, where the library says so.
        found_by: exact fuzzy lexical doc rewrite.
        distance: edges from the project; None where the lock file names no roots.
        via: purls from a direct dependency down to the parent.
        disagrees_with: ids of hits for the same symbol in another version whose kind, signatures or deprecation differ.
    """

    rank: int
    id: str
    coordinate: str
    symbol: str
    aliases: tuple[str, ...]
    kind: str
    signatures: tuple[str, ...]
    sentence: str | None
    is_withheld: bool
    citation: str
    as_of: str
    rewriter: str | None
    is_deprecated: bool
    since: str | None
    found_by: tuple[str, ...]
    distance: int | None
    via: tuple[str, ...]
    disagrees_with: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The object of the JSON output, keys in their documented order."""
        return {
            "rank": self.rank,
            "id": self.id,
            "coordinate": self.coordinate,
            "symbol": self.symbol,
            "aliases": list(self.aliases),
            "kind": self.kind,
            "signatures": list(self.signatures),
            "sentence": self.sentence,
            "is_withheld": self.is_withheld,
            "citation": self.citation,
            "as_of": self.as_of,
            "rewriter": self.rewriter,
            "is_deprecated": self.is_deprecated,
            "since": self.since,
            "found_by": list(self.found_by),
            "distance": self.distance,
            "via": list(self.via),
            "disagrees_with": list(self.disagrees_with),
        }


@dataclass(frozen=True)
class Freshness:
    """What the answer was made from.

    Attributes:
        generation: the store's, which rises with every publish and hold.
        recorded_at: when the project's closure was recorded, UTC, ISO 8601; None without a closure.
        scope: how wide the project's questions look; None without a closure.
        coordinates: (state, count) of the closure's coordinates in scope, sorted by state.
        as_of: the newest release day among them, YYYY-MM-DD; None where none is indexed.
    """

    generation: int
    recorded_at: str | None = None
    scope: str | None = None
    coordinates: tuple[tuple[str, int], ...] = ()
    as_of: str | None = None

    def to_json(self) -> dict[str, object]:
        """The object of the JSON output."""
        return {
            "generation": self.generation,
            "recorded_at": self.recorded_at,
            "scope": self.scope,
            "coordinates": dict(self.coordinates),
            "as_of": self.as_of,
        }


@dataclass(frozen=True)
class Answer:
    """Hits in order, or an abstention that says why there are none.

    Attributes:
        results: best first.
        abstention: set exactly where ``results`` is empty.
        freshness: what it was made from.
        cursor: for the next page; None on the last one.
        message: how a name was understood, where not letter by letter (case, separators, inheritance, a re-export, a
            typo); empty otherwise. Not part of the JSON: the command line says it on standard error.
    """

    results: tuple[Hit, ...]
    abstention: Abstention | None
    freshness: Freshness
    cursor: str | None = None
    message: str = field(default="", compare=True)

    @property
    def exit_status(self) -> int:
        """0 answered, 1 an abstention."""
        return 0 if self.results else 1

    def to_json(self) -> dict[str, object]:
        """The object of the JSON output: ``results``, ``abstention``, ``freshness``, ``cursor``."""
        return {
            "results": [hit.to_json() for hit in self.results],
            "abstention": None if self.abstention is None else self.abstention.to_json(),
            "freshness": self.freshness.to_json(),
            "cursor": self.cursor,
        }
