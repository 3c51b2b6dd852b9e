"""The output rules: held to their examples, and never harsher on good English than they say."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.output_examples import EXAMPLE_TEXT, EXAMPLES
from depcodex_assets.output_rules import RULES, advice, broken_rule
from depcodex_assets.texts import Text


def _text(doc: str, name: str = "Session.get", signature: str = "def get(self, url)", kind: str = "method") -> Text:
    return Text("0" * 64, "python", "docstring", kind, name, (signature,), doc)


def test_each_rule_has_a_name_of_its_own_advice_and_examples() -> None:
    assert {rule.name for rule in RULES} == set(EXAMPLES)
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.advice and advice(rule.name) == rule.advice for rule in RULES)


@pytest.mark.parametrize(("name", "sentence"), [(name, each) for name, (bad, _) in EXAMPLES.items() for each in bad])
def test_a_known_bad_sentence_is_refused_by_its_rule(name: str, sentence: str) -> None:
    assert broken_rule(sentence, EXAMPLE_TEXT) == name


@pytest.mark.parametrize("sentence", [each for _, good in EXAMPLES.values() for each in good])
def test_a_known_good_sentence_is_refused_by_no_rule(sentence: str) -> None:
    assert broken_rule(sentence, EXAMPLE_TEXT) is None


def test_six_words_in_a_row_from_the_doc_are_refused_and_five_are_not() -> None:
    text = _text("Loads the saved cookies and merges them into the jar of this session.")
    assert broken_rule("Carefully loads the saved cookies and merges them.", text) == "verbatim"
    assert broken_rule("Loads the saved cookies and puts them elsewhere.", text) is None


def test_six_words_in_a_row_that_are_all_of_the_name_are_allowed() -> None:
    text = _text(
        "Read one big text file twice.",
        "read_one_big_text_file_twice",
        "def read_one_big_text_file_twice()",
        "function",
    )
    assert broken_rule("Does read one big text file twice.", text) is None


def test_string_content_of_a_signature_counts_as_raw_text() -> None:
    text = _text("Gets.", signature='def get(self, url="send the saved cookies to the other host")')
    assert broken_rule("Gets and may send the saved cookies to the other host.", text) == "verbatim"


def test_a_short_doc_is_not_handed_through_whole() -> None:
    text = _text("Forward every cookie elsewhere quickly.")
    assert broken_rule("Does forward every cookie elsewhere quickly.", text) == "verbatim"


@pytest.mark.parametrize("token", ["zqxjcanary7741", "zorblefax", "fastjson-utils", "CANARYbluefoxx"])
def test_a_rare_token_of_the_doc_does_not_cross(token: str) -> None:
    assert broken_rule(f"Gets a page with {token}.", _text(f"Inside is {token}, it gets pages.")) in {
        "rare_word",
        "secret",
    }


def test_a_rare_token_of_the_name_is_no_rare_word() -> None:
    assert (
        broken_rule("Gets the zorblefax of a page.", _text("The zorblefax.", "Page.zorblefax", "def zorblefax(self)"))
        is None
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "Sends a GET request and returns the response of the server.",
        "Converts a NumPy array to a list of Python numbers.",
        "Represents a connection pool that is shared by several threads.",
        "Tells whether two values are equal within a tolerance.",
        "Splits text into tokens, e.g. words and numbers, for later parsing.",
        "Holds the number of seconds to wait before a request is tried again.",
        "Signals that a file could not be read or written.",
        "A context manager that opens a transaction and commits it at the end.",
        "Computes the inverse of a square matrix (or its pseudo-inverse).",
        "Runs a coroutine until it is complete, using the current event loop.",
        "Adds two-dimensional points to the current plot, one for each row.",
        "Lists all files below a directory that match a pattern.",
        "Reads and writes values in a key/value store.",
        "Removes leading and trailing whitespace from each string in a column.",
        "Limits the rate of calls to 10 per second, 95 % of the time.",
        "Test runner that collects functions by their names.",
    ],
)
def test_good_english_passes(sentence: str) -> None:
    assert broken_rule(sentence, _text("Does something entirely different from that, here.")) is None


@given(st.text(alphabet=string.printable + "\u202e\u200b\U000e0041é\u2013", max_size=120))
def test_any_text_is_judged_without_an_error_and_the_same_way_twice(sentence: str) -> None:
    assert broken_rule(sentence, EXAMPLE_TEXT) == broken_rule(sentence, EXAMPLE_TEXT)


@given(st.text(max_size=80))
def test_what_passes_has_no_control_format_or_foreign_letters(sentence: str) -> None:
    candidate = f"Gets {sentence}."
    if broken_rule(candidate, EXAMPLE_TEXT) is None:
        assert all(each.isprintable() and ord(each) < 0x2020 for each in candidate)


_PROSE = "saved cookies are merged into another jar when this one closes"


@given(st.permutations(_PROSE.split()).map(lambda words: words[:9]))
def test_an_echo_of_the_doc_never_passes(words: list[str]) -> None:
    prose = " ".join(words)
    assert broken_rule(f"Echoes {prose}.", _text(prose)) is not None
