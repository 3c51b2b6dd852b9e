"""Projects on one machine share a store and see nothing of one another; a project cannot widen what it sees."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from depcodex import records
from depcodex.closure import Scope
from machine import Finished, Machine

ANCHOR = '"""Holds a ship."""\n\n\ndef drop(depth):\n    """Lowers the anchor to a depth."""\n'
ANCHOR_EDITED = ANCHOR.replace("drop(depth)", "drop(depth, quietly=False)").replace(
    "Lowers the anchor to a depth", "Writes the anchor to a file"
) + ('\n\ndef weigh(chain):\n    """Measures the weight of a chain."""\n')
BEACON = '"""Lights a coast."""\n\n\ndef shine(colour):\n    """Sends light of a colour."""\n'
CARGO = '"""Keeps freight."""\n\n\ndef stow(crate, deck):\n    """Stores a crate on a deck."""\n'
ANCHOR_PACKAGE = ("anchorage", "1.0", {"anchorage.py": ANCHOR})
BEACON_PACKAGE = ("beaconlight", "2.0", {"beaconlight.py": BEACON})
CARGO_PACKAGE = ("cargohold", "3.0", {"cargohold.py": CARGO})
# Any file of a project's own that could claim to set what its questions see.
OPENED = """
import sys
opened = []
def note(event, arguments):
    if event in ("open", "os.scandir", "os.listdir") and ".depcodex" in str(arguments[0]):
        opened.append((event, *map(str, arguments)))
sys.addaudithook(note)
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def asked(machine: Machine, project: Path, *arguments: str) -> Finished:
    return machine.run(*arguments, "--project", str(project))


def symbols(machine: Machine, project: Path, need: str = "anything at all") -> set[str]:
    with machine.codex(project) as codex:
        return {hit.symbol for hit in codex.search(need, limit=100).results}


def make_hostile(machine: Machine, mine: Path, other: Path) -> None:
    """The copy in a project as an attacker would commit it: the other project's coordinates, the widest scope."""
    record = json.loads(records.record_path(machine.settings, mine).read_text())
    wanted = json.loads(records.record_path(machine.settings, other).read_text())
    hostile = {**record, "scope": "all", "members": wanted["members"], "union": wanted["union"]}
    (mine / ".depcodex").mkdir(exist_ok=True)
    (mine / ".depcodex/closure.json").write_text(json.dumps(hostile))
    (mine / ".depcodex/settings.toml").write_text("hold = []\nexclude = []\nallow_remote_models = true\n")
    (mine / "settings.toml").write_text("allow_remote_models = true\n")
    (mine / "pyproject.toml").write_text('[tool.depcodex]\nscope = "all"\nallow_remote_models = true\n')


def test_a_hostile_closure_in_a_project_changes_no_scope(machine: Machine) -> None:
    mine = machine.project("mine", ANCHOR_PACKAGE)
    other = machine.project("other", BEACON_PACKAGE, CARGO_PACKAGE)
    machine.index(mine)
    machine.index(other)
    before = asked(machine, mine, "lookup", "anchorage.drop", "--json")
    make_hostile(machine, mine, other)
    assert asked(machine, mine, "lookup", "anchorage.drop", "--json") == before
    assert asked(machine, mine, "lookup", "beaconlight.shine", "--json").status == 1
    assert symbols(machine, mine) == {"anchorage", "anchorage.drop"}
    status = asked(machine, mine, "status", "--json").json
    assert [each["purl"] for each in status["coordinates"]] == ["pkg:pypi/anchorage@1.0"]
    # Recording and indexing again take nothing from it either.
    assert machine.run("record", str(mine)).status == 0
    assert records.read_record(machine.settings, mine).scope is Scope.IMPORTABLE
    make_hostile(machine, mine, other)
    assert machine.index(mine)["coordinates"] == 1
    assert records.read_record(machine.settings, mine).scope is Scope.IMPORTABLE
    assert symbols(machine, mine) == {"anchorage", "anchorage.drop"}


@pytest.mark.parametrize(
    "command",
    [
        ("lookup", "anchorage.drop", "--project", "{}"),
        ("search", "light", "--project", "{}"),
        ("status", "--project", "{}"),
        ("closure", "{}"),
        ("record", "{}"),
        ("index", "{}"),
    ],
    ids=lambda each: each[0],
)
def test_the_copy_in_a_project_is_never_read(machine: Machine, command: tuple[str, ...]) -> None:
    mine, other = machine.project("mine", ANCHOR_PACKAGE), machine.project("other", BEACON_PACKAGE)
    machine.index(mine)
    machine.index(other)
    make_hostile(machine, mine, other)
    after = 'print("opened", [each for each in opened if "closure.json" in each[1] or "settings" in each[1]])'
    done = machine.process(*(each.format(mine) for each in command), before=OPENED, after=after)
    assert done.status == 0, done.stderr
    assert "opened []" in done.stdout


