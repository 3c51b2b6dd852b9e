"""Kotlin sources: which declarations, under which names, with what."""

# Sources stand on the lines that their authors would give them.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from depcodex import schemas
from depcodex_assets.languages.kotlin_mask import mask
from jvm_sources import declare


def test_top_level_functions_stand_in_their_package_with_their_files_class_and_receiver_as_aliases() -> None:
    found = declare(
        {
            "io/web/Client.kt": "package io.web\n\n/** Asks. */\npublic class Client\n",
            "io/web/builders.kt": """
                package io.web

                /** Gets it. */
                public suspend inline fun <reified T : Any> Client.get(url: String = "x", vararg more: Int): List<T>? where T : Foo = ask()
                fun free() {}
                val Client.size: Int get() = 5
            """,
            "io/web/named.kt": '@file:JvmName("Tools")\n\npackage io.web\n\n@JvmName("dig")\nfun mine(): Int = 1\n',
        }
    )
    get = found["io.web.get"]
    assert (get.kind, get.name, get.doc) == ("function", "get", "Gets it.")
    assert get.signatures == (
        'public suspend inline fun <reified T : Any> Client.get(url: String = "x", vararg more: Int): List<T>? where T : Foo',
    )
    assert get.aliases == ("io.web.BuildersKt.get", "io.web.Client.get")
    assert get.defining_path == "io.web.BuildersKt.get"
    assert found["io.web.size"].signatures == ("val Client.size: Int",)
    assert found["io.web.size"].aliases == ("io.web.BuildersKt.size", "io.web.Client.size")
    assert found["io.web.mine"].aliases == ("io.web.Tools.dig", "io.web.Tools.mine")


def test_what_is_private_internal_or_hidden_is_no_api() -> None:
    found = declare(
        {
            "a.kt": """
                package a
                private fun p() {}
                internal class I { fun f() {} }
                @PublishedApi internal fun q() {}
                @Deprecated("gone", level = DeprecationLevel.HIDDEN) fun hidden() {}
                /** @suppress */
                fun suppressed() {}
                open class Open {
                    protected fun forHeirs() {}
                    private val x = 1
                    internal var y = 2
                    public val z = 3
                    private companion object { fun never() {} }
                }
            """,
        }
    )
    assert sorted(found) == ["a.Open", "a.Open.forHeirs", "a.Open.z"]


def test_members_of_a_companion_stand_on_the_class() -> None:
    found = declare(
        {
            "a.kt": """
                package a
                class D private constructor(x: Int) {
                    companion object Key : Named<D> {
                        /** The most. */
                        const val MAX: Int = 7
                        fun of(): D = D(1)
                    }
                }
            """,
        }
    )
    assert found["a.D"].signatures == ("class D",)
    assert found["a.D.MAX"].kind == "constant"
    assert found["a.D.MAX"].signatures == ("const val MAX: Int = 7",)
    assert found["a.D.of"].aliases == ("a.D.Key.of",)
    assert found["a.D.Key"].bases == ("Named",)


def test_properties_of_a_primary_constructor_take_what_the_class_says_of_them() -> None:
    found = declare(
        {
            "a.kt": """
                package a
                /**
                 * A user.
                 *
                 * @property name what others call them
                 * @param age in years
                 */
                data class User(val name: String = "x", var age: Int, private val secret: String, plain: Int) : Base<Int>(plain), I by delegate()
            """,
        }
    )
    assert sorted(found) == ["a.User", "a.User.age", "a.User.name"]
    assert found["a.User.name"].doc == "what others call them"
    assert found["a.User.age"].doc == "in years"
    assert found["a.User.name"].signatures == ("val name: String",)
    assert found["a.User"].bases == ("Base", "I")


