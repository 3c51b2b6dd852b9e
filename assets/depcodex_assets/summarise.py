"""Summarise: one sentence for each text, asked of a rewriter and checked against the output rules.

Here: chunks, the second try, the rows. Not here: rewriters (depcodex_assets.rewriters), what a rule says
(depcodex_assets.output_rules), whether a sentence is shown (depcodex_assets.quarantine).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

import pyarrow as pa

from depcodex.errors import StoreError
from depcodex.schemas import SUMMARIES, conform, row_key
from depcodex_assets.output_rules import OUTPUT_RULES_VERSION, broken_rule
from depcodex_assets.rewriters.interface import Rewriter
from depcodex_assets.texts import Text

Clock = Callable[[], datetime]
# Texts a chunk: what is lost at most when a machine stops; a model takes minutes for as many.
CHUNK_TEXTS = 64
# A rewriter that needs no server takes larger chunks, or the writes cost more than the sentences.
CHUNK_TEXTS_EMBEDDED = 4096
# The rule's name where the model gave nothing usable.
NO_SENTENCE = "no_sentence"


def summarise(
    texts: pa.Table,
    *,
    rewriter: Rewriter,
    clock: Clock,
    on_progress: Callable[[int], None] | None = None,
) -> pa.Table:
    """One row of SUMMARIES a documented text, in the order of ``texts``; undocumented texts are left out.

    See ``summarise_chunks``, which keeps what came before an error; this keeps nothing.

    Raises:
        ModelUnavailableError: the model server stopped answering.
        ModelError: the model is missing.
    """
    chunks = list(summarise_chunks(texts, rewriter=rewriter, clock=clock, on_progress=on_progress))
    return pa.concat_tables(chunks) if chunks else SUMMARIES.empty_table()


def summarise_chunks(
    texts: pa.Table,
    *,
    rewriter: Rewriter,
    clock: Clock,
    on_progress: Callable[[int], None] | None = None,
    chunk_texts: int | None = None,
) -> Iterator[pa.Table]:
    """The rows of ``summarise``, a chunk at a time; a caller that writes each chunk loses at most one.

    Args:
        texts: rows of TEXTS that are documented, cleared by the gate and not yet rewritten; each digest once.
        rewriter: asked once a text, and once more with the rule's name where a rule refused and it can do better.
        clock: aware, UTC.
        on_progress: called with the number of texts that are done, after each chunk.
        chunk_texts: texts a chunk; by default as the rewriter's kind suggests.

    Raises:
        ModelUnavailableError: the model server stopped answering; chunks that came before stand.
        ModelError: the model is missing.
        StoreError: ``texts`` lacks a column.
    """
    documented = _parsed(texts)
    size = chunk_texts or (CHUNK_TEXTS if rewriter.can_retry else CHUNK_TEXTS_EMBEDDED)
    for start in range(0, len(documented), size):
        chunk = documented[start : start + size]
        yield _summarised(chunk, rewriter, clock)
        if on_progress is not None:
            on_progress(start + len(chunk))


def _parsed(texts: pa.Table) -> list[Text]:
    names = ("text_digest", "language", "convention", "kind", "name", "signatures", "doc")
    missing = [name for name in names if name not in texts.column_names]
    if missing:
        raise StoreError(f"texts: columns differ, missing {missing}")
    columns = (texts.column(name).to_pylist() for name in names)
    return [
        Text(digest, language, convention, kind, name, tuple(signatures), doc)
        for digest, language, convention, kind, name, signatures, doc in zip(*columns, strict=True)
        if doc and doc.strip()
    ]


def _summarised(texts: Sequence[Text], rewriter: Rewriter, clock: Clock) -> pa.Table:
    sentences = list(rewriter.rewrite(texts, [None] * len(texts)))
    rules = [_refusal(sentence, text) for sentence, text in zip(sentences, texts, strict=True)]
    attempts = [1] * len(texts)
    again = [index for index, rule in enumerate(rules) if rule is not None]
    if again and rewriter.can_retry:
        seconds = rewriter.rewrite([texts[index] for index in again], [rules[index] for index in again])
        for index, sentence in zip(again, seconds, strict=True):
            attempts[index] = 2
            if sentence is not None:
                sentences[index], rules[index] = sentence, _refusal(sentence, texts[index])
    made_at = clock()
    rows = {
        "row_key": [
            row_key(each.text_digest, rewriter.name, rewriter.prompt_version, rewriter.model_digest) for each in texts
        ],
        "text_digest": [each.text_digest for each in texts],
        "rewriter": [rewriter.name] * len(texts),
        "prompt_version": [rewriter.prompt_version] * len(texts),
        "model_digest": [rewriter.model_digest] * len(texts),
        "sentence": sentences,
        "rule": rules,
        "rules_version": [OUTPUT_RULES_VERSION] * len(texts),
        "attempt_count": attempts,
        "created_at": [made_at] * len(texts),
    }
    return conform(pa.table(rows, schema=SUMMARIES), SUMMARIES)


def _refusal(sentence: str | None, text: Text) -> str | None:
    return NO_SENTENCE if sentence is None else broken_rule(sentence, text)
