"""Java sources: which declarations, under which names, with what."""

# Sources stand on the lines that their authors would give them.
# ruff: noqa: E501

from __future__ import annotations

from depcodex import schemas
from jvm_sources import declare

TYPES = """
    package org.example;

    import java.util.List;
    import org.example.base.Closer;

    /**
     * Holds things.
     *
     * @param <T> what it holds
     * @since 1.2
     */
    public abstract class Holder<T extends Comparable<T>> extends Closer implements Iterable<T> {
        /** How many fit. */
        public static final int LIMIT = 5, OTHER = 6;
        protected List<T> held;
        private int secret;
        /** Makes one. */
        public Holder(int size, String... names) throws java.io.IOException { super(); }
        protected Holder() { }
        Holder(long size) { }
        /** Adds one. */
        public void add(T thing) { held.add(thing); }
        public void add(T thing, int at) { }
        void hidden() { }
        @Deprecated public synchronized <U> List<? super U> all(@Nullable U[] what) { return null; }
        public static class Nested { public int depth() { return 1; } }
        static class HiddenNested { public int never() { return 1; } }
        protected enum Mode { /** Quick. */ FAST(1) { void quick() { } }, SLOW; public int cost() { return 1; } }
    }
"""


def test_public_and_protected_members_of_public_types_are_declared() -> None:
    found = declare({"org/example/Holder.java": TYPES})
    assert sorted(found) == [
        "org.example.Holder",
        "org.example.Holder.Holder",
        "org.example.Holder.LIMIT",
        "org.example.Holder.Mode",
        "org.example.Holder.Mode.FAST",
        "org.example.Holder.Mode.SLOW",
        "org.example.Holder.Mode.cost",
        "org.example.Holder.Nested",
        "org.example.Holder.Nested.depth",
        "org.example.Holder.OTHER",
        "org.example.Holder.add",
        "org.example.Holder.all",
        "org.example.Holder.held",
    ]
    kinds = {each.name: each.kind for each in found.values()}
    assert kinds["Holder"] == "class"
    assert kinds["Holder.add"] == "method"
    assert kinds["Holder.LIMIT"] == kinds["Holder.Mode.FAST"] == "constant"
    assert kinds["Holder.held"] == "property"


def test_a_class_carries_its_header_and_its_constructors() -> None:
    holder = declare({"org/example/Holder.java": TYPES})["org.example.Holder"]
    assert holder.signatures == (
        "public abstract class Holder<T extends Comparable<T>> extends Closer implements Iterable<T>",
        "public Holder(int size, String... names) throws java.io.IOException",
        "protected Holder()",
    )
    assert holder.bases == ("org.example.base.Closer", "java.lang.Iterable")
    assert holder.since == "1.2"
    assert holder.doc == "Holds things.\n@param <T> what it holds\n@since 1.2"
    assert (holder.convention, holder.language, holder.line) == ("javadoc", "java", 12)


def test_a_documented_constructor_has_an_entry_of_its_own() -> None:
    found = declare({"org/example/Holder.java": TYPES})["org.example.Holder.Holder"]
    assert (found.kind, found.doc) == ("method", "Makes one.")


def test_overloads_share_a_symbol_and_the_first_documented_gives_the_text() -> None:
    add = declare({"org/example/Holder.java": TYPES})["org.example.Holder.add"]
    assert add.signatures == ("public void add(T thing)", "public void add(T thing, int at)")
    assert add.doc == "Adds one."


def test_how_a_method_is_made_is_no_part_of_its_signature() -> None:
    found = declare({"org/example/Holder.java": TYPES})["org.example.Holder.all"]
    assert found.signatures == ("public <U> List<? super U> all(@Nullable U[] what)",)
    assert found.is_deprecated


