"""Go: what of a module is public, under which name, with which comment."""

from __future__ import annotations

import doctest
import hashlib
import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex.lockfiles.go_modules import module_coordinate
from depcodex_assets.ecosystems.file_kinds import kind_of
from depcodex_assets.languages import go
from depcodex_assets.languages.declarations import Declaration, SourceFile
from depcodex_assets.parse import parse


def file(path: str, text: str | bytes) -> SourceFile:
    content = text.encode() if isinstance(text, str) else text
    kind = kind_of(path)
    return SourceFile(path, content, "sha256:" + hashlib.sha256(content).hexdigest(), kind.language, kind.convention)


def read(*files: tuple[str, str | bytes], module: str = "a.org/lib", version: str = "v1.0.0") -> dict[str, Declaration]:
    sources = [file("go.mod", f"module {module}\n"), *(file(*each) for each in files)]
    return {each.symbol: each for each in go.declarations(module_coordinate(module, version), sources)}


def one(text: str) -> dict[str, Declaration]:
    """The rows of one file of package ``lib``, by the name behind the import path."""
    rows = read(("lib.go", f"package lib\n\n{text}"))
    return {symbol.removeprefix("a.org/lib").removeprefix("."): row for symbol, row in rows.items()}


@pytest.mark.parametrize("name", ["go", "go_constraints", "go_syntax", "go_text", "godoc"])
def test_the_examples_in_the_docstrings_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"depcodex_assets.languages.{name}"))
    assert result.attempted
    assert not result.failed


def test_exported_declarations_have_the_import_path_and_what_callers_write_as_names() -> None:
    rows = one("// Get gets it.\nfunc Get(url string) (*Page, error) { return nil, nil }\n\nfunc hidden() {}\n")
    assert set(rows) == {"", "Get"}
    row = rows["Get"]
    assert (row.symbol, row.kind, row.name, row.line) == ("a.org/lib.Get", "function", "Get", 4)
    assert (row.doc, row.signatures) == ("Get gets it.", ("func Get(url string) (*Page, error)",))
    assert row.aliases == ("lib.Get",)
    assert (row.convention, row.language, row.path) == ("go", "go", "lib.go")


def test_methods_fields_and_interface_methods_stand_below_their_type() -> None:
    rows = one(
        '// Client talks.\ntype Client[T any] struct {\n\t// Name is shown.\n\tName, Title string `json:"name"`\n'
        "\tLimits struct {\n\t\tMax int // at most\n\t}\n\thidden int\n}\n\n"
        "// Do does.\nfunc (c *Client[T]) Do(args ...int) (n int, err error) { return }\n\n"
        "func (c Client[T]) hidden() {}\n\nfunc (h hiddenType) Do() {}\n\ntype hiddenType int\n\n"
        "// Doer does.\ntype Doer interface {\n\t// Do does it.\n\tDo() error\n\tprivate()\n}\n"
    )
    assert {name: row.kind for name, row in rows.items()} == {
        "": "package",
        "Client": "class",
        "Client.Name": "property",
        "Client.Title": "property",
        "Client.Limits": "property",
        "Client.Limits.Max": "property",
        "Client.Do": "method",
        "Doer": "class",
        "Doer.Do": "method",
    }
    assert rows["Client"].signatures == ("type Client[T any] struct",)
    assert rows["Client.Title"].signatures == ("Title string",)
    assert rows["Client.Title"].doc == "Name is shown."
    assert rows["Client.Limits.Max"].doc == "at most"
    assert rows["Client.Do"].signatures == ("func (c *Client[T]) Do(args ...int) (n int, err error)",)
    assert (rows["Doer"].signatures, rows["Doer.Do"].signatures) == (("type Doer interface",), ("Do() error",))


