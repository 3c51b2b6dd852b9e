"""Dedupe: declarations to distinct texts and where each occurs.

Here: the text digest, which decides that two declarations cost one model call. Not here: what a rewriter makes of it.

A text knows nothing of its coordinate, module or line, so one that did not change between two versions, or that was
copied from one library into another, is the same text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from depcodex import schemas
from depcodex.coordinates import Coordinate


def text_digest(
    language: str, convention: str, kind: str, name: str, signatures: Sequence[str], doc: str | None
) -> str:
    """sha256 of the canonical JSON of what a rewriter sees of a declaration.

    Example:
        >>> text_digest("python", "docstring", "function", "get", ["def get(url)"], "Sends it.")[:18]
        'sha256:bcfb5e6c9fb'
    """
    canonical = json.dumps([language, convention, kind, name, list(signatures), doc], ensure_ascii=False)
    return f"sha256:{hashlib.sha256(canonical.encode('utf-8', 'surrogatepass')).hexdigest()}"


def dedupe(coordinates: Sequence[Coordinate], declarations: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Distinct texts, and one occurrence for each declaration.

    Args:
        coordinates: the run's coordinates; declarations of others are an error of the caller and are kept as they are.
        declarations: DECLARATIONS, one row a (coordinate_id, symbol); rows with a ``skip_reason`` and re-exports, which
            have no text, are left out.

    Returns:
        TEXTS, one row a text_digest in order of first appearance; OCCURRENCES, one row a declaration in their order.
    """
    del coordinates
    is_text = pc.and_(
        pc.is_null(declarations.column("skip_reason")),
        pc.not_equal(declarations.column("kind"), schemas.REEXPORT_KIND),
    )
    rows = declarations.filter(is_text)
    columns = [rows.column(name).to_pylist() for name in schemas.TEXTS.names if name != "text_digest"]
    digests = [text_digest(*row) for row in zip(*columns, strict=True)]
    first: dict[str, int] = {}
    for index, digest in enumerate(digests):
        first.setdefault(digest, index)
    texts = rows.select([name for name in schemas.TEXTS.names if name != "text_digest"]).take(
        pa.array(list(first.values()), pa.int64())
    )
    texts = texts.append_column("text_digest", pa.array(list(first), pa.string()))
    occurrences = (
        rows.select(["coordinate_id", "symbol", "path", "line"])
        .append_column("text_digest", pa.array(digests, pa.string()))
        .append_column("is_documented", pc.is_valid(rows.column("doc")))
    )
    return schemas.conform(texts, schemas.TEXTS), schemas.conform(occurrences, schemas.OCCURRENCES)
