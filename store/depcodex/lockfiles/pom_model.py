"""What a pom.xml says by itself, with the parents and bills of materials that lie on this machine.

Here: the model of Maven's pom as far as dependencies need it: inheritance, properties, managed versions, modules. Not
here: what depends on what beyond the pom (depcodex.lockfiles.pom asks mvn).

Spec: Maven's POM reference and "Introduction to the POM" / "to the Dependency Mechanism" (model 4.0.0; 4.1.0 of Maven 4
where it is the same), read 2026-12. A child's own entry stands before its parent's; a managed version of the pom itself
before an imported one; of two imports the first counts. Properties are filled in after inheritance. No profile is
applied: which are active depends on the machine and the command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from depcodex.errors import LockfileError
from depcodex.lockfiles.jvm_caches import JvmCaches
from depcodex.lockfiles.xml_documents import child, children, read_xml, text_at

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MODELS = ("", "4.0.0", "4.1.0")
_EXPRESSION_PATTERN = re.compile(r"\$\{([^{}]+)\}")
# Longer chains are cycles.
_MAX_CHAIN = 40
# A version is shorter; what grows beyond is an expression that doubles itself.
_MAX_FILLED = 1000

# Group, artifact, type, classifier.
Kind = tuple[str, str, str, str]
_Fill = Callable[[str], str]


@dataclass(frozen=True)
class Dependency:
    """One dependency as a pom writes it; ``version`` and ``scope`` may come from what the pom manages.

    Attributes:
        group, artifact, version, scope, type, classifier: filled in; what cannot be filled in keeps its ``${…}``.
        profile: the profile that has it; "" for the pom itself.
    """

    group: str
    artifact: str
    version: str
    scope: str
    type: str = "jar"
    classifier: str = ""
    profile: str = ""

    @property
    def kind(self) -> Kind:
        """What a managed version is looked up by."""
        return self.group, self.artifact, self.type, self.classifier


@dataclass(frozen=True)
class Pom:
    """A pom with its parents.

    Attributes:
        path: of the file.
        group, artifact, version: its own, inherited where it has none.
        packaging: ``jar`` where it says nothing.
        dependencies: its own and inherited ones, with managed versions; those of profiles after them.
        managed: what it manages, the imported included.
        modules: paths of its modules' poms, as far as they are there.
        missing: parents and imported poms that are not on this machine, as ``group:artifact:version``.
    """

    path: Path
    group: str
    artifact: str
    version: str
    packaging: str
    dependencies: tuple[Dependency, ...]
    managed: Mapping[Kind, Dependency]
    modules: tuple[Path, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class _Raw:
    """One file's elements."""

    path: Path
    root: Element


def read_pom(path: Path, error: type[LockfileError], caches: JvmCaches) -> Pom:
    """The pom of a file.

    Raises:
        LockfileError: ``error``; the file, or one of the files of its parents or imports, is no pom.
    """
    return _Models(error, caches).model(path, 0)


