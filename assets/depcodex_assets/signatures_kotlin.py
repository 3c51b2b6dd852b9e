"""Kotlin signatures as a reader may see them.

Here: functions, properties, classes, constructors, type aliases, entries. Not here: what a type may hold
(signatures_jvm), the checks that every language's signatures pass (public_signatures).

Spec: the Kotlin language specification, "Syntax and grammar", declarations.
"""

from __future__ import annotations

from collections.abc import Sequence

from depcodex_assets.general_words import word_set
from depcodex_assets.signature_shapes import Parameter, SignatureLanguage, SignatureParts
from depcodex_assets.signature_tokens import Token, UnreadableError
from depcodex_assets.signatures_jvm import (
    ELLIPSIS,
    closing,
    cut,
    default_text,
    split,
    tokens,
    type_text,
    without_annotations,
)

_MODIFIERS = word_set(
    """
    public protected private internal open abstract final sealed const lateinit suspend inline infix operator
    inner enum annotation data value companion fun expect actual override external tailrec
    """
)
# What stays of them: the rest says how a thing is made.
_SHOWN = _MODIFIERS - {"expect", "actual", "override", "external", "tailrec"}
_KEYWORDS = ("fun", "val", "var", "class", "interface", "object", "typealias", "constructor")
_PARAMETER_WORDS = word_set(
    """
    vararg noinline crossinline val var public private protected internal open override final
    """
)
_JOINING = word_set(
    """
    in out suspend reified where by dynamic
    """
)
_CLASS_WORDS = word_set(
    """
    public private protected internal
    """
)


def read(text: str) -> SignatureParts:
    """A Kotlin signature taken apart. Raises UnreadableError on anything else."""
    found = without_annotations(tokens(text, "kotlin"))
    while found and found[-1][1] in ("{", ";"):
        found = found[:-1]
    words, found = _modifiers(found)
    if not found:
        raise UnreadableError
    keyword = found[0][1]
    if keyword not in _KEYWORDS:
        return _bare(words, found)
    shown = [each for each in words if each in _SHOWN or each.startswith("context")]
    head = " ".join([*shown, keyword])
    rest = found[1:]
    if keyword == "fun":
        return _function(head, rest)
    if keyword in ("val", "var"):
        return _property(head, rest)
    if keyword == "typealias":
        left, right = cut(rest, "=")
        if right is None:
            raise UnreadableError
        return SignatureParts(f"{head} {_type(left)} = {_type(right)}", None)
    if keyword == "constructor":
        if not rest or rest[0][1] != "(":
            raise UnreadableError
        end = closing(rest, 0)
        return SignatureParts(head, _parameters(rest[1:end]))
    return _class(head, rest)


def show(parts: SignatureParts) -> str:
    """The parts as Kotlin writes them."""
    text = parts.head
    if parts.parameters is not None:
        text += f"({', '.join(map(_shown, parts.parameters))})"
    if not parts.returns:
        return text
    is_class = parts.parameters is None or any(
        f" {word} " in f" {parts.head} " for word in ("class", "interface", "object")
    )
    if parts.returns.startswith("where "):
        return f"{text} {parts.returns}"
    return f"{text} : {parts.returns}" if is_class else f"{text}: {parts.returns}"


def _modifiers(found: list[Token]) -> tuple[list[str], list[Token]]:
    """Leading modifiers as words; ``fun`` is one of them before ``interface`` only."""
    words: list[str] = []
    index = 0
    while index < len(found):
        value = found[index][1]
        following = found[index + 1][1] if index + 1 < len(found) else ""
        if value == "context" and following == "(":
            end = closing(found, index + 1)
            inner = ", ".join(_context(each) for each in split(found[index + 2 : end]))
            words.append(f"context({inner})")
            index = end + 1
        elif value in _MODIFIERS and (value != "fun" or following == "interface") and following not in ("", "(", "="):
            words.append(value)
            index += 1
        else:
            break
    return words, found[index:]


def _context(found: Sequence[Token]) -> str:
    left, right = cut(found, ":")
    return _type(left) if right is None else f"{_type(left)}: {_type(right)}"


def _bare(words: Sequence[str], found: Sequence[Token]) -> SignatureParts:
    """An enum's entry, or a name that stands for what could not be read."""
    if words or found[0][0] != "name":
        raise UnreadableError
    if len(found) == 1:
        return SignatureParts(found[0][1], None)
    if [value for _, value in found[1:]] == ["(", ELLIPSIS, ")"]:
        return SignatureParts(found[0][1], (Parameter(ELLIPSIS),))
    raise UnreadableError


