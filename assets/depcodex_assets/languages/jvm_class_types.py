"""Types of class files as Java writes them.

Here: descriptors and generic signatures to text. Not here: reading the file (jvm_class_file).

Spec: the Java Virtual Machine Specification 4.3 (descriptors) and 4.7.9.1 (signatures).
"""

from __future__ import annotations

from dataclasses import dataclass

from depcodex_assets.languages.jvm_class_file import ClassFileError

_BASIC = {
    "B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short", "Z": "boolean",
    "V": "void",
}  # fmt: skip
_MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class MethodTypes:
    """A method's types.

    Attributes:
        variables: its type parameters, ``<T extends Foo>``; "" without any.
        parameters: in order.
        returns: what it gives back.
        throws: what it throws, where generics say so.
    """

    variables: str
    parameters: tuple[str, ...]
    returns: str
    throws: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassTypes:
    """A class's types.

    Attributes:
        variables: its type parameters; "" without any.
        supertypes: the superclass, then interfaces, as shown.
        names: their full dotted names.
    """

    variables: str
    supertypes: tuple[str, ...]
    names: tuple[str, ...]


def method_types(signature: str) -> MethodTypes:
    """A method's descriptor or signature. Raises ClassFileError on anything else."""
    reader = _Reader(signature)
    variables = reader.variables()
    reader.expect("(")
    parameters = []
    while not reader.takes(")"):
        parameters.append(reader.type(0))
    returns = reader.type(0)
    throws = []
    while reader.takes("^"):
        throws.append(reader.type(0))
    return MethodTypes(variables, tuple(parameters), returns, tuple(throws))


def class_types(signature: str) -> ClassTypes:
    """A class's signature. Raises ClassFileError on anything else."""
    reader = _Reader(signature)
    variables = reader.variables()
    shown, names = [], []
    while not reader.is_done:
        start = len(reader.names)
        shown.append(reader.type(0))
        names.append(reader.names[start] if len(reader.names) > start else "")
    return ClassTypes(variables, tuple(shown), tuple(names))


def field_type(signature: str) -> str:
    """A field's descriptor or signature. Raises ClassFileError on anything else.

    Example:
        >>> field_type("Ljava/util/Map$Entry<TK;[I>;")
        'Map.Entry<K, int[]>'
    """
    return _Reader(signature).type(0)


def dotted(binary: str) -> str:
    """A binary name as code writes it: ``java.util.Map.Entry``."""
    package, slash, name = binary.rpartition("/")
    inner = name.replace("$", ".").strip(".") if "$" in name.strip("$") else name
    return f"{package.replace('/', '.')}.{inner}" if slash else inner


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        # Full names of the classes met, in order.
        self.names: list[str] = []

    @property
    def is_done(self) -> bool:
        return self._at >= len(self._text)

    def takes(self, sign: str) -> bool:
        if self._text.startswith(sign, self._at):
            self._at += 1
            return True
        if self.is_done and sign != "^":
            raise ClassFileError("a type that ends early")
        return False

    def expect(self, sign: str) -> None:
        if not self.takes(sign):
            raise ClassFileError("a type of another form")

    def variables(self) -> str:
        if not self._text.startswith("<", self._at):
            return ""
        self._at += 1
        found = []
        while not self.takes(">"):
            name = self._until(":")
            bounds = []
            while self.takes(":"):
                # An empty class bound goes before the bounds by interfaces.
                if self._text.startswith((":", ">"), self._at):
                    continue
                bound = self.type(0)
                if bound != "Object":
                    bounds.append(bound)
            found.append(f"{name} extends {' & '.join(bounds)}" if bounds else name)
        return f"<{', '.join(found)}>"

    def type(self, depth: int) -> str:
        if depth > _MAX_DEPTH:
            raise ClassFileError("a type too deep")
        dimensions = 0
        while self.takes("["):
            dimensions += 1
        if dimensions > 255 or self.is_done:
            raise ClassFileError("a type of another form")
        sign = self._text[self._at]
        self._at += 1
        if sign in _BASIC:
            shown = _BASIC[sign]
        elif sign == "T":
            shown = self._until(";")
            self._at += 1
        elif sign == "L":
            shown = self._class(depth)
        else:
            raise ClassFileError("a type of another form")
        return shown + "[]" * dimensions

    def _class(self, depth: int) -> str:
        binary = self._until(";<.")
        self.names.append(dotted(binary))
        shown = dotted(binary.rpartition("/")[2])
        while True:
            if self.takes("<"):
                shown += f"<{', '.join(self._arguments(depth))}>"
            if self.takes(";"):
                return shown
            self.expect(".")
            shown += f".{self._until(';<.')}"

    def _arguments(self, depth: int) -> list[str]:
        found = []
        while not self.takes(">"):
            if self.takes("*"):
                found.append("?")
            elif self.takes("+"):
                found.append(f"? extends {self.type(depth + 1)}")
            elif self.takes("-"):
                found.append(f"? super {self.type(depth + 1)}")
            else:
                found.append(self.type(depth + 1))
        return found

    def _until(self, signs: str) -> str:
        start = self._at
        while self._at < len(self._text):
            if self._text[self._at] in signs:
                return self._text[start : self._at]
            self._at += 1
        raise ClassFileError("a type that ends early")
