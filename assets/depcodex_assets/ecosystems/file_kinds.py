"""In which language a file is written and how its documentation is marked up, by its name.

Here: the table of names and suffixes for all ecosystems. Not here: which files of a package are wanted (each
ecosystem's module), how a language is read (depcodex_assets.languages).
"""

from __future__ import annotations

from typing import NamedTuple


class FileKind(NamedTuple):
    """What a file's name says.

    Attributes:
        language: the key of its parser; the parser may read several.
        convention: one of ``schemas.CONVENTIONS``; "" where it holds no documentation.
    """

    language: str
    convention: str


_UNREAD = FileKind("", "")
# Manifests are read by their ecosystem's parser: they say which names are public.
_NAMES = {
    "package.json": FileKind("package-json", ""),
    "Cargo.toml": FileKind("cargo-toml", ""),
    "go.mod": FileKind("go-mod", ""),
}
_SUFFIXES = {
    "py": FileKind("python", "docstring"),
    "pyi": FileKind("python-stub", "docstring"),
    "ts": FileKind("typescript", "jsdoc"),
    "mts": FileKind("typescript", "jsdoc"),
    "cts": FileKind("typescript", "jsdoc"),
    "tsx": FileKind("tsx", "jsdoc"),
    "js": FileKind("javascript", "jsdoc"),
    "mjs": FileKind("javascript", "jsdoc"),
    "cjs": FileKind("javascript", "jsdoc"),
    "jsx": FileKind("javascript", "jsdoc"),
    "java": FileKind("java", "javadoc"),
    "kt": FileKind("kotlin", "kdoc"),
    "class": FileKind("jvm-class", ""),
    "rs": FileKind("rust", "rust"),
    "go": FileKind("go", "go"),
    # Rust includes pages into its documentation; the parser says whose words they are.
    "md": FileKind("markdown", "rust"),
}


def kind_of(path: str) -> FileKind:
    """What a path's last segment says.

    Example:
        >>> kind_of("io/ktor/client/HttpClient.kt"), kind_of("lib/README.md").language, kind_of("setup.cfg").language
        (FileKind(language='kotlin', convention='kdoc'), 'readme', '')
    """
    name = path.rpartition("/")[2]
    if name in _NAMES:
        return _NAMES[name]
    stem, _, suffix = name.rpartition(".")
    if stem.lower() == "readme" or name.lower() == "readme":
        return FileKind("readme", "readme")
    return _SUFFIXES.get(suffix, _UNREAD)
