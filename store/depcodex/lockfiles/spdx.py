"""SPDX 2.2 and 2.3 bills of materials in JSON as a closure.

Here: packages, their package URLs and checksums, and the relationships that say who asks for whom. Not here: what
becomes of them (depcodex.lockfiles.bills).

Spec: SPDX 2.3, clauses 7 (packages) and 11 (relationships). The root is what the document describes; where it describes
several packages, those that ask for nothing, or that another one asks for, are dependencies like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.bills import DEVELOPMENT, Bill, Component, closure_reading, digest_of
from depcodex.lockfiles.documents import guarded, parse_json, read_text, table, tables, text_of
from depcodex.lockfiles.interface import Reading, Sample, Target

_VERSIONS = ("SPDX-2.2", "SPDX-2.3")
_VERSION_PATTERN = re.compile(r'"spdxVersion"\s*:\s*"SPDX-')
_DOCUMENT = "SPDXRef-DOCUMENT"
# Relationship → whether the asking element stands second, and why the edge does not count.
_RELATIONSHIPS: dict[str, tuple[bool, str]] = {
    "DEPENDS_ON": (False, ""),
    "CONTAINS": (False, ""),
    "HAS_PREREQUISITE": (False, ""),
    "DEPENDENCY_OF": (True, ""),
    "CONTAINED_BY": (True, ""),
    "RUNTIME_DEPENDENCY_OF": (True, ""),
    "OPTIONAL_DEPENDENCY_OF": (True, ""),
    "PROVIDED_DEPENDENCY_OF": (True, ""),
    "PREREQUISITE_FOR": (True, ""),
    "BUILD_DEPENDENCY_OF": (True, DEVELOPMENT),
    "DEV_DEPENDENCY_OF": (True, DEVELOPMENT),
    "TEST_DEPENDENCY_OF": (True, DEVELOPMENT),
}


class SpdxError(LockfileError):
    """An SPDX bill of materials cannot be read."""

    format_name = "spdx"


class SpdxReader:
    """Reads SPDX 2 in JSON."""

    name = "spdx"
    error: type[LockfileError] = SpdxError

    def matches_content(self, sample: Sample) -> bool:
        """JSON that names the version of SPDX."""
        return sample.text.lstrip()[:1] == "{" and _VERSION_PATTERN.search(sample.text) is not None

    def read(self, path: Path, target: Target) -> Reading:
        """The one closure of the bill of materials; see ``LockfileReader.read``."""
        with guarded(path, SpdxError):
            document = parse_json(read_text(path, SpdxError), path, SpdxError)
            if "sbom" in document and "spdxVersion" not in document:
                # A code host's dependency graph wraps the document so.
                document = table(document, "sbom", path, SpdxError)
            version = text_of(document, "spdxVersion", path, SpdxError)
            if version not in _VERSIONS:
                raise SpdxError(path, f"spdxVersion: expected {' or '.join(_VERSIONS)}, got {version[:20]!r}")
            return closure_reading(self.name, _bill(document, path), path, target)


def _bill(document: Mapping[str, Any], path: Path) -> Bill:
    bill = Bill([_component(row, path) for row in tables(document, "packages", path, SpdxError)])
    described = document.get("documentDescribes", [])
    if not isinstance(described, list) or not all(isinstance(each, str) for each in described):
        raise SpdxError(path, "documentDescribes: expected an array of strings")
    for row in tables(document, "relationships", path, SpdxError):
        kind = text_of(row, "relationshipType", path, SpdxError)
        one = text_of(row, "spdxElementId", path, SpdxError)
        other = text_of(row, "relatedSpdxElement", path, SpdxError)
        if kind == "DESCRIBES" and one == _DOCUMENT:
            described.append(other)
        elif kind == "DESCRIBED_BY" and other == _DOCUMENT:
            described.append(one)
        elif kind in _RELATIONSHIPS:
            is_second, left_out = _RELATIONSHIPS[kind]
            bill.edges.append((other, one, left_out) if is_second else (one, other, left_out))
    # Some tools hang everything on the document itself.
    described += [asked for asking, asked, _ in bill.edges if asking == _DOCUMENT]
    _divide(bill, list(dict.fromkeys(described)))
    return bill


def _divide(bill: Bill, described: list[str]) -> None:
    """What the document describes is the project itself, or, where it is one of several, a dependency."""
    if len(described) == 1:
        bill.roots.update(described)
        return
    asking = {each for each, _, _ in bill.edges}
    asked = {each for one, each, _ in bill.edges if one != _DOCUMENT}
    bill.roots.update(each for each in described if each in asking and each not in asked)
    bill.named += [each for each in described if each not in bill.roots]


def _component(row: Mapping[str, Any], path: Path) -> Component:
    purl = next(
        (
            text_of(each, "referenceLocator", path, SpdxError)
            for each in tables(row, "externalRefs", path, SpdxError)
            if text_of(each, "referenceType", path, SpdxError) == "purl"
        ),
        "",
    )
    digests = [
        digest
        for each in tables(row, "checksums", path, SpdxError)
        for digest in digest_of(
            text_of(each, "algorithm", path, SpdxError), text_of(each, "checksumValue", path, SpdxError)
        )
    ]
    kind = text_of(row, "primaryPackagePurpose", path, SpdxError).lower().replace("_", "-")
    return Component(
        text_of(row, "SPDXID", path, SpdxError),
        text_of(row, "name", path, SpdxError),
        text_of(row, "versionInfo", path, SpdxError),
        purl,
        kind,
        tuple(digests),
    )
