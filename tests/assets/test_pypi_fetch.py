"""pip brings archives from the index that the user has set up; it never builds and never runs what is in them."""

from __future__ import annotations

import errno
import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.releases import write_sdist, write_wheel
from depcodex.coordinates import Coordinate
from depcodex.errors import (
    ArchiveLimitError,
    DigestMismatchError,
    FetchError,
    SourceNotFoundError,
)
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import Fetched, HarvestParameters, HarvestRequest
from depcodex_assets.ecosystems.pip_finder import is_disk_full, preference, release_version
from depcodex_assets.ecosystems.pypi_fetch import PipFetcher
from servers.package_index import PackageIndex, pip_environment, serve_index


@pytest.fixture
def index(tmp_path: Path) -> Iterator[PackageIndex]:
    folder = tmp_path / "index"
    folder.mkdir()
    with serve_index(folder) as running:
        yield running


def request(text: str, *digests: str) -> HarvestRequest:
    return HarvestRequest(Coordinate.parse(f"pkg:pypi/{text}"), digests=digests)


def fetch(
    index: PackageIndex, tmp_path: Path, *requests: HarvestRequest, limits: Limits | None = None, credentials: str = ""
) -> list[Fetched]:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    fetcher = PipFetcher(environment=pip_environment(index, credentials=credentials))
    found = list(fetcher.fetch(requests, folder, HarvestParameters(folder, limits=limits or Limits())))
    by_coordinate = {each.coordinate: each for each in found}
    assert len(found) == len(requests)
    return [by_coordinate[each.coordinate] for each in requests]


def test_one_call_brings_many_and_one_failure_stops_no_other(index: PackageIndex, tmp_path: Path) -> None:
    wheel = write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""})
    write_sdist(index.folder, "beta", "2.0", {"beta.py": ""})
    alpha, missing, unknown, beta = fetch(
        index, tmp_path, request("alpha@1.0"), request("alpha@9.9"), request("gamma@1.0"), request("beta@2.0")
    )
    assert alpha.archive is not None
    assert alpha.archive.read_bytes() == wheel.read_bytes()
    assert (alpha.file_name, alpha.is_verified) == (wheel.name, True)
    assert alpha.digest == "sha256:" + hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert beta.file_name == "beta-2.0.tar.gz"
    assert isinstance(missing.error, SourceNotFoundError)
    assert str(missing.error).endswith("the registry has no such version")
    assert isinstance(unknown.error, SourceNotFoundError)
    assert str(unknown.error).endswith("the registry has no such library")


def test_a_source_distribution_is_brought_without_running_any_of_it(index: PackageIndex, tmp_path: Path) -> None:
    canary = tmp_path / "it-ran"
    write_sdist(
        index.folder,
        "evil",
        "1.0",
        {
            "setup.py": f"open({str(canary)!r}, 'w')\n",
            "backend.py": f"open({str(canary)!r}, 'w')\n",
            "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
            "evil.py": "",
        },
    )
    (evil,) = fetch(index, tmp_path, request("evil@1.0"))
    assert evil.archive is not None
    assert not canary.exists()


def test_a_wheel_is_preferred_and_the_one_for_this_interpreter_most(index: PackageIndex, tmp_path: Path) -> None:
    write_sdist(index.folder, "alpha", "1.0", {"alpha.py": ""})
    for tag in ("cp39-cp39-win_amd64", "py2-none-any", "py3-none-any"):
        write_wheel(index.folder, "alpha", "1.0", {"alpha.py": tag}, tag=tag)
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"))
    assert alpha.file_name == "alpha-1.0-py3-none-any.whl"


def test_a_wheel_for_another_system_is_better_than_nothing(index: PackageIndex, tmp_path: Path) -> None:
    write_wheel(index.folder, "winonly", "1.0", {"winonly.py": ""}, tag="cp39-cp39-win_amd64")
    (found,) = fetch(index, tmp_path, request("winonly@1.0"))
    assert found.file_name == "winonly-1.0-cp39-cp39-win_amd64.whl"


def test_the_lock_decides_which_of_several_files_is_taken(index: PackageIndex, tmp_path: Path) -> None:
    write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""})
    sdist = write_sdist(index.folder, "alpha", "1.0", {"alpha.py": ""})
    digest = "sha256:" + hashlib.sha256(sdist.read_bytes()).hexdigest()
    (named,) = fetch(index, tmp_path, request("alpha@1.0", digest))
    assert (named.file_name, named.digest, named.is_verified) == (sdist.name, digest, True)
    assert [path for path in index.asked if path.endswith(".whl")] == []
    assert named.archive is not None
    named.archive.unlink()
    index.without_digest = {sdist.name, "alpha-1.0-py3-none-any.whl"}
    (tried,) = fetch(index, tmp_path, request("alpha@1.0", digest))
    assert (tried.file_name, tried.digest, tried.is_verified) == (sdist.name, digest, True)


