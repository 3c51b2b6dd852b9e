"""The embedded rewriter: one grammatical sentence out of names, types and a few dictionary words, without a model.

Here: choosing and filling the sentence's pattern. Not here: word lists (vocabulary), inflection, noun phrases
(phrases), what a doc is about (topics). No prose of the doc can cross: see depcodex_assets.rewriters.topics.

The pattern follows from the kind and the name; what could be said in several ways is chosen by a checksum of the
name, so that the sentences of a library differ and the same text always gives the same one.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from depcodex_assets.general_words import word_set
from depcodex_assets.output_rules import broken_rule
from depcodex_assets.public_signatures import Parameter, SignatureParts, signature_parts
from depcodex_assets.rewriters import vocabulary
from depcodex_assets.rewriters.inflection import plural, singular, third_person
from depcodex_assets.rewriters.interface import Text
from depcodex_assets.rewriters.phrases import class_phrase, is_describing, joined, name_words, noun_phrase, stems
from depcodex_assets.rewriters.topics import pick_topics
from depcodex_assets.rewriters.vocabulary import CONJUNCTIONS, PREPOSITIONS, SAFE_DOC_VERBS

PROMPT_VERSION = "controlled-1"
_VARIANTS = 4
_MAX_SENTENCE_WORDS = 36
# Words that are verbs in one name and nouns in the next: verbs only where the doc's first word says so too.
_AMBIGUOUS = word_set(
    """
    cache cast cycle echo fire focus frame hash hover index label lay limit link list lock loop map mask
    match measure monitor name nest order pad patch peek pin plan plot pool position press process profile
    project query quote range rank rate record request rest sample scale score seed shape sign size sleep
    slice sort spell split stack stage state style sum tab tail test time tick total trace track trigger
    type use view wait weigh zip zero filter group exit estimate signal round object scope import export
    print diff head fit load
    """
)
# In a name of several words these are verbs all the same.
_VERBS_WITH_OBJECT = word_set(
    """
    cast estimate export filter fit import list load lock map match measure print process query record
    request sample sort split test trace track trigger use wait
    """
)
_INTRANSITIVE = word_set(
    """
    wait listen iterate sleep look search navigate walk respond reply subscribe participate loop
    poll loop exit fail roll scroll participate adhere succeed
    """
)
# Without an object these act on something in their owner, not on the owner: "appends to a list".
_KEYS = frozenset({"name", "key", "index", "identifier", "position", "label"})
_INTO_OWNER = word_set(
    """
    add append insert prepend push put read receive send write pop extract submit contribute
    """
)
_PREDICATES = word_set(
    """
    has have can supports contains exists matches requires uses allows includes accepts equals starts ends overlaps
    """
)
_WITHOUT_MEANING = word_set(
    """
    self cls args kwargs arguments keyword this other x y z a b c f n k v i j s t p o it
    """
)
_NO_TYPE = word_set(
    """
    none any self object bool noreturn never t typing
    """
)
_SIMPLE_TYPE = re.compile(r"(?:\w+\.)*(\w+)(?:\[.*\])?")
_TOPIC_LEADS = (
    ", concerning {0}",
    ", in connection with {0}",
    ", with regard to {0}",
    ", dealing with {0}",
    ", involving {0}",
    ", related to {0}",
)
_FIRST_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class _Draft:
    """A sentence under way: its beginning, and the words that have been used (lower case, singular)."""

    start: str
    used: frozenset[str]


class ControlledRewriter:
    """Implements ``Rewriter`` without a model; the same text always gives the same sentence."""

    name = "controlled"
    prompt_version = PROMPT_VERSION
    can_retry = False

    def __init__(self) -> None:
        self.model_digest = vocabulary.digest()

    def rewrite(self, texts: Sequence[Text], refused: Sequence[str | None]) -> Sequence[str | None]:
        """One sentence a text; ``refused`` changes nothing."""
        del refused
        return [compose_sentence(text) for text in texts]


def compose_sentence(text: Text) -> str:
    """The sentence for one text: the first variant that breaks no output rule, else the plainest.

    >>> compose_sentence(Text("0" * 64, "python", "docstring", "method", "Session.close", ("def close(self)",), "Bye."))
    'Closes a session.'
    """
    parts = [signature_parts(each, text.language) for each in text.signatures[:1]]
    first = parts[0] if parts else SignatureParts("", None)
    seed = zlib.crc32(text.name.encode())
    sentence = ""
    for variant in range(_VARIANTS):
        sentence = _sentence(text, first, seed + variant, has_tail=variant < _VARIANTS - 1)
        if broken_rule(sentence, text) is None:
            break
    return sentence


def _sentence(text: Text, signature: SignatureParts, seed: int, *, has_tail: bool) -> str:
    segments = [each for each in re.split(r"[.#:/]+", text.name) if each] or [text.name]
    own = segments[-1]
    owner = name_words(segments[-2]) if len(segments) > 1 else ()
    if text.kind in ("class", "type", "skill", "recipe"):
        draft = _class_start(own, signature, text, seed)
    elif text.kind in ("property", "constant"):
        draft = _value_start(own, owner, text, signature, seed)
    elif text.kind in ("module", "package"):
        draft = _module_start(own, text.kind, seed)
    else:
        draft = _callable_start(own, owner, signature, text, seed)
    sentence = draft.start
    if has_tail:
        sentence += _topic_tail(text, draft, seed, budget=_MAX_SENTENCE_WORDS - len(sentence.split()))
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _topic_tail(text: Text, draft: _Draft, seed: int, *, budget: int) -> str:
    found = pick_topics(text.doc or "", draft.used)
    if not found or budget < len(found) + 5:
        return ""
    phrases = joined([plural(each) for each in found])
    lead = _choose(seed >> 4, _TOPIC_LEADS)
    return lead.format(phrases)


def _choose(seed: int, options: Sequence[str]) -> str:
    return options[seed % len(options)]


def _used(*groups: Sequence[str]) -> frozenset[str]:
    return frozenset().union(*(stems(group) for group in groups))


# Callables


def _callable_start(own: str, owner: Sequence[str], signature: SignatureParts, text: Text, seed: int) -> _Draft:
    owner_phrase = class_phrase(owner, "a") if owner else ""
    if own.startswith("__"):
        pattern = vocabulary.special_methods().get(own, "Implements the {name} operation of {owner}")
        start = pattern.format(owner=owner_phrase or "an object", name=" ".join(name_words(own)) or "special")
        return _Draft(start, _used(owner, name_words(own)))
    words = list(name_words(own)) or ["operation"]
    if len(words) > 1 and words[0] == "do":
        words = words[1:]
    parameters = _telling_parameters(signature)
    adverb = ""
    if len(words) > 1 and words[-1] in vocabulary.adverbs():
        adverb = f" {vocabulary.adverbs()[words.pop()]}"
    special = _special_start(words, owner, owner_phrase, parameters, seed)
    if special is not None:
        start, rest = special, parameters
    elif _is_verb(words, text):
        start, rest = _verb_start(words, owner_phrase, parameters, text, seed)
    else:
        verb = _doc_verb(text.doc) or _choose(seed, ("give", "provide", "produce"))
        if len(words) > 1 and words[-1] == verb:
            words = words[:-1]
        preposition = " of " if owner else ""
        start = f"{third_person(verb)} {noun_phrase(words, 'the')}{preposition}{owner_phrase}"
        rest = parameters
    start += adverb
    used = _used(owner, words, start.split())
    rest = [each for each in rest if not stems(each) <= used][:2]
    if rest:
        phrases = joined([noun_phrase(each, "a") for each in rest])
        start += " " + _choose(seed >> 2, ("given {0}", "using {0}", "based on {0}", "with {0}")).format(phrases)
        used |= _used(*rest)
    returned = _returned(signature, used)
    if returned:
        lead = (
            " as "
            if start.lower().startswith(("returns", "gives", "gets"))
            else _choose(seed >> 3, (" and returns ", ", giving "))
        )
        start += lead + noun_phrase(returned, "a")
        used |= _used(returned)
    return _Draft(start, used | _used([each.name for each in signature.parameters or ()]))


def _special_start(
    words: list[str], owner: Sequence[str], owner_phrase: str, parameters: list[tuple[str, ...]], seed: int
) -> str | None:
    """Names that follow a pattern: ``is_x``, ``to_x``, ``from_x``, ``on_x`` …"""
    first, rest = words[0], words[1:]
    subject = owner_phrase or (noun_phrase(parameters[0], "a") if parameters else "an object")
    if first in ("is", "are", "was") and rest:
        return f"tells whether {subject} is {_predicate(rest)}"
    if first in ("once", "on") and not rest and owner:
        return f"reacts to an event of {owner_phrase}"
    if first in _PREDICATES:
        tail = f" {noun_phrase(rest, 'a')}" if rest else ""
        if first in ("starts", "ends") and rest == ["with"]:
            tail = f" with {noun_phrase(parameters[0], 'a') if parameters else 'something'}"
        elif first == "can" and rest:
            tail = " " + " ".join(rest)
        elif first not in ("exists",) and not rest:
            tail = f" {noun_phrase(parameters[0], 'a')}" if parameters and owner else " what it is compared with"
        return f"tells whether {subject} {_predicate_verb(first)}{tail}"
    if first in ("should", "must", "need", "needs") and rest:
        action = " ".join(rest[:1]) if rest[0] in vocabulary.verbs() else "use"
        thing = rest[1:] if rest[0] in vocabulary.verbs() else rest
        return f"decides whether to {action} {noun_phrase(thing, 'the') if thing else subject}"
    if first in ("to", "as", "into") and rest:
        return (
            f"{_choose(seed, ('converts', 'turns'))} {subject} {'into' if seed % 2 else 'to'} {noun_phrase(rest, 'a')}"
        )
    if first == "from" and rest:
        made = _choose(seed, ("builds", "creates", "makes"))
        return f"{made} {owner_phrase or 'an object'} from {noun_phrase(rest, 'a')}"
    if first == "on" and rest:
        return f"reacts to {noun_phrase(rest, 'the')} event{f' of {owner_phrase}' if owner else ''}"
    if first in ("with", "without") and rest:
        return f"{_choose(seed, ('makes', 'prepares'))} {owner_phrase or 'an object'} {first} {noun_phrase(rest, 'a')}"
    for middle in ("to", "from"):
        if middle in rest[:-1] and first not in vocabulary.verbs() and first not in PREPOSITIONS:
            at = words.index(middle)
            verb = "converts" if middle == "to" else "derives"
            return f"{verb} {noun_phrase(words[:at], 'a')} {middle} {noun_phrase(words[at + 1 :], 'a')}"
    return None


def _predicate_verb(word: str) -> str:
    return "has" if word == "have" else word


def _predicate(words: Sequence[str]) -> str:
    """What follows "is": described (``closed``, ``a file``, ``in a transaction``)."""
    if words[0] in PREPOSITIONS and len(words) > 1:
        return f"{words[0]} {noun_phrase(words[1:], 'a')}"
    if words[0] == "not":
        return f"not {_predicate(words[1:])}" if len(words) > 1 else "absent"
    for index, word in enumerate(words):
        if word in PREPOSITIONS and 0 < index < len(words) - 1:
            return f"{_predicate(words[:index])} {word} {noun_phrase(words[index + 1 :], 'a')}"
        if word in CONJUNCTIONS and 0 < index < len(words) - 1:
            return f"{_predicate(words[:index])} {word} {_predicate(words[index + 1 :])}"
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


def _is_verb(words: Sequence[str], text: Text) -> bool:
    first = words[0]
    if first not in vocabulary.verbs():
        return False
    if first not in _AMBIGUOUS:
        return True
    if len(words) > 1 and first in _VERBS_WITH_OBJECT:
        return True
    said = _FIRST_WORD.search(text.doc or "")
    return said is not None and said[0].lower() in (first, third_person(first))


def _verb_start(
    words: list[str], owner_phrase: str, parameters: list[tuple[str, ...]], text: Text, seed: int
) -> tuple[str, list[tuple[str, ...]]]:
    """Verb, object, owner; and the parameters that the object has not used up."""
    verb, rest = words[0], words[1:]
    preposition = vocabulary.verbs()[verb]
    said = third_person(verb)
    if verb == "get":
        said = _choose(seed, ("gets", "returns", "gets", "obtains"))
    while len(rest) > 1 and rest[0] in CONJUNCTIONS and rest[1] in vocabulary.verbs():
        said, rest = f"{said} {rest[0]} {third_person(rest[1])}", rest[2:]
    owner_tail = f" {preposition} {owner_phrase}" if owner_phrase else ""
    if rest and rest[0] in PREPOSITIONS and len(rest) > 1:
        target = f"{rest[0]} {noun_phrase(rest[1:], 'the')}"
        if verb in _INTRANSITIVE:
            return f"{said} {target}{f' of {owner_phrase}' if owner_phrase else ''}", parameters
        thing = owner_phrase or (noun_phrase(parameters[0], "the") if parameters else "its input")
        return f"{said} {thing} {target}", parameters if owner_phrase else parameters[1:]
    if rest and rest[-1] in PREPOSITIONS:
        rest = rest[:-1]
    if rest:
        determiner = (
            "a" if verb in ("create", "make", "build", "add", "open", "generate", "new", "construct") else "the"
        )
        return f"{said} {noun_phrase(rest, determiner)}{owner_tail}", parameters
    if verb in _INTRANSITIVE:
        return f"{said}{f' on behalf of {owner_phrase}' if owner_phrase else ''}", parameters
    if verb == "get" and owner_phrase and parameters and parameters[0][-1] in _KEYS:
        return f"{said} an item of {owner_phrase} by {' '.join(parameters[0])}", parameters[1:]
    if parameters and (not owner_phrase or preposition != "of" or verb in ("get", "set")):
        return f"{said} {noun_phrase(parameters[0], 'the')}{owner_tail.replace(' of ', ' for ', 1)}", parameters[1:]
    if owner_phrase:
        between = f" {preposition}" if verb in _INTO_OWNER else ""
        return f"{said}{between} {owner_phrase}", parameters
    found = pick_topics(text.doc or "", stems(words))
    thing = noun_phrase([found[0]], "") if found else "its input"
    return f"{said} {thing}", parameters


def _doc_verb(doc: str | None) -> str | None:
    """The doc's first word where it is a harmless verb; said of names that have none."""
    found = _FIRST_WORD.search((doc or "")[:80])
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


