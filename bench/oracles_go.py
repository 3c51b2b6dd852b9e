"""Go's oracle: go/doc, the library that `go doc -all` prints from (bench/oracles/go_doc.go asks it).

Here: fetching modules, running go/doc and parse over the same zip, comparing. Not here: the entry (oracles.py).

Public documented symbols: what go/doc lists for the build on linux and amd64 with a text, outside ``internal``,
``testdata``, ``vendor`` and programs; besides its packages, constants, variables, functions, types and methods also the
fields and interface methods in its type declarations. A constant or variable has its own comment, else the one behind
it, else its group's. The normalisation of both texts: white space is one space; the marks of lists and headings, link
brackets and lines of link targets go; typographic quotes are two plain ones.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from depcodex.lockfiles.go_modules import module_coordinate
from depcodex_assets.ecosystems.golang_fetch import GoFetcher
from depcodex_assets.ecosystems.interface import HarvestParameters, HarvestRequest
from depcodex_assets.harvest import harvest
from depcodex_assets.parse import parse

PROGRAM = Path(__file__).with_name("oracles") / "go_doc.go"
MODULES = (
    "github.com/google/uuid@v1.6.0",
    "github.com/gin-gonic/gin@v1.10.0",
    "github.com/spf13/cobra@v1.9.1",
    "github.com/stretchr/testify@v1.10.0",
    "go.uber.org/zap@v1.27.0",
    "github.com/gorilla/mux@v1.8.1",
    "github.com/jackc/pgx/v5@v5.7.6",
    "gopkg.in/yaml.v3@v3.0.1",
)
_TARGETS = re.compile(r"^\[[^\[\]\n]+\]:[ \t]+\S+[ \t]*$", re.MULTILINE)
# `go doc` finds a list by its marks and wraps lines anew: a mark can stand at a line's begin on one side alone.
_MARKS = re.compile(r"^(?:[ \t]+\d{1,9}[.)]|[ \t]*#+)[ \t]+|(?:^|(?<=\s))[-*+•](?=\s)", re.MULTILINE)
_BRACKETS = re.compile(r"[\[\]]")
_MAX_SHOWN = 12


def normalised(text: str) -> str:
    """The one form in which both sides' texts are compared."""
    text = _MARKS.sub("", _TARGETS.sub("", text))
    text = text.replace("“", "``").replace("”", "''").replace("\u2022", "")
    return " ".join(_BRACKETS.sub("", text).split())


def build_program(folder: Path) -> Path:
    """go_doc.go as a program; it needs nothing but Go's own library, and is compiled once."""
    program = folder / "go_doc"
    environment = {**os.environ, "GOPROXY": "off", "GO111MODULE": "off", "GOFLAGS": ""}
    subprocess.run(["go", "build", "-o", str(program), str(PROGRAM)], check=True, env=environment)
    return program


def oracle_texts(program: Path, archive: Path, path: str, folder: Path) -> dict[str, str]:
    """symbol → text of what go/doc documents in a module's zip."""
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    root = next(each for each in folder.glob("**/*@v*") if each.is_dir())
    done = subprocess.run([str(program), str(root), path], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {row["symbol"]: row["text"] for row in rows if row["text"].strip()}


def compare(oracle: Mapping[str, str], found: Mapping[str, str | None]) -> tuple[Counter[str], list[tuple[str, str]]]:
    """How many symbols are found and have the same doc; the misses as (cause, symbol)."""
    counts: Counter[str] = Counter(documented=len(oracle))
    misses: list[tuple[str, str]] = []
    for symbol, text in oracle.items():
        if symbol not in found:
            misses.append(("not found", symbol))
            continue
        counts["found"] += 1
        mine = normalised(found[symbol] or "")
        wanted = normalised(text)
        if mine == wanted:
            counts["same_doc"] += 1
        else:
            misses.append(("no doc" if not mine else "another doc", symbol))
    return counts, misses


def main(arguments: list[str]) -> int:
    """Compare; returns 0 where 97 % or more agree."""
    parser = argparse.ArgumentParser(
        prog="oracles.py go", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("modules", nargs="*", metavar="MODULE@VERSION", default=list(MODULES))
    options = parser.parse_args(arguments)
    total: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    releases: dict[str, dict[str, Any]] = {}
    shown: list[tuple[str, str, str, str]] = []
    with tempfile.TemporaryDirectory() as work:
        program = build_program(Path(work))
        for number, module in enumerate(options.modules):
            path, _, version = module.rpartition("@")
            request = HarvestRequest(module_coordinate(path, version), spelling=path)
            own = Path(work, str(number))
            own.mkdir()
            oracle = _oracle_of(program, request, path, own)
            parameters = HarvestParameters(own / "harvest")
            files = harvest([request], fetcher=GoFetcher(), parameters=parameters, clock=lambda: datetime.now(UTC))
            rows = parse([request.coordinate], files).to_pylist()
            found = {row["symbol"]: row["doc"] for row in rows if row["skip_reason"] is None}
            counts, misses = compare(oracle, found)
            total += counts
            causes.update(cause for cause, _ in misses)
            shown += [(cause, symbol, found.get(symbol) or "", oracle[symbol]) for cause, symbol in misses]
            share = counts["same_doc"] / max(counts["documented"], 1)
            releases[module] = {
                **{key: counts[key] for key in ("documented", "found", "same_doc")},
                "share": round(share, 4),
            }
            print(f"{module:45} {counts['documented']:6} {counts['found']:6} {counts['same_doc']:6} {share:8.2%}")
    for cause, symbol, mine, wanted in shown[:_MAX_SHOWN]:
        print(
            f"{cause}: {symbol}\n    parse:  {normalised(mine)[:160]!r}\n    go/doc: {normalised(wanted)[:160]!r}",
            file=sys.stderr,
        )
    share = total["same_doc"] / max(total["documented"], 1)
    answer = {
        "language": "go",
        "oracle": "go/doc",
        "releases": releases,
        **{key: total[key] for key in ("documented", "found", "same_doc")},
        "share": round(share, 4),
        "misses": dict(causes),
    }
    print(json.dumps(answer))
    return 0 if share >= 0.97 else 1


def _oracle_of(program: Path, request: HarvestRequest, path: str, folder: Path) -> dict[str, str]:
    parameters = HarvestParameters(folder / "work")
    brought = folder / "brought"
    brought.mkdir()
    for fetched in GoFetcher().fetch([request], brought, parameters):
        if fetched.archive is None:
            raise SystemExit(f"{request.coordinate}: {fetched.error}")
        return oracle_texts(program, fetched.archive, path, folder / "tree")
    raise SystemExit(f"{request.coordinate}: nothing came")
