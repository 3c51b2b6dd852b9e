"""Options and output that the commands which ask a project share.

Here: ``--project``, ``--coordinate`` and their like, and printing one answer. Not here: a command's own options.
No option sets scope: a person does, with ``depcodex record --scope``.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from depcodex.answers import Answer


def add_asking_options(parser: argparse.ArgumentParser) -> None:
    """The options of a question."""
    add_project_options(parser)
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="hits a page, 1 to 100 (10)")
    parser.add_argument(
        "--coordinate",
        action="append",
        default=[],
        metavar="PURL",
        help="look in this library only; repeatable; the version may be left out",
    )
    parser.add_argument("--from", dest="from_module", metavar="MODULE", help="the module that asks")
    parser.add_argument("--version", metavar="V", help="an exact version inside the closure")
    parser.add_argument("--cursor", metavar="CURSOR", help="the next page of an earlier answer")


def add_project_options(parser: argparse.ArgumentParser) -> None:
    """Which project, and how to print."""
    parser.add_argument("--project", type=Path, default=Path(), metavar="DIR", help="a recorded project (.)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def question(arguments: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of ``Codex.search`` and ``Codex.lookup``."""
    return {
        "limit": arguments.limit,
        "coordinates": tuple(arguments.coordinate),
        "version": arguments.version,
        "from_module": arguments.from_module,
        "cursor": arguments.cursor,
    }


def print_answer(answer: Answer, *, is_json: bool) -> int:
    """Prints an answer; the exit status. With JSON its message goes to standard error."""
    if is_json:
        if answer.message:
            print(f"depcodex: {answer.message}", file=sys.stderr)
        print(json.dumps(answer.to_json()))
    else:
        from depcodex import render

        render.show(render.answer_lines(answer, render.width_of()))
    return answer.exit_status
