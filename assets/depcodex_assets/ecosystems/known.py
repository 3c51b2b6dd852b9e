"""The ecosystems that can be indexed, and the fetcher that asks each one's own client.

Here: the table, one row an ecosystem. Not here: any ecosystem's ways.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from depcodex.errors import FetchError
from depcodex_assets.ecosystems.cargo import CARGO
from depcodex_assets.ecosystems.golang import GOLANG
from depcodex_assets.ecosystems.interface import Ecosystem, Fetched, Fetcher, HarvestParameters, HarvestRequest
from depcodex_assets.ecosystems.maven import MAVEN
from depcodex_assets.ecosystems.npm import NPM
from depcodex_assets.ecosystems.pypi import PYPI

ECOSYSTEMS: Mapping[str, Ecosystem] = {each.type: each for each in (PYPI, NPM, MAVEN, CARGO, GOLANG)}


class EcosystemFetcher:
    """A Fetcher that hands each request to its own ecosystem's client, one ecosystem after the other.

    Args:
        fetchers: clients by package URL type, loaded on first use; those of ``ECOSYSTEMS`` where none are given.
    """

    def __init__(self, fetchers: Mapping[str, Callable[[], Fetcher]] | None = None) -> None:
        self._fetchers = (
            {each.type: each.load_fetcher for each in ECOSYSTEMS.values()} if fetchers is None else fetchers
        )

    def fetch(
        self, requests: Sequence[HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Generator[Fetched, None, None]:
        """As ``Fetcher.fetch``; each client gets a folder of its own."""
        by_type: dict[str, list[HarvestRequest]] = {}
        for request in requests:
            by_type.setdefault(request.coordinate.type, []).append(request)
        for type_, asked in by_type.items():
            load = self._fetchers.get(type_)
            if load is None:
                for request in asked:
                    yield Fetched(request.coordinate, error=FetchError(f"no client for packages of type {type_}"))
                continue
            own = folder / type_
            own.mkdir(mode=0o700)
            with closing(load().fetch(asked, own, parameters)) as brought:
                yield from brought
