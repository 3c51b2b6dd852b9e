"""npm's cache on this machine: tarballs by digest, and which digest the registry named for a version.

Here: reading the cache's index and content, as data. Not here: filling it (npm_fetch, npm itself).

Format: cacache, versions 16 to 19: ``index-v5`` holds, by sha256 of a key, lines of ``<sha1 of the json>\\t<json>``;
``content-v2`` holds bytes by their digest. A tarball alone does not say whose it is, and a lock is its project's own
word: a version's bytes are taken from the cache only where the registry of the user's configuration named them, in a
package document or at the address of the tarball, so that no project can put its bytes in another's place.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depcodex.coordinates import Coordinate
from depcodex_assets.ecosystems.interface import HarvestRequest
from depcodex_assets.ecosystems.npm_archive import package_name

_KEY = "make-fetch-happen:request-cache:"
_CONFIG_SECONDS = 60
_MAX_INDEX_BYTES = 20_000_000
_MAX_DOCUMENT_BYTES = 200_000_000
# Best first; what a registry names besides is of no use.
_ALGORITHMS = ("sha512", "sha384", "sha256", "sha1")


@dataclass(frozen=True)
class CachedTarball:
    """A tarball whose bytes agree with what the registry named.

    Attributes:
        path: in the cache; not to be changed.
        digest: ``sha256:<hex>`` of its bytes.
    """

    path: Path
    digest: str


@dataclass(frozen=True)
class Published:
    """What the registry said of one version.

    Attributes:
        digests: ``<algorithm>:<hex>``, best first.
        is_deprecated: its publisher says that it should be used no more.
    """

    digests: tuple[str, ...]
    is_deprecated: bool


class NpmCache:
    """The cache that the user's npm is configured with; asked lazily, one npm process a batch.

    Args:
        settings: npm's configuration; what ``npm config list --json`` says where it is None.
    """

    def __init__(self, settings: dict[str, Any] | None = None) -> None:
        self._settings = settings
        self._documents: dict[str, dict[str, Any]] = {}

    @property
    def settings(self) -> dict[str, Any]:
        """npm's configuration as the user has it outside any project."""
        if self._settings is None:
            self._settings = read_settings()
        return self._settings

    def tarball(self, request: HarvestRequest) -> CachedTarball | None:
        """The request's tarball, its bytes checked; None where the cache has none that both lock and registry name."""
        folder = self._folder()
        if folder is None:
            return None
        published = self.published(request.coordinate)
        for digest in published.digests:
            path = _content_path(folder, digest)
            if path is None:
                continue
            found = _hashed(
                path, {digest.partition(":")[0], "sha256", *(each.partition(":")[0] for each in request.digests)}
            )
            if found is None or digest not in found:
                continue
            if request.digests and not set(request.digests) & found:
                return None
            sha256 = next(each for each in found if each.startswith("sha256:"))
            return CachedTarball(path, sha256)
        return None

    def published(self, coordinate: Coordinate) -> Published:
        """What the registry said of a version, as far as the cache remembers it."""
        folder = self._folder()
        if folder is None:
            return Published((), False)
        name = package_name(coordinate)
        base = self._registry(coordinate).rstrip("/")
        if not base:
            return Published((), False)
        document = self._document(folder, f"{base}/{name.replace('/', '%2f')}")
        versions = document.get("versions")
        version = versions.get(coordinate.version) if isinstance(versions, dict) else None
        if isinstance(version, dict):
            dist = version.get("dist")
            digests = _digests_of(dist) if isinstance(dist, dict) else ()
            return Published(digests, bool(version.get("deprecated")))
        key = f"{_KEY}{base}/{name}/-/{coordinate.name}-{coordinate.version}.tgz"
        entry = _index_entry(folder, key)
        return Published(tuple(_digests_of_integrity(str(entry.get("integrity", "")))), False)

    def _folder(self) -> Path | None:
        cache = self.settings.get("cache")
        if not isinstance(cache, str) or not cache:
            return None
        folder = Path(cache) / "_cacache"
        return folder if folder.is_dir() else None

    def _registry(self, coordinate: Coordinate) -> str:
        scoped = self.settings.get(f"{coordinate.namespace}:registry") if coordinate.namespace else None
        found = scoped or self.settings.get("registry")
        return found if isinstance(found, str) else ""

    def _document(self, folder: Path, address: str) -> dict[str, Any]:
        if address not in self._documents:
            # One at a time: documents of packages with thousands of versions are megabytes.
            self._documents.clear()
            self._documents[address] = _read_document(folder, address)
        return self._documents[address]


