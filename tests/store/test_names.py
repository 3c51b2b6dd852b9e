"""From an asked name to entries, stage by stage."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.public_store import Entry, Store, WordEmbedder
from depcodex.answers import Answer
from depcodex.names import edit_distance
from depcodex.query import Codex
from depcodex.symbols import depth, fold

FASTAPI, STARLETTE = "pkg:pypi/fastapi@0.165.0", "pkg:pypi/starlette@1.0.0"
SOUP, HTTP = "pkg:pypi/beautifulsoup4@4.13.0", "pkg:pypi/httplib@1.0.0"
SERDE = "pkg:cargo/serde@1.0.200"
UUID = "pkg:golang/github.com/google/uuid@v1.6.0"
LIBRARY = {
    FASTAPI: [
        Entry("fastapi.FastAPI", "An application.", kind="class", bases=("starlette.applications.Starlette",)),
        Entry("fastapi.Request", kind="reexport", target="starlette.requests.Request"),
        Entry("fastapi.lost", kind="reexport", target="secretlib.thing"),
        Entry("fastapi.loop_a", kind="reexport", target="fastapi.loop_b"),
        Entry("fastapi.loop_b", kind="reexport", target="fastapi.loop_a"),
        Entry("fastapi.Sub", kind="class", bases=("fastapi.Sub", "fastapi.Request")),
    ],
    STARLETTE: [
        Entry("starlette.Starlette", kind="class", aliases=("starlette.applications.Starlette",)),
        Entry("starlette.Starlette.mount", kind="method", aliases=("starlette.applications.Starlette.mount",)),
        Entry("starlette.Request", kind="class", aliases=("starlette.requests.Request",)),
        Entry("starlette.Request.json", kind="method", aliases=("starlette.requests.Request.json",)),
    ],
    SOUP: [
        Entry("bs4", kind="module"),
        Entry("bs4.BeautifulSoup", kind="class", aliases=("bs4.main.BeautifulSoup",)),
    ],
    HTTP: [
        Entry("httplib.Session", kind="class"),
        Entry("httplib.Session.send_all", kind="method"),
        Entry("httplib.session", kind="function"),
        Entry("httplib.STATUS", kind="constant"),
        Entry("httplib.status", kind="function"),
    ],
    SERDE: [Entry("serde::Serialize::serialize", kind="method")],
    UUID: [Entry("github.com/google/uuid.UUID.String", kind="method")],
}


@pytest.fixture(scope="module")
def codex(tmp_path_factory: pytest.TempPathFactory) -> Codex:
    store = Store(tmp_path_factory.mktemp("names"))
    store.publish(LIBRARY, mentions={HTTP: {"httplib.Session": 3}})
    store.record(*LIBRARY)
    return Codex.open(store.project, store.settings, embedder=WordEmbedder())


def found(answer: Answer) -> list[tuple[str, tuple[str, ...]]]:
    return [(hit.symbol, hit.found_by) for hit in answer.results]


EXACT, FUZZY = ("exact",), ("fuzzy",)


def test_the_exact_name_and_an_alias_need_no_word(codex: Codex) -> None:
    for name in ("bs4.BeautifulSoup", "bs4.main.BeautifulSoup", " bs4.BeautifulSoup "):
        answer = codex.lookup(name)
        assert (found(answer), answer.message) == ([("bs4.BeautifulSoup", EXACT)], "")


def test_the_exact_case_wins_over_another_case(codex: Codex) -> None:
    assert found(codex.lookup("httplib.session")) == [("httplib.session", EXACT)]
    assert found(codex.lookup("httplib::Session")) == [("httplib.Session", EXACT)]
    assert found(codex.lookup("HTTPLIB.STATUS")) == [("httplib.STATUS", EXACT), ("httplib.status", EXACT)]


@pytest.mark.parametrize(
    ("asked", "symbol", "word"),
    [
        ("serde.Serialize.serialize", "serde::Serialize::serialize", "separators"),
        ("serde::Serialize#serialize()", "serde::Serialize::serialize", "separators"),
        ("SERDE::serialize::Serialize", "serde::Serialize::serialize", "case"),
        ("`bs4.BeautifulSoup`", "bs4.BeautifulSoup", "separators"),
        ("bs4/BeautifulSoup", "bs4.BeautifulSoup", "separators"),
        ("BS4.beautifulsoup", "bs4.BeautifulSoup", "case"),
        ("github.com.google.uuid.UUID.String", "github.com/google/uuid.UUID.String", "separators"),
    ],
)
def test_other_separators_and_case_are_followed_and_said(codex: Codex, asked: str, symbol: str, word: str) -> None:
    answer = codex.lookup(asked)
    assert found(answer) == [(symbol, EXACT)]
    assert word in answer.message


def test_a_reexport_leads_to_the_entry_of_the_package_that_defines_it(codex: Codex) -> None:
    answer = codex.lookup("fastapi.Request")
    assert found(answer) == [("starlette.Request", EXACT)]
    assert answer.results[0].coordinate == STARLETTE
    assert answer.results[0].aliases[0] == "fastapi.Request"
    assert answer.message == "fastapi.Request: re-exported from starlette.Request"


def test_members_are_reached_through_reexports_and_bases_in_other_packages(codex: Codex) -> None:
    answer = codex.lookup("fastapi.Request.json")
    assert found(answer) == [("starlette.Request.json", EXACT)]
    answer = codex.lookup("fastapi.FastAPI.mount")
    assert found(answer) == [("starlette.Starlette.mount", EXACT)]
    assert answer.results[0].aliases[0] == "fastapi.FastAPI.mount"
    assert answer.message == "fastapi.FastAPI.mount: inherited from starlette.Starlette.mount"


def test_circles_of_reexports_and_bases_end(codex: Codex) -> None:
    assert codex.lookup("fastapi.loop_a").abstention is not None
    assert found(codex.lookup("fastapi.Sub.json")) == [("starlette.Request.json", EXACT)]
    assert codex.lookup("fastapi.Sub.nothing_of_that_kind").abstention is not None


def test_a_reexport_from_outside_the_closure_reads_like_a_name_that_does_not_exist(codex: Codex) -> None:
    lost, absent = codex.lookup("fastapi.lost"), codex.lookup("fastapi.gone")
    assert lost.abstention == dataclasses.replace(
        absent.abstention,  # type: ignore[type-var]
        message=absent.abstention.message.replace("fastapi.gone", "fastapi.lost"),  # type: ignore[union-attr]
        resolve=absent.abstention.resolve.replace("fastapi.gone", "fastapi.lost"),  # type: ignore[union-attr]
    )


def test_a_library_name_stands_for_its_import_name(codex: Codex) -> None:
    for asked, symbol in (("beautifulsoup4.BeautifulSoup", "bs4.BeautifulSoup"), ("BeautifulSoup4", "bs4")):
        answer = codex.lookup(asked)
        assert found(answer) == [(symbol, EXACT)]
        assert "is imported as bs4" in answer.message


def test_an_unqualified_name_finds_what_ends_with_it(codex: Codex) -> None:
    answer = codex.lookup("Session.send_all")
    assert found(answer) == [("httplib.Session.send_all", FUZZY)]
    assert "end with it" in answer.message
    assert found(codex.lookup("Request")) == [("starlette.Request", FUZZY)]


@pytest.mark.parametrize(
    ("asked", "symbol"),
    [
        ("bs4.BeatifulSoup", "bs4.BeautifulSoup"),
        ("BeautfiulSoup", "bs4.BeautifulSoup"),
        ("httplib.Sesion.send_all", "httplib.Session.send_all"),
        ("htplib.Session.send_al", "httplib.Session.send_all"),
        ("fastapi.Requets", "starlette.Request"),
    ],
)
def test_typing_errors_find_what_is_spelt_like_it_and_say_so(codex: Codex, asked: str, symbol: str) -> None:
    answer = codex.lookup(asked)
    assert found(answer)[0] == (symbol, FUZZY)
    assert "spelt like" in answer.message


@pytest.mark.parametrize("asked", ["get", "x", "bs5x.q", "completely.different.name", "a" * 5000, ".", "::", "()"])
def test_what_is_not_close_finds_nothing(codex: Codex, asked: str) -> None:
    answer = codex.lookup(asked)
    assert answer.abstention is not None
    assert answer.abstention.type == "no_match"


def test_narrowing_a_lookup_brings_no_other_hits(codex: Codex) -> None:
    assert codex.lookup("fastapi.Request", coordinates=[FASTAPI]).results == ()
    assert found(codex.lookup("fastapi.Request", coordinates=[STARLETTE])) == [("starlette.Request", EXACT)]


def test_a_library_that_is_not_indexed_yet_is_no_typing_error(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.publish({"pkg:pypi/flask@3.0.0": [Entry("flask.Flask", kind="class")]})
    store.record("pkg:pypi/flask@3.0.0", "pkg:pypi/flusk@1.0.0")
    answer = Codex.open(store.project, store.settings, embedder=WordEmbedder()).lookup("flusk.Flask")
    assert answer.abstention is not None
    assert answer.abstention.type == "never_registered"
    assert "pkg:pypi/flusk@1.0.0" in answer.abstention.message


def reference_distance(one: str, other: str) -> int:
    """Optimal string alignment, the whole table."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            if not i or not j:
                table[i][j] = i or j
                continue
            change = table[i - 1][j - 1] + (one[i - 1] != other[j - 1])
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, change)
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.integers(0, 4))
def test_the_bounded_distance_agrees_with_the_whole_table(one: str, other: str, bound: int) -> None:
    expected = reference_distance(one, other)
    assert edit_distance(one, other, bound) == (expected if expected <= bound else None)


