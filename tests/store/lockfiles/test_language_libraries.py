"""The libraries of Go, Rust and the JDK are found where their toolchains lie, for the version that a project builds."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from depcodex.closure import Closure, ResolvedDependency, SkippedDependency
from depcodex.commands.record import record_project
from depcodex.coordinates import Coordinate
from depcodex.lockfiles import ClosureRequest
from depcodex.lockfiles.go_library import find_go, go_paths
from depcodex.lockfiles.go_modules import STDLIB, STDLIB_REASON
from depcodex.lockfiles.jdk_library import find_jdk
from depcodex.lockfiles.rust_library import find_rust, rust_paths
from depcodex.lockfiles.standard_library import is_standard_library, with_standard_libraries
from depcodex.settings import Settings


def write(root: Path, *paths: str, text: str = "package x\n") -> Path:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def make_tool(folder: Path, name: str, script: str) -> None:
    """A small tool that answers as the real one does."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that alone is searched for tools."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for name in ("GOROOT", "GOMODCACHE", "GOPATH", "JAVA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


def go_closure(asked: str = "", purl: str = "") -> Closure:
    skipped = (SkippedDependency(STDLIB, asked, STDLIB_REASON),) if asked else ()
    rows = (ResolvedDependency(Coordinate.parse(purl)),) if purl else ()
    return Closure("gomod", ".", rows, skipped=skipped)


def make_go(root: Path, version: str) -> Path:
    (write(root, "src/fmt/print.go") / "VERSION").write_text(f"{version}\ntime 2026-11-01T00:00:00Z\n")
    return root


@pytest.fixture
def goroot(tmp_path: Path, tools: Path) -> Path:
    root = make_go(tmp_path / "go", "go1.24.2")
    answers = f'test "$GOTOOLCHAIN" = local || exit 1\nprintf "%s\\n" {root} {tmp_path / "mod"}'
    make_tool(tools, "go", answers)
    return root


class TestGo:
    """Go's library is that of the toolchain which builds the project."""

    def test_what_others_can_import_counts(self, tmp_path: Path) -> None:
        src = write(
            tmp_path,
            "net/http/client.go",
            "net/http/client_test.go",
            "net/http/internal/chunked.go",
            "net/http/testdata/x.go",
            "vendor/golang.org/x/net/a.go",
            "internal/abi/a.go",
            "builtin/builtin.go",
            "cmd/go/main.go",
            "fmt/_ignored.go",
            "fmt/print.go",
            "fmt/README",
        )
        assert go_paths(src) == ("fmt/print.go", "net/http/client.go")

    @pytest.mark.parametrize("asked", ["", "1.21", "1.24", "1.24.2", "1.24rc1"])
    def test_an_installed_toolchain_builds_what_asks_for_its_version_or_an_older_one(
        self, goroot: Path, tmp_path: Path, asked: str
    ) -> None:
        found = find_go(go_closure(asked), tmp_path)
        assert found is not None
        assert (found.version, found.place) == ("go1.24.2", goroot / "src")

    def test_a_newer_one_is_taken_out_of_the_module_cache_and_never_fetched(self, goroot: Path, tmp_path: Path) -> None:
        assert find_go(go_closure("1.25.1"), tmp_path) is None
        cache = tmp_path / "mod/golang.org"
        for version in ("1.25.1", "1.25.4", "1.26.0"):
            make_go(cache / f"toolchain@v0.0.1-go{version}.linux-amd64", f"go{version}")
        exact, newest = find_go(go_closure("1.25.1"), tmp_path), find_go(go_closure("1.25"), tmp_path)
        assert exact is not None
        assert exact.version == "go1.25.1"
        assert newest is not None
        assert newest.version == "go1.25.4"
        assert find_go(go_closure("1.27"), tmp_path) is None

    def test_a_root_that_the_environment_names_serves_where_the_go_command_is_missing(
        self, tmp_path: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert find_go(go_closure(), tmp_path) is None
        monkeypatch.setenv("GOROOT", str(make_go(tmp_path / "other", "go1.22")))
        found = find_go(go_closure("1.22"), tmp_path)
        assert found is not None
        assert found.version == "go1.22"

    @pytest.mark.parametrize("version", ["devel go1.27-abcdef", "", "\0\0", "1.24.2", "go"])
    def test_a_toolchain_that_was_built_from_no_release_has_no_version(
        self, goroot: Path, tmp_path: Path, version: str
    ) -> None:
        (goroot / "VERSION").write_text(version)
        assert find_go(go_closure(), tmp_path) is None

    def test_the_closure_says_no_longer_that_the_library_was_skipped(self, goroot: Path, tmp_path: Path) -> None:
        (found,) = with_standard_libraries([go_closure("1.22")], tmp_path)
        (row,) = found.dependencies
        assert row.coordinate.purl.startswith("pkg:golang/std@go1.24.2?checksum=sha256:")
        assert (row.location, row.scope.value, found.skipped) == (str(goroot / "src"), "importable", ())

    def test_where_it_is_not_on_this_machine_the_closure_says_so(self, goroot: Path, tmp_path: Path) -> None:
        (found,) = with_standard_libraries([go_closure("1.99")], tmp_path)
        assert found.dependencies == ()
        assert [each.reason for each in found.skipped] == ["Go's standard library, not on this machine"]

    def test_only_the_setting_asks_the_go_command_for_it(self, goroot: Path, tmp_path: Path) -> None:
        project = tmp_path / "project"
        project.mkdir()
        (project / "go.mod").write_text("module example.com/app\n\ngo 1.22\n")
        for is_on in (False, True):
            settings = Settings(home=tmp_path / "home", standard_library=is_on)
            record, _ = record_project(settings, ClosureRequest(project))
            assert any(is_standard_library(each.coordinate) for each in record.union()) == is_on


class TestRust:
    """Rust's library is that of the toolchain which rustup chooses for the folder."""

    @pytest.fixture
    def library(self, tmp_path: Path, tools: Path) -> Path:
        sysroot = tmp_path / "toolchain"
        make_tool(
            tools,
            "rustc",
            f'test "$RUSTUP_AUTO_INSTALL" = 0 || exit 1\n'
            f'case "$1" in --print) echo {sysroot};; *) printf "rustc 1.95.0 (5980 2026-04-14)\\nrelease: 1.95.0\\n";;'
            " esac",
        )
        return write(
            sysroot / "lib/rustlib/src/rust/library",
            "core/src/lib.rs",
            "core/src/option.rs",
            "alloc/src/lib.rs",
            "std/src/lib.rs",
            "std/src/os/raw/char.md",
            "std/src/sync/tests/mutex.rs",
            "std/build.rs",
            "test/src/lib.rs",
            text="//! A module.\n",
        )

    def test_the_three_crates_count_without_their_tests(self, library: Path) -> None:
        assert rust_paths(library) == (
            "alloc/src/lib.rs",
            "core/src/lib.rs",
            "core/src/option.rs",
            "std/src/lib.rs",
            "std/src/os/raw/char.md",
        )

    def test_a_member_of_a_rust_project_gets_it(self, library: Path, tmp_path: Path) -> None:
        (found,) = with_standard_libraries([Closure("cargo", ".", ())], tmp_path)
        (row,) = found.dependencies
        assert row.coordinate.purl.startswith("pkg:cargo/std@1.95.0?checksum=sha256:")
        assert row.location == str(library)

    def test_without_the_component_there_is_none(self, library: Path, tmp_path: Path) -> None:
        (library / "alloc/src/lib.rs").unlink()
        assert find_rust(Closure("cargo", ".", ()), tmp_path) is None

    def test_without_rust_there_is_none(self, tools: Path, tmp_path: Path) -> None:
        assert find_rust(Closure("cargo", ".", ()), tmp_path) is None


class TestJdk:
    """The JDK's library is that of JAVA_HOME, else of the java that a shell would start."""

    def make_jdk(self, home: Path, version: str, place: str = "lib/src.zip") -> Path:
        write(home, "bin/java", text="#!/bin/sh\n")
        (home / "bin/java").chmod(0o755)
        (home / "release").write_text(f'IMPLEMENTOR="Somebody"\nJAVA_VERSION="{version}"\n')
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(home / place, "w") as archive:
            archive.writestr("java.base/java/util/List.java", "package java.util; public interface List {}")
        return home

    @pytest.mark.parametrize(("version", "feature"), [("17.0.21", "17"), ("25", "25"), ("1.8.0_392", "8")])
    def test_its_version_is_the_feature_release(
        self, tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, feature: str
    ) -> None:
        monkeypatch.setenv("JAVA_HOME", str(self.make_jdk(tmp_path / "jdk", version)))
        found = find_jdk(Closure("pom", ".", ()), tmp_path)
        assert found is not None
        assert (found.version, found.place) == (feature, tmp_path / "jdk/lib/src.zip")

    def test_the_java_on_the_path_leads_to_its_home(self, tools: Path, tmp_path: Path) -> None:
        (tools / "java").symlink_to(self.make_jdk(tmp_path / "jvm/jdk", "21.0.1", "src.zip") / "bin/java")
        found = find_jdk(Closure("pom", ".", ()), tmp_path)
        assert found is not None
        assert found.place == tmp_path / "jvm/jdk/src.zip"

    def test_a_link_to_sources_that_were_not_installed_is_none(
        self, tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home = self.make_jdk(tmp_path / "jdk", "17.0.1")
        (home / "lib/src.zip").unlink()
        (home / "lib/src.zip").symlink_to(tmp_path / "nowhere/src.zip")
        monkeypatch.setenv("JAVA_HOME", str(home))
        assert find_jdk(Closure("pom", ".", ()), tmp_path) is None

    def test_it_is_keyed_by_the_archive(self, tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        home = self.make_jdk(tmp_path / "jdk", "17.0.1")
        monkeypatch.setenv("JAVA_HOME", str(home))
        bill = Closure("cyclonedx", ".", (ResolvedDependency(Coordinate.parse("pkg:maven/a/b@1")),))
        (found,) = with_standard_libraries([bill], tmp_path)
        first = next(each for each in found.dependencies if is_standard_library(each.coordinate))
        assert first.coordinate.purl.startswith("pkg:maven/~jdk/jdk@17?checksum=sha256:")
        assert Coordinate.parse(first.coordinate.purl) == first.coordinate
        with zipfile.ZipFile(home / "lib/src.zip", "a") as archive:
            archive.writestr("java.base/java/util/Map.java", "package java.util; public interface Map {}")
        assert with_standard_libraries([bill], tmp_path) != (found,)


def test_a_library_of_several_members_is_digested_once_and_each_ecosystem_gets_its_own(
    goroot: Path, tmp_path: Path
) -> None:
    members = [go_closure(purl="pkg:golang/example.com/a@v1.0.0"), Closure("npm", ".", ())]
    first, second = with_standard_libraries(members, tmp_path)
    assert [each.coordinate.type for each in first.dependencies] == ["golang", "golang"]
    assert second == members[1]
