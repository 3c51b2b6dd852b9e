"""Packages that a sentence names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("sentence", "ecosystem", "found"),
    [
        ("Wraps @zorb/fax for the router.", "npm", ["pkg:npm/%40zorb/fax"]),
        ("Uses zorblefax/plugins and socket.iox.", "npm", ["pkg:npm/socket.iox", "pkg:npm/zorblefax"]),
        ("Replaces github.com/zorb/fax.Client in handlers.", "golang", ["pkg:golang/github.com/zorb/fax"]),
        ("Uses gopkg.in/zorb.v3.Node for the tree.", "golang", ["pkg:golang/gopkg.in/zorb.v3"]),
        ("Requires org.zorb:fax-core:1.2 at run time.", "maven", ["pkg:maven/org.zorb/fax-core"]),
        ("Uses Zorblefax to read the tree.", "maven", ["pkg:maven/zorblefax"]),
        ("Uses serde::Serialize through zorble_fax.", "cargo", ["pkg:cargo/serde", "pkg:cargo/zorble_fax"]),
        ("Run npm install --save-dev table first.", "pypi", ["pkg:npm/table"]),
        ("Run yarn add @zorb/fax@4 first.", "pypi", ["pkg:npm/%40zorb/fax"]),
        ("Run go get github.com/zorb/fax@latest first.", "npm", ["pkg:golang/github.com/zorb/fax"]),
        ("Run cargo add table first.", "pypi", ["pkg:cargo/table"]),
        ("Run pip install -U table first.", "npm", ["pkg:pypi/table"]),
        ('Add implementation("org.zorb:fax:1.0") to the build.', "maven", ["pkg:maven/org.zorb/fax"]),
        ("Reads requests/responses from a session.", "pypi", []),
        ("Sends a value through the request/response cycle.", "golang", []),
        ("Uses tables, rows and columns.", "npm", []),
        ("Returns a value based on the index or the key.", "cargo", []),
    ],
)
def test_names_of_every_ecosystem_are_found_as_it_writes_them(sentence: str, ecosystem: str, found: list[str]) -> None:
    assert packages_mentioned(sentence, ecosystem, is_general) == found


@given(st.text(max_size=80), st.sampled_from(["pypi", "npm", "maven", "cargo", "golang"]))
def test_any_sentence_gives_library_purls_or_nothing(text: str, ecosystem: str) -> None:
    for sentence in (text, f"Uses {text}", f"npm install {text}", f"Wraps @{text}/x and a.b/{text}"):
        for purl in packages_mentioned(sentence, ecosystem, is_general):
            assert purl.startswith("pkg:")
