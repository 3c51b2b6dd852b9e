"""Small crates, as archives and as vendored folders."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path

DAY = 1717000000


def files_of(name: str, version: str, files: Mapping[str, str] | None = None) -> dict[str, str]:
    """The files of a crate: its manifest and, where none are given, one function."""
    manifest = f'[package]\nname = "{name}"\nversion = "{version}"\nedition = "2021"\n'
    return {"Cargo.toml": manifest, **(files or {"src/lib.rs": f"//! The crate {name}.\npub fn run() {{}}\n"})}


def write_crate(folder: Path, name: str, version: str, files: Mapping[str, str] | None = None) -> Path:
    """A ``.crate`` in the folder, the same bytes each time."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}.crate"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for place, text in files_of(name, version, files).items():
            info = tarfile.TarInfo(f"{name}-{version}/{place}")
            data = text.encode()
            info.size, info.mtime = len(data), DAY
            archive.addfile(info, io.BytesIO(data))
    return path


def digest_of(path: Path) -> str:
    """``sha256:<hex>`` of a file."""
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()


def write_vendored(folder: Path, archive: Path, name: str, version: str) -> Path:
    """The same crate as ``cargo vendor`` lays it down; its folder."""
    root = folder / name
    digests = {}
    for place, text in files_of(name, version).items():
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text)
        digests[place] = hashlib.sha256(text.encode()).hexdigest()
    package = digest_of(archive).removeprefix("sha256:")
    (root / ".cargo-checksum.json").write_text(json.dumps({"files": digests, "package": package}))
    return root
