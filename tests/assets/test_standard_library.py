"""A standard library is read where it lies, and only as it was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from depcodex.coordinates import Coordinate
from depcodex.lockfiles.standard_library import library_paths
from depcodex.trees import tree_digest
from depcodex_assets.ecosystems.interface import HarvestParameters, HarvestRequest, TreeChangedError
from depcodex_assets.ecosystems.pypi import PYPI


@pytest.fixture
def request_of_library(tmp_path: Path) -> HarvestRequest:
    for name in ("os.py", "json/__init__.py", "test/support.py"):
        (tmp_path / "lib" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lib" / name).write_text('"""A module."""\n')
    checksum = tree_digest(tmp_path / "lib", library_paths(tmp_path / "lib"))
    coordinate = Coordinate.of("pypi", "~stdlib", "3.12.4").with_checksum(checksum)
    return HarvestRequest(coordinate, location=str(tmp_path / "lib"))


def test_it_is_read_in_place_and_verified(tmp_path: Path, request_of_library: HarvestRequest) -> None:
    tree = PYPI.open_in_place(HarvestParameters(tmp_path / "work"))(request_of_library)
    assert tree is not None
    assert [(each.path, each.is_verified) for each in tree.files] == [("json/__init__.py", True), ("os.py", True)]


def test_a_changed_or_absent_one_is_an_error_and_never_fetched(
    tmp_path: Path, request_of_library: HarvestRequest
) -> None:
    in_place = PYPI.open_in_place(HarvestParameters(tmp_path / "work"))
    (tmp_path / "lib/os.py").write_text("patched = 1\n")
    with pytest.raises(TreeChangedError):
        in_place(request_of_library)
    with pytest.raises(TreeChangedError):
        in_place(HarvestRequest(Coordinate.parse("pkg:pypi/~stdlib@3.12.4")))
