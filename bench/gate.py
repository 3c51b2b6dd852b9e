"""Measures the gate on labelled texts: ``python bench/gate.py --data FILE… [--threshold T]``.

Each row is a JSON object with ``text``, ``label`` (1 attack, 0 honest), ``source`` and optionally ``convention`` (else
``docstring``). Prints a table for people; the last line is ``{"sources": {name: {"n", "recall" or
"false_positive_rate"}}}``. A source that holds both labels has both figures, each with its own count.

Here: counting. Not here: held-out folds (bench/train_gate.py). Texts that the shipped weights were trained on flatter
them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for room in ("store", "assets"):
    sys.path.insert(0, str(ROOT / room))

from depcodex_assets.gate import UNCALIBRATED, load_gate  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="JSON lines of texts")
    parser.add_argument("--threshold", type=float, default=None, help="override the calibrated thresholds")
    options = parser.parse_args(arguments)
    rows = []
    for path in options.data:
        try:
            rows.extend(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
        except (OSError, ValueError) as error:
            print(f"{path}: cannot be read: {error}", file=sys.stderr)
            return 2
    gate = load_gate(options.threshold)
    conventions = [row.get("convention") or "docstring" for row in rows]
    started = time.perf_counter()
    judgements = gate.judge_many([row["text"] for row in rows], conventions)
    seconds = time.perf_counter() - started
    counts: dict[tuple[str, int], list[str | None]] = defaultdict(list)
    for row, convention, judgement in zip(rows, conventions, judgements, strict=True):
        counts[row["source"], int(row["label"])].append(gate.suspect_rule(judgement.score, judgement.rule, convention))
    sources: dict[str, dict[str, float | int]] = {}
    print(f"gate {gate.version}, {len(rows)} texts, {1000 * seconds / max(len(rows), 1):.2f} ms a text")
    print(f"{'source':32} {'label':7} {'n':>6} {'held back':>10} {'by a rule':>10} {'uncalibrated':>13}")
    for (source, label), reasons in sorted(counts.items()):
        held = sum(reason is not None for reason in reasons)
        by_rule = sum(reason not in (None, "score", UNCALIBRATED) for reason in reasons)
        uncalibrated = sum(reason == UNCALIBRATED for reason in reasons)
        share = held / len(reasons)
        kind = "attack" if label else "honest"
        print(f"{source:32} {kind:7} {len(reasons):6} {share:10.4f} {by_rule / len(reasons):10.4f} {uncalibrated:13}")
        figures = sources.setdefault(source, {"n": 0})
        figures["n"] += len(reasons)
        figures["recall" if label else "false_positive_rate"] = round(share, 6)
        figures["n_attack" if label else "n_honest"] = len(reasons)
    print(json.dumps({"sources": sources}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
