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

from depcodex_assets.inflection import plural
from depcodex_assets.output_rules import broken_rule
from depcodex_assets.public_signatures import signature_parts
from depcodex_assets.rewriters import vocabulary
from depcodex_assets.rewriters.callables import callable_start
from depcodex_assets.rewriters.declarations import class_start, module_start, value_start
from depcodex_assets.rewriters.drafts import Draft, choose
from depcodex_assets.rewriters.phrases import joined, name_words
from depcodex_assets.rewriters.topics import pick_topics
from depcodex_assets.signature_shapes import SignatureParts
from depcodex_assets.texts import Text

PROMPT_VERSION = "controlled-1"
_VARIANTS = 4
_MAX_SENTENCE_WORDS = 36
_TOPIC_LEADS = (
    ", concerning {0}",
    ", in connection with {0}",
    ", with regard to {0}",
    ", dealing with {0}",
    ", involving {0}",
    ", related to {0}",
)


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
        draft = class_start(own, signature, text, seed)
    elif text.kind in ("property", "constant"):
        draft = value_start(own, owner, text, signature, seed)
    elif text.kind in ("module", "package"):
        draft = module_start(own, text.kind, seed)
    else:
        draft = callable_start(own, owner, signature, text, seed)
    sentence = draft.start
    if has_tail:
        sentence += _topic_tail(text, draft, seed, budget=_MAX_SENTENCE_WORDS - len(sentence.split()))
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _topic_tail(text: Text, draft: Draft, seed: int, *, budget: int) -> str:
    found = pick_topics(text.doc or "", draft.used)
    if not found or budget < len(found) + 5:
        return ""
    phrases = joined([plural(each) for each in found])
    lead = choose(seed >> 4, _TOPIC_LEADS)
    return lead.format(phrases)


__all__ = ["PROMPT_VERSION", "ControlledRewriter", "compose_sentence"]
