"""The library: records."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from depcodex import records
from depcodex.closure import Closure, ProjectRecord, ResolvedDependency, Scope
from depcodex.coordinates import Coordinate
from depcodex.errors import NoClosureError
from depcodex.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


def record_of(project: Path, scope: Scope = Scope.IMPORTABLE, members: tuple[str, ...] = (".",)) -> ProjectRecord:
    row = ResolvedDependency(Coordinate.of("pypi", "client", "2.0"), Scope.DECLARED, 1)
    return ProjectRecord(str(project), tuple(Closure("uv", each, (row,)) for each in members), scope, "now")


def test_a_record_comes_back_by_its_projects_path(settings: Settings, tmp_path: Path) -> None:
    record = record_of(tmp_path)
    path = records.write_record(settings, record)
    assert path == settings.inbox / f"{records.project_key(tmp_path)}.json"
    assert len(path.stem) == 32
    assert records.read_record(settings, tmp_path) == record


def test_the_inbox_is_for_its_owner_only(settings: Settings, tmp_path: Path) -> None:
    path = records.write_record(settings, record_of(tmp_path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_project_that_was_never_recorded_is_told_the_command(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(NoClosureError) as caught:
        records.read_record(settings, tmp_path / "a project")
    assert f"depcodex record '{tmp_path / 'a project'}'" in str(caught.value)


def test_a_member_is_asked_by_its_path_and_other_folders_below_are_not_answered(
    settings: Settings, tmp_path: Path
) -> None:
    records.write_record(settings, record_of(tmp_path, members=(".", "packages/a")))
    assert [each.member for each in records.read_record(settings, tmp_path / "packages/a").members] == ["packages/a"]
    with pytest.raises(NoClosureError):
        records.read_record(settings, tmp_path / "vendored")


def test_a_hostile_copy_in_the_project_is_never_read(settings: Settings, tmp_path: Path) -> None:
    records.write_record(settings, record_of(tmp_path, Scope.DECLARED))
    copy = tmp_path / ".depcodex/closure.json"
    copy.parent.mkdir()
    copy.write_bytes(records.encode_record(record_of(tmp_path, Scope.ALL)))
    assert records.read_record(settings, tmp_path).scope is Scope.DECLARED
    assert records.earlier(settings, tmp_path).scope is Scope.DECLARED


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema_version": 1}', '{"schema_version": 99}', "[" * 100_000])
def test_a_corrupt_record_is_a_typed_error_and_the_others_are_still_read(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture, content: str
) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    records.write_record(settings, record_of(good))
    records.write_record(settings, record_of(bad)).write_text(content)
    with pytest.raises(records.CorruptRecordError) as caught:
        records.read_record(settings, bad)
    assert "\n" not in str(caught.value)
    with caplog.at_level(logging.WARNING):
        assert [each.project for each in records.read_all(settings)] == [str(good)]
    assert "record the project again" in caplog.text
    assert records.earlier(settings, bad).scope is None


def test_a_record_under_another_projects_name_is_refused(settings: Settings, tmp_path: Path) -> None:
    path = records.write_record(settings, record_of(tmp_path / "a"))
    path.rename(records.record_path(settings, tmp_path / "b"))
    with pytest.raises(records.CorruptRecordError, match="another project"):
        records.read_record(settings, tmp_path / "b")


def test_no_inbox_is_no_record(settings: Settings) -> None:
    assert records.read_all(settings) == ()


def test_writing_leaves_no_temporary_file_behind_even_when_it_fails(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records.write_record(settings, record_of(tmp_path))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        records.write_record(settings, record_of(tmp_path, Scope.ALL))
    assert [each.name for each in settings.inbox.iterdir()] == [f"{records.project_key(tmp_path)}.json"]
    assert records.read_record(settings, tmp_path).scope is Scope.IMPORTABLE


def test_the_time_is_utc_to_the_second(tmp_path: Path) -> None:
    from depcodex.lockfiles import Reading

    moment = datetime(2026, 11, 30, 12, 0, 1, 999, tzinfo=UTC)
    record = records.make_record(Reading(record_of(tmp_path).members), tmp_path, Scope.ALL, moment)
    assert record.recorded_at == "2026-11-30T12:00:01+00:00"


def test_both_files_are_plain_json_with_version_members_and_union(settings: Settings, tmp_path: Path) -> None:
    record = record_of(tmp_path)
    inbox, copy = records.write_record(settings, record), records.write_copy(record)
    assert inbox.read_bytes() == copy.read_bytes()
    value = json.loads(copy.read_bytes())
    assert value["schema_version"] == 1
    assert {"members", "union"} <= value.keys()
    assert copy.parent.parent.samefile(tmp_path)
