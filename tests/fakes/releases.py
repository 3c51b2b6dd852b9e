"""Small installed distributions to index: real files on disk, read in place.

Here: writing them. Not here: environments (contracts.installs), tests.
"""

from __future__ import annotations

from pathlib import Path

# Stands in every docstring below its first sentence, and must never come out of the private store.
CANARY = "zanthoxyl marmalade drips slowly over seven brass kettles"


def release(site: Path, name: str, *functions: str) -> None:
    """An installed distribution, version 1.0, of one module: documented functions and an undocumented one."""
    body = "".join(
        f'def {each}(path):\n    """Reads the {each} of a file and gives it back as a number.\n\n'
        f'    Long ago the {CANARY}.\n    """\n\n\n'
        for each in functions
    )
    (site / f"{name}.py").write_text(f'"""Tools around {name}."""\n\n\n{body}def undocumented(a, b=1):\n    return a\n')
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "RECORD").write_text(f"{name}.py,,\n{info.name}/METADATA,,\n")
