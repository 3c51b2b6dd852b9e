"""Package URLs by the specification's own tests, and what they leave open."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex.purls import make_purl, parse_purl, purl_text

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("DEPCODEX_SHARED") or ROOT.parent / "shared") / "data/purl"
TYPES = ("pypi", "npm", "maven", "cargo", "golang")


def cases() -> list[Any]:
    found = []
    for path in sorted(SHARED.glob("*-test.json")):
        for number, case in enumerate(json.loads(path.read_text(encoding="utf-8"))["tests"]):
            found.append(pytest.param(case, id=f"{path.stem}-{number}-{case['test_type']}"))
    return found or [pytest.param(None, id="absent")]


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the specification's tests are not beside the project")
@pytest.mark.parametrize("case", cases())
def test_every_case_of_the_specification_comes_out_as_it_says(case: dict[str, Any]) -> None:
    def outcome() -> object:
        given_input = case["input"]
        if case["test_type"] == "build":
            parts = {key: value for key, value in given_input.items() if value is not None}
            return purl_text(make_purl(parts.pop("type", ""), parts.pop("name", ""), **parts))
        purl = parse_purl(given_input)
        return purl.to_dict(empty=None) if case["test_type"] == "parse" else purl_text(purl)

    if case["expected_failure"]:
        with pytest.raises(ValueError, match=r"\S"):
            outcome()
        return
    assert outcome() == case["expected_output"]


def test_the_types_that_know_no_case_are_lower_case() -> None:
    assert purl_text(parse_purl("pkg:golang/github.com/BurntSushi/TOML@v1.4.0")) == (
        "pkg:golang/github.com/burntsushi/toml@v1.4.0"
    )
    assert purl_text(make_purl("npm", "JSONStream", version="1.3.5")) == "pkg:npm/jsonstream@1.3.5"
    assert purl_text(make_purl("npm", "Node", namespace="@Types")) == "pkg:npm/%40types/node"


@pytest.mark.parametrize("type", ["maven", "cargo"])
def test_the_types_that_know_case_keep_it(type: str) -> None:
    assert purl_text(make_purl(type, "HTTPClient", version="0.3-Final")) == f"pkg:{type}/HTTPClient@0.3-Final"


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/", exclude_categories=("C", "Z")), min_size=1)


@given(st.sampled_from(TYPES), NAMES, NAMES, NAMES)
def test_the_canonical_text_is_read_back_as_the_same_parts(type: str, namespace: str, name: str, version: str) -> None:
    try:
        purl = make_purl(type, name, namespace="" if type in ("pypi", "cargo") else namespace, version=version)
    except ValueError:
        return
    text = purl_text(purl)
    assert text.isascii()
    assert purl_text(parse_purl(text)) == text
