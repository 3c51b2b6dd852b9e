"""A README is read for what a package is: words of paragraphs, no badges, no code, no targets of links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.languages.readme import MAX_CHARACTERS, readme_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# alpha\n\nSends mail.", "alpha\n\nSends mail."),
        ("[![build](a.svg)](b) ![x](y)\n\nSends mail.", "Sends mail."),
        ("Sends [mail](https://a.b/c 'title') with `send()`.", "Sends mail with send()."),
        ("<div align='center'>\n<img src=x>\n</div>\n\nSends <b>mail</b>.", "Sends mail."),
        ("Sends mail.\n\n```js\nimport x\n```\n\n    code too\n\nAnd more.", "Sends mail.\n\nAnd more."),
        ("- one\n- two\n\n| a | b |\n|---|---|\n| c | d |", "one\n\ntwo\n\na\n\nb\n\nc\n\nd"),
        ("Sends\nmail\\\nfast.", "Sends mail fast."),
        ("Sends mail.\n\n## License\n\nMIT\n\n## Use\n\nCall it.", "Sends mail.\n\nUse\n\nCall it."),
        ("\ufeff# alpha", "alpha"),
        ("", None),
        ("![only](a.svg)", None),
    ],
)
def test_the_words_stay(markdown: str, text: str | None) -> None:
    assert readme_text(markdown.encode(), "README.md") == text


def test_a_long_readme_is_read_up_to_a_bound() -> None:
    text = readme_text(b"word " * 100_000, "README.md")
    assert text is not None
    assert len(text) <= MAX_CHARACTERS


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reading(content: bytes) -> None:
    text = readme_text(content, "README.md")
    assert text is None or len(text) <= MAX_CHARACTERS


@pytest.mark.parametrize("piece", [b"[", b"> ", b"- ", b"*", b"![a](", b"<a ", b"`"])
def test_repeated_openings_do_not_take_long(piece: bytes) -> None:
    readme_text(piece * 20_000, "README.md")
