"""Java signatures as a reader may see them, those made from class files among them.

Here: methods, constructors, fields, types, records' components, modules. Not here: what a type may hold
(signatures_jvm), the checks that every language's signatures pass (public_signatures).

Spec: the Java Language Specification, chapters 8 and 9.
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
    public protected private static final abstract default sealed synchronized native strictfp transient volatile
    open
    """
)
_SHOWN = _MODIFIERS - {"synchronized", "native", "strictfp", "transient", "volatile"}
_TYPES = ("class", "interface", "enum", "record", "@interface")
# Annotations that change what may be given and what may come back.
_KEPT = frozenset(("Nullable", "CheckForNull", "NonNull", "NotNull", "Nonnull"))
_JOINING = frozenset(("extends", "super"))
_HEADER_JOINING = _JOINING | {"implements", "permits"}
_THROWS = " throws "


def read(text: str) -> SignatureParts:
    """A Java signature taken apart. Raises UnreadableError on anything else."""
    found = without_annotations(tokens(text, "java"), _KEPT)
    while found and found[-1][1] in ("{", ";"):
        found = found[:-1]
    words, found = _modifiers(found)
    if not found:
        raise UnreadableError
    if found[0][1] in _TYPES and len(found) > 1:
        return _type_declaration(words, found)
    if found[0][1] == "module" and len(found) > 1 and all(value == "." or kind == "name" for kind, value in found):
        return SignatureParts(" ".join([*words, "module", type_text(found[1:])]), None)
    variables = ""
    if found[0][1] == "<":
        end = closing(found, 0)
        variables = f"{type_text(found[: end + 1], _JOINING)} "
        found = found[end + 1 :]
    prefix = "".join(f"{each} " for each in words) + variables
    opening = next((index for index, (_, value) in enumerate(found) if value in ("(", "=")), None)
    if opening is None or found[opening][1] == "=":
        return _field(prefix, found)
    return _callable(prefix, found, opening)


def show(parts: SignatureParts) -> str:
    """The parts as Java writes them: the result's type before the name, exceptions behind the parameters."""
    text = parts.head
    returns, _, thrown = parts.returns.partition(_THROWS)
    if returns.startswith("throws "):
        returns, thrown = "", returns.removeprefix("throws ")
    if parts.parameters is None:
        return f"{text} {parts.returns}".rstrip()
    is_record = " record " in f" {text}"
    if returns and not is_record:
        before, _, name = text.rpartition(" ")
        text = f"{before} {returns} {name}".lstrip()
    text += f"({', '.join(map(_shown, parts.parameters))})"
    if is_record and returns:
        text += f" {returns}"
    return f"{text} throws {thrown}" if thrown else text


def _modifiers(found: list[Token]) -> tuple[list[str], list[Token]]:
    words: list[str] = []
    index = 0
    while index + 1 < len(found):
        value, following = found[index][1], found[index + 1][1]
        if value == "non" and following == "-" and index + 2 < len(found) and found[index + 2][1] == "sealed":
            words.append("non-sealed")
            index += 3
        elif value in _MODIFIERS and (found[index + 1][0] == "name" or following == "<"):
            if value in _SHOWN:
                words.append(value)
            index += 1
        elif value[0] == "@" and value != "@interface":
            words.append(value)
            index += 1
        else:
            break
    return words, found[index:]


def _type_declaration(words: Sequence[str], found: list[Token]) -> SignatureParts:
    prefix = "".join(f"{each} " for each in words) + found[0][1]
    rest = found[1:]
    opening = next((index for index, (_, value) in enumerate(rest) if value == "("), None)
    if opening is None or found[0][1] != "record":
        if not rest or rest[0][0] != "name":
            raise UnreadableError
        return SignatureParts(f"{prefix} {_header(rest)}", None)
    end = closing(rest, opening)
    tail = _header(rest[end + 1 :]) if rest[end + 1 :] else ""
    return SignatureParts(f"{prefix} {type_text(rest[:opening], _JOINING)}", _parameters(rest[opening + 1 : end]), tail)


def _header(found: Sequence[Token]) -> str:
    return type_text(found, _HEADER_JOINING)


def _field(prefix: str, found: Sequence[Token]) -> SignatureParts:
    left, value = cut(found, "=")
    if not left:
        raise UnreadableError
    kind, name = _named(left)
    text = f"{prefix}{type_text(kind, _JOINING)} {name}" if kind else f"{prefix}{name}"
    return SignatureParts(text if value is None else f"{text} = {default_text(value)}", None)


def _callable(prefix: str, found: Sequence[Token], opening: int) -> SignatureParts:
    end = closing(found, opening)
    kind, name = _named(found[:opening])
    returns = type_text(kind, _JOINING) if kind else ""
    tail = list(found[end + 1 :])
    while len(tail) > 1 and tail[0][1] == "[" and tail[1][1] == "]":
        returns += "[]"
        tail = tail[2:]
    if tail and tail[0][1] == "throws":
        thrown, rest = cut(tail[1:], "default")
        returns = f"{returns}{_THROWS}{type_text(thrown)}".lstrip()
        tail = [] if rest is None else [("name", "default"), *rest]
    if tail and tail[0][1] != "default":
        raise UnreadableError
    parameters = _parameters(found[opening + 1 : end])
    return SignatureParts(f"{prefix}{name}", parameters, returns)


def _parameters(found: Sequence[Token]) -> tuple[Parameter, ...]:
    return tuple(_parameter(each) for each in split(found))


def _parameter(found: list[Token]) -> Parameter:
    if [value for _, value in found] == [ELLIPSIS]:
        return Parameter(ELLIPSIS)
    if len(found) > 1 and found[0][1] == "final":
        found = found[1:]
    kind, name = _named(found, is_name_needed=False)
    annotation = type_text(kind, _JOINING)
    if not annotation:
        raise UnreadableError
    return Parameter(name, annotation, star="*" if annotation.endswith(ELLIPSIS) else "")


def _named(found: Sequence[Token], *, is_name_needed: bool = True) -> tuple[list[Token], str]:
    """The type and the name behind it; dimensions behind the name belong to the type.

    Without a need for a name, a type alone has none: class files keep no names of parameters.
    """
    end = len(found)
    while end > 2 and found[end - 1][1] == "]" and found[end - 2][1] == "[":
        end -= 2
    dimensions = list(found[end:])
    if not end or found[end - 1][0] != "name" or found[end - 1][1][0] == "@":
        if is_name_needed:
            raise UnreadableError
        return list(found), ""
    before = found[end - 2] if end > 1 else ("", "")
    if before[1] == ".":
        if is_name_needed:
            raise UnreadableError
        return list(found), ""
    if end == 1 or before[1][0] == "@":
        return ([], found[end - 1][1]) if is_name_needed else (list(found), "")
    return [*found[: end - 1], *dimensions], found[end - 1][1]


def _shown(parameter: Parameter) -> str:
    if not parameter.annotation:
        return parameter.name
    return f"{parameter.annotation} {parameter.name}" if parameter.name else parameter.annotation


JAVA = SignatureLanguage(read, show)
