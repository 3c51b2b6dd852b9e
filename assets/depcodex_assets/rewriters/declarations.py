"""How everything but callables is described: classes by their last word and bases, values by their owner.

Here: classes, types, properties, constants, modules, packages. Not here: callables
(depcodex_assets.rewriters.callables).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from depcodex_assets.inflection import third_person
from depcodex_assets.rewriters import vocabulary
from depcodex_assets.rewriters.drafts import PREDICATES, Draft, choose, doc_verb, predicate, predicate_verb, used_words
from depcodex_assets.rewriters.phrases import class_phrase, is_describing, name_words, noun_phrase, stems
from depcodex_assets.signature_shapes import SignatureParts
from depcodex_assets.texts import Text


def class_start(own: str, signature: SignatureParts, text: Text, seed: int) -> Draft:
    """The sentence of a class or type, without what its doc is about."""
    words = list(name_words(own)) or ["object"]
    bases = [
        each.name.split("[")[0].rsplit(".", 1)[-1]
        for each in signature.parameters or ()
        if each.name and not each.default
    ]
    last = words[-1].lower()
    rest = words[:-1]
    used = used_words(words)
    if text.kind == "type":
        return Draft(f"names {noun_phrase([*words, 'type'] if last != 'type' else words, 'the')}", used)
    is_error = any(each.endswith(("Error", "Exception")) for each in bases)
    if last in ("error", "exception") or is_error:
        thing = words if last in ("error", "exception", "warning", "failure") else [*words, "condition"]
        return Draft(
            f"{choose(seed, ('signals', 'reports', 'indicates'))} {noun_phrase(thing, 'a')}",
            used | {"error", "exception"},
        )
    if any(each.endswith(("Enum", "Flag")) for each in bases):
        return Draft(f"{choose(seed, ('lists', 'enumerates'))} the possible {noun_phrase(words, '')}", used)
    if rest and last in vocabulary.class_roles() and not all(is_describing(each) for each in rest):
        start = f"{vocabulary.class_roles()[last]} {noun_phrase(rest, 'a')}"
        if last == "mixin":
            start = f"adds {' '.join(rest)} behaviour to other classes"
        return Draft(start, used)
    if rest and last in vocabulary.agent_nouns() and not is_describing(rest[-1]):
        verb, _, particle = vocabulary.agent_nouns()[last].partition(" ")
        start = f"{third_person(verb)}{f' {particle}' if particle else ''} {noun_phrase(rest, '')}"
        return Draft(start + _base_tail(bases, used), used | {verb})
    said = doc_verb(text.doc)
    if said in ("represent", "describe", "hold", "provide", "store", "handle", "define"):
        start = f"{third_person(said)} {class_phrase(words, 'a')}"
    else:
        lead = choose(seed, ("represents", "describes", "represents", "models", "defines"))
        start = f"{lead} {class_phrase(words, 'a')}"
    return Draft(start + _base_tail(bases, used), used)


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


def value_start(own: str, owner: Sequence[str], text: Text, signature: SignatureParts, seed: int) -> Draft:
    """The sentence of a property or constant, without what its doc is about."""
    words = list(name_words(own)) or ["value"]
    owner_phrase = class_phrase(owner, "a") if owner else ""
    used = used_words(words, owner)
    if words[0] in ("is", "are") and len(words) > 1:
        return Draft(f"tells whether {owner_phrase or 'an object'} is {predicate(words[1:])}", used)
    if words[0] in PREDICATES and len(words) > 1:
        thing = " ".join(words[1:]) if words[0] == "can" else noun_phrase(words[1:], "a")
        return Draft(f"tells whether {owner_phrase or 'an object'} {predicate_verb(words[0])} {thing}", used)
    is_truth = "bool" in signature.returns or _IS_TRUTH.match(text.doc or "") is not None
    if len(words) == 1 and is_describing(words[0]) and text.kind == "property" and is_truth:
        return Draft(f"tells whether {owner_phrase or 'an object'} is {words[0]}", used)
    lead = choose(
        seed, ("holds", "gives", "holds", "keeps") if text.kind == "property" else ("holds", "defines", "sets")
    )
    return Draft(f"{lead} {noun_phrase(words, 'the')}{f' of {owner_phrase}' if owner else ''}", used)


def module_start(own: str, kind: str, seed: int) -> Draft:
    """The sentence of a module or package, without what its doc is about."""
    words = list(name_words(own)) or ["code"]
    used = used_words(words)
    thing = noun_phrase(words, "") if len(words) < 3 else " ".join(words)
    if words[0] in vocabulary.verbs() and len(words) > 1:
        thing = f"what {third_person(words[0])} {noun_phrase(words[1:], '')}"
    elif words == ["utilities"]:
        thing = "utilities"
    options = ("gathers code for {0}", "contains code for {0}", "groups what concerns {0}", "covers {0}")
    return Draft(
        choose(seed, options if kind == "module" else ("provides code for {0}", "covers {0}")).format(thing), used
    )
