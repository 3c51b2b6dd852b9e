"""The private store: raw documentation, verdicts, sentences before their check. The only code that opens it.

Here: opening, and the folder's mode. Not here: table contracts (depcodex.schemas), generic reading and writing
(depcodex.tables).
"""

from __future__ import annotations

from pathlib import Path

from depcodex import schemas
from depcodex.tables import Tables


class PrivateTables(Tables):
    """The private store's tables, in a folder that only its owner can enter.

    Args:
        folder: ``private/`` of the data home; made with mode 0700.
        width: the embedder's, in numbers a vector.
    """

    def __init__(self, folder: Path, width: int) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # mkdir's mode is subject to the umask and says nothing about a folder that was there.
        folder.chmod(0o700)
        super().__init__(folder / "tables", schemas.private_contracts(width))
