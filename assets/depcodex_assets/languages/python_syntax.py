"""What one Python file says, as frozen dataclasses: read from its tree, resolved against the other files later.

Here: the shapes only. Not here: how they are read off a tree (python_modules) or resolved (python_namespaces).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from depcodex_assets.languages.declarations import SourceFile


@dataclass(frozen=True, slots=True)
class Definition:
    """Something that a class or module defines under a name.

    Attributes:
        name: the bare name.
        kind: one of ``schemas.KINDS``.
        signatures: one line each, without decorators and body; several for overloads, in source order.
        doc: its cleaned docstring.
        line: 1-based.
        is_assignment: written as an assignment, not as a ``def``, ``class`` or ``type`` statement.
        is_annotated: the signatures carry types.
        is_deprecated: a decorator says so.
        is_overload: one ``@overload`` of several.
        bases: dotted names of a class statement, as written; calls and other expressions are left out.
        value: the dotted name that an assignment gives another name to, else "".
        members: what a class defines, by name.
    """

    name: str
    kind: str
    signatures: tuple[str, ...]
    doc: str | None
    line: int
    is_assignment: bool = False
    is_annotated: bool = False
    is_deprecated: bool = False
    is_overload: bool = False
    bases: tuple[str, ...] = ()
    value: str = ""
    members: Mapping[str, Definition] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Import:
    """A name that an import binds.

    Attributes:
        module: absolute dotted module.
        attribute: the name taken out of it; "" for the module itself.
        is_explicit: ``import a as a`` and ``from m import a as a``: the author's mark for a re-export.
        is_lazy: made by the module's ``__getattr__``.
        is_guess: read out of a table whose meaning is not certain: only a target that exists counts.
        line: 1-based.
    """

    module: str
    attribute: str = ""
    is_explicit: bool = False
    is_lazy: bool = False
    is_guess: bool = False
    line: int = 1


@dataclass(frozen=True, slots=True)
class ExportList:
    """What ``__all__`` says.

    Attributes:
        names: literal names, in order.
        modules: dotted names, as written, of modules whose ``__all__`` is added.
        is_complete: False when part of it is computed in a way that is not read.
    """

    names: tuple[str, ...]
    modules: tuple[str, ...] = ()
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class AddedDoc:
    """A docstring given from outside: ``add_newdoc("module", "name", "doc")``, for objects defined in C.

    Attributes:
        module: absolute dotted module.
        name: an object of that module.
        member: a name in that object; "" for the object itself.
        doc: cleaned.
    """

    module: str
    name: str
    member: str
    doc: str


@dataclass(frozen=True, slots=True)
class ModuleSyntax:
    """One file, read.

    Attributes:
        file: where it comes from.
        module: absolute dotted name.
        is_package: an ``__init__``.
        is_stub: a ``.pyi``.
        doc: the module's docstring.
        definitions: by name; the first of several wins, unless it is an assignment and a later one is not.
        imports: by the name bound, in source order (the branches of a condition bind one name twice).
        stars: absolute modules of ``from … import *``, in source order.
        exports: what ``__all__`` says; None without one.
        is_stub_governed: names are loaded on first use from where the stub beside it imports them (``attach_stub``).
        added_docs: docstrings for other modules' objects.
        problem: why it was not read whole; None when it was.
    """

    file: SourceFile
    module: str
    is_package: bool
    is_stub: bool
    doc: str | None = None
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    imports: Mapping[str, tuple[Import, ...]] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    exports: ExportList | None = None
    is_stub_governed: bool = False
    added_docs: tuple[AddedDoc, ...] = ()
    problem: str | None = None


def is_private(name: str) -> bool:
    """Whether an underscore hides a name; special names such as ``__init__`` are public.

    Example:
        >>> [is_private(name) for name in ("get", "_get", "__get", "__get__", "_")]
        [False, True, True, False, True]
    """
    return name.startswith("_") and not (len(name) > 4 and name.startswith("__") and name.endswith("__"))


def absolute_module(module: str, is_package: bool, written: str) -> str:
    """The absolute name of a module written relatively in ``module``; "" when it climbs out of the top.

    Example:
        >>> absolute_module("a.b.c", False, "..d"), absolute_module("a.b", True, ".")
        ('a.d', 'a.b')
    """
    name = written.lstrip(".")
    level = len(written) - len(name)
    if not level:
        return name
    parts = module.split(".")
    keep = len(parts) - level + (1 if is_package else 0)
    if keep <= 0:
        return ""
    return ".".join([*parts[:keep], name] if name else parts[:keep])
