"""Where a package from git, an address or an archive lies installed, of exactly the state that the lock names.

Here: npm's and pnpm's own lists of what they installed, held against the lock. Not here: coordinates
(depcodex.lockfiles.npm_packages), node_modules as a closure (depcodex.lockfiles.node_modules).

A version does not tell one commit from another, so a folder counts only where the list of the tool that filled it names
the same source. yarn and bun keep no such list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import read_text
from depcodex.lockfiles.npm_packages import stated_identity
from depcodex.lockfiles.yaml_documents import parse_yaml

FOLDER_NAME = "node_modules"
NPM_LIST, PNPM_LIST = ".package-lock.json", ".pnpm/lock.yaml"


class NpmCheckouts:
    """What npm installed below a project's root; its list is read when it is first asked for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._rows: Mapping[str, Any] | None = None

    def folder(self, location: str, row: Mapping[str, Any]) -> str | None:
        """The folder of a place of the lock, below the root; None where it is not there, or of another source."""
        if self._rows is None:
            self._rows = self._listed()
        installed = self._rows.get(location)
        if not isinstance(installed, Mapping) or not (self._root / location).is_dir():
            return None
        return location if all(installed.get(key) == row.get(key) for key in ("resolved", "version")) else None

    def _listed(self) -> Mapping[str, Any]:
        try:
            document = json.loads(read_text(self._root / FOLDER_NAME / NPM_LIST, LockfileError))
        except (LockfileError, ValueError, RecursionError):
            # The lock is what is asked for; without a list nothing is known to be installed.
            return {}
        rows = document.get("packages") if isinstance(document, dict) else None
        return rows if isinstance(rows, dict) else {}


class PnpmCheckouts:
    """What pnpm installed below a project's root; its list is read when it is first asked for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._rows: Mapping[str, Any] | None = None

    def folder(self, key: str, resolution: Mapping[str, Any], name: str, version: str) -> str | None:
        """The folder of a package of the lock, below the root; None where it is not there, or of another source."""
        if self._rows is None:
            self._rows = self._listed()
        installed = self._rows.get(key)
        if not isinstance(installed, Mapping) or installed.get("resolution") != resolution:
            return None
        store = self._root / FOLDER_NAME / ".pnpm"
        # How pnpm names the folders differs by version; what lies in them says what it is.
        found = [
            place
            for each in (store.iterdir() if store.is_dir() else ())
            if stated_identity(place := each / FOLDER_NAME / name) == (name, version) and not place.is_symlink()
        ]
        # The same version of two commits: nothing tells which is which.
        return found[0].relative_to(self._root).as_posix() if len(found) == 1 else None

    def _listed(self) -> Mapping[str, Any]:
        path = self._root / FOLDER_NAME / PNPM_LIST
        try:
            rows = parse_yaml(read_text(path, LockfileError), path, LockfileError)[-1].get("packages")
        except LockfileError:
            return {}
        return rows if isinstance(rows, dict) else {}
