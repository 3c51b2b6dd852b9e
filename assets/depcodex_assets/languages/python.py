"""Python: the public declarations of one distribution.

Here: which files are modules, joining a source with its stub, canonical symbols and aliases, rows. Not here: reading a
file (python_modules), resolving names (python_namespaces).

A symbol is the name a caller writes: of several public names of one object the one with the fewest segments, then the
first by alphabet. The others, the defining path and private paths among them, are aliases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex_assets.languages.declarations import Declaration, SourceFile, unread_file
from depcodex_assets.languages.python_modules import read_module
from depcodex_assets.languages.python_namespaces import (
    CompiledObject,
    DefinedObject,
    ForeignObject,
    Module,
    ModuleObject,
    Namespace,
    Object,
)
from depcodex_assets.languages.python_syntax import Definition, ModuleSyntax
from depcodex_assets.languages.python_text import is_deprecated_by, since_of

LANGUAGE = "python"
# The shortest are the ones people write. Some packages reach one object in hundreds of ways (numpy's scalar types).
MAX_ALIASES = 32
# A class's members repeat its other names, which a lookup of the class finds too; a few keep rows small.
MAX_MEMBER_ALIASES = 8
_STUB_FOLDER_ENDING = "-stubs"


def declarations(coordinate: Coordinate, files: Sequence[SourceFile]) -> Sequence[Declaration]:
    """The public declarations of one distribution's files, sorted by symbol, each symbol once."""
    del coordinate  # its import names are the folders of its files
    modules, problems = _read_modules(files)
    namespace = Namespace(modules)
    rows: dict[str, Declaration] = {}
    for each in _Builder(namespace).rows():
        rows.setdefault(each.symbol, each)
    for each in problems:
        rows.setdefault(each.symbol, each)
    return [rows[symbol] for symbol in sorted(rows)]


def module_name(path: str) -> tuple[str, bool] | None:
    """The dotted module that a file is imported as, and whether it is a package; None when it is no module.

    Folders named ``tests`` hold a package's own tests: nobody calls them, and they can be half of its files (pandas).
    ``numpy.testing`` and ``django.test`` are made for callers and stay.

    Example:
        >>> module_name("requests/__init__.py"), module_name("foo-stubs/bar.pyi"), module_name("a/tests/b.py")
        (('requests', True), ('foo.bar', False), None)
    """
    stem, _, ending = path.rpartition(".")
    if ending not in ("py", "pyi"):
        return None
    parts = stem.split("/")
    if "tests" in parts[:-1]:
        return None
    parts[0] = parts[0].removesuffix(_STUB_FOLDER_ENDING)
    is_package = len(parts) > 1 and parts[-1] == "__init__"
    if is_package:
        del parts[-1]
    if not all(part.isidentifier() for part in parts) or parts == ["__init__"]:
        return None
    return ".".join(parts), is_package


def _read_modules(files: Sequence[SourceFile]) -> tuple[dict[str, Module], list[Declaration]]:
    """Modules by name, sorted, and the rows of files that were not read whole."""
    sources: dict[str, ModuleSyntax] = {}
    stubs: dict[str, ModuleSyntax] = {}
    problems = []
    for file in sorted(files, key=lambda each: each.path):
        named = module_name(file.path)
        if named is None:
            continue
        syntax = read_module(file, named[0], is_package=named[1])
        if syntax.problem is not None:
            problems.append(unread_file(file, LANGUAGE, syntax.problem))
        side = stubs if syntax.is_stub else sources
        # Python takes the package where a module of the same name lies beside it.
        if named[0] not in side or syntax.is_package:
            side[named[0]] = syntax
    names = sorted({*sources, *stubs})
    return {name: Module(name, sources.get(name), stubs.get(name)) for name in names}, problems


