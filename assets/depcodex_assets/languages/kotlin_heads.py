"""What stands before and in the head of a Kotlin declaration: modifiers, annotations, its comment, types' last names.

Here: one declaration's head. Not here: which declarations there are (kotlin_members), text of comments (kdoc).

Spec: the Kotlin language specification, "Declarations", modifiers and annotations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from depcodex_assets.languages.jvm_doc import Doc
from depcodex_assets.languages.jvm_marks import is_hidden
from depcodex_assets.languages.jvm_source import SourceText
from depcodex_assets.languages.kdoc import read_kdoc

if TYPE_CHECKING:
    import tree_sitter

HIDDEN_WORDS = frozenset(("private", "internal"))
# Words that tell a caller nothing: which half of a twin it is, that it overrides, how it is compiled.
_SILENT = frozenset(("expect", "actual", "override", "tailrec", "external", "vararg"))
DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
GENERICS = re.compile(r"<[^<>]*>")
_SPACE = re.compile(r"\s+")
_NO_DOC = Doc(None)


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before a declaration's own keyword.

    Attributes:
        words: modifiers.
        annotations: as written.
        doc: its comment, read.
        prefix: what the grammar did not see and the signature has: ``fun`` of an interface, ``context(…)``.
        begin: the offset of the keyword.
    """

    words: tuple[str, ...]
    annotations: tuple[str, ...]
    doc: Doc
    prefix: str
    begin: int

    @property
    def is_visible(self) -> bool:
        """Whether callers can name it, and its author wants them to."""
        return (
            HIDDEN_WORDS.isdisjoint(self.words) and not self.doc.is_hidden and not any(map(is_hidden, self.annotations))
        )


class HeadReader:
    """Reads the heads of one file's declarations.

    Args:
        text: its bytes and comments; the tree's offsets point into them.
    """

    def __init__(self, text: SourceText) -> None:
        self._text = text
        self._source = text.source

    def head(self, node: tree_sitter.Node, children: Sequence[tree_sitter.Node]) -> Head:
        """The head of a declaration; ``children`` are the node's."""
        lead = self._text.lead(node.start_byte)
        words: tuple[str, ...] = ()
        annotations: list[str] = []
        begin = node.start_byte
        comment = lead.doc
        if children and children[0].type == "modifiers":
            first = children[0]
            start, end = first.start_byte, first.end_byte
            if self._source.find(b"@", start, end) < 0 and self._source.find(b"/", start, end) < 0:
                words = tuple(self._source[start:end].decode("utf-8", "replace").split())
            else:
                kept: list[str] = []
                for child in first.children:
                    if child.type == "annotation":
                        annotations.append(self._slice(child))
                    elif not child.type.endswith("comment"):
                        kept.append(self._slice(child))
                    elif comment is None and self._source.startswith(b"/**", child.start_byte):
                        comment = self._slice(child)
                words = tuple(kept)
            begin = children[1].start_byte if len(children) > 1 else end
            # The grammar did not see all that stands between.
            gap = self._text.text(end, begin)
            if gap and not gap.startswith("@"):
                words = (*words, gap)
        prefix = ""
        for each in lead.annotations:
            if each.startswith("@"):
                annotations.append(each)
            else:
                prefix = f"{_SPACE.sub(' ', each)} {prefix}"
        doc = read_kdoc(comment) if comment is not None else _NO_DOC
        return Head(words, tuple(annotations), doc, prefix, begin)

    def _slice(self, node: tree_sitter.Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def erased(written: str) -> str:
    """A type without type arguments and packages; function types keep their text.

    Example:
        >>> erased("kotlin.collections.List<T>?"), erased("suspend (A) -> Unit")
        ('List?', 'suspend(A)->Unit')
    """
    if "->" in written:
        return _SPACE.sub("", written)
    while "<" in written and (flat := GENERICS.sub("", written)) != written:
        written = flat
    return _SPACE.sub("", written).rpartition(".")[2]


def keyed(receiver: str, types: Sequence[str]) -> tuple[str, ...]:
    """What tells overloads apart: the receiver's type and those of the parameters."""
    return (f"{erased(receiver)}.", *types) if receiver else tuple(types)


def receiver_name(written: str) -> str:
    """The dotted name of a receiver's type; "" for function types."""
    if "->" in written:
        return ""
    match = DOTTED.match(written.replace("`", "").lstrip("( "))
    return match[0] if match else ""


def shown_words(words: Sequence[str]) -> list[str]:
    """The modifiers that a signature shows."""
    return [each for each in words if each not in _SILENT]
