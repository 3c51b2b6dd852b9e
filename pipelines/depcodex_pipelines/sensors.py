"""Watching the inbox: recorded coordinates become partitions, and those that are missing become runs.

Here: the sensor. Not here: what is missing (depcodex_pipelines.inbox), how it is indexed (depcodex_pipelines.jobs).
"""

import warnings

import dagster as dg

from depcodex_pipelines.bench import StageBench
from depcodex_pipelines.inbox import InboxCursor, inbox_fingerprint, recorded_projects, requests_for
from depcodex_pipelines.jobs import INDEX_JOB_NAME, coordinates_asked, index_coordinates, index_run_config
from depcodex_pipelines.partitions import PARTITIONS_NAME, coordinate_partitions
from depcodex_pipelines.processes import end_dead_runs

_UNDER_WAY = (
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
)
# Dagster 1.13.27 passes `owners` to itself whenever it copies a sensor, and warns of it; we set none.
warnings.filterwarnings("ignore", message="Parameter `owners` of .*SensorDefinition", category=dg.BetaWarning)


@dg.sensor(
    name="inbox",
    job=index_coordinates,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Registers the coordinates that projects recorded and requests those that are neither indexed, "
    "no_source nor excluded. On by default: recording a project is asking for its index.",
)
def inbox_sensor(
    context: dg.SensorEvaluationContext, bench: dg.ResourceParam[StageBench]
) -> dg.SensorResult | dg.SkipReason:
    """Requests what is recorded and missing, in runs of at most 200 coordinates."""
    end_dead_runs(context.instance)
    settings = bench.settings
    cursor = InboxCursor.of(context.cursor)
    # Taken before reading: what changes meanwhile is seen at the next evaluation.
    fingerprint = inbox_fingerprint(settings)
    if fingerprint == cursor.fingerprint:
        return dg.SkipReason("The inbox and the store are as they were.")
    projects = recorded_projects(settings)
    under_way = {
        purl
        for run in context.instance.get_runs(dg.RunsFilter(job_name=INDEX_JOB_NAME, statuses=list(_UNDER_WAY)))
        for purl in coordinates_asked(run)
    }
    requests = requests_for(projects, bench.states(), under_way, cursor)
    known = set(context.instance.get_dynamic_partitions(PARTITIONS_NAME))
    recorded = sorted({each.purl for project in projects for each in project.coordinates})
    missing = [purl for purl in recorded if purl not in known]
    # While runs are under way everything is looked at again: one of them may die without having published.
    after = InboxCursor("" if under_way else fingerprint, {project.key: project.digest for project in projects})
    return dg.SensorResult(
        run_requests=[
            dg.RunRequest(
                run_key=request.key,
                run_config=index_run_config([each.purl for each in request.coordinates]),
                tags={"depcodex/asked_by": "inbox", "depcodex/coordinates": str(len(request.coordinates))},
            )
            for request in requests
        ],
        dynamic_partitions_requests=[coordinate_partitions.build_add_request(missing)] if missing else [],
        cursor=after.text(),
    )
