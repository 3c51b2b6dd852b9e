"""The team's own packages: from git, a path, a URL or the workspace, keyed by the content of their tree on disk.

Here: finding that tree and making the coordinate. Not here: what counts as a source (depcodex.trees).

What such a package holds can change under one version, so its coordinate carries the checksum of its sources. Without
a tree on this machine there is nothing to key, and the package is skipped with the reason.
"""

from __future__ import annotations

import re
from pathlib import Path

from depcodex.lockfiles.documents import coordinate_of, normalised_name
from depcodex.lockfiles.graph import Package
from depcodex.lockfiles.installed import InstalledDistribution, InstalledEnvironment
from depcodex.trees import source_files, tree_digest

UNKNOWN_VERSION = "0"


def local_package(
    name: str,
    version: str,
    origin: str,
    *,
    folder: Path | None = None,
    installed: InstalledEnvironment | None = None,
    commit: str = "",
    digests: tuple[str, ...] = (),
) -> Package:
    """A package that no index serves, with a checksum-keyed coordinate where its sources are on this machine.

    Args:
        name: the distribution's name.
        version: as the lock has it; "" where it has none (dynamic versions).
        origin: ``git``, ``url``, ``path``, ``editable`` or ``workspace``; stands in the reason.
        folder: where the lock says its tree is, for path, editable and workspace packages.
        installed: the environment that may hold it.
        commit: the commit that the lock names; an installed one of another commit does not serve.
        digests: of its archive, where the lock names one.

    Raises:
        CoordinateError: name or version cannot stand in a coordinate.
    """
    name = normalised_name(name)
    distribution = installed.distributions.get(name) if installed else None
    if distribution is not None and version and distribution.version != version:
        distribution = None
    if folder is None and distribution is not None:
        folder = distribution.folder
    if folder is not None and folder.is_dir():
        if not source_files(folder):
            return Package(name, version, None, f"{origin} source without Python files")
        version = version or declared_version(folder) or (distribution.version if distribution else UNKNOWN_VERSION)
        coordinate = coordinate_of(name, version).with_checksum(tree_digest(folder))
        return Package(name, version, coordinate, digests=digests, location=str(folder))
    if distribution is not None and distribution.origin and _is_same_commit(distribution, commit):
        paths = distribution.source_paths()
        if paths:
            coordinate = coordinate_of(name, distribution.version).with_checksum(tree_digest(distribution.site, paths))
            return Package(name, distribution.version, coordinate, digests=digests)
    return Package(name, version, None, f"{origin} source, not on this machine")


def _is_same_commit(distribution: InstalledDistribution, commit: str) -> bool:
    return not commit or not distribution.commit or distribution.commit.startswith(commit)


def declared_version(folder: Path) -> str:
    """The version that a folder's pyproject.toml states, else ""; dynamic ones are worked out by a build, not here."""
    import tomllib

    try:
        document = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        tables = (document.get("project", {}), document.get("tool", {}).get("poetry", {}))
        versions = (str(table.get("version", "")) for table in tables)
        return next((each for each in versions if re.fullmatch(r"[0-9A-Za-z.+!_-]+", each)), "")
    except (OSError, ValueError, AttributeError):
        return ""
