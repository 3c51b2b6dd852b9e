"""The tree of modules of one crate: from its root file through ``mod`` to every file that belongs to it.

Here: the manifest's word on the root, where a module's file is, modules with their items. Not here: reading a file
(rust_files), what a name means (rust_names).

Spec: the Rust reference, "Modules: module source filenames" and "the path attribute"; the Cargo book, "Cargo targets".
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.rust_expansion import read_macros
from depcodex_assets.languages.rust_files import Surroundings, macro_conditions, read_file
from depcodex_assets.languages.rust_syntax import FileSyntax, Item

_MAX_MODULES = 20_000
_MAX_DEPTH = 64
_MANIFEST = "Cargo.toml"


@dataclass(frozen=True)
class CrateManifest:
    """What a crate's manifest says.

    Attributes:
        name: of its library, as code writes it.
        root: path of the library's root file.
        edition: year.
        renamed: what code calls a dependency → the crate's own name as code writes it.
        readme: path of its README; "" where the manifest names none.
    """

    name: str
    root: str
    edition: int
    renamed: Mapping[str, str]
    readme: str


@dataclass(frozen=True, eq=False, slots=True)
class Placed:
    """An item with the file it stands in, and what its surroundings say of features."""

    item: Item
    file: SourceFile
    conditions: tuple[str, ...]


@dataclass(eq=False, slots=True)
class Module:
    """One module.

    Attributes:
        path: names from the crate's root, the crate's own first.
        parent: None for the root.
        file: where its items stand, or its declaration where its file is missing.
        line: of its declaration; 1 for the root.
        is_public: declared ``pub``.
        is_hidden: ``doc(hidden)``.
        is_deprecated: ``deprecated``.
        doc: Markdown of its declaration and its file.
        conditions: what it and the modules around it say of features.
        items: its own items but modules.
        children: by name.
        is_unstable: it or a module around it is for nightly compilers only.
    """

    path: tuple[str, ...]
    parent: Module | None
    file: SourceFile
    line: int
    is_public: bool
    is_hidden: bool = False
    is_deprecated: bool = False
    doc: str | None = None
    conditions: tuple[str, ...] = ()
    items: list[Placed] = field(default_factory=list)
    children: dict[str, Module] = field(default_factory=dict)
    is_unstable: bool = False

    @property
    def root(self) -> Module:
        """The crate's root."""
        module = self
        while module.parent is not None:
            module = module.parent
        return module


@dataclass(frozen=True)
class Crate:
    """All modules of a library.

    Attributes:
        root: its root module.
        modules: all of them, parents first.
        problems: files that were not read whole, with the reason.
        lost_macro_count: macros in the place of items that may have made items.
    """

    root: Module
    modules: Sequence[Module]
    problems: Sequence[tuple[SourceFile, str]]
    lost_macro_count: int


