"""Folders in folders, deeper than Python's calls may be, and gone again: ``shutil.rmtree`` could not remove them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def nested(folder: Path, depth: int = 1200) -> Iterator[str]:
    """A source file ``depth`` folders below ``folder``; gives its path from there."""
    top, moved = folder / "a", folder / "moved"
    top.mkdir()
    (top / "x.py").write_text("def far(): ...\n")
    for _ in range(depth - 1):
        top.rename(moved)
        top.mkdir()
        moved.rename(top / "a")
    try:
        yield "a/" * depth + "x.py"
    finally:
        for _ in range(depth - 1):
            (top / "a").rename(moved)
            top.rmdir()
            moved.rename(top)
        (top / "x.py").unlink()
        top.rmdir()