@given(st.text(max_size=30))
def test_folding_twice_is_folding_once(name: str) -> None:
    once = fold(name)
    assert fold(once + "x").removesuffix("x") in (once, fold(once))


@pytest.mark.parametrize(
    ("names", "ecosystem", "expected"),
    [
        (["requests.Session.get"], "pypi", 2),
        (["requests.api.get", "requests.get"], "pypi", 1),
        (["io.ktor.client.HttpClient.get"], "maven", 2),
        (["io.ktor.client.request.get"], "maven", 1),
        (["github.com/google/uuid.UUID.String"], "golang", 2),
        (["serde::Serialize::serialize"], "cargo", 2),
        (["next/navigation.useRouter"], "npm", 2),
    ],
)
def test_depth_counts_what_a_caller_writes(names: list[str], ecosystem: str, expected: int) -> None:
    assert depth(names, ecosystem) == expected


def test_a_library_of_classes_with_many_bases_cannot_make_a_lookup_endless(tmp_path: Path) -> None:
    levels, width = 9, 20
    entries = [
        Entry(
            f"wide.C{level}_{number}",
            kind="class",
            bases=tuple(f"wide.C{level + 1}_{each}" for each in range(width)) if level + 1 < levels else (),
        )
        for level in range(levels)
        for number in range(width)
    ]
    store = Store(tmp_path)
    store.publish({HTTP: entries})
    store.record(HTTP)
    codex = Codex.open(store.project, store.settings, embedder=WordEmbedder())
    started = time.monotonic()
    answer = codex.lookup("wide.C0_0.there_is_no_such_member")
    assert answer.abstention is not None
    assert answer.abstention.type == "no_match"
    assert time.monotonic() - started < 30
