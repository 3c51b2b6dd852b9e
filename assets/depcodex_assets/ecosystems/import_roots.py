"""Finds what a Python source tree would install, from its file names and its metadata read as data.

Here: the map from files of a source distribution or a checkout to import paths. Not here: reading the files
(pypi_archive, local_tree). No setup.py is run: what only it knows is taken from the names that lie beside it.

Order: the ``*.egg-info/top_level.txt`` that setuptools puts into each sdist, pyproject.toml and setup.cfg, a ``src``
folder, packages at the top, and last any folder that holds a package of the project's name. Names left out at the top
are those of setuptools' FlatLayoutPackageFinder and FlatLayoutModuleFinder (setuptools.discovery), and a few more.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from depcodex.trees import SOURCE_SUFFIXES, is_no_api

METADATA_NAMES = ("pyproject.toml", "setup.cfg", "top_level.txt", "PKG-INFO")
# fmt: off
_FLAT_FOLDERS = frozenset({
    "ci", "bin", "debian", "doc", "docs", "documentation", "manpages", "news", "newsfragments", "changelog",
    "test", "tests", "unit_test", "unit_tests", "example", "examples", "scripts", "tools", "util", "utils",
    "python", "build", "benchmark", "benchmarks", "exercise", "exercises", "htmlcov", "tasks", "dist", "venv",
    "env", "node_modules", "site", "requirements", "fuzz", "perf",
})
_FLAT_MODULES = frozenset({
    "setup", "conftest", "test", "tests", "example", "examples", "build", "toxfile", "noxfile", "pavement",
    "dodo", "tasks", "fabfile", "tool", "tools", "versioneer", "ez_setup", "distribute_setup", "runtests",
    "run_tests", "bootstrap", "configure",
})
# fmt: on
_BACKENDS_BY_NAME = ("flit", "hatchling", "poetry", "uv_build")
_OTHER_ROOTS = ("lib", "Lib", "python", "py", "source", "sources", "lib3", "python3")


@dataclass(frozen=True)
class ImportMap:
    """Where files of a tree end up below the import root.

    Attributes:
        prefixes: (folder or file in the tree, its import path); the first that covers a file decides. A folder ""
            is the tree's top.
    """

    prefixes: tuple[tuple[str, str], ...]

    def import_path(self, path: str) -> str | None:
        """The path below the import root, or None for a file that is not installed or is a test.

        Example:
            >>> ImportMap((("src/a", "a"),)).import_path("src/a/b.py")
            'a/b.py'
        """
        if not path.endswith(SOURCE_SUFFIXES):
            return None
        for source, target in self.prefixes:
            if path == source:
                return target
            if source == "" or path.startswith(source + "/"):
                rest = path[len(source) :].lstrip("/")
                inside = f"{target}/{rest}" if target else rest
                is_script = (not target or not source) and _is_beside_packages(rest)
                return None if is_script or is_no_api(inside) else inside
        return None


def _is_beside_packages(path: str) -> bool:
    """Whether a module that lies directly in a folder of packages is one that backends leave out (setup.py, tests)."""
    stem = path.rpartition(".")[0].lower()
    return "/" not in path and (stem in _FLAT_MODULES or stem.startswith("test_"))


def find_imports(paths: Sequence[str], read_text: Callable[[str], str | None], project_name: str) -> ImportMap:
    """The import map of a source tree.

    Args:
        paths: every source and metadata file of the tree, with ``/``, below its top.
        read_text: the text of a metadata file; None where it cannot be read.
        project_name: the distribution's name, in any spelling.
    """
    tree = _Tree([each for each in paths if each.endswith(SOURCE_SUFFIXES)])
    pyproject = _toml(read_text("pyproject.toml") if "pyproject.toml" in paths else None)
    ways: Iterable[Callable[[], list[tuple[str, str]]]] = (
        lambda: _by_top_level(tree, paths, read_text),
        lambda: _by_pyproject(tree, pyproject),
        lambda: _by_setup_cfg(tree, read_text("setup.cfg") if "setup.cfg" in paths else None),
        lambda: _by_backend(tree, pyproject, project_name),
        lambda: _all_below(tree, "src"),
        lambda: _top_package(tree, read_text("PKG-INFO") if "PKG-INFO" in paths else None),
        lambda: _flat(tree, project_name),
        lambda: _by_name(tree, project_name),
    )
    for way in ways:
        prefixes = way()
        if prefixes:
            return ImportMap(tuple(dict.fromkeys(prefixes)))
    return ImportMap(())


class _Tree:
    """Folders and source files, for questions of existence."""

    def __init__(self, files: Sequence[str]) -> None:
        self.files = set(files)
        self.folders: set[str] = set()
        for file in files:
            parent = file.rpartition("/")[0]
            while parent and parent not in self.folders:
                self.folders.add(parent)
                parent = parent.rpartition("/")[0]

    def children(self, folder: str) -> list[str]:
        """Names of packages (folders with sources) and modules directly in a folder, as paths."""
        prefix = f"{folder}/" if folder else ""
        every = (*self.folders, *self.files)
        return sorted(each for each in every if each.startswith(prefix) and "/" not in each[len(prefix) :])

    def named(self, root: str, name: str) -> list[tuple[str, str]]:
        """The package or module ``name`` (dotted or with /) in ``root``, with its stubs."""
        inside = name.strip("/").replace(".", "/")
        path = _joined(root, inside)
        found = [(path, inside)] if path in self.folders else []
        return found + [(path + end, inside + end) for end in SOURCE_SUFFIXES if path + end in self.files]


def _joined(root: str, rest: str) -> str:
    root = re.sub(r"^(\./)+|/+$", "", root.strip())
    return "/".join(part for part in (("" if root == "." else root), rest) if part)


def _by_top_level(tree: _Tree, paths: Sequence[str], read_text: Callable[[str], str | None]) -> list[tuple[str, str]]:
    lists = [each for each in paths if each.endswith(".egg-info/top_level.txt") and each.count("/") <= 2]
    found: list[tuple[str, str]] = []
    for path in sorted(lists, key=lambda each: (each.count("/"), each)):
        root = path.rsplit("/", 2)[0] if path.count("/") == 2 else ""
        for name in (read_text(path) or "").split():
            if name not in _FLAT_FOLDERS or name in ("utils", "util", "tasks", "tools"):
                found += tree.named(root, name) or [
                    pair for each in ("src", "lib", "python") for pair in tree.named(each, name)
                ]
    return found


def _toml(text: str | None) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text or "")
    except tomllib.TOMLDecodeError:
        return {}


def _by_pyproject(tree: _Tree, pyproject: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the widespread build backends' own tables say."""

    def table(*keys: str) -> Mapping[str, Any]:
        value: Any = pyproject.get("tool", {})
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value if isinstance(value, Mapping) else {}

    found: list[tuple[str, str]] = []
    setuptools = table("setuptools")
    folders = {str(key): str(value) for key, value in table("setuptools", "package-dir").items()}
    top = folders.pop("", "")
    for name, folder in folders.items():
        found += [(_joined(folder, ""), name.replace(".", "/"))]
    for name in [*_strings(setuptools.get("packages")), *_strings(setuptools.get("py-modules"))]:
        found += tree.named(top, name)
    for where in _strings(table("setuptools", "packages", "find").get("where")):
        found += _all_below(tree, _joined(where, ""))
    for item in _tables(table("poetry").get("packages")):
        found += tree.named(str(item.get("from") or ""), str(item.get("include") or "").split("*")[0])
    wheel = table("hatch", "build", "targets", "wheel")
    for package in [*_strings(wheel.get("packages")), *_strings(wheel.get("only-include"))]:
        path = _joined(package, "")
        if path in tree.folders or path in tree.files:
            found.append((path, path.rpartition("/")[2]))
    for flit_name in (table("flit", "module").get("name"), table("flit", "metadata").get("module")):
        if isinstance(flit_name, str):
            found += tree.named("", flit_name) or tree.named("src", flit_name)
    backend = table("uv", "build-backend")
    for name in _strings(backend.get("module-name")):
        found += tree.named(str(backend.get("module-root", "src")), name)
    found += _all_below(tree, _joined(str(table("pdm", "build").get("package-dir") or ""), ""))
    found += _all_below(tree, _joined(str(table("maturin").get("python-source") or ""), ""))
    if top and not found:
        found += _all_below(tree, _joined(top, ""))
    return found


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _tables(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _by_setup_cfg(tree: _Tree, text: str | None) -> list[tuple[str, str]]:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text or "")
    except configparser.Error:
        return []

    def lines(section: str, option: str) -> list[str]:
        return re.split(r"[\n,]+", parser.get(section, option, fallback="").strip())

    folders = dict(each.replace(" ", "").split("=", 1) for each in lines("options", "package_dir") if "=" in each)
    top = folders.pop("", "")
    found = [(_joined(folder, ""), name.replace(".", "/")) for name, folder in folders.items()]
    for name in [*lines("options", "packages"), *lines("options", "py_modules")]:
        if name and ":" not in name:
            found += tree.named(top, name.strip())
    for where in lines("options.packages.find", "where"):
        found += _all_below(tree, _joined(where, ""))
    if top and not found:
        found += _all_below(tree, _joined(top, ""))
    return found


