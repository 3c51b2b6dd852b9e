"""What stands in front of an item: its attributes and doc comments, and what they say of it.

Here: gathering them until the item comes, and reading what they say. Not here: one attribute (rust_attributes), the
walk (rust_files).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from depcodex_assets.languages.rust_attributes import Meta, expanded, features_of, holds, read_attribute
from depcodex_assets.languages.rust_docs import DocPiece, joined

# Text of a file that `include_str!` names, by its path as written; None where it is not in the crate.
Include = Callable[[str], str | None]
_PROC_MACROS = {"proc_macro": "function", "proc_macro_derive": "derive", "proc_macro_attribute": "attribute"}


class Pending:
    """Attributes and doc comments that wait for their item, or that are a container's own."""

    def __init__(self) -> None:
        self.metas: list[Meta] = []
        self._pieces: list[DocPiece | Meta] = []

    def add_comment(self, piece: DocPiece) -> None:
        """Adds a doc comment."""
        self._pieces.append(piece)

    def add_attribute(self, text: str) -> None:
        """Adds an attribute as written; one that cannot be read says nothing."""
        meta = read_attribute(text)
        if meta is None:
            return
        for each in expanded([meta]):
            self.metas.append(each)
            if each.name == "doc" and (each.value is not None or each.included is not None):
                self._pieces.append(each)

    def doc(self, include: Include) -> str | None:
        """The Markdown of all pieces, in order."""
        pieces = []
        for each in self._pieces:
            if isinstance(each, DocPiece):
                pieces.append(each)
            else:
                text = each.value if each.value is not None else include(each.included or "")
                if text is not None:
                    pieces.append(DocPiece(text, is_comment=False))
        return joined(pieces)


class Marks:
    """What attributes say of an item."""

    def __init__(self, metas: Iterable[Meta]) -> None:
        self.is_hidden = self.is_left_out = self.is_deprecated = self.is_exported = False
        self.is_unstable = False
        self.since = self.macro_kind = self.derive_name = ""
        self.paths: tuple[str, ...] = ()
        conditions: list[str] = []
        stated: list[str] = []
        for meta in metas:
            match meta.name:
                case "cfg" if meta.arguments:
                    self.is_left_out = self.is_left_out or holds(meta.arguments[0]) is False
                    conditions.append(features_of(meta.arguments[0]))
                case "doc":
                    self.is_hidden = self.is_hidden or meta.argument("hidden") is not None
                    condition = meta.argument("cfg")
                    if condition and condition.arguments:
                        stated.append(features_of(condition.arguments[0]))
                case "deprecated" | "rustc_deprecated":
                    self.is_deprecated = True
                case "unstable":
                    self.is_unstable = True
                case "stable":
                    since = meta.argument("since")
                    self.since = (since.value or "") if since else ""
                case "path" if meta.value:
                    self.paths = (*self.paths, meta.value)
                case "macro_export":
                    self.is_exported = True
                    if meta.argument("item") is not None:
                        self.macro_kind = "item"
                case "proc_macro" | "proc_macro_derive" | "proc_macro_attribute":
                    self.macro_kind = _PROC_MACROS[meta.name]
                    if meta.arguments:
                        self.derive_name = meta.arguments[0].name
        # What a page states for its readers is about the same features, often about more of them than the cfg beside.
        self.conditions = tuple(each for each in (stated if any(stated) else conditions) if each)
