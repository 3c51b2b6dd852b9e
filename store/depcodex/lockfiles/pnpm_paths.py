"""Which package a key of pnpm-lock.yaml names, and which key a dependency's reference means.

Here: dependency paths of lock versions 5 to 9. Not here: the lock itself (depcodex.lockfiles.pnpm).

Spec: pnpm's ``dependency-path`` package as of pnpm 6 (5.x), 8 (6.0) and 9 to 12 (9.0), read 2026-12:
``/name/1.0.0_peers`` and ``host/name/1.0.0``, then ``/name@1.0.0(peers)``, then ``name@1.0.0(peers)``.
"""

from __future__ import annotations

from collections.abc import Iterator

from depcodex.lockfiles.npm_names import is_version, split_at_version

# The first lock version whose keys are `name@version` without a slash before them.
_BARE_MAJOR = 9


def without_peers(key: str) -> str:
    """The key without what its peers were resolved to; version 5 writes those into the version (``_peer@1``).

    Example:
        >>> without_peers("react-dom@18.2.0(react@18.2.0)")
        'react-dom@18.2.0'
    """
    return key.partition("(")[0]


def split_path(key: str, major: int) -> tuple[str, str]:
    """Name and rest of a key; ("", "") where only the row's own fields can name the package.

    Raises:
        ValueError: the key is no dependency path.

    Example:
        >>> split_path("/@foo/bar/1.0.0_react@18.0.0", 5), split_path("/foo@1.0.0", 6), split_path("foo@file:a", 9)
        (('@foo/bar', '1.0.0'), ('foo', '1.0.0'), ('foo', 'file:a'))
    """
    path = without_peers(key)
    if path.startswith("file:"):
        return "", ""
    if major >= _BARE_MAJOR:
        name, rest = split_at_version(path)
        if not name or not rest:
            raise ValueError("invalid dependency path")
        return name, rest
    # Without a slash in front the first segment is the host of another registry, or of a repository.
    _, slash, below = path.partition("/")
    if not slash:
        raise ValueError("invalid dependency path")
    parts = below.split("/")
    name = "/".join(parts[:2]) if parts[0].startswith("@") else parts[0]
    after = parts[2:] if parts[0].startswith("@") else parts[1:]
    if not after:
        name, version = split_at_version(name)
        after = [version]
    version = after[0].partition("_")[0]
    return (name, version) if len(after) == 1 and is_version(version) else ("", "")


def possible_keys(name: str, reference: str) -> Iterator[str]:
    """The keys that a reference asked for as ``name`` may mean; the first that the lock has is the one."""
    yield reference
    yield f"{name}@{reference}"
    yield f"/{name}@{reference}"
    yield f"/{name}/{reference}"
