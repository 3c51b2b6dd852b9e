"""Lock files and environments: npm's package-lock.json and npm-shrinkwrap.json."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.closure import Closure
from depcodex.errors import LockfileError
from depcodex.lockfiles.npm import NpmReader
from depcodex.lockfiles.npm_names import full_name

INTEGRITY = "sha512-" + base64.b64encode(bytes(64)).decode()
GOOD = {
    "name": "shop",
    "lockfileVersion": 3,
    "requires": True,
    "packages": {
        "": {
            "name": "shop",
            "dependencies": {"client": "^2", "wide": "npm:string-width@^4"},
            "devDependencies": {"tester": "^1"},
            "optionalDependencies": {"watcher": "^2"},
        },
        "node_modules/client": {
            "version": "2.0.0",
            "integrity": INTEGRITY,
            "dependencies": {"encoding": "^1", "@scope/part": "^3"},
            "peerDependencies": {"peer": "*"},
        },
        "node_modules/client/node_modules/encoding": {"version": "1.9.0"},
        "node_modules/@scope/part": {"version": "3.0.0", "dependencies": {"encoding": "^2"}},
        "node_modules/encoding": {"version": "2.0.0"},
        "node_modules/peer": {"version": "7.0.0", "peer": True},
        "node_modules/wide": {"name": "string-width", "version": "4.2.3"},
        "node_modules/tester": {"version": "1.0.0", "dev": True, "dependencies": {"runner": "1"}},
        "node_modules/runner": {"version": "1.0.1", "dev": True, "devDependencies": {"left": "1"}},
        "node_modules/watcher": {"version": "2.1.0", "optional": True, "os": ["darwin"]},
        "node_modules/left": {"version": "1.0.0", "extraneous": True},
    },
}


class TestNpmLock(LockfileReaderContract):
    format_name = "npm"
    file_name = "package-lock.json"
    manifest_name = "package.json"
    good = json.dumps(GOOD, indent=2)
    good_purls = frozenset(
        {
            "pkg:npm/client@2.0.0",
            "pkg:npm/encoding@1.9.0",
            "pkg:npm/%40scope/part@3.0.0",
            "pkg:npm/encoding@2.0.0",
            "pkg:npm/peer@7.0.0",
            "pkg:npm/string-width@4.2.3",
            "pkg:npm/tester@1.0.0",
            "pkg:npm/runner@1.0.1",
        }
    )
    good_skipped = frozenset({("watcher", "2.1.0"), ("left", "1.0.0")})
    empty = "{}"
    malformed = good + "}"
    wrong_version = good.replace('"lockfileVersion": 3', '"lockfileVersion": 4')
    wrong_type = '{"lockfileVersion": 3, "packages": {"node_modules/a": {"version": 3}}}'

    def test_each_asker_gets_the_copy_that_node_finds(self, tmp_path: Path) -> None:
        edges = set(self.read_good(tmp_path).closures[0].edges)
        assert ("pkg:npm/client@2.0.0", "pkg:npm/encoding@1.9.0") in edges
        assert ("pkg:npm/%40scope/part@3.0.0", "pkg:npm/encoding@2.0.0") in edges
        assert ("pkg:npm/client@2.0.0", "pkg:npm/encoding@2.0.0") not in edges
        assert ("pkg:npm/client@2.0.0", "pkg:npm/peer@7.0.0") in edges

    def test_scope_and_distance_follow_from_what_the_project_names(self, tmp_path: Path) -> None:
        rows = {row.coordinate.purl: row for row in self.read_good(tmp_path).closures[0].dependencies}
        declared = {purl for purl, row in rows.items() if row.scope == "declared"}
        assert declared == {"pkg:npm/client@2.0.0", "pkg:npm/string-width@4.2.3", "pkg:npm/tester@1.0.0"}
        assert rows["pkg:npm/runner@1.0.1"].via == ("pkg:npm/tester@1.0.0",)
        assert rows["pkg:npm/encoding@2.0.0"].distance == 3

    def test_an_alias_is_the_real_package_and_its_name_is_kept(self, tmp_path: Path) -> None:
        assert self.read_good(tmp_path).closures[0].aliases == (("", "wide", "pkg:npm/string-width@4.2.3"),)

    def test_the_digest_is_the_locks_own_in_hexadecimal(self, tmp_path: Path) -> None:
        rows = {row.coordinate.name: row for row in self.read_good(tmp_path).closures[0].dependencies}
        assert rows["client"].digests == ("sha512:" + "0" * 128,)

    def test_what_is_for_another_machine_says_so(self, tmp_path: Path) -> None:
        reasons = {row.name: row.reason for row in self.read_good(tmp_path).closures[0].skipped}
        assert reasons["watcher"] == "for another operating system or processor"
        assert reasons["left"] == "nothing that was asked for leads to it"

    def test_folders_of_sources_are_named_where_they_exist(self, tmp_path: Path) -> None:
        (tmp_path / "node_modules").mkdir()
        assert self.read_good(tmp_path).closures[0].source_folders == (str(tmp_path / "node_modules"),)
        assert self.read_good(tmp_path).closures[0].site_packages == ()


def write(folder: Path, lock: dict[str, object]) -> Path:
    path = folder / "package-lock.json"
    path.write_text(json.dumps(lock))
    return path


def read(folder: Path, lock: dict[str, object]) -> tuple[Closure, ...]:
    return NpmReader().read(write(folder, lock), linux_target()).closures


V1 = {
    "lockfileVersion": 1,
    "requires": True,
    "dependencies": {
        "client": {
            "version": "2.0.0",
            "requires": {"encoding": "^1"},
            "dependencies": {"encoding": {"version": "1.9.0"}},
        },
        "encoding": {"version": "2.0.0"},
        "wide": {"version": "npm:string-width@4.2.3"},
        "@team/tool": {"version": "file:tool", "requires": {"encoding": "^2"}},
        "odd": {"version": "git+ssh://git@host.example/odd.git#0123456789abcdef"},
        "far": {"version": "https://host.example/far.tgz", "integrity": INTEGRITY},
        "packed": {"version": "file:packed.tgz"},
    },
}


def test_version_1_nests_and_takes_its_roots_from_package_json(tmp_path: Path) -> None:
    manifest = {
        "dependencies": {"client": "2", "wide": "npm:string-width@4", "@team/tool": "file:tool", "odd": "x/odd"}
    }
    (tmp_path / "package.json").write_text(json.dumps(manifest))
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool/index.js").write_text("exports.a = 1\n")
    (tmp_path / "tool/package.json").write_text('{"name": "@team/tool", "version": "0.4.0"}')
    (closure,) = read(tmp_path, V1)
    rows = {row.coordinate.purl.partition("?")[0]: row for row in closure.dependencies}
    assert set(rows) == {
        "pkg:npm/client@2.0.0",
        "pkg:npm/encoding@1.9.0",
        "pkg:npm/encoding@2.0.0",
        "pkg:npm/string-width@4.2.3",
        "pkg:npm/%40team/tool@0.4.0",
    }
    tool = rows["pkg:npm/%40team/tool@0.4.0"]
    assert tool.coordinate.checksum
    assert tool.location == str(tmp_path / "tool")
    assert (tool.coordinate.purl, "pkg:npm/encoding@2.0.0") in closure.edges
    assert {(row.name, row.version): row.reason for row in closure.skipped} == {
        ("odd", ""): "git source, not on this machine",
        ("far", ""): "nothing that was asked for leads to it",
        ("packed", ""): "nothing that was asked for leads to it",
    }
    assert {name for name, _ in closure.inputs} == {"package-lock.json", "package.json"}


def test_without_a_manifest_version_1_has_no_roots_and_no_distance(tmp_path: Path) -> None:
    (closure,) = read(tmp_path, V1)
    assert {(row.scope, row.distance) for row in closure.dependencies} == {("importable", None)}
    assert {row.name: row.reason for row in closure.skipped} == {
        "odd": "git source, not on this machine",
        "far": "url source, not on this machine",
        "packed": "file source, not on this machine",
        "@team/tool": "file source, not on this machine",
    }


def test_of_the_optional_packages_of_version_1_those_count_that_are_installed(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"client": "2"}}')
    rows = {"client": {"version": "2.0.0", "requires": {"w": "1"}}, "w": {"version": "1.0.0", "optional": True}}
    lock: dict[str, object] = {"lockfileVersion": 1, "dependencies": rows}
    assert purls(read(tmp_path, lock)[0]) == {"pkg:npm/client@2.0.0", "pkg:npm/w@1.0.0"}
    (tmp_path / "node_modules/client").mkdir(parents=True)
    (closure,) = read(tmp_path, lock)
    assert [(row.name, row.reason) for row in closure.skipped] == [("w", "optional and not installed")]


def test_the_peers_of_version_1_are_those_of_what_is_installed(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"client": "2", "peer": "1"}}')
    rows = {"client": {"version": "2.0.0", "requires": {}}, "peer": {"version": "1.0.0"}}
    lock: dict[str, object] = {"lockfileVersion": 1, "dependencies": rows}
    for version, edges in (("2.0.0", (("pkg:npm/client@2.0.0", "pkg:npm/peer@1.0.0"),)), ("1.0.0", ())):
        installed = {"name": "client", "version": version, "peerDependencies": {"peer": "*"}}
        (tmp_path / "node_modules/client").mkdir(parents=True, exist_ok=True)
        (tmp_path / "node_modules/client/package.json").write_text(json.dumps(installed))
        assert read(tmp_path, lock)[0].edges == edges


def test_a_lock_of_npm_before_5_holds_everything_that_it_lists(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"client": "2"}}')
    lock = {"dependencies": {"client": {"version": "2.0.0", "dependencies": {"part": {"version": "1.0.0"}}}}}
    (closure,) = read(tmp_path, lock)
    assert {(row.coordinate.name, row.distance) for row in closure.dependencies} == {("client", 1), ("part", 2)}


WORKSPACE = {
    "lockfileVersion": 3,
    "packages": {
        "": {"workspaces": ["packages/*"], "devDependencies": {"tester": "1"}},
        "packages/app": {"name": "@shop/app", "version": "1.0.0", "dependencies": {"@shop/ui": "*", "encoding": "^1"}},
        "packages/app/node_modules/encoding": {"version": "1.9.0"},
        "packages/ui": {
            "name": "@shop/ui",
            "version": "2.0.0",
            "dependencies": {"encoding": "^2"},
            "devDependencies": {"built": "1"},
        },
        "node_modules/@shop/app": {"resolved": "packages/app", "link": True},
        "node_modules/@shop/ui": {"resolved": "packages/ui", "link": True},
        "node_modules/encoding": {"version": "2.0.0"},
        "node_modules/built": {"version": "1.0.0", "dev": True},
        "node_modules/tester": {"version": "1.0.0", "dev": True},
    },
}


def test_each_workspace_member_is_a_closure_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "packages/ui").mkdir(parents=True)
    (tmp_path / "packages/ui/index.ts").write_text("export const a = 1\n")
    (tmp_path / "packages/app").mkdir()
    (tmp_path / "packages/app/main.ts").write_text("x\n")
    root, app, ui = read(tmp_path, WORKSPACE)
    assert [each.member for each in (root, app, ui)] == [".", "packages/app", "packages/ui"]
    assert purls(root) == {"pkg:npm/tester@1.0.0"}
    (keyed,) = (row for row in app.dependencies if row.coordinate.checksum)
    assert keyed.coordinate.purl.startswith("pkg:npm/%40shop/ui@2.0.0?checksum=sha256:")
    assert purls(app) - {keyed.coordinate.purl} == {"pkg:npm/encoding@1.9.0", "pkg:npm/encoding@2.0.0"}
    assert (keyed.coordinate.purl, "pkg:npm/encoding@2.0.0") in app.edges
    assert purls(ui) == {"pkg:npm/encoding@2.0.0", "pkg:npm/built@1.0.0"}
    assert [each.skipped for each in (root, app, ui)] == [(), (), ()]


def test_a_member_that_is_not_on_disk_is_named_as_skipped(tmp_path: Path) -> None:
    _, app, _ = read(tmp_path, WORKSPACE)
    assert skipped(app) == {("@shop/ui", "2.0.0")}
    assert app.skipped[0].reason == "workspace source, not on this machine"


def test_the_nearest_folder_of_sources_stands_first(tmp_path: Path) -> None:
    for each in ("node_modules", "packages/app/node_modules"):
        (tmp_path / each).mkdir(parents=True)
    _, app, ui = read(tmp_path, WORKSPACE)
    assert app.source_folders == (str(tmp_path / "packages/app/node_modules"), str(tmp_path / "node_modules"))
    assert ui.source_folders == (str(tmp_path / "node_modules"),)


@pytest.mark.parametrize(
    ("row", "specifier", "reason"),
    [
        ({"resolved": "git+ssh://git@host.example/a.git#0123", "version": "1.0.0"}, "github:x/a", "git"),
        (
            {"resolved": "https://host.example/a-1.0.0.tgz", "version": "1.0.0"},
            "https://host.example/a-1.0.0.tgz",
            "url",
        ),
        ({"resolved": "https://host.example/archive/main.tar.gz", "version": "1.0.0"}, "^1", "url"),
        ({"resolved": "file:a.tgz", "version": "1.0.0"}, "file:a.tgz", "file"),
        ({"version": "1.0.0"}, "git+https://host.example/a.git", "git"),
    ],
)
def test_what_no_registry_serves_is_skipped_with_the_reason(
    tmp_path: Path, row: dict[str, object], specifier: str, reason: str
) -> None:
    packages = {"": {"dependencies": {"a": specifier}}, "node_modules/a": row}
    (closure,) = read(tmp_path, {"lockfileVersion": 3, "packages": packages})
    assert [(each.name, each.version, each.reason) for each in closure.skipped] == [
        ("a", "1.0.0", f"{reason} source, not on this machine")
    ]


def test_an_address_that_a_dependency_asks_for_is_no_registrys(tmp_path: Path) -> None:
    packages = {
        "": {"dependencies": {"a": "1"}},
        "node_modules/a": {"version": "1.0.0", "dependencies": {"sheets": "https://host.example/sheets-0.20.2.tgz"}},
        "node_modules/sheets": {"version": "0.20.2", "resolved": "https://host.example/sheets-0.20.2.tgz"},
    }
    (closure,) = read(tmp_path, {"lockfileVersion": 3, "packages": packages})
    assert [(each.name, each.reason) for each in closure.skipped] == [("sheets", "url source, not on this machine")]


def test_the_example_storefront_resolves_and_names_no_registry() -> None:
    path = Path(__file__).resolve().parents[3] / "examples/web-storefront/package-lock.json"
    (closure,) = NpmReader().read(path, linux_target()).closures
    declared = {full_name(row.coordinate) for row in closure.dependencies if row.scope == "declared"}
    assert {"express", "zod", "typescript", "@types/express"} <= declared
    assert len(closure.dependencies) > 100
    assert all(row.digests for row in closure.dependencies)
    assert "://" not in path.read_text()


def test_an_address_never_reaches_the_closure(tmp_path: Path) -> None:
    row = {"version": "1.0.0", "resolved": "https://secret-token@host.example/a/-/a-1.0.0.tgz"}
    (closure,) = read(
        tmp_path, {"lockfileVersion": 3, "packages": {"": {"dependencies": {"a": "1"}}, "node_modules/a": row}}
    )
    assert purls(closure) == {"pkg:npm/a@1.0.0"}
    assert "host.example" not in repr(closure)


def test_a_link_that_leads_out_of_the_project_is_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "index.js").write_text("exports.a = 1\n")
    project = tmp_path / "project"
    project.mkdir()
    packages = {
        "": {"dependencies": {"outside": "file:../outside"}},
        "../outside": {"version": "1.0.0"},
        "node_modules/outside": {"resolved": "../outside", "link": True},
    }
    lock = {"lockfileVersion": 3, "packages": packages}
    (closure,) = read(project, lock)
    assert [each.reason for each in closure.skipped] == ["file source outside the project"]
    # One repository with several projects: what lies beside the lock is the team's own.
    (tmp_path / ".git").mkdir()
    (closure,) = read(project, lock)
    assert [row.location for row in closure.dependencies] == [str(outside)]


def test_links_in_a_circle_and_links_to_nothing_end(tmp_path: Path) -> None:
    packages = {
        "": {"dependencies": {"a": "1", "b": "1", "c": "1"}},
        "node_modules/a": {"resolved": "node_modules/b", "link": True},
        "node_modules/b": {"resolved": "node_modules/a", "link": True},
        "node_modules/c": {"resolved": "gone", "link": True},
        "node_modules/d": {"link": True},
    }
    (closure,) = read(tmp_path, {"lockfileVersion": 3, "packages": packages})
    assert closure.dependencies == ()


@pytest.mark.parametrize(
    "lock",
    [
        {"lockfileVersion": 3, "packages": []},
        {"lockfileVersion": 3, "packages": {"node_modules/a": 3}},
        {"lockfileVersion": 3, "packages": {"": {"dependencies": [1]}}},
        {"lockfileVersion": 3, "packages": {"": {"workspaces": [3]}}},
        {"lockfileVersion": 1, "dependencies": {"a": {"version": 3}}},
        {"lockfileVersion": 1, "dependencies": {"a": {"version": "1.0.0", "dependencies": 3}}},
        {"lockfileVersion": True},
        {"lockfileVersion": "3"},
        {"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "1.0.0...2"}}},
        {"lockfileVersion": 3, "packages": {"node_modules/a": {"version": "1.0.0", "integrity": [1]}}},
    ],
)
def test_what_is_no_lock_is_refused(tmp_path: Path, lock: dict[str, object]) -> None:
    with pytest.raises(LockfileError):
        read(tmp_path, lock)


def test_hostile_nesting_is_refused_and_not_followed(tmp_path: Path) -> None:
    inner: dict[str, object] = {"version": "1.0.0"}
    for _ in range(300):
        inner = {"version": "1.0.0", "dependencies": {"a": inner}}
    with pytest.raises(LockfileError):
        read(tmp_path, {"lockfileVersion": 1, "dependencies": {"a": inner}})


def test_a_name_with_capitals_keeps_its_spelling(tmp_path: Path) -> None:
    packages = {
        "": {"dependencies": {"JSONStream": "1", "plain": "1"}},
        "node_modules/JSONStream": {"version": "1.3.5"},
        "node_modules/plain": {"version": "1.0.0"},
    }
    (closure,) = read(tmp_path, {"lockfileVersion": 3, "packages": packages})
    names = {row.coordinate.name.lower(): row.spelling or row.coordinate.name for row in closure.dependencies}
    assert names == {"jsonstream": "JSONStream", "plain": "plain"}
    assert closure.aliases == ()


def test_a_local_package_with_a_name_that_npm_has_not_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd/index.js").write_text("exports.a = 1\n")
    (tmp_path / "odd/package.json").write_text('{"name": "a...b", "version": "1.0.0"}')
    packages = {
        "": {"dependencies": {"odd": "file:odd"}},
        "odd": {"version": "1.0.0"},
        "node_modules/odd": {"resolved": "odd", "link": True},
    }
    (closure,) = read(tmp_path, {"lockfileVersion": 3, "packages": packages})
    assert [each.reason for each in closure.skipped] == ["file source with a name or version that npm has not"]