def test_a_group_of_constants_shares_its_comment_with_those_that_have_none() -> None:
    rows = one(
        "// Levels of a log.\nconst (\n\tDebug Level = iota - 1 // the finest\n\tInfo\n\t// Warn warns.\n\tWarn\n"
        '\t_\n\tA, B = 1, "two"\n)\n\n// Level is one.\ntype Level int8\n\nvar Default = Info // used first\n'
    )
    assert {name: rows[name].doc for name in ("Debug", "Info", "Warn", "B", "Default")} == {
        "Debug": "the finest",
        "Info": "Levels of a log.",
        "Warn": "Warn warns.",
        "B": "Levels of a log.",
        "Default": "used first",
    }
    assert {name: rows[name].signatures[0] for name in ("Debug", "Info", "A", "B", "Default")} == {
        "Debug": "const Debug Level = iota - 1",
        "Info": "const Info Level",
        "A": "const A = 1",
        "B": 'const B = "two"',
        "Default": "var Default = Info",
    }


def test_a_comment_belongs_to_what_follows_on_the_next_line_only() -> None:
    rows = one(
        "// A note by itself.\n\nfunc A() {}\n\n//go:noinline\nfunc B() {} // not B's\n// C gets.\n//\n//\n// More.\n"
        "//nolint:all\nfunc C() {}\n\n/*\nD is long.\n\n\tcode\n*/\nfunc D() {}\n"
    )
    assert {name: rows[name].doc for name in "ABCD"} == {
        "A": None,
        "B": None,
        "C": "C gets.\n\nMore.",
        "D": "D is long.\n\n\tcode",
    }


def test_deprecation_is_a_paragraph_that_says_so() -> None:
    rows = one(
        "// A gets.\n//\n// Deprecated: Use B.\nfunc A() {}\n\n// B says Deprecated: of others.\nfunc B() {}\n\n"
        "// Deprecated: gone soon.\nvar C, D int\n"
    )
    assert {name: rows[name].is_deprecated for name in "ABCD"} == {"A": True, "B": False, "C": True, "D": True}


def test_embedded_types_are_bases_and_those_that_nobody_can_name_give_their_members() -> None:
    rows = read(
        (
            "lib.go",
            'package lib\n\nimport (\n\t"io"\n\tz "go.uber.org/zap/zapcore"\n\t"a.org/lib/part"\n'
            '\t"gopkg.in/yaml.v3"\n)\n\n'
            "type Client struct {\n\tio.Reader\n\t*z.Core\n\tparts.Part\n\tyaml.Node\n"
            "\t*Base[int]\n\tbase\n\tunknown.T\n}\n\n"
            "type Base[T any] struct{}\n\n// base is hidden.\n"
            "type base struct {\n\t// Seen is public.\n\tSeen int\n\tdeeper\n}\n\n"
            "// Do does.\nfunc (b *base) Do() {}\n\ntype deeper struct{}\n\nfunc (deeper) Dive() {}\n\n"
            "type ReadDoer interface {\n\tio.Reader\n\terror\n\t~int | ~string\n}\n",
        ),
        ("part/part.go", "package parts\n\ntype Part struct{}\n"),
    )
    assert rows["a.org/lib.Client"].bases == (
        "io.Reader",
        "go.uber.org/zap/zapcore.Core",
        "a.org/lib/part.Part",
        "gopkg.in/yaml.v3.Node",
        "a.org/lib.Base",
        "unknown.T",
    )
    assert rows["a.org/lib.ReadDoer"].bases == ("io.Reader", "error")
    assert rows["a.org/lib.Client.Do"].doc == "Do does."
    assert rows["a.org/lib.Client.Seen"].doc == "Seen is public."
    assert "a.org/lib.Client.Dive" in rows
    assert "a.org/lib.base" not in rows


def test_types_that_embed_each_other_end() -> None:
    rows = one("type A struct{ b }\n\ntype b struct{ *c }\n\ntype c struct{ *b }\n\nfunc (c) Do() {}\n")
    assert "A.Do" in rows


