"""The sources of a local package on disk, and the digest that keys its coordinate.

Here: which files of a folder count, and one digest over them. Not here: what is in the files (the stages), archives.

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
class TreeRules:
    """Which files of a folder are a package's sources, by ecosystem. Links and hidden folders never are.

    Attributes:
        suffixes: endings of the names of sources.
        left_out: names of folders that are passed over at any depth.
        left_out_endings: endings of such names.
        left_out_at_top: names of folders that are passed over directly below the root.
        foreign_marks: a folder below the root that holds a file of one of these names is another package, or none.
    """

    suffixes: tuple[str, ...]
    left_out: frozenset[str]
    left_out_endings: tuple[str, ...] = ()
    left_out_at_top: frozenset[str] = frozenset()
    foreign_marks: frozenset[str] = frozenset()


PYTHON_TREE = TreeRules(
    SOURCE_SUFFIXES, _LEFT_OUT_FOLDERS, (".egg-info", ".dist-info"), foreign_marks=frozenset({"pyvenv.cfg"})
)
# A crate's manifest says what is public, its Markdown is included into its documentation. A module may be called build.
RUST_TREE = TreeRules(
    (".rs", ".md", "Cargo.toml"),
    frozenset({"target", "node_modules"}),
    left_out_at_top=frozenset({"tests", "benches", "examples", "fuzz"}),
    foreign_marks=frozenset({"Cargo.toml", "pyvenv.cfg"}),
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


def source_files(root: Path, rules: TreeRules = PYTHON_TREE) -> tuple[str, ...]:
    """Paths of the sources below ``root``, relative with ``/``, sorted.

    Left out: hidden folders, links (a link could lead anywhere on the machine), and what ``rules`` leave out: for
    Python virtual environments, build output, caches, ``*.egg-info``, and anything but ``.py`` and ``.pyi``. Python
    tests stay in.
    """
    return tuple(sorted(_walk(root, rules)))


def _walk(root: Path, rules: TreeRules) -> Iterator[str]:
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
        if prefix and any(each.name in rules.foreign_marks for each in entries):
            continue
        for entry in entries:
            if entry.is_symlink():
                continue
            if entry.is_dir():
                if not _is_left_out(entry.name, rules, is_top=not prefix):
                    waiting.append((entry.path, f"{prefix}{entry.name}/"))
            elif entry.name.endswith(rules.suffixes) and entry.is_file():
                yield prefix + entry.name


def _is_left_out(name: str, rules: TreeRules, *, is_top: bool) -> bool:
    if name.startswith(".") or name in rules.left_out or (is_top and name in rules.left_out_at_top):
        return True
    return bool(rules.left_out_endings) and name.endswith(rules.left_out_endings)


def tree_digest(root: Path, paths: Iterable[str] | None = None) -> str:
    """sha256 (64 hexadecimal digits) over the sorted (relative path, sha256 of the bytes) of the source files.

    Args:
        root: the folder that the paths are below.
        paths: relative paths with ``/``; by default ``source_files(root)``. Paths that are not there do not count.

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
    for path in sorted(set(source_files(root) if paths is None else paths)):
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
