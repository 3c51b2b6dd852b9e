"""The one place that builds a client for an Ollama server, for the rewriter and for the embedder.

Here: the loopback check, time-outs, typed errors, the probe, a model's digest. Not here: prompts
(depcodex_assets.rewriters), embeddings (depcodex.embedding). API:
https://github.com/ollama/ollama/blob/main/docs/api.md, as of v0.24.

Documentation never leaves the machine: an address that is not loopback is refused unless ``allow_remote_models`` is
set, and the client takes no proxy from the environment and follows no redirect, so that a loopback address stays
one.
"""

from __future__ import annotations

import ipaddress
import socket
import time
import urllib.parse
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from depcodex.errors import DepcodexError, ModelError, ModelUnavailableError, RemoteModelRefusedError, SettingsError
from depcodex.settings import Settings

if TYPE_CHECKING:
    import ollama

DEFAULT_PORT = 11434
# How long `is_reachable` may take in all, in seconds.
PROBE_SECONDS = 0.3
_CONNECT_SECONDS = 3.0
# Statuses that a later try may find gone: loading, overloaded, a runner that died.
_TRANSIENT_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
# Prefixes of Ollama's 500s that no retry mends (recorded from v0.24).
_PERMANENT_500 = (
    "pull model manifest",
    "unable to load model",
    "model requires more system memory",
    "input length exceeds",
)

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class ModelAddress:
    """Where a model server listens.

    Attributes:
        url: ``http://host:port``, without a path.
        host: the host as written.
        port: 1 to 65535.
        is_loopback: every address that the host stands for is of this machine alone.
    """

    url: str
    host: str
    port: int
    is_loopback: bool


@dataclass(frozen=True)
class ModelFacts:
    """What a server says of one model.

    Attributes:
        capabilities: ``completion``, ``embedding``, ``thinking`` …; empty where the server does not say.
        takes_system_message: the model's template has a place for it; one made from a bare GGUF can have none, and
            the server then drops the message without a word (measured).
    """

    capabilities: frozenset[str]
    takes_system_message: bool


def model_address(text: str) -> ModelAddress:
    """The address that ``ollama_host`` names; ``host``, ``host:port`` and URLs are understood, as Ollama does.

    >>> model_address("127.0.0.1").url
    'http://127.0.0.1:11434'

    Raises:
        SettingsError: not an address, or one with credentials, a path or a scheme other than http and https.
    """
    written = text.strip()
    full = written if "://" in written else f"http://{written}"
    try:
        parts = urllib.parse.urlsplit(full)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise SettingsError(
            f"setting ollama_host: not an address, expected http://host:port, got {written!r}"
        ) from error
    if (
        not host
        or parts.scheme not in ("http", "https")
        or parts.username
        or parts.path not in ("", "/")
        or parts.query
    ):
        raise SettingsError(f"setting ollama_host: expected http://host:port, got {_without_credentials(written)!r}")
    if port is None:
        port = {"http": DEFAULT_PORT, "https": 443}[parts.scheme]
    shown = f"[{host}]" if ":" in host else host
    return ModelAddress(f"{parts.scheme}://{shown}:{port}", host, port, _is_loopback(host))


def _without_credentials(text: str) -> str:
    return text.split("@")[-1]


def _is_loopback(host: str) -> bool:
    """Whether the host can only be this machine; a name is asked for its addresses, all of them must be."""
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        pass
    if host.lower().rstrip(".") != "localhost":
        # Another name may point here now and elsewhere at the next call.
        return False
    try:
        found = socket.getaddrinfo(host, None, proto=socket.IPPROTO_TCP)
    except OSError:
        return False
    return all(ipaddress.ip_address(str(each[4][0]).split("%")[0]).is_loopback for each in found)


def checked_address(settings: Settings) -> ModelAddress:
    """The server's address, where documentation may be sent to it.

    Raises:
        RemoteModelRefusedError: it is not loopback and ``allow_remote_models`` is not set.
        SettingsError: it is no address.
    """
    address = model_address(settings.ollama_host)
    if not address.is_loopback and not settings.allow_remote_models:
        raise RemoteModelRefusedError(
            f"{address.host}: not an address of this machine, expected loopback; documentation would leave it "
            "(allow_remote_models = true in settings.toml permits that)"
        )
    return address


def is_reachable(settings: Settings) -> bool:
    """Whether something that answers as Ollama does listens there; never raises, at most ``PROBE_SECONDS``.

    An address that may not be used is not probed.
    """
    started = time.monotonic()
    try:
        address = checked_address(settings)
        with socket.create_connection((address.host, address.port), timeout=PROBE_SECONDS) as connection:
            if address.url.startswith("https"):
                return True
            connection.settimeout(max(0.02, PROBE_SECONDS - (time.monotonic() - started)))
            connection.sendall(f"GET /api/version HTTP/1.0\r\nHost: {address.host}\r\n\r\n".encode())
            # A status line is enough: an old Ollama without the route is one as well.
            return connection.recv(64).startswith(b"HTTP/1.")
    except (OSError, DepcodexError, UnicodeError):
        return False


