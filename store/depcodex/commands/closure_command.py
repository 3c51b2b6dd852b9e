"""`depcodex closure`: show what a lock file, an environment or a project folder resolves to.

Here: the command. Not here: resolving (depcodex.lockfiles). Writes nothing, uses no network and no database.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from depcodex.commands.closure_options import add_closure_options, guarded, one_line, request_of

if TYPE_CHECKING:
    from depcodex.closure import Closure
    from depcodex.coordinates import Coordinate
    from depcodex.errors import DepcodexError


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the sub-command; its namespace carries ``run``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "closure",
        help="show what a lock file or project resolves to",
        description="Shows the coordinates that a lock file, an installed environment or a project folder resolves to, "
        "and what is left out and why. Uses no network and opens no database.",
    )
    parser.add_argument("path", type=Path, metavar="PATH", help="a lock file, an environment or a project folder")
    add_closure_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Show the closure; returns the exit status."""

    def refuse(error: DepcodexError) -> None:
        print(json.dumps({"error": {"type": type(error).__name__, "message": one_line(str(error))}}))

    return guarded("closure", lambda: _run(arguments), refuse if arguments.json else None)


def closure_summary(closures: tuple[Closure, ...]) -> dict[str, Any]:
    """The union of a project's members as `closure --json` prints it.

    What one member leaves out and another one has is not skipped.
    """
    from depcodex.closure import merged_dependencies

    rows = merged_dependencies(row for closure in closures for row in closure.dependencies)
    kept = {(name, row.coordinate.version) for row in rows for name in _names(row.coordinate)}
    skipped = {
        (row.name, row.version): row.reason
        for closure in reversed(closures)
        for row in closure.skipped
        if (row.name, row.version) not in kept
    }
    return {
        "format": ", ".join(dict.fromkeys(closure.format for closure in closures)),
        "coordinates": [
            {"purl": row.coordinate.purl, "scope": str(row.scope), "distance": row.distance, "via": list(row.via)}
            for row in rows
        ],
        "skipped": [
            {"name": name, "version": version, "reason": reason} for (name, version), reason in sorted(skipped.items())
        ],
    }


def _names(coordinate: Coordinate) -> tuple[str, ...]:
    """The ways in which lock files write a name: npm's scope with ``/``, Maven's group with ``:``."""
    space, name = coordinate.namespace, coordinate.name
    return (f"{space}/{name}", f"{space}:{name}") if space else (name,)


def _run(arguments: argparse.Namespace) -> int:
    from depcodex.lockfiles.projects import read_closures

    reading = read_closures(request_of(arguments, arguments.path))
    summary = closure_summary(reading.closures)
    for note in reading.notes:
        print(f"depcodex closure: {one_line(note)}", file=sys.stderr)
    if arguments.json:
        print(json.dumps(summary))
        return 0
    for row in summary["coordinates"]:
        distance = "-" if row["distance"] is None else str(row["distance"])
        through = f"  via {row['via'][-1]}" if row["via"] else ""
        print(f"{distance:>3}  {row['scope']:<10}  {row['purl']}{through}")
    for row in summary["skipped"]:
        print(f"     skipped     {row['name']} {row['version']}: {row['reason']}".rstrip())
    print(f"{len(summary['coordinates'])} coordinates, {len(summary['skipped'])} skipped ({summary['format']})")
    return 0
