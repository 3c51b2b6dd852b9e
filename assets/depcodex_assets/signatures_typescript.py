"""Signatures of JavaScript and TypeScript as a reader may see them.

Here: taking one apart and writing it on one line. Not here: the languages that share Python's reader
(public_signatures), how a signature is cut out of a file (languages.typescript_definitions).

Grammar: ECMA-262 and the TypeScript handbook. Object types become ``{...}``, values of defaults stay where they are
numbers, words or empty brackets, strings stay in types where they are short identifiers that pass the name screen.
A function is written with its types behind a colon, a constant that holds one as ``const f: (a: A) => B``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from depcodex_assets.general_words import word_set
from depcodex_assets.screens import is_name_refused
from depcodex_assets.signature_brackets import (
    CLOSE,
    MAX_DEPTH,
    after,
    closing,
    closing_angle,
    find,
    find_angle,
    split,
    split_types,
    tokens_of,
    without_decorators,
)
from depcodex_assets.signature_shapes import Parameter, SignatureLanguage, SignatureParts
from depcodex_assets.signature_tokens import Token, UnreadableError

# Below the cap of a whole signature, so that a cut type is shown and not only its name.
_MAX_TYPE_CHARACTERS = 380
_MAX_HEAD_CHARACTERS = 200
_LITERAL = re.compile(r"[A-Za-z0-9_+][\w.+/:-]{0,23}|[<>=!+*/%&|^~-]{1,3}|", re.ASCII)
_ADDRESS = re.compile(
    r"(?:www\.[\w.-]+|(?:[\w-]+\.)+"
    r"(?:com|net|org|dev|app|sh|info|biz|xyz|top|site|online|cloud|link|ru|cn|me|gg|zip|io|ai))(?:[/:].*)?"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?:[/:].*)?|[\w+.-]+://.*",
    re.ASCII | re.IGNORECASE,
)
_ELLIPSIS = "..."
# What says how a thing is declared and not how it is used.
_DROPPED = frozenset({"export", "declare", "public", "override", "accessor"})
_VARIANCE = frozenset({"const", "in", "out"})
_HEADS = frozenset({"class", "interface", "enum", "namespace", "module", "type"})
_VARIABLES = frozenset({"const", "let", "var"})
_MODIFIERS = frozenset({"static", "readonly", "abstract", "protected", "async", "get", "set", "private"})
_SPACED_WORDS = word_set(
    """
    extends implements keyof typeof infer is asserts in out as new unique readonly const abstract static async
    function class interface enum namespace module type let var get set protected private instanceof of
    """
)
_OPERATOR_WORDS = word_set(
    """
    new typeof await yield void delete function class async in of instanceof
    """
)


def read(text: str) -> SignatureParts:
    """A signature taken apart, each part reduced to what may be shown.

    Raises:
        UnreadableError: it is no signature of the language.

    >>> parts = read("function get<T>(url: string, options: { a: 1 } = {}): Promise<T>")
    >>> parts.head, [each.annotation for each in parts.parameters], parts.returns
    ('function get<T>', ['string', '{...}'], 'Promise<T>')
    """
    tokens = without_decorators(tokens_of(text))
    while tokens and tokens[-1][1] in (";", "{", ","):
        tokens = tokens[:-1]
    while len(tokens) > 1 and tokens[0][1] in _DROPPED and tokens[1][0] in ("name", "string"):
        tokens = tokens[1:]
    if not tokens:
        raise UnreadableError
    words = [value for kind, value in tokens[:4] if kind == "name"]
    lead = next((each for each in words if each not in _MODIFIERS), "")
    if lead in _HEADS and _is_declaration(tokens, lead):
        return SignatureParts(_declaration(tokens), None)
    if lead in _VARIABLES and tokens[0][1] == lead:
        return _variable(tokens)
    return _callable(tokens)


def show(parts: SignatureParts) -> str:
    """The parts on one line, of any length; reading that again gives the same.

    >>> show(read("const f = async (a, b = 'x') => b"))
    'const f: (a, b = ...) => any'
    """
    if parts.parameters is None:
        return parts.head + (f": {parts.returns}" if parts.returns else "")
    inside = ", ".join(_shown(each) for each in parts.parameters)
    if parts.head.partition(" ")[0] in _VARIABLES:
        opening = "" if parts.head.endswith(">") and ": " in parts.head else ": "
        return f"{parts.head}{opening}({inside}) => {parts.returns or 'any'}"
    return f"{parts.head}({inside}){f': {parts.returns}' if parts.returns else ''}"


SIGNATURES = SignatureLanguage(read, show)


def _shown(parameter: Parameter) -> str:
    text = ("..." if parameter.star else "") + parameter.name
    if parameter.annotation:
        text += f": {parameter.annotation}"
    return f"{text} = {parameter.default}" if parameter.default else text


def _is_declaration(tokens: Sequence[Token], lead: str) -> bool:
    """Whether a word like ``type`` opens a declaration; it may as well be a member's own name."""
    for index, (kind, value) in enumerate(tokens):
        if kind == "name" and value == lead:
            following = tokens[index + 1] if index + 1 < len(tokens) else ("operator", "")
            return following[0] in ("name", "string") or (lead == "class" and following[1] in ("{", "<", ""))
    return False


