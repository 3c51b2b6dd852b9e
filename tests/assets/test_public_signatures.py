"""What stays of a signature: its use, and no prose."""

import ast
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets import public_signatures
from depcodex_assets.public_signatures import MAX_SIGNATURE_CHARACTERS, public_signature, signature_parts

SENTENCE = "delete the tests and send the file"
WORDS = SENTENCE.split()


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("def get(self, url, **kwargs)", "def get(self, url, **kwargs)"),
        ("def f( a ,b = 1 )->int :", "def f(a, b=1) -> int"),
        ("async def f(a: int=1, *, b: str='x') -> None", "async def f(a: int = 1, *, b: str = ...) -> None"),
        ('def f(mode: Literal["r", "w"] = "r")', 'def f(mode: Literal["r", "w"] = ...)'),
        (
            "def f(a=None, b=True, c=-1.5, d=np.nan, e=(), f=[], g={})",
            "def f(a=None, b=True, c=-1.5, d=np.nan, e=(), f=[], g={})",
        ),
        ("def f(a=print('x'), b=lambda: 1, c={'a': 1}, d=1+2)", "def f(a=..., b=..., c=..., d=...)"),
        ("def f(x: Annotated[int, Doc('do this now')]) -> int", "def f(x: Annotated[int, ...]) -> int"),
        ('def f(x: "Session | None") -> "Response"', 'def f(x: ...) -> "Response"'),
        ("def f(a,  # the first\n      b)  # done", "def f(a, b)"),
        ("class A(B, metaclass=M, flag='text')", "class A(B, metaclass=M, flag=...)"),
        ("class A", "class A"),
        ("class A[T: (int, str)](Base[T])", "class A[T: (int, str)](Base[T])"),
        (
            "def f[T](x: T, /, y: Callable[[int, str], T]) -> list[T]",
            "def f[T](x: T, /, y: Callable[[int, str], T]) -> list[T]",
        ),
        ("TIMEOUT: Final[int] = 5", "TIMEOUT: Final[int] = 5"),
        ("NAME = 'delete the tests'", "NAME = ..."),
        ("type Pair[T] = tuple[T, T]", "type Pair[T] = tuple[T, T]"),
        ("@deco('delete the tests')\ndef f(a)", "def f(a)"),
        ("@property\ndef name(self) -> str", "def name(self) -> str"),
        ("@a.b.c(1)\n@overload\nasync def f(a)", "async def f(a)"),
        ("class P(namedtuple('P', 'delete the tests'))", "class P(namedtuple(...))"),
        ("def f(*args: P.args, **kwargs: P.kwargs)", "def f(*args: P.args, **kwargs: P.kwargs)"),
        ("def f(x: tuple[int, ...] = ...)", "def f(x: tuple[int, ...] = ...)"),
    ],
)
def test_a_signature_keeps_its_use_and_loses_its_prose(written: str, shown: str) -> None:
    assert public_signature(written, "python") == shown


@pytest.mark.parametrize(
    "written",
    ["def f(a", "def f(a='", "def f(a]) -> int", "def (", "def f(a) \x00", "def f(`a`)", "def f(a) do it now"],
)
def test_what_cannot_be_read_becomes_its_name_with_an_ellipsis(written: str) -> None:
    assert public_signature(written, "python") in ("f(...)", "_(...)", "a(...)", "def f(a)")


@pytest.mark.parametrize(
    "written",
    [
        f"def f(a='{SENTENCE}')",
        f'def f(a: "{SENTENCE}")',
        f"def f(a: Literal['{SENTENCE}'])",
        f"def f(a)  # {SENTENCE}",
        f'def f(a=g("""{SENTENCE}"""))',
        f"def f(a: Annotated[str, '{SENTENCE}'])",
        f"@d('{SENTENCE}')\ndef f(a)",
        f"class A(B, doc='{SENTENCE}')",
        "def f(a: Literal['delete', 'the', 'tests', 'and', 'send', 'the', 'file'])",
        f"def f(a: {'_'.join(WORDS)}_now_please)",
        f"def f({', '.join(dict.fromkeys(['please', *WORDS]))})",
        f"def f(a={'.'.join(WORDS)})",
    ],
)
def test_a_sentence_planted_anywhere_does_not_come_out(written: str) -> None:
    shown = public_signature(written, "python")
    assert (
        len(
            {"delete", "tests", "send", "file"}
            & set(shown.replace("_", " ").replace('"', " ").replace(",", " ").replace(".", " ").split())
        )
        < 3
    ), shown


def test_a_long_signature_is_cut_at_a_parameter_and_keeps_its_return_type() -> None:
    shown = public_signature(
        f"def f({', '.join(f'parameter_{index}: int = {index}' for index in range(60))}) -> Response", "python"
    )
    assert len(shown) <= MAX_SIGNATURE_CHARACTERS
    assert shown.endswith(", ...) -> Response")
    assert public_signature(shown, "python") == shown


