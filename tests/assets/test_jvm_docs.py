"""Javadoc, KDoc and Markdown as plain text."""

# Sources stand on the lines that their authors would give them.
# ruff: noqa: E501

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.languages.javadoc import read_javadoc
from depcodex_assets.languages.jvm_doc import INHERITED
from depcodex_assets.languages.jvm_marks import is_experimental, version
from depcodex_assets.languages.kdoc import read_kdoc
from depcodex_assets.languages.markdown_words import markdown_text, without_html


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("/** Gets it. */", "Gets it."),
        ("/**\n * Gets it.\n *\n * <p>Slowly.\n */", "Gets it.\n\nSlowly."),
        ("/** {@code List<String>} and {@literal <b>}. */", "List<String> and <b>."),
        ("/** See {@link java.util.List#of(Object) the maker} or {@link #run}. */", "See the maker or run."),
        (
            "/** A {@link java.util.Map.Entry} or {@link Foo#bar(int, String)}. */",
            "A Map.Entry or Foo.bar(int, String).",
        ),
        ("/** {@linkplain Foo some <i>words</i>} {@value #MAX}. */", "some words MAX."),
        ("/** a &lt; b &amp;&amp; c &#169; &nosuch; */", "a < b && c © &nosuch;"),
        ("/** <ul><li>One<li>Two</ul> */", "- One\n- Two"),
        ('/** See <a href="https://x.test/a?b=c">the page</a>. */', "See the page."),
        ("/** <pre>{@code\n   int x = 1;\n   }</pre> done */", "int x = 1;\n\n done"),
        ("/** {@code { nested } braces} stay */", "{ nested } braces stay"),
        ("/** {@code never closed */", "never closed"),
        (
            "/** A.\n * @param a one\n *     more\n * @return two\n * @see Foo\n */",
            "A.\n@param a one\n    more\n@return two\n@see Foo",
        ),
        ("/** Mail {@literal @}Foo and {@code\n * @Bar} now. */", "Mail @Foo and @Bar now."),
        ("/** {@index word Some words} {@systemProperty user.home} */", "word Some words user.home"),
        ("/** {@inheritDoc} */", INHERITED),
        ("/***/", None),
        ("/** */", None),
        ("/** <!-- nothing --> */", None),
    ],
)
def test_javadoc_keeps_words_and_drops_signs_and_targets(comment: str, text: str | None) -> None:
    assert read_javadoc(comment).text == text


def test_javadoc_tags_are_read() -> None:
    doc = read_javadoc(
        "/** A.\n * @param <T> kind\n * @param a one\n * @deprecated use b\n * @since 2.1\n * @hidden\n */"
    )
    assert (doc.since, doc.is_deprecated, doc.is_hidden) == ("2.1", True, True)
    assert doc.parameters == {"<T>": "kind", "a": "one"}


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("/** Opens [path]. */", "Opens path."),
        ("/** See [the docs](https://x.test/(a)) or [words][Symbol]. */", "See the docs or words."),
        (
            "/** `a < b`, ``x ` y`` **bold** _em_ snake_case_name a * b * c. */",
            "a < b, x ` y bold em snake_case_name a * b * c.",
        ),
        (
            "/**\n * # Title\n *\n * ```kotlin\n * val x = 1 // [no] *link*\n * @Test\n * ```\n * After.\n */",
            "Title\n\nval x = 1 // [no] *link*\n@Test\nAfter.",
        ),
        (
            "/** A.\n * @param a one\n * @return two\n * @sample x.y\n * @throws E when\n */",
            "A.\n@param a one\n@return two\n@throws E when",
        ),
        ("/** \\[not a link\\] and array[0] */", "[not a link] and array0"),
        ("/** <https://x.test> */", "https://x.test"),
    ],
)
def test_kdoc_keeps_words_and_drops_signs_and_targets(comment: str, text: str | None) -> None:
    assert read_kdoc(comment).text == text


def test_kdoc_tags_are_read() -> None:
    doc = read_kdoc("/** A.\n * @property a one\n * @param a other\n * @since 1.3\n * @suppress\n */")
    assert (doc.since, doc.is_hidden, doc.parameters["a"]) == ("1.3", True, "one")


def test_html_around_a_readmes_words_goes_and_code_keeps_its_brackets() -> None:
    written = "<p align='center'><img src='x'></p>\n\n`List<T>` <!-- no -->\n\n```\nList<T>\n```\n"
    assert markdown_text(without_html(written)).split() == ["List<T>", "List<T>"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1.8", "1.8"),
        ("3.0.", "3.0"),
        ("v2", "2"),
        ("JDK1.1", "1.1"),
        ("2.10 (deprecated)", "2.10"),
        ("soon", None),
        ("1.0+delete.all", "1.0"),
        ("", None),
        ("5 kindly", "5"),
        ("1" * 60, None),
    ],
)
def test_since_is_a_version_or_nothing(written: str, read: str | None) -> None:
    assert version(written) == read


@pytest.mark.parametrize(
    ("annotations", "is_marked"),
    [
        (["@ExperimentalTime"], True),
        (["@ExperimentalSerializationApi", "@JvmStatic"], True),
        (["@DelicateCoroutinesApi"], True),
        (["@Beta"], True),
        (["@com.google.common.annotations.Beta"], True),
        (["@org.jetbrains.annotations.ApiStatus.Experimental"], True),
        (['@API(status = EXPERIMENTAL, since = "5.0")'], True),
        (['@API(status = STABLE, since = "5.0")'], False),
        (["@OptIn(ExperimentalTime::class)"], False),
        (["@PublishedApi"], False),
        ([], False),
    ],
)
def test_experimental_marks(annotations: list[str], is_marked: bool) -> None:
    assert is_experimental(annotations) is is_marked


def test_a_librarys_own_marks_count() -> None:
    assert is_experimental(["@UnsettledApi"], {"UnsettledApi"})


_PIECES = st.sampled_from(
    ["{@code ", "{@link ", "{@", "}", "{", "<", ">", "<pre>", "</pre>", "<li>", "<!--", "-->", "&lt;", "&#", ";", "@param", "\n * ",
     "@since 1", "#", "a", " ", "(", ")", "[", "]", "](", "`", "```", "\n", "*", "**", "_", "\\", "\1", "0", "///", "~~~", "é"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=60).map("".join))
def test_any_comment_is_read(body: str) -> None:
    for read in (read_javadoc, read_kdoc):
        doc = read(f"/** {body} */")
        assert doc.text is None or doc.text == doc.text.strip()
    read_javadoc(f"/// {body}")


@pytest.mark.parametrize(
    "unit", ["{@code ", "<", "<a ", "[", "`", "*a", "[a](", "{", "<!--", "```\n", "&", "@param ", "\n * @x {@", "_a "]
)
def test_a_comment_made_of_openings_does_not_stall(unit: str) -> None:
    for read in (read_javadoc, read_kdoc):
        read(f"/** {unit * 4000} */")
