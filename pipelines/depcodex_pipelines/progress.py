"""How `depcodex index` shows what it does: a bar on a terminal, a line now and then elsewhere. On stderr, always.

Here: two listeners of a run. Not here: what there is to show (depcodex_pipelines.tallies, depcodex_pipelines.forecast).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from depcodex_pipelines.forecast import SETTLING_SECONDS, Forecast, stage_phrase
from depcodex_pipelines.tallies import StageTally

if TYPE_CHECKING:
    from rich.progress import Progress

# A line of plain progress at most this often, and no more than twenty while the time doubles: logs are kept.
PLAIN_SECONDS = 5.0
_PLAIN_SHARE = 0.05


@contextmanager
def listener_for(stream: TextIO) -> Iterator[RunListener]:
    """The listener that fits a stream, for the time of a run."""
    if stream.isatty():
        with _bar(stream) as progress:
            yield BarListener(progress)
        return
    yield PlainListener(lambda line: print(line, file=stream, flush=True))


class RunListener:
    """What both have in common: the forecast, and a line for each coordinate that is not simply indexed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.forecast = Forecast(0, clock=clock)

    def says(self, line: str) -> None:
        """Shows one line at once."""
        raise NotImplementedError

    def shows(self, stage: str) -> None:
        """The forecast has changed."""
        raise NotImplementedError

    def run_begins(self, coordinate_count: int) -> None:
        """Starts the forecast."""
        self.forecast = Forecast(coordinate_count, clock=self._clock)

    def stage_begins(self, stage: str, coordinate_count: int) -> None:
        """A stage starts on a batch."""
        self.forecast.begins(stage, coordinate_count)
        self.shows(stage)

    def advanced(self, stage: str, done: int, total: int) -> None:
        """Within a stage's batch."""
        self.forecast.advances(done, total)
        self.shows(stage)

    def stage_ends(self, tally: StageTally, coordinate_count: int) -> None:
        """A stage's batch is written."""
        calls = tally.counts.get("model_calls", 0)
        self.forecast.ends(tally.stage, coordinate_count, seconds=tally.seconds, call_count=calls)
        for purl, (state, reason) in sorted(tally.states.items()):
            self.shows_state(purl, state, reason, tally.rows.get(purl, {}).get("entries", 0))
        self.shows(tally.stage)

    def shows_state(self, purl: str, state: str, reason: str, entry_count: int) -> None:
        """What became of one coordinate."""
        del entry_count
        # What failed is listed at the end, with the summary.
        if state not in ("indexed", "failed"):
            self.says(f"{state:>9}  {purl}{'  ' + reason if reason else ''}")

    def model_calls_are_known(self, call_count: int, text_count: int) -> None:
        """The exact number, before the first of them."""
        self.forecast.call_count = call_count
        self.says(f"{call_count:,} model calls, for {text_count:,} distinct documented texts")


class PlainListener(RunListener):
    """A line every few seconds, for logs and pipes.

    Example:
        >>> listener = PlainListener(print)
        >>> listener.model_calls_are_known(12, 340)
        depcodex index: 12 model calls, for 340 distinct documented texts
    """

    def __init__(self, write: Callable[[str], object], clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._write = write
        self._began_at = self._shown_at = clock()

    def says(self, line: str) -> None:
        """Writes the line."""
        self._write(f"depcodex index: {line.strip()}")

    def shows(self, stage: str) -> None:
        """Writes a line when the last one is old enough."""
        now = self._clock()
        if now - self._shown_at < max(PLAIN_SECONDS, _PLAIN_SHARE * (now - self._began_at)):
            return
        self._shown_at = now
        self.says(f"{self.forecast.fraction():.0%}, {stage_phrase(stage)}{_left(self.forecast)}")


class BarListener(RunListener):
    """A bar with the stage, the share done and the time left, and above it a line for each finished coordinate."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._task = progress.add_task("starting", total=1.0, left="")

    def says(self, line: str) -> None:
        """Prints above the bar."""
        self._progress.console.print(line, markup=False, highlight=False)

    def shows_state(self, purl: str, state: str, reason: str, entry_count: int) -> None:
        """Each coordinate has its line: somebody is watching. What failed is listed at the end, with the summary."""
        if state == "failed":
            return
        detail = f"{entry_count:,} entries" if state == "indexed" else reason
        self.says(f"{state:>9}  {purl}{'  ' + detail if detail else ''}")

    def shows(self, stage: str) -> None:
        """Moves the bar."""
        self._progress.update(
            self._task,
            completed=self.forecast.fraction(),
            description=stage_phrase(stage),
            left=_left(self.forecast).lstrip(", "),
        )


def _bar(stream: TextIO) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description:<24}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        console=Console(file=stream),
        transient=True,
    )


def _left(forecast: Forecast) -> str:
    """The time left as `, 2 min left`; empty while it is not worth telling, and under a second.

    Example:
        >>> _left(Forecast(1))
        ''
    """
    seconds = forecast.remaining_seconds()
    # A bound from below says nothing before the slow stages have been entered.
    if seconds is None or not forecast.is_settled or seconds < (SETTLING_SECONDS if forecast.is_lower_bound else 1):
        return ""
    amount = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
    return f", {'at least ' if forecast.is_lower_bound else ''}{amount} left"
