"""Which packages a sentence names where it matters: to import, install, replace or use something.

Here: finding the names. Not here: whether they are inside the asking closure (depcodex.query decides at each question,
since sentences are shared between closures).

A sentence that says "use other-package instead" is harmless for a project that has it and an advertisement, or worse,
for one that does not. Ordinary words after such verbs ("uses tables") are no packages: a word counts when it is not one
of the plain vocabulary, or is written like a package's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from depcodex.coordinates import Coordinate
from depcodex.errors import CoordinateError

_CONTEXT_PATTERN = re.compile(
    r"\b(?:imports?|imported from|importing|installs?|installed|installing|replaces?|replaced by|replacing"
    r"|uses?|used by|using|superseded by|deprecated in favou?r of|in favou?r of|instead of|migrat\w+ to|switch\w* to"
    r"|wraps?|wrapping|requires?|via|powered by|backed by|built on|based on|from|through|with)\s+"
    r"(?:the\s+|a\s+|an\s+)?((?:[A-Za-z][\w.-]*)(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)[A-Za-z][\w.-]*)*)",
    re.IGNORECASE,
)
_WORD_PATTERN = re.compile(r"[A-Za-z][\w-]*(?:\.[A-Za-z]\w*)*")
_CODE_SHAPED_PATTERN = re.compile(r"[-_.\d]|[a-z][A-Z]")
# Common in docs, so part of the general vocabulary, and still names of packages and of nothing else.
_PACKAGE_NAMES = frozenset(
    """aiohttp anthropic anyio celery cython dask dagster django fastapi flask fsspec gevent greenlet httpx
    huggingface jax jinja jinja2 keras langchain lxml matplotlib mypy mysql numba numpy ollama openai pandas pip
    plotly polars postgres psycopg pyarrow pydantic pymongo pytest pytorch pyyaml redis scipy seaborn setuptools
    sklearn sqlalchemy starlette statsmodels tensorflow tornado tqdm trio""".split()  # noqa: SIM905
)
_JOINING_WORDS = frozenset({"and", "or", "the", "a", "an"})


def packages_mentioned(sentence: str, ecosystem: str, is_plain_word: Callable[[str], bool]) -> list[str]:
    """Library purls (no version) that a sentence names in such a context, sorted, each once.

    Args:
        sentence: one that passed the output rules.
        ecosystem: package URL type of the library it describes: a bare name is taken for one of its own kind.
        is_plain_word: whether a lower-case word belongs to ordinary English or technical vocabulary.

    Example:
        >>> packages_mentioned("Reads a table with pyarrow.", "pypi", {"reads", "table"}.__contains__)
        ['pkg:pypi/pyarrow']
    """
    found: set[str] = set()
    for group in _CONTEXT_PATTERN.findall(sentence):
        for word in _WORD_PATTERN.findall(group):
            first = word.partition(".")[0].rstrip("-")
            if word.lower() in _JOINING_WORDS or _is_ordinary(first, is_plain_word):
                continue
            try:
                found.add(Coordinate.of(ecosystem, first, "0").library)
            except CoordinateError:
                continue
    return sorted(found)


def _is_ordinary(word: str, is_plain_word: Callable[[str], bool]) -> bool:
    if word.lower() in _PACKAGE_NAMES:
        return False
    if _CODE_SHAPED_PATTERN.search(word):
        # English hyphenates too ("case-insensitive"), in two parts and seldom in three.
        parts = [part for part in re.split(r"[-_]", word.lower()) if part]
        return len(parts) < 3 and all(map(is_plain_word, parts))
    return is_plain_word(word.lower())
