"""One class file, read into ``FileSyntax``: names and signatures, no documentation.

Here: which classes and members callers can name, and their signatures as Java writes them. Not here: the format
(jvm_class_file), types (jvm_class_types).

What a compiler made (synthetic and bridge members, ``values`` of an enum, names with ``$``) is left out. Kotlin's own
view of its classes lies in metadata that is not read: a file's functions stand in the file's class.
"""

from __future__ import annotations

import re

from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.jvm_class_file import (
    ABSTRACT,
    ANNOTATION,
    BRIDGE,
    ENUM,
    FINAL,
    INTERFACE,
    MODULE,
    PRIVATE,
    PROTECTED,
    PUBLIC,
    STATIC,
    SYNTHETIC,
    VARARGS,
    ClassFile,
    ClassFileError,
    Member,
    read_class_file,
)
from depcodex_assets.languages.jvm_class_types import (
    ClassTypes,
    MethodTypes,
    class_types,
    dotted,
    field_type,
    method_types,
)
from depcodex_assets.languages.jvm_source import MAX_FILE_BYTES
from depcodex_assets.languages.jvm_syntax import Definition, FileSyntax

LANGUAGE = "jvm-class"
_VISIBLE = PUBLIC | PROTECTED
_NAME = re.compile(r"[^\W\d]\w*")
_IMPLIED_BASES = frozenset(
    ("java.lang.Object", "java.lang.Enum", "java.lang.Record", "java.lang.annotation.Annotation")
)


def read_class(file: SourceFile) -> FileSyntax:
    """Read one class file; what is none is named in ``problem``."""
    if len(file.content) > MAX_FILE_BYTES:
        return FileSyntax(file, LANGUAGE, problem="limit:size")
    try:
        found = read_class_file(file.content)
    except ClassFileError:
        return FileSyntax(file, LANGUAGE, problem="syntax")
    package, _, binary = found.name.rpartition("/")
    package = package.replace("/", ".")
    name = _nested_name(found, binary)
    if name is None or found.flags & (SYNTHETIC | MODULE):
        return FileSyntax(file, LANGUAGE, package)
    definition, problem = _definition(found, name)
    return FileSyntax(file, LANGUAGE, package, definitions=(definition,), problem=problem)


def _nested_name(found: ClassFile, binary: str) -> str | None:
    """The name with the classes around it; None for what has none that code can write."""
    names: list[str] = []
    current = found.name
    while current in found.nested and len(names) < 60:
        outer, bare, _ = found.nested[current]
        if not outer or not _NAME.fullmatch(bare):
            return None
        names.append(bare)
        current = outer
    top = current.rpartition("/")[2] if names else binary
    return ".".join([top, *reversed(names)]) if _NAME.fullmatch(top) else None


def _is_public(found: ClassFile) -> bool:
    current = found.name
    if current not in found.nested:
        return bool(found.flags & PUBLIC)
    for _ in range(60):
        if current not in found.nested:
            return True
        outer, _, flags = found.nested[current]
        if not flags & _VISIBLE:
            return False
        current = outer
    return False


def _definition(found: ClassFile, name: str) -> tuple[Definition, str | None]:
    flags = found.nested[found.name][2] if found.name in found.nested else found.flags
    bare = name.rpartition(".")[2]
    members: list[Definition] = []
    problem = None
    for each in (*found.fields, *found.methods):
        try:
            member = _member(each, found, bare)
        except ClassFileError:
            problem = "syntax"
            continue
        if member is not None:
            members.append(member)
    types = _class_types(found)
    return (
        Definition(
            name,
            "class",
            _header(flags, bare, types),
            1,
            bases=tuple(each for each in types.names if each and each not in _IMPLIED_BASES),
            members=tuple(members),
            is_public=_is_public(found),
            is_deprecated=found.is_deprecated,
        ),
        problem,
    )


def _class_types(found: ClassFile) -> ClassTypes:
    if found.signature:
        try:
            return class_types(found.signature)
        except ClassFileError:
            pass
    names = tuple(dotted(each) for each in (found.base, *found.interfaces) if each)
    return ClassTypes("", tuple(each.rpartition(".")[2] for each in names), names)