def _is_known(word: str) -> bool:
    lower = singular(word.lower())
    return (
        lower in vocabulary.topics()
        or is_describing(word)
        or word.isupper()
        or lower in PREPOSITIONS
        or lower in vocabulary.verbs()
        or lower in _EXTRA_NOUNS
    )


_EXTRA_NOUNS = word_set(
    """
    number user agent kind data end part name word line side way thing body head
    """
)


def _telling_parameters(signature: SignatureParts) -> list[tuple[str, ...]]:
    """The words of the required parameters that say something, in order; at most three words each."""
    found: list[tuple[str, ...]] = []
    for parameter in signature.parameters or ():
        if not _is_telling(parameter):
            continue
        words = name_words(parameter.name)
        if 0 < len(words) <= 3 and all(_is_known(each) for each in words) and not is_describing(words[-1]):
            is_action = len(words) > 1 and words[0] in vocabulary.verbs() and words[0] not in vocabulary.topics()
            is_action |= words[-1] in vocabulary.verbs() and words[-1] not in vocabulary.topics()
            if words[0] not in PREPOSITIONS and not is_action and words not in found:
                found.append(words)
        if len(found) == 3:
            break
    return found


def _is_telling(parameter: Parameter) -> bool:
    return not parameter.default and parameter.star == "" and parameter.name.lower() not in _WITHOUT_MEANING


