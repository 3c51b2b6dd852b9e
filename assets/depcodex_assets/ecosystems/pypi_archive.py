"""Reads the sources out of wheels and Python source distributions, as data.

Here: what of an archive is installed and under which import path, RECORD's digests, the release day. Not here: limits
and hostile members (depcodex_assets.archives), which archive to take (pip_finder).

Formats: the binary distribution format (wheel 1.0, PEP 427 with its ``.data`` folders), the source distribution format
(PEP 625; older ones too). No build backend is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime

from depcodex.trees import SOURCE_SUFFIXES, is_no_api
from depcodex_assets.archives import Limits, Member, read_members
from depcodex_assets.ecosystems.import_roots import METADATA_NAMES, find_imports
from depcodex_assets.ecosystems.interface import Fetched, SourceFile, SourceTree
from depcodex_assets.ecosystems.pypi_record import read_record

_DIST_INFO_PATTERN = re.compile(r"[^/]+\.dist-info/(RECORD|METADATA|WHEEL)")
_DATA_PATTERN = re.compile(r"[^/]+\.data/(?:purelib|platlib)/(.+)")
_OTHER_DATA_PATTERN = re.compile(r"[^/]+\.(?:data|dist-info)/")
# Days that build tools write instead of a time (SOURCE_DATE_EPOCH defaults of zip, npm, flit and hatch).
_PLACEHOLDERS = {date(1980, 1, 1), date(1985, 10, 26), date(2016, 1, 1), date(2020, 2, 2)}
_FIRST_SANE_DAY = date(2005, 1, 1)


def read_archive(fetched: Fetched, limits: Limits, today: date) -> SourceTree:
    """The sources of a fetched wheel or source distribution.

    Raises:
        ArchiveError: it is refused, or cannot be read (see ``archives.read_members``).
    """
    assert fetched.archive is not None
    name = fetched.file_name or fetched.archive.name
    if name.endswith(".whl"):
        members = list(read_members(fetched.archive, limits, _is_wanted_of_wheel, name=name))
        files = _of_wheel(members, is_verified=fetched.is_verified)
        stamps = [each for each in members if _DIST_INFO_PATTERN.fullmatch(each.path)]
    else:
        members = list(read_members(fetched.archive, limits, _is_wanted_of_sdist, name=name))
        files = _of_sdist(members, fetched.coordinate.name, is_verified=fetched.is_verified)
        stamps = [each for each in members if each.path.endswith("/PKG-INFO")]
    released_on = fetched.released_on or release_day([each.modified_at for each in stamps], today)
    return SourceTree(_each_path_once(files), fetched.digest, released_on)


def release_day(times: Iterable[datetime | None], today: date) -> str:
    """The newest day of these that can be a release day, as YYYY-MM-DD; "" when none can.

    Example:
        >>> release_day([datetime(2020, 2, 2, tzinfo=UTC), datetime(2024, 5, 29, 15, tzinfo=UTC)], date(2026, 11, 30))
        '2024-05-29'
    """
    days = [each.astimezone(UTC).date() for each in times if each is not None]
    sane = [each for each in days if _FIRST_SANE_DAY < each <= today and each not in _PLACEHOLDERS]
    return max(sane).isoformat() if sane else ""


def _is_wanted_of_wheel(path: str) -> bool:
    return path.endswith(SOURCE_SUFFIXES) or _DIST_INFO_PATTERN.fullmatch(path) is not None


def _is_wanted_of_sdist(path: str) -> bool:
    return path.endswith(SOURCE_SUFFIXES) or path.rpartition("/")[2] in METADATA_NAMES


def _of_wheel(members: Sequence[Member], *, is_verified: bool) -> list[SourceFile]:
    record_member = next((each for each in members if each.path.endswith(".dist-info/RECORD")), None)
    record = read_record(record_member.content) if record_member else {}
    files: list[SourceFile] = []
    for member in members:
        if not member.path.endswith(SOURCE_SUFFIXES):
            continue
        in_data = _DATA_PATTERN.fullmatch(member.path)
        path = in_data.group(1) if in_data else member.path
        if is_no_api(path) or (in_data is None and _OTHER_DATA_PATTERN.match(member.path)):
            continue
        row = record.get(member.path)
        agrees = row.agrees(member.content) if row is not None and member.skip_reason is None else None
        # A RECORD that contradicts the bytes costs the label even where the archive's own digest is right.
        files.append(_file(path, member, is_verified=is_verified if agrees is None else agrees))
    return files


def _of_sdist(members: Sequence[Member], project_name: str, *, is_verified: bool) -> list[SourceFile]:
    tops = {each.path.partition("/")[0] for each in members if "/" in each.path}
    top = f"{tops.pop()}/" if len(tops) == 1 and all("/" in each.path for each in members) else ""
    inside = {each.path.removeprefix(top): each for each in reversed(members)}

    def read_text(path: str) -> str | None:
        return inside[path].content.decode("utf-8", "replace") if path in inside else None

    imports = find_imports(list(inside), read_text, project_name)
    files: list[SourceFile] = []
    for member in members:
        path = imports.import_path(member.path.removeprefix(top))
        if path is not None:
            files.append(_file(path, member, is_verified=is_verified))
    return files


def _file(path: str, member: Member, *, is_verified: bool) -> SourceFile:
    if member.skip_reason is None:
        return SourceFile.read(path, member.content, is_verified=is_verified)
    return SourceFile(path, b"", False, member.skip_reason, member.skip_detail, member.size_bytes)


def _each_path_once(files: Sequence[SourceFile]) -> tuple[SourceFile, ...]:
    """Sorted, each path once: the first that was read wins, and says so."""
    kept: dict[str, SourceFile] = {}
    for file in files:
        first = kept.get(file.path)
        if first is None or (first.skip_reason and not file.skip_reason):
            kept[file.path] = file
        elif not first.skip_reason:
            kept[file.path] = SourceFile.read(
                first.path, first.content, is_verified=first.is_verified, detail="archive:duplicate: the first is read"
            )
    return tuple(kept[path] for path in sorted(kept))
