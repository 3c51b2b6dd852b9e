"""Lock files and environments: packages from git, addresses and archives that lie installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from contracts.lockfile_reader import linux_target
from depcodex.closure import Closure
from depcodex.lockfiles.npm import NpmReader
from depcodex.lockfiles.pnpm import PnpmReader

GIT = "git+ssh://git@host.example/tool.git#0123456789abcdef0123456789abcdef01234567"
ROW = {"version": "1.0.0", "resolved": GIT}


def install(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "index.js").write_text("exports.a = 1\n")
    (folder / "package.json").write_text('{"name": "tool", "version": "1.0.0"}')


def read_npm(root: Path, installed: object) -> Closure:
    install(root / "node_modules/tool")
    (root / "node_modules/.package-lock.json").write_text(json.dumps(installed))
    packages = {"": {"dependencies": {"tool": "github:x/tool"}}, "node_modules/tool": ROW}
    path = root / "package-lock.json"
    path.write_text(json.dumps({"lockfileVersion": 3, "packages": packages}))
    return NpmReader().read(path, linux_target()).closures[0]


def test_the_commit_that_npm_says_it_installed_is_keyed_by_its_tree(tmp_path: Path) -> None:
    (row,) = read_npm(tmp_path, {"lockfileVersion": 3, "packages": {"node_modules/tool": ROW}}).dependencies
    assert row.coordinate.purl.startswith("pkg:npm/tool@1.0.0?checksum=sha256:")
    assert row.location == str(tmp_path / "node_modules/tool")


@pytest.mark.parametrize(
    "installed",
    [
        {"packages": {"node_modules/tool": {**ROW, "resolved": GIT.replace("0123", "ffff")}}},
        {"packages": {"node_modules/tool": {**ROW, "version": "1.0.1"}}},
        {"packages": {"node_modules/tool": 3}},
        {"packages": []},
        {},
        [],
    ],
)
def test_another_commit_does_not_serve(tmp_path: Path, installed: object) -> None:
    closure = read_npm(tmp_path, installed)
    assert closure.dependencies == ()
    assert [row.reason for row in closure.skipped] == ["git source, not on this machine"]


PNPM = """lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      tool: {specifier: github:x/tool, version: https://codeload.host.example/x/tool/tar.gz/0123}
packages:
  tool@https://codeload.host.example/x/tool/tar.gz/0123:
    resolution: {tarball: https://codeload.host.example/x/tool/tar.gz/0123}
    version: 1.0.0
snapshots:
  tool@https://codeload.host.example/x/tool/tar.gz/0123: {}
"""


def read_pnpm(root: Path, installed: str) -> Closure:
    install(root / "node_modules/.pnpm/tool@https+++x/node_modules/tool")
    (root / "node_modules/.pnpm/lock.yaml").write_text(installed)
    path = root / "pnpm-lock.yaml"
    path.write_text(PNPM)
    return PnpmReader().read(path, linux_target()).closures[0]


def test_the_commit_that_pnpm_says_it_installed_is_keyed_by_its_tree(tmp_path: Path) -> None:
    (row,) = read_pnpm(tmp_path, PNPM).dependencies
    assert row.coordinate.checksum
    assert row.location == str(tmp_path / "node_modules/.pnpm/tool@https+++x/node_modules/tool")


def test_two_folders_of_one_version_cannot_be_told_apart(tmp_path: Path) -> None:
    install(tmp_path / "node_modules/.pnpm/tool@https+++y/node_modules/tool")
    assert read_pnpm(tmp_path, PNPM).dependencies == ()


@pytest.mark.parametrize("installed", ["", "packages: []\n", "[", PNPM.replace("tarball: https", "tarball: http")])
def test_another_list_of_pnpm_does_not_serve(tmp_path: Path, installed: str) -> None:
    assert read_pnpm(tmp_path, installed).dependencies == ()
