"""What the inbox asks for now: recorded coordinates against what is known and under way.

Here: the arithmetic of the sensor, without Dagster: fingerprints, what to request, in which chunks. Not here: the
sensor (depcodex_pipelines.sensors), reading records (depcodex.records).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from depcodex.coordinates import Coordinate
from depcodex.schemas import SETTLED_STATES, State
from depcodex.settings import Settings
from depcodex.tables import read_generation

# One run's share: an hour or so of work with a small model, and a run page that can still be read.
CHUNK_COORDINATES = 200


@dataclass(frozen=True)
class RecordedProject:
    """One record of the inbox as far as requesting needs it.

    Attributes:
        key: stable name of the project.
        digest: sha256 hex of what it resolved; the moment of recording is no part of it.
        coordinates: what it resolved, sorted by purl.
    """

    key: str
    digest: str
    coordinates: tuple[Coordinate, ...]


@dataclass(frozen=True)
class InboxCursor:
    """What the last evaluation saw; JSON in Dagster's storage, holding digests only.

    Attributes:
        fingerprint: of the inbox's files and the store's generation: unchanged means that nothing has to be read.
        records: project key → digest of its record.
    """

    fingerprint: str = ""
    records: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str | None) -> InboxCursor:
        """The cursor of a text; an empty one where the text is none of ours."""
        try:
            values = json.loads(text or "{}")
            return cls(str(values["fingerprint"]), {str(key): str(each) for key, each in values["records"].items()})
        except (ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def text(self) -> str:
        """As JSON, keys sorted."""
        return json.dumps({"fingerprint": self.fingerprint, "records": dict(self.records)}, sort_keys=True)


@dataclass(frozen=True)
class Request:
    """One run to ask for: ``key`` is the same for the same coordinates of the same records."""

    key: str
    coordinates: tuple[Coordinate, ...]


def inbox_fingerprint(settings: Settings) -> str:
    """sha256 hex over the names, sizes and times of the inbox's files and the public store's generation."""
    rows = []
    for path in sorted(settings.inbox.glob("*.json")):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue  # replaced while we looked; the next evaluation sees it
        rows.append(f"{path.name} {status.st_size} {status.st_mtime_ns}")
    rows.append(f"generation {read_generation(settings.public)}")
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def recorded_projects(settings: Settings) -> list[RecordedProject]:
    """Every readable record of the inbox, edited installs keyed by checksum."""
    from depcodex import records
    from depcodex_assets.recorded import settle_record

    projects = []
    for record in records.read_all(settings):
        rows = settle_record(settings, record).union()
        text = "\n".join(f"{row.coordinate.purl} {' '.join(row.digests)} {row.location}" for row in rows)
        projects.append(
            RecordedProject(
                records.project_key(record.project),
                hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest(),
                tuple(row.coordinate for row in rows),
            )
        )
    return projects


def requests_for(
    projects: Sequence[RecordedProject],
    states: Mapping[str, str],
    under_way: Collection[str],
    cursor: InboxCursor,
    *,
    chunk_coordinates: int = CHUNK_COORDINATES,
) -> list[Request]:
    """The runs to ask for: recorded coordinates that are not settled, each once.

    A coordinate that failed is asked for again only when a record that names it has changed since the cursor: the
    nightly schedule tries the rest again.

    Args:
        projects: the inbox.
        states: purl → state, as the public store has it.
        under_way: purls of runs that have not ended.
        cursor: what the last evaluation saw.
        chunk_coordinates: at most so many coordinates a run.

    Returns:
        Requests over disjoint coordinates, sorted by purl.
    """
    wanted: dict[str, Coordinate] = {}
    naming: dict[str, list[str]] = {}
    for project in projects:
        is_changed = cursor.records.get(project.key) != project.digest
        for coordinate in project.coordinates:
            purl = coordinate.purl
            naming.setdefault(purl, []).append(project.digest)
            state = states.get(purl)
            if state in SETTLED_STATES or purl in under_way or (state == State.FAILED and not is_changed):
                continue
            wanted[purl] = coordinate
    purls = sorted(wanted)
    requests = []
    for start in range(0, len(purls), max(1, chunk_coordinates)):
        chunk = purls[start : start + max(1, chunk_coordinates)]
        requests.append(Request(_key(chunk, naming), tuple(wanted[purl] for purl in chunk)))
    return requests


def _key(purls: Iterable[str], naming: Mapping[str, Sequence[str]]) -> str:
    lines = [f"{purl} {' '.join(sorted(naming[purl]))}" for purl in purls]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]
