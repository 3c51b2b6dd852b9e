"""Where crates that no registry serves lie on this machine: path dependencies, git checkouts, vendor folders.

Here: cargo's home, its checkouts, the folders that a project's own configuration names, and keying a tree by its
content. Not here: what is in a tree (the stages), the registry cache (depcodex_assets.ecosystems).

Spec: the Cargo book, "Cargo Home", "Source Replacement", "Configuration: hierarchical structure".
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex.lockfiles.cargo_manifest import MANIFEST_NAME, read_document
from depcodex.lockfiles.graph import Package
from depcodex.trees import RUST_TREE, source_files, tree_digest

CONFIG_NAMES = (".cargo/config.toml", ".cargo/config")
_COMMIT_PATTERN = re.compile(r"[0-9a-f]{7,64}")
_PLAIN_PATTERN = re.compile(r"[A-Za-z0-9.-]{1,100}")
_PLAIN_NAME_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,100}")
_MAX_FOLDERS = 20_000


def cargo_home() -> Path:
    """Cargo's home folder on this machine, there or not."""
    return Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")


def crate_coordinate(name: str, version: str) -> Coordinate:
    """The coordinate of a crate.

    Raises:
        CoordinateError: the name or version cannot stand in one.
    """
    if _PLAIN_NAME_PATTERN.fullmatch(name) and _PLAIN_PATTERN.fullmatch(version) and ".." not in version:
        # Nothing to encode or refuse: the general way would parse and print the package URL twice.
        return Coordinate("cargo", "", name, version)
    return Coordinate.of("cargo", name, version)


def local_crate(name: str, version: str, origin: str, folder: Path | None) -> Package:
    """A crate that no registry serves, with a checksum-keyed coordinate where its tree is on this machine.

    Args:
        name: the crate's name.
        version: as the lock has it.
        origin: ``git``, ``path`` or ``workspace``; stands in the reason.
        folder: where its tree is; None where that is not known.

    Raises:
        CoordinateError: name or version cannot stand in a coordinate.
    """
    if folder is None or not folder.is_dir():
        return Package(name, version, None, f"{origin} source, not on this machine")
    paths = source_files(folder, RUST_TREE)
    if not any(each.endswith(".rs") for each in paths):
        return Package(name, version, None, f"{origin} source without Rust files")
    coordinate = crate_coordinate(name, version).with_checksum(tree_digest(folder, paths))
    return Package(name, version, coordinate, location=str(folder))


def find_checkout(source: str, name: str) -> Path | None:
    """The folder of a crate inside cargo's checkout of a git source (``git+<address>?<reference>#<commit>``).

    A checkout is named by the first digits of its commit, below a folder named by the repository's last segment and a
    hash that only cargo knows.
    """
    address, _, commit = source.removeprefix("git+").partition("#")
    if not _COMMIT_PATTERN.fullmatch(commit):
        return None
    repository = address.partition("?")[0].rstrip("/").rpartition("/")[2].removesuffix(".git")
    checkouts = cargo_home() / "git/checkouts"
    try:
        databases = sorted(each for each in checkouts.iterdir() if each.name.rpartition("-")[0] == repository)
        for database in databases:
            for checkout in sorted(database.iterdir()):
                if len(checkout.name) >= 7 and commit.startswith(checkout.name):
                    return _crate_below(checkout, name)
    except OSError:
        return None
    return None


def _crate_below(checkout: Path, name: str) -> Path | None:
    """The folder whose manifest is of that crate; nearest to the top."""
    waiting = [checkout]
    for _ in range(_MAX_FOLDERS):
        if not waiting:
            return None
        folder = waiting.pop(0)
        package = read_document(folder / MANIFEST_NAME).get("package")
        if isinstance(package, dict) and package.get("name") == name:
            return folder
        children = (each for each in folder.iterdir() if each.is_dir() and not each.is_symlink())
        waiting += sorted(each for each in children if not each.name.startswith(".") and each.name != "target")
    return None


def vendor_folders(project: Path) -> tuple[str, ...]:
    """Absolute folders of vendored crates: what cargo's configuration of the project names, then its ``vendor``."""
    found = [*_configured_folders(project), project / "vendor"]
    existing = (each for each in found if each.is_dir() and any(each.glob("*/.cargo-checksum.json")))
    return tuple(dict.fromkeys(str(each.resolve()) for each in existing))


def _configured_folders(project: Path) -> Iterator[Path]:
    for folder in (project, *project.parents):
        for name in CONFIG_NAMES:
            sources = read_document(folder / name).get("source")
            for source in sources.values() if isinstance(sources, dict) else ():
                directory = source.get("directory") if isinstance(source, dict) else None
                if isinstance(directory, str):
                    yield folder / directory
