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
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from depcodex.closure import SCHEMA_VERSION, ProjectRecord, Scope, from_json, rekey, to_json
from depcodex.coordinates import Coordinate
from depcodex.errors import ClosureError, CoordinateError, NoClosureError
from depcodex.settings import Settings

if TYPE_CHECKING:
    from depcodex.lockfiles.interface import Reading

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


def write_record(settings: Settings, record: ProjectRecord, content: bytes | None = None) -> Path:
    """Write a record into the inbox, atomically, and return its path. Replaces an earlier one of the project.

    Raises:
        OSError: the data home cannot be written.
    """
    path = record_path(settings, record.project)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(path, content or encode_record(record), 0o600)
    return path


def write_copy(record: ProjectRecord, content: bytes | None = None) -> Path:
    """Write the copy into the project, atomically, and return its path.

    Raises:
        OSError: the project's folder cannot be written.
    """
    path = Path(record.project) / COPY_PATH
    path.parent.mkdir(exist_ok=True)
    _write(path, content or encode_record(record), 0o644)
    return path


def encode_record(record: ProjectRecord) -> bytes:
    """The bytes of both files: who writes both encodes once, since that takes longer than writing."""
    # dumps and not dump: only dumps uses the C encoder (measured 2026-11-30: 10 against 60 ms for 500 packages).
    return json.dumps(to_json(record), separators=(",", ":")).encode("utf-8", "surrogateescape") + b"\n"


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


@dataclass(frozen=True)
class Earlier:
    """What a record passes on to the one that replaces it.

    Attributes:
        scope: that a person has set; None where there is no record that can be read.
        edited: installed packages that indexing found edited, keyed by their checksum.
    """

    scope: Scope | None = None
    edited: frozenset[Coordinate] = frozenset()


def earlier(settings: Settings, project: Path | str) -> Earlier:
    """What a project's own record passes on.

    Reads no more than that, so that recording again does not cost the parsing of what it replaces.
    """
    try:
        value = json.loads(record_path(settings, project).read_bytes())
        if value["schema_version"] != SCHEMA_VERSION or value["project"] != str(Path(project).resolve()):
            return Earlier()
        keyed = {
            row["purl"]
            for member in value["members"]
            for row in member["dependencies"]
            if "?" in row["purl"] and not row["location"]
        }
        return Earlier(Scope(value["scope"]), frozenset(map(Coordinate.parse, keyed)))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, CoordinateError):
        return Earlier()


def keep_edited(record: ProjectRecord, edited: frozenset[Coordinate]) -> ProjectRecord:
    """The record with installed packages keyed as an earlier one had them.

    A lock file names an edited package like any other, and recording does not read the installed files: without this,
    a record between two runs of the index would answer with another project's text. Indexing checks the keys again.

    Args:
        record: new, from lock files.
        edited: see ``Earlier``.
    """
    if not edited or not any(member.site_packages for member in record.members):
        return record
    return rekey(record, {dataclasses.replace(each, checksum=""): each for each in sorted(edited)})


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


def _write(path: Path, content: bytes, mode: int) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part."""
    # Not tempfile: importing it takes 5 ms of the 300 that recording may take.
    temporary = path.with_name(f".{path.stem}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(text)
