"""Lock files and environments: uv."""

from __future__ import annotations

from pathlib import Path

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.lockfiles.uv import UvReader, _shortened

REGISTRY = '{ registry = "https://index.example.invalid/simple" }'
DIGEST = "0123456789abcdef" * 4
WHEEL = (
    f'{{ url = "https://files.example.invalid/client-2.0.0-py3-none-any.whl", hash = "sha256:{DIGEST[::-1]}", '
    'size = 9, upload-time = "2026-01-02T03:04:05.678Z" }'
)

GOOD = f"""version = 1
revision = 3
requires-python = ">=3.10"
resolution-markers = [
    "python_full_version >= '3.11'",
    "python_full_version < '3.11'",
]

[[package]]
name = "app"
version = "0.1.0"
source = {{ editable = "." }}
dependencies = [
    {{ name = "client", extra = ["socks"] }},
    {{ name = "numbers-lib", version = "1.26.0", source = {REGISTRY}, marker = "python_full_version < '3.11'" }},
    {{ name = "numbers-lib", version = "2.1.0", source = {REGISTRY}, marker = "python_full_version >= '3.11'" }},
    {{ name = "winlib", marker = "sys_platform == 'win32'" }},
]

[package.optional-dependencies]
db = [
    {{ name = "database" }},
]

[package.dev-dependencies]
dev = [
    {{ name = "tester" }},
]

[package.metadata]
requires-dist = [{{ name = "client", extras = ["socks"] }}]

[[package]]
name = "client"
version = "2.0.0"
source = {REGISTRY}
dependencies = [
    {{ name = "encoding" }},
]
sdist = {{ url = "https://files.example.invalid/client-2.0.0.tar.gz", hash = "sha256:{DIGEST}", size = 10 }}
wheels = [
    {WHEEL},
]

[package.optional-dependencies]
http2 = [
    {{ name = "framing" }},
]
socks = [
    {{ name = "socks-lib" }},
]

[[package]]
name = "database"
version = "3.0"
source = {REGISTRY}
dependencies = [
    {{ name = "green" }},
]

[[package]]
name = "encoding"
version = "1.0"
source = {REGISTRY}

[[package]]
name = "framing"
version = "4.0"
source = {REGISTRY}

[[package]]
name = "green"
version = "0.9"
source = {REGISTRY}

[[package]]
name = "numbers-lib"
version = "1.26.0"
source = {REGISTRY}
resolution-markers = [
    "python_full_version < '3.11'",
]

[[package]]
name = "numbers-lib"
version = "2.1.0"
source = {REGISTRY}
resolution-markers = [
    "python_full_version >= '3.11'",
]

[[package]]
name = "socks-lib"
version = "1.7"
source = {REGISTRY}

[[package]]
name = "tester"
version = "8.0"
source = {REGISTRY}
dependencies = [
    {{ name = "encoding" }},
]

[[package]]
name = "winlib"
version = "1.1"
source = {REGISTRY}
"""


