"""An installed environment as its folders and metadata files tell it; its interpreter is never started.

Here: finding site-packages, the Python version, and the distributions in them (METADATA headers, direct_url.json,
RECORD paths). Not here: the closure of an environment (depcodex.lockfiles.environment), the sources themselves (the
stages).

Specs: "Recording installed projects" (PEP 376, PEP 627), "Core metadata", "Direct URL data structure" (PEP 610), PEP
405.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from depcodex.errors import UsageError
from depcodex.lockfiles.documents import normalised_name
from depcodex.trees import is_installed_source

_LIBRARY_PATTERN = re.compile(r"(python|pypy)(\d+)\.(\d+)t?")
_VERSION_PATTERN = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")
_INFO_SUFFIXES = (".dist-info", ".egg-info")


@dataclass(frozen=True)
class Metadata:
    """The core metadata that resolution needs. ``requires`` are PEP 508 texts as the distribution wrote them."""

    name: str
    version: str
    requires: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()


@dataclass(frozen=True)
class InstalledDistribution:
    """One distribution in site-packages.

    Attributes:
        name: normalised.
        version: as the folder's name has it.
        info: its ``*.dist-info`` or ``*.egg-info``.
        site: the folder that it lies in.
    """

    name: str
    version: str
    info: Path
    site: Path

    @functools.cached_property
    def metadata(self) -> Metadata | None:
        """The parsed headers; None where the file is missing or has no name and version."""
        names = ("METADATA",) if self.info.suffix == ".dist-info" else ("PKG-INFO",)
        for path in [self.info / name for name in names] if self.info.is_dir() else [self.info]:
            try:
                return _parse_headers(path.read_bytes())
            except OSError:
                continue
        return None

    @functools.cached_property
    def direct_url(self) -> Mapping[str, object]:
        """direct_url.json, or an empty mapping where there is none that can be read."""
        import json

        try:
            value = json.loads((self.info / "direct_url.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def origin(self) -> str:
        """Where it came from: "" for an index, else ``editable``, ``path``, ``git`` or ``url``."""
        if not self.direct_url:
            return ""
        folder = self.direct_url.get("dir_info")
        if isinstance(folder, dict):
            return "editable" if folder.get("editable") else "path"
        return "git" if "vcs_info" in self.direct_url else "url"

    @property
    def folder(self) -> Path | None:
        """The source folder that it was installed from, for path and editable installs that are still there."""
        from urllib.parse import unquote, urlsplit

        parts = urlsplit(str(self.direct_url.get("url", "")))
        if "dir_info" not in self.direct_url or parts.scheme != "file":
            return None
        folder = Path(unquote(parts.path))
        return folder if folder.is_dir() else None

    @property
    def commit(self) -> str:
        """The commit of a git install; else ""."""
        details = self.direct_url.get("vcs_info")
        return str(details.get("commit_id", "")) if isinstance(details, dict) else ""

    def source_paths(self) -> tuple[str, ...]:
        """Python sources that RECORD lists below site-packages, relative with ``/``; empty without a RECORD."""
        import csv

        try:
            text = (self.info / "RECORD").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ()
        rows = (row[0] for row in csv.reader(text.splitlines()) if row)
        return tuple(sorted(path for path in rows if is_installed_source(path)))


@dataclass(frozen=True)
class InstalledEnvironment:
    """A virtual environment or prefix on disk.

    Attributes:
        root: its folder.
        site_packages: absolute folders, nearest first; at least one.
        python_version: ``3.12.4``, or ``3.12`` where nothing says more; "" where nothing says it.
        implementation: ``cpython``, ``pypy``; "" where nothing says it.
    """

    root: Path
    site_packages: tuple[Path, ...]
    python_version: str = ""
    implementation: str = ""

    @functools.cached_property
    def distributions(self) -> Mapping[str, InstalledDistribution]:
        """Normalised name → distribution; of several the one in the nearest folder, then the last by folder name."""
        found: dict[str, InstalledDistribution] = {}
        for site in self.site_packages:
            here: dict[str, InstalledDistribution] = {}
            for name in sorted(_names_in(site)):
                stem, dot, ending = name.rpartition(".")
                if dot + ending not in _INFO_SUFFIXES or stem.startswith("~"):
                    continue
                # An egg's stem ends in `-py3.11`; a version has no hyphen in either kind.
                parts = re.sub(r"-py\d+\.\d+$", "", stem).split("-")
                if len(parts) < 2:
                    continue
                row = InstalledDistribution(normalised_name("-".join(parts[:-1])), parts[-1], site / name, site)
                here[row.name] = row
            for name, row in here.items():
                found.setdefault(name, row)
        return found


def find_environment(project: Path, venv: Path | None, environ: Mapping[str, str]) -> InstalledEnvironment | None:
    """The environment to read in place: ``venv``, else the project's ``.venv``, else ``VIRTUAL_ENV``, else none.

    Raises:
        UsageError: ``venv`` is given and has no site-packages.
    """
    if venv is not None:
        environment = open_environment(venv)
        if environment is None:
            raise UsageError(f"--venv {venv}: expected an environment with site-packages, got none")
        return environment
    for candidate in (project / ".venv", Path(environ["VIRTUAL_ENV"]) if environ.get("VIRTUAL_ENV") else None):
        environment = open_environment(candidate) if candidate is not None else None
        if environment is not None:
            return environment
    return None


def open_environment(root: Path) -> InstalledEnvironment | None:
    """The environment in a folder, or None where the folder has no site-packages."""
    # absolute, not resolved: the path that people know is the one to show.
    root = root.absolute()
    configuration = _read_configuration(root / "pyvenv.cfg")
    sites = _site_folders(root)
    if not sites:
        return None
    stated = _VERSION_PATTERN.match(configuration.get("version_info") or configuration.get("version", ""))
    version = ".".join(part for part in stated.groups() if part) if stated else ""
    if version:
        minor = ".".join(version.split(".")[:2])
        sites.sort(key=lambda site: _LIBRARY_PATTERN.sub(r"\2.\3", site.parent.name) != minor)
    match = _LIBRARY_PATTERN.fullmatch(sites[0].parent.name)
    if not version and match:
        version = f"{match[2]}.{match[3]}"
    if configuration.get("include-system-site-packages", "").lower() == "true" and configuration.get("home"):
        sites += [site for site in _site_folders(Path(configuration["home"]).parent) if site not in sites]
    implementation = configuration.get("implementation", "").lower()
    if not implementation and match:
        implementation = "pypy" if match[1] == "pypy" else "cpython"
    return InstalledEnvironment(root, tuple(sites), version, implementation)


def _site_folders(root: Path) -> list[Path]:
    found: list[Path] = []
    for library in ("lib", "lib64", "Lib"):
        base = root / library
        candidates = [base / "site-packages"]
        candidates += [
            base / name / kind
            for name in sorted(_names_in(base), reverse=True)
            if _LIBRARY_PATTERN.fullmatch(name)
            for kind in ("site-packages", "dist-packages")
        ]
        if library == "lib" and root.name == "usr":
            candidates.append(base / "python3" / "dist-packages")
        # lib64 is mostly a link to lib; the same folder must not count twice.
        known = {os.path.realpath(each) for each in found}
        found += [each for each in candidates if each.is_dir() and os.path.realpath(each) not in known]
    return found


def _names_in(folder: Path) -> list[str]:
    try:
        return [each.name for each in folder.iterdir()]
    except OSError:
        return []


def _read_configuration(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.split("=", 1) for line in lines if "=" in line)
    return {key.strip().lower(): value.strip() for key, value in pairs}


def _parse_headers(content: bytes) -> Metadata | None:
    """Headers up to the first blank line; the long description below it is never looked at."""
    head = content.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("utf-8", "replace")
    name = version = ""
    requires: list[str] = []
    extras: list[str] = []
    for line in re.sub(r"\n[ \t]+", " ", head).split("\n"):
        field, _, value = line.partition(":")
        match field.lower():
            case "name":
                name = value.strip()
            case "version":
                version = value.strip()
            case "requires-dist":
                requires.append(value.strip())
            case "provides-extra":
                extras.append(normalised_name(value.strip()))
    return Metadata(name, version, tuple(requires), tuple(extras)) if name and version else None
