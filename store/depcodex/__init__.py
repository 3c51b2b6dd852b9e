"""depcodex: the documentation inside a project's dependencies, answerable for coding agents.

    >>> from depcodex import Codex                      # doctest: +SKIP
    >>> with Codex.open("path/to/project") as codex:    # doctest: +SKIP
    ...     for hit in codex.search("retry a failed request").results:
    ...         print(hit.symbol, hit.sentence)

Here: the names an agent's tool imports, loaded on first use (PEP 562), so that ``import depcodex`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from depcodex.closure import Closure as Closure
    from depcodex.closure import ProjectRecord as ProjectRecord
    from depcodex.closure import Scope as Scope
    from depcodex.coordinates import Coordinate as Coordinate
    from depcodex.errors import DepcodexError as DepcodexError
    from depcodex.query import Abstention as Abstention
    from depcodex.query import Answer as Answer
    from depcodex.query import Codex as Codex
    from depcodex.query import Hit as Hit
    from depcodex.settings import Settings as Settings

from depcodex.version import __version__

_HOMES = {
    "Abstention": "depcodex.query",
    "Answer": "depcodex.query",
    "Closure": "depcodex.closure",
    "Codex": "depcodex.query",
    "Coordinate": "depcodex.coordinates",
    "DepcodexError": "depcodex.errors",
    "Hit": "depcodex.query",
    "ProjectRecord": "depcodex.closure",
    "Scope": "depcodex.closure",
    "Settings": "depcodex.settings",
}
__all__ = [
    "Abstention",
    "Answer",
    "Closure",
    "Codex",
    "Coordinate",
    "DepcodexError",
    "Hit",
    "ProjectRecord",
    "Scope",
    "Settings",
    "__version__",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'depcodex' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
