"""The library: closure json."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex.closure import (
    Closure,
    ProjectRecord,
    ResolvedDependency,
    Scope,
    SkippedDependency,
    from_json,
    rekey,
    to_json,
)
from depcodex.coordinates import Coordinate
from depcodex.errors import ClosureError

_WORDS = st.text(max_size=12)
_NAMES = st.from_regex(r"[a-z][a-z0-9]{0,6}", fullmatch=True)
_VERSIONS = st.from_regex(r"[0-9]{1,2}(\.[0-9]{1,2}){0,2}(\+[a-z]{2})?", fullmatch=True)
_CHECKSUMS = st.sampled_from(["", "sha256:" + "ab" * 32])
_COORDINATES = st.builds(
    lambda name, version, checksum: Coordinate.of("pypi", name, version, checksum=checksum),
    _NAMES,
    _VERSIONS,
    _CHECKSUMS,
)
_DEPENDENCIES = st.builds(
    ResolvedDependency,
    _COORDINATES,
    st.sampled_from(Scope),
    st.none() | st.integers(1, 9),
    st.lists(_COORDINATES.map(lambda each: each.purl), max_size=2).map(tuple),
    st.lists(_WORDS, max_size=2).map(tuple),
    _WORDS,
    st.booleans(),
)
_PAIRS = st.lists(st.tuples(_WORDS, _WORDS), max_size=3).map(tuple)
_CLOSURES = st.builds(
    Closure,
    _NAMES,
    _WORDS,
    st.lists(_DEPENDENCIES, max_size=4).map(tuple),
    _PAIRS,
    st.lists(st.builds(SkippedDependency, _WORDS, _WORDS, _WORDS), max_size=3).map(tuple),
    st.lists(_WORDS, max_size=2).map(tuple),
    st.dictionaries(_WORDS, _WORDS, max_size=3),
    _PAIRS,
    st.lists(_WORDS, max_size=2).map(tuple),
    st.lists(st.tuples(_WORDS, _WORDS, _WORDS), max_size=2).map(tuple),
)
_RECORDS = st.builds(
    ProjectRecord, _WORDS, st.lists(_CLOSURES, min_size=1, max_size=3).map(tuple), st.sampled_from(Scope), _WORDS
)


@given(_RECORDS)
def test_a_record_comes_back_from_its_json(record: ProjectRecord) -> None:
    assert from_json(json.loads(json.dumps(to_json(record)))) == record


def record_of(*names: str) -> ProjectRecord:
    rows = tuple(ResolvedDependency(Coordinate.of("pypi", name, "1"), Scope.DECLARED, 1) for name in names)
    closure = Closure("uv", ".", rows, (("pkg:pypi/a@1", "pkg:pypi/b@1"),))
    return ProjectRecord("/p", (closure,), Scope.IMPORTABLE, "2026-11-30T00:00:00+00:00")


def test_the_union_stands_beside_the_members() -> None:
    value = to_json(record_of("a", "b"))
    assert value["schema_version"] == 1
    assert [row["purl"] for row in value["union"]] == ["pkg:pypi/a@1", "pkg:pypi/b@1"]


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 2},
        {"members": []},
        {"members": {}},
        {"scope": "everything"},
        {"project": 3},
        {"members": [{"format": "uv"}]},
        {"recorded_at": None},
    ],
)
def test_a_value_that_is_no_record_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ClosureError):
        from_json({**to_json(record_of("a")), **change})


@pytest.mark.parametrize("field", ["purl", "distance", "via", "is_yanked"])
def test_a_dependency_of_the_wrong_type_is_refused(field: str) -> None:
    value = to_json(record_of("a"))
    value["members"][0]["dependencies"][0][field] = {}
    with pytest.raises(ClosureError):
        from_json(value)


@pytest.mark.parametrize("value", [None, [], "text", 3])
def test_what_is_not_even_an_object_is_refused(value: object) -> None:
    with pytest.raises(ClosureError):
        from_json(value)


def test_rekeying_replaces_a_coordinate_in_rows_edges_and_ways() -> None:
    a, b = Coordinate.of("pypi", "a", "1"), Coordinate.of("pypi", "b", "1")
    rows = (
        ResolvedDependency(a, Scope.DECLARED, 1),
        ResolvedDependency(b, Scope.IMPORTABLE, 2, (a.purl,)),
    )
    aliases = (("", "x", a.purl), (a.purl, "y", b.purl))
    closure = Closure("uv", ".", rows, ((a.purl, b.purl),), aliases=aliases)
    record = ProjectRecord("/p", (closure,), Scope.ALL, "now")
    edited = a.with_checksum("0" * 64)
    (member,) = rekey(record, {a: edited}).members
    assert {row.coordinate for row in member.dependencies} == {edited, b}
    assert member.edges == ((edited.purl, b.purl),)
    assert member.aliases == (("", "x", edited.purl), (edited.purl, "y", b.purl))
    found = member.dependency(b)
    assert found is not None
    assert found.via == (edited.purl,)
    assert rekey(record, {}) is record


def test_records_of_an_older_release_have_neither_source_folders_nor_aliases() -> None:
    value = to_json(record_of("a"))
    del value["members"][0]["source_folders"], value["members"][0]["aliases"]
    assert from_json(value) == record_of("a")