def _function(head: str, found: Sequence[Token]) -> SignatureParts:
    variables, rest = _variables(found)
    opening = _parameters_at(rest)
    end = closing(rest, opening)
    name = _type(rest[:opening])
    tail = rest[end + 1 :]
    returns = ""
    before, constraints = cut(tail, "where")
    if before:
        if before[0][1] != ":":
            # An expression's body.
            if before[0][1] != "=":
                raise UnreadableError
            before = []
        else:
            returns = _type(cut(before[1:], "=")[0])
    if constraints:
        returns = f"{returns} where {_type(cut(constraints, '=')[0])}".lstrip()
    return SignatureParts(f"{head}{variables} {name}", _parameters(rest[opening + 1 : end]), returns)


def _variables(found: Sequence[Token]) -> tuple[str, Sequence[Token]]:
    """Type parameters in front of a name."""
    if not found or found[0][1] != "<":
        return "", found
    end = closing(found, 0)
    return f" {_type(found[: end + 1])}", found[end + 1 :]


def _parameters_at(found: Sequence[Token]) -> int:
    """The index of the bracket behind the function's name; one in front belongs to a receiver's function type."""
    index = 0
    while index < len(found):
        kind, value = found[index]
        if value == "(" and index and found[index - 1][0] == "name" and found[index - 1][1] != "suspend":
            return index
        if kind == "operator" and value in ("(", "<"):
            index = closing(found, index)
        elif kind == "operator" and value not in (".", "?"):
            break
        index += 1
    raise UnreadableError


def _parameters(found: Sequence[Token]) -> tuple[Parameter, ...]:
    return tuple(_parameter(each) for each in split(found))


def _parameter(found: list[Token]) -> Parameter:
    if [value for _, value in found] == [ELLIPSIS]:
        return Parameter(ELLIPSIS)
    star = ""
    while len(found) > 1 and found[0][1] in _PARAMETER_WORDS and found[1][0] == "name":
        star = "*" if found[0][1] == "vararg" else star
        found = found[1:]
    left, annotation = cut(found, ":")
    if annotation is None or len(left) != 1 or left[0][0] != "name":
        raise UnreadableError
    kind, default = cut(annotation, "=")
    return Parameter(left[0][1], _type(kind), "" if default is None else default_text(default), star)


def _shown(parameter: Parameter) -> str:
    if not parameter.annotation:
        return parameter.name
    text = f"{'vararg ' if parameter.star else ''}{parameter.name}: {parameter.annotation}"
    return f"{text} = {parameter.default}" if parameter.default else text


def _property(head: str, found: Sequence[Token]) -> SignatureParts:
    variables, rest = _variables(found)
    setter = ""
    if [value for _, value in rest[-2:]] == ["private", "set"] or [value for _, value in rest[-2:]] == [
        "internal",
        "set",
    ]:
        setter = f" {rest[-2][1]} set"
        rest = rest[:-2]
    left, value = cut(rest, "=")
    left, constraints = cut(left, "where")
    left, _ = cut(left, "by")
    name, kind = cut(left, ":")
    if not name or name[-1][0] != "name":
        raise UnreadableError
    text = f"{head}{variables} {_type(name)}"
    if kind is not None:
        text += f": {_type(kind)}"
    if constraints:
        text += f" where {_type(constraints)}"
    if value is not None:
        text += f" = {default_text(value)}"
    return SignatureParts(text + setter, None)


def _class(head: str, found: Sequence[Token]) -> SignatureParts:
    name: list[Token] = []
    index = 0
    if found and found[0][0] == "name" and found[0][1] != "where":
        name, index = [found[0]], 1
    text = f"{head} {name[0][1]}" if name else head
    if index < len(found) and found[index][1] == "<":
        end = closing(found, index)
        text += _type(found[index : end + 1])
        index = end + 1
    while index < len(found) and found[index][1] in (*_CLASS_WORDS, "constructor"):
        index += 1
    parameters = None
    if index < len(found) and found[index][1] == "(":
        end = closing(found, index)
        parameters = _parameters(found[index + 1 : end])
        index = end + 1
    rest, constraints = cut(found[index:], "where")
    returns = ""
    if rest:
        if rest[0][1] != ":":
            raise UnreadableError
        returns = ", ".join(_type(_called(cut(each, "by")[0])) for each in split(rest[1:]))
    if constraints:
        returns = f"{returns} where {_type(constraints)}".lstrip()
    return SignatureParts(text, parameters, returns)


def _called(found: Sequence[Token]) -> Sequence[Token]:
    """A supertype without what its constructor is given; a function type keeps its parameters."""
    if any(value == "->" for _, value in found):
        return found
    for index, (_, value) in enumerate(found):
        if value == "(" and index:
            return found[:index]
    return found


def _type(found: Sequence[Token]) -> str:
    text = type_text(found, _JOINING)
    if not text:
        raise UnreadableError
    return text


KOTLIN = SignatureLanguage(read, show)
