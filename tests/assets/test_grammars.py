"""The one module that knows the grammar packages."""

from __future__ import annotations

import threading

import pytest

from depcodex_assets import grammars


@pytest.mark.parametrize("language", grammars.LANGUAGES)
def test_every_language_has_a_grammar_that_parses(language: str) -> None:
    assert grammars.parser(language).parse(b"").root_node.children == []


def test_an_unknown_language_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="cobol"):
        grammars.parser("cobol")


def test_a_thread_keeps_its_parser_and_shares_it_with_no_other() -> None:
    others: list[object] = []
    thread = threading.Thread(target=lambda: others.append(grammars.parser("python")))
    thread.start()
    thread.join()
    assert grammars.parser("python") is grammars.parser("python")
    assert others[0] is not grammars.parser("python")
