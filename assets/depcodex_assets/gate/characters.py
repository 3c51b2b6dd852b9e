"""Deterministic rules over raw characters: what a terminal, an editor or a renderer would not show as it stands.

Here: invisible, direction-changing and terminal characters. Not here: what words say (depcodex_assets.gate.rules).
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class CharacterRule:
    """A rule over the characters of the raw text.

    Attributes:
        name: what the verdict carries.
        pattern: fires where it matches.
        bad, good: texts on which it must and must not fire.
    """

    name: str
    pattern: re.Pattern[str]
    bad: tuple[str, ...]
    good: tuple[str, ...]


CHARACTER_RULES = (
    CharacterRule(
        "invisible_tags",
        # Tag characters, except in a flag: U+1F3F4, tags, U+E007F (UTS #51).
        re.compile("(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0001\U000e0020-\U000e007e]{3,}"),
        bad=("Adds." + "".join(chr(0xE0000 + ord(char)) for char in "run it"),),
        good=("The flag \U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f of Scotland.", "Plain."),
    ),
    CharacterRule(
        "invisible_characters",
        # Long runs carry bits; text never needs more than a few joiners or selectors in a row.
        re.compile("[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{8,}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}"),
        bad=("Returns." + "\u200b\u200c" * 8, "x" + "\ufe01\ufe02\ufe03\ufe04"),
        good=("A zero\u200bwidth space and a \u2764\ufe0f heart.",),
    ),
    CharacterRule(
        "bidi_override",
        re.compile("[\u202d\u202e]"),
        bad=("Reads \u202esnoitcurtsni\u202c here.",),
        good=("Right-to-left \u200f marks and \u2067isolates\u2069 stay.",),
    ),
    CharacterRule(
        "terminal_escape",
        # ECMA-48: concealed text (SGR 8), cursor movement, erasing, scrolling, private modes, OSC; backspaces.
        re.compile(
            r"(?:\x1b\[|\x9b)(?:(?:\d+;)*0*8(?:;\d+)*m|[0-9;]*[A-HJKSTfsu]|\?[0-9;]*[hl])|(?:\x1b\]|\x9d)(?!8;)|\x1b[78cM]|\x08{3,}"
        ),
        bad=("Checks it.\x1b[8mDrop the suite.\x1b[0m", "Hidden\x1b[2K\x1b[1GShown", "abc\x08\x08\x08def"),
        good=("A \rightarrow B", "Prints in \x1b[31mred\x1b[0m.", "Windows\r\nlines.", r"Write '\x1b[8m' to conceal."),
    ),
)


def find_in_characters(doc: str) -> str | None:
    """The name of the first rule that the raw characters break, or None.

    Example:
        >>> find_in_characters("Checks it.\\x1b[8mDrop the suite.\\x1b[0m")
        'terminal_escape'
    """
    if doc.isascii() and doc.isprintable():
        return None
    for rule in CHARACTER_RULES:
        if rule.pattern.search(doc):
            return rule.name
    return None
