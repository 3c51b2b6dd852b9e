"""English inflection for the words of names: third person, plural, articles.

Here: regular rules and the irregular words that occur in names. Not here: which words are verbs or nouns
(depcodex_assets.rewriters.vocabulary), sentences (depcodex_assets.rewriters.controlled).
"""

from __future__ import annotations

import functools

from depcodex_assets.general_words import word_set

_IRREGULAR_PLURALS = {
    "analysis": "analyses",
    "axis": "axes",
    "basis": "bases",
    "child": "children",
    "criterion": "criteria",
    "half": "halves",
    "hypothesis": "hypotheses",
    "index": "indices",
    "leaf": "leaves",
    "radius": "radii",
    "man": "men",
    "matrix": "matrices",
    "mouse": "mice",
    "person": "people",
    "proxy": "proxies",
    "schema": "schemas",
    "self": "selves",
    "shelf": "shelves",
    "vertex": "vertices",
    "synopsis": "synopses",
    "parenthesis": "parentheses",
    "suffix": "suffixes",
    "prefix": "prefixes",
    "regex": "regexes",
    "bus": "buses",
    "status": "statuses",
}
_SINGULARS = {plural: singular for singular, plural in _IRREGULAR_PLURALS.items()} | {
    "cookies": "cookie",
    "menus": "menu",
    "movies": "movie",
    "indexes": "index",
    "vertexes": "vertex",
    "aliases": "alias",
    "classes": "class",
    "caches": "cache",
    "axes": "axis",
    "databases": "database",
    "cases": "case",
    "bases": "base",
    "phases": "phase",
    "responses": "response",
    "releases": "release",
    "clauses": "clause",
    "houses": "house",
    "purposes": "purpose",
    "nodes": "node",
    "uses": "use",
    "buses": "bus",
    "statuses": "status",
    "canvases": "canvas",
    "lenses": "lens",
    "biases": "bias",
    "atlases": "atlas",
}
# Nouns without an article and without a plural.
UNCOUNTABLE = word_set(
    """
    access accuracy arithmetic audio authentication authorization autocomplete backoff bandwidth
    broadcasting caching clustering code completion compression concurrency content content-type conversion
    coverage cryptography data debugging decoding documentation encoding encryption equality evidence
    execution feedback formatting hardware help html http https indentation indexing info information
    inheritance initialization input inference introspection isolation json jsonl javascript latex learning
    logging markdown math memory membership merging metadata middleware navigation networking noise
    normalization null output overflow ownership pagination parallelism parsing pickle precedence precision
    processing progress proximity punctuation python quality randomness recovery rendering rounding routing
    rst sampling scaling scheduling scope security semantics serialization software sorting sparsity sql
    state storage support svg synchronization syntax telemetry text throughput time toml tooling tracing
    traffic training typing unicode usage utf8 validation verification visibility whitespace xml yaml html5
    css csv rgb hex usage stderr stdout stdin parquet arrow work width-height
    """
)
_PLURAL_ONLY = word_set(
    """
    args arguments attrs contents coordinates credentials defaults details diagnostics dtypes goods headers
    ids items kwargs links metrics news numerics options params parameters permissions props series settings
    specifics statistics stats tags units values vars words analytics graphics semantics physics basics
    bounds
    """
)
_IRREGULAR_THIRD = {
    "checkout": "checks out",
    "cleanup": "cleans up",
    "lookup": "looks up",
    "login": "logs in",
    "logout": "logs out",
    "rollback": "rolls back",
    "setup": "sets up",
    "shutdown": "shuts down",
    "teardown": "tears down",
    "be": "is",
    "have": "has",
    "do": "does",
    "go": "goes",
    "can": "can",
    "undo": "undoes",
    "redo": "redoes",
}
# Singular for all their s.
_SINGULAR_IN_S = word_set(
    """
    alias atlas bias bonus canvas chaos cosmos focus gas has lens news plus pos radius this was redis postgres
    kubernetes aws always previous across bypass
    """
)
_VOWELS = "aeiou"
# Spelled or sounded with a vowel first though written otherwise, and the other way round.
_AN_WORDS = word_set(
    """
    f h hour html http https l m mp3 n r rgb rss s sdk sql ssh ssl svg x x509 xml xpath heir honest
    """
)
_A_WORDS = ("uni", "use", "uti", "eu", "one", "once", "url", "uri", "utc", "uu", "usa", "uid", "ufunc", "utf")
_A_EXCEPTIONS = ("unin", "unim", "unid")


@functools.lru_cache(maxsize=4096)
def third_person(verb: str) -> str:
    """The form that goes with "it".

    >>> [third_person(each) for each in ("send", "push", "apply", "play", "do", "parse")]
    ['sends', 'pushes', 'applies', 'plays', 'does', 'parses']
    """
    if verb in _IRREGULAR_THIRD:
        return _IRREGULAR_THIRD[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "zes" if verb.endswith(("quiz",)) else verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def is_plural(noun: str) -> bool:
    """Whether a noun stands in the plural already.

    >>> is_plural("headers"), is_plural("class"), is_plural("children"), is_plural("status")
    (True, False, True, False)
    """
    if noun in _PLURAL_ONLY or noun in _SINGULARS:
        return noun not in _IRREGULAR_PLURALS
    if noun in _IRREGULAR_PLURALS or noun in UNCOUNTABLE or noun in _SINGULAR_IN_S:
        return False
    return len(noun) > 3 and noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


@functools.lru_cache(maxsize=4096)
def plural(noun: str) -> str:
    """The plural; an uncountable noun or a plural stays.

    >>> [plural(each) for each in ("query", "class", "index", "data", "headers", "key")]
    ['queries', 'classes', 'indices', 'data', 'headers', 'keys']
    """
    if noun in UNCOUNTABLE or is_plural(noun):
        return noun
    if noun in _IRREGULAR_PLURALS:
        return _IRREGULAR_PLURALS[noun]
    if noun.endswith(("s", "sh", "ch", "x", "z")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


@functools.lru_cache(maxsize=8192)
def singular(noun: str) -> str:
    """The singular of a regular plural; anything else as it is.

    >>> [singular(each) for each in ("queries", "classes", "indices", "boxes", "responses", "process")]
    ['query', 'class', 'index', 'box', 'response', 'process']
    """
    if noun in _SINGULARS:
        return _SINGULARS[noun]
    if not is_plural(noun):
        return noun
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return noun[:-2]
    return noun[:-1]


def article(word: str) -> str:
    """``a`` or ``an``, by how the word sounds.

    >>> [article(each) for each in ("object", "URL", "HTTP", "user", "session", "unordered")]
    ['an', 'a', 'an', 'a', 'a', 'an']
    """
    lower = word.lower().split("-")[0]
    if lower == "u":
        return "a"
    if lower in _AN_WORDS:
        return "an"
    if lower.startswith(_A_WORDS) and not lower.startswith(_A_EXCEPTIONS):
        return "a"
    if word.isupper() and len(word) > 1 and word[0] in "FHLMNRSX" and not any(each in "AEIOU" for each in word[1:2]):
        return "an"
    return "an" if lower[:1] in _VOWELS else "a"
