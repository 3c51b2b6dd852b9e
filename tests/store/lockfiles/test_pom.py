"""Lock files and environments: pom."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from contracts.jvm_machine import empty_caches, put_in_maven
from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.interface import Target
from depcodex.lockfiles.pom import PomReader

HEAD = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
OWN = "<groupId>example</groupId><artifactId>service</artifactId><version>1.0</version>"


def dependency(name: str, version: str = "", scope: str = "", more: str = "") -> str:
    group, _, artifact = name.partition(":")
    parts = [f"<groupId>{group}</groupId><artifactId>{artifact}</artifactId>"]
    parts += [f"<version>{version}</version>"] if version else []
    parts += [f"<scope>{scope}</scope>"] if scope else []
    return f"<dependency>{''.join(parts)}{more}</dependency>"


GOOD = (
    HEAD
    + OWN
    + "<properties><ktor.version>3.5.2</ktor.version></properties><dependencyManagement><dependencies>"
    + dependency("org.slf4j:slf4j-api", "2.0.18")
    + "</dependencies></dependencyManagement><dependencies>"
    + dependency("io.ktor:ktor-server-core-jvm", "${ktor.version}")
    + dependency("org.slf4j:slf4j-api")
    + dependency("org.postgresql:postgresql", "42.7.4", "runtime")
    + dependency("jakarta.servlet:jakarta.servlet-api", "6.1.0", "provided")
    + dependency("org.junit.jupiter:junit-jupiter", "5.11.0", "test")
    + dependency("a.b:managed-elsewhere")
    + dependency("a.b:ranged", "[1.0,2.0)")
    + "</dependencies></project>"
)


@pytest.fixture(autouse=True)
def _no_caches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_caches(tmp_path_factory.mktemp("machine"), monkeypatch)


class TestPom(LockfileReaderContract):
    format_name = "pom"
    file_name = "pom.xml"
    good = GOOD
    good_purls = frozenset(
        {
            "pkg:maven/io.ktor/ktor-server-core-jvm@3.5.2",
            "pkg:maven/org.slf4j/slf4j-api@2.0.18",
            "pkg:maven/org.postgresql/postgresql@42.7.4",
            "pkg:maven/jakarta.servlet/jakarta.servlet-api@6.1.0",
        }
    )
    good_skipped = frozenset(
        {("org.junit.jupiter:junit-jupiter", "5.11.0"), ("a.b:managed-elsewhere", ""), ("a.b:ranged", "[1.0,2.0)")}
    )
    empty = ""
    malformed = GOOD[:-10]
    wrong_version = GOOD.replace("4.0.0</modelVersion>", "9.0.0</modelVersion>")
    wrong_type = "<settings><localRepository/></settings>"

    def test_without_mvn_a_note_says_what_is_not_known(self, tmp_path: Path) -> None:
        (note,) = self.read_good(tmp_path).notes
        assert note.startswith("pom.xml: mvn could not resolve it offline, so only the dependencies")

    def test_every_one_is_declared_since_the_pom_names_it(self, tmp_path: Path) -> None:
        rows = self.read_good(tmp_path).closures[0].dependencies
        assert {(str(row.scope), row.distance) for row in rows} == {("declared", 1)}

    def test_an_entity_is_refused(self, tmp_path: Path) -> None:
        self.refuses(self.write(tmp_path, f'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>{self.good}'))


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_parents_and_imports_on_this_machine_give_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches = empty_caches(tmp_path / "machine", monkeypatch)
    bom = (
        f"{HEAD}<groupId>x</groupId><artifactId>bom</artifactId><version>7</version><properties><v>2.1</v></properties>"
        f"<dependencyManagement><dependencies>{dependency('x:from-bom', '${v}')}{dependency('x:twice', '1')}"
        f"{dependency('x:own', '${project.version}')}</dependencies></dependencyManagement></project>"
    )
    put_in_maven(caches, "x", "bom", "7", ".pom", bom.encode())
    imported = dependency("x:bom", "${bom}", "import", "<type>pom</type>")
    parent = (
        f"{HEAD}<groupId>example</groupId><artifactId>parent</artifactId><version>3</version><packaging>pom</packaging>"
        f"<properties><bom>7</bom><v>overridden</v></properties><dependencyManagement><dependencies>{imported}"
        f"{dependency('x:twice', '9', 'runtime')}</dependencies></dependencyManagement>"
        f"<dependencies>{dependency('x:inherited', '${project.version}')}</dependencies></project>"
    )
    write(tmp_path / "pom.xml", parent)
    child = (
        f"{HEAD}<parent><groupId>example</groupId><artifactId>parent</artifactId><version>3</version></parent>"
        f"<artifactId>child</artifactId><version>5</version><dependencies>{dependency('x:from-bom')}"
        f"{dependency('x:twice')}{dependency('x:own')}</dependencies></project>"
    )
    path = write(tmp_path / "child/pom.xml", child)
    closure = PomReader().read(path, linux_target()).closures[0]
    assert purls(closure) == {
        "pkg:maven/x/from-bom@2.1",
        "pkg:maven/x/twice@9",
        "pkg:maven/x/own@7",
        "pkg:maven/x/inherited@5",
    }
    assert closure.skipped == ()


def test_a_parent_that_is_not_here_is_said_and_nothing_is_guessed(tmp_path: Path) -> None:
    text = (
        f"{HEAD}<parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>"
        f"<version>3.3.0</version></parent><artifactId>child</artifactId><dependencies>"
        f"{dependency('x:managed')}{dependency('x:named', '1')}{dependency('x:property', '${x.version}')}"
        "</dependencies></project>"
    )
    reading = PomReader().read(write(tmp_path / "pom.xml", text), linux_target())
    assert purls(reading.closures[0]) == {"pkg:maven/x/named@1"}
    assert skipped(reading.closures[0]) == {("x:managed", ""), ("x:property", "")}
    assert "org.springframework.boot:spring-boot-starter-parent:3.3.0 is not on this machine" in reading.notes[1]


def test_what_only_a_profile_decides_is_not_decided_here(tmp_path: Path) -> None:
    text = (
        f"{HEAD}{OWN}<properties><v>1</v></properties><dependencies>{dependency('x:either', '${v}')}</dependencies>"
        f"<profiles><profile><id>next</id><properties><v>2</v></properties><dependencies>{dependency('x:more', '3')}"
        "</dependencies></profile></profiles></project>"
    )
    closure = PomReader().read(write(tmp_path / "pom.xml", text), linux_target()).closures[0]
    assert closure.dependencies == ()
    assert {(row.name, row.reason) for row in closure.skipped} == {
        ("x:either", "its version is set in a pom that is not on this machine"),
        ("x:more", "only profile next asks for it"),
    }


def test_expressions_and_parents_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    text = (
        f"{HEAD}{OWN}<properties><a>${{b}}${{b}}</a><b>${{a}}${{a}}</b></properties>"
        f"<dependencies>{dependency('x:y', '${a}')}</dependencies></project>"
    )
    closure = PomReader().read(write(tmp_path / "pom.xml", text), linux_target()).closures[0]
    assert skipped(closure) == {("x:y", "")}
    circle = (
        f"{HEAD}<parent><groupId>example</groupId><artifactId>self</artifactId><version>1</version>"
        "<relativePath>pom.xml</relativePath></parent><groupId>example</groupId><artifactId>self</artifactId></project>"
    )
    path = write(tmp_path / "circle/pom.xml", circle)
    with pytest.raises(PomReader.error, match="in a circle"):
        PomReader().read(path, linux_target())


def test_modules_are_members_and_depend_on_each_others_trees(tmp_path: Path) -> None:
    root = (
        f"{HEAD}<groupId>example</groupId><artifactId>root</artifactId><version>1</version><packaging>pom</packaging>"
        "<modules><module>core</module><module>web</module><module>gone</module></modules></project>"
    )
    above = "<parent><groupId>example</groupId><artifactId>root</artifactId><version>1</version></parent>"
    write(tmp_path / "pom.xml", root)
    core = f"{HEAD}{above}<artifactId>core</artifactId><dependencies>{dependency('x:y', '2')}</dependencies></project>"
    write(tmp_path / "core/pom.xml", core)
    write(tmp_path / "core/src/main/java/example/Core.java", "package example; public class Core {}")
    web = dependency("${project.groupId}:core", "${project.version}")
    write(
        tmp_path / "web/pom.xml",
        f"{HEAD}{above}<artifactId>web</artifactId><dependencies>{web}</dependencies></project>",
    )
    reading = read_closures(ClosureRequest(tmp_path), {})
    assert [closure.member for closure in reading.closures] == [".", "core", "web"]
    (row,) = reading.closures[2].dependencies
    assert row.coordinate.purl.startswith("pkg:maven/example/core@1?checksum=sha256:")
    assert row.location == str(tmp_path / "core")
    assert [name for name, _ in reading.closures[2].inputs] == ["core/pom.xml", "pom.xml", "web/pom.xml"]


FAKE_MVN = """\
#!{python}
import json, pathlib, sys
pathlib.Path({log!r}).write_text(json.dumps(sys.argv[1:]))
output = next(each.partition("=")[2] for each in sys.argv if each.startswith("-DoutputFile="))
pathlib.Path(output).write_text({tree!r})
"""


def fake_mvn(folder: Path, tree: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A command mvn that writes a tree and tells with which arguments it was called."""
    log = folder / "called.json"
    command = write(folder / "bin/mvn", FAKE_MVN.format(python=sys.executable, log=str(log), tree=tree))
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(command.parent))
    return log


