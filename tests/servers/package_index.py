"""A package index on loopback: the simple repository API (PEP 503) over a folder of release files.

Here: pages, files, credentials, withdrawn files, broken answers. Not here: what is in the files (data.releases).
"""

from __future__ import annotations

import base64
import hashlib
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class PackageIndex:
    """Serves ``folder``; what is asked is kept in ``asked``."""

    folder: Path
    url: str = ""
    yanked: set[str] = field(default_factory=set)
    without_digest: set[str] = field(default_factory=set)
    false_digest: set[str] = field(default_factory=set)
    truncated: set[str] = field(default_factory=set)
    failing: set[str] = field(default_factory=set)
    credentials: str = ""
    asked: list[str] = field(default_factory=list)

    def page(self, project: str) -> str | None:
        """The project's page, or None where it has no files."""
        lines = []
        for path in sorted(self.folder.iterdir()):
            name = re.split(r"-\d", path.name)[0]
            if re.sub(r"[-_.]+", "-", name).lower() != project:
                continue
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if path.name in self.false_digest:
                digest = "0" * 64
            fragment = "" if path.name in self.without_digest else f"#sha256={digest}"
            mark = ' data-yanked="broken"' if path.name in self.yanked else ""
            lines.append(f'<a href="/files/{path.name}{fragment}"{mark}>{path.name}</a>')
        return f"<!DOCTYPE html><html><body>{''.join(lines)}</body></html>" if lines else None


@contextmanager
def serve_index(folder: Path) -> Iterator[PackageIndex]:
    """A running index over ``folder``, stopped afterwards."""
    index = PackageIndex(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            index.asked.append(self.path)
            if index.credentials:
                wanted = "Basic " + base64.b64encode(index.credentials.encode()).decode()
                if self.headers.get("Authorization") != wanted:
                    self.answer(401, b"")
                    return
            kind, _, name = self.path.strip("/").partition("/")
            if name in index.failing:
                self.answer(500, b"")
            elif kind == "simple":
                page = index.page(name)
                self.answer(200 if page else 404, (page or "").encode(), "text/html")
            elif (index.folder / name).is_file():
                content = (index.folder / name).read_bytes()
                self.answer(200, content, "application/octet-stream", is_cut=name in index.truncated)
            else:
                self.answer(404, b"")

        def answer(self, status: int, body: bytes, kind: str = "text/plain", *, is_cut: bool = False) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            if status == 401:
                self.send_header("WWW-Authenticate", "Basic")
            self.end_headers()
            self.wfile.write(body[: len(body) // 2] if is_cut else body)
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        index.url = f"http://127.0.0.1:{server.server_port}"
        yield index
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def pip_environment(index: PackageIndex, *, credentials: str = "") -> tuple[tuple[str, str], ...]:
    """Variables under which pip asks this index, and nothing and nobody else."""
    url = index.url.replace("://", f"://{credentials}@") if credentials else index.url
    return (
        ("PIP_INDEX_URL", f"{url}/simple/"),
        ("PIP_EXTRA_INDEX_URL", ""),
        ("PIP_FIND_LINKS", ""),
        ("PIP_NO_CACHE_DIR", "1"),
        ("PIP_RETRIES", "0"),
        ("PIP_CONFIG_FILE", "/dev/null"),
        ("PIP_KEYRING_PROVIDER", "disabled"),
        ("NO_PROXY", "127.0.0.1"),
    )
