"""Coordinates of all five types: what they keep, refuse and match."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex import coordinates, purls
from depcodex.coordinates import Coordinate, entry_id
from depcodex.errors import CoordinateError

ONE_OF_EACH = (
    "pkg:pypi/typing-extensions@4.16.0",
    "pkg:npm/%40scope/name@1.0.0",
    "pkg:npm/left-pad@1.3.0",
    "pkg:maven/io.ktor/ktor-client-core@3.5.1",
    "pkg:maven/mygroup/myartifact@1.0.0%20Final",
    "pkg:cargo/serde_json@1.0.200%2Bbuild.1",
    "pkg:golang/github.com/google/uuid@v1.6.0",
    "pkg:golang/gopkg.in/yaml.v3@v3.0.1",
    "pkg:golang/github.com/docker/docker@v26.1.0%2Bincompatible",
)


@pytest.mark.parametrize("purl", ONE_OF_EACH)
def test_a_coordinate_comes_back_from_its_package_url(purl: str) -> None:
    coordinate = Coordinate.parse(purl)
    assert coordinate.purl == purl
    assert Coordinate.parse(coordinate.purl) == coordinate
    assert coordinate.library == purl.partition("@")[0]
    made = Coordinate.of(coordinate.type, coordinate.name, coordinate.version, namespace=coordinate.namespace)
    assert made == coordinate


@pytest.mark.parametrize("module", [coordinates, purls])
def test_the_examples_in_the_docstrings_run(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pkg:golang/github.com/BurntSushi/toml@v1.4.0", "pkg:GOLANG/github.com/burntsushi/toml@v1.4.0"),
        ("pkg:npm/@scope/name@1.0.0", "pkg:npm/%40Scope/Name@1.0.0"),
        ("pkg:pypi/Zope.Interface@7.0", "pkg:pypi/zope_interface@7.0"),
        ("pkg://maven/org.apache.commons/io@1.3.4", "pkg:Maven/org.apache.commons/io@1.3.4"),
    ],
)
def test_spellings_of_one_library_are_one_coordinate(one: str, other: str) -> None:
    assert Coordinate.parse(one) == Coordinate.parse(other)
    assert Coordinate.parse(one).coordinate_id == Coordinate.parse(other).coordinate_id


@pytest.mark.parametrize(
    "text",
    [
        "",
        "requests",
        "pkg:pypi/requests",
        "pkg:gem/rails@7.0",
        "pkg:maven/g/a@1?classifier=sources",
        "pkg:npm/a@1.0.0#sub/path",
        "pkg:npm/a@1.0.0?checksum=sha256:12",
        "pkg:npm/a@1...2",
        "pkg:npm/a%0Ab@1.0.0",
        "pkg:cargo/%E2%80%AEserde@1.0.0",
        f"pkg:npm/{'a' * 400}@1.0.0",
        f"pkg:golang/github.com/{'%C3%BC' * 70}@v1.0.0",
    ],
)
def test_what_cannot_be_a_coordinate_is_refused_typed(text: str) -> None:
    with pytest.raises(CoordinateError) as caught:
        Coordinate.parse(text)
    assert len(str(caught.value)) < 700


@given(st.text(max_size=60))
def test_any_text_is_a_coordinate_or_a_typed_refusal(text: str) -> None:
    for candidate in (text, f"pkg:{text}", f"pkg:npm/{text}", f"pkg:maven/{text}@1"):
        try:
            coordinate = Coordinate.parse(candidate)
        except CoordinateError:
            continue
        assert Coordinate.parse(coordinate.purl) == coordinate


@pytest.mark.parametrize(
    ("purl", "pattern"),
    [
        ("pkg:npm/%40scope/name@1.0.0", "pkg:npm/@scope/*"),
        ("pkg:npm/%40scope/name@1.0.0", "pkg:npm/%40scope/name"),
        ("pkg:npm/%40scope/name@1.0.0", "pkg:npm/%40Scope/NAME@1.*"),
        ("pkg:npm/%40scope/name@1.0.0%2Bb", "pkg:npm/%40scope/name@1.0.0+b"),
        ("pkg:maven/io.ktor/ktor-client-core@3.5.1", "pkg:maven/io.ktor/*"),
        ("pkg:maven/io.ktor/ktor-client-core@3.5.1", "pkg:Maven/io.*/ktor-client-?ore"),
        ("pkg:golang/github.com/burntsushi/toml@v1.4.0", "pkg:golang/github.com/BurntSushi/*"),
        ("pkg:golang/github.com/docker/docker@v26.1.0%2Bincompatible", "pkg:golang/*@v26.1.0+incompatible"),
        ("pkg:cargo/serde_json@1.0.0", "pkg:cargo/serde*"),
        ("pkg:cargo/serde_json@1.0.0", "*"),
    ],
)
def test_a_pattern_covers_what_its_ecosystem_calls_so(purl: str, pattern: str) -> None:
    assert Coordinate.parse(purl).matches(pattern)


@pytest.mark.parametrize(
    ("purl", "pattern"),
    [
        ("pkg:npm/%40scope/name@1.0.0", "pkg:npm/name"),
        ("pkg:npm/%40scope/name@1.0.0", "pkg:npm/@other/*"),
        ("pkg:maven/io.ktor/ktor-client-core@3.5.1", "pkg:maven/io.Ktor/*"),
        ("pkg:cargo/serde_json@1.0.0", "pkg:cargo/serde-json"),
        ("pkg:cargo/serde@1.0.0", "pkg:npm/serde"),
    ],
)
def test_a_pattern_covers_nothing_else(purl: str, pattern: str) -> None:
    assert not Coordinate.parse(purl).matches(pattern)


PARTS = st.text("aB0.-_+~@%/: ", min_size=1, max_size=8)


@given(st.sampled_from(["pypi", "npm", "maven", "cargo", "golang"]), st.just("") | PARTS, PARTS, PARTS)
def test_the_short_way_for_plain_parts_gives_what_the_specification_does(
    type: str, namespace: str, name: str, version: str
) -> None:
    try:
        made = Coordinate.of(type, name, version, namespace=namespace)
    except CoordinateError:
        return
    purl = purls.purl_text(purls.make_purl(type, name, namespace=namespace, version=version))
    if type != "pypi":
        assert made.purl == purl
    assert Coordinate.parse(made.purl) == made
    assert Coordinate.parse(purl) == made
    parsed = purls.parse_purl(made.purl)
    assert (parsed.namespace or "", parsed.name, parsed.version) == (made.namespace, made.name, made.version)
    assert made.library == made.purl.rpartition("@")[0]


def test_an_entrys_id_tells_coordinates_and_symbols_apart() -> None:
    ids = {entry_id(purl, symbol) for purl in ONE_OF_EACH for symbol in ("a.b", "a::b")}
    assert len(ids) == 2 * len(ONE_OF_EACH)
    assert all(len(each) == 20 for each in ids)
