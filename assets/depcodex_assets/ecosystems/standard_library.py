"""A standard library on this machine, read in place.

Here: reading it and holding it against its checksum. Not here: where it lies and which files count
(depcodex.lockfiles.standard_library).
"""

from __future__ import annotations

from pathlib import Path

from depcodex.lockfiles.standard_library import library_paths
from depcodex.trees import tree_digest
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import HarvestRequest, SourceFile, SourceTree, TreeChangedError


def read_standard_library(request: HarvestRequest, limits: Limits) -> SourceTree:
    """The sources of a standard library out of the folder at ``request.location``.

    Raises:
        TreeChangedError: it is gone, or its digest is not the coordinate's checksum: another patch was installed.
    """
    folder = Path(request.location)
    if not request.location or not folder.is_dir():
        raise TreeChangedError(f"{request.coordinate}: its source is no longer on this machine")
    paths = library_paths(folder)
    files = [_file(folder, path, limits) for path in paths]
    # After reading: an update that came in between is seen, not read under the old checksum.
    if request.coordinate.checksum != f"sha256:{tree_digest(folder, paths)}":
        raise TreeChangedError(f"{request.coordinate}: it has changed since it was recorded")
    return SourceTree(tuple(files))


def _file(folder: Path, path: str, limits: Limits) -> SourceFile:
    size_bytes = (folder / path).stat().st_size
    if size_bytes > limits.max_member_bytes:
        detail = f"{size_bytes} bytes, expected at most {limits.max_member_bytes}"
        return SourceFile(path, b"", False, "limit:file", detail, size_bytes)
    return SourceFile.read(path, (folder / path).read_bytes(), is_verified=True)
