"""What a jar has to tell is read out of it as data."""

from __future__ import annotations

import io
import subprocess
import warnings
import zipfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.hostile_archives import zip_absolute, zip_traversal
from data.jars import PACKAGE_PRIVATE, SYNTHETIC, class_bytes, jar_bytes
from depcodex.coordinates import Coordinate
from depcodex.errors import ArchiveMemberError, CorruptArchiveError
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.class_files import is_public_class
from depcodex_assets.ecosystems.interface import Fetched, SourceTree
from depcodex_assets.ecosystems.maven_archive import JarUse, jar_use, read_archive

TODAY = date(2026, 12, 1)


def write(folder: Path, members: dict[str, str | bytes], name: str = "demo-1.0-sources.jar") -> Path:
    path = folder / name
    path.write_bytes(jar_bytes(members))
    return path


def read(path: Path, *, is_verified: bool = True) -> SourceTree:
    coordinate = Coordinate.parse("pkg:maven/example/demo@1.0")
    return read_archive(Fetched(coordinate, path, path.name, "sha256:00", is_verified), Limits(), TODAY)


def use(folder: Path, members: dict[str, str | bytes], artifact: str = "demo") -> JarUse:
    return jar_use(write(folder, members), artifact, Limits())


def test_a_sources_jar_gives_java_kotlin_and_the_readme_and_nothing_else(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "example/demo/Client.java": "package example.demo;",
        "example/demo/package-info.java": "package example.demo;",
        "example/demo/Extras.kt": "package example.demo",
        "module-info.java": "module example.demo {}",
        "META-INF/README.md": "# Demo",
        "META-INF/maven/example/demo/Archetype.java": "",
        "META-INF/LICENSE": "",
        "example/demo/logo.svg": "",
        "example/demo/Old.scala": "",
        ".hidden/Secret.java": "",
    }
    tree = read(write(tmp_path, members))
    assert [(file.path, file.language) for file in tree.files] == [
        ("META-INF/README.md", "readme"),
        ("example/demo/Client.java", "java"),
        ("example/demo/Extras.kt", "kotlin"),
        ("example/demo/package-info.java", "java"),
        ("module-info.java", "java"),
    ]
    assert {file.is_verified for file in tree.files} == {True}
    assert (tree.archive_digest, tree.released_on) == ("sha256:00", "2024-05-29")


def test_roots_of_source_sets_go_and_shared_declarations_come_first(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "jvmMain/io/demo/Only.kt": "jvm only",
        "jvmMain/io/demo/Lock.kt": "actual",
        "commonMain/io/demo/Lock.kt": "expect",
        "jvmAndPosixMain/io/demo/Files.kt": "shared",
        "nativeMain/io/demo/Native.kt": "native",
        "nonJvmMain/io/demo/Lock.kt": "other",
        "jsonMain/io/demo/Json.kt": "a set of any name",
        "src/main/java/io/demo/Deep.java": "as the build has it",
    }
    tree = read(write(tmp_path, members))
    assert {file.path: file.content.decode() for file in tree.files} == {
        "io/demo/Deep.java": "as the build has it",
        "io/demo/Files.kt": "shared",
        "io/demo/Json.kt": "a set of any name",
        "io/demo/Lock.kt": "expect",
        "io/demo/Only.kt": "jvm only",
        "jvmMain/io/demo/Lock.kt": "actual",
    }


def test_a_twin_for_a_newer_java_stands_beside_the_first(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "META-INF/versions/9/example/Base.java": "for 9",
        "META-INF/versions/9/module-info.java": "module example {}",
        "example/Base.java": "for 8",
    }
    tree = read(write(tmp_path, members))
    assert {file.path: file.content.decode() for file in tree.files} == {
        "META-INF/versions/9/example/Base.java": "for 9",
        "example/Base.java": "for 8",
        "module-info.java": "module example {}",
    }


def test_an_honest_jar_with_doubled_and_case_clashing_names_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, {"a/Lib.java": "first", "a/LIB.java": "other", "a/B.java": "b"})
    with warnings.catch_warnings(), zipfile.ZipFile(path, "a") as archive:
        warnings.simplefilter("ignore", UserWarning)
        archive.writestr("a/Lib.java", "second")
    found = {file.path: (file.content, file.skip_reason) for file in read(path).files}
    assert found == {
        "a/B.java": (b"b", None),
        "a/LIB.java": (b"", "archive:case_clash"),
        "a/Lib.java": (b"first", None),
    }


