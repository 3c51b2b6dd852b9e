"""Go: the public declarations of one module.

Here: packages out of files, symbols and aliases, what embedding brings, rows. Not here: reading a file (go_files).

A symbol is the import path, a dot and the name: ``github.com/google/uuid.UUID.String``. What callers write,
``uuid.UUID``, is an alias, as is the path without its major version. The import path comes from the module's go.mod: a
fork that stands for another module keeps that module's path. The standard library's module, ``std``, is no part of its
import paths: ``net/http.Client.Do``. Names of files for other machines count where the build
for linux and amd64 has none of that name; the others add their signatures.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex.lockfiles.go_versions import is_module_path, major_of
from depcodex_assets.languages.declarations import Declaration, SourceFile, unread_file
from depcodex_assets.languages.go_files import read_file
from depcodex_assets.languages.go_syntax import GoDefinition, GoFile, GoMember, is_exported
from depcodex_assets.languages.godoc import is_deprecated_by
from depcodex_assets.languages.readme import readme_text

LANGUAGE = "go"
# A function for several machines has as many signatures at most; two differ now and then.
_MAX_SIGNATURES = 4
_MAX_EMBEDDING = 6
# The module of the standard library (its go.mod); no other path may begin with a word without a dot.
_LIBRARY = "std"
_MODULE_PATTERN = re.compile(r"^[ \t]*module[ \t]+[\"`]?([^\s\"`/][^\s\"`]*)", re.MULTILINE)
_MODULE_BLOCK_PATTERN = re.compile(r"^[ \t]*module[ \t]*\([ \t]*\n\s*[\"`]?([^\s\"`)]+)", re.MULTILINE)


@dataclass
class _Package:
    """The files of one folder that make its package."""

    path: str
    name: str
    files: list[GoFile]
    # Type's name → its exported methods, of all files.
    methods: dict[str, list[tuple[GoFile, GoMember]]] = field(default_factory=dict)
    types: dict[str, tuple[GoFile, GoDefinition]] = field(default_factory=dict)


def declarations(coordinate: Coordinate, files: Sequence[SourceFile]) -> Sequence[Declaration]:
    """The public declarations of one module's files, sorted by symbol, each symbol once."""
    root = _module_path(coordinate, files)
    packages, problems = _packages(root, files)
    names = {package.path: package.name for package in packages}
    rows: dict[str, Declaration] = {}
    for package in packages:
        for each in _Rows(package, root, names).rows():
            first = rows.setdefault(each.symbol, each)
            if first is not each:
                rows[each.symbol] = _with_signatures(first, each)
    _add_readme(rows, root, files)
    for each in problems:
        rows.setdefault(each.symbol, each)
    return [rows[symbol] for symbol in sorted(rows)]


def _module_path(coordinate: Coordinate, files: Sequence[SourceFile]) -> str:
    """The path that the module's packages are imported below."""
    for file in files:
        if file.language == "go-mod" and file.path == "go.mod":
            text = file.content[:100_000].decode("utf-8", "replace")
            match = _MODULE_PATTERN.search(text) or _MODULE_BLOCK_PATTERN.search(text)
            if match is not None and is_module_path(match[1]):
                return match[1]
    return "/".join(each for each in (coordinate.namespace, coordinate.name) if each)


def _packages(root: str, files: Sequence[SourceFile]) -> tuple[list[_Package], list[Declaration]]:
    """The packages that can be imported, sorted by path, and the rows of files that were not read whole."""
    folders: dict[str, list[GoFile]] = {}
    problems: list[Declaration] = []
    for file in sorted(files, key=lambda each: each.path):
        if file.language != LANGUAGE or file.path.endswith("_test.go"):
            continue
        read = read_file(file)
        if read.problem is not None:
            problems.append(unread_file(file, LANGUAGE, read.problem))
        # `documentation` is a package that is never built; programs have no API.
        if read.package not in ("", "main", "documentation") and not read.package.endswith("_test"):
            folders.setdefault(file.path.rpartition("/")[0], []).append(read)
    packages = []
    for folder, found in sorted(folders.items()):
        built = [each for each in found if each.is_built] or found
        name = Counter(each.package for each in built).most_common(1)[0][0]
        ordered = sorted(
            (each for each in found if each.package == name), key=lambda each: (not each.is_built, each.file.path)
        )
        inside = folder if root == _LIBRARY and folder else f"{root}/{folder}" if folder else root
        package = _Package(inside, name, ordered)
        for each in ordered:
            for receiver, members in each.methods.items():
                package.methods.setdefault(receiver, []).extend((each, member) for member in members)
            for definition in each.definitions:
                if definition.kind in ("class", "type"):
                    package.types.setdefault(definition.name, (each, definition))
        packages.append(package)
    return packages, problems


