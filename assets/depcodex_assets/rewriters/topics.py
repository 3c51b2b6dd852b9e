"""What a doc is about, in a few dictionary nouns: the one way a word of a doc reaches a controlled sentence.

Here: picking the nouns. Not here: the list of nouns (depcodex_assets.rewriters.vocabulary), the sentence around them.

Prose cannot cross this way: only listed nouns are taken, three in all, at most two from the first sentence and at
most two from the rest, and they are given in the order of the alphabet. Numbers, negations, verbs and names are in
no list.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from depcodex_assets.inflection import singular
from depcodex_assets.rewriters.vocabulary import topics

MAX_TOPICS = 3
# Three words of an order make it recognisable; two do not. A place is the first sentence, or all that follows it.
_MAX_PER_PLACE = 2
_MAX_DOC_CHARACTERS = 1500
_FIRST_SENTENCE_WEIGHT = 2.5
# A plain word: not a part of a path, an address, an identifier, an option, a tag.
_PLAIN_WORD = re.compile(r"(?<![\w./@\\<$#&=:-])[A-Za-z][a-z]{2,}(?![\w/@\\>=(-]|\.\w)")
_SENTENCE_END = re.compile(r"[.!?:;](?=\s)|\n\s*\n|\n\s*[-*]{1,}\s")
# Lines that are code or layout, and headings of the usual docstring styles.
_HEADINGS = (
    "args?|arguments|parameters|returns?|raises|yields?|examples?|notes?|see also|attributes|references|warnings?"
)
_NOT_PROSE = re.compile(
    r"^\s*(?:>>>|\.\.\.(?:\s|$)|\$ |```|~~~|\.\. |:[a-z]+|@[a-z]+|[-=~^]{3,}" rf"|(?:{_HEADINGS})\s*:?\s*$).*$",
    re.IGNORECASE | re.MULTILINE,
)


def pick_topics(doc: str, known: Collection[str]) -> tuple[str, ...]:
    """Up to ``MAX_TOPICS`` nouns in the singular, by alphabet: the most telling of ``doc`` that are not ``known``.

    >>> pick_topics("Opens the socket and waits for a packet. Each packet has a checksum.", {"socket"})
    ('checksum', 'packet')
    """
    frequencies = topics()
    sentences = _SENTENCE_END.split(_NOT_PROSE.sub("", doc[:_MAX_DOC_CHARACTERS]))
    scores: dict[str, float] = {}
    places: dict[str, set[int]] = {}
    for index, sentence in enumerate(sentences):
        weight = _FIRST_SENTENCE_WEIGHT if index == 0 else 1.0
        # Two places: what an author plants behind the first sentence brings two words at most, however long it is.
        place = min(index, 1)
        for word in _PLAIN_WORD.findall(sentence):
            noun = singular(word.lower())
            if noun in frequencies and noun not in known:
                scores[noun] = scores.get(noun, 0.0) + weight * frequencies[noun]
                places.setdefault(noun, set()).add(place)
    taken: dict[int, int] = {}
    chosen: list[str] = []
    for noun in sorted(scores, key=lambda each: (-scores[each], each)):
        if any(taken.get(place, 0) >= _MAX_PER_PLACE for place in places[noun]):
            continue
        for place in places[noun]:
            taken[place] = taken.get(place, 0) + 1
        chosen.append(noun)
        if len(chosen) == MAX_TOPICS:
            break
    return tuple(sorted(chosen))
