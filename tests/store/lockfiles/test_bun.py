"""Lock files and environments: bun's bun.lock."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls
from depcodex.closure import Closure
from depcodex.errors import LockfileError
from depcodex.lockfiles.bun import BunReader

INTEGRITY = "sha512-" + base64.b64encode(bytes(64)).decode()
GOOD = f"""{{
  "lockfileVersion": 1,
  "workspaces": {{
    "": {{
      "name": "shop",
      "dependencies": {{
        "client": "^2", // the only one
        "wide": "npm:string-width@^4",
      }},
      "devDependencies": {{ "@scope/tester": "^1" }},
      "optionalDependencies": {{ "watcher": "^2" }},
    }},
  }},
  "packages": {{
    "@scope/tester": ["@scope/tester@1.0.0", "", {{ "dependencies": {{ "encoding": "^1" }} }}, "{INTEGRITY}"],

    "client": ["client@2.0.0", "",
      {{ "dependencies": {{ "encoding": "^2" }}, "peerDependencies": {{ "peer": "*" }} }}, "{INTEGRITY}"],

    "encoding": ["encoding@2.0.0", "", {{}}, "{INTEGRITY}"],

    "left": ["left@1.0.0", "", {{}}, "{INTEGRITY}"],

    "peer": ["peer@7.0.0", "", {{}}, "{INTEGRITY}"],

    "watcher": ["watcher@2.1.0", "", {{ "os": "darwin" }}, "{INTEGRITY}"],

    "wide": ["string-width@4.2.3", "", {{}}, "{INTEGRITY}"],

    "@scope/tester/encoding": ["encoding@1.9.0", "", {{}}, "{INTEGRITY}"],
  }}
}}
"""


class TestBunLock(LockfileReaderContract):
    format_name = "bun"
    file_name = "bun.lock"
    manifest_name = "package.json"
    good = GOOD
    good_purls = frozenset(
        {
            "pkg:npm/%40scope/tester@1.0.0",
            "pkg:npm/client@2.0.0",
            "pkg:npm/encoding@1.9.0",
            "pkg:npm/encoding@2.0.0",
            "pkg:npm/peer@7.0.0",
            "pkg:npm/string-width@4.2.3",
        }
    )
    good_skipped = frozenset({("watcher", "2.1.0"), ("left", "1.0.0")})
    empty = "{}"
    malformed = GOOD + "}"
    wrong_version = GOOD.replace('"lockfileVersion": 1', '"lockfileVersion": 3')
    wrong_type = '{"lockfileVersion": 1, "workspaces": {"": {}}, "packages": {"a": [3]}}'

    def test_each_asker_gets_its_nearest_copy(self, tmp_path: Path) -> None:
        assert set(self.read_good(tmp_path).closures[0].edges) == {
            ("pkg:npm/%40scope/tester@1.0.0", "pkg:npm/encoding@1.9.0"),
            ("pkg:npm/client@2.0.0", "pkg:npm/encoding@2.0.0"),
            ("pkg:npm/client@2.0.0", "pkg:npm/peer@7.0.0"),
        }

    def test_alias_and_digest(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        assert closure.aliases == (("", "wide", "pkg:npm/string-width@4.2.3"),)
        assert {row.digests for row in closure.dependencies} == {("sha512:" + "0" * 128,)}


def read(folder: Path, text: str) -> tuple[Closure, ...]:
    path = folder / "bun.lock"
    path.write_text(text)
    return BunReader().read(path, linux_target()).closures


WORKSPACE = """{
  "lockfileVersion": 2, "configVersion": 1,
  "workspaces": {
    "": { "name": "shop", "devDependencies": { "encoding": "^2" } },
    "packages/app": {
      "name": "@shop/app", "version": "1.0.0",
      "dependencies": { "@shop/ui": "*", "encoding": "^1", "odd": "github:x/odd",
        "packed": "file:../../packed-1.0.0.tgz", "tool": "file:../../tool" },
    },
    "packages/ui": {
      "name": "@shop/ui", "version": "2.0.0",
      "devDependencies": { "built": "1" }, "peerDependencies": { "encoding": "*" },
    },
  },
  "packages": {
    "@shop/app": ["@shop/app@workspace:packages/app"],
    "@shop/ui": ["@shop/ui@workspace:packages/ui"],
    "built": ["built@1.0.0", "", {}, "sha512-x"],
    "encoding": ["encoding@2.0.0", "", {}, "sha512-x"],
    "odd": ["odd@github:x/odd#6609a88", {}, "x-odd-6609a88"],
    "packed": ["packed@../../packed-1.0.0.tgz", { "dependencies": { "built": "1" } }, "sha512-x"],
    "tool": ["tool@file:tool", { "dependencies": { "built": "1" } }],
    "@shop/app/encoding": ["encoding@1.9.0", "", {}, "sha512-x"],
  }
}"""


def test_members_own_copies_and_folders(tmp_path: Path) -> None:
    for folder in ("packages/ui", "tool"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "index.js").write_text("exports.a = 1\n")
    root, app, ui = read(tmp_path, WORKSPACE)
    assert purls(root) == {"pkg:npm/encoding@2.0.0"}
    assert purls(ui) == {"pkg:npm/built@1.0.0", "pkg:npm/encoding@2.0.0"}
    names = {purl.partition("?")[0] for purl in purls(app)}
    assert names == {
        "pkg:npm/%40shop/ui@2.0.0",
        "pkg:npm/built@1.0.0",
        "pkg:npm/encoding@1.9.0",
        "pkg:npm/encoding@2.0.0",
        "pkg:npm/tool@0.0.0",
    }
    assert {row.coordinate.name: row.location for row in app.dependencies if row.location} == {
        "ui": str(tmp_path / "packages/ui"),
        "tool": str(tmp_path / "tool"),
    }
    assert [(each.name, each.reason) for each in app.skipped] == [
        ("odd", "git source, not on this machine"),
        ("packed", "file source, not on this machine"),
    ]


@pytest.mark.parametrize(
    "packages",
    ['{"a": {}}', '{"a": []}', "[]", '{"a": ["a@1.0.0", "", {"dependencies": [1]}, ""]}', '{"a": ["a@1.0.0...2"]}'],
)
def test_rows_of_another_shape_are_refused_or_name_nothing(tmp_path: Path, packages: str) -> None:
    text = f'{{"lockfileVersion": 1, "workspaces": {{"": {{"dependencies": {{"a": "1"}}}}}}, "packages": {packages}}}'
    if "..." in packages:
        # No version, so no release: whatever it is, it is skipped and never a coordinate.
        (closure,) = read(tmp_path, text)
        assert closure.dependencies == ()
        return
    with pytest.raises(LockfileError):
        read(tmp_path, text)


ISOLATED = """{
  "lockfileVersion": 2, "configVersion": 1,
  "workspaces": {
    "": { "name": "shop" },
    "new": { "name": "new", "dependencies": { "hooks": "1", "react": "18" } },
    "old": { "name": "old", "dependencies": { "hooks": "1", "react": "17" } },
  },
  "packages": {
    "hooks": ["hooks@1.0.0", "", { "peerDependencies": { "react": "*" } }, "sha512-x"],
    "new": ["new@workspace:new"],
    "old": ["old@workspace:old"],
    "react": ["react@18.0.0", "", {}, "sha512-x"],
    "old/react": ["react@17.0.0", "", {}, "sha512-x"],
  }
}"""


def test_installed_isolated_each_member_gets_the_peers_that_it_has_itself(tmp_path: Path) -> None:
    _, new, old = read(tmp_path, ISOLATED)
    assert new.edges == (("pkg:npm/hooks@1.0.0", "pkg:npm/react@18.0.0"),)
    assert old.edges == (("pkg:npm/hooks@1.0.0", "pkg:npm/react@17.0.0"),)


def test_installed_hoisted_a_package_finds_its_peers_where_it_lies(tmp_path: Path) -> None:
    _, new, old = read(tmp_path, ISOLATED.replace(', "configVersion": 1', ""))
    assert new.edges == old.edges == (("pkg:npm/hooks@1.0.0", "pkg:npm/react@18.0.0"),)


def test_without_workspaces_everything_belongs_to_the_closure(tmp_path: Path) -> None:
    packages = '{"a": ["a@1.0.0", "", {"dependencies": {"b": "1"}}, "x"], "b": ["b@1.0.0", "", {}, "x"]}'
    (closure,) = read(tmp_path, f'{{"lockfileVersion": 1, "packages": {packages}}}')
    assert closure.edges == (("pkg:npm/a@1.0.0", "pkg:npm/b@1.0.0"),)
    assert {row.distance for row in closure.dependencies} == {None}
