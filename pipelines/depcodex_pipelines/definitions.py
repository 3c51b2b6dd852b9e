"""The code location: everything that the webserver and the daemon load.

Here: putting the pieces together. Not here: any piece.
"""

from __future__ import annotations

import dagster as dg

from depcodex_pipelines.asset_checks import entry_checks
from depcodex_pipelines.assets import stage_assets
from depcodex_pipelines.io_managers import StoreIOManager
from depcodex_pipelines.jobs import index_coordinates, optimize_stores
from depcodex_pipelines.resources import bench_resource, report_resource
from depcodex_pipelines.schedules import reindex_stale, tidy_nightly
from depcodex_pipelines.sensors import inbox_sensor

defs = dg.Definitions(
    assets=stage_assets,
    asset_checks=entry_checks,
    jobs=[index_coordinates, optimize_stores],
    schedules=[reindex_stale, tidy_nightly],
    sensors=[inbox_sensor],
    resources={
        "bench": bench_resource,
        "report": report_resource,
        "store": StoreIOManager(),
        # Between two ops of one process; the default would pickle into Dagster's storage.
        "io_manager": dg.mem_io_manager,
    },
    # One process for a run: starting one for each step costs 33 CPU seconds against 5 (dagster 1.13.27, 2026-11-30).
    executor=dg.in_process_executor,
)
