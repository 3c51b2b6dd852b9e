"""Quarantine: where raw text stops. Whole or withheld, with the rule; public signatures, hashed terms and vectors.

Here: the decision for each occurrence and the row that may leave the private store. Not here: the output rules
themselves (depcodex_assets.output_rules), the gate (depcodex_assets.gate), writing (depcodex_assets.publish).

Three steps, so that the embedder runs between two pure ones: ``decide`` makes each row but its vectors, ``embed`` makes
the vectors that are not known yet, ``quarantine`` joins both.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from depcodex import schemas
from depcodex.coordinates import Coordinate, entry_id
from depcodex.embedding import Embedder
from depcodex_assets import face_recipes
from depcodex_assets.gate.interface import Gate
from depcodex_assets.general_words import is_general
from depcodex_assets.output_rules import OUTPUT_RULES_VERSION, broken_rule
from depcodex_assets.package_mentions import packages_mentioned
from depcodex_assets.public_signatures import public_signature
from depcodex_assets.screens import is_name_refused, screened_path
from depcodex_assets.texts import Text

# Private columns between ``decide`` and ``quarantine``: the texts that the two faces embed.
_DOC_TEXT, _REWRITE_TEXT = "doc_face_text", "rewrite_face_text"
_FACE_COLUMNS = (_DOC_TEXT, _REWRITE_TEXT)
# Columns that a declaration brings as they are.
_KEPT_COLUMNS = (
    "coordinate_id",
    "symbol",
    "kind",
    "name",
    "reexport_target",
    "line",
    "file_digest",
    "is_deprecated",
    "is_experimental",
    "since",
)
_VECTOR_COLUMNS = ("doc_vector", "rewrite_vector")
# A class may list bases and a symbol aliases without end; readers need a few.
_MAX_NAMES = 32
_MAX_SIGNATURES = 16
_CONSTRUCTOR = ".__init__"
_SLICE_ROWS = 2048
_NO_TERMS: tuple[list[int], list[int]] = ([], [])


@dataclass(frozen=True)
class QuarantineParameters:
    """Which sentence is preferred and what is held.

    Attributes:
        rewriter: the configured rewriter's name; its sentence is shown where it is whole, else the newest whole one.
        prompt_version: of the configured rewriter.
        model_digest: of the configured rewriter.
        hold: purl patterns whose prose is withheld.
    """

    rewriter: str
    prompt_version: str
    model_digest: str
    hold: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Decision:
    """What became of one text's prose."""

    sentence: str | None
    rewriter: str | None
    withheld_rule: str | None


def decide(
    coordinates: Sequence[Coordinate],
    declarations: pa.Table,
    occurrences: pa.Table,
    verdicts: pa.Table,
    summaries: pa.Table,
    decisions: pa.Table,
    *,
    gate: Gate,
    parameters: QuarantineParameters,
) -> pa.Table:
    """Every occurrence whole or withheld, its raw columns replaced by public ones.

    Args:
        coordinates: the run's coordinates.
        declarations: DECLARATIONS of these coordinates.
        occurrences: OCCURRENCES of these coordinates.
        verdicts: VERDICTS of their texts under ``gate.version``; a documented text without one is withheld.
        summaries: SUMMARIES of their texts, of any rewriter.
        decisions: DECISIONS, all of them.
        gate: judges each sentence once more and applies the thresholds.
        parameters: which sentence is preferred.

    Returns:
        One row a declaration without ``skip_reason``, sorted by (coordinate_id, symbol): the columns of
        ``schemas.quarantined_schema`` but the vectors, and two private columns with the texts of the faces.
    """
    purls = {each.coordinate_id: each for each in coordinates}
    held_ids = {
        each.coordinate_id
        for each in coordinates
        if any(each.matches(pattern) for pattern in (*parameters.hold, *_held_patterns(decisions)))
    }
    documented = occurrences.filter(occurrences.column("is_documented"))
    digests = dict(
        zip(
            zip(*(documented.column(name).to_pylist() for name in ("coordinate_id", "symbol")), strict=True),
            documented.column("text_digest").to_pylist(),
            strict=True,
        )
    )
    judge = _Judge(gate, parameters, verdicts, summaries, decisions)
    declared = declarations.filter(pc.is_null(declarations.column("skip_reason"))).sort_by(
        [("coordinate_id", "ascending"), ("symbol", "ascending")]
    )
    constructors = _constructor_signatures(declared)
    parts = []
    # A slice at a time: the lists of a whole table burden the collector.
    for start in range(0, declared.num_rows, _SLICE_ROWS):
        part = declared.slice(start, _SLICE_ROWS)
        rows = list(_rows(part))
        keys = [(row.coordinate_id, row.symbol) for row in rows]
        decided = [
            judge.decision(digests.get(key), row, is_held=row.coordinate_id in held_ids)
            for key, row in zip(keys, rows, strict=True)
        ]
        # A class says by its constructor's parameters what it is about.
        face_signatures = [constructors.get(key) or row.signatures for key, row in zip(keys, rows, strict=True)]
        parts.append(_joined(part, _made(rows, purls, decided, face_signatures)))
    return pa.concat_tables(parts) if parts else _decided_schema().empty_table()