def test_an_alias_leads_to_its_target_and_has_a_text_of_its_own_where_it_is_documented() -> None:
    rows = read(
        (
            "lib.go",
            'package lib\n\nimport "context"\n\ntype Context = context.Context\n\n// Ctx is known.\n'
            "type Ctx = context.Context\n\n"
            "type Level = inner\n\ntype inner int\n\ntype Set[T comparable] = map[T]struct{}\n\n"
            "type Opts = struct{ A int }\n",
        )
    )
    reexport, documented = rows["a.org/lib.Context"], rows["a.org/lib.Ctx"]
    assert (reexport.kind, reexport.reexport_target) == ("reexport", "context.Context")
    assert (documented.kind, documented.bases, documented.reexport_target) == ("type", ("context.Context",), None)
    assert rows["a.org/lib.Set"].signatures == ("type Set[T comparable] = map[T]struct{}",)
    assert rows["a.org/lib.Opts"].signatures == ("type Opts = struct",)
    assert "a.org/lib.Opts.A" in rows
    assert not any(row.kind == "file" for row in rows.values())


def test_a_package_is_called_as_its_clause_says_and_a_major_version_may_be_left_out() -> None:
    rows = read(
        ("doc.go", "// Package pg is.\npackage pg\n\nfunc Open() {}\n"), module="a.org/pg-go/v5", version="v5.0.0"
    )
    assert rows["a.org/pg-go/v5"].aliases == ("pg", "a.org/pg-go")
    assert rows["a.org/pg-go/v5.Open"].aliases == ("pg.Open", "a.org/pg-go.Open")
    yaml = read(("yaml.go", "package yaml\n\nfunc Open() {}\n"), module="gopkg.in/yaml.v3", version="v3.0.0")
    assert yaml["gopkg.in/yaml.v3.Open"].aliases == ("yaml.Open",)


def test_the_import_path_is_the_go_mods_since_forks_keep_the_name_that_is_imported() -> None:
    sources = [file("go.mod", "// fork\nmodule github.com/BurntSushi/toml // kept\n"), file("a.go", "package toml\n")]
    (row,) = go.declarations(module_coordinate("a.org/fork", "v1.0.0"), sources)
    assert (row.symbol, row.kind) == ("github.com/BurntSushi/toml", "package")
    hostile = [file("go.mod", "module ../../etc\n"), file("a.go", "package toml\n")]
    assert go.declarations(module_coordinate("a.org/fork", "v1.0.0"), hostile)[0].symbol == "a.org/fork"


def test_programs_tests_and_files_that_are_never_built_are_no_api() -> None:
    rows = read(
        ("lib.go", "package lib\n\nfunc A() {}\n"),
        ("lib_test.go", "package lib\n\nfunc TestA() {}\n"),
        ("gen.go", "//go:build ignore\n\npackage lib\n\nfunc Gen() {}\n"),
        ("old.go", "// +build ignore\n\npackage main\n\nfunc Old() {}\n"),
        ("cmd/run/main.go", "package main\n\nfunc Run() {}\n"),
        ("sub/sub.go", "// Package sub is below.\npackage sub\n"),
    )
    assert {symbol: row.kind for symbol, row in rows.items()} == {
        "a.org/lib": "package",
        "a.org/lib.A": "function",
        "a.org/lib/sub": "module",
    }


def test_of_files_for_several_machines_the_linux_one_speaks_and_the_others_add() -> None:
    rows = read(
        ("open_darwin.go", "package lib\n\n// Open is for darwin.\nfunc Open(fd int) error\n\nfunc Fork() {}\n"),
        ("open_linux.go", "package lib\n\n// Open is for linux.\nfunc Open(fd uintptr) error\n"),
        ("other.go", "//go:build !linux\n\npackage lib\n\n// Open is for others.\nfunc Open(fd int64) error\n"),
    )
    assert rows["a.org/lib.Open"].doc == "Open is for linux."
    assert rows["a.org/lib.Open"].signatures == (
        "func Open(fd uintptr) error",
        "func Open(fd int) error",
        "func Open(fd int64) error",
    )
    assert rows["a.org/lib.Fork"].path == "open_darwin.go"