def test_members_of_interfaces_are_public_where_nothing_is_said() -> None:
    found = declare(
        {
            "a/Port.java": """
                package a;
                public interface Port {
                    int LIMIT = 3;
                    /** Opens it. */
                    void open();
                    default int tries() { return 1; }
                    private void inner() { }
                    static Port of() { return null; }
                    class Closed { }
                }
            """,
        }
    )
    assert sorted(found) == ["a.Port", "a.Port.Closed", "a.Port.LIMIT", "a.Port.of", "a.Port.open", "a.Port.tries"]
    assert found["a.Port.LIMIT"].signatures == ("int LIMIT = 3",)


def test_records_and_annotations_declare_what_they_hold() -> None:
    found = declare(
        {
            "a/Point.java": """
                package a;
                /** A place.
                 * @param x how far right
                 */
                public record Point<T>(int x, T... rest) implements Comparable<Point> {
                    public Point { }
                    /** How far. */
                    public double length() { return 0; }
                }
            """,
            "a/Marked.java": """
                package a;
                public @interface Marked {
                    /** Why. */
                    String value() default "none";
                }
            """,
        }
    )
    assert found["a.Point"].signatures == ("public record Point<T>(int x, T... rest) implements Comparable<Point>",)
    assert (found["a.Point.x"].kind, found["a.Point.x"].doc) == ("property", "how far right")
    assert found["a.Point.rest"].signatures == ("T... rest",)
    assert found["a.Marked.value"].signatures == ('String value() default "none"',)
    assert found["a.Marked.value"].kind == "property"


def test_package_and_module_documentation_become_entries() -> None:
    found = declare(
        {
            "a/b/package-info.java": "/** What a.b is for. */\n@Deprecated\npackage a.b;\n",
            "module-info.java": "/** The module. */\nmodule org.example.thing { exports a.b; }\n",
            "a/b/C.java": "package a.b;\npublic class C { }\n",
        }
    )
    assert (found["a.b"].kind, found["a.b"].doc, found["a.b"].name) == ("package", "What a.b is for.", "a.b")
    assert (found["org.example.thing"].kind, found["org.example.thing"].doc) == ("module", "The module.")
    assert found["org.example.thing"].signatures == ("module org.example.thing",)


def test_an_override_without_words_takes_its_bases_and_shares_its_text() -> None:
    found = declare(
        {
            "a/Base.java": """
                package a;
                public interface Base { /** Shuts it down. */ void close(int how); }
            """,
            "b/Sub.java": """
                package b;
                import a.Base;
                public class Sub implements Base {
                    @Override public void close(int how) { }
                    @Override public String toString() { return ""; }
                }
            """,
        }
    )
    base, sub = found["a.Base.close"], found["b.Sub.close"]
    assert sub.doc == base.doc == "Shuts it down."
    assert (sub.name, sub.signatures) == (base.name, base.signatures)
    assert (sub.path, sub.line) == ("b/Sub.java", 4)
    assert found["b.Sub.toString"].doc is None


def test_inherit_doc_is_replaced_by_the_words_it_stands_for() -> None:
    found = declare(
        {
            "a/A.java": """
                package a;
                public class A {
                    /** Gets it. @return it */
                    public int get() { return 1; }
                }
            """,
            "a/B.java": """
                package a;
                public class B extends A {
                    /** {@inheritDoc} Quickly. */
                    public int get() { return 1; }
                    /** {@inheritDoc} */
                    public int alone() { return 1; }
                }
            """,
        }
    )
    assert found["a.B.get"].doc == "Gets it. @return it Quickly."
    assert found["a.B.alone"].doc is None


def test_members_of_a_hidden_base_belong_to_the_public_class() -> None:
    found = declare(
        {
            "a/AbstractThing.java": """
                package a;
                abstract class AbstractThing implements Runnable {
                    /** Starts it. */
                    public final void start() { }
                    void inner() { }
                }
            """,
            "a/Thing.java": "package a;\npublic class Thing extends AbstractThing { }\n",
        }
    )
    assert sorted(found) == ["a.Thing", "a.Thing.start"]
    assert found["a.Thing.start"].doc == "Starts it."
    assert found["a.Thing"].bases == ("java.lang.Runnable",)