def _header(flags: int, bare: str, types: ClassTypes) -> str:
    is_interface = bool(flags & INTERFACE)
    keyword = "class"
    if flags & ANNOTATION:
        keyword = "@interface"
    elif is_interface:
        keyword = "interface"
    elif flags & ENUM:
        keyword = "enum"
    words = _visibility(flags)
    if keyword == "class":
        words += [word for flag, word in ((STATIC, "static"), (ABSTRACT, "abstract"), (FINAL, "final")) if flags & flag]
    pairs = [pair for pair in zip(types.supertypes, types.names, strict=True) if pair[1] not in _IMPLIED_BASES]
    has_base = bool(types.names) and types.names[0] not in _IMPLIED_BASES and not is_interface
    shown = [each for each, _ in pairs]
    text = " ".join([*words, keyword, bare + types.variables])
    if has_base:
        text += f" extends {shown[0]}"
        shown = shown[1:]
    if shown and not flags & ANNOTATION:
        text += f" {'extends' if is_interface else 'implements'} {', '.join(shown)}"
    return text


def _member(member: Member, found: ClassFile, bare: str) -> Definition | None:
    is_enum = bool(found.flags & ENUM)
    if member.flags & SYNTHETIC or not member.flags & _VISIBLE or member.flags & PRIVATE:
        return None
    if found.flags & FINAL and not member.flags & PUBLIC:
        return None
    if member.descriptor.startswith("("):
        is_made = is_enum and member.name in ("values", "valueOf", "<init>")
        return None if member.flags & BRIDGE or is_made else _method(member, found, bare)
    if not _NAME.fullmatch(member.name):
        return None
    if member.flags & ENUM:
        return _defined(member, member.name, "constant", member.name)
    is_constant = member.flags & STATIC and member.flags & FINAL
    words = _visibility(member.flags)
    words += [word for flag, word in ((STATIC, "static"), (FINAL, "final")) if member.flags & flag]
    signature = " ".join([*words, _field_type(member), member.name])
    if member.constant:
        signature += f" = {member.constant}"
    return _defined(member, member.name, "constant" if is_constant else "property", signature)


def _field_type(member: Member) -> str:
    if member.signature:
        try:
            return field_type(member.signature)
        except ClassFileError:
            pass
    return field_type(member.descriptor)


def _method(member: Member, found: ClassFile, bare: str) -> Definition | None:
    is_constructor = member.name == "<init>"
    if not is_constructor and not _NAME.fullmatch(member.name):
        return None
    types = _method_types(member)
    parameters = list(types.parameters)
    if member.flags & VARARGS and parameters and parameters[-1].endswith("[]"):
        parameters[-1] = f"{parameters[-1][:-2]}..."
    key = tuple(each.partition("<")[0].rpartition(".")[2] if "..." not in each else each for each in parameters)
    names = member.parameters
    if len(names) == len(parameters) and all(_NAME.fullmatch(each) for each in names):
        parameters = [f"{each} {name}" for each, name in zip(parameters, names, strict=True)]
    words = _visibility(member.flags)
    is_interface = bool(found.flags & INTERFACE)
    if member.flags & STATIC:
        words.append("static")
    if member.flags & ABSTRACT and not is_interface:
        words.append("abstract")
    elif is_interface and not member.flags & (ABSTRACT | STATIC):
        words.append("default")
    if member.flags & FINAL:
        words.append("final")
    if types.variables:
        words.append(types.variables)
    name = bare if is_constructor else member.name
    if not is_constructor:
        words.append(types.returns)
    thrown = types.throws or tuple(dotted(each).rpartition(".")[2] for each in member.exceptions)
    signature = f"{' '.join([*words, name])}({', '.join(parameters)})"
    if thrown:
        signature += f" throws {', '.join(thrown)}"
    is_value = bool(found.flags & ANNOTATION) or (name in (found.components or ()) and not parameters)
    return _defined(
        member, name, "property" if is_value else "method", signature, key=key, is_constructor=is_constructor
    )


def _method_types(member: Member) -> MethodTypes:
    if member.signature:
        try:
            return method_types(member.signature)
        except ClassFileError:
            pass
    return method_types(member.descriptor)


def _defined(
    member: Member,
    name: str,
    kind: str,
    signature: str,
    *,
    key: tuple[str, ...] | None = None,
    is_constructor: bool = False,
) -> Definition:
    return Definition(
        name,
        kind,
        signature,
        1,
        key=key,
        is_static=bool(member.flags & STATIC),
        is_constructor=is_constructor,
        is_deprecated=member.is_deprecated,
    )


def _visibility(flags: int) -> list[str]:
    return ["public"] if flags & PUBLIC else ["protected"] if flags & PROTECTED else []
