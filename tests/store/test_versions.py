"""Versions in the order of their ecosystems; Maven's own comparer is asked where it is on the machine."""

from __future__ import annotations

import doctest
import itertools
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex import versions
from depcodex.versions import compare_versions, is_same_version, newest_first

MAVEN_JARS = (Path("/usr/share/java/maven-artifact-3.x.jar"), Path("/usr/share/java/commons-lang3.jar"))
# Oldest first, as each ecosystem's own documentation orders them.
ORDERED = {
    "pypi": ["1.0.dev1", "1.0a1", "1.0rc1", "1.0", "1.0+local", "1.0.post1", "1.9", "1.10", "1!0.1"],
    "npm": ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0"],
    "cargo": ["0.9.0", "0.10.0", "1.0.0-alpha.9", "1.0.0-alpha.10", "1.0.0", "1.0.200"],
    "golang": ["v0.0.0-20180131150000-abcdefabcdef", "v1.6.0-rc.1", "v1.6.0", "v1.10.0", "v2.0.0+incompatible"],
    "maven": [
        "1.0-alpha-1",
        "1.0-beta1",
        "1.0-M2",
        "1.0.RC1",
        "1.0-SNAPSHOT",
        "1.0",
        "1.0-sp",
        "1.0-jre",
        "1.0.1",
        "1.10",
    ],
}


@pytest.mark.parametrize("type", ORDERED)
def test_each_ecosystems_own_order_holds(type: str) -> None:
    ordered = ORDERED[type]
    assert newest_first(type, reversed(ordered)) == ordered[::-1]
    for one, other in itertools.combinations(ordered, 2):
        assert compare_versions(type, one, other) == -1
        assert compare_versions(type, other, one) == 1


@pytest.mark.parametrize(
    ("type", "one", "other"),
    [
        ("pypi", "1.0", "1.0.0"),
        ("maven", "1.0", "1.0.0.Final"),
        ("maven", "2.1.0.RELEASE", "2.1.0"),
        ("npm", "v1.2.3", "1.2.3"),
        ("cargo", "1.2.3+build", "1.2.3"),
        ("golang", "v1.2.3+incompatible", "1.2.3"),
        ("npm", "latest", "latest"),
    ],
)
def test_two_spellings_of_one_version_are_the_same(type: str, one: str, other: str) -> None:
    assert is_same_version(type, one, other)


@pytest.mark.parametrize(
    ("type", "one", "other"),
    [
        ("npm", "1.0.0.0.0", "1.0.0"),
        ("npm", "1.0", "1.0.0"),
        ("npm", "1.0.0", "workspace:*"),
        ("pypi", "latest", "1.0"),
        ("cargo", "9" * 5000, "1.0.0"),
        ("maven", "9" * 5000, "1.0"),
        ("golang", "v1.6", "v1.6.0"),
    ],
)
def test_what_is_no_version_there_is_never_taken_for_one(type: str, one: str, other: str) -> None:
    assert compare_versions(type, one, other) is None
    assert not is_same_version(type, one, other)


@given(st.sampled_from(list(ORDERED)), st.text(max_size=30), st.text(max_size=30))
def test_any_two_texts_are_compared_or_not_and_nothing_breaks(type: str, one: str, other: str) -> None:
    forward, backward = compare_versions(type, one, other), compare_versions(type, other, one)
    assert (forward is None) == (backward is None)
    assert forward is None or forward == -(backward or 0)


def test_the_examples_in_the_docstrings_run() -> None:
    result = doctest.testmod(versions)
    assert result.attempted
    assert not result.failed


def test_the_comparing_libraries_are_loaded_on_first_use_only() -> None:
    code = "import sys, depcodex.versions, depcodex.resolution; print('univers' in sys.modules, 'attr' in sys.modules)"
    path = ":".join(sys.path)
    result = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": path}, capture_output=True, text=True)
    assert result.stdout.split() == ["False", "False"], result.stderr


@pytest.mark.skipif(
    shutil.which("java") is None or not all(each.is_file() for each in MAVEN_JARS), reason="Maven is not here"
)
def test_maven_itself_orders_as_we_do() -> None:
    draw = random.Random(4)
    words = [
        "alpha",
        "beta",
        "M",
        "rc",
        "RC",
        "cr",
        "SNAPSHOT",
        "Final",
        "GA",
        "RELEASE",
        "sp",
        "jre",
        "jdk",
        "x",
        "b",
        "v",
    ]
    texts = []
    for _ in range(3000):
        text = ".".join(str(draw.choice([0, 1, 2, 9, 10, 2020])) for _ in range(draw.randint(1, 4)))
        for _ in range(draw.choice([0, 1, 1])):
            text += draw.choice(".-") + draw.choice(words) + draw.choice(["", "1", "-2", "10"])
        texts.append(text)
    result = subprocess.run(
        [
            "java",
            "-cp",
            ":".join(map(str, MAVEN_JARS)),
            "org.apache.maven.artifact.versioning.ComparableVersion",
            *texts,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = re.findall(r"^\s+(\S+) (<|==|>) (\S+)$", result.stdout, re.MULTILINE)
    assert len(rows) == len(texts) - 1
    signs = {-1: "<", 0: "==", 1: ">"}
    wrong = [row for row in rows if signs[compare_versions("maven", row[0], row[2]) or 0] != row[1]]
    # What is left are words that Maven does not know with a digit after them: 0.jre-2 against 0.v1.
    assert len(wrong) <= len(rows) // 1000, wrong
