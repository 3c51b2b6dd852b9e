"""Signatures, docs and marks as text."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.languages.python_text import (
    MAX_VALUE_CHARACTERS,
    clean_doc,
    decode,
    is_deprecated_by,
    mended,
    one_line,
    since_of,
    string_value,
    value_text,
)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"x = 1\n", b"x = 1\n"),
        (b"\xef\xbb\xbfx = '\xc3\xa9'", "x = 'é'".encode()),
        ("# -*- coding: latin-1 -*-\nx = 'é'".encode("latin-1"), "# -*- coding: latin-1 -*-\nx = 'é'".encode()),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'“'".encode("cp1252"), None),
        (b"a\r\nb\rc\n", b"a\nb\nc\n"),
        (b"x = '\xe9'", "undecodable"),
        (b"# coding: no-such-codec\nx = 1", "undecodable"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "undecodable"),
        ("x = 1".encode("utf-16"), "undecodable"),
    ],
)
def test_a_file_is_read_in_the_encoding_it_names(content: bytes, expected: bytes | str | None) -> None:
    found = decode(content)
    if expected is None:
        assert found is not None
        assert "“" in found.decode()
    else:
        assert found == (None if expected == "undecodable" else expected)


def test_only_commas_before_a_closing_bracket_are_blanked_and_no_byte_moves() -> None:
    source = b"def f(a: A[int, 1,  # why\n ], b=(1,), c=[1, ]): pass"
    assert mended(source) == b"def f(a: A[int, 1   # why\n ], b=(1,), c=[1  ]): pass"


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('"""One."""', "One."),
        ("r'\\d'", "\\d"),
        ("'a' 'b'", "ab"),
        ("'''a'''  # note\n  'b'", "ab"),
        ("'\\x41\\q'", "A\\q"),
        ("'\\ud800'", "?"),
        ("u'é'", "é"),
        ("b'no'", None),
        ("f'no'", None),
        ("'broken", None),
        ("'a' f'{b}'", None),
        ("name", None),
    ],
)
def test_a_literal_gives_its_value_and_anything_else_none(literal: str, value: str | None) -> None:
    assert string_value(literal) == value


@given(st.text(max_size=200))
def test_any_string_comes_back_from_its_own_literal(text: str) -> None:
    expected = text.encode("utf-8", "replace").decode()
    assert string_value(repr(text)) == expected


@given(st.text(alphabet=st.sampled_from("ab \t\n"), max_size=60))
def test_a_doc_is_cleaned_as_inspect_cleans_it_but_for_space_at_line_ends(text: str) -> None:
    expected = "\n".join(line.rstrip() for line in inspect.cleandoc(text).split("\n")).strip("\n")
    assert (clean_doc(text) or "") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(a, b)", "def f(a, b)"),
        ("def f(\n    a,  # first\n    b='x  # y',\n)", "def f(a, b='x  # y',)"),
        ("x = [ \\\n  1,\n  2 ]", "x = [1, 2]"),
        ("f(\n  '''a\n  b'''\n)", "f('''a\n  b''')"),
        ("a\tb", "a b"),
    ],
)
def test_code_is_put_on_one_line_without_comments(code: str, expected: str) -> None:
    assert one_line(code) == expected


def _tokens(code: str) -> list[str]:
    ignored = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER)
    return [each.string for each in tokenize.generate_tokens(io.StringIO(code).readline) if each.type not in ignored]


_ATOMS = st.sampled_from(["a", "1", "'#  '", '"( b"', "'''x\n  y'''", "\\\n", " ", "\n", "# c\n", ",", ":", "=", "\t"])


@given(st.lists(_ATOMS, max_size=20))
def test_one_line_keeps_every_token(parts: list[str]) -> None:
    code = "(" + " ".join(parts) + "\n)"
    try:
        before = _tokens(code)
    except (tokenize.TokenError, SyntaxError):
        return
    assert _tokens(one_line(code)) == before
    assert one_line(one_line(code)) == one_line(code)


def test_a_long_value_is_cut_between_tokens_and_never_inside_a_string() -> None:
    value = ("{" + ", ".join(f"'key {number}': 'some words here'" for number in range(90)) + "}").encode()
    text = value_text(value)
    assert len(text) <= MAX_VALUE_CHARACTERS + len(" ...")
    assert text.endswith("...")
    assert text.count("'") % 2 == 0
    assert value_text(b"'" + b"word " * 1000 + b"'") == " ..."


@given(st.text(min_size=0, max_size=3000))
def test_a_cut_value_never_holds_an_open_string(text: str) -> None:
    shown = value_text(repr([text, text]).encode("utf-8", "replace"))
    tree = ast.parse(shown.removesuffix("...").rstrip().rstrip(",") + ("]" if shown.endswith("...") else ""))
    assert tree.body or shown.startswith(" ...")


@pytest.mark.parametrize(
    ("doc", "version"),
    [
        ("Text.\n\n.. versionadded:: 2.0.0", "2.0.0"),
        ("Text.\n\n.. versionadded:: v1.21", "1.21"),
        ("Text.\n\n.. versionadded:: 3.0.\n", "3.0"),
        ("Parameters\n----------\na : int\n    .. versionadded:: 1.5", None),
        ("Text.\n\n.. versionadded:: next", None),
        ("Text.\n\n.. versionadded:: 1.x ignore", None),
        ("Text.\n\n.. versionadded:: " + "9" * 6000, None),
        ("Text.", None),
    ],
)
def test_since_is_a_version_of_the_object_itself_or_nothing(doc: str, version: str | None) -> None:
    assert since_of(doc) == version


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("Old.\n\n.. deprecated:: 1.4\n   Use new.", True),
        ("Deprecated since version 3.1: no.", True),
        (":deprecated: yes", True),
        ("Handles deprecated values.", False),
        ("Args:\n    a: x\n\n        .. deprecated:: 1.0", False),
    ],
)
def test_a_doc_deprecates_its_own_object_only(doc: str, expected: bool) -> None:
    assert is_deprecated_by(doc) is expected


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 300_000 + "b \n",
        "x = [\n" + "#  1,\n" * 100_000 + "]",
        "f(" + " " * 300_000 + "a '" + " " * 300_000,
        '"' * 100_001,
        "'\\" * 100_000,
        "# coding:" + "-" * 100_000,
    ],
    ids=["spaces", "comments", "open string", "quotes", "escapes", "cookie"],
)
def test_hostile_text_takes_no_more_than_linear_time(text: str) -> None:
    clean_doc(text)
    one_line(text)
    string_value(text)
    value_text(text.encode())
    mended(text.encode())
    decode(text.encode())