def test_mvn_decides_where_it_can_and_stays_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches = empty_caches(tmp_path / "machine", monkeypatch)
    node = {"groupId": "x", "artifactId": "y", "version": "1", "scope": "compile"}
    below = {"groupId": "x", "artifactId": "z", "version": "2", "scope": "runtime"}
    tree = {
        "groupId": "example",
        "artifactId": "service",
        "version": "1.0",
        "scope": "",
        "children": [{**node, "children": [below]}],
    }
    log = fake_mvn(tmp_path, json.dumps(tree), monkeypatch)
    path = write(tmp_path / "pom.xml", GOOD)
    reading = PomReader().read(path, linux_target())
    # Without a plugin that writes JSON, mvn is not even started.
    assert not log.exists()
    assert len(reading.closures[0].dependencies) == 4
    for version in ("2.8", "3.6.1", "3.8.1", "3.7.0"):
        put_in_maven(caches, "org.apache.maven.plugins", "maven-dependency-plugin", version, ".jar", b"")
    reading = PomReader().read(path, linux_target())
    assert purls(reading.closures[0]) == {"pkg:maven/x/y@1", "pkg:maven/x/z@2"}
    assert [str(row.scope) for row in reading.closures[0].dependencies] == ["declared", "all"]
    assert reading.notes == ()
    called = json.loads(log.read_text())
    assert "-o" in called
    assert "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:tree" in called
    target = linux_target()
    PomReader().read(path, Target(target.markers, is_network_allowed=True))
    assert "-o" not in json.loads(log.read_text())


