"""Our errors as Dagster's: what is tried again, what fails, and what may be said about it.

Here: the only place that knows ``Failure`` and ``RetryRequested``. Not here: our error tree (depcodex.errors).

Dagster stores an exception with its message, its cause and its context. A message of ours is one line without
library-written prose; any other may quote a package's text, so of an unexpected error only its type and the place in
our own code are kept, and the original is cut off: the translated error is raised outside the ``except`` block, because
a serialised error carries its ``__context__`` even where it is suppressed (measured at dagster 1.13.27).
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import dagster as dg

import depcodex
import depcodex_assets
import depcodex_pipelines
from depcodex.errors import DepcodexError, StoreFullError, TransientError
from depcodex_pipelines.tallies import RunReport

_Value = TypeVar("_Value")
_ROOMS = tuple(Path(room.__path__[0]) for room in (depcodex, depcodex_assets, depcodex_pipelines))
# Waits for a server to come back, not for a person: what still fails then is asked again by the nightly schedule.
RETRY_COUNT = 2
RETRY_SECONDS = 30.0


class UnexpectedError(DepcodexError):
    """An error that nobody foresaw, told by its type and place alone: its own text may quote a package."""


def translated(action: Callable[[], _Value], report: RunReport, private: Path, *, tries_left: int = 0) -> _Value:
    """The action's value; whatever it raises comes out as Dagster's failure or retry.

    Args:
        action: the work of a step.
        report: keeps our error itself, for a caller in the same process.
        private: the private store's folder; an unexpected error is written in full to its ``errors.log``.
        tries_left: how often a transient error may still be tried again; 0 where a person waits at a terminal.

    Raises:
        dg.RetryRequested: the error is transient and tries are left.
        dg.Failure: it is permanent, or unexpected, or was tried often enough.
    """
    try:
        return action()
    except (dg.Failure, dg.RetryRequested):
        raise
    except (dg.DagsterExecutionInterruptedError, KeyboardInterrupt):
        report.is_interrupted = True
        raise
    except Exception as error:  # noqa: BLE001  # the boundary: nothing below may reach Dagster's storage as it is
        refusal = error if isinstance(error, DepcodexError) else _unexpected(error, private)
    report.error = refusal
    raise as_dagster(refusal, tries_left=tries_left)


def as_dagster(error: DepcodexError, *, tries_left: int = 0) -> dg.Failure | dg.RetryRequested:
    """What Dagster is told of an error of ours.

    Example:
        >>> as_dagster(TransientError("index: the server is away")).description
        'index: the server is away'
        >>> type(as_dagster(TransientError("index: the server is away"), tries_left=1)).__name__
        'RetryRequested'
    """
    # A full disk does not empty itself: a person is needed, so it fails at once though a later run may succeed.
    if isinstance(error, TransientError) and not isinstance(error, StoreFullError) and tries_left > 0:
        return dg.RetryRequested(max_retries=RETRY_COUNT, seconds_to_wait=RETRY_SECONDS)
    return dg.Failure(
        description=str(error),
        metadata={"error": type(error).__name__, "a later run may succeed": isinstance(error, TransientError)},
        allow_retries=False,
    )


def _unexpected(error: Exception, private: Path) -> UnexpectedError:
    if not private.is_dir():
        return UnexpectedError(described(error))
    with (private / "errors.log").open("a", encoding="utf-8") as log:
        log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')} run\n")
        traceback.print_exception(error, file=log)
    return UnexpectedError(f"{described(error)}, see private/errors.log")


def described(error: BaseException) -> str:
    """An unexpected error by its type and the last place in our own code: never its text.

    Example:
        >>> described(ValueError("prose of a library"))
        'unexpected ValueError outside our code'
    """
    places = [
        f"{Path(frame.filename).relative_to(room.parent).as_posix()}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        for room in _ROOMS
        if Path(frame.filename).is_relative_to(room)
    ]
    return f"unexpected {type(error).__name__} {'at ' + places[-1] if places else 'outside our code'}"
