"""The MCP server: ``search`` and ``lookup`` for one project, over standard input and output.

Here: tools, their typed input and output, and errors in our words. Not here: answering (depcodex.query).

The project is the one the server was started for; no tool argument sets project or scope. Standard output carries
protocol only: the SDK serves from a private copy of it and points the descriptor elsewhere.

Spec: Model Context Protocol, tools with outputSchema and structuredContent.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from depcodex import render
from depcodex.answers import Answer
from depcodex.errors import DepcodexError
from depcodex.query import DEFAULT_LIMIT, MAX_LIMIT, Codex
from depcodex.version import __version__

if TYPE_CHECKING:
    from collections.abc import Awaitable

Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT, description="Hits a page.")]
Coordinates = Annotated[
    list[str] | None,
    Field(description="Package URLs of the closure to look in; a version may be left out. Default: all of it."),
]
Version = Annotated[str | None, Field(description="An exact version inside the closure. Default: every resolved one.")]
FromModule = Annotated[
    str | None, Field(description="The module that asks; where two versions of a library are resolved it sees one.")
]
Cursor = Annotated[str | None, Field(description="The cursor of an answer to the same question, for its next page.")]


class HitModel(BaseModel):
    """One entry."""

    rank: int
    id: str
    coordinate: str = Field(description="Package URL of the library at its resolved version.")
    symbol: str = Field(description="The canonical name that a caller writes.")
    aliases: list[str]
    kind: str
    signatures: list[str]
    sentence: str | None = Field(description="What it does; null where undocumented or withheld.")
    is_withheld: bool = Field(description="There is a sentence, and it may not be shown.")
    citation: str = Field(description="purl!path:line#digest of the file.")
    as_of: str
    rewriter: str | None
    is_deprecated: bool
    since: str | None
    found_by: list[str]
    distance: int | None = Field(description="Edges from the project; 1 is a direct dependency.")
    via: list[str]
    disagrees_with: list[str] = Field(description="Ids of the same symbol in another version that differ.")


class AbstentionModel(BaseModel):
    """Why there is no answer."""

    type: str
    message: str
    resolve: str = Field(description="The command by which a person can change that.")


class FreshnessModel(BaseModel):
    """What the answer was made from."""

    generation: int
    recorded_at: str | None
    scope: str | None
    coordinates: dict[str, int] = Field(description="State to number of coordinates in scope.")
    as_of: str | None


class AnswerModel(BaseModel):
    """Hits in order, or an abstention."""

    results: list[HitModel]
    abstention: AbstentionModel | None
    freshness: FreshnessModel
    cursor: str | None
    message: str = Field(description="How a name was understood, where not letter by letter.")


def build(codex: Codex) -> MCPServer[Any]:
    """A server whose tools answer from one project's closure.

    Args:
        codex: open while the server runs.
    """
    server: MCPServer[Any] = MCPServer(
        "depcodex",
        title="depcodex",
        version=__version__,
        instructions="Symbols, signatures and one-sentence descriptions of this project's dependencies, for exactly "
        "the versions that it resolved.",
        log_level="WARNING",
    )
    hints = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

    @server.tool(
        name="search",
        title="Search by need",
        description="Symbols of the project's dependencies that answer a need, by meaning and by words: signature, one "
        "sentence, resolved version and source line of each.",
        annotations=hints,
    )
    async def search(
        need: Annotated[str, Field(description="What somebody wants to do, in their own words.")],
        limit: Limit = DEFAULT_LIMIT,
        coordinates: Coordinates = None,
        version: Version = None,
        from_module: FromModule = None,
        cursor: Cursor = None,
    ) -> Annotated[CallToolResult, AnswerModel]:
        return await _result(
            codex.asearch(
                need,
                limit=limit,
                coordinates=tuple(coordinates or ()),
                version=version,
                from_module=from_module,
                cursor=cursor,
            )
        )

    @server.tool(
        name="lookup",
        title="Look up a symbol",
        description="A symbol of the project's dependencies by its name, in every resolved version. Other separators, "
        "any case, inherited members, re-exports and typing errors are followed, and named in the message.",
        annotations=hints,
    )
    async def lookup(
        symbol: Annotated[str, Field(description="The name as a caller writes it, e.g. requests.Session.get.")],
        limit: Limit = DEFAULT_LIMIT,
        coordinates: Coordinates = None,
        version: Version = None,
        from_module: FromModule = None,
        cursor: Cursor = None,
    ) -> Annotated[CallToolResult, AnswerModel]:
        return await _result(
            codex.alookup(
                symbol,
                limit=limit,
                coordinates=tuple(coordinates or ()),
                version=version,
                from_module=from_module,
                cursor=cursor,
            )
        )

    return server


def serve(project: Path) -> None:
    """Serves one project over standard input and output until the input ends."""
    with Codex.open(project) as codex:
        build(codex).run("stdio")


async def _result(asked: Awaitable[Answer]) -> CallToolResult:
    """An answer as structured content with a compact text beside it.

    Raises:
        ToolError: the question was refused or failed; the text is ours.
    """
    try:
        answer = await asked
    except DepcodexError as error:
        raise ToolError(str(error)) from error
    structured = {**answer.to_json(), "message": answer.message}
    text = render.plain_text(render.answer_lines(answer, render.MAX_WIDTH))
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)
