"""JavaScript and TypeScript: the public declarations of one npm package.

Here: canonical symbols and aliases, rows. Not here: reading a file (typescript_statements), resolving names
(typescript_namespaces), which modules a package has (javascript_packages).

A symbol is what a caller writes: module specifier, dot, export, and its members (``next/navigation.useRouter``,
``rxjs.Observable.subscribe``). ``export default`` and ``export =`` are called ``default``, with the declared name as an
alias. Of several names of one object the one with the fewest segments is canonical, ``default`` after all others, then
the first by alphabet. ``@types/x`` describes the modules of ``x``, and its symbols carry that specifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex_assets.languages.declarations import Declaration, SourceFile, unread_file
from depcodex_assets.languages.javascript_packages import SOURCE_ENDINGS, Manifest, Package
from depcodex_assets.languages.jsdoc import DocComment, read_comment
from depcodex_assets.languages.readme import readme_text
from depcodex_assets.languages.typescript_namespaces import (
    DEFAULT,
    DefinedObject,
    ForeignObject,
    Module,
    ModuleObject,
    Modules,
    Object,
)
from depcodex_assets.languages.typescript_statements import read_file
from depcodex_assets.languages.typescript_syntax import RANK_CONSTANT, RANK_NAMESPACE, Definition

LANGUAGE = "typescript"
MAX_ALIASES = 32
MAX_MEMBER_ALIASES = 8
# `export * as z` inside what z holds: names below are the same objects again.
_MAX_NAMESPACE_DEPTH = 4
_MAX_MEMBER_DEPTH = 3
# Names of all objects together; generated clients reach 60,000 (googleapis, 2026-12-01 not measured further).
_MAX_PATHS = 400_000
_TYPES_SCOPE = "@types/"


def declarations(coordinate: Coordinate, files: Sequence[SourceFile]) -> Sequence[Declaration]:
    """The public declarations of one package's files, sorted by symbol, each symbol once."""
    name = f"{coordinate.namespace}/{coordinate.name}" if coordinate.namespace else coordinate.name
    rows: dict[str, Declaration] = {}
    for each in _Builder(name, files).rows():
        rows.setdefault(each.symbol, each)
    return [rows[symbol] for symbol in sorted(rows)]


def specifier_of(package: str) -> str:
    """The specifier that a package's modules are imported by.

    Example:
        >>> specifier_of("rxjs"), specifier_of("@types/react"), specifier_of("@types/babel__core")
        ('rxjs', 'react', '@babel/core')
    """
    if not package.startswith(_TYPES_SCOPE):
        return package
    described = package[len(_TYPES_SCOPE) :]
    scope, mark, rest = described.partition("__")
    return f"@{scope}/{rest}" if mark else described


