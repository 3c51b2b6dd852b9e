"""Go modules as packages of a closure: coordinates, replacements, digests, and the edges that the module cache knows.

Here: what all of Go's formats share. Not here: the formats (gomod, gosum, gowork, govendor), asking the go command
(go_tool).

Spec: the Go modules reference, "replace directive", "go.sum files", "Module cache". A module's own go.mod, kept in the
cache as ``cache/download/<path>/@v/<version>.mod``, names what it requires; what it marks ``// indirect`` is required
by others, so only the rest are edges.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from depcodex.closure import Scope
from depcodex.coordinates import Coordinate
from depcodex.errors import LockfileError
from depcodex.lockfiles.go_directives import MOD_VERBS, ModuleFile, Replacement, Replacements, read_module_file
from depcodex.lockfiles.go_versions import escaped, is_module_path, is_version, version_key
from depcodex.lockfiles.graph import Graph, Package, Resolution
from depcodex.trees import GO_TREE, source_files, tree_digest

STDLIB = "stdlib"
STDLIB_REASON = "Go's standard library, which no setting asks for"
_MAX_MOD_BYTES = 4 * 1024 * 1024

# (path, version) → ``h1:<base64>`` of the module's zip.
Digests = Mapping[tuple[str, str], tuple[str, ...]]


class GoSumError(LockfileError):
    """A go.sum cannot be read."""

    format_name = "gosum"


def module_coordinate(path: str, version: str) -> Coordinate:
    """The coordinate of a module: all but the last element of its path is the namespace.

    Raises:
        CoordinateError: path or version cannot stand in one.

    Example:
        >>> module_coordinate("github.com/google/uuid", "v1.6.0").purl
        'pkg:golang/github.com/google/uuid@v1.6.0'
    """
    namespace, _, name = path.rpartition("/")
    return Coordinate.of("golang", name, version, namespace=namespace)


def module_path(coordinate: Coordinate, spelling: str = "") -> str:
    """The module path that a coordinate stands for; ``spelling`` is the path's own case, where it is known."""
    return spelling or "/".join(each for each in (coordinate.namespace, coordinate.name) if each)


def module_package(path: str, version: str, replacement: Replacement | None, folder: Path, digests: Digests) -> Package:
    """A required module, or what replaces it.

    Args:
        path: as the go.mod writes it.
        version: the selected one.
        replacement: what stands for it, if anything does.
        folder: against which a replacement's folder is resolved.
        digests: of the zips, as go.sum has them.

    Raises:
        CoordinateError: path or version cannot stand in a coordinate.
    """
    if replacement is not None and replacement.is_local:
        return local_module(path, version, (folder / replacement.target).resolve(), written=replacement.target)
    if replacement is not None:
        path, version = replacement.target, replacement.version
    coordinate = module_coordinate(path, version)
    spelling = "" if module_path(coordinate) == path else path
    return Package(path, version, coordinate, digests=digests.get((path, version), ()), spelling=spelling)


def local_module(path: str, version: str, folder: Path, *, written: str = "") -> Package:
    """A module whose sources are a folder of this machine, keyed by the checksum of its tree; skipped without one.

    Args:
        path: the module's path, as it is imported.
        version: the required version; "" where none is.
        folder: absolute.
        written: the folder as a replacement names it; "" for a member of a workspace.
    """
    # The go command takes no folder without a go.mod either; walking `/` because a line says so takes hours.
    paths = source_files(folder, GO_TREE) if (folder / "go.mod").is_file() else ()
    if not any(each.endswith(".go") for each in paths):
        kind = f"local replacement of {path}" if written else "module of the workspace"
        why = "without Go files or go.mod" if folder.is_dir() else "not on this machine"
        return Package(written or path, "" if written else version, None, f"{kind}, {why}")
    coordinate = module_coordinate(path, version or "v0.0.0").with_checksum(tree_digest(folder, paths))
    spelling = "" if module_path(coordinate) == path else path
    return Package(path, version, coordinate, location=str(folder), spelling=spelling)


def replacement_of(path: str, version: str, replacements: Replacements) -> Replacement | None:
    """What replaces a module at a version: a line for that version stands before one for all."""
    return replacements.get((path, version)) or replacements.get((path, ""))


