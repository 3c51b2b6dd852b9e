"""Archives that no honest tool makes, and a few that careless ones do, written afresh by each test run.

Here: one function an archive, and for each what must become of it. Not here: honest releases (data.releases).
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

HONEST = ("pkg/good.py", b"'''An honest module.'''\n")
ZEROS_BYTES = 120 * 1024 * 1024


def _zip(path: Path, members: list[tuple[str, bytes]], **attributes: int) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(*HONEST)
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            for key, value in attributes.items():
                setattr(info, key, value)
            archive.writestr(info, content)


def _tar(path: Path, members: list[tarfile.TarInfo], mode: str = "w:gz", content: bytes = b"") -> None:
    with tarfile.open(path, mode) as archive:
        good = tarfile.TarInfo(HONEST[0])
        good.size = len(HONEST[1])
        archive.addfile(good, io.BytesIO(HONEST[1]))
        for info in members:
            info.size = len(content) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(content) if info.isreg() else None)


def _info(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = link
    return info


def zip_traversal(path: Path) -> None:
    _zip(path, [("pkg/../../evil.py", b"x = 1")])


def zip_backslash_traversal(path: Path) -> None:
    _zip(path, [("..\\..\\evil.py", b"x = 1")])


def zip_absolute(path: Path) -> None:
    _zip(path, [("/tmp/evil.py", b"x = 1")])


def zip_drive(path: Path) -> None:
    _zip(path, [("C:/evil.py", b"x = 1")])


def zip_link(path: Path) -> None:
    _zip(path, [("pkg/link.py", b"/etc/passwd")], external_attr=0o120777 << 16, create_system=3)


def zip_device(path: Path) -> None:
    _zip(path, [("pkg/device.py", b"")], external_attr=0o020666 << 16, create_system=3)


def zip_large_member(path: Path) -> None:
    _zip(path, [("pkg/bomb.py", bytes(ZEROS_BYTES))])


def zip_many_large_members(path: Path) -> None:
    _zip(path, [(f"pkg/bomb{number}.py", bytes(4_900_000)) for number in range(60)])


def zip_lying_size(path: Path) -> None:
    """A member that says it is short and goes on for long."""
    _zip(path, [("pkg/liar.py", bytes(4_000_000))])
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<L", 4_000_000), struct.pack("<L", 100)))


def zip_overlap(path: Path) -> None:
    """Directory entries that share one member's bytes, so that a small file grows without bound."""
    body = zlib.compress(bytes(4_000_000), 9)[2:-4]
    crc = zlib.crc32(bytes(4_000_000))
    name = b"pkg/shared.py"
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 33, crc, len(body), 4_000_000, len(name), 0) + name
    entry = struct.pack(
        "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 33, crc, len(body), 4_000_000, len(name), 0, 0, 0, 0, 0, 0
    )
    directory = (entry + name) * 2000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2000, 2000, len(directory), len(local) + len(body), 0)
    path.write_bytes(local + body + directory + end)


def zip_many_files(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for number in range(100_000):
            archive.writestr(f"pkg/m{number}.py", b"")


def zip_deep(path: Path) -> None:
    _zip(path, [("/".join(["d"] * 100) + "/deep.py", b"x = 1")])


def zip_long_name(path: Path) -> None:
    _zip(path, [("pkg/" + "n" * 5000 + ".py", b"x = 1")])


def zip_doubled(path: Path) -> None:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        _zip(path, [(HONEST[0], b"y = 2")])


def zip_case_clash(path: Path) -> None:
    _zip(path, [("pkg/GOOD.py", b"y = 2")])


def zip_bad_utf8(path: Path) -> None:
    _zip(path, [("pkg/caf\u00e9.py", b"x = 1")])
    path.write_bytes(path.read_bytes().replace("caf\u00e9".encode(), b"caf\xff\xfe"))


def zip_other_encoding(path: Path) -> None:
    _zip(path, [("pkg/cafXX.py", b"x = 1")])
    path.write_bytes(path.read_bytes().replace(b"cafXX", b"caf\xe9\xe9"))


def zip_control_name(path: Path) -> None:
    _zip(path, [("pkg/a\x1b[31m\u202e.py", b"x = 1")])


def zip_nul_name(path: Path) -> None:
    _zip(path, [("pkg/aX.py", b"x = 1")])
    path.write_bytes(path.read_bytes().replace(b"pkg/aX.py", b"pkg/a\0.py"))


def zip_truncated(path: Path) -> None:
    rng = random.Random(7)
    _zip(path, [("pkg/long.py", rng.randbytes(200_000))])
    path.write_bytes(path.read_bytes()[:100_000])


def zip_damaged(path: Path) -> None:
    rng = random.Random(7)
    _zip(path, [("pkg/long.py", rng.randbytes(200_000))])
    data = bytearray(path.read_bytes())
    data[100_000:100_100] = bytes(100)
    path.write_bytes(data)


def zip_encrypted(path: Path) -> None:
    _zip(path, [("pkg/secret.py", b"x = 1")])
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.rindex(signature) + offset] |= 1
    path.write_bytes(data)


