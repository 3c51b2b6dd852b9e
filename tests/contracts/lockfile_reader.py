"""What every reader of a lock file promises, as tests that each reader's own test class inherits.

Here: the promises that hold for all formats. Not here: a format's own data and rules
(tests/store/lockfiles/test_<format>.py).
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from depcodex.closure import Closure
from depcodex.errors import LockfileError
from depcodex.lockfiles.detection import reader_named, reader_of
from depcodex.lockfiles.installed import InstalledEnvironment
from depcodex.lockfiles.interface import LockfileReader, Reading, Target
from depcodex.markers import MarkerEnvironment, target_environment

LINUX = {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux", "platform_machine": "x86_64"}


def linux_target(
    python: str = "3.12.4",
    *,
    groups: tuple[str, ...] = (),
    extras: tuple[str, ...] = (),
    installed: InstalledEnvironment | None = None,
    project: Path | None = None,
) -> Target:
    """A target that is the same on every machine that runs the tests."""
    variables = {**target_environment(python, "cpython").variables, **LINUX}
    return Target(MarkerEnvironment(variables), frozenset(groups), frozenset(extras), installed, project)


def purls(closure: Closure) -> set[str]:
    return {row.coordinate.purl for row in closure.dependencies}


def skipped(closure: Closure) -> set[tuple[str, str]]:
    return {(row.name, row.version) for row in closure.skipped}


class LockfileReaderContract:
    """Inherit, and set the data. ``good`` is for ``linux_target()``; every text is a whole file."""

    format_name: str
    file_name: str
    good: str
    good_purls: frozenset[str]
    good_skipped: frozenset[tuple[str, str]]
    empty: str
    malformed: str
    wrong_version: str
    wrong_type: str
    good_manifest: str = ""
    manifest_name: str = "pyproject.toml"

    @property
    def reader(self) -> LockfileReader:
        return reader_named(self.format_name)

    def write(self, folder: Path, text: str, manifest: str = "") -> Path:
        path = folder / self.file_name
        path.write_text(text, encoding="utf-8")
        if manifest:
            (folder / self.manifest_name).write_text(manifest, encoding="utf-8")
        return path

    def read_good(self, folder: Path) -> Reading:
        return self.reader.read(self.write(folder, self.good, self.good_manifest), linux_target())

    def test_a_good_file_resolves_to_what_the_tool_would_install(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        assert purls(closure) == self.good_purls
        assert skipped(closure) == self.good_skipped

    def test_every_left_out_package_has_a_reason(self, tmp_path: Path) -> None:
        assert all(row.reason for row in self.read_good(tmp_path).closures[0].skipped)

    def test_an_empty_file_is_an_empty_closure(self, tmp_path: Path) -> None:
        closure = self.reader.read(self.write(tmp_path, self.empty), linux_target()).closures[0]
        assert closure.dependencies == ()
        assert closure.skipped == ()

    def test_a_malformed_file_is_the_formats_own_error_on_one_line(self, tmp_path: Path) -> None:
        self.refuses(self.write(tmp_path, self.malformed))

    def test_a_field_of_the_wrong_type_is_the_formats_own_error(self, tmp_path: Path) -> None:
        self.refuses(self.write(tmp_path, self.wrong_type))

    def test_another_lock_version_is_refused(self, tmp_path: Path) -> None:
        self.refuses(self.write(tmp_path, self.wrong_version))

    def test_bytes_that_are_no_text_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / self.file_name
        path.write_bytes(self.good.encode() + b"\xff\xfe\x00")
        self.refuses(path)

    def test_an_absent_file_is_refused(self, tmp_path: Path) -> None:
        self.refuses(tmp_path / self.file_name)

    def refuses(self, path: Path) -> None:
        with pytest.raises(LockfileError) as caught:
            self.reader.read(path, linux_target())
        assert type(caught.value) is self.reader.error
        assert caught.value.format_name == self.format_name
        assert caught.value.exit_status == 2
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)

    def test_a_file_cut_off_anywhere_is_read_or_refused_and_never_breaks(self, tmp_path: Path) -> None:
        for part in range(1, 12):
            path = self.write(tmp_path, self.good[: len(self.good) * part // 12], self.good_manifest)
            with contextlib.suppress(LockfileError):
                self.reader.read(path, linux_target())

    def test_reading_twice_gives_the_same(self, tmp_path: Path) -> None:
        assert self.read_good(tmp_path) == self.read_good(tmp_path)

    def test_a_closure_keeps_its_promises(self, tmp_path: Path) -> None:
        for closure in self.read_good(tmp_path).closures:
            names = [row.coordinate.purl for row in closure.dependencies]
            assert names == sorted(set(names))
            assert list(closure.edges) == sorted(set(closure.edges))
            assert {purl for edge in closure.edges for purl in edge} <= set(names)
            assert list(closure.skipped) == sorted(closure.skipped, key=lambda row: (row.name, row.version))
            assert closure.environment["python_version"] == "3.12"
            for row in closure.dependencies:
                assert set(row.via) <= set(names)
                assert row.distance is None or row.distance == 1 or len(row.via) < row.distance
                assert (row.distance == 1) == (row.scope == "declared")
                # A step without a coordinate has no purl to show: then the last one shown is no parent.
                if row.via and len(row.via) + 1 == row.distance:
                    assert (row.via[-1], row.coordinate.purl) in closure.edges

    def test_the_files_read_are_named_with_their_digests(self, tmp_path: Path) -> None:
        inputs = dict(self.read_good(tmp_path).closures[0].inputs)
        assert inputs[self.file_name].startswith("sha256:")
        assert len(inputs[self.file_name]) == 71

    def test_the_format_is_recognised_under_any_name(self, tmp_path: Path) -> None:
        path = tmp_path / "frozen-for-release.txt"
        path.write_text(self.good, encoding="utf-8")
        assert reader_of(path).name == self.format_name