def test_what_mvn_writes_in_another_form_leaves_the_pom_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches = empty_caches(tmp_path / "machine", monkeypatch)
    put_in_maven(caches, "org.apache.maven.plugins", "maven-dependency-plugin", "3.8.1", ".jar", b"")
    fake_mvn(tmp_path, "example:service:jar:1.0\n+- x:y:jar:1:compile\n", monkeypatch)
    reading = PomReader().read(write(tmp_path / "pom.xml", GOOD), linux_target())
    assert len(reading.closures[0].dependencies) == 4
    assert reading.notes


@pytest.mark.online
def test_real_maven_resolves_with_the_network_once_and_offline_from_then_on(tmp_path: Path) -> None:
    dependencies = dependency("ch.qos.logback:logback-classic", "1.5.38")
    text = f"{HEAD}{OWN}<dependencies>{dependencies}</dependencies></project>"
    path = write(tmp_path / "pom.xml", text)
    target = linux_target()
    expected = {
        "pkg:maven/ch.qos.logback/logback-classic@1.5.38",
        "pkg:maven/ch.qos.logback/logback-core@1.5.38",
        "pkg:maven/org.slf4j/slf4j-api@2.0.17",
    }
    resolved = PomReader().read(path, Target(target.markers, is_network_allowed=True))
    assert purls(resolved.closures[0]) == expected
    again = PomReader().read(path, target)
    assert again == resolved
    assert again.notes == ()