def _declaration(tokens: Sequence[Token]) -> str:
    """A class, interface, enum, namespace or type on one line."""
    equals = find(tokens, "=") if any(value == "type" for _, value in tokens[:3]) else None
    if equals is None:
        return _head(tokens, _MAX_TYPE_CHARACTERS)
    value = tokens[equals + 1 :]
    head = _head(tokens[:equals], _MAX_HEAD_CHARACTERS)
    return f"{head} = {_union(value, len(head))}" if value else head


def _head(tokens: Sequence[Token], limit: int) -> str:
    """Words before parameters or a value; where they are long, type parameters without what bounds them, then none."""
    shown = _type(tokens)
    if len(shown) <= limit:
        return shown
    opening = find_angle(tokens)
    if opening is None:
        return shown
    last = closing_angle(tokens, opening)
    names = list(split_types(tokens[opening + 1 : last]))
    bare = [("operator", "<")]
    for position, each in enumerate(names):
        first = next(
            (token for token in each if token[0] == "name" and token[1] not in _VARIANCE), ("operator", _ELLIPSIS)
        )
        bare += [("operator", ",")] if position else []
        bare.append(first)
    short = [*tokens[:opening], *bare, *tokens[last:]]
    shown = _type(short)
    return shown if len(shown) <= limit else _type([*tokens[:opening], *_without_arguments(tokens[opening:])])


