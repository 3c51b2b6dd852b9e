"""Poetry's version constraints (``^1.2``, ``~1.2``, ``1.*``, ``>=1,<2 || >=3``) as PEP 440 specifiers.

Here: the translation, and whether a version is allowed. Not here: anything else of Poetry.

Spec: Poetry's documentation, "Dependency specification", read 2026-11.
"""

from __future__ import annotations

import functools
import re

_CLAUSE_PATTERN = re.compile(r"(===|==|!=|>=|<=|~=|>|<|\^|~|=)?\s*(v?[0-9*][0-9A-Za-z.+!*_-]*)")


@functools.lru_cache(maxsize=4096)
def alternatives(constraint: str) -> tuple[str, ...]:
    """PEP 440 specifier texts of which one must hold; "" allows everything.

    Raises:
        ValueError: the text is no constraint.

    Example:
        >>> alternatives("^1.2 || ~2.0.1")
        ('>=1.2,<2', '>=2.0.1,<2.1')
    """
    return tuple(_conjunction(part) for part in re.split(r"\|\|?", constraint))


def _conjunction(text: str) -> str:
    clauses: list[str] = []
    text = text.strip().strip("()")
    if text in ("", "*"):
        return ""
    position = 0
    for match in _CLAUSE_PATTERN.finditer(text):
        if text[position : match.start()].strip(" ,"):
            raise ValueError("not a constraint")
        position = match.end()
        clauses += _clause(match[1] or "", match[2])
    if text[position:].strip(" ,") or not clauses:
        raise ValueError("not a constraint")
    return ",".join(clauses)


def _clause(operator: str, version: str) -> list[str]:
    if version == "*":
        return []
    if operator == "^":
        return [f">={version}", f"<{_caret_limit(version)}"]
    if operator == "~":
        release = _release(version)
        limit = [release[0], release[1] + 1] if len(release) > 1 else [release[0] + 1]
        return [f">={version}", f"<{'.'.join(map(str, limit))}"]
    if operator in ("", "="):
        return [f"=={version}"]
    return [f"{operator}{version}"]


def _caret_limit(version: str) -> str:
    """The first version that breaks compatibility: the leftmost number that is not zero goes up."""
    release = _release(version)
    for index, number in enumerate(release):
        if number or index == len(release) - 1:
            return ".".join(map(str, [*release[:index], number + 1]))
    return "1"


def _release(version: str) -> list[int]:
    match = re.match(r"(?:\d+!)?(\d+(?:\.\d+)*)", version)
    if match is None:
        raise ValueError("not a version")
    return [int(part) for part in match[1].split(".")]


@functools.lru_cache(maxsize=4096)
def allows(constraint: str, version: str) -> bool:
    """Whether a version satisfies a constraint; one that cannot be read allows everything (a lock has decided already).

    Example:
        >>> allows("^1.2", "1.9"), allows("^1.2", "2.0")
        (True, False)
    """
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion

    try:
        return any(SpecifierSet(each).contains(version, prereleases=True) for each in alternatives(constraint))
    except (InvalidSpecifier, InvalidVersion, ValueError):
        return True
