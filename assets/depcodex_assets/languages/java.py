"""One Java file's tree, read into ``FileSyntax``.

Here: types, their members, packages and modules; no body of a method is entered. Not here: what is inherited and under
which symbol (jvm), text of comments (javadoc).

Spec: the Java Language Specification 8 and 9 (classes, interfaces; members of interfaces are public where nothing is
said), 7.4.1 (``package-info.java``), 7.7 (modules).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from depcodex_assets import grammars
from depcodex_assets.languages.declarations import SourceFile
from depcodex_assets.languages.javadoc import read_javadoc
from depcodex_assets.languages.jvm_doc import Doc
from depcodex_assets.languages.jvm_marks import annotation_name, is_experimental, last_name
from depcodex_assets.languages.jvm_source import MAX_FILE_BYTES, MAX_VALUE_BYTES, SourceText, decode
from depcodex_assets.languages.jvm_syntax import MAX_DEPTH, Definition, FileSyntax

if TYPE_CHECKING:
    import tree_sitter

_TYPES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_METHODS = ("method_declaration", "annotation_type_element_declaration")
_CONSTRUCTORS = ("constructor_declaration",)
_FIELDS = ("field_declaration", "constant_declaration")
_BODIES = ("class_body", "interface_body", "enum_body", "annotation_type_body")
_CODE = ("block", "constructor_body")
_ANNOTATIONS = ("marker_annotation", "annotation")
# Words that tell a caller nothing: how a method is made, not what it is.
_SILENT = frozenset(("synchronized", "native", "strictfp", "transient", "volatile"))
_DOTTED = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*")
_GENERICS = re.compile(r"<[^<>]*>")
_TYPE_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?\s*")
_NO_DOC = Doc(None)


def read_java(file: SourceFile) -> FileSyntax:
    """Read one file; what could not be read is named in ``problem`` and the rest is there."""
    if len(file.content) > MAX_FILE_BYTES:
        return FileSyntax(file, "java", problem="limit:size")
    source = decode(file.content)
    if source is None:
        return FileSyntax(file, "java", problem="encoding")
    root = grammars.parser("java").parse(source).root_node
    reader = _Reader(source)
    reader.read(root)
    problem = reader.problem or ("syntax" if root.has_error and _loses_names(root) else None)
    return FileSyntax(
        file,
        "java",
        reader.package,
        reader.imports,
        tuple(reader.stars),
        tuple(reader.definitions),
        package_doc=reader.package_doc if file.path.rpartition("/")[2] == "package-info.java" else None,
        problem=problem,
    )


def _loses_names(root: tree_sitter.Node) -> bool:
    """Whether an error lies outside the bodies of methods, where it can hide a declaration."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            return True
        if node.type not in _CODE:
            stack.extend(child for child in node.children if child.has_error or child.is_missing)
    return False


class _Modifiers:
    """Modifiers and annotations of a declaration, as words."""

    __slots__ = ("annotations", "end", "names", "words")

    def __init__(self, words: Sequence[str], annotations: tuple[str, ...], end: int) -> None:
        self.words = words
        self.annotations = annotations
        self.end = end
        self.names = tuple(last_name(annotation_name(each)) for each in annotations) if annotations else ()


