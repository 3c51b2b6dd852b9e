"""CycloneDX bills of materials, JSON and XML, as a closure.

Here: components, nested ones too, their hashes, and the dependency graph. Not here: what becomes of them
(depcodex.lockfiles.bills).

Spec: ECMA-424, CycloneDX 1.2 to 1.6; 1.7 only adds. The root is ``metadata.component``; ``dependencies`` are its edges
and everybody else's, by ``bom-ref``; a component inside another is one that the outer one contains. Components of scope
``excluded`` are no part of what runs, ``optional`` ones are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.bills import EXCLUDED, Bill, Component, closure_reading, digest_of
from depcodex.lockfiles.documents import guarded, parse_json, read_text, table, tables, text_of
from depcodex.lockfiles.interface import Reading, Sample, Target

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_VERSIONS = frozenset({"1.2", "1.3", "1.4", "1.5", "1.6", "1.7"})
_NAMESPACE_PATTERN = re.compile(r"http://cyclonedx\.org/schema/bom/(?P<version>[0-9.]+)")
_JSON_PATTERN = re.compile(r'"bomFormat"\s*:\s*"CycloneDX"')
_MAX_NESTED = 100


class CycloneDxError(LockfileError):
    """A CycloneDX bill of materials cannot be read."""

    format_name = "cyclonedx"


class CycloneDxReader:
    """Reads CycloneDX, whichever of the two forms it is written in."""

    name = "cyclonedx"
    error: type[LockfileError] = CycloneDxError

    def matches_content(self, sample: Sample) -> bool:
        """JSON that says so, or XML in the format's namespace."""
        if sample.text.lstrip()[:1] == "{":
            return _JSON_PATTERN.search(sample.text) is not None
        return sample.text.lstrip()[:1] == "<" and _NAMESPACE_PATTERN.search(sample.text[:4000]) is not None

    def read(self, path: Path, target: Target) -> Reading:
        """The one closure of the bill of materials; see ``LockfileReader.read``."""
        text = read_text(path, CycloneDxError)
        with guarded(path, CycloneDxError):
            bill = _read_xml(text, path) if text.lstrip()[:1] == "<" else _read_json(text, path)
            return closure_reading(self.name, bill, path, target)


def _check_version(version: str, path: Path) -> None:
    if version not in _VERSIONS:
        raise CycloneDxError(path, f"specVersion: expected 1.2 to 1.7, got {version[:20]!r}")


def _read_json(text: str, path: Path) -> Bill:
    document = parse_json(text, path, CycloneDxError)
    if document.get("bomFormat") != "CycloneDX":
        raise CycloneDxError(path, "bomFormat: expected CycloneDX")
    _check_version(text_of(document, "specVersion", path, CycloneDxError), path)
    bill = Bill()
    root = table(table(document, "metadata", path, CycloneDxError), "component", path, CycloneDxError)
    if root:
        _add_root(bill, _json_component(root, path, "root"))
        _add_json(bill, root, bill.components[0].key, path)
    _add_json(bill, document, "", path)
    for row in tables(document, "dependencies", path, CycloneDxError):
        asking = text_of(row, "ref", path, CycloneDxError)
        asked = row.get("dependsOn", [])
        if not isinstance(asked, list) or not all(isinstance(each, str) for each in asked):
            raise CycloneDxError(path, "dependsOn: expected an array of strings")
        bill.edges += [(asking, each, "") for each in asked]
    return bill


def _add_root(bill: Bill, root: Component) -> None:
    bill.components.append(root)
    bill.roots.add(root.key)


def _add_json(bill: Bill, row: Mapping[str, Any], outer: str, path: Path) -> None:
    """Adds the components inside a row; a list of what waits, since nesting could be deeper than calls."""
    waiting = [(outer, each, 1) for each in reversed(tables(row, "components", path, CycloneDxError))]
    while waiting:
        above, inner, level = waiting.pop()
        if level > _MAX_NESTED:
            raise CycloneDxError(path, "nested too deep")
        component = _json_component(inner, path, f"component {len(bill.components)}")
        bill.components.append(component)
        if above:
            bill.edges.append((above, component.key, ""))
        inside = tables(inner, "components", path, CycloneDxError)
        waiting += [(component.key, each, level + 1) for each in reversed(inside)]


def _json_component(row: Mapping[str, Any], path: Path, key: str) -> Component:
    texts = {
        name: text_of(row, name, path, CycloneDxError)
        for name in ("bom-ref", "type", "group", "name", "version", "purl", "scope")
    }
    digests = [
        digest
        for each in tables(row, "hashes", path, CycloneDxError)
        for digest in digest_of(
            text_of(each, "alg", path, CycloneDxError), text_of(each, "content", path, CycloneDxError)
        )
    ]
    return _component(texts, tuple(digests), key)


def _component(texts: Mapping[str, str], digests: tuple[str, ...], key: str) -> Component:
    separator = ":" if texts["purl"].lower().startswith("pkg:maven/") else "/"
    name = f"{texts['group']}{separator}{texts['name']}" if texts["group"] else texts["name"]
    left_out = EXCLUDED if texts["scope"] == "excluded" else ""
    # A component without bom-ref is no end of an edge; where it is the root, edges may name it by its purl.
    identity = texts["bom-ref"] or texts["purl"] or key
    return Component(identity, name, texts["version"], texts["purl"], texts["type"], digests, left_out)


def _read_xml(text: str, path: Path) -> Bill:
    from depcodex.lockfiles.xml_documents import parse_xml

    document = parse_xml(text, path, CycloneDxError)
    match = _NAMESPACE_PATTERN.fullmatch(document.get("xmlns", ""))
    if document.tag != "bom" or match is None:
        raise CycloneDxError(path, "expected a bom element in the namespace of CycloneDX")
    _check_version(match["version"], path)
    bill = Bill()
    root = document.find("metadata/component")
    if root is not None:
        _add_root(bill, _xml_component(root, "root"))
        _add_xml(bill, root, bill.components[0].key)
    _add_xml(bill, document, "")
    for row in document.iterfind("dependencies/dependency"):
        bill.edges += [(row.get("ref", ""), each.get("ref", ""), "") for each in row.iterfind("dependency")]
    return bill


def _add_xml(bill: Bill, element: Element, outer: str) -> None:
    """Adds the components inside an element; how deep they nest is bounded by the parser."""
    for inner in element.iterfind("components/component"):
        component = _xml_component(inner, f"component {len(bill.components)}")
        bill.components.append(component)
        if outer:
            bill.edges.append((outer, component.key, ""))
        _add_xml(bill, inner, component.key)


def _xml_component(element: Element, key: str) -> Component:
    texts = {name: (element.findtext(name) or "").strip() for name in ("group", "name", "version", "purl", "scope")}
    texts |= {"bom-ref": element.get("bom-ref", ""), "type": element.get("type", "")}
    digests = [
        digest for each in element.iterfind("hashes/hash") for digest in digest_of(each.get("alg", ""), each.text or "")
    ]
    return _component(texts, tuple(digests), key)