def zip_lzma(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("pkg/odd.py", bytes(1000))


def zip_nested(path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", bytes(10_000_000))
    _zip(path, [("pkg/inner.zip", inner.getvalue()), ("pkg/inner.zip.py", inner.getvalue())])


def zip_huge_directory(path: Path) -> None:
    """An end record that announces a directory of 2 GiB."""
    _zip(path, [])
    data = bytearray(path.read_bytes())
    end = data.rindex(b"PK\x05\x06")
    data[end + 12 : end + 16] = struct.pack("<L", 0x7FFFFFFF)
    path.write_bytes(data)


def tar_traversal(path: Path) -> None:
    _tar(path, [_info("pkg/../../evil.py")])


def tar_absolute(path: Path) -> None:
    _tar(path, [_info("/tmp/evil.py")])


def tar_link(path: Path) -> None:
    _tar(path, [_info("pkg/link.py", tarfile.SYMTYPE, "/etc/passwd"), _info("pkg/hard.py", tarfile.LNKTYPE, "../../x")])


def tar_device(path: Path) -> None:
    _tar(path, [_info("pkg/device.py", tarfile.CHRTYPE), _info("pkg/pipe.py", tarfile.FIFOTYPE)])


def tar_gzip_bomb(path: Path) -> None:
    _tar(path, [_info("pkg/filler.bin")], content=bytes(ZEROS_BYTES))


def tar_bzip2_bomb(path: Path) -> None:
    _tar(path, [_info("pkg/filler.bin")], "w:bz2", bytes(ZEROS_BYTES))


def tar_xz_bomb(path: Path) -> None:
    _tar(path, [_info("pkg/filler.bin")], "w:xz", bytes(ZEROS_BYTES))


def tar_gzip_twice(path: Path) -> None:
    """The second layer is not opened: what comes out of the first is no tar."""
    path.write_bytes(gzip.compress(gzip.compress(bytes(1_000_000))))


def tar_sized_beyond_end(path: Path) -> None:
    """A header that says 8 GiB over a file of a kilobyte."""
    info = _info("pkg/liar.bin")
    info.size = 8 * 1024**3 - 1
    path.write_bytes(gzip.compress(info.tobuf() + bytes(1024)))


def _long_header(kind: bytes, size_bytes: int) -> bytes:
    info = _info("pkg/x")
    info.type = kind
    info.size = size_bytes
    return info.tobuf(tarfile.USTAR_FORMAT)


def tar_huge_pax_header(path: Path) -> None:
    size_bytes = 200 * 1024 * 1024
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(_long_header(tarfile.XHDTYPE, size_bytes))
        for _ in range(200):
            file.write(b"1" * 1024 * 1024)


def tar_huge_long_name(path: Path) -> None:
    size_bytes = 200 * 1024 * 1024
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(_long_header(tarfile.GNUTYPE_LONGNAME, size_bytes))
        for _ in range(200):
            file.write(b"n" * 1024 * 1024)


def tar_many_slow_headers(path: Path) -> None:
    """Headers whose digits make a regular expression of older tarfile versions go back and forth."""
    header = _long_header(tarfile.XHDTYPE, 32 * 1024 - 512) + b"1" * (32 * 1024 - 512)
    with gzip.open(path, "wb") as file:
        for number in range(100):
            file.write(header + _info(f"pkg/m{number}.py").tobuf())
        file.write(bytes(1024))


def tar_xz_huge_dictionary(path: Path) -> None:
    """An xz header that asks for a dictionary of 4 GiB - 1."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        archive.addfile(_info("pkg/a.py"))
    data = bytearray(lzma.compress(plain.getvalue()))
    length = (data[12] + 1) * 4
    at = data.index(b"\x21\x01", 12)
    data[at + 2] = 40
    data[12 + length - 4 : 12 + length] = struct.pack("<L", zlib.crc32(data[12 : 12 + length - 4]))
    path.write_bytes(data)


def tar_many_files(path: Path) -> None:
    headers = b"".join(tarfile.TarInfo(f"pkg/m{number}.py").tobuf() for number in range(1000))
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(100):
            file.write(headers)
        file.write(bytes(1024))


def tar_deep(path: Path) -> None:
    _tar(path, [_info("/".join(["d"] * 100) + "/deep.py")])


def tar_doubled(path: Path) -> None:
    _tar(path, [_info(HONEST[0])], content=b"y = 2")


def tar_case_clash(path: Path) -> None:
    _tar(path, [_info("pkg/GOOD.py")], content=b"y = 2")


def tar_bad_utf8(path: Path) -> None:
    _tar(path, [_info("pkg/caf\udcff\udcfe.py")], content=b"y = 2")


def tar_gzip_truncated(path: Path) -> None:
    rng = random.Random(7)
    _tar(path, [_info("pkg/long.py")], content=rng.randbytes(200_000))
    path.write_bytes(path.read_bytes()[:100_000])


def tar_xz_truncated(path: Path) -> None:
    rng = random.Random(7)
    _tar(path, [_info("pkg/long.py")], "w:xz", rng.randbytes(200_000))
    path.write_bytes(path.read_bytes()[:100_000])


def tar_bzip2_truncated(path: Path) -> None:
    rng = random.Random(7)
    _tar(path, [_info("pkg/long.py")], "w:bz2", rng.randbytes(200_000))
    path.write_bytes(path.read_bytes()[:100_000])


def tar_plain_truncated(path: Path) -> None:
    rng = random.Random(7)
    _tar(path, [_info("pkg/long.py")], "w", rng.randbytes(200_000))
    path.write_bytes(path.read_bytes()[:100_000])


def no_archive(path: Path) -> None:
    path.write_bytes(b"<html>Please log in</html>")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def bzip2_of_nothing(path: Path) -> None:
    path.write_bytes(bz2.compress(b""))


# What must become of each: the rule of the refusal ("!rule"), or the reason of the skipped members.
HOSTILE: tuple[tuple[Callable[[Path], None], str], ...] = (
    (zip_traversal, "!path"),
    (zip_backslash_traversal, "!path"),
    (zip_absolute, "!path"),
    (zip_drive, "!path"),
    (zip_link, "archive:link"),
    (zip_device, "archive:device"),
    (zip_large_member, "limit:file"),
    (zip_many_large_members, "!read"),
    (zip_lying_size, "!corrupt"),
    (zip_overlap, "!overlap"),
    (zip_many_files, "!count"),
    (zip_deep, "limit:depth"),
    (zip_long_name, "limit:path"),
    (zip_doubled, "archive:duplicate"),
    (zip_case_clash, "archive:case_clash"),
    (zip_bad_utf8, "!corrupt"),
    (zip_other_encoding, "archive:encoding"),
    (zip_control_name, "archive:path"),
    (zip_nul_name, "archive:path"),
    (zip_truncated, "!corrupt"),
    (zip_damaged, "!corrupt"),
    (zip_encrypted, "archive:encrypted"),
    (zip_lzma, "archive:compression"),
    (zip_nested, ""),
    (zip_huge_directory, "!count"),
    (tar_traversal, "!path"),
    (tar_absolute, "!path"),
    (tar_link, "archive:link"),
    (tar_device, "archive:device"),
    (tar_gzip_bomb, "!ratio"),
    (tar_bzip2_bomb, "!ratio"),
    (tar_xz_bomb, "!ratio"),
    (tar_gzip_twice, "!corrupt"),
    (tar_sized_beyond_end, "!corrupt"),
    (tar_huge_pax_header, "!header"),
    (tar_huge_long_name, "!header"),
    (tar_many_slow_headers, "!seconds"),
    (tar_xz_huge_dictionary, "!corrupt"),
    (tar_many_files, "!count"),
    (tar_deep, "limit:depth"),
    (tar_doubled, "archive:duplicate"),
    (tar_case_clash, "archive:case_clash"),
    (tar_bad_utf8, "archive:encoding"),
    (tar_gzip_truncated, "!corrupt"),
    (tar_xz_truncated, "!corrupt"),
    (tar_bzip2_truncated, "!corrupt"),
    (tar_plain_truncated, "!corrupt"),
    (no_archive, "!corrupt"),
    (empty, "!corrupt"),
    (bzip2_of_nothing, "!corrupt"),
)
