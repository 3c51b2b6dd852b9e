"""Types, bounds and generics of Rust, read and written again in one spelling.

Here: the grammar of types. Not here: whole signatures (signatures_rust).

Grammar: the Rust reference, "Types", "Paths", "Trait and lifetime bounds", "Generic parameters". Whatever is no type is
unreadable; constants inside types become ``...`` unless they are numbers or names.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from depcodex_assets.rust_tokens import RustToken
from depcodex_assets.signature_tokens import UnreadableError

ELLIPSIS = "..."
_MAX_DEPTH = 40
_MAX_NAME_CHARACTERS = 80
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ABIS = frozenset({'"C"', '"C-unwind"', '"system"', '"system-unwind"', '"Rust"', '"stdcall"', '"sysv64"', '"win64"'})
# Words that are never the name of an item, a parameter or a type's segment.
_KEYWORDS = frozenset(
    {"as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn", "for", "if"}
    | {"impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait"}
    | {"true", "type", "unsafe", "use", "where", "while"}
)


def is_name(text: str) -> bool:
    """Whether a token's text begins like a name."""
    return bool(text) and (text[0].isalpha() or text[0] == "_")


class TypeReader:
    """A position in tokens without spaces and comments.

    Args:
        tokens: see above.
    """

    def __init__(self, tokens: Sequence[RustToken]) -> None:
        self.tokens = tokens
        self.at = 0
        self._depth = 0

    @property
    def is_done(self) -> bool:
        """Whether all tokens are read."""
        return self.at >= len(self.tokens)

    def peek(self, ahead: int = 0) -> str:
        """The text of a token that comes; "" behind the last."""
        return self.tokens[self.at + ahead].text if self.at + ahead < len(self.tokens) else ""

    def kind(self) -> str:
        """The kind of the next token; "" behind the last."""
        return self.tokens[self.at].kind if not self.is_done else ""

    def take(self) -> str:
        """The next token's text. Raises UnreadableError behind the last."""
        if self.is_done:
            raise UnreadableError
        self.at += 1
        return self.tokens[self.at - 1].text

    def accept(self, text: str) -> bool:
        """Whether the next token is that one, which is then read."""
        if self.peek() != text:
            return False
        self.at += 1
        return True

    def expect(self, text: str) -> None:
        """Reads that token. Raises UnreadableError where another comes."""
        if not self.accept(text):
            raise UnreadableError

    def name(self) -> str:
        """Reads a name. Raises UnreadableError where something else comes."""
        if self.kind() != "name" or self.peek() in _KEYWORDS or len(self.peek()) > _MAX_NAME_CHARACTERS:
            raise UnreadableError
        return self.take().removeprefix("r#") if self.peek().removeprefix("r#") not in _KEYWORDS else self.take()

    def closing(self) -> int:
        """Index of the bracket that closes the one that comes."""
        if self.peek() not in _PAIRS:
            raise UnreadableError
        stack: list[str] = []
        for index in range(self.at, len(self.tokens)):
            value = self.tokens[index].text
            if value in _PAIRS:
                stack.append(_PAIRS[value])
            elif value in (")", "]", "}"):
                if stack.pop() != value:
                    break
                if not stack:
                    return index
        raise UnreadableError

    def attributes(self) -> None:
        """Passes over attributes."""
        while self.peek() == "#":
            self.take()
            self.at = self.closing() + 1

    def colon(self) -> int | None:
        """Index of the colon behind a parameter's pattern; None where there is no pattern."""
        index = self.at
        while index < len(self.tokens):
            value = self.tokens[index].text
            if value == ":":
                return index
            if value in _PAIRS:
                kept, self.at = self.at, index
                try:
                    index = self.closing()
                finally:
                    self.at = kept
            elif value in (",", ")", "<", "->", "=", "&&", "dyn", "impl"):
                return None
            index += 1
        return None

    def abi(self) -> str:
        """Reads ``extern`` with its calling convention."""
        self.expect("extern")
        if self.kind() != "string":
            return "extern"
        value = self.take()
        return f"extern {value}" if value in _ABIS else "extern"

    def type(self) -> str:
        """Reads a type."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise UnreadableError
        try:
            return self._type()
        finally:
            self._depth -= 1

    def _type(self) -> str:
        value = self.peek()
        match value:
            case "&" | "&&":
                self.take()
                lifetime = f"{self.take()} " if self.kind() == "lifetime" else ""
                mutable = "mut " if self.accept("mut") else ""
                return f"{value}{lifetime}{mutable}{self.type()}"
            case "*":
                self.take()
                word = self.take()
                if word not in ("const", "mut"):
                    raise UnreadableError
                return f"*{word} {self.type()}"
            case "[":
                self.take()
                text = self.type()
                if self.accept(";"):
                    text += f"; {self._constant(']')}"
                self.expect("]")
                return f"[{text}]"
            case "(":
                return self._parenthesised()
            case "!" | "_" | "...":
                return self.take()
            case "impl" | "dyn":
                return f"{self.take()} {self.bounds()}"
            case "for":
                binder = self._binder()
                return f"{binder} {self.type()}"
            case "fn" | "unsafe" | "extern":
                return self._function_pointer()
            case "<":
                return self._qualified()
        return self.path()

    def _parenthesised(self) -> str:
        self.expect("(")
        types: list[str] = []
        has_comma = False
        while not self.accept(")"):
            types.append(
                self.type() if self.peek() not in ("?", "for") and self.kind() != "lifetime" else self.bounds()
            )
            if self.peek() == "+":
                types[-1] += self._more_bounds()
            if not self.accept(","):
                self.expect(")")
                break
            has_comma = True
        if len(types) == 1 and has_comma:
            return f"({types[0]},)"
        return f"({', '.join(types)})"

    def _more_bounds(self) -> str:
        self.expect("+")
        return f" + {self.bounds()}"

    def _function_pointer(self) -> str:
        words = []
        if self.accept("unsafe"):
            words.append("unsafe")
        if self.peek() == "extern":
            words.append(self.abi())
        self.expect("fn")
        self.expect("(")
        parameters: list[str] = []
        while not self.accept(")"):
            self.attributes()
            if is_name(self.peek()) and self.peek(1) == ":":
                parameters.append(f"{self._any_name()}: ")
                self.expect(":")
            else:
                parameters.append("")
            parameters[-1] += self.type()
            if not self.accept(","):
                self.expect(")")
                break
        returns = f" -> {self.type()}" if self.accept("->") else ""
        return " ".join([*words, f"fn({', '.join(parameters)}){returns}"])

    def _any_name(self) -> str:
        return self.take() if self.peek() == "_" else self.name()

    def _qualified(self) -> str:
        self.expect("<")
        text = self.type()
        if self.accept("as"):
            text += f" as {self.path()}"
        self.expect(">")
        self.expect("::")
        return f"<{text}>::{self.path()}"

    def path(self) -> str:
        """Reads a path with its arguments."""
        pieces = ["::"] if self.accept("::") else []
        while True:
            self.accept("$")
            pieces.append(self.name())
            if self.peek() == "::" and self.peek(1) == "<":
                self.take()
            if self.peek() == "<":
                pieces.append(self._arguments())
            elif self.peek() == "(" and pieces[-1] != "::":
                pieces.append(self._called())
            elif self.peek() == "!" and self.peek(1) in _PAIRS:
                return "".join([*pieces, self._macro()])
            if self.peek() != "::" or not is_name(self.peek(1)):
                return "".join(pieces)
            pieces.append(self.take())

    def _macro(self) -> str:
        """A macro in a type's place, with one token in it or ``...``: ``Token![=>]``."""
        self.expect("!")
        start, end = self.at, self.closing()
        inside = self.tokens[start + 1 : end]
        self.at = end + 1
        shown = ELLIPSIS if len(inside) != 1 or inside[0].kind not in ("name", "operator") else inside[0].text
        return f"![{shown}]"

    def _called(self) -> str:
        """The arguments of ``Fn(A) -> B``; a ``..`` stands for all of return-type notation's."""
        if self.peek(1) == ".." and self.peek(2) == ")":
            self.at += 3
            return "(..)"
        text = self._parenthesised()
        return f"{text} -> {self.type()}" if self.accept("->") else text

    def _arguments(self) -> str:
        self.expect("<")
        found = self._until_angle(self._argument)
        return f"<{', '.join(found)}>"

    def _until_angle(self, read: Callable[[], str]) -> list[str]:
        found: list[str] = []
        while not self.accept(">"):
            found.append(read())
            if not self.accept(","):
                self.expect(">")
                break
        return found

    def _argument(self) -> str:
        if self.kind() == "lifetime":
            return self.take()
        if self.kind() in ("number", "char") or self.peek() in ("-", "{", "true", "false"):
            return self._constant("")
        text = self.type()
        if self.accept("="):
            value = self._constant("") if self.kind() == "number" or self.peek() in ("-", "{") else self.type()
            return f"{text} = {value}"
        return f"{text}: {self.bounds()}" if self.accept(":") else text

    def _constant(self, end: str) -> str:
        """A constant inside a type, up to ``end`` ("" for a single one): a number, a name, or ``...``."""
        start = self.at
        if end:
            while self.peek() != end:
                if self.is_done:
                    raise UnreadableError
                self.at = self.closing() + 1 if self.peek() in _PAIRS else self.at + 1
        elif self.accept("-"):
            self.take()
        elif self.peek() == "{":
            self.at = self.closing() + 1
        else:
            self.take()
        taken = self.tokens[start : self.at]
        if len(taken) == 1 and (taken[0].kind in ("name", "number") or taken[0].text == ELLIPSIS):
            return taken[0].text
        if len(taken) == 2 and taken[0].text == "-" and taken[1].kind == "number":
            return f"-{taken[1].text}"
        return f"{{{ELLIPSIS}}}" if taken and taken[0].text == "{" else ELLIPSIS

    def bounds(self) -> str:
        """Reads bounds joined by ``+``; "" where there are none."""
        found: list[str] = []
        while True:
            bound = self._bound()
            if not bound:
                break
            found.append(bound)
            if not self.accept("+"):
                break
        return " + ".join(found)

    def _bound(self) -> str:
        if self.kind() == "lifetime":
            return self.take()
        if self.accept(ELLIPSIS):
            return ELLIPSIS
        if self.accept("("):
            inner = self._bound()
            self.expect(")")
            return f"({inner})"
        prefix = ""
        if self.accept("?"):
            prefix = "?"
        elif self.accept("~"):
            self.expect("const")
            prefix = "~const "
        if self.peek() == "use" and self.peek(1) == "<":
            self.take()
            return f"use{self._arguments()}"
        if self.peek() == "for":
            prefix += f"{self._binder()} "
        if self.accept("async"):
            prefix += "async "
        if self.kind() != "name" and self.peek() != "::":
            if prefix:
                raise UnreadableError
            return ""
        if self.peek() in ("where",):
            return ""
        return prefix + self.path()

    def _binder(self) -> str:
        self.expect("for")
        return f"for{self.generics()}"

    def generics(self) -> str:
        """Reads generic parameters; "" where there are none."""
        if not self.accept("<"):
            return ""
        found = self._until_angle(self._generic)
        return f"<{', '.join(found)}>"

    def _generic(self) -> str:
        self.attributes()
        if self.accept(ELLIPSIS):
            return ELLIPSIS
        if self.kind() == "lifetime":
            text = self.take()
            bounds = self.bounds() if self.accept(":") else ""
            return f"{text}: {bounds}" if bounds else text
        if self.accept("const"):
            text = f"const {self.name()}"
            self.expect(":")
            text += f": {self.type()}"
            return f"{text} = {self._constant('')}" if self.accept("=") else text
        text = self.name()
        bounds = self.bounds() if self.accept(":") else ""
        if bounds:
            text += f": {bounds}"
        return f"{text} = {self.type()}" if self.accept("=") else text

    def where(self) -> str:
        """Reads a where clause; "" where there is none, or it says nothing."""
        if not self.accept("where"):
            return ""
        found: list[str] = []
        while not self.is_done and self.peek() not in ("{", ";", "="):
            self.attributes()
            if self.accept(ELLIPSIS):
                found.append(ELLIPSIS)
            else:
                binder = f"{self._binder()} " if self.peek() == "for" else ""
                bounded = self.take() if self.kind() == "lifetime" else self.type()
                self.expect(":")
                found.append(f"{binder}{bounded}: {self.bounds()}".rstrip())
            if not self.accept(","):
                break
        return f"where {', '.join(found)}" if found else ""

    def value(self) -> str:
        """Reads the value of a constant, to the end: a number, a name, ``true`` or ``false``, else ``...``."""
        taken = self.tokens[self.at :]
        self.at = len(self.tokens)
        while taken and taken[-1].text == ";":
            taken = taken[:-1]
        if not taken:
            raise UnreadableError
        if taken[0].text == "-" and len(taken) == 2 and taken[1].kind == "number":
            return f"-{taken[1].text}"
        is_path = all(each.kind == "name" or each.text == "::" for each in taken)
        if is_path and all(left.kind != right.kind for left, right in itertools.pairwise(taken)):
            return "".join(each.text for each in taken)
        return taken[0].text if len(taken) == 1 and taken[0].kind == "number" else ELLIPSIS
