"""What the machine's inbox asks for: recorded coordinates, and where each may be harvested.

Here: joining all projects' records into requests, and keying edited installs by checksum. Not here: reading lock files
(depcodex.lockfiles), fetching (depcodex_assets.ecosystems).
"""

from __future__ import annotations

from collections.abc import Sequence

from depcodex import records
from depcodex.closure import ProjectRecord, rekey
from depcodex.coordinates import Coordinate
from depcodex.settings import Settings
from depcodex_assets.ecosystems.interface import HarvestRequest
from depcodex_assets.ecosystems.pypi_installed import rekeyed


def settle_record(settings: Settings, record: ProjectRecord) -> ProjectRecord:
    """The record with every edited installed package keyed by its checksum, written back if that changed it.

    One project must not write another's answers: a package whose files differ from its RECORD answers the project that
    has it, under a coordinate of its own.
    """
    changed: dict[Coordinate, Coordinate] = {}
    for member in record.members:
        if member.site_packages:
            changed.update(rekeyed(member.dependencies, member.site_packages))
    if not changed:
        return record
    settled = rekey(record, changed)
    records.write_record(settings, settled)
    return settled


def recorded_coordinates(settings: Settings) -> list[Coordinate]:
    """Every coordinate of every readable record, sorted by purl, edited installs keyed by checksum."""
    found: dict[str, Coordinate] = {}
    for record in records.read_all(settings):
        for row in settle_record(settings, record).union():
            found[row.coordinate.purl] = row.coordinate
    return [found[purl] for purl in sorted(found)]


def harvest_requests(settings: Settings, coordinates: Sequence[Coordinate]) -> list[HarvestRequest]:
    """One request for each coordinate, in order, with all that the records know of it.

    A coordinate that no record names is asked of the ecosystem's client alone.
    """
    wanted = set(coordinates)
    digests: dict[Coordinate, set[str]] = {}
    location: dict[Coordinate, str] = {}
    folders: dict[Coordinate, dict[str, None]] = {}
    sources: dict[Coordinate, dict[str, None]] = {}
    yanked: set[Coordinate] = set()
    for record in sorted(records.read_all(settings), key=lambda each: each.project):
        for member in record.members:
            for row in member.dependencies:
                if row.coordinate not in wanted:
                    continue
                digests.setdefault(row.coordinate, set()).update(row.digests)
                if row.location:
                    location.setdefault(row.coordinate, row.location)
                folders.setdefault(row.coordinate, {}).update(dict.fromkeys(member.site_packages))
                sources.setdefault(row.coordinate, {}).update(dict.fromkeys(member.source_folders))
                if row.is_yanked:
                    yanked.add(row.coordinate)
    return [
        HarvestRequest(
            coordinate=each,
            digests=tuple(sorted(digests.get(each, ()))),
            location=location.get(each, ""),
            site_packages=tuple(folders.get(each, ())),
            is_yanked=each in yanked,
            source_folders=tuple(sources.get(each, ())),
        )
        for each in coordinates
    ]
