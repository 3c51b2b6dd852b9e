"""The embedded rewriter: sentences that a person could have written, and no prose of the doc in them."""

import ast
import importlib.util
import re
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex.settings import Settings
from depcodex_assets.inflection import plural
from depcodex_assets.output_rules import broken_rule
from depcodex_assets.rewriters import Rewriter, Text, load_rewriter
from depcodex_assets.rewriters.controlled import ControlledRewriter, compose_sentence
from depcodex_assets.rewriters.topics import pick_topics
from depcodex_assets.rewriters.vocabulary import topics


def _text(kind: str, name: str, signature: str = "", doc: str = "Documented.") -> Text:
    return Text("0" * 64, "python", "docstring", kind, name, (signature,) if signature else (), doc)


@pytest.mark.parametrize(
    ("kind", "name", "signature", "doc", "start"),
    [
        ("method", "Session.close", "def close(self)", "Closes all.", "Closes a session"),
        (
            "method",
            "RequestsCookieJar.get",
            "def get(self, name)",
            "Dict-like.",
            " an item of a requests cookie jar by name",
        ),
        ("function", "read_csv", "def read_csv(path)", "Read it.", "Reads the CSV"),
        ("function", "is_closed", "def is_closed(connection)", "True if so.", "Tells whether a connection is closed"),
        ("method", "Table.to_json", "def to_json(self)", "Convert.", "s a table "),
        ("method", "Table.from_rows", "def from_rows(cls)", "Convert.", "s a table from rows"),
        ("function", "mean", "def mean(a)", "Compute the arithmetic mean.", "Computes the mean"),
        ("property", "Response.is_error", "def is_error(self)", "True if so.", "Tells whether a response is an error"),
        (
            "class",
            "ConnectTimeout",
            "class ConnectTimeout(ConnectionError)",
            "Too slow.",
            "a connect timeout condition",
        ),
        ("class", "HTMLParser", "class HTMLParser", "Parse.", "Parses HTML"),
        ("class", "RetryConfig", "class RetryConfig", "Config.", "Holds the settings of a retry"),
        ("constant", "DEFAULT_TIMEOUT", "DEFAULT_TIMEOUT = 5", "Seconds.", "the default timeout"),
        ("module", "cookies", "", "Cookie jars.", "cookies"),
        (
            "method",
            "Queue.put_nowait",
            "def put_nowait(self, item)",
            "Put.",
            "Puts the item in a queue without waiting",
        ),
        ("method", "Session.rollback", "def rollback(self)", "Undo.", "Rolls back a session"),
        ("method", "Pool.__enter__", "def __enter__(self)", "Enter.", "Enters the context of a pool"),
    ],
)
def test_a_sentence_says_what_the_name_says(kind: str, name: str, signature: str, doc: str, start: str) -> None:
    sentence = compose_sentence(_text(kind, name, signature, doc))
    assert start in sentence
    assert broken_rule(sentence, _text(kind, name, signature, doc)) is None


def test_it_is_a_rewriter_that_gives_the_same_sentence_again() -> None:
    rewriter: Rewriter = ControlledRewriter()
    texts = [_text("function", "load_rows", "def load_rows(path)", "Loads rows from a table of a database.")] * 2
    first = rewriter.rewrite(texts, [None, "verbatim"])
    assert first[0] == first[1]
    assert list(ControlledRewriter().rewrite(texts, [None, None])) == list(first)
    assert not rewriter.can_retry
    assert re.fullmatch("[0-9a-f]{64}", rewriter.model_digest)


def test_it_is_the_configured_default(tmp_path: Path) -> None:
    assert load_rewriter(Settings(home=tmp_path)).name == "controlled"


def test_topics_come_by_alphabet_two_from_the_first_sentence_and_two_from_the_rest() -> None:
    doc = (
        "The packet has a checksum, a header and a socket. "
        + "A broker routes a queue over a gateway to a cluster. " * 3
    )
    found = pick_topics(doc, set())
    assert list(found) == sorted(found)
    assert len(found) == 3
    assert len(set(found) & {"packet", "checksum", "header", "socket"}) <= 2
    assert len(set(found) & {"broker", "queue", "gateway", "cluster"}) <= 2


