"""Quarantine: where raw text stops. Whole or withheld, with the rule; public signatures, hashed terms and vectors.

Here: the decision for each occurrence and the row that may leave the private store. Not here: the output rules
themselves (depcodex_assets.output_rules), the gate (depcodex_assets.gate), writing (depcodex_assets.publish).

Three steps, so that the embedder runs between two pure ones: ``decide`` makes each row but its vectors, ``embed`` makes
the vectors that are not known yet, ``quarantine`` joins both.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
_DECIDED_COLUMNS = (_DOC_TEXT, _REWRITE_TEXT)
_VECTOR_COLUMNS = ("doc_vector", "rewrite_vector")
# A class may list bases and a symbol aliases without end; readers need a few.
_MAX_NAMES = 32
_MAX_SIGNATURES = 16
_CONSTRUCTOR = ".__init__"


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
    digests = {
        (row["coordinate_id"], row["symbol"]): row["text_digest"]
        for row in occurrences.select(["coordinate_id", "symbol", "text_digest"]).to_pylist()
    }
    judge = _Judge(gate, parameters, verdicts, summaries, decisions)
    declared = declarations.filter(pc.is_null(declarations.column("skip_reason"))).to_pylist()
    constructors = {
        (row["coordinate_id"], row["symbol"].removesuffix(_CONSTRUCTOR)): row["signatures"]
        for row in declared
        if row["symbol"].endswith(_CONSTRUCTOR)
    }
    rows = []
    for row in declared:
        key = (row["coordinate_id"], row["symbol"])
        # A class says by its constructor's parameters what it is about.
        face_signatures = constructors.get(key) or row["signatures"]
        is_held = row["coordinate_id"] in held_ids
        coordinate = purls[row["coordinate_id"]]
        rows.append(_decided_row(row, coordinate, digests.get(key), judge, face_signatures, is_held=is_held))
    return pa.Table.from_pylist(rows, schema=_decided_schema()).sort_by(
        [("coordinate_id", "ascending"), ("symbol", "ascending")]
    )


def face_texts(decided: pa.Table) -> list[str]:
    """The distinct texts that the faces of ``decide``'s rows embed, sorted."""
    texts = {text for name in _DECIDED_COLUMNS for text in decided.column(name).to_pylist() if text}
    return sorted(texts)


def vector_key(text: str, embedder: Embedder) -> str:
    """The primary key of a face text's row in ``vectors``."""
    return schemas.row_key(_digest(text), f"{embedder.name}:{embedder.digest[:16]}", face_recipes.RECIPE_VERSION)


def embed(
    texts: Sequence[str],
    known: pa.Table,
    *,
    embedder: Embedder,
    on_progress: Callable[[int], None] | None = None,
) -> pa.Table:
    """Vectors of the face texts that are not among the known ones.

    Args:
        texts: distinct face texts.
        known: rows of ``vectors`` (at least their ``row_key``).
        embedder: makes unit vectors.
        on_progress: called with the number of texts embedded so far.

    Returns:
        One row a new text, of ``schemas.vectors_schema(embedder.width)``, in the order of ``texts``.
    """
    have = set(known.column("row_key").to_pylist())
    new = [text for text in texts if vector_key(text, embedder) not in have]
    vectors = embedder.embed(new, on_progress)
    table = pa.table(
        {
            "row_key": [vector_key(text, embedder) for text in new],
            "digest": [_digest(text) for text in new],
            "embedder": [f"{embedder.name}:{embedder.digest[:16]}"] * len(new),
            "recipe": [face_recipes.RECIPE_VERSION] * len(new),
            "vector": _vector_array(vectors),
        }
    )
    return schemas.conform(table, schemas.vectors_schema(embedder.width))


