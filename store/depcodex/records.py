"""Project records on disk: one JSON file a project in the machine's inbox, and a copy in the project.

Here: writing and reading records, and where they lie. Not here: what a record holds (depcodex.closure), resolving
(depcodex.lockfiles).

The inbox is the authority. The copy in the project is for people and other tools; nothing here reads it, because a
project could otherwise set its own scope. Nothing here imports pyarrow or LanceDB: `depcodex record` runs inside
builds.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from depcodex.closure import ProjectRecord, Scope, from_json, to_json
from depcodex.errors import ClosureError, NoClosureError
from depcodex.lockfiles.interface import Reading
from depcodex.settings import Settings

COPY_PATH = Path(".depcodex") / "closure.json"
_KEY_CHARACTERS = 32


class CorruptRecordError(ClosureError):
    """A record in the inbox cannot be read. Record the project again; ``path`` is the file."""

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"{path}: {problem}; record the project again")


def project_key(path: Path | str) -> str:
    """The name of a project's file in the inbox without its suffix: 32 hexadecimal characters of its resolved path.

    Example:
        >>> project_key("/") == hashlib.sha256(b"/").hexdigest()[:32]
        True
    """
    text = str(Path(path).resolve())
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:_KEY_CHARACTERS]


def record_path(settings: Settings, project: Path | str) -> Path:
    """Where the record of a project lies, whether or not it is there."""
    return settings.inbox / f"{project_key(project)}.json"


def make_record(reading: Reading, project: Path, scope: Scope, now: datetime | None = None) -> ProjectRecord:
    """The record of what a project resolved to.

    Args:
        reading: its closures.
        project: its root.
        scope: how wide its questions look.
        now: aware; the current time by default.
    """
    moment = (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
    return ProjectRecord(str(project.resolve()), reading.closures, scope, moment.isoformat())


def write_record(settings: Settings, record: ProjectRecord) -> Path:
    """Write a record into the inbox, atomically, and return its path. Replaces an earlier one of the project.

    Raises:
        OSError: the data home cannot be written.
    """
    path = record_path(settings, record.project)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(path, to_json(record))
    return path


def write_copy(record: ProjectRecord) -> Path:
    """Write the copy into the project, atomically, and return its path.

    Raises:
        OSError: the project's folder cannot be written.
    """
    path = Path(record.project) / COPY_PATH
    path.parent.mkdir(exist_ok=True)
    _write(path, to_json(record))
    return path


def read_record(settings: Settings, project: Path | str) -> ProjectRecord:
    """The record of a project; a member's path gives its project's record, with that member alone in it.

    Raises:
        NoClosureError: it was never recorded; the message has the command that does it.
        CorruptRecordError: its file cannot be read.
    """
    place = Path(project).resolve()
    for folder in (place, *place.parents):
        path = record_path(settings, folder)
        if not path.is_file():
            continue
        record = _read(path)
        if folder == place:
            return record
        member = place.relative_to(folder).as_posix()
        members = tuple(each for each in record.members if each.member == member)
        if members:
            return dataclasses.replace(record, members=members)
    raise NoClosureError(f"{place}: never recorded; run: depcodex record {_quoted(str(place))}")


def read_all(settings: Settings) -> tuple[ProjectRecord, ...]:
    """Every record in the inbox that can be read, sorted by project; the others are skipped with a logged warning."""
    records = []
    for path in sorted(settings.inbox.glob("*.json")):
        try:
            records.append(_read(path))
        except CorruptRecordError as error:
            import logging

            logging.getLogger(__name__).warning("%s", error)
    return tuple(sorted(records, key=lambda each: each.project))


def earlier_scope(settings: Settings, project: Path | str) -> Scope | None:
    """The scope in a project's own record; None where there is no record that can be read."""
    path = record_path(settings, project)
    try:
        return _read(path).scope if path.is_file() else None
    except CorruptRecordError:
        return None


def _read(path: Path) -> ProjectRecord:
    try:
        record = from_json(json.loads(path.read_bytes()))
    except OSError as error:
        raise CorruptRecordError(path, f"cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise CorruptRecordError(path, "not JSON") from error
    except ClosureError as error:
        raise CorruptRecordError(path, str(error)) from error
    if path.stem != project_key(record.project):
        raise CorruptRecordError(path, "is the record of another project path")
    return record


def _write(path: Path, value: dict[str, Any]) -> None:
    """Write JSON so that a reader sees the old file or the new one, never a part."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.stem}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump(value, file, separators=(",", ":"), sort_keys=False)
            file.write("\n")
        temporary.chmod(0o600 if path.suffix == ".json" and path.name != COPY_PATH.name else 0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(text)
