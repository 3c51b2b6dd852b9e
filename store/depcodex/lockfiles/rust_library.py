"""Rust's standard library on this machine: the component ``rust-src``.

Here: where it lies, and which of its files count. Not here: its coordinate (standard_library).

Spec: the rustup book, "Components"; the rustc book, ``--print sysroot``. Three crates make what people call the
standard library: ``core``, ``alloc``, and ``std``, which re-exports most of the other two.
"""

from __future__ import annotations

import re
from pathlib import Path

from depcodex.closure import Closure
from depcodex.lockfiles.library_source import LibrarySource
from depcodex.lockfiles.tools import run_tool
from depcodex.trees import TreeRule, source_files

CRATES = ("core", "alloc", "std")
_BELOW_SYSROOT = "lib/rustlib/src/rust/library"
_RUST_LIBRARY = TreeRule((".rs", ".md"), left_out_folders=frozenset({"tests", "benches"}))
_RELEASE_PATTERN = re.compile(r"^release: (\d+\.\d+\.\d+[\w.-]*)$", re.MULTILINE)
# A folder may ask for a toolchain that is not here: rustup would fetch it.
_ENVIRONMENT = {"RUSTUP_AUTO_INSTALL": "0"}


def find_rust(closure: Closure, folder: Path) -> LibrarySource | None:
    """The library of the Rust that a member of a project is built with; None where its source is not here.

    Args:
        closure: says nothing of it.
        folder: of the member: rustup chooses the toolchain by it.
    """
    del closure
    sysroot = run_tool(["rustc", "--print", "sysroot"], folder, environment=_ENVIRONMENT)
    if sysroot is None or not sysroot.strip():
        return None
    place = Path(sysroot.strip()) / _BELOW_SYSROOT
    if not all((place / each / "src/lib.rs").is_file() for each in CRATES):
        return None
    release = _RELEASE_PATTERN.search(run_tool(["rustc", "-vV"], folder, environment=_ENVIRONMENT) or "")
    return LibrarySource(release[1], place.resolve()) if release else None


def rust_paths(folder: Path) -> tuple[str, ...]:
    """The sources that count below ``library``, relative with ``/``, sorted."""
    return tuple(
        sorted(
            f"{crate}/src/{path}" for crate in CRATES for path in source_files(folder / crate / "src", _RUST_LIBRARY)
        )
    )