def read_go_sum(path: Path, text: str) -> Digests:
    """The zip digests of a go.sum; lines about a go.mod alone are checked and passed over.

    Raises:
        GoSumError: a line has not three fields, or names no module, version or digest of the kind ``h1``.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 3:
            raise GoSumError(path, f"line {number}: expected a module, a version and a digest")
        name, version, digest = fields
        bare = version.removesuffix("/go.mod")
        if not is_module_path(name) or not is_version(bare):
            raise GoSumError(path, f"line {number}: expected a module path and a version")
        if not re.fullmatch(r"h1:[A-Za-z0-9+/]{43}=", digest):
            raise GoSumError(path, f"line {number}: digest: expected h1:<base64 of 32 bytes>")
        if bare == version:
            found.setdefault((name, version), []).append(digest)
    return {key: tuple(dict.fromkeys(values)) for key, values in found.items()}


def cache_folder(environ: Mapping[str, str] | None = None) -> Path:
    """The folder of this user's module cache, as its variables say or where it lies by default; it may not exist."""
    environ = os.environ if environ is None else environ
    if environ.get("GOMODCACHE"):
        return Path(environ["GOMODCACHE"])
    first = environ.get("GOPATH", "").split(os.pathsep)[0]
    return (Path(first) if first else Path(environ.get("HOME") or Path.home()) / "go") / "pkg/mod"


def cached_file(cache: Path, path: str, version: str, ending: str) -> Path:
    """Where a module cache keeps a file of a module: ``zip``, ``mod``, ``info`` or ``ziphash``."""
    return cache / "cache/download" / escaped(path) / "@v" / f"{escaped(version)}.{ending}"


def connect_modules(graph: Graph, selected: Mapping[str, tuple[str, str]], sources: Mapping[str, Path | None]) -> None:
    """Add the edges that modules' own go.mod files tell of, each to the selected version of what it requires.

    Args:
        graph: holds every key of ``selected``'s values.
        selected: module path → (key, version) of the version that is built.
        sources: key → the go.mod that says what the module requires; a file that is not there says nothing.
    """
    for key, file in sources.items():
        for each in _required(file):
            target = selected.get(each)
            if target is not None and target[0] != key:
                graph.connect(key, target[0])


def _required(file: Path | None) -> Iterable[str]:
    if file is None:
        return ()
    try:
        if file.stat().st_size > _MAX_MOD_BYTES:
            return ()
        text = file.read_text(encoding="utf-8")
        # A dependency's go.mod may be of a newer Go than we know: its own lines are all that is asked for here.
        mod = read_module_file(_requirements_only(text), file, LockfileError, verbs=MOD_VERBS)
    except (OSError, UnicodeDecodeError, LockfileError):
        return ()
    return [each.path for each in mod.requirements if not each.is_indirect]


def _requirements_only(text: str) -> str:
    kept = re.findall(r"^require[ \t]*\((?:.|\n)*?^[ \t]*\)|^require[ \t]+[^(\n]+$", text, re.MULTILINE)
    return "\n".join(kept)


def with_scopes(resolution: Resolution) -> Resolution:
    """The resolution with Go's scopes: what a go.mod names without ``// indirect`` is declared, the rest is ``all``.

    A Go package can be imported only from a module that the go.mod requires directly, so nothing stands between.
    """
    import dataclasses

    if all(row.distance is None for row in resolution.dependencies):
        return resolution
    rows = tuple(
        row if row.scope is Scope.DECLARED else dataclasses.replace(row, scope=Scope.ALL)
        for row in resolution.dependencies
    )
    return dataclasses.replace(resolution, dependencies=rows)


def highest(requirements: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Module path → the highest version that is required of it: minimal version selection over a flat list."""
    found: dict[str, str] = {}
    for path, version in requirements:
        if path not in found or version_key(version) > version_key(found[path]):
            found[path] = version
    return found


def stdlib_package(mod: ModuleFile) -> Package | None:
    """Go's standard library at the version that a file asks for; None where it names none."""
    version = mod.stdlib_version
    return Package(STDLIB, version, None, STDLIB_REASON) if version else None
