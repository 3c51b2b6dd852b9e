"""Rust: the public declarations of one crate.

Here: canonical symbols and aliases, rows of items and their members. Not here: reading files (rust_files), the tree of
modules (rust_modules), what a name means (rust_names), the standard library's crates (rust_library), Markdown
(rustdoc_markdown).

A symbol is the path a caller writes, ``tokio::sync::Mutex::lock``: of several public paths of one item the one with the
fewest segments, then the first by alphabet. A type's bases are the traits that it implements, and what it dereferences
to, so that a lookup of an item that comes from them is followed there; trait implementations are no declarations.
What only some features bring says so in its signature: ``#[cfg(feature = "json")] pub fn json(...)``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex.lockfiles.standard_library import is_standard_library
from depcodex_assets.languages.declarations import Declaration, SourceFile, unread_file
from depcodex_assets.languages.readme import readme_text
from depcodex_assets.languages.rust_attributes import label_of
from depcodex_assets.languages.rust_library import read_library
from depcodex_assets.languages.rust_modules import CrateManifest, Module, read_crate, read_manifest
from depcodex_assets.languages.rust_names import Definition, Entity, Export, Foreign, Namespace, Variant
from depcodex_assets.languages.rust_syntax import Item
from depcodex_assets.languages.rustdoc_markdown import plain_text

LANGUAGE = "rust"
CONVENTION = "rust"
MAX_ALIASES = 32
MAX_MEMBER_ALIASES = 8
_MAX_BASES = 64
_MANIFEST = "Cargo.toml"
_KINDS = {
    "struct": "class",
    "enum": "class",
    "union": "class",
    "trait": "class",
    "type": "type",
    "function": "function",
    "macro": "function",
    "constant": "constant",
    "static": "constant",
    "variant": "constant",
    "field": "property",
}


def declarations(coordinate: Coordinate, files: Sequence[SourceFile]) -> Sequence[Declaration]:
    """The public declarations of one crate's files, sorted by symbol, each symbol once; none of a crate of programs."""
    by_path = {each.path: each for each in files}
    if is_standard_library(coordinate):
        return _library_declarations(by_path)
    manifest_file = by_path.get(_MANIFEST)
    manifest = read_manifest(manifest_file.content if manifest_file else None, coordinate.name)
    crate = read_crate(manifest, by_path)
    if crate is None:
        return []
    rows = _Rows()
    for each in _Builder(Namespace(crate, manifest), crate.root, manifest, by_path).declarations():
        rows.add(each)
    for file, problem in crate.problems:
        rows.add(unread_file(file, LANGUAGE, problem))
    return rows.sorted()


def _library_declarations(by_path: Mapping[str, SourceFile]) -> Sequence[Declaration]:
    """The declarations of the standard library under the names of ``std``; what only its parts name is not in it."""
    library = read_library(by_path)
    if library is None:
        return []
    namespace = Namespace(library.std, library.manifest, library.others, library.primitives)
    rows = _Rows()
    for each in _Builder(namespace, library.std.root, library.manifest, by_path).declarations():
        rows.add(each)
    for crate in (library.std, *library.others):
        for file, problem in crate.problems:
            rows.add(unread_file(file, LANGUAGE, problem))
    return rows.sorted()


class _Rows:
    """Declarations by symbol. A field and a method, a trait and its macro may share one: they become one row."""

    def __init__(self) -> None:
        self._rows: dict[str, Declaration] = {}

    def add(self, row: Declaration) -> None:
        known = self._rows.get(row.symbol)
        if known is None or known.kind == schemas.REEXPORT_KIND:
            self._rows[row.symbol] = row
        elif row.kind != schemas.REEXPORT_KIND:
            docs = dict.fromkeys(each for each in (known.doc, row.doc) if each)
            self._rows[row.symbol] = dataclasses.replace(
                known,
                signatures=tuple(dict.fromkeys((*known.signatures, *row.signatures))),
                doc="\n\n".join(docs) or None,
                aliases=tuple(dict.fromkeys((*known.aliases, *row.aliases)))[:MAX_ALIASES],
                bases=tuple(dict.fromkeys((*known.bases, *row.bases))),
                is_deprecated=known.is_deprecated and row.is_deprecated,
                is_experimental=known.is_experimental and row.is_experimental,
            )

    def sorted(self) -> list[Declaration]:
        return [self._rows[symbol] for symbol in sorted(self._rows)]


