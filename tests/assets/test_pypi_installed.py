"""Installed trees answer for a plain coordinate only as their RECORD has them."""

from __future__ import annotations

import json
import os
import sysconfig
from pathlib import Path

import pytest

from data.nested_folders import nested
from data.releases import install
from depcodex.closure import ResolvedDependency
from depcodex.coordinates import Coordinate
from depcodex.trees import tree_digest
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import HarvestRequest
from depcodex_assets.ecosystems.pypi_installed import (
    InstalledPackages,
    Status,
    read_installed,
    rekeyed,
    verify_installed,
)

FILES = {"demo/__init__.py": "'''Demo.'''\n", "demo/core.py": "def run(): ...\n", "demo/tests/test_core.py": "\n"}
DEMO = Coordinate.parse("pkg:pypi/demo@1.0")


def status(folder: Path, coordinate: Coordinate = DEMO) -> Status:
    return verify_installed([str(folder)], coordinate).status


def test_a_tree_as_it_was_installed_is_verified_and_read_without_its_tests(tmp_path: Path) -> None:
    install(tmp_path, "demo", "1.0", FILES)
    assert status(tmp_path) is Status.VERIFIED
    request = HarvestRequest(DEMO, site_packages=(str(tmp_path),))
    tree = read_installed(request, InstalledPackages(), Limits())
    assert tree is not None
    assert [(file.path, file.is_verified) for file in tree.files] == [
        ("demo/__init__.py", True),
        ("demo/core.py", True),
    ]
    assert tree.files[1].content == b"def run(): ...\n"


@pytest.mark.parametrize("path", ["demo/core.py", "demo/extra.py", "demo/new/deep.py", "demo/stub.pyi"])
def test_a_changed_or_added_file_makes_the_tree_edited(tmp_path: Path, path: str) -> None:
    install(tmp_path, "demo", "1.0", FILES)
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text("def run(): 'changed'\n")
    assert status(tmp_path) is Status.EDITED


def test_a_removed_file_makes_the_tree_edited(tmp_path: Path) -> None:
    install(tmp_path, "demo", "1.0", FILES)
    (tmp_path / "demo/core.py").unlink()
    assert status(tmp_path) is Status.EDITED


@pytest.mark.parametrize(
    "path", ["demo/tests/test_more.py", "demo/data.json", "demo/__pycache__/core.py", "other/x.py"]
)
def test_files_that_are_never_read_change_nothing(tmp_path: Path, path: str) -> None:
    install(tmp_path, "demo", "1.0", FILES)
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text("x")
    assert status(tmp_path) is Status.VERIFIED


def test_two_distributions_in_one_namespace_are_told_apart(tmp_path: Path) -> None:
    install(tmp_path, "ns-a", "1.0", {"ns/a/__init__.py": "", "ns/a/x.py": ""})
    install(tmp_path, "ns-b", "1.0", {"ns/b/__init__.py": ""})
    (tmp_path / "ns/b/added.py").write_text("")
    assert status(tmp_path, Coordinate.parse("pkg:pypi/ns-a@1.0")) is Status.VERIFIED
    assert status(tmp_path, Coordinate.parse("pkg:pypi/ns-b@1.0")) is Status.EDITED


def test_an_edited_tree_answers_only_under_its_checksum(tmp_path: Path) -> None:
    install(tmp_path, "demo", "1.0", FILES)
    (tmp_path / "demo/core.py").write_text("def run(): 'mine'\n")
    keyed = rekeyed([ResolvedDependency(DEMO)], [str(tmp_path)])[DEMO]
    paths = ["demo/__init__.py", "demo/core.py"]
    assert keyed.checksum == "sha256:" + tree_digest(tmp_path, paths)
    site_packages = (str(tmp_path),)
    packages = InstalledPackages()
    assert read_installed(HarvestRequest(DEMO, site_packages=site_packages), packages, Limits()) is None
    tree = read_installed(HarvestRequest(keyed, site_packages=site_packages), packages, Limits())
    assert tree is not None
    assert tree.files[1].content == b"def run(): 'mine'\n"
    stale = DEMO.with_checksum("0" * 64)
    assert read_installed(HarvestRequest(stale, site_packages=site_packages), packages, Limits()) is None


