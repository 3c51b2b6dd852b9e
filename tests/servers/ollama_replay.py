"""A loopback HTTP server that answers as a genuine Ollama did: replays recorded exchanges, by route and request.

Here: the replay. Not here: starting a genuine server (tests/servers/ollama_genuine.py).

An exchange answers a request of the same method and path whose model is the same; among several the one whose other
fields agree most. What the recording cut short is closed where it was cut. What nothing was recorded for is a 501, so
that a test cannot pass by accident.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

RECORDING = Path(__file__).parents[1] / "data" / "ollama_recorded.json"


@dataclass
class Fault:
    """What goes wrong with the next answers: a status, a cut connection, or a wait (seconds) before the answer."""

    status: int = 0
    is_cut: bool = False
    wait_seconds: float = 0.0
    body: str = '{"error":"llama runner process has terminated"}'


@dataclass
class Replay:
    """A running replay. ``requests`` grows with each call; ``faults`` are used up from the front."""

    url: str
    exchanges: list[dict[str, Any]]
    requests: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    # Sentences for /api/chat with our schema, in turn; where empty the recording answers.
    sentences: list[str] = field(default_factory=list)

    def chats(self) -> list[dict[str, Any]]:
        """The bodies of the calls of /api/chat."""
        return [body for _, path, body in self.requests if path == "/api/chat"]


@contextmanager
def replaying(sentences: Sequence[str] = ()) -> Iterator[Replay]:
    """A replay on a free port of 127.0.0.1; stopped, and its port closed, at the end."""
    exchanges = json.loads(RECORDING.read_text(encoding="utf-8"))
    replay = Replay("", exchanges, sentences=list(sentences))
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer("GET", {})

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            self._answer("POST", json.loads(self.rfile.read(length) or b"{}"))

        def _answer(self, method: str, body: dict[str, Any]) -> None:
            with lock:
                replay.requests.append((method, self.path, body))
                fault = replay.faults.pop(0) if replay.faults else None
            if fault is not None:
                time.sleep(fault.wait_seconds)
                if fault.is_cut:
                    self.close_connection = True
                    self.connection.close()
                    return
                if fault.status:
                    self._send(fault.status, fault.body)
                    return
            with lock:
                status, text = _answer_to(replay, method, self.path, body)
            self._send(status, text)

        def _send(self, status: int, text: str) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("content-type", "application/json; charset=utf-8")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Tests print nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A connection that a fault cut is no news."""

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    replay.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield replay
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _answer_to(replay: Replay, method: str, path: str, body: dict[str, Any]) -> tuple[int, str]:
    if path == "/api/version":
        return 200, '{"version":"0.24.0"}'
    if path == "/api/chat" and "format" in body and replay.sentences:
        recorded = json.loads(next(each["response"] for each in replay.exchanges if '"format"' in each["request"]))
        recorded["message"]["content"] = json.dumps({"sentence": replay.sentences.pop(0)})
        return 200, json.dumps(recorded)
    candidates = [
        (each, json.loads(_completed(each["request"] or "{}")))
        for each in replay.exchanges
        if each["method"] == method and each["path"] == path
    ]
    candidates = [(each, asked) for each, asked in candidates if asked.get("model") == body.get("model")]
    if path == "/api/chat":
        candidates = [pair for pair in candidates if pair[1].get("stream") == body.get("stream")]
        candidates = [pair for pair in candidates if pair[1].get("think") == body.get("think")]
    if not candidates:
        return 501, '{"error":"nothing of the kind was recorded"}'
    best = max(candidates, key=lambda pair: (_agreement(pair[1], body), len(pair[0]["response"])))
    return best[0]["status"], _completed(best[0]["response"])


def _agreement(asked: dict[str, Any], body: dict[str, Any]) -> int:
    return sum((key in asked) == (key in body) for key in ("format", "input", "options", "dimensions")) + sum(
        asked.get(key) == body.get(key) for key in ("input", "format", "truncate")
    )


def _completed(text: str) -> str:
    """The text itself, or a long response that was cut when it was recorded, closed after its last whole value."""
    try:
        json.loads(text)
    except ValueError:
        pass
    else:
        return text
    if "\n" in text:
        return text
    closers: list[str] = []
    safe, in_string, skip = (0, ""), False, False
    for index, character in enumerate(text):
        if skip:
            skip = False
        elif in_string:
            skip, in_string = character == "\\", character != '"'
        elif character == '"':
            in_string = True
        elif character in "{[":
            closers.append("}" if character == "{" else "]")
        elif character in "}]":
            closers.pop()
            safe = (index + 1, "".join(reversed(closers)))
        elif character == ",":
            safe = (index, "".join(reversed(closers)))
    return text[: safe[0]] + safe[1]