def face_texts(decided: pa.Table) -> list[str]:
    """The distinct texts that the faces of ``decide``'s rows embed, sorted."""
    texts = {text for name in _FACE_COLUMNS for text in decided.column(name).to_pylist() if text}
    return sorted(texts)


def vector_keys(texts: Iterable[str], embedder: Embedder) -> dict[str, str]:
    """The primary key in ``vectors`` of each face text, in the order of ``texts``."""
    made_by = (_made_by(embedder), face_recipes.RECIPE_VERSION)
    return {text: schemas.row_key(_digest(text), *made_by) for text in texts}


def embed(
    keys: Mapping[str, str],
    known: pa.Table,
    *,
    embedder: Embedder,
    on_progress: Callable[[int], None] | None = None,
) -> pa.Table:
    """Vectors of the face texts that are not among the known ones.

    Args:
        keys: what ``vector_keys`` said of the face texts.
        known: rows of ``vectors`` (at least their ``row_key``).
        embedder: makes unit vectors.
        on_progress: called with the number of texts embedded so far.

    Returns:
        One row a new text, of ``schemas.vectors_schema(embedder.width)``, in the order of ``keys``.
    """
    have = set(known.column("row_key").to_pylist())
    new = {text: key for text, key in keys.items() if key not in have}
    vectors = embedder.embed(list(new), on_progress)
    table = pa.table(
        {
            "row_key": list(new.values()),
            "digest": [_digest(text) for text in new],
            "embedder": pa.repeat(_made_by(embedder), len(new)),
            "recipe": pa.repeat(face_recipes.RECIPE_VERSION, len(new)),
            "vector": _vector_array(vectors),
        }
    )
    return schemas.conform(table, schemas.vectors_schema(embedder.width))


def quarantine(decided: pa.Table, vectors: pa.Table, keys: Mapping[str, str], *, embedder: Embedder) -> pa.Table:
    """The decided rows with their faces; the private face texts are dropped.

    Args:
        decided: what ``decide`` returned.
        vectors: rows of ``vectors`` that hold every face text of ``decided``.
        keys: what ``vector_keys`` said of its face texts.
        embedder: whose vectors they are.

    Returns:
        ``schemas.quarantined_schema(embedder.width)``, rows and order of ``decided``.
    """
    positions = {key: index for index, key in enumerate(vectors.column("row_key").to_pylist())}
    column = vectors.column("vector").combine_chunks()
    table = decided
    for source, target in zip(_FACE_COLUMNS, _VECTOR_COLUMNS, strict=True):
        indices = [positions[keys[text]] if text else None for text in decided.column(source).to_pylist()]
        table = table.append_column(target, pc.take(column, pa.array(indices, pa.int64())))
    return schemas.conform(table.drop(list(_FACE_COLUMNS)), schemas.quarantined_schema(embedder.width))


class _Row(NamedTuple):
    """One declaration as far as deciding reads it."""

    coordinate_id: int
    symbol: str
    kind: str
    name: str
    signatures: list[str]
    doc: str | None
    language: str
    convention: str
    path: str
    file_digest: str
    aliases: list[str]
    bases: list[str]
    reexport_target: str | None


class _Summary(NamedTuple):
    """One sentence that a rewriter made of a text."""

    sentence: str | None
    rewriter: str
    rules_version: str
    rule: str | None


_NO_PROSE = _Decision(None, None, None)
_HELD = _Decision(None, None, "held")
# A sentence is plain prose of ours, whatever the convention of its text.
_SENTENCE_CONVENTION = "docstring"


