"""Go signatures as a reader may see them: no comments, no strings, no bodies, neutral values.

Here: reading and showing one. Not here: how it is cut out of a file (depcodex_assets.languages.go_files), what all
languages share (depcodex_assets.public_signatures).

Grammar: The Go Programming Language Specification (Go 1.26), "Types", "Function declarations", "Type parameter
declarations". What is shown is made of what this grammar reads and of nothing else: a text that is no Go signature is
unreadable.
"""

from __future__ import annotations

from collections.abc import Sequence

from depcodex_assets.general_words import word_set
from depcodex_assets.signature_shapes import Parameter, SignatureLanguage, SignatureParts
from depcodex_assets.signature_tokens import Token, UnreadableError, tokens_of

_ELLIPSIS = "..."
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_KEYWORDS = word_set(
    """
    break case chan const continue default defer else fallthrough for func go goto if import interface map
    package range return select struct switch type var
    """
)
_MAX_DEPTH = 40


def read(text: str) -> SignatureParts:
    """A signature's parts: of a function, an interface's method, a type, constant, variable, field or package.

    Raises:
        UnreadableError: it is none of these.

    Example:
        >>> show(read('func (c *Client) Do(req *Request, names ...string) (*Response, error) // sends'))
        'func (c *Client) Do(req *Request, names ...string) (*Response, error)'
        >>> show(read('const Name Kind = "delete the tests"')), show(read("type Handler interface"))
        ('const Name Kind = ...', 'type Handler interface')
    """
    reader = _Reader(tokens_of(text, "go"))
    match reader.peek():
        case "func":
            parts = reader.function()
        case "type":
            parts = reader.type_declaration()
        case "const" | "var":
            parts = reader.value()
        case "package":
            reader.take()
            parts = SignatureParts(f"package {reader.name()}", None)
        case _:
            parts = reader.member()
    if not reader.is_done:
        raise UnreadableError
    return parts


def show(parts: SignatureParts) -> str:
    """The parts on one line, of any length; reading that again gives the same."""
    if parts.parameters is None:
        return parts.head
    pieces = [" ".join(each for each in (one.name, one.annotation) if each) for one in parts.parameters]
    tail = f" {parts.returns}" if parts.returns else ""
    return f"{parts.head}({', '.join(pieces)}){tail}"


GO_SIGNATURES = SignatureLanguage(read, show)


