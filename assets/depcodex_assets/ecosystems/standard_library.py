"""A standard library on this machine, read in place.

Here: reading it and holding it against its checksum; which packages of the JDK's archive are public. Not here: where it
lies and which files count (depcodex.lockfiles.standard_library).

Spec: the Java Language Specification, 7.7.2: a package is for everybody where its module ``exports`` it without
``to``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from depcodex.lockfiles.standard_library import library_checksum, library_paths
from depcodex_assets.archives import Limits, Member, read_members
from depcodex_assets.ecosystems.interface import HarvestRequest, SourceFile, SourceTree, TreeChangedError

_MODULE_FILE = "module-info.java"
_COMMENT_PATTERN = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_EXPORTS_PATTERN = re.compile(r"\bexports\s+([\w.]+)\s*;")
_PUBLIC_ROOTS = ("java/", "javax/")
# Java 8 has no modules; what it keeps to itself below `java` is for its window toolkits.
_INTERNAL_ENDING = "/peer"


def read_standard_library(request: HarvestRequest, limits: Limits) -> SourceTree:
    """The sources of a standard library out of the folder or archive at ``request.location``.

    Raises:
        TreeChangedError: it is gone, or its digest is not the coordinate's checksum: another patch was installed.
        ArchiveError: the archive is over a limit or damaged.
    """
    place, type = Path(request.location), request.coordinate.type
    if not request.location or not (place.is_file() if type == "maven" else place.is_dir()):
        raise TreeChangedError(f"{request.coordinate}: its source is no longer on this machine")
    try:
        files = (
            _jdk_files(place, limits)
            if type == "maven"
            else tuple(_file(place, path, limits) for path in library_paths(type, place))
        )
        # After reading: an update that came in between is seen, not read under the old checksum.
        checksum = library_checksum(type, place)
    except OSError as error:
        raise TreeChangedError(f"{request.coordinate}: its source is no longer on this machine") from error
    if request.coordinate.checksum != checksum:
        raise TreeChangedError(f"{request.coordinate}: it has changed since it was recorded")
    return SourceTree(files, checksum if type == "maven" else "")


def _file(folder: Path, path: str, limits: Limits) -> SourceFile:
    size_bytes = (folder / path).stat().st_size
    if size_bytes > limits.max_member_bytes:
        detail = f"{size_bytes} bytes, expected at most {limits.max_member_bytes}"
        return SourceFile(path, b"", False, "limit:file", detail, size_bytes)
    return SourceFile.read(path, (folder / path).read_bytes(), is_verified=True)


def _jdk_files(archive: Path, limits: Limits) -> tuple[SourceFile, ...]:
    """The sources of the packages ``java.*`` and ``javax.*`` that their modules export."""
    modules = list(read_members(archive, limits, lambda path: path.endswith(f"/{_MODULE_FILE}")))
    exported = _exported(modules)

    def is_public(path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if not name.endswith(".java") or name == _MODULE_FILE:
            return False
        if modules:
            module, _, package = folder.partition("/")
            return package.startswith(_PUBLIC_ROOTS) and (module, package) in exported
        return folder.startswith(_PUBLIC_ROOTS) and not folder.endswith(_INTERNAL_ENDING)

    files: dict[str, SourceFile] = {}
    for each in read_members(archive, limits, is_public):
        if each.skip_reason is None:
            files.setdefault(each.path, SourceFile.read(each.path, each.content, is_verified=True))
        elif each.path not in files:
            files[each.path] = SourceFile(each.path, b"", False, each.skip_reason, each.skip_detail, each.size_bytes)
    return tuple(files[path] for path in sorted(files))


def _exported(modules: Iterable[Member]) -> frozenset[tuple[str, str]]:
    """(module's folder, package's folder) of what is exported to everybody."""
    found = set()
    for each in modules:
        text = _COMMENT_PATTERN.sub(" ", each.content.decode("utf-8", "replace"))
        folder = each.path.rpartition("/")[0]
        found |= {(folder, name.replace(".", "/")) for name in _EXPORTS_PATTERN.findall(text)}
    return frozenset(found)
