"""Ranking a need over one closure's rows: two faces, one lexical arm, three numbers about the name.

Here: the arms, how they are joined, the order, and the floor under which nothing matches. Not here: which rows may be
hits (depcodex.resolution; a mask comes in), the rows (depcodex.snapshots).

Score = z(cos) + .5 z(bm25) + .2 popularity - .8 depth - .8 [is a property] - [is an undocumented member]. The first
five numbers, depth at .5, were measured on 305 questions over 115,740 public symbols (2026-11-30): hit@10 .626 in the
own package, .544 in the large closure; BM25 alone .462 and .325. The depth's weight and the last one are provisional,
chosen on 30 questions over two closures (2026-12-01): hit@10 .33 to .43, recall@200 .77 to .90.
Statistics are over all searchable rows of the closure; a narrower scope removes hits and changes no score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from depcodex.snapshot_rows import FLAG_BARE, FLAG_DOC, FLAG_FACELESS, FLAG_HIDDEN, FLAG_PROPERTY, FLAG_REWRITE
from depcodex.terms import term_hash, terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from depcodex.snapshots import Snapshot

WEIGHT_BM25, WEIGHT_POPULARITY, WEIGHT_DEPTH, WEIGHT_PROPERTY, WEIGHT_BARE = 0.5, 0.2, 0.8, 0.8, 1.0
# Where an entry has both faces. Provisional: the ablation over real sentences decides.
WEIGHT_DOC, WEIGHT_REWRITE = 0.75, 0.25
# An arm "found" a hit that is among its own best; the arms in the order in which an answer names them.
ARM_DEPTH = 50
ARMS = ("lexical", "doc", "rewrite")
# Mean of the ten highest cosines: the best signal of an unanswerable need (57 of 305 questions, 2026-11-30). Its
# threshold depends on the closure's size, and this one is provisional: low enough to refuse only what is far from
# everything, and not asked of closures so small that ten rows are most of it. Calibration by size replaces it.
FLOOR_ROWS = 10
FLOOR_MEAN_COSINE = 0.2
FLOOR_MIN_CLOSURE_ROWS = 500
# Rows that one matrix product takes. Always the same blocks: a product's last bit can depend on its shape.
_BLOCK_ROWS = 4096
# Faces are kept as float32 up to this size, and converted for each question above it.
_RESIDENT_BYTES = 1 << 30
_SCORE_DECIMALS = 6


@dataclass(frozen=True)
class Ranking:
    """The order of a closure's entries for one need.

    Attributes:
        rows: the rows that may be hits, best first.
        scores: their scores.
        arms: arm → its own value of every row of the closure, ``-inf`` where it has none.
        is_below_floor: nothing in the closure is near the need.
    """

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    arms: dict[str, NDArray[np.float32]]
    is_below_floor: bool

    def found_by(self, row: int) -> tuple[str, ...]:
        """The arms whose own best ``ARM_DEPTH`` hold the row; where none does, the one that ranks it highest."""
        ranks: dict[str, int] = {}
        for arm in ARMS:
            values = self.arms[arm]
            if np.isfinite(values[row]):
                ranks[arm] = int((values > values[row]).sum()) + int((values[:row] == values[row]).sum())
        found = tuple(arm for arm, rank in ranks.items() if rank < ARM_DEPTH)
        if found or not ranks:
            return found
        return (min(ranks, key=lambda arm: (ranks[arm], ARMS.index(arm))),)


class Faces:
    """The arms over one snapshot. Safe between threads and after a fork.

    Args:
        snapshot: the closure's rows.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        arrays = snapshot.arrays
        flags = np.asarray(arrays["flags"])
        self.is_searchable: NDArray[np.bool_] = (flags & (FLAG_HIDDEN | FLAG_FACELESS)) == 0
        self._has_doc = self.is_searchable & ((flags & FLAG_DOC) != 0)
        self._has_rewrite = self.is_searchable & ((flags & FLAG_REWRITE) != 0)
        self._prior = (
            WEIGHT_POPULARITY * np.asarray(arrays["popularity"], dtype=np.float64)
            - WEIGHT_DEPTH * np.asarray(arrays["depth"], dtype=np.float64)
            - WEIGHT_PROPERTY * ((flags & FLAG_PROPERTY) != 0)
            - WEIGHT_BARE * ((flags & FLAG_BARE) != 0)
        )
        self._is_resident = arrays["doc"].size * 8 <= _RESIDENT_BYTES
        self._resident: dict[str, list[NDArray[np.float32]]] = {}
        self._was_asked: set[str] = set()

    def rank(self, need: str, vector: NDArray[np.float32], may_be_hit: NDArray[np.bool_]) -> Ranking:
        """The order of the closure's entries for a need.

        Args:
            need: the need in words, for the lexical arm.
            vector: its embedding, float32, shape (width,), unit length.
            may_be_hit: over the closure's rows; decides which are in the order, never their scores.
        """
        doc = self._cosines("doc", self._has_doc, vector)
        rewrite = self._cosines("rewrite", self._has_rewrite, vector)
        lexical = self._bm25(need)
        nearest = _joined(doc, rewrite)
        has_face = np.isfinite(nearest)
        score = (
            _standardised(nearest, has_face) + WEIGHT_BM25 * _standardised(lexical, self.is_searchable) + self._prior
        )
        rows = np.flatnonzero(may_be_hit & self.is_searchable)
        # Rows are in order of purl and symbol, so that a stable sort breaks ties by them.
        rounded = np.round(score[rows], _SCORE_DECIMALS)
        order = np.argsort(-rounded, kind="stable")
        arms = {
            "lexical": np.where(lexical > 0, lexical, np.float32(-np.inf)),
            "doc": doc,
            "rewrite": rewrite,
        }
        return Ranking(rows[order], rounded[order], arms, self._is_below_floor(nearest[has_face], lexical))

    def _is_below_floor(self, cosines: NDArray[np.float32], lexical: NDArray[np.float32]) -> bool:
        if not len(cosines) and not (lexical > 0).any():
            return True
        if len(cosines) < FLOOR_MIN_CLOSURE_ROWS:
            return False
        highest = np.partition(cosines, len(cosines) - FLOOR_ROWS)[-FLOOR_ROWS:]
        return float(highest.mean()) < FLOOR_MEAN_COSINE

    def _cosines(self, face: str, has_face: NDArray[np.bool_], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        found = np.full(len(has_face), -np.inf, dtype=np.float32)
        if not has_face.any():
            return found
        products = np.empty(len(has_face), dtype=np.float32)
        blocks = self._blocks(face)
        for start, block in zip(range(0, len(has_face), _BLOCK_ROWS), blocks, strict=True):
            np.matmul(block, vector, out=products[start : start + _BLOCK_ROWS])
        np.copyto(found, products, where=has_face)
        return found

    def _blocks(self, face: str) -> Iterable[NDArray[np.float32]]:
        """A face as float32, block by block: kept from the second question on, since a process may ask only one."""
        kept = self._resident.get(face)
        if kept is not None:
            return kept
        stored = self.snapshot.arrays[face]
        if face not in self._was_asked or not self._is_resident:
            self._was_asked.add(face)
            return _streamed(stored)
        kept = self._resident[face] = [block.copy() for block in _streamed(stored)]
        return kept

    def _bm25(self, need: str) -> NDArray[np.float32]:
        arrays = self.snapshot.arrays
        scores = np.zeros(len(self.is_searchable), dtype=np.float32)
        asked = Counter(term_hash(term) for term in terms(need))
        known = arrays["term"]
        for hashed, count in sorted(asked.items()):
            at = int(np.searchsorted(known, np.uint32(hashed)))
            if at < len(known) and int(known[at]) == hashed:
                part = slice(int(arrays["term_offset"][at]), int(arrays["term_offset"][at + 1]))
                scores[arrays["posting_row"][part]] += count * arrays["posting_weight"][part]
        return scores


def _streamed(stored: NDArray[Any]) -> Iterator[NDArray[np.float32]]:
    """The rows as float32, block by block in one buffer that stays in the processor's cache."""
    buffer = np.empty((min(_BLOCK_ROWS, len(stored)), stored.shape[1]), dtype=np.float32)
    for start in range(0, len(stored), _BLOCK_ROWS):
        rows = stored[start : start + _BLOCK_ROWS]
        block = buffer[: len(rows)]
        np.copyto(block, rows)
        yield block


def _joined(doc: NDArray[np.float32], rewrite: NDArray[np.float32]) -> NDArray[np.float32]:
    """One nearness of each row: both faces weighed where there are two, else the one there is, else ``-inf``."""
    both = np.isfinite(doc) & np.isfinite(rewrite)
    joined = np.maximum(doc, rewrite)
    weighed = np.float32(WEIGHT_DOC) * doc[both] + np.float32(WEIGHT_REWRITE) * rewrite[both]
    joined[both] = weighed
    return joined


def _standardised(values: NDArray[np.float32], counted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """z-scores over the counted rows; others get the lowest of them."""
    scores = np.zeros(len(values), dtype=np.float64)
    known = values[counted].astype(np.float64)
    if not len(known):
        return scores
    spread = float(known.std())
    if spread < 1e-12:
        return scores
    scores[counted] = (known - known.mean()) / spread
    scores[~counted] = scores[counted].min()
    return scores