class _Builder:
    """Makes the rows of one distribution.

    Args:
        namespace: its modules.
    """

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace
        self._public: dict[Object, list[str]] = {}
        self._private: dict[Object, list[str]] = {}
        self._symbols: dict[tuple[str, str], str] = {}
        self._added_docs: dict[tuple[str, str], str] = {}

    def rows(self) -> Iterator[Declaration]:
        """Objects first: where a function and the module that defines it share a name, callers get the function."""
        self._collect_paths()
        self._collect_added_docs()
        for each, paths in self._public.items():
            if isinstance(each, DefinedObject):
                self._symbols[each.module, each.name] = min(paths, key=_rank)
        for each, paths in self._public.items():
            if isinstance(each, DefinedObject):
                yield from self._object_rows(each, paths)
            elif isinstance(each, ForeignObject | CompiledObject):
                yield self._outside_row(each, paths)
        for each, paths in self._public.items():
            if isinstance(each, ModuleObject):
                yield self._module_row(each, paths)

    def _collect_paths(self) -> None:
        namespace = self._namespace
        prefixes = namespace.prefixes()
        for name in namespace.modules:
            if prefixes[name]:
                self._public.setdefault(ModuleObject(name), []).extend(prefixes[name])
            for export in namespace.exports(name):
                found = namespace.resolve(name, export)
                if found is None:
                    continue
                if isinstance(found, ModuleObject):
                    # All its other names stand on a module's own row: a lookup below any of them goes through it.
                    if prefixes[found.module]:
                        names = [f"{prefix}.{export}" for prefix in prefixes[name]]
                        self._public.setdefault(found, []).extend(names)
                elif prefixes[name]:
                    self._public.setdefault(found, []).extend(f"{prefix}.{export}" for prefix in prefixes[name])
                else:
                    self._private.setdefault(found, []).append(f"{name}.{export}")

    def _collect_added_docs(self) -> None:
        for module in self._namespace.modules.values():
            for face in module.faces:
                for added in face.added_docs:
                    found = self._namespace.resolve(added.module, added.name)
                    if isinstance(found, DefinedObject | CompiledObject):
                        path = f"{found.name}.{added.member}" if added.member else found.name
                        self._added_docs.setdefault((found.module, path), added.doc)

    def _object_rows(self, found: DefinedObject, paths: Sequence[str]) -> Iterator[Declaration]:
        defining = f"{found.module}.{found.name}"
        symbol, aliases = _named(paths, defining, self._private.get(found, ()))
        yield from self._definition_rows(found.module, found.name, found.source, found.stub, symbol, aliases)

    def _definition_rows(
        self,
        module: str,
        name: str,
        source: Definition | None,
        stub: Definition | None,
        symbol: str,
        aliases: tuple[str, ...],
    ) -> Iterator[Declaration]:
        """The row of a definition and, below a class, those of its members."""
        known = self._namespace.modules[module]
        definition = source or stub
        assert definition is not None
        face = known.source if source else known.stub
        assert face is not None
        kind = definition.kind
        if source is not None and stub is not None and source.is_assignment and not stub.is_assignment:
            kind = stub.kind
        doc = definition.doc or (stub.doc if stub else None) or self._added_docs.get((module, name))
        bases = definition.bases or (stub.bases if stub else ())
        yield Declaration(
            symbol=symbol,
            kind=kind,
            name=name,
            defining_path=f"{module}.{name}",
            signatures=_signatures(source, stub),
            doc=doc,
            language=LANGUAGE,
            convention=face.file.convention,
            path=face.file.path,
            line=definition.line,
            file_digest=face.file.file_digest,
            aliases=aliases,
            bases=tuple(self._base(module, base) for base in bases) if bases else (),
            is_deprecated=any(each is not None and each.is_deprecated for each in (source, stub))
            or (doc is not None and is_deprecated_by(doc)),
            since=since_of(doc) if doc is not None else None,
        )
        source_members: Mapping[str, Definition] = source.members if source else {}
        stub_members: Mapping[str, Definition] = stub.members if stub else {}
        if source_members or stub_members:
            short = _capped(aliases, f"{module}.{name}", MAX_MEMBER_ALIASES)
            for member in {**source_members, **stub_members}:
                yield from self._definition_rows(
                    module,
                    f"{name}.{member}",
                    source_members.get(member),
                    stub_members.get(member),
                    f"{symbol}.{member}",
                    tuple(f"{alias}.{member}" for alias in short),
                )

    def _outside_row(self, found: ForeignObject | CompiledObject, paths: Sequence[str]) -> Declaration:
        """Another package's object, to be followed there, or a compiled one of which only the name is known."""
        is_foreign = isinstance(found, ForeignObject)
        # What another package defines has its first own name for a defining path.
        defining = min(paths, key=_rank) if isinstance(found, ForeignObject) else f"{found.module}.{found.name}"
        symbol, aliases = _named(paths, defining, self._private.get(found, ()))
        name = symbol.rpartition(".")[2]
        face, line = self._place_of(symbol)
        doc = None if isinstance(found, ForeignObject) else self._added_docs.get((found.module, found.name))
        return Declaration(
            symbol=symbol,
            kind=schemas.REEXPORT_KIND if is_foreign else _kind_by_name(name),
            name=name,
            defining_path=defining,
            signatures=(),
            doc=doc,
            language=LANGUAGE,
            convention=face.file.convention,
            path=face.file.path,
            line=line,
            file_digest=face.file.file_digest,
            aliases=aliases,
            reexport_target=found.target if isinstance(found, ForeignObject) else None,
        )

    def _place_of(self, symbol: str) -> tuple[ModuleSyntax, int]:
        """Where a re-exported name is imported; the first line of a file where only a longer way leads there."""
        modules = self._namespace.modules
        parent, _, name = symbol.rpartition(".")
        for face in modules[parent].faces if parent in modules else ():
            for each in face.imports.get(name, ()):
                return face, each.line
        while parent and parent not in modules:
            parent = parent.rpartition(".")[0]
        return (modules[parent] if parent else next(iter(modules.values()))).faces[0], 1

    def _module_row(self, found: ModuleObject, paths: Sequence[str]) -> Declaration:
        module = self._namespace.modules[found.module]
        symbol, aliases = _named(paths, found.module)
        face = module.faces[0]
        doc = next((each.doc for each in module.faces if each.doc), None)
        return Declaration(
            symbol=symbol,
            kind="package" if module.is_package and found.module in self._namespace.roots else "module",
            name=found.module.rpartition(".")[2],
            defining_path=found.module,
            signatures=(),
            doc=doc,
            language=LANGUAGE,
            convention=face.file.convention,
            path=face.file.path,
            line=1,
            file_digest=face.file.file_digest,
            aliases=aliases,
            is_deprecated=doc is not None and is_deprecated_by(doc),
            since=since_of(doc) if doc is not None else None,
        )

    def _base(self, module: str, written: str) -> str:
        """A base's dotted path: a symbol of ours, another package's path, or as written (builtins, locals)."""
        resolved = self._namespace.resolve_dotted(module, written)
        if resolved is None:
            return self._imported_path(module, written)
        found, rest = resolved
        if isinstance(found, ForeignObject):
            path = found.target
        elif isinstance(found, ModuleObject):
            path = found.module
        else:
            path = self._symbols.get((found.module, found.name), f"{found.module}.{found.name}")
        return f"{path}.{rest}" if rest else path

    def _imported_path(self, module: str, written: str) -> str:
        """The standard library's and compiled modules' names: by the import alone."""
        first, dot, rest = written.partition(".")
        for face in self._namespace.modules[module].faces:
            for each in face.imports.get(first, ()):
                head = f"{each.module}.{each.attribute}" if each.attribute else each.module
                return f"{head}{dot}{rest}"
        return written


