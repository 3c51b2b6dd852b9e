"""Every table's Arrow schema and contract: its grain, its key, and how it is written.

Here: schemas, contracts, and casting to them. Not here: opening a store (depcodex.tables and
depcodex_assets.private_tables), what a column's value is made from (the stages).

Columns carry units and kind: ``_bytes _seconds _count _at`` (UTC) ``_digest`` (``sha256:<hex>`` unless said otherwise),
booleans ``is_`` and ``has_``.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from depcodex.errors import StoreError

KINDS = ("package", "module", "class", "function", "method", "property", "constant", "type", "skill", "recipe")
# A name that stands for another package's object: never a result of its own, a lookup follows it.
REEXPORT_KIND = "reexport"
# A file that parsing could not read whole: a row that carries a skip_reason and nothing to find.
FILE_KIND = "file"
CONVENTIONS = ("docstring", "javadoc", "kdoc", "jsdoc", "rust", "go", "readme", "skill")


class State(enum.StrEnum):
    """What became of a coordinate."""

    PENDING = "pending"
    INDEXED = "indexed"
    NO_SOURCE = "no_source"
    EXCLUDED = "excluded"
    FAILED = "failed"


SETTLED_STATES = (State.INDEXED, State.NO_SOURCE, State.EXCLUDED)


class WriteMode(enum.StrEnum):
    """How rows of a table meet the rows that are there."""

    REPLACE_COORDINATES = "replaces the run's coordinates"
    INSERT_IF_ABSENT = "inserted if the key is absent"
    APPEND = "appended"


@dataclass(frozen=True)
class TableContract:
    """One table: what it is called, one row of what, and how it is written.

    Attributes:
        name: the table's name in its store.
        schema: the Arrow schema; ``vectors``, ``quarantined`` and ``entries`` depend on the embedder's width.
        key: the columns that identify a row.
        mode: how a write meets what is there.
        primary_key: for digest-keyed tables the one non-null column that two writers cannot double.
        has_coordinate_index: rows are clustered by coordinate_id and a bitmap index stands on it.
    """

    name: str
    schema: pa.Schema
    key: tuple[str, ...]
    mode: WriteMode
    primary_key: str | None = None
    has_coordinate_index: bool = False


def _field(
    name: str, kind: pa.DataType, *, nullable: bool = False, metadata: Mapping[str, str] | None = None
) -> pa.Field:
    return pa.field(name, kind, nullable=nullable, metadata=metadata)


_STRINGS = pa.list_(pa.field("item", pa.string(), nullable=False))
_TIME = pa.timestamp("us", tz="UTC")

SOURCE_FILES = pa.schema(
    [
        _field("coordinate_id", pa.int64()),
        # Path below the import root, with "/"; "" on the one row that says why a coordinate has no files.
        _field("path", pa.string()),
        _field("file_digest", pa.string()),
        _field("size_bytes", pa.int64()),
        _field("language", pa.string()),
        _field("convention", pa.string()),
        # The bytes agree with the lock's, the registry's or RECORD's digest.
        _field("is_verified", pa.bool_()),
        # sha256 of the archive it came out of; "" for a tree read in place.
        _field("archive_digest", pa.string()),
        # The lock or the registry says that the release was withdrawn.
        _field("is_yanked", pa.bool_()),
        # The release day (YYYY-MM-DD) where lock or archive gives it, else the day of harvest.
        _field("as_of", pa.string()),
        _field("content", pa.large_binary(), metadata={"lance-encoding:compression": "zstd"}),
        # Why a file (path "": the coordinate) is not read: excluded, no_source, failed:<what>, limit:<which>
        _field("skip_reason", pa.string(), nullable=True),
        _field("skip_detail", pa.string(), nullable=True),
        _field("is_retryable", pa.bool_()),
    ]
)

DECLARATIONS = pa.schema(
    [
        _field("coordinate_id", pa.int64()),
        _field("symbol", pa.string()),
        _field("kind", pa.string()),
        # The defining name with its class and no module: `Session.get`, `get`; a module's own last segment.
        _field("name", pa.string()),
        # Where it is written: `requests.sessions.Session.get`.
        _field("defining_path", pa.string()),
        # As written, minus bodies; overloads in source order. Private.
        _field("signatures", _STRINGS),
        # The raw documentation, dedented; null where there is none. Private.
        _field("doc", pa.string(), nullable=True),
        _field("language", pa.string()),
        _field("convention", pa.string()),
        _field("path", pa.string()),
        # 1-based line of the declaration.
        _field("line", pa.int32()),
        _field("file_digest", pa.string()),
        _field("aliases", _STRINGS),
        # As written in the class statement, resolved through its imports to dotted paths where they resolve.
        _field("bases", _STRINGS),
        _field("reexport_target", pa.string(), nullable=True),
        _field("is_deprecated", pa.bool_()),
        # The library says that it may change or go at any time: an opt-in marker, an unstable feature.
        _field("is_experimental", pa.bool_()),
        # A version, parsed by packaging; never free text.
        _field("since", pa.string(), nullable=True),
        _field("skip_reason", pa.string(), nullable=True),
    ]
)

OCCURRENCES = pa.schema(
    [
        _field("coordinate_id", pa.int64()),
        _field("symbol", pa.string()),
        _field("text_digest", pa.string()),
        _field("is_documented", pa.bool_()),
        _field("path", pa.string()),
        _field("line", pa.int32()),
    ]
)

TEXTS = pa.schema(
    [
        _field("text_digest", pa.string()),
        _field("language", pa.string()),
        _field("convention", pa.string()),
        _field("kind", pa.string()),
        _field("name", pa.string()),
        _field("signatures", _STRINGS),
        # Null for an undocumented declaration: it costs no model call and has one face.
        _field("doc", pa.string(), nullable=True),
    ]
)

VERDICTS = pa.schema(
    [
        _field("row_key", pa.string()),
        _field("text_digest", pa.string()),
        _field("gate_version", pa.string()),
        # Calibrated probability of the worst sentence in the worst view, 0 to 1; a later threshold needs no re-scoring.
        _field("score", pa.float32()),
        # The deterministic rule that fired, else null.
        _field("rule", pa.string(), nullable=True),
        # Position of that sentence in the view that scored highest.
        _field("sentence_index", pa.int32()),
        _field("view", pa.string()),
        _field("decided_at", _TIME),
    ]
)

SUMMARIES = pa.schema(
    [
        _field("row_key", pa.string()),
        _field("text_digest", pa.string()),
        _field("rewriter", pa.string()),
        _field("prompt_version", pa.string()),
        _field("model_digest", pa.string()),
        # The last sentence that came, refused or not; null when none came.
        _field("sentence", pa.string(), nullable=True),
        # The output rule that refused it under ``rules_version``, else null; checked again under another version.
        _field("rule", pa.string(), nullable=True),
        _field("rules_version", pa.string()),
        _field("attempt_count", pa.int32()),
        _field("created_at", _TIME),
    ]
)

DECISIONS = pa.schema(
    [
        _field("decision_id", pa.string()),
        # release, hold, correct
        _field("action", pa.string()),
        # A purl pattern for holds; empty otherwise.
        _field("pattern", pa.string()),
        _field("text_digest", pa.string()),
        _field("sentence", pa.string(), nullable=True),
        _field("actor", pa.string()),
        _field("reason", pa.string()),
        _field("decided_at", _TIME),
    ]
)

MENTIONS = pa.schema(
    [
        _field("coordinate_id", pa.int64()),
        # 64 bits of the mentioned dotted name's hash: the name itself stands in raw documentation and stays there.
        _field("symbol_hash", pa.uint64()),
        _field("count", pa.int32()),
    ]
)

COORDINATES = pa.schema(
    [
        _field("coordinate_id", pa.int64()),
        _field("purl", pa.string()),
        _field("library", pa.string()),
        _field("version", pa.string()),
        _field("state", pa.string()),
        # One line of ours; null when indexed.
        _field("reason", pa.string(), nullable=True),
        _field("is_retryable", pa.bool_()),
        _field("is_verified", pa.bool_()),
        _field("is_yanked", pa.bool_()),
        _field("as_of", pa.string()),
        _field("archive_digest", pa.string()),
        # Top-level names that this library's symbols start with.
        _field("import_names", _STRINGS),
        _field("file_count", pa.int32()),
        _field("file_error_count", pa.int32()),
        _field("entry_count", pa.int32()),
        _field("documented_count", pa.int32()),
        _field("withheld_count", pa.int32()),
        # Names that read as sentences or orders: not published, only counted.
        _field("refused_name_count", pa.int32()),
        _field("gate_version", pa.string()),
        _field("gate_threshold", pa.float32()),
        _field("rules_version", pa.string()),
        _field("rewriter", pa.string()),
        _field("prompt_version", pa.string()),
        _field("model_digest", pa.string()),
        _field("embedder", pa.string()),
        # Version of the stages that made the rows; another one makes the coordinate stale.
        _field("stages_version", pa.string()),
        _field("indexed_at", _TIME),
    ]
)


def vectors_schema(width: int) -> pa.Schema:
    """Embeddings by what was embedded; ``width`` float16 numbers, unit length."""
    return pa.schema(
        [
            _field("row_key", pa.string()),
            # sha256 hex of the embedded string itself.
            _field("digest", pa.string()),
            _field("embedder", pa.string()),
            _field("recipe", pa.string()),
            _field("vector", pa.list_(pa.float16(), width)),
        ]
    )


def entries_schema(width: int) -> pa.Schema:
    """What a reader can be shown of an occurrence, with its two faces and its hashed terms; nothing raw.

    Vectors are ``width`` float16 numbers of unit length. The lexical key is hashed terms without positions.
    """
    vector = pa.list_(pa.float16(), width)
    return pa.schema(
        [
            _field("coordinate_id", pa.int64()),
            _field("id", pa.string()),
            _field("symbol", pa.string()),
            _field("kind", pa.string()),
            _field("name", pa.string()),
            _field("aliases", _STRINGS),
            _field("bases", _STRINGS),
            _field("reexport_target", pa.string(), nullable=True),
            _field("signatures", _STRINGS),
            _field("sentence", pa.string(), nullable=True),
            _field("is_documented", pa.bool_()),
            _field("is_withheld", pa.bool_()),
            # gate:<rule>, output:<rule>, held, model:<what>; null when whole or undocumented.
            _field("withheld_rule", pa.string(), nullable=True),
            _field("rewriter", pa.string(), nullable=True),
            _field("path", pa.string()),
            _field("line", pa.int32()),
            _field("file_digest", pa.string()),
            _field("is_deprecated", pa.bool_()),
            # The library says that it may change or go at any time: an opt-in marker, an unstable feature.
            _field("is_experimental", pa.bool_()),
            _field("since", pa.string(), nullable=True),
            # Library purls (no version) that the sentence names in an import, install, replace or use context.
            _field("packages_mentioned", _STRINGS),
            _field("doc_vector", vector, nullable=True),
            _field("rewrite_vector", vector, nullable=True),
            _field("term_hashes", pa.list_(pa.field("item", pa.uint32(), nullable=False))),
            _field("term_counts", pa.list_(pa.field("item", pa.uint16(), nullable=False))),
        ]
    )


def quarantined_schema(width: int) -> pa.Schema:
    """The columns of ``entries_schema`` with what publish still needs: mention counts and whether the name passed."""
    extra = [
        _field("mention_hashes", pa.list_(pa.field("item", pa.uint64(), nullable=False))),
        # The name reads as a sentence or an order: publish counts it and leaves it out.
        _field("is_name_refused", pa.bool_()),
    ]
    return pa.schema([*entries_schema(width), *extra])


def private_contracts(width: int) -> dict[str, TableContract]:
    """The private store's tables; ``width`` is the embedder's."""
    replace, absent, append = WriteMode.REPLACE_COORDINATES, WriteMode.INSERT_IF_ABSENT, WriteMode.APPEND
    rows = (
        TableContract("source_files", SOURCE_FILES, ("coordinate_id", "path"), replace, has_coordinate_index=True),
        TableContract("declarations", DECLARATIONS, ("coordinate_id", "symbol"), replace, has_coordinate_index=True),
        TableContract("occurrences", OCCURRENCES, ("coordinate_id", "symbol"), replace, has_coordinate_index=True),
        TableContract("texts", TEXTS, ("text_digest",), absent, primary_key="text_digest"),
        TableContract("verdicts", VERDICTS, ("text_digest", "gate_version"), absent, primary_key="row_key"),
        TableContract(
            "summaries",
            SUMMARIES,
            ("text_digest", "rewriter", "prompt_version", "model_digest"),
            absent,
            primary_key="row_key",
        ),
        TableContract(
            "vectors", vectors_schema(width), ("digest", "embedder", "recipe"), absent, primary_key="row_key"
        ),
        TableContract("decisions", DECISIONS, ("decision_id",), append),
        TableContract(
            "quarantined",
            quarantined_schema(width),
            ("coordinate_id", "symbol"),
            replace,
            has_coordinate_index=True,
        ),
    )
    return {each.name: each for each in rows}


def public_contracts(width: int) -> dict[str, TableContract]:
    """The public store's tables; ``width`` is the embedder's."""
    replace = WriteMode.REPLACE_COORDINATES
    rows = (
        TableContract("coordinates", COORDINATES, ("coordinate_id",), replace),
        TableContract(
            "entries", entries_schema(width), ("coordinate_id", "symbol"), replace, has_coordinate_index=True
        ),
        TableContract("mentions", MENTIONS, ("coordinate_id", "symbol_hash"), replace, has_coordinate_index=True),
    )
    return {each.name: each for each in rows}


def row_key(*parts: str) -> str:
    """The primary key of a digest-keyed row: its key columns joined by a character that none of them holds."""
    return "\x1f".join(parts)


def conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with exactly ``schema``'s columns in order and cast; rows unchanged.

    Raises:
        StoreError: a column is missing, surplus, cannot be cast, or is null where it must not be.
    """
    missing = [name for name in schema.names if name not in table.column_names]
    surplus = [name for name in table.column_names if name not in schema.names]
    if missing or surplus:
        raise StoreError(f"table: columns differ, missing {missing}, surplus {surplus}")
    try:
        return table.select(schema.names).cast(schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise StoreError(f"table: cannot be cast to its schema: {error}") from error
