"""Questions to a closure through ``Codex``, over a small real store."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import threading
from pathlib import Path

import pytest

from contracts.public_store import FILE_DIGEST, Entry, Store, WordEmbedder
from depcodex.closure import ResolvedDependency, Scope
from depcodex.coordinates import Coordinate, entry_id
from depcodex.cursors import CursorError
from depcodex.errors import CoordinateError, EmbedderMismatchError, UsageError
from depcodex.query import Codex
from depcodex.settings import Settings

REQUESTS = "pkg:pypi/requests@2.34.2"
HTTPX = "pkg:pypi/httpx@0.28.1"
URLLIB3 = "pkg:pypi/urllib3@2.5.0"
OTHER = "pkg:pypi/secretlib@1.0.0"

LIBRARY = {
    REQUESTS: [
        Entry("requests.get", "Sends a get request over the wire.", "Downloads a page.", aliases=("requests.api.get",)),
        Entry("requests.post", "Sends a post request with a body.", "Uploads a body."),
        Entry("requests.Session", "Keeps cookies between calls.", "Holds cookies.", kind="class"),
        Entry("requests.Session.cookies", "The jar of cookies.", "Gives the jar.", kind="property"),
        Entry("requests.undocumented_helper"),
    ],
    HTTPX: [
        Entry("httpx.get", "Fetches a resource and follows redirects.", "Fetches a resource."),
        Entry("httpx.Timeout", "Limits how long a call may last.", "Limits the wait.", kind="class"),
    ],
    URLLIB3: [Entry("urllib3.Retry", "Tries failed calls again with backoff.", "Repeats failed calls.", kind="class")],
    OTHER: [Entry("secretlib.get", "Sends a get request over the secret wire.", "Sends secrets.")],
}


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(tmp_path_factory.mktemp("query"))
    store.publish(LIBRARY, mentions={HTTPX: {"requests.get": 4, "requests.api.get": 1}, OTHER: {"requests.post": 500}})
    store.record(
        REQUESTS,
        HTTPX,
        ResolvedDependency(Coordinate.parse(URLLIB3), Scope.IMPORTABLE, 2, (REQUESTS,)),
        edges=[(REQUESTS, URLLIB3)],
    )
    return store


@pytest.fixture
def codex(shared_store: Store) -> Codex:
    return Codex.open(shared_store.project, shared_store.settings, embedder=WordEmbedder())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def opened(store: Store, **settings: object) -> Codex:
    return Codex.open(store.project, dataclasses.replace(store.settings, **settings), embedder=WordEmbedder())


def symbols(answer: object) -> list[str]:
    return [hit.symbol for hit in answer.results]  # type: ignore[attr-defined]


def test_a_need_finds_the_entry_that_answers_it(codex: Codex) -> None:
    answer = codex.search("keep cookies between calls")
    assert answer.results[0].symbol == "requests.Session"
    assert answer.abstention is None
    assert "doc" in answer.results[0].found_by


def test_the_json_has_exactly_the_documented_keys(codex: Codex) -> None:
    found = codex.search("tries failed calls again", limit=1).to_json()
    assert list(found) == ["results", "abstention", "freshness", "cursor"]
    (hit,) = found["results"]  # type: ignore[misc]
    assert hit == {
        "rank": 1,
        "id": entry_id(URLLIB3, "urllib3.Retry"),
        "coordinate": URLLIB3,
        "symbol": "urllib3.Retry",
        "aliases": [],
        "kind": "class",
        "signatures": ["def f()"],
        "sentence": "Repeats failed calls.",
        "is_withheld": False,
        "citation": f"{URLLIB3}!urllib3/api.py:14#{FILE_DIGEST}",
        "as_of": "2026-01-02",
        "rewriter": "controlled",
        "is_deprecated": False,
        "since": None,
        "found_by": ["lexical", "doc", "rewrite"],
        "distance": 2,
        "via": [REQUESTS],
        "disagrees_with": [],
    }
    assert found["freshness"] == {
        "generation": 1,
        "recorded_at": "2026-11-30T12:00:00+00:00",
        "scope": "importable",
        "coordinates": {"indexed": 3},
        "as_of": "2026-01-02",
    }


def test_nothing_of_a_library_outside_the_closure_is_found_or_named(codex: Codex) -> None:
    answer = codex.search("sends a get request over the secret wire", limit=100)
    assert all(hit.coordinate != OTHER for hit in answer.results)
    absent = codex.lookup("nosuchlib.get").to_json()
    outside = codex.lookup("secretlib.get").to_json()
    assert json.dumps(outside).replace("secretlib", "nosuchlib") == json.dumps(absent)


def test_a_coordinate_outside_the_closure_reads_like_one_that_does_not_exist(codex: Codex) -> None:
    outside = codex.search("a need", coordinates=[OTHER]).to_json()
    absent = codex.search("a need", coordinates=["pkg:pypi/nosuchlib@1.0.0"]).to_json()
    assert outside == absent
    assert outside["abstention"]["type"] == "no_match"  # type: ignore[index]


def test_an_undocumented_symbol_is_found_by_its_name_and_has_no_sentence(codex: Codex) -> None:
    (hit,) = [hit for hit in codex.search("undocumented helper").results if "helper" in hit.symbol]
    assert (hit.sentence, hit.is_withheld, hit.rewriter) == (None, False, None)


def test_narrowing_to_a_coordinate_removes_the_others(codex: Codex) -> None:
    assert {hit.coordinate for hit in codex.search("get", coordinates=[HTTPX]).results} == {HTTPX}
    assert {hit.coordinate for hit in codex.search("get", coordinates=["pkg:pypi/httpx"]).results} == {HTTPX}


def test_another_version_of_a_library_is_said_not_to_be_in_the_closure(codex: Codex) -> None:
    for answer in (
        codex.search("get", coordinates=["pkg:pypi/httpx@0.1.0"]),
        codex.search("get", coordinates=["pkg:pypi/httpx"], version="0.1.0"),
        codex.lookup("httpx.get", version="0.1.0"),
        codex.lookup("httpx.get", version="2.5.0"),
    ):
        assert answer.abstention is not None
        assert answer.abstention.type == "version_not_in_closure"
        assert answer.exit_status == 1


def test_pages_follow_each_other_without_gap_or_double(codex: Codex) -> None:
    whole = codex.search("get a request", limit=100)
    pages, cursor = [], None
    while True:
        page = codex.search("get a request", limit=3, cursor=cursor)
        pages.extend(page.results)
        cursor = page.cursor
        if cursor is None:
            break
    assert tuple(pages) == whole.results
    assert [hit.rank for hit in pages] == list(range(1, len(pages) + 1))


def test_a_cursor_of_another_question_is_refused(codex: Codex) -> None:
    cursor = codex.search("get a request", limit=1).cursor
    for arguments in ({"need": "another"}, {"need": "get a request", "coordinates": [HTTPX]}):
        with pytest.raises(CursorError, match="another question"):
            codex.search(**arguments, cursor=cursor)  # type: ignore[arg-type]
    with pytest.raises(CursorError, match="not one that depcodex made"):
        codex.search("get a request", cursor="zzz!")


def test_an_empty_need_and_a_wrong_limit_are_usage_errors(codex: Codex) -> None:
    for need in ("", "  \n\t "):
        with pytest.raises(UsageError, match="empty"):
            codex.search(need)
    with pytest.raises(UsageError, match="limit"):
        codex.search("x", limit=0)
    with pytest.raises(UsageError, match="limit"):
        codex.lookup("x", limit=101)
    with pytest.raises(CoordinateError):
        codex.search("x", coordinates=["requests"])


@pytest.mark.parametrize("need", ["x" * 100_000, "word " * 50_000, "\x00\x1b[31m", "検索する", "🦀", "\ud800"])
def test_any_text_is_an_acceptable_need(codex: Codex, need: str) -> None:
    assert codex.search(need).freshness.generation == 1
    assert codex.lookup(need).abstention is not None


def test_the_same_question_gives_the_same_bytes(shared_store: Store) -> None:
    texts = {json.dumps(opened(shared_store).search("send a request", limit=100).to_json()).encode() for _ in range(3)}
    assert len(texts) == 1


def test_without_a_record_the_answer_says_how_to_make_one(tmp_path: Path) -> None:
    codex = Codex.open(tmp_path / "some where", Settings(home=tmp_path / "home"), embedder=WordEmbedder())
    answer = codex.search("anything")
    assert answer.abstention is not None
    assert answer.abstention.type == "no_closure"
    assert answer.abstention.resolve == f"depcodex index '{tmp_path}/some where'"
    assert answer.results == ()


def test_a_recorded_project_without_an_index_is_never_registered(store: Store) -> None:
    store.record(REQUESTS)
    for answer in (opened(store).search("x"), opened(store).lookup("requests.get")):
        assert answer.abstention is not None
        assert answer.abstention.type == "never_registered"
        assert answer.freshness.coordinates == (("never_registered", 1),)


@pytest.mark.parametrize(
    ("state", "type_"),
    [("pending", "pending"), ("failed", "pending"), ("excluded", "excluded"), ("no_source", "no_source")],
)
def test_a_state_that_shows_nothing_is_named_with_its_reason(store: Store, state: str, type_: str) -> None:
    store.publish({REQUESTS: LIBRARY[REQUESTS]}, states={REQUESTS: (state, "a reason of ours")})
    store.record(REQUESTS)
    answer = opened(store).search("get")
    assert answer.abstention is not None
    assert answer.abstention.type == type_
    assert "a reason of ours" in answer.abstention.message


def test_a_hold_and_an_exclusion_take_effect_on_the_next_question(store: Store) -> None:
    store.publish(LIBRARY)
    store.record(REQUESTS, HTTPX)
    assert opened(store).lookup("httpx.get").results
    held = opened(store, hold=("pkg:pypi/httpx",))
    assert HTTPX not in {hit.coordinate for hit in held.search("get", limit=100).results}
    assert held.lookup("httpx.get").abstention.type == "held"  # type: ignore[union-attr]
    assert dict(held.status().freshness.coordinates) == {"held": 1, "indexed": 1}
    excluded = opened(store, exclude=("pkg:pypi/h*",))
    assert excluded.lookup("httpx.get").abstention.type == "excluded"  # type: ignore[union-attr]


def test_a_hold_in_the_settings_file_reaches_an_open_codex(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.publish(LIBRARY)
    store.record(REQUESTS, HTTPX)
    monkeypatch.setenv("DEPCODEX_HOME", str(store.settings.home))
    with Codex.open(store.project, embedder=WordEmbedder()) as codex:
        assert codex.lookup("httpx.get").results
        (store.settings.home / "settings.toml").write_text('hold = ["pkg:pypi/httpx"]\n')
        assert codex.lookup("httpx.get").abstention.type == "held"  # type: ignore[union-attr]


def test_a_publish_is_seen_by_an_open_codex(store: Store) -> None:
    store.publish({REQUESTS: LIBRARY[REQUESTS]})
    store.record(REQUESTS, HTTPX)
    codex = opened(store)
    assert codex.lookup("httpx.get").abstention.type == "never_registered"  # type: ignore[union-attr]
    store.publish({HTTPX: LIBRARY[HTTPX]})
    assert symbols(codex.lookup("httpx.get")) == ["httpx.get"]
    cursor = codex.search("get", limit=1).cursor
    store.publish({OTHER: LIBRARY[OTHER]})
    with pytest.raises(CursorError, match="earlier state"):
        codex.search("get", limit=1, cursor=cursor)


def test_a_new_record_is_seen_by_an_open_codex(store: Store) -> None:
    store.publish(LIBRARY)
    store.record(REQUESTS)
    codex = opened(store)
    assert not codex.lookup("httpx.get").results
    store.record(REQUESTS, HTTPX)
    assert codex.lookup("httpx.get").results


def test_a_folder_below_a_recorded_project_asks_for_it(store: Store) -> None:
    store.publish(LIBRARY)
    store.record(REQUESTS)
    below = store.project / "src" / "deep"
    below.mkdir(parents=True)
    assert Codex.open(below, store.settings, embedder=WordEmbedder()).lookup("requests.get").results


def test_a_hostile_closure_file_in_the_project_changes_nothing(store: Store) -> None:
    store.publish(LIBRARY)
    store.record(REQUESTS)
    before = opened(store).search("get", limit=100).to_json()
    (store.project / ".depcodex").mkdir()
    wide = {"schema_version": 1, "scope": "all", "members": [], "union": [{"purl": OTHER}]}
    (store.project / ".depcodex" / "closure.json").write_text(json.dumps(wide))
    assert opened(store).search("get", limit=100).to_json() == before


def test_scope_removes_hits_and_changes_no_order(store: Store) -> None:
    store.publish(LIBRARY)
    rows = [
        ResolvedDependency(Coordinate.parse(REQUESTS), Scope.DECLARED, 1),
        ResolvedDependency(Coordinate.parse(HTTPX), Scope.IMPORTABLE, 2),
        ResolvedDependency(Coordinate.parse(URLLIB3), Scope.ALL, 3),
    ]
    orders = {}
    for scope in Scope:
        store.record(*rows, scope=scope)
        orders[scope] = [(hit.symbol, hit.found_by) for hit in opened(store).search("get calls", limit=100).results]
    for narrow, wide in ((Scope.DECLARED, Scope.IMPORTABLE), (Scope.IMPORTABLE, Scope.ALL)):
        kept = set(orders[narrow])
        assert [each for each in orders[wide] if each in kept] == orders[narrow]
        assert len(orders[narrow]) < len(orders[wide])


def test_a_withheld_entry_is_found_by_its_doc_face_and_shows_only_its_signature(store: Store) -> None:
    store.publish(
        {REQUESTS: [*LIBRARY[REQUESTS], Entry("requests.odd", "Polishes brass lanterns.", "X.", is_withheld=True)]}
    )
    store.record(REQUESTS)
    hit = opened(store).search("polishes brass lanterns").results[0]
    assert (hit.symbol, hit.sentence, hit.is_withheld) == ("requests.odd", None, True)
    assert "doc" in hit.found_by
    assert hit.signatures == ("def f()",)


def test_a_sentence_that_names_a_package_outside_the_closure_is_withheld_there_only(store: Store) -> None:
    entry = Entry("requests.swap", "Swaps.", "Replaces x.", packages_mentioned=("pkg:pypi/httpx",))
    store.publish({REQUESTS: [entry], HTTPX: LIBRARY[HTTPX]})
    store.record(REQUESTS)
    (hit,) = opened(store).lookup("requests.swap").results
    assert (hit.sentence, hit.is_withheld) == (None, True)
    store.record(REQUESTS, HTTPX)
    (hit,) = opened(store).lookup("requests.swap").results
    assert (hit.sentence, hit.is_withheld) == ("Replaces x.", False)


def test_both_versions_of_a_diamond_answer_and_name_each_other_where_they_disagree(store: Store) -> None:
    old, new = "pkg:pypi/requests@1.0.0", REQUESTS
    store.publish(
        {
            old: [Entry("requests.get", "Gets.", signatures=("def get(url)",)), Entry("requests.same", "Same.")],
            new: [Entry("requests.get", "Gets.", signatures=("def get(url, **kw)",)), Entry("requests.same", "Same.")],
        }
    )
    store.record(old, new)
    first, second = opened(store).lookup("requests.get").results
    assert {first.coordinate, second.coordinate} == {old, new}
    assert (first.disagrees_with, second.disagrees_with) == ((second.id,), (first.id,))
    assert [hit.disagrees_with for hit in opened(store).lookup("requests.same").results] == [(), ()]
    (only,) = opened(store).lookup("requests.get", version="1.0").results
    assert (only.coordinate, only.disagrees_with) == (old, ())


def test_the_asking_module_decides_between_versions_where_the_edges_do(store: Store) -> None:
    old, new = "pkg:pypi/requests@1.0.0", REQUESTS
    store.publish({old: [Entry("requests.get")], new: [Entry("requests.get")], HTTPX: LIBRARY[HTTPX]})
    store.record(ResolvedDependency(Coordinate.parse(old), distance=2, via=(HTTPX,)), new, HTTPX, edges=[(HTTPX, old)])
    codex = opened(store)
    assert [hit.coordinate for hit in codex.lookup("requests.get", from_module="httpx._client").results] == [old]
    assert [hit.coordinate for hit in codex.lookup("requests.get", from_module="my.own.module").results] == [new]
    explicit = codex.lookup("requests.get", from_module="httpx", version="2.34.2")
    assert [hit.coordinate for hit in explicit.results] == [new]


def test_a_store_of_another_embedder_is_a_typed_error(codex: Codex, shared_store: Store) -> None:
    other = WordEmbedder()
    other.digest = "e" * 64
    with pytest.raises(EmbedderMismatchError, match="depcodex store reembed"):
        Codex.open(shared_store.project, shared_store.settings, embedder=other).search("x")


def test_the_async_twins_give_the_same_answers(codex: Codex) -> None:
    async def ask() -> list[object]:
        return await asyncio.gather(codex.asearch("cookies", limit=2), codex.alookup("requests.get"))

    assert asyncio.run(ask()) == [codex.search("cookies", limit=2), codex.lookup("requests.get")]


def test_threads_share_one_codex(shared_store: Store) -> None:
    codex = opened(shared_store)
    needs = ["cookies", "failed calls", "get a page", "limits the wait"] * 4
    expected = {need: opened(shared_store).search(need) for need in set(needs)}
    found: list[bool] = []
    threads = [
        threading.Thread(target=lambda need=need: found.append(codex.search(need) == expected[need])) for need in needs
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * len(needs)


def test_a_closed_codex_refuses_questions(shared_store: Store) -> None:
    with opened(shared_store) as codex:
        codex.lookup("requests.get")
    with pytest.raises(UsageError, match="closed"):
        codex.lookup("requests.get")


def test_status_counts_the_closure(codex: Codex) -> None:
    status = codex.status()
    found = status.to_json()
    assert [row["purl"] for row in found["coordinates"]] == [HTTPX, REQUESTS, URLLIB3]  # type: ignore[attr-defined]
    assert (found["entries"], found["documented"], found["withheld"]) == (8, 7, 0)
    assert status.store_bytes > 0
    json.dumps(found)
