"""One Kotlin file, read into ``FileSyntax``.

Here: package, imports, and the file parsed, a second time masked where the grammar failed. Not here: walking the tree
(kotlin_members), masking (kotlin_mask), what is inherited and under which symbol (jvm).

Spec: the Kotlin language specification, "Packages and imports"; "Calling Kotlin from Java" for a file's class.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from depcodex_assets import grammars
from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.jvm_source import MAX_FILE_BYTES, SourceText, decode
from depcodex_assets.languages.jvm_syntax import FileSyntax
from depcodex_assets.languages.kotlin_mask import mask
from depcodex_assets.languages.kotlin_members import CODE, MemberReader

if TYPE_CHECKING:
    import tree_sitter

_PACKAGE = re.compile(rb"^[ \t]*package[ \t]+([\w.`]+)", re.MULTILINE)
_IMPORT = re.compile(rb"^[ \t]*import[ \t]+([\w`]+(?:\.[\w`]+)*)(\.\*)?(?:[ \t]+as[ \t]+(\w+))?", re.MULTILINE)
_FILE_NAME = re.compile(rb'@file:(?:[\w.]*\.)?JvmName\s*\(\s*(?:name\s*=\s*)?"(\w+)"')
_HEAD_BYTES = 20_000


def read_kotlin(file: SourceFile) -> FileSyntax:
    """Read one file; what could not be read is named in ``problem`` and the rest is there."""
    if len(file.content) > MAX_FILE_BYTES:
        return FileSyntax(file, "kotlin", problem="limit:size")
    source = decode(file.content)
    if source is None:
        return FileSyntax(file, "kotlin", problem="encoding")
    parser = grammars.parser("kotlin")
    root = parser.parse(source).root_node
    reader = MemberReader(SourceText(source, is_java=False))
    definitions = [] if root.has_error else reader.file(root)
    if root.has_error or reader.is_misread:
        masked = mask(source)
        reader = MemberReader(SourceText(source, is_java=False, masked=list(masked.spans)))
        root = parser.parse(masked.source).root_node
        definitions = reader.file(root)
    problem = reader.problem or ("syntax" if root.has_error and _loses_names(root) else None)
    package = _PACKAGE.search(source)
    imports: dict[str, str] = {}
    stars: list[str] = []
    for match in _IMPORT.finditer(source):
        dotted = _plain(match[1])
        if match[2]:
            stars.append(dotted)
        else:
            imports[match[3].decode() if match[3] else dotted.rpartition(".")[2]] = dotted
    return FileSyntax(
        file,
        "kotlin",
        _plain(package[1]) if package else "",
        imports,
        tuple(stars),
        tuple(definitions),
        facade=facade_of(file.path, source),
        problem=problem,
    )


def facade_of(path: str, source: bytes = b"") -> str:
    """The class that the JVM keeps a file's functions in.

    Example:
        >>> facade_of("io/ktor/client/request/builders.kt"), facade_of("Text.common.kt")
        ('BuildersKt', 'Text_commonKt')
    """
    named = _FILE_NAME.search(source[:_HEAD_BYTES]) if b"@file:" in source[:_HEAD_BYTES] else None
    if named:
        return named[1].decode()
    stem = re.sub(r"\W", "_", path.rpartition("/")[2].removesuffix(".kt"))
    return f"{stem[:1].upper()}{stem[1:]}Kt"


def _plain(dotted: bytes) -> str:
    return dotted.decode("utf-8", "replace").replace("`", "").strip(".")


def _loses_names(root: tree_sitter.Node) -> bool:
    """Whether an error lies outside of bodies, where it can hide a declaration."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            return True
        if node.type not in CODE:
            stack.extend(child for child in node.children if child.has_error or child.is_missing)
    return False