def test_a_project_that_was_never_recorded_gets_nothing_by_bringing_a_closure(machine: Machine) -> None:
    other = machine.project("other", BEACON_PACKAGE)
    machine.index(other)
    stranger = machine.root / "stranger"
    stranger.mkdir()
    make = json.loads(records.record_path(machine.settings, other).read_text())
    (stranger / ".depcodex").mkdir()
    (stranger / ".depcodex/closure.json").write_text(json.dumps({**make, "project": str(stranger)}))
    answer = asked(machine, stranger, "lookup", "beaconlight.shine", "--json")
    assert (answer.status, answer.json["abstention"]["type"]) == (1, "no_closure")


@pytest.mark.parametrize("is_edited_first", [True, False], ids=["edited first", "clean first"])
def test_an_edited_installed_package_answers_its_own_project_only(machine: Machine, is_edited_first: bool) -> None:
    edited, clean = machine.project("edited", ANCHOR_PACKAGE), machine.project("clean", ANCHOR_PACKAGE)
    (machine.site(edited) / "anchorage.py").write_text(ANCHOR_EDITED)
    for project in (edited, clean) if is_edited_first else (clean, edited):
        machine.index(project)
    (of_edited,), (of_clean,) = machine.coordinates(edited), machine.coordinates(clean)
    assert of_clean.purl == "pkg:pypi/anchorage@1.0"
    assert of_edited.checksum
    assert (of_edited.name, of_edited.version) == (of_clean.name, of_clean.version)
    assert symbols(machine, edited) == {"anchorage", "anchorage.drop", "anchorage.weigh"}
    assert symbols(machine, clean) == {"anchorage", "anchorage.drop"}
    with machine.codex(edited) as codex:
        (hit,) = codex.lookup("anchorage.drop").results
        assert (hit.coordinate, hit.signatures) == (of_edited.purl, ("def drop(depth, quietly=False)",))
        sentence = hit.sentence
    with machine.codex(clean) as codex:
        (hit,) = codex.lookup("anchorage.drop").results
        assert (hit.coordinate, hit.signatures) == (of_clean.purl, ("def drop(depth)",))
        assert hit.sentence != sentence
        assert codex.lookup("anchorage.weigh").abstention is not None


def test_an_edit_after_indexing_never_reaches_another_project(machine: Machine) -> None:
    one, two = machine.project("one", ANCHOR_PACKAGE), machine.project("two", ANCHOR_PACKAGE)
    machine.index(one)
    machine.index(two)
    (machine.site(one) / "anchorage.py").write_text(ANCHOR_EDITED)
    machine.index(one)
    assert "anchorage.weigh" in symbols(machine, one)
    assert symbols(machine, two) == {"anchorage", "anchorage.drop"}
    (machine.site(one) / "anchorage.py").write_text(ANCHOR)
    machine.index(one)
    assert symbols(machine, one) == {"anchorage", "anchorage.drop"}


def test_recording_again_in_a_build_leaves_an_edited_package_its_own_text(machine: Machine) -> None:
    edited, clean = machine.project("edited", ANCHOR_PACKAGE), machine.project("clean", ANCHOR_PACKAGE)
    (machine.site(edited) / "anchorage.py").write_text(ANCHOR_EDITED)
    machine.index(edited)
    machine.index(clean)
    assert machine.run("record", str(edited)).status == 0
    # Neither nothing nor the clean text of the other project.
    assert symbols(machine, edited) == {"anchorage", "anchorage.drop", "anchorage.weigh"}


def test_a_tree_whose_record_has_no_hashes_is_labelled_unverified(machine: Machine) -> None:
    mine = machine.project("mine", ANCHOR_PACKAGE)
    record = machine.site(mine) / "anchorage-1.0.dist-info/RECORD"
    record.write_text(re.sub(r",sha256=[^,]*,\d*", ",,", record.read_text()))
    machine.index(mine)
    (status,) = asked(machine, mine, "status", "--json").json["coordinates"]
    assert (status["state"], status["is_verified"]) == ("indexed", False)


def everything(machine: Machine, project: Path) -> dict[str, Any]:
    """All that a project can be told, without the store's own numbers, which count every publish of the machine."""
    told: dict[str, Any] = {}
    for question in (
        ("lookup", "anchorage.drop"),
        ("lookup", "anchorage.dorp"),
        ("lookup", "drop"),
        ("lookup", "beaconlight.shine"),
        ("lookup", "beaconlight"),
        ("search", "send light of a colour", "--limit", "100"),
        ("search", "store a crate", "--coordinate", "pkg:pypi/cargohold"),
        ("search", "lower the anchor", "--version", "2.0"),
        ("status",),
    ):
        for form in ((), ("--json",)):
            done = asked(machine, project, *question, *form)
            text = re.sub(r'"(generation|store_bytes|snapshot_bytes)": \d+', "", done.stdout + "\n" + done.stderr)
            told[" ".join((*question, *form))] = (done.status, re.sub(r"[\d.,]+ [kKMG]?i?B\b|generation \d+", "", text))
    return told