class _Builder:
    """Makes the rows of one package.

    Args:
        name: the package's name.
        files: its sources, manifests and README.
    """

    def __init__(self, name: str, files: Sequence[SourceFile]) -> None:
        self._name = name
        self._specifier = specifier_of(name)
        self._readme: SourceFile | None = None
        manifests: dict[str, Manifest] = {}
        sources: dict[str, SourceFile] = {}
        for file in sorted(files, key=lambda each: each.path):
            folder, _, base = file.path.rpartition("/")
            if base == "package.json":
                manifests[folder] = Manifest.parse(file.content)
            elif file.language == "readme":
                if not folder and self._readme is None:
                    self._readme = file
            elif file.path.endswith(SOURCE_ENDINGS):
                sources[file.path] = file
        self._manifest_file = next((each for each in files if each.path == "package.json"), None)
        self._package = Package(list(sources), manifests)
        self._modules = Modules(self._package, sources, read_file)
        self._paths: dict[Object, list[str]] = {}
        self._other_names: dict[Object, list[str]] = {}
        self._path_count = 0
        self._symbols: dict[tuple[int, str], str] = {}
        self._entries: dict[str, Module] = {}

    def rows(self) -> Iterator[Declaration]:
        """Objects first, then the modules themselves."""
        self._collect()
        named = {found: _named(paths, self._other_names.get(found, ())) for found, paths in self._paths.items()}
        for found, (symbol, _) in named.items():
            if isinstance(found, DefinedObject):
                self._symbols[found.scope_id, found.name] = symbol
        for found, (symbol, aliases) in named.items():
            if isinstance(found, DefinedObject):
                yield from self._object_rows(found, symbol, aliases)
            elif isinstance(found, ForeignObject):
                yield self._foreign_row(found, symbol, aliases)
            else:
                yield self._module_row(found.module, symbol, aliases, "module")
        yield from self._entry_rows()
        for syntax in self._modules.read_files:
            if syntax.problem is not None:
                yield unread_file(syntax.file, LANGUAGE, syntax.problem)

    def _collect(self) -> None:
        for entry in self._package.entries():
            module = self._modules.at(entry.path)
            # A further file that neither imports nor exports declares globals; nobody imports it for them.
            if module is not None and (module.syntax.is_module or not entry.subpath):
                self._entries[self._specifier + entry.subpath] = module
        self._modules.apply_additions()
        for specifier in sorted(self._modules.ambient):
            self._entries[specifier] = self._modules.ambient[specifier]
        for specifier, module in self._entries.items():
            self._collect_module(specifier, module, (module,))

    def _collect_module(self, path: str, module: Module, above: tuple[Module, ...]) -> None:
        exports = self._modules.exports(module)
        for name, found in exports.items():
            self._add(f"{path}.{name}", found)
            is_whole = name == DEFAULT and module.scope.assigned is not None
            if isinstance(found, DefinedObject):
                if name == DEFAULT and found.name not in exports and found.name != DEFAULT:
                    self._other_names.setdefault(found, []).append(f"{path}.{found.name}")
                # The members of what `export =` gives are the module's own exports.
                if not is_whole:
                    self._collect_namespace(f"{path}.{name}", found, ())
            elif isinstance(found, ModuleObject) and found.module not in above and len(above) < _MAX_NAMESPACE_DEPTH:
                self._collect_module(f"{path}.{name}", found.module, (*above, found.module))

    def _collect_namespace(self, path: str, found: DefinedObject, above: tuple[DefinedObject, ...]) -> None:
        if found in above or len(above) > _MAX_NAMESPACE_DEPTH:
            return
        for definition in found.definitions:
            if definition.scope is None:
                continue
            for name, _ in definition.scope.exported():
                inner = self._modules.resolve_in(found.module, definition.scope, name)
                if inner is None:
                    continue
                self._add(f"{path}.{name}", inner)
                if isinstance(inner, DefinedObject):
                    self._collect_namespace(f"{path}.{name}", inner, (*above, found))

    def _add(self, path: str, found: Object) -> None:
        if self._path_count < _MAX_PATHS:
            self._path_count += 1
            self._paths.setdefault(found, []).append(path)

    def _object_rows(self, found: DefinedObject, symbol: str, aliases: tuple[str, ...]) -> Iterator[Declaration]:
        definitions = sorted(found.definitions, key=lambda each: each.rank)
        if all(each.rank == RANK_NAMESPACE for each in definitions) and symbol.endswith(f".{DEFAULT}"):
            # `export = React` of a namespace: it is the module itself.
            return
        key = found.module.key
        # An ambient module is where its declarations stand; all else is a file.
        file = definitions[0].file or found.module.syntax.file
        where = key.strip('"') if key.startswith('"') else f"{self._name}/{_stem(file.path)}"
        defining = f"{where}.{found.name}"
        if defining != symbol and defining not in aliases:
            aliases = (*aliases[: MAX_ALIASES - 1], defining)
        yield from self._definition_rows(
            found.module, found.scope_id, found.name, definitions, symbol, defining, aliases, 0
        )

    def _definition_rows(
        self,
        module: Module,
        scope_id: int,
        name: str,
        definitions: Sequence[Definition],
        symbol: str,
        defining: str,
        aliases: tuple[str, ...],
        depth: int,
    ) -> Iterator[Declaration]:
        """The row of a name with all its declarations, and those of its members."""
        first = definitions[0]
        file = first.file or module.syntax.file
        doc, is_deprecated, since = _doc_of(definitions)
        signatures = tuple(dict.fromkeys(each for one in _in_order(definitions) for each in one.signatures if each))
        yield Declaration(
            symbol=symbol,
            kind=first.kind,
            name=name,
            defining_path=defining,
            signatures=signatures,
            doc=doc,
            language=_language(file),
            convention=file.convention,
            path=file.path,
            line=first.line,
            file_digest=file.file_digest,
            aliases=aliases,
            bases=tuple(dict.fromkeys(self._base(module, scope_id, base) for one in definitions for base in one.bases)),
            is_deprecated=is_deprecated,
            since=since,
        )
        if depth >= _MAX_MEMBER_DEPTH:
            return
        members: dict[str, list[Definition]] = {}
        for each in definitions:
            for member, found in each.members.items():
                if each.file is not None:
                    for one in found:
                        one.file = each.file
                members.setdefault(member, []).extend(found)
        short = aliases[:MAX_MEMBER_ALIASES] if members else ()
        for member, found in members.items():
            yield from self._definition_rows(
                module,
                scope_id,
                f"{name}.{member}",
                found,
                f"{symbol}.{member}",
                f"{defining}.{member}",
                tuple(f"{alias}.{member}" for alias in short),
                depth + 1,
            )

    def _base(self, module: Module, scope_id: int, written: str) -> str:
        """A base as a symbol of ours, as another package's name, or as written."""
        scope = module.scopes.get(scope_id, module.scope)
        found = self._modules.resolve_name(module, scope, "".join(written.split()))
        if isinstance(found, ForeignObject):
            return found.target
        if isinstance(found, DefinedObject):
            return self._symbols.get((found.scope_id, found.name), written)
        return written

    def _foreign_row(self, found: ForeignObject, symbol: str, aliases: tuple[str, ...]) -> Declaration:
        file = found.module.syntax.file
        return Declaration(
            symbol=symbol,
            kind=schemas.REEXPORT_KIND,
            name=symbol.rpartition(".")[2],
            defining_path=symbol,
            signatures=(),
            doc=None,
            language=_language(file),
            convention=file.convention,
            path=file.path,
            line=found.line,
            file_digest=file.file_digest,
            aliases=aliases,
            reexport_target=found.target,
        )

    def _module_row(self, module: Module, symbol: str, aliases: tuple[str, ...], kind: str) -> Declaration:
        file = module.syntax.file
        own = module.syntax.comment
        comment = (
            read_comment(own) if own is not None and not module.key.startswith('"') else DocComment("", False, None)
        )
        return Declaration(
            symbol=symbol,
            kind=kind,
            name=symbol.rpartition(".")[2]
            if kind == "module" and "." in symbol and symbol not in self._entries
            else symbol,
            defining_path=f"{self._name}/{_stem(file.path)}",
            signatures=(),
            doc=comment.text or None,
            language=_language(file),
            convention=file.convention,
            path=file.path,
            line=1,
            file_digest=file.file_digest,
            aliases=aliases,
            bases=self._module_bases(module),
            is_deprecated=comment.is_deprecated,
            since=comment.since,
        )

    def _module_bases(self, module: Module) -> tuple[str, ...]:
        """Where else a module's names are found: packages it passes on whole, the type of what it is."""
        found = self._modules.foreign_stars(module)
        default = self._modules.resolve_export(module, DEFAULT)
        if isinstance(default, DefinedObject):
            for definition in default.definitions:
                if definition.rank == RANK_CONSTANT:
                    found += [self._base(default.module, default.scope_id, base) for base in definition.bases]
        return tuple(dict.fromkeys(found))

    def _entry_rows(self) -> Iterator[Declaration]:
        """One row for the package and one for each further module that can be imported."""
        main = self._entries.get(self._specifier)
        yield from self._package_row(main)
        for specifier, module in self._entries.items():
            if specifier not in (self._specifier, self._name):
                yield self._module_row(module, specifier, (), "module")

    def _package_row(self, main: Module | None) -> Iterator[Declaration]:
        aliases = (self._specifier,) if self._specifier != self._name else ()
        row = self._module_row(main, self._name, aliases, "package") if main is not None else None
        if row is not None and row.doc is not None:
            yield row
            return
        text = readme_text(self._readme.content, self._readme.path) if self._readme is not None else None
        file = self._readme if text else self._manifest_file
        if text is None and row is not None:
            yield row
        elif file is not None:
            yield Declaration(
                symbol=self._name,
                kind="package",
                name=self._name,
                defining_path=self._name,
                signatures=(),
                doc=text,
                language="readme" if text else LANGUAGE,
                convention="readme" if text else "jsdoc",
                path=file.path,
                line=1,
                file_digest=file.file_digest,
                aliases=aliases,
                bases=row.bases if row is not None else (),
            )


