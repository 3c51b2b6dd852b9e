"""Parse against bare tree-sitter over the same bytes, in one run.

    python bench/parse.py [--rounds N] FOLDER…

Each FOLDER is an import root or an unpacked wheel; without any, this interpreter's site-packages of numpy, pandas,
sqlalchemy and pydantic where they are installed. The two are timed in turn, file sets first read into memory; the best
of N rounds of processor time counts, since other work on a machine only ever adds. A table for people, and as last line
one JSON object: ``{"sets": {name: {"megabytes", "files", "bare_seconds", "parse_seconds", "ratio", "declarations",
"documented", "files_with_errors"}}, "ratio"}``. Files that parse leaves out (a package's own tests) count on neither
side.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import time
from pathlib import Path

import pyarrow as pa

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex_assets import grammars
from depcodex_assets.languages.python import module_name
from depcodex_assets.parse import parse

DEFAULT_PACKAGES = ("numpy", "pandas", "sqlalchemy", "pydantic")


def default_folders() -> list[Path]:
    """Installed packages, found by their metadata and never imported."""
    specs = (importlib.util.find_spec(name) for name in DEFAULT_PACKAGES)
    return [Path(spec.origin).parent for spec in specs if spec is not None and spec.origin]


def read(folder: Path) -> tuple[Coordinate, pa.Table]:
    """A folder as ``schemas.SOURCE_FILES``; a package folder counts with its own name above it."""
    base = folder.parent if (folder / "__init__.py").exists() else folder
    coordinate = Coordinate.of("pypi", folder.name, "0")
    rows = []
    for path in sorted(folder.rglob("*.py*")):
        relative = path.relative_to(base).as_posix()
        if path.suffix not in (".py", ".pyi") or module_name(relative) is None:
            continue
        content = path.read_bytes()
        rows.append(
            {
                "coordinate_id": coordinate.coordinate_id,
                "path": relative,
                "file_digest": f"sha256:{hashlib.sha256(content).hexdigest()}",
                "size_bytes": len(content),
                "language": "python-stub" if path.suffix == ".pyi" else "python",
                "convention": "docstring",
                "is_verified": True,
                "archive_digest": "",
                "is_yanked": False,
                "as_of": "1970-01-01",
                "content": content,
                "skip_reason": None,
                "skip_detail": None,
                "is_retryable": False,
            }
        )
    return coordinate, pa.Table.from_pylist(rows, schema=schemas.SOURCE_FILES)


def measure(folder: Path, rounds: int) -> dict[str, float]:
    """Both sides' best seconds over one folder."""
    coordinate, table = read(folder)
    contents = table.column("content").to_pylist()
    parser = grammars.parser("python")
    bare = whole = float("inf")
    found = None
    for _ in range(rounds):
        started = time.process_time()
        for content in contents:
            parser.parse(content)
        bare = min(bare, time.process_time() - started)
        started = time.process_time()
        found = parse([coordinate], table)
        whole = min(whole, time.process_time() - started)
    assert found is not None
    kinds = found.column("kind").to_pylist()
    return {
        "megabytes": round(sum(map(len, contents)) / 1e6, 2),
        "files": len(contents),
        "bare_seconds": round(bare, 3),
        "parse_seconds": round(whole, 3),
        "ratio": round(whole / bare, 2) if bare else 0.0,
        "declarations": len(kinds) - kinds.count(schemas.FILE_KIND),
        "documented": found.num_rows - found.column("doc").null_count,
        "files_with_errors": kinds.count(schemas.FILE_KIND),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    arguments.add_argument("--rounds", type=int, default=3, help="times each side runs (default 3)")
    options = arguments.parse_args()
    folders = options.folders or default_folders()
    sets = {}
    print(f"{'set':<14}{'MB':>8}{'files':>7}{'bare MB/s':>11}{'parse MB/s':>12}{'ratio':>7}{'declarations':>14}")
    for folder in folders:
        one = sets[folder.name] = measure(folder.resolve(), options.rounds)
        speeds = [one["megabytes"] / one[side] if one[side] else 0.0 for side in ("bare_seconds", "parse_seconds")]
        print(
            f"{folder.name:<14}{one['megabytes']:>8.2f}{one['files']:>7}{speeds[0]:>11.1f}{speeds[1]:>12.1f}"
            f"{one['ratio']:>7.2f}{one['declarations']:>14}",
            flush=True,
        )
    bare = sum(each["bare_seconds"] for each in sets.values())
    whole = sum(each["parse_seconds"] for each in sets.values())
    print(json.dumps({"sets": sets, "ratio": round(whole / bare, 2) if bare else None}))


if __name__ == "__main__":
    main()