class _Judge:
    """Decides the prose of a text: one decision a text, kept."""

    def __init__(
        self,
        gate: Gate,
        parameters: QuarantineParameters,
        verdicts: pa.Table,
        summaries: pa.Table,
        decisions: pa.Table,
    ) -> None:
        self._gate = gate
        judged = verdicts.filter(pc.equal(verdicts.column("gate_version"), gate.version))
        self._verdicts: dict[str, tuple[float, str | None]] = {
            digest: (score, rule)
            for digest, score, rule in zip(
                *(judged.column(name).to_pylist() for name in ("text_digest", "score", "rule")), strict=True
            )
        }
        self._summaries: dict[str, list[_Summary]] = {}
        ordered = _preferred_first(summaries, parameters)
        columns = (ordered.column(name).to_pylist() for name in ("text_digest", *_Summary._fields))
        for digest, *values in zip(*columns, strict=True):
            self._summaries.setdefault(digest, []).append(_Summary(*values))
        self._released = {
            (row["text_digest"], row["sentence"]) for row in decisions.to_pylist() if row["action"] == "release"
        }
        self._corrected = {
            row["text_digest"]: str(row["sentence"])
            for row in sorted(decisions.to_pylist(), key=lambda row: row["decided_at"])
            if row["action"] == "correct"
        }
        self._known: dict[str, _Decision] = {}
        # All at once: the gate is several times faster over many short texts than over each.
        preferred = (each[0].sentence for each in self._summaries.values())
        sentences = sorted({sentence for sentence in preferred if sentence is not None})
        judged_sentences = gate.judge_many(sentences, [_SENTENCE_CONVENTION] * len(sentences))
        self._judgements = dict(zip(sentences, judged_sentences, strict=True))

    def decision(self, digest: str | None, row: _Row, *, is_held: bool) -> _Decision:
        """The decision for the text of a declaration; ``digest`` is None where it has none."""
        if row.doc is None:
            return _NO_PROSE
        if is_held:
            return _HELD
        if digest is None:
            return _NO_PROSE
        known = self._known.get(digest)
        if known is None:
            known = self._known[digest] = self._decide(digest, row)
        return known

    def _decide(self, digest: str, row: _Row) -> _Decision:
        if digest in self._corrected:
            correction = self._corrected[digest]
            rule = self._refusal(correction, broken_rule(correction, _text(digest, row)))
            return _Decision(None, None, rule) if rule else _Decision(correction, "person", None)
        verdict = self._verdicts.get(digest)
        if verdict is None:
            return _Decision(None, None, "gate:unjudged")
        gate_rule = self._gate.suspect_rule(*verdict, row.convention)
        first_rule: str | None = None
        for summary in self._summaries.get(digest, ()):
            sentence = summary.sentence
            if sentence is None:
                first_rule = first_rule or "model:nothing"
                continue
            if (digest, sentence) in self._released:
                return _Decision(sentence, summary.rewriter, None)
            if gate_rule is not None:
                continue
            is_checked = summary.rules_version == OUTPUT_RULES_VERSION
            broken = summary.rule if is_checked else broken_rule(sentence, _text(digest, row))
            rule = self._refusal(sentence, broken)
            if rule is None:
                return _Decision(sentence, summary.rewriter, None)
            first_rule = first_rule or rule
        if gate_rule is not None:
            return _Decision(None, None, f"gate:{gate_rule}")
        return _Decision(None, None, first_rule or "model:pending")

    def _refusal(self, sentence: str, rule: str | None) -> str | None:
        """Why a sentence may not be shown: the output rule it breaks, else what the gate says of it."""
        if rule is not None:
            return f"output:{rule}"
        judgement = self._judgements.get(sentence) or self._gate.judge(sentence, _SENTENCE_CONVENTION)
        suspect = self._gate.suspect_rule(judgement.score, judgement.rule, _SENTENCE_CONVENTION)
        return None if suspect is None else f"output-gate:{suspect}"


def _preferred_first(summaries: pa.Table, parameters: QuarantineParameters) -> pa.Table:
    """The configured rewriter's first, then newest first; ties by key, so that the same store decides the same."""
    is_preferred = pc.and_(
        pc.and_(
            pc.equal(summaries.column("rewriter"), parameters.rewriter),
            pc.equal(summaries.column("prompt_version"), parameters.prompt_version),
        ),
        pc.equal(summaries.column("model_digest"), parameters.model_digest),
    )
    return summaries.append_column("is_preferred", is_preferred).sort_by(
        [("is_preferred", "descending"), ("created_at", "descending"), ("row_key", "ascending")]
    )


def _rows(declared: pa.Table) -> Iterator[_Row]:
    """The rows as far as deciding reads them."""
    return map(_Row._make, zip(*(declared.column(name).to_pylist() for name in _Row._fields), strict=True))


def _joined(declared: pa.Table, made: Mapping[str, Sequence[object]]) -> pa.Table:
    """Declarations with the columns that were made of them."""
    schema = _decided_schema()
    columns = {name: declared.column(name) for name in _KEPT_COLUMNS}
    columns["is_documented"] = pc.is_valid(declared.column("doc"))
    columns |= {name: pa.array(values, schema.field(name).type) for name, values in made.items()}
    return schemas.conform(pa.table(columns), schema)


