"""Rewriters: each retells a declaration's documentation as one plain sentence.

Here: choosing one by its configured name. Not here: the rewriters (controlled, ollama_rewriter), the rules that their
sentences pass (depcodex_assets.output_rules).
"""

from __future__ import annotations

from depcodex.errors import SettingsError
from depcodex.settings import Settings
from depcodex_assets.rewriters.interface import Rewriter
from depcodex_assets.texts import Text

__all__ = ["Rewriter", "Text", "load_rewriter"]


def load_rewriter(settings: Settings) -> Rewriter:
    """The configured rewriter, ready to be asked: ``controlled``, or ``ollama:<model>``.

    >>> from pathlib import Path
    >>> load_rewriter(Settings(home=Path("/nowhere"))).name
    'controlled'

    Raises:
        SettingsError: no such rewriter.
        RemoteModelRefusedError: the model's address is not loopback.
        ModelUnavailableError: the model server does not answer (its model's digest is needed from the start).
        ModelError: the model is missing, or cannot write text.
    """
    name, _, model = settings.rewriter.partition(":")
    if name == "controlled" and not model:
        from depcodex_assets.rewriters.controlled import ControlledRewriter

        return ControlledRewriter()
    if name == "ollama" and model:
        from depcodex_assets.rewriters.ollama_rewriter import OllamaRewriter

        return OllamaRewriter(model, settings)
    raise SettingsError(f"setting rewriter: expected controlled or ollama:<model>, got {settings.rewriter!r}")
