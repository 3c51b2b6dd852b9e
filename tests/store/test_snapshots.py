"""Snapshots: made once, mapped afterwards, never while a publish is under way, rebuilt to the same bytes."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from contracts.public_store import Entry, Store, WordEmbedder
from depcodex import snapshots
from depcodex.closure import ResolvedDependency
from depcodex.coordinates import Coordinate
from depcodex.query import Codex
from depcodex.snapshots import acquire

ROOT = Path(__file__).parents[2]
PURL, OTHER = "pkg:pypi/requests@2.34.2", "pkg:pypi/other@1.0"
IDS = [Coordinate.parse(PURL).coordinate_id]
ENTRIES = [
    Entry("requests.get", "Sends a request.", "Downloads a page."),
    Entry("requests.Session", "Keeps cookies.", kind="class"),
    Entry("requests.é", "Naïve 検索.", aliases=("requests.ü",)),
]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path)
    store.publish({PURL: ENTRIES})
    store.record(PURL)
    return store


def files(store: Store) -> dict[str, str]:
    root = store.settings.cache / "snapshots"
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_a_deleted_snapshot_is_made_again_to_the_same_bytes(store: Store) -> None:
    acquire(store.settings, IDS)
    before = files(store)
    assert len(before) == len(snapshots.ARRAYS) + 3
    snapshots.delete_all(store.settings)
    assert files(store) == {}
    acquire(store.settings, IDS)
    assert files(store) == before


def test_a_snapshot_serves_without_the_tables(store: Store) -> None:
    acquire(store.settings, IDS)
    shutil.rmtree(store.settings.public / "entries.lance")
    found = acquire(store.settings, IDS)
    assert found is not None
    assert found.entries["symbol"].to_pylist() == ["requests.Session", "requests.get", "requests.é"]


def test_a_damaged_snapshot_is_made_again(store: Store) -> None:
    acquire(store.settings, IDS)
    before = files(store)
    for name in ("doc.npy", "entries.arrow", "snapshot.json"):
        (path,) = (store.settings.cache / "snapshots").rglob(name)
        path.write_bytes(b"damaged")
        found = acquire(store.settings, IDS)
        assert found is not None
        assert found.entries.num_rows == 3
        assert files(store) == before


def test_none_is_made_or_used_while_a_publish_is_under_way(store: Store) -> None:
    old = acquire(store.settings, IDS)
    assert old is not None
    snapshots.delete_all(store.settings)
    marker = store.settings.public / "publishing-1-x"
    marker.touch()
    during = acquire(store.settings, IDS, old)
    assert during is not None
    assert during.is_transient
    assert during is not old
    assert files(store) == {}
    # A codex asks the tables each time, and answers.
    codex = Codex.open(store.project, store.settings, embedder=WordEmbedder())
    assert codex.lookup("requests.get").results
    assert codex.search("cookies").results
    assert files(store) == {}
    marker.unlink()
    after = acquire(store.settings, IDS, during)
    assert after is not None
    assert not after.is_transient
    assert files(store)


def test_an_older_generation_of_the_same_closure_is_deleted_and_its_reader_goes_on(store: Store) -> None:
    old = acquire(store.settings, IDS)
    other = acquire(store.settings, [*IDS, Coordinate.parse(OTHER).coordinate_id])
    assert old is not None
    assert other is not None
    store.publish({PURL: ENTRIES[:1]})
    new = acquire(store.settings, IDS, old)
    assert new is not None
    assert new.key.generation == old.key.generation + 1
    kept = sorted(path.name for path in (store.settings.cache / "snapshots" / old.key.closure).iterdir())
    assert kept == [new.key.folder]
    assert (store.settings.cache / "snapshots" / other.key.closure / other.key.folder).is_dir()
    assert old.row(0)["symbol"] == "requests.Session"
    assert float(old.arrays["doc"][0] @ old.arrays["doc"][0]) > 0.9


def test_a_store_made_anew_at_the_same_generation_is_another_one(store: Store) -> None:
    before = acquire(store.settings, IDS)
    shutil.rmtree(store.settings.public)
    store.publish({PURL: ENTRIES[:1]})
    after = acquire(store.settings, IDS)
    assert before is not None
    assert after is not None
    assert before.key.generation == after.key.generation
    assert after.entries.num_rows == 1


def test_a_cache_that_cannot_be_written_still_answers(store: Store) -> None:
    store.settings.cache.parent.mkdir(parents=True, exist_ok=True)
    store.settings.cache.write_text("a file where the folder would be")
    codex = Codex.open(store.project, store.settings, embedder=WordEmbedder())
    assert codex.search("cookies").results[0].symbol == "requests.Session"


def test_an_empty_closure_has_an_empty_snapshot(store: Store) -> None:
    found = acquire(store.settings, [])
    assert found is not None
    assert found.entries.num_rows == 0
    store.record()
    answer = Codex.open(store.project, store.settings, embedder=WordEmbedder()).search("x")
    assert answer.abstention is not None
    assert answer.abstention.type == "no_match"


def test_rows_of_a_coordinate_that_is_not_indexed_are_not_read(store: Store) -> None:
    store.publish({OTHER: [Entry("other.thing")]}, states={OTHER: ("failed", "half of it")})
    found = acquire(store.settings, [*IDS, Coordinate.parse(OTHER).coordinate_id])
    assert found is not None
    assert "other.thing" not in found.entries["symbol"].to_pylist()


def _acquire(home: str) -> int:
    store = Store(Path(home))
    found = acquire(store.settings, IDS)
    return 0 if found is not None and found.entries.num_rows == 3 else 1


def test_processes_that_make_it_at_once_agree(store: Store) -> None:
    # Not multiprocessing.Pool: it ends its workers by signals, and now and then waits for one for ever.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(3, mp_context=context) as pool:
        assert list(pool.map(_acquire, [str(store.root)] * 3)) == [0, 0, 0]
    assert len(list((store.settings.cache / "snapshots").glob("*/*"))) == 1


FORK = """
import os, sys, pathlib, warnings
warnings.simplefilter("ignore")
from contracts.public_store import Entry, Store, WordEmbedder
from depcodex import snapshots
from depcodex.query import Codex
from depcodex.tables import raise_generation
store = Store(pathlib.Path(sys.argv[1]))
snapshots.delete_all(store.settings)
codex = Codex.open(store.project, store.settings, embedder=WordEmbedder())
before = codex.search("cookies").to_json()
codex._process.lock.acquire()      # as if another thread held it at the fork
child = os.fork()
if child == 0:
    assert codex.search("cookies").to_json() == before
    raise_generation(store.settings.public)                      # so a snapshot has to be made
    assert codex.search("cookies").results == codex.search("cookies").results != ()
    (store.settings.public / "publishing-1-x").touch()           # or rows to be read without one
    assert codex.search("cookies").results
    (store.settings.public / "publishing-1-x").unlink()
    os._exit(0)
