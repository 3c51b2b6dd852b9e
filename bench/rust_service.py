"""What indexing a Rust service takes and brings: its closure, sources, declarations.

    python bench/rust_service.py [PROJECT]

PROJECT is ``examples/axum-service`` by default. Crates come out of cargo's cache, else from the registry. As last line
one JSON object: coordinates, harvested, files, bytes, declarations, documented, files_with_errors, seconds by stage.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.compute as pc

from depcodex import schemas
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex_assets.ecosystems.known import EcosystemFetcher
from depcodex_assets.harvest import HarvestParameters, HarvestRequest, harvest
from depcodex_assets.parse import parse


def main() -> None:
    project = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "examples/axum-service")
    seconds = {}
    started = time.perf_counter()
    closure = read_closures(ClosureRequest(project, format="cargo"), {}).closures[0]
    seconds["closure"] = time.perf_counter() - started
    requests = [HarvestRequest.of(each, (), closure.source_folders) for each in closure.dependencies]
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        files = harvest(
            requests,
            fetcher=EcosystemFetcher(),
            parameters=HarvestParameters(Path(folder) / "work"),
            clock=lambda: datetime.now(UTC),
        )
        seconds["harvest"] = time.perf_counter() - started
    started = time.perf_counter()
    rows = parse(closure.coordinates(), files)
    seconds["parse"] = time.perf_counter() - started
    read = files.filter(pc.is_null(files["skip_reason"]))
    kinds = Counter(rows["kind"].to_pylist())
    problems = kinds.pop(schemas.FILE_KIND, 0)
    rust_files = pc.sum(pc.equal(read["language"], "rust")).as_py()
    for kind, count in sorted(kinds.items()):
        print(f"{kind:<12}{count:>8}")
    figures = {
        "coordinates": len(closure.dependencies),
        "skipped": len(closure.skipped),
        "harvested": len(set(read["coordinate_id"].to_pylist())),
        "skip_reasons": Counter(each for each in files["skip_reason"].to_pylist() if each),
        "files": rust_files,
        "bytes": pc.sum(read["size_bytes"]).as_py(),
        "declarations": sum(kinds.values()) - kinds[schemas.REEXPORT_KIND],
        "documented": rows.num_rows - rows["doc"].null_count,
        "files_with_errors": problems,
        "seconds": {name: round(each, 1) for name, each in seconds.items()},
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
