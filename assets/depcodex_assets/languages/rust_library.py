"""The crates that make Rust's standard library, and the language's own types that they write methods for.

Here: reading ``std`` with the crates that it re-exports, documentation of primitive types. Not here: syntax that only
nightly compilers take (rust_nightly), what names mean (rust_names), rows (rust).

Spec: the standard library's own pages on ``core`` and ``alloc``; rustdoc's internals, ``rustc_doc_primitive``: the
pages of primitive types are the documentation of empty modules ``prim_<name>`` in one file of ``core``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.rust_expansion import Macros
from depcodex_assets.languages.rust_files import Surroundings, read_file
from depcodex_assets.languages.rust_modules import Crate, CrateManifest, Module, Placed, read_crate
from depcodex_assets.languages.rust_names import Definition
from depcodex_assets.languages.rust_nightly import as_stable
from depcodex_assets.languages.rust_syntax import Item

_EDITION = 2024
_PRIMITIVE_DOCS = "core/src/primitive_docs.rs"
_PREFIX = "prim_"


@dataclass(frozen=True)
class Library:
    """The standard library.

    Attributes:
        std: the crate that callers name.
        manifest: its names are the crates' own.
        others: ``core`` and ``alloc``.
        primitives: the language's own types, as ``rust_files`` calls them (``[str]``).
    """

    std: Crate
    manifest: CrateManifest
    others: Sequence[Crate]
    primitives: Mapping[str, Definition]


def read_library(files: Mapping[str, SourceFile]) -> Library | None:
    """The standard library out of its files; None where ``std`` has no root.

    Args:
        files: by path below ``library``: ``core/src/lib.rs``.
    """
    files = {
        path: dataclasses.replace(each, content=as_stable(each.content)) if path.endswith(".rs") else each
        for path, each in files.items()
    }
    manifests = {name: CrateManifest(name, f"{name}/src/lib.rs", _EDITION, {}, "") for name in ("std", "core", "alloc")}
    crates = {name: read_crate(manifest, files) for name, manifest in manifests.items()}
    std = crates["std"]
    if std is None:
        return None
    others = [crate for name, crate in crates.items() if name != "std" and crate is not None]
    return Library(std, manifests["std"], others, _primitives(files.get(_PRIMITIVE_DOCS)))


def _primitives(file: SourceFile | None) -> dict[str, Definition]:
    if file is None:
        return {}
    # A place of no crate: callers write `str::trim` as it stands.
    nowhere = Module((), None, file, 1, is_public=True)
    found: dict[str, Definition] = {}
    for item in read_file(file.content, lambda _: None, Surroundings({}, Macros({}))).items:
        if item.kind == "module" and item.name.startswith(_PREFIX):
            name = item.name.removeprefix(_PREFIX)
            shown = Item("struct", name, True, "", item.doc, item.line, since=item.since, is_unstable=item.is_unstable)
            found[f"[{name}]"] = Definition(nowhere, [Placed(shown, file, ())])
    return found
