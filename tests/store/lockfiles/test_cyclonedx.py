"""CycloneDX in both forms: what becomes a coordinate, what is skipped, and what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls
from depcodex.closure import Closure
from depcodex.lockfiles import ClosureRequest, read_closures
from depcodex.lockfiles.bills import EXCLUDED
from depcodex.lockfiles.cyclonedx import CycloneDxError, CycloneDxReader
from depcodex.lockfiles.detection import reader_of

ROOT = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("DEPCODEX_SHARED") or ROOT.parent / "shared") / "data/sbom"
SHA256, SHA1 = "a" * 64, "b" * 40


def component(name: str, purl: str = "", ref: str = "", **fields: Any) -> dict[str, Any]:
    return {"type": "library", "bom-ref": ref or name, "name": name, **({"purl": purl} if purl else {}), **fields}


DOCUMENT: dict[str, Any] = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "metadata": {"component": component("app", "pkg:npm/app@0.1.0", type="application")},
    "components": [
        component("express", "pkg:npm/express@4.18.2?vcs_url=git%2Bhttps://example.invalid/e.git", version="4.18.2"),
        component("node", "pkg:npm/%40types/node@20.1.0#types", group="@types", version="20.1.0"),
        component("core", "pkg:maven/io.ktor/ktor-core@3.5.1?type=jar", group="io.ktor", version="3.5.1"),
        component(
            "natives",
            "pkg:maven/io.ktor/ktor-core@3.5.1?classifier=linux-x86_64",
            hashes=[{"alg": "SHA-1", "content": SHA1}, {"alg": "MD5", "content": "c" * 32}],
        ),
        component("parent", "pkg:maven/io.ktor/ktor-bom@3.5.1?type=pom", version="3.5.1"),
        component("snapshot", "pkg:maven/g/snapshot@1-SNAPSHOT", version="1-SNAPSHOT"),
        component("unpinned", "pkg:npm/unpinned", version=""),
        component("ranged", "pkg:npm/ranged@%5E1.0.0", version="^1.0.0"),
        component("gem", "pkg:gem/rails@7.0.0", version="7.0.0"),
        component("by hand", version="1.0"),
        component("broken", "not a purl", version="2"),
        component("tests", "pkg:npm/mocha@10.0.0", version="10.0.0", scope="excluded"),
        component("std", "pkg:golang/std@1.22.1", version="1.22.1"),
        component(
            "uuid",
            "pkg:golang/github.com/google/uuid@v1.6.0",
            version="v1.6.0",
            hashes=[{"alg": "SHA-256", "content": SHA256}],
            components=[component("inner", "pkg:cargo/serde@1.0.200", version="1.0.200")],
        ),
    ],
    "dependencies": [
        {"ref": "app", "dependsOn": ["express", "core", "gone"]},
        {"ref": "express", "dependsOn": ["node", "by hand", "tests"]},
        {"ref": "by hand", "dependsOn": ["uuid"]},
        {"ref": "natives", "dependsOn": ["express"]},
    ],
}


def as_xml(document: dict[str, Any]) -> str:
    """The same bill of materials in the other form."""

    def element(row: dict[str, Any]) -> str:
        texts = "".join(
            f"<{name}><![CDATA[{row[name]}]]></{name}>"
            for name in ("group", "name", "version", "scope", "purl")
            if name in row
        )
        hashes = "".join(f'<hash alg="{each["alg"]}">{each["content"]}</hash>' for each in row.get("hashes", ()))
        inner = "".join(map(element, row.get("components", ())))
        return (
            f'<component type="{row["type"]}" bom-ref={quoteattr(row["bom-ref"])}>{texts}<hashes>{hashes}</hashes>'
            f"<components>{inner}</components></component>"
        )

    edges = "".join(
        f"<dependency ref={quoteattr(row['ref'])}>"
        + "".join(f"<dependency ref={quoteattr(each)}/>" for each in row["dependsOn"])
        + "</dependency>"
        for row in document["dependencies"]
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<bom xmlns="http://cyclonedx.org/schema/bom/{document["specVersion"]}" version="1">'
        f"<metadata>{element(document['metadata']['component'])}</metadata>"
        f"<components>{''.join(map(element, document['components']))}</components>"
        f"<dependencies>{edges}</dependencies></bom>"
    )


class CycloneDxContract(LockfileReaderContract):
    format_name = "cyclonedx"
    good_purls = frozenset(
        {
            "pkg:npm/express@4.18.2",
            "pkg:npm/%40types/node@20.1.0",
            "pkg:maven/io.ktor/ktor-core@3.5.1",
            "pkg:golang/github.com/google/uuid@v1.6.0",
            "pkg:cargo/serde@1.0.200",
        }
    )
    good_skipped = frozenset(
        {
            ("parent", "3.5.1"),
            ("snapshot", "1-SNAPSHOT"),
            ("unpinned", ""),
            ("ranged", "^1.0.0"),
            ("gem", "7.0.0"),
            ("by hand", "1.0"),
            ("broken", "2"),
            ("tests", "10.0.0"),
            ("std", "1.22.1"),
        }
    )


class TestCycloneDxJson(CycloneDxContract):
    file_name = "bom.json"
    good = json.dumps(DOCUMENT, indent=1)
    empty = '{"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1}'
    malformed = '{"bomFormat": "CycloneDX", "specVersion": '
    wrong_version = '{"bomFormat": "CycloneDX", "specVersion": "2.0"}'
    wrong_type = '{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [{"name": 7}]}'


class TestCycloneDxXml(CycloneDxContract):
    file_name = "bom.xml"
    good = as_xml(DOCUMENT)
    empty = '<bom xmlns="http://cyclonedx.org/schema/bom/1.2"/>'
    malformed = '<bom xmlns="http://cyclonedx.org/schema/bom/1.2"><components>'
    wrong_version = '<bom xmlns="http://cyclonedx.org/schema/bom/1.0"/>'
    wrong_type = '<project xmlns="http://cyclonedx.org/schema/bom/1.2"/>'


def read(tmp_path: Path, document: dict[str, Any] | str, name: str = "bom.json") -> Closure:
    path = tmp_path / name
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return CycloneDxReader().read(path, linux_target()).closures[0]


def test_both_forms_are_the_same_closure(tmp_path: Path) -> None:
    one, other = read(tmp_path, DOCUMENT), read(tmp_path, as_xml(DOCUMENT), "bom.xml")
    assert (one.dependencies, one.edges, one.skipped) == (other.dependencies, other.edges, other.skipped)


def test_edges_from_the_root_decide_scope_and_distance(tmp_path: Path) -> None:
    closure = read(tmp_path, DOCUMENT)
    rows = {row.coordinate.name: (row.scope.value, row.distance, row.via) for row in closure.dependencies}
    express = "pkg:npm/express@4.18.2"
    assert rows["express"] == ("declared", 1, ())
    assert rows["ktor-core"] == ("declared", 1, ())
    assert rows["node"] == ("importable", 2, (express,))
    # Through a component that no package URL names: one edge more, nothing to show.
    assert rows["uuid"] == ("importable", 3, (express,))
    assert rows["serde"][:2] == ("importable", 4)


def test_what_nothing_leads_to_is_in_scope_all_and_what_is_excluded_is_skipped_with_the_reason(tmp_path: Path) -> None:
    document = {**DOCUMENT, "components": [*DOCUMENT["components"], component("loose", "pkg:npm/loose@1.0.0")]}
    closure = read(tmp_path, document)
    (loose,) = (row for row in closure.dependencies if row.coordinate.name == "loose")
    assert (loose.scope.value, loose.distance) == ("all", None)
    reasons = {row.name: row.reason for row in closure.skipped}
    assert reasons["tests"] == EXCLUDED
    assert reasons["gem"] == "type gem is not indexed"
    assert reasons["unpinned"] == "no version"
    assert "snapshot" in reasons["snapshot"]


def test_digests_are_kept_as_each_ecosystem_checks_them(tmp_path: Path) -> None:
    digests = {row.coordinate.name: row.digests for row in read(tmp_path, DOCUMENT).dependencies}
    assert digests["ktor-core"] == (f"sha1:{SHA1}",)
    assert digests["uuid"] == ("h1:" + "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo=",)


def test_the_case_that_the_purl_folds_is_kept_as_the_spelling(tmp_path: Path) -> None:
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "components": [
            component("toml", "pkg:golang/github.com/BurntSushi/toml@v1.4.0"),
            component("uuid", "pkg:golang/github.com/google/uuid@v1.6.0"),
            component("stream", "pkg:npm/JSONStream@1.3.5"),
            component("types", "pkg:npm/%40types/node@20.1.0"),
        ],
    }
    spellings = {row.coordinate.name: row.spelling for row in read(tmp_path, document).dependencies}
    assert spellings == {"toml": "github.com/BurntSushi/toml", "uuid": "", "jsonstream": "JSONStream", "node": ""}


def test_without_a_root_all_is_importable_and_a_note_says_that_nothing_has_a_distance(tmp_path: Path) -> None:
    document = {**DOCUMENT, "metadata": {}, "dependencies": DOCUMENT["dependencies"][1:]}
    path = tmp_path / "bom.json"
    path.write_text(json.dumps(document))
    reading = CycloneDxReader().read(path, linux_target())
    assert {(row.scope.value, row.distance) for row in reading.closures[0].dependencies} == {("importable", None)}
    assert "names no roots" in reading.notes[0]
    assert reading.closures[0].edges


def test_a_lock_file_as_a_component_is_a_place_and_no_step_on_the_way(tmp_path: Path) -> None:
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "metadata": {"component": {"type": "application", "bom-ref": "root", "name": "."}},
        "components": [
            {"type": "application", "bom-ref": "lock", "name": "package-lock.json"},
            component("a", "pkg:npm/a@1.0.0"),
            component("b", "pkg:npm/b@1.0.0"),
        ],
        "dependencies": [
            {"ref": "root", "dependsOn": ["lock"]},
            {"ref": "lock", "dependsOn": ["a"]},
            {"ref": "a", "dependsOn": ["b"]},
        ],
    }
    closure = read(tmp_path, document)
    assert [(row.coordinate.name, row.distance) for row in closure.dependencies] == [("a", 1), ("b", 2)]
    assert [(row.name, row.reason) for row in closure.skipped] == [
        ("package-lock.json", "no package URL (application)")
    ]


def test_circles_end(tmp_path: Path) -> None:
    document = {
        **DOCUMENT,
        "dependencies": [*DOCUMENT["dependencies"], {"ref": "uuid", "dependsOn": ["express", "app", "uuid"]}],
    }
    assert purls(read(tmp_path, document)) == CycloneDxContract.good_purls


BOMB = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))


@pytest.mark.parametrize(
    "text",
    [
        f'<!DOCTYPE bom [<!ENTITY l0 "ha">{BOMB}]><bom xmlns="http://cyclonedx.org/schema/bom/1.4">&l9;</bom>',
        '<!DOCTYPE bom SYSTEM "bom.dtd"><bom xmlns="http://cyclonedx.org/schema/bom/1.4"/>',
        '<!DOCTYPE b [<!ENTITY x SYSTEM "file:///etc/passwd">]><bom xmlns="http://cyclonedx.org/schema/bom/1.4">&x;</bom>',
        '<bom xmlns="http://cyclonedx.org/schema/bom/1.4">' + "<components><component>" * 5000,
        '<bom xmlns="http://cyclonedx.org/schema/bom/1.4">&unknown;</bom>',
        '<bom xmlns="http://cyclonedx.org/schema/bom/1.4"/><bom/>',
        "<",
    ],
)
def test_dangerous_xml_is_refused_typed_and_quotes_nothing(tmp_path: Path, text: str) -> None:
    with pytest.raises(CycloneDxError) as caught:
        read(tmp_path, text, "bom.xml")
    assert "passwd" not in str(caught.value)


def test_components_nested_too_deep_are_refused(tmp_path: Path) -> None:
    inner: dict[str, Any] = {"name": "x"}
    for _ in range(150):
        inner = {"name": "x", "components": [inner]}
    with pytest.raises(CycloneDxError, match="nested too deep"):
        read(tmp_path, {"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [inner]})


@pytest.mark.parametrize("version", ["1.2", "1.3", "1.4", "1.5", "1.6"])
def test_every_version_is_read_in_both_forms(tmp_path: Path, version: str) -> None:
    document = {**DOCUMENT, "specVersion": version}
    assert purls(read(tmp_path, document)) == CycloneDxContract.good_purls
    assert purls(read(tmp_path, as_xml(document), "bom.xml")) == CycloneDxContract.good_purls


@pytest.mark.parametrize("name", ["bom.json", "sbom.xml", "service.cdx.json", "Service.CDX.xml"])
def test_its_file_names_say_the_format(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}")
    assert reader_of(tmp_path / name).name == "cyclonedx"


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the evaluation data is not beside the project")
@pytest.mark.parametrize("path", sorted(SHARED.glob("*.cdx.json")) or [Path("absent")], ids=lambda path: path.name)
def test_bills_that_others_wrote_are_read_whole(path: Path) -> None:
    components = json.loads(path.read_text(encoding="utf-8"))["components"]
    (closure,) = read_closures(ClosureRequest(path), {}).closures
    assert closure.skipped == ()
    stated = {each["purl"].lower().partition("#")[0].partition("?")[0] for each in components}
    assert {purl.lower() for purl in purls(closure)} == stated
    assert all(row.digests for row in closure.dependencies)
