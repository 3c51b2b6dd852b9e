"""Lock files and environments: names, specifiers and machines of the npm family."""

from __future__ import annotations

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.lockfile_reader import linux_target
from depcodex.coordinates import Coordinate
from depcodex.errors import CoordinateError
from depcodex.lockfiles.npm_names import (
    alias_target,
    integrity_digests,
    is_version,
    npm_coordinate,
    origin_of,
    split_at_version,
    split_name,
)
from depcodex.lockfiles.npm_platforms import Platform

_NAMES = st.from_regex(r"(@[a-z0-9][a-z0-9._-]{0,8}/)?[a-z0-9][a-z0-9._-]{0,12}", fullmatch=True)
_VERSIONS = st.from_regex(r"[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(-[a-z0-9.-]{1,8})?(\+[a-z0-9.-]{1,6})?", fullmatch=True)


@given(_NAMES, _VERSIONS)
def test_the_short_way_to_a_coordinate_ends_where_the_general_one_does(name: str, version: str) -> None:
    scope, bare = split_name(name)
    try:
        general = Coordinate.of("npm", bare, version, namespace=scope)
    except CoordinateError:
        with pytest.raises(CoordinateError):
            npm_coordinate(name, version)
        return
    quick = npm_coordinate(name, version)
    assert quick == general
    assert Coordinate.parse(quick.purl) == quick
    assert is_version(version)
    assert split_at_version(f"{name}@{version}") == (name, version)
    assert alias_target(f"npm:{name}@{version}") == name
    assert origin_of(version) == ""


@pytest.mark.parametrize(
    ("specifier", "origin"),
    [
        ("1.2.3", ""),
        ("^1 || >=2 <3", ""),
        ("latest", ""),
        ("*", ""),
        ("", ""),
        ("npm:@scope/real@^1", ""),
        ("npm:real@1", ""),
        ("github:a/b#main", "git"),
        ("a/b", "git"),
        ("a/b#v1.0", "git"),
        ("git+ssh://git@host.example/a.git#0123", "git"),
        ("git://host.example/a", "git"),
        ("git@host.example:a/b.git", "git"),
        ("https://host.example/a/b.git#main", "git"),
        ("https://codeload.host.example/a/b/tar.gz/0123", "git"),
        ("https://host.example/a.tgz", "url"),
        ("http://host.example/a-1.0.0.tgz", "url"),
        ("file:../a", "file"),
        ("./a.tgz", "file"),
        ("/a/b", "file"),
        ("~/a", "file"),
        ("link:a", "link"),
        ("portal:../a", "link"),
        ("workspace:^", "workspace"),
    ],
)
def test_a_specifier_says_where_a_package_comes_from(specifier: str, origin: str) -> None:
    assert origin_of(specifier) == origin


@pytest.mark.parametrize(
    ("specifier", "name"),
    [
        ("npm:a@^1", "a"),
        ("npm:@s/a@1", "@s/a"),
        ("npm:a", "a"),
        ("npm:^1", ""),
        ("npm:1.0.0", ""),
        ("npm:latest", ""),
        ("^1", ""),
    ],
)
def test_an_alias_names_the_real_package(specifier: str, name: str) -> None:
    assert alias_target(specifier) == name


@given(st.binary(max_size=20), st.sampled_from(["sha1", "sha256", "sha384", "sha512"]))
def test_integrity_becomes_hexadecimal(content: bytes, algorithm: str) -> None:
    digest = hashlib.new(algorithm, content).digest()
    text = f"{algorithm}-{base64.b64encode(digest).decode()}?opt"
    assert integrity_digests(text) == (f"{algorithm}:{digest.hex()}",)
    assert integrity_digests(f"md5-AAAA {text}") == (f"{algorithm}:{digest.hex()}",)


@given(st.text(max_size=40))
def test_any_text_is_an_integrity_or_none(text: str) -> None:
    assert all(each.startswith("sha") for each in integrity_digests(text))


def test_a_machine_is_held_against_lists_and_words() -> None:
    machine = Platform("linux", "x64", "glibc")
    assert machine.serves()
    assert machine.serves(["darwin", "linux"], ["x64"], ["glibc"])
    assert machine.serves("linux", "!arm64")
    assert machine.serves(["any"], None, None)
    assert not machine.serves(["!linux"])
    assert not machine.serves(["win32"])
    assert not machine.serves(["linux"], ["arm64"])
    assert not machine.serves("linux", "x64", "musl")
    assert not machine.serves("none")
    assert Platform("linux", "x64").serves("linux", "x64", "musl")
    assert machine.meets("os=linux & cpu=x64 & libc=glibc")
    assert machine.meets("(os=linux | os=darwin) & cpu=x64")
    assert not machine.meets("os=linux & cpu=arm64")


def test_the_target_decides_which_machine_it_is() -> None:
    machine = Platform.of(linux_target())
    assert (machine.system, machine.processor) == ("linux", "x64")
