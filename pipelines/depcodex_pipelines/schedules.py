"""What runs by the clock: re-indexing what is stale at night, and tidying the stores after it.

Here: schedules. Not here: what is stale (the workbench), how it is indexed (depcodex_pipelines.jobs). Times are in the
time zone of the settings, UTC by default.
"""

from collections.abc import Iterator

import dagster as dg

from depcodex.settings import Settings
from depcodex_pipelines.bench import StageBench, batches_of
from depcodex_pipelines.inbox import CHUNK_COORDINATES, recorded_projects
from depcodex_pipelines.jobs import index_coordinates, index_run_config, optimize_stores

_TIMEZONE = Settings.load().timezone


@dg.schedule(
    name="reindex_stale",
    job=index_coordinates,
    cron_schedule="0 2 * * *",
    execution_timezone=_TIMEZONE,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Indexes again what is recorded and stale: made by other stages, another gate, rewriter or embedder, "
    "or failed in a way that may pass. On by default: a night without anything stale starts no run.",
)
def reindex_stale(
    context: dg.ScheduleEvaluationContext, bench: dg.ResourceParam[StageBench]
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Requests every recorded coordinate that would be made otherwise today."""
    recorded = {each.purl: each for project in recorded_projects(bench.settings) for each in project.coordinates}
    stale = bench.unsettled([recorded[purl] for purl in sorted(recorded)])
    if not stale:
        yield dg.SkipReason("Nothing that is recorded is stale.")
    night = context.scheduled_execution_time.isoformat()
    for number, chunk in enumerate(batches_of(stale, CHUNK_COORDINATES)):
        yield dg.RunRequest(
            run_key=f"{night}/{number}",
            run_config=index_run_config([each.purl for each in chunk]),
            tags={"depcodex/asked_by": "reindex_stale", "depcodex/coordinates": str(len(chunk))},
        )


tidy_nightly = dg.ScheduleDefinition(
    name="tidy_nightly",
    job=optimize_stores,
    cron_schedule="30 4 * * *",
    execution_timezone=_TIMEZONE,
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Compacts the stores and drops old versions when the night's runs are over.",
)