def _in_order(definitions: Sequence[Definition]) -> list[Definition]:
    """Namespaces last: their one signature says nothing that the others do not."""
    others = [each for each in definitions if each.rank != RANK_NAMESPACE]
    return others or list(definitions)


def _doc_of(definitions: Sequence[Definition]) -> tuple[str | None, bool, str | None]:
    """The docs of all declarations of a name, each once; deprecated where every declaration that has one says so."""
    comments = [comment for each in definitions for comment in each.comments]
    if not comments:
        return None, False, None
    read = [read_comment(each) for each in dict.fromkeys(comments)]
    text = "\n\n".join(dict.fromkeys(each.text for each in read if each.text))
    overloads = [each for each in definitions if each.rank != RANK_NAMESPACE]
    is_deprecated = all(each.is_deprecated for each in read) and all(each.comments for each in overloads)
    return text or None, is_deprecated, next((each.since for each in read if each.since), None)


def _language(file: SourceFile) -> str:
    return "javascript" if file.language == "javascript" else LANGUAGE


def _stem(path: str) -> str:
    for ending in (".d.ts", ".d.mts", ".d.cts", *SOURCE_ENDINGS):
        if path.endswith(ending):
            return path[: -len(ending)]
    return path


def _rank(path: str) -> tuple[bool, int, bool, str]:
    return path.startswith("node:"), path.count(".") + path.count("/"), path.endswith(f".{DEFAULT}"), path


def _named(paths: Iterable[str], others: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The canonical path, and the rest with the others as aliases, shortest first."""
    symbol = min(paths, key=_rank)
    rest = {*paths, *others} - {symbol}
    return symbol, tuple(sorted(rest, key=_rank)[:MAX_ALIASES])