def _returned(signature: SignatureParts, used: frozenset[str]) -> tuple[str, ...]:
    """The words of the return type where they add something; empty else."""
    alternatives = [each.strip() for each in signature.returns.split(" | ") if each.strip() != "None"]
    if len(alternatives) != 1:
        return ()
    match = _SIMPLE_TYPE.fullmatch(alternatives[0])
    if not match or match[1].lower() in _NO_TYPE or len(match[1]) < 3:
        return ()
    plain = vocabulary.types().get(match[1].lower())
    words = tuple(plain.split()) if plain else name_words(match[1])
    if not 0 < len(words) <= 3 or stems(words[-1:]) <= used or is_describing(words[-1]):
        return ()
    return words if plain or all(_is_known(each) for each in words) else ()


# Classes, values, modules


def _class_start(own: str, signature: SignatureParts, text: Text, seed: int) -> _Draft:
    words = list(name_words(own)) or ["object"]
    bases = [
        each.name.split("[")[0].rsplit(".", 1)[-1]
        for each in signature.parameters or ()
        if each.name and not each.default
    ]
    last = words[-1].lower()
    rest = words[:-1]
    used = _used(words)
    if text.kind == "type":
        return _Draft(f"names {noun_phrase([*words, 'type'] if last != 'type' else words, 'the')}", used)
    is_error = any(each.endswith(("Error", "Exception")) for each in bases)
    if last in ("error", "exception") or is_error:
        thing = words if last in ("error", "exception", "warning", "failure") else [*words, "condition"]
        return _Draft(
            f"{_choose(seed, ('signals', 'reports', 'indicates'))} {noun_phrase(thing, 'a')}",
            used | {"error", "exception"},
        )
    if any(each.endswith(("Enum", "Flag")) for each in bases):
        return _Draft(f"{_choose(seed, ('lists', 'enumerates'))} the possible {noun_phrase(words, '')}", used)
    if rest and last in vocabulary.class_roles() and not all(is_describing(each) for each in rest):
        start = f"{vocabulary.class_roles()[last]} {noun_phrase(rest, 'a')}"
        if last == "mixin":
            start = f"adds {' '.join(rest)} behaviour to other classes"
        return _Draft(start, used)
    if rest and last in vocabulary.agent_nouns() and not is_describing(rest[-1]):
        verb, _, particle = vocabulary.agent_nouns()[last].partition(" ")
        start = f"{third_person(verb)}{f' {particle}' if particle else ''} {noun_phrase(rest, '')}"
        return _Draft(start + _base_tail(bases, used), used | {verb})
    said = _doc_verb(text.doc)
    if said in ("represent", "describe", "hold", "provide", "store", "handle", "define"):
        start = f"{third_person(said)} {class_phrase(words, 'a')}"
    else:
        lead = _choose(seed, ("represents", "describes", "represents", "models", "defines"))
        start = f"{lead} {class_phrase(words, 'a')}"
    return _Draft(start + _base_tail(bases, used), used)


