"""From an asked name to entries: exact, alias, separators, case, library name, inheritance, re-export, ending, typo.

Here: the stages and what each says. Not here: which of the found entries may be shown (depcodex.resolution), building
the index (depcodex.snapshot_rows).

Stages are tried in order over the whole closure and the first that finds something ends it, so that a narrower scope
removes hits and brings none.
"""

from __future__ import annotations

import functools
import os.path
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from depcodex.schemas import REEXPORT_KIND
from depcodex.snapshot_rows import FLAG_HIDDEN, letters, names_of
from depcodex.symbols import SEPARATORS, fold, last_segment
from depcodex.terms import symbol_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from depcodex.snapshots import Snapshot

MAX_NAME_CHARACTERS = 400
# Re-exports and bases are followed this far; real chains have three steps (numpy, sqlalchemy, 2026-11-30).
_MAX_STEPS = 12
# Names that one stage may resolve in all: hostile classes with many bases each would else have it try every path
# through them (nine levels of 20 bases are 10^11).
_MAX_RESOLVED = 1000
_MAX_FUZZY = 10
_MAX_CANDIDATES = 5000


@dataclass(frozen=True)
class Found:
    """One entry that a name led to.

    Attributes:
        row: its row in the snapshot.
        arm: ``exact`` or ``fuzzy``.
        how: empty, ``inherited`` or ``re-exported``.
    """

    row: int
    arm: str = "exact"
    how: str = ""


@dataclass(frozen=True)
class FoundNames:
    """What a name led to, in order, and how it was understood (empty where letter by letter)."""

    found: tuple[Found, ...]
    message: str = ""


@dataclass
class _Budget:
    """What is left of one stage's ``_MAX_RESOLVED``."""

    left: int = _MAX_RESOLVED

    def take(self) -> bool:
        """Whether one more name may be resolved."""
        self.left -= 1
        return self.left >= 0


