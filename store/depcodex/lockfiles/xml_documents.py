"""Reading an XML file at the edge: a tree of elements, or the format's error.

Here: parsing without what makes XML dangerous. Not here: what any format means.

A document type declaration is refused, and with it every entity: bombs that grow by entities, files and addresses that
entities name. Nesting is bounded, since trees are walked by calls.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.parsers import expat

from depcodex.errors import LockfileError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# Nested components of real bills of materials are some ten levels deep.
_MAX_DEPTH = 100


class _RefusedError(Exception):
    """What the parser met; ``str`` is the problem."""


def parse_xml(text: str, path: Path, error: type[LockfileError]) -> Element:
    """The root element. Names are without their namespace; the root's namespace is its attribute ``xmlns``.

    Args:
        text: the whole document.
        path: for the message.
        error: the format's own.

    Raises:
        LockfileError: ``error``; not XML, cut off, with a document type declaration, or nested too deep. The message
            names line and column and quotes nothing.

    Example:
        >>> parse_xml('<bom xmlns="urn:x"><a/></bom>', Path("bom.xml"), LockfileError).get("xmlns")
        'urn:x'
    """
    # Only the builder of trees is taken from there; expat parses, with declarations refused below.
    from xml.etree.ElementTree import TreeBuilder

    builder = TreeBuilder()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise _RefusedError("nested too deep")
        namespace, _, local = name.rpartition(" ")
        plain = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        if depth == 1:
            plain["xmlns"] = namespace
        builder.start(local, plain)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name.rpartition(" ")[2])

    def refuse(*_: object) -> None:
        raise _RefusedError("expected no document type declaration, got one")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        # A declared encoding other than UTF-8 no longer holds: the text was decoded before.
        parser.Parse(text.encode(), True)
        return builder.close()
    except _RefusedError as problem:
        raise error(path, str(problem)) from problem
    except (expat.ExpatError, AssertionError) as problem:
        line, column = getattr(problem, "lineno", 0), getattr(problem, "offset", 0)
        raise error(path, f"not XML, line {line}, column {column}") from problem
