"""Reads the sources out of jars, or the class files of a jar for which no sources are published, as data.

Here: which members count and under which path, what a jar is good for, the release day. Not here: limits and hostile
members (depcodex_assets.archives), which jar to take (maven_cached, maven_fetch), what is in a file (languages).

Formats: the JAR file specification (multi-release jars, ``META-INF/versions``); Kotlin's multiplatform publications,
whose sources jars have a folder for each source set (``commonMain``, ``jvmMain``); the class file format (Java Virtual
Machine Specification, chapter 4).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from depcodex.coordinates import Coordinate
from depcodex.errors import SourceNotFoundError
from depcodex.lockfiles.jvm_modules import SUFFIXES
from depcodex_assets.archives import Limits, Member, read_members
from depcodex_assets.ecosystems.class_files import is_public_class
from depcodex_assets.ecosystems.interface import Fetched, SourceFile, SourceTree
from depcodex_assets.ecosystems.pypi_archive import release_day

SOURCES_ENDING = "-sources.jar"
CLASSES_ENDING = ".jar"
# A source set's folder is camel case (commonMain, commonJvmAndroid), which the first part of a package hardly ever is.
_ROOT_PATTERN = re.compile(
    r"(?:src/)?(?:main|([a-z][a-z0-9]*[A-Z][A-Za-z0-9]*))/(?:java|kotlin)/|([a-z][a-z0-9]*[A-Z][A-Za-z0-9]*)/"
)
_VERSIONED_PATTERN = re.compile(r"META-INF/versions/[0-9]+/(.+)")
_README_PATTERN = re.compile(r"(?:META-INF/)?readme(?:\.(?:md|markdown|txt|adoc|rst))?", re.IGNORECASE)
_ANONYMOUS_PATTERN = re.compile(r"\$[0-9]|(?:^|/)(?:module-info|package-info)\.class$")
# Source sets that the JVM's own part of a library has; what only these lack is the part for all platforms.
_JVM_SETS = {"jvmMain", "androidMain", "desktopMain", "javaMain"}
_JVM_ENDINGS = ("-jvm", "-android", "-desktop", "-jre7", "-jre8")
_OTHER_PLATFORM_PATTERN = re.compile(
    r"(?:nonJvm|native|js|wasm|web|posix|unix|linux|mingw|windows|apple|darwin|ios|macos|osx|tvos|watchos|nonApple)"
    r"(?![a-z])(?!.*Jvm).*Main"
)


def module_root_error(coordinate: Coordinate) -> SourceNotFoundError:
    """Why the module that stands for all platforms of a library is not indexed.

    A lock that names it names the JVM's own module as well, whose sources jar holds the shared sources, too: they are
    indexed once, under the coordinate whose classes a program runs.
    """
    return SourceNotFoundError(
        f"{coordinate}: a multiplatform library's module without classes of its own; see {coordinate.name}-jvm"
    )


class JarUse(enum.Enum):
    """What a jar is good for."""

    NOTHING = "neither sources nor classes that are read"
    SOURCES = "sources"
    COMMON = "sources for all platforms, of a module that may have no classes of its own"
    CLASSES = "class files"


def jar_use(path: Path, artifact: str, limits: Limits, *, name: str = "") -> JarUse:
    """What a jar is good for, by the names of its members alone.

    Raises:
        ArchiveError: as ``archives.read_members``.
    """
    names: list[str] = []

    def remember(member: str) -> bool:
        names.append(member)
        return False

    for _ in read_members(path, limits, remember, name=name or path.name):
        pass
    sources = [each for each in names if _is_source(each)]
    if not sources:
        return JarUse.CLASSES if any(_is_class(each) for each in names) else JarUse.NOTHING
    roots = [_ROOT_PATTERN.match(each) for each in sources]
    sets = {match[1] or match[2] or "" for match in roots if match is not None}
    if not sets - {""} or sets & _JVM_SETS or artifact.endswith(_JVM_ENDINGS):
        return JarUse.SOURCES
    return JarUse.COMMON


def read_archive(fetched: Fetched, limits: Limits, today: date) -> SourceTree:
    """The sources of a fetched jar; the public classes of one that has none.

    Raises:
        ArchiveError: it is refused, or cannot be read (see ``archives.read_members``).
    """
    assert fetched.archive is not None
    name = fetched.file_name or fetched.archive.name
    return read_jar(
        fetched.archive, name, fetched.digest, limits, today, is_verified=fetched.is_verified, day=fetched.released_on
    )


def read_jar(
    path: Path, name: str, digest: str, limits: Limits, today: date, *, is_verified: bool, day: str = ""
) -> SourceTree:
    """The same for a jar on this machine.

    Args:
        path: the jar.
        name: what it is called; ``-sources.jar`` at the end says that it holds sources.
        digest: ``sha256:<hex>`` of it.
        limits: what it may cost.
        today: no release day lies after it.
        is_verified: a lock or a registry names this digest.
        day: the release day where it is known, else "".
    """
    is_sources = name.endswith(SOURCES_ENDING)
    wanted = _is_wanted_source if is_sources else _is_class
    members = list(read_members(path, limits, wanted, name=name))
    if not is_sources:
        members = [each for each in members if each.skip_reason or is_public_class(each.content)]
    files = _files(members, is_verified=is_verified)
    released_on = day or release_day((each.modified_at for each in members), today)
    return SourceTree(files, digest, released_on)


def _is_source(path: str) -> bool:
    versioned = _VERSIONED_PATTERN.fullmatch(path)
    return path.endswith(SUFFIXES) and (versioned is not None or not path.startswith(("META-INF/", ".")))


def _is_wanted_source(path: str) -> bool:
    return _is_source(path) or _README_PATTERN.fullmatch(path) is not None


def _is_class(path: str) -> bool:
    """Whether a path is a class file that can be public API: no lambda, no anonymous class, no twin of another Java."""
    return path.endswith(".class") and not path.startswith("META-INF/") and not _ANONYMOUS_PATTERN.search(path)


def _files(members: Sequence[Member], *, is_verified: bool) -> tuple[SourceFile, ...]:
    """One file a path: the package's path where it is free, else the path inside the jar.

    A declaration that all platforms share stands before a platform's own of the same name, and a class before its twin
    for a newer Java: the first has the docs.
    """
    found: dict[str, SourceFile] = {}
    for member in sorted(members, key=_rank):
        match = _ROOT_PATTERN.match(member.path)
        source_set = (match[1] or match[2] or "") if match else ""
        if _OTHER_PLATFORM_PATTERN.fullmatch(source_set):
            continue
        path = package_path(member.path)
        if path in found and path != member.path and not member.skip_reason:
            path = member.path
        known = found.get(path)
        if known is None or (known.skip_reason and not member.skip_reason):
            found[path] = _file(path, member, is_verified=is_verified, twin=known)
        elif known.skip_reason is None and member.skip_reason:
            detail = f"{member.skip_reason}: the first is read"
            found[path] = SourceFile.read(path, known.content, is_verified=is_verified, detail=detail)
    return tuple(found[path] for path in sorted(found))


def _rank(member: Member) -> tuple[bool, bool, bool]:
    # Stable: entries of one kind keep the archive's order, so that of two of one path the first counts.
    return (
        bool(member.skip_reason),
        _VERSIONED_PATTERN.fullmatch(member.path) is not None,
        not member.path.startswith("commonMain/"),
    )


def package_path(path: str) -> str:
    """A source's path below its root: without the folder of a source set, of a build, of a Java version.

    Example:
        >>> package_path("commonMain/io/ktor/Url.kt"), package_path("src/main/java/a/B.java")
        ('io/ktor/Url.kt', 'a/B.java')
    """
    versioned = _VERSIONED_PATTERN.fullmatch(path)
    return _ROOT_PATTERN.sub("", versioned[1] if versioned else path, count=1)


def _file(path: str, member: Member, *, is_verified: bool, twin: SourceFile | None) -> SourceFile:
    if member.skip_reason:
        return SourceFile(path, b"", False, member.skip_reason, member.skip_detail, member.size_bytes)
    detail = f"{twin.skip_reason}: the first is read" if twin is not None else None
    return SourceFile.read(path, member.content, is_verified=is_verified, detail=detail)
