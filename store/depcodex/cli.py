"""The command line: which commands there are, and how an error becomes one line and an exit status.

Here: dispatch. Not here: what a command does (depcodex.commands, one module each; the upper rooms bring theirs through
the entry-point group ``depcodex.commands``).

Exit status: 0 answered, 1 an abstention or nothing found, 2 refused input, 3 failed, 130 interrupted. Only the module
of the command that was named is imported, so that ``--help`` is quick.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from depcodex.errors import DepcodexError, UsageError
from depcodex.version import __version__

# name: (module, summary); the module has `add_parser(subparsers)`, which sets `run`.
_COMMANDS = {
    "record": ("depcodex.commands.record", "write down what a project resolved"),
    "search": ("depcodex.commands.search", "find what answers a need"),
    "lookup": ("depcodex.commands.lookup", "find a symbol by its name"),
    "status": ("depcodex.commands.status", "show the state of a project's coordinates"),
    "closure": ("depcodex.commands.closure_command", "show what a lock file or project resolves to"),
    "doctor": ("depcodex.commands.doctor", "show settings, versions and what is missing"),
    "mcp": ("depcodex.commands.mcp_command", "serve answers over MCP on standard input and output"),
}
# Commands that write come from the upper rooms: listed here so that help needs no search through what is installed.
_UPPER_COMMANDS = {"index": ("pipelines", "index what a project resolved")}
_GROUP = "depcodex.commands"
_OWN_PACKAGES = ("depcodex", "depcodex_assets", "depcodex_pipelines")
_FAILED, _INTERRUPTED = 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; the exit status. Never raises but for argparse's own SystemExit."""
    _mend_streams()
    try:
        status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader wants no more. The interpreter would complain at exit when it flushes again.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except DepcodexError as error:
        _say(str(error))
        return error.exit_status
    except KeyboardInterrupt:
        _say("interrupted")
        return _INTERRUPTED
    except Exception as error:
        if os.environ.get("DEPCODEX_DEBUG"):
            raise
        _say(f"unexpected {type(error).__name__}: {error} (DEPCODEX_DEBUG=1 shows where)")
        return _FAILED
    return status


def _mend_streams() -> None:
    """Standard streams that can take whatever is printed: closed ones go nowhere, ASCII ones get escapes.

    A closed descriptor would be given to the next file that is opened, a table of the store perhaps, and what a
    library prints would be written into it.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free descriptor is this one: those below it are open by now.
            os.open(os.devnull, os.O_RDONLY if descriptor == 0 else os.O_WRONLY)
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("r" if descriptor == 0 else "w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # Under LANG=C a name with an umlaut could not be printed.
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="backslashreplace")


def _run(argv: list[str]) -> int:
    name = next((each for each in argv if not each.startswith("-")), None)
    parser, subparsers = _parsers()
    for command, (module, summary) in _COMMANDS.items():
        if command == name:
            importlib.import_module(module).add_parser(subparsers)
        else:
            subparsers.add_parser(command, help=summary)
    is_upper = name is not None and name not in _COMMANDS and _register_upper(name, subparsers)
    for command, (_, summary) in _UPPER_COMMANDS.items():
        if not (is_upper and command == name):
            subparsers.add_parser(command, help=summary)
    arguments = parser.parse_args(argv)
    if name is None:
        parser.print_help(sys.stderr)
        return UsageError.exit_status
    try:
        return int(arguments.run(arguments))
    except ModuleNotFoundError as error:
        if is_upper and (error.name or "").partition(".")[0] not in _OWN_PACKAGES:
            raise _missing(name, error) from error
        raise


def _parsers() -> tuple[argparse.ArgumentParser, Any]:
    parser = argparse.ArgumentParser(
        prog="depcodex",
        description="The documentation inside a project's dependencies, for exactly the versions it resolved.",
    )
    parser.add_argument("--version", action="version", version=f"depcodex {__version__}")
    return parser, parser.add_subparsers(title="commands", metavar="COMMAND")


def _register_upper(name: str, subparsers: Any) -> bool:
    """Adds a command that an upper room brings; False where none is called so."""
    from importlib.metadata import entry_points

    found = [each for each in entry_points(group=_GROUP) if each.name == name]
    if not found:
        if name in _UPPER_COMMANDS:
            raise _missing(name, None)
        return False
    try:
        found[0].load()(subparsers)
    except ModuleNotFoundError as error:
        raise _missing(name, error) from error
    return True


class MissingExtraError(DepcodexError):
    """A command needs packages that are not installed; the message names the extra."""


def _missing(name: str, error: ModuleNotFoundError | None) -> MissingExtraError:
    extra, _ = _UPPER_COMMANDS.get(name, ("pipelines", ""))
    detail = f" ({error.name} is missing)" if error is not None and error.name else ""
    return MissingExtraError(f"depcodex {name} needs: pip install 'depcodex[{extra}]'{detail}")


def _say(line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        text = " ".join(line.splitlines())
        prefix = "" if text.startswith("depcodex ") else "depcodex: "
        print(prefix + text.encode("utf-8", "backslashreplace").decode("utf-8"), file=sys.stderr)
