"""Doc comments become plain text: words of links stay, targets go, code stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.languages.jsdoc import body_of, is_hidden, is_of_file, plain, read_comment


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("/** One. */", "One."),
        ("/**One.*/", "One."),
        ("/**\n * One.\n *\n * Two.\n */", "One.\n\nTwo."),
        ("/**\r\n * One.\r\n * Two.\r\n */", "One.\nTwo."),
        ("/**\n One.\n   indented\n */", " One.\n   indented".strip()),
        ("/**\n * - a\n *   - b\n */", "- a\n  - b"),
        ("/**\n\t * Tabs.\n\t */", "Tabs."),
        ("/** Sends {@link Request}. */", "Sends Request."),
        ("/** Sends {@link Request|the request}. */", "Sends the request."),
        ("/** Sends {@linkcode Request the\n request}. */", "Sends the\n request."),
        ("/** See {@link https://a.b/c|the guide}. */", "See the guide."),
        ("/** See {@link https://a.b/c}. */", "See ."),
        ("/** See [the guide](https://a.b/c). */", "See the guide."),
        ("/** See [the [inner] guide](https://a.b/c_(d)). */", "See the [inner] guide."),
        ("/** See [the guide][ref] and [1]. */", "See the guide and [1]."),
        ("/** ![diagram](x.png) Shown. */", "Shown."),
        ("/** <b>Bold</b> and <br/> and Array<string>. */", "Bold and  and Array<string>."),
        ("/** Uses `[a](b)` and `{@link c}`. */", "Uses `[a](b)` and `{@link c}`."),
        ("/** **Note** __that__ a_b_c. */", "Note that a_b_c."),
        (
            "/**\n * Text.\n * ```ts\n * const x = [a](b); // <b>\n * ```\n * [end](x)\n */",
            "Text.\n```ts\nconst x = [a](b); // <b>\n```\nend",
        ),
        ("/**\n * Text.\n * @param a - the a\n * @returns what\n */", "Text.\n@param a - the a\n@returns what"),
        ("/** <https://a.b/c> */", ""),
        ("/***/", ""),
        ("/** */", ""),
    ],
)
def test_a_comment_is_read_to_plain_text(comment: str, text: str) -> None:
    assert read_comment(comment).text == text


@pytest.mark.parametrize(
    ("comment", "since"),
    [
        ("/** @since 1.2.3 */", "1.2.3"),
        ("/** @since v10.0 */", "10.0"),
        ("/** @since 2.0.0-beta.1 */", "2.0.0b1"),
        ("/** @since 1.0+delete.the.tests */", "1.0"),
        ("/** @since the beginning */", None),
        ("/** Since 1.2 */", None),
    ],
)
def test_since_is_a_version_or_nothing(comment: str, since: str | None) -> None:
    assert read_comment(comment).since == since


def test_marks_are_read_and_words_about_them_are_not() -> None:
    assert read_comment("/** @deprecated use b */").is_deprecated
    assert read_comment("/**\n * @deprecated\n */").is_deprecated
    assert not read_comment("/** Not deprecated, and no @deprecated one. */").is_deprecated
    assert is_hidden("/** @internal */")
    assert is_hidden("/**\n * Text.\n * @private\n */")
    assert not is_hidden("/** Text about internal things. */")
    assert is_of_file("/**\n * @packageDocumentation\n */")
    assert not is_of_file("/** Text. */")


@given(st.text())
def test_no_text_breaks_the_reading(text: str) -> None:
    read = read_comment(f"/**{text}*/")
    assert read.since is None or "\n" not in read.since
    body_of(text)
    plain(text)


@given(st.text(alphabet="[]()<>{}@link|`*_ab\n ", max_size=300))
def test_markdown_of_any_shape_is_read_in_time(text: str) -> None:
    plain(text)


@pytest.mark.parametrize("piece", ["[", "[a](", "{@link ", "<a ", "`", "**a", "![", "```\n", "[a]["])
def test_repeated_openings_do_not_take_long(piece: str) -> None:
    plain(piece * 20_000)
