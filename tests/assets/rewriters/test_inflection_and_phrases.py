"""The words of names as a person writes them."""

import pytest

from depcodex_assets.inflection import article, plural, singular, third_person
from depcodex_assets.rewriters.phrases import class_phrase, joined, name_words, noun_phrase
from depcodex_assets.rewriters.vocabulary import topics, verbs


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("get_ctx", "get context"),
        ("HTTPAdapter", "HTTP adapter"),
        ("isdigit", "is digit"),
        ("sha256_file", "SHA256 file"),
        ("leggrid3d", "leggrid3d"),
        ("to_df", "to data frame"),
        ("rm_tmp_dir", "remove temporary directory"),
        ("argmax", "index of the maximum"),
    ],
)
def test_a_name_is_taken_apart_and_written_out(name: str, words: str) -> None:
    assert " ".join(name_words(name)) == words


@pytest.mark.parametrize(
    ("verb", "form"), [("rollback", "rolls back"), ("push", "pushes"), ("copy", "copies"), ("go", "goes")]
)
def test_verbs_go_with_it(verb: str, form: str) -> None:
    assert third_person(verb) == form


def test_every_topic_survives_the_plural_and_comes_back() -> None:
    assert [each for each in topics() if singular(plural(each)) != each] == []


def test_no_verb_of_the_list_is_listed_without_a_preposition() -> None:
    assert all(preposition in {"of", "to", "from", "in", "with", "for", "through"} for preposition in verbs().values())


def test_articles_follow_the_sound() -> None:
    assert [article(each) for each in ("URL", "HTTP", "hour", "user", "element", "SQL", "XML", "uuid")] == [
        "a", "an", "an", "a", "an", "an", "an", "a",
    ]  # fmt: skip


def test_phrases_put_articles_and_prepositions_in_their_place() -> None:
    assert noun_phrase(("names", "with", "path"), "a") == "names with a path"
    assert noun_phrase(("one",), "the") == "one item"
    assert noun_phrase(("all",), "the") == "all items"
    assert class_phrase(("abstract", "base"), "a") == "an abstract base object"
    assert noun_phrase(name_words("argmax"), "the") == "the index of the maximum"
    assert joined(["a", "b", "c"]) == "a, b and c"
