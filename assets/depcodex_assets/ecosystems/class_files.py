"""The head of a class file: whether other code can see the class.

Here: the access flags of one class. Not here: its members (depcodex_assets.languages).

Format: the Java Virtual Machine Specification, chapter 4 (class file versions 45 to 69).
"""

from __future__ import annotations

import struct

_MAGIC = 0xCAFEBABE
_PUBLIC = 0x0001
_SYNTHETIC = 0x1000
_UTF8 = 1
_WIDE = (5, 6)
# Bytes after the tag of each kind of constant (table 4.4-A and the sections it names).
_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def is_public_class(content: bytes) -> bool:
    """Whether the class is public and no compiler made it up; False for what is no class file.

    A nested class that is protected counts as public there, since its own flags say so.

    Example:
        >>> is_public_class(b"not a class")
        False
    """
    try:
        return _flags(content) & (_PUBLIC | _SYNTHETIC) == _PUBLIC
    except (struct.error, KeyError, IndexError):
        return False


def _flags(content: bytes) -> int:
    magic, _, _, count = struct.unpack_from(">IHHH", content, 0)
    if magic != _MAGIC:
        raise KeyError(magic)
    place, number = 10, 1
    while number < count:
        tag = content[place]
        if tag == _UTF8:
            (length,) = struct.unpack_from(">H", content, place + 1)
            place += 3 + int(length)
        else:
            place += 1 + _SIZES[tag]
        # A long or double takes two numbers.
        number += 2 if tag in _WIDE else 1
    (flags,) = struct.unpack_from(">H", content, place)
    return int(flags)