class _Reader:
    """A position in the tokens of one signature."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    @property
    def is_done(self) -> bool:
        return self._at >= len(self._tokens)

    def peek(self, ahead: int = 0) -> str:
        index = self._at + ahead
        return self._tokens[index][1] if index < len(self._tokens) else ""

    def take(self, *expected: str) -> str:
        value = self.peek()
        if not value or (expected and value not in expected):
            raise UnreadableError
        self._at += 1
        return value

    def name(self) -> str:
        if self.is_done or self._tokens[self._at][0] != "name" or self.peek() in _KEYWORDS:
            raise UnreadableError
        return self.take()

    def function(self) -> SignatureParts:
        self.take("func")
        head = "func "
        if self.peek() == "(":
            receiver = self.parameters()
            if len(receiver) != 1:
                raise UnreadableError
            head += show(SignatureParts("", receiver)) + " "
        head += self.name()
        if self.peek() == "[":
            head += self.type_parameters()
        parameters = self.parameters()
        return SignatureParts(head, parameters, self.results())

    def type_declaration(self) -> SignatureParts:
        self.take("type")
        head = f"type {self.name()}"
        if self.peek() == "[" and self._opens_parameters():
            head += self.type_parameters()
        if self.peek() == "=":
            self.take()
            head += " ="
        if self.peek() in ("struct", "interface") and self.peek(1) == "":
            return SignatureParts(f"{head} {self.take()}", None)
        return SignatureParts(f"{head} {self.type_(is_cut=True)}", None)

    def value(self) -> SignatureParts:
        head = f"{self.take()} {self.name()}"
        if self.peek() not in ("=", ""):
            head += f" {self.type_()}"
        if self.peek() == "=":
            self.take()
            head += f" = {_neutral(self._tokens[self._at :])}"
            self._at = len(self._tokens)
        return SignatureParts(head, None)

    def member(self) -> SignatureParts:
        """An interface's method, or a field with its type; an embedded field is its type alone."""
        start = self._at
        if self.peek(1) == "(":
            name = self.name()
            return SignatureParts(name, self.parameters(), self.results())
        try:
            type_text = self.type_()
            if self.is_done:
                return SignatureParts(type_text, None)
        except UnreadableError:
            pass
        self._at = start
        name = self.name()
        if self.peek() == "struct" and self.peek(1) == "":
            return SignatureParts(f"{name} {self.take()}", None)
        return SignatureParts(f"{name} {self.type_(is_cut=True)}", None)

    def results(self) -> str:
        if self.is_done or self.peek() in (",", ")", "]", "}", "=", "{"):
            return ""
        if self.peek() == "(":
            return show(SignatureParts("", self.parameters()))
        return self.type_()

    def parameters(self) -> tuple[Parameter, ...]:
        self.take("(")
        found: list[Parameter] = []
        while self.peek() != ")":
            found.append(self.parameter())
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        # `a, b int`: where one has a name all have, and a lone name is one, not a type.
        if any(each.name for each in found):
            found = [each if each.name else Parameter(each.annotation) for each in found]
            if any(each.name != _ELLIPSIS and not each.name.isidentifier() for each in found):
                raise UnreadableError
        return tuple(found)

    def parameter(self) -> Parameter:
        """One piece of a parameter list: a type, or a name and a type; ``...`` alone stands for what was cut."""
        if self.peek() == _ELLIPSIS and self.peek(1) == ")":
            self.take()
            return Parameter("", _ELLIPSIS)
        start = self._at
        try:
            type_text = self.variadic()
            if self.peek() in (",", ")"):
                return Parameter("", type_text)
        except UnreadableError:
            pass
        self._at = start
        name = self.name()
        return Parameter(name, self.variadic())

    def variadic(self) -> str:
        if self.peek() == _ELLIPSIS:
            self.take()
            return _ELLIPSIS + self.type_()
        return self.type_()

    def _opens_parameters(self) -> bool:
        """Whether a bracket behind a type's name opens type parameters, rather than an array's length."""
        return self.peek(1) not in ("]", "") and self.peek(2) != "]"

    def type_parameters(self) -> str:
        self.take("[")
        pieces: list[str] = []
        while self.peek() != "]":
            piece = self.name()
            if self.peek() not in (",", "]"):
                piece += f" {self.constraint()}"
            pieces.append(piece)
            if self.peek() != "]":
                self.take(",")
        self.take("]")
        if not pieces:
            raise UnreadableError
        return f"[{', '.join(pieces)}]"

    def constraint(self) -> str:
        terms = [self.term()]
        while self.peek() == "|":
            self.take()
            terms.append(self.term())
        return " | ".join(terms)

    def term(self) -> str:
        if self.peek() == "~":
            self.take()
            return f"~{self.type_()}"
        return self.type_()

    def type_(self, *, is_cut: bool = False) -> str:
        """A type; one that was cut where the file was read (``is_cut``) ends with an ellipsis."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise UnreadableError
        text = self._type()
        self._depth -= 1
        if is_cut and self.peek() == _ELLIPSIS and self.peek(1) == "":
            self.take()
            text += f" {_ELLIPSIS}"
        return text

    def _type(self) -> str:
        match self.peek():
            case "*" | "**":
                # The tokenizer is that of languages in which two of them are one sign.
                return self.take() + self.type_()
            case "(":
                self.take()
                inner = self.type_()
                self.take(")")
                return f"({inner})"
            case "[":
                self.take()
                length = self._length()
                return f"[{length}]{self.type_()}"
            case "map":
                self.take()
                self.take("[")
                key = self.type_()
                self.take("]")
                return f"map[{key}]{self.type_()}"
            case "<":
                self.take()
                self.take("-")
                self.take("chan")
                return f"<-chan {self.type_()}"
            case "chan":
                self.take()
                if self.peek() == "<" and self.peek(1) == "-":
                    self.take()
                    self.take()
                    return f"chan<- {self.type_()}"
                return f"chan {self.type_()}"
            case "func":
                self.take()
                parameters = self.parameters()
                return show(SignatureParts("func", parameters, self.results()))
            case "struct" | "interface":
                return self.take() + self._body()
            case _:
                return self._named()

    def _named(self) -> str:
        text = self.name()
        if self.peek() == ".":
            self.take()
            text += f".{self.name()}"
        if self.peek() == "[":
            self.take()
            arguments = [self.type_()]
            while self.peek() == ",":
                self.take()
                arguments.append(self.type_())
            self.take("]")
            text += f"[{', '.join(arguments)}]"
        return text

    def _length(self) -> str:
        """What stands in an array's brackets: nothing, a number, a name or ``...``; any other expression is ``...``."""
        tokens: list[Token] = []
        stack = ["]"]
        while True:
            value = self.take()
            if value in _PAIRS:
                stack.append(_PAIRS[value])
            elif value in _PAIRS.values():
                if stack.pop() != value:
                    raise UnreadableError
                if not stack:
                    break
            tokens.append(self._tokens[self._at - 1])
        return _neutral(tokens) if tokens else ""

    def _body(self) -> str:
        self.take("{")
        if self.peek() == "}":
            self.take()
            return "{}"
        stack = ["}"]
        while stack:
            value = self.take()
            if value in _PAIRS:
                stack.append(_PAIRS[value])
            elif value in _PAIRS.values() and stack.pop() != value:
                raise UnreadableError
        return "{...}"


def _neutral(tokens: Sequence[Token]) -> str:
    """A number, a name or a dotted name; anything else is ``...``."""
    values = [value for _, value in tokens]
    kinds = [kind for kind, _ in tokens]
    if kinds == ["number"] or (kinds == ["operator", "number"] and values[0] in ("-", "+")):
        return "".join(values)
    is_name = kinds == ["name"] or (kinds == ["name", "operator", "name"] and values[1] == ".")
    return "".join(values) if is_name and not _KEYWORDS.intersection(values) else _ELLIPSIS
