"""``depcodex lookup``: a symbol by its name.

Here: the command. Not here: finding names (depcodex.names), printing (depcodex.commands.asking).
"""

from __future__ import annotations

import argparse
from typing import Any

from depcodex.commands.asking import add_asking_options, print_answer, question


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command; its namespace carries ``run``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "lookup",
        help="find a symbol by its name",
        description="Finds a symbol of a project's dependencies by its name, in every resolved version. Exit status: 0 "
        "answered, 1 nothing found, 2 refused input.",
    )
    parser.add_argument("symbol", metavar="SYMBOL", help="as a caller writes it: requests.Session.get")
    add_asking_options(parser)
    parser.set_defaults(run=run)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Answers; returns the exit status."""
    from depcodex.query import Codex

    with Codex.open(arguments.project) as codex:
        return print_answer(codex.lookup(arguments.symbol, **question(arguments)), is_json=arguments.json)
