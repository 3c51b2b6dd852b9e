"""The class-file format, read as far as names, types and flags go.

Here: bytes to records, every count and offset checked against what is there. Not here: what of it is public API and how
it is shown (jvm_class).

Spec: the Java Virtual Machine Specification, chapter 4 (class files up to version 69). A library for it would have to
be kept up with each Java release; those on PyPI are not.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

MAGIC = 0xCAFEBABE
PUBLIC, PRIVATE, PROTECTED, STATIC, FINAL = 0x1, 0x2, 0x4, 0x8, 0x10
BRIDGE, VARARGS, INTERFACE, ABSTRACT, SYNTHETIC = 0x40, 0x80, 0x200, 0x400, 0x1000
ANNOTATION, ENUM, MODULE = 0x2000, 0x4000, 0x8000
_UTF8, _INTEGER, _FLOAT, _LONG, _DOUBLE, _CLASS, _STRING = 1, 3, 4, 5, 6, 7, 8
# Bytes behind the tag of each constant (4.4).
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
_U2 = struct.Struct(">H")
_U4 = struct.Struct(">I")


class ClassFileError(ValueError):
    """The bytes are no whole class file; what reads class files catches it."""


@dataclass(frozen=True, slots=True)
class Member:
    """A field or a method.

    Attributes:
        flags: its access flags.
        name: as the JVM has it.
        descriptor: its types, without generics.
        signature: its types with generics; "" where it has none.
        constant: a field's constant value, written as Java writes it; "" without one or for a string.
        exceptions: binary names that a method declares to throw.
        parameters: names of a method's parameters, where the compiler kept them.
        is_deprecated: it carries the Deprecated attribute.
    """

    flags: int
    name: str
    descriptor: str
    signature: str = ""
    constant: str = ""
    exceptions: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    is_deprecated: bool = False


@dataclass(frozen=True, slots=True)
class ClassFile:
    """One class.

    Attributes:
        flags: its access flags; a nested class's own are in ``nested``.
        name: its binary name with slashes.
        base: its superclass; "" for Object and modules.
        interfaces: binary names.
        signature: its supertypes with generics; "" where it has none.
        fields: in file order.
        methods: in file order.
        nested: by binary name the outer class's binary name, the bare name and the flags of nested classes it mentions;
            "" for what stands in a method or has no name.
        components: names of a record's components; None where it is no record.
        is_deprecated: it carries the Deprecated attribute.
    """

    flags: int
    name: str
    base: str
    interfaces: tuple[str, ...]
    signature: str = ""
    fields: tuple[Member, ...] = ()
    methods: tuple[Member, ...] = ()
    nested: Mapping[str, tuple[str, str, int]] = field(default_factory=dict)
    components: tuple[str, ...] | None = None
    is_deprecated: bool = False


def read_class_file(content: bytes) -> ClassFile:
    """A class file's names, types and flags.

    Raises:
        ClassFileError: truncated, or an index points to what is not there.
    """
    try:
        return _Reader(content).read()
    except (struct.error, IndexError, KeyError, UnicodeError) as error:
        raise ClassFileError(str(error)) from error


class _Reader:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0
        self._constants: list[tuple[int, bytes]] = [(0, b"")]

    def read(self) -> ClassFile:
        if self._u4() != MAGIC:
            raise ClassFileError("no class file")
        self._at = 8
        self._read_constants()
        flags = self._u2()
        name, base = self._class(self._u2()), self._class(self._u2())
        interfaces = tuple(self._class(self._u2()) for _ in range(self._u2()))
        fields = tuple(self._member() for _ in range(self._u2()))
        methods = tuple(self._member() for _ in range(self._u2()))
        signature, is_deprecated = "", False
        nested: dict[str, tuple[str, str, int]] = {}
        components: tuple[str, ...] | None = None
        for attribute, start in self._attributes():
            if attribute == "Signature":
                signature = self._text(self._u2_at(start))
            elif attribute == "Deprecated":
                is_deprecated = True
            elif attribute == "InnerClasses":
                for index in range(self._u2_at(start)):
                    inner, outer, bare, access = struct.unpack_from(">4H", self._content, start + 2 + 8 * index)
                    nested[self._class(inner)] = (self._class(outer), self._text(bare), access)
            elif attribute == "Record":
                components = self._components(start)
        return ClassFile(flags, name, base, interfaces, signature, fields, methods, nested, components, is_deprecated)

    def _read_constants(self) -> None:
        count = self._u2()
        while len(self._constants) < count:
            tag = self._content[self._at]
            self._at += 1
            size = self._u2() if tag == _UTF8 else _SIZES[tag]
            data = self._content[self._at : self._at + size]
            if len(data) != size:
                raise ClassFileError("truncated")
            self._at += size
            self._constants.append((tag, data))
            if tag in (_LONG, _DOUBLE):
                self._constants.append((0, b""))

    def _member(self) -> Member:
        flags, name, descriptor = self._u2(), self._text(self._u2()), self._text(self._u2())
        signature, constant, is_deprecated = "", "", False
        exceptions: tuple[str, ...] = ()
        parameters: tuple[str, ...] = ()
        for attribute, start in self._attributes():
            if attribute == "Signature":
                signature = self._text(self._u2_at(start))
            elif attribute == "ConstantValue":
                constant = self._constant(self._u2_at(start), descriptor)
            elif attribute == "Deprecated":
                is_deprecated = True
            elif attribute == "Exceptions":
                count = self._u2_at(start)
                exceptions = tuple(self._class(self._u2_at(start + 2 + 2 * index)) for index in range(count))
            elif attribute == "MethodParameters":
                count = self._content[start]
                parameters = tuple(self._text(self._u2_at(start + 1 + 4 * index)) for index in range(count))
        return Member(flags, name, descriptor, signature, constant, exceptions, parameters, is_deprecated)

    def _attributes(self) -> list[tuple[str, int]]:
        """Each attribute's name and where its content starts; the reader stands behind them afterwards."""
        found = []
        for _ in range(self._u2()):
            name, size = self._text(self._u2()), self._u4()
            if self._at + size > len(self._content):
                raise ClassFileError("truncated")
            found.append((name, self._at))
            self._at += size
        return found

    def _components(self, start: int) -> tuple[str, ...]:
        after, self._at = self._at, start
        names = []
        for _ in range(self._u2()):
            names.append(self._text(self._u2()))
            self._u2()
            self._attributes()
        self._at = after
        return tuple(names)

    def _constant(self, index: int, descriptor: str) -> str:
        """Numbers and truth values; a string's content is prose and stays away."""
        tag, data = self._constants[index]
        if tag == _INTEGER:
            value = struct.unpack(">i", data)[0]
            return str(bool(value)).lower() if descriptor == "Z" else "" if descriptor == "C" else str(value)
        if tag == _LONG:
            return f"{struct.unpack('>q', data)[0]}L"
        return ""

    def _class(self, index: int) -> str:
        if not index:
            return ""
        tag, data = self._constants[index]
        if tag != _CLASS:
            raise ClassFileError("an index that is no class's")
        return self._text(_U2.unpack(data)[0])

    def _text(self, index: int) -> str:
        if not index:
            return ""
        tag, data = self._constants[index]
        if tag != _UTF8:
            raise ClassFileError("an index that is no text's")
        # "Modified UTF-8" writes NUL and what lies beyond the first plane in its own way; no name needs either.
        return data.decode("utf-8", "replace")

    def _u2(self) -> int:
        value: int = _U2.unpack_from(self._content, self._at)[0]
        self._at += 2
        return value

    def _u2_at(self, start: int) -> int:
        value: int = _U2.unpack_from(self._content, start)[0]
        return value

    def _u4(self) -> int:
        value: int = _U4.unpack_from(self._content, self._at)[0]
        self._at += 4
        return value
