"""What an npm package shows its callers: module specifiers and the files that answer for them.

Here: ``package.json`` as data, its entry points, and resolving a relative specifier to a file. Not here: reading the
files (typescript_statements), fetching packages (depcodex_assets.ecosystems).

Specs: Node.js "Modules: Packages" (``exports``, ``imports``, conditions, subpath patterns, null targets), and the
TypeScript handbook's "Modules - Reference" (``types``, ``typings``, ``typesVersions``, declarations beside a file).
Without ``exports`` every file can be imported; public are then the main file, the files at the package's root, and
folders up to two levels deep that have an index or a manifest, build folders left out: that is what such packages
document.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DECLARATION_ENDINGS = (".d.ts", ".d.mts", ".d.cts")
TYPESCRIPT_ENDINGS = (".ts", ".tsx", ".mts", ".cts")
JAVASCRIPT_ENDINGS = (".js", ".mjs", ".cjs", ".jsx")
SOURCE_ENDINGS = (*TYPESCRIPT_ENDINGS, *JAVASCRIPT_ENDINGS)
# What stands for a file of JavaScript, best first.
_BESIDE = {
    ".js": (".d.ts", ".ts", ".tsx", ".js", ".jsx"),
    ".mjs": (".d.mts", ".mts", ".mjs", ".d.ts"),
    ".cjs": (".d.cts", ".cts", ".cjs", ".d.ts"),
    ".jsx": (".d.ts", ".tsx", ".jsx"),
    ".ts": (".ts", ".d.ts", ".tsx"),
    ".tsx": (".tsx", ".d.ts"),
    ".mts": (".mts", ".d.mts"),
    ".cts": (".cts", ".d.cts"),
}
_PROBED = (".d.ts", ".ts", ".tsx", ".d.mts", ".d.cts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx")
_BUILD_FOLDERS = frozenset(
    {
        "amd",
        "bin",
        "build",
        "bundles",
        "cjs",
        "common",
        "compiled",
        "dist",
        "es",
        "esm",
        "fesm2015",
        "internal",
        "lib",
        "node_modules",
        "out",
        "src",
        "test",
        "tests",
        "umd",
        "__tests__",
    }
)
_OUTPUT_FOLDERS = frozenset({"dist", "build", "out", "lib", "es", "esm"})
_SOURCES = ("src/index", "source/index", "lib/index", "src/main")
_NO_ENTRIES = re.compile(
    r"(?:^|[./-])(?:test|spec|config|conf|setup|stories|min|umd)\."
    r"|^(?:gulpfile|gruntfile|rollup|webpack|jest|babel|karma)\b",
    re.IGNORECASE,
)
_INTERNAL = frozenset({"internal", "_internal", "internals", "__tests__"})
_MAX_TARGETS = 200
# Of a pattern like "./*" a package may show thousands of files; more than this is a folder, not an interface.
_MAX_ENTRIES = 3000
_RANGE_FOR_OLDER = re.compile(r"^\s*<")


@dataclass(frozen=True, slots=True)
class Entry:
    """One module that a caller can name.

    Attributes:
        subpath: below the package's name, "" for the package itself, else ``/navigation``.
        path: the file that answers for it.
    """

    subpath: str
    path: str


@dataclass(frozen=True)
class Manifest:
    """The parts of a package.json that say what is public.

    Attributes:
        name: the package's name; "" where it says none.
        exports: as written; None where there is none.
        imports: of ``#`` specifiers, as written.
        types: path of its declarations, or "".
        types_versions: paths by subpath for the newest TypeScript.
        main: candidates for its main file, best first.
    """

    name: str = ""
    exports: Any = None
    imports: Mapping[str, Any] = field(default_factory=dict)
    types: str = ""
    types_versions: Mapping[str, Sequence[str]] = field(default_factory=dict)
    main: tuple[str, ...] = ()

    @classmethod
    def parse(cls, content: bytes) -> Manifest:
        """The manifest that these bytes are; an empty one where they are none."""
        try:
            value = json.loads(content.decode("utf-8-sig", "replace"))
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(value, dict):
            return cls()
        versions = value.get("typesVersions")
        newest: dict[str, Sequence[str]] = {}
        for wanted, paths in versions.items() if isinstance(versions, dict) else ():
            if not _RANGE_FOR_OLDER.match(str(wanted)) and isinstance(paths, dict):
                newest = {
                    str(key): [each for each in targets if isinstance(each, str)]
                    for key, targets in paths.items()
                    if isinstance(targets, list)
                }
                break
        imports = value.get("imports")
        return cls(
            name=_text(value.get("name")),
            exports=value.get("exports"),
            imports=imports if isinstance(imports, dict) else {},
            types=_text(value.get("types")) or _text(value.get("typings")),
            types_versions=newest,
            main=tuple(filter(None, (_text(value.get(key)) for key in ("main", "module", "jsnext:main", "es2015")))),
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


class Package:
    """The files of one package and what its manifests say of them.

    Args:
        paths: of all its files, with ``/``, below the package's root.
        manifests: by the folder they lie in ("" for the root).
    """

    def __init__(self, paths: Sequence[str], manifests: Mapping[str, Manifest]) -> None:
        self.paths = frozenset(paths)
        self.manifests = manifests
        self.manifest = manifests.get("", Manifest())

    def entries(self) -> list[Entry]:
        """The package's modules, each subpath once, the root first."""
        found: dict[str, str] = {}
        entries = self._exported() if self.manifest.exports is not None else self._unlisted()
        for entry in entries:
            found.setdefault(entry.subpath, entry.path)
            if len(found) >= _MAX_ENTRIES:
                break
        if not found:
            # A workspace member that was never built: its manifest names what a build would make.
            sources = (self._source_of(each) for each in (self.manifest.types, *self.manifest.main))
            guesses = (self.file(each) for each in _SOURCES)
            first = next((each for each in (*sources, *guesses) if each is not None), None)
            if first is not None:
                found[""] = first
        return [Entry(subpath, found[subpath]) for subpath in sorted(found)]

    def resolve(self, specifier: str, importer: str) -> str | None:
        """The file that a relative, ``#`` or self-referring specifier means in ``importer``; None for none of ours."""
        if specifier.startswith("."):
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier))
            if joined == ".." or joined.startswith("../"):
                return None
            return self.file(
                "" if joined == "." else joined, is_folder=specifier.endswith(("/", "/.", "..")) or specifier == "."
            )
        if specifier.startswith("#"):
            return self._imported(specifier)
        name = self.manifest.name
        if name and (specifier == name or specifier.startswith(name + "/")):
            rest = specifier[len(name) :]
            by_entry = next((each.path for each in self.entries() if each.subpath == rest), None)
            return by_entry or (self.file(rest[1:]) if rest else None)
        return None

    def file(self, path: str, *, is_folder: bool = False) -> str | None:
        """The file that answers for a path without ``./``: its declarations, its source, its index."""
        if not is_folder and path:
            found = self._beside(path)
            if found is not None:
                return found
            for ending in _PROBED:
                if path + ending in self.paths:
                    return path + ending
        prefix = f"{path}/" if path else ""
        manifest = self.manifests.get(path) if path else None
        if manifest is not None:
            for target in (manifest.types, *manifest.main):
                joined = posixpath.normpath(prefix + target) if target else ""
                found = self.file(joined) if joined and joined != path and not joined.startswith("..") else None
                if found is not None:
                    return found
        return next((f"{prefix}index{each}" for each in _PROBED if f"{prefix}index{each}" in self.paths), None)

    def _beside(self, path: str) -> str | None:
        """A file of this very path, or the declarations beside it."""
        stem, ending = posixpath.splitext(path)
        for beside in _BESIDE.get(ending, ()):
            if stem + beside in self.paths:
                return stem + beside
        return path if path in self.paths and path.endswith(SOURCE_ENDINGS) else None

    def _exported(self) -> Iterator[Entry]:
        exports = self.manifest.exports
        by_key: dict[str, Any] = exports if _has_subpaths(exports) else {".": exports}
        refused = [key for key, target in by_key.items() if target is None]
        for key, target in by_key.items():
            if not isinstance(key, str) or not key.startswith(".") or target is None:
                continue
            leaves = list(_leaves(target))
            if "*" in key:
                if _INTERNAL.isdisjoint(key.split("/")):
                    yield from self._pattern(key, leaves, refused)
                continue
            found = self._best(leaves)
            if key == "." and self.manifest.types and (found is None or not found.endswith(DECLARATION_ENDINGS)):
                found = self.file(_plain(self.manifest.types)) or found
            if found is not None:
                yield Entry(key[1:].rstrip("/"), found)

    def _best(self, leaves: Sequence[str]) -> str | None:
        """The file of the first target with declarations, else of the first with TypeScript, else of the first."""
        found = [each for each in (self._target(leaf) for leaf in leaves) if each is not None]
        for endings in (DECLARATION_ENDINGS, TYPESCRIPT_ENDINGS, JAVASCRIPT_ENDINGS):
            for each in found:
                if each.endswith(endings):
                    return each
        return None

    def _target(self, leaf: str) -> str | None:
        if not leaf.startswith("./") or "/../" in leaf:
            return None
        return self._beside(_plain(leaf)) or self._source_of(leaf)

    def _source_of(self, target: str) -> str | None:
        """The source that a file in a build folder would be made from (``dist/a.js`` of ``src/a.ts``)."""
        folder, _, rest = _plain(target).partition("/")
        if folder not in _OUTPUT_FOLDERS or not rest:
            return None
        return self._beside(f"src/{rest}") or self._beside(f"src/{rest.partition('/')[2]}")

    def _pattern(self, key: str, leaves: Sequence[str], refused: Sequence[str]) -> Iterator[Entry]:
        """``"./features/*": "./src/features/*.js"``."""
        opening, _, closing = key[1:].partition("*")
        for leaf in leaves:
            if leaf.count("*") < 1 or not leaf.startswith("./"):
                continue
            before, _, after = _plain(leaf).partition("*")
            after_parts = after.split("*")
            endings = self._endings(after_parts[0])
            for path in sorted(self.paths):
                if not path.startswith(before):
                    continue
                ending = next((each for each in endings if path.endswith(each)), None)
                if ending is None or len(path) < len(before) + len(ending):
                    continue
                star = path[len(before) : len(path) - len(ending)]
                if not ending:
                    star = _as_javascript(star)
                subpath = f"{opening}{star}{closing}"
                if not star or any(_covers(each[1:], subpath) for each in refused) or _is_no_module(star):
                    continue
                found = self._beside(path)
                if found is not None:
                    yield Entry(subpath.removesuffix("/index"), found)

    def _endings(self, after: str) -> tuple[str, ...]:
        """What a file may end with where a pattern's target ends with ``after``: itself, or declarations beside it."""
        # What follows the star may be an ending alone, which is no ending to splitext.
        stem, _, letters = after.rpartition(".")
        ending = f".{letters}"
        if after == "":
            return ("",)
        return (*(stem + each for each in _BESIDE.get(ending, ())), after) if ending in _BESIDE else (after,)

    def _imported(self, specifier: str) -> str | None:
        for key, target in self.manifest.imports.items():
            if key == specifier:
                return self._best(list(_leaves(target)))
            opening, star, closing = key.partition("*")
            if star and specifier.startswith(opening) and specifier.endswith(closing):
                middle = specifier[len(opening) : len(specifier) - len(closing)]
                return self._best([leaf.replace("*", middle) for leaf in _leaves(target)])
        return None

    def _unlisted(self) -> Iterator[Entry]:
        """Entries of a package without ``exports``."""
        manifest = self.manifest
        yield from self._by_types_versions()
        for target in (manifest.types, *manifest.main, "index"):
            found = self.file(_plain(target)) if target else None
            if found is not None:
                yield Entry("", found)
                break
        folders: set[str] = set()
        for path in sorted(self.paths, key=lambda each: (each.count("/"), each)):
            folder, _, name = path.rpartition("/")
            if _BUILD_FOLDERS.intersection(folder.split("/")) or folder.count("/") > 1 or "." in folder:
                continue
            if not folder:
                stem = _stem(name)
                if stem and stem != "index" and not _NO_ENTRIES.search(name):
                    found = self.file(stem)
                    if found is not None:
                        yield Entry(f"/{stem}", found)
            elif folder not in folders and (_stem(name) == "index" or folder in self.manifests):
                folders.add(folder)
                found = self.file(folder, is_folder=True)
                if found is not None:
                    yield Entry(f"/{folder}", found)
        for folder in sorted(self.manifests):
            if folder and folder not in folders and folder.count("/") <= 1 and "node_modules" not in folder:
                if folder.split("/")[0] in _BUILD_FOLDERS:
                    continue
                found = self.file(folder, is_folder=True)
                if found is not None:
                    yield Entry(f"/{folder}", found)

    def _by_types_versions(self) -> Iterator[Entry]:
        for key, targets in self.manifest.types_versions.items():
            if "*" in key:
                main = _plain(self.manifest.types or "index")
                for target in targets:
                    found = self.file(_plain(target).replace("*", main)) or self.file(
                        _plain(target).replace("*", "index")
                    )
                    if found is not None and key == "*":
                        yield Entry("", found)
                        break
                continue
            for target in targets:
                found = self.file(_plain(target))
                if found is not None:
                    yield Entry("" if key in (".", "index") else f"/{_plain(key)}", found)
                    break


