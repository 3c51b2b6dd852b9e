"""What a name means inside one crate, or several that are one library, and under which paths callers reach each object.

Here: paths and ``use`` resolved, globs, public paths, which block belongs to which type. Not here: reading files
(rust_files), rows (rust), the crates of the standard library (rust_library).

Spec: the Rust reference, "Use declarations", "Paths", "Name resolution". Types, values and macros are names of their
own; a name that is written out stands before one that a glob brings. Other crates are known by name only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from depcodex_assets.languages.rust_modules import Crate, CrateManifest, Module, Placed
from depcodex_assets.languages.rust_syntax import TYPES, Use

# One module under many names: a prelude that re-exports its own crate would have no end.
_MAX_PREFIXES = 12
_MAX_PATHS = 64
_MAX_STEPS = 60
_MAX_ROUNDS = 40
# Where the standard library re-exports the language's own types.
PRIMITIVES = ("core", "primitive")
_SYSTEM_CRATES = frozenset({"std", "core", "alloc", "proc_macro"})


@dataclass(eq=False, slots=True)
class Definition:
    """An object that the crate defines.

    Attributes:
        module: where.
        placed: its items: one for each platform or feature that has its own.
        blocks: the ``impl`` blocks for it, with the module that each stands in.
    """

    module: Module
    placed: list[Placed]
    blocks: list[tuple[Module, Placed]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Its own name."""
        return self.placed[0].item.name

    @property
    def kind(self) -> str:
        """Its item's kind."""
        return self.placed[0].item.kind

    @property
    def is_public(self) -> bool:
        """Whether callers could name it where its module is public."""
        return any(each.item.is_public for each in self.placed)

    @property
    def is_hidden(self) -> bool:
        """Whether all of it is hidden from readers."""
        return all(each.item.is_hidden for each in self.placed)


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant under a name that a ``use`` gave it."""

    owner: Definition
    name: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """Another crate's object, by its path there."""

    path: tuple[str, ...]


Entity = Module | Definition | Variant | Foreign


@dataclass(frozen=True, slots=True)
class Export:
    """One public name of a module.

    Attributes:
        name: the name.
        entity: what it means.
        use: the line of its ``use``, where one brings it, and the item around it.
    """

    name: str
    entity: Entity
    use: Use | None = None
    placed: Placed | None = None


def namespace_of(entity: Entity) -> str:
    """``type``, ``value`` or ``macro``; "" for other crates' objects, which may be any."""
    match entity:
        case Module():
            return "type"
        case Variant():
            return "value"
        case Foreign():
            return ""
    if entity.kind in TYPES:
        return "type"
    return "macro" if entity.kind == "macro" else "value"