def _with_signatures(first: Declaration, other: Declaration) -> Declaration:
    """The first of two declarations of one symbol, with the other's signature and, where it has none, its doc."""
    signatures = tuple(dict.fromkeys((*first.signatures, *other.signatures)))[:_MAX_SIGNATURES]
    if first.kind not in ("function", "method") or signatures == first.signatures:
        return first
    return dataclasses.replace(first, signatures=signatures)


def _add_readme(rows: dict[str, Declaration], root: str, files: Sequence[SourceFile]) -> None:
    """Where the module's root has no documented package, its README tells what the module is."""
    known = rows.get(root)
    if known is not None and known.doc:
        return
    readmes = sorted((each for each in files if each.language == "readme" and "/" not in each.path), key=_readme_rank)
    for file in readmes:
        doc = readme_text(file.content, file.path)
        if doc:
            rows[root] = Declaration(
                symbol=root,
                kind="package",
                name=known.name if known else root.rpartition("/")[2],
                defining_path=root,
                signatures=known.signatures if known else (),
                doc=doc,
                language=LANGUAGE,
                convention="readme",
                path=file.path,
                line=1,
                file_digest=file.file_digest,
                aliases=known.aliases if known else (),
            )
            return


def _readme_rank(file: SourceFile) -> tuple[bool, str]:
    return not file.path.lower().endswith(".md"), file.path


