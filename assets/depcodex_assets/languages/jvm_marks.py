"""What annotations and tags say of a declaration: deprecated, hidden, since when, whether it may still change.

Here: the rules for Java and Kotlin. Not here: finding annotations in a tree (java, kotlin), tags in a comment (javadoc,
kdoc).

Specs: the Java Language Specification 9.6.4.6 (``@Deprecated``), the Kotlin standard library (``Deprecated``,
``DeprecationLevel``, ``SinceKotlin``, ``RequiresOptIn``), the apiguardian library (``@API``).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from packaging.version import InvalidVersion, Version

_NAME = re.compile(r"@(?:[a-z]+:)?\s*([\w.]+)")
_SINCE_KOTLIN = re.compile(r'@(?:[\w.]*\.)?SinceKotlin\s*\(\s*(?:version\s*=\s*)?"([0-9][\w.]{0,20})"')
# What libraries call their marks; each is an annotation that somebody has to accept before using its bearer.
_EXPERIMENTAL = re.compile(
    r"(?:Experimental\w*|\w+Experimental(?:\w*Api)?|Beta|Alpha|Incubating|Preview|Unstable|\w+Preview"
    r"|Delicate\w*|Obsolete\w*|UnstableApi\w*|EvolvingApi|InternalForInheritance\w*)"
)
_API_STATUS = re.compile(r"\bstatus\s*=\s*(?:\w+\.)*EXPERIMENTAL\b|^@(?:\w+\.)*API\s*\(\s*(?:\w+\.)*EXPERIMENTAL\b")


def annotation_name(annotation: str) -> str:
    """The dotted name of an annotation as written.

    Example:
        >>> annotation_name('@java.lang.Deprecated(since = "9")'), annotation_name("@get:JvmName(x)")
        ('java.lang.Deprecated', 'JvmName')
    """
    found = _NAME.match(annotation)
    return found[1] if found else ""


def last_name(dotted: str) -> str:
    """The last segment of a dotted name."""
    return dotted.rpartition(".")[2]


def is_hidden(annotation: str) -> bool:
    """``@Deprecated(…, level = DeprecationLevel.HIDDEN)``: the compiler no longer lets a caller name it."""
    return "HIDDEN" in annotation and last_name(annotation_name(annotation)) == "Deprecated"


def is_experimental(annotations: Collection[str], markers: Collection[str] = ()) -> bool:
    """Whether annotations say that their bearer may change.

    Args:
        annotations: as written.
        markers: last names of annotation classes that the library itself marks with ``RequiresOptIn``.

    Example:
        >>> is_experimental(["@ExperimentalTime"]), is_experimental(["@OptIn(ExperimentalTime::class)"])
        (True, False)
    """
    for each in annotations:
        name = last_name(annotation_name(each))
        if name in markers or _EXPERIMENTAL.fullmatch(name):
            return True
        if name == "API" and _API_STATUS.search(each):
            return True
    return False


def version(text: str) -> str | None:
    """The version that a ``@since`` tag opens with, as packaging writes it; None for anything else.

    Example:
        >>> version("1.8"), version("2.10 (but deprecated)"), version("the beginning"), version("JDK1.1")
        ('1.8', '2.10', None, '1.1')
    """
    words = text.split(None, 1)
    if not words:
        return None
    first = words[0].rstrip(".,;:").removeprefix("JDK")
    if not first or len(first) > 40 or not (first[0].isdigit() or first[0] == "v"):
        return None
    try:
        return Version(first).public
    except InvalidVersion:
        return None


def since_kotlin(annotations: Collection[str]) -> str | None:
    """The version of a ``@SinceKotlin`` annotation."""
    for each in annotations:
        found = _SINCE_KOTLIN.match(each)
        if found:
            return version(found[1])
    return None
