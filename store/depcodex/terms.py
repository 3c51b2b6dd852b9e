"""Words of names and prose, as the lexical arm counts them, and the hashes under which they are kept.

Here: splitting, stemming and hashing, used alike when entries are made and when a question is asked. Not here: scoring
(depcodex.faces), which text of an entry is counted (depcodex_assets.face_recipes).

A term over raw text exists publicly only as its hash, without position. Another splitting makes the stored terms wrong,
so ``TERMS_VERSION`` is part of what makes an entry stale.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import re
from typing import Any

TERMS_VERSION = "1"

# Words that stand in most docs and tell nothing apart; short, since idf does the rest.
_STOP_WORDS = frozenset(
    # One text, split here, reads better than a hundred quoted words.
    """a an and are as at be been but by can do does for from had has have how i if in into is it its of on or our
    s so such t than that the their them then there these they this to was we were what when where which who will
    with you your""".split()  # noqa: SIM905
)
_WORD_PATTERN = re.compile(r"[^\W_]+(?:_+[^\W_]+)*", re.UNICODE)
# aB | ABc | a1 | 1a boundaries of camelCase, PascalCase and digits.
_CAMEL_PATTERN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+", re.UNICODE)
# Scripts written without spaces: two characters at a time stand for words.
_UNSPACED_PATTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")


def name_words(name: str) -> list[str]:
    """The lower-case words of an identifier or dotted name.

    Example:
        >>> name_words("HTTPAdapter.send_request2")
        ['http', 'adapter', 'send', 'request', '2']
    """
    return [word.lower() for word in _CAMEL_PATTERN.findall(name)]


def terms(text: str) -> list[str]:
    """The stemmed terms of a text, in order, repeated as they repeat: whole compounds and their parts.

    Example:
        >>> terms("Retries the failed read_csv requests")
        ['retri', 'fail', 'read_csv', 'read', 'csv', 'request']
    """
    found: list[str] = []
    for word in _WORD_PATTERN.findall(text):
        found.extend(_word_terms(word))
    return found


def term_hash(term: str) -> int:
    """32 bits of a term's hash."""
    return _term_hash(term)


def term_hashes(text: str) -> list[int]:
    """The hashes of ``terms(text)``, in their order.

    Example:
        >>> term_hashes("Retries the read_csv") == [term_hash(each) for each in terms("Retries the read_csv")]
        True
    """
    return list(itertools.chain.from_iterable(map(_word_hashes, _WORD_PATTERN.findall(text))))


def symbol_hash(symbol: str) -> int:
    """64 bits of a dotted name's hash: how a mention of it is kept without the name."""
    return int.from_bytes(hashlib.blake2b(symbol.encode(), digest_size=8, person=b"dcx-symbol").digest(), "big")


@functools.lru_cache(maxsize=262144)
def _term_hash(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4, person=b"dcx-term").digest(), "big")


@functools.lru_cache(maxsize=262144)
def _word_terms(word: str) -> tuple[str, ...]:
    lower = word.lower()
    if lower in _STOP_WORDS:
        return ()
    if _UNSPACED_PATTERN.fullmatch(lower):
        return tuple(lower[index : index + 2] for index in range(len(lower) - 1))
    parts = name_words(word)
    stems = [_stemmer().stemWord(part) for part in parts if part not in _STOP_WORDS]
    if len(parts) > 1:
        return (lower, *stems)
    return tuple(stems)


@functools.lru_cache(maxsize=262144)
def _word_hashes(word: str) -> tuple[int, ...]:
    return tuple(map(_term_hash, _word_terms(word)))


@functools.cache
def _stemmer() -> Any:
    import Stemmer

    # No cache of its own: the words' terms are kept above, and an unshared state needs no lock under the GIL.
    return Stemmer.Stemmer("english", 0)
