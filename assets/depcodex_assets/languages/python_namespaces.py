"""Names across the files of one Python distribution: what each module exports, and what each name stands for.

Here: resolving imports, ``__all__``, star imports and lazy exports to definitions, and collecting for every object the
paths that reach it. Not here: reading a file (python_modules), making rows (python).

The rules, in order: names in ``__all__``; without one, what a module defines under a name with no underscore; in a
package's ``__init__`` what it imports from inside the distribution; anywhere ``import x as x`` (PEP 484's mark for a
re-export), star imports and lazy exports. A stub re-exports only what it marks. A module is public when no part of its
path has an underscore.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from depcodex_assets.languages.python_syntax import Definition, Import, ModuleSyntax, is_private

# Modules that were in the standard library of a Python that packages still support.
_REMOVED_FROM_STANDARD_LIBRARY = (
    "asynchat",
    "asyncore",
    "binhex",
    "cgi",
    "cgitb",
    "chunk",
    "crypt",
    "distutils",
    "imp",
    "imghdr",
    "mailcap",
    "msilib",
    "nis",
    "nntplib",
    "ossaudiodev",
    "parser",
    "pipes",
    "smtpd",
    "sndhdr",
    "spwd",
    "sunau",
    "symbol",
    "telnetlib",
    "uu",
    "xdrlib",
)
_STANDARD_LIBRARY = frozenset(sys.stdlib_module_names).union(_REMOVED_FROM_STANDARD_LIBRARY)
# A module that many packages re-export as a whole is listed under the first few of those names only.
MAX_MODULE_PREFIXES = 4
_MAX_PREFIX_SEGMENTS = 8
# A name passed on from module to module; real chains have four or five links, and each is a level of recursion.
_MAX_HOPS = 40
_NOT_EXPORTED = frozenset(("__all__", "__path__"))


@dataclass(frozen=True, slots=True)
class DefinedObject:
    """A definition of this distribution: in a source, in a stub, or in both. Its module and name are its identity."""

    module: str
    name: str
    source: Definition | None = field(compare=False)
    stub: Definition | None = field(compare=False)


@dataclass(frozen=True, slots=True)
class ModuleObject:
    """A module of this distribution."""

    module: str


@dataclass(frozen=True, slots=True)
class ForeignObject:
    """Another distribution's object, by the dotted name that the import gives it."""

    target: str


@dataclass(frozen=True, slots=True)
class CompiledObject:
    """An object of this distribution whose module is compiled and has no stub: only its name is known."""

    module: str
    name: str


Object = DefinedObject | ModuleObject | ForeignObject | CompiledObject


@dataclass(frozen=True, slots=True)
class Module:
    """A module's two faces: its source and the stub beside it; at least one is there."""

    name: str
    source: ModuleSyntax | None
    stub: ModuleSyntax | None

    @property
    def faces(self) -> tuple[ModuleSyntax, ...]:
        """Source first."""
        return tuple(each for each in (self.source, self.stub) if each is not None)

    @property
    def is_package(self) -> bool:
        """Whether it is an ``__init__``."""
        return self.faces[0].is_package


