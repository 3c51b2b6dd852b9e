"""Typed answers that say why there is none, each with the command that would resolve it.

Here: the types, their wording and their commands. Not here: deciding that there is no answer (depcodex.query,
depcodex.resolution).

An out-of-closure name must read exactly like one that does not exist: no text here takes anything but the asked name,
the project, and coordinates of the asking closure.
"""

from __future__ import annotations

import enum
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

_SHOWN_COORDINATES = 5
_SHOWN_CHARACTERS = 120


class AbstentionType(enum.StrEnum):
    """Why there is no answer."""

    NO_CLOSURE = "no_closure"
    NEVER_REGISTERED = "never_registered"
    PENDING = "pending"
    EXCLUDED = "excluded"
    HELD = "held"
    NO_SOURCE = "no_source"
    NO_MATCH = "no_match"
    AMBIGUOUS = "ambiguous"
    VERSION_NOT_IN_CLOSURE = "version_not_in_closure"
    BUDGET_TOO_SMALL = "budget_too_small"
    RAW_WITHHELD = "raw_withheld"
    NOT_ALLOWED = "not_allowed"


@dataclass(frozen=True)
class Abstention:
    """A typed answer that says why there is none.

    Attributes:
        type: one of ``AbstentionType``.
        message: one line of ours.
        resolve: the exact command that would resolve it.

    Example:
        >>> no_closure("/srv/shop").to_json()["resolve"]
        'depcodex index /srv/shop'
    """

    type: AbstentionType
    message: str
    resolve: str

    def to_json(self) -> dict[str, str]:
        """The object of the JSON output."""
        return {"type": self.type.value, "message": self.message, "resolve": self.resolve}


def no_closure(project: str) -> Abstention:
    """No recorded project contains the path."""
    return Abstention(AbstentionType.NO_CLOSURE, f"{project}: not part of a recorded project", _index(project))


def no_match(asked: str, project: str, *, is_lookup: bool, waiting_count: int = 0) -> Abstention:
    """Nothing in the closure answers.

    Args:
        asked: the need or symbol as asked.
        project: the recorded project's path.
        is_lookup: a name was asked, so that a search by meaning is the next step.
        waiting_count: coordinates of the closure, in scope, that are not indexed yet.
    """
    message = f"{_shown(asked)}: nothing in this project's closure matches"
    if waiting_count:
        return Abstention(
            AbstentionType.NO_MATCH, f"{message}; {waiting_count} coordinates are not indexed yet", _index(project)
        )
    if is_lookup:
        resolve = f"depcodex search {shlex.quote(_shown(asked))} --project {shlex.quote(project)}"
    else:
        resolve = _status(project)
    return Abstention(AbstentionType.NO_MATCH, message, resolve)


def ambiguous(asked: str, candidates: Sequence[str], project: str) -> Abstention:
    """Evidence conflicts, so nothing is picked."""
    resolve = f"depcodex search NEED --coordinate {shlex.quote(candidates[0])} --project {shlex.quote(project)}"
    return Abstention(AbstentionType.AMBIGUOUS, f"{_shown(asked)}: names {_listed(candidates)}", resolve)


def version_not_in_closure(version: str, resolved: Sequence[str], project: str) -> Abstention:
    """A version was asked that the project did not resolve; ``resolved`` are the purls that it did resolve."""
    message = f"version {_shown(version)}: not in this project's closure"
    if resolved:
        message += f", which has {_listed(resolved)}"
    return Abstention(AbstentionType.VERSION_NOT_IN_CLOSURE, message, _status(project))


def from_states(states: Mapping[str, str], reasons: Mapping[str, str], project: str) -> Abstention | None:
    """Why coordinates have nothing to show; None where at least one is indexed, or there is none.

    Args:
        states: purl → state (a State, ``never_registered`` or ``held``) of the coordinates that were asked.
        reasons: purl → the recorded one-line reason, where there is one.
        project: the recorded project's path.
    """
    if not states or "indexed" in states.values():
        return None
    for state, (kind, wording, command) in _BY_STATE.items():
        purls = sorted(purl for purl, each in states.items() if each == state)
        if purls:
            reason = reasons.get(purls[0], "") if len(purls) == 1 else ""
            message = f"{_listed(purls)}: {wording}" + (f" ({reason})" if reason else "")
            return Abstention(kind, message, command(project))
    return None


def _index(project: str) -> str:
    return f"depcodex index {shlex.quote(project)}"


def _status(project: str) -> str:
    return f"depcodex status --project {shlex.quote(project)}"


def _shown(text: str) -> str:
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _SHOWN_CHARACTERS else line[: _SHOWN_CHARACTERS - 1] + "…"


def _listed(purls: Sequence[str]) -> str:
    shown = ", ".join(purls[:_SHOWN_COORDINATES])
    rest = len(purls) - _SHOWN_COORDINATES
    return f"{shown} and {rest} more" if rest > 0 else shown


def _doctor(_: str) -> str:
    return "depcodex doctor"


# What a person can act on comes first: an index run, then a hold or a setting, then what stays as it is.
_BY_STATE: dict[str, tuple[AbstentionType, str, Callable[[str], str]]] = {
    "never_registered": (AbstentionType.NEVER_REGISTERED, "recorded, never indexed", _index),
    "pending": (AbstentionType.PENDING, "not indexed yet", _index),
    "failed": (AbstentionType.PENDING, "indexing failed", _index),
    "held": (AbstentionType.HELD, "held by the operator", _status),
    "excluded": (AbstentionType.EXCLUDED, "excluded by a setting", _doctor),
    "no_source": (AbstentionType.NO_SOURCE, "no readable source", _status),
}
