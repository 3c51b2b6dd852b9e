"""What a gate promises: a judgement of one documentation text, and whether that judgement is over the line.

Here: the ``Gate`` protocol and ``Judgement``. Not here: how a text is judged (depcodex_assets.gate.trained), what
happens to a suspected text (the classify and quarantine stages).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

# The reason given for a text whose documentation convention has no calibrated threshold.
UNCALIBRATED = "uncalibrated"
# The reason given for a text that no rule caught, and whose score reaches the threshold.
OVER_THRESHOLD = "score"


@dataclass(frozen=True)
class Judgement:
    """What the gate found in one text; no part of the text itself.

    Attributes:
        score: calibrated probability, 0 to 1, that the worst sentence in the worst view is an attack, at equal odds
            of attack and honest documentation.
        rule: name of the deterministic rule that fired, else None.
        sentence_index: position, from 0, of the sentence that the rule or the score points at, in ``view``.
        view: which reading of the text it was: ``plain``, or how it was decoded or pulled out of hiding.
    """

    score: float
    rule: str | None
    sentence_index: int
    view: str


class Gate(Protocol):
    """Judges documentation texts. Fakes in tests implement this and nothing more."""

    @property
    def version(self) -> str:
        """Changes when weights or rules change; thresholds are no part of it."""

    def judge(self, doc: str, convention: str) -> Judgement:
        """The judgement of one text."""

    def judge_many(self, docs: Sequence[str], conventions: Sequence[str]) -> list[Judgement]:
        """The judgements of many texts, in order; the same as ``judge`` one by one, and several times faster."""

    def is_suspect(self, score: float, rule: str | None, convention: str) -> bool:
        """Whether a text with this score and rule is held back."""

    def suspect_rule(self, score: float, rule: str | None, convention: str) -> str | None:
        """Why it is held back: the rule, ``uncalibrated`` or ``score``; None when it is not."""
