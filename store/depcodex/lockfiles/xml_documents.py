"""Reading XML that may be hostile, so that whatever is wrong with it becomes the format's error.

Here: bytes to elements, without document types, entities or anything outside the file. Not here: what any format means.

A document type declaration is where entities are made, so it is refused whole: neither an entity that grows ("billion
laughs") nor one that names another file can come to be. No format that we read uses one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import MAX_LOCK_BYTES

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# The deepest real one, a pom.xml with plugin configuration, has about 15 levels.
_MAX_DEPTH = 100


class _RefusedDocumentError(ValueError):
    """The document has what none of ours has; the text says what."""


def read_xml(path: Path, error: type[LockfileError], root_name: str) -> Element:
    """The root element of the file, names without their namespaces; an empty file is an empty root.

    Raises:
        LockfileError: ``error``; absent, not readable, too large, not XML, cut off, with a document type, nested too
            deep, or of another root than ``root_name``.
    """
    from xml.etree.ElementTree import Element

    try:
        if path.stat().st_size > MAX_LOCK_BYTES:
            raise error(path, f"too large, expected at most {MAX_LOCK_BYTES} bytes")
        content = path.read_bytes()
    except OSError as problem:
        raise error(path, f"cannot be read: {problem.strerror}") from problem
    if not content.strip():
        return Element(root_name)
    root = _parsed(content, path, error)
    if root.tag != root_name:
        raise error(path, f"expected the root element {root_name}, got another")
    return root


def parse_xml(text: str, path: Path, error: type[LockfileError]) -> Element:
    """The root element of a text; names are without their namespace, the root's is its attribute ``xmlns``.

    Raises:
        LockfileError: ``error``; as ``read_xml``, but for the root's name.

    Example:
        >>> parse_xml('<bom xmlns="urn:x"><a/></bom>', Path("bom.xml"), LockfileError).get("xmlns")
        'urn:x'
    """
    return _parsed(text.encode(), path, error)


def _parsed(content: bytes, path: Path, error: type[LockfileError]) -> Element:
    from xml.etree.ElementTree import TreeBuilder
    from xml.parsers import expat

    builder = TreeBuilder()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise _RefusedDocumentError("nested too deep")
        plain = {_local(key): value for key, value in attributes.items()}
        if depth == 1:
            plain["xmlns"] = name.rpartition("}")[0]
        builder.start(_local(name), plain)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(name))

    def refuse(*_: object) -> None:
        raise _RefusedDocumentError("a document type declaration, which is not read")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse  # type: ignore[assignment]
    try:
        parser.Parse(content, True)
    except expat.ExpatError as problem:
        raise error(path, f"not XML, line {problem.lineno}, column {problem.offset + 1}") from problem
    except (_RefusedDocumentError, LookupError, UnicodeError) as problem:
        said = str(problem) if isinstance(problem, _RefusedDocumentError) else "in an encoding that is not known"
        raise error(path, f"refused: {said}") from problem
    return builder.close()


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """The elements on a path of names below an element, in the file's order; none below None.

    Example:
        >>> from xml.etree.ElementTree import fromstring
        >>> [each.text for each in children(fromstring("<a><b><c>1</c></b><b><c>2</c></b></a>"), "b", "c")]
        ['1', '2']
    """
    if element is None:
        return
    if not names:
        yield element
        return
    for child in element:
        if child.tag == names[0]:
            yield from children(child, *names[1:])


def child(element: Element | None, *names: str) -> Element | None:
    """The first element on a path of names, or None."""
    return next(children(element, *names), None)


def text_at(element: Element | None, *names: str) -> str:
    """The stripped text of the first element on a path of names; "" where there is none."""
    found = child(element, *names)
    return (found.text or "").strip() if found is not None else ""
