"""The embedded embedder, for real."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from depcodex import embedding
from depcodex.embedding import MinilmEmbedder, load_embedder
from depcodex.errors import DigestMismatchError, ModelError, SettingsError
from depcodex.settings import Settings


@pytest.fixture(scope="module")
def minilm() -> MinilmEmbedder:
    return MinilmEmbedder(thread_count=2)


def test_vectors_are_unit_length_and_in_the_order_of_the_texts(minilm: MinilmEmbedder) -> None:
    texts = ["sends a request", "a much longer text about reading a table from a file", "sends a request", "x"]
    vectors = minilm.embed(texts)
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (vectors[0] == vectors[2]).all()


def test_a_text_has_one_vector_whatever_is_embedded_with_it(minilm: MinilmEmbedder) -> None:
    texts = [f"reads {'very ' * (number % 7)}table number {number}" for number in range(40)]
    together = minilm.embed(texts)
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    assert (together == alone).all()


def test_near_meanings_are_nearer_than_far_ones(minilm: MinilmEmbedder) -> None:
    need, near, far = minilm.embed(["download a file over http", "fetch a url", "multiply two matrices"])
    assert need @ near > need @ far + 0.1


def test_no_texts_make_no_vectors(minilm: MinilmEmbedder) -> None:
    assert minilm.embed([]).shape == (0, 384)


def test_progress_ends_at_the_number_of_distinct_texts(minilm: MinilmEmbedder) -> None:
    seen: list[int] = []
    minilm.embed([f"text {number % 20}" for number in range(40)], seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 20


def test_a_changed_model_file_is_refused() -> None:
    distribution, path, sha256 = embedding.MINILM_TOKENIZER
    wrong = hashlib.sha256(b"other").hexdigest()
    assert wrong != sha256
    with pytest.raises(DigestMismatchError, match="digest differs"):
        embedding._checked_file(distribution, path, wrong)


def test_a_missing_model_package_is_named() -> None:
    with pytest.raises(ModelError, match="not-a-package-of-ours"):
        embedding._checked_file("not-a-package-of-ours", "x", "y")


def test_an_unknown_embedder_is_a_settings_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="minilm or ollama"):
        load_embedder(Settings(home=tmp_path, embedder="word2vec"))
