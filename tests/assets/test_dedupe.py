"""Dedupe: which declarations share a text."""

from __future__ import annotations

import pyarrow as pa

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex_assets.dedupe import dedupe

ONE = Coordinate.parse("pkg:pypi/one@1.0")
TWO = Coordinate.parse("pkg:pypi/one@1.1")


def declaration(
    coordinate: Coordinate, symbol: str, doc: str | None = "Does it.", **changes: object
) -> dict[str, object]:
    row: dict[str, object] = {
        "coordinate_id": coordinate.coordinate_id,
        "symbol": symbol,
        "kind": "function",
        "name": symbol.rpartition(".")[2],
        "defining_path": symbol,
        "signatures": ["def f(x)"],
        "doc": doc,
        "language": "python",
        "convention": "docstring",
        "path": "one/__init__.py",
        "line": 3,
        "file_digest": "sha256:00",
        "aliases": [],
        "bases": [],
        "reexport_target": None,
        "is_deprecated": False,
        "is_experimental": False,
        "since": None,
        "skip_reason": None,
    }
    return row | changes


def declarations(*rows: dict[str, object]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=schemas.DECLARATIONS)


def test_an_unchanged_declaration_of_two_versions_is_one_text() -> None:
    table = declarations(declaration(ONE, "one.f"), declaration(TWO, "one.f", path="one/moved.py", line=90))
    texts, occurrences = dedupe([ONE, TWO], table)
    assert texts.num_rows == 1
    assert occurrences.column("text_digest").to_pylist() == [texts.column("text_digest")[0].as_py()] * 2
    assert occurrences.column("coordinate_id").to_pylist() == [ONE.coordinate_id, TWO.coordinate_id]


def test_another_letter_signature_kind_or_class_is_another_text() -> None:
    table = declarations(
        declaration(ONE, "one.f"),
        declaration(ONE, "one.g", doc="Does it!", name="f"),
        declaration(ONE, "one.h", signatures=["def f(y)"], name="f"),
        declaration(ONE, "one.i", kind="method", name="f"),
        declaration(ONE, "one.j", name="C.f"),
    )
    texts, _ = dedupe([ONE], table)
    assert texts.num_rows == 5


def test_an_undocumented_declaration_has_a_text_without_doc() -> None:
    texts, occurrences = dedupe([ONE], declarations(declaration(ONE, "one.f", doc=None)))
    assert texts.column("doc").to_pylist() == [None]
    assert occurrences.column("is_documented").to_pylist() == [False]


def test_files_with_trouble_and_re_exports_have_no_text() -> None:
    table = declarations(
        declaration(ONE, "//one/bad.py", kind=schemas.FILE_KIND, skip_reason="syntax"),
        declaration(ONE, "one.R", kind=schemas.REEXPORT_KIND, doc=None, reexport_target="two.R"),
    )
    texts, occurrences = dedupe([ONE], table)
    assert texts.num_rows == occurrences.num_rows == 0


def test_text_that_is_no_unicode_has_a_digest() -> None:
    texts, _ = dedupe([ONE], declarations(declaration(ONE, "one.f", doc="nul \x00 and \u2028")))
    assert texts.num_rows == 1
