"""JSON with comments and trailing commas, made plain JSON.

Here: taking both out, strings left alone. Not here: reading the JSON (depcodex.lockfiles.documents).

Every match consumes what it looked at, so that hostile input takes linear time.
"""

from __future__ import annotations

import re

# Possessive: nothing is ever tried again.
_COMMENT_PATTERN = re.compile(r'"(?:[^"\\]++|\\.)*+"?+|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+', re.DOTALL)
_COMMA_PATTERN = re.compile(r'"(?:[^"\\]++|\\.)*+"?+|,(?=\s*+[}\]])', re.DOTALL)


def plain_json(text: str) -> str:
    """The text without comments and trailing commas; line numbers stay.

    Example:
        >>> plain_json('{"a": [1, 2,], // "b",\\n}')
        '{"a": [1, 2] \\n}'
    """
    if "//" in text or "/*" in text:
        text = _COMMENT_PATTERN.sub(_without_comment, text)
    return _COMMA_PATTERN.sub(lambda match: "" if match[0] == "," else match[0], text)


def _without_comment(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith('"') else "\n" * match[0].count("\n")
