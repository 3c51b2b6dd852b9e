"""Parse: source files in, public declarations out.

Here: grouping files by coordinate and language family and calling that family's parser. Not here: how a language is
read (depcodex_assets.languages), reading and writing stores.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from depcodex.coordinates import Coordinate
from depcodex_assets.languages.declarations import Declaration, LanguageParser, SourceFile, to_table

# Language → the module of depcodex_assets.languages that reads it; a source, its stub and its manifest are one family:
# their names are resolved together. A line here adds a language. It is imported when a file needs it, since each worker
# imports anew.
PARSERS: Mapping[str, str] = {
    "python": "python",
    "python-stub": "python",
    "typescript": "typescript",
    "tsx": "typescript",
    "javascript": "typescript",
    "package-json": "typescript",
    "java": "jvm",
    "kotlin": "jvm",
    "jvm-class": "jvm",
    "rust": "rust",
    "cargo-toml": "rust",
    # Only crates bring pages: they are included into documentation.
    "markdown": "rust",
    "go": "go",
    "go-mod": "go",
}
# A README belongs to the family that its ecosystem's packages are written in: a line here for each that wants it.
READMES: Mapping[str, str] = {
    "npm": "typescript",
    "maven": "jvm",
    "cargo": "rust",
    "golang": "go",
}


def parse(coordinates: Sequence[Coordinate], source_files: pa.Table) -> pa.Table:
    """The public declarations of a batch.

    Args:
        coordinates: the batch; files of others are passed over.
        source_files: ``schemas.SOURCE_FILES``. Rows with a ``skip_reason`` and of languages without a parser are passed
            over.

    Returns:
        ``schemas.DECLARATIONS``, one row for each (coordinate, symbol), in the order of ``coordinates`` and then of
        symbols; a file that could not be read whole is a row of kind ``schemas.FILE_KIND`` with the reason.
    """
    rows: list[tuple[int, Declaration]] = []
    wanted = {each.coordinate_id: each for each in coordinates}
    positions = _positions(source_files, wanted)
    for coordinate_id, coordinate in wanted.items():
        families: dict[LanguageParser, list[SourceFile]] = {}
        for file in _files(source_files, positions.get(coordinate_id, ())):
            parser = _parser_of(coordinate, file.language)
            if parser is not None:
                families.setdefault(parser, []).append(file)
        found: dict[str, Declaration] = {}
        for parser, files in families.items():
            for each in parser(coordinate, files):
                found.setdefault(each.symbol, each)
        rows.extend((coordinate_id, found[symbol]) for symbol in sorted(found))
    return to_table(rows)


def _parser_of(coordinate: Coordinate, language: str) -> LanguageParser | None:
    module = READMES.get(coordinate.type) if language == "readme" else PARSERS.get(language)
    return None if module is None else language_parser(module)


@functools.cache
def language_parser(module: str) -> LanguageParser:
    """The parser of a module of ``depcodex_assets.languages``, as ``PARSERS`` names it."""
    parser: LanguageParser = importlib.import_module(f"depcodex_assets.languages.{module}").declarations
    return parser


def _positions(source_files: pa.Table, wanted: Mapping[int, Coordinate]) -> dict[int, list[int]]:
    """Row numbers by coordinate of the files to read."""
    positions: dict[int, list[int]] = {}
    columns = (source_files.column(name).to_pylist() for name in ("coordinate_id", "language", "skip_reason"))
    for position, (coordinate_id, language, skip_reason) in enumerate(zip(*columns, strict=True)):
        coordinate = wanted.get(coordinate_id)
        if skip_reason is None and coordinate is not None and _parser_of(coordinate, language) is not None:
            positions.setdefault(coordinate_id, []).append(position)
    return positions


def _files(source_files: pa.Table, positions: Sequence[int]) -> Iterator[SourceFile]:
    columns = [source_files.column(name) for name in ("path", "content", "file_digest", "language", "convention")]
    for position in positions:
        yield SourceFile(*(column[position].as_py() for column in columns))