def test_package_comments_of_several_files_are_joined_and_a_readme_stands_in_where_there_is_none() -> None:
    rows = read(
        ("a.go", "// Copyright A.\n\n// Package lib is one.\npackage lib\n"),
        ("b.go", "// It is more.\npackage lib\n"),
        ("README.md", "# Lib\n"),
    )
    assert (rows["a.org/lib"].doc, rows["a.org/lib"].path) == ("Package lib is one.\n\nIt is more.", "a.go")
    bare = read(
        ("a.go", "package lib\n"), ("README.md", "# Lib\n\n[![badge](x)](y)\n\nIt *does* things.\n\n```go\nx()\n```\n")
    )
    row = bare["a.org/lib"]
    assert (row.doc, row.convention, row.path, row.kind) == ("Lib\n\nIt does things.", "readme", "README.md", "package")
    assert row.signatures == ("package lib",)
    rootless = read(("sub/a.go", "package sub\n"), ("README", "Words.\n"))
    assert rootless["a.org/lib"].doc == "Words."


def test_a_broken_file_keeps_the_rest_and_says_so() -> None:
    rows = read(
        ("a.go", "package lib\n\n// A is fine.\nfunc A() {}\n\nfunc B( {\n\n// C is fine.\nfunc C() {}\n"),
        ("latin.go", b"package lib\n\n// \xe9\nfunc D() {}\n"),
    )
    assert rows["a.org/lib.A"].doc == "A is fine."
    assert rows["//a.go"].skip_reason == "syntax"
    assert rows["//latin.go"].skip_reason == "encoding"


@pytest.mark.parametrize(
    ("name", "head", "is_built"),
    [
        ("a_linux.go", "", True),
        ("a_linux_arm64.go", "", False),
        ("a_arm64.go", "", False),
        ("linux.go", "", True),
        ("a_test_windows.go", "", False),
        ("a.go", "//go:build (linux && !cgo) || darwin\n", False),
        ("a.go", "//go:build go1.21 && unix\n", True),
        ("a.go", "// +build linux,amd64 darwin\n// +build !race\n", True),
        ("a.go", "//go:build ((\n", True),
        ("a.go", "//go:build " + "(" * 5000 + "linux\n", True),
    ],
)
def test_build_constraints(name: str, head: str, is_built: bool) -> None:
    from depcodex_assets.languages import go_constraints

    assert go_constraints.is_built(name, head) is is_built


CODE = st.text(alphabet='packgefunctyirsv AB(){}[]*."`/=\n\t,<-~|1', max_size=300)


@given(CODE | st.text(max_size=200))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    rows = read(("a.go", f"package lib\n{text}"), ("b.go", text), ("README.md", text))
    assert all(row.symbol and row.kind for row in rows.values())


def test_the_stage_reads_go_and_its_readmes(tmp_path: object) -> None:
    import pyarrow as pa

    from depcodex import schemas

    coordinate = module_coordinate("a.org/lib", "v1.0.0")
    rows = [
        {
            "coordinate_id": coordinate.coordinate_id,
            "path": each.path,
            "file_digest": each.file_digest,
            "size_bytes": len(each.content),
            "language": each.language,
            "convention": each.convention,
            "is_verified": True,
            "archive_digest": "",
            "as_of": "2026-11-30",
            "content": each.content,
            "skip_reason": None,
            "skip_detail": None,
            "is_retryable": False,
        }
        for each in (file("go.mod", "module a.org/lib\n"), file("README.md", "# Lib\n"), file("a.go", "package lib\n"))
    ]
    table = parse([coordinate], pa.Table.from_pylist(rows, schema=schemas.SOURCE_FILES))
    assert table.select(["symbol", "doc", "convention"]).to_pylist() == [
        {"symbol": "a.org/lib", "doc": "Lib", "convention": "readme"}
    ]
