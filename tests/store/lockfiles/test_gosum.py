"""Lock files and environments: go.sum alone."""

from __future__ import annotations

from pathlib import Path

from contracts.lockfile_reader import LockfileReaderContract

SUM = "h1:" + "b3VycyBhbG9uZSwgbm90aGluZyB0aGF0IGlzIHJlYWwgISEh"[:43] + "="
GOOD = f"""github.com/BurntSushi/toml v1.0.0 {SUM}
github.com/BurntSushi/toml v1.0.0/go.mod {SUM}
golang.org/x/sys v0.0.0-20210630005230-0f9fa26af87c {SUM}
golang.org/x/sys v0.0.0-20210630005230-0f9fa26af87c/go.mod {SUM}
golang.org/x/sys v0.20.0 {SUM}
github.com/stretchr/objx v0.1.0/go.mod {SUM}
a.org/old v3.0.0+incompatible {SUM}
"""


class TestGoSum(LockfileReaderContract):
    format_name = "gosum"
    file_name = "go.sum"
    good = GOOD
    good_purls = frozenset(
        {
            "pkg:golang/github.com/BurntSushi/toml@v1.0.0",
            "pkg:golang/golang.org/x/sys@v0.0.0-20210630005230-0f9fa26af87c",
            "pkg:golang/golang.org/x/sys@v0.20.0",
            "pkg:golang/a.org/old@v3.0.0%2Bincompatible",
        }
    )
    good_skipped: frozenset[tuple[str, str]] = frozenset()
    empty = "\n"
    malformed = GOOD + "a.org/b v1.0.0\n"
    wrong_version = GOOD.replace("h1:", "h9:")
    wrong_type = f"a.org/b 1.0.0 {SUM}\n"

    def test_a_good_file_resolves_to_what_the_tool_would_install(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        found = {row.coordinate.purl.lower() for row in closure.dependencies}
        assert found == {each.lower() for each in self.good_purls}

    def test_no_module_has_a_distance_since_the_file_names_no_roots(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        assert {(row.scope, row.distance) for row in closure.dependencies} == {("importable", None)}

    def test_each_zip_has_its_digest(self, tmp_path: Path) -> None:
        assert all(row.digests == (SUM,) for row in self.read_good(tmp_path).closures[0].dependencies)
