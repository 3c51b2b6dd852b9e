"""Sources of an npm package in tests, and what parse makes of them.

Here: files by path to rows by symbol. Not here: what is expected.
"""

from __future__ import annotations

import json
from typing import Any

from depcodex.coordinates import Coordinate
from depcodex_assets.ecosystems.file_kinds import kind_of
from depcodex_assets.languages import typescript
from depcodex_assets.languages.declarations import Declaration, SourceFile


def declared(
    files: dict[str, str | bytes], *, name: str = "alpha", version: str = "1.0.0", **manifest: Any
) -> dict[str, Declaration]:
    """Rows by symbol of a package with these files; its package.json is made of ``manifest``."""
    namespace, _, bare = name.rpartition("/")
    coordinate = Coordinate.of("npm", bare, version, namespace=namespace)
    contents = {"package.json": json.dumps({"name": name, "version": version, **manifest}), **files}
    sources = []
    for path, content in contents.items():
        kind = kind_of(path)
        data = content.encode() if isinstance(content, str) else content
        sources.append(SourceFile(path, data, "sha256:0", kind.language, kind.convention))
    return {each.symbol: each for each in typescript.declarations(coordinate, sources)}


def shown(rows: dict[str, Declaration]) -> dict[str, str]:
    """Symbols with their kinds, packages and modules left out."""
    return {symbol: row.kind for symbol, row in rows.items() if row.kind not in ("package", "module", "file")}
