"""The example projects of all ecosystems in one store: what indexing them takes, and whether each answers its needs.

    python bench/examples.py [--home DIR] [--results FILE] [PROJECT …]

Here: the product's own commands over examples/, one project after the other into one data home (a new one by default,
so that everything is fetched), then the needs of examples/needs.toml. Each project must find one of a need's symbols
among its first ten answers, and none may see an entry outside its own closure. Not here: how good answers are.

The last line is one JSON object: for each project the coordinates by state, seconds, files, the share of files that
could not be read whole, entries, texts, and the rank of each need (null: not among the first ten). ``--results`` writes
it to a file as well.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
DEPCODEX = Path(sys.executable).with_name("depcodex")
ANSWERS_READ = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Index the projects and ask them; 0 when every need is answered and no closure leaks into another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help="names of folders in examples/; all by default")
    parser.add_argument("--home", type=Path, help="the data home; a new one by default")
    parser.add_argument("--results", type=Path, help="where the JSON is written as well")
    chosen = parser.parse_args(arguments)
    names = chosen.projects or sorted(each.name for each in EXAMPLES.iterdir() if each.is_dir())
    needs = tomllib.loads((EXAMPLES / "needs.toml").read_text(encoding="utf-8"))["need"]
    with tempfile.TemporaryDirectory() as folder:
        home = chosen.home or Path(folder) / "home"
        # All projects are in the store before the first is asked: what leaks would be there to leak.
        figures = {name: _indexed(home, name) for name in names}
        is_good = True
        for name in names:
            own = [need for need in needs if need["project"] == name]
            ranks, strangers = _asked(home, name, own)
            figures[name] |= {"ranks": ranks, "strangers": strangers}
            is_good = is_good and bool(own) and None not in ranks and not strangers
    _print(figures)
    line = json.dumps({"projects": figures})
    if chosen.results:
        chosen.results.write_text(json.dumps({"projects": figures}, indent=1) + "\n", encoding="utf-8")
    print(line)
    return 0 if is_good else 1


def _run(home: Path, *arguments: str, text: str = "") -> list[dict[str, Any]]:
    """The JSON lines that a command prints; its messages go to this terminal."""
    done = subprocess.run(
        [DEPCODEX, *arguments],
        env={**os.environ, "DEPCODEX_HOME": str(home)},
        input=text,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _indexed(home: Path, name: str) -> dict[str, Any]:
    project = str(EXAMPLES / name)
    started = time.monotonic()
    lines = _run(home, "index", project, "--json")
    seconds = time.monotonic() - started
    status = _run(home, "status", "--project", project, "--json")[0]["coordinates"]
    files = sum(each.get("file_count") or 0 for each in status)
    errors = sum(each.get("file_error_count") or 0 for each in status)
    return {
        "states": dict(sorted(Counter(each["state"] for each in status).items())),
        "seconds": round(seconds, 1),
        "files": files,
        "error_share": round(errors / files, 4) if files else 0.0,
        "entries": sum(each.get("entry_count") or 0 for each in status),
        "documented": sum(each.get("documented_count") or 0 for each in status),
        "index": lines[-1] if lines else {},
    }


def _asked(home: Path, name: str, needs: Sequence[dict[str, Any]]) -> tuple[list[int | None], list[str]]:
    """The rank of each need, and coordinates of other closures that came up."""
    project = str(EXAMPLES / name)
    closure = {each["purl"] for each in _run(home, "closure", project, "--json")[0]["coordinates"]}
    batch = "".join(json.dumps({"query": need["need"]}) + "\n" for need in needs)
    limits = ("--json", "--limit", str(ANSWERS_READ), "--batch", "-")
    ranks: list[int | None] = []
    strangers: set[str] = set()
    for need, answer in zip(needs, _run(home, "search", "--project", project, *limits, text=batch), strict=True):
        wanted = set(need["symbols"])
        hits = [each["rank"] for each in answer["results"] if wanted & {each["symbol"], *each["aliases"]}]
        ranks.append(min(hits, default=None))
        strangers |= {each["coordinate"].partition("?")[0] for each in answer["results"]} - closure
    return ranks, sorted(strangers)


def _print(figures: dict[str, dict[str, Any]]) -> None:
    heads = ("project", "coordinates", "seconds", "files", "with errors", "entries", "documented", "ranks of needs")
    print("".join(f"{head:>16}" for head in heads))
    for name, row in figures.items():
        states = " ".join(f"{count} {state}" for state, count in row["states"].items())
        cells = (name, sum(row["states"].values()), row["seconds"], row["files"], f"{row['error_share']:.2%}")
        print("".join(f"{cell!s:>16}" for cell in (*cells, row["entries"], row["documented"], row["ranks"])))
        print(f"{'':>16}{states}")


if __name__ == "__main__":
    sys.exit(main())
