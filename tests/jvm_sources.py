"""Small JVM artifacts for tests: sources by path in, declarations by symbol out.

Here: what several test modules share to call the JVM parser. Not here: any expectation.
"""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Mapping

from depcodex.coordinates import Coordinate
from depcodex_assets.ecosystems.file_kinds import kind_of
from depcodex_assets.languages import jvm
from depcodex_assets.languages.declarations import Declaration, SourceFile

ARTIFACT = Coordinate.parse("pkg:maven/org.example/thing@1.0")


def source_file(path: str, content: str | bytes) -> SourceFile:
    """One file; text is dedented."""
    data = textwrap.dedent(content).lstrip("\n").encode() if isinstance(content, str) else content
    language, convention = kind_of(path)
    return SourceFile(path, data, f"sha256:{hashlib.sha256(data).hexdigest()}", language, convention)


def declare(files: Mapping[str, str | bytes]) -> dict[str, Declaration]:
    """The declarations of an artifact with these files, by symbol."""
    found = jvm.declarations(ARTIFACT, [source_file(path, content) for path, content in files.items()])
    return {each.symbol: each for each in found}
