"""The table contracts against a real LanceDB."""

from __future__ import annotations

import datetime as dt
import multiprocessing
from pathlib import Path

import pyarrow as pa
import pytest

from depcodex import schemas, tables
from depcodex.errors import EmbedderMismatchError, StoreError
from depcodex.tables import (
    PublicTables,
    StoreManifest,
    Tables,
    clear_dead_publications,
    is_publishing,
    pin_manifest,
    raise_generation,
    read_generation,
)


def mention_rows(*rows: tuple[int, int, int]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    return pa.table(dict(zip(schemas.MENTIONS.names, map(list, columns), strict=True)), schema=schemas.MENTIONS)


def text_rows(*digests: str) -> pa.Table:
    rows = [
        {
            "text_digest": digest,
            "language": "python",
            "convention": "docstring",
            "kind": "function",
            "name": "f",
            "signatures": ["def f()"],
            "doc": None,
        }
        for digest in digests
    ]
    return pa.Table.from_pylist(rows, schema=schemas.TEXTS)


@pytest.fixture
def public(tmp_path: Path) -> PublicTables:
    return PublicTables(tmp_path / "public", width=4)


@pytest.fixture
def private(tmp_path: Path) -> Tables:
    return Tables(tmp_path / "private", schemas.private_contracts(4))


@pytest.mark.parametrize("wanted_count", [2001, 2250, 1999, 1])
def test_keys_are_read_alike_by_lists_and_by_a_scan(
    private: Tables, monkeypatch: pytest.MonkeyPatch, wanted_count: int
) -> None:
    digests = [f"sha256:{number:05d}'" for number in range(2600)]
    private.write("texts", text_rows(*digests))
    wanted = [*digests[:wanted_count], "sha256:absent"]
    for columns in (None, ["name"], ["name", "text_digest"]):
        found = []
        for factor in (0, 1000):
            monkeypatch.setattr(tables, "_SCAN_FACTOR", factor)
            found.append(private.read_keys("texts", "text_digest", wanted, columns))
        assert found[0].schema == found[1].schema
        assert found[0].num_rows == found[1].num_rows == wanted_count
        assert found[0].sort_by(found[0].column_names[0]).column(0) == found[1].sort_by(
            found[1].column_names[0]
        ).column(0)


def test_a_replace_touches_only_the_coordinates_of_the_run(public: PublicTables) -> None:
    public.write("mentions", mention_rows((1, 10, 1), (1, 11, 2), (2, 10, 5)), coordinate_ids=[1, 2])
    public.write("mentions", mention_rows((1, 12, 7)), coordinate_ids=[1])
    rows = public.read("mentions").sort_by("coordinate_id").to_pylist()
    assert rows == [
        {"coordinate_id": 1, "symbol_hash": 12, "count": 7},
        {"coordinate_id": 2, "symbol_hash": 10, "count": 5},
    ]


def test_a_replace_without_rows_empties_the_coordinate(public: PublicTables) -> None:
    public.write("mentions", mention_rows((1, 10, 1), (2, 10, 5)), coordinate_ids=[1, 2])
    public.write("mentions", mention_rows(), coordinate_ids=[1])
    assert public.read("mentions").column("coordinate_id").to_pylist() == [2]


def test_a_replace_is_one_commit(public: PublicTables) -> None:
    public.write("mentions", mention_rows((1, 10, 1)), coordinate_ids=[1])
    before = public.handle("mentions").version
    public.write("mentions", mention_rows((1, 11, 1)), coordinate_ids=[1])
    assert public.handle("mentions").version == before + 1


def test_null_vectors_stay_null_when_rows_are_replaced(tmp_path: Path) -> None:
    tables = PublicTables(tmp_path / "public", width=16)
    row: dict[str, object] = dict.fromkeys(schemas.entries_schema(16).names)
    row |= dict.fromkeys(("id", "kind", "name", "path", "file_digest"), "x")
    lists = ("aliases", "bases", "signatures", "packages_mentioned", "term_hashes", "term_counts")
    row |= {name: [] for name in lists}
    row |= dict.fromkeys(("is_documented", "is_withheld", "is_deprecated", "is_experimental"), False)
    row |= {"coordinate_id": 1, "line": 1}
    for _ in range(2):
        rows = [row | {"symbol": "a"}, row | {"symbol": "b", "doc_vector": [0.5] * 16}]
        table = pa.Table.from_pylist(rows, schema=schemas.entries_schema(16))
        tables.write("entries", table, coordinate_ids=[1])
        read = tables.read("entries").sort_by("symbol")
        assert read.column("doc_vector").to_pylist() == [None, [0.5] * 16]


def test_the_same_replace_twice_leaves_the_same_rows(public: PublicTables) -> None:
    for _ in range(2):
        public.write("mentions", mention_rows((1, 10, 1), (1, 11, 2)), coordinate_ids=[1])
    assert public.count("mentions") == 2


def test_rows_outside_the_run_are_refused(public: PublicTables) -> None:
    with pytest.raises(StoreError, match="outside the run"):
        public.write("mentions", mention_rows((3, 10, 1)), coordinate_ids=[1])


def test_two_rows_of_one_key_are_refused(public: PublicTables) -> None:
    with pytest.raises(StoreError, match="share a key"):
        public.write("mentions", mention_rows((1, 10, 1), (1, 10, 2)), coordinate_ids=[1])


def test_an_insert_keeps_the_row_that_is_there_and_doubles_none(private: Tables) -> None:
    assert private.write("texts", text_rows("a", "b", "a")).inserted_count == 2
    assert private.write("texts", text_rows("b", "c")).inserted_count == 1
    assert sorted(private.read("texts").column("text_digest").to_pylist()) == ["a", "b", "c"]


def test_reading_by_key_takes_more_keys_than_one_query_holds(private: Tables) -> None:
    private.write("texts", text_rows(*(f"d{number}" for number in range(4500))))
    wanted = [f"d{number}" for number in range(0, 4500, 2)] + ["absent", "it's"]
    assert private.read_keys("texts", "text_digest", wanted, ["text_digest"]).num_rows == 2250


def _insert_the_same_texts(folder: str) -> None:
    tables = Tables(Path(folder), schemas.private_contracts(4))
    for start in range(0, 60, 20):
        tables.write("texts", text_rows(*(f"d{number}" for number in range(start, start + 20))))


def test_writers_at_once_do_not_double_digest_keyed_rows(private: Tables) -> None:
    private.write("texts", text_rows("first"))
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_insert_the_same_texts, args=(str(private.folder),)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    digests = private.read("texts").column("text_digest").to_pylist()
    assert len(digests) == len(set(digests)) == 61


def test_another_handle_sees_a_commit_at_once(public: PublicTables) -> None:
    public.write("mentions", mention_rows((1, 10, 1)), coordinate_ids=[1])
    other = PublicTables(public.folder, width=4)
    assert other.count("mentions") == 1
    public.write("mentions", mention_rows((2, 10, 1)), coordinate_ids=[2])
    assert other.count("mentions") == 2


def test_indexes_stand_where_the_contracts_ask_and_optimize_keeps_rows(public: PublicTables, private: Tables) -> None:
    public.write("mentions", mention_rows((1, 10, 1), (2, 11, 1)), coordinate_ids=[1, 2])
    private.write("texts", text_rows("a"))
    for each in (public, private):
        each.index()
        each.index()
        each.optimize(cleanup_older_than_seconds=1.0)
    assert [each.columns for each in public.handle("mentions").list_indices()] == [["coordinate_id"]]
    assert [each.columns for each in private.handle("texts").list_indices()] == [["text_digest"]]
    assert public.count("mentions") == 2


def test_a_missing_column_or_a_null_is_named(public: PublicTables) -> None:
    with pytest.raises(StoreError, match="missing \\['count'\\]"):
        public.write("mentions", mention_rows((1, 1, 1)).drop(["count"]), coordinate_ids=[1])
    loose = pa.table({"coordinate_id": [1], "symbol_hash": [None], "count": [1]})
    with pytest.raises(StoreError, match=r"symbol_hash.*null values"):
        public.write("mentions", loose, coordinate_ids=[1])


def test_a_store_keeps_its_embedder(tmp_path: Path) -> None:
    manifest = StoreManifest(embedder="minilm", embedder_digest="a" * 64, width=384, pooling="mean")
    pin_manifest(tmp_path, manifest)
    pin_manifest(tmp_path, manifest)
    other = StoreManifest(embedder="ollama:x", embedder_digest="b" * 64, width=768, pooling="server")
    with pytest.raises(EmbedderMismatchError, match="depcodex store reembed"):
        pin_manifest(tmp_path, other)


def test_a_damaged_manifest_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "store.json").write_text("{")
    with pytest.raises(StoreError, match="damaged"):
        pin_manifest(tmp_path, StoreManifest("minilm", "a", 384, "mean"))


