"""What this room needs of the workbench, and which tables and stages stand behind each asset.

Here: the Protocol that ``depcodex_assets.workbench.Workbench`` fulfils (tests hand in their own), the stage order, and
cutting coordinates into batches. Not here: Dagster (so that commands can use this without its import of seconds), and
the stages themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from depcodex.coordinates import Coordinate
    from depcodex.settings import Settings
    from depcodex_assets.workbench import StageResult

# Stage → the table that its asset is named by, in the order of running.
TABLE_OF_STAGE = {
    "harvest": "source_files",
    "parse": "declarations",
    "dedupe": "occurrences",
    "classify": "verdicts",
    "summarise": "summaries",
    "quarantine": "quarantined",
    "publish": "entries",
}
# Nothing of these asks a model that writes: after them the number of model calls is exact.
PREPARE_STAGES = ("harvest", "parse", "dedupe", "classify")
FINISH_STAGES = ("summarise", "quarantine", "publish")


class StageBench(Protocol):
    """Runs stages over batches; what it promises stands at ``depcodex_assets.workbench.Workbench``."""

    @property
    def settings(self) -> Settings:
        """What a person or a service has set."""

    def compute(
        self,
        stage: str,
        coordinates: Sequence[Coordinate],
        on_progress: Callable[[str, int, int], None] | None = None,
    ) -> StageResult:
        """One stage over a batch, not yet written."""

    def write(self, result: StageResult, coordinates: Sequence[Coordinate]) -> None:
        """Writes what a stage made; twice is the same as once."""

    def pending_model_calls(self, coordinates: Sequence[Coordinate]) -> int:
        """How many distinct texts a rewriter has still to retell."""

    def states(self) -> dict[str, str]:
        """purl → state of every coordinate that the public store knows."""

    def unsettled(self, coordinates: Sequence[Coordinate]) -> list[Coordinate]:
        """Those that have to be indexed."""

    def optimize(self) -> None:
        """Indexes and compacts the stores."""


def batches_of(coordinates: Sequence[Coordinate], size: int) -> Iterator[list[Coordinate]]:
    """The coordinates in runs of at most ``size``, in their order.

    Example:
        >>> [len(batch) for batch in batches_of(["a", "b", "c"], 2)]
        [2, 1]
    """
    step = max(1, size)
    for start in range(0, len(coordinates), step):
        yield list(coordinates[start : start + step])
