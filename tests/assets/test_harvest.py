"""The stage: a batch in, one table out, and no coordinate's trouble touches another."""

from __future__ import annotations

import errno
import hashlib
import os
import random
import stat
import sysconfig
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from data.hostile_archives import zip_many_large_members, zip_overlap, zip_traversal
from data.releases import install, write_sdist, write_wheel
from depcodex.closure import ResolvedDependency
from depcodex.coordinates import Coordinate
from depcodex.errors import (
    DepcodexError,
    DigestMismatchError,
    FetchError,
    SourceNotFoundError,
    StoreFullError,
)
from depcodex.schemas import SOURCE_FILES
from depcodex.settings import Settings
from depcodex.trees import tree_digest
from depcodex_assets.ecosystems.interface import Fetched
from depcodex_assets.ecosystems.pypi_fetch import PipFetcher
from depcodex_assets.harvest import HarvestParameters, HarvestRequest, Note, harvest, reopen, work_area
from servers.package_index import pip_environment, serve_index


def clock() -> datetime:
    return datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass
class FolderFetcher:
    """A Fetcher over a folder of archives and a table of errors."""

    archives: dict[str, Path] = field(default_factory=dict)
    errors: dict[str, DepcodexError] = field(default_factory=dict)
    yanked: set[str] = field(default_factory=set)
    asked: list[list[str]] = field(default_factory=list)
    modes: list[int] = field(default_factory=list)
    raises: OSError | None = None

    def fetch(
        self, requests: Sequence[HarvestRequest], folder: Path, parameters: HarvestParameters
    ) -> Generator[Fetched, None, None]:
        self.asked.append([str(request.coordinate) for request in requests])
        self.modes.append(stat.S_IMODE(folder.stat().st_mode))
        for number, request in enumerate(requests):
            name = request.coordinate.name
            if self.raises is not None:
                raise self.raises
            if name in self.errors:
                yield Fetched(request.coordinate, error=self.errors[name])
            elif name in self.archives:
                path = folder / str(number)
                path.write_bytes(self.archives[name].read_bytes())
                digest = "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
                is_yanked = name in self.yanked
                yield Fetched(request.coordinate, path, self.archives[name].name, digest, True, is_yanked=is_yanked)


def request(text: str, **more: object) -> HarvestRequest:
    return HarvestRequest(Coordinate.parse(f"pkg:pypi/{text}"), **more)  # type: ignore[arg-type]


@pytest.fixture
def parameters(tmp_path: Path) -> HarvestParameters:
    return HarvestParameters(tmp_path / "private/work")


def rows(table: pa.Table, coordinate: Coordinate) -> list[dict[str, object]]:
    return [row for row in table.to_pylist() if row["coordinate_id"] == coordinate.coordinate_id]


def reason(table: pa.Table, asked: HarvestRequest) -> tuple[object, object]:
    (row,) = rows(table, asked.coordinate)
    assert row["path"] == ""
    assert row["content"] == b""
    return row["skip_reason"], row["is_retryable"]


