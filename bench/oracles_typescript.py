"""TypeScript's oracle: the compiler's own API (bench/oracles/typescript/public_docs.js asks it).

Here: installing packages with npm, running the compiler and parse over the same files, comparing. Not here: the entry
(oracles.py).

Public documented symbols: what the compiler exports from the modules that a package names (its main module, the keys of
``exports`` that are no pattern, without ``exports`` the declaration files at its root, and ambient modules), with their
members, where a declaration of theirs lies in the package and has a doc comment; private members and those tagged
@internal, @private, @hidden or @ignore are left out on both sides. A symbol is found where one of its names is a symbol
or an alias of ours. The normalisation of both texts: the doc's words before the first block tag, Markdown links and
``{@link}`` as their words, white space as one space. A symbol with several commented declarations must hold them all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from depcodex.coordinates import Coordinate
from depcodex_assets.ecosystems.interface import HarvestParameters, HarvestRequest
from depcodex_assets.ecosystems.known import EcosystemFetcher
from depcodex_assets.harvest import harvest
from depcodex_assets.languages.jsdoc import plain
from depcodex_assets.parse import parse

PROGRAM = Path(__file__).with_name("oracles") / "typescript" / "public_docs.js"
COMPILER = "typescript@5.9.3"
PACKAGES = (
    "next@16.4.6",
    "@types/express@5.0.6",
    "@types/express-serve-static-core@5.1.3",
    "zod@4.6.7",
    "axios@1.21.1",
    "date-fns@4.4.0",
    "@types/react@19.3.3",
    "@types/node@26.6.7",
    "rxjs@7.8.2",
)
_TAG = re.compile(r"^[ \t]*@[A-Za-z]", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)")
_MAX_SHOWN = 15


def description(doc: str) -> str:
    """The part of a doc before its first block tag; code in fences has none."""
    lines: list[str] = []
    is_fenced = False
    for line in doc.split("\n"):
        if _FENCE.match(line):
            is_fenced = not is_fenced
        if not is_fenced and _TAG.match(line):
            break
        lines.append(line)
    return "\n".join(lines)


def normalised(text: str) -> str:
    """The one form in which both sides' texts are compared."""
    return " ".join(plain(text).split())


def judge(row: dict[str, Any], found: dict[str, str]) -> str:
    """What became of one symbol of the compiler's: ``same``, or the cause of the miss."""
    names = [name for name in row["names"] if name in found]
    if not names:
        return "not found"
    mine = found[names[0]]
    wanted = [normalised(each) for each in row["docs"]]
    if len(wanted) == 1 and normalised(description(mine)) == wanted[0]:
        return "same"
    whole = normalised(mine)
    if not whole:
        return "no doc"
    return "same" if len(wanted) > 1 and all(each in whole for each in wanted) else "another doc"


def main(arguments: list[str]) -> int:
    """Compare; returns 0 where 97 % or more agree."""
    parser = argparse.ArgumentParser(
        prog="oracles.py typescript", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("packages", nargs="*", metavar="NAME@VERSION", default=list(PACKAGES))
    parser.add_argument("--shown", type=int, default=_MAX_SHOWN, help="misses that are printed for each package")
    options = parser.parse_args(arguments)
    cache = os.environ.get("DEPCODEX_TEST_CACHE")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(cache, "typescript-oracle") if cache else Path(temporary)
        install(folder, options.packages)
        answer = compare(folder, options.packages, options.shown)
    print(json.dumps(answer))
    return 0 if answer["share"] >= 0.97 else 1


def install(folder: Path, packages: Sequence[str]) -> None:
    """Bring packages and the compiler into a folder of their own; no script is run."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [each for each in (COMPILER, *packages) if not _is_installed(folder, each)]
    if not wanted:
        return
    (folder / "package.json").write_text('{"name": "oracle", "private": true}')
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--legacy-peer-deps"]
    subprocess.run([*command, COMPILER, *packages], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _is_installed(folder: Path, package: str) -> bool:
    name, _, version = package.rpartition("@")
    manifest = folder / "node_modules" / name / "package.json"
    return manifest.is_file() and json.loads(manifest.read_text())["version"] == version


def compare(folder: Path, packages: Sequence[str], shown: int) -> dict[str, Any]:
    """The answer that is printed last."""
    total: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    releases: dict[str, dict[str, Any]] = {}
    for package in packages:
        name, _, version = package.rpartition("@")
        done = subprocess.run(
            ["node", "--max-old-space-size=3000", str(PROGRAM), str(folder), name],
            capture_output=True,
            text=True,
            check=True,
        )
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        found, error_files, read_files = _ours(folder, name, version)
        counts: Counter[str] = Counter(documented=len(rows))
        left = shown
        for row in rows:
            verdict = judge(row, found)
            counts["found"] += verdict != "not found"
            counts["same_doc"] += verdict == "same"
            if verdict != "same":
                causes[verdict] += 1
                if left > 0:
                    left -= 1
                    mine = next((found[each] for each in row["names"] if each in found), "")
                    print(f"{verdict}: {row['names'][0]} ({row['kind']} {row['place']})", file=sys.stderr)
                    print(f"    ours: {normalised(description(mine))[:200]!r}", file=sys.stderr)
                    print(f"    tsc:  {normalised(row['docs'][0])[:200]!r}", file=sys.stderr)
        total += counts
        share = counts["same_doc"] / max(counts["documented"], 1)
        releases[package] = {
            **{key: counts[key] for key in ("documented", "found", "same_doc")},
            "share": round(share, 4),
            "files_read": read_files,
            "files_with_errors": error_files,
        }
        print(
            f"{package:45} {counts['documented']:6} {counts['found']:6} {counts['same_doc']:6} {share:8.2%}", flush=True
        )
    share = total["same_doc"] / max(total["documented"], 1)
    return {
        "language": "typescript",
        "oracle": COMPILER,
        "releases": releases,
        **{key: total[key] for key in ("documented", "found", "same_doc")},
        "share": round(share, 4),
        "misses": dict(causes),
    }


def _ours(folder: Path, name: str, version: str) -> tuple[dict[str, str], int, int]:
    """symbol or alias → doc, files that were not read whole, files with a declaration."""
    namespace, _, bare = name.rpartition("/")
    request = HarvestRequest(
        Coordinate.of("npm", bare, version, namespace=namespace), source_folders=(str(folder / "node_modules"),)
    )
    parameters = HarvestParameters(folder / "harvest", is_offline=True)
    files = harvest([request], fetcher=EcosystemFetcher(), parameters=parameters, clock=lambda: datetime.now(UTC))
    found: dict[str, str] = {}
    aliases: dict[str, str] = {}
    read: set[str] = set()
    error_count = 0
    for row in parse([request.coordinate], files).to_pylist():
        if row["skip_reason"] is not None:
            error_count += 1
            continue
        read.add(row["path"])
        found[row["symbol"]] = row["doc"] or ""
        for alias in row["aliases"]:
            aliases.setdefault(alias, row["doc"] or "")
    return {**aliases, **found}, error_count, len(read)
