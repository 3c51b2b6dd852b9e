"""A member of a repository is asked by its path, and sees nothing of the others; the root sees the union."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.public_store import Entry, Store, WordEmbedder
from depcodex import records
from depcodex.closure import Closure, ProjectRecord, ResolvedDependency, Scope
from depcodex.coordinates import Coordinate
from depcodex.query import Codex

REACT, OLD, NEW, UUID = (
    "pkg:npm/react@19.0.0",
    "pkg:pypi/client@1.0.0",
    "pkg:pypi/client@2.0.0",
    "pkg:golang/github.com/google/uuid@v1.6.0",
)
LIBRARY = {
    REACT: [Entry("react.useState", "Keeps a state.", kind="function")],
    OLD: [Entry("client.get", "Gets a thing.", kind="function")],
    NEW: [Entry("client.get", "Gets a thing.", kind="function", signatures=("def get(x)",))],
    UUID: [Entry("github.com/google/uuid.New", "Makes one.", kind="function")],
}
# Two closures of one path: a folder with locks of two ecosystems.
MEMBERS = ((".", "uv", NEW), ("web", "npm", REACT), ("web", "uv", OLD), ("cmd/tool", "gomod", UUID))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path)
    store.publish(LIBRARY)
    closures = tuple(
        Closure(format, member, (ResolvedDependency(Coordinate.parse(purl), distance=1),))
        for member, format, purl in MEMBERS
    )
    record = ProjectRecord(str(store.project.resolve()), closures, Scope.IMPORTABLE, "2026-12-01T12:00:00+00:00")
    records.write_record(store.settings, record)
    for folder in ("web/src/deep", "cmd/tool", "elsewhere"):
        (store.project / folder).mkdir(parents=True)
    return store


@pytest.mark.parametrize(
    ("folder", "seen"),
    [
        (".", {REACT, OLD, NEW, UUID}),
        ("elsewhere", {REACT, OLD, NEW, UUID}),
        ("web", {REACT, OLD}),
        ("web/src/deep", {REACT, OLD}),
        ("cmd/tool", {UUID}),
        ("cmd", {REACT, OLD, NEW, UUID}),
    ],
)
def test_a_folder_sees_its_members_closures_and_the_root_sees_all(store: Store, folder: str, seen: set[str]) -> None:
    codex = Codex.open(store.project / folder, store.settings, embedder=WordEmbedder())
    assert {each.purl for each in codex.status().coordinates} == seen
    found = {hit.coordinate for symbol in ("client.get", "react.useState") for hit in codex.lookup(symbol).results}
    assert found == seen - {UUID}
    assert bool(codex.lookup("github.com/google/uuid.New").results) == (UUID in seen)


def test_two_members_versions_are_a_diamond_at_the_root_and_none_in_the_member(store: Store) -> None:
    root = Codex.open(store.project, store.settings, embedder=WordEmbedder()).lookup("client.get")
    assert [hit.coordinate for hit in root.results] == [OLD, NEW]
    assert root.results[0].disagrees_with == (root.results[1].id,)
    (hit,) = Codex.open(store.project / "web", store.settings, embedder=WordEmbedder()).lookup("client.get").results
    assert (hit.coordinate, hit.disagrees_with) == (OLD, ())
