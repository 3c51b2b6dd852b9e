"""The syntax of yarn classic's yarn.lock, and its entries.

Here: the grammar, which looks like YAML and is not. Not here: closures (depcodex.lockfiles.yarn).

Spec: yarn 1.22, ``src/lockfile/parse.js`` and ``stringify.js``: indentation of two spaces; a line of keys that ends
with a colon opens a block, any other is a key and its value; texts are bare words or JSON strings. A yarn.lock has
entries, their fields, and fields that are blocks themselves; no more. Lock version 1.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from depcodex.errors import LockfileError
from depcodex.lockfiles.npm_names import alias_target, integrity_digests, origin_of, split_at_version
from depcodex.lockfiles.yarn_entries import YarnEntry

LOCK_VERSION = 1
_VERSION_PATTERN = re.compile(r"^# yarn lockfile v(\d{1,9})\r?$", re.MULTILINE)
_TOKEN_PATTERN = re.compile(r'("(?:[^"\\]|\\.)*")|([^\s",:]+)|([:,])|( +)')
_SHA1_PATTERN = re.compile(r"#([0-9a-f]{40})$")


@dataclass
class Block:
    """The keys of a line that opens a block, and what stands in it."""

    keys: tuple[str, ...]
    fields: dict[str, str] = field(default_factory=dict)
    blocks: dict[str, dict[str, str]] = field(default_factory=dict)


def parse_classic(text: str, path: Path, error: type[LockfileError]) -> list[Block]:
    """The entries of the text.

    Raises:
        LockfileError: ``error``; not yarn classic's syntax, or of another lock version. The message names the line.
    """
    version = _VERSION_PATTERN.search(text)
    if version is not None and int(version[1]) != LOCK_VERSION:
        raise error(path, f"lock version: expected {LOCK_VERSION}, got {version[1]}")
    entries: list[Block] = []
    inner: dict[str, str] | None = None
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        content = line.strip(" ")
        if not content or content.startswith("#"):
            continue
        spaces = len(line) - len(line.lstrip(" "))
        keys, value, opens = _line(line[spaces:], number, path, error)
        if spaces == 0 and opens:
            entries.append(Block(keys))
            inner = None
        elif spaces == 2 and entries and len(keys) == 1:
            if opens:
                inner = entries[-1].blocks.setdefault(keys[0], {})
            elif value is not None:
                entries[-1].fields[keys[0]] = value
                inner = None
        elif spaces == 4 and inner is not None and len(keys) == 1 and value is not None:
            inner[keys[0]] = value
        else:
            raise error(path, f"not a yarn.lock, line {number}")
    return entries


def _line(text: str, number: int, path: Path, error: type[LockfileError]) -> tuple[tuple[str, ...], str | None, bool]:
    """Keys of a line, its value if it has one, and whether it opens a block."""
    words: list[str] = []
    after_comma = opens = False
    keys_end = 1
    at = 0
    while at < len(text):
        match = _TOKEN_PATTERN.match(text, at)
        if match is None or opens:
            raise error(path, f"not a yarn.lock, line {number}, column {at + 1}")
        at = match.end()
        quoted, bare, sign, _ = match.groups()
        if sign == ":":
            opens = True
        elif sign == ",":
            after_comma = True
        elif quoted or bare:
            if after_comma:
                keys_end = len(words) + 1
                after_comma = False
            words.append(_unquoted(quoted, number, path, error) if quoted else bare)
    if opens and words and keys_end == len(words) and not after_comma:
        return tuple(words), None, True
    if not opens and not after_comma and len(words) == 2 and keys_end == 1:
        return (words[0],), words[1], False
    raise error(path, f"not a yarn.lock, line {number}")


def _unquoted(text: str, number: int, path: Path, error: type[LockfileError]) -> str:
    try:
        value = json.loads(text)
    except ValueError as problem:
        raise error(path, f"not a yarn.lock, line {number}: a text that is none") from problem
    return str(value)


def classic_entries(blocks: Iterable[Block], root: Path, members: Iterable[str]) -> Iterator[YarnEntry]:
    """The packages of the blocks.

    Args:
        blocks: as parsed.
        root: the folder that the lock lies in.
        members: paths of workspace members; a ``file:`` path may be meant from any of them.
    """
    places = [".", *members]
    for block in blocks:
        specifiers = [split_at_version(pattern)[1] for pattern in block.keys]
        name = split_at_version(block.keys[0])[0]
        real = next(filter(None, map(alias_target, specifiers)), "")
        resolved = block.fields.get("resolved", "")
        origin = next(filter(None, map(origin_of, specifiers)), "")
        if not origin and origin_of(resolved) == "git":
            origin = "git"
        folder = None
        if origin in ("file", "link"):
            specifier = next(each for each in specifiers if origin_of(each) == origin)
            folder = _folder(specifier, root, places)
        yield YarnEntry(
            block.keys,
            real or name,
            block.fields.get("version", ""),
            origin,
            folder,
            digests=_digests(block.fields),
            dependencies={**block.blocks.get("dependencies", {}), **block.blocks.get("optionalDependencies", {})},
            optional=frozenset(block.blocks.get("optionalDependencies", ())),
        )


def _folder(specifier: str, root: Path, places: Iterable[str]) -> str | None:
    path = specifier.partition(":")[2] if ":" in specifier else specifier
    if path.endswith((".tgz", ".tar.gz")) or "\0" in path:
        return None
    found = [posixpath.normpath(posixpath.join(place, path)) for place in places]
    return next((each for each in found if (root / each).is_dir()), found[0])


def _digests(fields: Mapping[str, str]) -> tuple[str, ...]:
    stated = integrity_digests(fields.get("integrity", ""))
    # Before yarn 1.10 the archive's sha1 stood behind its address.
    match = _SHA1_PATTERN.search(fields.get("resolved", ""))
    return stated or ((f"sha1:{match[1]}",) if match else ())
