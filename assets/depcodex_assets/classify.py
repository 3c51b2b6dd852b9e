"""The classify stage: what the gate says of each documented text.

Here: texts in, verdicts out. Not here: which texts still lack a verdict (the caller passes those), the gate itself
(depcodex_assets.gate), what a verdict leads to (summarise, quarantine).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from depcodex import schemas
from depcodex_assets.gate import Gate

Clock = Callable[[], datetime]


def classify(texts: pa.Table, *, gate: Gate, clock: Clock) -> pa.Table:
    """Verdicts of the documented texts.

    Args:
        texts: TEXTS, one row a text_digest; the caller leaves out those that have a verdict of this gate version.
        gate: judges; its version is part of each verdict's key.
        clock: the time of the verdicts, aware and in UTC.

    Returns:
        VERDICTS, one row for each text whose ``doc`` is not null, in the order of ``texts``.
        Undocumented texts have no row. Nothing of a text crosses into its verdict.

    Raises:
        StoreError: ``texts`` lacks a column of TEXTS.
    """
    texts = schemas.conform(texts, schemas.TEXTS)
    documented = texts.filter(pc.is_valid(texts["doc"]))
    judgements = gate.judge_many(documented["doc"].to_pylist(), documented["convention"].to_pylist())
    digests = documented["text_digest"].to_pylist()
    decided_at = clock()
    verdicts = {
        "row_key": [schemas.row_key(digest, gate.version) for digest in digests],
        "text_digest": digests,
        "gate_version": [gate.version] * len(digests),
        "score": [judgement.score for judgement in judgements],
        "rule": pa.array([judgement.rule for judgement in judgements], pa.string()),
        "sentence_index": [judgement.sentence_index for judgement in judgements],
        "view": [judgement.view for judgement in judgements],
        "decided_at": [decided_at] * len(digests),
    }
    columns = {
        name: values if isinstance(values, pa.Array) else pa.array(values, schemas.VERDICTS.field(name).type)
        for name, values in verdicts.items()
    }
    return schemas.conform(pa.table(columns), schemas.VERDICTS)
