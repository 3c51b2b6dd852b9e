"""A closure's rows as arrays: what a snapshot holds, made from the public store's tables.

Here: ordering rows, the lexical postings, popularity, depth and the index over names. Not here: where snapshots live
and when they are made (depcodex.snapshots), scoring (depcodex.faces).

Every number is the closure's own: nothing of another project's rows is read, so none can show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex.symbols import depth, fold, last_segment
from depcodex.terms import symbol_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from depcodex.tables import PublicTables

    Arrays = dict[str, NDArray[Any]]

BM25_K1, BM25_B = 1.2, 0.75
FLAG_PROPERTY, FLAG_HIDDEN, FLAG_DOC, FLAG_REWRITE, FLAG_FACELESS, FLAG_BARE = 1, 2, 4, 8, 16, 32
MEMBER_KINDS = ("method", "property")
HIDDEN_KINDS = (schemas.REEXPORT_KIND, schemas.FILE_KIND)
ENTRY_COLUMNS = (
    "id",
    "symbol",
    "kind",
    "aliases",
    "bases",
    "reexport_target",
    "signatures",
    "sentence",
    "is_withheld",
    "rewriter",
    "path",
    "line",
    "file_digest",
    "is_deprecated",
    "since",
    "packages_mentioned",
)
_READ_COLUMNS = ("coordinate_id", *ENTRY_COLUMNS, "doc_vector", "rewrite_vector", "term_hashes", "term_counts")


def letters(word: str) -> int:
    """A set of a word's characters as 64 bits: two words within k edits differ in at most 2k bits."""
    bits = 0
    for char in word:
        bits |= 1 << (ord(char) % 64)
    return bits


def read_rows(tables: PublicTables, coordinate_ids: Iterable[int], width: int) -> tuple[pa.Table, pa.Table, Arrays]:
    """One closure's rows.

    Args:
        tables: the public store.
        coordinate_ids: every coordinate of the closure.
        width: numbers a vector.

    Returns:
        The rows of ``coordinates`` sorted by purl; the entries of the indexed ones sorted by purl and symbol, columns
        ``ENTRY_COLUMNS``; and arrays by name, those over entries in the same order.
    """
    # Imported where rows are read: opening a snapshot needs none of it, and it costs 50 ms.
    import pyarrow.compute as pc

    ids = sorted(set(coordinate_ids))
    coordinates = tables.read("coordinates", coordinate_ids=ids) if ids else schemas.COORDINATES.empty_table()
    coordinates = coordinates.sort_by("purl").combine_chunks()
    # A coordinate is indexed only when publish has replaced all its rows: those of others are not shown.
    indexed = pc.equal(coordinates["state"], schemas.State.INDEXED.value)
    shown = coordinates.filter(indexed)["coordinate_id"].to_pylist()
    if shown:
        entries = tables.read("entries", coordinate_ids=shown, columns=_READ_COLUMNS)
        mentions = tables.read("mentions", coordinate_ids=shown)
    else:
        entries = schemas.entries_schema(width).empty_table().select(list(_READ_COLUMNS))
        mentions = schemas.MENTIONS.empty_table()
    position = {each: index for index, each in enumerate(coordinates["coordinate_id"].to_pylist())}
    ecosystems = [Coordinate.parse(purl).type for purl in coordinates["purl"].to_pylist()]
    places = np.array([position[each] for each in entries["coordinate_id"].to_pylist()], dtype=np.int32)
    entries = entries.append_column("place", pa.array(places)).combine_chunks()
    entries = entries.sort_by([("place", "ascending"), ("symbol", "ascending")]).combine_chunks()
    arrays = _arrays(entries, mentions, ecosystems, width)
    return coordinates, entries.select(list(ENTRY_COLUMNS)), arrays


def _arrays(entries: pa.Table, mentions: pa.Table, ecosystems: list[str], width: int) -> Arrays:
    places = entries["place"].to_numpy().astype(np.int32)
    kinds = entries["kind"].to_pylist()
    flags = np.zeros(entries.num_rows, dtype=np.uint8)
    flags[[index for index, kind in enumerate(kinds) if kind == "property"]] |= FLAG_PROPERTY
    flags[[index for index, kind in enumerate(kinds) if kind in HIDDEN_KINDS]] |= FLAG_HIDDEN
    doc, has_doc = _vectors(entries["doc_vector"], width)
    rewrite, has_rewrite = _vectors(entries["rewrite_vector"], width)
    flags[has_doc] |= FLAG_DOC
    # What quarantine gave no face (undocumented special methods) is found by its name alone.
    flags[~has_doc & ~has_rewrite] |= FLAG_FACELESS
    flags[has_rewrite] |= FLAG_REWRITE
    # A member that says nothing of itself: its class, or a sibling with a doc, is the better answer.
    prose = zip(kinds, entries["sentence"].to_pylist(), entries["is_withheld"].to_pylist(), strict=True)
    bare = [kind in MEMBER_KINDS and sentence is None and not is_withheld for kind, sentence, is_withheld in prose]
    flags[np.array(bare, dtype=np.bool_)] |= FLAG_BARE
    names = [
        tuple(dict.fromkeys((symbol, *aliases)))
        for symbol, aliases in zip(entries["symbol"].to_pylist(), entries["aliases"].to_pylist(), strict=True)
    ]
    depths = [depth(each, ecosystems[place]) for each, place in zip(names, places.tolist(), strict=True)]
    arrays: Arrays = {
        "place": places,
        "flags": flags,
        "doc": doc,
        "rewrite": rewrite,
        "depth": np.array(depths, dtype=np.int16),
    }
    arrays.update(_postings(entries, (flags & (FLAG_HIDDEN | FLAG_FACELESS)) == 0))
    arrays.update(_name_index(names))
    arrays["popularity"] = _popularity(mentions, arrays["name_hash"], arrays["name_row"], entries.num_rows)
    return arrays


