"""What made a coordinate's rows, and whether that is what would make them today.

Here: the versions that decide staleness, and the states of all coordinates, cached by the store's generation so that a
run with nothing to do opens no database. Not here: running stages (depcodex_assets.workbench).
"""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from depcodex.schemas import SETTLED_STATES, State
from depcodex.settings import Settings
from depcodex.tables import is_publishing, read_generation, read_manifest

# Raise it when a stage makes other rows of the same input: every coordinate is then made anew at the next run.
STAGES_VERSION = "2"


@dataclass(frozen=True)
class Make:
    """The versions behind a row of ``coordinates``, as the settings ask for them.

    Attributes:
        stages_version: of harvest, parse and dedupe.
        rules_version: of output rules, terms and face recipes.
        gate_version: of the gate's weights and rules.
        gate_threshold: the operator's override, negative where the calibrated one holds.
        rewriter: as in the settings.
        embedder: as in the settings.
    """

    stages_version: str
    rules_version: str
    gate_version: str
    gate_threshold: float
    rewriter: str
    embedder: str


@dataclass(frozen=True)
class CoordinateState:
    """One row of ``coordinates`` as far as running needs it."""

    state: str
    reason: str | None
    is_retryable: bool
    make: Make


def make_of(settings: Settings) -> Make:
    """What rows made now would bear."""
    from depcodex.terms import TERMS_VERSION
    from depcodex_assets.face_recipes import RECIPE_VERSION
    from depcodex_assets.gate import gate_version
    from depcodex_assets.output_rules import OUTPUT_RULES_VERSION

    return Make(
        stages_version=STAGES_VERSION,
        rules_version=f"{OUTPUT_RULES_VERSION}/{TERMS_VERSION}/{RECIPE_VERSION}",
        gate_version=gate_version(),
        gate_threshold=settings.gate_threshold,
        rewriter=settings.rewriter,
        embedder=settings.embedder,
    )


def is_current(known: CoordinateState | None, make: Make) -> bool:
    """Whether a coordinate is settled and its rows are what ``make`` would make.

    A coordinate that could not be had, or may not be, stays settled whatever makes the rows.
    """
    if known is None or known.state not in SETTLED_STATES:
        return False
    return known.state != State.INDEXED or known.make == make


def known_states(settings: Settings) -> dict[str, CoordinateState]:
    """Every coordinate of the public store by purl; empty where nothing was published.

    Read from the cache folder while the store's generation is that of the cache, so that LanceDB (seconds to import)
    stays unopened.
    """
    manifest = read_manifest(settings.public)
    if manifest is None:
        return {}
    generation = read_generation(settings.public)
    path = settings.cache / "states.json"
    may_cache = not is_publishing(settings.public)
    if may_cache:
        cached = _cached(path, generation, manifest.embedder_digest)
        if cached is not None:
            return cached
    from depcodex.tables import PublicTables

    columns = ["purl", "state", "reason", "is_retryable", *Make.__dataclass_fields__]
    rows = PublicTables(settings.public, manifest.width).read("coordinates", columns=columns).to_pylist()
    states = {
        row["purl"]: CoordinateState(
            row["state"],
            row["reason"],
            row["is_retryable"],
            Make(**{name: row[name] for name in Make.__dataclass_fields__}),
        )
        for row in sorted(rows, key=lambda row: row["purl"])
    }
    if may_cache:
        body = {purl: asdict(each) for purl, each in states.items()}
        document = {"generation": generation, "embedder_digest": manifest.embedder_digest, "states": body}
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
        temporary.write_text(json.dumps(document), encoding="utf-8")
        temporary.replace(path)
    return states


def _cached(path: Path, generation: int, embedder_digest: str) -> dict[str, CoordinateState] | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["generation"] != generation or document["embedder_digest"] != embedder_digest:
            return None
        return {
            purl: CoordinateState(row["state"], row["reason"], row["is_retryable"], Make(**row["make"]))
            for purl, row in document["states"].items()
        }
    except (OSError, ValueError, KeyError, TypeError):
        # A cache that cannot be read is made anew.
        return None