def test_a_local_folder_of_archives_serves_as_pip_is_told(index: PackageIndex, tmp_path: Path) -> None:
    wheel = write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""})
    environment = (("PIP_NO_INDEX", "1"), ("PIP_FIND_LINKS", str(index.folder)), ("PIP_CONFIG_FILE", "/dev/null"))
    work = tmp_path / "work"
    work.mkdir()
    requests = [request("alpha@1.0"), request("beta@1.0")]
    alpha, beta = PipFetcher(environment=environment).fetch(requests, work, HarvestParameters(work))
    assert alpha.file_name == wheel.name
    assert isinstance(beta.error, SourceNotFoundError)
    assert index.asked == []


def test_bytes_that_are_not_the_locks_are_refused(index: PackageIndex, tmp_path: Path) -> None:
    write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""})
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0", "sha256:" + "1" * 64))
    assert isinstance(alpha.error, DigestMismatchError)
    assert not any(path.is_file() for path in (tmp_path / "work").rglob("*"))


def test_bytes_that_are_not_the_indexs_are_refused(index: PackageIndex, tmp_path: Path) -> None:
    index.false_digest.add(write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""}).name)
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"))
    assert isinstance(alpha.error, DigestMismatchError)


def test_without_any_digest_the_archive_is_not_verified(index: PackageIndex, tmp_path: Path) -> None:
    index.without_digest.add(write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""}).name)
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"))
    assert alpha.archive is not None
    assert not alpha.is_verified


def test_a_withdrawn_release_is_brought_and_says_so(index: PackageIndex, tmp_path: Path) -> None:
    index.yanked.add(write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""}).name)
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"))
    assert alpha.archive is not None
    assert alpha.is_yanked


def test_the_users_credentials_are_used(index: PackageIndex, tmp_path: Path) -> None:
    write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""})
    index.credentials = "user:word"
    (refused,) = fetch(index, tmp_path, request("alpha@1.0"))
    assert isinstance(refused.error, FetchError)
    assert "status 401" in str(refused.error)
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"), credentials="user:word")
    assert alpha.archive is not None


def test_a_failing_index_is_an_error_that_a_retry_may_mend(index: PackageIndex, tmp_path: Path) -> None:
    write_wheel(index.folder, "alpha", "1.0", {"alpha.py": ""})
    index.failing.add("alpha")
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"))
    assert isinstance(alpha.error, FetchError)
    index.failing = {"alpha-1.0-py3-none-any.whl"}
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"))
    assert isinstance(alpha.error, FetchError)


def test_a_download_that_ends_early_is_an_error_that_a_retry_may_mend(index: PackageIndex, tmp_path: Path) -> None:
    index.truncated.add(write_wheel(index.folder, "alpha", "1.0", {"alpha.py": "x" * 5000}).name)
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"))
    assert isinstance(alpha.error, FetchError)


def test_an_unreachable_index_is_given_up_soon(index: PackageIndex, tmp_path: Path) -> None:
    gone = PackageIndex(index.folder, url="http://127.0.0.1:9")
    started = time.monotonic()
    found = fetch(gone, tmp_path, *(request(f"lib{number}@1.0") for number in range(40)))
    assert time.monotonic() - started < 20
    assert {type(each.error) for each in found} == {FetchError}


def test_an_archive_over_the_limit_is_not_downloaded(index: PackageIndex, tmp_path: Path) -> None:
    write_sdist(index.folder, "alpha", "1.0", {"alpha.py": "".join(map(str, range(5000)))})
    (alpha,) = fetch(index, tmp_path, request("alpha@1.0"), limits=Limits(max_archive_bytes=1000))
    assert isinstance(alpha.error, ArchiveLimitError)


def lay_pip(folder: Path, **modules: str) -> tuple[tuple[str, str], ...]:
    """A package named pip that stands before the real one."""
    (folder / "pip").mkdir(parents=True)
    for name, text in {"__init__": "", **modules}.items():
        (folder / "pip" / f"{name}.py").write_text(text)
    return (("PYTHONPATH", str(folder)),)


