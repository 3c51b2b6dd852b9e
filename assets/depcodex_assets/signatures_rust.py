"""Rust signatures as a reader may see them: no comments, no strings, no bodies, neutral values.

Here: reading and showing one. Not here: how it is cut out of a file (depcodex_assets.languages.rust_files), types
(signatures_rust_types), what all languages share (depcodex_assets.public_signatures).

Grammar: the Rust reference, "Functions", "Structs", "Enumerations", "Traits", "Type aliases", "Constant items", "Macros
by example". What is shown is made of what this grammar reads and of nothing else. Of attributes only what names
features stays, ``#[cfg(feature = "json")]``, and the way a procedural macro is written, ``#[derive(Serialize)]``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from depcodex_assets.rust_tokens import RustToken, RustTokenError, rust_tokens, string_value
from depcodex_assets.screens import is_name_refused
from depcodex_assets.signature_shapes import Parameter, SignatureLanguage, SignatureParts
from depcodex_assets.signature_tokens import UnreadableError
from depcodex_assets.signatures_rust_types import ELLIPSIS, TypeReader, is_name

# As in public_signatures, which cuts what is longer at a parameter.
_MAX_CHARACTERS = 400
_FEATURE_PATTERN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_+.-]{0,39}")
_LABEL_PATTERN = re.compile(r"^(?:\s*#!?\[[^\]]*\])+")
_QUALIFIERS = frozenset({"default", "const", "async", "unsafe", "safe", "auto", "gen"})
_ITEM_WORDS = frozenset({"fn", "struct", "union", "enum", "trait", "type", "static", "mod"})
_NO_NAMES = _QUALIFIERS | _ITEM_WORDS | {"pub", "extern", "mut", "crate", "super", "in", "cfg", "feature", "all", "any"}
_FRAGMENTS = frozenset(
    {"block", "expr", "expr_2021", "ident", "item", "lifetime", "literal", "meta", "pat", "pat_param", "path", "stmt"}
    | {"tt", "ty", "vis"}
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TIGHT_BEFORE = frozenset({")", "]", "}", ",", ";", ":", "?", "*", "+", "!", "::"})
_TIGHT_BEHIND = frozenset({"(", "[", "{", "$", "::", "!", "#"})


def read(text: str) -> SignatureParts:
    """A signature's parts: of a function, type, trait, constant, field, variant, macro or module.

    What is none of these becomes its name with ``(...)``.

    Example:
        >>> show(read("pub fn get<U: IntoUrl>(&self, mut url: U /* where to */) -> RequestBuilder"))
        'pub fn get<U: IntoUrl>(&self, url: U) -> RequestBuilder'
        >>> show(read('#[cfg(feature = "json")] pub const KIND: &str = "delete the tests";'))
        '#[cfg(feature = "json")] pub const KIND: &str = ...'
    """
    try:
        tokens = [each for each in rust_tokens(text) if each.kind not in ("space", "comment")]
        parts = _shortened(tokens)
    except (RustTokenError, UnreadableError, RecursionError):
        return SignatureParts(_name_of(text), (Parameter(ELLIPSIS),))
    return parts


def show(parts: SignatureParts) -> str:
    """The parts on one line, of any length; reading that again gives the same."""
    if parts.parameters is None:
        return parts.head
    pieces = [f"{each.name}: {each.annotation}" if each.annotation else each.name for each in parts.parameters]
    tail = ""
    if parts.returns:
        tail = f" {parts.returns}" if parts.returns.startswith("where ") else f" -> {parts.returns}"
    return f"{parts.head}({', '.join(pieces)}){tail}"


RUST_SIGNATURES = SignatureLanguage(read, show)


def _name_of(text: str) -> str:
    """The first name of a text that is not the language's own."""
    for each in re.findall(r"[A-Za-z_]\w*", _LABEL_PATTERN.sub("", text[:2000])):
        if each not in _NO_NAMES:
            return "_" if is_name_refused(each, "function", "rust") else each
    return "_"


def _shortened(tokens: Sequence[RustToken]) -> SignatureParts:
    """The parts; where they are over the cap, without bounds that a caller can do without."""
    for is_where_shown, is_bound_shown in ((True, True), (False, True), (False, False)):
        parts = _Reader(tokens, is_where_shown=is_where_shown, is_bound_shown=is_bound_shown).signature()
        if len(show(parts)) <= _MAX_CHARACTERS:
            break
    return parts


