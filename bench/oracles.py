"""What parse finds against what each language's own documentation tool finds, over the same releases.

    python bench/oracles.py LANGUAGE [NAME@VERSION …]

Each language's oracle is a program that nobody here wrote; its module says which, what counts as a public documented
symbol, and the one normalisation that both sides' texts pass. Releases are fetched by the ecosystem's own client. A
table for people, the misses by cause, and as last line one JSON object: ``{"language", "oracle", "releases": {name:
{"documented", "found", "same_doc", "share"}}, "documented", "found", "same_doc", "share", "misses": {cause: count}}``.
"""

from __future__ import annotations

import importlib
import sys

# A row adds a language: its module has `main(arguments) -> int`.
ORACLES = {
    "rust": "oracles_rust",
}


def main(arguments: list[str]) -> int:
    """Run one language's comparison; returns the exit status."""
    if not arguments or arguments[0] not in ORACLES:
        print(f"usage: oracles.py {{{','.join(ORACLES)}}} [NAME@VERSION ...]", file=sys.stderr)
        return 2
    status: int = importlib.import_module(ORACLES[arguments[0]]).main(arguments[1:])
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
