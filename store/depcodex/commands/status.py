"""``depcodex status``: a project's coordinates by state.

Here: the command. Not here: the states (depcodex.statuses), printing (depcodex.render).
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from depcodex.commands.asking import add_project_options


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command; its namespace carries ``run``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "status",
        help="show the state of a project's coordinates",
        description="Shows the coordinates of a project's closure with their states and reasons, and sizes on disk. "
        "Exit status: 0 where any is indexed, 1 where none is.",
    )
    add_project_options(parser)
    parser.set_defaults(run=run)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Shows the states; returns the exit status."""
    from depcodex.query import Codex

    with Codex.open(arguments.project) as codex:
        status = codex.status()
    if arguments.json:
        print(json.dumps(status.to_json()))
    else:
        from depcodex import render

        render.show(render.status_lines(status, render.width_of()))
    return 0 if status.abstention is None else 1
