"""RECORD: the files of an installed distribution or a wheel, each with its digest.

Here: parsing it and comparing a file with its row. Not here: which distribution, which files matter.

Spec: "Recording installed projects" and the wheel format (PyPA specifications): CSV of path, ``algorithm=digest`` in
URL-safe base64 without padding, size. MD5 and SHA-1 are not allowed in it and prove nothing here.
"""

from __future__ import annotations

import binascii
import csv
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

_ALGORITHMS = ("sha256", "sha384", "sha512")


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One row: ``algorithm`` and ``digest`` (raw bytes) are empty where the row names none that counts."""

    path: str
    algorithm: str
    digest: bytes

    def agrees(self, content: bytes) -> bool | None:
        """Whether the bytes are those of the row; None where it has no digest."""
        if not self.algorithm:
            return None
        digest: bytes = getattr(hashlib, self.algorithm)(content).digest()
        return digest == self.digest


def read_record(content: bytes, suffixes: tuple[str, ...] = ("",)) -> Mapping[str, RecordRow]:
    """The rows of files with these suffixes, by path.

    Rows that cannot be read are left out; of two rows for a path the first stands.

    Example:
        >>> row = read_record(b"a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0")["a.py"]
        >>> row.agrees(b""), row.agrees(b"x = 1")
        (True, False)
    """
    rows: dict[str, RecordRow] = {}
    text = content.decode("utf-8", "replace")
    # The csv module is needed only where a path is quoted, which is next to never, and costs three times the time.
    fields = iter(_csv_rows(text)) if '"' in text else (line.split(",") for line in text.splitlines())
    for row in fields:
        if len(row) >= 2 and row[0].endswith(suffixes):
            path = row[0].replace("\\", "/")
            rows.setdefault(path, _row(path, row[1]))
    return rows


def _csv_rows(text: str) -> list[list[str]]:
    try:
        return list(csv.reader(text.splitlines()))
    except csv.Error:
        return []


def _row(path: str, digest_text: str) -> RecordRow:
    algorithm, _, encoded = digest_text.partition("=")
    if algorithm not in _ALGORITHMS:
        return RecordRow(path, "", b"")
    try:
        return RecordRow(path, algorithm, binascii.a2b_base64(encoded.replace("-", "+").replace("_", "/") + "=="))
    except (binascii.Error, ValueError):
        return RecordRow(path, algorithm, b"")
