"""Lock files and environments: vendor/modules.txt."""

from __future__ import annotations

from pathlib import Path

from contracts.lockfile_reader import LockfileReaderContract, linux_target
from depcodex.lockfiles.govendor import GoVendorReader, read_modules

GOOD = """# github.com/BurntSushi/toml v1.0.0
## explicit; go 1.16
github.com/BurntSushi/toml
github.com/BurntSushi/toml/internal
# golang.org/x/net v0.25.0 => example.com/fork/net v0.25.1
## explicit; go 1.18
golang.org/x/net/http2
# golang.org/x/text v0.14.0
golang.org/x/text/unicode/norm
# a.org/unused v1.0.0
## explicit
# golang.org/x/net => example.com/fork/net v0.25.1
"""
MOD = "module a.org/app\n\ngo 1.21\n\nrequire github.com/BurntSushi/toml v1.0.0\n"


class TestGoVendor(LockfileReaderContract):
    format_name = "govendor"
    file_name = "modules.txt"
    good = GOOD
    good_purls = frozenset(
        {
            "pkg:golang/github.com/BurntSushi/toml@v1.0.0",
            "pkg:golang/example.com/fork/net@v0.25.1",
            "pkg:golang/golang.org/x/text@v0.14.0",
        }
    )
    good_skipped: frozenset[tuple[str, str]] = frozenset()
    empty = "\n"
    malformed = "this is not a list of modules\n"
    wrong_version = "# a.org/b 1.0.0\n## explicit; go 1.20\na.org/b\n"
    wrong_type = "# => ./b\na.org/b\n"

    def test_a_good_file_resolves_to_what_the_tool_would_install(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        found = {row.coordinate.purl.lower() for row in closure.dependencies}
        assert found == {each.lower() for each in self.good_purls}

    def test_its_folder_is_where_the_sources_are(self, tmp_path: Path) -> None:
        assert self.read_good(tmp_path).closures[0].source_folders == (str(tmp_path),)


def test_the_go_mod_above_says_which_modules_are_direct(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    (tmp_path / "go.mod").write_text(MOD)
    path = tmp_path / "vendor/modules.txt"
    path.write_text(GOOD)
    closure = GoVendorReader().read(path, linux_target()).closures[0]
    assert {row.coordinate.name: row.scope for row in closure.dependencies} == {
        "toml": "declared",
        "net": "all",
        "text": "all",
    }
    assert [name for name, _ in closure.inputs] == ["go.mod", "vendor/modules.txt"]


def test_packages_belong_to_the_module_above_them() -> None:
    modules = {each.path: each for each in read_modules(GOOD, Path("modules.txt"))}
    assert modules["golang.org/x/net"].packages == ("golang.org/x/net/http2",)
    assert modules["golang.org/x/net"].is_explicit
    assert not modules["golang.org/x/text"].is_explicit
    assert "a.org/unused" not in modules


def test_a_local_replacement_is_keyed_by_its_tree(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    (tmp_path / "fork").mkdir()
    (tmp_path / "fork/b.go").write_text("package b\n")
    (tmp_path / "fork/go.mod").write_text("module a.org/b\n")
    path = tmp_path / "vendor/modules.txt"
    path.write_text("# a.org/b v1.0.0 => ./fork\n## explicit\na.org/b\n")
    (row,) = GoVendorReader().read(path, linux_target()).closures[0].dependencies
    assert row.location == str(tmp_path / "fork")
    assert row.coordinate.checksum
