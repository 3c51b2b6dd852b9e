"""Go doc comments to plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.languages.godoc import comment_text, is_deprecated_by, plain_text


@pytest.mark.parametrize(
    ("comments", "text"),
    [
        (["// One.", "// Two."], "One.\nTwo."),
        (["//One."], "One."),
        (["// One.", "//", "//", "// Two."], "One.\n\nTwo."),
        (["//", "// One.", "//"], "One."),
        (["// One.", "//go:noinline", "//nolint:errcheck"], "One."),
        (["//export Name"], ""),
        (["// go:noinline is said here"], "go:noinline is said here"),
        (["/* One.\n   Two. */"], " One.\n   Two."),
        (["// a  ", "//\tcode"], "a\n\tcode"),
    ],
)
def test_signs_and_directives_go(comments: list[str], text: str) -> None:
    assert comment_text(comments) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("# Heading\n\nText.", "Heading\n\nText."),
        ("#hashtag\n\nText.", "#hashtag\n\nText."),
        (
            "See [Client.Do], [*Client], [encoding/json], [json.Decoder].",
            "See Client.Do, *Client, encoding/json, json.Decoder.",
        ),
        ("An index a[i], a [note] and []int stay.", "An index a[i], a [note] and []int stay."),
        ("See [the spec].\n\n[the spec]: https://example.org/a", "See the spec."),
        ("Lists:\n  - one [Do]\n  - two\n\n1. three", "Lists:\n  - one Do\n  - two\n\n1. three"),
        ("Text:\n\n\tcode [Do]\n\tmore", "Text:\n\n\tcode [Do]\n\tmore"),
        ("\n\n", None),
        ("[only]: https://example.org", None),
    ],
)
def test_marks_go_and_words_stay(text: str, plain: str | None) -> None:
    assert plain_text(text) == plain


def test_only_a_paragraphs_first_word_deprecates() -> None:
    assert is_deprecated_by("Deprecated: use B.")
    assert not is_deprecated_by("Deprecated since long.")
    assert not is_deprecated_by(None)


@given(st.text(alphabet="[]:#- *\n\tAb./h1", max_size=200))
def test_plain_text_never_fails_and_adds_nothing(text: str) -> None:
    plain = plain_text(text) or ""
    assert set(plain) <= set(text) | {"\n"}
    assert len(plain) <= len(text) + 2
