"""npm tarballs as honest and as hostile publishers write them.

Here: writing one package's tarball. Not here: archives that are broken as archives (data.hostile_archives).
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_tarball(
    folder: Path,
    name: str,
    version: str,
    files: Mapping[str, str | bytes],
    *,
    manifest: Mapping[str, Any] | None = None,
    top: str = "package",
) -> Path:
    """``folder/<flat name>-<version>.tgz`` with these files and a package.json of that name and version."""
    path = folder / f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"
    stated = {"name": name, "version": version, **(manifest or {})}
    with tarfile.open(path, "w:gz") as archive:
        for inside, content in {"package.json": json.dumps(stated), **files}.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(f"{top}/{inside}")
            info.size = len(data)
            # What npm writes into every tarball instead of a time.
            info.mtime = 499162500
            archive.addfile(info, io.BytesIO(data))
    return path


def integrity_of(path: Path) -> str:
    """Subresource Integrity of a file, as registries and locks give it."""
    return "sha512-" + base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()


def lock_digest_of(path: Path) -> str:
    """The same as a closure carries it."""
    return "sha512:" + hashlib.sha512(path.read_bytes()).hexdigest()