class Namespace:
    """Resolves names among the modules of one distribution; answers are remembered.

    Args:
        modules: by absolute dotted name.
    """

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self.modules = modules
        self._resolved: dict[tuple[str, str], Object | None] = {}
        self._pending: set[tuple[str, str]] = set()
        self._depth = 0
        self._exports: dict[str, tuple[str, ...]] = {}
        self._stars: dict[str, tuple[str, ...]] = {}
        self._export_names: dict[str, frozenset[str] | None] = {}
        # The shallowest modules: below them everything is this distribution's, a compiled module without source too.
        self._roots = frozenset(name for name in modules if not any(parent in modules for parent in _parents(name)))

    @property
    def roots(self) -> frozenset[str]:
        """Modules with no parent in this distribution."""
        return self._roots

    def is_internal(self, module: str) -> bool:
        """Whether a dotted module belongs to this distribution, compiled ones included."""
        return module in self.modules or any(parent in self._roots for parent in (module, *_parents(module)))

    def resolve(self, module: str, name: str) -> Object | None:
        """What ``module.name`` stands for; None where nothing that we can read defines it."""
        key = (module, name)
        if key in self._resolved:
            return self._resolved[key]
        if key in self._pending or len(self._pending) >= _MAX_HOPS:
            # Modules import each other in circles; the way out is a definition or a submodule of that name.
            return self._defined(module, name) or self._submodule(module, name)
        self._pending.add(key)
        found = self._resolve(module, name)
        self._pending.discard(key)
        self._resolved[key] = found
        return found

    def resolve_dotted(self, module: str, dotted: str) -> tuple[Object, str] | None:
        """What a dotted expression in ``module`` stands for, and the part of it that is left below that object."""
        name, _, rest = dotted.partition(".")
        found = self.resolve(module, name)
        while rest and isinstance(found, ModuleObject):
            name, _, rest = rest.partition(".")
            found = self.resolve(found.module, name)
        if found is None:
            return None
        if rest and isinstance(found, ForeignObject):
            return ForeignObject(f"{found.target}.{rest}"), ""
        return found, rest

    def _resolve(self, module: str, name: str) -> Object | None:
        known = self.modules.get(module)
        if known is None:
            return None
        defined = self._defined(module, name)
        if defined is not None and defined.source is not None:
            if not defined.source.is_assignment:
                return defined
            return self._strongest(known, name, self._other_name(module, defined))
        outside: Object | None = None
        for face in known.faces:
            for each in face.imports.get(name, ()):
                found = self._imported(each)
                if isinstance(found, ForeignObject | CompiledObject):
                    outside = outside or (None if each.is_guess else found)
                elif found is not None and found != ModuleObject(module):
                    return self._strongest(known, name, found)
        if defined is not None:
            return self._other_name(module, defined)
        submodule = self._submodule(module, name)
        if submodule is not None and outside is None:
            return submodule
        return self._starred(known, name) or outside or submodule

    def _starred(self, module: Module, name: str) -> Object | None:
        """What a star import brings under a name; a compiled module brings what the list asks for."""
        compiled: CompiledObject | None = None
        for face in module.faces:
            for star in face.stars:
                if star in self.modules:
                    found = self.resolve(star, name) if star != module.name and self._star_has(star, name) else None
                    if found is not None:
                        return found
                elif compiled is None and self.is_internal(star) and name in (self._listed(module.name) or ()):
                    compiled = CompiledObject(star, name)
        return compiled

    def _strongest(self, module: Module, name: str, found: Object) -> Object:
        """``found``, or what the stub makes of the name where the source only assigns it (``ufunc = type(sin)``)."""
        if not _is_weak(found) or module.stub is None:
            return found
        defined = self._defined(module.name, name)
        if defined is not None and not _is_weak(defined):
            return defined
        for each in module.stub.imports.get(name, ()):
            stubbed = self._imported(each)
            if isinstance(stubbed, DefinedObject) and not _is_weak(stubbed):
                return stubbed
        return found

    def _defined(self, module: str, name: str) -> DefinedObject | None:
        known = self.modules.get(module)
        if known is None:
            return None
        source = known.source.definitions.get(name) if known.source else None
        stub = known.stub.definitions.get(name) if known.stub else None
        return DefinedObject(module, name, source, stub) if source or stub else None

    def _submodule(self, module: str, name: str) -> ModuleObject | None:
        dotted = f"{module}.{name}"
        return ModuleObject(dotted) if dotted in self.modules else None

    def _imported(self, each: Import) -> Object | None:
        if not each.attribute:
            if each.module in self.modules:
                return ModuleObject(each.module)
            return None if self.is_internal(each.module) else _foreign(each.module)
        if each.module in self.modules:
            return self.resolve(each.module, each.attribute)
        if self.is_internal(each.module):
            return CompiledObject(each.module, each.attribute)
        dotted = f"{each.module}.{each.attribute}"
        return ModuleObject(dotted) if dotted in self.modules else _foreign(dotted)

    def _other_name(self, module: str, defined: DefinedObject) -> Object:
        """``get = request``: the same object under a second name; anything else is an object of its own."""
        for each in (defined.source, defined.stub):
            if each is None or not each.is_assignment or not each.value or each.doc:
                continue
            if each.value.partition(".")[0] == each.name:
                continue
            found = self.resolve_dotted(module, each.value)
            if found is None or found[1] or not isinstance(found[0], DefinedObject):
                continue
            if not _is_weak(found[0]):
                return found[0]
        return defined

    def exports(self, module: str) -> tuple[str, ...]:
        """The public names of a module, sorted; its submodules are not among them unless it imports them."""
        if module not in self._exports:
            if self._depth >= _MAX_HOPS:
                return ()
            # Star imports go in circles too: what is being asked counts as empty.
            self._exports[module] = ()
            self._depth += 1
            self._exports[module] = tuple(sorted(self._find_exports(self.modules[module])))
            self._depth -= 1
        return self._exports[module]

    def _find_exports(self, module: Module) -> set[str]:
        listed = self._listed(module.name)
        is_governed = any(face.is_stub_governed for face in module.faces)
        if listed and not is_governed and all(not f.exports or f.exports.is_complete for f in module.faces):
            return set(listed)
        names = set(listed or ())
        for face in module.faces:
            names.update(name for name in face.definitions if not is_private(name))
            for name, imports in face.imports.items():
                if not is_private(name) and any(self._is_reexport(face, each, is_governed) for each in imports):
                    names.add(name)
            for star in face.stars:
                if star in self.modules:
                    names.update(self._star_names(star))
        return names - _NOT_EXPORTED

    def _is_reexport(self, face: ModuleSyntax, each: Import, is_governed: bool) -> bool:
        if each.is_explicit or each.is_lazy:
            return True
        if face.is_stub:
            return is_governed and self.is_internal(each.module)
        # `import package.module` inside that package only binds the package again.
        return face.is_package and bool(each.attribute) and self.is_internal(each.module)

    def _listed(self, module: str) -> frozenset[str] | None:
        """The names in ``__all__`` of source and stub, those of other modules' lists included; None without any."""
        if module not in self._export_names:
            self._export_names[module] = None
            self._depth += 1
            names: set[str] = set()
            for face in self.modules[module].faces:
                if face.exports is None:
                    continue
                names.update(face.exports.names)
                for written in face.exports.modules if self._depth < _MAX_HOPS else ():
                    found = self.resolve_dotted(module, written)
                    if found is not None and isinstance(found[0], ModuleObject):
                        names.update(self._star_names(found[0].module))
            self._depth -= 1
            self._export_names[module] = frozenset(names) if names else None
        return self._export_names[module]

    def _star_names(self, module: str) -> Iterable[str]:
        """What ``from module import *`` brings that is this distribution's own: its list, else all it binds."""
        if module not in self._stars:
            if self._depth >= _MAX_HOPS:
                return ()
            self._stars[module] = ()
            self._depth += 1
            listed = self._listed(module)
            names = set(self.exports(module))
            if listed is None:
                for face in self.modules[module].faces:
                    for name, imports in face.imports.items():
                        if any(each.attribute and self.is_internal(each.module) for each in imports):
                            names.add(name)
                    for star in face.stars:
                        if star in self.modules:
                            names.update(self._star_names(star))
                names = {name for name in names if not name.startswith("_")}
            self._depth -= 1
            self._stars[module] = tuple(names)
        return self._stars[module]

    def _star_has(self, module: str, name: str) -> bool:
        """Whether a star import may bring a name: imports that are no re-exports come along as well."""
        listed = self._listed(module)
        if listed is not None and name in listed:
            return True
        return not name.startswith("_") and (
            listed is None or any(face.exports and not face.exports.is_complete for face in self.modules[module].faces)
        )

    def prefixes(self) -> dict[str, list[str]]:
        """For each module the dotted names under which its members are public, its own first where that is public."""
        found = {name: [name] if is_public_module(name) else [] for name in self.modules}
        aliases: list[tuple[str, str]] = []
        for name in self.modules:
            for export in self.exports(name):
                target = self.resolve(name, export)
                # `__all__` may name a submodule whose own name has an underscore: the list wins.
                if isinstance(target, ModuleObject) and (
                    target.module != f"{name}.{export}" or not is_public_module(target.module)
                ):
                    aliases.append((name, export))
        # An alias may lie in a module that is itself public only by an alias: a few rounds settle all real cases.
        for _ in range(3):
            before = {name: tuple(prefixes) for name, prefixes in found.items()}
            for name, export in aliases:
                target = self.resolve(name, export)
                if not isinstance(target, ModuleObject) or name.startswith(f"{target.module}."):
                    continue
                for prefix in tuple(found[name]):
                    _add_prefix(found[target.module], f"{prefix}.{export}", target.module)
            for name in self.modules:
                parent, _, last = name.rpartition(".")
                if parent in found and not is_public_module(parent) and not is_private(last):
                    for prefix in tuple(found[parent]):
                        _add_prefix(found[name], f"{prefix}.{last}", name)
            if all(tuple(prefixes) == before[name] for name, prefixes in found.items()):
                break
        return found


def _is_weak(found: Object) -> bool:
    """Whether an object is nothing but an assigned value."""
    return isinstance(found, DefinedObject) and all(
        side is None or side.is_assignment for side in (found.source, found.stub)
    )


def is_public_module(name: str) -> bool:
    """Whether no part of a module's path is private."""
    return not any(is_private(part) for part in name.split("."))


def _add_prefix(prefixes: list[str], prefix: str, own: str) -> None:
    """Keep a prefix if it is among the shortest; a module's own name stays whatever its length."""
    if prefix in prefixes or prefix.count(".") >= _MAX_PREFIX_SEGMENTS:
        return
    prefixes.append(prefix)
    prefixes.sort(key=lambda each: (each != own, each.count("."), each))
    del prefixes[MAX_MODULE_PREFIXES:]


def _foreign(target: str) -> ForeignObject | None:
    top = target.partition(".")[0]
    return None if top in _STANDARD_LIBRARY or top == "__future__" else ForeignObject(target)


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1)]
