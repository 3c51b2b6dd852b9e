"""Lock files and environments: JSON with comments and trailing commas."""

from __future__ import annotations

import json
import time

from hypothesis import given
from hypothesis import strategies as st

from depcodex.lockfiles.jsonc import plain_json

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(_VALUES, st.booleans())
def test_plain_json_means_the_same_before_and_after(value: object, is_ascii: bool) -> None:
    assert json.loads(plain_json(json.dumps(value, ensure_ascii=is_ascii))) == value


@given(st.lists(st.text(), max_size=5))
def test_comments_and_trailing_commas_go_and_texts_stay(words: list[str]) -> None:
    written = "".join(f"  {json.dumps(word)}, // {json.dumps(word)[1:-1]}\n /* , ] {{ */\n" for word in words)
    assert json.loads(plain_json(f"[\n{written}]")) == words


def test_lines_keep_their_numbers() -> None:
    text = '{ // one\n/* two\nthree */ "a": 1,\n}'
    assert plain_json(text).count("\n") == text.count("\n")


def test_hostile_texts_take_linear_time() -> None:
    for unit in ('"\\', "/*", "//", '"', ",", ", ", "[,", '\\"'):
        start = time.perf_counter()
        plain_json("/*" + unit * 300_000)
        plain_json(unit * 300_000 + "//")
        assert time.perf_counter() - start < 5
