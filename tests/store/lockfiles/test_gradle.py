"""Lock files and environments: gradle."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.jvm_machine import empty_caches, put_in_maven
from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.errors import LockfileError
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.detection import reader_of
from depcodex.lockfiles.gradle import GradleLockError, GradleReader
from depcodex.lockfiles.jvm_packages import use_of_configuration

LOCK = """\
# This is a Gradle generated file for dependency locking.
# Manual edits can break the build and are not advised.
# This file is expected to be part of source control.
com.zaxxer:HikariCP:7.1.0=compileClasspath,runtimeClasspath
io.ktor:ktor-http-jvm:3.5.2=compileClasspath,runtimeClasspath,testCompileClasspath
ch.qos.logback:logback-core:1.5.38=runtimeClasspath,testRuntimeClasspath
org.junit.jupiter:junit-jupiter-api:5.11.0=testCompileClasspath,testRuntimeClasspath
com.google.dagger:dagger-compiler:2.52=annotationProcessor
empty=developmentOnly,testAnnotationProcessor
"""


@pytest.fixture(autouse=True)
def _no_caches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_caches(tmp_path_factory.mktemp("machine"), monkeypatch)


class TestGradleLock(LockfileReaderContract):
    format_name = "gradle"
    file_name = "gradle.lockfile"
    good = LOCK
    good_purls = frozenset(
        {
            "pkg:maven/com.zaxxer/HikariCP@7.1.0",
            "pkg:maven/io.ktor/ktor-http-jvm@3.5.2",
            "pkg:maven/ch.qos.logback/logback-core@1.5.38",
        }
    )
    good_skipped = frozenset(
        {("org.junit.jupiter:junit-jupiter-api", "5.11.0"), ("com.google.dagger:dagger-compiler", "2.52")}
    )
    empty = "# This is a Gradle generated file for dependency locking.\nempty=\n"
    malformed = LOCK + "<<<<<<< HEAD\nio.ktor:ktor-http-jvm:3.5.1=compileClasspath\n=======\n"
    wrong_version = '{"lockVersion": 2, "locks": []}'
    wrong_type = "com.zaxxer:HikariCP=compileClasspath\n"

    def test_configurations_decide_the_scope_and_nothing_has_a_distance(self, tmp_path: Path) -> None:
        rows = {row.coordinate.name: row for row in self.read_good(tmp_path).closures[0].dependencies}
        assert {name: str(row.scope) for name, row in rows.items()} == {
            "HikariCP": "importable",
            "ktor-http-jvm": "importable",
            "logback-core": "all",
        }
        assert {row.distance for row in rows.values()} == {None}

    def test_what_a_group_leaves_out_is_skipped_with_that_reason(self, tmp_path: Path) -> None:
        reading = self.read_good(tmp_path)
        reasons = {row.name: row.reason for row in reading.closures[0].skipped}
        assert reasons["org.junit.jupiter:junit-jupiter-api"] == "group test is not asked for"
        assert reasons["com.google.dagger:dagger-compiler"] == "group annotationprocessor is not asked for"
        assert reading.groups == {"test", "annotationprocessor"}

    def test_an_asked_group_is_in(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, self.good)
        closure = self.reader.read(path, linux_target(groups=("test",))).closures[0]
        assert purls(closure) == {*self.good_purls, "pkg:maven/org.junit.jupiter/junit-jupiter-api@5.11.0"}
        assert skipped(closure) == {("com.google.dagger:dagger-compiler", "2.52")}

    def test_lines_of_another_form_are_passed_over_and_said(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, self.good + ">>>\nempty=======\n")
        reading = self.reader.read(path, linux_target())
        assert purls(reading.closures[0]) == self.good_purls
        (note,) = reading.notes
        assert note == "gradle.lockfile: lines 10, 11 passed over, expected group:artifact:version=configurations"

    def test_the_build_scripts_lock_beside_it_is_a_group_of_its_own(self, tmp_path: Path) -> None:
        beside = tmp_path / "buildscript-gradle.lockfile"
        beside.write_text("org.example:plugin:2.0=classpath\nempty=\n", encoding="utf-8")
        path = self.write(tmp_path, self.good)
        closure = self.reader.read(path, linux_target()).closures[0]
        assert ("org.example:plugin", "2.0") in skipped(closure)
        assert [name for name, _ in closure.inputs] == ["gradle.lockfile", "buildscript-gradle.lockfile"]
        asked = self.reader.read(path, linux_target(groups=("buildscript",))).closures[0]
        assert "pkg:maven/org.example/plugin@2.0" in purls(asked)
        alone = reader_of(beside).read(beside, linux_target()).closures[0]
        assert purls(alone) == {"pkg:maven/org.example/plugin@2.0"}

    def test_a_project_folder_has_one_lock_whatever_lies_beside_it(self, tmp_path: Path) -> None:
        self.write(tmp_path, self.good)
        (tmp_path / "buildscript-gradle.lockfile").write_text("com.zaxxer:HikariCP:6.0=classpath\n")
        (tmp_path / "pom.xml").write_text("<project><modelVersion>4.0.0</modelVersion></project>")
        (closure,) = read_closures(ClosureRequest(tmp_path), {}).closures
        assert (closure.format, closure.inputs[0][0]) == ("gradle", "gradle.lockfile")


def test_one_file_a_configuration_makes_one_lock(tmp_path: Path) -> None:
    folder = tmp_path / "gradle/dependency-locks"
    folder.mkdir(parents=True)
    header = "# This is a Gradle generated file for dependency locking.\n"
    (folder / "compileClasspath.lockfile").write_text(f"{header}a.b:one:1.0\n")
    (folder / "runtimeClasspath.lockfile").write_text(f"{header}a.b:one:1.0\na.b:two:2.0\n")
    (folder / "testRuntimeClasspath.lockfile").write_text(f"{header}a.b:one:1.0\na.b:three:3.0\n")
    (folder / "checkstyle.lockfile").write_text(header)
    reading = read_closures(ClosureRequest(tmp_path), {})
    (closure,) = reading.closures
    scopes = {row.coordinate.name: str(row.scope) for row in closure.dependencies}
    assert scopes == {"one": "importable", "two": "all"}
    assert skipped(closure) == {("a.b:three", "3.0")}
    assert len(closure.inputs) == 4
    assert closure.inputs[0][0] == "gradle/dependency-locks/checkstyle.lockfile"


def test_verification_metadata_of_the_build_gives_the_digests(tmp_path: Path) -> None:
    (tmp_path / "settings.gradle.kts").write_text("")
    (tmp_path / "gradle").mkdir()
    jar, sources, pom = "1" * 64, "2" * 64, "3" * 64
    (tmp_path / "gradle/verification-metadata.xml").write_text(
        '<verification-metadata><components><component group="a.b" name="one" version="1.0">'
        f'<artifact name="one-1.0.jar"><sha256 value="{jar}"><also-trust value="{"4" * 64}"/></sha256></artifact>'
        f'<artifact name="one-1.0-sources.jar"><sha256 value="{sources}"/></artifact>'
        f'<artifact name="one-1.0.pom"><sha256 value="{pom}"/></artifact>'
        "</component></components></verification-metadata>"
    )
    member = tmp_path / "service"
    member.mkdir()
    (member / "gradle.lockfile").write_text("a.b:one:1.0=compileClasspath\n")
    (row,) = read_closures(ClosureRequest(member), {}).closures[0].dependencies
    assert row.digests == tuple(f"sha256:{each}" for each in (jar, sources, "4" * 64))


def test_verification_metadata_that_cannot_be_read_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "gradle").mkdir()
    (tmp_path / "gradle/verification-metadata.xml").write_text("<verification-metadata>")
    path = tmp_path / "gradle.lockfile"
    path.write_text("a.b:one:1.0=compileClasspath\n")
    with pytest.raises(GradleLockError, match=r"verification-metadata\.xml"):
        GradleReader().read(path, linux_target())


def test_a_snapshot_is_keyed_by_its_copy_or_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches = empty_caches(tmp_path / "machine", monkeypatch)
    path = tmp_path / "gradle.lockfile"
    path.write_text("a.b:one:1.0-SNAPSHOT=compileClasspath\na.b:two:1.0-20260101.120000-1=compileClasspath\n")
    closure = GradleReader().read(path, linux_target()).closures[0]
    assert purls(closure) == {"pkg:maven/a.b/two@1.0-20260101.120000-1"}
    assert closure.skipped[0].reason == "a snapshot, and no copy of it is on this machine"
    jar = put_in_maven(caches, "a.b", "one", "1.0-SNAPSHOT", "-sources.jar", b"sources")
    closure = GradleReader().read(path, linux_target()).closures[0]
    row = closure.dependencies[0]
    assert row.coordinate.purl.startswith("pkg:maven/a.b/one@1.0-SNAPSHOT?checksum=sha256:")
    assert row.location == str(jar)


@pytest.mark.parametrize("version", ["1.+", "[1.0,2.0)", "latest.release", "${ktor}"])
def test_what_is_no_exact_version_is_never_a_coordinate(version: str, tmp_path: Path) -> None:
    path = tmp_path / "gradle.lockfile"
    path.write_text(f"a.b:one:{version}=compileClasspath\na.b:two:2=compileClasspath\n")
    closure = GradleReader().read(path, linux_target()).closures[0]
    assert purls(closure) == {"pkg:maven/a.b/two@2"}
    assert skipped(closure) == {("a.b:one", version)}


@pytest.mark.parametrize("line", ["a.b:..:1.0", "../..:one:1.0", "a.b:one:..", "a/b:one:1", "a.b:one:1/2"])
def test_a_line_that_would_be_a_path_reads_no_file(line: str, tmp_path: Path) -> None:
    path = tmp_path / "gradle.lockfile"
    path.write_text(f"{line}-SNAPSHOT=compileClasspath\n")
    try:
        closure = GradleReader().read(path, linux_target()).closures[0]
    except LockfileError:
        return
    assert all(not row.location for row in closure.dependencies)


@pytest.mark.parametrize(
    ("name", "group", "scope"),
    [
        ("compileClasspath", "", "importable"),
        ("debugCompileClasspath", "", "importable"),
        ("jvmCompileClasspath", "", "importable"),
        ("api", "", "importable"),
        ("compileOnly", "", "importable"),
        ("commonMainApiDependenciesMetadata", "", "importable"),
        ("classpath", "", "importable"),
        ("runtimeClasspath", "", "all"),
        ("productionRuntimeClasspath", "", "all"),
        ("developmentOnly", "", "all"),
        ("testRuntimeClasspath", "test", "all"),
        ("integrationTestCompileClasspath", "test", "importable"),
        ("debugAndroidTestCompileClasspath", "test", "importable"),
        ("jsTestCompileClasspath", "test", "importable"),
        ("jsCompileClasspath", "jscompileclasspath", "importable"),
        ("annotationProcessor", "annotationprocessor", "importable"),
        ("kotlinCompilerClasspath", "kotlincompilerclasspath", "importable"),
        ("ktlintRuleset", "ktlintruleset", "importable"),
        ("latestCompileClasspath", "", "importable"),
    ],
)
def test_a_configurations_name_says_what_it_is_for(name: str, group: str, scope: str) -> None:
    use = use_of_configuration(name)
    assert (use.group, str(use.scope)) == (group, scope)
