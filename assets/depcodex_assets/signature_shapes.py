"""A signature taken apart: what readers of signatures return, and what sentences are drafted from.

Here: the parts and what a language brings to read and show them. Not here: any language's ways
(depcodex_assets.public_signatures for Python, one module for each of the others).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Parameter:
    """One parameter of a signature.

    Attributes:
        name: without stars; empty for the bare ``*`` and ``/``.
        annotation: its type, reduced; empty where there is none.
        default: its default, reduced; empty where there is none.
        star: ``""``, ``"*"`` or ``"**"``.
    """

    name: str
    annotation: str = ""
    default: str = ""
    star: str = ""


@dataclass(frozen=True)
class SignatureParts:
    """A signature taken apart, each part reduced to what may be shown.

    Attributes:
        head: what comes before the parameters, ``async def get`` or ``class Session``; a whole constant's line.
        parameters: in order; None where the signature takes none (a constant, a class without bases).
        returns: the return type; empty where there is none.
    """

    head: str
    parameters: tuple[Parameter, ...] | None
    returns: str = ""


@dataclass(frozen=True)
class SignatureLanguage:
    """How one language's signatures are read and shown.

    Attributes:
        read: a signature as written, in plain characters, to its parts, each reduced to what may be shown: no comments,
            no string content, neutral defaults. Raises UnreadableError or RecursionError on what is no signature of the
            language; the caller then shows the name alone.
        show: the parts on one line, as the language writes them, of any length; reading that again gives the same.
    """

    read: Callable[[str], SignatureParts]
    show: Callable[[SignatureParts], str]