def test_a_pip_of_unknown_make_still_brings_wheels_by_its_command(tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path, "alpha", "1.0", {"alpha.py": ""})
    command = (
        "import shutil, sys\n"
        "assert ':all:' in sys.argv\n"
        "if 'beta==1.0' in sys.argv: sys.exit('ERROR: No matching distribution found for beta==1.0')\n"
        f"shutil.copy({str(wheel)!r}, sys.argv[sys.argv.index('-d') + 1])\n"
    )
    fetcher = PipFetcher(environment=lay_pip(tmp_path / "other", __main__=command))
    work = tmp_path / "work"
    work.mkdir()
    requests = [request("alpha@1.0"), request("beta@1.0"), request("alpha@1.0", "sha256:" + "0" * 64)]
    first, second, third = fetcher.fetch(requests, work, HarvestParameters(work))
    assert first.file_name == wheel.name
    assert isinstance(second.error, SourceNotFoundError)
    assert isinstance(third.error, DigestMismatchError)


def test_a_missing_pip_is_one_line(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    fetcher = PipFetcher(python=str(tmp_path / "bare/bin/python"), environment=(("PYTHONPATH", ""),))
    (found,) = fetcher.fetch([request("alpha@1.0")], tmp_path, HarvestParameters(tmp_path))
    assert str(found.error) == "pip: pip is not installed for this interpreter"
    (found,) = PipFetcher(python=str(tmp_path / "none")).fetch(
        [request("alpha@1.0")], tmp_path, HarvestParameters(tmp_path)
    )
    assert isinstance(found.error, FetchError)


def test_a_silent_pip_is_ended(tmp_path: Path) -> None:
    fetcher = PipFetcher(environment=lay_pip(tmp_path / "other", __init__="import time\ntime.sleep(60)\n"))
    started = time.monotonic()
    (found,) = fetcher.fetch([request("alpha@1.0")], tmp_path, HarvestParameters(tmp_path, silence_seconds=1))
    assert time.monotonic() - started < 30
    assert isinstance(found.error, FetchError)


def test_a_pip_that_breaks_off_is_an_error_for_each_request(tmp_path: Path) -> None:
    fetcher = PipFetcher(environment=lay_pip(tmp_path / "other", __init__="import os\nos._exit(7)\n"))
    found = list(fetcher.fetch([request("a@1"), request("b@1")], tmp_path, HarvestParameters(tmp_path)))
    assert {type(each.error) for each in found} == {FetchError}


@pytest.mark.parametrize(
    ("file_name", "project", "version"),
    [
        ("zope.interface-4.0.0.tar.gz", "zope-interface", "4.0.0"),
        ("Foo_Bar-1.0-py3-none-any.whl", "foo-bar", "1.0"),
        ("foo-bar-baz-2.0.zip", "foo-bar", "baz-2.0"),
        ("foo-bar-2.0.zip", "foo-bar", "2.0"),
        ("foo-1.0.exe", "foo", None),
        ("other-1.0.tar.gz", "foo", None),
        ("foo-1.0.tar.gz.asc", "foo", None),
    ],
)
def test_release_file_names_are_read(file_name: str, project: str, version: str | None) -> None:
    assert release_version(file_name, project) == version


def test_files_are_ordered_by_how_close_they_are_to_what_is_imported() -> None:
    preferred = {"cp311-cp311-manylinux_2_17_x86_64": 0, "py3-none-any": 9}
    names = [
        "a-1-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
        "a-1-py3-none-any.whl",
        "a-1.tar.gz",
        "a-1.zip",
        "a-1-cp39-cp39-plan9_mips.whl",
    ]
    shuffled = [names[at] for at in (3, 0, 4, 2, 1)]
    assert sorted(shuffled, key=lambda name: preference(name, False, preferred)) == names


def test_a_full_disk_is_seen_through_the_errors_that_it_is_wrapped_in() -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    assert is_disk_full(full)
    assert is_disk_full(RuntimeError("broken", full))
    wrapped = ConnectionError("ended early")
    wrapped.__context__ = full
    assert is_disk_full(wrapped)
    assert not is_disk_full(OSError(errno.EPIPE, "x"))


@pytest.mark.online
def test_a_real_release_that_has_only_a_source_distribution_is_brought(tmp_path: Path) -> None:
    docopt, wget, yanked, none = PipFetcher().fetch(
        [request("docopt@0.6.2"), request("wget@3.2"), request("attrs@21.1.0"), request("requests@99.1")],
        tmp_path,
        HarvestParameters(tmp_path),
    )
    assert (docopt.file_name, wget.file_name) == ("docopt-0.6.2.tar.gz", "wget-3.2.zip")
    assert docopt.is_verified
    assert yanked.is_yanked
    assert isinstance(none.error, SourceNotFoundError)