def test_what_a_project_is_told_does_not_change_when_others_are_indexed(machine: Machine) -> None:
    mine = machine.project("mine", ANCHOR_PACKAGE)
    machine.index(mine)
    alone = everything(machine, mine)
    machine.index(machine.project("other", ANCHOR_PACKAGE, BEACON_PACKAGE, CARGO_PACKAGE))
    machine.index(machine.project("third", ("anchorage", "1.1", {"anchorage.py": ANCHOR_EDITED})))
    assert everything(machine, mine) == alone


def test_what_fails_in_one_project_is_told_to_that_project_alone(machine: Machine) -> None:
    mine = machine.project("mine", ANCHOR_PACKAGE)
    machine.index(mine)
    broken = machine.locked_project("broken", "cargohold==3.0", "anchorage==1.0")
    done = machine.run("index", str(broken), "--offline")
    assert done.status == 3
    assert "cargohold" in done.stderr
    for question in (("status",), ("status", "--json"), ("lookup", "cargohold.stow"), ("search", "store a crate")):
        told = asked(machine, mine, *question)
        answer = told.stdout + told.stderr
        assert "offline" not in answer
        assert "failed" not in answer
        # What was asked may be said again; nothing more about it.
        assert answer.count("cargohold") <= " ".join(question).count("cargohold") * 2
    # A shared coordinate that a neighbour could not bring again stays as it was.
    assert symbols(machine, mine) == {"anchorage", "anchorage.drop"}


# Pairs (of another closure, of nowhere), equally long: the first is in the store, the second is nothing.
PAIRS = (
    (("lookup", "beaconlight.shine"), ("lookup", "beaconlight.shyne")),
    (("lookup", "beaconlight"), ("lookup", "beacunlight")),
    (("lookup", "beaconlight.shine"), ("lookup", "zyxwvutsrqp.shine")),
    (("lookup", "shine"), ("lookup", "shyne")),
    (("lookup", "BEACONLIGHT::shine"), ("lookup", "BEACUNLIGHT::shine")),
    (
        ("search", "crate", "--coordinate", "pkg:pypi/cargohold@3.0"),
        ("search", "crate", "--coordinate", "pkg:pypi/cargohild@3.0"),
    ),
    (
        ("search", "crate", "--coordinate", "pkg:pypi/cargohold"),
        ("search", "crate", "--coordinate", "pkg:pypi/cargohild"),
    ),
    (
        ("lookup", "stow", "--coordinate", "pkg:pypi/cargohold"),
        ("lookup", "stow", "--coordinate", "pkg:pypi/cargohild"),
    ),
    (("lookup", "drop", "--from", "beaconlight"), ("lookup", "drop", "--from", "beacunlight")),
    (("lookup", "anchorage.drop", "--version", "1.1"), ("lookup", "anchorage.drop", "--version", "1.7")),
    (("lookup", "beaconlight.shine", "--version", "2.0"), ("lookup", "beacunlight.shine", "--version", "2.0")),
    (("search", "light of a colour", "--version", "2.0"), ("search", "light of a colour", "--version", "2.9")),
)


@pytest.fixture(scope="module")
def neighbours(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    machine = Machine(tmp_path_factory.mktemp("neighbours"))
    machine.index(machine.project("mine", ANCHOR_PACKAGE))
    machine.index(machine.project("other", ANCHOR_PACKAGE, BEACON_PACKAGE, CARGO_PACKAGE))
    machine.index(machine.project("third", ("anchorage", "1.1", {"anchorage.py": ANCHOR_EDITED})))
    return machine


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: " ".join(pair[0]))
def test_an_out_of_closure_name_reads_byte_for_byte_like_one_that_does_not_exist(
    neighbours: Machine, pair: tuple[tuple[str, ...], tuple[str, ...]], form: tuple[str, ...]
) -> None:
    known, unknown = pair
    mine = neighbours.root / "mine"
    first, second = asked(neighbours, mine, *known, *form), asked(neighbours, mine, *unknown, *form)
    # The asked name aside: what differs between the two questions is put back.
    differing = [(one, other) for one, other in zip(known, unknown, strict=True) if one != other]
    stdout, stderr = second.stdout, second.stderr
    for one, other in differing:
        stdout, stderr = stdout.replace(other, one), stderr.replace(other, one)
    assert (first.status, first.stdout, first.stderr) == (second.status, stdout, stderr)
    # And the other project is answered, so there was something to hide.
    assert symbols(neighbours, neighbours.root / "other") > {"beaconlight.shine", "cargohold.stow"}


def test_a_shared_entry_names_only_coordinates_of_the_asking_closure(neighbours: Machine) -> None:
    for name in ("mine", "third"):
        told = json.dumps(everything(neighbours, neighbours.root / name))
        purls = set(re.findall(r"pkg:pypi/[a-z]+@[\d.]+", told))
        assert purls == {each.purl for each in neighbours.coordinates(neighbours.root / name)}
