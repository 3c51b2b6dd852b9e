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
_GAP = rb"(?:\s|/\*(?:[^*]|\*(?!/))*+\*/)*+"
_MASKED = re.compile(
    # export type * from, import type * as
    rb"(?P<star>\b(?:ex|im)port\s+)(?P<type>type)(?=\s*\*)"
    # export default function (): the declaration of a function without a name
    rb"|(?P<unnamed>\bdefault\s+function)(?=\s*[(<])"
    # <in T, out U, const V>
    rb"|(?P<open>[<,]" + _GAP + rb")(?P<variance>(?:const\s+)?(?:in\s+out|in|out)"
    rb"(?=\s+[A-Za-z_$][\w$]*\s*(?:[,>=]|extends\b)))"
    rb"|(?P<accessor>\baccessor)(?=\s+[#\w$\[\"'])"
    rb"|(?P<using>\b(?:await\s+)?using)(?=\s+[A-Za-z_$][\w$]*\s*=)"
    # from "x" with { type: "json" }
    rb"|(?P<from>\bfrom\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*)(?P<attributes>(?:with|assert)\s*\{[^{}]*\})"
    # import("x").Y as a type
    rb"|(?P<import>\bimport\s*\(\s*(?:\"[^\"\n]*\"|'[^'\n]*')\s*(?:,\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\}\s*,?\s*)?\))"
    # global { … } inside of an ambient module
    rb"|(?P<before>[;}{/]\s*)(?P<global>global)(?=\s*\{)"
    # Words of the language as names of members and parameters; a letter makes plain names of them.
    rb"|(?P<lead>[;{}(,\n/]\s*|\breadonly\s+)(?P<word>abstract|await|class|delete|false|function|import|infer|keyof|never|new|null|object"
    rb"|readonly|super|true|typeof|unique|unknown|void|yield)(?=\??\s*:)"
    rb"|(?P<method>[;{}\n/]\s*)(?P<called>abstract)(?=\??\s*[(<])|(?P<optional>[;{}\n/]\s*)(?P<built>new)(?=\?\s*[(<])"
)
_MARKS = re.compile(
    rb"\bport\s+type\s*\*|port\s+type\s*\*|\bdefault\s+function\s*[(<]|[<,/]\s*(?:const\s+)?(?:in|out)\s|\baccessor\s|\busing\s"
    rb"|[\"']\s*(?:with|assert)\s*\{|\bimport\s*\(|\bglobal\s*\{|\b(?:abstract|await|class|delete|false|function|import|infer"
    rb"|keyof|never|new|null|object|readonly|super|true|typeof|unique|unknown|void|yield)\??\s*:|\babstract\??\s*[(<]|\bnew\?\s*[(<]"
)
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
        # A type's `import("x")` becomes a name of the same length; so does a call.
        return b"_" + _blank(text[1:])
    if match["unnamed"] is not None:
        # `export default function (` and `export function _______ (` are equally long.
        gap = text[len(b"default") : -len(b"function")]
        return b"function" + gap + b"_" * len(b"default")
    for kept, word in (("lead", "word"), ("method", "called"), ("optional", "built")):
        if match[word] is not None:
            return match[kept] + b"_" + match[word][1:]
    if match["global"] is not None:
        return match["before"] + _blank(match["global"])
    return _javascript_mask(match)


def _javascript_mask(match: re.Match[bytes]) -> bytes:
    text = match[0]
    for kept, dropped in (("star", "type"), ("open", "variance"), ("from", "attributes")):
        if match[dropped] is not None:
            return match[kept] + _blank(match[dropped])
    if match["accessor"] is not None:
        return _blank(text)
    if match["using"] is not None:
        return b"const" + _blank(text[5:])
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
