"""SPDX 2 in JSON: roots, relationships in both directions, and what is skipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls
from depcodex.closure import Closure
from depcodex.lockfiles.bills import DEVELOPMENT
from depcodex.lockfiles.detection import reader_of
from depcodex.lockfiles.spdx import SpdxReader


def package(key: str, purl: str = "", version: str = "", **fields: Any) -> dict[str, Any]:
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
    return {
        "SPDXID": f"SPDXRef-{key}",
        "name": key,
        **({"versionInfo": version} if version else {}),
        **({"externalRefs": [reference]} if purl else {}),
        **fields,
    }


def relation(one: str, kind: str, other: str) -> dict[str, str]:
    return {"spdxElementId": f"SPDXRef-{one}", "relationshipType": kind, "relatedSpdxElement": f"SPDXRef-{other}"}


DOCUMENT: dict[str, Any] = {
    "spdxVersion": "SPDX-2.3",
    "SPDXID": "SPDXRef-DOCUMENT",
    "packages": [
        package("app", "pkg:pypi/app@0.1"),
        package(
            "client",
            "pkg:pypi/Client@2.0",
            "2.0",
            checksums=[{"algorithm": "SHA256", "checksumValue": "A" * 64}, {"algorithm": "MD5", "checksumValue": "b"}],
        ),
        package("server", "pkg:pypi/server@1.0", "1.0"),
        package("deep", "pkg:pypi/deep@3.0", "3.0"),
        package("checker", "pkg:pypi/checker@9", "9"),
        package("contained", "pkg:npm/contained@1.0.0", "1.0.0"),
        package("nameless", version="4"),
        package("unversioned", "pkg:pypi/unversioned"),
    ],
    "relationships": [
        relation("DOCUMENT", "DESCRIBES", "app"),
        relation("app", "DEPENDS_ON", "client"),
        relation("server", "DEPENDENCY_OF", "app"),
        relation("deep", "RUNTIME_DEPENDENCY_OF", "client"),
        relation("checker", "DEV_DEPENDENCY_OF", "app"),
        relation("server", "CONTAINS", "contained"),
        relation("app", "GENERATED_FROM", "server"),
    ],
}


class TestSpdx(LockfileReaderContract):
    format_name = "spdx"
    file_name = "app.spdx.json"
    good = json.dumps(DOCUMENT, indent=1)
    good_purls = frozenset(
        {"pkg:pypi/client@2.0", "pkg:pypi/server@1.0", "pkg:pypi/deep@3.0", "pkg:npm/contained@1.0.0"}
    )
    good_skipped = frozenset({("checker", "9"), ("nameless", "4"), ("unversioned", "")})
    empty = '{"spdxVersion": "SPDX-2.3", "packages": []}'
    malformed = '{"spdxVersion": "SPDX-2.3", "packages": ['
    wrong_version = '{"spdxVersion": "SPDX-3.0"}'
    wrong_type = '{"spdxVersion": "SPDX-2.3", "packages": {"SPDXID": 7}}'


def read(tmp_path: Path, document: dict[str, Any]) -> Closure:
    path = tmp_path / "app.spdx.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return SpdxReader().read(path, linux_target()).closures[0]


def test_relationships_of_both_directions_are_edges(tmp_path: Path) -> None:
    closure = read(tmp_path, DOCUMENT)
    rows = {row.coordinate.name: (row.scope.value, row.distance) for row in closure.dependencies}
    assert rows == {
        "client": ("declared", 1),
        "server": ("declared", 1),
        "deep": ("importable", 2),
        "contained": ("importable", 2),
    }
    assert ("pkg:pypi/client@2.0", "pkg:pypi/deep@3.0") in closure.edges
    assert {row.name: row.reason for row in closure.skipped}["checker"] == DEVELOPMENT
    assert closure.dependency(closure.dependencies[1].coordinate) is not None
    assert {row.coordinate.name: row.digests for row in closure.dependencies}["client"] == ("sha256:" + "a" * 64,)


def test_of_several_described_packages_only_those_that_ask_are_the_project(tmp_path: Path) -> None:
    described = [f"SPDXRef-{each}" for each in ("app", "client", "deep")]
    relations = DOCUMENT["relationships"][1:]
    closure = read(tmp_path, {**DOCUMENT, "documentDescribes": described, "relationships": relations})
    rows = {row.coordinate.name: row.distance for row in closure.dependencies}
    assert rows == {"client": 1, "server": 1, "deep": 1, "contained": 2}


def test_a_document_without_relationships_has_no_distance(tmp_path: Path) -> None:
    closure = read(tmp_path, {**DOCUMENT, "relationships": []})
    assert {row.distance for row in closure.dependencies} == {None}
    assert "pkg:pypi/app@0.1" in purls(closure)


def test_a_code_hosts_wrapped_document_is_read(tmp_path: Path) -> None:
    assert purls(read(tmp_path, {"sbom": DOCUMENT})) == TestSpdx.good_purls
    path = tmp_path / "export"
    path.write_text(json.dumps({"sbom": DOCUMENT}))
    assert reader_of(path).name == "spdx"


@pytest.mark.parametrize("version", ["SPDX-2.2", "SPDX-2.3"])
def test_both_versions_are_read(tmp_path: Path, version: str) -> None:
    assert purls(read(tmp_path, {**DOCUMENT, "spdxVersion": version})) == TestSpdx.good_purls
