"""The folders of a repository that may be projects of their own.

Here: a bounded walk and what it leaves out. Not here: which files are locks (depcodex.lockfiles.detection), what
becomes of the locks of several folders (depcodex.lockfiles.projects).

Recording runs inside builds: the walk looks at a bounded number of folders and entries whatever the repository is, and
says when it stopped. The order is by depth, then by alphabet, so that what a bound cuts off is the deepest.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

# Real repositories have their projects at services/<team>/<name>/<language> or above.
MAX_DEPTH = 4
# 480 folders of 10 entries are listed in 14 to 30 ms (2 cores, loaded, 2026-12-01); recording may take 300 in all.
MAX_FOLDERS = 1000
MAX_ENTRIES = 50_000
# Installed packages, other people's code, build output, caches, and what tests and docs bring along to be read.
_LEFT_OUT_NAMES = frozenset(
    """node_modules bower_components vendor third_party third-party target build dist out bin obj gradle site-packages
    dist-packages __pycache__ __pypackages__ venv env virtualenv htmlcov coverage testdata fixtures __fixtures__
    __tests__ __snapshots__ test tests spec doc docs data tmp temp cache logs Pods DerivedData""".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Folder:
    """One folder of the walk.

    Attributes:
        path: below the root, with ``/``; ``"."`` for the root itself.
        names: of everything in it.
    """

    path: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Walk:
    """What a walk came by. ``is_cut``: a bound ended it before all folders were seen."""

    folders: tuple[Folder, ...]
    is_cut: bool = False


def walk_folders(root: Path) -> Walk:
    """The root and the folders below it that may hold projects of the same repository.

    Left out: hidden folders, links, virtual environments, repositories of their own (clones, worktrees, submodules),
    folders that the root's .gitignore names outright, names that stand for build output, caches, test data or docs, and
    what lies inside packages of Python and Maven's ``src/main``.

    Raises:
        OSError: the root cannot be listed. A folder below that cannot be is passed over.
    """
    ignored = _LEFT_OUT_NAMES | _ignored_names(root)
    found: list[Folder] = []
    level = [(os.fspath(root), ".")]
    entry_count = 0
    for depth in range(MAX_DEPTH + 1):
        following: list[tuple[str, str]] = []
        for folder, path in level:
            if len(found) >= MAX_FOLDERS or entry_count >= MAX_ENTRIES:
                return Walk(tuple(found), is_cut=True)
            try:
                names, inner = _listed(folder)
            except OSError:
                if path == ".":
                    raise
                continue
            entry_count += len(names)
            if path != "." and not {".git", "pyvenv.cfg"}.isdisjoint(names):
                continue
            found.append(Folder(path, tuple(names)))
            # Below a package of Python, or Maven's sources, lies code and no project.
            if depth < MAX_DEPTH and "__init__.py" not in names and not path.endswith("src/main"):
                prefix = "" if path == "." else f"{path}/"
                following += [(f"{folder}/{name}", prefix + name) for name in inner if name not in ignored]
        level = sorted(following, key=lambda each: each[1])
    return Walk(tuple(found))


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """Names of everything in a folder, sorted; of these the folders to go on with."""
    names, inner = [], []
    with os.scandir(folder) as listing:
        for entry in listing:
            names.append(entry.name)
            if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                inner.append(entry.name)
            if len(names) >= MAX_ENTRIES:
                break
    return sorted(names), inner


def _ignored_names(root: Path) -> frozenset[str]:
    """Folders that the root's .gitignore names outright; its patterns are not followed."""
    try:
        with (root / ".gitignore").open("rb") as file:
            text = file.read(65536).decode("utf-8", "replace")
    except OSError:
        return frozenset()
    lines = (line.strip().strip("/") for line in text.splitlines())
    return frozenset(line for line in lines if line and not set(line) & set("*?[]!#\\/"))
