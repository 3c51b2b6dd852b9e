"""Oracles that nobody here wrote, one row a language: how much of what they find public is found with the same words.

    python bench/oracles.py LANGUAGE FOLDER…

Each FOLDER is an unpacked sources archive; for Kotlin beside Dokka's HTML for the same sources (``FOLDER=HTML``). A
table for people with the misses by cause, and as last line one JSON object: ``{name: {"symbols", "found", "documented",
"same_doc"}}``, shares from 0 to 1.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import oracles_java
import oracles_kotlin

# A language's comparison: from a FOLDER argument to its outcome.
ORACLES: dict[str, Callable[[str], oracles_java.Outcome]] = {
    "java": lambda folder: oracles_java.compare(Path(folder)),
    "kotlin": lambda pair: oracles_kotlin.compare(*map(Path, pair.split("=", 1))),
}
_SHOWN_COUNT = 12


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("language", choices=sorted(ORACLES))
    arguments.add_argument("folders", nargs="+", metavar="FOLDER")
    options = arguments.parse_args()
    figures = {}
    print(f"{'set':<44}{'symbols':>9}{'found':>9}{'documented':>12}{'same doc':>10}")
    for folder in options.folders:
        outcome = ORACLES[options.language](folder)
        name = Path(folder.split("=", 1)[0]).name
        shares = figures[name] = outcome.shares()
        print(
            f"{name:<44}{shares['symbols']:>9}{shares['found']:>9.2%}{shares['documented']:>12}{shares['same_doc']:>10.2%}",
            flush=True,
        )
        for cause, symbols in sorted(outcome.misses.items()):
            print(f"    {len(symbols)} {cause}: {', '.join(sorted(symbols)[:_SHOWN_COUNT])}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
