"""One entry of a yarn.lock, the same for yarn classic and yarn berry.

Here: the shape, and which entry a dependency means. Not here: either syntax (depcodex.lockfiles.yarn_classic,
depcodex.lockfiles.yarn_berry), closures (depcodex.lockfiles.yarn).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from depcodex.lockfiles.npm_names import split_at_version

_RESOLUTION_PATTERN = re.compile(r"(?:^|/)((?:@[^/@]+/)?[^/@]+)(?:@(?:npm:)?[^/]*)?$")


@dataclass(frozen=True)
class YarnEntry:
    """One package of a yarn.lock.

    Attributes:
        patterns: ``name@range`` of everyone who gets this entry; at least one.
        name: the package's own name, also where the patterns give it another.
        version: "" where the lock has none.
        origin: as ``npm_names.origin_of`` has it; "" for a registry's.
        folder: of its tree, below the lock's folder; None where no folder is meant.
        member: path of the workspace member that it is; "" for all others.
        digests: of its archive.
        dependencies: name → range.
        optional: the names among them that may be missing, where the lock does not say on which machines.
        peers: name → range.
        conditions: the machines that it is for, as berry writes them; "" for all.
        is_patched: the project changes what the release holds.
    """

    patterns: tuple[str, ...]
    name: str
    version: str
    origin: str = ""
    folder: str | None = None
    member: str = ""
    digests: tuple[str, ...] = ()
    dependencies: Mapping[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    peers: Mapping[str, str] = field(default_factory=dict)
    conditions: str = ""
    is_patched: bool = False

    @property
    def key(self) -> str:
        """What tells it from the other entries of one lock."""
        return self.patterns[0]


class YarnIndex:
    """The entries of one lock by what is asked for."""

    def __init__(self, entries: Iterable[YarnEntry], resolutions: Mapping[str, str]) -> None:
        self._by_pattern: dict[str, YarnEntry] = {}
        self._by_name: dict[str, list[YarnEntry]] = {}
        for entry in entries:
            for pattern in entry.patterns:
                self._by_pattern.setdefault(pattern, entry)
            for name in {split_at_version(pattern)[0] for pattern in entry.patterns}:
                self._by_name.setdefault(name, []).append(entry)
        # `parent/name`, `**/name` and `name@range` are patterns too; only the name at the end is compared.
        self._resolutions: dict[str, list[str]] = {}
        for pattern, specifier in resolutions.items():
            self._resolutions.setdefault(_resolved_name(pattern), []).append(specifier)

    def find(self, name: str, specifier: str) -> YarnEntry | None:
        """The entry that serves ``name`` asked for with ``specifier``, or None.

        A ``resolutions`` field of the project overrules what dependencies ask for, and the lock shows only what came of
        it: then the entry that the field names counts, else the only one of that name.
        """
        for each in (specifier, f"npm:{specifier}"):
            entry = self._by_pattern.get(f"{name}@{each}")
            if entry is not None:
                return entry
        for override in self._resolutions.get(name, ()):
            for each in (override, f"npm:{override}"):
                entry = self._by_pattern.get(f"{name}@{each}")
                if entry is not None:
                    return entry
        named = self._by_name.get(name, ())
        return named[0] if len(named) == 1 else None


def _resolved_name(pattern: str) -> str:
    """The name at the end of a pattern of ``resolutions``.

    Example:
        >>> [_resolved_name(each) for each in ("a", "**/a", "b@npm:1/@s/a", "@s/a", "a@npm:^1")]
        ['a', 'a', '@s/a', '@s/a', 'a']
    """
    match = _RESOLUTION_PATTERN.search(pattern)
    return match[1] if match else ""
