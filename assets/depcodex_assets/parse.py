"""Parse: source files in, public declarations out.

Here: grouping files by coordinate and language family and calling that family's parser. Not here: how a language is
read (depcodex_assets.languages), reading and writing stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from depcodex.coordinates import Coordinate
from depcodex_assets.languages import go, jvm, python, rust, typescript
from depcodex_assets.languages.declarations import Declaration, LanguageParser, SourceFile, to_table


def _python(coordinate: Coordinate, files: Sequence[SourceFile]) -> Sequence[Declaration]:
    del coordinate  # its import names are the folders of its files
    return python.declarations(files)


# A source, its stub and its manifest are one family: their names are resolved together. A line here adds a language.
PARSERS: Mapping[str, LanguageParser] = {
    "python": _python,
    "python-stub": _python,
    "typescript": typescript.declarations,
    "tsx": typescript.declarations,
    "javascript": typescript.declarations,
    "package-json": typescript.declarations,
    "java": jvm.declarations,
    "kotlin": jvm.declarations,
    "jvm-class": jvm.declarations,
    "rust": rust.declarations,
    "cargo-toml": rust.declarations,
    # Only crates bring pages: they are included into documentation.
    "markdown": rust.declarations,
    "go": go.declarations,
    "go-mod": go.declarations,
}
# A README belongs to the family that its ecosystem's packages are written in: a line here for each that wants it.
READMES: Mapping[str, LanguageParser] = {
    "npm": typescript.declarations,
    "maven": jvm.declarations,
    "cargo": rust.declarations,
    "golang": go.declarations,
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
    return READMES.get(coordinate.type) if language == "readme" else PARSERS.get(language)


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