def test_a_main_jar_gives_its_public_classes_that_no_compiler_made_up(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "example/Client.class": class_bytes("example/Client"),
        "example/Client$Builder.class": class_bytes("example/Client$Builder"),
        "example/Client$1.class": class_bytes("example/Client$1"),
        "example/Client$run$2.class": class_bytes("example/Client$run$2"),
        "example/Internal.class": class_bytes("example/Internal", PACKAGE_PRIVATE),
        "example/Made.class": class_bytes("example/Made", SYNTHETIC),
        "example/package-info.class": class_bytes("example/package-info"),
        "module-info.class": class_bytes("module-info"),
        "META-INF/versions/11/example/Client.class": class_bytes("example/Client"),
        "example/Client.java": "never read out of a main jar",
        "example/Broken.class": b"\xca\xfe\xba\xbe",
    }
    tree = read(write(tmp_path, members, "demo-1.0.jar"))
    assert [(file.path, file.language) for file in tree.files] == [
        ("example/Client$Builder.class", "jvm-class"),
        ("example/Client.class", "jvm-class"),
    ]


@given(st.binary(max_size=200), st.integers(0, 60))
def test_no_bytes_break_the_look_at_a_class(tail: bytes, kept: int) -> None:
    assert is_public_class(class_bytes("a/B")[:kept] + tail) in (True, False)
    assert is_public_class(class_bytes("a/B"))


@pytest.mark.skipif(not Path("/usr/bin/javac").exists(), reason="no Java compiler")
def test_the_flags_are_those_that_the_compiler_wrote(tmp_path: Path) -> None:
    source = tmp_path / "Outer.java"
    source.write_text(
        "public class Outer { static final long L = 5_000_000_000L; static final double D = 1.5;\n"
        "  public static class Inner { Runnable r = () -> {}; }\n"
        "  private static class Hidden {}\n  Object o = new Object() {};\n"
        "  public record Point(int x, int y) {}\n  public enum Kind { A { }, B }\n"
        '  String s(Object o) { return o + "" + L + D; } }\n'
        "class Second {}\n"
    )
    command = ["javac", f"-J-Djava.io.tmpdir={tmp_path}", "-d", str(tmp_path / "out"), str(source)]
    subprocess.run(command, check=True, timeout=120, capture_output=True)
    found = {path.stem for path in (tmp_path / "out").glob("*.class") if is_public_class(path.read_bytes())}
    assert found == {"Outer", "Outer$Inner", "Outer$Point", "Outer$Kind"}


def test_what_a_jar_is_good_for_is_seen_by_its_names(tmp_path: Path) -> None:
    assert use(tmp_path, {"a/B.java": ""}) is JarUse.SOURCES
    assert use(tmp_path, {"a/B.class": b""}) is JarUse.CLASSES
    assert use(tmp_path, {"a/B$1.class": b"", "a/B.scala": ""}) is JarUse.NOTHING
    assert use(tmp_path, {}) is JarUse.NOTHING
    assert use(tmp_path, {"commonMain/a/B.kt": "", "nativeMain/a/B.kt": ""}) is JarUse.COMMON
    assert use(tmp_path, {"commonMain/a/B.kt": ""}, "demo-jvm") is JarUse.SOURCES
    assert use(tmp_path, {"commonMain/a/B.kt": "", "jvmMain/a/C.kt": ""}) is JarUse.SOURCES
    assert use(tmp_path, {"commonJvmAndroid/okhttp3/B.kt": "", "a/C.java": ""}) is JarUse.COMMON
    assert use(tmp_path, {"main/java/a/C.java": ""}) is JarUse.SOURCES


def test_a_jar_that_no_honest_tool_makes_is_refused(tmp_path: Path) -> None:
    for make in (zip_traversal, zip_absolute):
        path = tmp_path / "demo-1.0-sources.jar"
        make(path)
        with pytest.raises(ArchiveMemberError):
            read(path)
        with pytest.raises(ArchiveMemberError):
            jar_use(path, "demo", Limits())


def test_a_jar_that_is_cut_off_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "demo-1.0-sources.jar"
    content = jar_bytes({"a/B.java": "class B {}" * 1000})
    for length in (0, 10, len(content) // 2, len(content) - 5):
        path.write_bytes(content[:length])
        with pytest.raises(CorruptArchiveError):
            read(path)


def test_a_file_that_is_too_long_costs_only_itself(tmp_path: Path) -> None:
    buffer = io.BytesIO(jar_bytes({"a/Long.java": "x" * 5000, "a/B.java": "b"}))
    path = tmp_path / "demo-1.0-sources.jar"
    path.write_bytes(buffer.getvalue())
    coordinate = Coordinate.parse("pkg:maven/example/demo@1.0")
    tree = read_archive(Fetched(coordinate, path, path.name), Limits(max_member_bytes=1000), TODAY)
    assert [(file.path, file.skip_reason) for file in tree.files] == [("a/B.java", None), ("a/Long.java", "limit:file")]