def read_settings(npm: str = "npm") -> dict[str, Any]:
    """npm's configuration outside any project; empty where there is no npm.

    Only where caches and registries are: what it says of credentials is dropped at once.
    """
    try:
        finished = subprocess.run(
            [npm, "config", "list", "--json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/" if os.name == "posix" else None,
            timeout=_CONFIG_SECONDS,
            check=False,
        )
        value = json.loads(finished.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {key: each for key, each in value.items() if key in ("cache", "registry") or key.endswith(":registry")}


def _digests_of(dist: dict[str, Any]) -> tuple[str, ...]:
    found = list(_digests_of_integrity(str(dist.get("integrity") or "")))
    shasum = dist.get("shasum")
    if not found and isinstance(shasum, str):
        found.append(f"sha1:{shasum.lower()}")
    return tuple(found)


def _digests_of_integrity(integrity: str) -> Iterator[str]:
    """Subresource Integrity (``sha512-<base64>``) as ``sha512:<hex>``, best first."""
    parts = [each.partition("?")[0].partition("-") for each in integrity.split()]
    for algorithm in _ALGORITHMS:
        for name, _, value in parts:
            if name == algorithm:
                try:
                    yield f"{algorithm}:{base64.b64decode(value, validate=True).hex()}"
                except ValueError:
                    continue


def _index_entry(folder: Path, key: str) -> dict[str, Any]:
    """The newest whole entry of a key; empty where there is none."""
    hashed = hashlib.sha256(key.encode()).hexdigest()
    path = folder / "index-v5" / hashed[:2] / hashed[2:4] / hashed[4:]
    try:
        if path.stat().st_size > _MAX_INDEX_BYTES:
            return {}
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return {}
    for line in reversed(lines):
        checksum, _, text = line.partition(b"\t")
        if not text or hashlib.sha1(text, usedforsecurity=False).hexdigest().encode() != checksum:
            continue
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and entry.get("key") == key:
            return entry
    return {}


def _read_document(folder: Path, address: str) -> dict[str, Any]:
    entry = _index_entry(folder, _KEY + address)
    for digest in _digests_of_integrity(str(entry.get("integrity", ""))):
        path = _content_path(folder, digest)
        try:
            if path is None or path.stat().st_size > _MAX_DOCUMENT_BYTES:
                continue
            content = path.read_bytes()
            if hashlib.new(digest.partition(":")[0], content).hexdigest() != digest.partition(":")[2]:
                continue
            value = json.loads(content)
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return {}


def _content_path(folder: Path, digest: str) -> Path | None:
    algorithm, _, value = digest.partition(":")
    path = folder / "content-v2" / algorithm / value[:2] / value[2:4] / value[4:]
    return path if len(value) >= 40 and path.is_file() else None


def _hashed(path: Path, algorithms: Sequence[str] | set[str]) -> set[str] | None:
    """``<algorithm>:<hex>`` of a file for each algorithm; None where it cannot be read."""
    hashes = {name: hashlib.new(name) for name in algorithms if name in hashlib.algorithms_guaranteed}
    try:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                for each in hashes.values():
                    each.update(chunk)
    except OSError:
        return None
    return {f"{name}:{each.hexdigest()}" for name, each in hashes.items() if not name.startswith("shake")}
