"""Trees of JavaScript and TypeScript files, with the syntax masked that the grammars do not know.

Here: bytes in, a tree out, and limits against hostile input. Not here: what the nodes mean (typescript_statements).

The grammars of tree-sitter-languages 1.10.2 are older than `export type * from`, variance marks, `accessor`, `using`
and import attributes. Such tokens decide nothing about names: they are blanked, at the same length, in what the grammar
sees, and texts are cut from the file as it is.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from depcodex_assets import grammars

if TYPE_CHECKING:
    import tree_sitter

# Deeper brackets than this are no hand-written source: tree-sitter's own stack and ours stay bounded.
MAX_NESTING = 400
_SPACE = rb"(?:\s|/\*(?:[^*]|\*(?!/))*\*/)"
_MASKED = re.compile(
    rb"(?P<star>\bexport\s+)(?P<type>type)(?=\s*\*)"
    rb"|(?P<open>[<,]\s*)(?P<variance>(?:const\s+)?(?:in\s+out|in|out)(?=\s+[A-Za-z_$][\w$]*\s*[,>=]|\s+[A-Za-z_$][\w$]*\s+extends\b))"
    rb"|(?P<accessor>\baccessor)(?=\s+[#\w$\[\"'])"
    rb"|(?P<using>\b(?:await\s+)?using)(?=\s+[A-Za-z_$][\w$]*\s*=)"
    rb"|(?P<from>\bfrom\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*)(?P<attributes>(?:with|assert)\s*\{[^{}]*\})"
    rb"|(?P<import>\bimport\s*\(\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*(?:,\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}\s*,?\s*)?\))(?=\s*[.\[<>,;)|&\]}=]|\s*$|\s+)"
)
_MARKS = re.compile(rb"\bexport\s+type\s*\*|[<,]\s*(?:const\s+)?(?:in|out)\s|\baccessor\s|\busing\s|[\"']\s*(?:with|assert)\s*\{|\bimport\s*\(")
_BRACKETS = re.compile(rb"[(\[{]|[)\]}]")


def decode(content: bytes) -> bytes | None:
    """The file as UTF-8 with ``\\n`` line ends and no byte order mark; None where it is not in UTF-8 or UTF-16.

    ECMA-262 reads source text as code points; every tool in use takes UTF-8, and UTF-16 with its mark.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            content = content.decode("utf-16").encode("utf-8")
        except UnicodeError:
            return None
    source = content.removeprefix(codecs.BOM_UTF8)
    if b"\x00" in source:
        return None
    if not source.isascii():
        try:
            source.decode("utf-8")
        except UnicodeDecodeError:
            return None
    if b"\r" in source:
        source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return source


def mended(source: bytes, *, is_typescript: bool) -> bytes:
    """What the grammar is given: the same bytes at the same places, less the tokens it does not know.

    Example:
        >>> mended(b'export type * from "x";', is_typescript=True)
        b'export      * from "x";'
    """
    if _MARKS.search(source) is None:
        return source
    return _MASKED.sub(_typescript_mask if is_typescript else _javascript_mask, source)


def _typescript_mask(match: re.Match[bytes]) -> bytes:
    text = match[0]
    if match["import"] is not None:
        # A type's `import("x")` becomes a name of the same length; a call becomes a name as well.
        return b"_" + b" " * (len(text) - 1) if b"\n" not in text else text
    return _javascript_mask(match)


def _javascript_mask(match: re.Match[bytes]) -> bytes:
    text = match[0]
    for kept, dropped in (("star", "type"), ("open", "variance"), ("from", "attributes")):
        if match[dropped] is not None:
            return match[kept] + _blank(match[dropped])
    if match["accessor"] is not None:
        return b" " * len(text)
    if match["using"] is not None:
        return b"const" + b" " * (len(text) - 5)
    return text


def _blank(text: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", text)


def is_too_deep(source: bytes) -> bool:
    """Whether brackets are nested deeper than any hand-written file has them; strings and comments count as well."""
    depth = deepest = 0
    if source.count(b"(") + source.count(b"[") + source.count(b"{") <= MAX_NESTING:
        return False
    for match in _BRACKETS.finditer(source):
        if match[0] in b"([{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > MAX_NESTING:
                return True
        elif depth:
            depth -= 1
    return False


def tree_of(source: bytes, language: str) -> tree_sitter.Node:
    """The root node of decoded source; ``language``: typescript, tsx or javascript."""
    return grammars.parser(language).parse(source).root_node
