"""One Python file's syntax as declarations."""

from __future__ import annotations

import ast
import sysconfig
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from depcodex_assets.languages.python_modules import MAX_FILE_BYTES, read_module
from python_sources import declare, source_file

STANDARD_LIBRARY = Path(sysconfig.get_path("stdlib"))


def test_each_thing_a_module_defines_gets_its_kind() -> None:
    found = declare(
        {
            "pkg/__init__.py": '"""The package."""',
            "pkg/shapes.py": """
            '''Shapes.'''
            import enum
            from functools import cached_property
            from typing import Callable, NewType, TypeAlias, TypeVar, Union
            LIMIT: int = 3
            T = TypeVar("T")
            UserId = NewType("UserId", int)
            Handler = Callable[[int], None]
            Path: TypeAlias = "str"
            type Pair[X] = tuple[X, X]
            async def load(url): ...
            class Colour(enum.Enum):
                RED = 1
                green = 2
            class Box:
                SIZE = 3
                width: int = 0
                def __init__(self): self.height = 1
                def area(self): ...
                @property
                def name(self): ...
                @name.setter
                def name(self, value): ...
                @cached_property
                def heavy(self): ...
                class Lid: ...
                same_area = area
            """,
        }
    )
    kinds = {symbol.removeprefix("pkg.shapes."): each.kind for symbol, each in found.items()}
    assert kinds == {
        "pkg": "package",
        "pkg.shapes": "module",
        "LIMIT": "constant",
        "T": "type",
        "UserId": "type",
        "Handler": "type",
        "Path": "type",
        "Pair": "type",
        "load": "function",
        "Colour": "class",
        "Colour.RED": "constant",
        "Colour.green": "constant",
        "Box": "class",
        "Box.SIZE": "constant",
        "Box.width": "property",
        "Box.height": "property",
        "Box.__init__": "method",
        "Box.area": "method",
        "Box.name": "property",
        "Box.heavy": "property",
        "Box.Lid": "class",
        "Box.same_area": "method",
    }
    assert found["pkg"].doc == "The package."
    assert found["pkg.shapes.Box.Lid"].name == "Box.Lid"


def test_signatures_are_as_written_less_bodies_decorators_and_comments() -> None:
    found = declare(
        {
            "m.py": """
            import functools
            @functools.wraps(print)
            async def get(
                url,  # where
                params=None,
                *, timeout: float = 3,
            ) -> "Response":  # noqa
                return None
            class Session(Base, metaclass=Meta):
                def send(self, request, **kwargs): return 1
            class Plain: pass
            DEFAULTS: dict[str, int] = {
                "a": 1,  # one
            }
            first, second = 1, 2
            a = b = 3
            """
        }
    )
    signatures = {symbol: each.signatures for symbol, each in found.items()}
    assert signatures["m.get"] == ('async def get(url, params=None, *, timeout: float = 3) -> "Response"',)
    assert signatures["m.Session"] == ("class Session(Base, metaclass=Meta)",)
    assert signatures["m.Session.send"] == ("def send(self, request, **kwargs)",)
    assert signatures["m.Plain"] == ("class Plain",)
    assert signatures["m.DEFAULTS"] == ('DEFAULTS: dict[str, int] = {"a": 1,}',)
    assert signatures["m.first"] == ("first",)
    assert signatures["m.a"] == ("a = 3",)
    assert signatures["m.b"] == ("b = 3",)
    assert found["m.get"].line == 3


def test_overloads_share_a_symbol_and_the_implementation_gives_the_doc() -> None:
    found = declare(
        {
            "m.py": """
            from typing import overload
            @overload
            def f(a: int) -> int: ...
            @overload
            def f(a: str) -> str: ...
            def f(a):
                "Does it."
            """
        }
    )
    assert found["m.f"].signatures == ("def f(a: int) -> int", "def f(a: str) -> str")
    assert found["m.f"].doc == "Does it."
    assert found["m.f"].line == 6


