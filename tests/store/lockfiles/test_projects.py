"""Lock files and environments: projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.installs import install, make_environment
from depcodex.errors import AmbiguousClosureError, LockfileError, NoClosureError, UsageError
from depcodex.lockfiles import ClosureRequest, read_closures

UV = """version = 1
[[package]]
name = "app"
version = "0.1"
source = {{ virtual = "." }}
dependencies = [{{ name = "client" }}]
[package.dev-dependencies]
dev = [{{ name = "client" }}]
[[package]]
name = "client"
version = "{version}"
source = {{ registry = "https://index.example.invalid/simple" }}
"""


def request(path: Path, **options: object) -> ClosureRequest:
    return ClosureRequest(path, **options)  # type: ignore[arg-type]


def test_locks_that_agree_are_read_in_the_order_of_preference(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(UV.format(version="2.0"))
    (tmp_path / "requirements.txt").write_text("client==2.0\nother==1\n")
    assert read_closures(request(tmp_path), {}).closures[0].format == "uv"


def test_locks_that_disagree_are_refused_by_name_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(UV.format(version="2.0"))
    (tmp_path / "requirements.txt").write_text("client==2.1\n")
    with pytest.raises(AmbiguousClosureError) as caught:
        read_closures(request(tmp_path), {})
    message = str(caught.value)
    assert all(part in message for part in ("uv.lock", "requirements.txt", "client", "2.0", "2.1"))
    assert "--format uv or --format requirements" in message
    assert read_closures(request(tmp_path, format="requirements"), {}).closures[0].format == "requirements"


def test_a_marker_that_leaves_the_other_version_out_is_no_disagreement(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(UV.format(version="2.0"))
    (tmp_path / "requirements.txt").write_text("client==2.1; python_version < '3'\nclient==2.0; python_version > '3'\n")
    assert read_closures(request(tmp_path), {}).closures[0].format == "uv"


def test_the_lock_decides_and_an_environment_that_differs_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(UV.format(version="2.0"))
    install(make_environment(tmp_path / ".venv"), "client", "1.9")
    reading = read_closures(request(tmp_path), {})
    assert [row.coordinate.version for row in reading.closures[0].dependencies] == ["2.0"]
    assert len(reading.notes) == 1
    assert "client 2.0 (installed: 1.9)" in reading.notes[0]
    assert reading.closures[0].site_packages


def test_the_environments_python_decides_markers_and_the_option_overrides_it(tmp_path: Path) -> None:
    make_environment(tmp_path / ".venv", "3.13.1")
    (tmp_path / "requirements.txt").write_text("a==1; python_version >= '3.13'\nb==1; python_version < '3.13'\n")
    assert [row.coordinate.name for row in read_closures(request(tmp_path), {}).closures[0].dependencies] == ["a"]
    older = read_closures(request(tmp_path, python="3.11"), {}).closures[0]
    assert [row.coordinate.name for row in older.dependencies] == ["b"]


def test_requirements_that_pin_nothing_are_no_lock(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("client>=1\n")
    with pytest.raises(NoClosureError):
        read_closures(request(tmp_path), {})
    install(make_environment(tmp_path / ".venv"), "client", "1.9")
    closure = read_closures(request(tmp_path), {}).closures[0]
    assert closure.format == "environment"
    assert closure.dependencies[0].distance == 1


def test_a_lock_file_can_be_named_itself_under_any_name(tmp_path: Path) -> None:
    path = tmp_path / "frozen"
    path.write_text("client==2.0\n")
    assert read_closures(request(path), {}).closures[0].format == "requirements"


def test_an_environment_can_be_named_itself(tmp_path: Path) -> None:
    install(make_environment(tmp_path / "env"), "client", "1.9")
    assert read_closures(request(tmp_path / "env"), {}).closures[0].format == "environment"


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"format": "nonsense"}, "--format"),
        ({"python": "three"}, "--python"),
        ({"groups": ("absent",)}, "--group absent"),
        ({"extras": ("absent",)}, "--extra absent"),
    ],
)
def test_what_does_not_exist_is_refused_by_its_option(tmp_path: Path, options: dict[str, object], part: str) -> None:
    (tmp_path / "uv.lock").write_text(UV.format(version="2.0"))
    with pytest.raises(UsageError, match=part):
        read_closures(request(tmp_path, **options), {})


def test_a_broken_lock_is_refused_even_beside_a_good_one(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text("this is not TOML")
    (tmp_path / "requirements.txt").write_text("client==2.0\n")
    with pytest.raises(LockfileError):
        read_closures(request(tmp_path), {})


def test_an_absent_project_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        read_closures(request(tmp_path / "absent"), {})
    with pytest.raises(NoClosureError):
        read_closures(request(tmp_path), {})
    with pytest.raises(NoClosureError, match="pdm"):
        read_closures(request(tmp_path, format="pdm"), {})


def test_a_member_without_a_lock_is_sent_to_its_workspace(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").write_text(UV.format(version="2.0"))
    (tmp_path / "packages/a").mkdir(parents=True)
    with pytest.raises(NoClosureError, match="depcodex record"):
        read_closures(request(tmp_path / "packages/a"), {})


def test_a_file_of_no_known_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("this is not valid toml! (I think)\n")
    with pytest.raises(LockfileError, match="--format"):
        read_closures(request(path), {})
