"""What every language's parser takes and gives.

Here: a source file, a public declaration, a file that could not be read whole, and their Arrow table. Not here: how any
language is read.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from depcodex import schemas
from depcodex.coordinates import Coordinate


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a coordinate.

    Attributes:
        path: below the import root, with ``/``.
        content: its bytes as they lie in the archive.
        file_digest: ``sha256:<hex>`` of the content.
        language: as harvest labels it (``python``, ``python-stub`` …).
        convention: how its documentation is marked up, one of ``schemas.CONVENTIONS``.
    """

    path: str
    content: bytes
    file_digest: str
    language: str
    convention: str


@dataclass(frozen=True, slots=True)
class Declaration:
    """One row of ``schemas.DECLARATIONS`` without its coordinate; the fields are that table's columns."""

    symbol: str
    kind: str
    name: str
    defining_path: str
    signatures: tuple[str, ...]
    doc: str | None
    language: str
    convention: str
    path: str
    line: int
    file_digest: str
    aliases: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    reexport_target: str | None = None
    is_deprecated: bool = False
    is_experimental: bool = False
    since: str | None = None
    skip_reason: str | None = None


class LanguageParser(Protocol):
    """Reads all files of one coordinate in one language family at once: names are public across files."""

    def __call__(self, coordinate: Coordinate, files: Sequence[SourceFile], /) -> Sequence[Declaration]:
        """The public declarations, unique by symbol, and a ``schemas.FILE_KIND`` row for each file not read whole."""


_FIELDS = tuple(name for name in schemas.DECLARATIONS.names if name != "coordinate_id")
_VALUES = operator.attrgetter(*_FIELDS)


def unread_file(file: SourceFile, language: str, reason: str) -> Declaration:
    """The row that says why a file was not read, or not whole. ``reason``: encoding, syntax, nesting, limit:<which>.

    The symbol opens with ``//``, which no language's names do.
    """
    return Declaration(
        symbol=f"//{file.path}",
        kind=schemas.FILE_KIND,
        name=file.path.rpartition("/")[2],
        defining_path="",
        signatures=(),
        doc=None,
        language=language,
        convention=file.convention,
        path=file.path,
        line=1,
        file_digest=file.file_digest,
        skip_reason=reason,
    )


def to_table(rows: Sequence[tuple[int, Declaration]]) -> pa.Table:
    """``schemas.DECLARATIONS``: one row for each (coordinate_id, declaration), in the order given."""
    ids = [coordinate_id for coordinate_id, _ in rows]
    columns = zip(*(_VALUES(declaration) for _, declaration in rows), strict=True) if rows else ([] for _ in _FIELDS)
    arrays = [pa.array(ids, schemas.DECLARATIONS.field("coordinate_id").type)]
    for name, values in zip(_FIELDS, columns, strict=True):
        arrays.append(pa.array(values, schemas.DECLARATIONS.field(name).type))
    table = pa.Table.from_arrays(arrays, names=["coordinate_id", *_FIELDS])
    return schemas.conform(table, schemas.DECLARATIONS)
