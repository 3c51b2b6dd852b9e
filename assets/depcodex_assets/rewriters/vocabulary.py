"""The words that the controlled rewriter knows: verbs with their prepositions, abbreviations, acronyms, topics.

Here: the lists (the longer ones in data/, one entry a line) and looking words up in them. Not here: inflection
(depcodex_assets.inflection), sentences (depcodex_assets.rewriters.controlled). A word of a doc that is in
none of the lists never crosses.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources

from depcodex_assets.general_words import word_set

CONJUNCTIONS = frozenset({"or", "and"})
PREPOSITIONS = word_set(
    """
    about across after against along among around as at before between by during for from in inside into of
    off on onto out over per since through to toward under until up via with within without
    """
)
# Words of names that stand before a noun and never carry a phrase alone.
DETERMINERS = word_set(
    """
    all any each every many multiple other some several one both no
    """
)
ADJECTIVES = word_set(
    """
    abstract active additional allowed alternative anonymous async atomic automatic available base basic
    binary bound broken bulk cached callable canonical close closed common compatible complete complex compound
    concrete contiguous correct current custom dead deep default deprecated direct disabled discrete
    distinct dynamic eager empty enabled equal exact existing expired explicit external extra failed fast
    final finite first fixed flat full generic global greater hard hidden hot idle immutable implicit
    infinite inner inplace installed invalid last lazy left less literal local long lower main mandatory
    manual maximal minimal missing mutable named native negative new next nullable numeric numerical old
    open optional ordered original outer parallel partial pending persistent physical plain positive
    previous primary private public quick random raw readable ready real recursive relative remote required
    reverse right safe same secure sequential shared short significant similar simple single slow small soft
    sorted sparse special stable stale static strict symbolic temporary top total transparent true trusted
    typed unary unique unknown unordered unsafe unsupported unused upper valid variadic verbose virtual
    visible weak whole wide writable writeable
    """
)
# What the first word of a doc says a declaration does, where its name has no verb; nothing here can do harm.
SAFE_DOC_VERBS = word_set(
    """
    adapt add adjust aggregate append apply approximate bind build calculate cast check choose clip collect
    combine compare compile compute construct convert copy count create decode decorate define describe
    detect determine display draw emit encode estimate evaluate expand extract factor find fit flatten
    format gather generate get group handle hold indicate infer insert interpolate iterate join list locate
    map mark match measure merge normalize obtain pack pad parse perform pick plot predict prepare produce
    provide raise read reduce register render repeat replace represent resample reshape resize resolve
    retrieve return reverse rotate round sample scale select send serialize set shift show simulate slice solve
    sort specify split stack store sum test tokenize track transform translate transpose traverse truncate
    update validate verify wait wrap yield
    """
)
_LISTS = (
    "verbs",
    "abbreviations",
    "acronyms",
    "adverbs",
    "agent_nouns",
    "class_roles",
    "special_methods",
    "types",
    "topics",
)


def _text(name: str) -> str:
    return importlib.resources.files("depcodex_assets.rewriters").joinpath(f"data/{name}.txt").read_text("utf-8")


@functools.cache
def _mapping(name: str) -> dict[str, str]:
    """A list of data/: first word of each line, and the rest of it."""
    rows = (line.partition(" ") for line in _text(name).splitlines() if line and not line.startswith("#"))
    return {word: rest for word, _, rest in rows}


def verbs() -> dict[str, str]:
    """Each verb of names and the preposition before its owner."""
    return _mapping("verbs")


def adverbs() -> dict[str, str]:
    """Words at the end of a name that say how: ``nowait`` → ``without waiting``."""
    return _mapping("adverbs")


def agent_nouns() -> dict[str, str]:
    """Last words of classes that are named after what they do: ``parser`` → ``parse``."""
    return _mapping("agent_nouns")


def class_roles() -> dict[str, str]:
    """Last words of classes that say what they are for, and how such a sentence starts."""
    return _mapping("class_roles")


def special_methods() -> dict[str, str]:
    """Special methods and their sentences, with ``{owner}`` where the class goes."""
    return _mapping("special_methods")


def types() -> dict[str, str]:
    """Last segments of types in lower case, and what a person calls them: ``str`` → ``string``."""
    return _mapping("types")


@functools.cache
def topics() -> dict[str, float]:
    """Nouns that may stand for what a doc is about, with their inverse document frequency (natural logarithm)."""
    return {word: float(frequency) for word, frequency in _mapping("topics").items()}


def expanded(word: str) -> str:
    """A word of a name as a person writes it: abbreviations written out, acronyms in capitals.

    >>> expanded("ctx"), expanded("url"), expanded("session")
    ('context', 'URL', 'session')
    """
    return _mapping("abbreviations").get(word) or _mapping("acronyms").get(word, word)


@functools.cache
def digest() -> str:
    """sha256 hex of every list here: what tells one vocabulary from another."""
    parts = [*(_text(name) for name in _LISTS)]
    parts += [" ".join(sorted(each)) for each in (PREPOSITIONS, DETERMINERS, ADJECTIVES, SAFE_DOC_VERBS)]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()
