"""Versions compared by their own ecosystem's rules.

Here: order, equality, and what is no version there. Not here: which version answers (depcodex.resolution).

Rules: PEP 440 (PyPI), Semantic Versioning 2.0 (npm, cargo, Go modules), Maven's ComparableVersion. packaging and
univers do the comparing; both are imported on first use, since recording needs neither.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

# semver.org's own pattern, shortened: what univers would else pad or cut ("1.0.0.0.0" becomes "1.0.0+0.0").
_SEMVER_PATTERN = re.compile(
    r"[v=]?(?P<core>(?:0|[1-9]\d{0,17})\.(?:0|[1-9]\d{0,17})\.(?:0|[1-9]\d{0,17})"
    r"(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)(?:\+[0-9A-Za-z.-]+)?"
)
# univers 32.0.1 against maven-artifact 3.8.7, 9,224 pairs: 482 differ as they are, none with these forms.
_MAVEN_RELEASE_PATTERN = re.compile(r"(?i)(?<=[.-])release(?![A-Za-z])")
_MAVEN_QUALIFIER_PATTERN = re.compile(r"(?i)\.(?=[A-Z])(?![abm](?![A-Z\d]))")
_MAX_CHARACTERS = 200


def compare_versions(type: str, one: str, other: str) -> int | None:
    """-1, 0 or 1 as ``one`` is older than, equal to or newer than ``other``.

    Args:
        type: the package URL type whose rules hold.
        one, other: exact versions.

    Returns:
        None where one of the two is no version by these rules; equal texts are equal whatever they are.

    Example:
        >>> compare_versions("cargo", "1.9.0", "1.10.0"), compare_versions("maven", "2.0.0.RC1", "2.0.0.Final")
        (-1, -1)
        >>> compare_versions("npm", "1.0.0", "latest") is None
        True
    """
    if one == other:
        return 0
    first, second = _version(type, one), _version(type, other)
    if first is None or second is None:
        return None
    if first == second:
        return 0
    return -1 if first < second else 1


def is_same_version(type: str, one: str, other: str) -> bool:
    """Whether two texts are one version to an ecosystem.

    Example:
        >>> is_same_version("golang", "1.6.0", "v1.6.0"), is_same_version("pypi", "1.0", "1.0.0")
        (True, True)
    """
    return compare_versions(type, one, other) == 0


def newest_first(type: str, versions: Iterable[str]) -> list[str]:
    """The versions, each once, newest first; what is no version by the rules comes last, by alphabet.

    Example:
        >>> newest_first("npm", ["1.9.0", "latest", "1.10.0", "1.10.0-rc.1"])
        ['1.10.0', '1.10.0-rc.1', '1.9.0', 'latest']
    """
    rows = sorted(set(versions))
    odd = [each for each in rows if _version(type, each) is None]
    known = [each for each in rows if each not in odd]

    def order(one: str, other: str) -> int:
        return compare_versions(type, one, other) or 0

    return [*sorted(known, key=functools.cmp_to_key(order), reverse=True), *odd]


@functools.lru_cache(maxsize=4096)
def _version(type: str, text: str) -> Any:
    """What compares as the version does; None where the text is none."""
    if len(text) > _MAX_CHARACTERS:
        return None
    if type == "pypi":
        return _python_version(text)
    if type == "maven":
        return _maven_version(text)
    match = _SEMVER_PATTERN.fullmatch(text)
    if match is None:
        return None
    from univers.versions import InvalidVersion, SemverVersion

    try:
        # Without what follows `+`: it has no say in precedence.
        return SemverVersion(match["core"])
    except InvalidVersion:
        return None


def _python_version(text: str) -> Any:
    from packaging.version import InvalidVersion, Version

    try:
        return Version(text)
    # ValueError: a number of more digits than Python reads.
    except (InvalidVersion, ValueError):
        return None


def _maven_version(text: str) -> Any:
    # Not univers.versions.MavenVersion: it drops a leading `v`, which Maven does not.
    from univers.maven import Version

    form = _MAVEN_QUALIFIER_PATTERN.sub("-", _MAVEN_RELEASE_PATTERN.sub("ga", text))
    try:
        return Version(form) if text.strip() else None  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, IndexError):
        return None
