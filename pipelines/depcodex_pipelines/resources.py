"""What steps are given: the workbench over the data home, and a report of the run.

Here: Dagster resources that wrap plain objects. Not here: the objects (depcodex_assets.workbench,
depcodex_pipelines.tallies). A caller in the same process hands in its own of both.

Plain resource functions: there is nothing to configure in the UI (settings come from the data home and the service's
environment only), and ConfigurableResource warns under pydantic 2.14 (dagster 1.13.27).
"""

from typing import cast

import dagster as dg

from depcodex.settings import Settings
from depcodex_pipelines.bench import StageBench
from depcodex_pipelines.tallies import RunReport


@dg.resource(description="The workbench over the data home; settings are read anew for each run.")
def bench_resource() -> StageBench:
    """Opens the workbench; gate, rewriter and embedder are loaded by the first stage that needs them."""
    from depcodex_assets.workbench import Workbench

    return cast(StageBench, Workbench.open(Settings.load()))


@dg.resource(description="What this run has done so far; the daemon's runs have Dagster's own log to tell it.")
def report_resource() -> RunReport:
    """A fresh report that nobody listens to."""
    return RunReport()
