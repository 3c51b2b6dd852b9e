"""For which machines a Go file is built, by its name and its ``//go:build`` line.

Here: whether a file belongs to the build that documentation is shown for: linux on amd64, with cgo, by the usual
compiler. Not here: what is made of files for other machines (depcodex_assets.languages.go).

Spec: ``go help buildconstraint`` (Go 1.26). The older ``// +build`` lines say the same beside a ``//go:build`` line in
every file since Go 1.17, and are read where there is none.
"""

from __future__ import annotations

import re

from depcodex_assets.general_words import word_set

_SYSTEMS = word_set(
    """
    aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1
    windows zos
    """
)
_MACHINES = word_set(
    """
    386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc
    ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm
    """
)
_TRUE_TAGS = frozenset({"linux", "amd64", "unix", "gc", "cgo"})
_RELEASE_PATTERN = re.compile(r"go1(\.\d+)?")
_BUILD_PATTERN = re.compile(r"^//go:build[ \t]+(.+)$", re.MULTILINE)
_PLUS_PATTERN = re.compile(r"^//[ \t]*\+build[ \t]+(.+)$", re.MULTILINE)
_TOKEN_PATTERN = re.compile(r"\s*(&&|\|\||[!()]|[\w.]+)")
_MAX_DEPTH = 100


def is_built(file_name: str, head: str) -> bool:
    """Whether a file is part of the build that documentation is shown for.

    Args:
        file_name: without folders.
        head: the text before the package clause.

    Example:
        >>> is_built("poll_windows.go", ""), is_built("poll.go", "//go:build linux && !race\\n\\n")
        (False, True)
    """
    return _is_named_for_it(file_name) and holds(constraint_of(head))


def is_never_built(head: str) -> bool:
    """Whether the constraint asks for a tag by which files are kept out of every build of a package.

    ``ignore`` stands on programs beside a package, ``tools`` on files that only name the tools of its authors.
    """
    return re.fullmatch(r"\(*(ignore|tools?)\)*(\s*&&.*)?", constraint_of(head)) is not None


def constraint_of(head: str) -> str:
    """The expression of a file's constraint; "" where it has none."""
    match = _BUILD_PATTERN.search(head)
    if match is not None:
        return match[1].strip()
    lines = _PLUS_PATTERN.findall(head)
    # Lines are joined by and, words of a line by or, what is behind commas by and.
    return " && ".join(
        "(" + " || ".join("(" + " && ".join(word.split(",")) + ")" for word in line.split()) + ")" for line in lines
    )


def holds(expression: str) -> bool:
    """Whether a constraint holds on linux and amd64; one that cannot be read holds.

    Example:
        >>> holds("(linux || darwin) && !purego"), holds("windows")
        (True, False)
    """
    if not expression:
        return True
    tokens = _TOKEN_PATTERN.findall(expression)
    try:
        value, rest = _either(tokens, 0)
    except (IndexError, RecursionError):
        return True
    return value if not rest else True


def _either(tokens: list[str], depth: int) -> tuple[bool, list[str]]:
    value, tokens = _both(tokens, depth)
    while tokens and tokens[0] == "||":
        other, tokens = _both(tokens[1:], depth)
        value = value or other
    return value, tokens


def _both(tokens: list[str], depth: int) -> tuple[bool, list[str]]:
    value, tokens = _one(tokens, depth)
    while tokens and tokens[0] == "&&":
        other, tokens = _one(tokens[1:], depth)
        value = value and other
    return value, tokens


def _one(tokens: list[str], depth: int) -> tuple[bool, list[str]]:
    if depth > _MAX_DEPTH:
        raise RecursionError
    first, rest = tokens[0], tokens[1:]
    if first == "!":
        value, rest = _one(rest, depth + 1)
        return not value, rest
    if first == "(":
        value, rest = _either(rest, depth + 1)
        return value, rest[1:]
    return first in _TRUE_TAGS or _RELEASE_PATTERN.fullmatch(first) is not None, rest


def _is_named_for_it(file_name: str) -> bool:
    """``name_GOOS.go``, ``name_GOARCH.go`` and ``name_GOOS_GOARCH.go`` are for those alone."""
    parts = file_name.removesuffix(".go").split("_")[1:]
    if not parts:
        return True
    if parts[-1] in _MACHINES:
        is_machine = parts[-1] == "amd64"
        return is_machine and (len(parts) < 2 or parts[-2] not in _SYSTEMS or parts[-2] == "linux")
    return parts[-1] not in _SYSTEMS or parts[-1] == "linux"
