"""A sentence made ready for the output rules: its words, and what the declaration calls its own.

Here: ``Subject`` and what every check needs of it. Not here: the checks (depcodex_assets.output_checks,
depcodex_assets.source_checks).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from depcodex_assets.inflection import singular
from depcodex_assets.texts import Text

WORD = re.compile(r"[^\W_]+(?:['\u2019][a-z]+)?")
TOKEN = re.compile(r"\S+")
IDENTIFIER_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class Subject:
    """One sentence and what the rules compare it with.

    Attributes:
        sentence: as the rewriter gave it.
        lower: the same in lower case.
        words: its words in lower case, without punctuation.
        tokens: cut at spaces, outer punctuation away.
        known: words and identifiers of the name and the signatures, lower case.
        text: what the sentence was made from.
    """

    sentence: str
    lower: str
    words: tuple[str, ...]
    tokens: tuple[str, ...]
    known: frozenset[str]
    text: Text


def subject_of(sentence: str, text: Text) -> Subject:
    """The sentence made ready for the checks."""
    return Subject(
        sentence=sentence,
        lower=sentence.lower().replace("\u2019", "'"),
        words=tuple(each.lower() for each in WORD.findall(sentence)),
        tokens=tuple(each.strip(".,;:!?'\u2019()") for each in TOKEN.findall(sentence)),
        known=_known_words(text.name, text.signatures),
        text=text,
    )


@functools.lru_cache(maxsize=1024)
def _known_words(name: str, signatures: tuple[str, ...]) -> frozenset[str]:
    """Words that are the declaration's own: identifiers of name and signatures, whole and taken apart.

    String content and comments of a signature are prose and count as no words of it.
    """
    found: set[str] = set()
    for source in (name, *(STRINGS_AND_COMMENTS.sub(" ", each[:4000]) for each in signatures)):
        for identifier in re.findall(r"[^\W\d]\w*", source):
            found.add(identifier.lower())
            found.update(part.lower() for part in IDENTIFIER_WORD.findall(identifier))
    return frozenset(found)


STRINGS_AND_COMMENTS = re.compile(
    r"\"{3}.*?\"{3}|'{3}.*?'{3}|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|//[^\n]*|/\*.*?\*/", re.DOTALL
)


def phrases(text: str) -> re.Pattern[str]:
    """A pattern for whole words out of alternatives, one or several (with ``|``) a line."""
    return re.compile(rf"\b(?:{'|'.join(line.strip() for line in text.split(chr(10)) if line.strip())})\b")


def is_own(word: str, known: frozenset[str]) -> bool:
    """Whether a word is the declaration's, in the singular or plural, with or without a number at its end."""
    if word in known or singular(word) in known or f"{word}s" in known:
        return True
    return all(part in known for part in IDENTIFIER_WORD.findall(word))
