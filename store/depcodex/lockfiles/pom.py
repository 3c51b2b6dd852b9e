"""pom.xml: what Maven resolves it to, or as much as it says by itself.

Here: asking mvn, the project's modules, and what is said where mvn cannot be had. Not here: trees
(depcodex.lockfiles.maven_tree), the pom's own model (depcodex.lockfiles.pom_model).

Spec: Maven's POM reference; maven-dependency-plugin, goal ``tree``. mvn runs offline (``-o``) unless the network is
allowed; it needs a dependency plugin that writes JSON (3.7.0 on) in the local repository. Where there is no mvn, no
such plugin, or mvn does not know a pom that it would have to fetch, the dependencies that the pom itself names are
read, with the versions that it, its parents and its imports give: Maven takes exactly these, as nothing is nearer to
the project. What they bring along is then unknown and a note says so. A version that is not on this machine is never
guessed.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from depcodex.closure import Closure
from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row
from depcodex.lockfiles.graph import Edge, Graph, Package
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of
from depcodex.lockfiles.jvm_caches import JvmCaches
from depcodex.lockfiles.jvm_modules import module_package
from depcodex.lockfiles.jvm_packages import TEST_GROUP, Use, decided, jvm_package, use_of_maven_scope, with_scopes
from depcodex.lockfiles.maven_tree import Library, Node, parse_trees, reading_of
from depcodex.lockfiles.pom_model import Dependency, Pom, read_pom
from depcodex.lockfiles.tools import OFFLINE_SECONDS, RESOLVE_SECONDS, run_tool

PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin"
# The newest that was tried; used where the local repository has none and the network is allowed.
PLUGIN_VERSION = "3.8.1"
_FIRST_WITH_JSON = (3, 7, 0)
_MAX_MODULES = 2000
# Ant's build files have the same root element.
_PROJECT_PATTERN = re.compile(r"<project[\s>].*(?:<modelVersion>|maven\.apache\.org/POM)", re.DOTALL)
_UNKNOWN_VERSION = "its version is set in a pom that is not on this machine"
_SYSTEM = "a file of its own (scope system)"


class PomError(LockfileError):
    """A pom.xml, or a parent or module of it, cannot be read."""

    format_name = "pom"


class PomReader:
    """Reads pom.xml."""

    name = "pom"
    error: type[LockfileError] = PomError

    def matches_content(self, sample: Sample) -> bool:
        """XML with a project of Maven's in it."""
        return sample.text.lstrip().startswith("<") and bool(_PROJECT_PATTERN.search(sample.text))

    def read(self, path: Path, target: Target) -> Reading:
        """One closure a module; see ``LockfileReader.read``."""
        caches = JvmCaches.of()
        root = path.parent
        with guarded(path, PomError):
            poms = tuple(_reactor(path, caches))
            members = {_library(each): _member(each, root) for each in poms}
            # Only those that another module depends on: making the key reads all their sources.
            asked = {(each.group, each.artifact) for pom in poms for each in pom.dependencies}
            modules = {
                _library(each): module_package(each.group, each.artifact, each.version, each.path.parent)
                for each in poms
                if _library(each) in asked
            }
        inputs = tuple(sorted({input_row(each.path, root) for each in poms}))
        text = _tree_text(path, target, caches)
        if text is not None:
            trees = _parsed(text, path)
            if trees:
                with guarded(path, PomError):
                    return reading_of("pom", trees, target, inputs, modules, members)
        with guarded(path, PomError):
            return _plain_reading(path, poms, target, inputs, modules)


def _parsed(text: str, path: Path) -> tuple[Node, ...]:
    try:
        return parse_trees(text, path, PomError)
    except PomError:
        # A plugin that writes another form; the pom itself is sound.
        return ()


def _library(pom: Pom) -> Library:
    return pom.group, pom.artifact


def _member(pom: Pom, root: Path) -> str:
    folder = pom.path.parent.resolve()
    base = root.resolve()
    return folder.relative_to(base).as_posix() if folder.is_relative_to(base) else str(folder)


def _reactor(path: Path, caches: JvmCaches) -> Iterator[Pom]:
    """The pom and those of its modules, each once, in Maven's order of reading."""
    waiting = [path]
    seen: set[Path] = set()
    while waiting:
        place = waiting.pop(0)
        if place.resolve() in seen:
            continue
        if len(seen) == _MAX_MODULES:
            raise PomError(path, f"more than {_MAX_MODULES} modules")
        seen.add(place.resolve())
        pom = read_pom(place, PomError, caches)
        yield pom
        waiting += pom.modules


