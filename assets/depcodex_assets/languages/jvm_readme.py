"""The README of a JVM artifact, as one entry for the whole package.

Here: which file, under which name. Not here: Markdown (readme).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from depcodex.coordinates import Coordinate
from depcodex_assets.languages.declarations import Declaration, SourceFile
from depcodex_assets.languages.readme import readme_text


def readme(coordinate: Coordinate, files: Sequence[SourceFile]) -> Iterator[Declaration]:
    """At most one row: the README that lies highest.

    An artifact has no name in code, its packages have: the README stands under what a build names, group and artifact,
    written as its package URL writes them.
    """
    found = sorted(
        (each for each in files if each.language == "readme"), key=lambda each: (each.path.count("/"), each.path)
    )
    text = readme_text(found[0].content, found[0].path) if found else None
    if text is None:
        return
    file = found[0]
    symbol = f"{coordinate.namespace}/{coordinate.name}" if coordinate.namespace else coordinate.name
    yield Declaration(
        symbol=symbol,
        kind="package",
        name=coordinate.name,
        defining_path=symbol,
        signatures=(),
        doc=text,
        language="readme",
        convention=file.convention,
        path=file.path,
        line=1,
        file_digest=file.file_digest,
    )
