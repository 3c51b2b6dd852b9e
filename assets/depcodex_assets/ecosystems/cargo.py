"""Crates as an ecosystem.

Here: the row of the table. Not here: the ways to a crate's sources (cargo_local, cargo_archive, cargo_fetch).
"""

from __future__ import annotations

from depcodex_assets.ecosystems.cargo_archive import read_archive
from depcodex_assets.ecosystems.cargo_local import open_in_place
from depcodex_assets.ecosystems.interface import Ecosystem, Fetcher


def _load_fetcher() -> Fetcher:
    from depcodex_assets.ecosystems.cargo_fetch import CargoFetcher

    return CargoFetcher()


CARGO = Ecosystem("cargo", "Rust", open_in_place, read_archive, _load_fetcher)
