"""What an index costs: nothing where nothing changed, and only what changed where something did."""

from __future__ import annotations

from pathlib import Path

import pytest

from machine import Machine

RETRY = '''\
"""Tries again."""


def retry(action, pauses):
    """Calls an action again after each pause until it succeeds."""


def backoff(first, factor=2):
    """Gives the growing pauses between calls."""


class Policy:
    """Decides whether a failed call is tried again."""

    def allows(self, error):
        """Tells whether the error may pass."""

    def reset(self):
        pass
'''
# One doc changed, one function new, one line moved; the others stand as they were.
RETRY_PATCHED = RETRY.replace("Gives the growing pauses", "Yields the growing pauses") + (
    '\n\ndef jitter(pause):\n    """Spreads a pause by chance."""\n'
)
COLOURS = '''\
"""Mixes colours."""


def mix(first, second):
    """Blends two colours into one."""


def retry(action, pauses):
    """Calls an action again after each pause until it succeeds."""
'''
# Documented texts: module, retry, backoff, Policy, allows. `reset` has no doc.
RETRY_TEXTS = 5
SHARED = ("retrying", "1.0.0", {"retrying.py": RETRY})


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_first_index_pays_one_call_for_each_documented_text(machine: Machine) -> None:
    done = machine.run("index", str(machine.project("shop", SHARED)), "--json")
    assert done.status == 0, done.stderr
    figures = done.json
    assert figures["coordinates"] == figures["harvested"] == 1
    assert figures["texts"] == figures["model_calls"] == RETRY_TEXTS
    assert figures["embedded"] == len(machine.embedder.embedded) > 0
    assert (figures["reused"], figures["failed"]) == (0, 0)


def test_a_dry_run_says_the_number_that_the_run_then_pays(machine: Machine) -> None:
    shop = machine.project("shop", SHARED)
    said = machine.index(shop, "--dry-run")["model_calls"]
    assert said == machine.index(shop)["model_calls"] == RETRY_TEXTS


def test_a_budget_below_the_need_costs_nothing_and_is_refused(machine: Machine) -> None:
    shop = machine.project("shop", SHARED)
    done = machine.run("index", str(shop), "--json", "--budget", str(RETRY_TEXTS - 1))
    assert done.status == 2
    assert done.stderr.strip().splitlines()[-1].count("budget") == 1
    assert machine.embedder.embedded == []
    assert machine.index(shop, "--budget", str(RETRY_TEXTS))["model_calls"] == RETRY_TEXTS


def test_the_second_index_does_nothing_and_imports_neither_dagster_nor_lancedb(machine: Machine) -> None:
    shop = machine.project("shop", SHARED)
    machine.index(shop)
    before = machine.public_rows()
    epilogue = (
        'import resource; used = resource.getrusage(resource.RUSAGE_SELF); print("seconds", used.ru_utime + '
        'used.ru_stime, file=sys.stderr); print("modules", *sys.modules, file=sys.stderr)'
    )
    done = machine.process("index", str(shop), "--json", after=epilogue)
    assert done.status == 0, done.stderr
    figures = done.json
    nothing = dict.fromkeys(("harvested", "texts", "model_calls", "embedded", "withheld", "failed"), 0)
    assert {name: figures[name] for name in nothing} == nothing
    assert figures["reused"] == figures["coordinates"] == 1
    loaded = set(done.stderr.partition("modules ")[2].split())
    heavy = {"dagster", "lancedb", "polars", "sklearn", "onnxruntime", "tree_sitter", "mcp"}
    assert loaded & heavy == set()
    # CPU and not wall time: the machine that runs the tests may be busy. The promise is three seconds in all.
    assert float(done.stderr.partition("seconds ")[2].split()[0]) < 3.0
    assert machine.public_rows() == before


def test_a_second_project_pays_only_for_what_it_does_not_share(machine: Machine) -> None:
    machine.index(machine.project("shop", SHARED))
    before = machine.public_rows()
    embedded = len(machine.embedder.embedded)
    figures = machine.index(machine.project("paint", SHARED, ("colours", "3.1", {"colours.py": COLOURS})))
    assert (figures["coordinates"], figures["reused"], figures["harvested"]) == (2, 1, 1)
    # Of three documented texts of `colours`, `retry` is known letter by letter from another library.
    assert (figures["texts"], figures["model_calls"]) == (3, 2)
    assert figures["embedded"] == len(machine.embedder.embedded) - embedded
    after = machine.public_rows()
    for table, rows in before.items():
        assert [row for row in rows if row not in after[table]] == []
    again = machine.index(machine.root / "shop")
    assert (again["harvested"], again["model_calls"], again["embedded"]) == (0, 0, 0)


def test_a_new_patch_version_pays_only_for_the_texts_that_changed(machine: Machine) -> None:
    machine.index(machine.project("shop", SHARED))
    known = set(machine.embedder.embedded)
    figures = machine.index(machine.project("shop2", ("retrying", "1.0.1", {"retrying.py": RETRY_PATCHED})))
    assert (figures["harvested"], figures["texts"], figures["model_calls"]) == (1, RETRY_TEXTS + 1, 2)
    fresh = machine.embedder.embedded[-figures["embedded"] :]
    assert len(machine.embedder.embedded) == len(known) + figures["embedded"]
    assert set(fresh).isdisjoint(known)
    # One doc face and one sentence face each, for the changed text and for the new one.
    assert figures["embedded"] <= 4
    with machine.codex(machine.root / "shop2") as codex:
        assert {hit.coordinate for hit in codex.lookup("retrying.retry").results} == {"pkg:pypi/retrying@1.0.1"}
    with machine.codex(machine.root / "shop") as codex:
        assert codex.lookup("retrying.jitter").abstention is not None


def test_a_version_that_changed_nothing_costs_no_call_and_no_embedding(machine: Machine) -> None:
    machine.index(machine.project("shop", SHARED))
    figures = machine.index(machine.project("shop2", ("retrying", "1.0.2", {"retrying.py": RETRY})))
    assert (figures["harvested"], figures["texts"]) == (1, RETRY_TEXTS)
    assert (figures["model_calls"], figures["embedded"]) == (0, 0)


def test_an_undocumented_library_costs_no_model_call(machine: Machine) -> None:
    bare = ("bare", "1.0", {"bare.py": "def go(a, b):\n    pass\n\n\nclass Thing:\n    x = 1\n"})
    figures = machine.index(machine.project("shop", bare))
    assert (figures["texts"], figures["model_calls"]) == (0, 0)
    with machine.codex(machine.root / "shop") as codex:
        (hit,) = codex.lookup("bare.go").results
    assert (hit.sentence, hit.is_withheld, hit.signatures) == (None, False, ("def go(a, b)",))


def test_the_cache_may_be_deleted_between_two_runs(machine: Machine) -> None:
    shop = machine.project("shop", SHARED)
    machine.index(shop)
    (machine.settings.cache / "states.json").unlink()
    figures = machine.index(shop)
    assert (figures["harvested"], figures["model_calls"], figures["embedded"]) == (0, 0, 0)
    assert any(machine.settings.cache.iterdir())
