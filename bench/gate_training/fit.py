"""From texts to weights: which windows are examples, the sparse matrix, the fit.

Here: features of training texts, one fit. Not here: where texts come from, folds, thresholds (bench/train_gate.py).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.linear_model import SGDClassifier

from depcodex_assets.gate import cues, features, model, trained, views
from gate_training import voices

TABLE_SIZE = features.CHARACTER_BUCKETS + features.WORD_BUCKETS
CUE_COUNT = len(cues.NAMES)
# Cue features are few and dense: scaled down, so that the penalty asks more of them.
CUE_SCALE = 0.35
_PAIRS = np.triu_indices(CUE_COUNT)
COLUMN_COUNT = TABLE_SIZE + len(_PAIRS[0])


@dataclass(frozen=True)
class Example:
    """Sentences of which some windows are examples.

    Attributes:
        reading: the sentences.
        first, last: windows that touch sentences in [first, last) are examples.
    """

    reading: features.Reading
    first: int
    last: int


def read_all(text: str) -> list[features.Reading]:
    """The readings of all views of a text."""
    return [trained.read(view) for view in views.make_views(text)]


def attack_examples(chooser: random.Random, text: str, carrier: Sequence[str], is_encoded: bool) -> list[Example]:
    """An attack among an honest text's sentences, in each view that shows it."""
    examples = []
    for view in views.make_views(text):
        if is_encoded and view.name == views.PLAIN:
            continue
        reading = trained.read(view)
        own = list(reading.sentences)
        if not own or len(own) > 6:
            continue
        # Hidden text stands alone; what is plain has neighbours.
        before = [] if view.is_hidden or not carrier else [chooser.choice(carrier)]
        after = [] if view.is_hidden or not carrier else [chooser.choice(carrier)]
        # A greeting or a tag line alone is no attack: of several sentences the longest and its pairs count.
        position = len(before) + (max(range(len(own)), key=lambda index: len(own[index])) if len(own) > 1 else 0)
        examples.append(Example(features.Reading([*before, *own, *after], reading.is_hidden), position, position + 1))
    return examples


def matrix(examples: Sequence[Example], batch: int = 2000) -> sparse.csr_matrix:
    """One row for each window of ``examples`` that counts."""
    blocks = []
    for start in range(0, len(examples), batch):
        chunk = examples[start : start + batch]
        windows = features.make_windows([example.reading for example in chunk])
        first = np.array([example.first for example in chunk])[windows.reading]
        last = np.array([example.last for example in chunk])[windows.reading]
        is_pair = np.arange(len(windows)) >= sum(len(example.reading.sentences) for example in chunk)
        touches = (windows.sentence < last) & (windows.sentence + is_pair >= first)
        blocks.append(_rows(windows, np.flatnonzero(touches)))
    return sparse.vstack(blocks, format="csr")


def _rows(windows: features.Windows, chosen: npt.NDArray[np.int64]) -> sparse.csr_matrix:
    rows, columns, values = [], [], []
    for buckets, first, last, offset, divisor in windows.groups():
        start, stop = np.minimum(first[chosen], len(buckets)), np.minimum(last[chosen], len(buckets))
        lengths = stop - start
        row = np.repeat(np.arange(len(chosen)), lengths)
        position = (
            np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(start, lengths)
        )
        rows.append(row)
        columns.append(buckets[position] + offset)
        values.append((1.0 / divisor[chosen])[row])
    cue = windows.cue_matrix()[chosen]
    pairs = sparse.coo_matrix(cue[:, _PAIRS[0]] * cue[:, _PAIRS[1]] * CUE_SCALE)
    rows.append(pairs.row)
    columns.append(pairs.col + TABLE_SIZE)
    values.append(pairs.data)
    data = (
        np.concatenate(values).astype(np.float32),
        (np.concatenate(rows).astype(np.int32), np.concatenate(columns).astype(np.int32)),
    )
    return sparse.csr_matrix(data, shape=(len(chosen), COLUMN_COUNT), dtype=np.float32)