class TestUvLock(LockfileReaderContract):
    format_name = "uv"
    file_name = "uv.lock"
    good = GOOD
    good_purls = frozenset(
        {
            "pkg:pypi/client@2.0.0",
            "pkg:pypi/encoding@1.0",
            "pkg:pypi/numbers-lib@2.1.0",
            "pkg:pypi/socks-lib@1.7",
        }
    )
    good_skipped = frozenset(
        {
            ("database", "3.0"),
            ("framing", "4.0"),
            ("green", "0.9"),
            ("numbers-lib", "1.26.0"),
            ("tester", "8.0"),
            ("winlib", "1.1"),
        }
    )
    empty = ""
    malformed = GOOD[:400] + "\nname = \n"
    wrong_version = GOOD.replace("version = 1\n", "version = 2\n", 1)
    wrong_type = 'version = 1\n[[package]]\nname = 3\nversion = "1"\nsource = { registry = "x" }\n'

    def test_distance_and_way_come_from_the_edges_and_an_extra_counts_as_its_package(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        rows = {row.coordinate.name: row for row in closure.dependencies}
        assert rows["client"].distance == 1
        assert rows["client"].scope == "declared"
        assert rows["socks-lib"].distance == 2
        assert rows["socks-lib"].via == ("pkg:pypi/client@2.0.0",)
        assert rows["socks-lib"].scope == "importable"
        assert ("pkg:pypi/client@2.0.0", "pkg:pypi/socks-lib@1.7") in closure.edges

    def test_reasons_name_the_group_the_extra_or_the_marker(self, tmp_path: Path) -> None:
        reasons = {(row.name, row.version): row.reason for row in self.read_good(tmp_path).closures[0].skipped}
        assert reasons[("tester", "8.0")] == "group dev is not asked for"
        assert reasons[("green", "0.9")] == "extra db is not asked for"
        assert reasons[("framing", "4.0")] == "extra http2 of client is not asked for"
        assert "marker" in reasons[("winlib", "1.1")]
        assert "marker" in reasons[("numbers-lib", "1.26.0")]

    def test_asked_groups_and_extras_come_in(self, tmp_path: Path) -> None:
        target = linux_target(groups=("dev",), extras=("db",))
        closure = self.reader.read(self.write(tmp_path, GOOD), target).closures[0]
        assert {"pkg:pypi/tester@8.0", "pkg:pypi/database@3.0", "pkg:pypi/green@0.9"} <= purls(closure)
        assert ("framing", "4.0") in skipped(closure)

    def test_another_python_takes_the_other_branch_of_a_fork(self, tmp_path: Path) -> None:
        closure = self.reader.read(self.write(tmp_path, GOOD), linux_target("3.10.2")).closures[0]
        assert "pkg:pypi/numbers-lib@1.26.0" in purls(closure)
        assert ("numbers-lib", "2.1.0") in skipped(closure)

    def test_digests_of_sdist_and_wheels_are_kept(self, tmp_path: Path) -> None:
        rows = {row.coordinate.name: row for row in self.read_good(tmp_path).closures[0].dependencies}
        assert rows["client"].digests == tuple(sorted((f"sha256:{DIGEST}", f"sha256:{DIGEST[::-1]}")))

    def test_a_python_outside_requires_python_is_said(self, tmp_path: Path) -> None:
        reading = self.reader.read(self.write(tmp_path, GOOD), linux_target("3.9.1"))
        assert "requires-python" in reading.notes[0]


def test_shortening_changes_nothing_but_the_form_of_the_archives() -> None:
    import tomllib

    before, after = tomllib.loads(GOOD), tomllib.loads(_shortened(GOOD))
    assert len(_shortened(GOOD)) < len(GOOD)
    for one, other in zip(before["package"], after["package"], strict=True):
        assert {key: one[key] for key in one if key not in ("sdist", "wheels")} == {
            key: other[key] for key in other if key not in ("sdist", "wheels")
        }
    assert after["package"][1]["wheels"] == before["package"][1]["wheels"][0]["hash"]


def test_archives_in_another_form_are_read_all_the_same(tmp_path: Path) -> None:
    text = GOOD.replace(", size = 9, upload-time", ", note = 'x', upload-time")
    path = tmp_path / "uv.lock"
    path.write_text(text)
    rows = {row.coordinate.name: row for row in UvReader().read(path, linux_target()).closures[0].dependencies}
    assert f"sha256:{DIGEST[::-1]}" in rows["client"].digests


WORKSPACE = f"""version = 1
requires-python = ">=3.10"

[manifest]
members = ["app", "lib-a", "lib-b", "tools"]

[[package]]
name = "app"
version = "0.1.0"
source = {{ editable = "." }}
dependencies = [{{ name = "lib-a" }}]

[[package]]
name = "lib-a"
version = "0.2.0"
source = {{ editable = "packages/lib-a" }}
dependencies = [{{ name = "encoding" }}]

[[package]]
name = "lib-b"
source = {{ editable = "packages/lib-b" }}
dependencies = [{{ name = "app" }}, {{ name = "gitlib" }}]

[[package]]
name = "tools"
version = "0.1.0"
source = {{ virtual = "tools" }}
dependencies = [{{ name = "encoding" }}]

[[package]]
name = "encoding"
version = "1.0"
source = {REGISTRY}

[[package]]
name = "gitlib"
version = "0.4.0"
source = {{ git = "https://git.example.invalid/team/gitlib?rev=main#0123456789abcdef0123456789abcdef01234567" }}
dependencies = [{{ name = "encoding" }}]
"""


def write_workspace(folder: Path) -> Path:
    for name in ("", "packages/lib-a/", "packages/lib-b/"):
        source = folder / f"{name}src/module.py"
        source.parent.mkdir(parents=True)
        source.write_text(f"name = {name!r}\n")
    path = folder / "uv.lock"
    path.write_text(WORKSPACE)
    return path


def test_each_workspace_member_has_its_own_closure(tmp_path: Path) -> None:
    reading = UvReader().read(write_workspace(tmp_path), linux_target())
    members = {closure.member: closure for closure in reading.closures}
    assert list(members) == [".", "packages/lib-a", "packages/lib-b", "tools"]
    assert {row.coordinate.name for row in members["tools"].dependencies} == {"encoding"}
    assert {row.coordinate.name for row in members["packages/lib-a"].dependencies} == {"encoding"}


def test_a_member_that_another_one_asks_for_is_keyed_by_its_tree(tmp_path: Path) -> None:
    path = write_workspace(tmp_path)
    root = UvReader().read(path, linux_target()).closures[0]
    (row,) = (row for row in root.dependencies if row.coordinate.name == "lib-a")
    assert row.coordinate.checksum.startswith("sha256:")
    assert row.location == str(tmp_path / "packages/lib-a")
    (tmp_path / "packages/lib-a/src/module.py").write_text("changed = True\n")
    again = UvReader().read(path, linux_target()).closures[0]
    (changed,) = (row for row in again.dependencies if row.coordinate.name == "lib-a")
    assert changed.coordinate != row.coordinate


def test_the_root_project_is_a_coordinate_only_where_a_member_asks_for_it(tmp_path: Path) -> None:
    reading = UvReader().read(write_workspace(tmp_path), linux_target())
    members = {closure.member: closure for closure in reading.closures}
    assert "app" not in {row.coordinate.name for row in members["."].dependencies}
    assert "app" in {row.coordinate.name for row in members["packages/lib-b"].dependencies}


def test_a_git_package_that_is_not_here_is_skipped_and_what_it_needs_is_kept(tmp_path: Path) -> None:
    reading = UvReader().read(write_workspace(tmp_path), linux_target())
    (closure,) = (closure for closure in reading.closures if closure.member == "packages/lib-b")
    assert ("gitlib", "0.4.0") in skipped(closure)
    assert [row.reason for row in closure.skipped] == ["git source, not on this machine"]
    assert "pkg:pypi/encoding@1.0" in purls(closure)


def test_a_lock_without_members_names_no_roots(tmp_path: Path) -> None:
    path = tmp_path / "uv.lock"
    path.write_text(f'version = 1\n[[package]]\nname = "encoding"\nversion = "1.0"\nsource = {REGISTRY}\n')
    (row,) = UvReader().read(path, linux_target()).closures[0].dependencies
    assert (row.scope, row.distance, row.via) == ("importable", None, ())


def test_a_script_lock_has_its_roots_in_the_manifest(tmp_path: Path) -> None:
    path = tmp_path / "job.py.lock"
    path.write_text(
        f"""version = 1
requires-python = ">=3.10"
[manifest]
requirements = [{{ name = "client", specifier = ">=1" }}]
[[package]]
name = "client"
version = "2.0"
source = {REGISTRY}
dependencies = [{{ name = "encoding" }}]
[[package]]
name = "encoding"
version = "1.0"
source = {REGISTRY}
"""
    )
    closure = UvReader().read(path, linux_target()).closures[0]
    assert [(row.coordinate.name, row.distance) for row in closure.dependencies] == [("client", 1), ("encoding", 2)]


def test_declared_conflicts_follow_the_extra_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "uv.lock"
    path.write_text(
        f"""version = 1
requires-python = ">=3.10"
conflicts = [[{{ package = "app", extra = "cpu" }}, {{ package = "app", extra = "gpu" }}]]
[[package]]
name = "app"
version = "0.1.0"
source = {{ virtual = "." }}
[package.optional-dependencies]
cpu = [{{ name = "tensors", version = "1.0", source = {REGISTRY} }}]
gpu = [{{ name = "tensors", version = "2.0", source = {REGISTRY}, marker = "extra == 'extra-3-app-gpu'" }}]
[[package]]
name = "tensors"
version = "1.0"
source = {REGISTRY}
[[package]]
name = "tensors"
version = "2.0"
source = {REGISTRY}
dependencies = [{{ name = "kernels", marker = "extra == 'extra-3-app-gpu' or extra != 'extra-3-app-cpu'" }}]
[[package]]
name = "kernels"
version = "5"
source = {REGISTRY}
"""
    )
    gpu = UvReader().read(path, linux_target(extras=("gpu",))).closures[0]
    cpu = UvReader().read(path, linux_target(extras=("cpu",))).closures[0]
    assert purls(gpu) == {"pkg:pypi/tensors@2.0", "pkg:pypi/kernels@5"}
    assert purls(cpu) == {"pkg:pypi/tensors@1.0"}


def test_an_extra_that_names_the_project_itself_brings_what_that_extra_names(tmp_path: Path) -> None:
    path = tmp_path / "uv.lock"
    path.write_text(
        f"""version = 1
[[package]]
name = "app"
version = "0.1.0"
source = {{ editable = "." }}
[package.optional-dependencies]
all = [{{ name = "app", extra = ["db"] }}]
db = [{{ name = "database" }}]
[[package]]
name = "database"
version = "3.0"
source = {REGISTRY}
"""
    )
    (row,) = UvReader().read(path, linux_target(extras=("all",))).closures[0].dependencies
    assert (row.coordinate.purl, row.distance) == ("pkg:pypi/database@3.0", 1)