def _signatures(source: Definition | None, stub: Definition | None) -> tuple[str, ...]:
    """The source's own where they carry types or nothing else does, else the stub's."""
    if source is None or stub is None:
        only = source or stub
        return only.signatures if only else ()
    is_typed_by_stub = stub.is_annotated and not source.is_annotated
    return stub.signatures if is_typed_by_stub or not source.signatures else source.signatures


def _kind_by_name(name: str) -> str:
    """What PEP 8's naming says of a compiled object."""
    if name.isupper() and len(name) > 1:
        return "constant"
    return "class" if name[:1].isupper() else "function"


def _rank(path: str) -> tuple[int, str]:
    return path.count("."), path


def _named(public: Sequence[str], defining: str, others: Iterable[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The canonical one of the public paths, and the rest with the others as aliases."""
    symbol = min(public, key=_rank)
    rest = {*public, defining, *others} - {symbol}
    return symbol, _capped(sorted(rest, key=_rank), defining, MAX_ALIASES) if rest else ()


def _capped(aliases: Sequence[str], defining: str, limit: int) -> tuple[str, ...]:
    """The first ``limit`` aliases; the defining path stays whatever its length."""
    if len(aliases) <= limit:
        return tuple(aliases)
    kept = aliases[:limit]
    return tuple(kept) if defining in kept or defining not in aliases else (*kept[:-1], defining)
