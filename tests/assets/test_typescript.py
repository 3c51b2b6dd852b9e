"""What a TypeScript package declares, under the names that its callers write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex.schemas import KINDS, REEXPORT_KIND
from javascript_sources import declared, shown


def test_every_kind_of_declaration_has_its_kind_and_signature() -> None:
    rows = declared(
        {
            "index.d.ts": """
/** A function. */
export declare function load<T>(url: string, options?: { a: 1 }): Promise<T>;
export declare function load(url: URL): void;
/** A class. */
export declare abstract class Shape<T> extends Base<T> implements Drawn {
  /** A field. */
  readonly area?: number;
  static make(x: number): Shape<any>;
  constructor(x: number);
  get size(): number;
  set size(value: number);
  protected grow(): void;
  private hidden(): void;
  #secret: string;
  [Symbol.iterator](): Iterator<T>;
  [key: string]: any;
  "quoted-name": string;
}
declare class Base<T> {}
export interface Options extends Base<string> {
  /** The time-out. */
  timeout: number;
  on(event: "close", listener: () => void): this;
  (a: string): boolean;
  new (b: string): Options;
}
export type Level = "low" | "high";
export type Settings = { /** How loud. */ volume: number } & Options;
export declare enum Color { /** Warm. */ Red = 1, Blue }
export declare const VERSION: string, handler: (a: string) => void;
export declare namespace tools { /** Cuts. */ function cut(x: string): string; const inner: { a: number }; }
"""
        }
    )
    assert shown(rows) == {
        "alpha.load": "function",
        "alpha.Base": "class",
        "alpha.Shape": "class",
        "alpha.Shape.area": "property",
        "alpha.Shape.make": "method",
        "alpha.Shape.constructor": "method",
        "alpha.Shape.size": "property",
        "alpha.Shape.grow": "method",
        "alpha.Shape.@@iterator": "method",
        "alpha.Shape.quoted-name": "property",
        "alpha.Options": "class",
        "alpha.Options.timeout": "property",
        "alpha.Options.on": "method",
        "alpha.Level": "type",
        "alpha.Settings": "type",
        "alpha.Settings.volume": "property",
        "alpha.Color": "class",
        "alpha.Color.Red": "constant",
        "alpha.Color.Blue": "constant",
        "alpha.VERSION": "constant",
        "alpha.handler": "function",
        "alpha.tools.cut": "function",
        "alpha.tools.inner": "constant",
        "alpha.tools.inner.a": "property",
    }
    assert rows["alpha.load"].signatures == (
        "function load<T>(url: string, options?: { a: 1 }): Promise<T>",
        "function load(url: URL): void",
    )
    assert rows["alpha.load"].doc == "A function."
    assert rows["alpha.Shape"].signatures == ("abstract class Shape<T> extends Base<T> implements Drawn",)
    assert rows["alpha.Shape"].bases == ("alpha.Base", "Drawn")
    assert rows["alpha.Shape.size"].signatures == ("get size(): number", "set size(value: number)")
    assert rows["alpha.Options"].signatures == (
        "interface Options extends Base<string>",
        "Options(a: string): boolean",
        "new Options(b: string): Options",
    )
    assert rows["alpha.Level"].signatures == ('type Level = "low" | "high"',)
    assert rows["alpha.Settings"].signatures == ("type Settings = { ... } & Options",)
    assert rows["alpha.Settings.volume"].doc == "How loud."
    assert rows["alpha.Color.Red"].doc == "Warm."
    assert rows["alpha.handler"].signatures == ("const handler: (a: string) => void",)
    assert rows["alpha.tools.inner"].signatures == ("const inner: { ... }",)
    assert rows["alpha.Shape.area"].line == 8
    assert {each.kind for each in rows.values()} <= {*KINDS}


def test_a_name_is_public_under_the_shortest_way_that_leads_to_it() -> None:
    rows = declared(
        {
            "dist/index.d.ts": """
