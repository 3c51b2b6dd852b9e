"""A registry of crates on loopback: the sparse index and the archives of a folder.

Here: index files, downloads, withdrawn versions, broken answers, cargo's configuration for it. Not here: what is in
the archives (data.crates).

Protocol: the Cargo book, "Registry index" (sparse), "Registry Web API: download".
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass
class CrateRegistry:
    """Serves the ``.crate`` files of ``folder``; what is asked is kept in ``asked``."""

    folder: Path
    url: str = ""
    yanked: set[str] = field(default_factory=set)
    false_digest: set[str] = field(default_factory=set)
    failing: set[str] = field(default_factory=set)
    links: dict[str, str] = field(default_factory=dict)
    dependencies: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def index(self, name: str) -> str | None:
        """The index file of a crate, or None where it has no versions."""
        lines = []
        for path in sorted(self.folder.glob(f"{name}-*.crate")):
            version = path.name.removeprefix(f"{name}-").removesuffix(".crate")
            if not re.match(r"\d", version):
                continue
            digest = "0" * 64 if path.name in self.false_digest else hashlib.sha256(path.read_bytes()).hexdigest()
            row: dict[str, Any] = {
                "name": name,
                "vers": version,
                "deps": [
                    {
                        "name": other,
                        "req": requirement,
                        "features": [],
                        "optional": False,
                        "default_features": True,
                        "target": None,
                        "kind": "normal",
                    }
                    for other, requirement in self.dependencies.get(path.name, [])
                ],
                "cksum": digest,
                "features": {},
                "yanked": path.name in self.yanked,
                "links": self.links.get(path.name),
            }
            lines.append(json.dumps(row))
        return "\n".join(lines) or None


@contextmanager
def serve_registry(folder: Path) -> Iterator[CrateRegistry]:
    """A running registry over ``folder``, stopped afterwards."""
    registry = CrateRegistry(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            registry.asked.append(self.path)
            name = self.path.rpartition("/")[2]
            if name in registry.failing:
                self.answer(403, b"")
            elif self.path == "/index/config.json":
                self.answer(200, json.dumps({"dl": f"{registry.url}/crates/{{crate}}-{{version}}.crate"}).encode())
            elif self.path.startswith("/index/"):
                text = registry.index(name)
                self.answer(200 if text else 404, (text or "").encode())
            elif (folder / name).is_file():
                self.answer(200, (folder / name).read_bytes())
            else:
                self.answer(404, b"")

        def answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        registry.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield registry
        finally:
            server.shutdown()
            thread.join()


def write_cargo_home(home: Path, registry: CrateRegistry) -> Path:
    """A home whose configuration has the registry in the place of the public one; its folder."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(
        '[source.crates-io]\nreplace-with = "here"\n'
        f'[source.here]\nregistry = "sparse+{registry.url}/index/"\n[net]\nretry = 0\n'
    )
    return home
