"""One file's statements: what it declares, imports and exports.

Here: a tree in, a ``FileSyntax`` out; ES modules, ambient modules and namespaces. Not here: what a declaration holds
(typescript_definitions), CommonJS's assignments (javascript_commonjs), resolving names (typescript_namespaces).

Which names are exported: ECMA-262, "Exports"; for declaration files what the TypeScript compiler's binder does (an
ambient scope without export declarations and export assignments exports all it declares).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.javascript_commonjs import CommonJsReader
from depcodex_assets.languages.jsdoc import is_hidden, is_of_file
from depcodex_assets.languages.typescript_definitions import DECLARATIONS, DefinitionReader
from depcodex_assets.languages.typescript_grammar import decode, is_too_deep, tree_of
from depcodex_assets.languages.typescript_syntax import (
    RANK_CONSTANT,
    RANK_NAMESPACE,
    WHOLE,
    Definition,
    FileSyntax,
    Reference,
    Scope,
)
from depcodex_assets.languages.typescript_text import NodeText

if TYPE_CHECKING:
    import tree_sitter

_REFERENCE_PATTERN = re.compile(
    rb"^[ \t]*///[ \t]*<reference[ \t]+path[ \t]*=[ \t]*[\"']([^\"'\n]+)[\"']", re.MULTILINE
)
_MAX_NAMESPACE_DEPTH = 24
DECLARATION_ENDINGS = (".d.ts", ".d.mts", ".d.cts")
# What an `export default` of no name is declared as.
DEFAULT = "default"


def read_file(file: SourceFile) -> FileSyntax:
    """What a JavaScript or TypeScript file says; ``problem`` where it was not read whole."""
    scope = Scope()
    source = decode(file.content)
    if source is None:
        return FileSyntax(file, scope, problem="encoding")
    if is_too_deep(source):
        return FileSyntax(file, scope, problem="nesting")
    root = tree_of(source, file.language)
    syntax = FileSyntax(file, scope)
    if root.has_error:
        syntax.problem = "syntax"
    if b"<reference" in source:
        syntax.references = tuple(each.decode("utf-8", "replace") for each in _REFERENCE_PATTERN.findall(source))
    _FileReader(source, syntax).read(root)
    return syntax


class _FileReader:
    """Reads one file.

    Args:
        source: its decoded bytes.
        syntax: where what is read goes.
    """

    def __init__(self, source: bytes, syntax: FileSyntax) -> None:
        self._text = NodeText(source)
        self._definitions = DefinitionReader(self._text)
        self._syntax = syntax
        self._is_ambient = syntax.file.path.endswith(DECLARATION_ENDINGS)
        self._is_javascript = syntax.file.language == "javascript"

    def read(self, root: tree_sitter.Node) -> None:
        """Fills the syntax."""
        scope = self._syntax.scope
        nodes = root.children
        self._syntax.comment = self._file_comment(nodes)
        has_exports = self._statements(nodes, scope, is_ambient=self._is_ambient, depth=0)
        if self._is_javascript:
            commonjs = CommonJsReader(self._text, self._definitions, scope)
            commonjs.read(nodes)
            self._syntax.is_module = self._syntax.is_module or commonjs.has_exports
        elif self._is_ambient:
            # A script's declarations are global: they are what its package gives, too.
            scope.is_implicit = not has_exports

    def _file_comment(self, nodes: Sequence[tree_sitter.Node]) -> str | None:
        for position, node in enumerate(nodes):
            if node.type not in ("comment", "hash_bang_line"):
                return None
            if node.type == "comment" and self._definitions.doc_comment(node) is not None:
                comment = self._text.text(node)
                if is_of_file(comment):
                    return comment
                if position > 40:
                    return None
        return None

    def _statements(self, nodes: Sequence[tree_sitter.Node], scope: Scope, *, is_ambient: bool, depth: int) -> bool:
        """Reads statements into a scope; whether one of them says what is exported."""
        comment: tree_sitter.Node | None = None
        has_exports = False
        for node in nodes:
            kind = node.type
            if kind == "comment":
                comment = self._definitions.doc_comment(node) or comment
                continue
            doc = self._definitions.doc(comment)
            if doc and is_of_file(doc[0]):
                doc = ()
            if kind == "export_statement":
                self._syntax.is_module = self._syntax.is_module or depth == 0
                has_exports = self._export(node, scope, doc, is_ambient, depth) or has_exports
            elif kind in DECLARATIONS:
                self._declare(node, scope, doc)
            elif kind == "ambient_declaration":
                self._ambient(node, scope, doc, depth)
            elif kind in ("module", "internal_module"):
                self._namespace(node, scope, doc, is_ambient, depth)
            elif kind == "expression_statement":
                first = node.children[0] if node.children else node
                if first.type == "internal_module":
                    self._namespace(first, scope, doc, is_ambient, depth)
            elif kind == "import_statement":
                self._syntax.is_module = self._syntax.is_module or depth == 0
                self._import(node, scope)
            elif kind == "import_alias":
                self._alias(node, scope)
            elif kind == "statement_block" and is_ambient:
                # `global { … }` inside of an ambient module.
                self._globals(node, depth)
            elif kind == "ERROR" and depth < _MAX_NAMESPACE_DEPTH:
                # What the grammar lost its way in may still hold whole declarations.
                has_exports = (
                    self._statements(node.children, scope, is_ambient=is_ambient, depth=max(depth, 1)) or has_exports
                )
            elif not node.is_named:
                continue
            comment = None
        return has_exports

    def _declare(self, node: tree_sitter.Node, scope: Scope, doc: tuple[str, ...]) -> list[str]:
        """Adds a declaration; the names it declares."""
        names = []
        for definition in self._definitions.read(node, doc):
            if not definition.name:
                continue
            if not (definition.comments and is_hidden(definition.comments[0])):
                scope.add(definition)
            names.append(definition.name)
        return names

    def _ambient(self, node: tree_sitter.Node, scope: Scope, doc: tuple[str, ...], depth: int) -> list[str]:
        names: list[str] = []
        for child in node.children:
            kind = child.type
            if kind in DECLARATIONS:
                names += self._declare(child, scope, doc)
            elif kind in ("module", "internal_module"):
                names += self._namespace(child, scope, doc, True, depth)
            elif kind == "import_alias":
                names += self._alias(child, scope)
            elif kind == "statement_block":
                self._globals(child, depth)
        return names

    def _globals(self, block: tree_sitter.Node, depth: int) -> None:
        """``declare global { … }``: names of nobody's module, which a module may export all the same."""
        if depth < _MAX_NAMESPACE_DEPTH:
            self._statements(block.children, self._syntax.globals, is_ambient=True, depth=depth + 1)

    def _namespace(
        self, node: tree_sitter.Node, scope: Scope, doc: tuple[str, ...], is_ambient: bool, depth: int
    ) -> list[str]:
        named = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if named is None or depth >= _MAX_NAMESPACE_DEPTH:
            return []
        if named.type == "string":
            specifier = self._text.string(named)
            inner = Scope()
            if body is not None:
                has_exports = self._statements(body.children, inner, is_ambient=True, depth=depth + 1)
                inner.is_implicit = not has_exports
            known = self._syntax.ambient.setdefault(specifier, inner)
            if known is not inner:
                known.merge(inner)
            return []
        path = [each.strip() for each in self._text.text(named).split(".")]
        if doc and is_hidden(doc[0]):
            return []
        made_in = scope
        for position, name in enumerate(path):
            is_last = position == len(path) - 1
            inner = Scope(parent=made_in)
            shown = f"namespace {'.'.join(path)}"
            line = int(node.start_point[0]) + 1
            comments = doc if is_last else ()
            made_in.add(Definition(name, "module", RANK_NAMESPACE, (shown,), line, comments, scope=inner))
            if position:
                made_in.exports.setdefault(name, Reference("", name, line))
            made_in = inner
        if body is not None:
            has_exports = self._statements(body.children, made_in, is_ambient=is_ambient, depth=depth + 1)
            made_in.is_implicit = is_ambient and not has_exports
        return [path[0]]

    def _export(self, node: tree_sitter.Node, scope: Scope, doc: tuple[str, ...], is_ambient: bool, depth: int) -> bool:
        """Reads an export statement; whether it is an export declaration or assignment, which end implicit exports."""
        line = int(node.start_point[0]) + 1
        specifier = self._text.string(node.child_by_field_name("source"))
        is_default = False
        for child in node.children:
            kind = child.type
            if kind == "comment" and not doc:
                doc = self._definitions.doc(self._definitions.doc_comment(child))
            elif kind == "default":
                is_default = True
            elif kind == "as":
                # `export as namespace X` names a global.
                return False
            elif kind == "*" and specifier:
                scope.stars.append(Reference(specifier, WHOLE, line))
                return True
            elif kind == "namespace_export":
                name = self._last_name(child)
                if name:
                    scope.exports[name] = Reference(specifier, WHOLE, line)
                return True
            elif kind == "export_clause":
                self._clause(child, scope, specifier)
                return True
            elif kind == "=":
                return self._assign(node, scope, doc, line)
            elif kind == "ambient_declaration":
                self._exported(scope, self._ambient(child, scope, doc, depth), line)
            elif kind in ("module", "internal_module"):
                self._exported(scope, self._namespace(child, scope, doc, is_ambient, depth), line)
            elif kind == "import_alias":
                self._exported(scope, self._alias(child, scope), line)
            elif kind == "function_signature" and self._text.is_unnamed(child):
                scope.add(self._definitions.unnamed_function(child, doc, DEFAULT))
                scope.exports[DEFAULT] = Reference("", DEFAULT, line)
            elif kind in DECLARATIONS and not is_default:
                self._exported(scope, self._declare(child, scope, doc), line)
            elif is_default and child.is_named and kind != "decorator":
                return self._default(child, scope, doc, line)
        return False

    def _exported(self, scope: Scope, names: Sequence[str], line: int) -> None:
        for name in names:
            scope.exports.setdefault(name, Reference("", name, line))

    def _default(self, node: tree_sitter.Node, scope: Scope, doc: tuple[str, ...], line: int) -> bool:
        """``export default``: of a declaration (no assignment), a name, or a value."""
        kind = node.type
        if kind in ("identifier", "member_expression"):
            scope.exports[DEFAULT] = Reference("", self._text.text(node), line)
            return True
        made = list(self._definitions.read(node, doc, DEFAULT))
        if not made:
            shown = f"const default = {self._text.value(node)}"
            definition = Definition(DEFAULT, "constant", RANK_CONSTANT, (shown,), line, doc)
            if kind == "object":
                self._definitions.object_members(node, definition)
            made = [definition]
        for definition in made:
            if not (definition.comments and is_hidden(definition.comments[0])):
                scope.add(definition)
        scope.exports[DEFAULT] = Reference("", made[0].name, line)
        if kind in DECLARATIONS:
            scope.only_default = made[0].name
        return kind not in DECLARATIONS

    def _assign(self, node: tree_sitter.Node, scope: Scope, doc: tuple[str, ...], line: int) -> bool:
        """``export = x``."""
        value = next((each for each in reversed(node.children) if each.is_named and each.type != "comment"), None)
        if value is not None:
            if value.type in ("identifier", "member_expression"):
                scope.assigned = Reference("", self._text.text(value), line)
            else:
                for definition in self._definitions.read(value, doc, DEFAULT):
                    scope.add(definition)
                    scope.assigned = Reference("", definition.name, line)
        return True

    def _clause(self, node: tree_sitter.Node, scope: Scope, specifier: str) -> None:
        for child in node.children:
            if child.type != "export_specifier":
                continue
            names = self._specifier(child)
            if names is not None:
                scope.exports[names[1]] = Reference(specifier, names[0], int(child.start_point[0]) + 1)

    def _specifier(self, node: tree_sitter.Node) -> tuple[str, str] | None:
        """``a as b`` as (a, b); the word ``default`` is no identifier in the grammar."""
        text = self._text.text(node)
        words = [each for each in re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL).split() if each]
        if (len(words) > 1 and words[0] == "type" and words[1] != "as") or (len(words) == 4 and words[0] == "type"):
            words = words[1:]
        if len(words) == 1:
            return words[0], words[0]
        return (words[0].strip("\"'"), words[2].strip("\"'")) if len(words) == 3 and words[1] == "as" else None

    def _import(self, node: tree_sitter.Node, scope: Scope) -> None:
        line = int(node.start_point[0]) + 1
        specifier = self._text.string(node.child_by_field_name("source"))
        for child in node.children:
            if child.type == "import_require_clause":
                named = next((each for each in child.children if each.type == "identifier"), None)
                required = next((self._text.string(each) for each in child.children if each.type == "string"), "")
                if named is not None and required:
                    scope.references[self._text.text(named)] = Reference(required, WHOLE, line)
            elif child.type == "import_clause" and specifier:
                self._import_clause(child, scope, specifier, line)

    def _import_clause(self, node: tree_sitter.Node, scope: Scope, specifier: str, line: int) -> None:
        for child in node.children:
            if child.type == "identifier":
                scope.references[self._text.text(child)] = Reference(specifier, DEFAULT, line)
            elif child.type == "namespace_import":
                name = self._last_name(child)
                if name:
                    scope.references[name] = Reference(specifier, WHOLE, line)
            elif child.type == "named_imports":
                for each in child.children:
                    names = self._specifier(each) if each.type == "import_specifier" else None
                    if names is not None:
                        scope.references[names[1]] = Reference(specifier, names[0], line)

    def _alias(self, node: tree_sitter.Node, scope: Scope) -> list[str]:
        """``import R = N.O``."""
        named = [each for each in node.children if each.is_named and each.type != "comment"]
        if len(named) != 2:
            return []
        name = self._text.text(named[0])
        target = "".join(self._text.text(named[1]).split())
        scope.references[name] = Reference("", target, int(node.start_point[0]) + 1)
        return [name]

    def _last_name(self, node: tree_sitter.Node) -> str:
        named = [each for each in node.children if each.is_named]
        return self._text.text(named[-1]).strip("\"'") if named else ""