def read_manifest(content: bytes | None, package_name: str) -> CrateManifest:
    """The manifest as far as names depend on it; what it does not say is as cargo has it by default."""
    document: dict[str, Any] = {}
    if content is not None:
        try:
            document = tomllib.loads(content.decode("utf-8", "replace").removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            document = {}
    package, library = _table(document, "package"), _table(document, "lib")
    name = _text(library, "name") or (_text(package, "name") or package_name).replace("-", "_")
    root = posixpath.normpath(_text(library, "path") or "src/lib.rs")
    edition = _text(package, "edition")
    tables = [document, *(each for each in _table(document, "target").values() if isinstance(each, dict))]
    renamed = {
        alias.replace("-", "_"): str(fields["package"]).replace("-", "_")
        for each in tables
        for alias, fields in _table(each, "dependencies").items()
        if isinstance(fields, dict) and isinstance(fields.get("package"), str)
    }
    readme = package.get("readme")
    return CrateManifest(
        name,
        root,
        int(edition) if edition.isdecimal() else 2015,
        renamed,
        posixpath.normpath(readme) if isinstance(readme, str) else "",
    )


def _table(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = document.get(key)
    return value if isinstance(value, dict) else {}


def _text(document: Mapping[str, Any], key: str) -> str:
    value = document.get(key)
    return value if isinstance(value, str) else ""


def read_crate(manifest: CrateManifest, files: Mapping[str, SourceFile]) -> Crate | None:
    """The crate's modules; None where it has no library.

    Args:
        manifest: its manifest.
        files: all its files by path, sources and pages.
    """
    if manifest.root not in files:
        return None
    return _Builder(files).build(manifest)


class _Builder:
    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self._files = files
        sources = {path: files[path].content for path in sorted(files) if path.endswith(".rs")}
        defining = {
            path: each.decode("utf-8", "replace")
            for path, each in sources.items()
            if b"macro_rules!" in each or b" as " in each
        }
        self._surroundings = Surroundings(macro_conditions(sources.values()), read_macros(defining))
        self._read: dict[str, FileSyntax] = {}
        self._modules: list[Module] = []

    def build(self, manifest: CrateManifest) -> Crate:
        file = self._files[manifest.root]
        root = Module((manifest.name,), None, file, 1, is_public=True)
        self._modules.append(root)
        syntax = self._syntax(file)
        root.doc, root.conditions = syntax.doc, ()
        folder = posixpath.dirname(manifest.root)
        self._add_items(root, syntax.items, file, folder, is_folder_file=True, depth=0)
        problems = [
            (self._files[path], each.problem) for path, each in sorted(self._read.items()) if each.problem is not None
        ]
        return Crate(root, self._modules, problems, sum(each.lost_macro_count for each in self._read.values()))

    def _syntax(self, file: SourceFile) -> FileSyntax:
        if file.path not in self._read:
            crate = self._surroundings.of_file(file.path)
            self._read[file.path] = read_file(file.content, self._including(file.path), crate)
        return self._read[file.path]

    def _including(self, path: str) -> Any:
        folder = posixpath.dirname(path)

        def include(written: str) -> str | None:
            found = self._files.get(posixpath.normpath(posixpath.join(folder, written)))
            return found.content.decode("utf-8", "replace") if found is not None else None

        return include

    def _add_items(
        self, module: Module, items: Sequence[Item], file: SourceFile, folder: str, *, is_folder_file: bool, depth: int
    ) -> None:
        """Items of a file or of a module's body.

        Args:
            module: whose they are.
            items: in source order.
            file: where they stand.
            folder: where the files of its child modules lie.
            is_folder_file: the file's own folder is that one (``mod.rs``, the root), so ``path`` is below it too.
            depth: modules around it.
        """
        for item in items:
            if item.kind != "module":
                module.items.append(Placed(item, file, (*module.conditions, *item.conditions)))
            elif depth < _MAX_DEPTH and len(self._modules) < _MAX_MODULES:
                self._add_module(module, item, file, folder, is_folder_file=is_folder_file, depth=depth)

    def _add_module(
        self, parent: Module, item: Item, file: SourceFile, folder: str, *, is_folder_file: bool, depth: int
    ) -> None:
        conditions = (*parent.conditions, *item.conditions)
        if item.is_inline:
            child = self._child(parent, item, file, item.line, item.doc, conditions)
            inner = posixpath.join(folder, item.file_paths[0] if item.file_paths else item.name)
            self._add_items(child, item.members, file, inner, is_folder_file=True, depth=depth + 1)
            return
        found = next(self._candidates(item, file, folder, is_folder_file=is_folder_file), None)
        if found is None:
            # Its file is generated by a build, or was not published.
            self._child(parent, item, file, item.line, item.doc, conditions)
            return
        if any(each.file is found and each.parent is parent and each.path[-1] == item.name for each in self._modules):
            return
        if _is_ancestor(parent, found):
            return
        syntax = self._syntax(found)
        if syntax.is_left_out:
            return
        docs = [each for each in (item.doc, syntax.doc) if each]
        child = self._child(parent, item, found, 1, "\n".join(docs) or None, (*conditions, *syntax.conditions))
        child.is_hidden = child.is_hidden or syntax.is_hidden
        child.is_deprecated = child.is_deprecated or syntax.is_deprecated
        child.is_unstable = child.is_unstable or syntax.is_unstable
        directory, _, file_name = found.path.rpartition("/")
        is_own_folder = file_name == "mod.rs" or bool(item.file_paths)
        inner = directory if is_own_folder else posixpath.join(directory, file_name.removesuffix(".rs"))
        self._add_items(child, syntax.items, found, inner, is_folder_file=is_own_folder, depth=depth + 1)

    def _candidates(self, item: Item, file: SourceFile, folder: str, *, is_folder_file: bool) -> Iterator[SourceFile]:
        base = folder if is_folder_file else posixpath.dirname(file.path)
        paths = [posixpath.normpath(posixpath.join(base, each)) for each in item.file_paths]
        # A path that stands under a condition may be for another build.
        paths += [posixpath.join(folder, f"{item.name}.rs"), posixpath.join(folder, item.name, "mod.rs")]
        for path in paths:
            if path in self._files:
                yield self._files[path]

    def _child(
        self,
        parent: Module,
        item: Item,
        file: SourceFile,
        line: int,
        doc: str | None,
        conditions: tuple[str, ...],
    ) -> Module:
        """The child of that name, made where it is new: platforms declare one module several times."""
        known = parent.children.get(item.name)
        if known is not None:
            known.is_public = known.is_public or item.is_public
            known.is_hidden = known.is_hidden and item.is_hidden
            known.doc = known.doc or doc
            return known
        child = Module(
            (*parent.path, item.name),
            parent,
            file,
            line,
            item.is_public,
            item.is_hidden,
            item.is_deprecated,
            doc,
            conditions,
            is_unstable=parent.is_unstable or item.is_unstable,
        )
        parent.children[item.name] = child
        self._modules.append(child)
        return child


def _is_ancestor(module: Module | None, file: SourceFile) -> bool:
    while module is not None:
        if module.file is file and module.path[-1:] != () and module.parent is None:
            return True
        module = module.parent
    return False
