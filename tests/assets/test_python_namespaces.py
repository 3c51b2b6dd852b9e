"""Public names across a distribution's files."""

from __future__ import annotations

import pytest

from depcodex_assets.languages.python import MAX_ALIASES, module_name
from python_sources import declare


def names(files: dict[str, str]) -> set[str]:
    """Public symbols that are no modules."""
    return {symbol for symbol, each in declare(files).items() if each.kind not in ("module", "package")}


def test_a_listed_name_is_public_and_an_unlisted_one_is_not() -> None:
    assert names({"m.py": "__all__ = ['a', '_b']\ndef a(): ...\ndef _b(): ...\ndef c(): ..."}) == {"m.a", "m._b"}


def test_without_a_list_underscores_decide_and_plain_imports_are_not_exports() -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/m.py": "import os\nfrom .n import helper\ndef a(): ...\ndef _b(): ...\n__version__ = '1'",
        "pkg/n.py": "def helper(): ...",
        "pkg/_p.py": "def hidden(): ...",
    }
    assert names(files) == {"pkg.m.a", "pkg.m.__version__", "pkg.n.helper"}


@pytest.mark.parametrize(
    "exports",
    [
        "__all__ = ('a', 'b')",
        "__all__ = ['a']\n__all__ += ['b']",
        "__all__ = []\n__all__.extend(['a', 'b'])",
        "__all__ = ['a']\n__all__.append('b')",
        "__all__: list[str] = ['a', *['b']]",
        "_names = ['b']\n__all__ = ['a'] + _names",
        "from . import other\n__all__ = ['a'] + other.__all__",
        "from . import other\n__all__ = ['a', *other.__all__]",
        "from .other import __all__ as _listed\nfrom . import other\n__all__ = ['a']\n__all__ += other.__all__",
        "_homes = {'a': 1, 'b': 2}\n__all__ = sorted(_homes)",
        "_homes = {'a': 1, 'b': 2}\n__all__ = list(_homes.keys())",
        "__all__ = ['a', 'b', 'd']\n__all__.remove('d')",
    ],
)
def test_a_list_is_read_however_it_is_written(exports: str) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/_other.py": "",
        "pkg/other.py": "__all__ = ['b']\ndef b(): ...",
        "pkg/m.py": f"from .other import b\n{exports}\ndef a(): ...\ndef c(): ...\ndef d(): ...\nc1 = 1",
    }
    found = declare(files)
    reachable = {name for each in found.values() for name in (each.symbol, *each.aliases) if name.startswith("pkg.m.")}
    assert reachable == {"pkg.m.a", "pkg.m.b"}


def test_a_list_that_is_computed_hides_nothing() -> None:
    assert names({"m.py": "__all__ = [n for n in dir() if n[0] != '_']\ndef a(): ..."}) == {"m.a"}


def test_the_shortest_public_name_is_canonical_and_the_rest_are_aliases() -> None:
    found = declare(
        {
            "requests/__init__.py": "from .sessions import Session, session\nfrom . import api, _private",
            "requests/sessions.py": "class Session:\n    def get(self): ...\ndef session(): ...",
            "requests/api.py": "from .sessions import Session as Session\nfrom ._private import helper as helper",
            "requests/_private.py": "def helper(): ...\ndef unused(): ...",
        }
    )
    assert found["requests.Session"].aliases == ("requests.api.Session", "requests.sessions.Session")
    assert found["requests.Session.get"].aliases == ("requests.api.Session.get", "requests.sessions.Session.get")
    assert found["requests.Session.get"].defining_path == "requests.sessions.Session.get"
    assert found["requests.Session.get"].name == "Session.get"
    assert found["requests.api.helper"].aliases == ("requests._private.helper",)
    assert "requests._private" not in found
    assert not any("unused" in symbol for symbol in found)


def test_of_equally_short_names_the_first_by_alphabet_is_canonical() -> None:
    found = declare(
        {"p/__init__.py": "from ._x import f as zeta, f as alpha", "p/_x.py": "__all__ = ['f']\ndef f(): ..."}
    )
    assert found["p.alpha"].aliases == ("p.zeta", "p._x.f")


def test_a_second_name_by_assignment_is_an_alias_and_a_value_is_not() -> None:
    found = declare({"m.py": "def get(): ...\nfetch = get\nlimit = 3\nmost = limit\n"})
    assert found["m.fetch"].aliases == ("m.get",)
    assert found["m.fetch"].kind == "function"
    assert "m.get" not in found
    assert found["m.most"].kind == "constant"


