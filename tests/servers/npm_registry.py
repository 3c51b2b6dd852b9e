"""An npm registry on loopback: package documents and tarballs over a folder.

Here: documents, tarballs, deprecated versions, false integrity, broken answers. Not here: what is in the tarballs
(data.npm_packages).
"""

from __future__ import annotations

import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from data.npm_packages import integrity_of


@dataclass
class NpmRegistry:
    """Serves ``folder``; what is asked is kept in ``asked``."""

    folder: Path
    url: str = ""
    deprecated: set[str] = field(default_factory=set)
    false_integrity: set[str] = field(default_factory=set)
    failing: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    token: str = ""
    asked: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def document(self, name: str) -> dict[str, Any] | None:
        """The package's document, or None where it has no tarball."""
        versions: dict[str, Any] = {}
        for path in sorted(self.folder.glob("*.tgz")):
            with tarfile.open(path) as archive:
                top = archive.getnames()[0].partition("/")[0]
                member = archive.extractfile(f"{top}/package.json")
                assert member is not None
                manifest = json.load(member)
            if manifest["name"] != name:
                continue
            integrity = integrity_of(path)
            if path.name in self.false_integrity:
                integrity = integrity_of(Path(__file__))
            dist = {"tarball": f"{self.url}/{name}/-/{path.name}", "integrity": integrity}
            versions[manifest["version"]] = {**manifest, "dist": dist}
            if path.name in self.deprecated:
                versions[manifest["version"]]["deprecated"] = "use another one"
        if not versions:
            return None
        return {"name": name, "dist-tags": {"latest": max(versions)}, "versions": versions}


@contextmanager
def serve_registry(folder: Path) -> Iterator[NpmRegistry]:
    """A running registry over ``folder``, stopped afterwards."""
    registry = NpmRegistry(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(self.path).strip("/")
            registry.asked.append(path)
            name, _, file = path.partition("/-/")
            if registry.token and self.headers.get("Authorization") != f"Bearer {registry.token}":
                self.answer(401, b"{}")
            elif file in registry.silent or name in registry.silent:
                registry.ended.wait(60)
            elif file in registry.failing:
                self.answer(500, b"{}")
            elif file:
                self.answer(200, (registry.folder / file).read_bytes(), "application/octet-stream")
            else:
                document = registry.document(name)
                self.answer(200 if document else 404, json.dumps(document or {"error": "Not found"}).encode())

        def answer(self, status: int, body: bytes, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        registry.url = f"http://127.0.0.1:{server.server_port}"
        yield registry
    finally:
        registry.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def npm_environment(registry: NpmRegistry, cache: Path, *, token: str = "") -> tuple[tuple[str, str], ...]:
    """Variables under which npm asks this registry, keeps its cache apart, and reads no configuration of the user's."""
    config = cache.parent / "npmrc"
    host = registry.url.removeprefix("http:")
    config.write_text(f"{host}/:_authToken={token}\n" if token else "")
    return (
        ("npm_config_registry", registry.url),
        ("npm_config_cache", str(cache)),
        ("npm_config_userconfig", str(config)),
        ("npm_config_globalconfig", str(cache.parent / "none")),
        ("npm_config_fetch_retries", "0"),
        ("npm_config_noproxy", "127.0.0.1"),
        ("NO_PROXY", "127.0.0.1"),
    )
