"""Where the files of a source tree would be installed, seen from names and metadata."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.ecosystems.import_roots import ImportMap, find_imports


def mapped(files: dict[str, str], name: str) -> dict[str, str]:
    imports = find_imports(list(files), files.get, name)
    return {path: target for path in files if (target := imports.import_path(path)) is not None}


def test_a_src_layout_maps_below_src() -> None:
    files = {"setup.py": "", "src/a/__init__.py": "", "src/a/b.pyi": "", "tests/test_a.py": "", "docs/conf.py": ""}
    assert mapped(files, "a") == {"src/a/__init__.py": "a/__init__.py", "src/a/b.pyi": "a/b.pyi"}


def test_a_flat_layout_takes_the_package_and_leaves_tests_docs_and_setup_out() -> None:
    files = dict.fromkeys(
        ["setup.py", "conftest.py", "a/__init__.py", "a/tests/test_x.py", "tests/__init__.py", "docs/__init__.py"], ""
    )
    assert mapped(files, "A") == {"a/__init__.py": "a/__init__.py"}


def test_a_single_module_is_found_beside_its_setup_script() -> None:
    assert mapped({"setup.py": "", "six.py": "", "test_six.py": ""}, "six") == {"six.py": "six.py"}


def test_a_module_of_another_name_is_found_when_there_is_no_package() -> None:
    assert mapped({"setup.py": "", "bs4shim.py": ""}, "beautifulsoup-shim") == {"bs4shim.py": "bs4shim.py"}


def test_top_level_txt_of_setuptools_decides_before_any_guess() -> None:
    files = {
        "lib/PyYAML.egg-info/top_level.txt": "_yaml\nyaml\n",
        "lib/yaml/__init__.py": "",
        "lib/_yaml/__init__.py": "",
        "yaml/__init__.py": "",
    }
    assert mapped(files, "PyYAML") == {
        "lib/yaml/__init__.py": "yaml/__init__.py",
        "lib/_yaml/__init__.py": "_yaml/__init__.py",
    }


@pytest.mark.parametrize(
    ("pyproject", "source", "target"),
    [
        ('[tool.setuptools]\npackage-dir = {"" = "code"}', "code/a/b.py", "a/b.py"),
        ('[tool.setuptools]\npackage-dir = {"a.b" = "stuff"}', "stuff/c.py", "a/b/c.py"),
        ('[tool.setuptools.packages.find]\nwhere = ["code"]', "code/a/b.py", "a/b.py"),
        ('[tool.setuptools]\npy-modules = ["solo"]', "solo.py", "solo.py"),
        ('[tool.poetry]\npackages = [{include = "a", from = "code"}]', "code/a/b.py", "a/b.py"),
        ('[tool.hatch.build.targets.wheel]\npackages = ["code/a"]', "code/a/b.py", "a/b.py"),
        ('[tool.flit.module]\nname = "a"', "a/b.py", "a/b.py"),
        ('[tool.uv.build-backend]\nmodule-name = "a"\nmodule-root = ""', "a/b.py", "a/b.py"),
        ('[tool.pdm.build]\npackage-dir = "code"', "code/a/b.py", "a/b.py"),
        ('[tool.maturin]\npython-source = "python"', "python/a/b.py", "a/b.py"),
    ],
)
def test_each_build_backend_is_read_as_data(pyproject: str, source: str, target: str) -> None:
    assert mapped({"pyproject.toml": pyproject, source: ""}, "unrelated") == {source: target}


def test_a_backend_that_takes_the_projects_own_module_takes_nothing_beside_it() -> None:
    files = {
        "pyproject.toml": '[build-system]\nbuild-backend = "flit_core.buildapi"',
        "src/my_mod.py": "",
        "src/x.py": "",
    }
    assert mapped(files, "My-Mod") == {"src/my_mod.py": "my_mod.py"}


def test_a_tree_whose_top_is_the_package_takes_its_name_from_the_metadata() -> None:
    files = {
        "PKG-INFO": "Metadata-Version: 2.1\nName: ruamel.yaml\n",
        "__init__.py": "",
        "comments.py": "",
        "setup.py": "",
    }
    assert mapped(files, "ruamel-yaml") == {
        "__init__.py": "ruamel/yaml/__init__.py",
        "comments.py": "ruamel/yaml/comments.py",
    }


def test_tests_that_lie_directly_beside_the_modules_are_left_out() -> None:
    assert mapped({"src/solo.py": "", "src/test_solo.py": "", "src/setup.py": ""}, "x") == {"src/solo.py": "solo.py"}


def test_setup_cfg_is_read_as_data() -> None:
    cfg = "[options]\npackage_dir =\n    = code\npackages = find:\n[options.packages.find]\nwhere = code\n"
    assert mapped({"setup.cfg": cfg, "code/a/b.py": ""}, "unrelated") == {"code/a/b.py": "a/b.py"}


def test_a_namespace_package_of_the_projects_name_is_found_without_init() -> None:
    assert mapped({"google/cloud/x/y.py": ""}, "google-cloud-x") == {"google/cloud/x/y.py": "google/cloud/x/y.py"}


def test_a_package_in_an_unusual_folder_is_found_by_name() -> None:
    assert mapped({"wrapper/lib/mine/__init__.py": ""}, "mine") == {"wrapper/lib/mine/__init__.py": "mine/__init__.py"}


@pytest.mark.parametrize(
    "text", ["[tool", "tool = 3", "[tool]\nsetuptools = 4\npoetry = []", "[tool.setuptools]\npackages = 7"]
)
def test_metadata_that_makes_no_sense_leaves_the_other_ways(text: str) -> None:
    assert mapped({"pyproject.toml": text, "setup.cfg": "[[[", "src/a/b.py": ""}, "a") == {"src/a/b.py": "a/b.py"}


@given(st.lists(st.from_regex(r"([a-z]{1,3}/){0,3}[a-z]{1,3}\.py", fullmatch=True), max_size=12), st.text(max_size=8))
def test_whatever_the_tree_each_import_path_is_a_file_below_the_root(paths: list[str], name: str) -> None:
    for target in mapped(dict.fromkeys(paths, ""), name).values():
        assert target.endswith(".py")
        assert not target.startswith("/")


def test_a_path_outside_every_prefix_is_not_imported() -> None:
    assert ImportMap((("src/a", "a"),)).import_path("src/ab/c.py") is None