class _Models:
    def __init__(self, error: type[LockfileError], caches: JvmCaches) -> None:
        self._error = error
        self._caches = caches
        self._imported: dict[Path, Pom] = {}

    def model(self, path: Path, depth: int) -> Pom:
        chain, missing = self._chain(path)
        properties = self._properties(chain)

        def fill(text: str) -> str:
            return _filled(text, properties)

        managed: dict[Kind, Dependency] = {}
        imports: list[Dependency] = []
        for raw in chain:
            for element in children(raw.root, "dependencyManagement", "dependencies", "dependency"):
                entry = _dependency(element, fill)
                if entry.scope == "import" and entry.type == "pom":
                    imports.append(entry)
                else:
                    managed.setdefault(entry.kind, entry)
        for entry in imports:
            found = self._import(entry, depth)
            if found is None:
                missing.append(f"{entry.group}:{entry.artifact}:{entry.version}")
                continue
            missing += found.missing
            for kind, each in found.managed.items():
                managed.setdefault(kind, each)
        own = chain[0].root
        return Pom(
            path=path,
            group=properties["project.groupId"],
            artifact=properties["project.artifactId"],
            version=properties["project.version"],
            packaging=text_at(own, "packaging") or "jar",
            dependencies=tuple(self._dependencies(chain, fill, managed)),
            managed=managed,
            modules=tuple(_modules(path, own)),
            missing=tuple(dict.fromkeys(missing)),
        )

    def _chain(self, path: Path) -> tuple[list[_Raw], list[str]]:
        """The pom and its parents, nearest first, and the parent that is not on this machine."""
        chain: list[_Raw] = []
        following: Path | None = path
        while following is not None:
            if len(chain) == _MAX_CHAIN:
                raise self._error(path, "its parents go in a circle")
            root = read_xml(following, self._error, "project")
            model = text_at(root, "modelVersion")
            if model not in _MODELS:
                raise self._error(following, f"modelVersion: expected 4.0.0 or 4.1.0, got {model[:20]!r}")
            chain.append(_Raw(following, root))
            parent = child(root, "parent")
            if parent is None:
                return chain, []
            following = self._parent(chain[-1].path, parent)
            if following is None:
                names = (text_at(parent, each) for each in ("groupId", "artifactId", "version"))
                return chain, [":".join(names)]
        return chain, []

    def _parent(self, path: Path, parent: Element) -> Path | None:
        group, artifact, version = (text_at(parent, each) for each in ("groupId", "artifactId", "version"))
        written = child(parent, "relativePath")
        relative = "../pom.xml" if written is None else (written.text or "").strip()
        if relative:
            place = path.parent / relative
            place = place / "pom.xml" if place.is_dir() else place
            # Maven looks there only for the parent that the pom names.
            if place.is_file() and self._is(place, group, artifact):
                return place.resolve()
        return next((each.path for each in self._caches.files(group, artifact, version, ".pom")), None)

    def _is(self, path: Path, group: str, artifact: str) -> bool:
        root = read_xml(path, self._error, "project")
        own_group = text_at(root, "groupId") or text_at(root, "parent", "groupId")
        return (own_group, text_at(root, "artifactId")) == (group, artifact)

    def _properties(self, chain: list[_Raw]) -> dict[str, str]:
        properties: dict[str, str] = {}
        profiled: set[str] = set()
        for raw in chain:
            for element in children(raw.root, "properties"):
                for each in element:
                    properties.setdefault(each.tag, (each.text or "").strip())
            for element in children(raw.root, "profiles", "profile", "properties"):
                profiled.update(each.tag for each in element)
        # A profile may set it to something else, and which profiles are active is not known here.
        for name in profiled:
            properties.pop(name, None)
        own = chain[0].root
        parent = child(own, "parent")
        for name in ("groupId", "version"):
            properties[f"project.{name}"] = text_at(own, name) or text_at(parent, name)
            properties[f"project.parent.{name}"] = text_at(parent, name)
        properties["project.artifactId"] = text_at(own, "artifactId")
        properties["project.parent.artifactId"] = text_at(parent, "artifactId")
        for name in ("groupId", "artifactId", "version"):
            for old in (f"pom.{name}", name):
                properties.setdefault(old, properties[f"project.{name}"])
        properties["project.basedir"] = str(chain[0].path.parent)
        for name in ("groupId", "version"):
            properties[f"project.{name}"] = _filled(properties[f"project.{name}"], properties)
        return properties

    def _import(self, entry: Dependency, depth: int) -> Pom | None:
        found = next((each.path for each in self._caches.files(*entry.kind[:2], entry.version, ".pom")), None)
        if found is None or depth >= _MAX_CHAIN:
            return None
        if found not in self._imported:
            self._imported[found] = self.model(found, depth + 1)
        return self._imported[found]

    def _dependencies(self, chain: list[_Raw], fill: _Fill, managed: Mapping[Kind, Dependency]) -> Iterator[Dependency]:
        seen: set[Kind] = set()
        for raw in chain:
            for element in children(raw.root, "dependencies", "dependency"):
                entry = _with_managed(_dependency(element, fill), managed)
                if entry.kind not in seen:
                    seen.add(entry.kind)
                    yield entry
        for raw in chain[:1]:
            for profile in children(raw.root, "profiles", "profile"):
                for element in children(profile, "dependencies", "dependency"):
                    entry = _with_managed(_dependency(element, fill, text_at(profile, "id") or "default"), managed)
                    if entry.kind not in seen:
                        seen.add(entry.kind)
                        yield entry


def _dependency(element: Element, fill: _Fill, profile: str = "") -> Dependency:
    def field_of(name: str) -> str:
        return fill(text_at(element, name))

    return Dependency(
        field_of("groupId"),
        field_of("artifactId"),
        field_of("version"),
        field_of("scope"),
        field_of("type") or "jar",
        field_of("classifier"),
        profile,
    )


def _with_managed(entry: Dependency, managed: Mapping[Kind, Dependency]) -> Dependency:
    found = managed.get(entry.kind)
    version = entry.version or (found.version if found else "")
    scope = entry.scope or (found.scope if found else "") or "compile"
    return replace(entry, version=version, scope=scope)


def _modules(path: Path, root: Element) -> Iterator[Path]:
    names = [*children(root, "modules", "module"), *children(root, "subprojects", "subproject")]
    for element in names:
        place = path.parent / (element.text or "").strip()
        place = place / "pom.xml" if place.is_dir() else place
        if place.is_file():
            yield place


def _filled(text: str, properties: Mapping[str, str]) -> str:
    """The text with its expressions filled in; what nothing says, and what goes in a circle, stays as it is."""
    for _ in range(_MAX_CHAIN):
        filled = _EXPRESSION_PATTERN.sub(lambda match: properties.get(match[1], match[0]), text)
        if filled == text or len(filled) > _MAX_FILLED:
            break
        text = filled
    return text