def _plain(path: str) -> str:
    """A manifest's path without ``./``."""
    normal = posixpath.normpath(path) if path else ""
    return "" if normal == "." else normal.lstrip("/")


def _stem(name: str) -> str:
    """A source's name without its ending, "" for other files."""
    for ending in (*DECLARATION_ENDINGS, *SOURCE_ENDINGS):
        if name.endswith(ending):
            return name[: -len(ending)]
    return ""


def _has_subpaths(exports: object) -> bool:
    return isinstance(exports, dict) and any(isinstance(key, str) and key.startswith(".") for key in exports)


def _leaves(target: object) -> Iterator[str]:
    """Every path of a conditional target: those below ``types`` first, those below ``require`` after the others."""
    ranked: list[tuple[int, str]] = []
    waiting: list[tuple[object, int]] = [(target, 2)]
    while waiting and len(ranked) < _MAX_TARGETS:
        current, rank = waiting.pop()
        if isinstance(current, str):
            ranked.append((rank, current))
        elif isinstance(current, list):
            waiting += [(each, rank) for each in reversed(current)]
        elif isinstance(current, dict):
            for key in reversed(list(current)):
                condition = str(key)
                # `types@<5` is for compilers older than what anybody asks for.
                if condition.startswith("types@<"):
                    continue
                below = rank & ~2 if condition.partition("@")[0] == "types" else rank
                waiting.append((current[key], below | 1 if condition == "require" else below))
    for _, path in sorted(ranked, key=lambda each: each[0]):
        yield path


def _covers(pattern: str, subpath: str) -> bool:
    opening, star, closing = pattern.partition("*")
    return subpath.startswith(opening) and subpath.endswith(closing) if star else subpath == pattern


def _as_javascript(path: str) -> str:
    """What a caller writes for a declaration file: the file of JavaScript that it describes."""
    for ending, written in ((".d.ts", ".js"), (".d.mts", ".mjs"), (".d.cts", ".cjs")):
        if path.endswith(ending):
            return path[: -len(ending)] + written
    return path


def _is_no_module(star: str) -> bool:
    """Whether what a pattern's star stands for is no module of its own, a twin in CommonJS, or called internal."""
    return (
        star.endswith((".map", ".json", ".css", ".d", ".min", ".cjs"))
        or "node_modules/" in star
        or not _INTERNAL.isdisjoint(star.split("/"))
    )