def test_kinds_of_everything_else() -> None:
    found = declare(
        {
            "a.kt": """
                package a
                typealias Handler<T> = (T) -> Unit
                enum class Color(val code: Int) : Coded { /** Hot. */ RED(1) { override fun x() {} }, BLUE(2); fun mix() = 1 }
                object Registry { var size: Int = 0
                    private set
                }
                sealed interface Shape { fun area(): Double; class Circle : Shape { override fun area() = 1.0 } }
                @JvmInline value class Id(val raw: String)
                annotation class Mark(val why: String)
                fun interface Listener { fun heard(what: String) }
            """,
        }
    )
    kinds = {each.symbol.removeprefix("a."): each.kind for each in found.values()}
    assert kinds == {
        "Handler": "type",
        "Color": "class",
        "Color.code": "property",
        "Color.RED": "constant",
        "Color.BLUE": "constant",
        "Color.mix": "method",
        "Registry": "class",
        "Registry.size": "property",
        "Shape": "class",
        "Shape.area": "method",
        "Shape.Circle": "class",
        "Shape.Circle.area": "method",
        "Id": "class",
        "Id.raw": "property",
        "Mark": "class",
        "Mark.why": "property",
        "Listener": "class",
        "Listener.heard": "method",
    }
    assert found["a.Handler"].signatures == ("typealias Handler<T> = (T) -> Unit",)
    assert found["a.Registry.size"].signatures == ("var size: Int private set",)
    assert found["a.Color.RED"].doc == "Hot."
    assert found["a.Listener"].signatures == ("fun interface Listener",)


def test_expect_and_actual_are_one_text_the_common_halfs() -> None:
    found = declare(
        {
            "commonMain/a/Clock.kt": """
                package a
                /** Tells the time. */
                public expect class Clock { /** Now. */ public fun now(zone: String = "UTC"): Long; public fun silent() }
            """,
            "jvmMain/a/Clock.jvm.kt": """
                package a
                public actual class Clock {
                    /** The JVM's now. */
                    public actual fun now(zone: String): Long = 1
                    /** Said here only. */
                    public actual fun silent() {}
                    public fun extra() {}
                }
            """,
        }
    )
    assert found["a.Clock"].signatures == ("public class Clock",)
    assert found["a.Clock"].path == "commonMain/a/Clock.kt"
    assert found["a.Clock.now"].doc == "Now."
    assert found["a.Clock.now"].signatures == ('public fun now(zone: String = "UTC"): Long',)
    assert found["a.Clock.silent"].doc == "Said here only."
    assert "a.Clock.extra" in found


def test_a_class_and_the_function_that_makes_it_share_a_symbol_the_class_gives_kind_and_text() -> None:
    found = declare(
        {
            "a.kt": """
                package a
                /** Makes a job. */
                fun Job(parent: Job? = null): Job = JobImpl(parent)
                /** Work under way. */
                interface Job { fun cancel() }
            """,
        }
    )
    assert (found["a.Job"].kind, found["a.Job"].doc) == ("class", "Work under way.")
    assert found["a.Job"].signatures == ("interface Job", "fun Job(parent: Job? = null): Job")


def test_one_deprecated_overload_deprecates_a_way_to_call_not_the_name() -> None:
    found = declare(
        {
            "a.kt": """
                package a
                @Deprecated("x") fun f(a: Int) {}
                fun f(a: String) {}
                @SinceKotlin("1.3") @Deprecated("x") fun g() {}
            """,
        }
    )
    assert not found["a.f"].is_deprecated
    assert found["a.g"].is_deprecated
    assert found["a.g"].since == "1.3"


def test_kotlin_and_java_of_one_artifact_are_resolved_together() -> None:
    found = declare(
        {
            "a/Base.java": "package a;\npublic abstract class Base { /** Runs it. */ public abstract void run(int n); }\n",
            "a/Impl.kt": "package a\nclass Impl : Base() { override fun run(n: Int) {} }\n",
        }
    )
    assert found["a.Impl"].bases == ("a.Base",)
    assert (found["a.Impl.run"].doc, found["a.Impl.run"].convention) == ("Runs it.", "kdoc")


