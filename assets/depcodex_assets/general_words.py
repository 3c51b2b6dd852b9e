"""Words that are common property: many packages' docs have them, so that one of them gives nothing away.

Here: the list and looking a word up in it. Not here: the words that the controlled rewriter may choose from a doc
(depcodex_assets.rewriters.vocabulary), a far shorter list.
"""

from __future__ import annotations

import functools
import importlib.resources

# An ending, and what may stand in its place in the list; "-" is nothing.
_ENDING_LINES = """
s - | es - e | ies y | ed - e | ing - e | ly - | er - e | al - e | ally - al | ation e - | ised ized | ises izes
ise ize | ising izing | our or | ours ors | isation ization
ment - | ness - | able - e | ity - e
"""
_ENDINGS = tuple(
    (each.split()[0], tuple(other.replace("-", "") for other in each.split()[1:]))
    for each in _ENDING_LINES.replace("\n", "|").split("|")
    if each.strip()
)
_BEGINNINGS = (
    "un",
    "re",
    "non",
    "sub",
    "pre",
    "de",
    "dis",
    "multi",
    "inter",
    "auto",
    "in",
    "over",
    "super",
    "co",
    "anti",
)


@functools.cache
def _words() -> frozenset[str]:
    text = importlib.resources.files("depcodex_assets").joinpath("data/general_words.txt").read_text("utf-8")
    return frozenset(each for line in text.splitlines() if not line.startswith("#") for each in line.split())


@functools.lru_cache(maxsize=32768)
def is_general(word: str) -> bool:
    """Whether a lower-case word is common property, in this form or in one that English makes of it.

    >>> is_general("reopened"), is_general("zorblefax")
    (True, False)
    """
    words = _words()
    if word in words or len(word) < 3:
        return True
    for ending, others in _ENDINGS:
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) > 2 and any(stem + other in words for other in others):
            return True
    if word.endswith(("ed", "ing")):
        stem = word.removesuffix("ed").removesuffix("ing")
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in words:
            return True
    return any(
        word.startswith(each) and len(word) - len(each) > 3 and is_general(word[len(each) :]) for each in _BEGINNINGS
    )


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written as text.

    >>> sorted(word_set("b a"))
    ['a', 'b']
    """
    return frozenset(text.split())
