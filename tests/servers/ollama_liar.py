"""A loopback server that speaks Ollama's protocol and answers whatever a test wants it to say.

Here: the liar. Not here: what a genuine server answers (tests/servers/ollama_replay.py).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "liar"
_MODELS = {"models": [{"model": f"{MODEL}:latest", "name": f"{MODEL}:latest", "digest": "a" * 64}]}
_FACTS = {"capabilities": ["completion", "embedding"], "template": "{{ .System }}", "details": {}, "model_info": {}}


@dataclass
class Liar:
    """A running liar: ``content`` is the message of each chat, ``embed_body`` the whole body of each embedding."""

    url: str
    content: str = ""
    embed_body: str = ""


@contextmanager
def lying() -> Iterator[Liar]:
    """A liar on a free port of 127.0.0.1; stopped at the end."""
    liar = Liar("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(json.dumps(_MODELS if self.path == "/api/tags" else {"version": "0.24.0"}))

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.path == "/api/show":
                self._send(json.dumps(_FACTS))
            elif self.path == "/api/embed":
                self._send(liar.embed_body)
            else:
                message = {"role": "assistant", "content": liar.content}
                self._send(json.dumps({"model": MODEL, "message": message, "done": True}))

        def _send(self, body: str) -> None:
            data = body.encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    liar.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield liar
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