def test_each_way_is_tried_in_its_order_and_the_client_is_asked_once(
    tmp_path: Path, parameters: HarvestParameters
) -> None:
    site_packages = tmp_path / "site-packages"
    install(site_packages, "here", "1.0", {"here.py": "'''In place.'''"})
    own = tmp_path / "own"
    (own / "mine").mkdir(parents=True)
    (own / "mine/__init__.py").write_text("x = 1")
    fetcher = FolderFetcher({"away": write_wheel(tmp_path, "away", "1.0", {"away.py": ""})})
    environment = {"site_packages": (str(site_packages),)}
    mine = HarvestRequest(Coordinate.parse("pkg:pypi/mine@1").with_checksum(tree_digest(own)), location=str(own))
    asked = [request("away@1.0", **environment), request("here@1.0", **environment), mine]
    asked += [request("private-thing@1.0"), asked[1]]
    chosen = HarvestParameters(parameters.work_folder, exclude=("pkg:pypi/private-*",))
    table = harvest(asked, fetcher=fetcher, parameters=chosen, clock=clock)
    assert table.schema == SOURCE_FILES
    assert table.column("path").to_pylist() == ["away.py", "here.py", "mine/__init__.py", ""]
    assert table.column("skip_reason").to_pylist() == [None, None, None, "excluded"]
    assert table.column("as_of").to_pylist() == ["2024-05-29", "2026-11-30", "2026-11-30", "2026-11-30"]
    assert table.column("convention").to_pylist() == ["docstring", "docstring", "docstring", ""]
    assert [bool(each) for each in table.column("archive_digest").to_pylist()] == [True, False, False, False]
    assert fetcher.asked == [["pkg:pypi/away@1.0"]]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (SourceNotFoundError("x: none"), ("no_source", False)),
        (FetchError("x: down"), ("failed:fetch", True)),
        (DigestMismatchError("x", "a", "b"), ("failed:digest", False)),
        (StoreFullError("x: full"), ("failed:full", True)),
    ],
)
def test_each_error_of_the_client_is_one_row(
    parameters: HarvestParameters, tmp_path: Path, error: DepcodexError, expected: tuple[str, bool]
) -> None:
    fetcher = FolderFetcher({"good": write_wheel(tmp_path, "good", "1.0", {"good.py": ""})}, {"bad": error})
    asked = [request("bad@1.0"), request("good@1.0"), request("unanswered@1.0")]
    table = harvest(asked, fetcher=fetcher, parameters=parameters, clock=clock)
    assert reason(table, asked[0]) == expected
    assert [row["path"] for row in rows(table, asked[1].coordinate)] == ["good.py"]
    assert reason(table, asked[2]) == ("failed:fetch", True)


def test_hostile_and_corrupt_archives_are_rows_and_the_others_are_read(
    tmp_path: Path, parameters: HarvestParameters
) -> None:
    archives = {"good": write_wheel(tmp_path, "good", "1.0", {"good.py": ""})}
    for name, write in {"out": zip_traversal, "many": zip_many_large_members, "shared": zip_overlap}.items():
        archives[name] = tmp_path / f"{name}-1.0-py3-none-any.whl"
        write(archives[name])
    archives["broken"] = tmp_path / "broken-1.0-py3-none-any.whl"
    archives["broken"].write_bytes(archives["good"].read_bytes()[:100])
    archives["binary"] = write_wheel(tmp_path, "binary", "1.0", {"binary.so": ""})
    asked = [request(f"{name}@1.0") for name in archives]
    table = harvest(asked, fetcher=FolderFetcher(archives), parameters=parameters, clock=clock)
    outcomes = {each.coordinate.name: rows(table, each.coordinate)[0]["skip_reason"] for each in asked}
    assert outcomes == {
        "good": None,
        "out": "failed:archive",
        "many": "limit:read",
        "shared": "limit:overlap",
        "broken": "failed:corrupt",
        "binary": "no_source",
    }
    assert not any(table.column("is_retryable").to_pylist())