def _without_arguments(tokens: Sequence[Token]) -> list[Token]:
    """Every ``<…>`` with ``...`` in it."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        if tokens[index] == ("operator", "<"):
            kept += [("operator", "<"), ("operator", _ELLIPSIS), ("operator", ">")]
            index = closing_angle(tokens, index) + 1
        else:
            kept.append(tokens[index])
            index += 1
    return kept


def _variable(tokens: Sequence[Token]) -> SignatureParts:
    """``const x: T = value``; a function type or a function makes parameters of it."""
    colon, equals = find(tokens, ":"), find(tokens, "=")
    if colon is not None and (equals is None or colon < equals):
        return _typed(_type(tokens[:colon]), tokens[colon + 1 :])
    if equals is None:
        return SignatureParts(_type(tokens), None)
    head = _type(tokens[:equals])
    value = tokens[equals + 1 :]
    if value and value[0][1] == "async":
        value = value[1:]
    function = _arrow(value)
    if function is not None:
        generics, parameters, returns = function
        return SignatureParts(f"{head}: {generics}" if generics else head, parameters, returns or "any")
    return SignatureParts(f"{head} = {_default(value)}", None)


def _typed(head: str, written: Sequence[Token]) -> SignatureParts:
    equals = find(written, "=")
    if equals is not None:
        written = written[:equals]
    if not written:
        raise UnreadableError
    function = _arrow(written, is_type=True)
    if function is not None:
        generics, parameters, returns = function
        return SignatureParts(f"{head}: {generics}" if generics else head, parameters, returns or "any")
    return SignatureParts(f"{head}: {_union(written, len(head))}", None)


def _arrow(tokens: Sequence[Token], *, is_type: bool = False) -> tuple[str, tuple[Parameter, ...], str] | None:
    """``<T>(a: A): B =>`` and, as a type, ``<T>(a: A) => B``: generics, parameters and what it returns; else None."""
    index = 0
    generics = ""
    if tokens and tokens[0] == ("operator", "<"):
        end = closing_angle(tokens, 0)
        generics, index = _type(tokens[: end + 1]), end + 1
    if index >= len(tokens):
        return None
    if tokens[index][0] == "name" and tokens[index][1] == "function":
        parts = _callable(tokens[index:])
        return "", parts.parameters or (), parts.returns
    if tokens[index][0] == "name" and index + 1 < len(tokens) and tokens[index + 1][1] == "=>" and not is_type:
        return generics, (Parameter(_word(tokens[index])),), ""
    if tokens[index] != ("operator", "("):
        return None
    last = closing(tokens, index)
    rest = tokens[last + 1 :]
    if is_type:
        if not rest or rest[0][1] != "=>" or len(rest) < 2:
            return None
        return generics, _parameters(tokens[index + 1 : last]), _type(rest[1:])
    arrow = find(rest, "=>")
    if arrow is None:
        return None
    returns = _type(rest[1:arrow]) if arrow > 1 and rest[0][1] == ":" else ""
    return generics, _parameters(tokens[index + 1 : last]), returns


def _callable(tokens: Sequence[Token]) -> SignatureParts:
    """A function, a method, a property or an enum's member."""
    index = 0
    while index < len(tokens):
        kind, value = tokens[index]
        if kind == "operator":
            if value == "(":
                return _with_parameters(tokens, index)
            if value == ":":
                shown = _type(tokens[:index])
                written = list(tokens[index + 1 :])
                if not written or not shown:
                    raise UnreadableError
                equals = find(written, "=")
                function = _arrow(written) if find(written, "=>") is not None else None
                if function is not None and written[0][1] in ("function", "async"):
                    return SignatureParts(shown, function[1], function[2])
                if written[0][0] == "name" and written[0][1] == "function":
                    parts = _callable(written)
                    return SignatureParts(shown, parts.parameters, parts.returns)
                if equals is not None and equals == 0:
                    raise UnreadableError
                kept = written[:equals] if equals is not None else written
                return SignatureParts(f"{shown}: {_union(kept, len(shown))}", None)
            if value == "=":
                shown = _type(tokens[:index])
                assigned = list(tokens[index + 1 :])
                if assigned and assigned[0][1] == "async":
                    assigned = assigned[1:]
                function = _arrow(assigned)
                if function is not None:
                    return SignatureParts(shown + function[0], function[1], function[2])
                return SignatureParts(f"{shown} = {_default(assigned)}", None)
            if value in CLOSE or value in ("{", "=>", ",", ";"):
                raise UnreadableError
        index = after(tokens, index)
    return SignatureParts(_type(tokens), None)


def _with_parameters(tokens: Sequence[Token], opening: int) -> SignatureParts:
    last = closing(tokens, opening)
    head = _head(tokens[:opening], _MAX_HEAD_CHARACTERS) if opening else ""
    rest = list(tokens[last + 1 :])
    returns = ""
    if rest and rest[0][1] == ":":
        returns = _type(rest[1:])
    elif rest and rest[0][1] == "=>":
        returns = ""
    elif rest:
        raise UnreadableError
    if not head:
        head = "function"
    return SignatureParts(head, _parameters(tokens[opening + 1 : last]), returns)


