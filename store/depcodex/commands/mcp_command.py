"""``depcodex mcp``: answers over the Model Context Protocol.

Here: the command. Not here: the server (depcodex.mcp_server). Standard output carries protocol only.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command; its namespace carries ``run``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "mcp",
        help="serve answers over MCP on standard input and output",
        description="Serves the tools search and lookup for one project over the Model Context Protocol, on standard "
        "input and output, until the input ends.",
    )
    parser.add_argument("--project", type=Path, default=Path(), metavar="DIR", help="a recorded project (.)")
    parser.set_defaults(run=run)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Serves; returns the exit status when the input ends."""
    from depcodex import mcp_server

    mcp_server.serve(arguments.project)
    return 0
