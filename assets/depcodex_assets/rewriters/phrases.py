"""Noun phrases out of the words of names, parameters and types.

Here: taking a name's words apart and putting them together with an article. Not here: whole sentences
(depcodex_assets.rewriters.controlled), the word lists (depcodex_assets.rewriters.vocabulary).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from depcodex_assets.general_words import is_general, word_set
from depcodex_assets.inflection import UNCOUNTABLE, article, is_plural, plural, singular
from depcodex_assets.rewriters.vocabulary import (
    ADJECTIVES,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    expanded,
    topics,
    verbs,
)

_WORDS = re.compile(r"[A-Z]+s?\d*(?![a-z])|[A-Z]?[a-z]+(?:\d+(?:d(?![a-z]))?)?|\d+")
_MAX_WORDS = 7
_DETERMINED = re.compile(r"(?:able|ible|ed|ful|ive|ous|less|ic|al)$")
# Formats, protocols, quantities: "as JSON", "over HTTP".
_BARE_ACRONYMS = word_set(
    """
    ASCII ASGI AWS BSON CORS CSS CSV CUDA DNS FTP GCP GCS GRPC GZIP HDF5 HTML HTTP HTTP2 HTTPS I/O IPv4 IPv6
    IPC JSON JWKS LAPACK BLAS LDAP MIME ONNX OAuth OAuth2 PNG JPEG GIF POSIX RAM REST RGB RGBA RPC RSS RST
    S3 SASL SIMD SMTP SNI SOAP SQL SSH SSL SVG TCP TLS TOML TSV UDP UTC UTF UTF-8 WKT WSGI XML YAML NaN NFC
    SHA1 SHA256 SHA512 MD5 AES RSA PyPI GraphQL IDNA
    """
)
_PLURAL_DETERMINERS = frozenset({"all", "many", "multiple", "other", "some", "several", "both"})
_NOT_ADJECTIVES = word_set(
    """
    feed seed speed field need interval signal terminal material metric topic traffic logic music graphic
    archive directive primitive objective table cable variable iterable callable literal
    """
)


@functools.lru_cache(maxsize=16384)
def name_words(name: str) -> tuple[str, ...]:
    """A name's words as a person writes them.

    >>> name_words("get_ctx"), name_words("HTTPAdapter"), name_words("sha256_file")
    (('get', 'context'), ('HTTP', 'adapter'), ('SHA256', 'file'))
    """
    found: list[str] = []
    for word in _WORDS.findall(name):
        lower = word.lower()
        if lower.startswith("is") and (lower[2:] in ADJECTIVES or lower[2:] in topics()):
            found.append("is")
            lower = lower[2:]
        found += expanded(lower).split()
    return tuple(found[:_MAX_WORDS])


def is_describing(word: str) -> bool:
    """Whether a word describes and cannot end a noun phrase: an adjective or a participle."""
    lower = word.lower()
    if lower in ADJECTIVES or lower in DETERMINERS:
        return True
    return len(lower) > 4 and lower not in _NOT_ADJECTIVES and bool(_DETERMINED.search(lower)) and not word.isupper()


def _is_bare(head: str) -> bool:
    """Whether a noun stands without an article where it is not a certain one."""
    return is_plural(head) or head.lower() in UNCOUNTABLE or head in _BARE_ACRONYMS


def _plural(head: str) -> str:
    """The plural of a word that is surely an English noun; a word of the library's own stays as it is."""
    if head in verbs() and head not in topics():
        return head
    return plural(head) if is_general(singular(head.lower())) or head.isupper() else head


def class_phrase(words: Sequence[str], determiner: str) -> str:
    """``words`` of a class's name as a noun phrase; a class's name is one thing, whatever words are in it.

    >>> class_phrase(["many", "to", "one", "field"], "a")
    'a many to one field'
    """
    words = [*words, "object"] if is_describing(words[-1]) else list(words)
    text = " ".join(words)
    if determiner == "the":
        return f"the {text}"
    return text if _is_bare(words[-1]) or not determiner else f"{article(words[0])} {text}"


def noun_phrase(words: Sequence[str], determiner: str) -> str:
    """``words`` as a noun phrase; words from the first preposition on become phrases of their own.

    Args:
        words: at least one word.
        determiner: ``"a"``, ``"the"`` or ``""`` (plural where the head has one).

    >>> noun_phrase(["error", "message"], "a"), noun_phrase(["URLs"], "the"), noun_phrase(["list", "of", "key"], "a")
    ('an error message', 'the URLs', 'a list of keys')
    """
    for index, word in enumerate(words):
        if word in PREPOSITIONS and 0 < index < len(words) - 1:
            rest = words[index + 1 :]
            inner = "" if word == "of" else determiner
            return f"{noun_phrase(words[:index], determiner)} {word} {noun_phrase(rest, inner)}"
        if word in CONJUNCTIONS and 0 < index < len(words) - 1:
            return f"{noun_phrase(words[:index], determiner)} {word} {noun_phrase(words[index + 1 :], determiner)}"
    words = [word for word in words if word not in PREPOSITIONS and word not in CONJUNCTIONS] or list(words)
    if is_describing(words[-1]):
        words = [*words, "items" if words[-1] in _PLURAL_DETERMINERS else "item"]
    if determiner == "" and words[0] != "the" and not _is_bare(words[-1]):
        words = [*words[:-1], _plural(words[-1])]
    text = " ".join(words)
    if words[0] in DETERMINERS or words[0] in ("its", "a", "an", "the"):
        return text
    if determiner == "the":
        return f"the {text}"
    if determiner == "" or _is_bare(words[-1]):
        return text
    return f"{article(words[0])} {text}"


def joined(phrases: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} and {phrases[-1]}"


def stems(words: Sequence[str]) -> set[str]:
    """The words in lower case and in the singular: what two phrases are compared by."""
    return {singular(word.lower()) for word in words} | {word.lower() for word in words}
