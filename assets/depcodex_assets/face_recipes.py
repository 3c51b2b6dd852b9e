"""What of an entry is embedded and counted: the texts behind its faces.

Here: the recipe of the doc face, of the lexical terms and of mentions, each a pure function of a declaration. Not here:
embedding (depcodex.embedding), scoring (depcodex.faces).

The recipes are those that measured best (2026-11-30, 343 questions over 115,740 symbols): owner words, name words and
the first paragraph for the vector; two names twice and 1,500 characters of doc for the terms; dotted names and See Also
entries as mentions.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence

from depcodex.symbols import SEPARATORS
from depcodex.terms import name_words, symbol_hash, term_hashes

# Part of a vector's key: another recipe makes other vectors.
RECIPE_VERSION = "2"
_LEXICAL_DOC_CHARACTERS = 1500
_PARAGRAPH_CHARACTERS = 600
# Counts are kept in 16 bits.
_MAX_COUNT = 65535

_BLANK_LINES_PATTERN = re.compile(r"\n[ \t]*\n")
# Directives, admonitions, code, section rulers, doctest prompts: paragraphs that say nothing in words.
_NO_PROSE_PATTERN = re.compile(r"\s*(?:\.\. |!!! |\?\?\? |```|~~~|>>>|\||[-=~^*#]{3,}|:\w+[^:]*:|@)")
_SIGNATURE_LINE_PATTERN = re.compile(r"[\w.]+\([^\n]*\)(?:\s*->[^\n]*)?$")
_ROLE_PATTERN = re.compile(r":[\w:+-]+:`~?\.?([^`<]*?)(?:\s*<[^`]*>)?`")
_LINK_PATTERN = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_URL_PATTERN = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+")
_TAG_PATTERN = re.compile(r"</?[A-Za-z][^<>]{0,80}>|<!--.*?-->", re.DOTALL)
_SPACES_PATTERN = re.compile(r"\s+")
_PARAMETER_PATTERN = re.compile(r"\((.*)\)", re.DOTALL)
_SPECIAL_PATTERN = re.compile(r"\.__\w+__$")
_NAME_PATTERN = re.compile(r"[A-Za-z_]\w*")

_DOTTED_PATTERN = re.compile(r"(?<![\w./@-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_SEE_ALSO_PATTERN = re.compile(
    r"^[ \t]*See Also[ \t]*\n[ \t]*-{3,}[ \t]*\n(.*?)(?=^[ \t]*\w[^\n]*\n[ \t]*-{3,}|\Z)", re.M | re.S
)
_SEE_ALSO_NAME_PATTERN = re.compile(
    r"^[ \t]{0,4}((?:[A-Za-z_][\w.]*)(?:[ \t]*,[ \t]*[A-Za-z_][\w.]*)*)[ \t]*(?::|$)", re.M
)
# Import conventions of the libraries themselves, as their own docs write them.
_CONVENTIONAL_NAMES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "sns": "seaborn", "tf": "tensorflow"}


def first_paragraph(doc: str) -> str:
    """The first paragraph of a doc that speaks in words, as plain text; "" where there is none.

    Example:
        >>> first_paragraph("!!! note\\n    x\\n\\nReturns :class:`~a.B` of [it](there).\\n\\nMore.")
        'Returns a.B of it.'
    """
    for paragraph in _BLANK_LINES_PATTERN.split(doc[:8000]):
        stripped = paragraph.strip()
        if not stripped or _NO_PROSE_PATTERN.match(paragraph) or _SIGNATURE_LINE_PATTERN.match(stripped):
            continue
        text = plain(stripped)
        if any(character.isalpha() for character in text):
            return text[:_PARAGRAPH_CHARACTERS]
    return ""


def plain(text: str) -> str:
    """Markup taken off, words kept, targets of links dropped, white space folded."""
    text = _TAG_PATTERN.sub(" ", text)
    text = _ROLE_PATTERN.sub(r"\1", text)
    text = _LINK_PATTERN.sub(r"\1", text)
    text = _URL_PATTERN.sub(" ", text)
    return _SPACES_PATTERN.sub(" ", text.replace("`", "").replace("*", "")).strip()


def doc_face_text(symbol: str, signatures: Sequence[str], doc: str | None) -> str | None:
    """What the doc face embeds: words of owner and name, then the first paragraph, else the parameters' names.

    None for an undocumented special method: `__eq__` is asked for by name, and what it does is its class's affair.

    Example:
        >>> doc_face_text("requests.Session.get", ["def get(self, url, **kwargs)"], None)
        'session get (url, kwargs)'
        >>> doc_face_text("github.com/google/uuid.Parse", ["func Parse(s string) (UUID, error)"], "Decodes s.")
        'uuid parse. Decodes s.'
    """
    if doc is None and _SPECIAL_PATTERN.search(symbol):
        return None
    owner_and_name = " ".join(name_words(".".join(SEPARATORS.split(symbol)[-2:])))
    paragraph = first_paragraph(doc) if doc else ""
    if paragraph:
        return f"{owner_and_name}. {paragraph}"
    found = _PARAMETER_PATTERN.search(signatures[0]) if signatures else None
    names = [part.split(":")[0].split("=")[0].strip(" *") for part in found.group(1).split(",")] if found else []
    parameters = [name for name in names if _NAME_PATTERN.fullmatch(name) and name not in ("self", "cls")]
    return f"{owner_and_name} ({', '.join(parameters[:12])})" if parameters else owner_and_name


def lexical_terms(symbol: str, aliases: Sequence[str], doc: str | None) -> tuple[list[int], list[int]]:
    """Hashed terms of an entry and how often each stands in it: sorted by hash, so that no order of the doc remains.

    The two shortest names count twice; then the first 1,500 characters of doc.
    """
    names = [symbol]
    if aliases:
        names = sorted({symbol, *aliases}, key=lambda name: (len(SEPARATORS.findall(name)), len(name), name))[:2]
    found: list[int] = []
    for name in names:
        last = SEPARATORS.split(name)[-1]
        owner = name.removesuffix(last)
        # An owner is its neighbours' as well.
        found += _name_hashes(owner)
        found += _name_hashes(last)
    found += found
    if doc:
        found += term_hashes(doc[:_LEXICAL_DOC_CHARACTERS])
    counts = Counter(found)
    hashes = sorted(counts)
    repeated = [counts[each] for each in hashes]
    return hashes, repeated if len(found) <= _MAX_COUNT else [min(each, _MAX_COUNT) for each in repeated]


@functools.lru_cache(maxsize=32768)
def _name_hashes(name: str) -> tuple[int, ...]:
    return tuple(term_hashes(name))


def mention_hashes(symbol: str, doc: str | None) -> list[int]:
    """Hashes of the dotted names and See Also entries that a doc mentions, each once, sorted; its own name left out."""
    if not doc:
        return []
    names = {_expanded(name) for name in _DOTTED_PATTERN.findall(doc)} if "." in doc else set()
    if "See Also" in doc:
        parts = symbol.split(".")
        owners = {".".join(parts[:-1]), ".".join(parts[:-2]), parts[0]} - {""}
        for block in _SEE_ALSO_PATTERN.findall(doc):
            for group in _SEE_ALSO_NAME_PATTERN.findall(block):
                for name in (each.strip() for each in group.split(",")):
                    # Relative to its class, its module or its package: only the one that exists will ever be asked for.
                    names.update(f"{owner}.{name}" for owner in owners)
                    names.add(_expanded(name))
    names.discard(symbol)
    return sorted({symbol_hash(name) for name in names if "." in name})


def _expanded(name: str) -> str:
    first, dot, rest = name.partition(".")
    return f"{_CONVENTIONAL_NAMES.get(first, first)}{dot}{rest}"
