"""Peers of yarn berry's packages: one entry of the lock is as many packages as it has sets of peers.

Here: which copies of an entry there are, and what each asks for. Not here: the lock, members, closures
(depcodex.lockfiles.yarn).

Spec: yarn's documentation, "Peer dependencies" and "Virtual packages". A peer is what the asking package's own asker
has under that name; where that one has it as a peer itself, what its asker has, and so on up to the workspace. Two
copies are one where their peers are the same entries, whatever those entries' own peers are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from depcodex.lockfiles.npm_graph import Asked
from depcodex.lockfiles.yarn_entries import YarnEntry

# Peers of peers multiply; a lock with more copies is hostile, and its further copies are its entries themselves.
MAX_COPIES = 50_000


@dataclass(frozen=True)
class Copy:
    """One copy of an entry: ``key`` tells it from the others; ``peers`` is peer → (entry's key, copy's key)."""

    key: str
    entry: YarnEntry
    peers: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class PeerTree:
    """The copies that the members of one workspace lead to."""

    def __init__(self, entries: Mapping[str, YarnEntry], asks: Callable[[YarnEntry], tuple[Asked, ...]]) -> None:
        """``entries`` by their keys; ``asks`` says what an entry asks for, peers apart, targets by their keys."""
        self._entries = entries
        self._asks = asks
        self._asked: dict[str, tuple[Asked, ...]] = {}
        self.copies: dict[str, Copy] = {}
        self.edges: dict[str, tuple[Asked, ...]] = {}

    def grow(self, asked: tuple[Asked, ...], peers: Mapping[str, tuple[str, str]] | None = None) -> tuple[Asked, ...]:
        """What a member asks for, with the copies that it gets as targets; these and all below them are added."""
        found, waiting = self._copied(asked, peers or {}, None)
        while waiting:
            copy = waiting.pop()
            if copy.key in self.edges:
                continue
            edges, below = self._copied(self._asks_of(copy.entry), copy.peers, copy)
            self.edges[copy.key] = (*edges, *_peer_edges(copy))
            waiting += below
        return found

    def _asks_of(self, entry: YarnEntry) -> tuple[Asked, ...]:
        if entry.key not in self._asked:
            self._asked[entry.key] = self._asks(entry)
        return self._asked[entry.key]

    def _copied(
        self, asked: tuple[Asked, ...], peers: Mapping[str, tuple[str, str]], asker: Copy | None
    ) -> tuple[tuple[Asked, ...], list[Copy]]:
        """What somebody asks for and the copies that are new by it."""
        offered = dict(peers)
        offered.update({each.name: (each.target, "") for each in asked if not each.left_out})
        if asker is not None:
            offered.setdefault(asker.entry.name, (asker.entry.key, asker.key))
        # First the copies' keys, which only need entries; then what each copy's peers are.
        keys = {each.target: self._key(each.target, offered) for each in asked}
        offered = {name: (key, copy or keys.get(key, key)) for name, (key, copy) in offered.items()}
        new = []
        for target, key in keys.items():
            entry = self._entries.get(target)
            if entry is not None and key not in self.copies:
                self.copies[key] = Copy(
                    key, entry, {name: offered[name] for name in _own_peers(entry) if name in offered}
                )
                new.append(self.copies[key])
        return tuple(Asked(each.name, keys[each.target], each.left_out) for each in asked), new

    def _key(self, target: str, offered: Mapping[str, tuple[str, str]]) -> str:
        entry = self._entries.get(target)
        names = sorted(name for name in _own_peers(entry) if name in offered) if entry is not None else []
        if not names or len(self.copies) >= MAX_COPIES:
            return target
        return "\n".join([target, *(f"{name} {offered[name][0]}" for name in names)])


def _own_peers(entry: YarnEntry) -> Iterator[str]:
    return (name for name in entry.peers if name not in entry.dependencies)


def _peer_edges(copy: Copy) -> Iterator[Asked]:
    return (Asked(name, key) for name, (_, key) in copy.peers.items() if key != copy.key)
