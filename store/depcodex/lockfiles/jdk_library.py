"""The JDK's standard library on this machine: ``src.zip``.

Here: where it lies. Not here: which of its packages are public (the stages), its coordinate (standard_library).

A JDK keeps its sources in ``lib/src.zip`` (JEP 220), until Java 8 beside ``lib``; its file ``release`` names the
version (JEP 223). Linux distributions have them in a package of their own, without which the file is a link to nowhere.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from depcodex.closure import Closure
from depcodex.lockfiles.library_source import LibrarySource

_RELEASE_PATTERN = re.compile(r'^JAVA_VERSION="(?:1\.)?(\d+)[^"\n]*"', re.MULTILINE)
_MAX_RELEASE_BYTES = 64 * 1024


def find_jdk(closure: Closure, folder: Path) -> LibrarySource | None:
    """The library of the JDK at ``JAVA_HOME``, else of the one on the path; None where its sources are not here."""
    del closure, folder  # neither names a JDK
    for home in _homes():
        version = _version_of(home)
        place = next((each for each in (home / "lib/src.zip", home / "src.zip") if each.is_file()), None)
        if version and place is not None:
            return LibrarySource(version, place.resolve())
    return None


def _homes() -> Iterator[Path]:
    stated = os.environ.get("JAVA_HOME")
    if stated:
        # Another JDK's library is another version's.
        yield Path(stated)
        return
    java = shutil.which("java")
    if java:
        home = Path(java).resolve().parent.parent
        yield home
        if home.name == "jre":
            # Java 8 starts the one inside of its own folder.
            yield home.parent


def _version_of(home: Path) -> str:
    """The feature version, ``17``; "" where the folder is no JDK's."""
    try:
        with (home / "release").open(encoding="utf-8", errors="replace") as file:
            match = _RELEASE_PATTERN.search(file.read(_MAX_RELEASE_BYTES))
    except OSError:
        return ""
    return match[1] if match else ""
