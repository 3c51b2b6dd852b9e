"""The marker environment: which Python on which platform a closure is read for, and whether a marker holds there.

Here: PEP 508 variables for an asked Python on this platform, and cached evaluation of marker texts. Not here: what
follows from a marker that does not hold (the readers).

Spec: "Dependency specifiers" (PEP 508) for ``extra``; "pylock.toml" (PEP 751) for ``extras`` and ``dependency_groups``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from depcodex.errors import UsageError

_VERSION_PATTERN = re.compile(r"(\d+)\.(\d+)(?:\.(\d+)([a-z]+\d+)?\+?)?")
_IMPLEMENTATION_NAMES = {"cpython": "CPython", "pypy": "PyPy", "graalpy": "GraalVM"}


@dataclass(frozen=True)
class MarkerEnvironment:
    """The PEP 508 variables of one target, and the answers already worked out for it.

    Attributes:
        variables: PEP 508 variable to value; complete.
    """

    variables: Mapping[str, str]
    # A lock of 500 packages repeats a few dozen marker texts; parsing each once is what keeps recording fast.
    _known: dict[tuple[object, ...], bool] = field(default_factory=dict, repr=False, compare=False)

    def holds(self, marker: str, extra: str = "") -> bool:
        """Whether a marker text is true here; the empty text always is.

        Args:
            marker: PEP 508 marker text.
            extra: the one extra that the marker is asked about.

        Raises:
            packaging.markers.InvalidMarker: the text is no marker.

        Example:
            >>> target_environment("3.12").holds("python_version >= '3.8' and extra == 'socks'", extra="socks")
            True
        """
        if not marker:
            return True
        key = (marker, extra)
        if key not in self._known:
            from packaging.markers import Marker

            self._known[key] = Marker(marker).evaluate({**self.variables, "extra": extra})
        return self._known[key]

    def holds_in_lock(self, marker: str, extras: frozenset[str], groups: frozenset[str]) -> bool:
        """Whether a lock file's marker is true here for a set of extras and dependency groups (PEP 751).

        Raises:
            packaging.markers.InvalidMarker: the text is no marker.
        """
        if not marker:
            return True
        key = (marker, extras, groups)
        if key not in self._known:
            from packaging.markers import Marker

            sets: dict[str, str | frozenset[str]] = {"extras": extras, "dependency_groups": groups}
            self._known[key] = Marker(marker).evaluate({**self.variables, **sets}, context="lock_file")
        return self._known[key]

    def satisfies_python(self, specifiers: str) -> bool:
        """Whether this Python is inside ``requires-python`` specifiers; empty or malformed ones allow all.

        Old releases carry texts such as ``>=3.6.*`` that PEP 440 no longer allows; installers let them pass.
        """
        if not specifiers.strip():
            return True
        key = ("requires-python", specifiers)
        if key not in self._known:
            from packaging.specifiers import InvalidSpecifier, SpecifierSet

            try:
                allowed = SpecifierSet(specifiers).contains(self.variables["python_full_version"], prereleases=True)
            except InvalidSpecifier:
                allowed = True
            self._known[key] = allowed
        return self._known[key]


def target_environment(python: str = "", implementation: str = "") -> MarkerEnvironment:
    """The marker environment for a Python version on this platform.

    Args:
        python: ``3.12`` or ``3.12.4``; empty: the running interpreter's.
        implementation: ``cpython``, ``pypy``; empty: the running interpreter's.

    Raises:
        UsageError: ``python`` is no version.
    """
    from packaging.markers import default_environment

    variables = {name: str(value) for name, value in default_environment().items() if name != "extra"}
    if python:
        match = _VERSION_PATTERN.fullmatch(python.strip())
        if match is None:
            raise UsageError(f"--python: expected a version like 3.12 or 3.12.4, got {python!r}")
        short = f"{match[1]}.{match[2]}"
        # Without a patch level the running one stands in when the minor agrees: it decides no marker worth having
        # wrong.
        if match[3] or variables["python_version"] != short:
            full = f"{short}.{match[3] or 0}{match[4] or ''}"
            variables |= {"python_version": short, "python_full_version": full, "implementation_version": full}
    name = implementation.strip().lower()
    if name and name != variables["implementation_name"]:
        variables |= {
            "implementation_name": name,
            "platform_python_implementation": _IMPLEMENTATION_NAMES.get(name, implementation.strip()),
        }
    return MarkerEnvironment(variables)
