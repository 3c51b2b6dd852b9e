"""Jars, written afresh by each test run.

Here: honest jars, and class files small enough to be written by hand. Not here: hostile archives
(data.hostile_archives).
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping

RELEASED = (2024, 5, 29, 15, 0, 0)
PUBLIC = 0x0021
PACKAGE_PRIVATE = 0x0020
SYNTHETIC = 0x1021


def jar_bytes(members: Mapping[str, str | bytes]) -> bytes:
    """A jar of these members, in this order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {"META-INF/MANIFEST.MF": "Manifest-Version: 1.0\n", **members}.items():
            archive.writestr(zipfile.ZipInfo(name, RELEASED), content)
    return buffer.getvalue()


def class_bytes(name: str, flags: int = PUBLIC) -> bytes:
    """A class without members (Java Virtual Machine Specification, 4.1), with a long among its constants."""
    own, above = name.encode(), b"java/lang/Object"
    constants = b"".join(
        (
            struct.pack(">BQ", 5, 7),
            struct.pack(">BH", 1, len(own)) + own,
            struct.pack(">BH", 7, 3),
            struct.pack(">BH", 1, len(above)) + above,
            struct.pack(">BH", 7, 5),
        )
    )
    # The long takes two numbers: five constants have the numbers 1, 3, 4, 5 and 6.
    head = struct.pack(">IHHH", 0xCAFEBABE, 0, 61, 7)
    return head + constants + struct.pack(">HHHHHHH", flags, 4, 6, 0, 0, 0, 0)