@dataclass(frozen=True)
class _Member:
    """A member of a type, as one of its blocks or its own body writes it."""

    item: Item
    file: SourceFile
    conditions: tuple[str, ...]
    kind: str


class _Builder:
    """Makes the rows of one crate."""

    def __init__(
        self, namespace: Namespace, root: Module, manifest: CrateManifest, files: Mapping[str, SourceFile]
    ) -> None:
        self._namespace = namespace
        self._root = root
        self._manifest = manifest
        self._files = files
        self._paths: dict[Entity, dict[str, Export | None]] = namespace.public_paths()
        self._symbols = {entity: min(paths, key=_rank) for entity, paths in self._paths.items()}
        self._is_proc_macro = any(
            placed.item.macro_kind for module in (root,) for placed in module.items if placed.item.is_public
        )

    def declarations(self) -> Iterator[Declaration]:
        """Items before modules before other crates' objects: where names are shared, callers get the first."""
        variants: dict[tuple[Definition, str], list[str]] = {}
        for entity, paths in self._paths.items():
            if isinstance(entity, Variant):
                variants.setdefault((entity.owner, entity.name), []).extend(paths)
        for entity, paths in self._paths.items():
            if isinstance(entity, Definition) and (not self._is_proc_macro or entity.placed[0].item.macro_kind):
                yield from self._definition_rows(entity, paths, variants)
        for (owner, name), paths_of in variants.items():
            if owner not in self._paths:
                yield from self._loose_variant(owner, name, paths_of)
        for entity, paths in self._paths.items():
            if isinstance(entity, Module) and (not self._is_proc_macro or entity is self._root):
                yield self._module_row(entity, paths)
        for entity, paths in self._paths.items():
            if isinstance(entity, Foreign):
                yield self._foreign_row(entity, paths)

    def _definition_rows(
        self,
        found: Definition,
        paths: Mapping[str, Export | None],
        variants: Mapping[tuple[Definition, str], Sequence[str]],
    ) -> Iterator[Declaration]:
        defining = "::".join((*found.module.path, found.name))
        symbol, aliases = _named(paths, defining)
        first = found.placed[0]
        is_unstable = all(_is_unstable(each.item, is_around=found.module.is_unstable) for each in found.placed)
        doc = self._doc(each.item.doc for each in found.placed)
        if doc is None:
            doc = self._doc(each.placed.item.doc for each in paths.values() if each is not None and each.placed)
        yield Declaration(
            symbol=symbol,
            kind=_KINDS[found.kind],
            name=found.name,
            defining_path=defining,
            signatures=_signatures((each.item, each.conditions) for each in found.placed),
            doc=doc,
            language=LANGUAGE,
            convention=CONVENTION,
            path=first.file.path,
            line=first.item.line,
            file_digest=first.file.file_digest,
            aliases=aliases,
            bases=self._bases(found),
            is_deprecated=all(each.item.is_deprecated for each in found.placed),
            is_experimental=is_unstable,
            since=_version(first.item.since),
        )
        members: dict[str, list[_Member]] = {}
        for each in self._members(found):
            members.setdefault(each.item.name, []).append(each)
        short = aliases[:MAX_MEMBER_ALIASES]
        for name, written in members.items():
            others = variants.get((found, name), ())
            yield from self._member_rows(found.name, defining, written, symbol, short, others, is_around=is_unstable)

    def _members(self, found: Definition) -> Iterator[_Member]:
        """Methods before fields: callers mean the first where both have a name."""
        for _, block in found.blocks:
            if block.item.bases or block.item.is_hidden:
                continue
            for item in block.item.members:
                if item.is_public and not item.is_hidden and item.kind != "use":
                    kind = "method" if item.kind == "function" else _KINDS.get(item.kind, "")
                    if kind:
                        yield _Member(item, block.file, (*block.conditions, *item.conditions), kind)
        for placed in found.placed:
            for item in placed.item.members:
                if item.is_public and not item.is_hidden:
                    kind = "method" if item.kind == "function" else _KINDS.get(item.kind, "")
                    if kind:
                        yield _Member(item, placed.file, (*placed.conditions, *item.conditions), kind)

    def _member_rows(
        self,
        owner: str,
        defining: str,
        written: Sequence[_Member],
        symbol: str,
        aliases: Sequence[str],
        others: Sequence[str] = (),
        *,
        is_around: bool = False,
    ) -> Iterator[Declaration]:
        first = written[0]
        is_unstable = all(_is_unstable(each.item, is_around=is_around) for each in written)
        name = f"{owner}::{first.item.name}"
        own = f"{symbol}::{first.item.name}"
        known = dict.fromkeys([*others, *(f"{each}::{first.item.name}" for each in aliases)])
        known.pop(own, None)
        yield Declaration(
            symbol=own,
            kind=first.kind,
            name=name,
            defining_path=f"{defining}::{first.item.name}",
            signatures=_signatures((each.item, each.conditions) for each in written),
            doc=self._doc(each.item.doc for each in written),
            language=LANGUAGE,
            convention=CONVENTION,
            path=first.file.path,
            line=first.item.line,
            file_digest=first.file.file_digest,
            aliases=tuple(sorted(known, key=_rank)[:MAX_ALIASES]),
            is_deprecated=all(each.item.is_deprecated for each in written),
            is_experimental=is_unstable,
            since=_version(first.item.since),
        )
        if first.item.kind == "variant":
            for field in first.item.members:
                if not field.is_hidden:
                    member = _Member(field, first.file, (*first.conditions, *field.conditions), "property")
                    inner = f"{defining}::{first.item.name}"
                    yield from self._member_rows(name, inner, [member], own, list(known), is_around=is_unstable)

    def _loose_variant(self, owner: Definition, name: str, paths: Sequence[str]) -> Iterator[Declaration]:
        """A variant whose enum has no public path of its own."""
        for placed in owner.placed:
            for item in placed.item.members:
                if item.name == name and not item.is_hidden:
                    symbol = min(paths, key=_rank)
                    member = _Member(item, placed.file, (*placed.conditions, *item.conditions), "constant")
                    defining = "::".join((*owner.module.path, owner.name))
                    rows = self._member_rows(owner.name, defining, [member], symbol.rpartition("::")[0], ())
                    yield from (dataclasses.replace(each, symbol=symbol) for each in rows if each.kind == "constant")
                    return

    def _module_row(self, module: Module, paths: Mapping[str, Export | None]) -> Declaration:
        defining = "::".join(module.path)
        symbol, aliases = _named(paths, defining)
        file, convention, doc = module.file, CONVENTION, self._doc([module.doc])
        if doc is None and module is self._root:
            readme = self._readme()
            if readme is not None:
                file, convention = readme, readme.convention
                doc = readme_text(readme.content, readme.path)
        label = label_of(module.conditions)
        return Declaration(
            symbol=symbol,
            kind="package" if module is self._root else "module",
            name=module.path[-1],
            defining_path=defining,
            signatures=(f"{label} pub mod {module.path[-1]}",) if label else (),
            doc=doc,
            language=LANGUAGE,
            convention=convention,
            path=file.path,
            line=module.line,
            file_digest=file.file_digest,
            aliases=aliases,
            is_deprecated=module.is_deprecated,
            is_experimental=module.is_unstable,
        )

    def _readme(self) -> SourceFile | None:
        if self._manifest.readme in self._files:
            return self._files[self._manifest.readme]
        return next((self._files[path] for path in sorted(self._files) if self._files[path].language == "readme"), None)

    def _foreign_row(self, found: Foreign, paths: Mapping[str, Export | None]) -> Declaration:
        """Another crate's object, to be followed there."""
        symbol, aliases = _named(paths, min(paths, key=_rank))
        export = paths[symbol]
        placed = export.placed if export else None
        file = placed.file if placed else self._root.file
        return Declaration(
            symbol=symbol,
            kind=schemas.REEXPORT_KIND,
            name=symbol.rpartition("::")[2],
            defining_path=symbol,
            signatures=(),
            doc=None,
            language=LANGUAGE,
            convention=CONVENTION,
            path=file.path,
            line=export.use.line if export and export.use else 1,
            file_digest=file.file_digest,
            aliases=aliases,
            reexport_target="::".join(found.path),
        )

    def _bases(self, found: Definition) -> tuple[str, ...]:
        bases: dict[str, None] = {}
        for placed in found.placed:
            for path in placed.item.bases:
                bases[self._base(found.module, path)] = None
            if placed.item.kind == "type" and placed.item.path:
                bases[self._base(found.module, placed.item.path)] = None
        for module, block in found.blocks:
            for path in block.item.bases:
                bases[self._base(module, path)] = None
                if path[-1] == "Deref":
                    target = next((each for each in block.item.members if each.name == "Target"), None)
                    if target is not None and target.path:
                        bases[self._base(module, target.path)] = None
        bases.pop("", None)
        return tuple(bases)[:_MAX_BASES]

    def _base(self, module: Module, path: Sequence[str]) -> str:
        """The path of a trait or type: a symbol of ours or another crate's; "" for the prelude's and parameters."""
        primitive = self._namespace.primitive(path)
        for entity in (primitive,) if primitive is not None else self._namespace.resolve(module, path):
            if isinstance(entity, Foreign):
                return "::".join(entity.path)
            if isinstance(entity, Definition):
                return self._symbols.get(entity, "::".join((*entity.module.path, entity.name)))
        return ""

    def _doc(self, written: Iterable[str | None]) -> str | None:
        """The plain text of the first of several docs of one thing."""
        for each in written:
            text = plain_text(each) if each else None
            if text:
                return text
        return None


