"""The archives of each ecosystem, honest and hostile, written afresh by each test run.

Here: how each ecosystem lays an archive out, and every hazard in each layout. Not here: hazards of the containers
themselves (data.hostile_archives), reading.

Whatever a hostile member brings holds ``EVIL``: who finds that word in what was read has found a hole.
"""

from __future__ import annotations

import gzip
import io
import random
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

EVIL = b"EVIL"
# What the tests allow an archive's sources to have in all.
MAX_READ_BYTES = 32 * 1024 * 1024
_ZEROS_BYTES = 70 * 1024 * 1024
_FILE_COUNT = 100_000


@dataclass(frozen=True)
class Layout:
    """One kind of archive.

    Attributes:
        name: of the kind.
        type: package URL type.
        purl: of the coordinate that the archive is.
        file_name: as the registry has it.
        prefix: the folder that everything lies in.
        honest: path below the prefix → content.
        source: path below the prefix of the honest source file.
    """

    name: str
    type: str
    purl: str
    file_name: str
    prefix: str
    honest: tuple[tuple[str, bytes], ...]
    source: str

    @property
    def is_zip(self) -> bool:
        return self.file_name.endswith((".jar", ".zip", ".whl"))

    @property
    def suffix(self) -> str:
        return self.source[self.source.index(".") :]

    def path(self, name: str) -> str:
        return self.prefix + name


LAYOUTS = (
    Layout(
        "npm tarball",
        "npm",
        "pkg:npm/acme@1.0.0",
        "acme-1.0.0.tgz",
        "package/",
        (
            ("package.json", b'{"name": "acme", "version": "1.0.0", "types": "good.d.ts"}'),
            ("good.d.ts", b"/** Honest. */\nexport declare function good(): void;\n"),
        ),
        "good.d.ts",
    ),
    Layout(
        "sources jar",
        "maven",
        "pkg:maven/com.acme/acme@1.0.0",
        "acme-1.0.0-sources.jar",
        "",
        (
            ("META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n"),
            ("com/acme/Good.java", b"package com.acme;\n/** Honest. */\npublic class Good {}\n"),
        ),
        "com/acme/Good.java",
    ),
    Layout(
        "crate",
        "cargo",
        "pkg:cargo/acme@1.0.0",
        "acme-1.0.0.crate",
        "acme-1.0.0/",
        (
            ("Cargo.toml", b'[package]\nname = "acme"\nversion = "1.0.0"\n'),
            ("src/lib.rs", b"/// Honest.\npub fn good() {}\n"),
        ),
        "src/lib.rs",
    ),
    Layout(
        "Go module zip",
        "golang",
        "pkg:golang/example.com/acme@v1.0.0",
        "v1.0.0.zip",
        "example.com/acme@v1.0.0/",
        (
            ("go.mod", b"module example.com/acme\n\ngo 1.22\n"),
            ("good.go", b"// Package acme is honest.\npackage acme\n\n// Good is honest.\nfunc Good() {}\n"),
        ),
        "good.go",
    ),
    Layout(
        "wheel",
        "pypi",
        "pkg:pypi/acme@1.0.0",
        "acme-1.0.0-py3-none-any.whl",
        "",
        (
            ("acme-1.0.0.dist-info/METADATA", b"Metadata-Version: 2.1\nName: acme\nVersion: 1.0.0\n"),
            ("acme/good.py", b'"""Honest."""\n'),
        ),
        "acme/good.py",
    ),
    Layout(
        "source distribution",
        "pypi",
        "pkg:pypi/acme@1.0.0",
        "acme-1.0.0.tar.gz",
        "acme-1.0.0/",
        (
            ("PKG-INFO", b"Metadata-Version: 2.1\nName: acme\nVersion: 1.0.0\n"),
            ("acme/__init__.py", b""),
            ("acme/good.py", b'"""Honest."""\n'),
        ),
        "acme/good.py",
    ),
)


