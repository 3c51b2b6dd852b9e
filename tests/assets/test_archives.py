"""Hostile archives are refused or lose the member, typed, in time and in memory; careless ones are still read."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.hostile_archives import HONEST, HOSTILE
from depcodex.errors import ArchiveError, ArchiveLimitError, CorruptArchiveError
from depcodex_assets.archives import Limits, Member, read_members

ROOTS = [str(Path(__file__).parents[2] / name) for name in ("store", "assets")]

# Reads every archive of a folder with at most 1 GiB of address space, and says what became of each.
READER = """
import json, resource, sys, time
from pathlib import Path
from typing import Any
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
from depcodex.errors import ArchiveError
from depcodex_assets.archives import Limits, read_members
for path in sorted(Path(sys.argv[1]).iterdir()):
    started = time.monotonic()
    try:
        limits = Limits(max_seconds=2 if "slow" in path.name else 20)
        members = list(read_members(path, limits, lambda name: name.endswith(".py")))
        kind = "read"
        words = sorted({each.skip_reason for each in members if each.skip_reason})
        honest = [each.path for each in members if not each.skip_reason]
    except ArchiveError as error:
        kind, words, honest = type(error).__name__, ["!" + error.rule], []
    seconds = time.monotonic() - started
    print(json.dumps({"name": path.name, "kind": kind, "words": words, "honest": honest, "seconds": seconds}))
"""


def read(path: Path, limits: Limits | None = None) -> list[Member]:
    return list(read_members(path, limits or Limits(), lambda name: name.endswith(".py")))


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What became of each hostile archive, read by one process with 1 GiB of memory."""
    base = tmp_path_factory.mktemp("hostile")
    archives, elsewhere = base / "archives", base / "elsewhere"
    archives.mkdir()
    elsewhere.mkdir()
    for write, _ in HOSTILE:
        write(archives / write.__name__)
    before = sorted(base.rglob("*"))
    finished = subprocess.run(
        [sys.executable, "-c", READER, str(archives)],
        capture_output=True,
        text=True,
        cwd=elsewhere,
        env={"PYTHONPATH": ":".join(ROOTS), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert sorted(base.rglob("*")) == before, "nothing may be written"
    assert not Path("/tmp/evil.py").exists()
    for path in archives.iterdir():
        path.unlink()
    return {row["name"]: row for row in map(json.loads, finished.stdout.splitlines())}


@pytest.mark.parametrize(("name", "expected"), [(write.__name__, word) for write, word in HOSTILE])
def test_a_hostile_archive_is_refused_or_loses_the_member_in_time(
    outcomes: dict[str, dict[str, Any]], name: str, expected: str
) -> None:
    outcome = outcomes[name]
    assert outcome["seconds"] < 30
    if name == "tar_many_slow_headers":
        # Newer versions of tarfile are not slowed down, and read it.
        assert outcome["words"] in ([], ["!seconds"], ["!corrupt"])
        return
    assert outcome["words"] == ([expected] if expected else [])
    assert expected.startswith("!") == (outcome["kind"] != "read")


@pytest.mark.parametrize("name", [write.__name__ for write, word in HOSTILE if word.startswith("archive:")])
def test_a_skipped_member_costs_no_other_member(outcomes: dict[str, dict[str, Any]], name: str) -> None:
    if name != "zip_lzma":
        assert HONEST[0] in outcomes[name]["honest"]


def test_of_two_entries_with_one_path_the_first_is_read(tmp_path: Path) -> None:
    write = {write.__name__: write for write, _ in HOSTILE}["zip_doubled"]
    write(tmp_path / "doubled.whl")
    first, second = read(tmp_path / "doubled.whl")
    assert (first.content, first.skip_reason) == (HONEST[1], None)
    assert (second.content, second.skip_reason) == (b"", "archive:duplicate")


def test_an_archive_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.whl"
    with path.open("wb") as file:
        file.truncate(10_000_000)
    with pytest.raises(ArchiveLimitError) as caught:
        read(path, Limits(max_archive_bytes=1_000_000))
    assert caught.value.rule == "archive"


def test_a_tar_archive_that_decompresses_without_end_is_refused_by_its_total(tmp_path: Path) -> None:
    path = tmp_path / "long.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        info = tarfile.TarInfo("pkg/data.bin")
        info.size = 3_000_000
        archive.addfile(info, io.BytesIO(bytes(info.size)))
    with pytest.raises(ArchiveLimitError) as caught:
        read(path, Limits(max_total_bytes=1_000_000))
    assert caught.value.rule == "total"


def test_leading_dots_in_member_names_are_no_part_of_a_path(tmp_path: Path) -> None:
    path = tmp_path / "dotted.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("./pkg/./a.py"))
    assert [member.path for member in read(path)] == ["pkg/a.py"]


def test_members_that_are_not_wanted_are_never_decompressed(tmp_path: Path) -> None:
    path = tmp_path / "mixed.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pkg/library.so", bytes(50_000_000))
        archive.writestr("pkg/a.py", "x = 1")
    assert [member.path for member in read(path, Limits(max_read_bytes=100))] == ["pkg/a.py"]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_bytes_end_as_members_or_as_an_archive_error(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "base"
    kind = data.draw(st.sampled_from(["zip", "w", "w:gz", "w:bz2", "w:xz"]))
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("pkg/a.py", "x = 1\n" * 50)
            archive.writestr("pkg/b.py", "y = 2\n" * 50)
    else:
        with tarfile.open(path, kind) as archive:
            for name in ("pkg/a.py", "pkg/b.py"):
                archive.add(__file__, name)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        position = data.draw(st.integers(0, len(content) - 1))
        content[position] = data.draw(st.integers(0, 255))
    del content[data.draw(st.integers(1, len(content))) :]
    path.write_bytes(content)
    try:
        members = read(path)
    except ArchiveError:
        return
    assert all(member.content == b"" or member.skip_reason is None for member in members)


def test_a_tarball_whose_checksum_is_wrong_is_refused_although_every_member_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "damaged.tgz"
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        info = tarfile.TarInfo("package/a.py")
        info.size = 5
        archive.addfile(info, io.BytesIO(b"x = 1"))
    data = bytearray(gzip.compress(content.getvalue()))
    data[-8] ^= 1
    path.write_bytes(data)
    with pytest.raises(CorruptArchiveError):
        read(path)


def test_bytes_behind_the_end_of_a_tarball_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "careless.tgz"
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("package/a.py"))
    path.write_bytes(path.read_bytes() + b"left behind")
    assert [member.path for member in read(path)] == ["package/a.py"]
