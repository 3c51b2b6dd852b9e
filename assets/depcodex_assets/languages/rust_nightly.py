"""Syntax that Rust's standard library writes before the language has it, made readable for a grammar of the language.

Here: what rustdoc shows to nobody becomes blanks; ``pub macro`` becomes ``macro_rules!``; bodies of macros that only
their crate can call are emptied. Lines stay where they are. Not here: reading the file (rust_files).

Spec: the unstable book, "const_trait_impl", "decl_macro", "dropck_eyepatch", "allocator_api".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Constant implementations and bounds, attributes of type parameters, functions that are safe in an unsafe block.
_BLANKED_PATTERN = re.compile(
    rb"""
    \[const\][ ]
    | (?<=&)raw[ ](?:const|mut)[ ]
    | \#\[(?:unstable\([^)\]\n]*\)|may_dangle)\][ ]?(?=[ ]*(?:[A-Z]\w*\b(?![(;{])|'))
    | \bconst[ ](?=(?:unsafe[ ])?(?:auto[ ])?(?:trait|impl)\b)
    | \bauto[ ](?=trait[ ])
    | \bsafe[ ](?=fn[ ])
    | \bunsafe[ ](?=extern[ ]"[^"\n]*"[ ]\{)
    """,
    re.VERBOSE,
)
_CONST_IMPL_PATTERN = re.compile(rb"^([ \t]*(?:unsafe[ ])?impl\b(?:[^{};\n]*>)?[ ])const[ ](?!\w+:[^:])", re.MULTILINE)
_MACRO_PATTERN = re.compile(
    rb"^[ \t]*(?:(?P<rules>macro_rules!\s*)|(?P<visible>pub(?:\([^)\n]*\))?\s+)?macro\s+)(?P<name>\w+)\s*(?=[({\[])",
    re.MULTILINE,
)
_BRACKET_PATTERN = re.compile(
    rb"""
    //[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\])*+" | r(?P<hashes>\#+)".*?"(?P=hashes) | '(?:\\.|[^'\\])' | [(){}\[\]]
    """,
    re.VERBOSE | re.DOTALL,
)
_EXPORT = b"#[macro_export]"
# Ours: the macro is an item of its module, where `macro_rules!` is one of the crate.
_EXPORT_ITEM = b"#[macro_export(item)]"
# The expansions of derives and attributes: no call of theirs has brackets.
_ITEM_ARGUMENT_PATTERN = re.compile(rb"\(\s*\$item\s*:\s*item\s*\)")
_MAX_ARMS = 12


def as_stable(content: bytes) -> bytes:
    """A file with the same items on the same lines, in the language's own syntax.

    Example:
        >>> as_stable(b"impl<T> const Clone for Box<T> {}")
        b'impl<T>       Clone for Box<T> {}'
        >>> as_stable(b"pub macro pin($value:expr) {\\n}")
        b'#[macro_export(item)] macro_rules! pin { ($value:expr) => {}; \\n}'
    """
    content = _BLANKED_PATTERN.sub(lambda match: b" " * len(match[0]), content)
    content = _CONST_IMPL_PATTERN.sub(lambda match: match[1] + b"      ", content)
    return b"".join(_with_plain_macros(content))


def _with_plain_macros(content: bytes) -> Iterator[bytes]:
    position = 0
    while match := _MACRO_PATTERN.search(content, position):
        first = _closing(content, match.end())
        end = first
        if first and match["rules"] is None and content[match.end() : match.end() + 1] == b"(":
            opening = content.find(b"{", first)
            end = _closing(content, opening) if opening >= 0 and not content[first:opening].strip() else None
        if first is None or end is None:
            yield content[position : match.end()]
            position = match.end()
            continue
        written = content[match.start() : end]
        if match["rules"] is not None and _is_exported(content, match.start()):
            yield content[position:end]
        else:
            yield content[position : match.start()]
            yield _rewritten(match, content[match.end() : first], written)
        position = end
    yield content[position:]


def _rewritten(match: re.Match[bytes], group: bytes, written: bytes) -> bytes:
    """A macro with what its arms take, and nothing of what they make."""
    arms: list[bytes] = []
    is_public = (match["visible"] or b"").strip() == b"pub" and not match["name"].startswith(b"__")
    if is_public and group.startswith(b"("):
        arms = [] if _ITEM_ARGUMENT_PATTERN.fullmatch(group) else [group]
    elif is_public:
        arms = list(_groups(group[1:-1]))[::2][:_MAX_ARMS]
    head = _EXPORT_ITEM + b" " if arms else b""
    shown = b"".join(b"%s => {}; " % b" ".join(each.split()) for each in arms)
    return head + b"macro_rules! " + match["name"] + b" { " + shown + b"\n" * written.count(b"\n") + b"}"


def _groups(content: bytes) -> Iterator[bytes]:
    """The bracketed groups of a macro's body, outermost only: what an arm takes and what it makes, in turns."""
    position = 0
    while True:
        opening = next(
            (each.start() for each in _BRACKET_PATTERN.finditer(content, position) if each[0] in (b"(", b"{", b"[")),
            None,
        )
        end = _closing(content, opening) if opening is not None else None
        if opening is None or end is None:
            return
        yield content[opening:end]
        position = end


def _closing(content: bytes, start: int) -> int | None:
    """Behind the bracket that closes the one at ``start``; None where none does."""
    depth = 0
    for each in _BRACKET_PATTERN.finditer(content, start):
        if each[0] in (b"(", b"{", b"["):
            depth += 1
        elif each[0] in (b")", b"}", b"]"):
            depth -= 1
            if not depth:
                return each.end()
    return None


def _is_exported(content: bytes, start: int) -> bool:
    """Whether the attributes above a macro say that other crates can call it."""
    return _EXPORT in content[max(0, start - 20_000) : start].rpartition(b"\n\n")[2]
