"""What a JavaScript project itself names: the dependencies and workspaces of its package.json.

Here: package.json read to one shape, and the folders that its workspace patterns mean. Not here: lock files, pnpm's
workspace file (its lock carries the members).

Spec: npm's documentation, "package.json" and "workspaces"; yarn classic's ``workspaces.packages`` and ``resolutions``.

What the project's root names in ``dependencies``, ``devDependencies``, ``optionalDependencies`` and
``peerDependencies`` is declared, without any group being asked for: a JavaScript project imports its build and test
tools by name as it does the rest. A dependency's own devDependencies never count.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import parse_json, read_text

MANIFEST_NAME = "package.json"
# Workspace patterns are short; a hostile one must not walk a whole disk.
_MAX_WALKED_FOLDERS = 20_000
_MAX_BRACE_ALTERNATIVES = 64
_MAX_PATTERN_CHARACTERS = 1_000
_BRACES_PATTERN = re.compile(r"\{([^{}]*,[^{}]*)\}")


@dataclass(frozen=True)
class NpmManifest:
    """One package.json.

    Attributes:
        name, version: as stated, else "".
        main, dev, optional, peer: name → specifier.
        optional_peers: names of peers that need not be there.
        workspaces: patterns of the members' folders.
        resolutions: yarn's ``resolutions``: name or pattern → specifier.
    """

    name: str = ""
    version: str = ""
    main: Mapping[str, str] = field(default_factory=dict)
    dev: Mapping[str, str] = field(default_factory=dict)
    optional: Mapping[str, str] = field(default_factory=dict)
    peer: Mapping[str, str] = field(default_factory=dict)
    optional_peers: frozenset[str] = frozenset()
    workspaces: tuple[str, ...] = ()
    resolutions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> NpmManifest:
        """The manifest in a package.json, or in the row that a lock keeps of one.

        Raises:
            TypeError, AttributeError: a field is of the wrong type (``documents.guarded`` translates).
        """
        meta = row.get("peerDependenciesMeta") or {}
        workspaces = row.get("workspaces") or ()
        if isinstance(workspaces, Mapping):
            workspaces = workspaces.get("packages") or ()
        if isinstance(workspaces, str):
            workspaces = (workspaces,)
        return cls(
            _text(row.get("name")),
            _text(row.get("version")),
            specifiers(row, "dependencies"),
            specifiers(row, "devDependencies"),
            specifiers(row, "optionalDependencies"),
            specifiers(row, "peerDependencies"),
            frozenset(name for name, about in meta.items() if isinstance(about, Mapping) and about.get("optional")),
            tuple(_text(each) for each in workspaces),
            specifiers(row, "resolutions"),
        )

    def asked(self, *, is_root: bool) -> Iterator[tuple[str, str, bool]]:
        """(name, specifier, whether it is optional) of what it asks for, each name once; devDependencies of a root."""
        seen: set[str] = set()
        groups = [(self.optional, True), (self.main, False), *([(self.dev, False)] if is_root else [])]
        for group, is_optional in [*groups, (self.peer, False)]:
            for name, specifier in group.items():
                if name not in seen:
                    seen.add(name)
                    yield name, specifier, is_optional or (group is self.peer and name in self.optional_peers)


def specifiers(row: Mapping[str, Any], key: str) -> dict[str, str]:
    """The name → specifier mapping under ``key``; what is absent, null or empty is empty.

    Raises:
        TypeError: something else stands there.
    """
    value = row.get(key) or {}
    if not isinstance(value, Mapping):
        raise TypeError(key)
    # npm 6 wrote `true` or `false` where it knew no range.
    return {_text(name): specifier if isinstance(specifier, str) else "" for name, specifier in value.items()}


def _text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("expected a string")
    return value


def read_manifest(folder: Path, error: type[LockfileError]) -> NpmManifest | None:
    """The folder's package.json, or None where it has none.

    Raises:
        LockfileError: ``error``; it cannot be read.
    """
    path = folder / MANIFEST_NAME
    if not path.is_file():
        return None
    document = parse_json(read_text(path, error), path, error)
    try:
        return NpmManifest.of(document)
    except (TypeError, AttributeError) as problem:
        raise error(path, "a field is of the wrong type") from problem


def workspace_folders(root: Path, patterns: Iterable[str]) -> tuple[str, ...]:
    """Paths below ``root`` (with ``/``, sorted) of folders with a package.json that the patterns mean.

    Args:
        root: the workspace's root.
        patterns: as in package.json; ``!`` takes away again.
    """
    expanded = [each for pattern in patterns for each in _alternatives(pattern)]
    return tuple(sorted(path for path in _manifest_folders(root, expanded) if is_member(path, expanded)))


def is_member(path: str, patterns: Iterable[str]) -> bool:
    """Whether a folder's path below the root is meant by workspace patterns.

    Example:
        >>> is_member("packages/a", ["packages/*"]), is_member("packages/a/b", ["packages/*"])
        (True, False)
        >>> is_member("apps/x/y", ["apps/**", "!apps/x/*"])
        False
    """
    found = False
    for pattern in patterns:
        for each in _alternatives(pattern):
            is_negated = each.startswith("!")
            if _matches(_segments(each.lstrip("!")), path.split("/")):
                found = not is_negated
    return found


def _alternatives(pattern: str) -> list[str]:
    """The pattern with ``{a,b}`` written out."""
    waiting = [pattern] if len(pattern) <= _MAX_PATTERN_CHARACTERS else []
    done: list[str] = []
    while waiting and len(waiting) + len(done) < _MAX_BRACE_ALTERNATIVES:
        each = waiting.pop()
        match = _BRACES_PATTERN.search(each)
        if match is None:
            done.append(each)
        else:
            waiting += [each[: match.start()] + word + each[match.end() :] for word in match[1].split(",")]
    return done[::-1]


def _segments(pattern: str) -> list[str]:
    return [each for each in pattern.split("/") if each not in ("", ".")]


def _matches(pattern: list[str], path: list[str]) -> bool:
    # Row by row, so that several `**` cannot take exponential time.
    reached = {0}
    for segment in pattern:
        if segment == "**":
            reached = set(range(min(reached), len(path) + 1)) if reached else set()
        else:
            reached = {at + 1 for at in reached if at < len(path) and fnmatch.fnmatchcase(path[at], segment)}
    return len(path) in reached


def _manifest_folders(root: Path, patterns: list[str]) -> Iterator[str]:
    wanted = [_segments(each) for each in patterns if not each.startswith("!")]
    if not wanted:
        return
    deepest = max(len(each) for each in wanted) if not any("**" in each for each in wanted) else 12
    waiting = [("", 0)]
    walked = 0
    while waiting and walked < _MAX_WALKED_FOLDERS:
        prefix, depth = waiting.pop()
        walked += 1
        try:
            with os.scandir(root / prefix) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if prefix and entry.name == MANIFEST_NAME and entry.is_file():
                yield prefix
            is_walked = not entry.name.startswith(".") and entry.name != "node_modules"
            if depth < deepest and is_walked and entry.is_dir(follow_symlinks=False):
                waiting.append((f"{prefix}/{entry.name}" if prefix else entry.name, depth + 1))
