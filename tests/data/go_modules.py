"""Go modules as a proxy and a module cache hold them, written afresh by each test run.

Here: module zips and the files beside them. Not here: archives that no honest tool makes (data.hostile_archives).

Format: the Go modules reference, "GOPROXY protocol" and "Module zip files".
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path


def write_module(
    root: Path, path: str, version: str, files: Mapping[str, str], *, day: str = "2024-01-23", mod: str | None = None
) -> Path:
    """Writes a module's zip, go.mod and info below a proxy's root (or a cache's ``cache/download``); returns the zip.

    Args:
        root: of the proxy.
        path: the module's.
        version: its version.
        files: content by path below the module's root.
        day: of the commit, YYYY-MM-DD.
        mod: the go.mod that the proxy serves; by default the one in ``files``, else a made one.
    """
    folder = root / _escaped(path) / "@v"
    folder.mkdir(parents=True, exist_ok=True)
    stem = _escaped(version)
    archive = folder / f"{stem}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(f"{path}@{version}/{name}", content)
    (folder / f"{stem}.mod").write_text(mod or files.get("go.mod") or f"module {path}\n")
    (folder / f"{stem}.info").write_text(json.dumps({"Version": version, "Time": f"{day}T18:54:04Z"}))
    return archive


def _escaped(text: str) -> str:
    return re.sub(r"[A-Z]", lambda match: f"!{match[0].lower()}", text)
