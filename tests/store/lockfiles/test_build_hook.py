"""What a build leaves of what it resolved: the Gradle script in a real Gradle, and the Maven command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from contracts.jvm_machine import empty_caches
from contracts.lockfile_reader import purls
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.build_hook import INIT_SCRIPT, MAVEN_COMMAND

has_gradle = pytest.mark.skipif(shutil.which("gradle") is None, reason="Gradle is not installed")
ROOT_BUILD = """
apply plugin: 'java'
group = 'example.app'
version = '1'
allprojects { repositories { maven { url uri(System.getProperty('publications')) } } }
dependencies { compile 'example.one:alpha:1.0'
    runtimeOnly 'example.one:gamma:1.0'
    testCompile 'example.one:delta:1.0'
    compile project(':lib') }
task classpaths { doLast { [configurations.compileClasspath, configurations.runtimeClasspath,
    configurations.testRuntimeClasspath].each { it.files } } }
"""
LIB_BUILD = (
    "apply plugin: 'java'\ngroup = 'example.app'\nversion = '1'\ndependencies { compile 'example.one:beta:1.1' }\n"
)


def publish(folder: Path, artifact: str, version: str, *needs: tuple[str, str]) -> None:
    place = folder / "example/one" / artifact / version
    place.mkdir(parents=True)
    below = "".join(
        f"<dependency><groupId>example.one</groupId><artifactId>{name}</artifactId><version>{wanted}</version></dependency>"
        for name, wanted in needs
    )
    (place / f"{artifact}-{version}.pom").write_text(
        f"<project><modelVersion>4.0.0</modelVersion><groupId>example.one</groupId><artifactId>{artifact}</artifactId>"
        f"<version>{version}</version><dependencies>{below}</dependencies></project>"
    )
    with zipfile.ZipFile(place / f"{artifact}-{version}.jar", "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")


def gradle(project: Path, *arguments: str, script: Path = INIT_SCRIPT) -> subprocess.CompletedProcess[str]:
    home = project.parent / "gradle-home"
    command = ["gradle", "--offline", "--no-daemon", "-g", str(home), "--init-script", str(script)]
    # One JVM: without this Gradle starts a second one for its own memory settings.
    environment = {**os.environ, "JAVA_OPTS": f"-Djava.io.tmpdir={project.parent}", "TMPDIR": str(project.parent)}
    return subprocess.run(
        [*command, f"-Dpublications={project.parent / 'publications'}", *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    empty_caches(tmp_path / "machine", monkeypatch)
    publications = tmp_path / "publications"
    publish(publications, "alpha", "1.0", ("beta", "1.0"))
    publish(publications, "beta", "1.0")
    publish(publications, "beta", "1.1")
    publish(publications, "gamma", "1.0", ("beta", "1.0"))
    publish(publications, "delta", "1.0")
    folder = tmp_path / "project"
    (folder / "lib").mkdir(parents=True)
    (folder / "settings.gradle").write_text("rootProject.name = 'service'\ninclude 'lib'\n")
    (folder / "build.gradle").write_text(ROOT_BUILD)
    (folder / "lib/build.gradle").write_text(LIB_BUILD)
    return folder


@has_gradle
def test_a_gradle_build_leaves_what_it_resolved_in_one_file(project: Path) -> None:
    finished = gradle(project, "classpaths")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    written = [path for path in project.rglob("*") if "depcodex" in path.parts and path.is_file()]
    assert written == [project / "build/depcodex/dependency-tree.json"]
    reading = read_closures(ClosureRequest(project), {})
    (closure,) = reading.closures
    assert (closure.format, closure.member) == ("maven-tree", ".")
    one = "pkg:maven/example.one"
    rows = {row.coordinate.purl: (str(row.scope), row.distance) for row in closure.dependencies}
    assert rows == {
        f"{one}/alpha@1.0": ("declared", 1),
        f"{one}/gamma@1.0": ("declared", 1),
        f"{one}/beta@1.1": ("importable", 2),
    }
    assert {each.name for each in closure.skipped} == {"example.one:delta", "example.app:lib"}
    assert {each.reason for each in closure.skipped} == {"group test is not asked for", "a module of this project"}
    assert (f"{one}/alpha@1.0", f"{one}/beta@1.1") in closure.edges
    assert (f"{one}/gamma@1.0", f"{one}/beta@1.1") in closure.edges


@has_gradle
def test_a_script_that_cannot_write_fails_no_build(project: Path) -> None:
    # The folder cannot be made: a file lies in its place.
    (project / "build").write_text("in the way")
    finished = gradle(project, "classpaths")
    assert finished.returncode == 0, finished.stdout + finished.stderr


def test_the_script_and_the_command_are_printed_for_a_builds_command_line() -> None:
    def shown(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "depcodex.lockfiles.build_hook", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert shown("gradle").stdout == f"{INIT_SCRIPT}\n"
    assert INIT_SCRIPT.is_file()
    assert shown("maven").stdout == f"{MAVEN_COMMAND}\n"
    assert shown().returncode == 2


def test_what_the_script_writes_is_a_list_of_trees_with_their_folders(tmp_path: Path) -> None:
    def tree(folder: str, name: str, needs: str) -> dict[str, object]:
        below = {"groupId": "x", "artifactId": needs, "version": "1", "scope": "compile"}
        own = {"groupId": "example", "artifactId": name, "version": "1", "scope": "", "folder": folder}
        return {**own, "children": [below]}

    path = tmp_path / "build/depcodex/dependency-tree.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([tree("libs/core", "core", "b"), tree(".", "service", "a")]))
    closures = read_closures(ClosureRequest(tmp_path), {}).closures
    assert [(closure.member, purls(closure)) for closure in closures] == [
        (".", {"pkg:maven/x/a@1"}),
        ("libs/core", {"pkg:maven/x/b@1"}),
    ]
