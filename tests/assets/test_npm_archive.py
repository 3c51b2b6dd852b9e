"""What of an npm tarball is read: manifests, README, declarations, and sources where nothing better answers."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from data.hostile_archives import HOSTILE
from data.npm_packages import write_tarball
from depcodex.coordinates import Coordinate
from depcodex.errors import ArchiveError, CorruptArchiveError
from depcodex.trees import NPM_TREE, source_files, tree_digest
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import HarvestParameters, HarvestRequest, SourceTree, TreeChangedError
from depcodex_assets.ecosystems.known import ECOSYSTEMS
from depcodex_assets.ecosystems.npm_archive import read_tarball
from depcodex_assets.ecosystems.npm_installed import InstalledModules, read_installed, read_local

TODAY = date(2026, 12, 1)


def coordinate(text: str = "alpha@1.0.0") -> Coordinate:
    return Coordinate.parse(f"pkg:npm/{text}")


def read(path: Path, wanted: Coordinate | None = None) -> SourceTree:
    return read_tarball(path, wanted or coordinate(), Limits(), TODAY, digest="sha256:0", is_verified=True)


def paths(tree: SourceTree) -> list[str]:
    return [each.path for each in tree.files if each.skip_reason is None]


def test_declarations_are_read_and_not_the_javascript_that_they_describe(tmp_path: Path) -> None:
    files = {
        "index.d.ts": "export {}",
        "index.js": "",
        "lib/more.d.ts": "",
        "lib/more.js": "",
        "README.md": "# alpha",
        "docs/README.md": "",
        "LICENSE": "",
        "node_modules/inner/index.d.ts": "",
        "lib/package.json": "{}",
    }
    tree = read(write_tarball(tmp_path, "alpha", "1.0.0", files, manifest={"types": "index.d.ts", "main": "index.js"}))
    assert paths(tree) == ["README.md", "index.d.ts", "lib/more.d.ts", "lib/package.json", "package.json"]
    assert all(each.is_verified for each in tree.files)
    assert tree.released_on == ""


def test_javascript_is_read_where_nothing_declares_it(tmp_path: Path) -> None:
    files = {"index.js": "", "lib/a.js": "", "lib/b.js": "", "lib/b.d.ts": "", "test/a.js": "", "style.css": ""}
    tree = read(write_tarball(tmp_path, "alpha", "1.0.0", files))
    assert paths(tree) == ["index.js", "lib/a.js", "lib/b.d.ts", "package.json"]


def test_typescript_is_read_where_no_declarations_were_made_of_it(tmp_path: Path) -> None:
    files = {"src/index.ts": "", "src/index.js": "", "src/view.tsx": "", "src/view.test.ts": ""}
    tree = read(write_tarball(tmp_path, "alpha", "1.0.0", files, manifest={"exports": "./src/index.ts"}))
    assert paths(tree) == ["package.json", "src/index.ts", "src/view.test.ts", "src/view.tsx"]


def test_bundles_are_skipped_with_their_reason(tmp_path: Path) -> None:
    files = {
        "index.js": "module.exports = require('./a.min.js')",
        "a.min.js": "var a=" + "1+" * 9000 + "1",
        "big.js": "// words\n" * 200_000,
    }
    tree = read(write_tarball(tmp_path, "alpha", "1.0.0", files))
    assert {each.path: each.skip_reason for each in tree.files if each.skip_reason} == {
        "a.min.js": "limit:minified",
        "big.js": "limit:file",
    }


@pytest.mark.parametrize("top", ["package", "alpha", "node-alpha v1"])
def test_the_top_folder_may_have_any_name(tmp_path: Path, top: str) -> None:
    tree = read(write_tarball(tmp_path, "alpha", "1.0.0", {"index.d.ts": ""}, top=top))
    assert paths(tree) == ["index.d.ts", "package.json"]


@pytest.mark.parametrize("manifest", [{"name": "beta"}, {"version": "2.0.0"}, {"name": 7}, {"name": None}])
def test_a_tarball_of_another_package_is_refused(tmp_path: Path, manifest: dict[str, object]) -> None:
    path = write_tarball(tmp_path, "alpha", "1.0.0", {"index.js": ""}, manifest=manifest)
    with pytest.raises(CorruptArchiveError):
        read(path)


def test_a_tarball_without_a_manifest_is_refused(tmp_path: Path) -> None:
    path = write_tarball(tmp_path, "alpha", "1.0.0", {"package.json": "no json"})
    with pytest.raises(CorruptArchiveError):
        read(path)


@pytest.mark.parametrize(
    "write", [each for each, _ in HOSTILE if "slow" not in each.__name__ and "many" not in each.__name__]
)
def test_hostile_archives_are_refused_or_are_no_package(tmp_path: Path, write: object) -> None:
    path = tmp_path / "archive"
    write(path)  # type: ignore[operator]
    with pytest.raises(ArchiveError):
        read(path)


def install(root: Path, name: str, version: str, files: dict[str, str], **manifest: object) -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version, **manifest}))
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    return folder


def test_node_modules_answer_for_exactly_the_version_and_never_verified(tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    install(modules, "alpha", "2.0.0", {"index.d.ts": "new"})
    host = install(modules, "host", "1.0.0", {"index.js": ""})
    install(host / "node_modules", "alpha", "1.0.0", {"index.d.ts": "old"})
    install(modules / ".pnpm" / "@s+beta@1.0.0" / "node_modules", "@s/beta", "1.0.0", {"index.d.ts": "pnpm"})
    found = {}
    for text in ("alpha@1.0.0", "alpha@2.0.0", "%40s/beta@1.0.0"):
        request = HarvestRequest(coordinate(text), source_folders=(str(modules),))
        tree = read_installed(request, InstalledModules(), Limits())
        assert tree is not None
        assert not any(each.is_verified for each in tree.files)
        found[text] = next(each.content for each in tree.files if each.path == "index.d.ts")
    assert found == {"alpha@1.0.0": b"old", "alpha@2.0.0": b"new", "%40s/beta@1.0.0": b"pnpm"}
    missing = HarvestRequest(coordinate("alpha@3.0.0"), source_folders=(str(modules),))
    assert read_installed(missing, InstalledModules(), Limits()) is None


@pytest.mark.parametrize("is_offline", [False, True])
def test_node_modules_are_asked_only_where_nothing_may_be_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_offline: bool
) -> None:
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    install(tmp_path / "node_modules", "alpha", "1.0.0", {"index.d.ts": ""})
    parameters = HarvestParameters(tmp_path / "work", is_offline=is_offline)
    in_place = ECOSYSTEMS["npm"].open_in_place(parameters)
    tree = in_place(HarvestRequest(coordinate(), source_folders=(str(tmp_path / "node_modules"),)))
    assert (tree is not None) is is_offline


def test_a_workspace_member_is_held_against_its_checksum(tmp_path: Path) -> None:
    folder = install(tmp_path, "member", "1.0.0", {"src/index.ts": "export const a = 1", "node_modules/x/index.js": ""})
    digest = tree_digest(folder, source_files(folder, NPM_TREE))
    request = HarvestRequest(coordinate("member@1.0.0").with_checksum(digest), location=str(folder))
    tree = read_local(request, Limits())
    assert [(each.path, each.is_verified) for each in tree.files] == [("package.json", True), ("src/index.ts", True)]
    (folder / "src/index.ts").write_text("export const b = 1")
    with pytest.raises(TreeChangedError):
        read_local(request, Limits())
    with pytest.raises(TreeChangedError):
        read_local(HarvestRequest(request.coordinate, location=str(tmp_path / "gone")), Limits())


def test_links_lead_nowhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret.ts"
    secret.write_text("export const secret = 1")
    folder = install(tmp_path / "node_modules", "alpha", "1.0.0", {"index.d.ts": ""})
    (folder / "more.d.ts").symlink_to(secret)
    request = HarvestRequest(coordinate(), source_folders=(str(tmp_path / "node_modules"),))
    tree = read_installed(request, InstalledModules(), Limits())
    assert tree is not None
    assert paths(tree) == ["index.d.ts", "package.json"]
