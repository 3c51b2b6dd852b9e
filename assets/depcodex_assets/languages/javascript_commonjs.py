"""CommonJS: what a file exports by assigning, and members that are assigned to what it declares.

Here: ``module.exports``, ``exports.x``, ``Foo.prototype.x``, and the forms that TypeScript, Babel, esbuild and Rollup
emit for ES modules. Not here: ``import`` and ``export`` (typescript_statements).

Nothing is evaluated: what an expression gives at run time is not known, only what is written is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from depcodex_assets.languages.jsdoc import is_hidden
from depcodex_assets.languages.typescript_definitions import DefinitionReader
from depcodex_assets.languages.typescript_syntax import RANK_CONSTANT, WHOLE, Definition, Reference, Scope
from depcodex_assets.languages.typescript_text import FUNCTION_VALUES, NodeText

if TYPE_CHECKING:
    import tree_sitter

_EXPORTS = frozenset({"exports", "module.exports"})
_GETTER_PATTERN = re.compile(r"(?:return|=>)\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)\s*[;}]?")
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_MAX_BLOCK_DEPTH = 3
_HIDDEN_NAMES = frozenset({"__esModule", "__proto__", "prototype"})


class CommonJsReader:
    """Adds a file's assignments to its scope.

    Args:
        text: the file's text.
        definitions: reads functions, classes and objects.
        scope: the file's scope, its declarations already in it.
    """

    def __init__(self, text: NodeText, definitions: DefinitionReader, scope: Scope) -> None:
        self._text = text
        self._definitions = definitions
        self._scope = scope
        # Names that stand for the exports object: `var app = exports = module.exports = {}`.
        self._export_names = set(_EXPORTS)
        self.has_exports = False

    def read(self, nodes: Sequence[tree_sitter.Node], depth: int = 0) -> None:
        """Reads the statements of a file, or of a block that is run at its top level."""
        comment: tree_sitter.Node | None = None
        for node in nodes:
            kind = node.type
            if kind == "comment":
                comment = self._definitions.doc_comment(node) or comment
                continue
            if kind == "expression_statement" and node.children:
                self._expression(node.children[0], self._definitions.doc(comment), depth)
            elif kind in ("variable_declaration", "lexical_declaration"):
                self._variables(node)
            elif depth < _MAX_BLOCK_DEPTH and kind in ("if_statement", "else_clause", "statement_block"):
                # Both branches of `if (process.env.NODE_ENV === "production")`; the later one, for developers, stays.
                self.read(node.children, depth + 1)
            comment = None

    def _expression(self, node: tree_sitter.Node, doc: tuple[str, ...], depth: int) -> None:
        kind = node.type
        if kind == "assignment_expression":
            self._assignment(node, doc)
        elif kind == "call_expression":
            self._call(node, doc, depth)
        elif kind == "binary_expression":
            # `0 && (module.exports = { a, b })` is how esbuild tells other tools what a file exports.
            right = node.child_by_field_name("right")
            inner = right.named_children if right is not None and right.type == "parenthesized_expression" else ()
            for each in inner:
                if each.type == "assignment_expression":
                    self._assignment(each, doc)
        elif kind == "sequence_expression":
            for each in node.named_children:
                self._expression(each, doc, depth)
                doc = ()

    def _assignment(self, node: tree_sitter.Node, doc: tuple[str, ...]) -> None:
        targets, value = self._chain(node)
        if value is None:
            return
        names = [self._dotted(each) for each in targets]
        if any(name in _EXPORTS for name in names):
            self._export_names.update(name for name in names if name and "." not in name)
            self._assign_all(value, doc, int(node.start_point[0]) + 1)
            return
        for name in names:
            owner, _, member = name.rpartition(".")
            if not owner or not member or member in _HIDDEN_NAMES:
                continue
            if owner in self._export_names:
                self._assign_export(member, value, doc, int(node.start_point[0]) + 1)
            else:
                self._assign_member(owner.removesuffix(".prototype"), member, node, value, doc)

    def _chain(self, node: tree_sitter.Node) -> tuple[list[tree_sitter.Node], tree_sitter.Node | None]:
        """Targets of ``a = b = c = value``, and the value."""
        targets: list[tree_sitter.Node] = []
        current: tree_sitter.Node | None = node
        while current is not None and current.type == "assignment_expression" and len(targets) < 200:
            left = current.child_by_field_name("left")
            if left is not None:
                targets.append(left)
            current = current.child_by_field_name("right")
        return targets, current

    def _dotted(self, node: tree_sitter.Node) -> str:
        if node.end_byte - node.start_byte > 200:
            return ""
        text = "".join(self._text.text(node).split())
        if _DOTTED.fullmatch(text):
            return text
        found = re.fullmatch(r"([A-Za-z_$][\w$.]*)\[[\"']([\w$-]+)[\"']\]", text)
        return f"{found[1]}.{found[2]}" if found else ""

    def _assign_all(self, value: tree_sitter.Node, doc: tuple[str, ...], line: int) -> None:
        """``module.exports = value``."""
        self.has_exports = True
        scope = self._scope
        kind = value.type
        required = self._required(value, line)
        if required is not None:
            scope.assigned = required
        elif kind == "object":
            self._object(value)
        elif kind in ("identifier", "member_expression"):
            scope.assigned = Reference("", "".join(self._text.text(value).split()), line)
        elif kind == "call_expression" or kind == "new_expression":
            # esbuild: `module.exports = __toCommonJS(src_exports)`; anything else is a value of unknown shape.
            if "__toCommonJS" not in self._text.text(value)[:200]:
                self._define("default", value, doc, line)
                scope.exports.setdefault("default", Reference("", "default", line))
        else:
            name = self._define("", value, doc, line)
            scope.assigned = Reference("", name, line)

    def _assign_export(self, name: str, value: tree_sitter.Node, doc: tuple[str, ...], line: int) -> None:
        """``exports.name = value``."""
        self.has_exports = True
        kind = value.type
        scope = self._scope
        required = self._required(value, line)
        if required is not None:
            scope.exports[name] = required
        elif kind in ("identifier", "member_expression"):
            target = "".join(self._text.text(value).split())
            if _DOTTED.fullmatch(target) and not target.startswith("exports."):
                head = target.partition(".")[0]
                if head in scope.definitions or head in scope.references:
                    scope.exports[name] = Reference("", target, line)
                    return
            if name not in scope.exports:
                self._define(name, value, doc, line)
                scope.exports[name] = Reference("", name, line)
        elif kind == "unary_expression":
            # `exports.a = exports.b = void 0` only opens what TypeScript emits.
            return
        elif doc and is_hidden(doc[0]):
            return
        else:
            made = self._define(name, value, doc, line)
            scope.exports[name] = Reference("", made, line)

    def _assign_member(
        self, owner: str, member: str, node: tree_sitter.Node, value: tree_sitter.Node, doc: tuple[str, ...]
    ) -> None:
        """``Owner.member = value`` and ``Owner.prototype.member = value``, where the file declares the owner."""
        found = self._scope.definitions.get(owner)
        if not found or member.startswith("#") or (doc and is_hidden(doc[0])):
            return
        if value.type in FUNCTION_VALUES:
            left = node.child_by_field_name("left")
            head = self._text.head(value, value.child_by_field_name("body"))
            shown = f"{self._text.text(left)} = {head}" if left is not None else head
            found[0].add_member(
                Definition(member, "method", RANK_CONSTANT, (shown,), int(node.start_point[0]) + 1, doc)
            )
        elif value.type == "object" and member == "prototype":
            self._definitions.object_members(value, found[0])
        elif doc:
            shown = f"{owner}.{member} = {self._text.value(value)}"
            found[0].add_member(
                Definition(member, "property", RANK_CONSTANT, (shown,), int(node.start_point[0]) + 1, doc)
            )

    def _object(self, node: tree_sitter.Node) -> None:
        """``module.exports = { … }``: each key is an export."""
        comment: tree_sitter.Node | None = None
        scope = self._scope
        for child in node.children:
            kind = child.type
            line = int(child.start_point[0]) + 1
            if kind == "comment":
                comment = self._definitions.doc_comment(child) or comment
                continue
            if kind == "shorthand_property_identifier":
                name = self._text.text(child)
                if name in scope.definitions or name in scope.references:
                    scope.exports.setdefault(name, Reference("", name, line))
                comment = None
            elif kind == "pair":
                value = child.child_by_field_name("value")
                name = self._text.name(child.child_by_field_name("key"))
                if name and value is not None and name not in _HIDDEN_NAMES:
                    self._assign_export(name, value, self._definitions.doc(comment), line)
                comment = None
            elif kind == "method_definition":
                name = self._text.name(child.child_by_field_name("name"))
                doc = self._definitions.doc(comment)
                if name and not (doc and is_hidden(doc[0])):
                    body = child.child_by_field_name("body")
                    scope.add(Definition(name, "function", RANK_CONSTANT, (self._text.head(child, body),), line, doc))
                    scope.exports.setdefault(name, Reference("", name, line))
                comment = None
            elif kind == "spread_element":
                for each in child.named_children:
                    required = self._required(each, line)
                    if required is None and each.type == "identifier":
                        required = scope.references.get(self._text.text(each))
                    if required is not None and required.name == WHOLE:
                        scope.stars.append(required)
                comment = None

    def _define(self, name: str, value: tree_sitter.Node, doc: tuple[str, ...], line: int) -> str:
        """Adds a definition for a value; the name it is declared under."""
        made = list(self._definitions.read(value, doc, name or "default"))
        if not made:
            made = [
                Definition(
                    name or "default",
                    "constant",
                    RANK_CONSTANT,
                    (f"const {name} = {self._text.value(value)}",),
                    line,
                    doc,
                )
            ]
            if value.type == "object":
                self._definitions.object_members(value, made[0])
        for each in made:
            self._scope.add(each)
        return made[0].name

    def _required(self, node: tree_sitter.Node, line: int) -> Reference | None:
        """``require("x")``, ``require("x").y``, and both in the calls that compilers put around them."""
        name = WHOLE
        for _ in range(4):
            if node.type == "member_expression":
                inner, named = node.child_by_field_name("object"), node.child_by_field_name("property")
                if inner is None or named is None or name != WHOLE:
                    return None
                name, node = self._text.text(named), inner
            elif node.type == "call_expression":
                called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
                first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
                if called is None or first is None:
                    return None
                if self._text.text(called) == "require":
                    specifier = self._text.string(first)
                    return Reference(specifier, name, line) if specifier else None
                if not re.search(r"(?i)interop|__import|__toESM", self._text.text(called)[:80]):
                    return None
                node = first
            else:
                return None
        return None

    def _variables(self, node: tree_sitter.Node) -> None:
        for declarator in node.named_children:
            if declarator.type != "variable_declarator":
                continue
            target, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            if target is None or value is None:
                continue
            line = int(declarator.start_point[0]) + 1
            required = self._required(value, line)
            if required is not None:
                self._import(target, required)
            elif value.type == "assignment_expression":
                names = [self._dotted(each) for each in self._chain(value)[0]]
                if any(name in _EXPORTS for name in names) and target.type == "identifier":
                    self._export_names.add(self._text.text(target))
                    self._scope.definitions.pop(self._text.text(target), None)
                    self._assignment(value, ())

    def _import(self, target: tree_sitter.Node, required: Reference) -> None:
        scope = self._scope
        if target.type == "identifier":
            name = self._text.text(target)
            scope.references[name] = required
            scope.definitions.pop(name, None)
            return
        for child in target.named_children if target.type == "object_pattern" else ():
            if child.type == "shorthand_property_identifier_pattern":
                imported = local = self._text.text(child)
            elif child.type == "pair_pattern":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None or value.type != "identifier":
                    continue
                imported, local = self._text.name(key), self._text.text(value)
            else:
                continue
            if imported and required.name == WHOLE:
                scope.references[local] = Reference(required.specifier, imported, required.line)
                scope.definitions.pop(local, None)

    def _call(self, node: tree_sitter.Node, doc: tuple[str, ...], depth: int) -> None:
        called = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if called is None or arguments is None:
            return
        name = self._text.text(called) if called.end_byte - called.start_byte < 120 else ""
        values = arguments.named_children
        line = int(node.start_point[0]) + 1
        if name == "Object.defineProperty" and len(values) >= 3:
            self._define_property(values, doc, line)
        elif name.endswith(("__exportStar", "__export", "_export_star", "_exportStar", "__reExport")):
            for each in values:
                required = self._required(each, line)
                if required is not None and required.name == WHOLE:
                    self.has_exports = True
                    self._scope.stars.append(required)
            self._export_getters(values, line)
        elif name.endswith(".forEach") and name.startswith("Object.keys") and "exports[" in self._text.text(node):
            # Babel: Object.keys(_x).forEach(function (key) { … exports[key] … })
            found = re.match(r"Object\.keys\(\s*([\w$]+)\s*\)", self._text.text(node))
            required = self._scope.references.get(found[1]) if found else None
            if required is not None and required.name == WHOLE:
                self.has_exports = True
                self._scope.stars.append(required)
        elif depth < _MAX_BLOCK_DEPTH:
            self._invoked(called, depth)

    def _invoked(self, called: tree_sitter.Node, depth: int) -> None:
        """``(function () { … })()`` and ``(function () { … }).call(this)`` run at the top level."""
        if called.type == "member_expression":
            called = called.child_by_field_name("object") or called
        inner = (
            called.named_children[0] if called.type == "parenthesized_expression" and called.named_children else called
        )
        if inner.type in FUNCTION_VALUES:
            body = inner.child_by_field_name("body")
            if body is not None and body.type == "statement_block":
                self.read(body.children, depth + 1)

    def _define_property(self, values: Sequence[tree_sitter.Node], doc: tuple[str, ...], line: int) -> None:
        """``Object.defineProperty(exports, "q", { get: function () { return x_1.q; } })``."""
        owner = self._dotted(values[0])
        name = self._text.string(values[1])
        if owner not in self._export_names or not name or name in _HIDDEN_NAMES or values[2].type != "object":
            return
        found = _GETTER_PATTERN.search(self._text.text(values[2])[:400])
        if found:
            self.has_exports = True
            self._point(name, found[1], doc, line)

    def _export_getters(self, values: Sequence[tree_sitter.Node], line: int) -> None:
        """esbuild: ``__export(src_exports, { a: () => a })``."""
        for value in values:
            if value.type != "object":
                continue
            for pair in value.named_children:
                key, getter = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if key is None or getter is None:
                    continue
                found = _GETTER_PATTERN.search(self._text.text(getter)[:400])
                name = self._text.name(key)
                if found and name:
                    self.has_exports = True
                    self._point(name, found[1], (), line)

    def _point(self, name: str, target: str, doc: tuple[str, ...], line: int) -> None:
        head = target.partition(".")[0]
        if head in self._scope.definitions or head in self._scope.references:
            self._scope.exports[name] = Reference("", target, line)
        elif name not in self._scope.exports:
            self._scope.add(Definition(name, "constant", RANK_CONSTANT, (f"const {name}",), line, doc))
            self._scope.exports[name] = Reference("", name, line)
