"""Small real release files and installed trees: wheels with RECORD, source distributions, site-packages folders.

Here: what a build tool or an installer would write. Not here: hostile archives (data.hostile_archives).
"""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path


def record_line(path: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(content)}"


def wheel_files(name: str, version: str, files: Mapping[str, str]) -> dict[str, bytes]:
    """The members of a wheel, RECORD last."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    members = {path: text.encode() for path, text in files.items()}
    members[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()
    members[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    lines = [record_line(path, content) for path, content in members.items()]
    members[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    return members


def write_wheel(
    folder: Path,
    name: str,
    version: str,
    files: Mapping[str, str],
    *,
    tag: str = "py3-none-any",
    day: tuple[int, int, int] = (2024, 5, 29),
) -> Path:
    path = folder / f"{name.replace('-', '_')}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in wheel_files(name, version, files).items():
            archive.writestr(zipfile.ZipInfo(member, (*day, 12, 0, 0)), content)
    return path


def write_sdist(folder: Path, name: str, version: str, files: Mapping[str, str], *, mtime: int = 1_400_000_000) -> Path:
    path = folder / f"{name}-{version}.tar.gz"
    metadata = {"PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"}
    with tarfile.open(path, "w:gz") as archive:
        for member, text in {**metadata, **files}.items():
            info = tarfile.TarInfo(f"{name}-{version}/{member}")
            info.size = len(text.encode())
            info.mtime = mtime
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


def install(site_packages: Path, name: str, version: str, files: Mapping[str, str]) -> Path:
    """Lays a distribution into a folder as an installer does; gives its dist-info folder."""
    for member, content in wheel_files(name, version, files).items():
        target = site_packages / member
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return site_packages / f"{name.replace('-', '_')}-{version}.dist-info"