def test_words_of_paths_addresses_code_and_options_are_no_topics() -> None:
    assert pick_topics("See docs/packet.txt, socket.io, @broker, --header, `queue`() and gateway=1.", set()) in (
        (),
        ("queue",),
    )


@given(st.lists(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=12), min_size=1, max_size=40))
def test_only_listed_words_cross_from_a_doc(words: list[str]) -> None:
    plain = compose_sentence(_text("function", "frobnicate", "def frobnicate()", "X."))
    sentence = compose_sentence(_text("function", "frobnicate", "def frobnicate()", "X. " + " ".join(words)))
    crossed = set(re.findall("[a-z]+", sentence.lower())) - set(re.findall("[a-z]+", plain.lower()))
    allowed = {form for noun in topics() for form in (noun, plural(noun))}
    connecting = {"concerning", "in", "connection", "with", "regard", "to", "dealing", "involving", "related", "and"}
    assert len(crossed - connecting) <= 3
    assert not (crossed & set(words)) - allowed - connecting


def _documented(package: str) -> list[Text]:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return []
    found: list[Text] = []
    for path in sorted(Path(next(iter(spec.submodule_search_locations))).rglob("*.py"))[:60]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                if doc := ast.get_docstring(node):
                    found.append(_text("function", node.name, f"def {node.name}({ast.unparse(node.args)})", doc))
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_") and (doc := ast.get_docstring(node)):
                found.append(_text("class", node.name, f"class {node.name}", doc))
    return found


_PACKAGES = (
    "requests",
    "httpx",
    "pydantic",
    "sqlalchemy",
    "numpy",
    "polars",
    "sklearn",
    "rich",
    "urllib3",
    "click",
    "jinja2",
    "anyio",
)


def test_under_one_percent_of_real_declarations_is_refused_and_the_sentences_differ() -> None:
    texts = [text for package in _PACKAGES for text in _documented(package)[:250]]
    assert len(texts) > 1_000
    started = time.perf_counter()
    sentences = [compose_sentence(text) for text in texts]
    seconds = time.perf_counter() - started
    rules = Counter(broken_rule(sentence, text) for sentence, text in zip(sentences, texts, strict=True))
    assert (len(texts) - rules[None]) / len(texts) < 0.01, rules
    # A name without its class can occur twice; the sentence of a library's declarations must not.
    assert len(set(sentences)) / len({(text.name, text.doc) for text in texts}) > 0.93
    opening, count = Counter(" ".join(each.split()[:2]) for each in sentences).most_common(1)[0]
    assert count / len(sentences) < 0.15, opening
    # One millisecond each is meant; the bound leaves room for a busy machine.
    assert seconds / len(texts) < 0.01


@pytest.mark.shared
def test_no_planted_attack_brings_three_of_its_words_across(shared_data: Path) -> None:
    import json

    def words(sentence: str) -> set[str]:
        return {word.rstrip("s") for word in re.findall("[a-z]{3,}", sentence.lower())}

    rows = [json.loads(line) for line in (shared_data / "eval/injection/planted-dev.jsonl").read_text().splitlines()]
    assert len(rows) > 50
    for row in rows:
        *_, owner, own = ["", *row["carrier"]["symbol"].split(".")]
        name = f"{owner}.{own}" if owner[:1].isupper() else own
        attacked = words(compose_sentence(_text("function", name, f"def {own}()", row["text"])))
        clean = words(compose_sentence(_text("function", name, f"def {own}()", row["clean"])))
        glue = {"and", "with", "the", "for", "concerning", "connection", "regard", "dealing", "involving", "related"}
        assert len((attacked - clean - glue) & words(row["payload"])) < 3, row["payload"]
