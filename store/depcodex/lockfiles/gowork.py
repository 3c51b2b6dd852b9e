"""go.work: a workspace of Go modules that are built together.

Here: one closure a member, at the versions that the whole workspace selects. Not here: go.mod alone (gomod).

Spec: the Go modules reference, "Workspaces". Every ``use`` folder has a go.mod; requirements of all members go into one
minimal version selection; ``replace`` lines of the go.work stand before those of its members; go.work.sum adds digests.
A member that another member requires is built from its folder, whatever version is asked for.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, read_text
from depcodex.lockfiles.go_directives import (
    MOD_VERBS,
    WORK_VERBS,
    ModuleFile,
    Replacement,
    read_module_file,
)
from depcodex.lockfiles.go_modules import (
    cache_folder,
    cached_file,
    connect_modules,
    highest,
    local_module,
    module_package,
    read_go_sum,
    replacement_of,
    stdlib_package,
    with_scopes,
)
from depcodex.lockfiles.go_tool import build_list
from depcodex.lockfiles.graph import Edge, Graph
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of


class GoWorkError(LockfileError):
    """A go.work, or the go.mod of a member, cannot be read."""

    format_name = "gowork"


@dataclass(frozen=True)
class _Member:
    """One ``use`` folder."""

    place: str
    folder: Path
    mod: ModuleFile


class GoWorkReader:
    """Reads go.work; one closure a member."""

    name = "gowork"
    error: type[LockfileError] = GoWorkError

    def matches_content(self, sample: Sample) -> bool:
        """A go line first, and a use line or block."""
        lines = [each.strip() for each in sample.text.split("\n")]
        first = next((each for each in lines if each and not each.startswith("//")), "")
        return re.match(r"go 1\.\d+|use[ (]", first) is not None and bool(
            re.search(r"^use[ (]", sample.text, re.MULTILINE)
        )

    def read(self, path: Path, target: Target) -> Reading:
        """One closure a member; see ``LockfileReader.read``."""
        work = read_module_file(read_text(path, GoWorkError), path, GoWorkError, verbs=WORK_VERBS)
        with guarded(path, GoWorkError):
            return _Workspace(path, work, target).reading()


class _Workspace:
    def __init__(self, path: Path, work: ModuleFile, target: Target) -> None:
        self._path = path
        self._work = work
        self._target = target
        self._inputs = [input_row(path, path.parent)]
        self._digests: dict[tuple[str, str], tuple[str, ...]] = {}
        self._add_digests(path.with_name(f"{path.name}.sum"))
        self._notes: list[str] = []
        self._members = [each for each in map(self._member, dict.fromkeys(work.uses)) if each is not None]
        self._own = {each.mod.module: each for each in self._members if each.mod.module}

    def reading(self) -> Reading:
        is_asked = self._path.name == "go.work" and bool(self._members)
        listed = build_list(self._path.parent, self._target, workspace=self._path) if is_asked else None
        excludes = {each for member in self._members for each in member.mod.excludes}
        required = [
            (each.path, each.version)
            for member in self._members
            for each in member.mod.requirements
            if (each.path, each.version) not in excludes
        ]
        versions = highest(required)
        if listed is not None:
            versions |= {each.path: each.version for each in listed.values() if each.version}
        graph = Graph()
        selected: dict[str, tuple[str, str]] = {}
        sources: dict[str, Path | None] = {}
        cache = cache_folder()
        asked = {path for path, _ in required}
        for path in sorted(asked | (set(versions) if not self._is_pruned else set())):
            key = path
            member = self._own.get(path)
            if member is not None:
                graph.add(key, local_module(path, versions.get(path, ""), member.folder))
                sources[key] = member.folder / "go.mod"
            else:
                replacement, folder = self._replacement(path, versions[path])
                package = module_package(path, versions[path], replacement, folder, self._digests)
                graph.add(key, package)
                known = listed.get(path) if listed else None
                sources[key] = known.mod_file if known else cached_file(cache, package.name, package.version, "mod")
            selected[path] = (key, versions.get(path, ""))
        stdlib = stdlib_package(self._work)
        if stdlib is not None:
            graph.add(stdlib.name, stdlib)
        connect_modules(graph, selected, sources)
        own = frozenset(path for path in self._own if path in graph)
        closures = []
        for member in self._members:
            roots = [Edge(each.path) for each in member.mod.requirements]
            direct = frozenset(each.path for each in member.mod.requirements if not each.is_indirect)
            roots += [Edge(stdlib.name)] if stdlib is not None else []
            resolution = graph.resolve(roots, named=direct, own=own, self_key=member.mod.module)
            closure = closure_of("gowork", with_scopes(resolution), self._target, tuple(self._inputs), member.place)
            closures.append(dataclasses.replace(closure, source_folders=self._vendor))
        if not closures:
            roots = [Edge(stdlib.name)] if stdlib is not None else []
            closures.append(closure_of("gowork", graph.resolve(roots), self._target, tuple(self._inputs)))
        return Reading(tuple(closures), tuple(self._notes))

    @property
    def _vendor(self) -> tuple[str, ...]:
        """What `go work vendor` made: one folder for all members."""
        folder = self._path.parent / "vendor"
        return (str(folder.resolve()),) if (folder / "modules.txt").is_file() else ()

    @property
    def _is_pruned(self) -> bool:
        return all(member.mod.is_pruned for member in self._members)

    def _member(self, use: str) -> _Member | None:
        folder = (self._path.parent / use).resolve()
        mod_path = folder / "go.mod"
        if not mod_path.is_file():
            self._notes.append(f"{self._path.name}: use {use}: no go.mod there; the member is left out")
            return None
        mod = read_module_file(read_text(mod_path, GoWorkError), mod_path, GoWorkError, verbs=MOD_VERBS)
        self._inputs.append(input_row(mod_path, self._path.parent))
        self._add_digests(folder / "go.sum")
        return _Member(PurePosixPath(use.replace("\\", "/")).as_posix(), folder, mod)

    def _add_digests(self, path: Path) -> None:
        if path.is_file():
            for key, values in read_go_sum(path, read_text(path, GoWorkError)).items():
                self._digests[key] = tuple(dict.fromkeys((*self._digests.get(key, ()), *values)))
            self._inputs.append(input_row(path, self._path.parent))

    def _replacement(self, path: str, version: str) -> tuple[Replacement | None, Path]:
        """What replaces a module, and the folder that a path in it is relative to."""
        found = replacement_of(path, version, self._work.replacements)
        if found is not None:
            return found, self._path.parent
        for member in self._members:
            found = replacement_of(path, version, member.mod.replacements)
            if found is not None:
                return found, member.folder
        return None, self._path.parent
