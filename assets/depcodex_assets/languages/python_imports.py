"""What one Python file imports, exports, and says about other modules' objects.

Here: import statements, ``__all__``, the ways of exporting on first use, ``add_newdoc`` calls. Not here: definitions
(python_modules), what names resolve to (python_namespaces).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from depcodex_assets.languages.python_exports import ExportReader, entry_imports, table_imports
from depcodex_assets.languages.python_nodes import NodeText
from depcodex_assets.languages.python_syntax import AddedDoc, Import, absolute_module
from depcodex_assets.languages.python_text import clean_doc

if TYPE_CHECKING:
    import tree_sitter

# Blocks inside `__getattr__` and `__init__` are followed this deep; real ones have two or three.
MAX_DEPTH = 60
CONTAINERS = frozenset(
    (
        "block",
        "if_statement",
        "elif_clause",
        "else_clause",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "with_statement",
        "match_statement",
        "case_clause",
        "ERROR",
    )
)
_DISPLAYS = ("list", "tuple", "set", "dictionary")
# numpy gives scalar types their docstrings through a second function, which always means this module of its own.
_SCALAR_DOCS_MODULE = "numpy._core.numerictypes"


class ImportReader:
    """Collects one module's imports and exports, statement by statement.

    Args:
        nodes: reads the file's nodes.
        module: absolute dotted name.
        is_package: an ``__init__``.
    """

    def __init__(self, nodes: NodeText, module: str, *, is_package: bool) -> None:
        self._nodes = nodes
        self._module = module
        self._is_package = is_package
        self._literals: dict[str, tree_sitter.Node] = {}
        self._tables: list[tree_sitter.Node] = []
        self._entries: list[tuple[tree_sitter.Node, tree_sitter.Node]] = []
        self._getattr: tree_sitter.Node | None = None
        self.imports: dict[str, list[Import]] = {}
        self.stars: list[str] = []
        self.exports = ExportReader(nodes.source, self._literals)
        self.is_stub_governed = False
        self.added_docs: list[AddedDoc] = []

    def imported(self, node: tree_sitter.Node) -> None:
        """An ``import`` or ``from … import`` statement."""
        if node.type == "import_from_statement":
            self._import_from(node, self.imports)
        else:
            self._import(node, self.imports)

    def augmented(self, node: tree_sitter.Node) -> None:
        """``__all__ += …``."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and self._nodes.text(left) == "__all__":
            self.exports.add(right)

    def entered(self, key: tree_sitter.Node, value: tree_sitter.Node) -> None:
        """``table[key] = value``."""
        self._entries.append((key, value))

    def loads_on_access(self, body: tree_sitter.Node) -> None:
        """The body of the module's ``__getattr__``."""
        self._getattr = body

    def assigned(self, targets: Sequence[tuple[str, bool]], right: tree_sitter.Node) -> None:
        """Take note of what ``__all__`` and lazy exports may be made of."""
        kind = right.type
        for name, _ in targets:
            if name == "__all__":
                if kind == "call" and self._nodes.call_head(right) in ("attach", "attach_stub"):
                    self._attach(right)
                else:
                    self.exports.assign(right)
            elif kind in _DISPLAYS:
                self._literals.setdefault(name, right)
                if kind == "dictionary":
                    self._tables.append(right)

    def _import(self, node: tree_sitter.Node, imports: dict[str, list[Import]]) -> None:
        line = node.start_point[0] + 1
        for child in node.named_children:
            if child.type == "dotted_name":
                first = self._nodes.text(child).partition(".")[0]
                imports.setdefault(first, []).append(Import(first, line=line))
            elif child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if name is not None and alias is not None:
                    written, bound = self._nodes.text(name), self._nodes.text(alias)
                    imports.setdefault(bound, []).append(Import(written, is_explicit=written == bound, line=line))

    def _import_from(self, node: tree_sitter.Node, imports: dict[str, list[Import]]) -> None:
        home = node.child_by_field_name("module_name")
        if home is None:
            return
        written = self._nodes.text(home)
        if " " in written or "\\" in written:
            written = "".join(written.split()).replace("\\", "")
        module = absolute_module(self._module, self._is_package, written)
        if not module:
            return
        line = node.start_point[0] + 1
        for child in node.named_children[1:]:
            kind = child.type
            if kind == "dotted_name":
                name = self._nodes.text(child)
                imports.setdefault(name, []).append(Import(module, name, line=line))
            elif kind == "aliased_import":
                taken, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if taken is not None and alias is not None:
                    name, bound = self._nodes.text(taken), self._nodes.text(alias)
                    imports.setdefault(bound, []).append(Import(module, name, is_explicit=name == bound, line=line))
            elif kind == "wildcard_import":
                self.stars.append(module)

    def called(self, node: tree_sitter.Node) -> None:
        """A call statement: ``__all__.extend``, ``add_newdoc``, ``table["module"].append``."""
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return
        written = self._nodes.text(function)
        if written.startswith("__all__."):
            if written in ("__all__.extend", "__all__.append"):
                self.exports.add(arguments)
            elif written == "__all__.remove":
                self.exports.remove(arguments)
        elif written.rpartition(".")[2].startswith("add_newdoc"):
            self._added_doc(written.rpartition(".")[2], arguments)
        elif function.type == "attribute" and written.endswith(("].extend", "].append")):
            self._table_addition(function, arguments)

    def _table_addition(self, function: tree_sitter.Node, arguments: tree_sitter.Node) -> None:
        """``table["module"].extend(["name"])``, as transformers fills its ``_import_structure``."""
        table = function.child_by_field_name("object")
        key = table.child_by_field_name("subscript") if table is not None and table.type == "subscript" else None
        if key is not None:
            self._entries.extend((key, each) for each in arguments.named_children)

    def _added_doc(self, function: str, arguments: tree_sitter.Node) -> None:
        nodes = [child for child in arguments.named_children if child.type not in ("comment", "keyword_argument")]
        if len(nodes) < 3:
            return
        first, second = self._nodes.string(nodes[0]), self._nodes.string(nodes[1])
        if function == "add_newdoc_for_scalar_type":
            if first:
                self._keep_added_doc(_SCALAR_DOCS_MODULE, first, "", nodes[2])
        elif first and second:
            pairs = nodes[2].named_children if nodes[2].type == "list" else [nodes[2]]
            for each in pairs:
                parts = each.named_children if each.type == "tuple" else ()
                member = self._nodes.string(parts[0]) if len(parts) == 2 else ""
                self._keep_added_doc(first, second, member or "", parts[1] if len(parts) == 2 else each)

    def _keep_added_doc(self, module: str, name: str, member: str, node: tree_sitter.Node) -> None:
        if node.type == "call":  # """…""".replace(…)
            function = node.child_by_field_name("function")
            inner = function.child_by_field_name("object") if function is not None else None
            node = inner if inner is not None else node
        doc = clean_doc(self._nodes.string(node) or "")
        if doc:
            self.added_docs.append(AddedDoc(module, name, member, doc))

    def _attach(self, call: tree_sitter.Node) -> None:
        """lazy_loader: ``attach(__name__, submod_attrs={module: [names]})``, ``attach_stub(__name__, __file__)``."""
        self.is_stub_governed = self._nodes.call_head(call) == "attach_stub"
        arguments = call.child_by_field_name("arguments")
        for argument in arguments.named_children if arguments is not None else ():
            value = argument.child_by_field_name("value") if argument.type == "keyword_argument" else argument
            if value is not None and value.type == "dictionary":
                self._read_table([value])

    def finish(self) -> None:
        """Read what only makes sense once the whole file is known: lazy exports."""
        if self._getattr is not None:
            self._read_getattr(self._getattr)
        if self._getattr is not None or "_import_structure" in self._literals:
            self._read_table(self._tables)
            for key, value in self._entries:
                for name, each in entry_imports(self._nodes.source, self._module, self._is_package, key, value):
                    self.imports.setdefault(name, []).append(each)

    def _read_table(self, tables: Sequence[tree_sitter.Node]) -> None:
        for name, each in table_imports(self._nodes.source, self._module, self._is_package, tables):
            self.imports.setdefault(name, []).append(each)

    def _read_getattr(self, body: tree_sitter.Node) -> None:
        """Imports inside ``__getattr__`` whose name the body also spells as a string: ``if name == "x": …``."""
        found: dict[str, list[Import]] = {}
        stack = [(body, 0)]
        while stack:
            node, depth = stack.pop()
            for child in node.named_children:
                kind = child.type
                if kind == "import_from_statement":
                    self._import_from(child, found)
                elif kind == "import_statement":
                    self._import(child, found)
                elif kind in CONTAINERS and depth < MAX_DEPTH:
                    stack.append((child, depth + 1))
        text = self._nodes.text(body)
        for name, imports in found.items():
            # A module that loads its successor's namesake (`numpy.core.numeric`) does not export it under its own name.
            if name == self._module.rpartition(".")[2]:
                continue
            if f'"{name}"' in text or f"'{name}'" in text:
                lazy = [dataclasses.replace(each, is_lazy=True) for each in imports]
                self.imports.setdefault(name, []).extend(lazy)