def _signatures(written: Iterable[tuple[Item, tuple[str, ...]]]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for item, conditions in written:
        label = label_of(conditions)
        text = _written_signature(item)
        # Each arm of a macro is a way to call it.
        for line in text.split("\n") if item.kind == "macro" else [" ".join(text.split("\n"))]:
            if line:
                found[f"{label} {line}" if label else line] = None
    return tuple(found)


def _written_signature(item: Item) -> str:
    match item.macro_kind:
        case "derive":
            return f"#[derive({item.name})]"
        case "attribute":
            return f"#[{item.name}]"
        case "function":
            return f"{item.name}!"
    return item.signature


def _is_unstable(item: Item, *, is_around: bool) -> bool:
    """Whether only nightly compilers take an item.

    What stands in something unstable is so as well, unless it says since when it is stable.
    """
    return item.is_unstable or (is_around and not item.since)


def _version(text: str) -> str | None:
    try:
        return str(Version(text)) if text else None
    except InvalidVersion:
        return None


def _rank(path: str) -> tuple[int, str]:
    return path.count("::"), path


def _named(paths: Iterable[str], defining: str) -> tuple[str, tuple[str, ...]]:
    """The canonical one of the public paths, and the rest with the defining path as aliases."""
    symbol = min(paths, key=_rank)
    rest = sorted({*paths, defining} - {symbol}, key=_rank)
    if len(rest) > MAX_ALIASES:
        rest = [*[each for each in rest if each != defining][: MAX_ALIASES - 1], defining]
    return symbol, tuple(rest)
