"""Options that every command takes which resolves a closure, and what failing looks like for all of them.

Here: ``--venv --group --extra --python --format``, and errors as one line with an exit status. Not here: the commands.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path

from depcodex.errors import DepcodexError
from depcodex.lockfiles.projects import ClosureRequest

STATUS_FAILED = 3
STATUS_INTERRUPTED = 130


def add_closure_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser; ``request_of`` reads them back."""
    parser.add_argument("--venv", type=Path, metavar="DIR", help="installed environment to read in place")
    parser.add_argument(
        "--group", action="append", default=[], metavar="NAME", help="dependency group to add (repeatable)"
    )
    parser.add_argument(
        "--extra", action="append", default=[], metavar="NAME", help="extra of the project to add (repeatable)"
    )
    parser.add_argument(
        "--python", default="", metavar="VERSION", help="Python version that decides markers, such as 3.12"
    )
    parser.add_argument("--format", default="", metavar="NAME", help="the one lock file format to read")


def request_of(arguments: argparse.Namespace, path: Path) -> ClosureRequest:
    """What the parsed options ask for, at a path."""
    return ClosureRequest(
        path,
        arguments.venv,
        tuple(arguments.group),
        tuple(arguments.extra),
        arguments.python,
        arguments.format,
        # Only `depcodex record` has the option.
        getattr(arguments, "resolve", False),
    )


def guarded(name: str, action: Callable[[], int], on_refusal: Callable[[DepcodexError], None] | None = None) -> int:
    """Run a command's action; whatever it raises becomes one line on stderr and an exit status.

    A command inside a build must not break it with a traceback: only ``DEPCODEX_DEBUG=1`` lets one through. The garbage
    collector rests meanwhile: it found nothing and took a tenth of the time (measured 2026-12-01, 500 packages).

    Args:
        name: the command, for the message.
        action: returns its exit status.
        on_refusal: told of an error of ours as well, for ``--json``.
    """
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        return action()
    except DepcodexError as error:
        if on_refusal is not None:
            on_refusal(error)
        print(f"depcodex {name}: {one_line(str(error))}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        return STATUS_INTERRUPTED
    except Exception as error:
        # Whatever happens here, the build that runs it goes on.
        if os.environ.get("DEPCODEX_DEBUG") == "1":
            raise
        detail = getattr(error, "strerror", None) or str(error)
        print(f"depcodex {name}: failed: {type(error).__name__}: {one_line(str(detail))}", file=sys.stderr)
        return STATUS_FAILED
    finally:
        if was_collecting:
            gc.enable()


def one_line(text: str) -> str:
    """The text on one line, without control characters, cut at 400 characters."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:400]