def test_only_edited_dependencies_without_a_location_are_rekeyed(tmp_path: Path) -> None:
    install(tmp_path, "demo", "1.0", FILES)
    install(tmp_path, "clean", "2.0", {"clean.py": ""})
    (tmp_path / "demo/core.py").write_text("changed")
    clean = Coordinate.parse("pkg:pypi/clean@2.0")
    rows = [
        ResolvedDependency(clean),
        ResolvedDependency(Coordinate.parse("pkg:pypi/demo@9.9")),
        ResolvedDependency(Coordinate.parse("pkg:npm/demo@1.0")),
    ]
    assert rekeyed(rows, [str(tmp_path)]) == {}
    assert rekeyed([ResolvedDependency(DEMO, location="/elsewhere")], [str(tmp_path)]) == {}
    assert list(rekeyed([*rows, ResolvedDependency(DEMO)], [str(tmp_path)])) == [DEMO]


def test_a_tree_without_record_is_unverified_and_labelled(tmp_path: Path) -> None:
    info = install(tmp_path, "demo", "1.0", FILES)
    (info / "RECORD").unlink()
    assert status(tmp_path) is Status.UNVERIFIED
    tree = read_installed(HarvestRequest(DEMO, site_packages=(str(tmp_path),)), InstalledPackages(), Limits())
    assert tree is not None
    assert {file.is_verified for file in tree.files} == {False}


def test_an_egg_info_of_a_system_package_is_read_by_its_top_level_names(tmp_path: Path) -> None:
    info = tmp_path / "PyDemo-1.0.egg-info"
    info.mkdir()
    (info / "top_level.txt").write_text("pydemo\nextra\n")
    (tmp_path / "pydemo").mkdir()
    (tmp_path / "pydemo/__init__.py").write_text("")
    (tmp_path / "extra.py").write_text("")
    tree = verify_installed([str(tmp_path)], Coordinate.parse("pkg:pypi/pydemo@1.0"))
    assert tree.status is Status.UNVERIFIED
    assert tree.digest == tree_digest(tmp_path, ["extra.py", "pydemo/__init__.py"])


def test_a_record_with_weak_or_missing_digests_verifies_nothing(tmp_path: Path) -> None:
    info = install(tmp_path, "demo", "1.0", FILES)
    (info / "RECORD").write_text("demo/__init__.py,md5=abc,1\ndemo/core.py,,\n")
    assert status(tmp_path) is Status.UNVERIFIED


def test_names_and_versions_are_compared_as_the_specifications_say(tmp_path: Path) -> None:
    install(tmp_path, "Typing.Demo", "1.0.0+local.1", {"typing_demo.py": ""})
    assert status(tmp_path, Coordinate.parse("pkg:pypi/typing-demo@1.0+local.1")) is Status.VERIFIED
    assert status(tmp_path, Coordinate.parse("pkg:pypi/typing-demo@1.0")) is Status.ABSENT


def test_an_editable_install_is_absent(tmp_path: Path) -> None:
    info = install(tmp_path, "demo", "1.0", {"__editable___demo_finder.py": "", "demo.pth": "/elsewhere"})
    (info / "direct_url.json").write_text(json.dumps({"url": "file:///x", "dir_info": {"editable": True}}))
    assert status(tmp_path) is Status.ABSENT


def test_a_fork_installed_from_a_url_does_not_pass_for_the_release(tmp_path: Path) -> None:
    info = install(tmp_path, "demo", "1.0", FILES)
    (info / "direct_url.json").write_text(json.dumps({"url": "file:///fork", "dir_info": {}}))
    assert status(tmp_path) is Status.EDITED


def test_a_release_installed_from_a_url_that_the_lock_names_is_verified(tmp_path: Path) -> None:
    info = install(tmp_path, "demo", "1.0", FILES)
    origin = {"url": "file:///x.whl", "archive_info": {"hashes": {"sha256": "ab" * 32}}}
    (info / "direct_url.json").write_text(json.dumps(origin))
    assert verify_installed([str(tmp_path)], DEMO, ["sha256:" + "ab" * 32]).status is Status.VERIFIED
    assert status(tmp_path) is Status.EDITED


def test_record_paths_that_lead_out_of_the_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("token = 1")
    folder = tmp_path / "site-packages"
    info = install(folder, "demo", "1.0", FILES)
    with (info / "RECORD").open("a") as record:
        record.write(f"../secret.py,,\n{tmp_path}/secret.py,,\ndemo/../../secret.py,,\n../../bin/demo.py,,\n")
    assert status(folder) is Status.VERIFIED


