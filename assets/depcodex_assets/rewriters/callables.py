"""How callables are described: by the verb of their name, the pattern it follows, their parameters and return type.

Here: functions and methods. Not here: everything else (depcodex_assets.rewriters.declarations), what the doc is about
(depcodex_assets.rewriters.topics).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from depcodex_assets.general_words import word_set
from depcodex_assets.inflection import singular, third_person
from depcodex_assets.rewriters import vocabulary
from depcodex_assets.rewriters.drafts import (
    FIRST_WORD,
    PREDICATES,
    Draft,
    choose,
    doc_verb,
    predicate,
    predicate_verb,
    used_words,
)
from depcodex_assets.rewriters.phrases import class_phrase, is_describing, joined, name_words, noun_phrase, stems
from depcodex_assets.rewriters.topics import pick_topics
from depcodex_assets.rewriters.vocabulary import CONJUNCTIONS, PREPOSITIONS
from depcodex_assets.signature_shapes import Parameter, SignatureParts
from depcodex_assets.texts import Text

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
_EXTRA_NOUNS = word_set(
    """
    agent base body call change class constructor data end form function head index item kind line list maximum
    method minimum name number object pair part result second section series set side step thing time type
    union user value version
    """
)


def callable_start(own: str, owner: Sequence[str], signature: SignatureParts, text: Text, seed: int) -> Draft:
    """The sentence of a function or method, without what its doc is about."""
    owner_phrase = class_phrase(owner, "a") if owner else ""
    if own.startswith("__"):
        pattern = vocabulary.special_methods().get(own, "Implements the {name} operation of {owner}")
        start = pattern.format(owner=owner_phrase or "an object", name=" ".join(name_words(own)) or "special")
        return Draft(start, used_words(owner, name_words(own)))
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
        verb = doc_verb(text.doc) or choose(seed, ("give", "provide", "produce"))
        if len(words) > 1 and words[-1] == verb:
            words = words[:-1]
        preposition = " of " if owner else ""
        start = f"{third_person(verb)} {noun_phrase(words, 'the')}{preposition}{owner_phrase}"
        rest = parameters
    start += adverb
    used = used_words(owner, words, start.split())
    rest = [each for each in rest if not stems(each) <= used][:2]
    if rest:
        phrases = joined([noun_phrase(each, "a") for each in rest])
        start += " " + choose(seed >> 2, ("given {0}", "using {0}", "based on {0}", "with {0}")).format(phrases)
        used |= used_words(*rest)
    returned = _returned(signature, used)
    if returned:
        lead = (
            " as "
            if start.lower().startswith(("returns", "gives", "gets"))
            else choose(seed >> 3, (" and returns ", ", giving "))
        )
        start += lead + noun_phrase(returned, "a")
        used |= used_words(returned)
    return Draft(start, used | used_words([each.name for each in signature.parameters or ()]))


def _special_start(
    words: list[str], owner: Sequence[str], owner_phrase: str, parameters: list[tuple[str, ...]], seed: int
) -> str | None:
    """Names that follow a pattern: ``is_x``, ``to_x``, ``from_x``, ``on_x`` …"""
    first, rest = words[0], words[1:]
    subject = owner_phrase or (noun_phrase(parameters[0], "a") if parameters else "an object")
    if first in ("is", "are", "was") and rest:
        return f"tells whether {subject} is {predicate(rest)}"
    if first in ("once", "on") and not rest and owner:
        return f"reacts to an event of {owner_phrase}"
    if first in PREDICATES:
        tail = f" {noun_phrase(rest, 'a')}" if rest else ""
        if first in ("starts", "ends") and rest == ["with"]:
            tail = f" with {noun_phrase(parameters[0], 'a') if parameters else 'something'}"
        elif first == "can" and rest:
            tail = " " + " ".join(rest)
        elif first not in ("exists",) and not rest:
            tail = f" {noun_phrase(parameters[0], 'a')}" if parameters and owner else " what it is compared with"
        return f"tells whether {subject} {predicate_verb(first)}{tail}"
    if first in ("should", "must", "need", "needs") and rest:
        action = " ".join(rest[:1]) if rest[0] in vocabulary.verbs() else "use"
        thing = rest[1:] if rest[0] in vocabulary.verbs() else rest
        return f"decides whether to {action} {noun_phrase(thing, 'the') if thing else subject}"
    if first in ("to", "as", "into") and rest:
        return (
            f"{choose(seed, ('converts', 'turns'))} {subject} {'into' if seed % 2 else 'to'} {noun_phrase(rest, 'a')}"
        )
    if first == "from" and rest:
        made = choose(seed, ("builds", "creates", "makes"))
        return f"{made} {owner_phrase or 'an object'} from {noun_phrase(rest, 'a')}"
    if first == "on" and rest:
        return f"reacts to {noun_phrase(rest, 'the')} event{f' of {owner_phrase}' if owner else ''}"
    if first in ("with", "without") and rest:
        return f"{choose(seed, ('makes', 'prepares'))} {owner_phrase or 'an object'} {first} {noun_phrase(rest, 'a')}"
    for middle in ("to", "from"):
        if middle in rest[:-1] and first not in vocabulary.verbs() and first not in PREPOSITIONS:
            at = words.index(middle)
            verb = "converts" if middle == "to" else "derives"
            return f"{verb} {noun_phrase(words[:at], 'a')} {middle} {noun_phrase(words[at + 1 :], 'a')}"
    return None


def _is_verb(words: Sequence[str], text: Text) -> bool:
    first = words[0]
    if first not in vocabulary.verbs():
        return False
    if first not in _AMBIGUOUS:
        return True
    if len(words) > 1 and first in _VERBS_WITH_OBJECT:
        return True
    said = FIRST_WORD.search(text.doc or "")
    return said is not None and said[0].lower() in (first, third_person(first))


def _verb_start(
    words: list[str], owner_phrase: str, parameters: list[tuple[str, ...]], text: Text, seed: int
) -> tuple[str, list[tuple[str, ...]]]:
    """Verb, object, owner; and the parameters that the object has not used up."""
    verb, rest = words[0], words[1:]
    preposition = vocabulary.verbs()[verb]
    said = third_person(verb)
    if verb == "get":
        said = choose(seed, ("gets", "returns", "gets", "obtains"))
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


def _is_noun(word: str) -> bool:
    return word in vocabulary.topics() or word in _EXTRA_NOUNS


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


def _telling_parameters(signature: SignatureParts) -> list[tuple[str, ...]]:
    """The words of the required parameters that say something, in order; at most three words each."""
    found: list[tuple[str, ...]] = []
    for parameter in signature.parameters or ():
        if not _is_telling(parameter):
            continue
        words = name_words(parameter.name)
        if 0 < len(words) <= 3 and all(_is_known(each) for each in words) and not is_describing(words[-1]):
            is_action = len(words) > 1 and words[0] in vocabulary.verbs() and not _is_noun(words[0])
            is_action |= words[-1] in vocabulary.verbs() and not _is_noun(words[-1])
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
