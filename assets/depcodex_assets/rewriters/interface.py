"""What a rewriter is: the text it is given and the Protocol it fulfils.

Here: ``Text`` and ``Rewriter``. Not here: any rewriter, the rules its sentences pass
(depcodex_assets.output_rules), the loop that asks it (depcodex_assets.summarise).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Text:
    """What a rewriter sees of a declaration; library-written throughout, so data and never an instruction.

    Attributes:
        text_digest: sha256 of the text's canonical JSON; the key of its sentence.
        language: grammar's name, ``python`` or ``kotlin``.
        convention: how its documentation is written, ``docstring`` or ``kdoc``.
        kind: one of ``schemas.KINDS``.
        name: the defining name with its class, ``Session.get``.
        signatures: as written, overloads in source order.
        doc: the raw documentation; None where there is none.
    """

    text_digest: str
    language: str
    convention: str
    kind: str
    name: str
    signatures: tuple[str, ...]
    doc: str | None


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
