"""Python packages as an ecosystem.

Here: which of the ways to a Python package's sources serves a request. Not here: the ways themselves (local_tree,
pypi_installed, pypi_archive, pypi_fetch, standard_library).
"""

from __future__ import annotations

from depcodex.lockfiles.standard_library import is_standard_library
from depcodex_assets.ecosystems.interface import (
    Ecosystem,
    Fetcher,
    HarvestParameters,
    HarvestRequest,
    InPlace,
    SourceTree,
)
from depcodex_assets.ecosystems.local_tree import read_local
from depcodex_assets.ecosystems.pypi_archive import read_archive
from depcodex_assets.ecosystems.pypi_installed import InstalledPackages, read_installed
from depcodex_assets.ecosystems.standard_library import read_standard_library


def _open_in_place(parameters: HarvestParameters) -> InPlace:
    packages = InstalledPackages()

    def in_place(request: HarvestRequest) -> SourceTree | None:
        if is_standard_library(request.coordinate):
            # No registry has it: where it is not on this machine, that is the answer.
            return read_standard_library(request, parameters.limits)
        if request.location:
            return read_local(request, parameters.limits)
        return read_installed(request, packages, parameters.limits)

    return in_place


def _load_fetcher() -> Fetcher:
    from depcodex_assets.ecosystems.pypi_fetch import PipFetcher

    return PipFetcher()


PYPI = Ecosystem("pypi", "Python", _open_in_place, read_archive, _load_fetcher)
