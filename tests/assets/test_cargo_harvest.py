"""Crates: out of trees, vendor folders and cargo's cache, and fetched by cargo itself from a registry on loopback."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from data.crates import digest_of, files_of, write_crate, write_vendored
from depcodex.coordinates import Coordinate
from depcodex.trees import RUST_TREE, source_files, tree_digest
from depcodex_assets.ecosystems.known import EcosystemFetcher
from depcodex_assets.harvest import HarvestParameters, HarvestRequest, harvest
from servers.crate_registry import CrateRegistry, serve_registry, write_cargo_home

needs_cargo = pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not on this machine")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "cargo-home"
    home.mkdir()
    monkeypatch.setenv("CARGO_HOME", str(home))
    return home


@pytest.fixture
def registry(tmp_path: Path, home: Path) -> Iterator[CrateRegistry]:
    folder = tmp_path / "registry"
    folder.mkdir()
    with serve_registry(folder) as running:
        write_cargo_home(home, running)
        yield running


def crate(name: str = "alpha", version: str = "1.2.3") -> Coordinate:
    return Coordinate.of("cargo", name, version)


def rows(tmp_path: Path, *requests: HarvestRequest, is_offline: bool = False) -> list[dict[str, Any]]:
    table = harvest(
        requests,
        fetcher=EcosystemFetcher(),
        parameters=HarvestParameters(tmp_path / "work", is_offline=is_offline),
        clock=lambda: datetime(2026, 11, 30, tzinfo=UTC),
    )
    assert list((tmp_path / "work").glob("harvest-*")) == [] or is_offline
    return list(table.to_pylist())


def outcome(found: list[dict[str, Any]], coordinate: Coordinate) -> tuple[str | None, bool]:
    own = [row for row in found if row["coordinate_id"] == coordinate.coordinate_id]
    return own[0]["skip_reason"], own[0]["is_retryable"]


def test_a_cached_archive_with_the_locks_digest_is_read_in_place(tmp_path: Path, home: Path) -> None:
    files = {"src/lib.rs": "pub fn a() {}", "README.md": "# Alpha", "tests/t.rs": "", "benches/b.rs": "", "x.txt": ""}
    archive = write_crate(home / "registry/cache/index-1", "alpha", "1.2.3", files)
    found = rows(tmp_path, HarvestRequest(crate(), digests=(digest_of(archive),)), is_offline=True)
    assert [(row["path"], row["language"], row["is_verified"]) for row in found] == [
        ("Cargo.toml", "cargo-toml", True),
        ("README.md", "readme", True),
        ("src/lib.rs", "rust", True),
    ]
    assert {row["archive_digest"] for row in found} == {digest_of(archive)}
    assert {row["as_of"] for row in found} == {"2024-05-29"}


def test_a_cached_archive_of_other_bytes_does_not_serve(tmp_path: Path, home: Path) -> None:
    write_crate(home / "registry/cache/index-1", "alpha", "1.2.3")
    found = rows(tmp_path, HarvestRequest(crate(), digests=("sha256:" + "0" * 64,)), is_offline=True)
    assert outcome(found, crate()) == ("failed:offline", True)


def test_an_archive_without_a_digest_in_the_lock_is_labelled_unverified(tmp_path: Path, home: Path) -> None:
    write_crate(home / "registry/cache/index-1", "alpha", "1.2.3")
    assert {row["is_verified"] for row in rows(tmp_path, HarvestRequest(crate()), is_offline=True)} == {False}


def test_what_cargo_has_unpacked_serves_offline_and_is_labelled_unverified(tmp_path: Path, home: Path) -> None:
    root = home / "registry/src/index-1/alpha-1.2.3"
    for place, text in files_of("alpha", "1.2.3").items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text)
    found = rows(tmp_path, HarvestRequest(crate(), digests=("sha256:" + "1" * 64,)), is_offline=True)
    assert [(row["path"], row["is_verified"]) for row in found] == [("Cargo.toml", False), ("src/lib.rs", False)]


def test_a_vendored_crate_is_verified_file_by_file(tmp_path: Path, home: Path) -> None:
    archive = write_crate(tmp_path / "archives", "alpha", "1.2.3")
    root = write_vendored(tmp_path / "vendor", archive, "alpha", "1.2.3")
    request = HarvestRequest(crate(), digests=(digest_of(archive),), source_folders=(str(tmp_path / "vendor"),))
    assert {row["is_verified"] for row in rows(tmp_path, request, is_offline=True)} == {True}
    (root / "src/lib.rs").write_text("pub fn changed() {}")
    assert outcome(rows(tmp_path, request, is_offline=True), crate()) == ("failed:offline", True)


def test_a_vendored_crate_of_another_version_or_archive_does_not_serve(tmp_path: Path, home: Path) -> None:
    archive = write_crate(tmp_path / "archives", "alpha", "1.2.4")
    write_vendored(tmp_path / "vendor", archive, "alpha", "1.2.4")
    folders = (str(tmp_path / "vendor"),)
    found = rows(
        tmp_path,
        HarvestRequest(crate(), source_folders=folders),
        HarvestRequest(crate(version="1.2.4"), digests=("sha256:" + "2" * 64,), source_folders=folders),
        is_offline=True,
    )
    assert outcome(found, crate()) == outcome(found, crate(version="1.2.4")) == ("failed:offline", True)


def test_an_own_tree_is_read_under_its_checksum_and_refused_once_changed(tmp_path: Path, home: Path) -> None:
    root = tmp_path / "own"
    for place, text in files_of("alpha", "1.2.3", {"src/lib.rs": "pub fn a() {}", "src/build/mod.rs": ""}).items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text)
    paths = source_files(root, RUST_TREE)
    coordinate = crate().with_checksum(tree_digest(root, paths))
    request = HarvestRequest(coordinate, location=str(root))
    assert [row["path"] for row in rows(tmp_path, request)] == ["Cargo.toml", "src/build/mod.rs", "src/lib.rs"]
    (root / "src/lib.rs").write_text("pub fn b() {}")
    assert outcome(rows(tmp_path, request), coordinate) == ("failed:changed", True)
    assert outcome(rows(tmp_path, HarvestRequest(coordinate)), coordinate) == ("failed:changed", True)


def test_an_archive_that_leads_out_of_its_folder_is_refused_whole(tmp_path: Path, home: Path) -> None:
    path = home / "registry/cache/index-1/alpha-1.2.3.crate"
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("alpha-1.2.3/src/lib.rs"))
        archive.addfile(tarfile.TarInfo("alpha-1.2.3/../../evil.rs"))
    found = rows(tmp_path, HarvestRequest(crate()), is_offline=True)
    assert outcome(found, crate()) == ("failed:archive", False)


@needs_cargo
def test_cargo_brings_many_crates_and_versions_with_one_bad_one_among_them(
    tmp_path: Path, registry: CrateRegistry
) -> None:
    folder = registry.folder
    archives = {
        (name, version): write_crate(folder, name, version)
        for name, version in (("alpha", "1.2.3"), ("alpha", "1.3.0"), ("beta", "0.1.0"), ("gamma", "2.0.0"))
    }
    # Two that link one native library, and one that asks for a crate that is not there.
    for name in ("left-sys", "right-sys"):
        path = write_crate(folder, name, "1.0.0", {"src/lib.rs": "", "build.rs": "fn main() { panic!() }"})
        registry.links[path.name] = "native"
    broken = write_crate(folder, "broken", "1.0.0")
    registry.dependencies[broken.name] = [("nowhere", "^1")]
    wanted = [*archives, ("left-sys", "1.0.0"), ("right-sys", "1.0.0"), ("broken", "1.0.0"), ("absent", "9.9.9")]
    wanted.append(("beta", "0.2.0"))
    requests = [
        HarvestRequest(crate(*each), digests=(digest_of(archives[each]),) if each in archives else ())
        for each in wanted
    ]
    found = rows(tmp_path, *requests)
    outcomes = {each: outcome(found, crate(*each)) for each in wanted}
    for each in [*archives, ("left-sys", "1.0.0"), ("right-sys", "1.0.0")]:
        assert outcomes[each] == (None, False), each
    assert outcomes["absent", "9.9.9"] == outcomes["beta", "0.2.0"] == ("no_source", False)
    assert outcomes["broken", "1.0.0"][0] == "failed:fetch"
    assert all(row["is_verified"] for row in found if row["skip_reason"] is None)


@needs_cargo
def test_a_withdrawn_version_comes_all_the_same(tmp_path: Path, registry: CrateRegistry) -> None:
    write_crate(registry.folder, "beta", "0.1.0")
    archive = write_crate(registry.folder, "alpha", "1.2.3")
    registry.yanked.add(archive.name)
    requests = [HarvestRequest(crate("beta", "0.1.0")), HarvestRequest(crate(), digests=(digest_of(archive),))]
    found = rows(tmp_path, *requests)
    assert outcome(found, crate()) == outcome(found, crate("beta", "0.1.0")) == (None, False)


@needs_cargo
def test_bytes_that_are_not_the_locks_or_the_indexs_are_refused(tmp_path: Path, registry: CrateRegistry) -> None:
    write_crate(registry.folder, "alpha", "1.2.3")
    registry.false_digest.add(write_crate(registry.folder, "beta", "0.1.0").name)
    found = rows(
        tmp_path,
        HarvestRequest(crate(), digests=("sha256:" + "3" * 64,)),
        HarvestRequest(crate("beta", "0.1.0")),
    )
    assert outcome(found, crate()) == ("failed:digest", False)
    assert outcome(found, crate("beta", "0.1.0")) == ("failed:digest", False)


@needs_cargo
def test_a_registry_that_does_not_answer_is_worth_another_try(tmp_path: Path, home: Path) -> None:
    with serve_registry(tmp_path) as gone:
        pass
    write_cargo_home(home, gone)
    found = rows(tmp_path, HarvestRequest(crate()), HarvestRequest(crate("beta", "1.0.0")))
    assert outcome(found, crate()) == outcome(found, crate("beta", "1.0.0")) == ("failed:fetch", True)


def test_a_machine_without_cargo_says_so(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    (row,) = rows(tmp_path, HarvestRequest(crate()))
    assert (row["skip_reason"], row["is_retryable"]) == ("failed:fetch", True)
    assert "cargo cannot be started" in row["skip_detail"]


@pytest.mark.online
@needs_cargo
def test_the_public_registry_is_asked_as_cargo_is_set_up(tmp_path: Path, home: Path) -> None:
    itoa = crate("itoa", "1.0.9")
    digest = "sha256:af150ab688ff2122fcef229be89cb50dd66af9e01a4ff320cc137eecc9bacc38"
    found = rows(tmp_path, HarvestRequest(itoa, digests=(digest,)))
    assert "src/lib.rs" in {row["path"] for row in found}
