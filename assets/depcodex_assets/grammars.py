"""Tree-sitter parsers by language: the one module that knows which package carries the grammars.

Here: choosing between tree-sitter-languages (CPython up to 3.12, tree-sitter 0.21) and tree-sitter-language-pack (3.13
on, tree-sitter 0.25 and later). Not here: walking a tree (depcodex_assets.languages).

Callers keep to what both tree-sitter versions share: ``parse(bytes).root_node`` and of a node ``type``, ``children``,
``named_children``, ``child_by_field_name``, ``children_by_field_name``, ``parent``, ``start_byte``, ``end_byte``,
``start_point[0]``, ``text``, ``is_named``, ``has_error``, ``is_missing``, ``is_error`` and ``walk()``. Queries,
``sexp`` and the parser's time-out differ between them and are not used anywhere.
"""

from __future__ import annotations

import sys
import threading
import warnings
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import tree_sitter

LANGUAGES = ("python", "typescript", "tsx", "javascript", "java", "kotlin", "rust", "go")

# A parser holds the state of the parse it is in, so threads must not share one.
_local = threading.local()
_building = threading.Lock()


def parser(language: str) -> tree_sitter.Parser:
    """This thread's parser for a language, one of ``LANGUAGES``.

    Raises:
        ValueError: no grammar of ours has that name.

    Example:
        >>> parser("python").parse(b"x = 1").root_node.type
        'module'
    """
    parsers: dict[str, tree_sitter.Parser] | None = getattr(_local, "parsers", None)
    if parsers is None:
        parsers = _local.parsers = {}
    if language not in parsers:
        parsers[language] = _build(language)
    return parsers[language]


def _build(language: str) -> tree_sitter.Parser:
    if language not in LANGUAGES:
        raise ValueError(f"grammar {language!r}: expected one of {', '.join(LANGUAGES)}")
    if sys.version_info >= (3, 13):
        import tree_sitter_language_pack

        return cast("tree_sitter.Parser", tree_sitter_language_pack.get_parser(language))
    import tree_sitter_languages

    # tree-sitter 0.21 warns about the way tree-sitter-languages builds a Language; nobody here can act on it.
    with _building, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return cast("tree_sitter.Parser", tree_sitter_languages.get_parser(language))
