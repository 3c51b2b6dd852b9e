"""Lock files of the JVM that nobody wrote in good faith: read, or refused with the format's own error, at once."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.jvm_machine import empty_caches
from contracts.lockfile_reader import linux_target
from depcodex.closure import closure_to_json
from depcodex.errors import LockfileError
from depcodex.lockfiles.detection import reader_named
from depcodex.lockfiles.jvm_caches import JvmCaches

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
PARTS = st.sampled_from(
    ("a", "io.ktor", "..", "", "/", "\\", "\u202e", "ä", "1.0", "1.0-SNAPSHOT", "[1,2)", "${x}", "%2e", "x" * 500)
)
TAGS = (
    "project",
    "modelVersion",
    "parent",
    "dependencies",
    "dependency",
    "groupId",
    "artifactId",
    "version",
    "module",
    "modules",
    "properties",
    "profiles",
    "profile",
    "dependencyManagement",
    "relativePath",
    "scope",
    "type",
)


@pytest.fixture(autouse=True)
def _no_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty_caches(tmp_path / "machine", monkeypatch)


def read(format_name: str, path: Path, content: bytes) -> None:
    """Read or refuse; what was read can be recorded."""
    path.write_bytes(content)
    reader = reader_named(format_name)
    with contextlib.suppress(LockfileError):
        for closure in reader.read(path, linux_target()).closures:
            json.dumps(closure_to_json(closure))


@QUICK
@given(lines=st.lists(st.tuples(PARTS, PARTS, PARTS, PARTS), max_size=6), tail=st.text(max_size=40))
def test_any_lines_are_a_lock_or_refused(lines: list[tuple[str, str, str, str]], tail: str, tmp_path: Path) -> None:
    text = "\n".join(f"{group}:{name}:{version}={use}" for group, name, version, use in lines) + tail
    read("gradle", tmp_path / "gradle.lockfile", text.encode("utf-8", "replace"))


TREES = st.recursive(
    st.fixed_dictionaries({"groupId": PARTS, "artifactId": PARTS, "version": PARTS}),
    lambda below: st.fixed_dictionaries(
        {"groupId": PARTS, "artifactId": PARTS, "version": PARTS, "scope": PARTS, "folder": PARTS},
        optional={"children": st.lists(below, max_size=3)},
    ),
    max_leaves=12,
)


@QUICK
@given(value=TREES | st.lists(TREES, max_size=3) | st.recursive(st.none() | st.text(), st.lists))
def test_any_json_is_a_tree_or_refused(value: object, tmp_path: Path) -> None:
    read("maven-tree", tmp_path / "dependency-tree.json", json.dumps(value).encode())


ELEMENTS = st.recursive(
    PARTS.map(lambda text: text.replace("\\", "")),
    lambda below: st.tuples(st.sampled_from(TAGS), st.lists(below, max_size=4)).map(
        lambda row: f"<{row[0]}>{''.join(row[1])}</{row[0]}>"
    ),
    max_leaves=25,
)


@QUICK
@given(inside=st.lists(ELEMENTS, max_size=4), tail=st.binary(max_size=5))
def test_any_elements_are_a_pom_or_refused(inside: list[str], tail: bytes, tmp_path: Path) -> None:
    read("pom", tmp_path / "pom.xml", f"<project>{''.join(inside)}</project>".encode() + tail)
    read("gradle-verification", tmp_path / "verification-metadata.xml", f"<project>{''.join(inside)}".encode() + tail)


@pytest.mark.parametrize("part", ["..", "../..", "a/../../b", "/etc", "a\\b", "a\0b", ""])
def test_no_part_of_a_coordinate_leads_out_of_a_cache(part: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret-1.jar"
    secret.write_bytes(b"")
    caches = JvmCaches(tmp_path / "m2", tmp_path / "gradle-home")
    for group, artifact, version in ((part, "secret", "1"), ("a", part, "1"), ("a", "secret", part)):
        assert list(caches.files(group, artifact, version, ".jar")) == []


def test_ten_thousand_lines_take_no_time(tmp_path: Path) -> None:
    lines = (f"com.example.g{n % 300}:artifact-{n}:1.{n}=compileClasspath,testRuntimeClasspath" for n in range(10_000))
    path = tmp_path / "gradle.lockfile"
    path.write_text("\n".join(lines))
    started = time.monotonic()
    (closure,) = reader_named("gradle").read(path, linux_target()).closures
    assert len(closure.dependencies) == 10_000
    assert time.monotonic() - started < 20