class _Rows:
    """Makes the rows of one package.

    Args:
        package: its files.
        root: the module's path.
        names: package names by import path, of the whole module.
    """

    def __init__(self, package: _Package, root: str, names: Mapping[str, str]) -> None:
        self._package = package
        self._root = root
        self._names = names
        self._prefixes = _prefixes(package.path, package.name, root)

    def rows(self) -> Iterator[Declaration]:
        """The package, then its definitions with their members; files of the shown build come first."""
        yield self._package_row()
        # Tables for two dozen machines repeat each other's names (syscall), and of a value only the first one counts.
        values: set[str] = set()
        for file in self._package.files:
            for definition in file.definitions:
                if definition.name in values or not is_exported(definition.name):
                    continue
                if definition.kind == "constant":
                    values.add(definition.name)
                yield from self._definition_rows(file, definition)
        for name, methods in self._package.methods.items():
            if is_exported(name) and name in self._package.types:
                for file, member in methods:
                    yield self._member_row(file, name, member)
        # What a type has of its own stands before what it gets by embedding.
        for name, (_, definition) in self._package.types.items():
            if is_exported(name):
                for file, member in self._promoted(definition, frozenset({name}), 0):
                    yield self._member_row(file, name, member)

    def _package_row(self) -> Declaration:
        built = [each for each in self._package.files if each.is_built] or self._package.files
        documented = [each for each in built if each.doc] or [each for each in self._package.files if each.doc]
        first = documented[0] if documented else built[0]
        path = self._package.path
        return Declaration(
            symbol=path,
            kind="package" if path == self._root else "module",
            name=self._package.name,
            defining_path=path,
            signatures=(f"package {self._package.name}",),
            doc="\n\n".join(each.doc for each in documented if each.doc) or None,
            language=LANGUAGE,
            convention=first.file.convention,
            path=first.file.path,
            line=first.line,
            file_digest=first.file.file_digest,
            aliases=tuple(each for each in self._prefixes if each != path),
            is_deprecated=any(is_deprecated_by(each.doc) for each in documented),
        )

    def _definition_rows(self, file: GoFile, definition: GoDefinition) -> Iterator[Declaration]:
        target = self._resolved(file, definition.alias_of) if definition.alias_of else ""
        package_of_target = target.rpartition(".")[0]
        is_foreign = bool(target) and not self._is_of_module(package_of_target)
        is_reexport = is_foreign and definition.doc is None and "." in target
        bases = (target,) if target else tuple(self._resolved(file, each) for each in _public(definition.embedded))
        yield self._row(
            file,
            definition.name,
            schemas.REEXPORT_KIND if is_reexport else definition.kind,
            (definition.signature,),
            definition.doc,
            definition.line,
            bases=() if is_reexport else tuple(dict.fromkeys(bases)),
            reexport_target=target if is_reexport else None,
        )
        for member in definition.members:
            yield self._member_row(file, definition.name, member)

    def _member_row(self, file: GoFile, owner: str, member: GoMember) -> Declaration:
        return self._row(file, f"{owner}.{member.name}", member.kind, (member.signature,), member.doc, member.line)

    def _row(
        self,
        file: GoFile,
        name: str,
        kind: str,
        signatures: tuple[str, ...],
        doc: str | None,
        line: int,
        *,
        bases: tuple[str, ...] = (),
        reexport_target: str | None = None,
    ) -> Declaration:
        symbol = f"{self._package.path}.{name}"
        return Declaration(
            symbol=symbol,
            kind=kind,
            name=name,
            defining_path=symbol,
            signatures=signatures,
            doc=doc,
            language=LANGUAGE,
            convention=file.file.convention,
            path=file.file.path,
            line=line,
            file_digest=file.file.file_digest,
            aliases=tuple(f"{prefix}.{name}" for prefix in self._prefixes if prefix != self._package.path),
            bases=bases,
            reexport_target=reexport_target,
            is_deprecated=is_deprecated_by(doc),
        )

    def _promoted(
        self, definition: GoDefinition, seen: frozenset[str], depth: int
    ) -> Iterator[tuple[GoFile, GoMember]]:
        """Members that a type has from embedded types that nobody outside can name."""
        if depth > _MAX_EMBEDDING:
            return
        for name in definition.embedded:
            known = self._package.types.get(name)
            if known is None or is_exported(name) or name in seen:
                continue
            file, inner = known
            yield from ((file, member) for member in inner.members)
            yield from self._package.methods.get(name, ())
            yield from self._promoted(inner, seen | {name}, depth + 1)

    def _is_of_module(self, package_path: str) -> bool:
        if self._root == _LIBRARY:
            return package_path in self._names
        return package_path == self._root or package_path.startswith(f"{self._root}/")

    def _resolved(self, file: GoFile, written: str) -> str:
        """A type's name as written, with its package's import path where the file says which that is."""
        qualifier, _, name = written.rpartition(".")
        if not qualifier:
            return f"{self._package.path}.{name}" if name in self._package.types else name
        path = file.imports.get(qualifier)
        if path is None:
            path = next((each for each in file.unnamed_imports if self._is_called(each, qualifier)), None)
        return f"{path}.{name}" if path else written

    def _is_called(self, path: str, name: str) -> bool:
        """Whether a package that is imported without a name is called so; of other modules the path's end must do."""
        known = self._names.get(path)
        if known is not None:
            return known == name
        last = major_of(path)[0].rpartition("/")[2]
        return name in (last, last.removeprefix("go-"), last.removesuffix("-go"), last.replace("-", ""))


def _public(embedded: Sequence[str]) -> Iterator[str]:
    """Embedded types that a caller can name; ``error`` is one."""
    return (each for each in embedded if is_exported(each.rpartition(".")[2]) or each == "error")


def _prefixes(path: str, name: str, root: str) -> tuple[str, ...]:
    """Other ways to call a package: by its name, as code does, and by its path without the major version.

    Example:
        >>> _prefixes("github.com/jackc/pgx/v5/pgtype", "pgtype", "github.com/jackc/pgx/v5")
        ('pgtype', 'github.com/jackc/pgx/pgtype')
    """
    found = [name]
    bare, major = major_of(root)
    if major and not root.startswith("gopkg.in/"):
        found.append(bare + path[len(root) :])
    return tuple(dict.fromkeys(found))
