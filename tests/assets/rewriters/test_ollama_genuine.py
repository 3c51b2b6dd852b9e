"""The rewriter and the client against a genuine Ollama server, killed and started again in the middle."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from depcodex.errors import ModelError, ModelUnavailableError
from depcodex.ollama_client import OllamaConnection, is_reachable
from depcodex.schemas import TEXTS
from depcodex.settings import Settings
from depcodex_assets.rewriters.ollama_rewriter import OllamaRewriter
from depcodex_assets.summarise import summarise_chunks
from servers.ollama_genuine import GenuineServer, UnavailableError, create_chat_model, create_embed_model, serving

pytestmark = [
    pytest.mark.ollama,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not os.environ.get("DEPCODEX_TEST_OLLAMA"), reason="DEPCODEX_TEST_OLLAMA is not set"),
]
NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ollama")


@pytest.fixture
def server(home: Path) -> Iterator[GenuineServer]:
    try:
        with serving(home) as running:
            yield running
    except UnavailableError as error:
        pytest.skip(str(error))


def _settings(url: str) -> Settings:
    return Settings(home=Path("/nowhere"), ollama_host=url, model_timeout_seconds=120.0)


def _texts(count: int) -> pa.Table:
    verbs = ("open", "close", "read", "write", "copy", "move")
    rows = [
        {
            "text_digest": f"{index:064x}",
            "language": "python",
            "convention": "docstring",
            "kind": "function",
            "name": f"{verbs[index % len(verbs)]}_file_{index}",
            "signatures": ["def f(path)"],
            "doc": f"{verbs[index % len(verbs)].capitalize()} the file at a path, number {index}.",
        }
        for index in range(count)
    ]
    return pa.Table.from_pylist(rows, schema=TEXTS)


def test_sentences_come_as_json_with_the_models_digest_and_are_the_same_again(server: GenuineServer) -> None:
    model = create_chat_model(server.url)
    rewriter = OllamaRewriter(model, _settings(server.url), num_thread=1)
    assert is_reachable(_settings(server.url))
    assert len(rewriter.model_digest) == 64
    first = pa.concat_tables(summarise_chunks(_texts(3), rewriter=rewriter, clock=lambda: NOW))
    second = pa.concat_tables(summarise_chunks(_texts(3), rewriter=rewriter, clock=lambda: NOW))
    assert first.equals(second)
    assert first.column("sentence").null_count < 3
    rewriter.close()


def test_a_missing_model_and_an_embedder_are_refused(server: GenuineServer) -> None:
    with pytest.raises(ModelError, match="ollama pull nope"):
        OllamaRewriter("nope", _settings(server.url))
    embedder = create_embed_model(server.url)
    with pytest.raises(ModelError, match="wrong kind"):
        OllamaRewriter(embedder, _settings(server.url))
    connection = OllamaConnection(_settings(server.url))
    assert len(connection.embed(embedder, ["delete a folder"]).embeddings[0]) == 384
    connection.close()


def test_a_server_killed_and_started_again_loses_and_doubles_nothing(home: Path) -> None:
    try:
        with serving(home) as first:
            port = int(first.url.rsplit(":", 1)[1])
            rewriter = OllamaRewriter(
                create_chat_model(first.url), _settings(first.url), num_thread=1, backoff_seconds=()
            )
            chunks = summarise_chunks(_texts(4), rewriter=rewriter, clock=lambda: NOW, chunk_texts=2)
            written = [next(chunks)]
            first.process.kill()
            first.process.wait()
            with pytest.raises(ModelUnavailableError, match="ollama serve"):
                next(chunks)
        with serving(home, port=port):
            written += summarise_chunks(_texts(4).slice(2), rewriter=rewriter, clock=lambda: NOW, chunk_texts=2)
        keys = pa.concat_tables(written).column("row_key").to_pylist()
        assert len(keys) == len(set(keys)) == 4
        rewriter.close()
    except UnavailableError as error:
        pytest.skip(str(error))
