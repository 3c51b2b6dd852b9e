"""Source files as harvest would give them, from what a test writes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import pyarrow as pa

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex_assets.ecosystems.file_kinds import kind_of


def source_rows(rows: Mapping[tuple[Coordinate, str], bytes], **changes: object) -> pa.Table:
    """A table of verified files; ``changes`` go into every row."""
    return pa.Table.from_pylist(
        [
            {
                "coordinate_id": coordinate.coordinate_id,
                "path": path,
                "file_digest": f"sha256:{hashlib.sha256(content).hexdigest()}",
                "size_bytes": len(content),
                "language": kind_of(path).language,
                "convention": kind_of(path).convention,
                "is_verified": True,
                "archive_digest": "",
                "is_yanked": False,
                "as_of": "2026-11-30",
                "content": content,
                "skip_reason": None,
                "skip_detail": None,
                "is_retryable": False,
                **changes,
            }
            for (coordinate, path), content in rows.items()
        ],
        schema=schemas.SOURCE_FILES,
    )