def _write(layout: Layout, path: Path, *members: tuple[str, bytes], kind: int = 0) -> None:
    """The honest archive with members after it, their paths as they are; ``kind``: file type bits of these (stat)."""
    honest = [(layout.path(name), content) for name, content in layout.honest]
    if layout.is_zip:
        with warnings.catch_warnings(), zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            warnings.simplefilter("ignore", UserWarning)
            for name, content in (*honest, *members):
                info = zipfile.ZipInfo(name, (2024, 5, 1, 0, 0, 0))
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = (kind or 0o100644) << 16 if (name, content) in members else 0o100644 << 16
                info.create_system = 3
                archive.writestr(info, content)
        return
    types = {0o120777: tarfile.SYMTYPE, 0o020666: tarfile.CHRTYPE, 0o010666: tarfile.FIFOTYPE}
    with tarfile.open(path, "w:gz") as archive:
        for name, content in (*honest, *members):
            info = tarfile.TarInfo(name)
            is_special = bool(kind) and (name, content) in members
            info.type = types[kind] if is_special else tarfile.REGTYPE
            info.linkname = content.decode("latin-1") if is_special else ""
            info.size = 0 if is_special else len(content)
            info.mtime = 1_714_521_600
            archive.addfile(info, None if is_special else io.BytesIO(content))


def _evil(layout: Layout, name: str) -> tuple[str, bytes]:
    return layout.path(f"{name}{layout.suffix}"), EVIL


def honest(layout: Layout, path: Path) -> None:
    _write(layout, path)


def traversal(layout: Layout, path: Path) -> None:
    _write(layout, path, _evil(layout, "../../evil"))


def traversal_by_backslash(layout: Layout, path: Path) -> None:
    _write(layout, path, (f"..\\..\\evil{layout.suffix}", EVIL))


def absolute(layout: Layout, path: Path) -> None:
    _write(layout, path, (f"/tmp/evil{layout.suffix}", EVIL))


def drive(layout: Layout, path: Path) -> None:
    _write(layout, path, (f"C:\\evil{layout.suffix}", EVIL))


def link(layout: Layout, path: Path) -> None:
    _write(layout, path, (layout.path(f"link{layout.suffix}"), b"/etc/passwd"), kind=0o120777)


def device(layout: Layout, path: Path) -> None:
    _write(layout, path, (layout.path(f"device{layout.suffix}"), b""), kind=0o020666)


def pipe(layout: Layout, path: Path) -> None:
    _write(layout, path, (layout.path(f"pipe{layout.suffix}"), b""), kind=0o010666)


def bomb(layout: Layout, path: Path) -> None:
    _write(layout, path, (layout.path(f"bomb{layout.suffix}"), EVIL + bytes(_ZEROS_BYTES)))


def many_bombs(layout: Layout, path: Path) -> None:
    """Each member within its bounds, all together over ``MAX_READ_BYTES``."""
    content = EVIL + bytes(4_900_000)
    if layout.is_zip:
        _write(layout, path, *((layout.path(f"bomb{number}{layout.suffix}"), content) for number in range(8)))
        return
    _many(layout, path, 8, content)


def nested_bomb(layout: Layout, path: Path) -> None:
    """An archive inside: its bytes are never unpacked."""
    inner = gzip.compress(EVIL + bytes(10_000_000))
    _write(layout, path, (layout.path("inner.zip"), inner), (layout.path(f"inner.zip{layout.suffix}"), inner))


def many_files(layout: Layout, path: Path) -> None:
    _many(layout, path, _FILE_COUNT, b"")


