"""What a Python file says about its own public names: ``__all__`` and the tables behind a module's ``__getattr__``.

Here: reading both off the nodes of one file. Not here: what the names resolve to (python_namespaces).

Specs: PEP 8 and PEP 562; the ways of writing ``__all__`` that type checkers are asked to know (typing specification,
"Library interface"). Lazy tables have no specification: every reading of an entry is a guess that counts only if its
target exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from depcodex_assets.languages.python_syntax import ExportList, Import, absolute_module
from depcodex_assets.languages.python_text import string_value

if TYPE_CHECKING:
    import tree_sitter

_STRINGS = ("string", "concatenated_string")
_DISPLAYS = ("list", "tuple", "set", "expression_list", "parenthesized_expression", "argument_list")
# `sorted(names)`, `tuple(names)`: the same names again.
_COPYING_CALLS = ("list", "sorted", "tuple", "set", "frozenset")
# A computed list can refer to itself through a name; nothing real nests deeper.
_MAX_STEPS = 20_000
_MAX_TABLE_ENTRIES = 10_000


class ExportReader:
    """Collects what one module's statements do to ``__all__``, in source order.

    Args:
        source: the file's bytes, which nodes point into.
        literals: module-level names that were given a list, tuple, set or dictionary, with its node.
    """

    def __init__(self, source: bytes, literals: Mapping[str, tree_sitter.Node]) -> None:
        self._source = source
        self._literals = literals
        self._names: dict[str, None] = {}
        self._modules: dict[str, None] = {}
        self._is_complete = True
        self._is_present = False

    def result(self) -> ExportList | None:
        """What ``__all__`` says; None when the module has none."""
        if not self._is_present:
            return None
        return ExportList(tuple(self._names), tuple(self._modules), self._is_complete)

    def assign(self, node: tree_sitter.Node) -> None:
        """``__all__ = node``; a second assignment in another branch adds to the first."""
        self.add(node)

    def add(self, node: tree_sitter.Node) -> None:
        """``__all__ += node`` and ``__all__.extend(node)``."""
        self._is_present = True
        stack = [node]
        seen: set[str] = set()
        steps = 0
        while stack:
            node = stack.pop()
            steps += 1
            if steps > _MAX_STEPS:
                self._is_complete = False
                return
            stack.extend(reversed(self._parts(node, seen)))

    def remove(self, node: tree_sitter.Node) -> None:
        """``__all__.remove("name")``."""
        for child in node.named_children:
            value = _string(self._source, child)
            if value is not None:
                self._names.pop(value, None)

    def _parts(self, node: tree_sitter.Node, seen: set[str]) -> Sequence[tree_sitter.Node]:
        """The nodes that a node's names come from; a name itself is kept at once."""
        kind = node.type
        if kind in _STRINGS:
            value = _string(self._source, node)
            if value is not None:
                self._names[value] = None
        elif kind in _DISPLAYS:
            return node.named_children
        elif kind == "dictionary":
            return [key for key, _ in _pairs(node)]
        elif kind == "list_splat":
            return node.named_children
        elif kind == "binary_operator":
            return [each for each in (node.child_by_field_name("left"), node.child_by_field_name("right")) if each]
        elif kind == "attribute":
            written = _text(self._source, node)
            if written.endswith(".__all__"):
                self._modules[written.removesuffix(".__all__")] = None
            else:
                self._is_complete = False
        elif kind == "identifier":
            name = _text(self._source, node)
            if name in self._literals and name not in seen:
                seen.add(name)
                return [self._literals[name]]
            if name != "__all__":
                self._is_complete = False
        elif kind == "call":
            return self._call_parts(node)
        elif kind != "comment":
            self._is_complete = False
        return ()

    def _call_parts(self, node: tree_sitter.Node) -> Sequence[tree_sitter.Node]:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        written = _text(self._source, function) if function else ""
        if function and function.type == "attribute" and written.endswith((".keys", ".copy")):
            return [each for each in (function.child_by_field_name("object"),) if each]
        if written in _COPYING_CALLS and arguments:
            return [each for each in arguments.named_children if each.type != "keyword_argument"]
        self._is_complete = False
        return ()


def table_imports(
    source: bytes, module: str, is_package: bool, tables: Sequence[tree_sitter.Node]
) -> Iterator[tuple[str, Import]]:
    """The exports that dictionaries beside a ``__getattr__`` may mean, best guess first.

    Known shapes: name → module, name → "module.attribute", name → (module, attribute), name → (package, module) as in
    pydantic, module → [names] as in transformers and lazy_loader, old name → new name.
    """
    count = 0
    for table in tables:
        for key, value in _pairs(table):
            name = _string(source, key)
            if name is None:
                continue
            count += 1
            if count > _MAX_TABLE_ENTRIES:
                return
            yield from _entry_imports(source, module, is_package, name, value)


def entry_imports(
    source: bytes, module: str, is_package: bool, key: tree_sitter.Node, value: tree_sitter.Node
) -> Iterator[tuple[str, Import]]:
    """The same for one entry that is added later: ``table[key] = value``."""
    name = _string(source, key)
    if name is not None:
        yield from _entry_imports(source, module, is_package, name, value)


def _entry_imports(
    source: bytes, module: str, is_package: bool, name: str, value: tree_sitter.Node
) -> Iterator[tuple[str, Import]]:
    kind = value.type
    written = _string(source, value)
    if written is not None:
        yield from ((name, each) for each in _string_guesses(module, is_package, name, written))
    elif kind == "identifier":
        yield name, _guess(module, _text(source, value))
    elif kind in ("list", "tuple", "set"):
        items = [each for each in value.named_children if each.type != "comment"]
        strings = [_string(source, each) for each in items]
        if kind != "tuple":
            home = absolute_module(module, is_package, f".{name.lstrip('.')}")
            for string in strings:
                if string:
                    yield string, _guess(home, string)
        if len(items) == 2 and strings[1] is not None:
            yield from ((name, each) for each in _pair_guesses(module, is_package, name, strings[0], strings[1]))


def _string_guesses(module: str, is_package: bool, name: str, written: str) -> Iterator[Import]:
    target = written.replace(":", ".")
    if not all(part.isidentifier() for part in target.lstrip(".").split(".")):
        return
    homes = [absolute_module(module, is_package, target)]
    if not target.startswith("."):
        homes.append(absolute_module(module, is_package, f".{target}"))
    for home in homes:
        yield _guess(home, name)
        parent, _, attribute = home.rpartition(".")
        if parent:
            yield _guess(parent, attribute)
    yield _guess(module, target)


def _pair_guesses(module: str, is_package: bool, name: str, first: str | None, second: str) -> Iterator[Import]:
    if second == "__module__":
        yield _guess(absolute_module(module, is_package, f".{name}"), "")
    elif first is None or second.startswith("."):
        base = module if first is None else absolute_module(module, is_package, first)
        yield _guess(absolute_module(base, is_package if first is None else True, second), name)
    else:
        yield _guess(absolute_module(module, is_package, first), second)
        yield _guess(absolute_module(module, is_package, f".{first.lstrip('.')}"), second)


def _guess(module: str, attribute: str) -> Import:
    return Import(module, attribute, is_lazy=True, is_guess=True)


def _pairs(table: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, tree_sitter.Node]]:
    for pair in table.named_children:
        if pair.type == "pair":
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None:
                yield key, value


def _text(source: bytes, node: tree_sitter.Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _string(source: bytes, node: tree_sitter.Node) -> str | None:
    return string_value(_text(source, node)) if node.type in _STRINGS else None
