"""Symbols of five ecosystems taken apart: separators, the library a name starts with, the module it is imported from.

Here: what is the same for everybody who reads or asks for a name. Not here: the index over names
(depcodex.snapshot_rows), the stages of a lookup (depcodex.names).

| type | a symbol | what a caller imports | what people call the library |
|---|---|---|---|
| pypi | ``requests.Session.get`` | ``requests`` | ``requests`` |
| npm | ``@scope/pkg/sub.fn`` | ``@scope/pkg`` | ``@scope/pkg``; ``react`` for ``@types/react`` |
| maven | ``io.ktor.client.HttpClient.get`` | ``io.ktor.client``, a package | ``io.ktor:ktor-core``, ``ktor-core`` |
| cargo | ``serde_json::Value::get`` | ``serde_json`` | ``serde-json``, ``serde_json`` |
| golang | ``gopkg.in/yaml.v3.Node.Decode`` | ``gopkg.in/yaml.v3`` | that, and ``yaml`` |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from depcodex.coordinates import Coordinate

# `$` parts JVM's nested classes; at the start of a name (`$store`, jQuery's `$`) it is a letter.
SEPARATORS = re.compile(r"::|[./#:]|(?<=\w)\$(?=\w)")
# Go's version suffixes: a folder `/v5` and gopkg.in's `yaml.v3`. Neither is part of the package's name.
_GO_VERSION_PATTERN = re.compile(r"(?:/v\d+|\.v\d+)$")
_GO_DOTTED_PATTERN = re.compile(r"(?P<path>.*/[^/.]+\.v\d+)(?:\.|$)")
_TYPES_SCOPE = "@types"
_INSTALLED_FOLDER = "node_modules/"


def fold(name: str) -> str:
    """A name with ``::``, ``#``, ``/``, ``:`` and ``$`` as dots, in one case, without call brackets and blanks.

    Example:
        >>> fold("Serde::Serialize#serialize()")
        'serde.serialize.serialize'
    """
    bare = name.strip().strip("`").removesuffix("()").strip()
    return SEPARATORS.sub(".", bare).casefold()


def last_segment(folded: str) -> str:
    """The last part of a folded name."""
    return folded.rpartition(".")[2]


def depth(names: Iterable[str], ecosystem: str) -> int:
    """The fewest separators in any public name; a JVM package (its lower-case head) counts as one segment."""
    return min(_depth(name, ecosystem) for name in names)


def _depth(name: str, ecosystem: str) -> int:
    if ecosystem == "golang":
        # An import path is one segment whatever its host and folders.
        return name.removeprefix(go_import_path(name)).count(".")
    segments = [part for part in SEPARATORS.split(name) if part]
    if ecosystem == "maven":
        return len(segments) - max(len(_jvm_package(segments)), 1)
    if ecosystem == "npm" and name.startswith("@"):
        # A scope and its name are one.
        return max(len(segments) - 2, 0)
    return max(len(segments) - 1, 0)


def _jvm_package(segments: Sequence[str]) -> Sequence[str]:
    """The lower-case segments before a class or a member; one at least is left for the member."""
    head = 0
    while head < len(segments) - 1 and segments[head][:1].islower():
        head += 1
    return segments[:head]


def go_import_path(symbol: str) -> str:
    """The import path that a Go symbol starts with.

    Example:
        >>> go_import_path("github.com/google/uuid.UUID.String"), go_import_path("gopkg.in/yaml.v3.Node")
        ('github.com/google/uuid', 'gopkg.in/yaml.v3')
    """
    dotted = _GO_DOTTED_PATTERN.match(symbol)
    if dotted:
        return dotted["path"]
    folders, slash, last = symbol.rpartition("/")
    return f"{folders}{slash}{last.partition('.')[0]}"


def full_name(coordinate: Coordinate) -> str:
    """A library's name with its namespace as its ecosystem joins them: Maven's with ``:``, others with ``/``."""
    separator = ":" if coordinate.type == "maven" else "/"
    return f"{coordinate.namespace}{separator}{coordinate.name}" if coordinate.namespace else coordinate.name


def library_names(coordinate: Coordinate) -> tuple[str, ...]:
    """What people call a library, the full name first.

    Example:
        >>> library_names(Coordinate.parse("pkg:golang/gopkg.in/yaml.v3@v3.0.1"))
        ('gopkg.in/yaml.v3', 'yaml')
        >>> library_names(Coordinate.parse("pkg:npm/%40types/babel__core@7.20.5"))
        ('@types/babel__core', '@babel/core')
    """
    names = [full_name(coordinate)]
    if coordinate.type == "maven":
        names.append(coordinate.name)
    elif coordinate.type == "golang":
        names.append(_GO_VERSION_PATTERN.sub("", names[0]).rpartition("/")[2])
    elif coordinate.type == "npm" and coordinate.namespace == _TYPES_SCOPE:
        scope, parted, name = coordinate.name.partition("__")
        names.append(f"@{scope}/{name}" if parted else coordinate.name)
    return tuple(dict.fromkeys(names))


def import_names(coordinate: Coordinate, symbols: Iterable[str]) -> list[str]:
    """What the symbols of one library start with in its callers' imports, sorted.

    Args:
        coordinate: the library.
        symbols: canonical names of its entries.

    Example:
        >>> import_names(Coordinate.parse("pkg:npm/lodash.debounce@4.0.8"), ["lodash.debounce.default"])
        ['lodash.debounce']
        >>> import_names(Coordinate.parse("pkg:maven/io.ktor/core@3.5.1"), ["io.ktor.a.B.get", "io.ktor.a.b.C"])
        ['io.ktor.a']
    """
    if coordinate.type == "maven":
        return _jvm_packages(list(symbols))
    return sorted({_import_name(coordinate, symbol) for symbol in symbols} - {""})


def _jvm_packages(symbols: Sequence[str]) -> list[str]:
    """The packages of these symbols that lie in no other one of them."""
    parents = {symbol.rpartition(".")[0] for symbol in symbols}
    # A symbol that others lie in and whose last part is lower case is the entry of a package itself.
    members = [each for each in symbols if each not in parents or not last_segment(each)[:1].islower()]
    found = {".".join(_jvm_package(each.split("."))) for each in members} - {""}
    return sorted(each for each in found if not any(each.startswith(f"{other}.") for other in found))


def _import_name(coordinate: Coordinate, symbol: str) -> str:
    if coordinate.type == "cargo":
        return symbol.partition("::")[0]
    if coordinate.type == "golang":
        # The module's own path, as its symbols spell it: the packages below it begin with it.
        module = full_name(coordinate)
        return symbol[: len(module)] if begins_with(symbol, module) else go_import_path(symbol)
    if coordinate.type == "npm":
        for name in library_names(coordinate):
            if begins_with(symbol, name):
                return symbol[: len(name)]
        head = "/".join(symbol.split("/")[: 2 if symbol.startswith("@") else 1])
        return head.partition(".")[0]
    return symbol.partition(".")[0]


def begins_with(name: str, head: str) -> bool:
    """Whether ``name`` is ``head`` or goes on after it with a separator, in any case, ``-`` and ``_`` alike.

    Example:
        >>> begins_with("serde_json::Value", "serde-json"), begins_with("reactive.x", "react")
        (True, False)
    """
    one, other = _compared(name), _compared(head)
    return bool(other) and (one == other or one.startswith(f"{other}."))


def asking_strength(coordinate: Coordinate, module: str, imports: Sequence[str]) -> int:
    """How closely a module that asks belongs to a library: characters that match, 0 for not at all.

    Args:
        coordinate: the library.
        module: a package URL, a library's name, or a module as its language writes it: an npm specifier or a path in
            node_modules, a Go import path, a crate's path, a JVM package or class.
        imports: the library's ``import_names``.

    Example:
        >>> asking_strength(Coordinate.parse("pkg:npm/next@16.0.0"), "next/navigation", ["next"])
        4
    """
    if module in (coordinate.purl, coordinate.library):
        return len(module)
    if coordinate.type == "npm":
        module = module.rpartition(_INSTALLED_FOLDER)[2]
    names = [*library_names(coordinate), *imports]
    if coordinate.type in ("maven", "golang", "npm"):
        return max((len(each) for each in names if begins_with(module, each)), default=0)
    # Python's and Rust's modules are named by their first segment, whatever the library is called.
    top = _compared(module).partition(".")[0]
    return max((len(each) for each in names if _compared(each) in (top, _compared(module))), default=0)


def _compared(name: str) -> str:
    return fold(name).replace("_", "-")