def test_star_imports_follow_the_list_else_the_names_without_underscore() -> None:
    files = {
        "p/__init__.py": "from ._a import *\nfrom ._b import *\nfrom os.path import *",
        "p/_a.py": "__all__ = ['listed', '_odd']\ndef listed(): ...\ndef unlisted(): ...\ndef _odd(): ...",
        "p/_b.py": "import os\nfrom other import thing\nfrom ._c import deep\ndef open_(): ...\ndef _no(): ...",
        "p/_c.py": "def deep(): ...",
    }
    assert names(files) == {"p.listed", "p._odd", "p.open_", "p.deep"}


def test_modules_that_star_import_each_other_end() -> None:
    files = {"a.py": "from b import *\ndef f(): ...", "b.py": "from a import *\ndef g(): ..."}
    assert names(files) == {"a.f", "a.g"}


def test_another_packages_object_is_a_row_that_names_its_target() -> None:
    found = declare(
        {
            "fastapi/__init__.py": "from starlette import status as status\nfrom .requests import Request as Request\n"
            "from typing import Any as Any\nimport json as json",
            "fastapi/requests.py": "from starlette.requests import Request as Request, HTTPConnection",
            "fastapi/_compat.py": "from pydantic import BaseModel as BaseModel",
        }
    )
    assert {symbol: each.reexport_target for symbol, each in found.items() if each.kind == "reexport"} == {
        "fastapi.Request": "starlette.requests.Request",
        "fastapi.status": "starlette.status",
    }
    row = found["fastapi.Request"]
    assert (row.signatures, row.doc, row.aliases, row.line) == ((), None, ("fastapi.requests.Request",), 2)


def test_a_package_that_shares_a_namespace_knows_what_is_not_its_own() -> None:
    found = declare(
        {
            "google/cloud/storage/__init__.py": "from google.cloud.storage._blob import Blob\n"
            "from google.api_core import retry as retry",
            "google/cloud/storage/_blob.py": "class Blob: ...",
        }
    )
    assert found["google.cloud.storage"].kind == "package"
    assert found["google.cloud.storage.Blob"].aliases == ("google.cloud.storage._blob.Blob",)
    assert found["google.cloud.storage.retry"].reexport_target == "google.api_core.retry"


@pytest.mark.parametrize(
    "lazy",
    [
        "_homes = {'Thing': '._impl'}\ndef __getattr__(name): ...",
        "_homes = {'Thing': 'pkg._impl'}\ndef __getattr__(name): ...",
        "_homes = {'Thing': '_impl'}\ndef __getattr__(name): ...",
        "_homes = {'Thing': 'pkg._impl.Thing'}\ndef __getattr__(name): ...",
        "_homes = {'Thing': 'pkg._impl:Thing'}\ndef __getattr__(name): ...",
        "_homes = {'Thing': ('._impl', 'Thing')}\ndef __getattr__(name): ...",
        "_homes = {'Thing': (__spec__.parent, '._impl')}\ndef __getattr__(name): ...",
        "_homes: dict[str, str] = dict()\n_homes['Thing'] = '._impl'\ndef __getattr__(name): ...",
        "_import_structure = {'_impl': ['Thing']}\nimport sys\nsys.modules[__name__] = make(_import_structure)",
        "_import_structure = {}\n_import_structure['_impl'] = ['Thing']",
        "_import_structure = {'_impl': []}\n_import_structure['_impl'].extend(['Thing'])",
        "def __getattr__(name):\n    if name == 'Thing':\n        from ._impl import Thing\n        return Thing",
        "import lazy_loader as lazy\n"
        "__getattr__, __dir__, __all__ = lazy.attach(__name__, submod_attrs={'_impl': ['Thing']})",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ._impl import Thing\ndef __getattr__(name): ...",
    ],
)
def test_exports_on_first_use_are_found_in_every_known_form(lazy: str) -> None:
    found = declare({"pkg/__init__.py": lazy, "pkg/_impl.py": "class Thing:\n    def run(self): ..."})
    assert found["pkg.Thing"].kind == "class"
    assert found["pkg.Thing.run"].aliases == ("pkg._impl.Thing.run",)