GAPS = {
    "fun interface": "fun interface F { /** Doc. */ fun f(): Int }",
    "rangeUntil": "class F { fun g() { for (i in 0..<size) use(i) }\n /** Doc. */ fun f(): Int = 1 }",
    "guards": "class F { fun g(x: Any) = when (x) { is Int if x > 1 -> 2\n else -> 3 }\n /** Doc. */ fun f(): Int = 1 }",
    "context parameters": "class F { context(log: Log, b: B) fun g(): Int = 1\n /** Doc. */ fun f(): Int = 1 }",
    "annotated constructor": "class F\n@Inject\ninternal constructor(x: Int) : Base(x) {\n /** Doc. */ fun f(): Int = 1 }",
    "annotated parameter": 'class F(@get:JvmName("b") val b: String, @Q("x") private val c: Int = g { 1 }) { /** Doc. */ fun f(): Int = 1 }',
    "delegation": "class F(m: M) : Base(m), I by object : I { fun x() = 1 } { /** Doc. */ fun f(): Int = 1 }",
    "dotted receiver": "class F(val h: Hook<A.B.(X) -> Unit>) { /** Doc. */ fun f(): Int = 1 }",
    "getter beside": "class F { val a: List<Int> get() = 1..<2\n val b get() = 1\n /** Doc. */ fun f(): Int = 1 }",
    "nested comment": "class F {\n /** Doc. /* inner */ more */ fun f(): Int = x.map { it ..< 3 } }",
    "definitely non-null": "class F<T> { fun <T> g(x: T & Any): T & Any = x\n /** Doc. */ fun f(): Int = 1 }",
    "suspend lambda": "class F { val s: suspend (Int) -> Unit = suspend { a ..< b }\n /** Doc. */ fun f(): Int = 1 }",
}


@pytest.mark.parametrize("gap", GAPS.values(), ids=GAPS)
def test_what_the_grammar_does_not_know_costs_no_declaration(gap: str) -> None:
    found = declare({"a.kt": f"package a\n\n{gap}\n\n/** After. */\nfun after(): Int = 1\n"})
    assert {"a.F", "a.F.f", "a.after"} <= set(found)
    assert (found["a.F.f"].doc or "").startswith("Doc.")
    assert found["a.F.f"].signatures == ("fun f(): Int",)
    assert found["a.after"].doc == "After."
    assert not any(each.kind == schemas.FILE_KIND for each in found.values())


def test_a_masked_file_keeps_annotations_defaults_and_lines() -> None:
    found = declare(
        {
            "a.kt": """
                package a

                /** Doc. */
                @Deprecated("no")
                @SinceKotlin("1.4")
                public fun interface F {
                    @Throws(X::class)
                    fun f(a: Int = g { 1 }, b: String = "x,y")
                }
            """,
        }
    )
    assert found["a.F"].is_deprecated
    assert found["a.F"].since == "1.4"
    assert found["a.F"].doc == "Doc."
    assert found["a.F.f"].signatures == ('fun f(a: Int = g { 1 }, b: String = "x,y")',)
    assert found["a.F.f"].line in (7, 8)


def test_what_cannot_be_read_is_named_and_the_rest_is_there() -> None:
    found = declare({"a.kt": "package a\n\nfun one() {}\n\nclass ) Odd {{{\n\nfun two() {}\n"})
    assert "a.one" in found
    assert found["//a.kt"].skip_reason == "syntax"


@pytest.mark.parametrize(
    "content",
    [
        "{" * 5000,
        "class A {" * 500,
        "(" * 5000,
        "/*" * 5000,
        '"' * 5001,
        "fun f(" * 2000,
        "@" * 3000,
        "a<" * 4000,
        "`" * 999,
    ],
)
def test_hostile_text_neither_crashes_nor_stalls(content: str) -> None:
    declare({"a.kt": content, "a/A.java": content})
    assert len(mask(content.encode()).source) == len(content)
