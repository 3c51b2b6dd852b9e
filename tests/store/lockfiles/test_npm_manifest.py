"""Lock files and environments: package.json."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from depcodex.errors import LockfileError
from depcodex.lockfiles.npm_manifest import NpmManifest, is_member, read_manifest, workspace_folders


def manifest(root: Path, *folders: str) -> None:
    for folder in folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
        (root / folder / "package.json").write_text("{}")


def test_a_root_names_its_development_too_and_each_name_once() -> None:
    found = NpmManifest.of(
        {
            "dependencies": {"a": "1", "b": "1"},
            "optionalDependencies": {"b": "2"},
            "devDependencies": {"a": "3", "c": "3"},
            "peerDependencies": {"c": "4", "d": "4", "e": "4"},
            "peerDependenciesMeta": {"e": {"optional": True}, "d": {}},
        }
    )
    root = sorted(found.asked(is_root=True))
    assert root == [("a", "1", False), ("b", "2", True), ("c", "3", False), ("d", "4", False), ("e", "4", True)]
    assert sorted(name for name, _, _ in found.asked(is_root=False)) == ["a", "b", "c", "d", "e"]
    assert ("c", "4", False) in set(found.asked(is_root=False))


def test_workspaces_are_the_folders_with_a_manifest_that_patterns_mean(tmp_path: Path) -> None:
    manifest(
        tmp_path, "packages/a", "packages/b", "packages/a/inner", "apps/x/deep", "node_modules/c", "packages/.hidden"
    )
    (tmp_path / "packages/empty").mkdir()
    (tmp_path / "packages/linked").symlink_to(tmp_path / "apps/x/deep")
    assert workspace_folders(tmp_path, ["packages/*", "!packages/b"]) == ("packages/a",)
    assert workspace_folders(tmp_path, ["./apps/**"]) == ("apps/x/deep",)
    assert workspace_folders(tmp_path, ["{apps/x,packages}/*"]) == ("apps/x/deep", "packages/a", "packages/b")
    assert workspace_folders(tmp_path, ["**"]) == ("apps/x/deep", "packages/a", "packages/a/inner", "packages/b")
    assert workspace_folders(tmp_path, []) == ()
    assert workspace_folders(tmp_path, ["../*", "/etc/*"]) == ()


def test_hostile_patterns_end() -> None:
    start = time.perf_counter()
    path = "/".join("a" * 40)
    assert not is_member(path, ["**/a/" * 40 + "b"])
    assert not is_member(path, ["{a,b}" * 40])
    assert not is_member(path, ["{" + "," * 200_000])
    assert not is_member("a" * 200, ["*a" * 30 + "b"])
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    "fields",
    [
        {"dependencies": [1]},
        {"dependencies": 3},
        {"workspaces": [3]},
        {"workspaces": 3},
        {"name": 3},
        {"peerDependenciesMeta": [1]},
    ],
)
def test_a_field_of_the_wrong_type_is_refused(tmp_path: Path, fields: dict[str, object]) -> None:
    (tmp_path / "package.json").write_text(json.dumps(fields))
    with pytest.raises(LockfileError):
        read_manifest(tmp_path, LockfileError)


def test_an_absent_manifest_is_none(tmp_path: Path) -> None:
    assert read_manifest(tmp_path, LockfileError) is None
