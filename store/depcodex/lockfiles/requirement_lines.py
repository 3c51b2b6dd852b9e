"""The lines of a requirements file, read to one shape each.

Here: continuations, comments, options, nested files, hashes, ``# via`` annotations. Not here: what the lines resolve to
(depcodex.lockfiles.requirements).

Spec: pip's documentation, "Requirements File Format", read 2026-11; annotations as pip-compile and ``uv pip compile``
write them. Environment variables are not expanded: what they hold (credentials, mostly) has no business in a closure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import normalised_name, read_text, sha256_digests

_COMMENT_PATTERN = re.compile(r"(^|\s)#.*$")
_PIN_PATTERN = re.compile(
    r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?\s*={2,3}\s*([A-Za-z0-9.!+_-]+)\s*(?:;(.*))?"
)
_NESTED_PATTERN = re.compile(r"(-r|--requirement|-c|--constraint)(?:\s*=\s*|\s+|(?<=-[rc]))(\S.*)")
_EDITABLE_PATTERN = re.compile(r"(?:-e\s*|--editable(?:\s+|=))(\S.*)")
_ADDRESS_PATTERN = re.compile(r"(?:(?:git|hg|svn|bzr)\+)?[a-z][a-z0-9+.-]*:")
_ARCHIVE_PATTERN = re.compile(r"([A-Za-z0-9._-]+?)-(\d[^-]*)(?:-.+\.whl|\.tar\.gz|\.tar\.bz2|\.tgz|\.zip)")
_VIA_PATTERN = re.compile(r"#\s*via\b(.*)")
_VCS_PREFIXES = ("git+", "hg+", "svn+", "bzr+")
# Deeper nesting than any real project; a bound on what a hostile tree of files can cost.
_MAX_FILES = 200


@dataclass(frozen=True)
class RequirementLine:
    """One requirement of a file.

    Attributes:
        name: normalised; "" for an address that does not tell it.
        version: the one that the line pins; "" where it pins none.
        constraint: all specifiers as written.
        marker: PEP 508 text.
        extras: normalised.
        digests: ``sha256:<hex>``.
        origin: "" for an index, else ``git``, ``url``, ``path``, ``editable``.
        location: the folder or archive of a path line; None otherwise.
        commit: of a git line, where it names one.
        via: what asks for it, from annotations: normalised names; "" stands for the project itself.
        is_constraint: comes from a ``-c`` file: bounds a version, asks for nothing.
    """

    name: str
    version: str = ""
    constraint: str = ""
    marker: str = ""
    extras: tuple[str, ...] = ()
    digests: tuple[str, ...] = ()
    origin: str = ""
    location: Path | None = None
    commit: str = ""
    via: tuple[str, ...] = ()
    is_constraint: bool = False


def read_lines(path: Path, error: type[LockfileError]) -> tuple[list[RequirementLine], list[Path]]:
    """The requirements of a file and of the files it names, in order, and every file read.

    Raises:
        LockfileError: ``error``; a file is missing, not text, or a line is no requirement. The message names the
            line's number and does not quote it.
    """
    files: list[Path] = []
    return list(_read(path, error, files, is_constraint=False)), files


def _read(
    path: Path, error: type[LockfileError], files: list[Path], *, is_constraint: bool
) -> Iterator[RequirementLine]:
    place = path.resolve()
    if place in files:
        return
    files.append(place)
    if len(files) > _MAX_FILES:
        raise error(path, f"names more than {_MAX_FILES} files")
    for number, text, via in _logical_lines(read_text(path, error)):
        nested = _NESTED_PATTERN.fullmatch(text)
        if nested:
            target = nested[2].strip().strip("\"'")
            if _ADDRESS_PATTERN.match(target) and not target.startswith("file:"):
                raise error(path, f"line {number}: names a file at an address, which is not fetched")
            inner = place.parent / target.removeprefix("file://")
            if not inner.is_file():
                raise error(path, f"line {number}: names a file that is not there")
            yield from _read(inner, error, files, is_constraint=is_constraint or nested[1] in ("-c", "--constraint"))
            continue
        try:
            line = _parse(text, place.parent, via, is_constraint)
        except ValueError as problem:
            raise error(path, f"line {number}: not a requirement") from problem
        if line is not None:
            yield line


def _logical_lines(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """(number of its first line, joined text without comments, annotation) of each line that says something."""
    pending: tuple[int, str] | None = None
    via: list[str] = []
    joined, start, is_via_block = "", 0, False
    for number, raw in enumerate([*text.splitlines(), None], 1):
        stripped = raw.strip() if raw is not None else ""
        if raw is not None and stripped.startswith("#"):
            found = _VIA_PATTERN.match(stripped)
            if found and pending:
                is_via_block = True
                via += _via_names(found[1])
            elif is_via_block:
                via += _via_names(stripped.lstrip("#"))
            continue
        is_via_block = False
        if raw is not None and not joined and not stripped:
            continue
        if raw is not None:
            comment = _VIA_PATTERN.search(raw)
            bare = _COMMENT_PATTERN.sub("", raw)
            start = start if joined else number
            if not joined and pending:
                yield pending[0], pending[1], tuple(via)
                pending, via = None, []
            if bare.rstrip().endswith("\\"):
                joined += bare.rstrip()[:-1] + " "
                continue
            joined += bare
            if comment:
                via += _via_names(comment[1])
                is_via_block = True
        if joined.strip():
            pending = (start, joined.strip())
        joined = ""
        if raw is None and pending:
            yield pending[0], pending[1], tuple(via)


def _via_names(text: str) -> list[str]:
    """What an annotation names: "" for the project (a file, or a name with the file it stands in)."""
    found = []
    for part in text.split(","):
        part = part.strip()
        if not part or part.startswith("-c "):
            continue
        if part.startswith("-") or "(" in part:
            found.append("")
        elif re.fullmatch(r"[A-Za-z0-9._-]+(\[[^\]]*\])?(==\S+)?", part):
            found.append(normalised_name(re.split(r"[\[=]", part)[0]))
    return found


def _parse(text: str, base: Path, via: tuple[str, ...], is_constraint: bool) -> RequirementLine | None:
    requirement, digests = _split_options(text)
    editable = _EDITABLE_PATTERN.fullmatch(requirement)
    if editable:
        return _address(editable[1], base, digests, via, is_editable=True)
    if not requirement or requirement.startswith("-"):
        # Options of the file (indexes, formats, `--pre` …) resolve nothing.
        return None
    pinned = _PIN_PATTERN.fullmatch(requirement)
    if pinned:
        extras = tuple(sorted(normalised_name(each.strip()) for each in (pinned[2] or "").split(",") if each.strip()))
        version = normalised_version(pinned[3])
        marker = (pinned[4] or "").strip()
        return RequirementLine(
            normalised_name(pinned[1]),
            version,
            f"=={pinned[3]}",
            marker,
            extras,
            digests,
            via=via,
            is_constraint=is_constraint,
        )
    if _is_address(requirement):
        return _address(requirement, base, digests, via)
    return _requirement(requirement, base, digests, via, is_constraint)


def _requirement(
    text: str, base: Path, digests: tuple[str, ...], via: tuple[str, ...], is_constraint: bool
) -> RequirementLine:
    from packaging.requirements import Requirement

    parsed = Requirement(text)
    name = normalised_name(parsed.name)
    marker = str(parsed.marker or "")
    extras = tuple(sorted(normalised_name(each) for each in parsed.extras))
    if parsed.url:
        found = _address(parsed.url, base, digests, via)
        return RequirementLine(
            name,
            found.version,
            marker=marker,
            extras=extras,
            digests=digests,
            origin=found.origin,
            location=found.location,
            commit=found.commit,
            via=via,
        )
    pins = [each.version for each in parsed.specifier if each.operator in ("==", "===") and "*" not in each.version]
    version = normalised_version(pins[0]) if pins else ""
    return RequirementLine(
        name, version, str(parsed.specifier), marker, extras, digests, via=via, is_constraint=is_constraint
    )


def _split_options(text: str) -> tuple[str, tuple[str, ...]]:
    """The requirement without ``--hash=…`` and other options of its own, and the digests."""
    head, *options = re.split(r"\s(?=--[a-z])", text) if not text.startswith("--") else [text]
    return head.strip(), sha256_digests([each for each in options if each.startswith("--hash")])


def _is_address(text: str) -> bool:
    if text.startswith((".", "/", "~")) or _ADDRESS_PATTERN.match(text):
        return True
    bare = text.split(";")[0].strip()
    return " @" not in bare and ("/" in bare or bool(_ARCHIVE_PATTERN.fullmatch(bare)))


def _address(
    text: str, base: Path, digests: tuple[str, ...], via: tuple[str, ...], *, is_editable: bool = False
) -> RequirementLine:
    """A line that names its package by a URL or path: what it tells about name, version and commit."""
    marker = ""
    if re.search(r"\s;\s*|;\s", text):
        text, marker = (part.strip() for part in re.split(r"\s*;\s*", text, maxsplit=1))
    address, _, fragment = text.partition("#")
    options = dict(part.split("=", 1) for part in fragment.split("&") if "=" in part)
    extras: tuple[str, ...] = ()
    bracket = re.fullmatch(r"(.*[^/])\[([A-Za-z0-9._, -]+)\]", address)
    if bracket:
        address = bracket[1]
        extras = tuple(sorted(normalised_name(each.strip()) for each in bracket[2].split(",")))
    digests = digests or sha256_digests([fragment])
    name = normalised_name(re.split(r"[\[<>=]", options.get("egg", ""))[0])
    if address.startswith(_VCS_PREFIXES):
        body, _, commit = address.partition("+")[2].partition("://")[2].rpartition("@")
        if not body or "/" not in body or "/" in commit:
            # No `@ref` after the path: an `@` before it belongs to the user's name.
            body, commit = address, ""
        name = name or normalised_name(body.rstrip("/").rpartition("/")[2].removesuffix(".git"))
        return RequirementLine(name, "", "", marker, extras, digests, "git", commit=commit, via=via)
    file_name = unquote(address.rstrip("/").rpartition("/")[2])
    archive = _ARCHIVE_PATTERN.fullmatch(file_name)
    version = archive[2] if archive else ""
    name = name or (normalised_name(archive[1]) if archive else "")
    if _ADDRESS_PATTERN.match(address) and not address.startswith("file:"):
        return RequirementLine(name or normalised_name(file_name), version, "", marker, extras, digests, "url", via=via)
    place = unquote(re.sub(r"^file:(//(localhost)?(?=/))?", "", address))
    location = (base / Path(place).expanduser()).resolve()
    origin = "editable" if is_editable else "path"
    return RequirementLine(name, version, "", marker, extras, digests, origin, location, via=via)


def normalised_version(text: str) -> str:
    """A version in PEP 440's normal form; as written where it has none.

    Example:
        >>> normalised_version("1.0-beta.2")
        '1.0b2'
    """
    if re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*))*", text):
        return text
    from packaging.version import InvalidVersion, Version

    try:
        return str(Version(text))
    except InvalidVersion:
        return text