def fit(
    attacks: sparse.csr_matrix,
    honest: sparse.csr_matrix,
    attack_weights: npt.NDArray[np.float64],
    honest_weights: npt.NDArray[np.float64],
    seed: int,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], float]:
    """Weights of the n-grams, of the cue pairs, and the intercept: logistic loss, squared penalty."""
    everything = sparse.vstack([attacks, honest], format="csr")
    labels = np.r_[np.ones(attacks.shape[0]), np.zeros(honest.shape[0])]
    weights = np.r_[attack_weights, honest_weights]
    classifier = SGDClassifier(loss="log_loss", alpha=4e-6, max_iter=10, tol=None, random_state=seed, average=True)
    classifier.fit(everything, labels, sample_weight=weights)
    coefficients = classifier.coef_[0]
    pairs = np.zeros((CUE_COUNT, CUE_COUNT), dtype=np.float32)
    pairs[_PAIRS] = coefficients[TABLE_SIZE:] * CUE_SCALE
    return coefficients[:TABLE_SIZE].astype(np.float32), pairs, float(classifier.intercept_[0])


def as_model(
    table: npt.NDArray[np.float32],
    pairs: npt.NDArray[np.float32],
    intercept: float,
    calibration: tuple[float, float] = (1.0, 0.0),
) -> model.Model:
    """The model as it will be stored: half precision."""
    return model.from_arrays(
        {
            "characters_and_words": table.astype(np.float16),
            "cue_pairs": pairs,
            "intercept": np.float32(intercept).reshape(()),
            "calibration": np.asarray(calibration, dtype=np.float32),
        }
    )


def worst_scores(
    trained_model: model.Model, texts: Sequence[Sequence[features.Reading]], batch: int = 1000
) -> npt.NDArray[np.float64]:
    """The worst raw score of each text; shape (texts,)."""
    worst = np.full(len(texts), -np.inf)
    for start in range(0, len(texts), batch):
        chunk = texts[start : start + batch]
        readings = [reading for text in chunk for reading in text]
        owner = np.repeat(np.arange(len(chunk)), [len(text) for text in chunk]) + start
        windows = features.make_windows(readings)
        np.maximum.at(worst, owner[windows.reading], trained_model.score(windows))
    return worst


def worst_windows(
    trained_model: model.Model, texts: Sequence[Sequence[features.Reading]], count: int, batch: int = 1000
) -> list[Example]:
    """The ``count`` worst sentences of each text with their pairs, as examples."""
    examples = []
    for start in range(0, len(texts), batch):
        chunk = texts[start : start + batch]
        readings = [reading for text in chunk for reading in text]
        owner = np.repeat(np.arange(len(chunk)), [len(text) for text in chunk])
        windows = features.make_windows(readings)
        scores = trained_model.score(windows)
        single = len(scores) - sum(max(len(reading.sentences) - 1, 0) for reading in readings)
        order = np.argsort(-scores[:single], kind="stable")
        taken = np.zeros(len(chunk), dtype=int)
        for window in order.tolist():
            reading = int(windows.reading[window])
            if taken[owner[reading]] >= count:
                continue
            taken[owner[reading]] += 1
            sentence = int(windows.sentence[window])
            examples.append(Example(readings[reading], sentence, sentence + 1))
    return examples


def generate(
    chooser: random.Random, count: int, carriers: Sequence[Sequence[str]], keeps: Sequence[int], folds: int
) -> list[Example]:
    """Examples of ``count`` attacks of our own whose template fold is in ``keeps``."""
    examples: list[Example] = []
    made = 0
    while made < count:
        style = chooser.choice(voices.STYLES)
        attack = voices.make(chooser, style)
        if fold_of(attack, folds) not in keeps:
            continue
        made += 1
        examples.extend(attack_examples(chooser, attack.text, chooser.choice(carriers), style == "encoded"))
    return examples


def fold_of(attack: voices.Attack, folds: int) -> int:
    """The fold of an attack: its template's, by style, so that no template stands on both sides."""
    return attack.template % folds
