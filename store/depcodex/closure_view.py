"""One closure over its snapshot: states, names, what may be a hit, and a row as the hit that a reader is shown.

Here: what is made once for a snapshot and a record, and what of a row may be shown. Not here: finding rows
(depcodex.faces, depcodex.names), refreshing (depcodex.query).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from depcodex.answers import Freshness, Hit
from depcodex.faces import Faces
from depcodex.names import Names
from depcodex.resolution import AskingClosure
from depcodex.schemas import State
from depcodex.snapshots import Snapshot
from depcodex.symbols import begins_with, library_names

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ClosureView:
    """A closure over its snapshot. Safe between threads and after a fork.

    Args:
        asking: the asking closure.
        snapshot: its rows.
    """

    def __init__(self, asking: AskingClosure, snapshot: Snapshot) -> None:
        self.asking = asking
        self.snapshot = snapshot
        columns = ("purl", "state", "reason", "as_of", "import_names")
        rows = snapshot.coordinates.select(list(columns)).to_pylist()
        self.purls: list[str] = [row["purl"] for row in rows]
        self.rows: dict[str, dict[str, Any]] = {row["purl"]: row for row in rows}
        self.registered: dict[str, str] = {row["purl"]: row["state"] for row in rows}
        self.states = asking.states(self.registered)

    @functools.cached_property
    def faces(self) -> Faces:
        """The arms of a search."""
        return Faces(self.snapshot)

    @functools.cached_property
    def names(self) -> Names:
        """The index of a lookup."""
        found: dict[str, list[str]] = {}
        for purl, row in self.rows.items():
            for name in library_names(self.asking.dependencies[purl].coordinate):
                found.setdefault(name, []).extend(row["import_names"])
        return Names(self.snapshot, found)

    @functools.cached_property
    def import_names(self) -> dict[str, list[str]]:
        """purl → top-level names, of the registered coordinates."""
        return {purl: row["import_names"] for purl, row in self.rows.items()}

    @functools.cached_property
    def diamonds(self) -> frozenset[str]:
        """Libraries with more than one resolved version."""
        counts = Counter(each.coordinate.library for each in self.asking.dependencies.values())
        return frozenset(library for library, count in counts.items() if count > 1)

    @functools.cached_property
    def freshness(self) -> Freshness:
        """What answers are made from; states are counted in scope."""
        dates = [self.rows[purl]["as_of"] for purl, state in self.states.items() if state == State.INDEXED]
        return Freshness(
            self.snapshot.key.generation,
            self.asking.record.recorded_at,
            self.asking.record.scope.value,
            tuple(sorted(Counter(self.states.values()).items())),
            max(dates, default=None),
        )

    def may_be_hit(self, purls: Iterable[str]) -> NDArray[np.bool_]:
        """Over the snapshot's rows: whether each belongs to one of the coordinates and may be shown at all."""
        wanted = {purl for purl in purls if self.states.get(purl) == State.INDEXED}
        by_place = np.array([purl in wanted for purl in self.purls], dtype=np.bool_)
        places = np.asarray(self.snapshot.arrays["place"])
        return by_place[places] if len(by_place) else np.zeros(len(places), dtype=np.bool_)

    def hit(
        self,
        row: int,
        rank: int,
        found_by: tuple[str, ...],
        *,
        asked_name: str | None,
        may_be_hit: NDArray[np.bool_],
    ) -> Hit:
        """A row as a reader is shown it.

        Args:
            row: its place in the snapshot.
            rank: 1-based.
            found_by: the arms that found it.
            asked_name: the name that led here by inheritance or a re-export, or None.
            may_be_hit: over the snapshot's rows; others are not named in ``disagrees_with``.
        """
        columns = self.snapshot.row(row)
        purl = self.snapshot.purl_of(row)
        dependency = self.asking.dependencies[purl]
        # Sentences are shared between closures: one that names a package outside this one is not shown in it.
        is_foreign = not self.asking.mentionable.issuperset(columns["packages_mentioned"])
        is_withheld = bool(columns["is_withheld"]) or is_foreign
        aliases = tuple(columns["aliases"])
        if asked_name is not None and asked_name != columns["symbol"]:
            aliases = tuple(dict.fromkeys((asked_name, *aliases)))
        digest = columns["file_digest"]
        return Hit(
            rank=rank,
            id=columns["id"],
            coordinate=purl,
            symbol=columns["symbol"],
            aliases=aliases,
            kind=columns["kind"],
            signatures=tuple(columns["signatures"]),
            sentence=None if is_withheld else columns["sentence"],
            is_withheld=is_withheld,
            citation=f"{purl}!{columns['path']}:{columns['line']}#{digest if ':' in digest else 'sha256:' + digest}",
            as_of=self.rows[purl]["as_of"],
            rewriter=columns["rewriter"],
            is_deprecated=columns["is_deprecated"],
            since=columns["since"],
            found_by=found_by,
            distance=dependency.distance,
            via=dependency.via,
            disagrees_with=self._disagreeing(row, columns, may_be_hit),
        )

    def named_library(self, name: str, purls: Iterable[str]) -> list[str]:
        """Those of ``purls`` whose library a name starts with: they may simply not be indexed yet."""
        found = []
        for purl in sorted(purls):
            coordinate = self.asking.dependencies[purl].coordinate
            names = (*library_names(coordinate), *self.import_names.get(purl, ()))
            if coordinate.type == "maven":
                # Before it is indexed nothing but the group says what its packages are called.
                names = (*names, coordinate.namespace)
            if any(begins_with(name, each) for each in names):
                found.append(purl)
        return found

    def _disagreeing(self, row: int, columns: dict[str, Any], may_be_hit: NDArray[np.bool_]) -> tuple[str, ...]:
        """Ids of the same symbol in other versions of the library that may be hits and say something else."""
        library = self._library(row)
        if library not in self.diamonds:
            return ()
        found = []
        for other in self.names.same_symbol(columns["symbol"]):
            if other == row or not may_be_hit[other] or self._library(other) != library:
                continue
            theirs = self.snapshot.row(other)
            if any(theirs[name] != columns[name] for name in ("kind", "signatures", "is_deprecated")):
                found.append(theirs["id"])
        return tuple(sorted(found))

    def _library(self, row: int) -> str:
        return self.asking.dependencies[self.snapshot.purl_of(row)].coordinate.library
