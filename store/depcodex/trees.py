"""The sources of a local package on disk, and the digest that keys its coordinate.

Here: which files of a folder count in each ecosystem, and one digest over them. Not here: what is in the files (the
stages), archives.

A path, editable, workspace or git package can change under one version, so its coordinate carries ``checksum=sha256:``
of this digest. The same function decides the files for both the digest and the reading, so that the two cannot drift
apart.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE_SUFFIXES = (".py", ".pyi")
# Folders with this name hold no API and cost a third of the bytes of many packages.
TESTS_FOLDER = "tests"
# Build output, caches and other people's trees: none of them is what the team wrote. Hidden folders go by their dot.
_LEFT_OUT_FOLDERS = frozenset(
    {"__pycache__", "__pypackages__", "build", "dist", "node_modules", "site-packages", "dist-packages", "htmlcov"}
)


@dataclass(frozen=True)
class TreeRule:
    """Which files of a local tree count in one ecosystem.

    Attributes:
        suffixes: ends of file names.
        names: whole file names in lower case that count as well (manifests, READMEs).
        left_out_folders: names of folders that hold build output, caches or other people's trees.
        left_out_suffixes: ends of such names.
    """

    suffixes: tuple[str, ...]
    names: frozenset[str] = frozenset()
    left_out_folders: frozenset[str] = frozenset()
    left_out_suffixes: tuple[str, ...] = ()

    def wants(self, name: str) -> bool:
        """Whether a file of this name counts."""
        return name.endswith(self.suffixes) or (bool(self.names) and name.lower() in self.names)

    def enters(self, name: str) -> bool:
        """Whether a folder of this name is walked; hidden ones never are."""
        if name.startswith(".") or name in self.left_out_folders:
            return False
        return not (self.left_out_suffixes and name.endswith(self.left_out_suffixes))


PYTHON_TREE = TreeRule(SOURCE_SUFFIXES, frozenset(), _LEFT_OUT_FOLDERS, (".egg-info", ".dist-info"))
# `dist`, `build` and `lib` stay in: a package.json names its entry points there.
NPM_TREE = TreeRule(
    (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
    frozenset({"package.json", "readme", "readme.md", "readme.markdown", "readme.txt"}),
    frozenset({"node_modules", "bower_components", "jspm_packages", "coverage"}),
)


def is_no_api(import_path: str) -> bool:
    """Whether a file below the import root is a test, hidden, or a cache.

    Example:
        >>> is_no_api("numpy/tests/test_ctypeslib.py"), is_no_api("numpy/testing/__init__.py")
        (True, False)
    """
    folders = import_path.split("/")[:-1]
    return TESTS_FOLDER in folders or "__pycache__" in folders or any(each.startswith(".") for each in folders)


def is_installed_source(path: str) -> bool:
    """Whether a path of RECORD is a Python source below site-packages, neither a script nor a test nor metadata.

    One rule for the digest that keys an installed tree and for reading it, so that the two cannot drift apart.
    """
    if not path.endswith(SOURCE_SUFFIXES) or path.startswith(("/", "../")) or "/../" in path or is_no_api(path):
        return False
    return not path.partition("/")[0].endswith((".dist-info", ".data"))


def source_files(root: Path, rule: TreeRule = PYTHON_TREE) -> tuple[str, ...]:
    """Paths of the sources below ``root``, relative with ``/``, sorted.

    Left out: what ``rule`` leaves out, hidden folders, virtual environments, and links (a link could lead anywhere on
    the machine). Tests stay in.
    """
    return tuple(sorted(_walk(root, rule)))


def _walk(root: Path, rule: TreeRule) -> Iterator[str]:
    # A list and no recursion: folders can be nested deeper than calls.
    waiting = [(os.fspath(root), "")]
    while waiting:
        folder, prefix = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError:
            # A folder that we may not list has nothing that we could index.
            continue
        if prefix and any(each.name == "pyvenv.cfg" for each in entries):
            continue
        for entry in entries:
            if entry.is_symlink():
                continue
            if entry.is_dir():
                if rule.enters(entry.name):
                    waiting.append((entry.path, f"{prefix}{entry.name}/"))
            elif rule.wants(entry.name) and entry.is_file():
                yield prefix + entry.name


def tree_digest(root: Path, paths: Iterable[str] | None = None, rule: TreeRule = PYTHON_TREE) -> str:
    """sha256 (64 hexadecimal digits) over the sorted (relative path, sha256 of the bytes) of the source files.

    Args:
        root: the folder that the paths are below.
        paths: relative paths with ``/``; by default ``source_files(root, rule)``. Paths that are not there do not
            count.
        rule: which files count where no paths are given.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = Path(folder, "a.py").write_text("x = 1")
        ...     before = tree_digest(Path(folder))
        ...     _ = Path(folder, "notes.txt").write_text("not a source")
        ...     before == tree_digest(Path(folder))
        True
    """
    digest = hashlib.sha256()
    for path in sorted(set(source_files(root, rule) if paths is None else paths)):
        try:
            with (root / path).open("rb") as file:
                content_digest = hashlib.file_digest(file, "sha256").digest()
        except OSError:
            continue
        # surrogateescape: a file name need not be UTF-8, and such a name must still change the digest.
        digest.update(path.encode("utf-8", "surrogateescape"))
        digest.update(b"\0")
        digest.update(content_digest)
    return digest.hexdigest()
