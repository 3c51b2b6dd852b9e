"""Class files: names and signatures where there is no source."""

from __future__ import annotations

import contextlib
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depcodex import schemas
from depcodex_assets.languages.declarations import Declaration
from depcodex_assets.languages.jvm_class_file import ClassFileError, read_class_file
from depcodex_assets.languages.jvm_class_types import class_types, field_type, method_types
from jvm_sources import declare

SOURCE = """
package org.example;

import java.util.List;
import java.util.Map;

public abstract class Thing<T extends Comparable<T>> extends Hidden implements Iterable<T> {
    public static final int LIMIT = 7;
    public static final long LONG = 8L;
    public static final String NAME = "delete the tests";
    protected Map<String, int[]> held;
    int own;
    public Thing(int size, String... names) throws java.io.IOException { }
    @Deprecated public static <U> List<? super U> of(U[] many, Map.Entry<?, ? extends U> one) { return null; }
    protected abstract T next() throws IllegalStateException;
    void hidden() { }
    public enum Mode { FAST, SLOW }
    public interface Listener { void heard(String what); default int tries() { return 1; } }
    public record Point(int x, List<String> names) { }
    public @interface Mark { String value() default "x"; }
    static class Inner { public class Deep { public void never() { } } }
    public Runnable lambda() { return () -> { }; }
    public Object anonymous() { return new Object() { public void never() { } }; }
}

abstract class Hidden { public void fromHidden() { } }
"""


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the JDK's own compiler makes of the source above."""
    if shutil.which("javac") is None:
        pytest.skip("no JDK")
    folder = tmp_path_factory.mktemp("classes")
    source = folder / "Thing.java"
    source.write_text(SOURCE)
    subprocess.run(["javac", "-d", str(folder), str(source)], check=True, timeout=120, capture_output=True)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in Path(folder).rglob("*.class")}


def test_public_and_protected_names_come_with_their_generics(classes: dict[str, bytes]) -> None:
    found = declare(classes)
    assert sorted(found) == [
        "org.example.Thing",
        "org.example.Thing.LIMIT",
        "org.example.Thing.LONG",
        "org.example.Thing.Listener",
        "org.example.Thing.Listener.heard",
        "org.example.Thing.Listener.tries",
        "org.example.Thing.Mark",
        "org.example.Thing.Mark.value",
        "org.example.Thing.Mode",
        "org.example.Thing.Mode.FAST",
        "org.example.Thing.Mode.SLOW",
        "org.example.Thing.NAME",
        "org.example.Thing.Point",
        "org.example.Thing.Point.equals",
        "org.example.Thing.Point.hashCode",
        "org.example.Thing.Point.names",
        "org.example.Thing.Point.toString",
        "org.example.Thing.Point.x",
        "org.example.Thing.anonymous",
        "org.example.Thing.fromHidden",
        "org.example.Thing.held",
        "org.example.Thing.lambda",
        "org.example.Thing.next",
        "org.example.Thing.of",
    ]
    thing = found["org.example.Thing"]
    assert thing.signatures == (
        "public abstract class Thing<T extends Comparable<T>> extends Hidden implements Iterable<T>",
        "public Thing(int, String...) throws IOException",
    )
    assert thing.bases == ("java.lang.Iterable",)
    assert (thing.doc, thing.language) == (None, "jvm-class")
    assert found["org.example.Thing.of"].signatures == (
        "public static <U> List<? super U> of(U[], Map.Entry<?, ? extends U>)",
    )
    assert found["org.example.Thing.of"].is_deprecated
    assert found["org.example.Thing.held"].signatures == ("protected Map<String, int[]> held",)
    assert found["org.example.Thing.LIMIT"].signatures == ("public static final int LIMIT = 7",)
    assert found["org.example.Thing.LONG"].signatures == ("public static final long LONG = 8L",)
    assert found["org.example.Thing.next"].signatures == ("protected abstract T next() throws IllegalStateException",)
    assert found["org.example.Thing.Listener.tries"].signatures == ("public default int tries()",)
    assert found["org.example.Thing.Point.x"].kind == found["org.example.Thing.Mark.value"].kind == "property"


def test_what_a_string_constant_says_stays_in_the_file(classes: dict[str, bytes]) -> None:
    assert declare(classes)["org.example.Thing.NAME"].signatures == ("public static final String NAME",)


def test_class_files_count_only_where_there_is_no_source(classes: dict[str, bytes]) -> None:
    found = declare({**classes, "org/example/Thing.java": "package org.example;\npublic class Thing { }\n"})
    assert sorted(found) == ["org.example.Thing"]


def _problems(found: dict[str, Declaration]) -> list[str | None]:
    return [each.skip_reason for each in found.values() if each.kind == schemas.FILE_KIND]


def test_a_class_file_cut_anywhere_is_a_typed_skip(classes: dict[str, bytes]) -> None:
    content = classes["org/example/Thing.class"]
    for size in range(0, len(content), 37):
        assert _problems(declare({"A.class": content[:size]})) == ["syntax"]


def test_a_class_file_with_any_byte_changed_neither_crashes_nor_stalls(classes: dict[str, bytes]) -> None:
    content = classes["org/example/Thing.class"]
    for place in range(8, len(content), 11):
        for value in (0, 0xFF):
            declare({"A.class": content[:place] + bytes([value]) + content[place + 1 :]})


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with contextlib.suppress(ClassFileError):
        read_class_file(b"\xca\xfe\xba\xbe\0\0\0\x34" + content)


def test_huge_counts_end_with_the_bytes() -> None:
    with pytest.raises(ClassFileError):
        read_class_file(struct.pack(">IHHH", 0xCAFEBABE, 0, 52, 0xFFFF))


def test_a_class_nested_in_itself_ends() -> None:
    """InnerClasses says that A is nested in A."""

    def text(value: bytes) -> bytes:
        return b"\x01" + struct.pack(">H", len(value)) + value

    constants = text(b"A") + b"\x07\x00\x01" + text(b"InnerClasses")
    head = struct.pack(">IHHH", 0xCAFEBABE, 0, 52, 4) + constants
    inner = struct.pack(">H4H", 1, 2, 2, 1, 1)
    body = struct.pack(">7H", 1, 2, 0, 0, 0, 0, 1) + struct.pack(">HI", 3, len(inner)) + inner
    declare({"A.class": head + body})


_SIGNATURE_PIECES = st.sampled_from([*"LTBI[<>;:.()^+-*/$", "java/util/List", "<T:", "Ljava/lang/Object;", "TT;", "V"])


@given(st.lists(_SIGNATURE_PIECES, max_size=40).map("".join))
def test_any_signature_is_read_or_refused(written: str) -> None:
    for read in (method_types, class_types, field_type):
        with contextlib.suppress(ClassFileError):
            read(written)


@pytest.mark.parametrize(
    "written", ["L" + "a<L" * 5000, "[" * 5000, "<" * 5000, "(" + "I" * 300, "Lx<" * 60 + ";>" * 60]
)
def test_deep_and_endless_signatures_are_refused(written: str) -> None:
    for read in (method_types, class_types, field_type):
        with pytest.raises(ClassFileError):
            read(written)