class _Reader:
    """Walks one file's types."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._text = SourceText(source, is_java=True)
        self.package = ""
        self.package_doc: Definition | None = None
        self.imports: dict[str, str] = {}
        self.stars: list[str] = []
        self.definitions: list[Definition] = []
        self.problem: str | None = None

    def read(self, root: tree_sitter.Node) -> None:
        stack = list(reversed(root.children))
        while stack:
            node = stack.pop()
            kind = node.type
            if kind in _TYPES:
                found = self._type(node, None, 0)
                if found is not None:
                    self.definitions.append(found)
            elif kind == "import_declaration":
                self._import(node)
            elif kind == "package_declaration":
                self._package(node)
            elif kind == "module_declaration":
                self._module(node)
            elif kind == "ERROR":
                # What the grammar could read inside of what it could not.
                stack.extend(reversed(node.children))

    def _package(self, node: tree_sitter.Node) -> None:
        names = [child for child in node.named_children if child.type in ("identifier", "scoped_identifier")]
        if names:
            self.package = self._slice(names[0])
            doc, annotations = self._doc(node), self._modifiers(node.named_children)
            self.package_doc = self._defined(self.package, "package", "", node, doc, annotations)

    def _module(self, node: tree_sitter.Node) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        written = self._slice(name)
        modifiers = self._modifiers(node.children)
        signature = f"{'open ' if any(each.type == 'open' for each in node.children) else ''}module {written}"
        self.definitions.append(self._defined(written, "module", signature, node, self._doc(node), modifiers))

    def _import(self, node: tree_sitter.Node) -> None:
        written = self._slice(node).removeprefix("import").rstrip(";").strip()
        is_static = written.startswith("static ")
        dotted = "".join(written.removeprefix("static ").split())
        if dotted.endswith(".*"):
            self.stars.append(dotted[:-2])
        elif not is_static:
            self.imports[last_name(dotted)] = dotted

    def _type(self, node: tree_sitter.Node, outer: str | None, depth: int) -> Definition | None:
        """A class, interface, enum, record or annotation; None where nobody outside can name it or inherit from it."""
        kind = _TYPES[node.type]
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return None
        children = node.children
        modifiers = self._modifiers(children[:1])
        words = modifiers.words
        if "private" in words:
            return None
        in_interface = outer in ("interface", "annotation")
        is_public = "public" in words or ("protected" in words and outer is not None) or in_interface
        name = self._slice(name_node)
        doc = self._doc(node)
        if doc.is_hidden:
            return None
        members: list[Definition] = []
        components: list[Definition] = []
        if kind == "record":
            components = self._components(node, doc)
        if depth >= MAX_DEPTH:
            self.problem = "nesting"
        elif body is not None:
            is_final = "final" in words or kind in ("enum", "record")
            members = self._members(body, kind, depth, is_final=is_final)
        end = body.start_byte if body is not None else node.end_byte
        return self._defined(
            name,
            "class",
            self._header(words, modifiers.end or node.start_byte, end),
            node,
            doc,
            modifiers,
            bases=self._bases(children),
            members=(*components, *members),
            is_public=is_public,
            is_opt_in_marker="RequiresOptIn" in modifiers.names,
        )

    def _members(self, body: tree_sitter.Node, outer: str, depth: int, *, is_final: bool) -> list[Definition]:
        found: list[Definition] = []
        is_open = outer in ("interface", "annotation")
        stack = list(reversed(body.children))
        while stack:
            node = stack.pop()
            kind = node.type
            if kind in _METHODS or kind in _CONSTRUCTORS or kind in _FIELDS:
                children = node.children
                modifiers = self._modifiers(children[:1])
                words = modifiers.words
                is_visible = "public" in words or is_open or ("protected" in words and not is_final)
                if not is_visible or "private" in words:
                    continue
                doc = self._doc(node)
                if doc.is_hidden:
                    continue
                if kind in _FIELDS:
                    found += self._fields(node, children, modifiers, doc, is_constant=is_open)
                else:
                    member = self._callable(node, children, modifiers, doc)
                    if member is not None:
                        found.append(member)
            elif kind in _TYPES:
                nested = self._type(node, outer, depth + 1)
                if nested is not None:
                    found.append(nested)
            elif kind == "enum_constant":
                constant = self._enum_constant(node)
                if constant is not None:
                    found.append(constant)
            elif kind in ("enum_body_declarations", "ERROR"):
                stack.extend(reversed(node.children))
        return found

    def _callable(
        self, node: tree_sitter.Node, children: Sequence[tree_sitter.Node], modifiers: _Modifiers, doc: Doc
    ) -> Definition | None:
        is_constructor = node.type in _CONSTRUCTORS
        end, name = node.end_byte, ""
        key: tuple[str, ...] = ()
        for child in children:
            kind = child.type
            if kind == "identifier" and not name:
                name = self._slice(child)
            elif kind == "formal_parameters":
                key = self._key(child)
            elif kind in _CODE or kind == ";":
                end = child.start_byte
                break
        if not name:
            return None
        kind = "property" if node.type == "annotation_type_element_declaration" else "method"
        signature = self._header(modifiers.words, modifiers.end or node.start_byte, end)
        return self._defined(
            name,
            kind,
            signature,
            node,
            doc,
            modifiers,
            key=key,
            is_constructor=is_constructor,
            is_static="static" in modifiers.words,
        )

    def _fields(
        self,
        node: tree_sitter.Node,
        children: Sequence[tree_sitter.Node],
        modifiers: _Modifiers,
        doc: Doc,
        *,
        is_constant: bool,
    ) -> list[Definition]:
        words = modifiers.words
        is_constant = is_constant or ("static" in words and "final" in words)
        begin = modifiers.end or node.start_byte
        type_end = next((each.start_byte for each in children if each.type == "variable_declarator"), begin)
        head = self._header(words, begin, type_end)
        found = []
        for child in children:
            if child.type != "variable_declarator":
                continue
            parts = child.children
            if not parts or parts[0].type != "identifier":
                continue
            # The value of a constant is part of what it is; that of a field is the constructor's business.
            opened = next((part for part in parts if part.type == "="), None)
            value_end = child.end_byte if opened is None else opened.start_byte
            is_shown = is_constant and opened is not None and child.end_byte - value_end <= MAX_VALUE_BYTES
            written = self._text.text(child.start_byte, child.end_byte if is_shown else value_end)
            signature = f"{head} {written}" + (" = ..." if is_constant and opened is not None and not is_shown else "")
            kind = "constant" if is_constant else "property"
            found.append(
                self._defined(
                    self._slice(parts[0]), kind, signature, child, doc, modifiers, is_static="static" in words
                )
            )
        return found

    def _enum_constant(self, node: tree_sitter.Node) -> Definition | None:
        name = node.child_by_field_name("name")
        doc = self._doc(node)
        if name is None or doc.is_hidden:
            return None
        modifiers = self._modifiers(node.children[:1])
        written = self._slice(name)
        return self._defined(written, "constant", written, node, doc, modifiers, is_static=True)

    def _components(self, node: tree_sitter.Node, doc: Doc) -> list[Definition]:
        """A record's components: what each accessor gives, with what the record's doc says of it."""
        parameters = node.child_by_field_name("parameters")
        found = []
        for child in parameters.named_children if parameters is not None else ():
            name = self._parameter_name(child)
            if name:
                signature = self._text.text(child.start_byte, child.end_byte)
                said = Doc(doc.parameters.get(name))
                found.append(self._defined(name, "property", signature, child, said, _Modifiers((), (), 0), key=()))
        return found

    def _parameter_name(self, parameter: tree_sitter.Node) -> str:
        if parameter.type not in ("formal_parameter", "spread_parameter"):
            return ""
        for child in reversed(parameter.named_children):
            if child.type == "variable_declarator":
                child = child.named_children[0]
            if child.type == "identifier":
                return self._slice(child)
        return ""

    def _key(self, parameters: tree_sitter.Node) -> tuple[str, ...]:
        """The last names of the parameters' types."""
        types = []
        for child in parameters.named_children:
            if child.type not in ("formal_parameter", "spread_parameter"):
                continue
            written = self._text.text(child.start_byte, child.end_byte)
            if "@" in written:
                written = _TYPE_ANNOTATION.sub("", written)
            types.append(erased(written.rpartition(" ")[0].removeprefix("final ")))
        return tuple(types)

    def _bases(self, children: Sequence[tree_sitter.Node]) -> tuple[str, ...]:
        bases: list[str] = []
        for child in children:
            if child.type in ("superclass", "super_interfaces", "extends_interfaces"):
                written = self._text.text(child.start_byte, child.end_byte)
                for word in ("extends ", "implements "):
                    written = written.removeprefix(word)
                if "@" in written:
                    written = _TYPE_ANNOTATION.sub("", written)
                while "<" in written and (flat := _GENERICS.sub("", written)) != written:
                    written = flat
                bases += [each.replace(" ", "") for each in written.split(",")]
        return tuple(each for each in bases if _DOTTED.fullmatch(each))

    def _header(self, words: Sequence[str], begin: int, end: int) -> str:
        """Modifiers without annotations, then what is written up to the body."""
        shown = [each for each in words if each not in _SILENT]
        return " ".join([*shown, self._text.text(begin, end).rstrip(" ;")])

    def _modifiers(self, children: Sequence[tree_sitter.Node]) -> _Modifiers:
        if not children or (children[0].type != "modifiers" and children[0].type not in _ANNOTATIONS):
            return _Modifiers((), (), 0)
        node = children[0]
        if node.type != "modifiers":
            found = tuple(self._slice(each) for each in children if each.type in _ANNOTATIONS)
            return _Modifiers((), found, 0)
        start, end = node.start_byte, node.end_byte
        if self._source.find(b"@", start, end) < 0 and self._source.find(b"/", start, end) < 0:
            return _Modifiers(self._source[start:end].decode("utf-8", "replace").split(), (), end)
        words: list[str] = []
        annotations: list[str] = []
        for child in node.children:
            if child.type in _ANNOTATIONS:
                annotations.append(self._slice(child))
            elif not child.is_named:
                words.append(child.type)
        return _Modifiers(words, tuple(annotations), end)

    def _doc(self, node: tree_sitter.Node) -> Doc:
        comment = self._text.lead(node.start_byte).doc
        return read_javadoc(comment) if comment is not None else _NO_DOC

    def _defined(
        self,
        name: str,
        kind: str,
        signature: str,
        node: tree_sitter.Node,
        doc: Doc,
        modifiers: _Modifiers,
        *,
        key: tuple[str, ...] | None = None,
        bases: tuple[str, ...] = (),
        members: tuple[Definition, ...] = (),
        is_public: bool = True,
        is_static: bool = False,
        is_constructor: bool = False,
        is_opt_in_marker: bool = False,
    ) -> Definition:
        names = modifiers.names
        return Definition(
            name,
            kind,
            signature,
            node.start_point[0] + 1,
            doc.text,
            key,
            bases=bases,
            members=members,
            since=doc.since,
            is_public=is_public,
            is_static=is_static,
            is_constructor=is_constructor,
            is_deprecated=doc.is_deprecated or "Deprecated" in names,
            is_experimental=bool(names) and is_experimental(modifiers.annotations),
            is_opt_in_marker=is_opt_in_marker,
            annotations=names,
        )

    def _slice(self, node: tree_sitter.Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def erased(written: str) -> str:
    """A type without type arguments and packages.

    Example:
        >>> erased("java.util.Map<K, ? extends List<V>>..."), erased("int[]")
        ('Map...', 'int[]')
    """
    while "<" in written and (flat := _GENERICS.sub("", written)) != written:
        written = flat
    # The dots of a variable arity parameter are no package's.
    name = written.replace("...", "\0").rpartition(".")[2].replace("\0", "...")
    return name.replace(" ", "")
