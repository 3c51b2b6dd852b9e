"""A small real public store, made through PublicTables.write, and an embedder that needs no model.

Here: builders that many tests of the read side share. Not here: tests.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from depcodex import records, schemas
from depcodex.closure import Closure, ProjectRecord, ResolvedDependency, Scope
from depcodex.coordinates import Coordinate, entry_id
from depcodex.settings import Settings
from depcodex.symbols import import_names
from depcodex.tables import PublicTables, StoreManifest, pin_manifest
from depcodex.terms import symbol_hash, term_hash, terms

WIDTH = 32
FILE_DIGEST = "sha256:" + "ab" * 32


class WordEmbedder:
    """An embedder without a model: the sum of one fixed random direction for each term."""

    name = "words"
    digest = "d" * 64
    width = WIDTH
    pooling = "sum"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> Any:
        self.texts.extend(texts)
        return np.stack([direction(text) for text in texts])


def direction(text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    total = np.zeros(WIDTH, dtype=np.float64)
    for term in terms(text) or [text]:
        seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:4], "big")
        total += np.random.default_rng(seed).standard_normal(WIDTH)
    return (total / np.linalg.norm(total)).astype(np.float32)


@dataclass(frozen=True)
class Entry:
    """One entry in few words; what is left out is made from the symbol."""

    symbol: str
    doc: str = ""
    sentence: str | None = None
    kind: str = "function"
    aliases: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    target: str | None = None
    signatures: tuple[str, ...] = ("def f()",)
    is_withheld: bool = False
    packages_mentioned: tuple[str, ...] = ()
    is_deprecated: bool = False

    def row(self, coordinate: Coordinate) -> dict[str, Any]:
        name = self.symbol.rpartition(".")[2]
        counts = Counter(term_hash(term) for term in terms(f"{name} {name} {self.doc}"))
        sentence = None if self.is_withheld else self.sentence
        is_shown = self.kind not in (schemas.REEXPORT_KIND, schemas.FILE_KIND)
        return {
            "coordinate_id": coordinate.coordinate_id,
            "id": entry_id(coordinate.purl, self.symbol),
            "symbol": self.symbol,
            "kind": self.kind,
            "name": name,
            "aliases": list(self.aliases),
            "bases": list(self.bases),
            "reexport_target": self.target,
            "signatures": list(self.signatures),
            "sentence": sentence,
            "is_documented": bool(self.doc),
            "is_withheld": self.is_withheld,
            "withheld_rule": "gate:rule" if self.is_withheld else None,
            "rewriter": "controlled" if sentence else None,
            "path": f"{coordinate.name}/api.py",
            "line": 1 + len(self.symbol),
            "file_digest": FILE_DIGEST,
            "is_deprecated": self.is_deprecated,
            "is_experimental": False,
            "since": None,
            "packages_mentioned": list(self.packages_mentioned),
            "doc_vector": _half(direction(f"{name} {self.doc}")) if is_shown else None,
            "rewrite_vector": _half(direction(sentence)) if is_shown and sentence else None,
            "term_hashes": sorted(counts) if is_shown else [],
            "term_counts": [counts[each] for each in sorted(counts)] if is_shown else [],
        }


@dataclass
class Store:
    """A data home under a temporary folder, with a project beside it."""

    root: Path
    settings: Settings = field(init=False)
    project: Path = field(init=False)

    def __post_init__(self) -> None:
        self.settings = Settings(home=self.root / "home")
        self.project = self.root / "project"
        self.project.mkdir(parents=True, exist_ok=True)

    def publish(
        self,
        library: Mapping[str, Sequence[Entry]],
        *,
        mentions: Mapping[str, Mapping[str, int]] | None = None,
        states: Mapping[str, tuple[str, str | None]] | None = None,
    ) -> PublicTables:
        """Writes the entries of each purl as publish does; ``states``: purl → (state, reason) where not indexed."""
        embedder = WordEmbedder()
        manifest = StoreManifest(embedder.name, embedder.digest, WIDTH, embedder.pooling)
        pin_manifest(self.settings.public, manifest)
        tables = PublicTables.of(self.settings)
        found = {Coordinate.parse(purl): entries for purl, entries in library.items()}
        ids = [each.coordinate_id for each in found]
        rows = [entry.row(coordinate) for coordinate, entries in found.items() for entry in entries]
        counted = [
            {
                "coordinate_id": Coordinate.parse(purl).coordinate_id,
                "symbol_hash": symbol_hash(symbol),
                "count": count,
            }
            for purl, each in (mentions or {}).items()
            for symbol, count in each.items()
        ]
        about = [coordinate_row(each, entries, states or {}) for each, entries in found.items()]
        with tables.publication():
            tables.write(
                "entries", pa.Table.from_pylist(rows, schema=schemas.entries_schema(WIDTH)), coordinate_ids=ids
            )
            tables.write(
                "mentions",
                pa.Table.from_pylist(counted, schema=schemas.MENTIONS),
                coordinate_ids=[*ids, *(row["coordinate_id"] for row in counted)],
            )
            tables.write("coordinates", pa.Table.from_pylist(about, schema=schemas.COORDINATES), coordinate_ids=ids)
        return tables

    def record(
        self,
        *dependencies: ResolvedDependency | str,
        edges: Sequence[tuple[str, str]] = (),
        scope: Scope = Scope.IMPORTABLE,
        project: Path | None = None,
    ) -> ProjectRecord:
        """Records a project with these dependencies (purls: direct ones)."""
        rows = tuple(
            each if isinstance(each, ResolvedDependency) else ResolvedDependency(Coordinate.parse(each), distance=1)
            for each in dependencies
        )
        closure = Closure("uv", ".", tuple(sorted(rows, key=lambda each: each.coordinate.purl)), tuple(edges))
        record = ProjectRecord(str((project or self.project).resolve()), (closure,), scope, "2026-11-30T12:00:00+00:00")
        records.write_record(self.settings, record)
        return record


def coordinate_row(
    coordinate: Coordinate, entries: Sequence[Entry], states: Mapping[str, tuple[str, str | None]]
) -> dict[str, Any]:
    state, reason = states.get(coordinate.purl, ("indexed", None))
    return {
        "coordinate_id": coordinate.coordinate_id,
        "purl": coordinate.purl,
        "library": coordinate.library,
        "version": coordinate.version,
        "state": state,
        "reason": reason,
        "is_retryable": False,
        "is_verified": True,
        "is_yanked": False,
        "as_of": "2026-01-02",
        "archive_digest": "",
        "import_names": import_names(coordinate, [entry.symbol for entry in entries]),
        "file_count": 1,
        "file_error_count": 0,
        "entry_count": len(entries),
        "documented_count": sum(bool(entry.doc) for entry in entries),
        "withheld_count": sum(entry.is_withheld for entry in entries),
        "refused_name_count": 0,
        "gate_version": "1",
        "gate_threshold": -1.0,
        "rules_version": "1",
        "rewriter": "controlled",
        "prompt_version": "1",
        "model_digest": "",
        "embedder": "words",
        "stages_version": "1",
        "indexed_at": dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
    }


def _half(vector: np.ndarray[Any, np.dtype[np.float32]]) -> list[np.float16]:
    return list(vector.astype(np.float16))
