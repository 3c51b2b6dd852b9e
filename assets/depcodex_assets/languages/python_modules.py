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
from depcodex_assets.languages.python_imports import CONTAINERS, MAX_DEPTH, ImportReader
from depcodex_assets.languages.python_nodes import NodeText, expression_of
from depcodex_assets.languages.python_scopes import Scope, assignment_kind, decorator_marks, enum_like
from depcodex_assets.languages.python_syntax import Definition, ModuleSyntax, is_private
from depcodex_assets.languages.python_text import decode, mended, one_line, value_text

if TYPE_CHECKING:
    import tree_sitter

# Above it a file is a table that somebody generated; the largest hand-kept modules on PyPI have 5 MB.
MAX_FILE_BYTES = 16 * 1024 * 1024
_LOOPS = ("for_statement", "while_statement")
# Newer grammars have no node around an expression that is a statement.
_EXPRESSIONS = ("expression_statement", "assignment", "augmented_assignment", "call")
_IMPORTS = ("import_statement", "import_from_statement")
_QUOTES = (b'"', b"'")
_DOTTED_PATTERN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


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
        imports={name: tuple(each) for name, each in reader.imports.imports.items()},
        stars=tuple(dict.fromkeys(reader.imports.stars)),
        exports=reader.imports.exports.result(),
        is_stub_governed=reader.imports.is_stub_governed,
        added_docs=tuple(reader.imports.added_docs),
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
        self._nodes = NodeText(source)
        self._is_stub = is_stub
        self.doc: str | None = None
        self.scope = Scope(prefix_kind="module")
        self.imports = ImportReader(self._nodes, module, is_package=is_package)
        self.problem: str | None = None

    def read(self, root: tree_sitter.Node) -> None:
        nodes = root.named_children
        for node in nodes:
            if node.type != "comment":
                self.doc = self._nodes.doc_of_statement(node)
                break
        self._statements(nodes, self.scope, 0)
        self.imports.finish()

    def _statements(self, nodes: Sequence[tree_sitter.Node], scope: Scope, depth: int) -> None:
        for position, node in enumerate(nodes):
            kind = node.type
            if kind == "function_definition":
                self._function(node, (), scope)
            elif kind in _EXPRESSIONS:
                self._expression(nodes, position, scope)
            elif kind == "decorated_definition":
                self._decorated(node, scope, depth)
            elif kind == "class_definition":
                self._class(node, (), scope, depth)
            elif kind in CONTAINERS:
                if depth >= MAX_DEPTH:
                    self.problem = "nesting"
                elif not self._is_script(node):
                    self._statements(node.named_children, scope, depth + 1)
            elif kind == "type_alias_statement":
                self._type_alias(node, scope)
            elif scope.is_module and kind in _IMPORTS:
                self.imports.imported(node)

    def _is_script(self, node: tree_sitter.Node) -> bool:
        """``if __name__ == "__main__":`` runs only when the file is no module."""
        start = node.start_byte
        return node.type == "if_statement" and self._nodes.source.startswith(b"if __name__", start)

    def _expression(self, nodes: Sequence[tree_sitter.Node], position: int, scope: Scope) -> None:
        node = nodes[position]
        if self._nodes.source[node.start_byte : node.start_byte + 1] in _QUOTES:
            return
        expression = expression_of(node)
        kind = expression.type
        if kind == "assignment":
            self._assignment(expression, nodes, position, scope)
        elif scope.is_module and kind == "call":
            self.imports.called(expression)
        elif scope.is_module and kind == "augmented_assignment":
            self.imports.augmented(expression)

    def _decorated(self, node: tree_sitter.Node, scope: Scope, depth: int) -> None:
        definition = node.child_by_field_name("definition")
        if definition is None:
            return
        heads = tuple(
            self._nodes.text(child)[1:].partition("(")[0].strip()
            for child in node.children
            if child.type == "decorator"
        )
        if definition.type == "class_definition":
            self._class(definition, heads, scope, depth)
        elif definition.type == "function_definition":
            self._function(definition, heads, scope)

    def _function(self, node: tree_sitter.Node, decorators: tuple[str, ...], scope: Scope) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        name = self._nodes.text(name_node)
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
                self._nodes.doc_of_body(body),
                node.start_point[0] + 1,
                is_annotated=":" in signature or "->" in signature,
                is_deprecated=marks.is_deprecated,
                is_overload=marks.is_overload,
            )
        )
        if scope.is_module:
            if name == "__getattr__":
                self.imports.loads_on_access(body)
        elif name == "__init__" and self._nodes.source.find(b"self.", body.start_byte, body.end_byte) >= 0:
            self._instance_attributes(body.named_children, scope, 0)

    def _class(self, node: tree_sitter.Node, decorators: tuple[str, ...], scope: Scope, depth: int) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        name = self._nodes.text(name_node)
        if not scope.is_module and is_private(name):
            return
        bases = self._bases(node)
        inner = Scope(prefix_kind="class", is_enum=enum_like(bases))
        if depth >= MAX_DEPTH:
            self.problem = "nesting"
        else:
            nodes = body.named_children
            if self._nodes.has_comment_docs:
                nodes = [*(child for child in node.children if child.type == "comment"), *nodes]
            self._statements(nodes, inner, depth + 1)
        scope.add(
            Definition(
                name,
                "class",
                (self._header(node, body),),
                self._nodes.doc_of_body(body),
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
                written = self._nodes.text(base)
                if _DOTTED_PATTERN.fullmatch(written):
                    bases.append(written)
        return tuple(bases)

    def _header(self, node: tree_sitter.Node, body: tree_sitter.Node) -> str:
        """A ``def`` or ``class`` line without its body, its colon and a trailing comma of its parameters."""
        header = self._nodes.source[node.start_byte : body.start_byte].decode("utf-8", "replace").rstrip()
        if "\n" in header or "#" in header or "  " in header:
            header = one_line(header)
            if ",) ->" in header:
                header = header.replace(",) ->", ") ->", 1)
            header = header.rstrip(": ")
            return f"{header[:-2]})" if header.endswith(",)") else header
        return header.rstrip(": ")

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
            self.imports.assigned(targets, right)
        names = [each for each in targets if scope.is_module or not is_private(each[0])]
        if not names:
            return
        type_text = value_text(self._nodes.slice(annotation)) if annotation is not None else ""
        value = right if right is not None and right.type != "ellipsis" else None
        doc = self._nodes.doc_beside(nodes, position)
        reference = ""
        if value is not None and value.type in ("identifier", "attribute"):
            written = self._nodes.text(value)
            reference = written if _DOTTED_PATTERN.fullmatch(written) else ""
        head = self._nodes.call_head(value) if value is not None and scope.is_module else ""
        line = node.start_point[0] + 1
        for name, is_unpacked in names:
            if name == "__all__" and scope.is_module:
                continue
            kind = assignment_kind(scope, name, type_text, head, reference)
            signature = f"{name}: {type_text}" if type_text else name
            if value is not None and not is_unpacked:
                signature = f"{signature} = {value_text(self._nodes.slice(value))}"
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
            return [(self._nodes.text(left), False)]
        if kind in ("pattern_list", "tuple_pattern", "list_pattern"):
            return [(self._nodes.text(child), True) for child in left.named_children if child.type == "identifier"]
        if kind == "subscript" and scope.is_module and right is not None:
            key = left.child_by_field_name("subscript")
            if key is not None:
                self.imports.entered(key, right)
        return ()

    def _instance_attributes(self, nodes: Sequence[tree_sitter.Node], scope: Scope, depth: int) -> None:
        """``self.name = …`` anywhere in ``__init__``."""
        for position, node in enumerate(nodes):
            kind = node.type
            if kind in _EXPRESSIONS:
                if not self._nodes.source.startswith(b"self.", node.start_byte):
                    continue
                assignment = expression_of(node)
                if assignment.type == "assignment":
                    self._instance_attribute(assignment, nodes, position, scope)
            elif (kind in CONTAINERS or kind in _LOOPS) and depth < MAX_DEPTH:
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
            name = self._nodes.text(each).removeprefix("self.")
            if each.type != "attribute" or not name.isidentifier() or is_private(name):
                continue
            type_text = value_text(self._nodes.slice(annotation)) if annotation is not None else ""
            scope.add(
                Definition(
                    name,
                    "property",
                    # The value is the constructor's business: it is part of a body.
                    (f"{name}: {type_text}" if type_text else name,),
                    self._nodes.doc_beside(nodes, position),
                    node.start_point[0] + 1,
                    is_assignment=True,
                    is_annotated=bool(type_text),
                )
            )

    def _type_alias(self, node: tree_sitter.Node, scope: Scope) -> None:
        parts = node.named_children
        if not parts:
            return
        name = re.split(r"[^\w]", self._nodes.text(parts[0]), maxsplit=1)[0]
        if name and (scope.is_module or not is_private(name)):
            signature = value_text(self._nodes.slice(node))
            scope.add(Definition(name, "type", (signature,), None, node.start_point[0] + 1, is_annotated=True))