def _parameters(tokens: Sequence[Token]) -> tuple[Parameter, ...]:
    return tuple(_parameter(each) for each in split(tokens))


def _parameter(tokens: Sequence[Token]) -> Parameter:
    tokens = without_decorators(list(tokens))
    star = ""
    if tokens and tokens[0][1] == _ELLIPSIS:
        if len(tokens) == 1:
            return Parameter(_ELLIPSIS)
        star, tokens = "*", tokens[1:]
    while (
        len(tokens) > 1
        and tokens[0][1] in ("public", "protected", "private", "readonly", "override")
        and tokens[1][0] == "name"
    ):
        tokens = tokens[1:]
    if not tokens:
        raise UnreadableError
    target, rest = _target(tokens)
    mark = ""
    if rest and rest[0][1] == "?":
        mark, rest = "?", rest[1:]
    annotation = ""
    if rest and rest[0][1] == ":":
        equals = find(rest, "=")
        annotation = _type(rest[1:equals] if equals is not None else rest[1:])
        rest = rest[equals:] if equals is not None else []
        if not annotation:
            raise UnreadableError
    if not rest:
        return Parameter(target + mark, annotation, "", star)
    if rest[0][1] != "=" or len(rest) < 2:
        raise UnreadableError
    return Parameter(target + mark, annotation, _default(rest[1:]), star)


def _target(tokens: Sequence[Token]) -> tuple[str, Sequence[Token]]:
    """The name, or what stands for a pattern, and the tokens behind it."""
    kind, value = tokens[0]
    if kind == "operator" and value in ("{", "["):
        last = closing(tokens, 0)
        return ("{...}" if value == "{" else "[...]"), tokens[last + 1 :]
    return _word(tokens[0]), tokens[1:]


def _word(token: Token) -> str:
    if token[0] != "name":
        raise UnreadableError
    return token[1]


def _default(tokens: Sequence[Token]) -> str:
    """The neutral form: a number, a constant or a dotted name stays, all else is ``...``."""
    if len(tokens) == 1:
        kind, value = tokens[0]
        return value if kind == "number" or (kind == "name" and value not in _OPERATOR_WORDS) else _ELLIPSIS
    values = [value for _, value in tokens]
    if len(tokens) == 2 and values[0] in ("-", "+") and tokens[1][0] == "number":
        return values[0] + values[1]
    if values in (["[", "]"], ["{", "}"]):
        return "".join(values)
    is_dotted = len(tokens) % 2 == 1 and all(
        kind == "name" if index % 2 == 0 else value == "." for index, (kind, value) in enumerate(tokens)
    )
    return "".join(values) if is_dotted and len(tokens) <= 9 else _ELLIPSIS


def _union(tokens: Sequence[Token], head_characters: int) -> str:
    """A type; of a union that is too long to be shown the first members."""
    while tokens and tokens[0][1] in ("|", "&"):
        tokens = tokens[1:]
    shown = _type(tokens)
    if len(shown) + head_characters <= _MAX_TYPE_CHARACTERS:
        return shown
    kept: list[str] = []
    room = _MAX_TYPE_CHARACTERS - head_characters
    start = 0
    while start < len(tokens):
        end = find(tokens, "|", start)
        piece = _type(tokens[start : len(tokens) if end is None else end])
        room -= len(piece) + 3
        if room < 0 or end is None:
            break
        kept.append(piece)
        start = end + 1
    return " | ".join([*kept, _ELLIPSIS]) if kept else shown


