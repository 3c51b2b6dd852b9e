"""Splitting, stemming and hashing of words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from depcodex.terms import name_words, symbol_hash, term_hash, terms


def test_camel_snake_and_digits_are_split() -> None:
    assert name_words("HTTPBasicAuth") == ["http", "basic", "auth"]
    assert name_words("to_datetime64") == ["to", "datetime", "64"]
    assert name_words("pandas.read_csv") == ["pandas", "read", "csv"]


def test_a_compound_counts_whole_and_in_parts() -> None:
    assert terms("drop_duplicates") == ["drop_duplicates", "drop", "duplic"]


def test_inflections_of_a_word_meet() -> None:
    assert terms("retries")[0] == terms("retry")[0] == terms("Retrying")[0]


def test_words_without_spaces_are_taken_two_characters_at_a_time() -> None:
    assert terms("读取文件") == ["读取", "取文", "文件"]


def test_stop_words_are_left_out() -> None:
    assert terms("what is this for") == []


@given(st.text(max_size=200))
def test_any_text_has_terms_that_hash(text: str) -> None:
    for term in terms(text):
        assert 0 <= term_hash(term) < 2**32


def test_hashes_do_not_change() -> None:
    assert term_hash("request") == 1442095750
    assert symbol_hash("numpy.concatenate") == 5493778195993923962