class Names:
    """The names of one snapshot. Safe between threads and after a fork.

    Args:
        snapshot: the closure's rows.
        import_names: what people call a library → what its symbols start with.
    """

    def __init__(self, snapshot: Snapshot, import_names: Mapping[str, Sequence[str]]) -> None:
        self._snapshot = snapshot
        self._import_names = {fold(name).replace("_", "-"): tuple(tops) for name, tops in import_names.items()}
        self._flags = np.asarray(snapshot.arrays["flags"])

    def find(self, asked: str) -> FoundNames:
        """The entries of a name, by the first stage that has any."""
        name = asked.strip()
        if not name or len(name) > MAX_NAME_CHARACTERS:
            return FoundNames(())
        for stage in (self._exactly, self._folded, self._by_library, self._by_ending, self._by_typo):
            result = stage(name)
            if result.found:
                return result
        return FoundNames(())

    def same_symbol(self, symbol: str) -> list[int]:
        """The rows whose canonical name is ``symbol``, in every coordinate."""
        return [row for row in self._rows("name", symbol) if self._symbol(row) == symbol]

    def _exactly(self, name: str) -> FoundNames:
        found = self._resolve(name, self._exact_rows, frozenset(), _Budget())
        return FoundNames(found, self._way(name, found))

    def _folded(self, name: str) -> FoundNames:
        found = self._resolve(name, self._folded_rows, frozenset(), _Budget())
        if not found:
            return FoundNames(())
        bare = SEPARATORS.sub(".", name.strip("`").removesuffix("()"))
        forms = {SEPARATORS.sub(".", each) for one in found for each in names_of(self._snapshot.row(one.row))}
        what = "separators" if bare in forms else "case"
        way = self._way(name, found)
        message = f"{name}: not found as written; found with other {what}"
        return FoundNames(found, f"{message}; {way}" if way else message)

    def _by_library(self, name: str) -> FoundNames:
        """`beautifulsoup4.BeautifulSoup` and `scikit-learn`: a library's own name where its import name is another."""
        for head, rest in ((name, ""), *((head, separator + rest) for head, separator, rest in _splits(name))):
            for top in self._import_names.get(fold(head).replace("_", "-"), ()):
                asked = top + rest
                found = self._resolve(asked, self._folded_rows, frozenset(), _Budget())
                if found:
                    return FoundNames(found, f"{name}: the library {head} is imported as {top}")
        return FoundNames(())

    def _by_ending(self, name: str) -> FoundNames:
        asked = fold(name)
        rows = [
            row
            for row in self._segment_rows([last_segment(asked)])
            if any(fold(each).endswith("." + asked) for each in self._names(row))
        ]
        found = self._shown(rows, name)
        return FoundNames(found, f"{name}: no symbol is called exactly so; these end with it" if found else "")

    def _by_typo(self, name: str) -> FoundNames:
        asked = fold(name)
        bound = _bound(asked)
        if not bound:
            return FoundNames(())
        segment_count = asked.count(".") + 1
        best: dict[int, int] = {}
        for row in self._segment_rows(self._near_segments(last_segment(asked), bound)):
            for each in self._names(row):
                form = fold(each)
                ending = ".".join(form.split(".")[-segment_count:])
                for candidate in dict.fromkeys((form, ending)):
                    # Only the nearest are shown: whatever is farther than the best so far need not be measured.
                    distance = edit_distance(asked, candidate, bound)
                    if distance is not None:
                        bound = distance
                        best[row] = min(distance, best.get(row, distance))
        if not best:
            return FoundNames(())
        nearest = min(best.values())
        found = self._shown([row for row, distance in best.items() if distance == nearest], name)[:_MAX_FUZZY]
        return FoundNames(found, f"{name}: no such symbol; these are spelt like it" if found else "")

    def _resolve(
        self, name: str, rows_of: Callable[[str], list[int]], trail: frozenset[str], budget: _Budget
    ) -> tuple[Found, ...]:
        """The entries of a name, through re-exports and bases; names on the ``trail`` are not asked again."""
        if name in trail or len(trail) >= _MAX_STEPS or not budget.take():
            return ()
        trail = trail | {name}
        found: list[Found] = []
        for row in rows_of(name):
            if not self._flags[row] & FLAG_HIDDEN:
                found.append(Found(row))
            else:
                found.extend(self._behind(row, "", trail, budget))
        if found:
            return _distinct(found)
        for head, separator, member in _splits(name):
            for row in rows_of(head):
                if self._flags[row] & FLAG_HIDDEN:
                    found.extend(self._behind(row, separator + member, trail, budget))
                else:
                    found.extend(self._inherited(row, separator + member, trail, budget))
            if found:
                return _distinct(found)
        return ()

    def _behind(self, row: int, rest: str, trail: frozenset[str], budget: _Budget) -> list[Found]:
        """The entries that a re-exported name stands for, the row's own coordinate before others."""
        columns = self._snapshot.row(row)
        if columns["kind"] != REEXPORT_KIND or not columns["reexport_target"]:
            return []
        found = self._resolve(columns["reexport_target"] + rest, self._exact_rows, trail, budget)
        return [replace(each, how=each.how or "re-exported") for each in self._nearest(found, row)]

    def _inherited(self, row: int, rest: str, trail: frozenset[str], budget: _Budget) -> list[Found]:
        """The member of the first base that has it, depth first in the order of the class statement."""
        for base in self._snapshot.row(row)["bases"]:
            # Type arguments are no part of the name: Base[T], Base<T>.
            bare = re.split(r"[\[<(]", base, maxsplit=1)[0].strip()
            found = self._resolve(bare + rest, self._exact_rows, trail, budget)
            if found:
                return [replace(each, how="inherited") for each in self._nearest(found, row)]
        return []

    def _nearest(self, found: Sequence[Found], row: int) -> Sequence[Found]:
        places = self._snapshot.arrays["place"]
        return [each for each in found if places[each.row] == places[row]] or found

    def _shown(self, rows: Sequence[int], name: str) -> tuple[Found, ...]:
        """Fuzzy finds, the most mentioned first; re-exports give way to what they stand for."""
        found: list[Found] = []
        budget = _Budget()
        popularity, depth = self._snapshot.arrays["popularity"], self._snapshot.arrays["depth"]
        for row in sorted(rows, key=lambda each: (-float(popularity[each]), int(depth[each]), each)):
            if not self._flags[row] & FLAG_HIDDEN:
                found.append(Found(row, "fuzzy"))
            else:
                found.extend(replace(each, arm="fuzzy") for each in self._behind(row, "", frozenset({name}), budget))
        return _distinct(found)

    def _way(self, name: str, found: Sequence[Found]) -> str:
        """How an exact name led elsewhere."""
        ways = dict.fromkeys(f"{each.how} from {self._symbol(each.row)}" for each in found if each.how)
        return f"{name}: {', '.join(ways)}" if ways else ""

    def _exact_rows(self, name: str) -> list[int]:
        """Rows called so; in each coordinate those whose canonical name it is, else those that have it as an alias."""
        return self._canonical_first(
            [row for row in self._rows("name", name) if name in self._names(row)], lambda each: each == name
        )

    def _folded_rows(self, name: str) -> list[int]:
        form = fold(name)
        rows = [row for row in self._rows("fold", form) if any(fold(each) == form for each in self._names(row))]
        bare = SEPARATORS.sub(".", name.strip().strip("`").removesuffix("()"))
        cased = [row for row in rows if any(SEPARATORS.sub(".", each) == bare for each in self._names(row))]
        return self._canonical_first(cased or rows, lambda each: fold(each) == form)

    def _canonical_first(self, rows: list[int], is_asked: Callable[[str], bool]) -> list[int]:
        places = self._snapshot.arrays["place"]
        canonical = [row for row in rows if is_asked(self._symbol(row))]
        covered = {int(places[row]) for row in canonical}
        return sorted({*canonical, *(row for row in rows if int(places[row]) not in covered)})

    def _rows(self, index: str, name: str) -> list[int]:
        hashes = self._snapshot.arrays[f"{index}_hash"]
        hashed = np.uint64(symbol_hash(name))
        start, end = (int(np.searchsorted(hashes, hashed, side=side)) for side in ("left", "right"))
        rows: list[int] = self._snapshot.arrays[f"{index}_row"][start:end].tolist()
        return rows

    def _names(self, row: int) -> tuple[str, ...]:
        entries = self._snapshot.entries
        return tuple(dict.fromkeys((entries["symbol"][row].as_py(), *entries["aliases"][row].as_py())))

    def _symbol(self, row: int) -> str:
        return str(self._snapshot.entries["symbol"][row].as_py())

    @functools.cached_property
    def _segments(self) -> dict[str, int]:
        text = self._snapshot.arrays["segment_text"].tobytes().decode("utf-8", "surrogatepass")
        count = len(self._snapshot.arrays["segment_length"])
        return {segment: index for index, segment in enumerate(text.split("\n"))} if count else {}

    def _segment_rows(self, segments: Sequence[str]) -> Iterator[int]:
        offsets, rows = self._snapshot.arrays["segment_offset"], self._snapshot.arrays["segment_row"]
        seen: set[int] = set()
        for segment in segments:
            at = self._segments.get(segment)
            if at is None:
                continue
            for row in rows[int(offsets[at]) : int(offsets[at + 1])].tolist():
                if row not in seen and len(seen) < _MAX_CANDIDATES:
                    seen.add(row)
                    yield row

    def _near_segments(self, segment: str, bound: int) -> list[str]:
        arrays = self._snapshot.arrays
        lengths: NDArray[Any] = np.asarray(arrays["segment_length"], dtype=np.int64)
        differing = np.asarray(arrays["segment_letters"]) ^ np.uint64(letters(segment))
        near = (np.abs(lengths - len(segment)) <= bound) & (_bit_count(differing) <= 2 * bound)
        ordered = list(self._segments)
        candidates = (ordered[index] for index in np.flatnonzero(near).tolist())
        return [each for each in candidates if edit_distance(segment, each, bound) is not None]


