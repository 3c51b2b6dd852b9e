"""Rust: what parse finds against rustdoc's own JSON (nightly), over the same releases.

    python bench/oracles.py rust [NAME@VERSION …] [--keep FOLDER]

Public documented symbols are what rustdoc shows of a crate of its own: items reachable from its root through modules
and re-exports, their fields, variants and inherent methods, a trait's items. Re-exports of other crates are counted
with those. A symbol counts as found where one of its paths is a symbol or an alias of ours. Normalisation of both
texts: rustdoc's Markdown is read by the product's own reader, white space is folded; a text that stands in a row which
two items share counts as the same. rustdoc builds the crates' dependencies and runs their build scripts: only here,
over well-known crates, under a home and a target folder of their own (``--keep`` for a later run).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from depcodex.coordinates import Coordinate
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.cargo_archive import read_crate
from depcodex_assets.languages import rust
from depcodex_assets.languages.declarations import Declaration, SourceFile
from depcodex_assets.languages.rustdoc_markdown import plain_text

RELEASES = (
    "serde_core@1.0.229",
    "serde@1.0.229",
    "axum-core@0.5.6",
    "axum@0.8.9",
    "tokio@1.54.1",
    "clap_builder@4.6.7",
    "clap@4.6.9",
    "regex@1.13.2",
    "anyhow@1.0.105",
    "reqwest@0.12.28",
    "itertools@0.14.0",
)
# Beside the default ones; what docs.rs builds, as far as it builds on stable platforms.
_FEATURES = {
    "axum": "macros,multipart,ws,http2",
    "tokio": "full",
    "clap": "derive,env,string,cargo,unicode,wrap_help",
    "clap_builder": "env,string,cargo,unicode,wrap_help",
    "reqwest": "json,blocking,cookies,multipart,stream",
    "serde": "derive",
}
_EXAMPLE_COUNT = 8


@dataclass
class Expected:
    """One documented item of rustdoc's: its public paths, its text, where it is written."""

    docs: str
    kind: str
    paths: set[str] = field(default_factory=set)
    span: dict[str, Any] | None = None


def main(arguments: list[str]) -> int:
    """Run the comparison; returns the exit status."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("releases", nargs="*", default=RELEASES, metavar="NAME@VERSION")
    options.add_argument("--keep", type=Path, metavar="FOLDER")
    chosen = options.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        rooms = _Rooms((chosen.keep or Path(folder)).resolve())
        figures: dict[str, dict[str, float]] = {}
        misses: Counter[str] = Counter()
        print(f"{'release':<28}{'documented':>12}{'found':>8}{'same doc':>10}{'share':>9}")
        for release in chosen.releases:
            name, _, version = release.partition("@")
            found = compare(name, rooms.rustdoc_json(name, version), rooms.declarations(name, version), rooms.home)
            figures[release] = found.figures()
            row = figures[release]
            print(
                f"{release:<28}{row['documented']:>12}{row['found']:>8}{row['same_doc']:>10}{row['share']:>9.2%}",
                flush=True,
            )
            for cause, symbols in sorted(found.misses.items()):
                misses[cause] += len(symbols)
                print(f"    {len(symbols)} {cause}: {', '.join(sorted(symbols)[:_EXAMPLE_COUNT])}")
    total = {key: sum(row[key] for row in figures.values()) for key in ("documented", "found", "same_doc")}
    share = total["same_doc"] / total["documented"] if total["documented"] else 0.0
    last = {"language": "rust", "oracle": "rustdoc JSON", "releases": figures, **total, "share": share}
    print(json.dumps({**last, "misses": dict(misses)}))
    return 0


class _Rooms:
    """Where cargo works for this comparison."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self._project = folder / "project"
        self._target = folder / "target"

    def rustdoc_json(self, name: str, version: str) -> dict[str, Any]:
        """What rustdoc says of a crate."""
        path = self._target / name / "doc" / f"{name.replace('-', '_')}.json"
        if not path.is_file():
            project = self._project / name
            (project / "src").mkdir(parents=True, exist_ok=True)
            (project / "src/lib.rs").write_text("")
            features = ", ".join(f'"{each}"' for each in _FEATURES.get(name, "").split(",") if each)
            (project / "Cargo.toml").write_text(
                f'[workspace]\n[package]\nname = "oracle"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n'
                f'{name} = {{ version = "={version}", features = [{features}] }}\n'
            )
            flags = "-Z unstable-options --output-format json --cap-lints allow"
            subprocess.run(
                ["cargo", "+nightly", "doc", "--no-deps", "--quiet", "-p", name],
                cwd=project,
                check=True,
                env={
                    **os.environ,
                    "CARGO_HOME": str(self.home),
                    "CARGO_TARGET_DIR": str(self._target / name),
                    "RUSTDOCFLAGS": flags,
                },
            )
        document: dict[str, Any] = json.loads(path.read_bytes())
        return document

    def declarations(self, name: str, version: str) -> list[Declaration]:
        """What parse says of the same release."""
        archive = next(self.home.glob(f"registry/cache/*/{name}-{version}.crate"))
        tree = read_crate(archive, "", Limits(), date.today(), is_verified=False)
        files = [
            SourceFile(each.path, each.content, each.digest, each.language, each.convention) for each in tree.files
        ]
        return list(rust.declarations(Coordinate.of("cargo", name, version), files))