def test_a_publication_raises_the_generation_and_hides_caches_meanwhile(public: PublicTables) -> None:
    before = public.generation()
    with public.publication():
        assert is_publishing(public.folder)
    assert public.generation() == before + 1
    assert not is_publishing(public.folder)


def test_the_marker_of_a_killed_publish_is_cleared_and_counts_as_a_change(tmp_path: Path) -> None:
    worker = multiprocessing.get_context("spawn").Process(target=int)
    worker.start()
    worker.join()
    (tmp_path / f"publishing-{worker.pid}-x").touch()
    raise_generation(tmp_path)
    assert clear_dead_publications(tmp_path) == 1
    assert read_generation(tmp_path) == 2
    assert clear_dead_publications(tmp_path) == 0


def test_the_next_publish_clears_one_that_was_killed(tmp_path: Path) -> None:
    worker = multiprocessing.get_context("spawn").Process(target=int)
    worker.start()
    worker.join()
    (tmp_path / f"publishing-{worker.pid}-x").touch()
    with PublicTables(tmp_path, 4).publication():
        pass
    assert not is_publishing(tmp_path)


def test_times_are_kept_in_utc(private: Tables) -> None:
    now = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
    row = {
        "decision_id": "1",
        "action": "hold",
        "pattern": "pkg:pypi/x",
        "text_digest": "",
        "sentence": None,
        "actor": "a",
        "reason": "r",
        "decided_at": now,
    }
    private.write("decisions", pa.Table.from_pylist([row], schema=schemas.DECISIONS))
    assert private.read("decisions").to_pylist()[0]["decided_at"] == now
