"""What is embedded, counted and mentioned of a doc."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex.terms import symbol_hash, term_hash
from depcodex_assets.face_recipes import doc_face_text, first_paragraph, lexical_terms, mention_hashes


@pytest.mark.parametrize(
    ("doc", "paragraph"),
    [
        ("Sends a GET request.\n\n:param url: the URL", "Sends a GET request."),
        ('!!! abstract "Usage Documentation"\n    [Models](../x.md)\n\nA base class.', "A base class."),
        ("concatenate((a1, a2, ...), axis=0)\n\nJoin a sequence of arrays.", "Join a sequence of arrays."),
        (".. deprecated:: 2.0\n\nReads :func:`~pandas.read_csv` and ``x``.", "Reads pandas.read_csv and x."),
        ("See <b>bold</b> and [link](there) https://example.invalid/x now.", "See bold and link now."),
        ("Parameters\n----------\nx : int", "Parameters ---------- x : int"),
        ("", ""),
        (">>> f()\n1", ""),
    ],
)
def test_the_first_paragraph_is_the_first_that_speaks(doc: str, paragraph: str) -> None:
    assert first_paragraph(doc) == paragraph


def test_a_documented_face_has_owner_name_and_paragraph() -> None:
    text = doc_face_text("requests.Session.get", ["def get(self, url)"], "Sends a GET request.\n\nMore.")
    assert text == "session get. Sends a GET request."


def test_an_undocumented_face_has_its_parameters() -> None:
    text = doc_face_text("a.read_csv", ["def read_csv(path: str, *, sep=',', **kwargs)"], None)
    assert text == "a read csv (path, sep, kwargs)"


def test_terms_have_no_order_and_names_count_twice() -> None:
    hashes, counts = lexical_terms("pandas.read_csv", ["pandas.io.parsers.read_csv"], "Reads a table. A table of rows.")
    assert hashes == sorted(hashes)
    by_hash = dict(zip(hashes, counts, strict=True))
    assert by_hash[term_hash("tabl")] == 2
    assert by_hash[term_hash("csv")] == 4


def test_mentions_are_dotted_names_and_see_also_entries() -> None:
    see_also = "See Also\n--------\nvstack : Stack rows.\nsplit, block\n\nNotes\n-----\nx"
    doc = f"Like np.hstack but not example.com/page.\n\n{see_also}"
    hashes = mention_hashes("numpy.concatenate", doc)
    for name in ("numpy.hstack", "numpy.vstack", "numpy.split", "numpy.block"):
        assert symbol_hash(name) in hashes
    assert symbol_hash("numpy.concatenate") not in hashes
    assert symbol_hash("numpy.Notes") not in hashes


@given(st.text(max_size=300))
def test_any_doc_has_faces(doc: str) -> None:
    doc_face_text("a.b", [], doc)
    mention_hashes("a.b", doc)
    hashes, counts = lexical_terms("a.b", [], doc)
    assert len(hashes) == len(counts) == len(set(hashes))