export * from './deep/a.js';
export * as everything from './deep/a.js';
export { b as renamed, default as theDefault } from './deep/b';
export type { OnlyType } from './deep/b';
import { c } from './deep/c';
export { c };
import * as ns from './deep/c';
export { ns };
""",
            "dist/deep/a.d.ts": "/** A. */ export declare const a: number; export default a;\n"
            "declare const notExported: 1; export {};",
            "dist/deep/b.d.ts": "export declare function b(): void; export default class B { /** M. */ m(): void }\n"
            "export interface OnlyType { x: 1 }",
            "dist/deep/c.d.ts": "export declare const c: string;",
            "dist/sub.d.ts": "export * from './deep/a.js';",
        },
        exports={".": "./dist/index.js", "./sub": {"types": "./dist/sub.d.ts"}},
    )
    assert shown(rows) == {
        "alpha.a": "constant",
        "alpha.c": "constant",
        "alpha.renamed": "function",
        "alpha.theDefault": "class",
        "alpha.theDefault.m": "method",
        "alpha.OnlyType": "class",
        "alpha.OnlyType.x": "property",
    }
    a = rows["alpha.a"]
    assert a.aliases == (
        "alpha.everything.a",
        "alpha/sub.a",
        "alpha.everything.default",
        "alpha/dist/deep/a.a",
    )
    assert (a.path, a.defining_path) == ("dist/deep/a.d.ts", "alpha/dist/deep/a.a")
    assert "alpha.ns.c" in rows["alpha.c"].aliases
    assert {"alpha", "alpha/sub", "alpha.everything", "alpha.ns"} <= set(rows)
    assert rows["alpha/sub"].kind == "module"


def test_default_exports_are_called_default_with_their_own_name_beside_it() -> None:
    rows = declared({"index.d.ts": "/** Makes. */ export default function make(): void;"})
    assert rows["alpha.default"].aliases == ("alpha.make", "alpha/index.make")
    assert rows["alpha.default"].name == "make"
    rows = declared({"index.d.ts": "/** Makes. */\nexport default function (a: string): void;"})
    assert rows["alpha.default"].signatures == ("function default(a: string): void",)
    assert rows["alpha.default"].doc == "Makes."
    rows = declared(
        {"index.d.ts": "declare const alpha: Alpha;\nexport interface Alpha { go(): void }\nexport default alpha;"}
    )
    assert rows["alpha.default"].bases == ("alpha.Alpha",)
    assert rows["alpha"].bases == ("alpha.Alpha",)
    rows = declared({"index.ts": "export default class { run() { return 1 } }"})
    assert rows["alpha.default.run"].signatures == ("run()",)
    rows = declared({"index.ts": "export default { /** Runs. */ run() {}, other: 1 }"})
    assert rows["alpha.default.run"].doc == "Runs."


def test_export_assignments_give_their_members_to_the_module() -> None:
    rows = declared(
        {
            "index.d.ts": """
/** Creates it. */
declare function make(): make.App;
declare namespace make {
  /** An app. */
  interface App { /** Uses. */ use(): void }
  function json(): void;
}
export = make;
"""
        },
        name="@types/maker",
    )
    assert shown(rows) == {
        "maker.default": "function",
        "maker.App": "class",
        "maker.App.use": "method",
        "maker.json": "function",
    }
    assert rows["maker.default"].doc == "Creates it."
    assert rows["@types/maker"].aliases == ("maker",)


def test_a_namespace_that_is_the_module_is_not_a_name_of_its_own() -> None:
    rows = declared({"index.d.ts": "export = React;\ndeclare namespace React { function useState(): void }"})
    assert shown(rows) == {"alpha.useState": "function"}


def test_declarations_of_one_name_are_one_symbol() -> None:
    rows = declared(
        {
            "index.d.ts": """
/** The interface. */
export interface Thing { a: 1 }
/** The constructor. */
export declare const Thing: { new (): Thing; b: 2 };
/** First. */
export declare function over(a: string): void;
/** Second. */
export declare function over(a: number): void;
/** Second. */
export declare function over(a: boolean): void;
export declare class Made { x: 1 }
export interface Made { y: 2 }
export declare namespace Made { const z: 3; }
"""
        }
    )
    assert rows["alpha.Thing"].kind == "class"
    assert rows["alpha.Thing"].doc == "The interface.\n\nThe constructor."
    assert {"alpha.Thing.a", "alpha.Thing.b", "alpha.Made.x", "alpha.Made.y", "alpha.Made.z"} <= set(rows)
    assert rows["alpha.over"].doc == "First.\n\nSecond."
    assert len(rows["alpha.over"].signatures) == 3


def test_ambient_modules_are_modules_and_globals_are_not() -> None:
    rows = declared(
        {
            "index.d.ts": '/// <reference path="fs.d.ts" />\n/// <reference path="./more.d.ts" />',
            "fs.d.ts": """