def _by_backend(tree: _Tree, pyproject: Mapping[str, Any], project_name: str) -> list[tuple[str, str]]:
    """The package of the project's own name, for backends that take that one and nothing else by default."""
    build_system = pyproject.get("build-system")
    backend = str(build_system.get("build-backend")) if isinstance(build_system, Mapping) else ""
    if not backend.startswith(_BACKENDS_BY_NAME):
        return []
    own = re.sub(r"[-_.]+", "_", project_name)
    names = dict.fromkeys((own, own.lower()))
    return [pair for root in ("src", "") for name in names for pair in tree.named(root, name)]


def _all_below(tree: _Tree, root: str) -> list[tuple[str, str]]:
    """Everything in a folder that holds packages; nothing for the top, which holds more than packages."""
    return [(root, "")] if root and root in tree.folders else []


def _top_package(tree: _Tree, metadata: str | None) -> list[tuple[str, str]]:
    """The tree's top itself where it is a package: named by PKG-INFO, whose name still has its dots."""
    named = re.search(r"^Name: *([A-Za-z0-9._]+) *$", metadata or "", re.MULTILINE)
    if named is None or "__init__.py" not in tree.files:
        return []
    return [("", named[1].replace(".", "/"))]


def _flat(tree: _Tree, project_name: str) -> list[tuple[str, str]]:
    own = re.sub(r"[-_.]+", "_", project_name).lower()
    packages: list[tuple[str, str]] = []
    modules: list[tuple[str, str]] = []
    for path in tree.children(""):
        if path in tree.folders:
            is_package = any(f"{path}/__init__{end}" in tree.files for end in SOURCE_SUFFIXES)
            is_own = path.lower() == own or own.startswith(path.lower() + "_")
            is_stub = path.endswith("-stubs")
            is_name = path.isidentifier() and path.lower() not in _FLAT_FOLDERS and not path.startswith("_test")
            if is_own or is_stub or (is_package and is_name):
                packages.append((path, path))
        else:
            stem = path.rpartition(".")[0]
            if stem.isidentifier() and stem.lower() not in _FLAT_MODULES:
                modules.append((path, path))
    if any(path.lower() == own for path, _ in packages):
        # Scripts beside a package are seldom installed; a single-file module beside others is.
        return packages
    named = [(path, target) for path, target in modules if path.rpartition(".")[0].lower() in (own, f"_{own}")]
    return packages + named if packages or named else modules


def _by_name(tree: _Tree, project_name: str) -> list[tuple[str, str]]:
    """The nearest folder that holds a package or module of the project's name, else one of the usual folders."""
    own = re.sub(r"[-_.]+", "_", project_name).lower()
    candidates = [
        path
        for path in (*tree.folders, *tree.files)
        if "/" in path and path.rpartition("/")[2].removesuffix(".pyi").removesuffix(".py").lower() == own
    ]
    if candidates:
        nearest = min(candidates, key=lambda each: (each.count("/"), each))
        return [(nearest.rpartition("/")[0], "")]
    return next((found for root in _OTHER_ROOTS if (found := _all_below(tree, root))), [])
