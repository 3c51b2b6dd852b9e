"""A project's own packages are read from disk, as long as the tree is the one that was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from depcodex.coordinates import Coordinate
from depcodex.trees import tree_digest
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import HarvestRequest, TreeChangedError
from depcodex_assets.ecosystems.local_tree import read_local

DEMO = Coordinate.parse("pkg:pypi/demo@0.1")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "pyproject.toml": "[project]\nname = 'demo'\n",
        "src/demo/__init__.py": "x = 1\n",
        "src/demo/large.py": "#" * 2000,
        "tests/test_demo.py": "",
        ".venv/lib/python3.11/site-packages/other.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def keyed(project: Path) -> HarvestRequest:
    return HarvestRequest(DEMO.with_checksum(tree_digest(project)), location=str(project))


def test_the_tree_is_read_under_the_paths_it_is_imported_by(project: Path) -> None:
    tree = read_local(keyed(project), Limits(max_member_bytes=1000))
    assert [(file.path, file.skip_reason) for file in tree.files] == [
        ("demo/__init__.py", None),
        ("demo/large.py", "limit:file"),
    ]
    assert tree.files[0].is_verified


@pytest.mark.parametrize("path", ["src/demo/__init__.py", "src/demo/new.py"])
def test_a_tree_that_changed_since_it_was_recorded_is_refused(project: Path, path: str) -> None:
    request = keyed(project)
    (project / path).write_text("y = 2\n")
    with pytest.raises(TreeChangedError):
        read_local(request, Limits())


def test_a_tree_that_is_gone_is_refused(project: Path) -> None:
    request = HarvestRequest(DEMO.with_checksum("0" * 64), location=str(project / "gone"))
    with pytest.raises(TreeChangedError):
        read_local(request, Limits())


def test_a_location_without_a_checksum_is_refused(project: Path) -> None:
    with pytest.raises(TreeChangedError):
        read_local(HarvestRequest(DEMO, location=str(project)), Limits())
