"""Signatures as a reader may see them: no comments, no string content, neutral defaults, bounded, plain characters.

Here: reducing one signature, and taking it apart into parameters and return type. Not here: how a signature is cut
out of a source file (depcodex_assets.parse), the screen for names (depcodex_assets.screens).

A signature is written by the library and may hold anything; nothing here trusts it to be well-formed. What cannot
be read becomes the name with ``(...)``. Grammar: the Python language reference, "Function definitions", "Class
definitions", PEP 695; the other languages share the tokenizer and the rule for defaults.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from depcodex_assets import signatures_typescript
from depcodex_assets.general_words import word_set
from depcodex_assets.screens import is_name_refused, prose_of, reads_as_order
from depcodex_assets.signature_shapes import Parameter, SignatureLanguage, SignatureParts
from depcodex_assets.signature_tokens import PYTHON, Token, UnreadableError, tokens_of
from depcodex_assets.signatures_go import GO_SIGNATURES
from depcodex_assets.signatures_java import JAVA
from depcodex_assets.signatures_kotlin import KOTLIN
from depcodex_assets.signatures_rust import RUST_SIGNATURES

# Longest signature shown, in characters; 99.6 % of those of 90 PyPI distributions are shorter (2026-11-30).
MAX_SIGNATURE_CHARACTERS = 400
_MAX_INPUT_CHARACTERS = 20_000
# A string in a type that reads as a short identifier: Literal["r", "utf-8"].
_LITERAL_PATTERN = re.compile(r"[A-Za-z0-9_+][\w.+/:-]{0,23}|[<>=!+*/%&|^~-]{1,3}|", re.ASCII)
# A literal that is an address of the net: "www.host.net/x". A module's path that goes on with a dot is none.
_ADDRESS_PATTERN = re.compile(
    r"(?:www\.[\w.-]+|(?:[\w-]+\.)+(?:com|net|org|dev|app|sh|info|biz|xyz|top|site|online|cloud|link|ru|cn|me|gg|zip))(?:[/:].*)?"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?:[/:].*)?",
    re.ASCII | re.IGNORECASE,
)
_OPEN, _CLOSE = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")
_ELLIPSIS = "..."
_BARE_DECORATORS = word_set(
    """
    property classmethod staticmethod abstractmethod overload final dataclass cached_property override
    """
)
_PLAIN = re.compile(r"[A-Za-z0-9_ \[\](),:.*|>-]+")
_IDENTIFIERS = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
_OPERAND_WORDS = word_set(
    """
    or and not if else in is for lambda await yield
    """
)

# A Python function up to its parameters, and what forbids cutting it into pieces before it is read.
_PLAIN_DEF = re.compile(r"(async\s+)?def\s+([^\W\d]\w{0,79})\s*\(")
_NO_PIECES = re.compile(r"[\"'#\\@`]")
_BRACKETS_AND_COMMAS = re.compile(r"[(){}\[\],]")

# Languages that are not read as Python is; a row adds one. What no row has is read by the common tokenizer.
SIGNATURE_LANGUAGES: Mapping[str, SignatureLanguage] = {
    "go": GO_SIGNATURES,
    "java": JAVA,
    "jvm-class": JAVA,
    "kotlin": KOTLIN,
    "typescript": signatures_typescript.SIGNATURES,
    "tsx": signatures_typescript.SIGNATURES,
    "javascript": signatures_typescript.SIGNATURES,
    "rust": RUST_SIGNATURES,
}

# Rust's labels in front of an item: `#[cfg(feature = "json")]`.
_ATTRIBUTES = re.compile(r"\A(?:\s*#\[[^\]]{0,400}\])+")

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def normalised(text: str) -> str:
    """``text`` in NFKC without controls, format characters (bidi, zero-width, tags), surrogates and private use."""
    if text.isascii() and not _CONTROLS.search(text):
        return text
    folded = unicodedata.normalize("NFKC", text)
    kept = "".join(
        each for each in folded if each in "\n\t" or unicodedata.category(each)[0] not in "CZ" or each == " "
    )
    # Removing a format character can leave a sequence that composes.
    return unicodedata.normalize("NFKC", kept)


@functools.lru_cache(maxsize=16384)
def public_signature(signature: str, language: str) -> str:
    """What a reader sees of ``signature``: one line of at most ``MAX_SIGNATURE_CHARACTERS``; the same when given again.

    Comments and string content go; strings inside types stay where they are short and pass the name screen, so that
    ``Literal["r", "w"]`` keeps its use. Numbers, None, True, False and names stay as defaults, all else becomes
    ``...``. A signature over the cap is cut at a parameter. What cannot be read becomes its name with ``(...)``.

    Args:
        signature: as written, without the body.
        language: the grammar's name; ``python-stub`` reads as ``python``.

    >>> public_signature('def read(path, mode: Literal["r", "w"] = "r", *, log=print("hi")) -> str:  # note', "python")
    'def read(path, mode: Literal["r", "w"] = ..., *, log=...) -> str'
    """
    plain = _fast(signature, language)
    if plain is not None:
        return plain
    return _shown_signature(signature_parts(signature, language), language)


def signature_parts(signature: str, language: str) -> SignatureParts:
    """``signature`` taken apart and reduced; never raises.

    >>> [each.name for each in signature_parts("def get(self, url, **kwargs)", "python").parameters or ()]
    ['self', 'url', 'kwargs']
    """
    text = normalised(signature[:_MAX_INPUT_CHARACTERS]).strip()
    own = SIGNATURE_LANGUAGES.get(language)
    try:
        if own is not None:
            parts = own.read(text)
        else:
            parts = (_parts_by_piece(text) if language in PYTHON else None) or _parts(
                tokens_of(text, language), language
            )
    except (UnreadableError, RecursionError):
        return _fallback(text if own is None else _called_name(text))
    if _is_prose(_shown_signature(parts, language)):
        return _fallback(text if own is None else _called_name(parts.head))
    return parts


def _fast(signature: str, language: str) -> str | None:
    """The signature itself where nothing in it could need reducing; most of them."""
    if len(signature) > MAX_SIGNATURE_CHARACTERS or language not in PYTHON or not _PLAIN.fullmatch(signature):
        return None
    if not signature.startswith(("def ", "async def ", "class ")) or signature.count("(") > 1 or ":  " in signature:
        return None
    if signature[-1] in ": " or "  " in signature or "Annotated" in signature or " ," in signature:
        return None
    # Types and their order have to be read by the slow path: it is the one that knows where a type may stand.
    if ":" in signature or "[" in signature or "->" in signature or "." in signature or "|" in signature:
        return None
    if signature.count("(") != signature.count(")") or ("(" in signature and not signature.endswith(")")):
        return None
    if not re.fullmatch(r"(?:async )?(?:def|class) \w+(?:\((?:\*{0,2}\w*(?:, \*{0,2}\w+|, \*)*)?\))?", signature):
        return None
    return None if _is_prose(signature) else signature


def _parts_by_piece(text: str) -> SignatureParts | None:
    """What ``_parts`` says of a Python function without strings, comments and decorators; None of anything else.

    Such a text may be cut at its brackets and commas before it is read, and libraries write the same parameter a
    thousand times: each spelling is read once. Measured over pandas and numpy: a third of the time.
    """
    opened = _PLAIN_DEF.match(text)
    if opened is None or _NO_PIECES.search(text):
        return None
    pieces: list[str] = []
    stack: list[str] = []
    start = closing = opened.end()
    for found in _BRACKETS_AND_COMMAS.finditer(text, start):
        value = found[0]
        if value in _OPEN:
            stack.append(_OPEN[value])
        elif value == ",":
            if not stack:
                pieces.append(text[start : found.start()])
                start = found.end()
        elif stack:
            if stack.pop() != value:
                return None
        else:
            if value != ")":
                return None
            pieces.append(text[start : found.start()])
            closing = found.end()
            break
    else:
        return None
    rest = text[closing:].rstrip(": \t\n\r{;").lstrip()
    if rest and not rest.startswith("->"):
        return None
    head = "async def " if opened[1] else "def "
    parameters = tuple(_parameter_of(each) for each in map(str.strip, pieces) if each)
    return SignatureParts(head + opened[2], parameters, _returns_of(rest[2:].strip()) if rest else "")


@functools.lru_cache(maxsize=16384)
def _parameter_of(text: str) -> Parameter:
    return _parameter(tokens_of(text, "python"), is_class=False)


@functools.lru_cache(maxsize=4096)
def _returns_of(text: str) -> str:
    return _type(_until_assignment(tokens_of(text, "python")))


def _parts(tokens: list[Token], language: str) -> SignatureParts:
    tokens = _without_decorators(tokens)
    while tokens and tokens[-1][1] in (":", "{", ";"):
        tokens = tokens[:-1]
    if not tokens:
        raise UnreadableError
    opening = _parameters_at(tokens, language)
    if opening is None:
        return SignatureParts(_without_parameters(tokens), None)
    closing = _closing(tokens, opening)
    head = _type(tokens[:opening])
    rest = tokens[closing + 1 :]
    returns = ""
    if rest:
        if rest[0][1] in ("->", ":"):
            returns = _type(_until_assignment(rest[1:]))
        elif language in PYTHON:
            raise UnreadableError
        else:
            returns = _type(_until_assignment(rest))
    parameters = tuple(
        _parameter(each, is_class=tokens[0][1] == "class") for each in _split(tokens[opening + 1 : closing])
    )
    return SignatureParts(head, parameters, returns)


def _without_decorators(tokens: list[Token]) -> list[Token]:
    """Decorators and their arguments away: they are no part of how a thing is called."""
    while tokens and tokens[0][1] == "@":
        end = 1
        while end < len(tokens) and (tokens[end][0] == "name" or tokens[end][1] == "."):
            # Two names in a row: the decorator has ended.
            if tokens[end][0] == "name" and end > 1 and tokens[end - 1][0] == "name":
                break
            end += 1
        if end < len(tokens) and tokens[end][1] == "(":
            end = _closing(tokens, end) + 1
        tokens = tokens[end:]
    return tokens


def _parameters_at(tokens: Sequence[Token], language: str) -> int | None:
    """Index of the bracket that opens the parameters; None for what takes none."""
    depth = 0
    for index, (_, value) in enumerate(tokens):
        if value == "(" and depth == 0 and index and tokens[index - 1][1] not in (":", "=", ","):
            return index
        if value in _OPEN:
            depth += 1
        elif value in _CLOSE:
            depth -= 1
        elif depth == 0 and (value == "=" or (value == ":" and language in PYTHON)):
            return None
    return None


def _closing(tokens: Sequence[Token], opening: int) -> int:
    stack: list[str] = []
    for index in range(opening, len(tokens)):
        value = tokens[index][1]
        if value in _OPEN:
            stack.append(_OPEN[value])
        elif value in _CLOSE:
            if not stack or stack.pop() != value:
                raise UnreadableError
            if not stack:
                return index
    raise UnreadableError


def _split(tokens: Sequence[Token], separator: str = ",") -> list[list[Token]]:
    """``tokens`` cut at ``separator`` outside brackets; empty pieces dropped."""
    pieces: list[list[Token]] = [[]]
    stack: list[str] = []
    for token in tokens:
        value = token[1]
        if value in _OPEN:
            stack.append(_OPEN[value])
        elif value in _CLOSE and (not stack or stack.pop() != value):
            raise UnreadableError
        if value == separator and not stack:
            pieces.append([])
        else:
            pieces[-1].append(token)
    if stack:
        raise UnreadableError
    return [piece for piece in pieces if piece]


def _until_assignment(tokens: Sequence[Token]) -> list[Token]:
    return _cut(tokens, "=")[0]


def _cut(tokens: Sequence[Token], at: str) -> tuple[list[Token], list[Token] | None]:
    """``tokens`` before and after the first ``at`` outside brackets; None where there is no ``at``."""
    depth = 0
    for index, (_, value) in enumerate(tokens):
        if value in _OPEN:
            depth += 1
        elif value in _CLOSE:
            depth -= 1
        elif value == at and depth == 0:
            return list(tokens[:index]), list(tokens[index + 1 :])
    return list(tokens), None


def _without_parameters(tokens: list[Token]) -> str:
    """A constant, a class without bases, a type alias."""
    left, value = _cut(tokens, "=")
    shown = _type(left)
    if value is None:
        return shown
    if left and left[0][1] == "type":
        return f"{shown} = {_type(value)}"
    return f"{shown} = {_default(value)}"


def _parameter(tokens: list[Token], *, is_class: bool) -> Parameter:
    star = ""
    if tokens[0][1] in ("*", "**"):
        star, tokens = tokens[0][1], tokens[1:]
    elif tokens[0][1] == "/" and len(tokens) == 1:
        return Parameter("", star="/")
    if not tokens or [value for _, value in tokens] == [_ELLIPSIS]:
        return Parameter(_ELLIPSIS if tokens else "", star=star)
    left, default = _cut(tokens, "=")
    target, annotation = _cut(left, ":")
    name = _type(target)
    if annotation is None and not is_class and default is None and len(target) == 1 and target[0][0] != "name":
        raise UnreadableError
    return Parameter(
        name, "" if annotation is None else _type(annotation), "" if default is None else _default(default), star
    )


def _default(tokens: Sequence[Token]) -> str:
    """The neutral form: a number, None, True, False or a dotted name stays, all else is ``...``."""
    if len(tokens) == 1:
        kind, value = tokens[0]
        return value if kind in ("name", "number") and value not in _OPERAND_WORDS else _ELLIPSIS
    if len(tokens) == 2 and tokens[0][1] in ("-", "+") and tokens[1][0] == "number":
        return tokens[0][1] + tokens[1][1]
    values = [value for _, value in tokens]
    if values in (["(", ")"], ["[", "]"], ["{", "}"]):
        return "".join(values)
    is_dotted = len(tokens) % 2 and all(
        (kind == "name") if index % 2 == 0 else value == "." for index, (kind, value) in enumerate(tokens)
    )
    return "".join(values) if is_dotted and len(tokens) <= 9 else _ELLIPSIS


def _type(tokens: Sequence[Token]) -> str:
    """A type, or the words before the parameters, in one canonical spelling."""
    pieces: list[str] = []
    previous_kind = previous = ""
    index = 0
    while index < len(tokens):
        kind, value = tokens[index]
        if value == "(" and previous_kind == "name" and previous not in ("def", "class"):
            # A call inside a type: its arguments are values, and values may be prose.
            index = _closing(tokens, index)
            kind, value = "operator", "(...)"
        elif value == "[" and previous == "Annotated":
            closing = _closing(tokens, index)
            inner = _split(tokens[index + 1 : closing])
            value = f"[{_type(inner[0])}, ...]" if inner else "[...]"
            kind, index = "closed", closing
        elif kind == "string":
            value = _string(value)
            kind = "closed"
        elif value == _ELLIPSIS:
            kind = "closed"
        elif value == "{":
            index = _closing(tokens, index)
            kind, value = "closed", "{...}"
        if _needs_space(previous_kind, previous, kind, value):
            pieces.append(" ")
        pieces.append(value)
        previous_kind, previous = kind, value
        index += 1
    return "".join(pieces)


def _needs_space(previous_kind: str, previous: str, kind: str, value: str) -> bool:
    if not previous:
        return False
    if previous in (",", ":", "->", "|", "&", "=", "==", "<", ">", "?") or value in ("->", "|", "&", "=", "=="):
        return value not in (")", "]", ",")
    words = ("name", "number", "closed")
    return previous_kind in words and kind in words and not value.startswith("[")


def _string(token: str) -> str:
    """A string inside a type: the type it quotes, a literal that passes the screen, or ``...``."""
    quote = token[-1]
    start = token.index(quote)
    width = 3 if token.startswith(quote * 3, start) else 1
    content = token[start + width : len(token) - width]
    if _ADDRESS_PATTERN.fullmatch(content):
        return _ELLIPSIS
    if _LITERAL_PATTERN.fullmatch(content) and not is_name_refused(content.strip("/:.") or "x", "parameter", "python"):
        return f'"{content}"'
    return _ELLIPSIS


def _shown_signature(parts: SignatureParts, language: str) -> str:
    """The parts on one line as their language writes them, cut at a parameter where they are over the cap."""
    own = SIGNATURE_LANGUAGES.get(language)
    if own is None:
        return _rendered(parts)
    text = own.show(parts)
    kept = parts.parameters or ()
    while len(text) > MAX_SIGNATURE_CHARACTERS and kept:
        kept = kept[:-1]
        text = own.show(dataclasses.replace(parts, parameters=(*kept, Parameter(_ELLIPSIS))))
    return text if len(text) <= MAX_SIGNATURE_CHARACTERS else _rendered(_fallback(parts.head))


def _rendered(parts: SignatureParts) -> str:
    tail = f" -> {parts.returns}" if parts.returns else ""
    if parts.parameters is None:
        text = parts.head + tail
        return text if len(text) <= MAX_SIGNATURE_CHARACTERS else parts.head[:80].rsplit(" ", 1)[0] + " ..."
    pieces = [_shown(each) for each in parts.parameters]
    text = f"{parts.head}({', '.join(pieces)}){tail}"
    if len(text) <= MAX_SIGNATURE_CHARACTERS:
        return text
    if len(tail) > MAX_SIGNATURE_CHARACTERS // 3:
        tail = " -> ..."
    room = MAX_SIGNATURE_CHARACTERS - len(parts.head) - len(tail) - len("(, ...)")
    kept: list[str] = []
    for piece in pieces:
        room -= len(piece) + 2
        if room < 0:
            break
        kept.append(piece)
    if len(parts.head) > MAX_SIGNATURE_CHARACTERS // 2:
        return _rendered(_fallback(parts.head))
    return f"{parts.head}({', '.join([*kept, _ELLIPSIS])}){tail}"


def _shown(parameter: Parameter) -> str:
    text = parameter.star + parameter.name
    if parameter.annotation:
        text += f": {parameter.annotation}"
    if parameter.default:
        text += f" = {parameter.default}" if parameter.annotation else f"={parameter.default}"
    return text


def _is_prose(shown: str) -> bool:
    """Whether what stays reads as an order or a sentence: one identifier, or all of them in a row."""
    identifiers = _IDENTIFIERS.findall(shown)
    if any(len(each) > 12 and is_name_refused(each, "class", "python") for each in identifiers):
        return True
    pieces = [prose_of(each) for each in identifiers]
    if sum(each.tie_count for each in pieces) < 2 and not any(each.has_trigger for each in pieces):
        return False
    return _reads_as_prose([word for each in pieces for word in each.words])


def _reads_as_prose(words: Sequence[str]) -> bool:
    """An order anywhere in a run of words; windows, because a long signature holds every word somewhere."""
    return any(reads_as_order(words[start : start + 12]) for start in range(0, max(1, len(words) - 5), 6))


def _fallback(text: str) -> SignatureParts:
    """The name with ``(...)``, from a text that cannot be read or may not be shown."""
    return SignatureParts(_fallback_name(_IDENTIFIERS.findall(text[:2000])), (Parameter(_ELLIPSIS),))


def _called_name(text: str) -> str:
    """What stands before the first bracket, else the last name: words in front of a name are a language's own."""
    bare = _ATTRIBUTES.sub("", text[:2000])
    called = _CALLED.search(bare)
    return called[1] if called else (_IDENTIFIERS.findall(bare) or ["_"])[-1]


def _fallback_name(identifiers: Iterable[str]) -> str:
    keywords = {"async", "def", "class", "type", "fun", "fn", "func", "function", "public", "static", "export", "const"}
    for each in identifiers:
        if each not in keywords:
            return "_" if is_name_refused(each, "function", "python") else each
    return "_"
