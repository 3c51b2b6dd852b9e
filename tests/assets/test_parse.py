"""The parse stage: which declarations, under which names, with what."""

from __future__ import annotations

import pyarrow as pa

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex_assets.parse import parse
from source_rows import source_rows

HTTP = Coordinate.parse("pkg:pypi/http-thing@1.0")
JSON = Coordinate.parse("pkg:pypi/json-thing@2.0")


def test_declarations_come_by_coordinate_and_then_by_symbol() -> None:
    table = source_rows(
        {
            (JSON, "j/__init__.py"): b"def z(): ...\ndef a(): ...",
            (HTTP, "h.py"): b'"""Speaks."""\nclass Client:\n    def get(self, url): "Gets."',
            (HTTP, "h.pyi"): b"class Client:\n    def get(self, url: str) -> bytes: ...",
        }
    )
    found = parse([HTTP, JSON], table)
    assert found.schema.equals(schemas.DECLARATIONS)
    pairs = list(zip(found.column("coordinate_id").to_pylist(), found.column("symbol").to_pylist(), strict=True))
    assert pairs == [
        (HTTP.coordinate_id, "h"),
        (HTTP.coordinate_id, "h.Client"),
        (HTTP.coordinate_id, "h.Client.get"),
        (JSON.coordinate_id, "j"),
        (JSON.coordinate_id, "j.a"),
        (JSON.coordinate_id, "j.z"),
    ]
    row = found.to_pylist()[2]
    assert row["signatures"] == ["def get(self, url: str) -> bytes"]
    assert (row["doc"], row["line"], row["path"], row["language"]) == ("Gets.", 3, "h.py", "python")
    assert row["file_digest"] == table.column("file_digest")[1].as_py()


def test_the_order_of_the_files_changes_nothing() -> None:
    files = {
        (HTTP, "p/__init__.py"): b"from .a import *\nfrom .b import *",
        (HTTP, "p/a.py"): b"def f(): ...",
        (HTTP, "p/b.py"): b"from .a import f as f\ndef g(): ...",
    }
    backwards = dict(reversed(files.items()))
    assert parse([HTTP], source_rows(files)).equals(parse([HTTP], source_rows(backwards)))


def test_skipped_files_other_languages_and_other_coordinates_are_passed_over() -> None:
    assert parse([HTTP], source_rows({(HTTP, "h.py"): b"x = 1"}, skip_reason="excluded")).num_rows == 0
    assert parse([HTTP], source_rows({(HTTP, "h.pl"): b"x = 1"}, language="perl")).num_rows == 0
    assert parse([JSON], source_rows({(HTTP, "h.py"): b"x = 1"})).num_rows == 0
    assert parse([], source_rows({})).schema.equals(schemas.DECLARATIONS)


def test_one_broken_file_costs_no_other_file_of_its_coordinate_or_batch() -> None:
    table = source_rows(
        {
            (HTTP, "h/__init__.py"): b"x = '\xe9'",
            (HTTP, "h/good.py"): b"def f(): ...",
            (JSON, "j.py"): b"class C(:\n  def broken(",
        }
    )
    rows = parse([HTTP, JSON], table).to_pylist()
    reasons = {row["symbol"]: row["skip_reason"] for row in rows if row["kind"] == schemas.FILE_KIND}
    assert reasons == {"//h/__init__.py": "encoding", "//j.py": "syntax"}
    assert "h.good.f" in {row["symbol"] for row in rows}


def test_a_lone_surrogate_in_a_doc_still_fits_the_table() -> None:
    found = parse([HTTP], source_rows({(HTTP, "h.py"): b'"""A \\ud83d b."""'}))
    assert found.column("doc").to_pylist() == ["A ? b."]


def test_a_readme_belongs_to_the_family_of_its_ecosystem() -> None:
    npm = Coordinate.parse("pkg:npm/alpha@1.0.0")
    tables = [
        source_rows({(npm, "index.d.ts"): b"/** Runs. */\nexport function run(): void;"}, language="typescript"),
        source_rows({(npm, "README.md"): b"# alpha\n\nSends mail."}, language="readme"),
        source_rows({(HTTP, "README.md"): b"# h"}, language="readme"),
    ]
    rows = parse([npm, HTTP], pa.concat_tables(tables)).to_pylist()
    assert {row["symbol"]: row["doc"] for row in rows} == {"alpha": "alpha\n\nSends mail.", "alpha.run": "Runs."}
