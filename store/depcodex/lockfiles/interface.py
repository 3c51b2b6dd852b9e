"""What every reader of a lock file promises, and what it is told.

Here: the protocol, the target that a lock is read for, and what comes back. Not here: any format, nor the finding of
files (depcodex.lockfiles.detection).

A reader turns one file into a ``Graph`` of packages and conditional edges; ``Graph`` does reachability, distance,
scope and skip reasons for all formats alike. A reader for another ecosystem needs no marker: it says ``left_out`` on
an edge itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from depcodex.closure import Closure
from depcodex.errors import LockfileError
from depcodex.lockfiles.graph import Resolution
from depcodex.lockfiles.installed import InstalledEnvironment
from depcodex.markers import MarkerEnvironment


@dataclass(frozen=True)
class Target:
    """What a lock is read for.

    Attributes:
        markers: the Python and platform that decide markers.
        groups: dependency groups asked for by name (normalised), beside the main dependencies.
        extras: extras of the project asked for by name (normalised).
        installed: the environment whose sources can be read in place; None where there is none.
        project: the folder whose manifest names the roots of an environment; None where only the environment is asked.
        is_network_allowed: an ecosystem's own tool may ask its registry (``--resolve``).
    """

    markers: MarkerEnvironment
    groups: frozenset[str] = frozenset()
    extras: frozenset[str] = frozenset()
    installed: InstalledEnvironment | None = None
    project: Path | None = None
    is_network_allowed: bool = False


@dataclass(frozen=True)
class Reading:
    """What a file resolves to.

    Attributes:
        closures: one a member, the project's root first where it has one; at least one.
        notes: lines for people, each naming the file; never library-written prose.
        groups: names of the groups that the file or its manifest has; None where the format has no such thing.
        extras: likewise for extras.
    """

    closures: tuple[Closure, ...]
    notes: tuple[str, ...] = ()
    groups: frozenset[str] | None = None
    extras: frozenset[str] | None = None


def closure_of(
    format_name: str,
    resolution: Resolution,
    target: Target,
    inputs: tuple[tuple[str, str], ...],
    member: str = ".",
) -> Closure:
    """The closure of one member, with the target's environment in it."""
    installed = target.installed
    return Closure(
        format_name,
        member,
        resolution.dependencies,
        resolution.edges,
        resolution.skipped,
        tuple(str(each) for each in installed.site_packages) if installed else (),
        dict(target.markers.variables),
        inputs,
    )


def python_note(path: Path, specifiers: str, target: Target) -> tuple[str, ...]:
    """A line for people where the lock is for other Pythons than the one it is read for; else nothing."""
    if target.markers.satisfies_python(specifiers):
        return ()
    version = target.markers.variables["python_full_version"]
    return (f"{path.name}: read for Python {version}, which its requires-python leaves out; --python names another",)


@dataclass(frozen=True)
class Sample:
    """A file at hand for recognising its format."""

    path: Path
    text: str = field(repr=False)


class LockfileReader(Protocol):
    """One format. ``name`` is what ``--format`` takes; ``error`` is the format's own ``LockfileError``."""

    name: str
    error: type[LockfileError]

    def matches_content(self, sample: Sample) -> bool:
        """Whether a file under any name reads like this format."""
        ...

    def read(self, path: Path, target: Target) -> Reading:
        """The closures that the file resolves to for the target.

        Raises:
            LockfileError: the format's own subclass; the file cannot be read, is malformed, truncated, or of a version
                that this reader does not know.
        """
        ...
