"""Peers where each asker has its own: one entry of a lock is as many packages as it has sets of peers.

Here: which copies of an entry there are, and what each asks for. Not here: locks (depcodex.lockfiles.yarn,
depcodex.lockfiles.bun); pnpm's lock has the copies in it, npm's a place for each.

Spec: yarn's documentation, "Peer dependencies" and "Virtual packages"; bun's, "Isolated installs". A peer is what the
asking package's own asker has under that name; where that one has it as a peer itself, what its asker has, and so on up
to the workspace. Two copies are one where their peers are the same entries, whatever those entries' own peers are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from depcodex.lockfiles.npm_graph import Asked

# Peers of peers multiply; a lock with more copies is hostile, and its further copies are its entries themselves.
MAX_COPIES = 20_000


@dataclass(frozen=True)
class Peered:
    """An entry of a lock: its key, the package's name, and the names of peers that it does not ask for itself."""

    key: str
    name: str
    peers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Copy:
    """One copy of an entry: ``key`` tells it from the others; ``peers`` is peer → (entry's key, copy's key)."""

    key: str
    entry: Peered
    peers: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class PeerTree:
    """The copies that the members of one workspace lead to."""

    def __init__(self, entries: Iterable[Peered], asks: Callable[[str], Iterable[Asked]]) -> None:
        """Start without copies.

        Args:
            entries: of the lock, members apart.
            asks: what the entry of a key asks for, targets by their keys; a peer in it counts where no asker has it.
        """
        self._entries = {entry.key: entry for entry in entries}
        self._asks = asks
        self._asked: dict[str, tuple[Asked, ...]] = {}
        self.copies: dict[str, Copy] = {}
        self.edges: dict[str, tuple[Asked, ...]] = {}

    def grow(self, asked: Iterable[Asked]) -> tuple[Asked, ...]:
        """What a member asks for, with the copies that it gets as targets; these and all below them are added."""
        found, waiting = self._copied(tuple(asked), {}, None)
        while waiting:
            copy = waiting.pop()
            if copy.key in self.edges:
                continue
            rest = tuple(each for each in self._asks_of(copy.entry.key) if each.name not in copy.peers)
            edges, below = self._copied(rest, copy.peers, copy)
            peers = (Asked(name, key) for name, (_, key) in copy.peers.items() if key != copy.key)
            self.edges[copy.key] = (*edges, *peers)
            waiting += below
        return found

    def keys_of(self, entries: Iterable[str]) -> Iterator[tuple[str, str]]:
        """(key, entry's key) of every copy, and of the given entries that nothing led to as they are."""
        copied = {copy.entry.key for copy in self.copies.values()}
        yield from ((key, key) for key in entries if key not in copied)
        yield from ((key, copy.entry.key) for key, copy in self.copies.items())

    def _asks_of(self, key: str) -> tuple[Asked, ...]:
        if key not in self._asked:
            self._asked[key] = tuple(self._asks(key))
        return self._asked[key]

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
                own = {name: offered[name] for name in entry.peers if name in offered}
                self.copies[key] = Copy(key, entry, own)
                new.append(self.copies[key])
        return tuple(Asked(each.name, keys[each.target], each.left_out) for each in asked), new

    def _key(self, target: str, offered: Mapping[str, tuple[str, str]]) -> str:
        entry = self._entries.get(target)
        names = sorted(name for name in entry.peers if name in offered) if entry is not None else []
        if not names or len(self.copies) >= MAX_COPIES:
            return target
        return "\n".join([target, *(f"{name} {offered[name][0]}" for name in names)])