class OllamaConnection:
    """A client for one server; safe between threads.

    Not here: retries. A call raises a transient error at once; who calls knows how long waiting makes sense.
    """

    def __init__(self, settings: Settings) -> None:
        """Checks the address; connects to nothing.

        Raises:
            RemoteModelRefusedError: see ``checked_address``.
            SettingsError: the address cannot be used.
        """
        import httpx
        import ollama

        self.address = checked_address(settings)
        timeout = httpx.Timeout(
            settings.model_timeout_seconds, connect=min(_CONNECT_SECONDS, settings.model_timeout_seconds)
        )
        # trust_env=False: a proxy in the environment would carry documentation off this machine.
        self._client: ollama.Client = ollama.Client(
            host=self.address.url, timeout=timeout, trust_env=False, follow_redirects=False
        )
        # Who drops a connection without closing it leaves no socket behind.
        self._finalizer = weakref.finalize(self, self._client.close)

    def chat(self, model: str, **arguments: Any) -> ollama.ChatResponse:
        """One answer of ``/api/chat``; see the client's own documentation for the arguments.

        Raises:
            ModelUnavailableError: no answer, or one that a later try may mend.
            ModelError: the model is missing, cannot chat, or refuses an option.
        """
        answer: ollama.ChatResponse = self._asked(model, lambda: self._client.chat(model=model, **arguments))
        return answer

    def embed(self, model: str, texts: list[str], **arguments: Any) -> ollama.EmbedResponse:
        """One answer of ``/api/embed``.

        Raises:
            ModelUnavailableError: no answer, or one that a later try may mend.
            ModelError: the model is missing, or cannot embed.
        """
        return self._asked(model, lambda: self._client.embed(model=model, input=texts, **arguments))

    def facts(self, model: str) -> ModelFacts:
        """What the server says of a model.

        Raises:
            ModelUnavailableError: no answer.
            ModelError: the model is missing.
        """
        shown = self._asked(model, lambda: self._client.show(model))
        template = shown.template or ""
        takes_system = not template or ".System" in template or ".Messages" in template
        return ModelFacts(frozenset(shown.capabilities or ()), takes_system)

    def digest(self, model: str) -> str:
        """sha256 hex of the model's manifest: template, parameters and weights.

        Raises:
            ModelUnavailableError: no answer.
            ModelError: the model is missing.
        """
        wanted = model if ":" in model.rsplit("/", 1)[-1] else f"{model}:latest"
        listed = self._asked(model, self._client.list)
        for each in listed.models:
            if each.model in (model, wanted) and each.digest:
                return each.digest.removeprefix("sha256:")
        raise ModelError(missing_message(model))

    def close(self) -> None:
        """Gives the connections back."""
        self._finalizer()

    def _asked(self, model: str, call: Callable[[], _Answer]) -> _Answer:
        import httpx
        import ollama

        try:
            return call()
        except ollama.ResponseError as error:
            raise self._translated(model, error.status_code, error.error or "") from error
        except httpx.TimeoutException as error:
            raise ModelUnavailableError(
                f"{self.address.url}: no answer in time from model {model}; setting model_timeout_seconds allows longer"
            ) from error
        except (httpx.HTTPError, ConnectionError, OSError) as error:
            raise ModelUnavailableError(unreachable_message(self.address.url)) from error
        except (ValueError, TypeError, RecursionError) as error:
            # The client parses answers with pydantic, whose errors are ValueErrors: another server listens there.
            raise ModelUnavailableError(
                f"{self.address.url}: the answer is not Ollama's, expected JSON of its API"
            ) from error

    def _translated(self, model: str, status: int, message: str) -> DepcodexError:
        lower = message.lower()
        if status == 404 or "not found" in lower:
            return ModelError(missing_message(model))
        if "does not support" in lower:
            return ModelError(f"{model}: the wrong kind of model: {_one_line(message)}")
        if status in _TRANSIENT_STATUSES and not lower.startswith(_PERMANENT_500):
            return ModelUnavailableError(f"{self.address.url}: status {status} for model {model}: {_one_line(message)}")
        return ModelError(f"{self.address.url}: status {status} for model {model}: {_one_line(message)}")


def missing_message(model: str) -> str:
    """One line that says how to get a model."""
    return f"{model}: the model is not on the server; get it with: ollama pull {model}"


def unreachable_message(url: str) -> str:
    """One line that says how to start a server."""
    return f"{url}: Ollama does not answer; start it with: ollama serve"


def _one_line(message: str) -> str:
    """A server's message, short and printable: it ends in a terminal and in logs."""
    return "".join(each if each.isprintable() else " " for each in message)[:160].strip()


def chat_options(*, num_thread: int | None = None, **options: int | float) -> Mapping[str, int | float]:
    """Options for a call; ``num_thread`` only where it is set (1 on a busy machine, or its threads spin)."""
    return {**options, "num_thread": num_thread} if num_thread else dict(options)
