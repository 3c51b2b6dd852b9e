"""What is known of a standard library that lies on this machine.

Here: its version and its place. Not here: finding it (one module a language), its coordinate (standard_library).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class LibrarySource:
    """The sources of a standard library.

    Attributes:
        version: of the language, as its coordinate has it.
        place: the folder or archive, absolute, links resolved.
    """

    version: str
    place: Path
