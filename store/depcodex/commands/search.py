"""``depcodex search``: one need, or a file of them.

Here: the command. Not here: searching (depcodex.query), printing (depcodex.commands.asking).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from depcodex.commands.asking import add_asking_options, print_answer, question
from depcodex.errors import CoordinateError, UsageError

if TYPE_CHECKING:
    from depcodex.query import Codex


@dataclass(frozen=True)
class BatchRow:
    """One line of a batch: the need, and the coordinates to look in (none: the whole closure)."""

    query: str
    coordinates: tuple[str, ...]


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command; its namespace carries ``run``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "search",
        help="find what answers a need",
        description="Finds what in a project's dependencies answers a need, by meaning and by words. Exit status: 0 "
        "answered, 1 nothing found, 2 refused input.",
    )
    parser.add_argument("need", nargs="*", metavar="NEED", help="what is needed, in words")
    parser.add_argument(
        "--batch",
        type=Path,
        metavar="FILE",
        help='many needs: one {"query", "coordinates"?} a line (- reads standard input); one JSON result a line',
    )
    add_asking_options(parser)
    parser.set_defaults(run=run)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Answers; returns the exit status.

    Raises:
        UsageError: no need, or a line of the batch is not one.
    """
    need = " ".join(arguments.need)
    if arguments.batch is not None and arguments.need:
        raise UsageError("search: a need and --batch exclude each other")
    if arguments.batch is None and not need.strip():
        raise UsageError("search: the need is empty")
    # Read whole before the first answer: a wrong line is refused before anything is printed.
    batch = None if arguments.batch is None else read_batch(arguments.batch)

    from depcodex.query import Codex

    with Codex.open(arguments.project) as codex:
        if batch is not None:
            return _answer_all(codex, batch, question(arguments))
        return print_answer(codex.search(need, **question(arguments)), is_json=arguments.json)


def read_batch(path: Path) -> list[BatchRow]:
    """The rows of a batch file.

    Raises:
        UsageError: the file cannot be read, or a line is no such row.
    """
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8'}") from error
    # Only line feeds end a line: JSON strings may hold other separators that splitlines takes for ends.
    return [_row(f"{path}:{number}", line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _row(where: str, line: str) -> BatchRow:
    from depcodex.resolution import parse_wanted

    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON") from error
    query = value.get("query") if isinstance(value, dict) else None
    if not isinstance(query, str) or not query.strip():
        raise UsageError(f"{where}: query, expected a text that is not empty")
    coordinates = value.get("coordinates") or []
    if not isinstance(coordinates, list) or not all(isinstance(each, str) for each in coordinates):
        raise UsageError(f"{where}: coordinates, expected a list of package URLs")
    for each in coordinates:
        try:
            parse_wanted(each)
        except CoordinateError as error:
            raise UsageError(f"{where}: {error}") from error
    return BatchRow(query, tuple(coordinates))


def _answer_all(codex: Codex, batch: Iterable[BatchRow], arguments: dict[str, Any]) -> int:
    """One result object a line, in order. 0 where any was answered."""
    if arguments["cursor"] is not None:
        raise UsageError("search: --cursor belongs to one need, not to a batch")
    statuses = []
    for row in batch:
        answer = codex.search(row.query, **{**arguments, "coordinates": row.coordinates or arguments["coordinates"]})
        print(json.dumps(answer.to_json()), flush=True)
        statuses.append(answer.exit_status)
    return min(statuses, default=0)