def _many(layout: Layout, path: Path, count: int, content: bytes) -> None:
    names = [layout.path(f"m{number}{layout.suffix}").encode() for number in range(count)]
    if layout.is_zip:
        # By hand: zipfile takes seconds for 100,000 entries.
        local = struct.pack("<4s5H3L", b"PK\x03\x04", 20, 0, 0, 0, 33, 0, 0, 0)
        entry = struct.pack("<4s6H3L", b"PK\x01\x02", 20, 20, 0, 0, 0, 33, 0, 0, 0)
        body, directory, offset = io.BytesIO(), io.BytesIO(), 0
        for name in names:
            offset = body.tell()
            body.write(local + struct.pack("<2H", len(name), 0) + name)
            directory.write(entry + struct.pack("<5H2L", len(name), 0, 0, 0, 0, 0, offset) + name)
        shown = min(count, 0xFFFF)
        start, size = body.tell(), directory.tell()
        end64 = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, start)
        locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, start + size, 1)
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, shown, shown, size, start, 0)
        path.write_bytes(body.getvalue() + directory.getvalue() + end64 + locator + end)
        return
    padding = bytes(-len(content) % 512)
    blocks = []
    for name in names[:1000]:
        info = tarfile.TarInfo(name.decode())
        info.size = len(content)
        blocks.append(info.tobuf() + content + padding)
    with gzip.open(path, "wb", compresslevel=1) as file:
        # Headers take longest to make: the same thousand again and again.
        for _ in range(0, count, 1000):
            file.write(b"".join(blocks))
        file.write(bytes(1024))


def deep(layout: Layout, path: Path) -> None:
    _write(layout, path, _evil(layout, "d/" * 100 + "deep"))


def long_name(layout: Layout, path: Path) -> None:
    _write(layout, path, _evil(layout, "n" * 5000))


def doubled(layout: Layout, path: Path) -> None:
    _write(layout, path, (layout.path(layout.source), EVIL))


def case_clash(layout: Layout, path: Path) -> None:
    folder, slash, name = layout.source.rpartition("/")
    stem, dot, suffix = name.partition(".")
    _write(layout, path, (layout.path(f"{folder}{slash}{stem.upper()}{dot}{suffix}"), EVIL))


def not_utf8(layout: Layout, path: Path) -> None:
    if layout.is_zip:
        _write(layout, path, (layout.path(f"cafXX{layout.suffix}"), EVIL))
        path.write_bytes(path.read_bytes().replace(b"cafXX", b"caf\xe9\xe9"))
        return
    _write(layout, path, (layout.path(f"caf\udcff\udcfe{layout.suffix}"), EVIL))


def control_name(layout: Layout, path: Path) -> None:
    _write(layout, path, _evil(layout, "a\x1b[31m\u202e"))


def truncated(layout: Layout, path: Path) -> None:
    noise = random.Random(7).randbytes(200_000)
    _write(layout, path, (layout.path(f"long{layout.suffix}"), EVIL + noise))
    path.write_bytes(path.read_bytes()[:100_000])


def damaged(layout: Layout, path: Path) -> None:
    noise = random.Random(7).randbytes(200_000)
    _write(layout, path, (layout.path(f"long{layout.suffix}"), EVIL + noise))
    data = bytearray(path.read_bytes())
    data[100_000:100_100] = bytes(100)
    path.write_bytes(data)


def no_archive(layout: Layout, path: Path) -> None:
    path.write_bytes(b"<html>Please log in, EVIL</html>")


def empty(layout: Layout, path: Path) -> None:
    path.write_bytes(b"")


Writer = Callable[[Layout, Path], None]
# The hazard → whether the honest source beside it has to be read all the same; else the archive may be refused.
HAZARDS: dict[Writer, bool] = {
    honest: True,
    traversal: False,
    traversal_by_backslash: False,
    absolute: False,
    drive: False,
    link: True,
    device: True,
    pipe: True,
    bomb: False,
    many_bombs: False,
    nested_bomb: True,
    many_files: False,
    deep: True,
    long_name: True,
    doubled: True,
    case_clash: True,
    not_utf8: True,
    control_name: True,
    truncated: False,
    damaged: False,
    no_archive: False,
    empty: False,
}
# Where an honest archive may not be read, it must not be: these hold nothing else, or cannot be trusted to their end.
REFUSED: frozenset[Writer] = frozenset(
    {traversal, traversal_by_backslash, absolute, drive, many_files, many_bombs, truncated, damaged, no_archive, empty}
)
