"""Small Python distributions for tests: sources by path in, declarations by symbol out.

Here: what several test modules share to call the Python parser. Not here: any expectation.
"""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Mapping

from depcodex.coordinates import Coordinate
from depcodex_assets.languages import python
from depcodex_assets.languages.declarations import Declaration, SourceFile


def source_file(path: str, content: str | bytes) -> SourceFile:
    """One file; text is dedented."""
    data = textwrap.dedent(content).lstrip("\n").encode() if isinstance(content, str) else content
    language = "python-stub" if path.endswith(".pyi") else "python"
    return SourceFile(path, data, f"sha256:{hashlib.sha256(data).hexdigest()}", language, "docstring")


def declare(files: Mapping[str, str | bytes]) -> dict[str, Declaration]:
    """The declarations of a distribution with these files, by symbol."""
    sources = [source_file(path, content) for path, content in files.items()]
    found = python.declarations(Coordinate.of("pypi", "sources", "1.0"), sources)
    return {each.symbol: each for each in found}
