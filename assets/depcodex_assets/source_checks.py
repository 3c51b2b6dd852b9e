"""The checks that hold a sentence against the raw text it was made from.

Here: runs of words, rare words, sentences made of a doc's later text. Not here: checks of the sentence alone
(depcodex_assets.output_checks).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable

from depcodex_assets.general_words import is_general, word_set
from depcodex_assets.inflection import singular
from depcodex_assets.output_subject import IDENTIFIER_WORD, STRINGS_AND_COMMENTS, WORD, Subject, is_own
from depcodex_assets.texts import Text

# As many words in a row from the raw text are its prose.
RUN_WORDS = 6


@functools.lru_cache(maxsize=256)
def _doc_words(text: Text) -> str:
    """The doc's words, spaces between and around; strings and comments of signatures are raw text as well."""
    raw = text.doc or ""
    strings = " \n ".join(found for each in text.signatures for found in STRINGS_AND_COMMENTS.findall(each[:4000]))
    return " " + " \n ".join(" ".join(WORD.findall(each.lower())) for each in (raw, strings)) + " "


_GLUE = word_set(
    """
    a an and as at by for from if in into is it its of on or that the their to whether which with
    """
)


def is_verbatim(subject: Subject) -> bool:
    """Six words in a row from the raw text, or the whole of a shorter one; the declaration's own words aside."""
    if not subject.text.doc and not subject.text.signatures:
        return False
    raw = _doc_words(subject.text)
    words = subject.words
    for start in range(len(words) - RUN_WORDS + 1):
        window = words[start : start + RUN_WORDS]
        if f" {' '.join(window)} " in raw and not all(each in subject.known or each in _GLUE for each in window):
            return True
    whole = raw.split("\n")[0].strip()
    if not 4 <= len(whole.split()) < RUN_WORDS:
        return False
    strange = [each for each in whole.split() if each not in subject.known and each not in _GLUE]
    return f" {whole} " in f" {' '.join(words)} " and len(strange) >= 3


def is_rare_word(subject: Subject) -> bool:
    """A word of the doc that is neither the declaration's nor common property: a canary, a package, a person."""
    doc = (subject.text.doc or "").lower()
    for word in WORD.findall(subject.sentence):
        plain = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", word)).encode("ascii", "ignore").decode()
        # A class's name is as common as the words in it.
        parts = IDENTIFIER_WORD.findall(plain)
        if all(len(part) < 4 or part.isdigit() or is_general(part.lower()) for part in parts):
            continue
        lower = plain.lower()
        if not is_own(lower, subject.known) and (lower in doc or singular(lower) in doc):
            return True
    return False


_POSSESSIVE = re.compile(r"['\u2019].*")


_FIRST_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n\s*\n")
_STRAY_WORDS = 3
_STEM_CHARACTERS = 5


def _stems(words: Iterable[str]) -> set[str]:
    """What words of four letters and more have in common with their inflections: their first letters."""
    return {word[:_STEM_CHARACTERS] for word in words if len(word) > 3 and word not in _GLUE}


def is_stray(subject: Subject) -> bool:
    """Three words of the doc's later text and none of its first sentence, the name or the signature.

    What a doc says first is what the declaration does; a sentence that is made of something further down tells of
    something else. A paraphrase that shares no word with either passes.
    """
    doc = subject.text.doc or ""
    end = _FIRST_SENTENCE_END.search(doc)
    if end is None:
        return False
    said = _stems(subject.words)
    first = _stems(WORD.findall(doc[: end.end()].lower())) | {each[:_STEM_CHARACTERS] for each in subject.known}
    return not said & first and len(said & _stems(WORD.findall(doc[end.end() :].lower()))) >= _STRAY_WORDS
