"""Syntax that the grammars do not know costs no declaration."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex_assets.languages.typescript_grammar import MAX_NESTING, decode, is_too_deep, mended, tree_of


@pytest.mark.parametrize(
    "source",
    [
        'export type * from "x";',
        'export type * as q from "x";',
        'import type * as q from "x";',
        "interface A<in T, out U, in out V> {}",
        "interface A<\n/** @ts-ignore Cast variance */\nout T extends B = B> {}",
        "declare function f<const T>(a: T): void;",
        "declare function f<const T extends readonly unknown[]>(a: T): void;",
        "class A { accessor x = 1; static accessor y: string; }",
        "function f() { using x = g(); }",
        "async function f() { await using x = g(); }",
        'import x from "y" with { type: "json" };',
        'export * from "y" with { "resolution-mode": "import" };',
        'interface A { foo: import("x").Y<Z>; bar: typeof import("y", { with: { "resolution-mode": "import" } }) }',
        "export default function (): void;",
        "export default function <T>(a: T): T;",
        "interface A { abstract?: string; new?: number; abstract(): void; new?(a: 1): void }",
        "type F = (object: unknown, unique?: string) => void;",
        "declare function f(function: string, class?: number): void;",
        'declare module "x" { interface A {}\n global { var a: string } }',
        "interface A { readonly abstract: string }",
        "type M<T> = {\n  <R extends B, P = C<R>>(path: R): T\n  <P = Q>(path: P): T\n  name: string\n}",
    ],
)
@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_newer_syntax_is_masked_at_the_same_length(source: str, language: str) -> None:
    content = source.encode()
    masked = mended(content, is_typescript=True)
    assert len(masked) == len(content)
    assert masked.count(b"\n") == content.count(b"\n")
    assert not tree_of(masked, language).has_error


@pytest.mark.parametrize(
    "source",
    [
        "const a = b in c;",
        "for (const a in b) {}",
        "const using = 1; foo(using, 2);",
        "const accessor = 1; accessor.x();",
        "class A { static abstract = 1 }",
        "const a = { new: 1, class: 2, function: 3, null: 4, import: 5 };",
        "x = cond ? null : void 0;",
        'const m = await import("x");',
        "export default function foo() {}",
        "switch (x) { case null: break; default: y(); }",
    ],
)
def test_javascript_that_looks_like_it_stays_whole(source: str) -> None:
    assert not tree_of(mended(source.encode(), is_typescript=False), "javascript").has_error
    assert not tree_of(mended(source.encode(), is_typescript=True), "typescript").has_error


def test_other_encodings_and_marks_are_read() -> None:
    assert decode("\ufeffexport {}".encode()) == b"export {}"
    assert decode("export const a = 'ä'".encode("utf-16")) == "export const a = 'ä'".encode()
    assert decode(b"a\r\nb\rc") == b"a\nb\nc"
    assert decode(b"\xff\xfe\xff") is None
    assert decode(b"a\x00b") is None
    assert decode("ä".encode("latin-1")) is None


def test_nesting_is_bounded() -> None:
    assert not is_too_deep(b"f();" * 5000)
    assert not is_too_deep(b"(" * MAX_NESTING + b")" * MAX_NESTING)
    assert is_too_deep(b"[" * 2 * MAX_NESTING)


@given(st.binary(max_size=200))
def test_no_bytes_change_length(content: bytes) -> None:
    for is_typescript in (False, True):
        assert len(mended(content, is_typescript=is_typescript)) == len(content)


@pytest.mark.parametrize(
    "piece", [b"<in ", b"from 'x' with {", b"import(", b"/* *", b"global ", b"<const in out ", b"export type "]
)
def test_repeated_openings_do_not_take_long(piece: bytes) -> None:
    content = piece * 50_000
    assert len(mended(content, is_typescript=True)) == len(content)