def _base_tail(bases: Sequence[str], used: frozenset[str]) -> str:
    for base in bases:
        words = name_words(base)
        # A mixin by another name: it says what the class has, not what it is.
        if base.startswith(("Has", "Supports", "With", "Is")) or base.endswith(("Only", "able")):
            continue
        if (
            base in ("object", "Generic", "Protocol", "ABC", "Any", "self")
            or not 0 < len(words) <= 3
            or stems(words) <= used
        ):
            continue
        if (
            len(base) > 2
            and not base.startswith("_")
            and words[-1].lower() not in used
            and words[-1] not in ("mixin", "base")
            and not is_describing(words[-1])
        ):
            return f", a kind of {' '.join(words)}"
    return ""


_IS_TRUTH = re.compile(
    r"\W*(?:true|false|whether|returns? (?:true|false|whether)|is |indicates? |checks? |flag|bool)", re.IGNORECASE
)


def _value_start(own: str, owner: Sequence[str], text: Text, signature: SignatureParts, seed: int) -> _Draft:
    words = list(name_words(own)) or ["value"]
    owner_phrase = class_phrase(owner, "a") if owner else ""
    used = _used(words, owner)
    if words[0] in ("is", "are") and len(words) > 1:
        return _Draft(f"tells whether {owner_phrase or 'an object'} is {_predicate(words[1:])}", used)
    if words[0] in _PREDICATES and len(words) > 1:
        thing = " ".join(words[1:]) if words[0] == "can" else noun_phrase(words[1:], "a")
        return _Draft(f"tells whether {owner_phrase or 'an object'} {_predicate_verb(words[0])} {thing}", used)
    is_truth = "bool" in signature.returns or _IS_TRUTH.match(text.doc or "") is not None
    if len(words) == 1 and is_describing(words[0]) and text.kind == "property" and is_truth:
        return _Draft(f"tells whether {owner_phrase or 'an object'} is {words[0]}", used)
    lead = _choose(
        seed, ("holds", "gives", "holds", "keeps") if text.kind == "property" else ("holds", "defines", "sets")
    )
    return _Draft(f"{lead} {noun_phrase(words, 'the')}{f' of {owner_phrase}' if owner else ''}", used)


def _module_start(own: str, kind: str, seed: int) -> _Draft:
    words = list(name_words(own)) or ["code"]
    used = _used(words)
    thing = noun_phrase(words, "") if len(words) < 3 else " ".join(words)
    if words[0] in vocabulary.verbs() and len(words) > 1:
        thing = f"what {third_person(words[0])} {noun_phrase(words[1:], '')}"
    elif words == ["utilities"]:
        thing = "utilities"
    options = ("gathers code for {0}", "contains code for {0}", "groups what concerns {0}", "covers {0}")
    return _Draft(
        _choose(seed, options if kind == "module" else ("provides code for {0}", "covers {0}")).format(thing), used
    )


__all__ = ["PROMPT_VERSION", "ControlledRewriter", "compose_sentence"]
