"""Installed environments written by hand for the tests: metadata files only, as installers leave them.

Here: what several test modules need. Not here: tests.
"""

from __future__ import annotations

import json
from pathlib import Path


def make_environment(root: Path, version: str = "3.12.4") -> Path:
    """An empty virtual environment; returns its site-packages."""
    minor = ".".join(version.split(".")[:2])
    site = root / "lib" / f"python{minor}" / "site-packages"
    site.mkdir(parents=True)
    (root / "pyvenv.cfg").write_text(f"home = /nowhere/bin\nimplementation = CPython\nversion_info = {version}\n")
    return site


def install(
    site: Path,
    name: str,
    version: str,
    *requires: str,
    extras: tuple[str, ...] = (),
    direct_url: object = None,
) -> Path:
    """Put a distribution with one module into site-packages; returns its dist-info."""
    module = name.replace("-", "_")
    (site / module).mkdir()
    (site / module / "__init__.py").write_text(f'"""{name} {version}."""\n')
    info = site / f"{module}-{version}.dist-info"
    info.mkdir()
    lines = ["Metadata-Version: 2.3", f"Name: {name}", f"Version: {version}"]
    lines += [f"Provides-Extra: {extra}" for extra in extras]
    lines += [f"Requires-Dist: {text}" for text in requires]
    (info / "METADATA").write_text("\n".join([*lines, "", "Requires-Dist: prose, not a header", ""]))
    (info / "INSTALLER").write_text("uv\n")
    (info / "RECORD").write_text(
        f"{module}/__init__.py,,\n{info.name}/METADATA,,\n{info.name}/RECORD,,\n../../bin/x,,\n"
    )
    if direct_url is not None:
        (info / "direct_url.json").write_text(json.dumps(direct_url))
    return info
