"""`depcodex index`: records a project and indexes what of it is missing.

Here: the command line and its summary. Not here: recording (depcodex.commands.record), running
(depcodex_pipelines.index_run). What there is to do is decided before Dagster or LanceDB is imported: with nothing to do
neither is (together seven seconds, measured on 2 cores on 2026-11-30).
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib.util
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from depcodex.errors import DepcodexError, UsageError

if TYPE_CHECKING:
    from depcodex.coordinates import Coordinate
    from depcodex.settings import Settings
    from depcodex_pipelines.tallies import RunReport

STATUS_FAILED = 3
# What the extras `pipelines` and `assets` bring; the base install has none of them.
_NEEDED_PACKAGES = ("dagster", "polars", "sklearn", "tree_sitter")
_SCOPES = ("declared", "importable", "all")
_FAILURES_SHOWN = 20


@dataclass(frozen=True)
class IndexFigures:
    """The object that ``--json`` ends with.

    Attributes:
        coordinates: coordinates of the project.
        harvested: those whose sources were read in this run.
        texts: distinct documented texts met in this run.
        model_calls: calls of the configured rewriter; on a dry run those that would be made.
        embedded: strings that the embedder was given.
        reused: coordinates that were up to date and cost nothing.
        withheld: entries of this run whose sentence may not be shown.
        failed: coordinates of this run that failed.
        seconds: wall time of the whole command, from after interpreter start.
    """

    coordinates: int
    harvested: int
    texts: int
    model_calls: int
    embedded: int
    reused: int
    withheld: int
    failed: int
    seconds: float


def index_command(subparsers: Any) -> None:
    """Adds the sub-command; its namespace carries ``run``."""
    for name in _NEEDED_PACKAGES:
        # Looked for, not imported: a run with nothing to do imports none of them.
        if importlib.util.find_spec(name) is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    from depcodex.commands.closure_options import add_closure_options

    parser: argparse.ArgumentParser = subparsers.add_parser(
        "index",
        help="record a project and index what of it is missing",
        description="Records what the project resolved, then harvests, judges, retells and publishes the coordinates "
        "that are not indexed yet. The number of model calls is shown before the first of them.",
    )
    parser.add_argument("project", nargs="?", type=Path, default=Path(), metavar="PROJECT", help="folder or lock file")
    add_closure_options(parser)
    parser.add_argument(
        "--scope", choices=_SCOPES, help="how wide questions of this project look; kept until set again"
    )
    parser.add_argument("--dry-run", action="store_true", help="stop when the number of model calls is known")
    parser.add_argument("--budget", type=int, metavar="CALLS", help="refuse above this number of model calls")
    parser.add_argument("--offline", action="store_true", help="use this machine's caches only, fetch nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Indexes the project; returns the exit status."""
    from depcodex.commands.closure_options import guarded, one_line

    def refuse(error: DepcodexError) -> None:
        print(json.dumps({"error": {"type": type(error).__name__, "message": one_line(str(error))}}))

    return guarded("index", lambda: _run(arguments), refuse if arguments.json else None)


def _run(arguments: argparse.Namespace) -> int:
    started = time.monotonic()
    from depcodex.settings import Settings

    if arguments.budget is not None and arguments.budget < 0:
        raise UsageError(f"--budget: expected a number of calls from 0 up, got {arguments.budget}")
    settings = Settings.load()
    if arguments.offline:
        settings = dataclasses.replace(settings, is_offline=True)
    coordinates = _record(arguments, settings)
    _note_unused_ollama(settings)

    from depcodex_assets.workbench import Workbench

    bench = Workbench.open(settings)
    missing = bench.unsettled(coordinates)
    if not missing:
        figures = _figures(len(coordinates), 0, None, started)
        _conclude(arguments, figures, None)
        return 0

    from depcodex_pipelines.index_run import run_index
    from depcodex_pipelines.progress import listener_for

    _say(f"{len(missing):,} of {len(coordinates):,} coordinates are to be indexed")
    with listener_for(sys.stderr) as listener:
        report = run_index(
            settings, bench, missing, listener, budget_calls=arguments.budget, is_dry_run=arguments.dry_run
        )
    _conclude(arguments, _figures(len(coordinates), len(missing), report, started), report)
    return STATUS_FAILED if report.failures else 0


