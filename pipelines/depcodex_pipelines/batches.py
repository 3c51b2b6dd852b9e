"""Running stages over coordinates, batch by batch: compute, write, count, tell.

Here: the one loop that the assets, the job and `depcodex index` share. Not here: Dagster, what a stage does
(depcodex_assets.workbench), how progress looks.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from depcodex.coordinates import Coordinate
from depcodex_pipelines.bench import StageBench, batches_of
from depcodex_pipelines.tallies import RunReport, StageTally


@dataclass(frozen=True)
class StageRun:
    """One stage over all coordinates of a run, not yet begun: whoever iterates does the work.

    A run may hold thousands of coordinates and their sources; only one batch is in memory at a time.
    """

    bench: StageBench
    stage: str
    coordinates: Sequence[Coordinate]
    report: RunReport

    def batches(self) -> Iterator[tuple[list[Coordinate], StageTally]]:
        """Each batch after it is written, with its figures."""
        for batch in batches_of(self.coordinates, self.bench.settings.batch_coordinates):
            yield batch, run_stage(self.bench, self.stage, batch, self.report)


def run_stage(bench: StageBench, stage: str, batch: Sequence[Coordinate], report: RunReport) -> StageTally:
    """One stage over one batch, written; the batch's figures."""
    started = time.monotonic()
    report.listener.stage_begins(stage, len(batch))
    result = bench.compute(stage, batch, report.listener.advanced)
    bench.write(result, batch)
    tally = StageTally(stage)
    tally.add(result, batch, time.monotonic() - started)
    report.add(tally, result)
    if batch:
        report.batches.setdefault(stage, {})[batch[0].purl] = tally
    return tally