def test_a_table_beside_getattr_that_is_no_export_table_exports_nothing() -> None:
    found = declare({"m.py": "_old = {'gone': 'use other things', 'x': ('a', 'b')}\ndef __getattr__(name): ..."})
    assert set(found) == {"m", "m.__getattr__"}


def test_attach_stub_makes_the_stub_beside_it_the_list_of_exports() -> None:
    found = declare(
        {
            "p/__init__.py": "import lazy_loader as lazy\n"
            "__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)",
            "p/__init__.pyi": "from ._a import f\nfrom . import sub",
            "p/_a.py": "def f(): 'Does.'",
            "p/sub.py": "",
        }
    )
    assert found["p.f"].doc == "Does."
    assert "p.sub" in found


def test_a_stub_gives_types_and_what_the_source_lacks_and_the_source_gives_docs() -> None:
    found = declare(
        {
            "p/__init__.py": "from ._c import compiled",
            "p/m.py": "def f(a):\n    '''Source.'''\ndef g(a: int): ...\nclass C:\n    def m(self): ...",
            "p/m.pyi": "from typing import overload\n"
            "@overload\ndef f(a: int) -> int: ...\n@overload\ndef f(a: str) -> str: ...\n"
            "def g(a: float) -> float:\n    '''Stub.'''\n"
            "class C:\n    def m(self) -> int: ...\n    def n(self) -> int: ...\n"
            "import os as _os\nfrom q import hidden\nfrom q import shown as shown",
            "p/_c.pyi": "def compiled(x: int) -> int: ...",
        }
    )
    assert found["p.m.f"].signatures == ("def f(a: int) -> int", "def f(a: str) -> str")
    assert (found["p.m.f"].doc, found["p.m.f"].path) == ("Source.", "p/m.py")
    assert found["p.m.g"].signatures == ("def g(a: int)",)
    assert found["p.m.g"].doc == "Stub."
    assert found["p.m.C.m"].signatures == ("def m(self) -> int",)
    assert found["p.m.C.n"].path == "p/m.pyi"
    assert found["p.compiled"].aliases == ("p._c.compiled",)
    assert found["p.m.shown"].reexport_target == "q.shown"
    assert "p.m.hidden" not in found


def test_a_compiled_object_without_a_stub_is_known_by_name_alone() -> None:
    found = declare(
        {
            "greenlet/__init__.py": "from ._greenlet import greenlet, GreenletExit\nfrom ._greenlet import _internal\n"
            "try:\n    from ._fast import speed\nexcept ImportError:\n    from ._slow import speed",
            "greenlet/_slow.py": "def speed(): ...",
            "greenlet/listed.py": "from ._core import *\n__all__ = ['MAX', 'run']",
        }
    )
    kinds = {symbol: each.kind for symbol, each in found.items() if each.kind not in ("package", "module")}
    assert kinds == {
        "greenlet.greenlet": "function",
        "greenlet.GreenletExit": "class",
        "greenlet.speed": "function",
        "greenlet.listed.MAX": "constant",
        "greenlet.listed.run": "function",
    }
    assert found["greenlet.greenlet"].aliases == ("greenlet._greenlet.greenlet",)
    assert found["greenlet.greenlet"].signatures == ()
    assert found["greenlet.speed"].signatures == ("def speed()",)


def test_an_endless_chain_of_imports_ends() -> None:
    files = {f"p/m{number}.py": f"from .m{number + 1} import *\nfrom .m{number + 1} import f" for number in range(3000)}
    files |= {"p/m3000.py": "def f(): ...", "p/__init__.py": ""}
    files |= {
        f"q/m{number}.py": f"from . import m{number + 1}\n__all__ = m{number + 1}.__all__" for number in range(3000)
    }
    files["r.py"] = "\n".join(f"a{number} = a{number + 1}" for number in range(3000)) + "\ndef a3000(): ..."
    assert "p.m3000.f" in {name for each in declare(files).values() for name in (each.symbol, *each.aliases)}


def test_a_stub_only_package_speaks_for_the_package_it_describes() -> None:
    assert "foo.bar.f" in declare({"foo-stubs/__init__.pyi": "", "foo-stubs/bar.pyi": "def f() -> int: ..."})


