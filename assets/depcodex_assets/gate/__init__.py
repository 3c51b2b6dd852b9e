"""The gate: which documentation texts look like orders to a machine, and which rule or score says so.

Here: the protocol, the gate that ships. Not here: what becomes of a suspected text (classify, quarantine).

    interface   the promise: ``Gate``, ``Judgement``
    normalise   one plain spelling         views      what could be read in a text
    sentences   where sentences end        cues       word classes that orders are made of
    features    hashed n-grams in numpy    model      weights and scores
    rules       rules over what words say  characters rules over what characters do
    trained     the gate that puts it together
"""

from __future__ import annotations

from depcodex_assets.gate.interface import OVER_THRESHOLD, UNCALIBRATED, Gate, Judgement
from depcodex_assets.gate.trained import TrainedGate, gate_version, load_gate

__all__ = ["OVER_THRESHOLD", "UNCALIBRATED", "Gate", "Judgement", "TrainedGate", "gate_version", "load_gate"]
