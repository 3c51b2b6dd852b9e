"""The Markdown of Rust's documentation read to plain text.

Here: words and code, without the marks. Not here: where the Markdown comes from (rust_docs, READMEs).

Spec: the rustdoc book, "How to write documentation": CommonMark with tables, strikethrough and links to items by their
path, with or without a target. Links keep their words and lose their targets; images and raw HTML go, and with them
what no reader of the page would see; lines of examples that rustdoc hides go as well. Code stays, fenced.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Longer ones are no documentation; the parser's time grows faster than the text.
_MAX_CHARACTERS = 400_000
# What says of which kind a linked item is; rustdoc does not show it.
_KIND = (
    r"(?:struct|enum|trait|union|mod|module|const|constant|fn|function|field|method|derive|type|value|macro|prim"
    r"|primitive|static|variant|attr|keyword|tyalias|typealias)@"
)
_KIND_PATTERN = re.compile(_KIND)
_ITEM_LINK_PATTERN = re.compile(
    rf"(?:{_KIND})?"
    r"[\w:$<>!'*,&;\[\] ]+(?:\(\))?(?:!(?:\(\)|\{\}|\[\])?)?",
    re.IGNORECASE,
)
_HIDDEN_PATTERN = re.compile(r"^\s*#(?: .*)?$")
_HTML_BREAK_PATTERN = re.compile(r"<\s*/?(?:br|p|div|li|tr|h[1-6])\b[^>]*>", re.IGNORECASE)


class _ItemLinks(dict[str, dict[str, str]]):
    """References that a page defines, and any text that may be the path of an item: ``[`Vec::new`]`` is a link."""

    def __contains__(self, label: object) -> bool:
        return super().__contains__(label) or (isinstance(label, str) and _is_item(label))

    def __missing__(self, label: str) -> dict[str, str]:
        if _is_item(label):
            return {"title": "", "href": ""}
        raise KeyError(label)

    def get(self, label: str, default: Any = None) -> Any:
        try:
            return self[label]
        except KeyError:
            return default


def _is_item(label: str) -> bool:
    text = label.strip("` ")
    # `[ ]` and `[x]` of task lists, `[0]` and other numbers are what they seem.
    return (
        len(text) > 1
        and not text.isdecimal()
        and _ITEM_LINK_PATTERN.fullmatch(text) is not None
        and (" " not in text or "::" in text or "<" in text)
    )


@functools.cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def plain_text(markdown: str, *, is_rust: bool = True) -> str | None:
    """What a reader sees, as plain text: paragraphs apart by a blank line, code fenced; None where nothing is left.

    Args:
        markdown: the source.
        is_rust: code without a language is Rust, whose hidden lines go.

    Example:
        >>> plain_text("Opens a [file](https://host.example/x), see [`File::open`].")
        'Opens a file, see File::open.'
        >>> plain_text("# Examples\\n\\n```\\n# use a::b;\\nb();\\n```")
        'Examples\\n\\n```\\nb();\\n```'
    """
    if len(markdown) > _MAX_CHARACTERS:
        markdown = markdown[:_MAX_CHARACTERS]
    tokens = _parser().parse(markdown, {"references": _ItemLinks()})
    text = _Writer(is_rust=is_rust).written(tokens)
    # A surrogate or a null that came through an entity could not be stored.
    text = text.replace("\x00", "").encode("utf-8", "replace").decode().strip()
    return text or None


class _Writer:
    """Blocks of a page, one after the other."""

    def __init__(self, *, is_rust: bool) -> None:
        self._is_rust = is_rust
        self._blocks: list[str] = []
        self._marks: list[str] = []
        self._cells: list[str] | None = None

    def written(self, tokens: Sequence[Token]) -> str:
        ordered: list[int | None] = []
        for token in tokens:
            match token.type:
                case "inline":
                    self._add(_inline(token.children or ()))
                case "fence" | "code_block":
                    self._add_code(token)
                case "bullet_list_open":
                    ordered.append(None)
                case "ordered_list_open":
                    ordered.append(int(token.attrs.get("start", 1)))
                case "bullet_list_close" | "ordered_list_close":
                    ordered.pop()
                case "list_item_open":
                    number = ordered[-1]
                    self._marks.append("- " if number is None else f"{number}. ")
                    if number is not None:
                        ordered[-1] = number + 1
                case "list_item_close":
                    if self._marks:
                        self._marks.pop()
                case "tr_open":
                    self._cells = []
                case "tr_close":
                    row, self._cells = self._cells or [], None
                    self._add(" | ".join(row))
        return "\n\n".join(self._blocks)

    def _add(self, text: str) -> None:
        text = text.strip()
        if self._cells is not None:
            self._cells.append(text)
            return
        if not text:
            return
        mark = self._mark()
        indent = "  " * max(0, len(self._marks) - 1)
        if mark:
            line = f"{indent}{mark}{text}"
            # Items of a list stand together.
            if _is_item_line(self._blocks):
                self._blocks[-1] += f"\n{line}"
                return
            self._blocks.append(line)
            return
        self._blocks.append(text)

    def _mark(self) -> str:
        """The mark of a list's item, once for its first block."""
        if not self._marks or not self._marks[-1]:
            return ""
        mark = self._marks[-1]
        self._marks[-1] = ""
        return mark

    def _add_code(self, token: Token) -> None:
        language = token.info.split(",")[0].split(" ")[0].strip() if token.type == "fence" else ""
        lines = token.content.rstrip("\n").split("\n")
        if self._is_rust and language in _RUST_WORDS:
            lines = [_shown_line(each) for each in lines if not _HIDDEN_PATTERN.match(each)]
        code = "\n".join(lines).strip("\n")
        if code.strip():
            self._mark()
            self._blocks.append(f"```\n{code}\n```")


_RUST_WORDS = frozenset(
    {"", "rust", "no_run", "ignore", "should_panic", "compile_fail", "edition2015", "edition2018", "edition2021"}
    | {"edition2024", "allow_fail", "test_harness", "standalone_crate"}
)


def _shown_line(line: str) -> str:
    """``##`` at a line's beginning stands for one ``#`` that is shown."""
    stripped = line.lstrip()
    return line.replace("##", "#", 1) if stripped.startswith("##") else line


def _is_item_line(blocks: Sequence[str]) -> bool:
    return bool(blocks) and re.match(r"\s*(?:- |\d+\. )", blocks[-1].rpartition("\n")[2]) is not None


def _inline(tokens: Sequence[Any]) -> str:
    pieces: list[str] = []
    is_link = False
    for token in tokens:
        match token.type:
            case "text" | "code_inline":
                pieces.append(_KIND_PATTERN.sub("", token.content, count=1) if is_link else token.content)
            case "softbreak":
                pieces.append(" ")
            case "hardbreak":
                pieces.append("\n")
            case "html_inline" if _HTML_BREAK_PATTERN.match(token.content):
                pieces.append(" ")
        is_link = token.type == "link_open"
    return "".join(pieces)