class Namespace:
    """The names of one crate.

    Args:
        crate: its modules; public paths begin at its root.
        manifest: its manifest.
        others: crates that are one library with it, under their names.
        primitives: the language's own types, as ``rust_files`` calls them (``[str]``).
    """

    def __init__(
        self,
        crate: Crate,
        manifest: CrateManifest,
        others: Sequence[Crate] = (),
        primitives: Mapping[str, Definition] | None = None,
    ) -> None:
        self._crate = crate
        self._manifest = manifest
        self._roots = {each.root.path[0]: each.root for each in (crate, *others)}
        self._primitives = primitives or {}
        # The library calls its macros by the paths of their modules, too.
        self._has_macro_paths = bool(others)
        modules = [module for each in (crate, *others) for module in each.modules]
        self._own: dict[Module, dict[str, list[Definition]]] = {}
        self._uses: dict[Module, list[tuple[Use, Placed]]] = {}
        self._exports: dict[Module, list[Export]] = {}
        self._scopes: dict[Module, dict[str, list[Entity]]] = {}
        self._globs: dict[Module, list[Module | Definition]] = {}
        self._macros: dict[tuple[Module, str], Definition] = {}
        self._is_settled = False
        for module in modules:
            self._collect(module)
        self._settle()
        for module in modules:
            self._assign_blocks(module)

    def definitions(self) -> Iterator[Definition]:
        """Everything that has a name, in source order."""
        for names in self._own.values():
            for found in names.values():
                yield from found

    def _collect(self, module: Module) -> None:
        names: dict[str, list[Definition]] = {}
        uses: list[tuple[Use, Placed]] = []
        for placed in module.items:
            item = placed.item
            if item.kind == "use":
                uses += [(each, placed) for each in item.uses]
            elif item.kind == "macro":
                self._add_macro(module, placed)
            elif item.kind != "impl":
                definition = Definition(module, [placed])
                same = next(
                    (
                        each
                        for each in names.get(item.name, ())
                        if namespace_of(each) == namespace_of(definition) and each.kind == item.kind
                    ),
                    None,
                )
                if same is not None:
                    same.placed.append(placed)
                else:
                    names.setdefault(item.name, []).append(definition)
        self._own[module] = names
        self._uses[module] = uses
        self._globs[module] = []
        scope: dict[str, list[Entity]] = {name: list(found) for name, found in names.items()}
        for name, child in module.children.items():
            scope.setdefault(name, []).append(child)
        self._scopes[module] = scope

    def _settle(self) -> None:
        """Gives every module the names that its uses bring: round by round, until a round brings nothing new.

        In the first rounds an unknown first segment waits for a later round; then it is another crate's name.
        """
        for (root, name), macro in self._macros.items():
            if macro.placed[0].item.is_exported:
                if not _is_item(macro):
                    self._scopes[root].setdefault(name, []).append(macro)
                if _is_item(macro) or (self._has_macro_paths and macro.module is not root):
                    self._scopes[macro.module].setdefault(name, []).append(macro)
        for is_last in (False, True):
            self._is_settled = is_last
            for _ in range(_MAX_ROUNDS):
                brought = [self._bring(module, use) for module, uses in self._uses.items() for use, _ in uses]
                if not any(brought):
                    break

    def _bring(self, module: Module, use: Use) -> bool:
        """Whether one use brings something new to its module."""
        scope, globs = self._scopes[module], self._globs[module]
        if use.name and self._is_settled and scope.get(use.name):
            return False
        is_new = False
        for each in self.resolve(module, use.path):
            if use.name:
                known = scope.setdefault(use.name, [])
                if each not in known:
                    known.append(each)
                    is_new = True
            elif isinstance(each, Module | Definition) and each is not module and each not in globs:
                globs.append(each)
                is_new = True
        return is_new

    def _add_macro(self, module: Module, placed: Placed) -> None:
        key = (module.root, placed.item.name)
        known = self._macros.get(key)
        if known is not None and known.placed[0].item.is_exported == placed.item.is_exported:
            known.placed.append(placed)
        elif known is None or placed.item.is_exported:
            self._macros[key] = Definition(module, [placed])

    def _assign_blocks(self, module: Module) -> None:
        for placed in module.items:
            if placed.item.kind != "impl":
                continue
            owner = self.primitive(placed.item.path) or self.type_of(module, placed.item.path)
            if owner is not None:
                owner.blocks.append((module, placed))

    def primitive(self, path: Sequence[str]) -> Definition | None:
        """One of the language's own types, where the library that documents them is read."""
        if len(path) != 1:
            return None
        # The grammar takes the youngest ones (`f16`) for names.
        return self._primitives.get(path[0]) or self._primitives.get(f"[{path[0]}]")

    def type_of(self, module: Module, path: Sequence[str]) -> Definition | None:
        """The type that a path means in a module, through aliases; None where it is none of this crate."""
        for _ in range(_MAX_STEPS):
            found = next((each for each in self.resolve(module, path) if _is_type(each)), None)
            if not isinstance(found, Definition):
                return None
            aliased = found.placed[0].item.path
            if found.kind != "type" or not aliased:
                return found
            module, path = found.module, aliased
        return None

    def resolve(self, module: Module, path: Sequence[str]) -> tuple[Entity, ...]:
        """What a path means where it is written in a module: several where types, values and macros share it."""
        if not path:
            return ()
        segments = list(path)
        first = segments.pop(0)
        at: tuple[Entity, ...]
        if first in ("crate", "$crate"):
            at = (module.root,)
        elif first == "self":
            at = (module,)
        elif first == "super":
            at = (module.parent,) if module.parent is not None else ()
            while segments and segments[0] == "super" and at and isinstance(at[0], Module):
                segments.pop(0)
                at = (at[0].parent,) if at[0].parent is not None else ()
        elif first == "" and segments:
            first = segments.pop(0)
            found = self.lookup(module.root, first) if self._manifest.edition < 2018 else ()
            at = found or (self._other_crate(first),)
        else:
            at = self.lookup(module, first)
            if not at and segments and len(self._roots) > 1 and first in self._roots:
                at = (self._roots[first],)
            if not at and module.parent is not None and (segments or self._manifest.edition < 2018):
                # Paths of `use` begin at the root before 2018; `extern crate` names are reached from everywhere.
                at = self.lookup(module.root, first)
            if not at and segments and (self._is_settled or first in _SYSTEM_CRATES):
                at = (self._other_crate(first),)
        for segment in segments:
            at = tuple(child for each in at for child in self._inside(each, segment))
        return at

    def _other_crate(self, name: str) -> Entity:
        if name in self._roots:
            return self._roots[name]
        return Foreign((self._manifest.renamed.get(name, name),))

    def _inside(self, entity: Entity, name: str) -> tuple[Entity, ...]:
        match entity:
            case Module():
                return self.lookup(entity, name)
            case Foreign():
                return (Foreign((*entity.path, name)),)
            case Definition() if entity.kind == "enum":
                members = (member for each in entity.placed for member in each.item.members)
                return (Variant(entity, name),) if any(each.name == name for each in members) else ()
        return ()

    def lookup(self, module: Module, name: str) -> tuple[Entity, ...]:
        """What a name means inside a module, private names and imports among them; written ones before globs."""
        found = self._scopes[module].get(name)
        if found:
            return tuple(found)
        seen: set[Module | Definition] = {module}
        waiting: list[Module | Definition] = list(self._globs[module])
        brought: list[Entity] = []
        while waiting:
            target = waiting.pop()
            if target in seen:
                continue
            seen.add(target)
            if isinstance(target, Definition):
                brought += self._inside(target, name)
                continue
            inside = self._scopes[target].get(name)
            if inside:
                brought += [each for each in inside if each not in brought]
            else:
                waiting += self._globs[target]
        return tuple(brought)

    def exports(self, module: Module) -> Sequence[Export]:
        """The public names of a module that readers are shown."""
        if module in self._exports:
            return self._exports[module]
        # A circle of globs finds nothing on its way round.
        self._exports[module] = ()  # type: ignore[assignment]
        found: list[Export] = []
        for name, definitions in self._own[module].items():
            found += [Export(name, each) for each in definitions if each.is_public and not each.is_hidden]
        found += [Export(name, each) for name, each in module.children.items() if each.is_public and not each.is_hidden]
        if self._primitives and module.path == PRIMITIVES:
            found += [Export(each.name, each) for each in self._primitives.values()]
        if module.parent is None:
            found += [
                Export(name, each)
                for (root, name), each in self._macros.items()
                if root is module and each.placed[0].item.is_exported and not _is_item(each) and not each.is_hidden
            ]
        if self._has_macro_paths:
            found += [
                Export(name, each)
                for (_, name), each in self._macros.items()
                if _is_item(each) and each.module is module and not each.is_hidden
            ]
        globs: list[Export] = []
        for use, placed in self._uses[module]:
            if not placed.item.is_public or placed.item.is_hidden:
                continue
            for target in self.resolve(module, use.path):
                if use.name:
                    if _is_shown(target):
                        found.append(Export(use.name, target, use, placed))
                else:
                    globs += self._glob_exports(target, use, placed)
        written = {(each.name, namespace_of(each.entity)) for each in found}
        seen = {(each.name, each.entity) for each in found}
        for each in globs:
            key = (each.name, each.entity)
            if (each.name, namespace_of(each.entity)) not in written and key not in seen:
                seen.add(key)
                found.append(each)
        self._exports[module] = found
        return found

    def _glob_exports(self, target: Entity, use: Use, placed: Placed) -> list[Export]:
        match target:
            case Module():
                return [Export(each.name, each.entity, use, placed) for each in self.exports(target)]
            case Definition() if target.kind == "enum" and target.is_public:
                names = dict.fromkeys(
                    member.name for each in target.placed for member in each.item.members if not member.is_hidden
                )
                return [Export(name, Variant(target, name), use, placed) for name in names]
        return []

    def public_paths(self) -> dict[Entity, dict[str, Export | None]]:
        """Entity → its public paths in the order in which they are found, each with the export that makes it."""
        root = self._crate.root
        name = root.path[0]
        paths: dict[Entity, dict[str, Export | None]] = {root: {name: None}}
        waiting: deque[tuple[Module, str, tuple[Module, ...]]] = deque([(root, name, (root,))])
        while waiting:
            module, prefix, chain = waiting.popleft()
            for export in self.exports(module):
                entity = export.entity
                known = paths.setdefault(entity, {})
                path = f"{prefix}::{export.name}"
                if path in known:
                    continue
                if isinstance(entity, Module):
                    if entity in chain or len(known) >= _MAX_PREFIXES:
                        continue
                    waiting.append((entity, path, (*chain, entity)))
                if len(known) < _MAX_PATHS:
                    known[path] = export
        return {entity: found for entity, found in paths.items() if found}


def _is_type(entity: Entity) -> bool:
    return isinstance(entity, Foreign) or (isinstance(entity, Definition) and entity.kind in TYPES)


def _is_item(macro: Definition) -> bool:
    return macro.placed[0].item.macro_kind == "item"


def _is_shown(entity: Entity) -> bool:
    """Whether a re-export of it shows anything: what is private or hidden itself does not become public by it."""
    match entity:
        case Module():
            return entity.is_public and not entity.is_hidden
        case Definition():
            if entity.kind == "macro":
                return entity.placed[0].item.is_exported and not entity.is_hidden
            return entity.is_public and not entity.is_hidden
    return True
