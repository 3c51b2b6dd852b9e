"""A Kotlin file's tree, walked: classes, functions, properties, and what each says of itself.

Here: declarations of a file and of class bodies; no other body is entered. Not here: packages and imports (kotlin),
what is inherited and under which symbol (jvm), text of comments (kdoc).

Spec: the Kotlin language specification, "Declarations"; public is what says nothing else.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from depcodex_assets.general_words import word_set
from depcodex_assets.languages.jvm_doc import Doc
from depcodex_assets.languages.jvm_marks import annotation_name, is_experimental, last_name, since_kotlin
from depcodex_assets.languages.jvm_source import MAX_VALUE_BYTES, SourceText
from depcodex_assets.languages.jvm_syntax import MAX_DEPTH, Definition
from depcodex_assets.languages.kotlin_heads import (
    DOTTED,
    GENERICS,
    HIDDEN_WORDS,
    Head,
    HeadReader,
    erased,
    keyed,
    receiver_name,
    shown_words,
)

if TYPE_CHECKING:
    import tree_sitter

# Nodes that hold no declaration a caller can name.
CODE = ("function_body", "property_delegate", "getter", "setter", "anonymous_initializer", "lambda_literal")
_BODIES = ("class_body", "enum_class_body")
# What may stand beside declarations; an expression there is a declaration that the grammar took for one.
_BESIDE = word_set(
    """
    package_header import_list import_header file_annotation shebang_line line_comment multiline_comment
    anonymous_initializer getter setter
    """
)
_JVM_NAME = re.compile(r'@(?:get:)?(?:[\w.]*\.)?JvmName\s*\(\s*(?:name\s*=\s*)?"(\w+)"')


class MemberReader:
    """Reads the declarations of one file.

    Args:
        text: its bytes and comments; the tree's offsets point into them.
    """

    def __init__(self, text: SourceText) -> None:
        self._text = text
        self._source = text.source
        self._heads = HeadReader(text)
        self.problem: str | None = None
        self.is_misread = False

    def file(self, root: tree_sitter.Node) -> list[Definition]:
        """What stands at the top level, in source order."""
        return self._definitions(root.children, 0, is_top=True)

    def _definitions(self, nodes: Sequence[tree_sitter.Node], depth: int, *, is_top: bool) -> list[Definition]:
        found: list[Definition] = []
        stack = list(reversed(nodes))
        while stack:
            node = stack.pop()
            kind = node.type
            if kind == "function_declaration":
                found += self._function(node, is_top=is_top)
            elif kind == "property_declaration":
                following = stack[-1] if stack else None
                found += self._property(node, following)
            elif kind in ("class_declaration", "object_declaration"):
                found += self._class(node, depth)
            elif kind == "companion_object":
                found += self._companion(node, depth)
            elif kind == "type_alias":
                found += self._alias(node)
            elif kind == "enum_entry":
                found += self._entry(node)
            elif kind == "secondary_constructor":
                found += self._constructor(node)
            elif kind == "ERROR":
                stack += reversed(_whole(node.children))
            elif node.is_named and kind not in _BESIDE:
                self._read_annotations(node)
        return found

    def _read_annotations(self, node: tree_sitter.Node) -> None:
        """Annotations with arguments, which the grammar takes for an expression; another expression is a misreading."""
        starts = [node.start_byte]
        current = node
        while current.type == "prefix_expression" and len(current.children) == 2:
            current = current.children[1]
            if current.type == "prefix_expression":
                starts.append(current.start_byte)
        if current.type not in ("parenthesized_expression", "annotation") or self._source[starts[0]] != ord("@"):
            self.is_misread = True
            return
        for start, end in zip(starts, (*starts[1:], node.end_byte), strict=True):
            self._text.mask(start, end)

    def _function(self, node: tree_sitter.Node, *, is_top: bool) -> list[Definition]:
        children = node.children
        head = self._heads.head(node, children)
        if not head.is_visible:
            return []
        name, receiver, key = "", "", []
        end, is_named = head.begin, False
        previous: tree_sitter.Node | None = None
        for child in children:
            kind = child.type
            if kind == "simple_identifier" and not name:
                name = self._name(child)
            elif kind == "." and not name and previous is not None:
                receiver = self._slice(previous)
            elif kind == "function_value_parameters":
                key = self._key(child)
                is_named = True
            elif kind in ("function_body", "multiline_comment", "line_comment"):
                if kind == "function_body":
                    break
                continue
            previous, end = child, child.end_byte
        if not name or not is_named:
            return []
        kind = "function" if is_top else "method"
        return [
            self._defined(
                name, kind, self._signature(head, end), node, head, key=keyed(receiver, key), receiver=receiver
            )
        ]

    def _property(self, node: tree_sitter.Node, following: tree_sitter.Node | None) -> list[Definition]:
        children = node.children
        head = self._heads.head(node, children)
        if not head.is_visible:
            return []
        name, receiver = "", ""
        end = head.begin
        has_private_setter = False
        is_constant = "const" in head.words
        previous: tree_sitter.Node | None = None
        for child in children:
            kind = child.type
            if kind == "variable_declaration":
                first = child.named_children
                named = next((each for each in first if each.type == "simple_identifier"), None)
                name = self._name(named) if named is not None else ""
                end = child.end_byte
            elif kind == "type_constraints":
                end = child.end_byte
            elif kind == "." and not name and previous is not None:
                receiver = self._slice(previous)
            elif kind == "setter":
                has_private_setter = self._is_private_setter(child)
            elif is_constant and previous is not None and previous.type == "=":
                is_long = child.end_byte - child.start_byte > MAX_VALUE_BYTES
                end = previous.end_byte if is_long else child.end_byte
            previous = child
        if not name:
            return []
        if following is not None and following.type == "setter":
            has_private_setter = self._is_private_setter(following)
        signature = self._signature(head, end)
        if signature.endswith("="):
            signature += " ..."
        if has_private_setter:
            signature += " private set"
        kind = "constant" if is_constant else "property"
        key = keyed(receiver, ()) if receiver else None
        return [self._defined(name, kind, signature, node, head, key=key, receiver=receiver)]

    def _is_private_setter(self, setter: tree_sitter.Node) -> bool:
        first = setter.children[0]
        return first.type == "modifiers" and not HIDDEN_WORDS.isdisjoint(self._slice(first).split())

    def _class(self, node: tree_sitter.Node, depth: int) -> list[Definition]:
        children = node.children
        head = self._heads.head(node, children)
        if not head.is_visible:
            return []
        name = ""
        bases: list[str] = []
        pieces: list[tuple[int, int]] = []
        begin = end = head.begin
        body: tree_sitter.Node | None = None
        properties: list[Definition] = []
        for child in children:
            kind = child.type
            if kind in ("type_identifier", "simple_identifier") and not name:
                name = self._name(child)
            elif kind == "primary_constructor":
                if self._is_hidden_constructor(child):
                    pieces.append((begin, end))
                    begin = child.end_byte
                properties = self._parameter_properties(child, head.doc)
            elif kind == "delegation_specifier":
                bases += self._base(child)
            elif kind in _BODIES:
                body = child
                break
            elif kind.endswith("comment"):
                continue
            end = max(child.end_byte, begin)
        if not name:
            return []
        if (
            body is None
            and self._source.endswith(b"}", begin, node.end_byte)
            and self._source.find(b"by", begin, end) > 0
        ):
            # `by delegate {` was taken for a call with a lambda: the class's body.
            self.is_misread = True
        pieces.append((begin, end))
        members: list[Definition] = []
        if depth >= MAX_DEPTH:
            self.problem = "nesting"
        elif body is not None:
            members = self._definitions(body.children, depth + 1, is_top=False)
        signature = "".join(self._source[start:stop].decode("utf-8", "replace") for start, stop in pieces)
        return [
            self._defined(
                name,
                "class",
                self._text.shown(signature, (*head.prefix.split(), *shown_words(head.words))),
                node,
                head,
                bases=tuple(bases),
                members=(*properties, *self._owned(members, name)),
            )
        ]

    def _owned(self, members: Sequence[Definition], name: str) -> list[Definition]:
        """Members with the secondary constructors under their class's name, as they are called."""
        return [dataclasses.replace(each, name=name) if each.is_constructor else each for each in members]

    def _companion(self, node: tree_sitter.Node, depth: int) -> list[Definition]:
        """The members of a companion, which are called on the class, and the object itself where it says more."""
        children = node.children
        head = self._heads.head(node, children)
        if not head.is_visible:
            return []
        name, end = "Companion", head.begin
        bases: list[str] = []
        members: list[Definition] = []
        for child in children:
            kind = child.type
            if kind in ("type_identifier", "simple_identifier"):
                name = self._name(child)
            elif kind == "delegation_specifier":
                bases += self._base(child)
            elif kind == "class_body":
                if depth >= MAX_DEPTH:
                    self.problem = "nesting"
                else:
                    members = self._definitions(child.children, depth + 1, is_top=False)
                break
            elif kind.endswith("comment"):
                continue
            end = child.end_byte
        found = [dataclasses.replace(each, is_static=True, companion=each.companion or name) for each in members]
        if head.doc.text is not None or name != "Companion" or bases:
            signature = self._signature(head, end)
            found.insert(0, self._defined(name, "class", signature, node, head, bases=tuple(bases), is_static=True))
        return found

    def _alias(self, node: tree_sitter.Node) -> list[Definition]:
        children = node.children
        head = self._heads.head(node, children)
        name = next((self._name(each) for each in children if each.type == "type_identifier"), "")
        if not head.is_visible or not name:
            return []
        return [self._defined(name, "type", self._signature(head, node.end_byte), node, head)]

    def _entry(self, node: tree_sitter.Node) -> list[Definition]:
        children = node.children
        head = self._heads.head(node, children)
        name = next((self._name(each) for each in children if each.type == "simple_identifier"), "")
        return [self._defined(name, "constant", name, node, head, is_static=True)] if name and head.is_visible else []

    def _constructor(self, node: tree_sitter.Node) -> list[Definition]:
        children = node.children
        head = self._heads.head(node, children)
        parameters = next((each for each in children if each.type == "function_value_parameters"), None)
        if not head.is_visible or parameters is None:
            return []
        signature = self._signature(head, parameters.end_byte)
        key = tuple(self._key(parameters))
        return [self._defined("", "method", signature, node, head, key=key, is_constructor=True)]

    def _parameter_properties(self, constructor: tree_sitter.Node, doc: Doc) -> list[Definition]:
        """``val`` and ``var`` of a primary constructor, with what the class's doc says of each."""
        found = []
        for parameter in constructor.named_children:
            if parameter.type != "class_parameter":
                continue
            children = parameter.children
            words = [each.type for each in children if not each.is_named]
            if "val" not in words and "var" not in words:
                continue
            head = self._heads.head(parameter, children)
            name = next((self._name(each) for each in children if each.type == "simple_identifier"), "")
            if not name or not head.is_visible:
                continue
            end = head.begin
            for child in children:
                if child.type == "=":
                    break
                end = child.end_byte
            own = head.doc if head.doc.text else Doc(doc.parameters.get(name))
            head = Head(head.words, head.annotations, own, head.prefix, head.begin)
            found.append(self._defined(name, "property", self._signature(head, end), parameter, head))
        return found

    def _is_hidden_constructor(self, constructor: tree_sitter.Node) -> bool:
        opened = self._source.find(b"(", constructor.start_byte)
        before = self._source[constructor.start_byte : opened].decode("utf-8", "replace")
        return not HIDDEN_WORDS.isdisjoint(before.split())

    def _base(self, specifier: tree_sitter.Node) -> list[str]:
        """The supertype's dotted name; function types have none."""
        stack = [specifier]
        while stack:
            node = stack.pop()
            if node.type == "user_type":
                written = self._slice(node).replace("->", "")
                while "<" in written and (flat := GENERICS.sub("", written)) != written:
                    written = flat
                match = DOTTED.match(written.replace("`", ""))
                return [match[0]] if match else []
            stack += reversed([each for each in node.named_children if each.type != "value_arguments"])
        return []

    def _key(self, parameters: tree_sitter.Node) -> list[str]:
        types = []
        for child in parameters.named_children:
            if child.type == "parameter":
                last = child.named_children[-1]
                types.append(erased(self._slice(last)))
        return types

    def _signature(self, head: Head, end: int) -> str:
        code = self._source[head.begin : end].decode("utf-8", "replace")
        return self._text.shown(code, (*head.prefix.split(), *shown_words(head.words)))

    def _defined(
        self,
        name: str,
        kind: str,
        signature: str,
        node: tree_sitter.Node,
        head: Head,
        *,
        key: tuple[str, ...] | None = None,
        receiver: str = "",
        bases: tuple[str, ...] = (),
        members: tuple[Definition, ...] = (),
        is_static: bool = False,
        is_constructor: bool = False,
    ) -> Definition:
        names = tuple(last_name(annotation_name(each)) for each in head.annotations)
        jvm_names = tuple(found[1] for each in head.annotations if (found := _JVM_NAME.match(each)))
        return Definition(
            name,
            kind,
            signature,
            self._text.line(head.begin) if head.annotations else node.start_point[0] + 1,
            head.doc.text,
            key,
            receiver=receiver_name(receiver) if receiver else "",
            bases=bases,
            members=members,
            jvm_names=jvm_names,
            since=head.doc.since or (since_kotlin(head.annotations) if names else None),
            is_static=is_static,
            is_constructor=is_constructor,
            is_expect="expect" in head.words,
            is_actual="actual" in head.words,
            is_deprecated=head.doc.is_deprecated or "Deprecated" in names,
            is_experimental=bool(names) and is_experimental(head.annotations),
            is_opt_in_marker="RequiresOptIn" in names,
            annotations=names,
        )

    def _name(self, node: tree_sitter.Node) -> str:
        return self._slice(node).strip("`")

    def _slice(self, node: tree_sitter.Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _whole(nodes: Sequence[tree_sitter.Node]) -> list[tree_sitter.Node]:
    """What inside an ERROR can be trusted: up to a class that the grammar lost, whose members would seem free."""
    kept = []
    for node in nodes:
        if node.type in ("class", "interface", "object"):
            break
        kept.append(node)
    return kept
