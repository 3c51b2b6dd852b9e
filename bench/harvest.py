"""What reading and checking an installed environment costs, per megabyte of Python sources.

Here: harvest in place and `rekeyed` over the distributions of the running interpreter, beside bare reading of the same
bytes in the same run. Not here: fetching, which is the network's time.

Usage: ``python bench/harvest.py [SITE_PACKAGES]``; the last line is one JSON object.
"""

from __future__ import annotations

import json
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from depcodex.closure import ResolvedDependency
from depcodex.coordinates import Coordinate
from depcodex.errors import CoordinateError
from depcodex_assets.ecosystems.pypi_fetch import PipFetcher
from depcodex_assets.ecosystems.pypi_installed import rekeyed
from depcodex_assets.harvest import HarvestParameters, HarvestRequest, harvest

BATCH_COORDINATES = 25


def main() -> None:
    folder = sys.argv[1] if len(sys.argv) > 1 else sysconfig.get_paths()["purelib"]
    dependencies = []
    for info in sorted(Path(folder).glob("*.dist-info")):
        name, _, version = info.name.removesuffix(".dist-info").rpartition("-")
        try:
            dependencies.append(ResolvedDependency(Coordinate.of("pypi", name, version)))
        except CoordinateError:
            continue
    requests = [HarvestRequest.of(each, [folder]) for each in dependencies]
    paths: list[str] = []

    def harvest_all() -> int:
        total = 0
        paths.clear()
        with tempfile.TemporaryDirectory() as work:
            parameters = HarvestParameters(Path(work), is_offline=True)
            for start in range(0, len(requests), BATCH_COORDINATES):
                batch = requests[start : start + BATCH_COORDINATES]
                table = harvest(batch, fetcher=PipFetcher(), parameters=parameters, clock=lambda: datetime.now(UTC))
                total += sum(table.column("size_bytes").to_pylist())
                paths.extend(path for path in table.column("path").to_pylist() if path)
        return total

    harvest_all()
    total_bytes, harvest_seconds, harvest_cpu_seconds = timed(harvest_all)
    _, read_seconds, _ = timed(lambda: sum(len((Path(folder) / path).read_bytes()) for path in paths))
    keyed, rekey_seconds, rekey_cpu_seconds = timed(lambda: len(rekeyed(dependencies, [folder])))
    megabytes = total_bytes / 1e6
    print(f"{len(dependencies)} distributions, {len(paths)} files, {megabytes:.1f} MB")
    figures = {
        "distributions": len(dependencies),
        "files": len(paths),
        "megabytes": round(megabytes, 1),
        "harvest_ms_per_mb": round(1000 * harvest_seconds / megabytes, 2),
        "harvest_cpu_ms_per_mb": round(1000 * harvest_cpu_seconds / megabytes, 2),
        "bare_read_ms_per_mb": round(1000 * read_seconds / megabytes, 2),
        "rekeyed_seconds": round(rekey_seconds, 3),
        "rekeyed_cpu_seconds": round(rekey_cpu_seconds, 3),
        "edited": keyed,
    }
    print(json.dumps(figures))


def timed(work: Callable[[], int]) -> tuple[int, float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    main()
