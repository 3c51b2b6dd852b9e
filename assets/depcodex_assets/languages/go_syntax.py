"""What one Go file holds, as data.

Here: the dataclasses that go_files fills and depcodex_assets.languages.go joins. Not here: reading a tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from depcodex_assets.languages.declarations import SourceFile


@dataclass(frozen=True, slots=True)
class GoMember:
    """A field of a struct, a method of an interface, or a method with its receiver.

    Attributes:
        name: its own; of a field in an anonymous struct with the names around it, ``Deep.Y``.
        kind: ``method`` or ``property``.
        signature: as written, on one line.
        doc: plain text.
        line: 1-based.
    """

    name: str
    kind: str
    signature: str
    doc: str | None
    line: int


@dataclass(frozen=True, slots=True)
class GoDefinition:
    """A function, type, constant or variable of a package.

    Attributes:
        name: its own, exported or not.
        kind: ``function``, ``class`` (structs and interfaces), ``type`` or ``constant``.
        signature: as written without bodies, on one line.
        doc: plain text.
        line: 1-based.
        members: fields and interface methods that are exported.
        embedded: embedded types as written, without ``*`` and type arguments.
        alias_of: what a type alias stands for, as written and without type arguments; "" for everything else.
    """

    name: str
    kind: str
    signature: str
    doc: str | None
    line: int
    members: tuple[GoMember, ...] = ()
    embedded: tuple[str, ...] = ()
    alias_of: str = ""


@dataclass(frozen=True, slots=True)
class GoFile:
    """One file, read.

    Attributes:
        file: where it comes from.
        package: the name in its package clause; "" where it has none.
        is_built: it is part of the build that documentation is shown for.
        doc: the plain text above the package clause.
        line: 1-based line of the package clause.
        imports: local name → import path; a path without a name of its own stands under "" plus itself.
        definitions: in source order.
        methods: receiver's type → its exported methods, in source order.
        problem: why it was not read whole; None when it was.
    """

    file: SourceFile
    package: str = ""
    is_built: bool = True
    doc: str | None = None
    line: int = 1
    imports: Mapping[str, str] = field(default_factory=dict)
    unnamed_imports: tuple[str, ...] = ()
    definitions: tuple[GoDefinition, ...] = ()
    methods: Mapping[str, tuple[GoMember, ...]] = field(default_factory=dict)
    problem: str | None = None


def is_exported(name: str) -> bool:
    """Whether a name begins with an upper-case letter, and so is seen outside its package.

    Example:
        >>> is_exported("Get"), is_exported("get"), is_exported("_Get"), is_exported("Ärger")
        (True, False, False, True)
    """
    return name[:1].isupper()
