"""go.mod, with the digests of the go.sum beside it.

Here: which modules a go.mod resolves to. Not here: its syntax (go_directives), go.sum alone (gosum).

Spec: the Go modules reference, "go.mod files", "Minimal version selection", "Module graph pruning". Since Go 1.17 a
go.mod names every module that provides a package of the build, so its own list is the closure; before, it names the
direct ones, and the go command completes the list where its cache allows, else the go.sum beside it does: a tidy one
pins the zips of the modules that were built. What the go command lists beyond a complete go.mod provides no package: it
is skipped with that reason. The go command is never needed: without it the files say what they can.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from depcodex.closure import Closure
from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, read_text
from depcodex.lockfiles.go_directives import MOD_VERBS, ModuleFile, read_module_file
from depcodex.lockfiles.go_modules import (
    Digests,
    cache_folder,
    cached_file,
    connect_modules,
    highest,
    module_package,
    read_go_sum,
    replacement_of,
    stdlib_package,
    with_scopes,
)
from depcodex.lockfiles.go_tool import ListedModule, build_list
from depcodex.lockfiles.graph import Edge, Graph, Package
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of

FILE_NAME = "go.mod"
EXCLUDED = "excluded by go.mod"
SUPERSEDED = "a higher version of it is required"
NO_PACKAGE = "in the module graph, and provides no package of the build"


class GoModError(LockfileError):
    """A go.mod cannot be read."""

    format_name = "gomod"


class GoModReader:
    """Reads go.mod; one closure."""

    name = "gomod"
    error: type[LockfileError] = GoModError

    def matches_content(self, sample: Sample) -> bool:
        """A module line, or a require line or block, before anything but comments; no ``use``."""
        import re

        lines = [each.strip() for each in sample.text.split("\n")]
        first = next((each for each in lines if each and not each.startswith("//")), "")
        is_opening = re.fullmatch(r"module\s+[^\s{;=:]+|go\s+1\.\d+(\.\d+)?|require\s*\(|require\s+\S+\s+v\S+.*", first)
        return is_opening is not None and not re.search(r"^use[ (]", sample.text, re.MULTILINE)

    def read(self, path: Path, target: Target) -> Reading:
        """One closure; see ``LockfileReader.read``."""
        text = read_text(path, GoModError)
        mod = read_module_file(text, path, GoModError, verbs=MOD_VERBS)
        inputs = [input_row(path, path.parent)]
        digests: Digests = {}
        # `go help modfile`: the sum of a go.mod under another name lies beside it under that name.
        sum_path = path.with_suffix(".sum")
        if path.suffix == ".mod" and sum_path.is_file():
            digests = read_go_sum(sum_path, read_text(sum_path, GoModError))
            inputs.append(input_row(sum_path, path.parent))
        # Under another name the file is a copy: what lies beside it is not its project's.
        listed = build_list(path.parent, target) if path.name == FILE_NAME and mod.requirements else None
        with guarded(path, GoModError):
            closure, notes = _closure(path, mod, digests, listed, target, tuple(inputs))
        return Reading((closure,), notes)


def _closure(
    path: Path,
    mod: ModuleFile,
    digests: Digests,
    listed: dict[str, ListedModule] | None,
    target: Target,
    inputs: tuple[tuple[str, str], ...],
) -> tuple[Closure, tuple[str, ...]]:
    graph = Graph()
    roots: list[Edge] = []
    selected: dict[str, tuple[str, str]] = {}
    sources: dict[str, Path | None] = {}
    cache = cache_folder()
    required = [(each.path, each.version) for each in mod.requirements]
    versions = highest(each for each in required if each not in mod.excludes)
    if listed is not None and all(each in listed for each in versions):
        versions = {name: listed[name].version or version for name, version in versions.items()}

    def add(name: str, version: str, left_out: str = "") -> str:
        key = f"{name}@{version}"
        if key not in graph:
            replacement = replacement_of(name, version, mod.replacements)
            package = module_package(name, version, replacement, path.parent, digests)
            graph.add(key, package)
            roots.append(Edge(key, left_out))
            if not left_out:
                selected[name] = (key, version)
                sources[key] = _mod_file(package, name, listed, cache)
        return key

    direct = {each.path for each in mod.requirements if not each.is_indirect}
    named = frozenset(add(name, version) for name, version in versions.items() if name in direct)
    for name, version in versions.items():
        add(name, version)
    for name, version in required:
        add(name, version, EXCLUDED if (name, version) in mod.excludes else SUPERSEDED)
    for name, version in mod.excludes:
        add(name, version, EXCLUDED)
    for each in (listed or {}).values():
        if each.version and not each.is_main and each.path not in selected:
            add(each.path, each.version, NO_PACKAGE if mod.is_pruned else "")
    if listed is None and not mod.is_pruned:
        others = {(each.target, each.version) for each in mod.replacements.values()} | set(mod.excludes)
        for name, version in highest(each for each in digests if each not in others).items():
            if name not in selected:
                add(name, version)
    stdlib = stdlib_package(mod)
    if stdlib is not None:
        graph.add(stdlib.name, stdlib)
        roots.append(Edge(stdlib.name))
    connect_modules(graph, selected, sources)
    resolution = with_scopes(graph.resolve(roots, named=named))
    closure = closure_of("gomod", resolution, target, inputs)
    vendor = path.parent / "vendor"
    if path.name == FILE_NAME and (vendor / "modules.txt").is_file():
        closure = dataclasses.replace(closure, source_folders=(str(vendor.resolve()),))
    notes: tuple[str, ...] = ()
    if versions and not mod.is_pruned and listed is None:
        source = "what go.sum pins completes it" if digests else "no go.sum completes it"
        notes = (
            f"{path.name}: before Go 1.17 it names direct modules only; the go command could not say more, {source}",
        )
    return closure, notes


def _mod_file(package: Package, name: str, listed: dict[str, ListedModule] | None, cache: Path) -> Path | None:
    if listed is not None and name in listed:
        return listed[name].mod_file
    if package.coordinate is None:
        return None
    if package.location:
        return Path(package.location, FILE_NAME)
    return cached_file(cache, package.name, package.version, "mod")
