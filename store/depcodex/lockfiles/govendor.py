"""vendor/modules.txt: what `go mod vendor` copied into a project.

Here: its lines and the closure. Not here: reading the vendored sources (depcodex_assets).

Spec: the Go modules reference, "Vendoring"; cmd/go's modvendor and modload, read 2026-11: ``# path version [=> path
version | => folder]`` opens a module, ``## explicit; go 1.20`` says that the go.mod requires it, the lines below name
the packages that were copied. A module without packages has no sources there and is passed over, as is a line that
names no version of that module. Which of the explicit ones are direct only the go.mod above it knows.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, read_text
from depcodex.lockfiles.go_directives import MOD_VERBS, ModuleFile, Replacement, is_local_path, read_module_file
from depcodex.lockfiles.go_modules import (
    Digests,
    cache_folder,
    cached_file,
    connect_modules,
    module_package,
    read_go_sum,
    with_scopes,
)
from depcodex.lockfiles.go_versions import is_module_path, is_version, is_version_of
from depcodex.lockfiles.graph import Edge, Graph
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of

_HEADER_PATTERN = re.compile(r"# (?P<path>\S+)(?: (?P<version>v\S+))?(?: => (?P<target>.+))?")


class GoVendorError(LockfileError):
    """A vendor/modules.txt cannot be read."""

    format_name = "govendor"


@dataclass(frozen=True)
class VendoredModule:
    """A module with sources below ``vendor``.

    Attributes:
        path: as it is imported.
        version: the required one.
        replacement: what the sources are of, where the go.mod replaced it.
        packages: import paths of the packages that were copied.
        is_explicit: the go.mod requires it.
    """

    path: str
    version: str
    replacement: Replacement | None
    packages: tuple[str, ...]
    is_explicit: bool


class GoVendorReader:
    """Reads vendor/modules.txt; one closure."""

    name = "govendor"
    error: type[LockfileError] = GoVendorError

    def matches_content(self, sample: Sample) -> bool:
        """A line ``# module version`` and one ``## explicit``."""
        return bool(re.search(r"^# \S+ v\d\S*( => .+)?$", sample.text, re.MULTILINE)) and bool(
            re.search(r"^## (explicit|workspace)", sample.text, re.MULTILINE)
        )

    def read(self, path: Path, target: Target) -> Reading:
        """One closure; see ``LockfileReader.read``."""
        modules = read_modules(read_text(path, GoVendorError), path)
        vendor = path.parent
        inputs = [input_row(path, vendor)]
        mod = ModuleFile()
        digests: Digests = {}
        if path.name == "modules.txt" and vendor.name == "vendor":
            mod, digests, more = _beside(vendor.parent)
            inputs = [*more, input_row(path, vendor.parent)]
        graph = Graph()
        keys: dict[str, tuple[str, str]] = {}
        sources: dict[str, Path | None] = {}
        with guarded(path, GoVendorError):
            for each in modules:
                key = f"{each.path}@{each.version}"
                package = module_package(each.path, each.version, each.replacement, vendor.parent, digests)
                graph.add(key, package)
                keys[each.path] = (key, each.version)
                if package.coordinate is not None and not package.location:
                    sources[key] = cached_file(cache_folder(), package.name, package.version, "mod")
        connect_modules(graph, keys, sources)
        direct = {each.path for each in mod.requirements if not each.is_indirect}
        named = frozenset(key for name, (key, _) in keys.items() if name in direct)
        resolution = graph.resolve([Edge(key) for key, _ in keys.values()], named=named)
        closure = closure_of("govendor", with_scopes(resolution), target, tuple(inputs))
        return Reading((dataclasses.replace(closure, source_folders=(str(vendor.resolve()),)),))


def _beside(project: Path) -> tuple[ModuleFile, Digests, list[tuple[str, str]]]:
    """The go.mod and go.sum of the project that a vendor folder belongs to, and that they were read."""
    mod = ModuleFile()
    digests: Digests = {}
    inputs = []
    mod_path, sum_path = project / "go.mod", project / "go.sum"
    if mod_path.is_file():
        mod = read_module_file(read_text(mod_path, GoVendorError), mod_path, GoVendorError, verbs=MOD_VERBS)
        inputs.append(input_row(mod_path, project))
    if sum_path.is_file():
        digests = read_go_sum(sum_path, read_text(sum_path, GoVendorError))
        inputs.append(input_row(sum_path, project))
    return mod, digests, inputs


def read_modules(text: str, path: Path) -> tuple[VendoredModule, ...]:
    """The modules of a modules.txt that have packages, each once, in order.

    Raises:
        GoVendorError: there is text, and no line of it opens a module.
    """
    found: dict[str, VendoredModule] = {}
    current = ""
    has_header = False
    for line in text.split("\n"):
        line = line.rstrip("\r ")
        if line.startswith("## "):
            if current and re.match(r"## explicit\b", line):
                found[current] = dataclasses.replace(found[current], is_explicit=True)
        elif line.startswith("# "):
            module = _header(line)
            current = module.path if module is not None else ""
            has_header = has_header or module is not None
            if module is not None:
                found.setdefault(module.path, module)
        elif line and current and is_module_path(line):
            known = found[current]
            found[current] = dataclasses.replace(known, packages=(*known.packages, line))
    if text.strip() and not has_header:
        raise GoVendorError(path, "expected a line `# module version`, got none")
    return tuple(each for each in found.values() if each.packages)


def _header(line: str) -> VendoredModule | None:
    """A module's opening line; None where it names no version of that module, or replaces it by what cannot be."""
    match = _HEADER_PATTERN.fullmatch(line)
    if match is None or match["version"] is None or not is_module_path(match["path"]):
        return None
    path, version = match["path"], match["version"]
    replacement = None
    if match["target"]:
        words = match["target"].split(" ")
        if len(words) == 2 and is_module_path(words[0]) and is_version(words[1]):
            replacement = Replacement(*words)
        elif is_local_path(words[0]):
            replacement = Replacement(match["target"])
        else:
            return None
    elif not is_version_of(path, version):
        return None
    return VendoredModule(path, version, replacement, (), is_explicit=False)
