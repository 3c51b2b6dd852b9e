"""Which files of an npm package are read.

Here: the choice, by paths and manifests alone. Not here: where the bytes come from (npm_archive, npm_installed), what
they mean (depcodex_assets.languages).

Manifests, the README and all declaration files are read. Sources in TypeScript are read where an entry point of the
package is answered by one, and JavaScript where one is answered by that: beside declarations they would say the same
with less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from depcodex_assets.ecosystems.interface import SourceFile
from depcodex_assets.languages.javascript_packages import (
    DECLARATION_ENDINGS,
    JAVASCRIPT_ENDINGS,
    SOURCE_ENDINGS,
    TYPESCRIPT_ENDINGS,
    Manifest,
    Package,
)

MANIFEST = "package.json"
# Sources of one megabyte and more are bundles; the longest hand-written ones are a third of that (2026-12-01).
MAX_SOURCE_BYTES = 1_000_000
_MAX_MANIFEST_DEPTH = 3
# A minifier's lines are thousands of characters long; people's are not, on the whole of a file.
_MIN_MINIFIED_BYTES = 4096
_MINIFIED_LINE_BYTES = 400
# Of sources, not of declarations: nobody imports them.
_NO_API_FOLDERS = frozenset(
    {
        "test",
        "tests",
        "__tests__",
        "__mocks__",
        "fixtures",
        "example",
        "examples",
        "benchmark",
        "benchmarks",
        "coverage",
        "docs",
    }
)


def is_candidate(path: str) -> bool:
    """Whether a file may be read at all: a manifest, a README or a source outside nested packages."""
    *folders, name = path.split("/")
    if "node_modules" in folders:
        return False
    if name == MANIFEST:
        return len(folders) <= _MAX_MANIFEST_DEPTH
    if not folders and is_readme(name):
        return True
    return name.endswith(SOURCE_ENDINGS)


def is_readme(name: str) -> bool:
    """Whether a file of the package's root is its README."""
    lower = name.lower()
    return lower == "readme" or (lower.startswith("readme.") and lower.count(".") == 1)


def is_first(path: str) -> bool:
    """Whether a file is read before anything is known of the package: manifests, the README, declarations."""
    return not path.endswith(SOURCE_ENDINGS) or path.endswith(DECLARATION_ENDINGS)


def further_sources(paths: Iterable[str], manifests: Mapping[str, bytes]) -> frozenset[str]:
    """The sources that must be read beside the declarations.

    Args:
        paths: of all candidates.
        manifests: contents by path.
    """
    sources = [path for path in paths if path.endswith(SOURCE_ENDINGS)]
    by_folder = {path.rpartition("/")[0]: Manifest.parse(content) for path, content in manifests.items()}
    entries = Package(sources, by_folder).entries()
    others = [each.path for each in entries if not each.path.endswith(DECLARATION_ENDINGS)]
    has_typescript = any(path.endswith(TYPESCRIPT_ENDINGS) for path in others)
    has_javascript = any(path.endswith(JAVASCRIPT_ENDINGS) for path in others)
    if not has_typescript and not has_javascript:
        return frozenset()
    known = frozenset(sources)
    entry_paths = frozenset(others)
    wanted: set[str] = set()
    for path in sources:
        if path.endswith(DECLARATION_ENDINGS) or _has_better(path, known):
            continue
        if path not in entry_paths and not _NO_API_FOLDERS.isdisjoint(path.split("/")[:-1]):
            continue
        if path.endswith(TYPESCRIPT_ENDINGS) or has_javascript:
            wanted.add(path)
    return frozenset(wanted)


def _has_better(path: str, known: frozenset[str]) -> bool:
    """Whether declarations, or the TypeScript it was made from, lie beside a source."""
    stem, _, ending = path.rpartition(".")
    letter = ending[0] if ending[0] in "mc" else ""
    better = [f"{stem}.d.{letter}ts"]
    if ending in ("js", "mjs", "cjs", "jsx"):
        better += [f"{stem}.{letter}ts", f"{stem}.tsx", f"{stem}.d.ts"]
    return any(each in known for each in better if each != path)


def skipped_source(path: str, content: bytes) -> tuple[str, str] | None:
    """Why a source is not read though it could be: (reason, one line); None for one that is."""
    if not path.endswith(SOURCE_ENDINGS) or path.endswith(DECLARATION_ENDINGS):
        return None
    if len(content) > MAX_SOURCE_BYTES:
        return "limit:file", f"{len(content)} bytes of source, expected at most {MAX_SOURCE_BYTES}"
    if len(content) >= _MIN_MINIFIED_BYTES and len(content) > _MINIFIED_LINE_BYTES * (content.count(b"\n") + 1):
        return "limit:minified", "its lines are those of a minifier"
    return None


def source_file(path: str, content: bytes, *, is_verified: bool) -> SourceFile:
    """A file that was brought, as it is kept."""
    skipped = skipped_source(path, content)
    if skipped is not None:
        return SourceFile(path, b"", False, skipped[0], skipped[1], len(content))
    return SourceFile.read(path, content, is_verified=is_verified)


def sorted_files(files: Sequence[SourceFile]) -> tuple[SourceFile, ...]:
    """By path, each path once, the first that was read."""
    kept: dict[str, SourceFile] = {}
    for file in files:
        known = kept.get(file.path)
        if known is None or (known.skip_reason and not file.skip_reason):
            kept[file.path] = file
    return tuple(kept[path] for path in sorted(kept))