def _constructor_signatures(declared: pa.Table) -> dict[tuple[int, str], list[str]]:
    """Signatures of ``__init__`` by coordinate and class."""
    found = declared.filter(pc.ends_with(declared.column("symbol"), _CONSTRUCTOR))
    columns = (found.column(name).to_pylist() for name in ("coordinate_id", "symbol", "signatures"))
    return {
        (id_, symbol.removesuffix(_CONSTRUCTOR)): signatures for id_, symbol, signatures in zip(*columns, strict=True)
    }


def _text(digest: str, row: _Row) -> Text:
    return Text(digest, row.language, row.convention, row.kind, row.name, tuple(row.signatures), row.doc)


def _made(
    rows: Sequence[_Row],
    purls: Mapping[int, Coordinate],
    decided: Sequence[_Decision],
    face_signatures: Sequence[Sequence[str]],
) -> dict[str, Sequence[object]]:
    """What is made of declarations, a column at a time.

    Row by row, the same work took 9.0 s instead of 6.2 (measured 2026-12-01, 34,620 rows): each step then finds the
    processor's caches full of the others' code and words.
    """
    aliases = [
        [name for name in row.aliases if not _is_refused(name, row.kind, row.language)][:_MAX_NAMES] for row in rows
    ]
    terms = [
        _NO_TERMS if row.kind == schemas.REEXPORT_KIND else face_recipes.lexical_terms(row.symbol, names, row.doc)
        for row, names in zip(rows, aliases, strict=True)
    ]
    sentences = [each.sentence for each in decided]
    return {
        "id": [entry_id(purls[row.coordinate_id].purl, row.symbol) for row in rows],
        "aliases": aliases,
        "bases": [
            [name for name in row.bases if not _is_refused(name, "class", row.language)][:_MAX_NAMES] for row in rows
        ],
        "signatures": [
            [public_signature(each, row.language) for each in row.signatures[:_MAX_SIGNATURES]] for row in rows
        ],
        "sentence": sentences,
        "is_withheld": [each.withheld_rule is not None for each in decided],
        "withheld_rule": [each.withheld_rule for each in decided],
        "rewriter": [each.rewriter for each in decided],
        "path": [_public_path(row.path, row.file_digest) for row in rows],
        "packages_mentioned": [
            _mentioned(sentence, purls[row.coordinate_id].type) if sentence else ()
            for row, sentence in zip(rows, sentences, strict=True)
        ],
        "term_hashes": [hashes for hashes, _ in terms],
        "term_counts": [counts for _, counts in terms],
        "mention_hashes": [face_recipes.mention_hashes(row.symbol, row.doc) for row in rows],
        "is_name_refused": [
            is_name_refused(row.symbol, row.kind, row.language)
            # The defining name as well: a sentence is made from it, and `from ._x import <an order> as get` hides it.
            or _is_refused(row.name, row.kind, row.language)
            or (row.reexport_target is not None and _is_refused(row.reexport_target, row.kind, row.language))
            for row in rows
        ],
        # A text that the gate suspects is embedded like any other: its entry is found, its prose is not shown.
        _DOC_TEXT: [
            None if row.kind == schemas.REEXPORT_KIND else face_recipes.doc_face_text(row.symbol, signatures, row.doc)
            for row, signatures in zip(rows, face_signatures, strict=True)
        ],
        _REWRITE_TEXT: sentences,
    }


def _decided_schema() -> pa.Schema:
    fields = [field for field in schemas.quarantined_schema(1) if field.name not in _VECTOR_COLUMNS]
    return pa.schema([*fields, *(pa.field(name, pa.string()) for name in _FACE_COLUMNS)])


def _held_patterns(decisions: pa.Table) -> Iterable[str]:
    """Patterns that people hold: the newest word about a pattern counts."""
    latest: dict[str, str] = {}
    for row in sorted(decisions.to_pylist(), key=lambda row: row["decided_at"]):
        if row["pattern"]:
            latest[row["pattern"]] = row["action"]
    return [pattern for pattern, action in latest.items() if action == "hold"]


@functools.lru_cache(maxsize=65536)
def _is_refused(name: str, kind: str, language: str) -> bool:
    return is_name_refused(name, kind, language)


@functools.lru_cache(maxsize=16384)
def _public_path(path: str, file_digest: str) -> str:
    return screened_path(path, file_digest)


@functools.lru_cache(maxsize=16384)
def _mentioned(sentence: str, type_: str) -> list[str]:
    return packages_mentioned(sentence, type_, is_general)


def _made_by(embedder: Embedder) -> str:
    return f"{embedder.name}:{embedder.digest[:16]}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _vector_array(vectors: NDArray[np.float32]) -> pa.FixedSizeListArray:
    flat = pa.array(vectors.astype(np.float16).reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
