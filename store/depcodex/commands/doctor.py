"""``depcodex doctor``: settings and where each came from, versions, the store, the models, and what is missing.

Here: the command and its checks. Not here: settings (depcodex.settings). The private store is not opened.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from depcodex.errors import DepcodexError
from depcodex.settings import Settings

_DISTRIBUTIONS = ("depcodex", "lancedb", "pyarrow", "numpy", "onnxruntime", "tokenizers", "mcp", "ollama", "dagster")


@dataclass(frozen=True)
class Check:
    """One thing that has to be there; ``message`` is one line."""

    name: str
    is_ok: bool
    message: str


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command; its namespace carries ``run``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "doctor",
        help="show settings, versions and what is missing",
        description="Shows each setting and where it came from, versions, the store and its embedder, whether the "
        "models answer, and in one line each what is missing. Exit status: 0 nothing, 1 something.",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Shows the state of this installation; returns the exit status."""
    settings = Settings.load()
    found = {name: (_value(getattr(settings, name)), source) for name, source in _sources(settings).items()}
    checks = [_checked(name, check, settings) for name, check in _CHECKS.items()]
    if arguments.json:
        report = {
            "settings": {name: {"value": value, "source": source} for name, (value, source) in found.items()},
            "versions": dict(_versions()),
            "store": _store_facts(settings),
            "checks": [dataclasses.asdict(check) for check in checks],
        }
        print(json.dumps(report))
    else:
        _print(found, settings, checks)
    return 0 if all(check.is_ok for check in checks) else 1


def _print(found: dict[str, tuple[object, str]], settings: Settings, checks: list[Check]) -> None:
    for name, (value, source) in found.items():
        shown = ", ".join(value) or "none" if isinstance(value, list) else value
        print(f"{name:<24}{shown}  ({source})")
    print("versions  " + ", ".join(f"{name} {version}" for name, version in _versions()))
    store = _store_facts(settings)
    if store is not None:
        print("store  " + ", ".join(f"{name} {value}" for name, value in store.items()))
    for check in checks:
        print(f"{'ok      ' if check.is_ok else 'missing '}{check.name}: {check.message}")


def _sources(settings: Settings) -> dict[str, str]:
    """Setting → environment, settings.toml or default."""
    path = settings.home / "settings.toml"
    written = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    sources = {}
    for each in dataclasses.fields(Settings):
        variable = f"DEPCODEX_{each.name.upper()}"
        if os.environ.get(variable) is not None:
            sources[each.name] = f"environment {variable}"
        else:
            sources[each.name] = "settings.toml" if each.name in written else "default"
    return sources


def _value(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, bool | int | float | str) else str(value)


def _versions() -> Iterator[tuple[str, str]]:
    yield "python", platform.python_version()
    for name in _DISTRIBUTIONS:
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield name, "not installed"


def _store_facts(settings: Settings) -> dict[str, object] | None:
    from depcodex.tables import read_generation, read_manifest

    try:
        manifest = read_manifest(settings.public)
    except DepcodexError:
        return None
    return (
        None if manifest is None else {**dataclasses.asdict(manifest), "generation": read_generation(settings.public)}
    )


def _checked(name: str, check: Callable[[Settings], str], settings: Settings) -> Check:
    try:
        return Check(name, True, check(settings))
    except _MissingError as error:
        return Check(name, False, str(error))
    except DepcodexError as error:
        return Check(name, False, " ".join(str(error).split()))


class _MissingError(Exception):
    """What is missing, in one line."""


def _home(settings: Settings) -> str:
    place = settings.home
    while not place.exists():
        place = place.parent
    if not os.access(place, os.W_OK | os.X_OK):
        raise _MissingError(f"{place}: not writable; DEPCODEX_HOME names another data home")
    return str(settings.home)


def _inbox(settings: Settings) -> str:
    from depcodex import records

    files = len(list(settings.inbox.glob("*.json")))
    known = len(records.read_all(settings))
    if known < files:
        raise _MissingError(f"{files - known} of {files} records cannot be read; depcodex record writes them anew")
    if not files:
        raise _MissingError("no project is recorded; depcodex record PROJECT")
    return f"{known} projects recorded"


def _store(settings: Settings) -> str:
    from depcodex.tables import is_publishing, read_manifest

    manifest = read_manifest(settings.public)
    if manifest is None:
        raise _MissingError("nothing is indexed; depcodex index PROJECT")
    if is_publishing(settings.public):
        raise _MissingError(
            "a publish is under way or was killed; answers are slower until the next depcodex index ends"
        )
    return f"built with {manifest.embedder}, {manifest.width} wide"


def _embedder(settings: Settings) -> str:
    from depcodex.embedding import load_embedder
    from depcodex.tables import read_manifest

    embedder = load_embedder(settings)
    width = embedder.embed(["ready"]).shape[1]
    manifest = read_manifest(settings.public)
    if manifest is not None and manifest.embedder_digest != embedder.digest:
        raise _MissingError(
            f"the store was built with {manifest.embedder}, the setting names {embedder.name}; depcodex store reembed"
        )
    return f"{embedder.name} answers, {width} wide"


def _rewriter(settings: Settings) -> str:
    if importlib.util.find_spec("depcodex_assets") is None:
        return "not needed to ask questions"
    if settings.rewriter.startswith("ollama:"):
        from depcodex import ollama_client

        model = settings.rewriter.partition(":")[2]
        digest = ollama_client.OllamaConnection(settings).digest(model)
        return f"{settings.rewriter} answers ({digest[:12]})"
    return f"{settings.rewriter}, inside the install"


def _indexing(_: Settings) -> str:
    missing = [
        name for name in ("polars", "sklearn", "tree_sitter", "dagster") if importlib.util.find_spec(name) is None
    ]
    if missing:
        raise _MissingError(f"{', '.join(missing)}; depcodex index needs: pip install 'depcodex[pipelines]'")
    return "installed"


# pip comes with the install.
_CLIENTS = {"npm": "npm", "maven": "mvn", "cargo": "cargo", "golang": "go"}


def _clients(settings: Settings) -> str:
    """What fetches sources that are not on this machine yet; only what a recorded project needs is missing."""
    from depcodex import records

    needed = {row.coordinate.type for record in records.read_all(settings) for row in record.union()}
    absent = [type_ for type_, command in _CLIENTS.items() if shutil.which(command) is None]
    missing = [f"{_CLIENTS[type_]} (packages of type {type_})" for type_ in absent if type_ in needed]
    if missing and not settings.is_offline:
        raise _MissingError(f"{', '.join(missing)} on the PATH; what is not on this machine cannot be fetched")
    present = [command for type_, command in _CLIENTS.items() if type_ not in absent]
    others = [_CLIENTS[type_] for type_ in absent]
    told = f"pip{''.join(f', {each}' for each in present)}"
    return f"{told}; not on the PATH: {', '.join(others)}" if others else told


_CHECKS: dict[str, Callable[[Settings], str]] = {
    "data home": _home,
    "inbox": _inbox,
    "store": _store,
    "embedder": _embedder,
    "rewriter": _rewriter,
    "indexing": _indexing,
    "clients": _clients,
}
