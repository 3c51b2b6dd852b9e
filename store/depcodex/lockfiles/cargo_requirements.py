"""Version requirements of Cargo.toml, held against exact versions.

Here: ``^ ~ = < <= > >=``, wildcards and commas. Not here: resolution, which is cargo's.

Spec: the Cargo book, "Specifying Dependencies: Version requirement syntax". It is asked only where one manifest leads
to several versions of one crate, to tell which of its tables means which.
"""

from __future__ import annotations

import re

_REQUIREMENT_PATTERN = re.compile(
    r"(?P<operator>\^|~|=|<=|>=|<|>)?\s*v?(?P<parts>\d+(?:\.\d+){0,2})?(?P<wild>\.?\*(?:\.\*)*)?"
    r"(?P<pre>-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?"
)


def matches_requirement(requirement: str, version: str) -> bool:
    """Whether a version satisfies a requirement; one that cannot be read is satisfied by everything.

    Example:
        >>> [matches_requirement("1.2", each) for each in ("1.1.9", "1.2.0", "1.9.0", "2.0.0")]
        [False, True, True, False]
        >>> matches_requirement("^0.3", "0.4.0"), matches_requirement("~1.2, <1.2.5", "1.2.4")
        (False, True)
    """
    return all(_matches(part.strip(), version) for part in requirement.split(",") if part.strip())


def _matches(requirement: str, version: str) -> bool:
    found = _REQUIREMENT_PATTERN.fullmatch(requirement)
    if found is None or found["parts"] is None:
        return True
    given = tuple(map(int, found["parts"].split(".")))
    core = re.split(r"[-+]", version, maxsplit=1)[0].split(".")
    if len(core) != 3 or not all(each.isdecimal() for each in core):
        return False
    exact = tuple(map(int, core))
    low = (*given, 0, 0)[:3]
    operator = found["operator"] or ("=" if found["wild"] else "^")
    match operator:
        case "=":
            return exact[: len(given)] == given
        case "<":
            return exact < low
        case "<=":
            return exact[: len(given)] <= given
        case ">":
            return exact[: len(given)] > given
        case ">=":
            return exact >= low
        case "~":
            return exact >= low and exact[: min(2, len(given))] == given[:2]
    # Caret: the leftmost number that is not zero stays, and all given ones where all are zero.
    fixed = next((index for index, part in enumerate(given) if part), len(given) - 1)
    return exact >= low and exact[: fixed + 1] == given[: fixed + 1]
