"""A Python project's own tree on disk: path, editable, workspace and git dependencies.

Here: reading it under the import paths it would be installed to, and holding it against its checksum. Not here: which
files count (depcodex.trees), where the tree is (the closure's ``location``).
"""

from __future__ import annotations

from pathlib import Path

from depcodex.trees import source_files, tree_digest
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.import_roots import METADATA_NAMES, find_imports
from depcodex_assets.ecosystems.interface import HarvestRequest, SourceFile, SourceTree, TreeChangedError

_MAX_METADATA_BYTES = 1_000_000


def read_local(request: HarvestRequest, limits: Limits) -> SourceTree:
    """The sources of a request out of its own tree at ``request.location``.

    Raises:
        TreeChangedError: the tree is gone, or its digest is not the coordinate's checksum.
    """
    root = Path(request.location)
    if not root.is_dir():
        raise TreeChangedError(f"{request.coordinate}: its tree is no longer on this machine")
    paths = source_files(root)
    metadata = [name for name in METADATA_NAMES if (root / name).is_file()]
    metadata += [
        each.relative_to(root).as_posix()
        for each in sorted((*root.glob("*.egg-info/top_level.txt"), *root.glob("*/*.egg-info/top_level.txt")))
    ]

    def read_text(path: str) -> str | None:
        file = root / path
        if not file.is_file() or file.stat().st_size > _MAX_METADATA_BYTES:
            return None
        return file.read_text(encoding="utf-8", errors="replace")

    imports = find_imports([*paths, *metadata], read_text, request.coordinate.name)
    files: dict[str, SourceFile] = {}
    for path in paths:
        import_path = imports.import_path(path)
        if import_path is not None and import_path not in files:
            files[import_path] = _file(root / path, import_path, limits)
    # After reading: an edit that came in between is seen, not read under the old checksum.
    got = tree_digest(root, paths)
    if request.coordinate.checksum != f"sha256:{got}":
        raise TreeChangedError(f"{request.coordinate}: its tree has changed since it was recorded")
    return SourceTree(tuple(files[path] for path in sorted(files)))


def _file(file: Path, import_path: str, limits: Limits) -> SourceFile:
    size_bytes = file.stat().st_size
    shown = import_path.encode("utf-8", "replace").decode()
    if size_bytes > limits.max_member_bytes:
        detail = f"{size_bytes} bytes, expected at most {limits.max_member_bytes}"
        return SourceFile(shown, b"", False, "limit:file", detail, size_bytes)
    return SourceFile.read(shown, file.read_bytes(), is_verified=True)