def quarantine(decided: pa.Table, vectors: pa.Table, *, embedder: Embedder) -> pa.Table:
    """The decided rows with their faces; the private face texts are dropped.

    Args:
        decided: what ``decide`` returned.
        vectors: rows of ``vectors`` that hold every face text of ``decided``.
        embedder: whose vectors they are.

    Returns:
        ``schemas.quarantined_schema(embedder.width)``, rows and order of ``decided``.
    """
    positions = {key: index for index, key in enumerate(vectors.column("row_key").to_pylist())}
    column = vectors.column("vector").combine_chunks()
    table = decided
    for source, target in zip(_DECIDED_COLUMNS, _VECTOR_COLUMNS, strict=True):
        keys = [None if not text else vector_key(text, embedder) for text in decided.column(source).to_pylist()]
        indices = pa.array([None if key is None else positions[key] for key in keys], pa.int64())
        table = table.append_column(target, pc.take(column, indices))
    return schemas.conform(table.drop(list(_DECIDED_COLUMNS)), schemas.quarantined_schema(embedder.width))


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
        self._verdicts = {
            row["text_digest"]: row for row in verdicts.to_pylist() if row["gate_version"] == gate.version
        }
        preferred = (parameters.rewriter, parameters.prompt_version, parameters.model_digest)
        self._summaries: dict[str, list[Mapping[str, Any]]] = {}
        # The configured rewriter's first, then newest first; ties by key, so that the same store decides the same.
        for row in sorted(
            summaries.to_pylist(),
            key=lambda row: (
                (row["rewriter"], row["prompt_version"], row["model_digest"]) != preferred,
                -row["created_at"].timestamp(),
                row["row_key"],
            ),
        ):
            self._summaries.setdefault(row["text_digest"], []).append(row)
        self._released = {
            (row["text_digest"], row["sentence"]) for row in decisions.to_pylist() if row["action"] == "release"
        }
        self._corrected = {
            row["text_digest"]: str(row["sentence"])
            for row in sorted(decisions.to_pylist(), key=lambda row: row["decided_at"])
            if row["action"] == "correct"
        }
        self._known: dict[str, _Decision] = {}

    def decision(self, digest: str, row: Mapping[str, object]) -> _Decision:
        """The decision for the text of a declaration row."""
        known = self._known.get(digest)
        if known is None:
            known = self._known[digest] = self._decide(digest, row)
        return known

    def _decide(self, digest: str, row: Mapping[str, object]) -> _Decision:
        if row["doc"] is None:
            return _Decision(None, None, None)
        text = Text(
            text_digest=digest,
            language=str(row["language"]),
            convention=str(row["convention"]),
            kind=str(row["kind"]),
            name=str(row["name"]),
            signatures=tuple(row["signatures"]),  # type: ignore[arg-type]
            doc=str(row["doc"]),
        )
        if digest in self._corrected:
            correction = self._corrected[digest]
            rule = self._refusal(correction, broken_rule(correction, text))
            return _Decision(None, None, rule) if rule else _Decision(correction, "person", None)
        verdict = self._verdicts.get(digest)
        if verdict is None:
            return _Decision(None, None, "gate:unjudged")
        gate_rule = self._gate.suspect_rule(verdict["score"], verdict["rule"], text.convention)
        first_rule: str | None = None
        for summary in self._summaries.get(digest, ()):
            sentence: str | None = summary["sentence"]
            if sentence is None:
                first_rule = first_rule or "model:nothing"
                continue
            if (digest, sentence) in self._released:
                return _Decision(sentence, str(summary["rewriter"]), None)
            if gate_rule is not None:
                continue
            is_checked = summary["rules_version"] == OUTPUT_RULES_VERSION
            rule = self._refusal(sentence, summary["rule"] if is_checked else broken_rule(sentence, text))
            if rule is None:
                return _Decision(sentence, str(summary["rewriter"]), None)
            first_rule = first_rule or rule
        if gate_rule is not None:
            return _Decision(None, None, f"gate:{gate_rule}")
        return _Decision(None, None, first_rule or "model:pending")

    def _refusal(self, sentence: str, rule: str | None) -> str | None:
        """Why a sentence may not be shown: the output rule it breaks, else what the gate says of it."""
        if rule is not None:
            return f"output:{rule}"
        judgement = self._gate.judge(sentence, "docstring")
        suspect = self._gate.suspect_rule(judgement.score, judgement.rule, "docstring")
        return None if suspect is None else f"output-gate:{suspect}"


def _decided_row(
    row: Mapping[str, object],
    coordinate: Coordinate,
    digest: str | None,
    judge: _Judge,
    face_signatures: Sequence[str],
    *,
    is_held: bool,
) -> dict[str, object]:
    symbol, kind, language = str(row["symbol"]), str(row["kind"]), str(row["language"])
    doc = None if row["doc"] is None else str(row["doc"])
    aliases = [name for name in row["aliases"] if not _is_refused(name, kind, language)][:_MAX_NAMES]  # type: ignore[attr-defined]
    is_reexport = kind == schemas.REEXPORT_KIND
    decision = _Decision(None, None, None) if digest is None else judge.decision(digest, row)
    if is_held and doc is not None:
        decision = _Decision(None, None, "held")
    hashes, counts = ([], []) if is_reexport else face_recipes.lexical_terms(symbol, aliases, doc)
    signatures: list[str] = row["signatures"]  # type: ignore[assignment]
    target = row["reexport_target"]
    is_refused = _is_refused(symbol, kind, language) or (
        target is not None and _is_refused(str(target), kind, language)
    )
    return {
        "coordinate_id": row["coordinate_id"],
        "id": entry_id(coordinate.purl, symbol),
        "symbol": symbol,
        "kind": kind,
        "name": row["name"],
        "aliases": aliases,
        "bases": [name for name in row["bases"] if not _is_refused(name, "class", language)][:_MAX_NAMES],  # type: ignore[attr-defined]
        "reexport_target": target,
        "signatures": [public_signature(each, language) for each in signatures[:_MAX_SIGNATURES]],
        "sentence": decision.sentence,
        "is_documented": doc is not None,
        "is_withheld": decision.withheld_rule is not None,
        "withheld_rule": decision.withheld_rule,
        "rewriter": decision.rewriter,
        "path": _public_path(str(row["path"]), str(row["file_digest"])),
        "line": row["line"],
        "file_digest": row["file_digest"],
        "is_deprecated": row["is_deprecated"],
        "since": row["since"],
        "packages_mentioned": _mentioned(decision.sentence, coordinate.type) if decision.sentence else [],
        "term_hashes": hashes,
        "term_counts": counts,
        "mention_hashes": face_recipes.mention_hashes(symbol, doc),
        "is_name_refused": is_refused,
        # A text that the gate suspects is embedded like any other: its entry is found, its prose is not shown.
        _DOC_TEXT: None if is_reexport else face_recipes.doc_face_text(symbol, face_signatures, doc),
        _REWRITE_TEXT: decision.sentence,
    }


def _decided_schema() -> pa.Schema:
    fields = [field for field in schemas.quarantined_schema(1) if field.name not in _VECTOR_COLUMNS]
    return pa.schema([*fields, *(pa.field(name, pa.string()) for name in _DECIDED_COLUMNS)])


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


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _vector_array(vectors: NDArray[np.float32]) -> pa.FixedSizeListArray:
    flat = pa.array(vectors.astype(np.float16).reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