def _tree_text(path: Path, target: Target, caches: JvmCaches) -> str | None:
    """What mvn resolves the project to, or None where it cannot be had."""
    version = _plugin_version(caches)
    if not version:
        if not target.is_network_allowed:
            # mvn could only say that it lacks the plugin, and takes seconds to say so.
            return None
        version = PLUGIN_VERSION
    with tempfile.TemporaryDirectory(prefix="depcodex-") as folder:
        output = Path(folder) / "tree.json"
        command = ["mvn", "-B", "-q", "-f", str(path)]
        if not target.is_network_allowed:
            command.append("-o")
        command += [
            f"{PLUGIN}:{version}:tree",
            "-DoutputType=json",
            f"-DoutputFile={output}",
            "-DappendOutput=true",
        ]
        seconds = RESOLVE_SECONDS if target.is_network_allowed else OFFLINE_SECONDS
        if run_tool(command, path.parent, seconds=seconds) is None or not output.is_file():
            return None
        return output.read_text(encoding="utf-8", errors="replace")


def _plugin_version(caches: JvmCaches) -> str:
    """The newest dependency plugin in the local repository that writes JSON; "" where there is none."""
    folder = caches.repository.joinpath(*PLUGIN.split(":")[0].split("."), PLUGIN.split(":")[1])
    found: list[tuple[tuple[int, ...], str]] = []
    for jar in folder.glob("*/*.jar"):
        version = jar.parent.name
        if re.fullmatch(r"\d+(\.\d+)*", version):
            numbers = tuple(map(int, version.split(".")))
            if numbers >= _FIRST_WITH_JSON:
                found.append((numbers, version))
    return max(found)[1] if found else ""


def _plain_reading(
    path: Path,
    poms: tuple[Pom, ...],
    target: Target,
    inputs: tuple[tuple[str, str], ...],
    modules: Mapping[Library, Package],
) -> Reading:
    closures = [_plain_closure(each, path.parent, target, inputs, modules) for each in poms]
    closures.sort(key=lambda closure: (closure.member != ".", closure.member))
    notes = []
    if any(closure.dependencies for closure in closures):
        notes.append(
            f"{path.name}: mvn could not resolve it offline, so only the dependencies that it names itself are known; "
            f"run `mvn {PLUGIN}:{PLUGIN_VERSION}:tree` once, or allow the network"
        )
    missing = list(dict.fromkeys(each for pom in poms for each in pom.missing))
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        notes.append(f"{path.name}: the pom {missing[0][:120]}{more} is not on this machine")
    return Reading(tuple(closures), tuple(notes), frozenset({TEST_GROUP}), frozenset())


def _plain_closure(
    pom: Pom,
    root: Path,
    target: Target,
    inputs: tuple[tuple[str, str], ...],
    modules: Mapping[Library, Package],
) -> Closure:
    graph = Graph()
    roots: list[Edge] = []
    uses: dict[str, set[Use]] = {}
    caches = JvmCaches.of()
    for entry in pom.dependencies:
        package = _plain_package(entry, modules, caches)
        key = f"{package.name}:{package.version}"
        if key not in graph:
            graph.add(key, package)
        use = use_of_maven_scope(entry.scope)
        _, why = decided([use], target.groups)
        if not why and entry.profile:
            why = f"only profile {entry.profile[:60]} asks for it"
        roots.append(Edge(key, why))
        if package.coordinate is not None and not why:
            uses.setdefault(package.coordinate.purl, set()).add(use)
    scopes = {purl: decided(each, target.groups)[0] for purl, each in uses.items()}
    resolution = with_scopes(graph.resolve(roots), scopes)
    return closure_of("pom", resolution, target, inputs, _member(pom, root))


def _plain_package(entry: Dependency, modules: Mapping[Library, Package], caches: JvmCaches) -> Package:
    name = f"{entry.group}:{entry.artifact}"
    if entry.scope == "system":
        return Package(name, entry.version, None, _SYSTEM)
    own = modules.get((entry.group, entry.artifact))
    if own is not None and own.version == entry.version:
        return own
    if not entry.version or any("${" in each for each in (entry.group, entry.artifact, entry.version)):
        return Package(name, "", None, _UNKNOWN_VERSION)
    return jvm_package(entry.group, entry.artifact, entry.version, caches=caches)
