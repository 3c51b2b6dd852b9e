"""Attributes of Rust items: reading one, and what conditional compilation says.

Here: ``#[name]``, ``#[name = value]``, ``#[name(...)]`` as data; conditions of ``cfg`` and what of them is shown. Not
here: which item an attribute stands on (rust_files), doc comments (rust_docs).

Spec: the Rust reference, "Attributes: meta item attribute syntax" and "Conditional compilation"; the rustdoc book for
``doc(hidden)``, ``doc(inline)`` and ``doc(cfg(...))``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from depcodex_assets.rust_tokens import RustToken, RustTokenError, rust_tokens, string_value

# Conditions that hold in nobody's build of a dependency: its own tests, fuzzers and model checkers.
_NEVER = frozenset({"test", "doctest", "loom", "fuzzing", "kani", "miri", "bench", "mutest", "shuttle"})
# rustdoc sets the first, docs.rs the second: what is only for readers is for ours as well.
_FOR_READERS = frozenset({"doc", "docsrs", "doc_cfg", "docs_rs", "feature"})
_MAX_DEPTH = 30


@dataclass(frozen=True)
class Meta:
    """One attribute, or one argument of one.

    Attributes:
        name: its path as written without spaces (``cfg``, ``tokio::main``); "" for a bare literal.
        value: of the string literal behind ``=`` (or the bare literal); None where there is none.
        arguments: what stands in its brackets; None where there are none.
        included: the literal of ``= include_str!("…")``; None where there is none.
    """

    name: str
    value: str | None = None
    arguments: tuple[Meta, ...] | None = None
    included: str | None = None

    def argument(self, name: str) -> Meta | None:
        """The first argument of that name."""
        return next((each for each in self.arguments or () if each.name == name), None)


def read_attribute(text: str) -> Meta | None:
    """``#[…]`` or ``#![…]`` as data; None where it cannot be read.

    Example:
        >>> read_attribute('#[deprecated(since = "1.2.0", note = "…")]').argument("since").value
        '1.2.0'
    """
    try:
        tokens = [each for each in rust_tokens(text) if each.kind not in ("space", "comment")]
    except RustTokenError:
        return None
    opening = next((index for index, each in enumerate(tokens) if each.text == "["), None)
    if opening is None or tokens[-1].text != "]":
        return None
    return _meta(tokens[opening + 1 : -1], 0)


def _meta(tokens: list[RustToken], depth: int) -> Meta | None:
    if depth > _MAX_DEPTH or not tokens:
        return None
    if tokens[0].kind == "string" and len(tokens) == 1:
        return Meta("", string_value(tokens[0].text))
    name, index = "", 0
    while index < len(tokens) and (tokens[index].kind == "name" or tokens[index].text == "::"):
        name += tokens[index].text
        index += 1
    if name == "unsafe" and tokens[index : index + 1] == [RustToken("operator", "(")]:
        return _meta(tokens[index + 1 : -1], depth + 1)
    if index == len(tokens):
        return Meta(name)
    if tokens[index].text == "=":
        return _assigned(name, tokens[index + 1 :])
    if tokens[index].text in ("(", "[", "{"):
        pieces = _split(tokens[index + 1 : -1])
        return Meta(name, arguments=tuple(each for each in (_meta(piece, depth + 1) for piece in pieces) if each))
    return Meta(name)


def _assigned(name: str, tokens: list[RustToken]) -> Meta:
    if len(tokens) == 1 and tokens[0].kind == "string":
        return Meta(name, string_value(tokens[0].text))
    if len(tokens) > 3 and tokens[1].text == "!":
        inside = tokens[3:-1]
        match tokens[0].text:
            case "include_str" if len(inside) == 1:
                return Meta(name, included=string_value(inside[0].text))
            case "concat":
                return Meta(name, "".join(_written(piece) for piece in _split(inside)))
            case "stringify":
                return Meta(name, _stringified(inside))
    return Meta(name)


def _written(tokens: list[RustToken]) -> str:
    """A part of ``concat!``; "" for what only the compiler knows (``env!``)."""
    if len(tokens) == 1 and tokens[0].kind == "string":
        return string_value(tokens[0].text) or ""
    if len(tokens) > 3 and tokens[0].text == "stringify":
        return _stringified(tokens[3:-1])
    if len(tokens) > 3 and tokens[0].text == "concat":
        return "".join(_written(piece) for piece in _split(tokens[3:-1]))
    return tokens[0].text if len(tokens) == 1 and tokens[0].kind in ("number", "char") else ""


def _stringified(tokens: list[RustToken]) -> str:
    """Code as ``stringify!`` spells it: names apart, the rest together."""
    pieces: list[str] = []
    for each in tokens:
        if pieces and each.kind in ("name", "number") and pieces[-1][-1:].isalnum():
            pieces.append(" ")
        pieces.append(each.text)
    return "".join(pieces)


def _split(tokens: list[RustToken]) -> list[list[RustToken]]:
    pieces: list[list[RustToken]] = [[]]
    depth = 0
    for each in tokens:
        if each.text == "," and not depth:
            pieces.append([])
            continue
        depth += (each.text in ("(", "[", "{")) - (each.text in (")", "]", "}"))
        pieces[-1].append(each)
    return [piece for piece in pieces if piece]


def expanded(metas: Iterable[Meta]) -> Iterator[Meta]:
    """The attributes with those of ``cfg_attr`` in its place, where its condition can hold for a reader.

    A condition holds for a reader with all features on, as rustdoc is mostly run.
    """
    for each in metas:
        if each.name != "cfg_attr":
            yield each
        elif each.arguments and holds(each.arguments[0]) is not False and not _is_without_feature(each.arguments[0]):
            yield from expanded(each.arguments[1:])


def _is_without_feature(condition: Meta) -> bool:
    """Whether a condition asks for a feature that is off."""
    if condition.name == "not" and condition.arguments:
        return condition.arguments[0].name in _FOR_READERS
    return condition.name == "all" and any(_is_without_feature(each) for each in condition.arguments or ())


def holds(condition: Meta) -> bool | None:
    """Whether a condition of ``cfg`` holds in a build of a dependency: False, True, or None where it depends.

    Example:
        >>> holds(read_attribute("#[all(test, unix)]")), holds(read_attribute("#[not(loom)]")), holds(Meta("unix"))
        (False, True, None)
    """
    arguments = condition.arguments or ()
    match condition.name:
        case "not":
            inner = holds(arguments[0]) if arguments else None
            return None if inner is None else not inner
        case "all":
            values = [holds(each) for each in arguments]
            return False if False in values else None if None in values else True
        case "any":
            values = [holds(each) for each in arguments]
            return True if True in values else None if None in values else False
        case name if name in _NEVER and condition.value is None:
            return False
    return None


def features_of(condition: Meta) -> str:
    """What a condition says of features, in canonical spelling; "" where it depends on none.

    Example:
        >>> features_of(read_attribute('#[all(feature = "json", unix, not(loom))]'))
        'feature = "json"'
        >>> features_of(read_attribute('#[any(feature = "a", feature = "b")]')), features_of(Meta("unix"))
        ('any(feature = "a", feature = "b")', '')
    """
    if condition.name == "feature" and condition.value:
        return f'feature = "{condition.value}"' if _is_feature_name(condition.value) else ""
    if condition.name not in ("all", "any"):
        return ""
    arguments = [each for each in condition.arguments or () if holds(each) is None and each.name not in _FOR_READERS]
    arguments += [each for each in condition.arguments or () if each.name == "feature"]
    shown = [features_of(each) for each in arguments]
    if condition.name == "any" and "" in shown:
        # Something else than a feature can switch it on as well.
        return ""
    shown = list(dict.fromkeys(each for each in shown if each))
    return shown[0] if len(shown) == 1 else f"{condition.name}({', '.join(shown)})" if shown else ""


def _is_feature_name(name: str) -> bool:
    return len(name) <= 60 and all(each.isalnum() or each in "_-+." for each in name)


def label_of(conditions: Iterable[str]) -> str:
    """One ``#[cfg(…)]`` for what several places say of features; "" where none says anything."""
    parts: list[str] = []
    for each in conditions:
        parts += each[4:-1].split(", ") if each.startswith("all(") and "(" not in each[4:] else [each]
    parts = list(dict.fromkeys(each for each in parts if each))
    if not parts:
        return ""
    return f"#[cfg({parts[0]})]" if len(parts) == 1 else f"#[cfg(all({', '.join(parts)}))]"
