"""Oracles for Java and Kotlin over unpacked sources archives.

    python bench/oracles.py java FOLDER…
    python bench/oracles.py kotlin FOLDER=HTML…      # HTML: what Dokka made of the same sources

Here: the table and the totals of both. Not here: the comparisons (oracles_java, oracles_kotlin).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import oracles_java
import oracles_kotlin

_SHOWN_COUNT = 12


def main_java(arguments: Sequence[str]) -> int:
    """Compare with the JDK's own reading; returns the exit status."""
    return _print("java", arguments, lambda folder: oracles_java.compare(Path(folder)))


def main_kotlin(arguments: Sequence[str]) -> int:
    """Compare with Dokka's pages; returns the exit status."""
    return _print("kotlin", arguments, lambda pair: oracles_kotlin.compare(*map(Path, pair.split("=", 1))))


def _print(language: str, folders: Sequence[str], compare: Callable[[str], oracles_java.Outcome]) -> int:
    if not folders:
        print(f"usage: oracles.py {language} FOLDER ...", file=sys.stderr)
        return 2
    figures = {}
    print(f"{'set':<44}{'symbols':>9}{'found':>9}{'documented':>12}{'same doc':>10}")
    for folder in folders:
        outcome = compare(folder)
        name = Path(folder.split("=", 1)[0]).name
        shares = figures[name] = outcome.shares()
        counts = f"{shares['symbols']:>9}{shares['found']:>9.2%}{shares['documented']:>12}{shares['same_doc']:>10.2%}"
        print(f"{name:<44}{counts}", flush=True)
        for cause, symbols in sorted(outcome.misses.items()):
            print(f"    {len(symbols)} {cause}: {', '.join(sorted(symbols)[:_SHOWN_COUNT])}")
    print(json.dumps({"language": language, "releases": figures}))
    return 0
