"""The linear model: weights as plain arrays, scores for windows, the calibrated probability.

Here: reading and writing weights, scoring. Not here: features (depcodex_assets.gate.features), training
(bench/train_gate.py), thresholds by convention and the verdict (depcodex_assets.gate.trained).

Weights are one .npz of numbers, read with ``allow_pickle=False``: nothing in it can run.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from depcodex.errors import ModelError
from depcodex_assets.gate import cues, features

_TABLES = ("characters_and_words", "cue_pairs", "intercept", "calibration")
_TABLE_SIZE = features.CHARACTER_BUCKETS + features.WORD_BUCKETS


@dataclass(frozen=True)
class Model:
    """A scored linear model.

    Attributes:
        table: weight of each hashed n-gram; float32, shape (character buckets + word buckets,).
        cue_pairs: weight of each cue class (diagonal) and of each two that meet (upper triangle); float32, square.
        intercept: added to every window.
        calibration: slope and offset that turn the worst window of a text into log odds.
        digest: sha256 hex of the arrays.
    """

    table: npt.NDArray[np.float32]
    cue_pairs: npt.NDArray[np.float32]
    intercept: float
    calibration: tuple[float, float]
    digest: str

    def score(self, windows: features.Windows) -> npt.NDArray[np.float64]:
        """The raw score of each window; shape (windows,)."""
        cue = windows.cue_matrix()
        scores: npt.NDArray[np.float64] = ((cue @ self.cue_pairs) * cue).sum(axis=1).astype(np.float64) + self.intercept
        for buckets, first, last, offset, divisor in windows.groups():
            total = np.zeros(len(buckets) + 1)
            np.cumsum(self.table[buckets + offset], out=total[1:])
            # An n-gram near the end of the batch may reach past it, and so past the last position.
            first, last = np.minimum(first, len(buckets)), np.minimum(last, len(buckets))
            scores += (total[last] - total[first]) / divisor
        return scores

    def probability(self, score: float) -> float:
        """The calibrated probability of a text whose worst window has this score."""
        slope, offset = self.calibration
        log_odds = min(max(slope * score + offset, -60.0), 60.0)
        return float(1.0 / (1.0 + np.exp(-log_odds)))


def load(path: Path) -> Model:
    """The model in ``path``.

    Raises:
        ModelError: the file is missing, is no such archive, or its arrays do not fit this version's features.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in _TABLES}
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise ModelError(f"{path}: gate weights cannot be read: {error}") from error
    return from_arrays(arrays, str(path))


def from_arrays(arrays: dict[str, npt.NDArray[np.generic]], where: str = "weights") -> Model:
    """The model of these arrays.

    Raises:
        ModelError: a shape does not fit this version's features.
    """
    table = arrays["characters_and_words"]
    pairs = arrays["cue_pairs"]
    width = len(cues.NAMES)
    if table.shape != (_TABLE_SIZE,) or pairs.shape != (width, width) or arrays["calibration"].shape != (2,):
        expected = f"({_TABLE_SIZE},) and ({width}, {width})"
        raise ModelError(f"{where}: gate weights: expected shapes {expected}, got {table.shape} and {pairs.shape}")
    digest = hashlib.sha256(b"".join(np.ascontiguousarray(arrays[name]).tobytes() for name in _TABLES)).hexdigest()
    slope, offset = (float(each) for each in arrays["calibration"].astype(np.float64))
    return Model(
        table=table.astype(np.float32),
        cue_pairs=pairs.astype(np.float32),
        intercept=float(arrays["intercept"].astype(np.float64)),
        calibration=(slope, offset),
        digest=digest,
    )


def save(
    path: Path,
    table: npt.NDArray[np.float32],
    cue_pairs: npt.NDArray[np.float32],
    intercept: float,
    calibration: tuple[float, float],
) -> Model:
    """Writes the weights in half precision and returns the model as it will be read back."""
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "characters_and_words": table.astype(np.float16),
        "cue_pairs": cue_pairs.astype(np.float32),
        "intercept": np.array(intercept, dtype=np.float32),
        "calibration": np.asarray(calibration, dtype=np.float32),
    }
    np.savez_compressed(path, allow_pickle=False, **arrays)
    return load(path)
