"""mvn brings jars from the registries that the user has set up: sources, else classes, many in one call."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from contracts.jvm_machine import empty_caches
from data.jars import class_bytes, jar_bytes
from depcodex.coordinates import Coordinate
from depcodex.errors import ArchiveError, DigestMismatchError, FetchError, SourceNotFoundError, StoreFullError
from depcodex_assets.ecosystems.interface import Fetched, HarvestParameters, HarvestRequest
from depcodex_assets.ecosystems.known import EcosystemFetcher
from depcodex_assets.ecosystems.maven_build import failures, is_nameable
from depcodex_assets.ecosystems.maven_fetch import MavenFetcher
from depcodex_assets.harvest import harvest

COMMAND = (sys.executable, str(Path(__file__).resolve().parents[1] / "fakes/mvn.py"))
SOURCES = jar_bytes({"a/B.java": "package a;"})
CLASSES = jar_bytes({"a/B.class": class_bytes("a/B")})
EMPTY = jar_bytes({})
COMMON = jar_bytes({"commonMain/a/B.kt": "package a"})


class Registry:
    """The folder that the fake serves."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "registry"
        self.log = folder / "log.jsonl"
        self.work = folder / "work"

    def publish(self, name: str, version: str, sources: bytes | None = None, classes: bytes | None = None) -> Path:
        place = self.folder / "example" / name / version
        place.mkdir(parents=True)
        (place / f"{name}-{version}.pom").write_text("<project/>")
        if sources is not None:
            (place / f"{name}-{version}-sources.jar").write_bytes(sources)
        if classes is not None:
            (place / f"{name}-{version}.jar").write_bytes(classes)
        return place

    @property
    def fetcher(self) -> MavenFetcher:
        return MavenFetcher(COMMAND, (("FAKE_MVN_REGISTRY", str(self.folder)), ("FAKE_MVN_LOG", str(self.log))))

    def calls(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def fetch(self, *requests: HarvestRequest, silence_seconds: float = 60) -> list[Fetched]:
        folder = self.work / f"harvest-{len(self.calls())}"
        folder.mkdir(parents=True)
        parameters = HarvestParameters(self.work, silence_seconds=silence_seconds)
        found = {each.coordinate: each for each in self.fetcher.fetch(requests, folder, parameters)}
        assert len(found) == len(requests)
        return [found[each.coordinate] for each in requests]


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    empty_caches(tmp_path / "machine", monkeypatch)
    return Registry(tmp_path)


def request(name: str, *digests: str) -> HarvestRequest:
    return HarvestRequest(Coordinate.parse(f"pkg:maven/example/{name}"), digests=digests)


def test_two_calls_bring_a_batch_and_one_failure_stops_no_other(registry: Registry) -> None:
    registry.publish("both", "1.0", SOURCES, CLASSES)
    registry.publish("both", "2.0", SOURCES, CLASSES)
    registry.publish("classes", "1.0", None, CLASSES)
    registry.publish("starter", "1.0", EMPTY, EMPTY)
    registry.publish("bom", "1.0")
    registry.publish("core", "1.0", COMMON, EMPTY)
    registry.publish("shared", "1.0", COMMON, CLASSES)
    (registry.publish("away", "1.0", SOURCES) / "unreachable").touch()
    (registry.publish("large", "1.0", SOURCES) / "full").touch()
    names = ("both@1.0", "both@2.0", "classes@1.0", "starter@1.0", "bom@1.0", "core@1.0", "shared@1.0")
    troubled = ("away@1.0", "large@1.0", "gone@1.0")
    one, two, classes, starter, bom, core, shared, away, large, gone = registry.fetch(
        *map(request, (*names, *troubled))
    )
    assert [(each.file_name, each.is_verified) for each in (one, two, classes, shared)] == [
        ("both-1.0-sources.jar", True),
        ("both-2.0-sources.jar", True),
        ("classes-1.0.jar", True),
        ("shared-1.0-sources.jar", True),
    ]
    assert one.archive is not None
    assert one.archive.read_bytes() == SOURCES
    assert one.digest == "sha256:" + hashlib.sha256(SOURCES).hexdigest()
    assert [type(each.error) for each in (starter, bom, core, gone)] == [SourceNotFoundError] * 4
    assert str(starter.error).endswith("the registry has neither sources nor classes of it")
    assert str(bom.error).endswith("the registry has neither sources nor classes of it")
    assert str(core.error).endswith("a multiplatform library's module without classes of its own; see core-jvm")
    assert str(gone.error).endswith("the registry has no such library or version")
    assert type(away.error) is FetchError
    assert type(large.error) is StoreFullError
    # The plugin's own files came with a call before; the next batch has them.
    assert len(registry.calls()) == 3
    registry.fetch(request("both@1.0"))
    assert len(registry.calls()) == 4


def test_the_users_settings_hold_and_the_users_repository_is_not_written(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAVEN_OPTS", f"-Xmx300m -Dmaven.repo.local={tmp_path / 'users'}")
    registry.publish("both", "1.0", SOURCES)
    registry.fetch(request("both@1.0"))
    for call in registry.calls():
        local = [each for each in call["arguments"] if each.startswith("-Dmaven.repo.local=")]
        assert len(local) == 1
        assert local[0].startswith(f"-Dmaven.repo.local={registry.work}")
        assert not {"-s", "--settings", "-o", "--offline"} & set(call["arguments"])
        assert call["environment"]["MAVEN_OPTS"].startswith("-Xmx300m ")
        assert f"-Djava.io.tmpdir={registry.work}" in " ".join(call["arguments"])
    assert not (tmp_path / "users").exists()


def test_a_digest_that_the_lock_does_not_name_is_refused_for_classes_only(registry: Registry) -> None:
    named = "sha256:" + hashlib.sha256(CLASSES).hexdigest()
    other = "sha256:" + "0" * 64
    registry.publish("both", "1.0", SOURCES, CLASSES)
    registry.publish("classes", "1.0", None, CLASSES)
    registry.publish("changed", "1.0", None, CLASSES)
    both, classes, changed = registry.fetch(
        request("both@1.0", named), request("classes@1.0", named), request("changed@1.0", other)
    )
    assert both.is_verified
    assert classes.is_verified
    assert isinstance(changed.error, DigestMismatchError)


def test_what_differs_from_the_registrys_own_digest_is_refused(registry: Registry) -> None:
    place = registry.publish("changed", "1.0", SOURCES)
    (place / "changed-1.0-sources.jar.sha1").write_text("0" * 40)
    silent = registry.publish("silent", "1.0", SOURCES)
    (silent / "silent-1.0-sources.jar.sha1").write_text("")
    changed, unknown = registry.fetch(request("changed@1.0"), request("silent@1.0"))
    assert isinstance(changed.error, DigestMismatchError)
    assert unknown.error is None
    assert not unknown.is_verified


def test_a_hostile_jar_is_its_own_error(registry: Registry) -> None:
    registry.publish("evil", "1.0", jar_bytes({"../evil.java": ""}))
    registry.publish("both", "1.0", SOURCES)
    evil, both = registry.fetch(request("evil@1.0"), request("both@1.0"))
    assert isinstance(evil.error, ArchiveError)
    assert both.error is None


def test_sources_that_the_registry_did_not_answer_for_are_no_missing_sources(registry: Registry) -> None:
    (registry.publish("both", "1.0", SOURCES, CLASSES) / "sources-unreachable").touch()
    (found,) = registry.fetch(request("both@1.0"))
    assert type(found.error) is FetchError
    assert str(found.error).endswith("the registry did not answer for its sources")
    assert len(registry.calls()) == 2


@pytest.mark.parametrize(
    "purl",
    [
        "pkg:maven/example/a@%24%7Benv.HOME%7D",
        "pkg:maven/%24%7Benv.HOME%7D/a@1",
        "pkg:maven/example/a@%5B1.0%2C2.0)",
        "pkg:maven/example/a@LATEST",
        "pkg:maven/a@1",
    ],
)
def test_what_maven_would_fill_in_or_choose_is_never_asked_for(purl: str, registry: Registry) -> None:
    coordinate = Coordinate.parse(purl)
    assert not is_nameable(coordinate)
    (found,) = registry.fetch(HarvestRequest(coordinate))
    assert isinstance(found.error, SourceNotFoundError)
    assert registry.calls() == []


def test_a_missing_mvn_is_said_for_each_and_may_come_later(registry: Registry, tmp_path: Path) -> None:
    fetcher = MavenFetcher((str(tmp_path / "no-mvn"),))
    (tmp_path / "batch").mkdir()
    found = list(fetcher.fetch([request("a@1"), request("b@1")], tmp_path / "batch", HarvestParameters(tmp_path)))
    assert [type(each.error) for each in found] == [FetchError, FetchError]
    assert str(found[0].error).endswith("mvn cannot be started (FileNotFoundError); install Maven")


def test_a_silent_mvn_is_ended_with_all_that_it_started(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_MVN_MODE", "silent")
    started = time.monotonic()
    (found,) = registry.fetch(request("a@1"), silence_seconds=0.5)
    assert time.monotonic() - started < 30
    assert "no sign of life" in str(found.error)


def test_an_mvn_that_fails_as_a_whole_is_tried_again_later(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    registry.publish("both", "1.0", SOURCES)
    registry.fetch(request("both@1.0"))
    tools = registry.work / "maven-tools/repository"
    assert tools.is_dir()
    monkeypatch.setenv("FAKE_MVN_MODE", "broken")
    (found,) = registry.fetch(request("both@1.0"))
    assert type(found.error) is FetchError
    # What was kept of the plugin may be what is broken.
    assert not tools.exists()
    monkeypatch.delenv("FAKE_MVN_MODE")
    (found,) = registry.fetch(request("both@1.0"))
    assert found.error is None


def test_the_words_of_other_versions_of_mvn_are_understood() -> None:
    coordinate = Coordinate.parse("pkg:maven/example/a@1")
    head = "[ERROR] Failed to execute goal on project m0: Could not resolve dependencies for project x:m0:pom:1: "
    for words, kind in (
        ("example:a:pom:1 was not found in https://here during a previous attempt.", SourceNotFoundError),
        ("Failure to find example:a:pom:1 in https://here was cached", SourceNotFoundError),
        (
            "dependency: example:a:pom:1 (compile) Could not find artifact example:a:pom:1 in central",
            SourceNotFoundError,
        ),
        ("Could not transfer artifact example:a:pom:1 from/to central: status code: 503", FetchError),
        ("The following artifacts could not be resolved: example:a:pom:1: Could not transfer artifact", FetchError),
    ):
        assert type(failures([head + words], {0: coordinate})[0]) is kind


def test_harvest_reads_what_mvn_brought_and_leaves_only_the_plugin(registry: Registry) -> None:
    registry.publish("both", "1.0", SOURCES)
    registry.publish("classes", "1.0", None, CLASSES)
    requests = [request("both@1.0"), request("classes@1.0"), request("gone@1.0")]
    table = harvest(
        requests,
        fetcher=EcosystemFetcher({"maven": lambda: registry.fetcher}),
        parameters=HarvestParameters(registry.work),
        clock=lambda: datetime(2026, 12, 1, tzinfo=UTC),
    )
    rows = table.select(["path", "language", "is_verified", "as_of", "skip_reason", "is_retryable"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("a/B.java", "java", True, "2024-05-29", None, False),
        ("a/B.class", "jvm-class", True, "2024-05-29", None, False),
        ("", "", False, "2026-12-01", "no_source", False),
    ]
    left = [path.relative_to(registry.work).as_posix() for path in registry.work.rglob("*") if path.is_file()]
    assert sorted(left) == ["maven-tools/.lock", "maven-tools/repository/plugin.jar"]


@pytest.mark.online
def test_real_maven_brings_three_sources_jars_and_the_classes_of_a_fourth(tmp_path: Path) -> None:
    names = ("org.slf4j/slf4j-api@2.0.18", "com.zaxxer/HikariCP@7.1.0", "io.ktor/ktor-events-jvm@3.5.2")
    requests = [HarvestRequest(Coordinate.parse(f"pkg:maven/{each}")) for each in (*names, "log4j/log4j@1.2.12")]
    requests.append(HarvestRequest(Coordinate.parse("pkg:maven/io.ktor/ktor-events@3.5.2")))
    table = harvest(
        requests,
        fetcher=EcosystemFetcher(),
        parameters=HarvestParameters(tmp_path / "work"),
        clock=lambda: datetime(2026, 12, 1, tzinfo=UTC),
    )
    rows = table.select(["coordinate_id", "language", "is_verified", "skip_reason"]).to_pylist()
    found = [
        {(row["language"], row["skip_reason"]) for row in rows if row["coordinate_id"] == each.coordinate.coordinate_id}
        for each in requests
    ]
    assert found == [{("java", None)}, {("java", None)}, {("kotlin", None)}, {("jvm-class", None)}, {("", "no_source")}]
    assert all(row["is_verified"] for row in rows if row["language"])
