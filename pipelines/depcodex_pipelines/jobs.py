"""The jobs: indexing any list of coordinates, and tidying the stores.

Here: ops and jobs. Not here: the loop over batches (depcodex_pipelines.batches), who asks for a run (sensors,
schedules, depcodex_pipelines.index_run).

An op job and not an asset job: Dagster makes a run for each contiguous piece of a partition range, and the coordinates
of a project are never contiguous. The ops log a materialization for each coordinate and asset, so that the asset
pages show them all the same (a sixth of the cost of a run for each key, measured at dagster 1.13.27).
"""

from dataclasses import dataclass
from typing import Any

import dagster as dg
from pydantic import Field

from depcodex.coordinates import Coordinate
from depcodex.errors import BudgetExceededError
from depcodex_pipelines.assets import MODEL_POOL
from depcodex_pipelines.batches import run_stage
from depcodex_pipelines.bench import FINISH_STAGES, PREPARE_STAGES, TABLE_OF_STAGE, StageBench, batches_of
from depcodex_pipelines.failures import RETRY_COUNT, translated
from depcodex_pipelines.metadata import coordinate_metadata, run_metadata, state_table
from depcodex_pipelines.partitions import coordinates_of, register_coordinates
from depcodex_pipelines.processes import mark_process
from depcodex_pipelines.tallies import RunReport

INDEX_JOB_NAME = "index_coordinates"
PREPARE_OP_NAME = "prepare"


class IndexConfig(dg.Config):
    """What a run of ``index_coordinates`` is asked for."""

    coordinates: list[str] = Field(description="Package URLs to index; those already indexed are made anew.")
    budget_calls: int | None = Field(
        default=None, description="Refuse the run when more model calls than this would be needed; none: no limit."
    )
    is_dry_run: bool = Field(default=False, description="Stop when the number of model calls is known.")
    retry_count: int = Field(default=RETRY_COUNT, description="How often a passing trouble is tried again.")


@dataclass(frozen=True)
class Prepared:
    """What ``prepare`` hands to ``finish``.

    Attributes:
        coordinates: all that were asked for, in batches' order.
        retry_count: as configured.
    """

    coordinates: tuple[Coordinate, ...]
    retry_count: int


def index_run_config(
    purls: list[str], *, budget_calls: int | None = None, is_dry_run: bool = False, retry_count: int = RETRY_COUNT
) -> dict[str, Any]:
    """The run configuration that asks ``index_coordinates`` for these coordinates."""
    config: dict[str, Any] = {"coordinates": purls, "is_dry_run": is_dry_run, "retry_count": retry_count}
    if budget_calls is not None:
        config["budget_calls"] = budget_calls
    return {"ops": {PREPARE_OP_NAME: {"config": config}}}


def coordinates_asked(run: dg.DagsterRun) -> list[str]:
    """The purls that a run of ``index_coordinates`` was asked for; empty for another job's run."""
    config: Any = run.run_config
    for key in ("ops", PREPARE_OP_NAME, "config", "coordinates"):
        config = config.get(key, {}) if isinstance(config, dict) else {}
    return [str(each) for each in config] if isinstance(config, list) else []


@dg.op(
    name=PREPARE_OP_NAME,
    description="Harvests, parses, dedupes and judges, batch by batch; then the number of model calls is exact.",
    out=dg.Out(dagster_type=dg.Any, is_required=False, description="Nothing on a dry run."),
)
def prepare(
    context: dg.OpExecutionContext,
    config: IndexConfig,
    bench: dg.ResourceParam[StageBench],
    report: dg.ResourceParam[RunReport],
) -> Any:
    """Everything that asks no model to write."""
    mark_process(context.instance, context.run)
    prepared = translated(
        lambda: _prepare(context, config, bench, report),
        report,
        bench.settings.private,
        tries_left=config.retry_count - context.retry_number,
    )
    if not config.is_dry_run:
        yield dg.Output(
            prepared,
            metadata={"coordinates": len(prepared.coordinates), "model calls": report.pending_call_count or 0},
        )