def _record(arguments: argparse.Namespace, settings: Settings) -> Sequence[Coordinate]:
    """Writes the project's record, edited installs keyed by checksum; its coordinates of all members and scopes."""
    from depcodex import records
    from depcodex.commands.closure_options import one_line, request_of
    from depcodex.commands.record import record_project
    from depcodex_assets.recorded import settle_record

    record, notes = record_project(settings, request_of(arguments, arguments.project), arguments.scope)
    for note in notes:
        _say(one_line(note))
    settled = settle_record(settings, record)
    if settled is not record:
        # The copy is for people; a folder that cannot be written was noted above.
        with contextlib.suppress(OSError):
            records.write_copy(settled)
    return [row.coordinate for row in settled.union()]


def _note_unused_ollama(settings: Settings) -> None:
    if settings.rewriter.startswith("ollama:"):
        return
    from depcodex.ollama_client import is_reachable

    with contextlib.suppress(DepcodexError):
        if is_reachable(settings):
            _say(
                f"Ollama answers at {settings.ollama_host} and is not used; "
                "DEPCODEX_REWRITER=ollama:<model> has it retell the documentation"
            )


def _figures(coordinate_count: int, missing_count: int, report: RunReport | None, started: float) -> IndexFigures:
    counts = report.counts if report is not None else {}
    calls = counts.get("summarise.model_calls", 0)
    if report is not None and "summarise.model_calls" not in counts:
        calls = report.pending_call_count or 0
    return IndexFigures(
        coordinates=coordinate_count,
        harvested=report.harvested_count if report else 0,
        texts=len(report.text_digests) if report else 0,
        model_calls=calls,
        embedded=counts.get("quarantine.embedded", 0),
        reused=coordinate_count - missing_count,
        withheld=counts.get("quarantine.withheld", 0),
        failed=len(report.failures) if report else 0,
        seconds=round(time.monotonic() - started, 3),
    )


def _conclude(arguments: argparse.Namespace, figures: IndexFigures, report: RunReport | None) -> None:
    """Failures and one line of summary for people; the figures on standard output where they were asked for."""
    failures = sorted(report.failures.items()) if report is not None else []
    for purl, note in sorted(report.notes.items()) if report is not None else ():
        _say(f"{purl}: {note}")
    for purl, reason in failures[:_FAILURES_SHOWN]:
        _say(f"failed: {purl}: {reason.removeprefix('failed:')}")
    if len(failures) > _FAILURES_SHOWN:
        _say(f"failed: {len(failures) - _FAILURES_SHOWN} more; depcodex status lists them")
    entry_count = report.counts.get("publish.entries", 0) if report is not None else 0
    _say(_summary(figures, entry_count, is_dry_run=arguments.dry_run))
    if arguments.json:
        print(json.dumps(dataclasses.asdict(figures)))


def _summary(figures: IndexFigures, entry_count: int, *, is_dry_run: bool) -> str:
    """The figures for people.

    Example:
        >>> _summary(IndexFigures(20, 0, 0, 0, 0, 20, 0, 0, 0.5), 0, is_dry_run=False)
        '20 coordinates, all up to date (0.5 s)'
        >>> _summary(IndexFigures(20, 4, 90, 60, 99, 15, 2, 1, 7.4), 1200, is_dry_run=False)
        '20 coordinates, 15 up to date, 1 failed; 1,200 entries, 2 withheld, 60 model calls (7.4 s)'
    """
    seconds = f"({figures.seconds:.1f} s)"
    said = [f"{figures.coordinates:,} coordinates"]
    if figures.reused == figures.coordinates:
        return f"{said[0]}, all up to date {seconds}"
    said += [f"{figures.reused:,} up to date"] if figures.reused else []
    said += [f"{figures.failed:,} failed"] if figures.failed else []
    if is_dry_run:
        made = [f"{figures.model_calls:,} model calls would be made"]
    else:
        made = [f"{entry_count:,} entries", f"{figures.withheld:,} withheld", f"{figures.model_calls:,} model calls"]
    return f"{', '.join(said)}; {', '.join(made)} {seconds}"


def _say(line: str) -> None:
    print(f"depcodex index: {line}", file=sys.stderr, flush=True)
