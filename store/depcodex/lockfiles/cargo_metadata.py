"""What cargo itself says of a workspace: which edges are active for its features and this machine, and of what kind.

Here: asking ``cargo metadata`` and taking its answer apart. Not here: the lock, which says what there is.

Spec: the Cargo book, "cargo metadata", format version 1. Cargo.lock holds every optional crate and every platform's,
and does not say for what a crate is needed; cargo does, where all manifests are in its cache. It runs offline unless
the network is allowed, changes no lock, and builds nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depcodex.lockfiles.tools import OFFLINE_SECONDS, RESOLVE_SECONDS, run_tool

Identity = tuple[str, str, str]


@dataclass(frozen=True)
class ResolvedEdges:
    """What cargo resolved.

    Attributes:
        edges: crate → crates that it asks for → kinds (``normal``, ``dev``, ``build``). A crate is its name, version
            and source without a commit ("" for a local one). A crate that is not needed here is not in it.
    """

    edges: Mapping[Identity, Mapping[Identity, frozenset[str]]]


def read_metadata(
    folder: Path, features: frozenset[str] = frozenset(), *, is_network_allowed: bool = False
) -> ResolvedEdges | None:
    """What cargo resolves in a workspace for this machine's platform; None where it cannot tell.

    Args:
        folder: of the workspace's root.
        features: of the workspace's crates, beside the default ones.
        is_network_allowed: cargo may fetch manifests that it does not have.
    """
    version = run_tool(["rustc", "-vV"], folder, seconds=OFFLINE_SECONDS)
    host = re.search(r"^host: (\S+)$", version or "", re.MULTILINE)
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    if not is_network_allowed:
        command.append("--offline")
    if host:
        # Without it cargo wants the manifests of all platforms, which no build of one brings.
        command += ["--filter-platform", host[1]]
    if features:
        command += ["--features", ",".join(sorted(features))]
    output = run_tool(command, folder, seconds=RESOLVE_SECONDS if is_network_allowed else OFFLINE_SECONDS)
    if output is None:
        return None
    try:
        return _edges_of(json.loads(output))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _edges_of(document: Mapping[str, Any]) -> ResolvedEdges:
    identities: dict[str, Identity] = {
        package["id"]: (package["name"], package["version"], (package["source"] or "").partition("#")[0])
        for package in document["packages"]
    }
    edges: dict[Identity, dict[Identity, frozenset[str]]] = {}
    for node in document["resolve"]["nodes"]:
        children = edges.setdefault(identities[node["id"]], {})
        for dependency in node["deps"]:
            child = identities[dependency["pkg"]]
            kinds = frozenset(kind["kind"] or "normal" for kind in dependency["dep_kinds"])
            children[child] = children.get(child, frozenset()) | kinds
    return ResolvedEdges(edges)