def _prepare(context: dg.OpExecutionContext, config: IndexConfig, bench: StageBench, report: RunReport) -> Prepared:
    coordinates = coordinates_of(config.coordinates)
    register_coordinates(context.instance, coordinates)
    report.listener.run_begins(len(coordinates))
    for batch in batches_of(coordinates, bench.settings.batch_coordinates):
        for stage in PREPARE_STAGES:
            _run_and_log(context, bench, report, stage, batch)
    calls = bench.pending_model_calls(coordinates)
    report.pending_call_count = calls
    report.listener.model_calls_are_known(calls, len(report.text_digests))
    context.log.info(f"model calls: {calls}, for {len(report.text_digests)} distinct documented texts")
    if config.budget_calls is not None and calls > config.budget_calls:
        raise BudgetExceededError(calls, config.budget_calls)
    return Prepared(tuple(coordinates), config.retry_count)


@dg.op(
    name="finish",
    description="Retells, quarantines and publishes, batch by batch: each batch can be asked before the next begins.",
    ins={"prepared": dg.In(dagster_type=dg.Any)},
    out=dg.Out(dagster_type=dg.Nothing),
    pool=MODEL_POOL,
)
def finish(
    context: dg.OpExecutionContext,
    prepared: Any,
    bench: dg.ResourceParam[StageBench],
    report: dg.ResourceParam[RunReport],
) -> None:
    """Everything from the model on. Fails at its end when any coordinate failed; the others stay."""
    translated(
        lambda: _finish(context, prepared, bench, report),
        report,
        bench.settings.private,
        tries_left=prepared.retry_count - context.retry_number,
    )
    context.add_output_metadata({"states": state_table(report.states)})
    if report.failures:
        raise dg.Failure(
            description=f"{len(report.failures)} of {len(prepared.coordinates)} coordinates failed; the others stay",
            metadata={
                "failed": state_table({purl: ("failed", reason) for purl, reason in report.failures.items()}),
            },
            allow_retries=False,
        )


def _finish(context: dg.OpExecutionContext, prepared: Prepared, bench: StageBench, report: RunReport) -> None:
    for batch in batches_of(prepared.coordinates, bench.settings.batch_coordinates):
        # A retry does not do again what was published before the trouble came.
        left = [each for each in batch if each.purl not in report.states]
        for stage in FINISH_STAGES if left else ():
            _run_and_log(context, bench, report, stage, left)
    bench.optimize()


def _run_and_log(
    context: dg.OpExecutionContext, bench: StageBench, report: RunReport, stage: str, batch: list[Coordinate]
) -> None:
    """Runs a stage and tells Dagster of each coordinate that it did."""
    tally = run_stage(bench, stage, batch, report)
    context.log.info(f"{stage}: {len(batch)} coordinates in {tally.seconds:.1f} s, {len(tally.failures)} failed")
    for purl, note in sorted(tally.notes.items()):
        context.log.warning(f"{purl}: {note}")
    done = [each for each in batch if each.purl not in report.failures]
    for number, each in enumerate(done, start=1):
        metadata = coordinate_metadata(tally, each.purl)
        if number == len(done):
            # The run so far: the UI shows the latest event first, and a run that is killed has told what it did.
            metadata |= run_metadata(list(report.batches[stage].values()))
        context.log_event(
            dg.AssetMaterialization(asset_key=TABLE_OF_STAGE[stage], partition=each.purl, metadata=metadata)
        )


@dg.job(
    name=INDEX_JOB_NAME,
    description="Indexes any list of coordinates in one run.",
    executor_def=dg.in_process_executor,
)
def index_coordinates() -> None:
    """Prepare, then finish."""
    finish(prepare())


@dg.op(description="Builds missing indexes, compacts small files and drops old versions.")
def optimize(
    context: dg.OpExecutionContext, bench: dg.ResourceParam[StageBench], report: dg.ResourceParam[RunReport]
) -> None:
    """Tidies both stores."""
    mark_process(context.instance, context.run)
    translated(bench.optimize, report, bench.settings.private)


@dg.job(description="Indexes and compacts both stores.", executor_def=dg.in_process_executor)
def optimize_stores() -> None:
    """Tidies both stores."""
    optimize()
