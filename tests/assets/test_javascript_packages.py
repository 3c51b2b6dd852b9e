"""package.json says which modules a caller can name, and which file answers for each."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.languages.javascript_packages import Manifest, Package


def package(files: str, **manifest: Any) -> Package:
    manifests = {"": Manifest.parse(json.dumps({"name": "alpha", **manifest}).encode())}
    return Package(files.split(), manifests)


def entries(files: str, **manifest: Any) -> dict[str, str]:
    return {each.subpath: each.path for each in package(files, **manifest).entries()}


@pytest.mark.parametrize(
    ("exports", "expected"),
    [
        ("./a.js", {"": "a.d.ts"}),
        ({"types": "./t.d.ts", "default": "./a.js"}, {"": "t.d.ts"}),
        ({"import": {"types": "./t.d.mts", "default": "./a.js"}, "require": "./b.cjs"}, {"": "t.d.mts"}),
        ({"types": {"require": "./t.d.cts", "default": "./t.d.ts"}}, {"": "t.d.ts"}),
        ({"types@<5": "./old.d.ts", "types": "./t.d.ts"}, {"": "t.d.ts"}),
        ({".": "./b.cjs", "./sub": {"node": "./c.js"}}, {"": "b.cjs", "/sub": "c.js"}),
        ({".": ["./none.js", "./a.js"]}, {"": "a.d.ts"}),
        ({".": "./a.js", "./package.json": "./package.json", "./gone": None}, {"": "a.d.ts"}),
        ({"./f/*": "./f/*.js", "./f/internal/*": None}, {"/f/one": "f/one.d.ts", "/f/two": "f/two.js"}),
        ({"./f/*.js": "./f/*.js", "./f/two.js": None}, {"/f/one.js": "f/one.d.ts"}),
        ({"./*": "./f/*"}, {"/one.js": "f/one.d.ts", "/two.js": "f/two.js"}),
        ({".": "../outside.js"}, {}),
        ({".": "./f/../../x.js"}, {}),
        ({".": {"a": {"b": {"c": "./c.js"}}}}, {"": "c.js"}),
        (7, {}),
        ([], {}),
    ],
)
def test_exports_decide_alone(exports: object, expected: dict[str, str]) -> None:
    files = "a.js a.d.ts b.cjs c.js t.d.ts t.d.mts t.d.cts old.d.ts f/one.d.ts f/two.js f/internal/x.js deep/er.d.ts"
    assert entries(files, exports=exports, main="deep/er.js") == expected


@pytest.mark.parametrize(
    ("files", "manifest", "expected"),
    [
        ("index.js", {}, {"": "index.js"}),
        ("index.js index.d.ts", {}, {"": "index.d.ts"}),
        ("lib/main.js", {"main": "lib/main"}, {"": "lib/main.js"}),
        ("lib/index.js", {"main": "./lib"}, {"": "lib/index.js"}),
        ("lib/index.js types/x.d.ts", {"main": "lib", "types": "types/x"}, {"": "types/x.d.ts"}),
        ("lib/index.js types/x.d.ts", {"main": "lib", "typings": "./types/x.d.ts"}, {"": "types/x.d.ts"}),
        ("index.d.ts fp.d.ts dist/deep.d.ts", {}, {"": "index.d.ts", "/fp": "fp.d.ts"}),
        ("index.d.ts font/google/index.d.ts", {}, {"": "index.d.ts", "/font/google": "font/google/index.d.ts"}),
        ("index.js index.test.js jest.config.js gulpfile.js x.min.js", {}, {"": "index.js"}),
        ("dist/t/index.d.ts", {"typesVersions": {">=4": {"*": ["./dist/t/*"]}}}, {"": "dist/t/index.d.ts"}),
        (
            "index.d.ts ts5/index.d.ts",
            {"typesVersions": {"<=5.6": {"*": ["ts5/*"]}}},
            {"": "index.d.ts", "/ts5": "ts5/index.d.ts"},
        ),
        ("a.d.ts", {"typesVersions": {"*": {"sub": ["a.d.ts"]}}}, {"/a": "a.d.ts", "/sub": "a.d.ts"}),
        ("src/index.ts", {"main": "dist/index.js"}, {"": "src/index.ts"}),
        ("src/index.ts src/b.ts", {"exports": {"./b": "./dist/esm/b.js"}}, {"/b": "src/b.ts"}),
        ("README.md", {}, {}),
    ],
)
def test_without_exports_the_main_file_and_what_lies_at_the_root_are_public(
    files: str, manifest: dict[str, Any], expected: dict[str, str]
) -> None:
    assert entries(files, **manifest) == expected


def test_a_folder_with_a_manifest_of_its_own_is_a_module() -> None:
    manifests = {"": Manifest(), "fp": Manifest.parse(b'{"main": "../dist/fp.js", "types": "../dist/fp.d.ts"}')}
    found = Package(["index.js", "dist/fp.js", "dist/fp.d.ts"], manifests).entries()
    assert {each.subpath: each.path for each in found} == {"": "index.js", "/fp": "dist/fp.d.ts"}


@pytest.mark.parametrize(
    ("specifier", "importer", "expected"),
    [
        ("./b", "a.d.ts", "b.d.ts"),
        ("./b.js", "a.d.ts", "b.d.ts"),
        ("./b.ts", "a.d.ts", "b.d.ts"),
        ("../b", "lib/c.js", "b.d.ts"),
        (".", "lib/c.js", "lib/index.js"),
        ("..", "lib/c.js", "index.d.ts"),
        ("./", "lib/c.js", "lib/index.js"),
        ("./lib", "a.d.ts", "lib/index.js"),
        ("../../outside", "lib/c.js", None),
        ("./none", "a.d.ts", None),
        ("other", "a.d.ts", None),
        ("alpha", "a.d.ts", "index.d.ts"),
        ("alpha/b", "lib/c.js", "b.d.ts"),
        ("alphabet", "a.d.ts", None),
        ("#inner", "a.d.ts", "lib/c.js"),
        ("#in/c", "a.d.ts", "lib/c.js"),
    ],
)
def test_a_specifier_means_a_file(specifier: str, importer: str, expected: str | None) -> None:
    files = "index.d.ts a.d.ts b.d.ts lib/index.js lib/c.js"
    imports = {"#inner": "./lib/c.js", "#in/*": "./lib/*.js"}
    assert package(files, imports=imports).resolve(specifier, importer) == expected


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["./a.js", "./*", "."]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([".", "./a", "./*", "types", "import", "*", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["exports", "types", "main", "typesVersions", "imports", "name"]), _JSON))
def test_no_manifest_breaks_the_reading(manifest: dict[str, Any]) -> None:
    read = Manifest.parse(json.dumps(manifest).encode())
    found = Package(["a.js", "index.js", "lib/b.d.ts"], {"": read})
    for each in found.entries():
        assert each.path in found.paths
    found.resolve("#a", "a.js")
    found.resolve("./lib/b", "a.js")


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reading(content: bytes) -> None:
    assert isinstance(Manifest.parse(content), Manifest)


def test_deeply_nested_manifests_are_read_as_far_as_sense_goes() -> None:
    exports: object = "./a.js"
    for _ in range(200):
        exports = {"node": exports}
    assert entries("a.js", exports=exports) == {"": "a.js"}
    assert Manifest.parse(b"[" * 100_000) == Manifest()