def test_a_pipe_or_a_link_beside_the_sources_neither_blocks_nor_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages"
    install(folder, "demo", "1.0", FILES)
    (tmp_path / "secret.py").write_text("token = 1")
    (folder / "demo/link.py").symlink_to(tmp_path / "secret.py")
    os.mkfifo(folder / "demo/pipe.py")
    assert status(folder) is Status.VERIFIED
    (folder / "demo/core.py").unlink()
    os.mkfifo(folder / "demo/core.py")
    assert status(folder) is Status.EDITED


def test_the_nearest_folder_that_has_the_version_counts(tmp_path: Path) -> None:
    install(tmp_path / "near", "demo", "2.0", FILES)
    install(tmp_path / "far", "demo", "1.0", FILES)
    folders = [str(tmp_path / name) for name in ("near", "far", "absent")]
    assert verify_installed(folders, DEMO).status is Status.VERIFIED


def test_another_projects_clean_copy_answers_for_the_plain_coordinate(tmp_path: Path) -> None:
    for name in ("edited", "clean"):
        install(tmp_path / name, "demo", "1.0", FILES)
    (tmp_path / "edited/demo/core.py").write_text("changed")
    both = HarvestRequest(DEMO, site_packages=(str(tmp_path / "edited"), str(tmp_path / "clean")))
    tree = read_installed(both, InstalledPackages(), Limits())
    assert tree is not None
    assert tree.files[1].content == b"def run(): ...\n"
    assert verify_installed(both.site_packages, DEMO).status is Status.EDITED


def test_a_file_over_the_limit_is_a_row_without_content(tmp_path: Path) -> None:
    install(tmp_path, "demo", "1.0", {"demo.py": "x" * 1000})
    tree = read_installed(
        HarvestRequest(DEMO, site_packages=(str(tmp_path),)),
        InstalledPackages(),
        Limits(max_member_bytes=999),
    )
    assert tree is not None
    assert [(file.skip_reason, file.size_bytes, file.content) for file in tree.files] == [("limit:file", 1000, b"")]


def test_the_distributions_that_run_this_test_are_verified() -> None:
    folder = sysconfig.get_paths()["purelib"]
    for name in ("pytest", "packaging", "hypothesis"):
        info = next(Path(folder).glob(f"{name}-*.dist-info"))
        version = info.name.removesuffix(".dist-info").rpartition("-")[2]
        assert status(Path(folder), Coordinate.of("pypi", name, version)) is Status.VERIFIED


def test_folders_nested_deeper_than_calls_stop_nothing(tmp_path: Path) -> None:
    install(tmp_path, "demo", "1.0", FILES)
    with nested(tmp_path / "demo"):
        assert status(tmp_path) is Status.EDITED


def test_a_link_out_of_the_folder_brings_no_other_file_of_the_machine(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(site, "demo", "1.0", FILES)
    (tmp_path / "credentials").write_text("access_key = AKIAIOSFODNN7EXAMPLE\n")
    (site / "demo/linked.py").symlink_to(tmp_path / "credentials")
    with (site / "demo-1.0.dist-info/RECORD").open("a") as record:
        record.write("demo/linked.py,,\n")
    tree = InstalledPackages().verify([str(site)], DEMO, keep=1000)
    assert tree.status is Status.EDITED
    assert [file.path for file in tree.files] == ["demo/__init__.py", "demo/core.py"]


def test_a_link_to_what_was_installed_is_read_as_uv_makes_it(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(site, "demo", "1.0", FILES)
    (site / "demo/core.py").rename(tmp_path / "cached.py")
    (site / "demo/core.py").symlink_to(tmp_path / "cached.py")
    assert status(site) is Status.VERIFIED


def test_a_verified_tree_is_read_before_an_unverified_one_of_another_project(tmp_path: Path) -> None:
    install(tmp_path / "hostile", "demo", "1.0", {"demo/__init__.py": "forged = 1\n"})
    (tmp_path / "hostile/demo-1.0.dist-info/RECORD").unlink()
    install(tmp_path / "honest", "demo", "1.0", FILES)
    folders = (str(tmp_path / "hostile"), str(tmp_path / "honest"))
    tree = read_installed(HarvestRequest(DEMO, site_packages=folders), InstalledPackages(), Limits())
    assert tree is not None
    assert tree.files[0].content == FILES["demo/__init__.py"].encode()
    assert all(file.is_verified for file in tree.files)
