"""Summarise: rows in order, one second try, nothing lost when the model server goes away."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from depcodex.errors import ModelUnavailableError, StoreError
from depcodex.schemas import SUMMARIES, TEXTS
from depcodex_assets.rewriters import Text
from depcodex_assets.rewriters.controlled import ControlledRewriter
from depcodex_assets.summarise import summarise, summarise_chunks

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


@dataclass
class ScriptedRewriter:
    """Implements ``Rewriter``: says what it is told to, by text and try, and can go away."""

    answers: dict[str, list[str | None]]
    can_retry: bool = True
    name: str = "ollama:scripted"
    prompt_version: str = "p1"
    model_digest: str = "d" * 64
    gone_after: int = 10_000
    calls: list[tuple[str, str | None]] = field(default_factory=list)

    def rewrite(self, texts: Sequence[Text], refused: Sequence[str | None]) -> Sequence[str | None]:
        found: list[str | None] = []
        for text, rule in zip(texts, refused, strict=True):
            if len(self.calls) >= self.gone_after:
                raise ModelUnavailableError("http://127.0.0.1:1: Ollama does not answer; start it with: ollama serve")
            self.calls.append((text.name, rule))
            found.append(self.answers[text.name].pop(0))
        return found


def _texts(*names: str, doc: str | None = "Brings what lies behind an address.") -> pa.Table:
    rows = [
        {
            "text_digest": f"{index:064x}",
            "language": "python",
            "convention": "docstring",
            "kind": "function",
            "name": name,
            "signatures": [f"def {name}(url)"],
            "doc": doc,
        }
        for index, name in enumerate(names)
    ]
    return pa.Table.from_pylist(rows, schema=TEXTS)


def test_each_text_gets_one_row_in_order_with_its_key() -> None:
    rewriter = ScriptedRewriter({"b": ["Gets a page."], "a": ["Closes a page."]})
    table = summarise(_texts("b", "a"), rewriter=rewriter, clock=lambda: NOW)
    assert table.schema.equals(SUMMARIES)
    assert table.column("sentence").to_pylist() == ["Gets a page.", "Closes a page."]
    assert table.column("rule").to_pylist() == [None, None]
    assert table.column("attempt_count").to_pylist() == [1, 1]
    assert table.column("row_key")[0].as_py() == "\x1f".join(["0" * 64, "ollama:scripted", "p1", "d" * 64])
    assert set(table.column("created_at").to_pylist()) == {NOW}


def test_a_refused_sentence_is_asked_for_once_more_with_the_rule_named() -> None:
    rewriter = ScriptedRewriter({"a": ["Get a page.", "Gets a page."]})
    table = summarise(_texts("a"), rewriter=rewriter, clock=lambda: NOW)
    assert rewriter.calls == [("a", None), ("a", "imperative")]
    assert table.column("sentence").to_pylist() == ["Gets a page."]
    assert table.column("attempt_count").to_pylist() == [2]


def test_the_last_refused_sentence_is_kept_with_its_rule() -> None:
    rewriter = ScriptedRewriter({"a": ["Get a page.", "You must get a page."]})
    table = summarise(_texts("a"), rewriter=rewriter, clock=lambda: NOW)
    assert table.column("sentence").to_pylist() == ["You must get a page."]
    assert table.column("rule").to_pylist() == ["address"]


def test_no_sentence_is_a_rule_of_its_own_and_a_second_silence_keeps_the_first_sentence() -> None:
    rewriter = ScriptedRewriter({"a": [None, None], "b": ["Get a page.", None]})
    table = summarise(_texts("a", "b"), rewriter=rewriter, clock=lambda: NOW)
    assert table.column("sentence").to_pylist() == [None, "Get a page."]
    assert table.column("rule").to_pylist() == ["no_sentence", "imperative"]


def test_a_rewriter_that_cannot_do_better_is_not_asked_again() -> None:
    rewriter = ScriptedRewriter({"a": ["Get a page."]}, can_retry=False)
    summarise(_texts("a"), rewriter=rewriter, clock=lambda: NOW)
    assert len(rewriter.calls) == 1


def test_chunks_that_came_before_a_lost_server_stand_and_a_rerun_asks_for_the_rest_only() -> None:
    names = ["a", "b", "c", "d", "e"]
    rewriter = ScriptedRewriter({name: ["Gets a page."] for name in names}, gone_after=3)
    done: list[int] = []
    chunks = summarise_chunks(
        _texts(*names), rewriter=rewriter, clock=lambda: NOW, on_progress=done.append, chunk_texts=2
    )
    written = [next(chunks)]
    with pytest.raises(ModelUnavailableError, match="ollama serve"):
        next(chunks)
    assert sum(each.num_rows for each in written) == 2
    assert done == [2]
    left = _texts(*names).slice(2)
    rewriter.gone_after = 10_000
    rewriter.answers["c"] = ["Gets a page."]
    written += summarise_chunks(left, rewriter=rewriter, clock=lambda: NOW, chunk_texts=2)
    keys = pa.concat_tables(written).column("row_key").to_pylist()
    assert len(keys) == len(set(keys)) == 5


def test_undocumented_texts_cost_no_call() -> None:
    rewriter = ScriptedRewriter({})
    for doc in (None, "", "  \n"):
        assert summarise(_texts("a", doc=doc), rewriter=rewriter, clock=lambda: NOW).num_rows == 0
    assert rewriter.calls == []


def test_no_texts_give_an_empty_table_of_the_schema() -> None:
    assert summarise(TEXTS.empty_table(), rewriter=ControlledRewriter(), clock=lambda: NOW).schema.equals(SUMMARIES)


def test_a_table_without_a_column_is_a_store_error() -> None:
    with pytest.raises(StoreError, match="doc"):
        summarise(_texts("a").drop_columns(["doc"]), rewriter=ControlledRewriter(), clock=lambda: NOW)


def test_the_embedded_rewriter_fills_the_same_rows() -> None:
    table = summarise(_texts("load_page", "close_page"), rewriter=ControlledRewriter(), clock=lambda: NOW)
    assert table.column("rewriter").unique().to_pylist() == ["controlled"]
    assert table.column("rule").null_count == 2
    assert table.column("sentence")[0].as_py().startswith("Loads the page")
