"""JVM libraries as an ecosystem.

Here: which of the ways to a library's sources serves a request. Not here: the ways themselves (maven_cached,
maven_archive, maven_fetch, standard_library).
"""

from __future__ import annotations

from depcodex.lockfiles.jvm_caches import JvmCaches
from depcodex.lockfiles.standard_library import is_standard_library
from depcodex_assets.ecosystems.interface import (
    Ecosystem,
    Fetcher,
    HarvestParameters,
    HarvestRequest,
    InPlace,
    SourceTree,
)
from depcodex_assets.ecosystems.maven_archive import read_archive
from depcodex_assets.ecosystems.maven_cached import read_cached, read_local
from depcodex_assets.ecosystems.standard_library import read_standard_library


def _open_in_place(parameters: HarvestParameters) -> InPlace:
    caches = JvmCaches.of()

    def in_place(request: HarvestRequest) -> SourceTree | None:
        if is_standard_library(request.coordinate):
            # No repository has it: where it is not on this machine, that is the answer.
            return read_standard_library(request, parameters.limits)
        if request.location:
            return read_local(request, parameters.limits)
        if request.coordinate.checksum:
            return None
        return read_cached(request, caches, parameters.limits, is_offline=parameters.is_offline)

    return in_place


def _load_fetcher() -> Fetcher:
    from depcodex_assets.ecosystems.maven_fetch import MavenFetcher

    return MavenFetcher()


MAVEN = Ecosystem("maven", "Java or Kotlin", _open_in_place, read_archive, _load_fetcher)
