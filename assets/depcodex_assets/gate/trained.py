"""The gate that ships: views, rules and the trained model put together.

Here: the ``Gate`` that pipelines load, thresholds by convention. Not here: what a view, a rule or a weight is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from depcodex.errors import ModelError
from depcodex_assets.gate import characters, features, model, rules, sentences, views
from depcodex_assets.gate.interface import OVER_THRESHOLD, UNCALIBRATED, Judgement

WEIGHTS_NAME = "weights.npz"
METADATA_NAME = "weights.json"
# Texts that are scored in one numpy call; bounds the memory, about 40 MB at 500 characters a text.
_BATCH_CHARACTERS = 200_000


@dataclass(frozen=True)
class TrainedGate:
    """Judges texts with rules and a linear model.

    Attributes:
        model: the weights.
        thresholds: calibrated threshold by documentation convention; a convention that is missing has none.
        threshold_override: an operator's own threshold, for all conventions, or None.
    """

    model: model.Model
    thresholds: Mapping[str, float]
    threshold_override: float | None = None

    @property
    def version(self) -> str:
        """16 hexadecimal characters over weights and rules; thresholds are no part of it."""
        return _version(self.model.digest)

    @property
    def calibrated_conventions(self) -> frozenset[str]:
        """The conventions that have a threshold of their own."""
        return frozenset(self.thresholds)

    def threshold(self, convention: str) -> float | None:
        """The score from which a text of that convention is held back; None where nothing has been calibrated."""
        if self.threshold_override is not None:
            return self.threshold_override
        return self.thresholds.get(convention)

    def judge(self, doc: str, convention: str) -> Judgement:
        """The judgement of one text."""
        return self.judge_many([doc], [convention])[0]

    def judge_many(self, docs: Sequence[str], conventions: Sequence[str]) -> list[Judgement]:
        """The judgements of ``docs`` in order; each is the same as if it were judged alone."""
        if len(docs) != len(conventions):
            raise ValueError(
                f"gate: expected one convention a text, got {len(docs)} texts and {len(conventions)} conventions"
            )
        judgements: list[Judgement] = []
        batch: list[str] = []
        size = 0
        for doc in docs:
            batch.append(doc)
            size += len(doc)
            if size >= _BATCH_CHARACTERS:
                judgements.extend(self._judge_batch(batch))
                batch, size = [], 0
        judgements.extend(self._judge_batch(batch))
        return judgements

    def is_suspect(self, score: float, rule: str | None, convention: str) -> bool:
        """Whether a text with this score and rule is held back."""
        return self.suspect_rule(score, rule, convention) is not None

    def suspect_rule(self, score: float, rule: str | None, convention: str) -> str | None:
        """The rule that fired, ``uncalibrated``, ``score``, or None for a text that passes."""
        if rule is not None:
            return rule
        threshold = self.threshold(convention)
        if threshold is None:
            return UNCALIBRATED
        return OVER_THRESHOLD if score >= threshold else None

    def _judge_batch(self, docs: Sequence[str]) -> list[Judgement]:
        doc_views = [views.make_views(doc) for doc in docs]
        readings = [read(view) for each in doc_views for view in each]
        windows = features.make_windows(readings)
        scores = self.model.score(windows)
        worst = np.full(len(readings), -np.inf)
        np.maximum.at(worst, windows.reading, scores)
        # The first sentence that reaches the worst score of its reading.
        position = np.full(len(readings), np.iinfo(np.int64).max)
        is_worst = scores >= worst[windows.reading]
        np.minimum.at(position, windows.reading[is_worst], windows.sentence[is_worst])
        broken = rules.find_in_readings(readings, windows)
        judgements = []
        first = 0
        for doc, each in zip(docs, doc_views, strict=True):
            last = first + len(each)
            top = max(range(first, last), key=worst.__getitem__)
            is_scored = worst[top] > -np.inf
            score = self.model.probability(float(worst[top])) if is_scored else 0.0
            character_rule = characters.find_in_characters(doc)
            at_fault = next((index for index in range(first, last) if index in broken), None)
            if character_rule is not None:
                judgements.append(Judgement(score, character_rule, 0, views.PLAIN))
            elif at_fault is not None:
                judgements.append(Judgement(score, *broken[at_fault], each[at_fault - first].name))
            else:
                judgements.append(
                    Judgement(score, None, int(position[top]) if is_scored else 0, each[top - first].name)
                )
            first = last
        return judgements


def read(view: views.View) -> features.Reading:
    """The sentences of a view, white space collapsed."""
    spans = sentences.split(view.text)
    return features.Reading([" ".join(view.text[start:end].split()) for start, end in spans], view.is_hidden)


def load_gate(threshold_override: float | None = None) -> TrainedGate:
    """The gate with the weights that ship.

    Args:
        threshold_override: an operator's threshold, 0 to 1, in place of every calibrated one.

    Raises:
        ModelError: the weights or their metadata are missing or damaged.

    Example:
        >>> gate = load_gate()
        >>> gate.is_suspect(0.0, None, "docstring")
        False
    """
    folder = resources.files("depcodex_assets.gate")
    with resources.as_file(folder / WEIGHTS_NAME) as path:
        loaded = model.load(path)
    metadata = _metadata()
    try:
        thresholds = {str(name): float(each["threshold"]) for name, each in metadata["thresholds"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{METADATA_NAME}: gate thresholds cannot be read: {error!r}") from error
    expected = _weights_digest(metadata)
    if expected != loaded.digest:
        digests = f"expected {expected[:12]}, got {loaded.digest[:12]}"
        raise ModelError(f"{WEIGHTS_NAME}: gate weights differ from their metadata, {digests}")
    return TrainedGate(loaded, thresholds, threshold_override)


def gate_version() -> str:
    """The version of the gate that ships, without loading its weights; the same as ``load_gate().version``.

    Raises:
        ModelError: the metadata of the weights are missing or damaged.
    """
    return _version(_weights_digest(_metadata()))


def _version(weights_digest: str) -> str:
    return hashlib.sha256(f"{weights_digest}\n{rules.RULES_VERSION}".encode()).hexdigest()[:16]


def _metadata() -> dict[str, Any]:
    try:
        metadata = json.loads((resources.files("depcodex_assets.gate") / METADATA_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{METADATA_NAME}: gate metadata cannot be read: {error}") from error
    if not isinstance(metadata, dict):
        raise ModelError(f"{METADATA_NAME}: gate metadata: expected an object, got {type(metadata).__name__}")
    return metadata


def _weights_digest(metadata: dict[str, Any]) -> str:
    try:
        return str(metadata["weights_digest"])
    except KeyError as error:
        raise ModelError(f"{METADATA_NAME}: gate metadata lacks {error}") from error


def weights_folder() -> Path:
    """Where training writes the weights: beside this module."""
    return Path(__file__).parent
