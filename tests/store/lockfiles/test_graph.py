"""Lock files and environments: graph."""

from __future__ import annotations

import random

from depcodex.closure import Scope
from depcodex.coordinates import Coordinate
from depcodex.lockfiles.graph import NOT_ASKED, Edge, Graph, Package


def graph_of(edges: str, without_coordinate: str = "") -> Graph:
    """A graph from ``"a>b a>c"``; ``a!c:why`` is an edge that is left out."""
    graph = Graph()
    names = sorted({letter for letter in edges if letter.islower() and letter.isalpha()})
    for name in names:
        coordinate = None if name in without_coordinate else Coordinate.of("pypi", name, "1")
        graph.add(name, Package(name, "1", coordinate, "" if coordinate else "not here"))
    for text in edges.split():
        if len(text) > 1:
            graph.connect(text[0], text[2], "LEFT OUT" if text[1] == "!" else "")
    return graph


def test_the_nearest_way_wins_and_ties_go_by_alphabet() -> None:
    resolution = graph_of("a>c b>c c>d a>e e>d").resolve([Edge("b"), Edge("a")])
    rows = {row.coordinate.name: row for row in resolution.dependencies}
    assert rows["c"].via == ("pkg:pypi/a@1",)
    assert (rows["d"].distance, rows["d"].via) == (3, ("pkg:pypi/a@1", "pkg:pypi/c@1"))


def test_circles_end() -> None:
    resolution = graph_of("a>b b>a b>b").resolve([Edge("a")])
    assert [row.distance for row in resolution.dependencies] == [1, 2]
    assert ("pkg:pypi/b@1", "pkg:pypi/a@1") in resolution.edges


def test_what_is_left_out_carries_the_reason_of_the_first_edge_on_its_way() -> None:
    resolution = graph_of("a!b b>c d x").resolve([Edge("a"), Edge("d", "group dev is not asked for")])
    assert {row.name: row.reason for row in resolution.skipped} == {
        "b": "LEFT OUT",
        "c": "LEFT OUT",
        "d": "group dev is not asked for",
        "x": NOT_ASKED,
    }


def test_a_package_without_a_coordinate_is_skipped_and_what_it_asks_for_is_kept() -> None:
    resolution = graph_of("a>b b>c", without_coordinate="b").resolve([Edge("a")])
    rows = {row.coordinate.name: row for row in resolution.dependencies}
    assert (rows["c"].distance, rows["c"].via) == (3, ("pkg:pypi/a@1",))
    assert [(row.name, row.reason) for row in resolution.skipped] == [("b", "not here")]


def test_scopes_say_who_names_what() -> None:
    graph = graph_of("a>b c")
    everything = [Edge("a"), Edge("b"), Edge("c")]
    resolution = graph.resolve(everything, named=frozenset({"a"}), unreached_scope=Scope.ALL)
    assert [(row.scope, row.distance) for row in resolution.dependencies] == [
        ("declared", 1),
        ("importable", 2),
        ("all", None),
    ]
    unnamed = graph.resolve(everything, named=frozenset(), unreached_scope=Scope.ALL)
    assert {(row.scope, row.distance) for row in unnamed.dependencies} == {("importable", None)}


def test_the_result_does_not_depend_on_the_order_in_which_edges_came() -> None:
    edges = ["a>b", "a>c", "b>d", "c>d", "d>e", "c>e", "e>a", "b!f"]
    expected = graph_of(" ".join(edges)).resolve([Edge("a")])
    chance = random.Random(7)
    for _ in range(20):
        chance.shuffle(edges)
        assert graph_of(" ".join(edges)).resolve([Edge("a")]) == expected


def test_a_target_that_the_file_does_not_hold_is_passed_over() -> None:
    graph = graph_of("a")
    graph.connect("a", "missing")
    assert len(graph.resolve([Edge("a"), Edge("gone")]).dependencies) == 1
