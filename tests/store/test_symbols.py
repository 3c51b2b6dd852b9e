"""Names of all five ecosystems: taken apart, looked up, narrowed by who asks, and mentioned."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.public_store import Entry, Store, WordEmbedder
from depcodex import symbols
from depcodex.answers import Answer
from depcodex.closure import ResolvedDependency
from depcodex.coordinates import Coordinate
from depcodex.query import Codex
from depcodex.symbols import asking_strength, begins_with, fold, go_import_path, import_names, library_names

NEXT, SCOPED, REACT = "pkg:npm/next@16.0.0", "pkg:npm/%40scope/pkg@1.0.0", "pkg:npm/%40types/react@19.0.0"
KTOR, JAVA = "pkg:maven/io.ktor/ktor-client-core@3.5.1", "pkg:maven/com.google.guava/guava@33.0.0-jre"
SERDE, TOKIO = "pkg:cargo/serde@1.0.200", "pkg:cargo/tokio-util@0.7.11"
UUID, YAML = "pkg:golang/github.com/google/uuid@v1.6.0", "pkg:golang/gopkg.in/yaml.v3@v3.0.1"
PGX = "pkg:golang/github.com/jackc/pgx/v5@v5.7.0"
REQUESTS = "pkg:pypi/requests@2.32.3"
LIBRARY = {
    NEXT: [
        Entry("next/navigation.useRouter", "A router.", kind="function"),
        Entry("next.default", kind="function"),
        Entry("next/server.NextRequest.nextUrl", kind="property"),
    ],
    SCOPED: [Entry("@scope/pkg/sub.fn", kind="function"), Entry("@scope/pkg.$store", kind="constant")],
    REACT: [Entry("react.useState", kind="function")],
    KTOR: [
        Entry("io.ktor.client.HttpClient", kind="class"),
        Entry("io.ktor.client.HttpClient.close", kind="method"),
        Entry("io.ktor.client.request.get", kind="function", aliases=("io.ktor.client.request.BuildersKt.get",)),
    ],
    JAVA: [
        Entry("com.google.common.collect.ImmutableMap.Builder.put", kind="method"),
        Entry(
            "com.google.common.collect.ImmutableMap.Builder",
            kind="class",
            bases=("com.google.common.collect.Base<K, V>",),
        ),
        Entry("com.google.common.collect.Base.inherited", kind="method"),
    ],
    SERDE: [Entry("serde::Serialize::serialize", kind="method"), Entry("serde::de::Error", kind="class")],
    TOKIO: [Entry("tokio_util::codec::Framed", kind="class")],
    UUID: [Entry("github.com/google/uuid.UUID.String", kind="method"), Entry("github.com/google/uuid.New")],
    YAML: [Entry("gopkg.in/yaml.v3.Node", kind="class"), Entry("gopkg.in/yaml.v3.Node.Decode", kind="method")],
    PGX: [Entry("github.com/jackc/pgx/v5/pgxpool.Pool", kind="class"), Entry("github.com/jackc/pgx/v5.Connect")],
    REQUESTS: [Entry("requests.get", kind="function")],
}


@pytest.fixture(scope="module")
def codex(tmp_path_factory: pytest.TempPathFactory) -> Codex:
    store = Store(tmp_path_factory.mktemp("symbols"))
    store.publish(LIBRARY)
    store.record(*LIBRARY)
    return Codex.open(store.project, store.settings, embedder=WordEmbedder())


def found(answer: Answer) -> list[str]:
    return [hit.symbol for hit in answer.results]


@pytest.mark.parametrize("symbol", [entry.symbol for entries in LIBRARY.values() for entry in entries])
def test_every_symbol_is_found_as_written_without_a_word(codex: Codex, symbol: str) -> None:
    answer = codex.lookup(symbol)
    assert (found(answer), answer.message) == ([symbol], "")


@pytest.mark.parametrize(
    ("asked", "symbol", "word"),
    [
        ("next.navigation.useRouter", "next/navigation.useRouter", "separators"),
        ("next/navigation#useRouter", "next/navigation.useRouter", "separators"),
        ("next/navigation/userouter", "next/navigation.useRouter", "case"),
        ("@scope.pkg.sub.fn", "@scope/pkg/sub.fn", "separators"),
        ("@Scope/pkg::sub::fn", "@scope/pkg/sub.fn", "case"),
        ("@scope/pkg#$store", "@scope/pkg.$store", "separators"),
        ("io.ktor.client.HttpClient#close", "io.ktor.client.HttpClient.close", "separators"),
        ("io/ktor/client/HttpClient", "io.ktor.client.HttpClient", "separators"),
        ("com.google.common.collect.ImmutableMap$Builder.put", LIBRARY[JAVA][0].symbol, "separators"),
        ("serde.Serialize.serialize", "serde::Serialize::serialize", "separators"),
        ("serde/de/Error", "serde::de::Error", "separators"),
        ("github.com/google/uuid#UUID.String()", "github.com/google/uuid.UUID.String", "separators"),
        ("github.com/google/uuid/UUID/string", "github.com/google/uuid.UUID.String", "case"),
        ("gopkg.in.yaml.v3.node", "gopkg.in/yaml.v3.Node", "case"),
        ("io.ktor.client.request.BuildersKt#get", "io.ktor.client.request.get", "separators"),
    ],
)
def test_separators_and_case_stand_for_one_another_and_the_answer_says_so(
    codex: Codex, asked: str, symbol: str, word: str
) -> None:
    answer = codex.lookup(asked)
    assert found(answer) == [symbol]
    assert f"found with other {word}" in answer.message


@pytest.mark.parametrize(
    ("asked", "symbol"),
    [
        ("yaml.Node", "gopkg.in/yaml.v3.Node"),
        ("pgx.Connect", "github.com/jackc/pgx/v5.Connect"),
        ("uuid.New", "github.com/google/uuid.New"),
        ("tokio-util::codec::Framed", "tokio_util::codec::Framed"),
        ("@types/react.useState", "react.useState"),
        ("ktor-client-core.HttpClient", "io.ktor.client.HttpClient"),
        ("io.ktor:ktor-client-core.HttpClient", "io.ktor.client.HttpClient"),
    ],
)
def test_what_people_call_a_library_stands_for_what_is_imported(codex: Codex, asked: str, symbol: str) -> None:
    answer = codex.lookup(asked)
    assert found(answer) == [symbol]
    assert answer.message


@pytest.mark.parametrize(
    ("asked", "symbol"),
    [
        ("HttpClient.close", "io.ktor.client.HttpClient.close"),
        ("UUID.String", "github.com/google/uuid.UUID.String"),
        ("navigation.useRouter", "next/navigation.useRouter"),
        ("Serialize::serialize", "serde::Serialize::serialize"),
        ("pgxpool.Pool", "github.com/jackc/pgx/v5/pgxpool.Pool"),
        ("next/navigation.useRoter", "next/navigation.useRouter"),
        ("github.com/google/uuid.UIUD.String", "github.com/google/uuid.UUID.String"),
        ("tokio_util::codec::Frammed", "tokio_util::codec::Framed"),
    ],
)
def test_endings_and_typing_errors_are_found_in_every_ecosystem(codex: Codex, asked: str, symbol: str) -> None:
    answer = codex.lookup(asked)
    assert found(answer)[:1] == [symbol]
    assert answer.results[0].found_by == ("fuzzy",)


def test_a_base_with_type_arguments_is_followed(codex: Codex) -> None:
    answer = codex.lookup("com.google.common.collect.ImmutableMap.Builder.inherited")
    assert found(answer) == ["com.google.common.collect.Base.inherited"]
    assert "inherited" in answer.message


@pytest.mark.parametrize(
    ("purl", "asked"),
    [
        ("pkg:golang/github.com/spf13/cobra@v1.8.0", "github.com/spf13/cobra.Command"),
        ("pkg:npm/%40nestjs/common@10.0.0", "@nestjs/common.Injectable"),
        ("pkg:maven/org.slf4j/slf4j-api@2.0.0", "org.slf4j.LoggerFactory.getLogger"),
        ("pkg:cargo/serde_json@1.0.0", "serde_json::Value"),
    ],
)
def test_a_library_that_is_not_indexed_yet_is_named_and_others_are_not(tmp_path: Path, purl: str, asked: str) -> None:
    store = Store(tmp_path)
    store.publish(LIBRARY)
    store.record(*LIBRARY, purl)
    answer = Codex.open(store.project, store.settings, embedder=WordEmbedder()).lookup(asked)
    assert answer.abstention is not None
    assert answer.abstention.type == "never_registered"
    assert purl in answer.abstention.message
    assert answer.abstention.message.count("pkg:") == 1


DIAMOND = {
    "pkg:npm/dep@1.0.0": [Entry("dep.one", kind="function")],
    "pkg:npm/dep@2.0.0": [Entry("dep.one", kind="function", signatures=("function one(x)",))],
    NEXT: LIBRARY[NEXT],
    SCOPED: LIBRARY[SCOPED],
    "pkg:cargo/rand@0.7.0": [Entry("rand::Rng", kind="class")],
    "pkg:cargo/rand@0.8.0": [Entry("rand::Rng", kind="class", signatures=("trait Rng: Core",))],
    SERDE: LIBRARY[SERDE],
    TOKIO: LIBRARY[TOKIO],
}
EDGES = [
    (NEXT, "pkg:npm/dep@1.0.0"),
    (SCOPED, "pkg:npm/dep@2.0.0"),
    (SERDE, "pkg:cargo/rand@0.7.0"),
    (TOKIO, "pkg:cargo/rand@0.8.0"),
]


@pytest.mark.parametrize(
    ("module", "symbol", "version"),
    [
        ("next/navigation", "dep.one", "1.0.0"),
        ("next", "dep.one", "1.0.0"),
        ("node_modules/next/dist/server/index.js", "dep.one", "1.0.0"),
        ("@scope/pkg/sub", "dep.one", "2.0.0"),
        ("pkg:npm/%40scope/pkg", "dep.one", "2.0.0"),
        ("serde::de", "rand::Rng", "0.7.0"),
        ("tokio_util::codec", "rand::Rng", "0.8.0"),
        ("tokio-util", "rand::Rng", "0.8.0"),
    ],
)
def test_of_two_versions_the_asking_module_sees_its_own(tmp_path: Path, module: str, symbol: str, version: str) -> None:
    store = Store(tmp_path)
    store.publish(DIAMOND)
    rows = [
        ResolvedDependency(Coordinate.parse(purl), distance=2 if "/dep" in purl or "/rand" in purl else 1)
        for purl in DIAMOND
    ]
    store.record(*rows, edges=EDGES)
    codex = Codex.open(store.project, store.settings, embedder=WordEmbedder())
    assert len(codex.lookup(symbol).results) == 2
    (hit,) = codex.lookup(symbol, from_module=module).results
    assert hit.coordinate.endswith(f"@{version}")


@pytest.mark.parametrize(
    ("purl", "module", "is_asker"),
    [
        (UUID, "github.com/google/uuid", True),
        (UUID, "github.com/google/uuidx", False),
        (PGX, "github.com/jackc/pgx/v5/pgxpool", True),
        (YAML, "gopkg.in/yaml.v3", True),
        (YAML, "yaml", True),
        (KTOR, "io.ktor:ktor-client-core", True),
        (KTOR, "io.ktor.client.engine.CIO", True),
        (KTOR, "io.ktor.server", False),
        (NEXT, "nextra/x", False),
        (REACT, "react", True),
        (REQUESTS, "requests.sessions", True),
        (REQUESTS, "myrequests", False),
        (TOKIO, "tokio", False),
    ],
)
def test_a_module_belongs_to_the_library_that_it_is_written_as(purl: str, module: str, is_asker: bool) -> None:
    coordinate = Coordinate.parse(purl)
    imports = import_names(coordinate, [entry.symbol for entry in LIBRARY[purl]])
    assert bool(asking_strength(coordinate, module, imports)) == is_asker


def test_the_longest_match_is_the_asker() -> None:
    root = Coordinate.parse("pkg:golang/github.com/a/b@v1.0.0")
    nested = Coordinate.parse("pkg:golang/github.com/a/b/sub@v1.0.0")
    module = "github.com/a/b/sub/inner"
    assert asking_strength(nested, module, []) > asking_strength(root, module, []) > 0


@pytest.mark.parametrize(
    ("purl", "names"),
    [
        (NEXT, ["next"]),
        (SCOPED, ["@scope/pkg"]),
        (REACT, ["react"]),
        (KTOR, ["io.ktor.client"]),
        (SERDE, ["serde"]),
        (TOKIO, ["tokio_util"]),
        (UUID, ["github.com/google/uuid"]),
        (YAML, ["gopkg.in/yaml.v3"]),
        (PGX, ["github.com/jackc/pgx/v5"]),
        (REQUESTS, ["requests"]),
    ],
)
def test_import_names_are_what_a_caller_writes(purl: str, names: list[str]) -> None:
    assert import_names(Coordinate.parse(purl), [entry.symbol for entry in LIBRARY[purl]]) == names


def test_a_modules_own_spelling_is_kept_where_the_purl_folds_it() -> None:
    toml = Coordinate.parse("pkg:golang/github.com/BurntSushi/toml@v1.4.0")
    assert import_names(toml, ["github.com/BurntSushi/toml.Decode"]) == ["github.com/BurntSushi/toml"]


def test_a_jvm_package_with_an_entry_of_its_own_is_its_own_name() -> None:
    coordinate = Coordinate.parse(KTOR)
    assert import_names(coordinate, ["io.ktor.client", "io.ktor.client.HttpClient"]) == ["io.ktor.client"]


def test_short_names_that_prose_has_for_the_closures_libraries_may_be_mentioned(tmp_path: Path) -> None:
    jackson = "pkg:maven/com.fasterxml.jackson.core/jackson-databind@2.17.0"
    store = Store(tmp_path)
    entries = [
        Entry("com.a.B", "B.", kind="class", sentence="Wraps Jackson.", packages_mentioned=("pkg:maven/jackson",)),
        Entry("com.a.C", "C.", kind="class", sentence="Wraps Gson.", packages_mentioned=("pkg:maven/gson",)),
        Entry("com.a.D", "D.", kind="class", sentence="Uses uuid.", packages_mentioned=("pkg:golang/uuid",)),
    ]
    store.publish({jackson: entries})
    store.record(jackson, UUID)
    codex = Codex.open(store.project, store.settings, embedder=WordEmbedder())
    shown = {name: codex.lookup(f"com.a.{name}").results[0].is_withheld for name in "BCD"}
    assert shown == {"B": False, "C": True, "D": False}


def test_the_examples_in_the_docstrings_run() -> None:
    result = doctest.testmod(symbols)
    assert result.attempted
    assert not result.failed


@given(st.text(max_size=40), st.text(max_size=10))
def test_any_text_is_taken_apart_without_breaking(name: str, other: str) -> None:
    go_import_path(name)
    begins_with(name, other)
    for purl in LIBRARY:
        coordinate = Coordinate.parse(purl)
        assert library_names(coordinate)[0]
        import_names(coordinate, [name, other])
        asking_strength(coordinate, name, [other])


@pytest.mark.parametrize("name", ["$store", "svelte.$state", "jquery.$", "$"])
def test_a_dollar_at_the_start_of_a_name_is_a_letter(name: str) -> None:
    assert fold(name) == name
