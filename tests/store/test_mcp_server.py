"""The MCP server through the official Python client, over standard input and output of a real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from contracts.public_store import Entry, Store

ROOT = Path(__file__).parents[2]
REQUESTS = "pkg:pypi/requests@2.34.2"
# Something that prints must not reach the protocol.
SERVE = """
import sys
from contracts.public_store import WordEmbedder
import depcodex.embedding
def load(settings):
    print("noise on standard output")
    return WordEmbedder()
depcodex.embedding.load_embedder = load
from depcodex.cli import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(tmp_path_factory.mktemp("mcp"))
    entries = [
        Entry("requests.get", "Sends a get request.", "Downloads a page."),
        Entry("requests.Session", "Keeps cookies.", "Holds cookies.", kind="class"),
    ]
    store.publish({REQUESTS: entries})
    store.record(REQUESTS)
    return store


def environment(store: Store) -> dict[str, str]:
    path = os.pathsep.join(str(ROOT / each) for each in ("store", "tests"))
    return {**os.environ, "PYTHONPATH": path, "DEPCODEX_HOME": str(store.settings.home)}


def command(store: Store) -> list[str]:
    return ["-c", SERVE, "mcp", "--project", str(store.project)]


def ask(store: Store, questions: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        parameters = StdioServerParameters(command=sys.executable, args=command(store), env=environment(store))
        with Path(os.devnull).open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors)) as client:
                return await questions(client)

    return anyio.run(run)


def test_the_two_tools_have_typed_output_and_no_argument_for_scope_or_project(store: Store) -> None:
    tools = ask(store, lambda client: client.list_tools()).tools
    assert sorted(tool.name for tool in tools) == ["lookup", "search"]
    for tool in tools:
        assert set(tool.output_schema["properties"]) == {"results", "abstention", "freshness", "cursor", "message"}
        first = "need" if tool.name == "search" else "symbol"
        expected = {first, "limit", "coordinates", "version", "from_module", "cursor"}
        assert set(tool.input_schema["properties"]) == expected


def test_a_search_returns_structured_content_and_a_compact_text(store: Store) -> None:
    result = ask(store, lambda client: client.call_tool("search", {"need": "keeps cookies", "limit": 1}))
    assert not result.is_error
    (hit,) = result.structured_content["results"]
    assert (hit["symbol"], hit["sentence"], hit["coordinate"]) == ("requests.Session", "Holds cookies.", REQUESTS)
    assert "Holds cookies." in result.content[0].text
    assert result.structured_content["cursor"] in result.content[0].text


def test_a_lookup_says_how_it_understood_the_name(store: Store) -> None:
    result = ask(store, lambda client: client.call_tool("lookup", {"symbol": "requests.GET"}))
    assert result.structured_content["results"][0]["symbol"] == "requests.get"
    assert "case" in result.structured_content["message"]


def test_an_abstention_is_an_answer_and_a_refusal_is_an_error_in_our_words(store: Store) -> None:
    async def questions(client: Client) -> tuple[Any, Any, Any]:
        return (
            await client.call_tool("lookup", {"symbol": "nosuch.thing_at_all"}),
            await client.call_tool("search", {"need": "  "}),
            await client.call_tool("search", {"need": "x", "cursor": "stale"}),
        )

    nothing, empty, stale = ask(store, questions)
    assert not nothing.is_error
    assert nothing.structured_content["abstention"]["type"] == "no_match"
    # The SDK puts its own words in front.
    for refused, words in ((empty, "search: the need is empty"), (stale, "cursor: not one that depcodex made")):
        assert refused.is_error
        assert refused.content[0].text.endswith(words)


def test_standard_output_carries_protocol_only(store: Store) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        },
    }
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"need": "cookies"}},
    }
    process = subprocess.Popen(
        [sys.executable, *command(store)],
        env=environment(store),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for message in (hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call):
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        if "id" in message:
            assert json.loads(process.stdout.readline())["id"] == message["id"]
    process.stdin.close()
    assert process.stdout.read() == ""
    assert process.wait(timeout=30) == 0
    process.stdout.close()
