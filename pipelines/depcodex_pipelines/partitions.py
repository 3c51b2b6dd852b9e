"""The one partition dimension: coordinates, added as projects record them.

Here: the definition, and turning keys into coordinates. Not here: which coordinates there are
(depcodex_assets.recorded), when they are added (depcodex_pipelines.sensors, depcodex_pipelines.index_run).

A key is the canonical package URL. Dagster checks no dynamic keys, and reads ``...`` in one as a range: Coordinate
refuses it (measured at dagster 1.13.27).
"""

from __future__ import annotations

from collections.abc import Iterable

import dagster as dg

from depcodex.coordinates import Coordinate

PARTITIONS_NAME = "coordinates"

coordinate_partitions = dg.DynamicPartitionsDefinition(name=PARTITIONS_NAME)


def coordinates_of(keys: Iterable[str]) -> list[Coordinate]:
    """The coordinates of partition keys, sorted by purl, each once.

    Raises:
        CoordinateError: a key is no package URL; it was added by hand.

    Example:
        >>> [each.name for each in coordinates_of(["pkg:pypi/b@1", "pkg:pypi/a@1", "pkg:pypi/b@1"])]
        ['a', 'b']
    """
    return sorted({Coordinate.parse(key) for key in keys}, key=lambda each: each.purl)


def register_coordinates(instance: dg.DagsterInstance, coordinates: Iterable[Coordinate]) -> None:
    """Adds the coordinates as partitions where they are missing."""
    wanted = [each.purl for each in coordinates]
    known = set(instance.get_dynamic_partitions(PARTITIONS_NAME))
    missing = [purl for purl in wanted if purl not in known]
    if missing:
        instance.add_dynamic_partitions(PARTITIONS_NAME, missing)
