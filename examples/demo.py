"""The demo: records and indexes the example project, asks its needs, and fails unless each is answered.

Here: running the product's own commands as a person would. Not here: anything that the product itself could do better.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import tomllib
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
PROJECT = EXAMPLES / "orders-service"
DEPCODEX = Path(sys.executable).with_name("depcodex")
ANSWERS_READ = 3


def main() -> int:
    """Runs the demo; 0 when every need has its symbol among the first three answers."""
    started = time.monotonic()
    print(f"$ depcodex index {PROJECT.relative_to(EXAMPLES.parent)}", flush=True)
    # The example has no environment of its own: its lock decides, for this Python, and what is missing is fetched.
    indexed = subprocess.run([DEPCODEX, "index", PROJECT, "--json"], stdout=subprocess.PIPE, text=True, check=False)
    if indexed.returncode:
        print(f"demo: depcodex index ended with {indexed.returncode}", file=sys.stderr)
        return indexed.returncode
    figures = json.loads(indexed.stdout.splitlines()[-1])
    print(
        f"{figures['coordinates']} coordinates, {figures['harvested']} harvested, {figures['model_calls']} model calls, "
        f"{figures['embedded']} embedded, {figures['seconds']:.1f} s\n"
    )
    needs = tomllib.loads((EXAMPLES / "needs.toml").read_text(encoding="utf-8"))["need"]
    needs = [need for need in needs if need["project"] == PROJECT.name]
    batch = "".join(json.dumps({"query": need["need"]}) + "\n" for need in needs)
    answered = subprocess.run(
        [DEPCODEX, "search", "--project", PROJECT, "--json", "--limit", str(ANSWERS_READ), "--batch", "-"],
        input=batch,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if answered.returncode:
        print(f"demo: depcodex search ended with {answered.returncode}", file=sys.stderr)
        return answered.returncode
    missed = 0
    for need, line in zip(needs, answered.stdout.splitlines(), strict=True):
        results = json.loads(line)["results"]
        names = {name for result in results for name in (result["symbol"], *result["aliases"])}
        is_answered = bool(names & set(need["symbols"]))
        missed += not is_answered
        print(f"$ depcodex search {json.dumps(need['need'])}")
        for result in results:
            prose = result["sentence"] or "(no documentation)"
            print(f"  {result['rank']}. {result['symbol']}  [{result['coordinate']}]\n     {prose}")
        print("" if is_answered else f"  expected one of {', '.join(need['symbols'])}\n")
    print(f"{len(needs) - missed} of {len(needs)} needs answered in {time.monotonic() - started:.1f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
