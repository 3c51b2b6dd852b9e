"""The assets: one for each stage, named by its main table, partitioned by coordinate.

Here: names, descriptions, arrows and pools. Not here: what a stage does (depcodex_assets), writing
(depcodex_pipelines.io_managers). A backfill of many coordinates is one run: a process for each is far too slow.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg

from depcodex_pipelines.batches import StageRun
from depcodex_pipelines.bench import TABLE_OF_STAGE, StageBench
from depcodex_pipelines.partitions import coordinate_partitions, coordinates_of
from depcodex_pipelines.processes import mark_process
from depcodex_pipelines.tallies import RunReport

# One caller at a time: a model server answers two at once no faster, and a laptop has memory for one.
MODEL_POOL = "llm"


@dataclass(frozen=True)
class AssetCard:
    """What an operator reads of an asset.

    Attributes:
        stage: the stage behind it.
        group: where the UI puts it: the store that its rows lie in.
        kinds: the labels on its node.
        description: one paragraph.
        inputs: stages whose tables it reads.
        pool: the pool that its step waits for; None for none.
    """

    stage: str
    group: str
    kinds: frozenset[str]
    description: str
    inputs: tuple[str, ...] = ()
    pool: str | None = None


CARDS = (
    AssetCard(
        "harvest",
        "private_store",
        frozenset({"python", "lancedb"}),
        "The source files of a coordinate, from this machine's own installations or by the ecosystem's client, each "
        "with its digest and whether it was verified. Replaces the coordinate's rows.",
    ),
    AssetCard(
        "parse",
        "private_store",
        frozenset({"tree-sitter", "lancedb"}),
        "The public symbols of a coordinate: signatures as written, raw documentation, place, aliases, bases. "
        "Replaces the coordinate's rows.",
        inputs=("harvest",),
    ),
    AssetCard(
        "dedupe",
        "private_store",
        frozenset({"polars", "lancedb"}),
        "Which text stands where. Equal declarations share one text (table `texts`) in every coordinate, so that it is "
        "judged, retold and embedded once. Replaces the coordinate's rows.",
        inputs=("parse",),
    ),
    AssetCard(
        "classify",
        "private_store",
        frozenset({"python", "lancedb"}),
        "The gate's verdict on each distinct text: a score and the rule that fired. A suspected text never reaches a "
        "model. Inserted where absent.",
        inputs=("dedupe",),
    ),
    AssetCard(
        "summarise",
        "private_store",
        frozenset({"llm", "lancedb"}),
        "One plain sentence for each cleared text, by the configured rewriter. A text is retold once for all "
        "coordinates. Inserted where absent, chunk by chunk.",
        inputs=("classify",),
        pool=MODEL_POOL,
    ),
    AssetCard(
        "quarantine",
        "private_store",
        frozenset({"onnx", "lancedb"}),
        "What may be shown of each declaration: the sentence, or that it is withheld and by which rule; public "
        "signatures, vectors and hashed terms. Raw text ends here. Replaces the coordinate's rows.",
        inputs=("parse", "dedupe", "classify", "summarise"),
    ),
    AssetCard(
        "publish",
        "public_store",
        frozenset({"python", "lancedb"}),
        "What a reader can be shown, in the public store (tables `entries`, `mentions`, `coordinates`). A coordinate "
        "becomes `indexed` when all its rows are there.",
        inputs=("harvest", "parse", "quarantine"),
    ),
)


def asset_of(card: AssetCard) -> dg.AssetsDefinition:
    """The asset that a card describes."""

    def compute(
        context: dg.AssetExecutionContext, bench: dg.ResourceParam[StageBench], report: dg.ResourceParam[RunReport]
    ) -> StageRun:
        mark_process(context.instance, context.run)
        return StageRun(bench, card.stage, coordinates_of(context.partition_keys), report)

    with warnings.catch_warnings():
        # Dagster marks backfill policies as beta; without one, twenty coordinates would be twenty runs.
        warnings.simplefilter("ignore", dg.BetaWarning)
        return dg.asset(
            name=TABLE_OF_STAGE[card.stage],
            description=card.description,
            group_name=card.group,
            kinds=set(card.kinds),
            deps=[TABLE_OF_STAGE[stage] for stage in card.inputs],
            partitions_def=coordinate_partitions,
            backfill_policy=dg.BackfillPolicy.single_run(),
            io_manager_key="store",
            pool=card.pool,
            op_tags={"depcodex/stage": card.stage},
        )(compute)


stage_assets: Sequence[dg.AssetsDefinition] = [asset_of(card) for card in CARDS]