def test_a_full_disk_costs_only_what_had_to_be_fetched(tmp_path: Path, parameters: HarvestParameters) -> None:
    install(tmp_path / "env", "here", "1.0", {"here.py": ""})
    asked = [request("here@1.0", site_packages=(str(tmp_path / "env"),)), request("away@1.0")]
    fetcher = FolderFetcher(raises=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    table = harvest(asked, fetcher=fetcher, parameters=parameters, clock=clock)
    assert [row["path"] for row in rows(table, asked[0].coordinate)] == ["here.py"]
    assert reason(table, asked[1]) == ("failed:full", True)


def test_offline_nothing_is_fetched(tmp_path: Path) -> None:
    fetcher = FolderFetcher()
    offline = HarvestParameters(tmp_path / "work", is_offline=True)
    asked = [request("away@1.0")]
    table = harvest(asked, fetcher=fetcher, parameters=offline, clock=clock)
    assert reason(table, asked[0]) == ("failed:offline", True)
    assert fetcher.asked == []
    assert not (tmp_path / "work").exists()


def test_an_edited_installed_tree_answers_its_own_project_only(tmp_path: Path, parameters: HarvestParameters) -> None:
    site_packages = tmp_path / "env"
    install(site_packages, "demo", "1.0", {"demo.py": "'''As released.'''"})
    (site_packages / "demo.py").write_text("'''Edited.'''")
    fetcher = FolderFetcher({"demo": write_wheel(tmp_path, "demo", "1.0", {"demo.py": "'''As released.'''"})})
    plain = request("demo@1.0", site_packages=(str(site_packages),))
    keyed = HarvestRequest(
        plain.coordinate.with_checksum(tree_digest(site_packages, ["demo.py"])), site_packages=plain.site_packages
    )
    stale = HarvestRequest(plain.coordinate.with_checksum("0" * 64), site_packages=plain.site_packages)
    table = harvest([plain, keyed, stale], fetcher=fetcher, parameters=parameters, clock=clock)
    assert rows(table, plain.coordinate)[0]["content"] == b"'''As released.'''"
    assert rows(table, keyed.coordinate)[0]["content"] == b"'''Edited.'''"
    assert reason(table, stale) == ("failed:changed", True)
    assert fetcher.asked == [["pkg:pypi/demo@1.0"]]


def test_a_withdrawn_release_is_a_note_unless_the_lock_said_so(tmp_path: Path, parameters: HarvestParameters) -> None:
    archives = {name: write_wheel(tmp_path, name, "1.0", {f"{name}.py": ""}) for name in ("told", "known")}
    notes: list[Note] = []
    asked = [request("told@1.0"), request("known@1.0", is_yanked=True)]
    fetcher = FolderFetcher(archives, yanked={"told", "known"})
    table = harvest(asked, fetcher=fetcher, parameters=parameters, clock=clock, on_note=notes.append)
    assert [note.coordinate.name for note in notes] == ["told"]
    assert table.column("skip_reason").to_pylist() == [None, None]


def test_an_interrupted_harvest_leaves_no_archive(tmp_path: Path, parameters: HarvestParameters) -> None:
    def interrupt(note: Note) -> None:
        raise KeyboardInterrupt

    archives = {name: write_wheel(tmp_path, name, "1.0", {f"{name}.py": ""}) for name in ("one", "two")}
    fetcher = FolderFetcher(archives, yanked={"one"})
    asked = [request("one@1.0"), request("two@1.0")]
    with pytest.raises(KeyboardInterrupt):
        harvest(asked, fetcher=fetcher, parameters=parameters, clock=clock, on_note=interrupt)
    assert list(parameters.work_folder.iterdir()) == []


def test_a_request_takes_over_what_the_closure_knows() -> None:
    coordinate = Coordinate.parse("pkg:pypi/demo@1.0")
    row = ResolvedDependency(coordinate, digests=("sha256:" + "0" * 64,), location="/own", is_yanked=True)
    assert HarvestRequest.of(row, ["/env"]) == HarvestRequest(coordinate, row.digests, "/own", ("/env",), True)


def test_two_projects_requests_for_a_coordinate_count_as_one(tmp_path: Path, parameters: HarvestParameters) -> None:
    install(tmp_path / "one", "demo", "1.0", {"demo.py": "x = 1"})
    install(tmp_path / "two", "demo", "1.0", {"demo.py": "x = 1"})
    (tmp_path / "one/demo.py").write_text("x = 2")
    asked = [request("demo@1.0", site_packages=(str(tmp_path / name),)) for name in ("one", "two")]
    table = harvest(asked, fetcher=FolderFetcher(), parameters=parameters, clock=clock)
    assert table.column("content").to_pylist() == [b"x = 1"]


def test_parameters_come_from_the_settings(tmp_path: Path) -> None:
    settings = Settings(tmp_path, is_offline=True, exclude=("pkg:npm/*",), max_archive_bytes=7)
    parameters = HarvestParameters.of(settings)
    assert parameters.work_folder == tmp_path / "private/work"
    assert (parameters.is_offline, parameters.exclude, parameters.limits.max_archive_bytes) == (True, ("pkg:npm/*",), 7)


def test_packages_of_another_ecosystem_are_rows(parameters: HarvestParameters, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("depcodex_assets.harvest.ECOSYSTEMS", {})
    asked = [HarvestRequest(Coordinate.parse("pkg:npm/left-pad@1.0.0"))]
    table = harvest(asked, fetcher=FolderFetcher(), parameters=parameters, clock=clock)
    assert reason(table, asked[0]) == ("failed:ecosystem", False)


def test_no_request_gives_an_empty_table(parameters: HarvestParameters) -> None:
    table = harvest([], fetcher=FolderFetcher(), parameters=parameters, clock=clock)
    assert (table.num_rows, table.schema) == (0, SOURCE_FILES)


def test_fetched_archives_lie_in_a_private_folder_and_are_gone_afterwards(
    tmp_path: Path, parameters: HarvestParameters
) -> None:
    fetcher = FolderFetcher({"demo": write_wheel(tmp_path, "demo", "1.0", {"demo.py": ""})})
    harvest([request("demo@1.0")], fetcher=fetcher, parameters=parameters, clock=clock)
    assert fetcher.modes == [0o700]
    assert stat.S_IMODE(parameters.work_folder.stat().st_mode) == 0o700
    assert list(parameters.work_folder.iterdir()) == []


def test_what_a_killed_run_left_goes_and_what_a_living_run_has_stays(tmp_path: Path) -> None:
    with work_area(tmp_path) as living:
        (living / "archive.whl").write_text("")
        dead = tmp_path / "harvest-dead"
        dead.mkdir()
        (dead / "archive.whl").write_text("")
        (tmp_path / "harvest-dead.lock").touch()
        (tmp_path / "harvest-soon.lock").touch()
        (tmp_path / "somebody-elses").mkdir()
        with work_area(tmp_path):
            assert not dead.exists()
            assert (living / "archive.whl").exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["harvest-soon.lock", "somebody-elses"]


def test_a_hundred_random_citations_are_opened_again(tmp_path: Path, parameters: HarvestParameters) -> None:
    """Installed distributions in place, wheels and source distributions through pip: digest and line agree."""
    purelib = sysconfig.get_paths()["purelib"]
    asked = []
    for name in ("pluggy", "packaging", "iniconfig"):
        info = next(Path(purelib).glob(f"{name}-*.dist-info")).name
        version = info.removesuffix(".dist-info").rpartition("-")[2]
        asked.append(request(f"{name}@{version}", site_packages=(purelib,)))
    with serve_index(tmp_path) as index:
        modules = {f"demo/m{number}.py": "\n".join(f"x{line} = {number}" for line in range(50)) for number in range(4)}
        write_wheel(tmp_path, "demo", "1.0", modules)
        write_sdist(tmp_path, "source", "1.0", {f"src/{path}": text for path, text in modules.items()})
        asked += [request("demo@1.0"), request("source@1.0")]
        fetcher = PipFetcher(environment=pip_environment(index))
        table = harvest(asked, fetcher=fetcher, parameters=parameters, clock=clock)
        by_id = {each.coordinate.coordinate_id: each for each in asked}
        rng = random.Random(20261130)
        cited = []
        for coordinate_id in by_id:
            files = [row for row in table.to_pylist() if row["coordinate_id"] == coordinate_id and row["content"]]
            cited += rng.choices(files, k=20)
        assert len(cited) == 100
        opened: dict[tuple[int, str], bytes] = {}
        for row in cited:
            key = (row["coordinate_id"], row["path"])
            if key not in opened:
                opened[key] = reopen(by_id[key[0]], key[1], fetcher=fetcher, parameters=parameters, clock=clock)
            content = opened[key]
            assert "sha256:" + hashlib.sha256(content).hexdigest() == row["file_digest"]
            line = rng.randrange(len(row["content"].splitlines()))
            assert content.splitlines()[line] == row["content"].splitlines()[line]
        with pytest.raises(SourceNotFoundError):
            reopen(asked[0], "no/such.py", fetcher=fetcher, parameters=parameters, clock=clock)
        with pytest.raises(SourceNotFoundError):
            reopen(request("gone@1.0"), "gone.py", fetcher=fetcher, parameters=parameters, clock=clock)


def test_reading_in_place_costs_little_over_reading_the_bytes(parameters: HarvestParameters) -> None:
    """A guard against the quadratic and the forgotten, ten times above what was measured."""
    purelib = sysconfig.get_paths()["purelib"]
    info = next(Path(purelib).glob("hypothesis-*.dist-info")).name
    version = info.removesuffix(".dist-info").rpartition("-")[2]
    asked = [request(f"hypothesis@{version}", site_packages=(purelib,))]
    harvest(asked, fetcher=FolderFetcher(), parameters=parameters, clock=clock)
    started = time.process_time()
    table = harvest(asked, fetcher=FolderFetcher(), parameters=parameters, clock=clock)
    seconds = time.process_time() - started
    megabytes = sum(table.column("size_bytes").to_pylist()) / 1e6
    assert seconds / megabytes < 0.5
