"""Writing what an asset made into the two stores, and saying what was written.

Here: the IO manager. Not here: how a table is written (its contract, through the workbench), what the metadata look
like (depcodex_pipelines.metadata).

An asset hands over a ``StageRun`` that has not begun; iterating it computes and writes one batch after the other, so
that a run of thousands of coordinates holds the sources of one batch only. Writing is idempotent: a run that was killed
is run again.
"""

from __future__ import annotations

import dagster as dg

from depcodex_pipelines.batches import StageRun
from depcodex_pipelines.failures import RETRY_COUNT, translated
from depcodex_pipelines.metadata import coordinate_metadata, run_metadata
from depcodex_pipelines.tallies import StageTally


class StoreIOManager(dg.IOManager):
    """Writes a stage's batches under their tables' contracts."""

    def handle_output(self, context: dg.OutputContext, obj: StageRun) -> None:
        """Runs the stage to its end, each batch written before the next is computed."""
        step = context.step_context
        tallies = translated(
            lambda: _run(context, obj),
            obj.report,
            obj.bench.settings.private,
            tries_left=RETRY_COUNT - step.previous_attempt_count,
        )
        # One picture and one table for the whole run, on the event that the UI shows first: that of the last key.
        last = list(context.asset_partition_keys)[-1]
        step.add_asset_metadata(run_metadata(tallies), partition_key=last)

    def load_input(self, context: dg.InputContext) -> None:
        """Nothing: a stage reads its own inputs from the stores, by key."""
        del context


def _run(context: dg.OutputContext, run: StageRun) -> list[StageTally]:
    tallies = []
    for batch, tally in run.batches():
        for each in batch:
            context.step_context.add_asset_metadata(coordinate_metadata(tally, each.purl), partition_key=each.purl)
        for purl, reason in tally.failures.items():
            context.log.warning(f"{run.stage}: {purl}: {reason}")
        context.log.info(f"{run.stage}: {len(batch)} coordinates in {tally.seconds:.1f} s: {_figures(tally)}")
        tallies.append(tally)
    return tallies


def _figures(tally: StageTally) -> str:
    return ", ".join(f"{name} {count}" for name, count in tally.counts.items()) or "nothing to do"
