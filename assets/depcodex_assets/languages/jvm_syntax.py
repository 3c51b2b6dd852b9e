"""What one Java or Kotlin file, or one class file, says, as frozen dataclasses; resolved against the others later.

Here: the shapes only. Not here: how they are read (java, kotlin, jvm_class) or resolved (jvm).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from depcodex_assets.languages.declarations import SourceFile

# Classes in classes; a JVM refuses class files whose names pass 64 KiB, and people stop at five.
MAX_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Definition:
    """Something that a package or a class defines under a name.

    Attributes:
        name: the bare name.
        kind: one of ``schemas.KINDS``.
        signature: one line, without annotations of its own and without a body.
        line: 1-based.
        doc: its documentation as plain text.
        key: the types of its parameters by their last names, the receiver's first; None where it takes none and is no
            callable. It tells overloads apart, and finds the twin or the overridden member.
        receiver: the last name of an extension's receiver type, as written with its outer names; else "".
        bases: dotted names of the supertypes as written.
        members: what a class defines, in source order, constructors (named as the class) among them.
        jvm_names: other names that the JVM has it under, in place of ``name``.
        since: a version.
        is_public: a caller outside may name it. Others are kept for what their public subclasses inherit from them.
        is_static: reached through the class, not through an instance (companion members).
        companion: the companion object it stands in, else "".
        is_constructor: a constructor.
        is_expect: the common half of a declaration that each platform completes.
        is_actual: a platform's half.
        is_deprecated: its author says so.
        is_experimental: its author says that it may change.
        is_opt_in_marker: an annotation class whose bearers are experimental.
        annotations: last names of its own annotations.
    """

    name: str
    kind: str
    signature: str
    line: int
    doc: str | None = None
    key: tuple[str, ...] | None = None
    receiver: str = ""
    bases: tuple[str, ...] = ()
    members: tuple[Definition, ...] = ()
    jvm_names: tuple[str, ...] = ()
    since: str | None = None
    is_public: bool = True
    is_static: bool = False
    companion: str = ""
    is_constructor: bool = False
    is_expect: bool = False
    is_actual: bool = False
    is_deprecated: bool = False
    is_experimental: bool = False
    is_opt_in_marker: bool = False
    annotations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileSyntax:
    """One file, read.

    Attributes:
        file: where it comes from.
        language: ``java``, ``kotlin`` or ``jvm-class``.
        package: its dotted package; "" for the unnamed one.
        imports: full dotted names by the last name they bring.
        stars: packages and classes imported whole.
        definitions: what stands at the top level, in source order.
        facade: the class that the JVM keeps a Kotlin file's functions in; "" elsewhere.
        package_doc: the package, where the file is its ``package-info.java``.
        problem: why it was not read whole; None when it was.
    """

    file: SourceFile
    language: str
    package: str = ""
    imports: Mapping[str, str] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    definitions: tuple[Definition, ...] = ()
    facade: str = ""
    package_doc: Definition | None = None
    problem: str | None = None
