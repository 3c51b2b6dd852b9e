"""Which packages a sentence names where it matters: to import, install, replace or use something.

Here: finding the names, of all five ecosystems. Not here: whether they are inside the asking closure
(depcodex.resolution decides at each question, since sentences are shared between closures).

A sentence that says "use other-package instead" is harmless for a project that has it and an advertisement, or worse,
for one that does not. Ordinary words after such verbs ("uses tables") are no packages: a word counts when it is not one
of the plain vocabulary, or is written like a package's name. A name says its own ecosystem where it can: an npm scope,
a host and a path, a Maven group with ``:``, the command before it; else it is taken for one of the library's own kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from depcodex.coordinates import Coordinate
from depcodex.errors import CoordinateError
from depcodex.symbols import go_import_path

_NAME = r"@?[A-Za-z][\w.@/:-]*"
_CONTEXT_PATTERN = re.compile(
    r"\b(?:imports?|imported from|importing|installs?|installed|installing|replaces?|replaced by|replacing"
    r"|uses?|used by|using|superseded by|deprecated in favou?r of|in favou?r of|instead of|migrat\w+ to|switch\w* to"
    r"|wraps?|wrapping|requires?|via|powered by|backed by|built on|based on|from|through|with|depends on)\s+"
    rf"(?:the\s+|a\s+|an\s+)?({_NAME}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+){_NAME})*)",
    re.IGNORECASE,
)
# What somebody types to add a package; whatever follows is one, in the plain vocabulary or not.
_COMMANDS = {
    "npm": r"(?:npm|pnpm|yarn|bun)\s+(?:install|add|i)\b|npx\b|bunx\b|pnpm\s+dlx\b|require\s*\(\s*|import\s*\(\s*",
    "golang": r"go\s+(?:get|install)\b",
    "cargo": r"cargo\s+(?:add|install)\b|extern\s+crate\b",
    "pypi": r"(?:pip3?|uv\s+pip|pipx|conda)\s+install\b|(?:uv|poetry|pdm|pipenv)\s+(?:add|install)\b",
    "maven": r"(?:implementation|api|compileOnly|runtimeOnly|testImplementation|kapt|ksp|classpath)\s*\(?\s*(?=[\"'`])",
}
_COMMAND_PATTERNS = {
    ecosystem: re.compile(rf"\b(?:{pattern})\s*((?:-{{1,2}}[\w=-]+\s+)*)[\"'`]?({_NAME})", re.IGNORECASE)
    for ecosystem, pattern in _COMMANDS.items()
}
# Few sentences hold such a word; one pass says so for all commands.
_COMMAND_WORD_PATTERN = re.compile(
    r"install|\b(?:add|i|get|dlx|npx|bunx|crate|api|implementation|kapt|ksp|classpath)\b|require|import|only",
    re.IGNORECASE,
)
_WORD_PATTERN = re.compile(_NAME)
_HOST_PATTERN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/\S+", re.IGNORECASE)
_GROUP_PATTERN = re.compile(r"(?P<group>[A-Za-z][\w-]*(?:\.[\w-]+)+):(?P<artifact>[A-Za-z][\w.-]*)(?::.*)?")
_CODE_SHAPED_PATTERN = re.compile(r"[-_.\d]|[a-z][A-Z]")
# Common in docs, so part of the general vocabulary, and still names of packages and of nothing else.
_PACKAGE_NAMES = frozenset(
    """aiohttp anthropic anyio celery cython dask dagster django fastapi flask fsspec gevent greenlet httpx
    huggingface jax jinja jinja2 keras langchain lxml matplotlib mypy mysql numba numpy ollama openai pandas pip
    plotly polars postgres psycopg pyarrow pydantic pymongo pytest pytorch pyyaml redis scipy seaborn setuptools
    sklearn sqlalchemy starlette statsmodels tensorflow tornado tqdm trio
    axios eslint graphql jquery lodash nestjs nextjs rxjs webpack vite zod
    gson guava hibernate junit ktor log4j logback mockito netty okhttp slf4j
    actix axum reqwest serde tokio gorm grpc protobuf""".split()  # noqa: SIM905
)
_JOINING_WORDS = frozenset({"and", "or", "the", "a", "an"})


def packages_mentioned(sentence: str, ecosystem: str, is_plain_word: Callable[[str], bool]) -> list[str]:
    """Library purls (no version) that a sentence names in such a context, sorted, each once.

    A name that says no namespace has none in its purl, whatever its ecosystem: ``pkg:maven/jackson``.

    Args:
        sentence: one that passed the output rules.
        ecosystem: package URL type of the library it describes: a bare name is taken for one of its own kind.
        is_plain_word: whether a lower-case word belongs to ordinary English or technical vocabulary.

    Example:
        >>> packages_mentioned("Reads a table with pyarrow.", "pypi", {"reads", "table"}.__contains__)
        ['pkg:pypi/pyarrow']
        >>> packages_mentioned("Wraps @scope/pkg and lodash/get.", "npm", {"wraps", "get"}.__contains__)
        ['pkg:npm/%40scope/pkg', 'pkg:npm/lodash']
    """
    found: set[str] = set()
    for kind, pattern in _COMMAND_PATTERNS.items() if _COMMAND_WORD_PATTERN.search(sentence) else ():
        for _, word in pattern.findall(sentence):
            found.update(_libraries(word, kind, lambda _: False))
    for group in _CONTEXT_PATTERN.findall(sentence):
        for word in _WORD_PATTERN.findall(group):
            found.update(_libraries(word, ecosystem, is_plain_word))
    return sorted(found)


def _libraries(word: str, ecosystem: str, is_plain_word: Callable[[str], bool]) -> Iterator[str]:
    """The libraries that one word names; several where ``/`` only stands between two names."""
    word = word.rstrip(".:/-@")
    if word.lower() in _JOINING_WORDS:
        return
    group = _GROUP_PATTERN.fullmatch(word)
    if group:
        yield from _library("maven", group["artifact"], group["group"])
        return
    if word.startswith("@"):
        scope, slash, rest = word.partition("/")
        name = re.split(r"[/@]", rest, maxsplit=1)[0]
        if slash and name:
            yield from _library("npm", name, scope)
        return
    if _HOST_PATTERN.fullmatch(word):
        space, _, name = go_import_path(word.partition("@")[0]).rpartition("/")
        yield from _library("golang", name, space)
        return
    parts = re.split(r"[/:@]+", word)
    # `next/navigation` and `serde::de` are one library and what is in it; elsewhere a slash stands between two names.
    is_inside = ecosystem in ("npm", "golang") or "::" in word or "@" in word
    for part in parts[:1] if is_inside else parts:
        # npm's and Go's names hold dots (`socket.io`); elsewhere what follows a dot is inside the library.
        first = part if ecosystem == "npm" else part.partition(".")[0]
        first = first.rstrip("-.")
        if first and not _is_ordinary(first, is_plain_word):
            yield from _library(ecosystem, first, "")


def _library(ecosystem: str, name: str, namespace: str) -> Iterator[str]:
    if ecosystem in ("maven", "cargo") and not namespace:
        # Prose writes names as titles; only a closure's own spelling knows their case.
        name = name.lower()
    try:
        yield Coordinate.of(ecosystem, name, "0", namespace=namespace).library
    except CoordinateError:
        return


def _is_ordinary(word: str, is_plain_word: Callable[[str], bool]) -> bool:
    if word.lower() in _PACKAGE_NAMES:
        return False
    if _CODE_SHAPED_PATTERN.search(word):
        # English hyphenates too ("case-insensitive"), in two parts and seldom in three.
        parts = [part for part in re.split(r"[-_.]", word.lower()) if part]
        return len(parts) < 3 and all(map(is_plain_word, parts))
    return is_plain_word(word.lower())
