"""Packages that a sentence names."""

from __future__ import annotations

import pytest

from depcodex_assets.general_words import is_general
from depcodex_assets.package_mentions import packages_mentioned


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Reads a table with pyarrow.", ["pkg:pypi/pyarrow"]),
        ("Sends requests and is replaced by leftpadx.", ["pkg:pypi/leftpadx"]),
        ("Uses evil-http-client or zorblefax instead of sockets.", ["pkg:pypi/evil-http-client", "pkg:pypi/zorblefax"]),
        ("Installs zorblefax.plugins for the session.", ["pkg:pypi/zorblefax"]),
        ("Reads a table from a file with a header.", []),
        ("Uses tables and rows through the session.", []),
        ("Returns the zorblefax of a node.", []),
    ],
)
def test_names_count_in_the_contexts_where_they_matter(sentence: str, found: list[str]) -> None:
    assert packages_mentioned(sentence, "pypi", is_general) == found