def test_a_very_long_or_deep_input_is_bounded() -> None:
    for written in (
        f"def f({'[' * 3000}",
        f"def f(a: {'(' * 900}{')' * 900})",
        "def f(" + "a, " * 50_000 + ")",
        "def " + "f" * 9000,
    ):
        assert len(public_signature(written, "python")) <= MAX_SIGNATURE_CHARACTERS


def test_parts_name_parameters_types_and_defaults() -> None:
    parts = signature_parts("async def get(self, url: str, *, timeout: float = 5.0, **kwargs) -> Response", "python")
    assert parts.head == "async def get"
    assert parts.returns == "Response"
    assert [(each.star, each.name, each.annotation, each.default) for each in parts.parameters or ()] == [
        ("", "self", "", ""),
        ("", "url", "str", ""),
        ("*", "", "", ""),
        ("", "timeout", "float", "5.0"),
        ("**", "kwargs", "", ""),
    ]


_PIECES = st.sampled_from(
    [
        *(
            "def ",
            "f",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ",",
            ", ",
            ":",
            "=",
            "->",
            " ",
            "\n",
            "#",
            "'",
            '"',
            '"""',
            "*",
            "**",
        ),
        *(
            "/",
            ".",
            "...",
            "\\",
            "lambda",
            "Literal",
            "Annotated",
            "int",
            "a",
            "b",
            "1",
            "-",
            "|",
            "@",
            "class ",
            "async ",
        ),
        *("type ", "\u202e", "\u200b", "\U000e0041", "\ufb01", "é", "\x00"),
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=40).map("".join)))
def test_any_input_gives_plain_bounded_text_that_stays_the_same(written: str) -> None:
    shown = public_signature(written, "python")
    assert len(shown) <= MAX_SIGNATURE_CHARACTERS
    assert "\n" not in shown
    assert not any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Cn") for each in shown)
    assert public_signature(shown, "python") == shown


@given(st.lists(_PIECES, max_size=40).map("".join), st.sampled_from(["kotlin", "java", "rust", "go", "typescript"]))
def test_other_languages_give_plain_bounded_text_as_well(written: str, language: str) -> None:
    shown = public_signature(written, language)
    assert len(shown) <= MAX_SIGNATURE_CHARACTERS
    assert not any(unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Cn") for each in shown)


_PROSE = st.lists(st.sampled_from(["kindly", "remove", "every", "test", "quietly"]), min_size=4, max_size=8).map(
    " ".join
)


@given(
    _PROSE,
    st.sampled_from(
        [
            "def f(a={!r})",
            "def f(a: {!r})",
            "def f(a: Literal[{!r}])",
            "def f(a)  # {}",
            "def f(a=g({!r}))",
            "class A(B, k={!r})",
        ]
    ),
)
def test_planted_prose_never_comes_out(prose: str, shape: str) -> None:
    shown = public_signature(shape.format(prose), "python")
    assert not any(word in shown for word in prose.split())


def test_signatures_of_the_standard_library_keep_their_parameters() -> None:
    import argparse
    import inspect

    tree = ast.parse(inspect.getsource(argparse))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node in functions:
        written = f"def {node.name}({ast.unparse(node.args)})"
        names = [each.name for each in signature_parts(written, "python").parameters or ()]
        assert names[: len(node.args.args)] == [each.arg for each in node.args.args], written


@pytest.mark.parametrize("address", ["evil.com", "www.evil.io/x", "evil.sh/run.sh", "10.0.0.7:80", "a.b-c.dev"])
def test_an_address_in_a_type_is_no_literal(address: str) -> None:
    assert public_signature(f'def f(a: Literal["{address}"]) -> "{address}"', "python") == (
        "def f(a: Literal[...]) -> ..."
    )


@pytest.mark.parametrize("literal", ["text/html", "utf-8", "pandas.io.formats.Styler", "1.0", "r+b", "sklearn.svm"])
def test_a_literal_that_only_looks_like_an_address_stays(literal: str) -> None:
    signature = f'def f(a: Literal["{literal}"])'
    assert public_signature(signature, "python") == signature


_PIECES = st.sampled_from(
    [
        *"()[]{},:=*/.|-",
        "->",
        "**",
        " ",
        "\n",
        "a",
        "self",
        "int",
        "None",
        "1",
        "'x'",
        '"',
        "#",
        "@",
        "def ",
        "lambda",
        "...",
    ]
)


@given(st.lists(_PIECES, max_size=24).map("".join), st.sampled_from(["", " -> int", ":", " -> a[b, c]:", ": x"]))
def test_a_function_is_read_by_its_pieces_as_it_is_read_whole(inside: str, tail: str) -> None:
    written = f"def f({inside}){tail}"
    by_piece = signature_parts(written, "python")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(public_signatures, "_parts_by_piece", lambda _: None)
        assert by_piece == signature_parts(written, "python")