_, status = os.waitpid(child, 0)
assert "lancedb" in sys.modules
codex._process.lock.release()
assert codex.search("cookies").freshness.generation == before["freshness"]["generation"] + 1
sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_forked_child_answers_even_where_a_lock_was_held_and_a_snapshot_has_to_be_made(store: Store) -> None:
    path = os.pathsep.join(str(ROOT / each) for each in ("store", "tests"))
    done = subprocess.run(
        [sys.executable, "-c", FORK, str(store.root)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


OPENED = """
import sys, pathlib
home = sys.argv[1]
seen = []
def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir", "sqlite3.connect") and arguments:
        seen.append(str(arguments[0]))
    if event == "socket.connect":
        raise SystemExit("a socket was connected")
sys.addaudithook(note)
from contracts.public_store import Store, WordEmbedder
from depcodex.query import Codex
store = Store(pathlib.Path(home))
with Codex.open(store.project, store.settings, embedder=WordEmbedder()) as codex:
    assert codex.search("cookies").results and codex.lookup("requests.get").results
    codex.status()
print([path for path in seen if "/private" in path or ".depcodex" in path])
"""


def test_the_private_store_and_the_projects_own_copy_are_never_opened(store: Store) -> None:
    store.settings.private.mkdir()
    (store.settings.private / "tables").mkdir()
    (store.project / ".depcodex").mkdir()
    (store.project / ".depcodex" / "closure.json").write_text("{}")
    path = os.pathsep.join(str(ROOT / each) for each in ("store", "tests"))
    for _ in range(2):  # through LanceDB, then through the snapshot
        done = subprocess.run(
            [sys.executable, "-c", OPENED, str(store.root)],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_a_dependency_recorded_and_gone_from_the_closure_is_gone_from_answers(store: Store) -> None:
    store.publish({OTHER: [Entry("other.thing")]})
    store.record(PURL, ResolvedDependency(Coordinate.parse(OTHER), distance=1))
    codex = Codex.open(store.project, store.settings, embedder=WordEmbedder())
    assert codex.lookup("other.thing").results
    store.record(PURL)
    assert codex.lookup("other.thing").abstention is not None