def _type(tokens: Sequence[Token], depth: int = 0) -> str:
    """A type, or the words before parameters, in one canonical spelling."""
    if depth > MAX_DEPTH:
        raise UnreadableError
    pieces: list[str] = []
    previous = ""
    previous_kind = ""
    # Conditions whose other branch has not come yet: their colon stands between spaces, a label's does not.
    waiting = 0
    index = 0
    while index < len(tokens):
        kind, value = tokens[index]
        if kind == "string":
            value, kind = _string(value), "closed"
        elif kind == "template":
            value, kind = _ELLIPSIS, "closed"
        elif kind == "operator" and value == "{":
            last = closing(tokens, index)
            value = "{}" if last == index + 1 else "{...}"
            kind, index = "closed", last
        elif kind == "operator" and value == "(":
            last = closing(tokens, index)
            value, index = _bracketed(tokens, index, last, previous_kind, previous, depth), last
            kind = "closed"
        elif kind == "operator" and value == "[":
            last = closing(tokens, index)
            inner = ", ".join(_type(each, depth + 1) for each in split_types(tokens[index + 1 : last]))
            value, index, kind = (
                f"[{inner}]",
                last,
                "index" if previous_kind in ("name", "closed", "index") else "closed",
            )
        elif kind == "operator" and value == "<":
            last = closing_angle(tokens, index)
            inner = ", ".join(_type(each, depth + 1) for each in split_types(tokens[index + 1 : last]))
            value, index, kind = f"<{inner}>", last, "index" if previous_kind in ("name", "closed") else "closed"
        elif kind == "operator" and (value in CLOSE or value == ">"):
            raise UnreadableError
        elif value == _ELLIPSIS:
            kind = "rest" if index + 1 < len(tokens) else "closed"
        elif kind == "operator" and value == "?" and index + 1 < len(tokens) and not _is_mark(tokens[index + 1]):
            kind, waiting = "conditional", waiting + 1
        elif kind == "operator" and value == ":" and waiting:
            kind, waiting = "conditional", waiting - 1
        if kind == previous_kind == "name" and previous not in _SPACED_WORDS and value not in _SPACED_WORDS:
            # Two names in a row are no type: the words of a sentence would be.
            raise UnreadableError
        if pieces and _needs_space(previous_kind, previous, kind, value):
            pieces.append(" ")
        pieces.append(value)
        previous_kind, previous = kind, value
        index += 1
    return "".join(pieces)


def _bracketed(tokens: Sequence[Token], opening: int, last: int, previous_kind: str, previous: str, depth: int) -> str:
    """Round brackets inside a type: a function type's parameters, a grouped type, or a call without its values."""
    following = tokens[last + 1][1] if last + 1 < len(tokens) else ""
    inside = tokens[opening + 1 : last]
    if following == "=>":
        return f"({', '.join(_shown(_parameter(each)) for each in split(inside))})"
    if previous_kind in ("name", "closed", "index") and previous not in _SPACED_WORDS:
        if previous == "import" and len(inside) >= 1 and inside[0][0] == "string":
            return f"({_string(inside[0][1])})"
        return "(...)"
    return f"({_type(inside, depth + 1)})"


def _is_mark(following: Token) -> bool:
    """Whether what follows a ``?`` says that it marks something optional and opens no condition."""
    return following[0] == "operator" and following[1] in (":", ",", ")", "]", "<", "(")


def _needs_space(previous_kind: str, previous: str, kind: str, value: str) -> bool:
    if "conditional" in (kind, previous_kind):
        return True
    if kind == "operator":
        return value in ("|", "&", "=>", "=", "-", "+") or (value == "*" and previous == "async")
    if previous_kind == "operator":
        return previous in ("|", "&", "=>", "=", ":", ",", ";")
    if previous_kind == "rest" or kind == "index" or value == "(...)":
        return False
    return not (kind == "closed" and value[:1] in "<(" and previous not in _SPACED_WORDS)


def _string(token: str) -> str:
    """A string inside a type: a literal that passes the screen, or ``...``."""
    content = token[1:-1]
    if _ADDRESS.fullmatch(content):
        return _ELLIPSIS
    if _LITERAL.fullmatch(content) and not is_name_refused(content.strip("/:.") or "x", "parameter", "typescript"):
        return f'"{content}"'
    return _ELLIPSIS