declare module "node:fs" {
  import { Other } from "node:other";
  /** Reads. */
  function read(path: string): void;
  export { Buffer };
  global { interface Buffer { /** Cuts. */ slice(): Buffer } }
}
declare module "node:fs" { export * as promises from "node:other"; }
declare module "fs" { export * from "node:fs"; }
declare module "*.svg" { const x: string; export default x; }
declare var everywhere: 1;
""",
            "more.d.ts": 'declare module "node:other" { interface Other { a: 1 } }',
            "unread.d.ts": 'declare module "never" { const x: 1 }',
        },
        name="@types/node",
    )
    assert rows["fs.Buffer.slice"].doc == "Cuts."
    assert "node:other.Other.a" in rows["fs.promises.Other.a"].aliases
    assert not any("everywhere" in symbol or "svg" in symbol for symbol in rows)


def test_a_script_of_declarations_gives_them_under_the_packages_name() -> None:
    rows = declared(
        {"index.d.ts": "/** Describes. */\ndeclare function describe(name: string): void;"}, name="@types/jest"
    )
    assert rows["jest.describe"].doc == "Describes."


def test_only_what_a_source_exports_is_public() -> None:
    rows = declared(
        {
            "index.ts": """
const hidden = 1;
export const shown = (a: string, b = 2): number => a.length + b;
export async function* run({ a, b }: Props): AsyncGenerator<number> { yield 1 }
namespace Inner { export const a = 1; const b = 2 }
export { Inner };
export class K { constructor(readonly x: string, private y: string, z: number) {} private p = 1; q = () => 2; }
declare global { interface Window { mine: 1 } }
"""
        }
    )
    assert shown(rows) == {
        "alpha.shown": "function",
        "alpha.run": "function",
        "alpha.Inner.a": "constant",
        "alpha.K": "class",
        "alpha.K.constructor": "method",
        "alpha.K.x": "property",
        "alpha.K.q": "method",
    }
    assert rows["alpha.shown"].signatures == ("const shown = (a: string, b = 2): number =>",)


def test_comments_mark_what_is_hidden_deprecated_and_since_when() -> None:
    rows = declared(
        {
            "index.d.ts": """
/** @packageDocumentation The whole package. */

/** @internal */ export declare const a: 1;
/**
 * Old.
 * @deprecated
 */ export declare const b: 1;
/** @since 2.1 */ export declare const c: 1;
export interface I { /** @private */ d: 1; /** @hidden */ e(): void; f: 1 }
/* no doc */ export declare const g: 1;
/** First. */
/** Last. */
// a remark
export declare const h: 1;
/** Of the decorated. */
@decorator({ a: 1 })
export declare class D { /** Of it. */ @inner() x: 1 }
"""
        }
    )
    assert set(shown(rows)) == {f"alpha.{each}" for each in ("b", "c", "I", "I.f", "g", "h", "D", "D.x")}
    assert rows["alpha.b"].is_deprecated
    assert rows["alpha.c"].since == "2.1"
    assert rows["alpha.g"].doc is None
    assert rows["alpha.h"].doc == "Last."
    assert (rows["alpha.D"].doc, rows["alpha.D.x"].doc) == ("Of the decorated.", "Of it.")
    assert rows["alpha"].doc == "@packageDocumentation The whole package."


def test_the_readme_is_the_packages_doc_where_no_comment_is() -> None:
    files: dict[str, str | bytes] = {
        "README.md": "# alpha\n\n[![ok](x.svg)](y)\n\nSends [mail](https://a.b).\n\n```sh\nnpm i\n```\n",
        "index.d.ts": "export {}",
    }
    row = declared(files)["alpha"]
    assert (row.kind, row.doc, row.convention, row.path) == ("package", "alpha\n\nSends mail.", "readme", "README.md")


def test_other_packages_names_are_followed_there() -> None:
    rows = declared(
        {
            "index.d.ts": """
