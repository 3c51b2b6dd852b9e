"""Cursors: where the next page of one answer starts, bound to everything the order depends on.

Here: making and reading them. Not here: what they are bound to (depcodex.query).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json

from depcodex.errors import UsageError

_KEY_BYTES = 12
_OFFSET_BYTES = 4


class CursorError(UsageError):
    """A cursor that is none of ours, or belongs to another question, closure or generation. Ask again without it."""


def cursor_key(**facts: object) -> bytes:
    """What a cursor is bound to, as bytes; ``facts`` must be JSON values."""
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


def make_cursor(key: bytes, offset: int) -> str:
    """An opaque text for the page that starts at ``offset``.

    Example:
        >>> key = cursor_key(need="retry")
        >>> read_cursor(make_cursor(key, 10), key)
        10
    """
    return base64.urlsafe_b64encode(key + offset.to_bytes(_OFFSET_BYTES, "big")).decode("ascii").rstrip("=")


def read_cursor(cursor: str, key: bytes) -> int:
    """The offset of a cursor.

    Raises:
        CursorError: the text is no cursor, or is bound to something else.
    """
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise CursorError("cursor: not one that depcodex made") from error
    if len(raw) != _KEY_BYTES + _OFFSET_BYTES or make_cursor(raw[:_KEY_BYTES], _offset(raw)) != cursor:
        raise CursorError("cursor: not one that depcodex made")
    if raw[:_KEY_BYTES] != key:
        raise CursorError("cursor: made for another question or an earlier state of the index; ask without it")
    return _offset(raw)


def _offset(raw: bytes) -> int:
    return int.from_bytes(raw[_KEY_BYTES:], "big")
