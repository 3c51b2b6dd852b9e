"""The library: trees."""

from __future__ import annotations

from pathlib import Path

from data.nested_folders import nested
from depcodex.trees import NPM_TREE, source_files, tree_digest


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"# {path}\n")


def test_only_sources_that_the_team_wrote_count(tmp_path: Path) -> None:
    kept = ("setup.py", "src/pkg/__init__.py", "src/pkg/a.pyi", "tests/test_a.py")
    left_out = (".venv/lib/x.py", ".git/hook.py", "build/lib/pkg/a.py", "dist/x.py", "src/pkg.egg-info/y.py")
    write(tmp_path, *kept, *left_out, "src/pkg/__pycache__/a.py", "notes.md", "env/pyvenv.cfg", "env/lib/z.py")
    assert source_files(tmp_path) == kept


def test_links_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "elsewhere/secret.py", "project/a.py")
    (tmp_path / "project/link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "project/b.py").symlink_to(tmp_path / "elsewhere/secret.py")
    assert source_files(tmp_path / "project") == ("a.py",)


def test_the_digest_changes_with_content_name_and_place_and_with_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, "p/a.py", "p/b.py")
    first = tree_digest(tmp_path / "p")
    assert len(first) == 64
    (tmp_path / "p").rename(tmp_path / "q")
    assert tree_digest(tmp_path / "q") == first
    (tmp_path / "q/c.txt").write_text("no source")
    assert tree_digest(tmp_path / "q") == first
    (tmp_path / "q/b.py").rename(tmp_path / "q/c.py")
    renamed = tree_digest(tmp_path / "q")
    assert renamed != first
    (tmp_path / "q/c.py").write_text("changed")
    assert tree_digest(tmp_path / "q") not in (first, renamed)


def test_given_paths_alone_count(tmp_path: Path) -> None:
    write(tmp_path, "a.py", "b.py")
    only = tree_digest(tmp_path, ["a.py", "absent.py"])
    (tmp_path / "b.py").write_text("changed")
    assert tree_digest(tmp_path, ["a.py"]) == only


def test_a_file_name_that_is_no_utf_8_counts(tmp_path: Path) -> None:
    name = b"caf\xe9.py".decode("utf-8", "surrogateescape")
    (tmp_path / name).write_text("x = 1\n")
    assert source_files(tmp_path) == (name,)
    assert len(tree_digest(tmp_path)) == 64


def test_folders_nested_deeper_than_calls_are_read(tmp_path: Path) -> None:
    with nested(tmp_path) as path:
        assert source_files(tmp_path) == (path,)
        assert tree_digest(tmp_path) != tree_digest(tmp_path, ())


def test_a_javascript_tree_has_its_manifest_its_build_and_its_readme(tmp_path: Path) -> None:
    kept = ("README.md", "dist/index.d.ts", "package.json", "src/a.mts", "src/b.tsx")
    write(tmp_path, *kept, "node_modules/x/index.js", "coverage/a.js", ".cache/a.js", "setup.py", "notes.md")
    assert source_files(tmp_path, NPM_TREE) == kept
    before = tree_digest(tmp_path, rule=NPM_TREE)
    assert before == tree_digest(tmp_path, kept)
    (tmp_path / "setup.py").write_text("changed")
    assert tree_digest(tmp_path, rule=NPM_TREE) == before
    (tmp_path / "package.json").write_text("changed")
    assert tree_digest(tmp_path, rule=NPM_TREE) != before
