"""The one client of model servers: loopback or refused, typed errors, a quick probe; over real sockets."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from depcodex.errors import ModelError, ModelUnavailableError, RemoteModelRefusedError, SettingsError
from depcodex.ollama_client import OllamaConnection, is_reachable, model_address
from depcodex.settings import Settings
from servers.ollama_replay import Fault, Replay, replaying


@pytest.fixture
def replay() -> Iterator[Replay]:
    with replaying() as running:
        yield running


def _settings(host: str, **changes: object) -> Settings:
    return Settings(home=Path("/nowhere"), ollama_host=host, **changes)  # type: ignore[arg-type]


def _closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("localhost:99", "http://localhost:99"),
        ("http://[::1]:11434/", "http://[::1]:11434"),
        (" http://127.8.8.8:1 ", "http://127.8.8.8:1"),
        ("https://127.0.0.1", "https://127.0.0.1:443"),
    ],
)
def test_addresses_of_this_machine_are_understood(written: str, url: str) -> None:
    assert model_address(written).url == url
    assert model_address(written).is_loopback


@pytest.mark.parametrize(
    "host",
    [
        "http://192.0.2.7:11434",
        "http://0.0.0.0:11434",
        "http://[::]:11434",
        "models.example",
        "http://127.0.0.1.models.example:11434",
        "http://localhost.models.example",
        "http://2130706433.example",
        "http://10.0.0.1",
        "http://[fe80::1]:11434",
    ],
)
def test_an_address_off_this_machine_is_refused_unless_allowed(host: str) -> None:
    with pytest.raises(RemoteModelRefusedError, match="allow_remote_models"):
        OllamaConnection(_settings(host))
    assert not is_reachable(_settings(host))
    OllamaConnection(_settings(host, allow_remote_models=True)).close()


@pytest.mark.parametrize("host", ["", "ftp://127.0.0.1", "http://", "http://127.0.0.1:99999", "http://127.0.0.1/api"])
def test_what_is_no_address_is_a_settings_error(host: str) -> None:
    with pytest.raises(SettingsError, match="ollama_host"):
        OllamaConnection(_settings(host))


def test_credentials_in_an_address_are_refused_and_not_repeated() -> None:
    with pytest.raises(SettingsError) as caught:
        model_address("http://user:hunter2@127.0.0.1:1")
    assert "hunter2" not in str(caught.value)


def test_a_running_server_is_found_quickly_and_a_missing_one_as_well(replay: Replay) -> None:
    assert is_reachable(_settings(replay.url))
    started = time.monotonic()
    assert not is_reachable(_settings(f"http://127.0.0.1:{_closed_port()}"))
    assert time.monotonic() - started < 0.5


def test_a_server_that_accepts_and_never_answers_does_not_hold_the_probe() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        started = time.monotonic()
        assert not is_reachable(_settings(f"http://127.0.0.1:{silent.getsockname()[1]}"))
        assert time.monotonic() - started < 0.6


def test_the_digest_is_the_listed_ones_with_or_without_latest(replay: Replay) -> None:
    connection = OllamaConnection(_settings(replay.url))
    replay.exchanges = [each for each in replay.exchanges if '"models":[]' not in each["response"]]
    assert connection.digest("all-minilm") == connection.digest("all-minilm:latest")
    assert len(connection.digest("qwen2.5-coder:0.5b")) == 64
    with pytest.raises(ModelError, match=r"ollama pull nope:1b"):
        connection.digest("nope:1b")
    connection.close()


def test_facts_say_what_a_model_can_do_and_whether_it_hears_the_system_message(replay: Replay) -> None:
    connection = OllamaConnection(_settings(replay.url))
    facts = connection.facts("qwen2.5-coder:0.5b")
    assert not facts.takes_system_message
    connection.close()


def test_embeddings_come_as_recorded(replay: Replay) -> None:
    connection = OllamaConnection(_settings(replay.url))
    answer = connection.embed("all-minilm", ["delete a folder", "remove a directory tree"])
    # The recording was cut in the second vector.
    assert len(answer.embeddings[0]) == 384
    assert connection.embed("all-minilm", []).embeddings == []
    connection.close()


@pytest.mark.parametrize(
    ("model", "message"), [("nope:1b", "ollama pull nope:1b"), ("all-minilm", "wrong kind of model")]
)
def test_a_missing_model_and_one_of_the_wrong_kind_are_model_errors(replay: Replay, model: str, message: str) -> None:
    connection = OllamaConnection(_settings(replay.url))
    with pytest.raises(ModelError, match=message):
        connection.chat(model, messages=[{"role": "user", "content": "x"}], stream=False)
    connection.close()


def test_an_unknown_embedder_says_how_to_get_it(replay: Replay) -> None:
    connection = OllamaConnection(_settings(replay.url))
    with pytest.raises(ModelError, match="ollama pull nope"):
        connection.embed("nope", ["a"])
    connection.close()


def test_a_server_that_is_not_there_says_how_to_start_it() -> None:
    connection = OllamaConnection(_settings(f"http://127.0.0.1:{_closed_port()}"))
    with pytest.raises(ModelUnavailableError, match="ollama serve"):
        connection.digest("x")
    connection.close()


@pytest.mark.parametrize("fault", [Fault(status=500), Fault(status=503), Fault(is_cut=True), Fault(wait_seconds=1.0)])
def test_what_a_later_try_may_mend_is_transient(replay: Replay, fault: Fault) -> None:
    connection = OllamaConnection(_settings(replay.url, model_timeout_seconds=0.4))
    replay.faults = [fault]
    with pytest.raises(ModelUnavailableError):
        connection.embed("all-minilm", ["delete a folder"])
    connection.close()


def test_another_server_at_the_address_is_one_clear_line() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()

        def answer() -> None:
            connection, _ = other.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n<h1>hello</h1>")

        thread = threading.Thread(target=answer)
        thread.start()
        connection = OllamaConnection(_settings(f"http://127.0.0.1:{other.getsockname()[1]}"))
        with pytest.raises(ModelUnavailableError) as caught:
            connection.digest("x")
        assert "\n" not in str(caught.value)
        connection.close()
        thread.join()


def test_a_proxy_in_the_environment_is_not_used(replay: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{_closed_port()}")
    connection = OllamaConnection(_settings(replay.url))
    assert connection.embed("all-minilm", []).embeddings == []
    connection.close()
