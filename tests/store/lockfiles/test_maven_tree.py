"""Lock files and environments: maven-tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.jvm_machine import empty_caches
from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.maven_tree import MavenTreeReader


def node(name: str, version: str, scope: str = "compile", *children: dict[str, Any], **more: str) -> dict[str, Any]:
    group, _, artifact = name.rpartition(":")
    row: dict[str, Any] = {
        "groupId": group,
        "artifactId": artifact,
        "version": version,
        "type": "jar",
        "scope": scope,
        "classifier": "",
        "optional": "false",
        **more,
    }
    return {**row, "children": list(children)} if children else row


TREE = node(
    "example:service",
    "1",
    "",
    node(
        "io.ktor:ktor-server-netty-jvm",
        "3.5.2",
        "compile",
        node("org.slf4j:slf4j-api", "2.0.18"),
        node("io.ktor:ktor-server-core-jvm", "3.5.2", "compile", node("com.typesafe:config", "1.4.9", "runtime")),
    ),
    node("org.postgresql:postgresql", "42.7.4", "runtime", node("a.b:checker-qual", "3.42.0", "runtime")),
    node("jakarta.servlet:jakarta.servlet-api", "6.1.0", "provided"),
    node("org.junit.jupiter:junit-jupiter", "5.11.0", "test", node("org.opentest4j:opentest4j", "1.3.0", "test")),
    node("example:tools", "1", "system"),
)


@pytest.fixture(autouse=True)
def _no_caches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_caches(tmp_path_factory.mktemp("machine"), monkeypatch)


class TestMavenTree(LockfileReaderContract):
    format_name = "maven-tree"
    file_name = "dependency-tree.json"
    good = json.dumps(TREE, indent=2)
    good_purls = frozenset(
        {
            "pkg:maven/io.ktor/ktor-server-netty-jvm@3.5.2",
            "pkg:maven/org.slf4j/slf4j-api@2.0.18",
            "pkg:maven/io.ktor/ktor-server-core-jvm@3.5.2",
            "pkg:maven/com.typesafe/config@1.4.9",
            "pkg:maven/org.postgresql/postgresql@42.7.4",
            "pkg:maven/a.b/checker-qual@3.42.0",
            "pkg:maven/jakarta.servlet/jakarta.servlet-api@6.1.0",
        }
    )
    good_skipped = frozenset(
        {("org.junit.jupiter:junit-jupiter", "5.11.0"), ("org.opentest4j:opentest4j", "1.3.0"), ("example:tools", "1")}
    )
    empty = ""
    malformed = json.dumps(TREE)[:-30]
    wrong_version = json.dumps({"modelVersion": "5", "dependencies": [TREE]})
    wrong_type = json.dumps({**TREE, "children": {"groupId": "a"}})

    def test_scopes_distances_and_ways(self, tmp_path: Path) -> None:
        rows = {row.coordinate.name: row for row in self.read_good(tmp_path).closures[0].dependencies}
        found = {name: (str(row.scope), row.distance) for name, row in rows.items()}
        assert found == {
            "ktor-server-netty-jvm": ("declared", 1),
            "postgresql": ("declared", 1),
            "jakarta.servlet-api": ("declared", 1),
            "slf4j-api": ("importable", 2),
            "ktor-server-core-jvm": ("importable", 2),
            "checker-qual": ("all", 2),
            "config": ("all", 3),
        }
        assert rows["config"].via == (
            "pkg:maven/io.ktor/ktor-server-netty-jvm@3.5.2",
            "pkg:maven/io.ktor/ktor-server-core-jvm@3.5.2",
        )

    def test_the_test_group_is_in_where_it_is_asked_for(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, self.good)
        closure = self.reader.read(path, linux_target(groups=("test",))).closures[0]
        assert skipped(closure) == {("example:tools", "1")}
        assert "pkg:maven/org.opentest4j/opentest4j@1.3.0" in purls(closure)

    def test_a_tree_of_nodes_without_end_is_refused(self, tmp_path: Path) -> None:
        for depth in (300, 20_000):
            text = '{"groupId":"a","artifactId":"b","version":"1","children":[' * depth + "]}" * depth
            self.refuses(self.write(tmp_path, text))


def test_of_a_verbose_tree_the_nearest_version_wins_and_keeps_all_its_edges(tmp_path: Path) -> None:
    tree = node(
        "example:service",
        "1",
        "",
        node("a:one", "1", "compile", node("a:three", "1.0", "compile", node("a:four", "4"))),
        node("a:two", "1", "compile", node("a:three", "2.0")),
        node("a:three", "3.0"),
    )
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(tree))
    closure = MavenTreeReader().read(path, linux_target()).closures[0]
    assert purls(closure) == {"pkg:maven/a/one@1", "pkg:maven/a/two@1", "pkg:maven/a/three@3.0"}
    assert skipped(closure) == {("a:three", "1.0"), ("a:three", "2.0"), ("a:four", "4")}
    assert ("pkg:maven/a/one@1", "pkg:maven/a/three@3.0") in closure.edges
    assert ("pkg:maven/a/two@1", "pkg:maven/a/three@3.0") in closure.edges


def test_one_version_with_and_without_a_classifier_is_one_coordinate(tmp_path: Path) -> None:
    tree = node(
        "example:service",
        "1",
        "",
        node("a:native", "1", "compile"),
        node("a:native", "1", "runtime", classifier="linux-x86_64"),
        node("a:lib", "1", "test", classifier="tests", type="test-jar"),
        node("a:lib", "1", "runtime"),
    )
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(tree))
    closure = MavenTreeReader().read(path, linux_target()).closures[0]
    assert purls(closure) == {"pkg:maven/a/native@1", "pkg:maven/a/lib@1"}
    assert closure.skipped == ()


def test_appended_trees_are_modules_and_a_later_one_replaces_an_earlier(tmp_path: Path) -> None:
    stale = node("example:core", "1", "", node("a:old", "1"))
    root = node("example:parent", "1", "")
    core = node("example:core", "1", "", node("a:new", "2"))
    web = node("example:web", "1", "", node("example:core", "1", "compile", node("a:new", "2")))
    (tmp_path / "target").mkdir()
    path = tmp_path / "target/dependency-tree.json"
    path.write_text("\n".join(json.dumps(each) for each in (stale, root, core, web)))
    reading = read_closures(ClosureRequest(tmp_path), {})
    assert [(closure.member, purls(closure)) for closure in reading.closures] == [
        (".", set()),
        ("core", {"pkg:maven/a/new@2"}),
        ("web", {"pkg:maven/a/new@2"}),
    ]
    (own,) = reading.closures[2].skipped
    assert (own.name, own.reason) == ("example:core", "a module of this project")
    assert reading.closures[2].dependencies[0].distance == 2


def test_a_project_of_the_build_is_keyed_by_its_sources_and_never_asked_of_a_registry(tmp_path: Path) -> None:
    here = node("example:lib", "1", "compile", node("a:b", "2"), folder="lib")
    elsewhere = node("example:included", "1", "compile", folder="..")
    tree = node("example:service", "1", "", here, elsewhere, folder=".")
    path = tmp_path / "build/depcodex/dependency-tree.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([tree]))
    closure = read_closures(ClosureRequest(tmp_path), {}).closures[0]
    assert purls(closure) == {"pkg:maven/a/b@2"}
    assert {(row.name, row.reason) for row in closure.skipped} == {
        ("example:lib", "a module of this project"),
        ("example:included", "a module of this project"),
    }
    sources = tmp_path / "lib/src/main/kotlin/Lib.kt"
    sources.parent.mkdir(parents=True)
    sources.write_text("fun lib() = 1\n")
    closure = read_closures(ClosureRequest(tmp_path), {}).closures[0]
    (row,) = [each for each in closure.dependencies if each.coordinate.name == "lib"]
    assert row.coordinate.checksum
    assert (row.location, row.distance) == (str(tmp_path / "lib"), 1)
    assert dict(closure.inputs).keys() == {"build/depcodex/dependency-tree.json"}
