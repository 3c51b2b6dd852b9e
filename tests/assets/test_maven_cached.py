"""JVM libraries are read where they lie on this machine, when their digests hold."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from contracts.jvm_machine import empty_caches, put_in_gradle, put_in_maven
from data.jars import class_bytes, jar_bytes
from depcodex.coordinates import Coordinate
from depcodex.errors import ArchiveError, SourceNotFoundError
from depcodex.lockfiles.jvm_caches import JvmCaches
from depcodex.lockfiles.jvm_modules import module_digest, module_sources
from depcodex_assets.ecosystems.interface import HarvestParameters, HarvestRequest, SourceTree, TreeChangedError
from depcodex_assets.ecosystems.maven import MAVEN

COORDINATE = Coordinate.parse("pkg:maven/io.example/demo@1.0")
SOURCES = jar_bytes({"io/example/Demo.java": "package io.example;"})
CLASSES = jar_bytes({"io/example/Demo.class": class_bytes("io/example/Demo")})
COMMON = jar_bytes({"commonMain/io/example/Demo.kt": "package io.example"})


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JvmCaches:
    return empty_caches(tmp_path / "machine", monkeypatch)


def put(caches: JvmCaches, ending: str, content: bytes) -> Path:
    return put_in_maven(caches, "io.example", "demo", "1.0", ending, content)


def read(tmp_path: Path, *digests: str, is_offline: bool = False, **more: str) -> SourceTree | None:
    parameters = HarvestParameters(tmp_path / "work", is_offline=is_offline)
    return MAVEN.open_in_place(parameters)(HarvestRequest(COORDINATE, digests=digests, **more))


def languages(tree: SourceTree | None) -> list[tuple[str, bool]]:
    assert tree is not None
    return [(file.language, file.is_verified) for file in tree.files]


def test_nothing_here_means_it_must_be_fetched(caches: JvmCaches, tmp_path: Path) -> None:
    assert read(tmp_path) is None
    assert read(tmp_path, is_offline=True) is None


def test_sources_of_mavens_and_gradles_cache_are_verified_by_the_registrys_sha1(
    caches: JvmCaches, tmp_path: Path
) -> None:
    path = put_in_gradle(caches, "io.example", "demo", "1.0", "-sources.jar", SOURCES)
    tree = read(tmp_path)
    assert languages(tree) == [("java", True)]
    assert tree is not None
    assert tree.archive_digest == "sha256:" + hashlib.sha256(SOURCES).hexdigest()
    assert tree.released_on == "2024-05-29"
    path.unlink()
    put(caches, "-sources.jar", SOURCES)
    assert languages(read(tmp_path)) == [("java", True)]


def test_sources_without_a_digest_are_unverified_unless_the_lock_names_them(caches: JvmCaches, tmp_path: Path) -> None:
    path = put(caches, "-sources.jar", SOURCES)
    path.with_name(f"{path.name}.sha1").unlink()
    assert languages(read(tmp_path)) == [("java", False)]
    named = "sha512:" + hashlib.sha512(SOURCES).hexdigest()
    assert languages(read(tmp_path, named)) == [("java", True)]


def test_a_file_that_its_sha1_contradicts_is_passed_over(caches: JvmCaches, tmp_path: Path) -> None:
    path = put(caches, "-sources.jar", SOURCES)
    path.write_bytes(jar_bytes({"io/example/Demo.java": "changed"}))
    assert read(tmp_path) is None
    put_in_gradle(caches, "io.example", "demo", "1.0", "-sources.jar", SOURCES)
    assert languages(read(tmp_path)) == [("java", True)]


def test_classes_serve_only_where_nothing_can_be_fetched(caches: JvmCaches, tmp_path: Path) -> None:
    put(caches, ".jar", CLASSES)
    assert read(tmp_path) is None
    assert languages(read(tmp_path, is_offline=True)) == [("jvm-class", True)]
    assert read(tmp_path, f"sha256:{'0' * 64}", is_offline=True) is None
    named = "sha256:" + hashlib.sha256(CLASSES).hexdigest()
    assert languages(read(tmp_path, named, is_offline=True)) == [("jvm-class", True)]


def test_the_module_for_all_platforms_is_indexed_only_where_it_has_classes(caches: JvmCaches, tmp_path: Path) -> None:
    put(caches, "-sources.jar", COMMON)
    assert read(tmp_path) is None
    put(caches, ".jar", CLASSES)
    assert languages(read(tmp_path)) == [("kotlin", True)]
    put(caches, ".jar", jar_bytes({"META-INF/demo.kotlin_module": b""}))
    with pytest.raises(SourceNotFoundError, match="see demo-jvm"):
        read(tmp_path)


def test_a_jar_with_nothing_in_it_has_no_source(caches: JvmCaches, tmp_path: Path) -> None:
    put(caches, "-sources.jar", jar_bytes({}))
    put(caches, ".jar", jar_bytes({}))
    with pytest.raises(SourceNotFoundError, match="neither sources nor classes"):
        read(tmp_path)


def test_a_hostile_jar_in_a_cache_is_refused(caches: JvmCaches, tmp_path: Path) -> None:
    put(caches, "-sources.jar", jar_bytes({"../../evil.java": ""}))
    with pytest.raises(ArchiveError):
        read(tmp_path)


def test_a_snapshots_copy_is_read_while_it_is_the_recorded_one(caches: JvmCaches, tmp_path: Path) -> None:
    path = put(caches, "-sources.jar", SOURCES)
    keyed = COORDINATE.with_checksum(hashlib.sha256(SOURCES).hexdigest())
    in_place = MAVEN.open_in_place(HarvestParameters(tmp_path / "work"))
    tree = in_place(HarvestRequest(keyed, location=str(path)))
    assert languages(tree) == [("java", True)]
    assert in_place(HarvestRequest(keyed)) is None
    path.write_bytes(COMMON)
    with pytest.raises(TreeChangedError):
        in_place(HarvestRequest(keyed, location=str(path)))
    path.unlink()
    with pytest.raises(TreeChangedError):
        in_place(HarvestRequest(keyed, location=str(path)))


def test_a_modules_tree_is_read_under_its_package_paths(caches: JvmCaches, tmp_path: Path) -> None:
    folder = tmp_path / "core"
    for path in (
        "src/main/java/io/example/Core.java",
        "src/main/kotlin/io/example/Extras.kt",
        "src/test/java/io/example/CoreTest.java",
        "build/generated/Made.java",
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)
    (folder / "src/main/java/Link.java").symlink_to(folder / "build/generated/Made.java")
    assert module_sources(folder) == ("src/main/java/io/example/Core.java", "src/main/kotlin/io/example/Extras.kt")
    keyed = COORDINATE.with_checksum(module_digest(folder))
    in_place = MAVEN.open_in_place(HarvestParameters(tmp_path / "work"))
    tree = in_place(HarvestRequest(keyed, location=str(folder)))
    assert tree is not None
    assert [file.path for file in tree.files] == ["io/example/Core.java", "io/example/Extras.kt"]
    (folder / "src/main/java/io/example/Core.java").write_text("edited")
    with pytest.raises(TreeChangedError):
        in_place(HarvestRequest(keyed, location=str(folder)))
