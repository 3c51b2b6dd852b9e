"""One Python file's tree, read into ``ModuleSyntax``.

Here: walking statements of modules and classes, and of ``__init__`` for instance attributes; no other body is entered.
Not here: what is public and under which name (python_namespaces), text of literals and signatures (python_text).

Every branch of a condition is read, since which one runs depends on a machine that is not this one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from depcodex_assets import grammars
from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.python_exports import ExportReader, entry_imports, table_imports
from depcodex_assets.languages.python_scopes import Scope, assignment_kind, decorator_marks, enum_like
from depcodex_assets.languages.python_syntax import (
    AddedDoc,
    Definition,
    Import,
    ModuleSyntax,
    absolute_module,
    is_private,
)
from depcodex_assets.languages.python_text import clean_doc, decode, mended, one_line, string_value, value_text

if TYPE_CHECKING:
    import tree_sitter

# Above it a file is a table that somebody generated; the largest hand-kept modules on PyPI have 5 MB.
MAX_FILE_BYTES = 16 * 1024 * 1024
# Deeper blocks hold no public names in any real package; the walk is recursive, so it has to end somewhere.
MAX_DEPTH = 60

_CONTAINERS = frozenset(
    (
        "block if_statement elif_clause else_clause try_statement except_clause except_group_clause finally_clause "
        "with_statement match_statement case_clause ERROR"
    ).split()
)
_LOOPS = ("for_statement", "while_statement")
_STRINGS = ("string", "concatenated_string")
_DISPLAYS = ("list", "tuple", "set", "dictionary")
_QUOTES = (b'"', b"'")
_DOC_OPENING_PATTERN = re.compile(rb"[rRuU]?[\"']|\(")
_DOTTED_PATTERN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
# numpy gives scalar types their docstrings through a second function, which always means this module of its own.
_SCALAR_DOCS_MODULE = "numpy._core.numerictypes"


def read_module(file: SourceFile, module: str, *, is_package: bool) -> ModuleSyntax:
    """Read one file; what could not be read is named in ``problem`` and the rest is there."""
    is_stub = file.path.endswith(".pyi")
    if len(file.content) > MAX_FILE_BYTES:
        return ModuleSyntax(file, module, is_package, is_stub, problem="limit:size")
    source = decode(file.content)
    if source is None:
        return ModuleSyntax(file, module, is_package, is_stub, problem="encoding")
    # A NUL ends what Python reads of a file and stops the grammar as well.
    root = grammars.parser("python").parse(mended(source)).root_node
    reader = _Reader(source, module, is_package=is_package, is_stub=is_stub)
    reader.read(root)
    problem = reader.problem or ("syntax" if root.has_error and _loses_names(root) else None)
    return ModuleSyntax(
        file,
        module,
        is_package,
        is_stub,
        doc=reader.doc,
        definitions=reader.scope.close(),
        imports={name: tuple(each) for name, each in reader.imports.items()},
        stars=tuple(dict.fromkeys(reader.stars)),
        exports=reader.exports.result(),
        is_stub_governed=reader.is_stub_governed,
        added_docs=tuple(reader.added_docs),
        problem=problem,
    )


def _loses_names(root: tree_sitter.Node) -> bool:
    """Whether an error can hide a declaration; defaults of type parameters, which the old grammar lacks, do not."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            return True
        if node.type != "type_parameter":
            stack.extend(child for child in node.children if child.has_error or child.is_missing)
    return False


