"""What stands behind a project's answers: its coordinates, their states, and sizes on disk.

Here: the frozen dataclasses, their JSON, and one coordinate's row. Not here: reading the store (depcodex.query),
showing it to a person (depcodex.render).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from depcodex.abstentions import Abstention
from depcodex.answers import Freshness
from depcodex.resolution import NEVER_REGISTERED, AskingClosure


@dataclass(frozen=True)
class CoordinateStatus:
    """One coordinate of the closure, as `depcodex status` shows it.

    Attributes:
        state: a State, ``never_registered``, ``held`` or ``excluded``.
        reason: one line, or None.
        scope: the narrowest scope that contains it.
        is_in_scope: the project's questions see it.
        file_count, file_error_count: source files, and those of them that could not be read whole.
    """

    purl: str
    state: str
    reason: str | None
    scope: str
    is_in_scope: bool
    distance: int | None
    as_of: str | None
    file_count: int
    file_error_count: int
    entry_count: int
    documented_count: int
    withheld_count: int
    refused_name_count: int
    is_verified: bool
    is_yanked: bool
    rewriter: str | None


@dataclass(frozen=True)
class Status:
    """What stands behind a project's answers.

    Attributes:
        freshness: as in every answer.
        coordinates: the whole closure, sorted by purl.
        store_bytes: size of the public store on disk.
        snapshot_bytes: size of this closure's snapshots.
        abstention: set where there is no closure or no index.
    """

    project: str
    freshness: Freshness
    coordinates: tuple[CoordinateStatus, ...]
    store_bytes: int
    snapshot_bytes: int
    abstention: Abstention | None = None

    def to_json(self) -> dict[str, object]:
        """One object for `depcodex status --json`."""
        return {
            "project": self.project,
            "freshness": self.freshness.to_json(),
            "coordinates": [asdict(each) for each in self.coordinates],
            "entries": sum(each.entry_count for each in self.coordinates),
            "documented": sum(each.documented_count for each in self.coordinates),
            "withheld": sum(each.withheld_count for each in self.coordinates),
            "store_bytes": self.store_bytes,
            "snapshot_bytes": self.snapshot_bytes,
            "abstention": None if self.abstention is None else self.abstention.to_json(),
        }


def coordinate_status(asking: AskingClosure, purl: str, row: Mapping[str, Any] | None) -> CoordinateStatus:
    """One coordinate's status from its row of the public store, or None where it was never registered."""
    dependency = asking.dependencies[purl]
    known = row or {}
    return CoordinateStatus(
        purl=purl,
        state=asking.hidden.get(purl) or known.get("state", NEVER_REGISTERED),
        reason=known.get("reason"),
        scope=dependency.scope.value,
        is_in_scope=asking.record.scope.covers(dependency.scope),
        distance=dependency.distance,
        as_of=known.get("as_of"),
        file_count=known.get("file_count", 0),
        file_error_count=known.get("file_error_count", 0),
        entry_count=known.get("entry_count", 0),
        documented_count=known.get("documented_count", 0),
        withheld_count=known.get("withheld_count", 0),
        refused_name_count=known.get("refused_name_count", 0),
        is_verified=known.get("is_verified", False),
        is_yanked=known.get("is_yanked", False) or dependency.is_yanked,
        rewriter=known.get("rewriter"),
    )