@dataclass
class Outcome:
    """How one release came out."""

    documented: int = 0
    found: int = 0
    same_doc: int = 0
    misses: dict[str, set[str]] = field(default_factory=dict)

    def figures(self) -> dict[str, float]:
        """The row of the last line."""
        share = self.same_doc / self.documented if self.documented else 1.0
        return {"documented": self.documented, "found": self.found, "same_doc": self.same_doc, "share": share}


def compare(name: str, document: dict[str, Any], rows: list[Declaration], home: Path) -> Outcome:
    """Hold the rows against rustdoc's items."""
    by_path: dict[str, Declaration] = {}
    for row in rows:
        for path in (*row.aliases, row.symbol):
            by_path[path] = row
    outcome = Outcome()
    for expected in _items(document).values():
        text = _folded(plain_text(expected.docs))
        if not text:
            continue
        outcome.documented += 1
        known = [by_path[path] for path in sorted(expected.paths) if path in by_path]
        shown = min(expected.paths, key=lambda path: (path.count("::"), path))
        if not known:
            outcome.misses.setdefault(f"no such symbol, {_cause(name, expected, home)}", set()).add(shown)
            continue
        outcome.found += 1
        if any(text in _folded(row.doc) for row in known):
            outcome.same_doc += 1
        else:
            cause = "no doc" if all(row.doc is None for row in known) else "another doc"
            outcome.misses.setdefault(f"{cause}, {_cause(name, expected, home)}", set()).add(shown)
    return outcome


def _cause(name: str, expected: Expected, home: Path) -> str:
    """Whether the item is written where rustdoc says it is, or made by a macro there."""
    span = expected.span
    if span is None:
        return "without a place"
    path = Path(span["filename"])
    if not path.is_file():
        path = next(iter(sorted(home.glob(f"registry/src/*/{name}-*/{span['filename']}"))), path)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError:
        return "in a file that a build makes"
    text = "\n".join(lines[span["begin"][0] - 1 : span["end"][0]])
    last = min(expected.paths).rpartition("::")[2]
    if "macro_rules!" in text or not re.search(rf"\b{re.escape(last)}\b", text.partition("{")[0]):
        return "made by a macro"
    return "written out"


def _folded(text: str | None) -> str:
    return " ".join((text or "").split())


def _items(document: dict[str, Any]) -> dict[str, Expected]:
    """Documented items by id with all their public paths."""
    index = document["index"]
    found: dict[str, Expected] = {}
    seen: set[tuple[str, str]] = set()
    root = str(document["root"])
    waiting = [(root, index[root]["name"], ())]
    while waiting:
        item_id, path, chain = waiting.pop()
        item = index.get(item_id)
        if item is None or (item_id, path) in seen or len(chain) > 12:
            continue
        seen.add((item_id, path))
        if item["docs"]:
            kind = next(iter(item["inner"]))
            found.setdefault(item_id, Expected(item["docs"], kind, span=item["span"])).paths.add(path)
        for child, child_path in _children(index, item, path):
            if child not in chain:
                waiting.append((child, child_path, (*chain, item_id)))
    return found


def _children(index: dict[str, Any], item: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
    kind, inner = next(iter(item["inner"].items()))
    ids: list[Any] = []
    if kind == "module":
        for child in map(str, inner["items"]):
            yield from _named(index, child, path)
    elif kind == "struct":
        shape = inner["kind"]
        ids = (shape.get("plain", {}).get("fields") or shape.get("tuple") or []) if isinstance(shape, dict) else []
    elif kind == "union":
        ids = inner["fields"]
    elif kind == "enum":
        ids = inner["variants"]
    elif kind == "trait":
        ids = inner["items"]
    elif kind == "variant":
        shape = inner["kind"]
        ids = (shape.get("struct", {}).get("fields") or shape.get("tuple") or []) if isinstance(shape, dict) else []
    for block in inner.get("impls", ()) if isinstance(inner, dict) else ():
        block_item = index.get(str(block))
        if block_item is not None and block_item["inner"]["impl"]["trait"] is None:
            ids = [*ids, *block_item["inner"]["impl"]["items"]]
    for child in ids:
        if child is not None and str(child) in index:
            yield str(child), f"{path}::{index[str(child)]['name']}"


def _named(index: dict[str, Any], child: str, path: str) -> Iterator[tuple[str, str]]:
    """A module's child under its name, or what a re-export brings."""
    item = index.get(child)
    if item is None:
        return
    use = item["inner"].get("use")
    if use is None:
        if item["name"]:
            yield child, f"{path}::{item['name']}"
        return
    target = index.get(str(use["id"])) if use["id"] is not None else None
    if target is None:
        return
    if not use["is_glob"]:
        yield str(use["id"]), f"{path}::{use['name']}"
        return
    inner = target["inner"]
    for each in inner.get("module", {}).get("items", ()):
        yield from _named(index, str(each), path)
    for each in inner.get("enum", {}).get("variants", ()):
        yield str(each), f"{path}::{index[str(each)]['name']}"