class _Reader:
    """Walks one file's statements and keeps what they say."""

    def __init__(self, source: bytes, module: str, *, is_package: bool, is_stub: bool) -> None:
        self._source = source
        self._module = module
        self._is_package = is_package
        self._is_stub = is_stub
        self._has_comment_docs = b"#:" in source
        self._literals: dict[str, tree_sitter.Node] = {}
        self._tables: list[tree_sitter.Node] = []
        self._entries: list[tuple[tree_sitter.Node, tree_sitter.Node]] = []
        self._getattr: tree_sitter.Node | None = None
        self.doc: str | None = None
        self.scope = Scope(prefix_kind="module")
        self.imports: dict[str, list[Import]] = {}
        self.stars: list[str] = []
        self.exports = ExportReader(source, self._literals)
        self.is_stub_governed = False
        self.added_docs: list[AddedDoc] = []
        self.problem: str | None = None

    def read(self, root: tree_sitter.Node) -> None:
        nodes = root.named_children
        for node in nodes:
            if node.type != "comment":
                if node.type == "expression_statement":
                    self.doc = self._doc_of_statement(node)
                break
        self._statements(nodes, self.scope, 0)
        self._read_lazy_exports()

    # -- statements

    def _statements(self, nodes: Sequence[tree_sitter.Node], scope: Scope, depth: int) -> None:
        for position, node in enumerate(nodes):
            kind = node.type
            if kind == "function_definition":
                self._function(node, (), scope)
            elif kind == "expression_statement":
                self._expression(nodes, position, scope)
            elif kind == "decorated_definition":
                self._decorated(node, scope, depth)
            elif kind == "class_definition":
                self._class(node, (), scope, depth)
            elif kind in _CONTAINERS:
                if depth >= MAX_DEPTH:
                    self.problem = "nesting"
                elif not self._is_script(node):
                    self._statements(node.named_children, scope, depth + 1)
            elif kind == "type_alias_statement":
                self._type_alias(node, scope)
            elif scope.is_module:
                if kind == "import_from_statement":
                    self._import_from(node, self.imports)
                elif kind == "import_statement":
                    self._import(node, self.imports)

    def _is_script(self, node: tree_sitter.Node) -> bool:
        """``if __name__ == "__main__":`` runs only when the file is no module."""
        start = node.start_byte
        return node.type == "if_statement" and self._source.startswith(b"if __name__", start)

    def _expression(self, nodes: Sequence[tree_sitter.Node], position: int, scope: Scope) -> None:
        node = nodes[position]
        if self._source[node.start_byte : node.start_byte + 1] in _QUOTES:
            return
        children = node.children
        if not children:
            return
        expression = children[0]
        kind = expression.type
        if kind == "assignment":
            self._assignment(expression, nodes, position, scope)
        elif scope.is_module and kind == "call":
            self._call(expression)
        elif scope.is_module and kind == "augmented_assignment":
            left, right = expression.child_by_field_name("left"), expression.child_by_field_name("right")
            if left is not None and right is not None and self._text(left) == "__all__":
                self.exports.add(right)

    # -- functions and classes

    def _decorated(self, node: tree_sitter.Node, scope: Scope, depth: int) -> None:
        definition = node.child_by_field_name("definition")
        if definition is None:
            return
        heads = tuple(
            self._text(child)[1:].partition("(")[0].strip() for child in node.children if child.type == "decorator"
        )
        if definition.type == "class_definition":
            self._class(definition, heads, scope, depth)
        elif definition.type == "function_definition":
            self._function(definition, heads, scope)

    def _function(self, node: tree_sitter.Node, decorators: tuple[str, ...], scope: Scope) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        name = self._text(name_node)
        if not scope.is_module and is_private(name):
            return
        marks = decorator_marks(decorators)
        if marks.is_accessor:
            return
        signature = self._header(node, body)
        kind = "function" if scope.is_module else "property" if marks.is_property else "method"
        scope.add(
            Definition(
                name,
                kind,
                (signature,),
                self._doc_of_body(body),
                node.start_point[0] + 1,
                is_annotated=":" in signature or "->" in signature,
                is_deprecated=marks.is_deprecated,
                is_overload=marks.is_overload,
            )
        )
        if scope.is_module:
            if name == "__getattr__":
                self._getattr = body
        elif name == "__init__" and self._source.find(b"self.", body.start_byte, body.end_byte) >= 0:
            self._instance_attributes(body.named_children, scope, 0)

    def _class(self, node: tree_sitter.Node, decorators: tuple[str, ...], scope: Scope, depth: int) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        name = self._text(name_node)
        if not scope.is_module and is_private(name):
            return
        bases = self._bases(node)
        inner = Scope(prefix_kind="class", is_enum=enum_like(bases))
        if depth >= MAX_DEPTH:
            self.problem = "nesting"
        else:
            nodes = body.named_children
            if self._has_comment_docs:
                nodes = [*(child for child in node.children if child.type == "comment"), *nodes]
            self._statements(nodes, inner, depth + 1)
        scope.add(
            Definition(
                name,
                "class",
                (self._header(node, body),),
                self._doc_of_body(body),
                node.start_point[0] + 1,
                is_annotated=True,
                is_deprecated=decorator_marks(decorators).is_deprecated,
                bases=bases,
                members=inner.close(),
            )
        )

    def _bases(self, node: tree_sitter.Node) -> tuple[str, ...]:
        arguments = node.child_by_field_name("superclasses")
        if arguments is None:
            return ()
        bases = []
        for child in arguments.named_children:
            base = child.child_by_field_name("value") if child.type == "subscript" else child
            if base is not None and base.type in ("identifier", "attribute"):
                written = self._text(base)
                if _DOTTED_PATTERN.fullmatch(written):
                    bases.append(written)
        return tuple(bases)

    def _header(self, node: tree_sitter.Node, body: tree_sitter.Node) -> str:
        """A ``def`` or ``class`` line without its body, its colon and a trailing comma of its parameters."""
        header = self._source[node.start_byte : body.start_byte].decode("utf-8", "replace").rstrip()
        if "\n" in header or "#" in header or "  " in header:
            header = one_line(header)
            if ",) ->" in header:
                header = header.replace(",) ->", ") ->", 1)
            header = header.rstrip(": ")
            return f"{header[:-2]})" if header.endswith(",)") else header
        return header.rstrip(": ")

    # -- assignments

    def _assignment(
        self, node: tree_sitter.Node, nodes: Sequence[tree_sitter.Node], position: int, scope: Scope
    ) -> None:
        targets: list[tuple[str, bool]] = []
        right: tree_sitter.Node | None = node
        annotation = node.child_by_field_name("type")
        while right is not None and right.type == "assignment":
            left = right.child_by_field_name("left")
            right = right.child_by_field_name("right")
            if left is not None:
                targets.extend(self._targets(left, right, scope))
        if scope.is_module and right is not None:
            self._note_tables(targets, right)
        names = [each for each in targets if scope.is_module or not is_private(each[0])]
        if not names:
            return
        type_text = value_text(self._slice(annotation)) if annotation is not None else ""
        value = right if right is not None and right.type != "ellipsis" else None
        doc = self._doc_beside(nodes, position)
        reference = ""
        if value is not None and value.type in ("identifier", "attribute"):
            written = self._text(value)
            reference = written if _DOTTED_PATTERN.fullmatch(written) else ""
        head = self._call_head(value) if value is not None and scope.is_module else ""
        line = node.start_point[0] + 1
        for name, is_unpacked in names:
            if name == "__all__" and scope.is_module:
                continue
            kind = assignment_kind(scope, name, type_text, head, reference)
            signature = f"{name}: {type_text}" if type_text else name
            if value is not None and not is_unpacked:
                signature = f"{signature} = {value_text(self._slice(value))}"
            scope.add(
                Definition(
                    name,
                    kind,
                    (signature,),
                    doc,
                    line,
                    is_assignment=True,
                    is_annotated=bool(type_text),
                    value="" if is_unpacked else reference,
                )
            )

    def _targets(
        self, left: tree_sitter.Node, right: tree_sitter.Node | None, scope: Scope
    ) -> Sequence[tuple[str, bool]]:
        """The names that an assignment binds, and whether each is one of several that share a value."""
        kind = left.type
        if kind == "identifier":
            return [(self._text(left), False)]
        if kind in ("pattern_list", "tuple_pattern", "list_pattern"):
            return [(self._text(child), True) for child in left.named_children if child.type == "identifier"]
        if kind == "subscript" and scope.is_module and right is not None:
            key = left.child_by_field_name("subscript")
            if key is not None:
                self._entries.append((key, right))
        return ()

    def _note_tables(self, targets: Sequence[tuple[str, bool]], right: tree_sitter.Node) -> None:
        """Keep what ``__all__`` and lazy exports may be made of."""
        kind = right.type
        for name, _ in targets:
            if name == "__all__":
                if kind == "call" and self._call_head(right) in ("attach", "attach_stub"):
                    self._attach(right)
                else:
                    self.exports.assign(right)
            elif kind in _DISPLAYS:
                self._literals.setdefault(name, right)
                if kind == "dictionary":
                    self._tables.append(right)

    def _instance_attributes(self, nodes: Sequence[tree_sitter.Node], scope: Scope, depth: int) -> None:
        """``self.name = …`` anywhere in ``__init__``."""
        for position, node in enumerate(nodes):
            kind = node.type
            if kind == "expression_statement":
                start = node.start_byte
                if not self._source.startswith(b"self.", start):
                    continue
                assignment = node.children[0]
                if assignment.type == "assignment":
                    self._instance_attribute(assignment, nodes, position, scope)
            elif (kind in _CONTAINERS or kind in _LOOPS) and depth < MAX_DEPTH:
                self._instance_attributes(node.named_children, scope, depth + 1)

    def _instance_attribute(
        self, node: tree_sitter.Node, nodes: Sequence[tree_sitter.Node], position: int, scope: Scope
    ) -> None:
        annotation = node.child_by_field_name("type")
        lefts: list[tree_sitter.Node] = []
        following: tree_sitter.Node | None = node
        while following is not None and following.type == "assignment":
            left = following.child_by_field_name("left")
            following = following.child_by_field_name("right")
            if left is not None:
                lefts.extend(left.named_children if left.type == "pattern_list" else [left])
        for each in lefts:
            name = self._text(each).removeprefix("self.")
            if each.type != "attribute" or not name.isidentifier() or is_private(name):
                continue
            type_text = value_text(self._slice(annotation)) if annotation is not None else ""
            scope.add(
                Definition(
                    name,
                    "property",
                    # The value is the constructor's business: it is part of a body.
                    (f"{name}: {type_text}" if type_text else name,),
                    self._doc_beside(nodes, position),
                    node.start_point[0] + 1,
                    is_assignment=True,
                    is_annotated=bool(type_text),
                )
            )

    def _type_alias(self, node: tree_sitter.Node, scope: Scope) -> None:
        parts = node.named_children
        if not parts:
            return
        name = re.split(r"[^\w]", self._text(parts[0]), maxsplit=1)[0]
        if name and (scope.is_module or not is_private(name)):
            signature = value_text(self._slice(node))
            scope.add(Definition(name, "type", (signature,), None, node.start_point[0] + 1, is_annotated=True))

    # -- imports

    def _import(self, node: tree_sitter.Node, imports: dict[str, list[Import]]) -> None:
        for child in node.named_children:
            if child.type == "dotted_name":
                first = self._text(child).partition(".")[0]
                imports.setdefault(first, []).append(Import(first))
            elif child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if name is not None and alias is not None:
                    written, bound = self._text(name), self._text(alias)
                    imports.setdefault(bound, []).append(Import(written, is_explicit=written == bound))

    def _import_from(self, node: tree_sitter.Node, imports: dict[str, list[Import]]) -> None:
        home = node.child_by_field_name("module_name")
        if home is None:
            return
        written = self._text(home)
        if " " in written or "\\" in written:
            written = "".join(written.split()).replace("\\", "")
        module = absolute_module(self._module, self._is_package, written)
        if not module:
            return
        for child in node.named_children[1:]:
            kind = child.type
            if kind == "dotted_name":
                name = self._text(child)
                imports.setdefault(name, []).append(Import(module, name))
            elif kind == "aliased_import":
                taken, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                if taken is not None and alias is not None:
                    name, bound = self._text(taken), self._text(alias)
                    imports.setdefault(bound, []).append(Import(module, name, is_explicit=name == bound))
            elif kind == "wildcard_import":
                self.stars.append(module)

    # -- calls, lazy exports

    def _call(self, node: tree_sitter.Node) -> None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return
        written = self._text(function)
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
        first, second = self._string(nodes[0]), self._string(nodes[1])
        if function == "add_newdoc_for_scalar_type":
            if first:
                self._keep_added_doc(_SCALAR_DOCS_MODULE, first, "", nodes[2])
        elif first and second:
            pairs = nodes[2].named_children if nodes[2].type == "list" else [nodes[2]]
            for each in pairs:
                parts = each.named_children if each.type == "tuple" else ()
                member = self._string(parts[0]) if len(parts) == 2 else ""
                self._keep_added_doc(first, second, member or "", parts[1] if len(parts) == 2 else each)

    def _keep_added_doc(self, module: str, name: str, member: str, node: tree_sitter.Node) -> None:
        if node.type == "call":  # """…""".replace(…)
            function = node.child_by_field_name("function")
            inner = function.child_by_field_name("object") if function is not None else None
            node = inner if inner is not None else node
        doc = clean_doc(self._string(node) or "")
        if doc:
            self.added_docs.append(AddedDoc(module, name, member, doc))

    def _attach(self, call: tree_sitter.Node) -> None:
        """lazy_loader: ``attach(__name__, submod_attrs={module: [names]})``, ``attach_stub(__name__, __file__)``."""
        self.is_stub_governed = self._call_head(call) == "attach_stub"
        arguments = call.child_by_field_name("arguments")
        for argument in arguments.named_children if arguments is not None else ():
            value = argument.child_by_field_name("value") if argument.type == "keyword_argument" else argument
            if value is not None and value.type == "dictionary":
                self._read_table([value])

    def _read_lazy_exports(self) -> None:
        if self._getattr is not None:
            self._read_getattr(self._getattr)
        if self._getattr is not None or "_import_structure" in self._literals:
            self._read_table(self._tables)
            for key, value in self._entries:
                for name, each in entry_imports(self._source, self._module, self._is_package, key, value):
                    self.imports.setdefault(name, []).append(each)

    def _read_table(self, tables: Sequence[tree_sitter.Node]) -> None:
        for name, each in table_imports(self._source, self._module, self._is_package, tables):
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
                elif kind in _CONTAINERS and depth < MAX_DEPTH:
                    stack.append((child, depth + 1))
        text = self._text(body)
        for name, imports in found.items():
            # A module that loads its successor's namesake (`numpy.core.numeric`) does not export it under its own name.
            if name == self._module.rpartition(".")[2]:
                continue
            if f'"{name}"' in text or f"'{name}'" in text:
                lazy = [Import(each.module, each.attribute, is_lazy=True) for each in imports]
                self.imports.setdefault(name, []).extend(lazy)

    # -- texts

    def _slice(self, node: tree_sitter.Node) -> bytes:
        return self._source[node.start_byte : node.end_byte]

    def _text(self, node: tree_sitter.Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _string(self, node: tree_sitter.Node) -> str | None:
        return string_value(self._text(node)) if node.type in _STRINGS else None

    def _call_head(self, node: tree_sitter.Node) -> str:
        """The last name of what is called or subscripted: ``TypeVar`` of ``typing.TypeVar("T")``."""
        field = {"call": "function", "subscript": "value"}.get(node.type)
        head = node.child_by_field_name(field) if field else None
        return self._text(head).rpartition(".")[2] if head is not None else ""

    def _doc_of_body(self, body: tree_sitter.Node) -> str | None:
        """The docstring of a body; its nodes are built only where the body opens with a string."""
        if _DOC_OPENING_PATTERN.match(self._source, body.start_byte) is None:
            return None
        cursor = body.walk()
        if not cursor.goto_first_child():
            return None
        node = cursor.node
        return self._doc_of_statement(node) if node is not None and node.type == "expression_statement" else None

    def _doc_of_statement(self, statement: tree_sitter.Node) -> str | None:
        children = statement.children
        if len(children) != 1:
            return None
        node = children[0]
        if node.type == "parenthesized_expression" and node.named_children:
            node = node.named_children[0]
        value = self._string(node)
        return clean_doc(value) if value is not None else None

    def _doc_beside(self, nodes: Sequence[tree_sitter.Node], position: int) -> str | None:
        """An attribute's doc: the string after it, else the ``#:`` comments above or behind it."""
        for following in nodes[position + 1 : position + 3]:
            kind = following.type
            if kind == "expression_statement" and _DOC_OPENING_PATTERN.match(self._source, following.start_byte):
                return self._doc_of_statement(following)
            if kind != "comment":
                break
        return self._comment_doc(nodes, position) if self._has_comment_docs else None

    def _comment_doc(self, nodes: Sequence[tree_sitter.Node], position: int) -> str | None:
        row = nodes[position].start_point[0]
        lines: list[str] = []
        for index in range(position - 1, -1, -1):
            node = nodes[index]
            row -= 1
            if node.type != "comment" or node.start_point[0] != row:
                break
            text = self._text(node)
            if not text.startswith("#:"):
                break
            lines.append(text[2:])
        if not lines and position + 1 < len(nodes):
            node = nodes[position + 1]
            if node.type == "comment" and node.start_point[0] == nodes[position].end_point[0]:
                text = self._text(node)
                lines = [text[2:]] if text.startswith("#:") else []
        return clean_doc("\n" + "\n".join(reversed(lines))) if lines else None
