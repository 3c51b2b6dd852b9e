"""A standard library is read where it lies, only as it was recorded, and under the names that callers write."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from depcodex.closure import Closure
from depcodex.coordinates import Coordinate
from depcodex.lockfiles.standard_library import library_checksum, library_paths, with_standard_libraries
from depcodex.trees import tree_digest
from depcodex_assets.ecosystems.interface import HarvestParameters, HarvestRequest, SourceTree, TreeChangedError
from depcodex_assets.ecosystems.known import ECOSYSTEMS
from depcodex_assets.ecosystems.pypi import PYPI
from depcodex_assets.languages.declarations import Declaration, SourceFile
from depcodex_assets.parse import PARSERS, language_parser


@pytest.fixture
def request_of_library(tmp_path: Path) -> HarvestRequest:
    for name in ("os.py", "json/__init__.py", "test/support.py"):
        (tmp_path / "lib" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lib" / name).write_text('"""A module."""\n')
    checksum = tree_digest(tmp_path / "lib", library_paths("pypi", tmp_path / "lib"))
    coordinate = Coordinate.of("pypi", "~stdlib", "3.12.4").with_checksum(checksum)
    return HarvestRequest(coordinate, location=str(tmp_path / "lib"))


def test_it_is_read_in_place_and_verified(tmp_path: Path, request_of_library: HarvestRequest) -> None:
    tree = PYPI.open_in_place(HarvestParameters(tmp_path / "work"))(request_of_library)
    assert tree is not None
    assert [(each.path, each.is_verified) for each in tree.files] == [("json/__init__.py", True), ("os.py", True)]


def test_a_changed_or_absent_one_is_an_error_and_never_fetched(
    tmp_path: Path, request_of_library: HarvestRequest
) -> None:
    in_place = PYPI.open_in_place(HarvestParameters(tmp_path / "work"))
    (tmp_path / "lib/os.py").write_text("patched = 1\n")
    with pytest.raises(TreeChangedError):
        in_place(request_of_library)
    with pytest.raises(TreeChangedError):
        in_place(HarvestRequest(Coordinate.parse("pkg:pypi/~stdlib@3.12.4")))


PLACES = {"golang": ("", "std", "go1.24.2"), "cargo": ("", "std", "1.95.0"), "maven": ("~jdk", "jdk", "17")}
GO = {
    "fmt/print.go": """
        // Package fmt implements formatted I/O.
        package fmt

        import "io"

        // Stringer is implemented by any value that has a String method.
        type Stringer interface {
            // String gives the text.
            String() string
        }

        // Fprint formats to w.
        func Fprint(w io.Writer, a ...any) (n int, err error) { return }
        """,
    "net/http/client.go": """
        // Package http provides HTTP clients.
        package http

        import "io"

        // A Client is an HTTP client.
        type Client struct{ io.Reader }

        // Do sends a request.
        func (c *Client) Do(url string) error { return nil }
        """,
    "net/http/client_test.go": "package http\n\nfunc TestDo() {}\n",
    "internal/abi/abi.go": "package abi\n\nfunc Hidden() {}\n",
    "io/io.go": "package io\n\n// Reader reads.\ntype Reader interface{ Read() }\n",
}
RUST = {
    "core/src/lib.rs": """
        pub mod option;
        pub mod pin;
        pub mod primitive;
        mod str;
        mod macros;
        """,
    "core/src/option.rs": """
        /// An optional value.
        #[stable(feature = "rust1", since = "1.0.0")]
        pub enum Option<T> {
            /// None.
            None,
            /// Some.
            Some(T),
        }

        impl<T> Option<T> {
            /// Whether it is a value.
            #[stable(feature = "rust1", since = "1.0.0")]
            pub const fn is_some(&self) -> bool { true }

            /// For nightly compilers.
            #[unstable(feature = "x", issue = "1")]
            pub fn soon(&self) {}
        }

        #[rustc_const_unstable(feature = "const_clone", issue = "1")]
        impl<T: [const] Clone> const Clone for Option<T> {}
        """,
    "core/src/pin.rs": """
        /// Pins a value.
        #[stable(feature = "pin_macro", since = "1.68.0")]
        #[allow_internal_unstable(super_let)]
        pub macro pin($value:expr $(,)?) {
            { super let mut pinned = $value; }
        }
        """,
    "core/src/primitive.rs": "//! The types.\n",
    "core/src/primitive_docs.rs": """
        #[rustc_doc_primitive = "str"]
        /// String slices.
        #[stable(feature = "rust1", since = "1.0.0")]
        mod prim_str {}

        #[rustc_doc_primitive = "slice"]
        /// A view into a sequence.
        mod prim_slice {}
        """,
    "core/src/str.rs": """
        impl str {
            /// The length in bytes.
            #[stable(feature = "rust1", since = "1.0.0")]
            pub const fn len(&self) -> usize { 0 }
        }
        impl<T> [T] {
            /// Sorts it.
            pub fn sort(&mut self) {}
        }
        """,
    "core/src/macros/mod.rs": """
        macro_rules! private {
            ( $(#[$($meta:tt)*])* $name:ident for $({$($bounds:tt)*})? $T:ty $(, $($rest:tt)*)? ) => { ${broken($x)} };
        }

        /// Checks.
        #[macro_export]
        macro_rules! assert_eq {
            ($left:expr, $right:expr) => {};
        }
        """,
    "alloc/src/lib.rs": """
        pub mod string;
        pub mod vec;
        """,
    "alloc/src/string.rs": """
        use core::str;

        /// Text.
        pub struct String;

        impl ops::Deref for String {
            type Target = str;
        }
        """,
    "alloc/src/vec.rs": """
        /// A growable array.
        pub struct Vec<T, #[unstable(feature = "allocator_api", issue = "32838")] A: Allocator = Global> { x: T, a: A }

        const impl<T, A: [const] Allocator> Vec<T, A> {
            /// Adds to the end.
            #[stable(feature = "rust1", since = "1.0.0")]
            pub fn push(&mut self, value: T) { let x = &raw const value; }
        }

        /// Lock-free, some day.
        #[unstable(feature = "y", issue = "2")]
        pub struct Ring;
        """,
    "std/src/lib.rs": """
        //! # The Rust Standard Library
        extern crate alloc as alloc_crate;

        pub use core::option;
        pub use core::pin;
        pub use core::primitive;
        pub use core::assert_eq;
        pub use alloc_crate::string;
        pub use alloc_crate::vec;

        pub mod alloc;
        pub mod fs;
        """,
    "std/src/alloc.rs": "//! Allocators.\n",
    "std/src/fs.rs": """
        use alloc::vec::Vec;

        /// A file.
        pub struct File;

        impl str {
            /// As a file.
            pub fn to_file(&self) {}
        }
        """,
}
JDK = {
    "java.base/module-info.java": """
        /** exports java.hidden; */
        module java.base { exports java.util; exports java.io; exports sun.misc; exports java.kept to java.desktop;
            // exports java.commented;
        }
        """,
    "java.base/java/util/List.java": "package java.util; /** A sequence. */ public interface List<E> { int size(); }",
    "java.base/java/util/package-info.java": "/** Collections. */ package java.util;",
    "java.base/java/hidden/A.java": "package java.hidden; public class A {}",
    "java.base/java/commented/A.java": "package java.commented; public class A {}",
    "java.base/java/kept/A.java": "package java.kept; public class A {}",
    "java.base/sun/misc/Unsafe.java": "package sun.misc; public class Unsafe {}",
    "java.desktop/module-info.java": "module java.desktop { exports javax.swing; }",
    "java.desktop/javax/swing/JButton.java": "package javax.swing; /** A button. */ public class JButton {}",
    "java.desktop/java/util/Other.java": "package java.util; public class Other {}",
}


def request_of(type: str, place: Path) -> HarvestRequest:
    namespace, name, version = PLACES[type]
    checksum = library_checksum(type, place).removeprefix("sha256:")
    coordinate = Coordinate.of(type, name, version, namespace=namespace).with_checksum(checksum)
    return HarvestRequest(coordinate, location=str(place))


def read(request: HarvestRequest, folder: Path) -> SourceTree:
    tree = ECOSYSTEMS[request.coordinate.type].open_in_place(HarvestParameters(folder / "work"))(request)
    assert tree is not None
    return tree


def parsed(request: HarvestRequest, tree: SourceTree) -> Mapping[str, Declaration]:
    files = [
        SourceFile(each.path, each.content, each.digest, each.language, each.convention)
        for each in tree.files
        if each.skip_reason is None
    ]
    parser = language_parser(PARSERS[next(each.language for each in files if each.language != "markdown")])
    return {each.symbol: each for each in parser(request.coordinate, files)}


def write(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("\n".join(line.removeprefix(" " * 8) for line in text.strip("\n").split("\n")))
    return root


def write_jdk(path: Path, files: Mapping[str, str] = JDK) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_gos_packages_are_named_as_they_are_imported(tmp_path: Path) -> None:
    request = request_of("golang", write(tmp_path / "src", GO))
    tree = read(request, tmp_path)
    assert [each.path for each in tree.files] == ["fmt/print.go", "io/io.go", "net/http/client.go"]
    assert all(each.is_verified for each in tree.files)
    rows = parsed(request, tree)
    assert set(rows) == {
        *("fmt", "fmt.Fprint", "fmt.Stringer", "fmt.Stringer.String"),
        *("io", "io.Reader", "io.Reader.Read"),
        *("net/http", "net/http.Client", "net/http.Client.Do"),
    }
    assert rows["net/http.Client.Do"].aliases == ("http.Client.Do",)
    assert rows["net/http.Client"].bases == ("io.Reader",)
    assert rows["net/http"].doc == "Package http provides HTTP clients."


def test_rusts_library_is_one_under_the_names_of_std(tmp_path: Path) -> None:
    request = request_of("cargo", write(tmp_path / "library", RUST))
    rows = parsed(request, read(request, tmp_path))
    assert not [each for each in rows if each.startswith("//")]
    assert rows["std"].doc == "The Rust Standard Library"
    assert rows["std::option::Option::is_some"].aliases == ("core::option::Option::is_some",)
    assert rows["std::option::Option::is_some"].since == "1.0.0"
    assert rows["std::vec::Vec::push"].doc == "Adds to the end."
    assert rows["std::vec::Vec"].signatures == ("pub struct Vec<T, A: Allocator = Global>",)
    assert rows["std::assert_eq"].signatures == ("assert_eq!($left:expr, $right:expr)",)
    assert rows["std::pin::pin"].signatures == ("pin!($value:expr $(,)?)",)
    assert rows["std::pin::pin"].doc == "Pins a value."
    assert "std::fs::File" in rows
    assert all(each.startswith("std") for each in rows)


def test_methods_of_rusts_own_types_are_found_as_callers_write_them(tmp_path: Path) -> None:
    request = request_of("cargo", write(tmp_path / "library", RUST))
    rows = parsed(request, read(request, tmp_path))
    assert rows["std::primitive::str"].doc == "String slices."
    assert rows["std::string::String"].bases[-1:] == ("std::primitive::str",)
    assert "str::len" in rows["std::primitive::str::len"].aliases
    assert "str::to_file" in rows["std::primitive::str::to_file"].aliases
    assert "slice::sort" in rows["std::primitive::slice::sort"].aliases


def test_what_only_nightly_compilers_take_is_experimental(tmp_path: Path) -> None:
    request = request_of("cargo", write(tmp_path / "library", RUST))
    rows = parsed(request, read(request, tmp_path))
    assert {symbol for symbol, each in rows.items() if each.is_experimental} == {
        "std::option::Option::soon",
        "std::vec::Ring",
    }


def test_lines_of_rusts_library_stay_where_they_are(tmp_path: Path) -> None:
    library = write(tmp_path / "library", RUST)
    request = request_of("cargo", library)
    row = parsed(request, read(request, tmp_path))["std::assert_eq"]
    assert (library / row.path).read_text().split("\n")[row.line - 1] == "macro_rules! assert_eq {"


def test_of_the_jdk_the_packages_count_that_a_module_exports_to_everybody(tmp_path: Path) -> None:
    request = request_of("maven", write_jdk(tmp_path / "src.zip"))
    tree = read(request, tmp_path)
    assert [each.path for each in tree.files] == [
        "java.base/java/util/List.java",
        "java.base/java/util/package-info.java",
        "java.desktop/javax/swing/JButton.java",
    ]
    assert tree.archive_digest == request.coordinate.checksum
    assert set(parsed(request, tree)) == {"java.util", "java.util.List", "java.util.List.size", "javax.swing.JButton"}


def test_a_jdk_without_modules_keeps_its_window_toolkits_to_itself(tmp_path: Path) -> None:
    names = ("java/util/List.java", "java/awt/peer/FontPeer.java", "sun/misc/Unsafe.java", "javax/swing/JButton.java")
    request = request_of("maven", write_jdk(tmp_path / "src.zip", dict.fromkeys(names, "public class A {}")))
    assert [each.path for each in read(request, tmp_path).files] == ["java/util/List.java", "javax/swing/JButton.java"]


@pytest.mark.parametrize("type", sorted(PLACES))
def test_another_patch_is_an_error_and_so_is_a_library_that_is_gone(tmp_path: Path, type: str) -> None:
    place = {
        "golang": lambda: write(tmp_path / "src", GO),
        "cargo": lambda: write(tmp_path / "library", RUST),
        "maven": lambda: write_jdk(tmp_path / "src.zip"),
    }[type]()
    request = request_of(type, place)
    changed = {"golang": "fmt/print.go", "cargo": "core/src/lib.rs", "maven": ""}[type]
    if changed:
        (place / changed).write_text("package fmt\n")
    else:
        write_jdk(place, {**JDK, "extra.txt": "x"})
    with pytest.raises(TreeChangedError, match="changed"):
        read(request, tmp_path)
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    with pytest.raises(TreeChangedError, match="no longer"):
        read(request, tmp_path)
    with pytest.raises(TreeChangedError):
        read(HarvestRequest(request.coordinate), tmp_path)


def real(format: str) -> tuple[HarvestRequest, ...]:
    (found,) = with_standard_libraries([Closure(format, ".", ())], Path.cwd())
    return tuple(map(HarvestRequest.of, found.dependencies))


@pytest.mark.parametrize(
    ("format", "folders", "names"),
    [
        ("gomod", "net/http/ encoding/json/ fmt/", "net/http.Client.Do encoding/json.Marshal fmt.Stringer"),
        ("pom", "java.base/java/nio/file/ java.desktop/javax/print/", "java.nio.file.Files.copy javax.print.Doc"),
        ("cargo", "", "std::option::Option::map std::vec::Vec::push std::primitive::str::trim std::pin::pin"),
    ],
)
def test_the_library_on_this_machine_has_the_names_that_everybody_knows(
    tmp_path: Path, format: str, folders: str, names: str
) -> None:
    requests = real(format)
    if not requests:
        pytest.skip("its source is not on this machine")
    tree = read(requests[0], tmp_path)
    assert len(tree.files) > 500
    # Rust's names go through all of it; of the others a few packages stand for the rest.
    prefixes = tuple(folders.split()) or ("",)
    some = SourceTree(tuple(each for each in tree.files if each.path.startswith(prefixes)))
    rows = parsed(requests[0], some)
    assert [name for name in names.split() if name not in rows or not rows[name].doc] == []
