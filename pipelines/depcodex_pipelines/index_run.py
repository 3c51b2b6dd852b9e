"""The index job in this process, on the data home's Dagster instance: what `depcodex index` runs when there is work.

Here: running the job and bringing its outcome back as our own errors. Not here: the command line
(depcodex_pipelines.commands), the job (depcodex_pipelines.jobs). Dagster is imported when a run starts, never before:
its import takes seconds, and most invocations have nothing to do.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from depcodex.coordinates import Coordinate
from depcodex.settings import Settings
from depcodex_pipelines.bench import StageBench
from depcodex_pipelines.tallies import Listener, RunReport

# By this the UI finds a job's runs; Dagster sets it on those that its own servers start (dagster 1.13.27).
LOCATION_TAG = {".dagster/repository": "__repository__@depcodex"}


def run_index(
    settings: Settings,
    bench: StageBench,
    coordinates: Sequence[Coordinate],
    listener: Listener,
    *,
    budget_calls: int | None = None,
    is_dry_run: bool = False,
) -> RunReport:
    """Indexes the coordinates; what came of it, with the failures of single coordinates in it.

    Raises:
        DepcodexError: what concerned all coordinates alike. What was published before stays.
        KeyboardInterrupt: a person stopped it. What was published before stays.
    """
    with warnings.catch_warnings():
        # Dagster's notes to its own users about beta parameters; the person at the terminal can do nothing about them.
        warnings.simplefilter("ignore")
        import dagster as dg

        from depcodex_pipelines.failures import UnexpectedError
        from depcodex_pipelines.instance import open_instance
        from depcodex_pipelines.jobs import index_coordinates, index_run_config
        from depcodex_pipelines.processes import PROCESS_TAG, end_dead_runs, process_mark

        report = RunReport(listener)
        config = index_run_config(
            [each.purl for each in coordinates], budget_calls=budget_calls, is_dry_run=is_dry_run, retry_count=0
        )
        # Everything is in the instance's own event log; the terminal is for the progress.
        config["loggers"] = {"console": {"config": {"log_level": "CRITICAL"}}}
        with open_instance(settings) as instance:
            end_dead_runs(instance)
            result = index_coordinates.execute_in_process(
                run_config=config,
                instance=instance,
                resources={"bench": bench, "report": report, "io_manager": dg.mem_io_manager},
                tags={PROCESS_TAG: process_mark(), "depcodex/asked_by": "depcodex index", **LOCATION_TAG},
                raise_on_error=False,
            )
            run = instance.get_run_by_id(result.run_id)
        # Dagster takes an interrupt for itself and ends the run in order: as failed inside a step, else as canceled.
        if report.is_interrupted or (run is not None and run.status is dg.DagsterRunStatus.CANCELED):
            raise KeyboardInterrupt
        # The next `depcodex index` decides by these; reading them now, it need not open the database for it.
        bench.states()
    if report.error is not None:
        raise report.error
    if not result.success and not report.failures:
        raise UnexpectedError(f"index: run {result.run_id} failed; make ui shows where")
    return report
