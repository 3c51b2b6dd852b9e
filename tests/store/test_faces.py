"""Ranking against a plain exhaustive reference, and what narrowing may do to it."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.public_store import Entry, Store, WordEmbedder, direction
from depcodex import faces
from depcodex.closure import ResolvedDependency, Scope
from depcodex.coordinates import Coordinate
from depcodex.faces import Faces
from depcodex.query import Codex
from depcodex.snapshots import acquire
from depcodex.terms import terms

WORDS = (
    *("read", "write", "open", "close", "file", "socket", "request", "retry"),
    *("table", "column", "row", "parse", "encode", "image", "resize", "matrix"),
)
PURLS = [f"pkg:pypi/lib{letter}@1.{number}" for number, letter in enumerate("abcdef")]
OUTSIDE = "pkg:pypi/outside@9.9"


def library(seed: int, count: int) -> list[Entry]:
    random = np.random.default_rng(seed)
    entries = []
    for number in range(count):
        picked = random.choice(WORDS, size=5).tolist()
        kind = ("function", "property", "class", "reexport")[int(random.integers(0, 10)) % 4]
        entries.append(
            Entry(
                f"lib{seed}." + ".".join([*picked[: int(random.integers(1, 3))], f"n{number}"]),
                " ".join(picked) if number % 3 else "",
                " ".join(picked[::-1]) if number % 3 == 1 else None,
                kind=kind,
                target="nowhere.at_all" if kind == "reexport" else None,
                aliases=(f"lib{seed}.n{number}",) if number % 2 else (),
            )
        )
    return entries


MENTIONS = {
    PURLS[0]: {"lib0.n1": 3, "lib1.n1": 7},
    PURLS[1]: {"lib0.n1": 2, "lib2.n3": 1},
    OUTSIDE: {"lib0.n3": 1000},
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(tmp_path_factory.mktemp("faces"))
    contents = {purl: library(seed, 30) for seed, purl in enumerate(PURLS)}
    store.publish({**contents, OUTSIDE: library(9, 30)}, mentions=MENTIONS)
    scopes = (Scope.DECLARED, Scope.IMPORTABLE, Scope.ALL)
    store.record(
        *(ResolvedDependency(Coordinate.parse(purl), scopes[number % 3], 1) for number, purl in enumerate(PURLS)),
        scope=Scope.ALL,
    )
    return store


@pytest.fixture(scope="module")
def codex(store: Store) -> Codex:
    return Codex.open(store.project, store.settings, embedder=WordEmbedder())


def reference(need: str) -> dict[tuple[str, str], float]:
    """(purl, symbol) to score, computed entry by entry from the entries themselves."""
    rows = [(purl, entry) for seed, purl in enumerate(PURLS) for entry in library(seed, 30) if entry.kind != "reexport"]
    query = direction(need).astype(np.float32)
    cosines, bags = [], []
    for _, entry in rows:
        name = entry.symbol.rpartition(".")[2]
        doc = float(direction(f"{name} {entry.doc}").astype(np.float16).astype(np.float32) @ query)
        if entry.sentence:
            rewrite = float(direction(entry.sentence).astype(np.float16).astype(np.float32) @ query)
            doc = 0.75 * doc + 0.25 * rewrite
        cosines.append(doc)
        bags.append(Counter(terms(f"{name} {name} {entry.doc}")))
    mean = sum(sum(bag.values()) for bag in bags) / len(bags)
    lexical = []
    for bag in bags:
        score = 0.0
        for term, asked in Counter(terms(need)).items():
            holding = sum(term in each for each in bags)
            idf = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
            tf = bag[term]
            score += asked * idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * sum(bag.values()) / mean)) if tf else 0
        lexical.append(score)
    scores = []
    counts: Counter[str] = Counter()
    for purl in PURLS:
        for symbol, count in MENTIONS.get(purl, {}).items():
            counts[symbol] += math.log1p(count)  # type: ignore[assignment]
    for index, (_, entry) in enumerate(rows):
        names = {entry.symbol, *entry.aliases}
        score = (cosines[index] - np.mean(cosines)) / np.std(cosines)
        score += 0.5 * (lexical[index] - np.mean(lexical)) / (np.std(lexical) or 1)
        score += 0.2 * sum(counts[name] for name in names)
        score -= 0.8 * min(name.count(".") for name in names) + 0.8 * (entry.kind == "property")
        score -= entry.kind in ("method", "property") and not entry.sentence and not entry.is_withheld
        scores.append(score)
    return {(purl, entry.symbol): float(score) for (purl, entry), score in zip(rows, scores, strict=True)}


def hits(codex: Codex, need: str, **narrowing: Any) -> list[tuple[str, str]]:
    found, cursor = [], None
    while True:
        answer = codex.search(need, limit=100, cursor=cursor, **narrowing)
        found.extend((hit.coordinate, hit.symbol) for hit in answer.results)
        cursor = answer.cursor
        if cursor is None:
            return found


@pytest.mark.parametrize("need", ["read a file", "retry a socket request", "resize the image", "zebra", "n1 column"])
def test_the_order_is_that_of_an_exhaustive_reference(codex: Codex, need: str) -> None:
    expected = reference(need)
    order = hits(codex, need)
    assert sorted(order) == sorted(expected)
    for before, after in itertools.pairwise(order):
        # The index keeps float32 weights: closer scores than this are ties.
        assert expected[before] > expected[after] - 1e-5


NEEDS = st.lists(st.sampled_from([*WORDS, "n3", "unknown"]), min_size=1, max_size=6).map(" ".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(need=NEEDS, chosen=st.sets(st.sampled_from(PURLS), min_size=1))
def test_narrowing_only_removes_hits(codex: Codex, need: str, chosen: set[str]) -> None:
    whole = codex.search(need, limit=100)
    assert hits(codex, need, coordinates=sorted(chosen)) == [each for each in hits(codex, need) if each[0] in chosen]
    labels = {hit.id: hit.found_by for hit in whole.results}
    for hit in codex.search(need, limit=100, coordinates=sorted(chosen)).results:
        assert hit.found_by
        assert labels.get(hit.id, hit.found_by) == hit.found_by


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(need=NEEDS, size=st.integers(1, 100))
def test_pages_of_any_size_make_the_same_order(codex: Codex, need: str, size: int) -> None:
    found, cursor = [], None
    while len(found) < 60:
        answer = codex.search(need, limit=size, cursor=cursor)
        found.extend(answer.results)
        cursor = answer.cursor
        if cursor is None:
            break
    whole = hits(codex, need)
    assert [(hit.coordinate, hit.symbol) for hit in found] == whole[: len(found)]


def test_other_projects_rows_change_nothing(tmp_path: Path, codex: Codex) -> None:
    alone = Store(tmp_path)
    alone.publish(
        {purl: library(seed, 30) for seed, purl in enumerate(PURLS)},
        mentions={purl: each for purl, each in MENTIONS.items() if purl != OUTSIDE},
    )
    alone.record(*PURLS, scope=Scope.ALL)
    other = Codex.open(alone.project, alone.settings, embedder=WordEmbedder())
    for need in ("read a file", "retry n3"):
        assert [(hit.coordinate, hit.symbol, hit.found_by) for hit in other.search(need, limit=50).results] == [
            (hit.coordinate, hit.symbol, hit.found_by) for hit in codex.search(need, limit=50).results
        ]


def test_distance_is_no_feature_of_the_order(store: Store, codex: Codex) -> None:
    before = hits(codex, "open a socket")
    project = store.root / "other"
    project.mkdir()
    store.record(
        *(ResolvedDependency(Coordinate.parse(purl), Scope.ALL, 9 - n) for n, purl in enumerate(PURLS)),
        scope=Scope.ALL,
        project=project,
    )
    assert hits(Codex.open(project, store.settings, embedder=WordEmbedder()), "open a socket") == before


def test_reexports_are_never_hits(codex: Codex) -> None:
    kinds = {hit.kind for hit in codex.search("read", limit=100).results}
    assert "reexport" not in kinds


def test_the_floor_refuses_only_what_is_far_from_everything(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [Coordinate.parse(purl).coordinate_id for purl in PURLS]
    snapshot = acquire(store.settings, ids)
    assert snapshot is not None
    ranked = Faces(snapshot)
    everything = np.ones(snapshot.entries.num_rows, dtype=np.bool_)
    # A direction away from every entry.
    away = -snapshot.arrays["doc"].astype(np.float32).mean(axis=0)
    away /= np.linalg.norm(away)
    assert not ranked.rank("zebra", away, everything).is_below_floor
    monkeypatch.setattr(faces, "FLOOR_MIN_CLOSURE_ROWS", 10)
    monkeypatch.setattr(faces, "FLOOR_MEAN_COSINE", 0.9)
    assert ranked.rank("zebra", away, everything).is_below_floor


def test_streamed_and_kept_faces_give_the_same_numbers(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = acquire(store.settings, [Coordinate.parse(purl).coordinate_id for purl in PURLS])
    assert snapshot is not None
    everything = np.ones(snapshot.entries.num_rows, dtype=np.bool_)
    monkeypatch.setattr(faces, "_BLOCK_ROWS", 32)
    kept = Faces(snapshot)
    rankings = [kept.rank("read a file", direction("read a file"), everything) for _ in range(3)]
    monkeypatch.setattr(faces, "_RESIDENT_BYTES", 0)
    streamed = Faces(snapshot)
    rankings += [streamed.rank("read a file", direction("read a file"), everything) for _ in range(3)]
    for ranking in rankings:
        np.testing.assert_array_equal(ranking.rows, rankings[0].rows)
        np.testing.assert_array_equal(ranking.arms["doc"], rankings[0].arms["doc"])


def test_a_snapshot_holds_no_row_of_another_coordinate(store: Store) -> None:
    ids = [Coordinate.parse(purl).coordinate_id for purl in PURLS[:2]]
    snapshot = acquire(store.settings, ids)
    assert snapshot is not None
    assert isinstance(snapshot.entries, pa.Table)
    assert snapshot.entries.num_rows == 60
    assert set(snapshot.coordinates["purl"].to_pylist()) == set(PURLS[:2])
