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
    rb"|(?<![\w$.])(?P<global>global)(?=\s*\{)"
    # A line that opens with a generic call signature, where no semicolon ends the member above.
    rb"|(?<=[\w\])}>])(?P<line>\n[ \t]*)(?P<gap>[ \t])(?=<[A-Za-z_$][\w$]*(?:\s+extends\b|\s*[,=>]))"
    # Words of the language as names of members and parameters; a letter makes plain names of them.
    rb"|(?<![\w$.])(?P<word>abstract|await|class|delete|false|function|import|infer|keyof|never|new|null|object"
    rb"|readonly|super|true|typeof|unique|unknown|void|yield)(?=\??\s*:)"
    rb"|(?<![\w$.])(?P<called>abstract(?=\??\s*[(<])|new(?=\?\s*[(<]))"
)
# What may stand before a member's or a parameter's name.
_NAME_LEADS = frozenset(b";{}(,/\n")
_NO_BRACKETS = bytes(each for each in range(256) if each not in b"()[]{}")


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
    word = match["word"] or match["called"]
    if word is not None:
        return b"_" + word[1:] if _opens_name(match) else text
    if match["gap"] is not None:
        return match["line"] + b";"
    if match["global"] is not None:
        return _blank(text) if _opens_name(match) else text
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


def _opens_name(match: re.Match[bytes]) -> bool:
    """Whether what stands before a word lets it be a name: the end of a statement, a bracket, a comma, a comment."""
    before = match.string[max(0, match.start() - 200) : match.start()]
    bare = before.rstrip()
    return not bare or bare[-1] in _NAME_LEADS or b"\n" in before[len(bare) :] or bare.endswith(b"readonly")


def _blank(text: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", text)


def is_too_deep(source: bytes) -> bool:
    """Whether brackets are nested deeper than any hand-written file has them; strings and comments count as well."""
    brackets = source.translate(None, _NO_BRACKETS)
    # Pairs are taken out from the inside; what people write is gone after a few rounds.
    for _ in range(MAX_NESTING):
        if len(brackets) <= MAX_NESTING:
            return False
        fewer = brackets.replace(b"()", b"").replace(b"{}", b"").replace(b"[]", b"")
        if len(fewer) == len(brackets):
            break
        brackets = fewer
    depth = 0
    for each in brackets:
        depth = depth + 1 if each in b"([{" else max(0, depth - 1)
        if depth > MAX_NESTING:
            return True
    return False


def tree_of(source: bytes, language: str) -> tree_sitter.Node:
    """The root node of decoded source; ``language``: typescript, tsx or javascript.

    Masking costs as much as parsing, so only what does not parse as it is gets masked and parsed again.
    """
    parser = grammars.parser(language)
    root = parser.parse(source).root_node
    if not root.has_error:
        return root
    masked = mended(source, is_typescript=language != "javascript")
    return root if masked == source else parser.parse(masked).root_node