def test_docs_are_strings_that_open_a_body_follow_an_assignment_or_stand_in_marked_comments() -> None:
    found = declare(
        {
            "m.py": '''
            # licence
            """Module."""
            def a():
                # why
                r"""Raw \\d."""
            def b():
                f"""not {a} doc"""
            def c():
                "one " 'two'
            def d():
                ("in parentheses")
            def e():
                """A".join(x)"""
            def g(): return "no"
            class C:
                #: Above,
                #: twice.
                x = 1
                y: int = 2
                """Beside."""
                z = 3  #: Behind.
                # plain
                w = 4
                def __init__(self):
                    """Make."""
                    self.v: int = 1
                    """Instance."""
                    if True:
                        self.p = self.q = 2
                        self._hidden = 3
            LIMIT = 3
            """Most."""
            '''
        }
    )
    docs = {symbol.removeprefix("m."): each.doc for symbol, each in found.items()}
    assert docs == {
        "m": "Module.",
        "a": "Raw \\d.",
        "b": None,
        "c": "one two",
        "d": "in parentheses",
        "e": 'A".join(x)',
        "g": None,
        "C": None,
        "C.x": "Above,\ntwice.",
        "C.y": "Beside.",
        "C.z": "Behind.",
        "C.w": None,
        "C.__init__": "Make.",
        "C.v": "Instance.",
        "C.p": None,
        "C.q": None,
        "LIMIT": "Most.",
    }


def test_every_branch_is_read_and_the_first_definition_wins() -> None:
    found = declare(
        {
            "m.py": """
            import sys
            if sys.version_info >= (3, 12):
                def new(a): ...
            else:
                def new(): ...
            try:
                import fast
            except* ImportError:
                def slow(): ...
            else:
                def quick(): ...
            with context():
                inside = 1
            match sys.platform:
                case "linux": linux = 1
            value = None
            def value(): ...
            if __name__ == "__main__":
                script = 1
            def outer():
                def inner(): ...
            """
        }
    )
    assert set(found) == {"m", "m.new", "m.slow", "m.quick", "m.inside", "m.linux", "m.value", "m.outer"}
    assert found["m.new"].signatures == ("def new(a)",)
    assert found["m.value"].kind == "function"


def test_deprecation_is_read_from_decorators_and_docs() -> None:
    found = declare(
        {
            "m.py": '''
            import warnings, typing
            @warnings.deprecated("gone")
            def a(): ...
            @typing.overload
            @typing.deprecated("one way")
            def b(x: int): ...
            @typing.overload
            def b(x: str): ...
            class C:
                """Old.

                .. deprecated:: 1.0
                .. versionadded:: 0.5
                """
            '''
        }
    )
    assert [found[name].is_deprecated for name in ("m.a", "m.b", "m.C")] == [True, False, True]
    assert found["m.C"].since == "0.5"


def test_bases_are_resolved_through_imports_and_calls_are_left_out() -> None:
    found = declare(
        {
            "pkg/__init__.py": "from ._base import Base",
            "pkg/_base.py": "class Base:\n    class Inner: ...",
            "pkg/m.py": """
            import collections.abc as abc
            import collections.abc
            import other
            from other.things import Thing as T
            from typing import Generic
            from pkg._base import Base
            from pkg import _base
            class A(Base, _base.Base.Inner, T, other.Other, abc.Mapping, Generic[X], dict, make("words of prose")): ...
            """,
        }
    )
    assert found["pkg.m.A"].bases == (
        "pkg.Base",
        "pkg.Base.Inner",
        "other.things.Thing",
        "other.Other",
        "collections.abc.Mapping",
        "typing.Generic",
        "dict",
    )


def test_syntax_that_the_old_grammar_lacks_costs_no_declaration() -> None:
    found = declare(
        {
            "m.py": """
            def f(
                a: Annotated[
                    int,
                    Doc("A number."),  # why
                ],
            ): ...
            class P[T: int = bool, *Ts = *tuple[int]]: ...
            type L[T = int] = list[T]
            def g[**Q](*args: *Ts) -> x[*Ts]: ...
            """
        }
    )
    assert set(found) == {"m", "m.f", "m.P", "m.L", "m.g"}
    assert found["m.f"].signatures == ('def f(a: Annotated[int, Doc("A number."),])',)
    assert found["m.P"].signatures == ("class P[T: int = bool, *Ts = *tuple[int]]",)


