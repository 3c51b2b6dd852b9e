"""What one Rust file says: its items as they are written, before any name is resolved.

Here: frozen shapes. Not here: reading a file (rust_files), the tree of modules (rust_modules).
"""

from __future__ import annotations

from dataclasses import dataclass, field

# Kinds of items; the first four make names that have members.
TYPES = frozenset({"struct", "enum", "union", "trait", "type"})


@dataclass(frozen=True, slots=True)
class Use:
    """One name that a ``use`` brings.

    Attributes:
        path: segments of what is used, ``crate``, ``self``, ``super`` and a leading "" (``::name``) among them.
        name: what it is called here; "" for a glob.
        line: 1-based.
    """

    path: tuple[str, ...]
    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Item:
    """One item, field, variant or block.

    Attributes:
        kind: module, struct, enum, union, trait, type, function, constant, static, macro, use, impl, variant, field.
        name: as written, raw identifiers without their sign; "" for uses and blocks.
        is_public: ``pub`` without a restriction, or public by its place (variants, a trait's items).
        signature: on one line, without its body; "" where it has none.
        doc: its Markdown; None where there is none.
        line: 1-based line of the item itself.
        conditions: what its ``cfg`` say of features, outermost first.
        is_hidden: ``doc(hidden)``.
        is_deprecated: ``deprecated``.
        since: a version; "" where none is stated.
        members: fields, variants, items of a trait, a block or a module with a body.
        is_inline: a module with a body.
        file_paths: ``path = "…"`` of a module, in order.
        uses: what a ``use`` brings.
        path: of the type that a block is for, or that an alias stands for.
        bases: paths of a trait's bounds, or of the trait that a block implements.
        is_exported: a macro with ``macro_export``.
        macro_kind: of a function that is a procedural macro: function, derive or attribute; item of a macro that is one
            of its module's items (rust_nightly); else "".
        is_unstable: ``unstable``: only nightly compilers take it.
    """

    kind: str
    name: str
    is_public: bool
    signature: str
    doc: str | None
    line: int
    conditions: tuple[str, ...] = ()
    is_hidden: bool = False
    is_deprecated: bool = False
    since: str = ""
    members: tuple[Item, ...] = ()
    is_inline: bool = False
    file_paths: tuple[str, ...] = ()
    uses: tuple[Use, ...] = ()
    path: tuple[str, ...] = ()
    bases: tuple[tuple[str, ...], ...] = ()
    is_exported: bool = False
    macro_kind: str = ""
    is_unstable: bool = False


@dataclass(frozen=True, slots=True)
class FileSyntax:
    """One file.

    Attributes:
        items: in source order.
        doc: the Markdown of its inner doc comments.
        is_hidden: ``#![doc(hidden)]``.
        is_left_out: ``#![cfg(test)]`` and the like.
        conditions: what its own ``cfg`` say of features.
        is_deprecated: ``#![deprecated]``.
        problem: why it was not read whole: encoding, syntax, nesting; None where it was.
        lost_macro_count: macros in the place of items whose bodies are not items.
        is_unstable: ``#![unstable]``.
    """

    items: tuple[Item, ...] = ()
    doc: str | None = None
    is_hidden: bool = False
    is_left_out: bool = False
    conditions: tuple[str, ...] = ()
    is_deprecated: bool = False
    problem: str | None = None
    lost_macro_count: int = field(default=0, compare=False)
    is_unstable: bool = False
