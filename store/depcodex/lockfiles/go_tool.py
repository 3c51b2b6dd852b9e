"""What the go command says of a project's modules.

Here: one call of ``go list -m -e -json all`` and its output. Not here: what a closure makes of it (gomod, gowork).

Spec: ``go help list`` (the Module struct of -m), ``go help environment``. The command never changes go.mod or go.sum
(``-mod=readonly``), never asks the network unless that is allowed (``GOPROXY=off``), and never fetches another Go
(``GOTOOLCHAIN=local``); it runs nothing of the project. ``-e``: offline it cannot tell when each version was made,
which nobody here asks for, and would end with that as an error. What matters is that it had every module's go.mod:
without one the selection may be another.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from depcodex.lockfiles.interface import Target
from depcodex.lockfiles.tools import OFFLINE_SECONDS, RESOLVE_SECONDS, run_tool


@dataclass(frozen=True)
class ListedModule:
    """One module of the build list.

    Attributes:
        path: as it is required.
        version: the selected one; "" for members of the workspace and the main module.
        is_main: the project's own module, or a member of its workspace.
        mod_file: the go.mod that says what it requires, of its replacement where it has one; None where unknown.
    """

    path: str
    version: str
    is_main: bool
    mod_file: Path | None


def build_list(folder: Path, target: Target, *, workspace: Path | None = None) -> dict[str, ListedModule] | None:
    """Module path → what the go command selects for the project in ``folder``, in its order; None where it cannot say.

    Args:
        folder: where the go.mod or go.work lies.
        target: says whether the network may be asked.
        workspace: the go.work that counts; None for the go.mod alone, whatever lies above it.
    """
    environment = _environment(os.environ, is_network_allowed=target.is_network_allowed)
    environment["GOWORK"] = str(workspace) if workspace else "off"
    seconds = RESOLVE_SECONDS if target.is_network_allowed else OFFLINE_SECONDS
    output = run_tool(["go", "list", "-m", "-e", "-json", "all"], folder, environment=environment, seconds=seconds)
    if output is None:
        return None
    decoder = json.JSONDecoder()
    found: dict[str, ListedModule] = {}
    position = 0
    try:
        while output[position:].strip():
            position += len(output[position:]) - len(output[position:].lstrip())
            row, position = decoder.raw_decode(output, position)
            replaced = row.get("Replace") or {}
            mod_file = replaced.get("GoMod") or row.get("GoMod")
            if not mod_file and not row.get("Main"):
                return None
            found[row["Path"]] = ListedModule(
                row["Path"], row.get("Version", ""), bool(row.get("Main")), Path(mod_file) if mod_file else None
            )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return found


def _environment(environ: Mapping[str, str], *, is_network_allowed: bool) -> dict[str, str]:
    """The variables that keep the go command from changing or fetching anything; other flags of the user's stay."""
    flags = [
        each for each in environ.get("GOFLAGS", "").split() if not each.lstrip("-").startswith(("mod=", "modfile="))
    ]
    variables = {"GOFLAGS": " ".join([*flags, "-mod=readonly"]), "GOTOOLCHAIN": "local", "GO111MODULE": "on"}
    if not is_network_allowed:
        variables["GOPROXY"] = "off"
    return variables
