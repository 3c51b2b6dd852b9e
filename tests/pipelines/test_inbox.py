"""The Dagster room: inbox."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from depcodex.coordinates import Coordinate
from depcodex.schemas import State
from depcodex_pipelines.inbox import InboxCursor, RecordedProject, requests_for


def coordinate(number: int) -> Coordinate:
    return Coordinate.of("pypi", f"lib{number}", "1.0")


def project(key: str, *numbers: int, digest: str = "d") -> RecordedProject:
    return RecordedProject(key, digest, tuple(coordinate(number) for number in numbers))


def purls(requests: list[object]) -> list[str]:
    return [each.purl for request in requests for each in request.coordinates]  # type: ignore[attr-defined]


def test_what_two_projects_share_is_asked_for_once() -> None:
    requests = requests_for([project("a", 1, 2), project("b", 2, 3)], {}, (), InboxCursor())
    assert purls(requests) == [coordinate(number).purl for number in (1, 2, 3)]


def test_settled_coordinates_and_those_under_way_are_not_asked_for() -> None:
    states = {coordinate(number).purl: str(state) for number, state in enumerate(State)}
    recorded = project("a", *range(len(State) + 2))
    asked = purls(requests_for([recorded], states, {coordinate(len(State)).purl}, InboxCursor()))
    unsettled = [number for number, state in enumerate(State) if state in (State.PENDING, State.FAILED)]
    assert asked == [coordinate(number).purl for number in (*unsettled, len(State) + 1)]


def test_a_failed_coordinate_is_asked_for_again_only_when_a_record_that_names_it_changed() -> None:
    states = {coordinate(1).purl: "failed"}
    projects = [project("a", 1, digest="new"), project("b", 2)]
    same = InboxCursor("", {"a": "new", "b": "d"})
    assert purls(requests_for(projects, states, (), same)) == [coordinate(2).purl]
    changed = InboxCursor("", {"a": "old", "b": "d"})
    assert purls(requests_for(projects, states, (), changed)) == [coordinate(1).purl, coordinate(2).purl]


def test_the_same_coordinates_of_the_same_records_have_the_same_key() -> None:
    first = requests_for([project("a", 1, 2)], {}, (), InboxCursor())
    again = requests_for([project("a", 1, 2)], {}, (), InboxCursor("", {"a": "d"}))
    changed = requests_for([project("a", 1, 2, digest="e")], {}, (), InboxCursor())
    assert first == again
    assert first[0].key != changed[0].key


@given(count=st.integers(0, 50), size=st.integers(1, 20))
def test_chunks_cover_everything_once_and_keep_to_their_size(count: int, size: int) -> None:
    requests = requests_for([project("a", *range(count))], {}, (), InboxCursor(), chunk_coordinates=size)
    assert all(0 < len(request.coordinates) <= size for request in requests)
    assert purls(requests) == sorted(coordinate(number).purl for number in range(count))
    assert len({request.key for request in requests}) == len(requests)


@given(st.text() | st.none())
def test_any_text_is_a_cursor(text: str | None) -> None:
    InboxCursor.of(text)


def test_a_cursor_comes_back_from_its_text() -> None:
    cursor = InboxCursor("f", {"a": "1", "b": "2"})
    assert InboxCursor.of(cursor.text()) == cursor
