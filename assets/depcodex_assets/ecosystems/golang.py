"""Go modules as an ecosystem.

Here: which of the ways to a module's sources serves a request. Not here: the ways themselves (golang_local,
golang_archive, golang_fetch, standard_library).
"""

from __future__ import annotations

from depcodex.lockfiles.standard_library import is_standard_library
from depcodex_assets.ecosystems.golang_archive import read_archive
from depcodex_assets.ecosystems.golang_local import GoPlaces, read_in_place
from depcodex_assets.ecosystems.interface import (
    Ecosystem,
    Fetcher,
    HarvestParameters,
    HarvestRequest,
    InPlace,
    SourceTree,
)
from depcodex_assets.ecosystems.standard_library import read_standard_library


def _open_in_place(parameters: HarvestParameters) -> InPlace:
    places = GoPlaces(parameters.limits)

    def in_place(request: HarvestRequest) -> SourceTree | None:
        if is_standard_library(request.coordinate):
            # No proxy has it: where it is not on this machine, that is the answer.
            return read_standard_library(request, parameters.limits)
        return read_in_place(request, places)

    return in_place


def _load_fetcher() -> Fetcher:
    from depcodex_assets.ecosystems.golang_fetch import GoFetcher

    return GoFetcher()


GOLANG = Ecosystem("golang", "Go", _open_in_place, read_archive, _load_fetcher)