def test_multi_release_twins_are_one_symbol() -> None:
    found = declare(
        {
            "META-INF/versions/9/a/Place.java": "package a;\npublic class Place { public void go() { } public void far() { } }\n",
            "a/Place.java": "package a;\n/** Where. */\npublic class Place { /** Goes. */ public void go() { } }\n",
        }
    )
    assert found["a.Place"].doc == "Where."
    assert found["a.Place"].path == "a/Place.java"
    assert found["a.Place.go"].signatures == ("public void go()",)
    assert found["a.Place.far"].path == "META-INF/versions/9/a/Place.java"


def test_a_file_with_an_error_still_yields_its_other_declarations() -> None:
    found = declare(
        {
            "a/Broken.java": """
                package a;
                public class Broken {
                    /** Fine. */
                    public void fine() { }
                    public void § broken( { }
                    /** Also fine. */
                    public void also() { }
                }
            """,
        }
    )
    assert {"a.Broken", "a.Broken.fine", "a.Broken.also"} <= set(found)
    problem = found["//a/Broken.java"]
    assert (problem.kind, problem.skip_reason) == (schemas.FILE_KIND, "syntax")


def test_an_error_inside_a_method_loses_nothing_and_is_not_reported() -> None:
    found = declare(
        {"a/A.java": "package a;\npublic class A { public void f() { int x = = 3; } public void g() { } }\n"}
    )
    assert sorted(found) == ["a.A", "a.A.f", "a.A.g"]


def test_latin_1_is_read_and_what_is_no_text_is_named() -> None:
    found = declare(
        {
            "a/A.java": "package a;\n/** Élan. */\npublic class A { }\n".encode("latin-1"),
            "a/B.java": b"package a;\0",
        }
    )
    assert found["a.A"].doc == "Élan."
    assert found["//a/B.java"].skip_reason == "encoding"


def test_deep_nesting_is_a_typed_skip() -> None:
    depth = 300
    found = declare({"a/A.java": "package a;\n" + "public class A { " * depth + "}" * depth})
    assert found["//a/A.java"].skip_reason == "nesting"
    assert "a.A.A" in found


def test_slash_slash_slash_comments_are_markdown_and_rules_are_no_docs() -> None:
    found = declare(
        {
            "a/A.java": """
                package a;
                /// Reads [the docs](https://x.test) and `a < b`.
                ///
                /// @since 23
                public class A {
                    ////////////////////////
                    public void f() { }
                }
            """,
        }
    )
    assert found["a.A"].doc == "Reads the docs and a < b.\n@since 23"
    assert found["a.A"].since == "23"
    assert found["a.A.f"].doc is None


def test_a_readme_stands_under_group_and_artifact() -> None:
    found = declare({"README.md": "# Thing\n\n<p align='center'>Does **it**, see [here](https://x.test).</p>\n"})
    row = found["org.example/thing"]
    assert (row.kind, row.convention, row.doc) == ("package", "readme", "Thing\n\nDoes it, see here.")


def test_the_order_of_the_files_changes_nothing() -> None:
    files = {
        "a/A.java": "package a;\npublic class A extends B { public void f() { } }\n",
        "a/B.java": "package a;\npublic class B { /** F. */ public void f() { } }\n",
    }
    assert declare(files) == declare(dict(reversed(files.items())))


def test_circular_supertypes_end() -> None:
    found = declare(
        {
            "a/A.java": "package a;\npublic class A extends B { public void f() { } }\n",
            "a/B.java": "package a;\npublic class B extends A { public void f() { } }\n",
            "a/C.java": "package a;\npublic class C extends C { public void f() { } }\n",
        }
    )
    assert {"a.A.f", "a.B.f", "a.C.f"} <= set(found)
