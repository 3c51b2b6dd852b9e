"""What a rewriter is: the Protocol it fulfils.

Here: ``Rewriter``. Not here: what it is given (depcodex_assets.texts), any rewriter, the rules its sentences pass
(depcodex_assets.output_rules), the loop that asks it (depcodex_assets.summarise).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from depcodex_assets.texts import Text


class Rewriter(Protocol):
    """Retells texts as one plain sentence each.

    Attributes:
        name: ``controlled`` or ``ollama:<model>``; stored with each sentence.
        prompt_version: changes when another sentence would come for the same text; part of the sentence's key.
        model_digest: what made the sentence, to the byte; part of the sentence's key.
        can_retry: False where the same text always gives the same sentence, so that asking again is pointless.
    """

    @property
    def name(self) -> str:
        """``controlled`` or ``ollama:<model>``."""
        ...

    @property
    def prompt_version(self) -> str:
        """The version of what is asked."""
        ...

    @property
    def model_digest(self) -> str:
        """What writes, to the byte."""
        ...

    @property
    def can_retry(self) -> bool:
        """Whether a second try can bring another sentence."""
        ...

    def rewrite(self, texts: Sequence[Text], refused: Sequence[str | None]) -> Sequence[str | None]:
        """One sentence a text, in the order of ``texts``; None where the model gave nothing usable.

        Args:
            texts: documented texts that the gate cleared.
            refused: for each text the output rule that refused its last sentence, or None on the first try.

        Raises:
            ModelUnavailableError: the model server does not answer; what came before stays valid.
            ModelError: the model is missing, or cannot write text.
        """
        ...
