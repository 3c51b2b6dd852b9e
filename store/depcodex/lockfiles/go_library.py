"""Go's standard library on this machine.

Here: which toolchain a project is built with, where its sources lie, which of its files count. Not here: its coordinate
(standard_library).

Spec: "Go Toolchains" (go.dev/doc/toolchain): the installed toolchain builds what asks for its version or an older one;
for a newer one the go command takes that toolchain's module, ``golang.org/toolchain@v0.0.1-go<version>.<os>-<arch>``,
which unpacks into the module cache. ``go help environment`` for GOROOT; its file ``VERSION`` names the version.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from depcodex.closure import Closure
from depcodex.lockfiles.go_modules import STDLIB, STDLIB_REASON, cache_folder
from depcodex.lockfiles.library_source import LibrarySource
from depcodex.lockfiles.tools import run_tool
from depcodex.trees import TreeRule, source_files

# Nothing outside the library may import from `internal` and `vendor`; `cmd` holds programs; `builtin` describes names
# of the language in a package that cannot be imported.
_GO_LIBRARY = TreeRule(
    (".go",),
    left_out_folders=frozenset({"testdata", "vendor", "internal"}),
    left_out_at_top=frozenset({"cmd", "builtin"}),
    borders=frozenset({"go.mod"}),
)
_VERSION_PATTERN = re.compile(r"(?:go)?(\d+)\.(\d+)(?:\.(\d+))?(?:(rc|beta)(\d+))?")
_MAX_VERSION_BYTES = 4096
# Keeps the go command from fetching another toolchain, and from reading a workspace above.
_ENVIRONMENT = {"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOWORK": "off"}


def find_go(closure: Closure, folder: Path) -> LibrarySource | None:
    """The library that a member of a project is built with; None where it is not on this machine.

    Args:
        closure: of the member; what it skipped names the version that its go.mod asks for.
        folder: of the member: version managers choose the go command by it.
    """
    asked = next((each.version for each in closure.skipped if (each.name, each.reason) == (STDLIB, STDLIB_REASON)), "")
    roots, cache = _places(folder)
    for root in roots:
        installed = _version_of(root)
        if installed and _key(installed) >= _key(asked):
            return _source(root, installed)
    return _cached(cache, asked) if asked else None


def go_paths(folder: Path) -> tuple[str, ...]:
    """The sources that count below ``GOROOT/src``, relative with ``/``, sorted."""
    names = ((each, each.rpartition("/")[2]) for each in source_files(folder, _GO_LIBRARY))
    return tuple(path for path, name in names if not name.endswith("_test.go") and not name.startswith(("_", ".")))


def _places(folder: Path) -> tuple[list[Path], Path]:
    """Where the installed toolchain may lie, and the module cache."""
    output = run_tool(["go", "env", "GOROOT", "GOMODCACHE"], folder, environment=_ENVIRONMENT)
    stated = [each.strip() for each in (output or "").splitlines()]
    roots = [each for each in (*stated[:1], os.environ.get("GOROOT", "")) if each]
    cache = Path(stated[1]) if len(stated) > 1 and stated[1] else cache_folder()
    return [Path(each) for each in dict.fromkeys(roots)], cache


def _cached(cache: Path, asked: str) -> LibrarySource | None:
    """A toolchain out of the module cache: the one that is asked for, else the newest of its minor version."""
    found = []
    for root in (cache / "golang.org").glob("toolchain@v0.0.1-go*"):
        version = _version_of(root)
        if version and _key(version)[:2] == _key(asked)[:2] and _key(version) >= _key(asked):
            found.append((_key(version), root, version))
    exact = [each for each in found if each[0] == _key(asked)]
    if not found:
        return None
    _, root, version = max(exact or found)
    return _source(root, version)


def _source(root: Path, version: str) -> LibrarySource | None:
    place = root / "src"
    return LibrarySource(version, place.resolve()) if (place / "fmt").is_dir() else None


def _version_of(root: Path) -> str:
    """``go1.24.2``; "" where the folder is no toolchain's, or one that was built from no release."""
    try:
        with (root / "VERSION").open(encoding="utf-8", errors="replace") as file:
            line = file.read(_MAX_VERSION_BYTES).split("\n")[0].strip()
    except OSError:
        return ""
    word = line.split(" ")[0]
    return word if word.startswith("go") and _VERSION_PATTERN.match(word) else ""


def _key(version: str) -> tuple[int, int, int, int, int]:
    """Sorts versions as the go command does: a release candidate stands before its release.

    Example:
        >>> sorted(["go1.22.0", "1.22rc2", "1.21"], key=_key)
        ['1.21', '1.22rc2', 'go1.22.0']
    """
    match = _VERSION_PATTERN.match(version)
    if match is None:
        return (0, 0, 0, 0, 0)
    stage = {"beta": -2, "rc": -1}.get(match[4] or "", 0)
    return (int(match[1]), int(match[2]), int(match[3] or 0), stage, int(match[5] or 0))
