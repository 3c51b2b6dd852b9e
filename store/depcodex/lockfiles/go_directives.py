"""The lines of go.mod and go.work, as data.

Here: the lexical rules, the directives and what each must look like. Not here: what they resolve to (gomod, gowork).

Spec: the Go modules reference, "go.mod files" (lexical elements, grammar, every directive) and "Workspaces", as of Go
1.26. As the go command does with a main module, a directive that it does not know is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath

from depcodex.errors import LockfileError
from depcodex.lockfiles.go_versions import is_module_path, is_version

MOD_VERBS = frozenset(
    {"module", "go", "toolchain", "require", "exclude", "replace", "retract", "godebug", "tool", "ignore"}
)
WORK_VERBS = frozenset({"go", "toolchain", "use", "replace", "godebug"})
_TOKEN_PATTERN = re.compile(
    r"""[ \t\r]*(?:
    (?P<comment>//.*)
    | (?P<quoted>"(?:[^"\\\n]|\\.)*"|`[^`\n]*`)
    | (?P<sign>[()\[\],])
    | (?P<word>(?:(?!//)[^\s()\[\],"`])+)
    )""",
    re.VERBOSE,
)
_INDIRECT_PATTERN = re.compile(r"//\s*indirect\s*(;|$)")
_GO_VERSION_PATTERN = re.compile(r"[1-9]\d*\.(0|[1-9]\d*)(\.(0|[1-9]\d*))?([a-z]+\d+)?")
_TOOLCHAIN_PATTERN = re.compile(r"default|go(?P<version>1(?:\.[^-]*)?)(?:-.*)?")
_ESCAPES = {"n": "\n", "t": "\t"}


@dataclass(frozen=True)
class Directive:
    """One line, or one line of a block: ``verb`` and its words, the comment behind it, its 1-based number."""

    verb: str
    words: tuple[str, ...]
    comment: str
    line: int


@dataclass(frozen=True)
class Requirement:
    """A ``require`` line; ``is_indirect`` where its comment says so."""

    path: str
    version: str
    is_indirect: bool


@dataclass(frozen=True)
class Replacement:
    """The right side of a ``replace`` line: a module at a version, or a folder (``version`` is empty then)."""

    target: str
    version: str = ""

    @property
    def is_local(self) -> bool:
        """Whether it names a folder."""
        return not self.version


# (path, version) → what stands for it; the version is "" where every version is replaced.
Replacements = Mapping[tuple[str, str], Replacement]


@dataclass(frozen=True)
class ModuleFile:
    """A go.mod or a go.work.

    Attributes:
        module: the module's path; "" where none is stated.
        go: the ``go`` directive; "" where there is none.
        toolchain: the toolchain's version without ``go`` and suffix; "" where none is stated.
        requirements: in order.
        replacements: as ``Replacements``.
        excludes: (path, version) of ``exclude`` lines.
        uses: folders of ``use`` lines, as written.
    """

    module: str = ""
    go: str = ""
    toolchain: str = ""
    requirements: tuple[Requirement, ...] = ()
    replacements: Replacements = field(default_factory=dict)
    excludes: tuple[tuple[str, str], ...] = ()
    uses: tuple[str, ...] = ()

    @property
    def stdlib_version(self) -> str:
        """The version of Go that the file asks for; "" where it names none."""
        return self.toolchain or self.go

    @property
    def is_pruned(self) -> bool:
        """Whether its requirements name every module that its packages need (since Go 1.17)."""
        numbers = [int(each) for each in re.findall(r"\d+", self.go)[:2]]
        return len(numbers) == 2 and numbers >= [1, 17]


def read_directives(text: str, path: Path, error: type[LockfileError]) -> Iterator[Directive]:
    """The directives of a text, blocks taken apart.

    Raises:
        LockfileError: ``error``; a string or block is not closed.
    """
    verb = ""
    start = 0
    for number, line in enumerate(text.split("\n"), start=1):
        words, comment = _words(line, number, path, error)
        if not words:
            continue
        if verb and words == [")"]:
            verb = ""
        elif verb:
            yield Directive(verb, tuple(words), comment, number)
        elif len(words) == 2 and words[1] == "(":
            verb, start = words[0], number
        elif words[-1] == ")" and len(words) == 3 and words[1] == "(":
            continue
        else:
            yield Directive(words[0], tuple(words[1:]), comment, number)
    if verb:
        raise error(path, f"line {start}: the block is not closed")


def _words(line: str, number: int, path: Path, error: type[LockfileError]) -> tuple[list[str], str]:
    words: list[str] = []
    comment = ""
    position = 0
    line = line.rstrip()
    while position < len(line):
        match = _TOKEN_PATTERN.match(line, position)
        if match is None:
            raise error(path, f"line {number}: a string is not closed, or a character stands where none may")
        position = match.end()
        if match["comment"]:
            comment = match["comment"]
        elif match["quoted"]:
            words.append(_unquoted(match["quoted"]))
        else:
            words.append(match["sign"] or match["word"])
    return words, comment


def _unquoted(literal: str) -> str:
    body = literal[1:-1]
    if literal[0] == "`" or "\\" not in body:
        return body
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), body)


def read_module_file(text: str, path: Path, error: type[LockfileError], *, verbs: frozenset[str]) -> ModuleFile:
    """The text as a go.mod (``MOD_VERBS``) or go.work (``WORK_VERBS``).

    Raises:
        LockfileError: ``error``; a directive is unknown, malformed, or names what is no path or version.
    """
    scalars: dict[str, str] = {}
    requirements: list[Requirement] = []
    replacements: dict[tuple[str, str], Replacement] = {}
    excludes: list[tuple[str, str]] = []
    uses: list[str] = []
    for each in read_directives(text, path, error):
        where = f"line {each.line}"
        words = each.words
        if each.verb not in verbs:
            raise error(path, f"{where}: expected a directive, got {each.verb[:40]!r}")
        match each.verb:
            case "module" | "go" | "toolchain":
                if len(words) != 1 or each.verb in scalars:
                    raise error(path, f"{where}: {each.verb}: expected one value, once")
                scalars[each.verb] = _scalar(each, path, error)
            case "require" | "exclude":
                if len(words) != 2 or not is_module_path(words[0]) or not is_version(words[1]):
                    raise error(path, f"{where}: {each.verb}: expected a module path and a version")
                if each.verb == "require":
                    is_indirect = _INDIRECT_PATTERN.match(each.comment) is not None
                    requirements.append(Requirement(words[0], words[1], is_indirect))
                else:
                    excludes.append((words[0], words[1]))
            case "replace":
                key, replacement = _replacement(each, path, error)
                replacements[key] = replacement
            case "use":
                if len(words) != 1:
                    raise error(path, f"{where}: use: expected a folder")
                uses.append(words[0])
            case _:
                pass
    return ModuleFile(
        scalars.get("module", ""),
        scalars.get("go", ""),
        scalars.get("toolchain", ""),
        tuple(requirements),
        replacements,
        tuple(excludes),
        tuple(uses),
    )


def _scalar(directive: Directive, path: Path, error: type[LockfileError]) -> str:
    value = directive.words[0]
    where = f"line {directive.line}: {directive.verb}"
    if directive.verb == "go" and not _GO_VERSION_PATTERN.fullmatch(value):
        raise error(path, f"{where}: expected a version of Go such as 1.23 or 1.23.4")
    if directive.verb == "toolchain":
        match = _TOOLCHAIN_PATTERN.fullmatch(value)
        if match is None:
            raise error(path, f"{where}: expected a name such as go1.23.4")
        return match["version"] or ""
    if directive.verb == "module" and not value:
        raise error(path, f"{where}: expected a module path")
    return value


def _replacement(directive: Directive, path: Path, error: type[LockfileError]) -> tuple[tuple[str, str], Replacement]:
    words = directive.words
    where = f"line {directive.line}: replace"
    arrow = words.index("=>") if "=>" in words else -1
    left, right = words[:arrow], words[arrow + 1 :]
    if arrow not in (1, 2) or not 1 <= len(right) <= 2 or not is_module_path(left[0]):
        raise error(path, f"{where}: expected `module [version] => folder` or `module [version] => module version`")
    if not all(map(is_version, (*left[1:], *right[1:]))):
        raise error(path, f"{where}: expected a version")
    is_folder = is_local_path(right[0])
    if is_folder == (len(right) == 2) or not (is_folder or is_module_path(right[0])):
        raise error(path, f"{where}: expected a folder that starts with ./ or ../, or a module and a version")
    return (left[0], left[1] if len(left) == 2 else ""), Replacement(*right)


def is_local_path(text: str) -> bool:
    """Whether the target of a replacement is a folder: ``./``, ``../``, ``/`` or a drive stands before it.

    Example:
        >>> is_local_path("../fork"), is_local_path("example.com/fork")
        (True, False)
    """
    return (
        text in (".", "..")
        or text.replace("\\", "/").startswith(("./", "../"))
        or PurePosixPath(text).is_absolute()
        or PureWindowsPath(text).is_absolute()
    )