@pytest.mark.parametrize(
    ("content", "reason", "others"),
    [
        (b"def good(): ...\ndef broken(:\n    x = (\ndef later(): ...\n", "syntax", {"m.good"}),
        (b"x = '\xe9'\n", "encoding", set()),
        (b"\x00def good(): ...\n", "syntax", {"m.good"}),
        (b"#" * (MAX_FILE_BYTES + 1), "limit:size", set()),
        (b"".join(b" " * depth + b"if x:\n" for depth in range(300)) + b" " * 300 + b"y = 1\n", "nesting", set()),
    ],
    ids=["syntax", "encoding", "nul", "size", "nesting"],
)
def test_a_file_that_cannot_be_read_whole_says_why_and_gives_the_rest(
    content: bytes, reason: str, others: set[str]
) -> None:
    found = declare({"m.py": content})
    row = found["//m.py"]
    assert (row.kind, row.skip_reason, row.doc, row.signatures) == ("file", reason, None, ())
    assert others <= set(found)


@pytest.mark.parametrize(
    "content",
    [
        b"x = " + b"[" * 100_000 + b"]" * 100_000,
        b"(" * 300_000,
        b'__all__ = ["a"]' + b' + ["b"]' * 20_000,
        b"__all__ = " + b"[" * 5_000 + b"'a'" + b"]" * 5_000,
        b'"""' + b"a" * 1_000_000,
        b"a" + b".a" * 200_000 + b" = 1",
        bytes(range(1, 256)) * 500,
        b"\x00" * 100_000,
        b"def f(:\n" * 5_000,
        b"class C:\n" * 3_000,
        b"",
    ],
    ids=["brackets", "open", "sum", "list", "string", "dots", "junk", "nuls", "defs", "classes", "empty"],
)
def test_a_pathological_file_neither_crashes_nor_recurses_out(content: bytes) -> None:
    assert "m" in declare({"m.py": content})


@given(st.binary(max_size=400))
@settings(deadline=None)
def test_any_bytes_are_read_without_an_exception(content: bytes) -> None:
    declare({"m.py": content, "m.pyi": content})


_LINES = st.sampled_from(
    [
        "class A(B):", "    '''doc'''", "    x: int = 3", "    def f(self, a=(1,)):", "        self.y = 3", "def g(",
        "    a,", "):", "    pass", "__all__ = ['A', 'g']", "from .m import *", "from . import m as m", "@overload",
        "if x:", "else:", "#: doc", "x = y = z", "import a.b as b", "__all__ += m.__all__", "def __getattr__(name):",
        "t = {'A': '.m', 'B': ('.m', 'A')}", "type X = int", ")", "'''",
    ]
)  # fmt: skip


@given(st.lists(_LINES, max_size=25))
@settings(deadline=None)
def test_any_order_of_lines_is_read_without_an_exception_and_symbols_are_unique(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = declare({"m/__init__.py": text, "m/m.py": text, "m/m.pyi": text})
    assert all(each.symbol == symbol for symbol, each in found.items())


@pytest.mark.parametrize("name", ["argparse", "dataclasses", "typing", "enum", "http.client", "logging.config", "ast"])
def test_definitions_docs_and_signatures_agree_with_the_ast_of_real_modules(name: str) -> None:
    path = STANDARD_LIBRARY.joinpath(*name.split(".")).with_suffix(".py")
    content = path.read_bytes()
    tree = ast.parse(content)
    read = read_module(source_file(f"{name.rpartition('.')[2]}.py", content), "m", is_package=False)
    assert read.problem is None
    assert read.doc == _rstripped(ast.get_docstring(tree))
    compared = 0
    seen: set[str] = set()
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name in seen:
            continue
        seen.add(node.name)
        definition = read.definitions[node.name]
        assert definition.doc == _rstripped(ast.get_docstring(node))
        assert definition.line == node.lineno
        body = ast.parse(f"{definition.signatures[0]}: ...").body[0]
        assert isinstance(body, ast.FunctionDef | ast.ClassDef)
        body.body, body.decorator_list, node.body, node.decorator_list = [], [], [], []
        assert ast.dump(body) == ast.dump(node)
        compared += 1
    assert compared > 5


def _rstripped(doc: str | None) -> str | None:
    if doc is None:
        return None
    return "\n".join(line.rstrip() for line in textwrap.dedent(doc).split("\n")).strip("\n") or None
