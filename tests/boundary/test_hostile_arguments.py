"""Arguments and working folders that nobody sane would use."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.public_store import Entry, Store, WordEmbedder
from depcodex import forks
from depcodex.coordinates import Coordinate
from depcodex.query import Codex
from depcodex.resolution import same_version

HTTP = "pkg:pypi/httplib@1.0.0"


def test_a_version_of_more_digits_than_python_reads_is_another_version() -> None:
    assert not same_version(Coordinate.parse(HTTP), "1" * 100_000)


def test_a_module_of_the_working_folder_is_not_run_by_the_helper_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "store")
    store.publish({HTTP: [Entry("httplib.get", "Gets a page.", "Fetch.")]})
    store.record(HTTP)
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    for name in ("json", "depcodex", "numpy"):
        (hostile / f"{name}.py").write_text(f"open({str(tmp_path / 'was_run')!r}, 'w').close()\n")
    monkeypatch.chdir(hostile)
    monkeypatch.setattr(forks._Fork, "is_unsafe", True)
    with Codex.open(store.project, store.settings, embedder=WordEmbedder()) as codex:
        assert [hit.symbol for hit in codex.lookup("httplib.get").results] == ["httplib.get"]
    assert not (tmp_path / "was_run").exists()
