"""For which machines a package of npm is: operating system, processor and C library.

Here: holding a package's ``os``, ``cpu`` and ``libc`` against the target. Not here: which edges are optional (each
format's reader).

Spec: npm's documentation, package.json, ``os`` and ``cpu`` (Node's ``process.platform`` and ``process.arch``), and
``libc`` as npm, pnpm, yarn and bun write it.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from depcodex.lockfiles.interface import Target

OTHER_PLATFORM = "for another operating system or processor"
_PROCESSORS = {
    "x86_64": "x64",
    "amd64": "x64",
    "aarch64": "arm64",
    "arm64": "arm64",
    "i386": "ia32",
    "i486": "ia32",
    "i586": "ia32",
    "i686": "ia32",
    "x86": "ia32",
    "armv6l": "arm",
    "armv7l": "arm",
    "armv8l": "arm",
    "ppc64le": "ppc64",
    "loongarch64": "loong64",
}
# yarn berry: `conditions: os=linux & cpu=x64 & libc=glibc`, alternatives as `(os=linux | os=darwin)`.
_CONDITION_PATTERN = re.compile(r"(os|cpu|libc)=([A-Za-z0-9_!-]+)")


@dataclass(frozen=True)
class Platform:
    """A machine in Node's words; ``libc`` is ``glibc``, ``musl`` or "" (neither is known to serve)."""

    system: str
    processor: str
    libc: str = ""

    @classmethod
    def of(cls, target: Target) -> Platform:
        """The machine that a lock is read for."""
        system = target.markers.variables.get("sys_platform", "")
        machine = target.markers.variables.get("platform_machine", "").lower()
        return cls(system, _PROCESSORS.get(machine, machine), _libc() if system == "linux" else "")

    def serves(self, systems: object = None, processors: object = None, libcs: object = None) -> bool:
        """Whether lists such as ``["linux", "darwin"]`` or ``["!win32"]`` (or one such word) include this machine."""
        return (
            _includes(systems, self.system)
            and _includes(processors, self.processor)
            and (not self.libc or _includes(libcs, self.libc))
        )

    def meets(self, conditions: str) -> bool:
        """Whether a ``conditions`` line of yarn berry holds: of each kind one alternative has to."""
        wanted: dict[str, list[str]] = {}
        for kind, word in _CONDITION_PATTERN.findall(conditions):
            wanted.setdefault(kind, []).append(word)
        return self.serves(wanted.get("os"), wanted.get("cpu"), wanted.get("libc"))


def _includes(words: object, mine: str) -> bool:
    # bun writes `none` for machines that it does not run on.
    listed = [words] if isinstance(words, str) else list(_texts(words))
    refused = {each[1:] for each in listed if each.startswith("!")}
    accepted = {each for each in listed if not each.startswith("!")} - {"any"}
    return mine not in refused and (not accepted or mine in accepted)


def _texts(words: object) -> Iterable[str]:
    return (each for each in words if isinstance(each, str)) if isinstance(words, (list, tuple)) else ()


@functools.cache
def _libc() -> str:
    try:
        return "glibc" if (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc") else "musl"
    except (AttributeError, ValueError, OSError):
        return "musl"
