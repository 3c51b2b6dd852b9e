"""Sentences end where documentation ends them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.gate import sentences


def _split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences.split(text)]


def test_fields_items_and_paragraphs_end_a_sentence_and_wrapped_lines_do_not() -> None:
    text = "Sends a\nrequest.  Returns it.\n\nMore text\n:param url: where\n- an item\n@return the reply"
    assert _split(text) == [
        "Sends a\nrequest.",
        "Returns it.",
        "More text",
        ":param url: where",
        "- an item",
        "@return the reply",
    ]


def test_versions_and_dotted_names_do_not_end_a_sentence() -> None:
    assert _split("Use requests.get since 2.31.0 to load it.") == ["Use requests.get since 2.31.0 to load it."]


def test_a_text_without_an_end_is_cut_into_overlapping_pieces() -> None:
    text = " ".join(f"word{number}" for number in range(300))
    pieces = _split(text)
    assert len(pieces) > 5
    assert all(len(piece) <= sentences.MAX_CHARACTERS for piece in pieces)
    assert {word for piece in pieces for word in piece.split()} == set(text.split())


@given(st.text(max_size=500))
def test_spans_are_ordered_and_inside_the_text(text: str) -> None:
    spans = sentences.split(text)
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(text) for start, end in spans)


@given(st.text(alphabet=st.characters(categories=["L", "N"]), min_size=2, max_size=700))
def test_no_letter_is_left_out(text: str) -> None:
    covered = set()
    for start, end in sentences.split(text):
        covered.update(range(start, end))
    assert covered == set(range(len(text)))
