"""`depcodex record`: write down what a project resolved.

Here: the command. Not here: resolving (depcodex.lockfiles), the record's file (depcodex.records). Opens no database and
no socket. An ecosystem's own tool may be started, offline; only ``--resolve`` lets it ask its registry.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from depcodex.commands.closure_options import add_closure_options, guarded, one_line, request_of

if TYPE_CHECKING:
    from depcodex.closure import ProjectRecord
    from depcodex.lockfiles.projects import ClosureRequest
    from depcodex.settings import Settings

_SCOPES = ("declared", "importable", "all")


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the sub-command; its namespace carries ``run``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "record",
        help="write down what a project resolved",
        description="Reads the lock files of a project and of those below it, or its environment, and writes one JSON "
        "file into the inbox of the data home and a copy into the project. Opens no database, and uses no network "
        "without --resolve.",
    )
    parser.add_argument("project", nargs="?", type=Path, default=Path(), metavar="PROJECT", help="folder or lock file")
    add_closure_options(parser)
    parser.add_argument(
        "--scope", choices=_SCOPES, help="how wide questions of this project look; kept until set again"
    )
    parser.add_argument(
        "--resolve", action="store_true", help="let the ecosystem's own tool use the network to resolve"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Record the project; returns the exit status."""
    return guarded("record", lambda: _run(arguments))


def record_project(
    settings: Settings, request: ClosureRequest, scope: str | None = None
) -> tuple[ProjectRecord, tuple[str, ...]]:
    """Resolve a project, write its record into the inbox and its copy into the project.

    Args:
        settings: where the inbox is.
        request: what to resolve.
        scope: the scope that a person sets now; None keeps the one set earlier, else ``importable``.

    Returns:
        The record, and notes for people, one line each.

    Raises:
        LockfileError, AmbiguousClosureError, NoClosureError, UsageError: nothing is written.
        OSError: the data home cannot be written. A project's folder that cannot be written is a note.
    """
    from depcodex import records
    from depcodex.closure import Scope
    from depcodex.lockfiles.projects import project_folder, read_closures

    reading = read_closures(request)
    folder = project_folder(request.path)
    if settings.standard_library:
        from depcodex.lockfiles.standard_library import with_standard_libraries

        reading = dataclasses.replace(reading, closures=with_standard_libraries(reading.closures, folder))
    earlier = records.earlier(settings, folder)
    chosen = Scope(scope) if scope else earlier.scope or Scope.IMPORTABLE
    record = records.keep_edited(records.make_record(reading, folder, chosen), earlier.edited)
    content = records.encode_record(record)
    records.write_record(settings, record, content)
    notes = reading.notes
    try:
        records.write_copy(record, content)
    except OSError as error:
        notes = (*notes, f"{folder}: no copy written ({error.strerror}); the record in the data home stands")
    return record, notes


def _run(arguments: argparse.Namespace) -> int:
    from depcodex.settings import Settings

    request = request_of(arguments, arguments.project)
    record, notes = record_project(Settings.load(), request, arguments.scope)
    for note in notes:
        print(f"depcodex record: {one_line(note)}", file=sys.stderr)
    count = len(record.union())
    members = [
        {
            "member": each.member,
            "format": each.format,
            "coordinates": len(each.dependencies),
            "skipped": len(each.skipped),
        }
        for each in record.members
    ]
    if arguments.json:
        summary = {"project": record.project, "scope": str(record.scope), "coordinates": count, "members": members}
        print(json.dumps({**summary, "notes": list(notes)}))
        return 0
    formats = ", ".join(sorted({each.format for each in record.members}))
    skipped = sum(len(each.skipped) for each in record.members)
    places = len({each.member for each in record.members})
    where = f"{places} members, " if places > 1 else ""
    print(f"{record.project}: {where}{count} coordinates from {formats}, {skipped} skipped, scope {record.scope}")
    return 0
