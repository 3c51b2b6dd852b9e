"""npm packages as an ecosystem.

Here: which of the ways to an npm package's sources serves a request. Not here: the ways themselves (npm_installed,
npm_cache, npm_archive, npm_fetch).

A tree at the request's own location first; then npm's cache on this machine, where the user's registry said which bytes
the version is; then, only where nothing may be fetched, the project's own node_modules: it has no digests of its files,
so what comes out of it is never labelled as verified, and where a tarball can be had it is not asked.
"""

from __future__ import annotations

from datetime import UTC, datetime

from depcodex_assets.ecosystems.interface import (
    Ecosystem,
    Fetcher,
    HarvestParameters,
    HarvestRequest,
    InPlace,
    SourceTree,
)
from depcodex_assets.ecosystems.npm_archive import read_archive, read_tarball
from depcodex_assets.ecosystems.npm_cache import NpmCache
from depcodex_assets.ecosystems.npm_installed import InstalledModules, read_installed, read_local


def _open_in_place(parameters: HarvestParameters) -> InPlace:
    cache = NpmCache()
    installed = InstalledModules()

    def in_place(request: HarvestRequest) -> SourceTree | None:
        if request.location:
            return read_local(request, parameters.limits)
        if request.coordinate.checksum:
            return None
        cached = cache.tarball(request)
        if cached is not None:
            today = datetime.now(UTC).date()
            return read_tarball(
                cached.path, request.coordinate, parameters.limits, today, digest=cached.digest, is_verified=True
            )
        if parameters.is_offline:
            return read_installed(request, installed, parameters.limits)
        return None

    return in_place


def _load_fetcher() -> Fetcher:
    from depcodex_assets.ecosystems.npm_fetch import NpmFetcher

    return NpmFetcher()


NPM = Ecosystem("npm", "JavaScript", _open_in_place, read_archive, _load_fetcher)
