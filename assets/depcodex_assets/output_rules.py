"""What a sentence must be before anybody sees it, whatever wrote it: named rules in the order in which they are asked.

Here: the rules and asking them. Not here: how each is checked (depcodex_assets.output_checks and source_checks), the
sentences that hold them to their word (depcodex_assets.output_examples), the gate, which judges a sentence as it judges
a doc (depcodex_assets.gate).

A rule looks at the sentence alone, or at the sentence beside the text it was made from. Rules are no part of a
sentence's key: when they change, stored sentences are checked again and none is made again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from depcodex_assets import output_checks as checks
from depcodex_assets import source_checks
from depcodex_assets.output_checks import MAX_WORDS
from depcodex_assets.output_subject import Subject, subject_of
from depcodex_assets.texts import Text

# Changes with any rule; rows checked under another version are stale and are checked again.
OUTPUT_RULES_VERSION = "1"


@dataclass(frozen=True)
class OutputRule:
    """One rule.

    Attributes:
        name: what a refusal carries, and what a model is told on the second try.
        advice: what to do instead, for that second try.
        is_broken: whether the sentence breaks the rule.
    """

    name: str
    advice: str
    is_broken: Callable[[Subject], bool]


RULES: tuple[OutputRule, ...] = (
    OutputRule("characters", "Use plain letters only.", checks.is_not_plain),
    OutputRule(
        "one_sentence",
        "Write exactly one sentence that starts with a capital letter and ends with a full stop.",
        checks.is_not_one_sentence,
    ),
    OutputRule("too_long", f"Use at most {MAX_WORDS} words.", checks.is_too_long),
    OutputRule("too_short", "Say what it does.", checks.is_too_short),
    OutputRule("address", "Do not speak to the reader.", checks.is_address),
    OutputRule("obligation", "Do not say that anybody must do anything.", checks.is_obligation),
    OutputRule(
        "imperative", "Start with a verb in the third person, as in 'Gets' or 'Represents'.", checks.is_imperative
    ),
    OutputRule("url", "Leave out addresses.", checks.is_url),
    OutputRule("first_person", "Write in the third person.", checks.is_first_person),
    OutputRule("command", "Leave out commands.", checks.is_command),
    OutputRule("path", "Leave out paths and file names.", checks.is_path),
    OutputRule("code", "Leave out code, quotes and identifiers.", checks.is_code),
    OutputRule("secret", "Leave out tokens, keys and numbers that look random.", checks.is_secret),
    OutputRule("verbatim", "Use other words than the documentation does.", source_checks.is_verbatim),
    OutputRule("rare_word", "Leave out names and unusual words.", source_checks.is_rare_word),
    OutputRule("advertising", "Do not praise.", checks.is_advertising),
    OutputRule("authority", "Do not claim authority or urgency.", checks.is_authority),
    OutputRule("agents", "Do not mention models, assistants, prompts or instructions.", checks.is_about_agents),
    OutputRule("about_itself", "Describe what it does, not the text or its markers.", checks.is_about_itself),
    OutputRule(
        "stray",
        "Describe what the declaration does, as the documentation's first sentence says it.",
        source_checks.is_stray,
    ),
)


def broken_rule(sentence: str, text: Text) -> str | None:
    """The name of the first rule that ``sentence`` breaks; None where it may be shown (the gate still has its say).

    >>> text = Text("0" * 64, "python", "docstring", "method", "Session.get", ("def get(self, url)",), "A page.")
    >>> broken_rule("Gets the page behind a URL.", text) is None
    True
    >>> broken_rule("You must get the page.", text)
    'address'
    """
    subject = subject_of(sentence, text)
    return next((rule.name for rule in RULES if rule.is_broken(subject)), None)


def advice(rule_name: str) -> str:
    """What a model is told after ``rule_name`` refused its sentence; empty for an unknown rule."""
    return next((rule.advice for rule in RULES if rule.name == rule_name), "")
