"""The README of a JVM artifact, as one entry for the whole package.

Here: which file, under which name. Not here: Markdown (markdown_words).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from depcodex.coordinates import Coordinate
from depcodex_assets.languages.declarations import Declaration, SourceFile
from depcodex_assets.languages.jvm_doc import tidied
from depcodex_assets.languages.jvm_source import decode
from depcodex_assets.languages.markdown_words import markdown_text, without_html

_MAX_CHARACTERS = 100_000


def readme(coordinate: Coordinate, files: Sequence[SourceFile]) -> Iterator[Declaration]:
    """At most one row: the README that lies highest.

    An artifact has no name in code, its packages have: the README stands under what a build names, group and artifact,
    written as its package URL writes them.
    """
    found = sorted(
        (each for each in files if each.language == "readme"), key=lambda each: (each.path.count("/"), each.path)
    )
    content = decode(found[0].content) if found else None
    if content is None:
        return
    file = found[0]
    text = content.decode("utf-8", "replace")[:_MAX_CHARACTERS]
    symbol = f"{coordinate.namespace}/{coordinate.name}" if coordinate.namespace else coordinate.name
    yield Declaration(
        symbol=symbol,
        kind="package",
        name=coordinate.name,
        defining_path=symbol,
        signatures=(),
        doc=tidied(markdown_text(without_html(text))),
        language="readme",
        convention=file.convention,
        path=file.path,
        line=1,
        file_digest=file.file_digest,
    )
