"""How far a run is and how long it may still take, from what it took so far.

Here: the arithmetic. Not here: how it is shown (depcodex_pipelines.progress).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from depcodex_pipelines.bench import TABLE_OF_STAGE

# A stage whose units are model calls; every other one's are coordinates.
_CALLING_STAGE = "summarise"
# Before so much of a run and of a stage's first batch is done, a pace is mostly what loading a model took.
SETTLING_SECONDS = 5.0
SETTLING_SHARE = 0.1
# Joins and writes rows that are ready: not worth waiting for before a forecast is called whole.
_QUICK_STAGE = "publish"


@dataclass
class _Pace:
    done: float = 0.0
    seconds: float = 0.0


@dataclass
class Forecast:
    """Each stage's own pace: a model call and a parsed coordinate have nothing in common.

    Attributes:
        coordinate_count: coordinates of the run.
        call_count: model calls of the run; None until everything is judged.
        clock: seconds, monotonic.

    Example:
        >>> forecast = Forecast(10)
        >>> forecast.ends("harvest", 5, seconds=2.0)
        >>> forecast.remaining_seconds()
        2.0
    """

    coordinate_count: int
    call_count: int | None = None
    clock: Callable[[], float] = time.monotonic
    _paces: dict[str, _Pace] = field(default_factory=dict)
    _began_at: float | None = None
    _stage: str = ""
    _current: str = ""
    _current_share: float = 0.0
    _current_coordinates: int = 0
    _current_since: float = 0.0

    def begins(self, stage: str, coordinate_count: int) -> None:
        """A batch of so many coordinates enters a stage."""
        self._current, self._current_share, self._current_coordinates = stage, 0.0, coordinate_count
        self._stage = stage
        self._current_since = self.clock()
        if self._began_at is None:
            self._began_at = self._current_since

    def advances(self, done: int, total: int) -> None:
        """So much of the current batch's stage is done, in units of the stage's own."""
        self._current_share = min(1.0, done / total) if total else 0.0

    def ends(self, stage: str, coordinate_count: int, *, seconds: float, call_count: int = 0) -> None:
        """A batch has left a stage."""
        pace = self._paces.setdefault(stage, _Pace())
        pace.done += call_count if stage == _CALLING_STAGE else coordinate_count
        pace.seconds += seconds
        self._current, self._current_share, self._current_coordinates = "", 0.0, 0

    def fraction(self) -> float:
        """The share of all (coordinate, stage) pairs that is done, 0 to 1."""
        total = self.coordinate_count * len(TABLE_OF_STAGE)
        if not total:
            return 1.0
        done = sum(self._coordinates_done(stage) for stage in TABLE_OF_STAGE)
        return min(1.0, done / total)

    def remaining_seconds(self) -> float | None:
        """Seconds that the stages still need at their own paces; None while nothing was measured.

        A stage that no batch has entered yet is not in it: until then this is a lower bound.
        """
        known = [self._remaining(stage, pace) for stage, pace in self._paces.items()]
        if self._current and self._current not in self._paces and self._current_share:
            # The first batch of this stage: its own pace so far, carried to all coordinates.
            whole_batch = (self.clock() - self._current_since) / self._current_share
            batches = self.coordinate_count / max(1, self._current_coordinates)
            known.append(whole_batch * (batches - self._current_share))
        return sum(known) if known else None

    @property
    def is_settled(self) -> bool:
        """Whether the time left is worth telling: five seconds of the run, a tenth of the stage's first batch."""
        if self._began_at is None or self.clock() - self._began_at < SETTLING_SECONDS:
            return False
        return self._stage in self._paces or self._current_share >= SETTLING_SHARE

    @property
    def is_lower_bound(self) -> bool:
        """Whether a stage of some length has not been entered yet."""
        return bool(set(TABLE_OF_STAGE) - set(self._paces) - {self._current, _QUICK_STAGE})

    def _remaining(self, stage: str, pace: _Pace) -> float:
        total = (self.call_count or 0) if stage == _CALLING_STAGE else self.coordinate_count
        if not pace.done:
            return 0.0
        return max(0.0, total - pace.done) * pace.seconds / pace.done

    def _coordinates_done(self, stage: str) -> float:
        running = self._current_coordinates * self._current_share if stage == self._current else 0.0
        pace = self._paces.get(stage)
        if stage == _CALLING_STAGE:
            # Calls as coordinates: with none to make the stage is done as soon as everything is judged.
            if self.call_count is None:
                return 0.0
            share = (pace.done / self.call_count if pace else 0.0) if self.call_count else 1.0
            return min(self.coordinate_count, share * self.coordinate_count + running)
        return min(self.coordinate_count, (pace.done if pace else 0.0) + running)


def stage_phrase(stage: str) -> str:
    """What a stage does, for people.

    Example:
        >>> stage_phrase("harvest")
        'reading sources'
    """
    return _PHRASES[stage]


_PHRASES = {
    "harvest": "reading sources",
    "parse": "parsing",
    "dedupe": "finding equal texts",
    "classify": "judging texts",
    "summarise": "retelling",
    "quarantine": "embedding and screening",
    "publish": "publishing",
}