def test_a_stubs_class_is_preferred_to_a_bare_assignment() -> None:
    found = declare(
        {
            "p/__init__.py": "from ._n import ufunc",
            "p/__init__.pyi": "class ufunc:\n    nin: int",
            "p/_n.py": "ufunc = type(sin)",
        }
    )
    assert found["p.ufunc"].kind == "class"
    assert "p.ufunc.nin" in found


def test_docs_that_numpy_adds_from_outside_reach_the_object_and_its_members() -> None:
    found = declare(
        {
            "numpy/__init__.pyi": "from numpy._core.multiarray import array as array\n"
            "class ndarray:\n    T: int\n    def all(self): ...",
            "numpy/__init__.py": "from ._core.multiarray import array, ndarray",
            "numpy/_core/__init__.py": "",
            "numpy/_core/multiarray.py": "from ._umath import *",
            "numpy/_core/multiarray.pyi": "from numpy import ndarray as ndarray\ndef array(x): ...",
            "numpy/_core/_add_newdocs.py": """
            from numpy._core.function_base import add_newdoc
            add_newdoc('numpy._core.multiarray', 'array', '''
                Make an array.
                ''')
            add_newdoc('numpy._core.multiarray', 'ndarray', 'An array.')
            add_newdoc('numpy._core.multiarray', 'ndarray', ('T', 'Transposed.'.replace('a', 'b')))
            add_newdoc('numpy._core.multiarray', 'ndarray', [('all', 'All?')])
            add_newdoc('numpy._core.multiarray', missing, 'No.')
            """,
        }
    )
    assert found["numpy.array"].doc == "Make an array."
    assert found["numpy.ndarray"].doc == "An array."
    assert found["numpy.ndarray.T"].doc == "Transposed."
    assert found["numpy.ndarray.all"].doc == "All?"


def test_a_function_and_the_module_that_defines_it_can_share_a_name() -> None:
    found = declare({"p/__init__.py": "from .run import run", "p/run.py": "def run(): ...\ndef other(): ..."})
    assert found["p.run"].kind == "function"
    assert found["p.run.other"].kind == "function"


def test_a_private_module_under_a_public_name_carries_its_members() -> None:
    found = declare(
        {
            "p/__init__.py": "from . import _impl as tools",
            "p/_impl.py": "def f(): ...",
            "p/user.py": "from . import _impl as tools",
        }
    )
    assert found["p.tools"].kind == "module"
    assert found["p.tools.f"].aliases == ("p._impl.f",)


def test_tests_of_a_package_are_no_api_and_testing_helpers_are() -> None:
    files = {
        "p/__init__.py": "",
        "p/testing/__init__.py": "def assert_close(): ...",
        "p/tests/__init__.py": "",
        "p/tests/test_a.py": "def test_a(): ...",
        "p/tests/conftest.py": "def fixture(): ...",
        "p/templates/my-script.py": "def f(): ...",
    }
    assert names(files) == {"p.testing.assert_close"}


def test_several_top_level_packages_and_single_modules_stand_side_by_side() -> None:
    found = declare(
        {
            "attr/__init__.py": "from ._make import define",
            "attr/_make.py": "def define(): ...",
            "attrs/__init__.py": "from attr import define\n__all__ = ['define']",
            "six.py": "def u(s): ...",
        }
    )
    assert found["attr.define"].aliases == ("attrs.define", "attr._make.define")
    assert {symbol: found[symbol].kind for symbol in ("attr", "attrs", "six")} == {
        "attr": "package",
        "attrs": "package",
        "six": "module",
    }


def test_aliases_are_capped_and_the_shortest_kept() -> None:
    files = {"p/__init__.py": "", "p/_x.py": "def f(): ..."}
    files |= {f"p/m{number:03}.py": "from ._x import f as f" for number in range(MAX_ALIASES + 20)}
    found = declare(files)
    assert len(found["p.m000.f"].aliases) == MAX_ALIASES
    assert "p._x.f" in found["p.m000.f"].aliases


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("six.py", ("six", False)),
        ("a/__init__.pyi", ("a", True)),
        ("a-stubs/b/__init__.pyi", ("a.b", True)),
        ("__init__.py", None),
        ("a/b-c.py", None),
        ("a/tests/x.py", None),
        ("tests/x.py", None),
        ("a/tests.py", ("a.tests", False)),
        ("a/b.txt", None),
    ],
)
def test_a_path_names_a_module_or_nothing(path: str, expected: tuple[str, bool] | None) -> None:
    assert module_name(path) == expected
