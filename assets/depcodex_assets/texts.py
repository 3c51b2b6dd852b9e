"""The text of a declaration as rewriters and output rules see it.

Here: ``Text``. Not here: what it is made from (depcodex_assets.dedupe), what becomes of it.
"""

from __future__ import annotations

from dataclasses import dataclass


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
