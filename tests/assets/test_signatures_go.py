"""What stays of a Go signature: its use, and no prose."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets import signatures_go
from depcodex_assets.public_signatures import MAX_SIGNATURE_CHARACTERS, public_signature, signature_parts

SENTENCE = "delete the tests and send the file"


def test_the_examples_in_the_docstrings_run() -> None:
    result = doctest.testmod(signatures_go)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("func Get(url string) (*Page, error)", "func Get(url string) (*Page, error)"),
        ("func F( a , b int,c ...string )error", "func F(a, b int, c ...string) error"),
        ("func F(int, *T, []string, map[string]T) (n int, err error)",) * 2,
        ("func (c *Client[K, V]) Do[T any](req *http.Request) <-chan T",) * 2,
        ("func (Client) Do()", "func (Client) Do()"),
        ("func F(f func(int, string) (bool, error), ch chan<- int, x [4]byte) func()",) * 2,
        (
            "func F(x struct{ A int `delete the tests` }, y interface{ Do() }, z interface{}, w struct{})",
            "func F(x struct{...}, y interface{...}, z interface{}, w struct{})",
        ),
        ("func F(x [len(a) + 1]int, y [N]int, z [...]int)", "func F(x [...]int, y [N]int, z [...]int)"),
        ("func F(p **T, q ***T)", "func F(p **T, q ***T)"),
        ("func Map[T, U any, N ~int | ~string](xs []T) []U",) * 2,
        ("func F(a int, // delete the tests\n\tb /* and send */ string)", "func F(a int, b string)"),
        ("Do(ctx context.Context) error", "Do(ctx context.Context) error"),
        ("type Client[T any] struct",) * 2,
        ("type Handler interface",) * 2,
        ("type Opts = struct",) * 2,
        ("type Set[T comparable] = map[T]struct{}",) * 2,
        ("type UUID [16]byte", "type UUID [16]byte"),
        ("type HandlerFunc func(ResponseWriter, *Request)",) * 2,
        ("const Debug Level = iota - 1", "const Debug Level = ..."),
        ("const Info Level",) * 2,
        ("const A = -1.5", "const A = -1.5"),
        ("const Max = math.MaxInt", "const Max = math.MaxInt"),
        ('const Name = "delete the tests"', "const Name = ..."),
        ('var Err = errors.New("delete the tests")', "var Err = ..."),
        ("var Table = map[string]int{ `delete the tests`: 1 ...", "var Table = ..."),
        ("var Nil UUID", "var Nil UUID"),
        ("Name string", "Name string"),
        ("Limits struct", "Limits struct"),
        ("*pkg.Base", "*pkg.Base"),
        ("package yaml", "package yaml"),
    ],
)
def test_a_signature_keeps_its_use_and_loses_its_prose(written: str, shown: str) -> None:
    assert public_signature(written, "go") == shown
    assert public_signature(shown, "go") == shown


@pytest.mark.parametrize(
    "written",
    [
        "func F(a int",
        "func F(delete the tests now)",
        "func F() delete the tests",
        "type T delete the tests",
        "Name delete the tests",
        "const A delete the tests",
        'func F(a "delete the tests")',
        "package a delete the tests",
        "func (a, b T) F()",
        "func " + "(" * 500,
        "type T " + "[]" * 500 + "int",
    ],
)
def test_what_is_no_signature_becomes_a_name_with_an_ellipsis(written: str) -> None:
    shown = public_signature(written, "go")
    assert shown.endswith("(...)")
    assert " " not in shown
    assert public_signature(shown, "go") == shown


def test_parameters_have_their_names_and_types() -> None:
    parts = signature_parts("func F(ctx context.Context, a, b int)", "go")
    assert parts.parameters is not None
    assert [(each.name, each.annotation) for each in parts.parameters] == [
        ("ctx", "context.Context"),
        ("a", ""),
        ("b", "int"),
    ]


def test_a_long_one_is_cut_at_a_parameter() -> None:
    parameters = ", ".join(f"parameter{number} string" for number in range(60))
    shown = public_signature(f"func F({parameters}) error", "go")
    assert len(shown) <= MAX_SIGNATURE_CHARACTERS
    assert shown.endswith(", ...) error")
    assert public_signature(shown, "go") == shown


PIECES = st.sampled_from(
    [
        "func ", "type ", "const ", "var ", "package ", "(", ")", "[", "]", "{", "}", "*", ",", " ", "...", "=", ".",
        "struct", "interface", "map[", "chan ", "<-", "~", "|", "int", "T", "a", "Name", "1", "// x\n", "/* y */",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30), st.sampled_from(['"{}"', "`{}`", "// {}\n", "/* {} */", "'{}'"]))
def test_strings_and_comments_never_come_through_and_showing_twice_is_showing_once(
    pieces: list[str], form: str
) -> None:
    for place in range(0, len(pieces) + 1, 5):
        written = "".join([*pieces[:place], form.format(SENTENCE), *pieces[place:]])
        shown = public_signature(written, "go")
        assert "tests" not in shown
        assert len(shown) <= MAX_SIGNATURE_CHARACTERS
        assert "\n" not in shown
        assert public_signature(shown, "go") == shown


@given(st.text(max_size=300))
def test_any_text_gives_one_line_of_plain_characters(text: str) -> None:
    shown = public_signature(text, "go")
    assert "\n" not in shown
    assert not any(each in shown for each in "\u202e\u200b\u2066\x00")
    assert public_signature(shown, "go") == shown
