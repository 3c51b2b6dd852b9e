"""Go's module paths and versions: what is one, which of two versions is higher, how a cache writes them.

Here: pure functions over strings. Not here: files that hold them.

Spec: the Go modules reference, "Module paths", "Versions", "Pseudo-versions" and "Module cache"; golang.org/x/mod
packages module and semver; Semantic Versioning 2.0.0, clause 11.
"""

from __future__ import annotations

import re

_SEMVER_PATTERN = re.compile(
    r"v(?P<major>0|[1-9]\d{0,18})\.(?P<minor>0|[1-9]\d{0,18})\.(?P<patch>0|[1-9]\d{0,18})"
    r"(?:-(?P<pre>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+(?P<build>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)
# A path element; the go command takes no other characters in a module's path.
_ELEMENT_PATTERN = re.compile(r"[A-Za-z0-9._~-]+")
_GOPKG_PATTERN = re.compile(r"(?P<prefix>gopkg\.in/.+)\.(?P<major>v\d+)(?:-unstable)?")
_SLASH_MAJOR_PATTERN = re.compile(r"(?P<prefix>.+)/(?P<major>v(?:[2-9]|[1-9]\d+))")


def is_version(text: str) -> bool:
    """Whether a text is a full version; branches, commits and ``v1.2`` are none.

    Example:
        >>> [is_version(each) for each in ("v1.2.3", "v0.0.0-20210630005230-0f9fa26af87c", "v1.2", "master")]
        [True, True, False, False]
    """
    return _SEMVER_PATTERN.fullmatch(text) is not None


def is_module_path(text: str) -> bool:
    """Whether a text can be a module's path.

    Example:
        >>> is_module_path("github.com/google/uuid"), is_module_path("not a path"), is_module_path("a//b")
        (True, False, False)
    """
    elements = text.split("/")
    return len(text) <= 300 and all(
        _ELEMENT_PATTERN.fullmatch(each) is not None and each.strip(".") != "" for each in elements
    )


def major_of(path: str) -> tuple[str, str]:
    """A module path without its major version, and that version: ``v2`` … or "" where the path names none.

    Example:
        >>> major_of("github.com/jackc/pgx/v5"), major_of("gopkg.in/yaml.v3"), major_of("a.org/b")
        (('github.com/jackc/pgx', 'v5'), ('gopkg.in/yaml', 'v3'), ('a.org/b', ''))
    """
    pattern = _GOPKG_PATTERN if path.startswith("gopkg.in/") else _SLASH_MAJOR_PATTERN
    match = pattern.fullmatch(path)
    return (match["prefix"], match["major"]) if match else (path, "")


def is_version_of(path: str, version: str) -> bool:
    """Whether a version can be one of a module: the major versions agree.

    Example:
        >>> is_version_of("a.org/b/v2", "v2.1.0"), is_version_of("a.org/b/v2", "v1.0.0")
        (True, False)
        >>> is_version_of("a.org/b", "v4.0.0+incompatible"), is_version_of("a.org/b", "v4.0.0")
        (True, False)
    """
    match = _SEMVER_PATTERN.fullmatch(version)
    if match is None:
        return False
    major = major_of(path)[1]
    if major:
        # gopkg.in lets a pseudo-version of v0.0.0 stand for any of its branches.
        return f"v{match['major']}" == major or (path.startswith("gopkg.in/") and version.startswith("v0.0.0-"))
    return match["major"] in ("0", "1") or match["build"] == "incompatible"


def version_key(version: str) -> tuple[object, ...]:
    """A key that sorts versions as minimal version selection compares them; what is no version comes first.

    Example:
        >>> sorted(["v1.10.0", "v1.9.0", "v1.10.0-rc.1"], key=version_key)
        ['v1.9.0', 'v1.10.0-rc.1', 'v1.10.0']
    """
    match = _SEMVER_PATTERN.fullmatch(version)
    if match is None:
        return (-1, 0, 0, 0, ())
    numbers = tuple(int(match[name]) for name in ("major", "minor", "patch"))
    pre = match["pre"]
    if pre is None:
        return (*numbers, 1, ())
    # Numbers come before words, and by their value.
    parts = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in pre.split("."))
    return (*numbers, 0, parts)


def escaped(text: str) -> str:
    """A path or version as the module cache and the proxies write it: an upper-case letter becomes ``!`` and itself.

    Example:
        >>> escaped("github.com/BurntSushi/toml")
        'github.com/!burnt!sushi/toml'
    """
    return re.sub(r"[A-Z]", lambda match: f"!{match[0].lower()}", text)
