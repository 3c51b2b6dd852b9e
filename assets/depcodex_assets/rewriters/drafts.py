"""A sentence under way, and what several kinds of declarations share in making one.

Here: ``Draft``, choosing among wordings, what follows "is", a doc's first verb. Not here: the patterns themselves
(depcodex_assets.rewriters.callables, depcodex_assets.rewriters.declarations).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from depcodex_assets.general_words import word_set
from depcodex_assets.inflection import third_person
from depcodex_assets.rewriters.phrases import is_describing, noun_phrase, stems
from depcodex_assets.rewriters.vocabulary import CONJUNCTIONS, PREPOSITIONS, SAFE_DOC_VERBS

PREDICATES = word_set(
    """
    has have can supports contains exists matches requires uses allows includes accepts equals starts ends overlaps
    """
)
FIRST_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class Draft:
    """A sentence under way: its beginning, and the words that have been used (lower case, singular)."""

    start: str
    used: frozenset[str]


def choose(seed: int, options: Sequence[str]) -> str:
    """The option that ``seed`` picks."""
    return options[seed % len(options)]


def used_words(*groups: Sequence[str]) -> frozenset[str]:
    """The words that a sentence has used, to be said once only."""
    return frozenset().union(*(stems(group) for group in groups))


def predicate_verb(word: str) -> str:
    """The verb after "tells whether": ``have`` → ``has``."""
    return "has" if word == "have" else word


def predicate(words: Sequence[str]) -> str:
    """What follows "is": described (``closed``, ``a file``, ``in a transaction``)."""
    if words[0] in PREPOSITIONS and len(words) > 1:
        return f"{words[0]} {noun_phrase(words[1:], 'a')}"
    if words[0] == "not":
        return f"not {predicate(words[1:])}" if len(words) > 1 else "absent"
    for index, word in enumerate(words):
        if word in PREPOSITIONS and 0 < index < len(words) - 1:
            return f"{predicate(words[:index])} {word} {noun_phrase(words[index + 1 :], 'a')}"
        if word in CONJUNCTIONS and 0 < index < len(words) - 1:
            return f"{predicate(words[:index])} {word} {predicate(words[index + 1 :])}"
    if is_describing(words[-1]) or words[-1] in (
        "ready",
        "done",
        "alive",
        "equal",
        "null",
        "none",
        "true",
        "false",
        "ok",
    ):
        return " ".join(words)
    return noun_phrase(words, "a")


def doc_verb(doc: str | None) -> str | None:
    """The doc's first word where it is a harmless verb; said of names that have none."""
    found = FIRST_WORD.search((doc or "")[:80])
    if not found:
        return None
    word = found[0].lower()
    if word in SAFE_DOC_VERBS:
        return word
    return next(
        (
            verb
            for verb in (word[:-1], word[:-2], word[:-3] + "y")
            if verb in SAFE_DOC_VERBS and third_person(verb) == word
        ),
        None,
    )