def edit_distance(one: str, other: str, bound: int) -> int | None:
    """Insertions, deletions, changes and swaps of neighbours between two words; None above ``bound``.

    Example:
        >>> edit_distance("sesion", "session", 2), edit_distance("get", "post", 2)
        (1, None)
    """
    if abs(len(one) - len(other)) > bound:
        return None
    # What both begin and end with changes no distance, and most of two dotted names is that.
    start = len(os.path.commonprefix((one, other)))  # noqa: RUF071 - character by character is what is wanted
    one, other = one[start:], other[start:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    before: list[int] = []
    row = list(range(len(other) + 1))
    for index, char in enumerate(one, start=1):
        older, before = before, row
        row = [index]
        for column, other_char in enumerate(other, start=1):
            cost = min(before[column] + 1, row[column - 1] + 1, before[column - 1] + (char != other_char))
            if index > 1 and column > 1 and char == other[column - 2] and one[index - 2] == other_char:
                cost = min(cost, older[column - 2] + 1)
            row.append(cost)
        if min(row) > bound:
            return None
    return row[-1] if row[-1] <= bound else None


def _bound(asked: str) -> int:
    """How many typing errors a name of this length may have: one in four characters, at most three."""
    return min(len(asked) // 4, 3)


def _bit_count(values: NDArray[np.uint64]) -> NDArray[np.int64]:
    bits: NDArray[np.int64] = np.unpackbits(values.view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1, dtype=np.int64)
    return bits


def _splits(name: str) -> Iterator[tuple[str, str, str]]:
    """(head, separator, rest) at each separator, the longest head first."""
    for match in reversed(list(SEPARATORS.finditer(name))):
        if match.start() and match.end() < len(name):
            yield name[: match.start()], match.group(), name[match.end() :]


def _distinct(found: Sequence[Found]) -> tuple[Found, ...]:
    return tuple({each.row: each for each in reversed(found)}.values())[::-1]