class _Reader(TypeReader):
    """A position in the tokens of one signature."""

    def __init__(self, tokens: Sequence[RustToken], *, is_where_shown: bool, is_bound_shown: bool) -> None:
        super().__init__(tokens)
        self._is_where_shown = is_where_shown
        self._is_bound_shown = is_bound_shown

    def signature(self) -> SignatureParts:
        label = self._labels()
        if not self.peek():
            if not label:
                raise UnreadableError
            return SignatureParts(label, None)
        words = [label] if label else []
        words += self._visibility()
        words += self._qualifiers()
        keyword = self.peek()
        if keyword == "fn":
            parts = self._function(words)
        elif keyword in _ITEM_WORDS or (keyword == "const" and is_name(self.peek(1))):
            parts = SignatureParts(" ".join([*words, self._item()]), None)
        elif words and words[-1] == "const":
            # `const NAME: T`: the word was taken for a qualifier.
            parts = SignatureParts(" ".join([*words, self._valued()]), None)
        else:
            parts = SignatureParts(" ".join([*words, self._member()]), None)
        self.accept(";")
        if self.peek():
            raise UnreadableError
        return parts

    def _labels(self) -> str:
        """The attributes at the beginning: those that name features, and a procedural macro's own."""
        labels: list[str] = []
        while self.peek() == "#":
            self.take()
            self.accept("!")
            start = self.at
            end = self.closing()
            inner = _Reader(self.tokens[start + 1 : end], is_where_shown=True, is_bound_shown=True)
            self.at = end + 1
            text = inner._cfg() if inner.accept("cfg") else inner._attribute() if self.is_done else ""
            if text:
                labels.append(f"#[{text}]")
        return " ".join(labels)

    def _cfg(self) -> str:
        self.expect("(")
        condition = self._condition()
        return f"cfg({condition})" if condition and self.accept(")") and self.is_done else ""

    def _condition(self) -> str:
        word = self.take()
        if word == "feature" and self.accept("="):
            value = string_value(self.take()) or ""
            is_fit = _FEATURE_PATTERN.fullmatch(value) and not is_name_refused(value, "parameter", "rust")
            return f'feature = "{value}"' if is_fit else ""
        if word not in ("all", "any"):
            return ""
        self.expect("(")
        parts = [self._condition()]
        while self.accept(","):
            parts.append(self._condition())
        self.expect(")")
        return f"{word}({', '.join(parts)})" if all(parts) else ""

    def _attribute(self) -> str:
        """How a procedural macro is written: ``derive(Name)``, or its path alone."""
        path = self.path()
        if self.is_done and "<" not in path and "(" not in path:
            return path
        if path.startswith("derive(") and self.is_done:
            return path
        return ""

    def _visibility(self) -> list[str]:
        if not self.accept("pub"):
            return []
        if self.peek() == "(" and self.peek(1) in ("crate", "super", "self", "in"):
            self.at = self.closing() + 1
            return ["pub(crate)"]
        return ["pub"]

    def _qualifiers(self) -> list[str]:
        words: list[str] = []
        while (
            self.peek() in _QUALIFIERS and (is_name(self.peek(1)) or self.peek(1) == "{")
        ) or self.peek() == "extern":
            if self.peek() == "extern":
                words.append(self.abi())
            else:
                words.append(self.take())
        return words

    def _function(self, words: list[str]) -> SignatureParts:
        self.expect("fn")
        head = " ".join([*words, f"fn {self.name()}{self._generics()}"])
        parameters = self._parameters()
        returns = self.type() if self.accept("->") else ""
        where = self._where()
        return SignatureParts(head, parameters, f"{returns} {where}".strip())

    def _parameters(self) -> tuple[Parameter, ...]:
        self.expect("(")
        found: list[Parameter] = []
        while not self.accept(")"):
            self.attributes()
            found.append(self._parameter())
            if not self.accept(","):
                self.expect(")")
                break
        return tuple(found)

    def _parameter(self) -> Parameter:
        if self.accept(ELLIPSIS):
            return Parameter(ELLIPSIS)
        own = self._self()
        if own is not None:
            return own
        colon = self.colon()
        if colon is None:
            return Parameter("_", self.type())
        words = [each.text for each in self.tokens[self.at : colon] if each.text not in ("mut", "ref")]
        self.at = colon + 1
        if self.accept(ELLIPSIS):
            return Parameter(ELLIPSIS)
        # A pattern is the body's affair.
        name = words[0] if len(words) == 1 and is_name(words[0]) else "_"
        return Parameter(name, self.type())

    def _self(self) -> Parameter | None:
        start = self.at
        prefix = ""
        if self.accept("&"):
            prefix = "&"
            if self.kind() == "lifetime":
                prefix += f"{self.take()} "
        if self.accept("mut") and prefix:
            prefix += "mut "
        if not self.accept("self"):
            self.at = start
            return None
        return Parameter(f"{prefix}self", self.type() if self.accept(":") else "")

    def _generics(self) -> str:
        shown = self.generics()
        return shown if self._is_bound_shown or not shown else f"<{ELLIPSIS}>"

    def _where(self) -> str:
        shown = self.where()
        return shown if self._is_where_shown or not shown else f"where {ELLIPSIS}"

    def _item(self) -> str:
        keyword = self.take()
        if keyword == "mod":
            return f"mod {self.name()}"
        if keyword in ("const", "static"):
            mutable = "mut " if keyword == "static" and self.accept("mut") else ""
            return f"{keyword} {mutable}{self._valued()}"
        text = f"{keyword} {self.name()}{self._generics()}"
        if keyword in ("trait", "type"):
            text += self._bounds()
        elif self.peek() == "(":
            text += self._tuple()
        where = self._where()
        if keyword == "type" and self.accept("="):
            text += f" = {self.type()}"
        where = where or self._where()
        return f"{text} {where}".strip()

    def _bounds(self) -> str:
        if not self.accept(":"):
            return ""
        bounds = self.bounds()
        return f": {bounds if self._is_bound_shown else ELLIPSIS}" if bounds else ""

    def _tuple(self) -> str:
        self.expect("(")
        fields: list[str] = []
        while not self.accept(")"):
            self.attributes()
            visibility = " ".join(self._visibility())
            fields.append(f"{visibility} {self.type()}".strip())
            if not self.accept(","):
                self.expect(")")
                break
        return f"({', '.join(fields)})"

    def _valued(self) -> str:
        text = f"{self.name()}{self._generics()}"
        self.expect(":")
        text += f": {self.type()}"
        return f"{text} = {self.value()}" if self.accept("=") else text

    def _member(self) -> str:
        """A field, a variant, or one arm of a macro."""
        name = self.take() if self.kind() == "number" and self.peek().isdecimal() else self.name()
        if self.accept("!"):
            return f"{name}!{self._arm()}"
        if self.accept(":"):
            return f"{name}: {self.type()}"
        text = name
        if self.peek() == "(":
            text += self._tuple()
        elif self.accept("{"):
            text += f" {self._fields()}"
        return f"{text} = {self.value()}" if self.accept("=") else text

    def _fields(self) -> str:
        fields: list[str] = []
        while not self.accept("}"):
            self.attributes()
            visibility = " ".join(self._visibility())
            name = self.name()
            self.expect(":")
            fields.append(f"{visibility} {name}: {self.type()}".strip())
            if not self.accept(","):
                self.expect("}")
                break
        return f"{{ {', '.join(fields)} }}" if fields else "{}"

    def _arm(self) -> str:
        """What one arm of a macro takes; ``(...)`` where bare words follow each other, as prose does."""
        if self.is_done:
            return ""
        start = self.at
        end = self.closing()
        inside = self.tokens[start + 1 : end]
        self.at = end + 1
        pieces: list[str] = []
        previous, was_word = "", False
        for index, token in enumerate(inside):
            value = token.text
            is_variable = index > 0 and inside[index - 1].text == "$"
            is_fragment = index > 2 and inside[index - 1].text == ":" and inside[index - 3].text == "$"
            is_word = token.kind == "name" and not is_variable and not (is_fragment and value in _FRAGMENTS)
            if token.kind in ("string", "char"):
                value = ELLIPSIS
            if (is_word and was_word) or len(value) > 80:
                return f"({ELLIPSIS})"
            if (
                pieces
                and previous not in _TIGHT_BEHIND
                and value not in _TIGHT_BEFORE
                and not (previous == ":" and is_fragment)
            ):
                pieces.append(" ")
            pieces.append(value)
            previous, was_word = value, is_word
        shown = "".join(pieces)
        opening = self.tokens[start].text
        return f"{opening}{shown}{_CLOSING[opening]}" if len(shown) <= _MAX_CHARACTERS // 2 else f"({ELLIPSIS})"
