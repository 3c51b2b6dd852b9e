"""Names resolved across the files of one package.

Here: modules by key, what each exports, and what a name stands for in the end. Not here: reading files
(typescript_statements), package.json (javascript_packages), rows (typescript).

Files are read when something leads to them: most of a package's files are reached from no entry point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.javascript_packages import DECLARATION_ENDINGS, Package
from depcodex_assets.languages.typescript_syntax import WHOLE, Definition, FileSyntax, Reference, Scope

DEFAULT = "default"
# Re-exports are followed this far; real chains have about ten steps (rxjs, next, 2026-12-01).
_MAX_STEPS = 60


@dataclass(frozen=True, slots=True)
class DefinedObject:
    """A name that a scope of ours declares; all declarations of it are one object."""

    module: Module
    scope_id: int
    name: str

    @property
    def scope(self) -> Scope:
        """The scope that declares it."""
        return self.module.scopes[self.scope_id]

    @property
    def definitions(self) -> list[Definition]:
        """Its declarations."""
        return self.scope.definitions[self.name]


@dataclass(frozen=True, slots=True)
class ModuleObject:
    """A module as an object (``export * as ns``)."""

    module: Module


@dataclass(frozen=True, slots=True)
class ForeignObject:
    """Another package's object.

    Attributes:
        target: ``specifier.name``, or the specifier alone for a whole module.
        module: where it is imported.
        line: of the import.
    """

    target: str
    module: Module
    line: int


Object = DefinedObject | ModuleObject | ForeignObject


class Module:
    """One module: a file or an ambient ``declare module`` block.

    Args:
        key: its path, or ``"specifier"`` in quotes for an ambient one.
        syntax: the file it stands in.
        scope: its top scope.
    """

    def __init__(self, key: str, syntax: FileSyntax, scope: Scope) -> None:
        self.key = key
        self.syntax = syntax
        self.scope = scope
        # Scopes that objects were found in; objects are compared by identity of their scope.
        self.scopes: dict[int, Scope] = {}


class Modules:
    """All modules of one package, read as they are needed.

    Args:
        package: its files and manifests.
        files: sources by path.
        read: reads one.
    """

    def __init__(
        self, package: Package, files: Mapping[str, SourceFile], read: Callable[[SourceFile], FileSyntax]
    ) -> None:
        self._package = package
        self._files = files
        self._read = read
        self._by_path: dict[str, Module | None] = {}
        self.ambient: dict[str, Module] = {}
        self._exports: dict[str, dict[str, Reference | tuple[Module, str]]] = {}
        self._additions: list[tuple[str, FileSyntax, Scope]] = []
        # What files declare for the global scope: a module may export such a name (`export { Buffer }`).
        self._globals: Module | None = None
        self._resolving: set[tuple[str, int, str]] = set()

    @property
    def read_files(self) -> list[FileSyntax]:
        """The files that were read, by path."""
        return [each.syntax for _, each in sorted(self._by_path.items()) if each is not None]

    def at(self, path: str) -> Module | None:
        """The module of a file, read now where it was not yet."""
        waiting = [path]
        while waiting:
            current = waiting.pop()
            if current in self._by_path:
                continue
            file = self._files.get(current)
            if file is None:
                self._by_path[current] = None
                continue
            syntax = self._read(file)
            self._by_path[current] = Module(current, syntax, syntax.scope)
            for specifier, scope in syntax.ambient.items():
                self._add_ambient(specifier, syntax, scope)
            self._add_globals(syntax, syntax.globals)
            if not syntax.is_module and syntax.file.path.endswith(DECLARATION_ENDINGS):
                self._add_globals(syntax, syntax.scope)
            for each in syntax.references:
                found = self._package.resolve(each if each.startswith(".") else f"./{each}", current)
                if found is not None:
                    waiting.append(found)
        return self._by_path[path]

    def _add_globals(self, syntax: FileSyntax, scope: Scope) -> None:
        if not scope.definitions:
            return
        if self._globals is None:
            self._globals = Module("//global", syntax, Scope())
        known = self._globals.scope.definitions
        for name, definitions in scope.definitions.items():
            for each in definitions:
                each.file = each.file or syntax.file
            known.setdefault(name, []).extend(definitions)

    def _add_ambient(self, specifier: str, syntax: FileSyntax, scope: Scope) -> None:
        """``declare module "x"``: a module in a file that is none itself, else an addition to another one."""
        if "*" in specifier or not specifier:
            return
        if syntax.is_module:
            path = self._package.resolve(specifier, syntax.file.path)
            if path is not None and path != syntax.file.path:
                self._additions.append((path, syntax, scope))
            return
        known = self.ambient.get(specifier)
        if known is None:
            self.ambient[specifier] = Module(f'"{specifier}"', syntax, scope)
        elif known.scope is not scope:
            known.scope.merge(scope, syntax.file)

    def apply_additions(self) -> None:
        """Merges what ``declare module "./own"`` blocks add to modules of this package, as far as those were read."""
        while self._additions:
            path, syntax, scope = self._additions.pop(0)
            module = self.at(path)
            if module is None:
                continue
            target = module.scope
            assigned = target.assigned
            if assigned is not None and not assigned.specifier:
                spaces = [each.scope for each in target.definitions.get(assigned.name, ()) if each.scope is not None]
                target = spaces[0] if spaces else target
            scope.is_implicit = True
            target.merge(scope, syntax.file)

    def of_specifier(self, specifier: str, importer: Module) -> Module | None:
        """The module that a specifier means; None where it is another package's."""
        known = self.ambient.get(specifier)
        if known is not None:
            return known
        path = self._package.resolve(specifier, importer.syntax.file.path)
        return self.at(path) if path is not None else None

    def exports(self, module: Module) -> dict[str, Object]:
        """What a module exports, by name; a name of ``export *`` gives way to an explicit one."""
        found: dict[str, Object] = {}
        seen: set[str] = set()
        waiting = [module]
        while waiting:
            current = waiting.pop(0)
            if current.key in seen:
                continue
            seen.add(current.key)
            for name in self._own_names(current):
                if name in found or (name == DEFAULT and current is not module):
                    continue
                resolved = self.resolve_export(current, name)
                if resolved is not None:
                    found[name] = resolved
            for star in current.scope.stars:
                following = self.of_specifier(star.specifier, current)
                if following is not None:
                    waiting.append(following)
            passed_on = self._assigned_module(current)
            if passed_on is not None:
                waiting.append(passed_on)
        return found

    def foreign_stars(self, module: Module) -> list[str]:
        """Packages whose exports a module passes on whole."""
        found: list[str] = []
        seen: set[str] = set()
        waiting = [module]
        while waiting:
            current = waiting.pop(0)
            if current.key in seen:
                continue
            seen.add(current.key)
            for star in current.scope.stars:
                following = self.of_specifier(star.specifier, current)
                if following is not None:
                    waiting.append(following)
                elif not star.specifier.startswith((".", "#", "/")) and star.specifier not in found:
                    found.append(star.specifier)
            assigned = self._assigned(current)
            if isinstance(assigned, ForeignObject) and assigned.target not in found:
                found.append(assigned.target)
        return found

    def _own_names(self, module: Module) -> Iterator[str]:
        scope = module.scope
        assigned = self._assigned(module)
        if scope.assigned is not None:
            if isinstance(assigned, DefinedObject):
                yield DEFAULT
                for definition in assigned.definitions:
                    if definition.scope is not None:
                        for name, _ in definition.scope.exported():
                            yield name
            for name in scope.exports:
                yield name
            return
        for name, _ in scope.exported():
            yield name

    def _assigned(self, module: Module) -> Object | None:
        """What ``export =`` stands for."""
        assigned = module.scope.assigned
        if assigned is None:
            return None
        return self._follow(module, module.scope, assigned, 0)

    def _assigned_module(self, module: Module) -> Module | None:
        """The module that another one is (``module.exports = require("./x")``)."""
        assigned = module.scope.assigned
        if assigned is not None and assigned.specifier and assigned.name == WHOLE:
            return self.of_specifier(assigned.specifier, module)
        found = self._assigned(module)
        return found.module if isinstance(found, ModuleObject) and found.module is not module else None

    def resolve_export(self, module: Module, name: str, steps: int = 0) -> Object | None:
        """What an exported name stands for; None where nothing is known of it."""
        mark = (module.key, 0, name)
        if steps > _MAX_STEPS or mark in self._resolving:
            return None
        self._resolving.add(mark)
        try:
            return self._resolve_export(module, name, steps)
        finally:
            self._resolving.discard(mark)

    def _resolve_export(self, module: Module, name: str, steps: int) -> Object | None:
        scope = module.scope
        reference = scope.exports.get(name)
        if reference is None and scope.is_implicit and name in scope.definitions and name != scope.only_default:
            reference = Reference("", name)
        if reference is not None:
            return self._follow(module, scope, reference, steps + 1)
        if scope.assigned is not None:
            assigned = self._follow(module, scope, scope.assigned, steps + 1)
            if name == DEFAULT:
                return assigned
            if assigned is not None:
                return self._member(assigned, name, steps + 1)
        for star in scope.stars if name != DEFAULT else ():
            following = self.of_specifier(star.specifier, module)
            if following is not None:
                found = self.resolve_export(following, name, steps + 1)
                if found is not None:
                    return found
        return None

    def _follow(self, module: Module, scope: Scope, reference: Reference, steps: int) -> Object | None:
        if steps > _MAX_STEPS:
            return None
        if not reference.specifier:
            head, *rest = reference.name.split(".")
            found = self._lookup(module, scope, head, steps + 1)
            for each in rest:
                found = self._member(found, each, steps + 1) if found is not None else None
            return found
        following = self.of_specifier(reference.specifier, module)
        if following is None:
            if reference.specifier.startswith((".", "#", "/")):
                return None
            target = reference.specifier if reference.name == WHOLE else f"{reference.specifier}.{reference.name}"
            return ForeignObject(target, module, reference.line)
        if reference.name == WHOLE:
            assigned = following.scope.assigned
            if assigned is not None and steps < _MAX_STEPS:
                whole = self._guarded_assigned(following, steps)
                if whole is not None:
                    return whole
            return ModuleObject(following)
        found = self.resolve_export(following, reference.name, steps + 1)
        if found is None and reference.name == DEFAULT and following.syntax.file.language == "javascript":
            return ModuleObject(following)
        return found

    def _guarded_assigned(self, module: Module, steps: int) -> Object | None:
        mark = (module.key, 1, WHOLE)
        if mark in self._resolving or module.scope.assigned is None:
            return None
        self._resolving.add(mark)
        try:
            return self._follow(module, module.scope, module.scope.assigned, steps + 1)
        finally:
            self._resolving.discard(mark)

    def _lookup(self, module: Module, scope: Scope | None, name: str, steps: int) -> Object | None:
        """A name as a scope sees it, its own first."""
        while scope is not None:
            if name in scope.definitions:
                module.scopes[id(scope)] = scope
                return DefinedObject(module, id(scope), name)
            reference = scope.references.get(name)
            if reference is not None and reference != Reference("", name, reference.line):
                mark = (module.key, id(scope), name)
                if mark in self._resolving:
                    return None
                self._resolving.add(mark)
                try:
                    return self._follow(module, scope, reference, steps + 1)
                finally:
                    self._resolving.discard(mark)
            scope = scope.parent
        if self._globals is not None and name in self._globals.scope.definitions:
            self._globals.scopes[id(self._globals.scope)] = self._globals.scope
            return DefinedObject(self._globals, id(self._globals.scope), name)
        return None

    def _member(self, found: Object, name: str, steps: int) -> Object | None:
        if isinstance(found, ModuleObject):
            return self.resolve_export(found.module, name, steps + 1)
        if isinstance(found, ForeignObject):
            return ForeignObject(f"{found.target}.{name}", found.module, found.line)
        for definition in found.definitions:
            if definition.scope is not None:
                resolved = self.resolve_in(found.module, definition.scope, name, steps + 1)
                if resolved is not None:
                    return resolved
        return None

    def resolve_in(self, module: Module, scope: Scope, name: str, steps: int = 0) -> Object | None:
        """What a name that a namespace exports stands for."""
        reference = scope.exports.get(name)
        if reference is None:
            if (scope.is_implicit and name in scope.definitions) or (name in scope.references and scope.is_implicit):
                reference = Reference("", name)
            else:
                return None
        return self._follow(module, scope, reference, steps + 1)

    def resolve_name(self, module: Module, scope: Scope, dotted: str) -> Object | None:
        """What a dotted name means inside a scope (a base in a heritage)."""
        return self._follow(module, scope, Reference("", dotted), 0)
