"""Throughput of the stages that use no model, against bare tree-sitter over the same bytes in the same run.

    python bench/stages.py [--site-packages DIR] [DISTRIBUTION==VERSION …]

Here: harvest, parse, dedupe, quarantine's rules and publish with their reads and writes, over installed packages read
in place; the gate's and the embedder's time stand beside. Not here: Dagster's start-up, fetching.

Parse is shared among the processors, bare tree-sitter has one (it holds the interpreter's lock).

The last line is one JSON object: seconds by stage, bytes, and ``ratio`` (stages without gate and embedder over bare
tree-sitter). The target is 3.
"""

from __future__ import annotations

import argparse
import functools
import json
import statistics
import sys
import sysconfig
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from depcodex import schemas
from depcodex.closure import Closure, ProjectRecord, ResolvedDependency, Scope
from depcodex.coordinates import Coordinate
from depcodex.embedding import MINILM_MODEL, MINILM_WIDTH, Embedder, MinilmEmbedder
from depcodex.records import write_record
from depcodex.settings import Settings
from depcodex.tables import PublicTables
from depcodex_assets.gate import load_gate
from depcodex_assets.grammars import parser
from depcodex_assets.workbench import STAGES, Workbench

DEFAULT = ("numpy", "dagster", "polars", "scikit-learn", "pydantic", "mcp", "rich", "hypothesis", "pyarrow", "click")


_clock: Callable[[], float] = time.perf_counter


def _now() -> float:
    return _clock()


class Timed:
    """A tool that counts the seconds spent in it."""

    def __init__(self, tool: Any, seconds: dict[str, float], label: str, methods: Sequence[str]) -> None:
        self._tool, self._seconds, self._label, self._methods = tool, seconds, label, methods

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._tool, name)
        if name not in self._methods:
            return value

        def timed(*args: Any, **kwargs: Any) -> Any:
            started = _now()
            try:
                return value(*args, **kwargs)
            finally:
                self._seconds[self._label] += _now() - started

        return timed


class ConstantEmbedder:
    """The same vector for every text: for a loop that looks at the stages alone."""

    name = "minilm"
    digest = MINILM_MODEL[2]
    width = MINILM_WIDTH
    pooling = "mean"

    def embed(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """Shape (len(texts), width)."""
        if on_progress is not None:
            on_progress(len(texts))
        return np.full((len(texts), self.width), self.width**-0.5, dtype=np.float32)


def bare_seconds(contents: Sequence[bytes]) -> float:
    """Seconds that tree-sitter takes to parse all contents, nothing looked at."""
    python = parser("python")
    started = _now()
    for content in contents:
        python.parse(content)
    return _now() - started


def run(
    settings: Settings, coordinates: Sequence[Coordinate], model: Embedder
) -> tuple[dict[str, float], dict[str, int]]:
    """One pass of all stages over an empty store: seconds by stage, gate and embedder apart, and counts.

    ``bare`` is the mean of several tree-sitter runs between the stages: on a machine that others use as well, the speed
    changes within one pass.
    """
    seconds: dict[str, float] = defaultdict(float)
    gate = Timed(load_gate(), seconds, "gate", ("judge", "judge_many"))
    embedder = Timed(model, seconds, "embedder", ("embed",))
    # What is loaded once a process is no throughput.
    PublicTables(settings.public, embedder.width).write("mentions", schemas.MENTIONS.empty_table(), coordinate_ids=[])
    embedder.embed(["warm"])
    gate.judge("Warm.", "docstring")
    seconds.clear()
    bench = Workbench.open(settings, gate=gate, embedder=embedder)
    counts: dict[str, int] = {}
    contents: list[bytes] = []
    bare: list[float] = []
    for stage in STAGES:
        if stage in ("parse", "dedupe", "quarantine", "publish"):
            contents = contents or bench.private.read("source_files", columns=["content"]).column(0).to_pylist()
            bare.append(bare_seconds(contents))
        inside = seconds["gate"] + seconds["embedder"]
        started = _now()
        result = bench.compute(stage, coordinates)
        bench.write(result, coordinates)
        spent = _now() - started - (seconds["gate"] + seconds["embedder"] - inside)
        seconds[stage] = spent
        counts.update(result.counts)
        for purl, reason in result.failures.items():
            print(f"{purl}: {reason}", file=sys.stderr)
    seconds["bare"] = statistics.mean(bare)
    return dict(seconds), counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the benchmark and prints it."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", default=list(DEFAULT))
    options.add_argument("--site-packages", default=sysconfig.get_path("purelib"))
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--profile", action="store_true", help="print where one pass spends its time")
    options.add_argument("--without-embedder", action="store_true", help="one constant vector instead of a model's")
    options.add_argument("--cpu", action="store_true", help="CPU seconds of this process: for a machine in other use")
    chosen = options.parse_args(arguments)
    if chosen.cpu:
        global _clock  # noqa: PLW0603
        _clock = time.process_time
    model: Embedder = ConstantEmbedder() if chosen.without_embedder else MinilmEmbedder()
    found: dict[str, Distribution] = {each.name.lower(): each for each in distributions(path=[chosen.site_packages])}
    coordinates = sorted(Coordinate.of("pypi", name, found[name].version) for name in chosen.names if name in found)
    passes = []
    for _ in range(chosen.repeat):
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(home=Path(folder), is_offline=True)
            closure = Closure(
                "bench",
                ".",
                tuple(ResolvedDependency(each, Scope.DECLARED, 1) for each in coordinates),
                site_packages=(chosen.site_packages,),
            )
            write_record(settings, ProjectRecord(folder, (closure,), Scope.ALL, "2026-01-01T00:00:00Z"))
            passed = functools.partial(run, settings, coordinates, model)
            passes.append(_profiled(passed) if chosen.profile else passed())
    names = [*STAGES, "gate", "embedder", "bare"]
    median = {name: float(np.median([seconds[name] for seconds, _ in passes])) for name in names}
    plain = [name for name in STAGES if name not in ("classify", "summarise")]
    counts, bare = passes[-1][1], median.pop("bare")
    size = counts["bytes"]
    print(f"{len(coordinates)} distributions, {counts['files']} files, {size / 1e6:.1f} MB")
    print(f"{'bare tree-sitter':18}{bare:8.2f} s {size / 1e6 / bare:8.1f} MB/s")
    for name in median:
        print(f"{name:18}{median[name]:8.2f} s {median[name] / bare:8.2f} x bare")
    total = sum(median[name] for name in plain)
    print(f"{'without models':18}{total:8.2f} s {total / bare:8.2f} x bare (target 3)")
    figures = {
        "bytes": size,
        "bare_seconds": bare,
        "seconds": median,
        "ratio": total / bare,
        "counts": counts,
    }
    print(json.dumps(figures))
    return 0


def _profiled(action: Callable[[], Any]) -> Any:
    import cProfile
    import pstats

    profile = cProfile.Profile()
    result = profile.runcall(action)
    pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(35)
    return result


if __name__ == "__main__":
    sys.exit(main())
