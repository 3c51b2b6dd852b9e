"""How long `depcodex record` takes after the interpreter has started, for a uv.lock of 500 packages.

Here: a generated lock (about 1 MB, no registry in it), one process a run, its time from the first statement to the exit
status: imports, reading, resolving and both files. Not here: what is in the closure (tests/store/lockfiles).

    python bench/record.py [--runs 40] [--packages 500]

The last line is one JSON object: p50 and p95 of the time, its processor time, and an interpreter that only imports json
and argparse, in milliseconds. On a machine that others load only the processor time and the ratios mean something.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET_MS = 300.0
_RECORD = """
import time; start, cpu = time.perf_counter(), time.process_time()
import argparse, sys
from depcodex.commands import record
parser = argparse.ArgumentParser()
record.add_parser(parser.add_subparsers())
arguments = parser.parse_args(["record", sys.argv[1]])
status = arguments.run(arguments)
print((time.perf_counter() - start) * 1000, (time.process_time() - cpu) * 1000, file=sys.stderr)
sys.exit(status)
"""
_BASELINE = """
import time; start, cpu = time.perf_counter(), time.process_time()
import argparse, json, sys
print((time.perf_counter() - start) * 1000, (time.process_time() - cpu) * 1000, file=sys.stderr)
"""


def write_uv_lock(path: Path, package_count: int, seed: int = 20261130) -> int:
    """Write a lock with the shape of a large real one (markers, 1 to 16 wheels a package); returns its bytes."""
    chance = random.Random(seed)
    lines = ["version = 1", "revision = 3", 'requires-python = ">=3.10"', ""]
    for index in range(package_count):
        name = f"pkg-{index:03}"
        lines += [
            "[[package]]",
            f'name = "{name}"',
            f'version = "{index % 7}.{index % 11}.{index % 13}"',
            'source = { registry = "https://index.example.invalid/simple" }',
        ]
        later = [each for each in range(index + 1, min(package_count, index + 20)) if chance.random() < 0.2]
        if later:
            lines.append("dependencies = [")
            markers = ("", ", marker = \"python_full_version < '3.13'\"", ", marker = \"sys_platform == 'linux'\"")
            lines += [f'    {{ name = "pkg-{each:03}"{chance.choice(markers)} }},' for each in later]
            lines.append("]")
        lines.append("sdist = " + _archive(name, ".tar.gz", chance))
        lines.append("wheels = [")
        count = chance.choice((1, 1, 1, 2, 10, 16))
        lines += [f"    {_archive(name, f'-cp31{each}-manylinux_2_17_x86_64.whl', chance)}," for each in range(count)]
        lines += ["]", ""]
    direct = [f'    {{ name = "pkg-{index:03}" }},' for index in range(0, package_count, 6)]
    lines += ["[[package]]", 'name = "project"', 'version = "0.1.0"', 'source = { virtual = "." }', "dependencies = ["]
    lines += [*direct, "]", ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path.stat().st_size


def _archive(name: str, ending: str, chance: random.Random) -> str:
    digest = hashlib.sha256(f"{name}{ending}{chance.random()}".encode()).hexdigest()
    place = f"https://files.example.invalid/packages/{digest[:2]}/{digest[2:4]}/{digest[4:]}/{name}-1.2.3{ending}"
    return (
        f'{{ url = "{place}", hash = "sha256:{digest}", size = {chance.randint(1000, 9999999)}, '
        'upload-time = "2026-05-20T23:19:47.796Z" }'
    )


def _times(script: str, arguments: list[str], environment: dict[str, str], runs: int) -> list[tuple[float, ...]]:
    found = []
    for _ in range(runs + 1):
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments], env=environment, capture_output=True, text=True, check=True
        )
        found.append(tuple(map(float, done.stderr.strip().splitlines()[-1].split())))
    # The first run writes the bytecode caches.
    return found[1:]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--packages", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        project.mkdir()
        size = write_uv_lock(project / "uv.lock", options.packages)
        keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        environment = {**keep, "PYTHONPATH": str(ROOT / "store"), "DEPCODEX_HOME": str(Path(folder, "home"))}
        times = _times(_RECORD, [str(project)], environment, options.runs)
        baseline = _times(_BASELINE, [], environment, options.runs)
    wall, cpu = ([row[index] for row in times] for index in (0, 1))
    p95 = statistics.quantiles(wall, n=20)[-1]
    figures = {
        "packages": options.packages,
        "lock_bytes": size,
        "runs": options.runs,
        "p50_ms": round(statistics.median(wall), 1),
        "p95_ms": round(p95, 1),
        "cpu_p50_ms": round(statistics.median(cpu), 1),
        "cpu_min_ms": round(min(cpu), 1),
        "baseline_p50_ms": round(statistics.median(row[0] for row in baseline), 1),
        "load_per_core": round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
        "target_ms": TARGET_MS,
        "is_met": p95 < TARGET_MS,
    }
    for name, value in figures.items():
        print(f"{name:>16}  {value}")
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
