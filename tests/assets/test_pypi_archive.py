"""What a wheel or a source distribution would install is read out of it as data."""

from __future__ import annotations

import io
import tarfile
import warnings
import zipfile
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from data.releases import wheel_files, write_sdist, write_wheel
from depcodex.coordinates import Coordinate
from depcodex.errors import CorruptArchiveError
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import Fetched, SourceTree
from depcodex_assets.ecosystems.pypi_archive import read_archive, release_day
from depcodex_assets.ecosystems.pypi_record import read_record

TODAY = date(2026, 11, 30)


def read(path: Path, name: str = "demo", *, is_verified: bool = True, **more: str) -> SourceTree:
    fetched = Fetched(Coordinate.of("pypi", name, "1.0"), path, path.name, "sha256:00", is_verified, **more)
    return read_archive(fetched, Limits(), TODAY)


def test_a_wheel_gives_its_modules_and_stubs_and_nothing_else(tmp_path: Path) -> None:
    files = {
        "demo/__init__.py": "",
        "demo/core.pyi": "",
        "demo/tests/test_x.py": "",
        "demo-1.0.data/purelib/extra.py": "e = 1",
        "demo-1.0.data/platlib/native.py": "",
        "demo-1.0.data/scripts/run.py": "",
        "demo-1.0.dist-info/hidden.py": "",
        "demo/data.json": "{}",
    }
    tree = read(write_wheel(tmp_path, "demo", "1.0", files))
    assert [file.path for file in tree.files] == ["demo/__init__.py", "demo/core.pyi", "extra.py", "native.py"]
    assert [file.language for file in tree.files] == ["python", "python-stub", "python", "python"]
    assert {file.is_verified for file in tree.files} == {True}
    assert tree.archive_digest == "sha256:00"
    assert tree.released_on == "2024-05-29"


def test_a_file_that_its_record_contradicts_is_not_verified(tmp_path: Path) -> None:
    path = tmp_path / "demo-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in wheel_files("demo", "1.0", {"demo.py": "x = 1", "other.py": "y = 2"}).items():
            archive.writestr(member, b"x = 2" if member == "demo.py" else content)
    assert [(file.path, file.is_verified) for file in read(path).files] == [("demo.py", False), ("other.py", True)]


def test_of_a_doubled_member_the_first_is_read_and_says_so(tmp_path: Path) -> None:
    path = write_wheel(tmp_path, "demo", "1.0", {"demo.py": "x = 1"})
    with warnings.catch_warnings(), zipfile.ZipFile(path, "a") as archive:
        warnings.simplefilter("ignore", UserWarning)
        archive.writestr("demo.py", "x = 2")
    (file,) = read(path).files
    assert (file.content, file.skip_reason) == (b"x = 1", None)
    assert file.skip_detail == "archive:duplicate: the first is read"


def test_a_source_distribution_gives_what_it_would_install(tmp_path: Path) -> None:
    files = {"setup.py": "raise SystemExit", "src/demo/__init__.py": "x = 1", "tests/test_demo.py": ""}
    tree = read(write_sdist(tmp_path, "demo", "1.0", files))
    assert [(file.path, file.content, file.is_verified) for file in tree.files] == [
        ("demo/__init__.py", b"x = 1", True)
    ]
    assert tree.released_on == "2014-05-13"


@pytest.mark.parametrize("mode", ["w", "w:bz2", "w:xz"])
def test_older_kinds_of_source_distributions_are_read(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "demo-1.0.tar.any"
    with tarfile.open(path, mode) as archive:
        info = tarfile.TarInfo("demo-1.0/demo.py")
        info.size = 5
        archive.addfile(info, io.BytesIO(b"x = 1"))
    assert [file.content for file in read(path).files] == [b"x = 1"]


def test_a_zip_source_distribution_is_read(tmp_path: Path) -> None:
    path = tmp_path / "demo-1.0.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("demo-1.0/setup.py", "")
        archive.writestr("demo-1.0/demo.py", "x = 1")
    assert [file.path for file in read(path).files] == ["demo.py"]


def test_the_registrys_day_stands_before_the_archives(tmp_path: Path) -> None:
    path = write_wheel(tmp_path, "demo", "1.0", {"demo.py": ""})
    assert read(path, released_on="2024-06-01").released_on == "2024-06-01"


@pytest.mark.parametrize("day", [(1980, 1, 1), (2016, 1, 1), (2020, 2, 2), (2090, 1, 1)])
def test_a_build_tools_placeholder_is_no_release_day(tmp_path: Path, day: tuple[int, int, int]) -> None:
    assert read(write_wheel(tmp_path, "demo", "1.0", {"demo.py": ""}, day=day)).released_on == ""


def test_no_time_at_all_is_no_release_day() -> None:
    assert release_day([None, datetime(1999, 1, 1, tzinfo=UTC)], TODAY) == ""


def test_a_corrupt_wheel_is_a_typed_refusal(tmp_path: Path) -> None:
    path = write_wheel(tmp_path, "demo", "1.0", {"demo.py": "x" * 5000})
    path.write_bytes(path.read_bytes()[:-60])
    with pytest.raises(CorruptArchiveError) as caught:
        read(path)
    assert str(caught.value).startswith("demo-1.0-py3-none-any.whl: corrupt: ")


@pytest.mark.parametrize(
    "text", [b"", b"\xff\xfe", b'a.py,"sha256=', b"a.py,sha256=???,1", b"a.py\n,,\n", b'"a,b.py",,']
)
def test_a_record_that_makes_no_sense_is_no_error(text: bytes) -> None:
    for row in read_record(text).values():
        assert row.agrees(b"x") in (None, False)