import * as core from "other-core";
import Default, { Named as Local } from "@scope/other";
export { Local, Default };
export { x as y } from "third/sub";
export * from "whole";
export interface Mine extends core.Theirs, Local {}
"""
        }
    )
    targets = {symbol: row.reexport_target for symbol, row in rows.items() if row.kind == REEXPORT_KIND}
    assert targets == {
        "alpha.Local": "@scope/other.Named",
        "alpha.Default": "@scope/other.default",
        "alpha.y": "third/sub.x",
    }
    assert rows["alpha.Mine"].bases == ("other-core.Theirs", "@scope/other.Named")
    assert rows["alpha"].bases == ("whole",)


def test_additions_to_own_modules_are_part_of_them() -> None:
    rows = declared(
        {
            "index.d.ts": "export interface Base { a: 1 }",
            "extra.d.ts": 'import "./index";\ndeclare module "./index" { interface Base { /** B. */ b: 2 } }',
        }
    )
    assert rows["alpha.Base.b"].doc == "B."
    assert (rows["alpha.Base.b"].path, rows["alpha.Base.b"].line) == ("extra.d.ts", 2)


@pytest.mark.parametrize(
    "files",
    [
        {"index.d.ts": "export * from './index';"},
        {"index.d.ts": "export * from './a';", "a.d.ts": "export * from './index'; export const x: 1;"},
        {"index.d.ts": "export { a } from './a';", "a.d.ts": "export { a } from './index';"},
        {"index.d.ts": "import a = b; import b = a; export { a };"},
        {"index.d.ts": "export * as me from './index'; export const x: 1;"},
        {"index.d.ts": "export = a; import a = require('./index');"},
        {"index.d.ts": "declare namespace A { export import B = A; const c: 1 } export = A;"},
    ],
)
def test_circles_end(files: dict[str, str | bytes]) -> None:
    assert "alpha" in declared(files)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x00\x01", "encoding"),
        ("ä".encode("latin-1"), "encoding"),
        (b"[" * 100_000, "nesting"),
        (b"export const a: = ;", "syntax"),
    ],
)
def test_a_file_that_cannot_be_read_whole_says_why(content: bytes, reason: str) -> None:
    rows = declared({"index.d.ts": content})
    assert rows["//index.d.ts"].skip_reason == reason


def test_broken_syntax_costs_only_its_own_declaration() -> None:
    rows = declared(
        {
            "index.d.ts": "/** A. */ export declare const a: 1;\nexport declare ??? !!;\n"
            "/** B. */ export declare const b: 1;"
        }
    )
    assert (rows["alpha.a"].doc, rows["alpha.b"].doc) == ("A.", "B.")


@pytest.mark.parametrize(
    "source",
    [
        "export declare namespace " + "a." * 5000 + "a { const x: 1 }",
        "declare namespace a { " * 300 + "}" * 300 + " export = a;",
        "export type T = " + "A & " * 20_000 + "A;",
        "export type T = " + "{ a: " * 150 + "1" + "}" * 150 + ";",
        "export interface I { " + "a(): void; " * 20_000 + "}",
        "/**" + " * {@link a".ljust(20) * 20_000 + "*/ export const a: 1;",
        "export const x = " + "1+" * 100_000 + "1;",
        "export const " + "a" * 100_000 + ": 1;",
        "`" * 50_001,
    ],
)
def test_pathological_sources_end_in_time(source: str) -> None:
    assert "alpha" in declared({"index.d.ts": source, "index.ts": source})


_PIECES = st.lists(
    st.sampled_from(
        [
            "export ",
            "default ",
            "declare ",
            "const a",
            ": 1",
            ";",
            "{",
            "}",
            "function f",
            "()",
            "class C ",
            "interface I ",
            "* from './a'",
            "* as x from './a'",
            "namespace N ",
            "module 'm' ",
            "= a",
            "type T = ",
            "/** doc */",
            "import x from './a';",
            "enum E ",
            "\ud83d\ude00",
            "@dec ",
            "<T>",
            "[a]",
            "'s'",
            "\n",
            "exports.a = ",
            "module.exports = ",
            "require('./a')",
            "global ",
            "extends B ",
            "abstract ",
        ]
    ),
    max_size=40,
)


@given(_PIECES)
def test_no_order_of_words_breaks_the_reading(pieces: list[str]) -> None:
    text = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for path in ("index.d.ts", "index.ts", "index.js"):
        rows = declared({path: text, "a.d.ts": "export const y: 1; export default y;"})
        for row in rows.values():
            assert row.line >= 1
            assert all("\n" not in each for each in row.signatures if "`" not in each)
