"""An embedder of words: the same word always points the same way. No model, no meaning."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray


class WordEmbedder:
    """Fulfils depcodex.embedding.Embedder; 16 wide."""

    name = "words"
    digest = "0" * 64
    width = 16
    pooling = "sum"

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        rows = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row += _direction(word, self.width)
            row /= np.linalg.norm(row) or 1
        if on_progress is not None and texts:
            on_progress(len(texts))
        return rows


@functools.cache
def _direction(word: str, width: int) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
    return np.random.default_rng(seed).normal(size=width).astype(np.float32)
