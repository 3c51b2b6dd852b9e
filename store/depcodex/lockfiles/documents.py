"""Reading a lock file's text, TOML or JSON at the edge, so that whatever is wrong with it becomes the format's error.

Here: files, TOML, JSON, typed access. Not here: what any format means.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from depcodex.coordinates import Coordinate
from depcodex.errors import CoordinateError, LockfileError

# Above it a file is no lock: the largest real ones are about 20 MB.
MAX_LOCK_BYTES = 128 * 1024 * 1024
_NAME_PATTERN = re.compile(r"[-_.]+")
_PLAIN_PATTERN = re.compile(r"[A-Za-z0-9.-]{1,100}")
_DIGEST_PATTERN = re.compile(r"sha256[:=]([0-9a-fA-F]{64})")


@functools.lru_cache(maxsize=65536)
def normalised_name(name: str) -> str:
    """A distribution, extra or group name as PEP 503 and PEP 685 normalise it.

    Example:
        >>> normalised_name("Typing_Extensions")
        'typing-extensions'
    """
    return _NAME_PATTERN.sub("-", name).lower()


def read_text(path: Path, error: type[LockfileError]) -> str:
    """The file's text as UTF-8 (a byte order mark is dropped).

    Raises:
        LockfileError: ``error``; the file is absent, not readable, too large or not UTF-8.
    """
    try:
        if path.stat().st_size > MAX_LOCK_BYTES:
            raise error(path, f"too large, expected at most {MAX_LOCK_BYTES} bytes")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise error(path, f"not UTF-8, byte {problem.start}") from problem
    except OSError as problem:
        raise error(path, f"cannot be read: {problem.strerror}") from problem


def parse_toml(text: str, path: Path, error: type[LockfileError]) -> dict[str, Any]:
    """The text as TOML.

    Raises:
        LockfileError: ``error``; not TOML, or cut off. The message names line and column and quotes nothing.
    """
    import tomli

    try:
        return tomli.loads(text)
    except (tomli.TOMLDecodeError, RecursionError) as problem:
        place = re.search(r"\(at (line \d+, column \d+|end of document)\)", str(problem))
        raise error(path, f"not TOML{f', {place[1]}' if place else ''}") from problem


def parse_json(text: str, path: Path, error: type[LockfileError]) -> dict[str, Any]:
    """The text as a JSON object; an empty text is an empty object.

    Raises:
        LockfileError: ``error``; not JSON, cut off, or no object.
    """
    import json

    if not text.strip():
        return {}
    try:
        document = json.loads(text)
    except json.JSONDecodeError as problem:
        raise error(path, f"not JSON, line {problem.lineno}, column {problem.colno}") from problem
    except RecursionError as problem:
        raise error(path, "not JSON, nested too deep") from problem
    if not isinstance(document, dict):
        raise error(path, "not a JSON object")
    return document


def tables(document: Mapping[str, Any], key: str, path: Path, error: type[LockfileError]) -> list[dict[str, Any]]:
    """The array of tables under ``key``; an absent one is empty.

    Raises:
        LockfileError: ``error``; something else stands there.
    """
    value = document.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise error(path, f"{key}: expected an array of tables")
    return value


def table(document: Mapping[str, Any], key: str, path: Path, error: type[LockfileError]) -> dict[str, Any]:
    """The table under ``key``; an absent one is empty.

    Raises:
        LockfileError: ``error``; something else stands there.
    """
    value = document.get(key, {})
    if not isinstance(value, dict):
        raise error(path, f"{key}: expected a table")
    return value


def text_of(row: Mapping[str, Any], key: str, path: Path, error: type[LockfileError]) -> str:
    """The string under ``key``; "" where it is absent.

    Raises:
        LockfileError: ``error``; something else stands there.
    """
    value = row.get(key, "")
    if not isinstance(value, str):
        raise error(path, f"{key}: expected a string")
    return value


@contextlib.contextmanager
def guarded(path: Path, error: type[LockfileError]) -> Iterator[None]:
    """Whatever a malformed file provokes inside becomes the format's error, in one line.

    Raises:
        LockfileError: ``error``; a field of the wrong type, a marker or requirement that cannot be parsed, a name or
            version that cannot be a coordinate.
    """
    try:
        yield
    except LockfileError:
        raise
    except CoordinateError as problem:
        raise error(path, f"package {problem.text[:120]!r}: {problem.problem}") from problem
    except (AttributeError, KeyError, TypeError, IndexError) as problem:
        raise error(path, "a field is missing or of the wrong type") from problem
    except ValueError as problem:
        # InvalidMarker, InvalidRequirement and InvalidSpecifier of packaging are all ValueErrors.
        raise error(path, f"a value cannot be parsed ({type(problem).__name__})") from problem


def coordinate_of(name: str, version: str) -> Coordinate:
    """The coordinate of a PyPI package.

    Raises:
        CoordinateError: the name or version cannot stand in one.
    """
    name = normalised_name(name)
    if _PLAIN_PATTERN.fullmatch(name) and _PLAIN_PATTERN.fullmatch(version) and ".." not in version:
        # Nothing to encode or refuse: the general way would parse and print the package URL twice.
        return Coordinate("pypi", "", name, version)
    return Coordinate.of("pypi", name, version)


def sha256_digests(values: Iterable[object]) -> tuple[str, ...]:
    """``sha256:<hex>`` of each text that holds one, sorted, each once; other algorithms are passed over."""
    found = {match[1].lower() for match in (_DIGEST_PATTERN.search(str(value)) for value in values) if match}
    return tuple(sorted(f"sha256:{each}" for each in found))


def input_row(path: Path, root: Path) -> tuple[str, str]:
    """The row of ``Closure.inputs`` for a file: its path below ``root`` (absolute where it lies elsewhere), digest."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    place = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return place, f"sha256:{digest}"