def _vectors(column: pa.ChunkedArray, width: int) -> tuple[NDArray[np.float16], NDArray[np.bool_]]:
    """Rows of ``width`` numbers, zeros where the column is null, and where it is not."""
    import pyarrow.compute as pc

    has_vector = np.asarray(pc.is_valid(column).to_numpy(), dtype=np.bool_)
    rows = np.zeros((len(column), width), dtype=np.float16)
    parts = [chunk.drop_null().flatten().to_numpy(zero_copy_only=False) for chunk in column.chunks]
    if parts:
        rows[has_vector] = np.concatenate(parts).reshape(-1, width)
    return rows, has_vector


def _postings(entries: pa.Table, is_searchable: NDArray[np.bool_]) -> Arrays:
    """The lexical index: for each term its rows and what it adds to their BM25 score, statistics the closure's own."""
    import pyarrow.compute as pc

    lengths = pc.list_value_length(entries["term_hashes"]).to_numpy().astype(np.int64)
    rows = np.repeat(np.arange(entries.num_rows, dtype=np.int64), lengths)
    hashes = _flat(entries["term_hashes"], np.uint32)
    counts = _flat(entries["term_counts"], np.uint16).astype(np.float64)
    keep = is_searchable[rows]
    rows, hashes, counts = rows[keep], hashes[keep], counts[keep]
    # Two terms of one entry can share a hash of 32 bits: their counts add up, so each pair stands once.
    pairs, inverse = np.unique(
        (hashes.astype(np.uint64) << np.uint64(32)) | rows.astype(np.uint64), return_inverse=True
    )
    frequency = np.bincount(inverse, weights=counts, minlength=len(pairs))
    row_of = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    terms, starts = np.unique((pairs >> np.uint64(32)).astype(np.uint32), return_index=True)
    offsets = np.append(starts, len(pairs)).astype(np.int64)
    document_count = int(is_searchable.sum())
    size = np.bincount(row_of, weights=frequency, minlength=entries.num_rows)
    mean_size = float(size.sum()) / max(document_count, 1) or 1.0
    holding = np.diff(offsets).astype(np.float64)
    idf = np.log1p((document_count - holding + 0.5) / (holding + 0.5))
    damped = frequency + BM25_K1 * (1 - BM25_B + BM25_B * size[row_of] / mean_size)
    weights = np.repeat(idf, np.diff(offsets)) * frequency * (BM25_K1 + 1) / damped
    return {
        "term": terms,
        "term_offset": offsets,
        "posting_row": row_of.astype(np.int32),
        "posting_weight": weights.astype(np.float32),
    }


def _flat(column: pa.ChunkedArray, kind: type[np.generic]) -> NDArray[Any]:
    parts = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in column.chunks]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)


def _name_index(names: list[tuple[str, ...]]) -> Arrays:
    """Names to rows: exact by hash, folded by hash, and by last segment for typing errors."""
    exact: list[tuple[int, int]] = []
    folded: list[tuple[int, int]] = []
    segments: dict[str, list[int]] = {}
    for row, each in enumerate(names):
        exact.extend((symbol_hash(name), row) for name in each)
        forms = dict.fromkeys(fold(name) for name in each)
        folded.extend((symbol_hash(form), row) for form in forms)
        for segment in dict.fromkeys(last_segment(form) for form in forms):
            segments.setdefault(segment, []).append(row)
    ordered = sorted(segments)
    text = "\n".join(ordered)
    name_hash, name_row = _sorted_pairs(exact)
    fold_hash, fold_row = _sorted_pairs(folded)
    return {
        "name_hash": name_hash,
        "name_row": name_row,
        "fold_hash": fold_hash,
        "fold_row": fold_row,
        # Segments hold no newline: names are screened before they are published.
        "segment_text": np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8).copy(),
        "segment_letters": np.array([letters(each) for each in ordered], dtype=np.uint64),
        "segment_length": np.array([len(each) for each in ordered], dtype=np.int32),
        "segment_offset": np.cumsum([0, *(len(segments[each]) for each in ordered)], dtype=np.int64),
        "segment_row": np.array([row for each in ordered for row in segments[each]], dtype=np.int32),
    }


def _sorted_pairs(pairs: list[tuple[int, int]]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    ordered = sorted(set(pairs))
    hashes = np.array([each for each, _ in ordered], dtype=np.uint64)
    return hashes, np.array([row for _, row in ordered], dtype=np.int32)


def _popularity(
    mentions: pa.Table, name_hash: NDArray[np.uint64], name_row: NDArray[np.int32], count: int
) -> NDArray[np.float32]:
    """For each row the sum, over the closure's mentioning coordinates and its names, of log1p(count)."""
    mentions = mentions.sort_by([("symbol_hash", "ascending"), ("coordinate_id", "ascending")])
    hashes, inverse = np.unique(mentions["symbol_hash"].to_numpy().astype(np.uint64), return_inverse=True)
    weights = np.log1p(mentions["count"].to_numpy().astype(np.float64))
    sums = np.bincount(inverse, weights=weights, minlength=len(hashes))
    if not len(hashes) or not len(name_hash):
        return np.zeros(count, dtype=np.float32)
    at = np.minimum(np.searchsorted(hashes, name_hash), len(hashes) - 1)
    found = np.where(hashes[at] == name_hash, sums[at], 0.0)
    return np.bincount(name_row, weights=found, minlength=count).astype(np.float32)


def names_of(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The symbol and aliases of an entry's row, each once."""
    return tuple(dict.fromkeys((str(row["symbol"]), *row["aliases"])))
