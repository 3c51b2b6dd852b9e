"""Lock files and environments: YAML as lock files write it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from depcodex.errors import LockfileError
from depcodex.lockfiles.yaml_documents import parse_yaml

PATH = Path("pnpm-lock.yaml")
_TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f\x85\xa0"), max_size=12)
_VALUES = st.recursive(
    _TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3), max_leaves=8
)


@given(st.dictionaries(_TEXTS, _VALUES, max_size=4), st.booleans())
def test_what_a_writer_wrote_comes_back(value: dict[str, object], is_flow: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=is_flow, allow_unicode=True)
    assert parse_yaml(text, PATH, LockfileError) == [value]


def test_scalars_are_texts_and_nothing_is_an_empty_one() -> None:
    text = "a: 1.10\nb: true\nc: ~\nd: null\ne: '~'\nf:\n? g\n: [x, {y: 2024-01-01}]\n"
    assert parse_yaml(text, PATH, LockfileError) == [
        {"a": "1.10", "b": "true", "c": "", "d": "", "e": "~", "f": "", "g": ["x", {"y": "2024-01-01"}]}
    ]


def test_documents_stand_one_after_the_other() -> None:
    assert parse_yaml("", PATH, LockfileError) == [{}]
    assert parse_yaml("# nothing\n", PATH, LockfileError) == [{}]
    assert parse_yaml("---\na: b\n---\nc: d\n", PATH, LockfileError) == [{"a": "b"}, {"c": "d"}]


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        "a: &b c\n",
        "a: *b\n",
        "<<: *b\n",
        "a: !!python/object/apply:os.system [id]\n",
        "!!set {a, b}\n",
        "a: !local b\n",
        "a: 1\na: 2\n",
        "[a]\n",
        "a\n",
        "a: [\n",
        "a: 'b\n",
        "a: b\n  c: d\n",
        "\ta: b\n",
        "a: \x00\n",
        "? [a, b]\n: c\n",
        "a: " + "[" * 60 + "]" * 60 + "\n",
        "a: " + "{b: " * 60 + "}" * 60 + "\n",
        "".join("  " * depth + "a:\n" for depth in range(60)),
        "a: " + "[" * 200_000,
    ],
)
def test_what_lock_files_never_hold_is_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(LockfileError) as caught:
        parse_yaml(text, PATH, LockfileError)
    assert "\n" not in str(caught.value)
    assert time.perf_counter() - start < 2


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        documents = parse_yaml(text, PATH, LockfileError)
    except LockfileError:
        return
    assert all(isinstance(each, dict) for each in documents)
