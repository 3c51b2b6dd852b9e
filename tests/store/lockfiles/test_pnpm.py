"""Lock files and environments: pnpm's pnpm-lock.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.errors import LockfileError
from depcodex.lockfiles.interface import Reading
from depcodex.lockfiles.pnpm import PnpmReader

DIGEST = "A" * 86 + "=="
GOOD = f"""lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

importers:

  .:
    dependencies:
      client:
        specifier: ^2
        version: 2.0.0(react@18.3.1)
      wide:
        specifier: npm:string-width@^4
        version: string-width@4.2.3
    optionalDependencies:
      watcher:
        specifier: ^2
        version: 2.1.0
    devDependencies:
      '@scope/tester':
        specifier: ^1
        version: 1.10.0

packages:

  '@scope/tester@1.10.0':
    resolution: {{integrity: sha512-{DIGEST}}}

  client@2.0.0:
    resolution: {{integrity: sha512-{DIGEST}}}
    peerDependencies:
      react: '*'

  encoding@1.9.0:
    resolution: {{integrity: sha512-{DIGEST}}}

  forgotten@1.0.0:
    resolution: {{integrity: sha512-{DIGEST}}}

  react@18.3.1:
    resolution: {{integrity: sha512-{DIGEST}}}

  string-width@4.2.3:
    resolution: {{integrity: sha512-{DIGEST}}}

  watcher@2.1.0:
    resolution: {{integrity: sha512-{DIGEST}}}
    os: [darwin]

snapshots:

  '@scope/tester@1.10.0':
    dependencies:
      narrow: encoding@1.9.0

  client@2.0.0(react@18.3.1):
    dependencies:
      encoding: 1.9.0
      react: 18.3.1

  encoding@1.9.0: {{}}

  forgotten@1.0.0: {{}}

  react@18.3.1: {{}}

  string-width@4.2.3: {{}}

  watcher@2.1.0:
    optional: true
"""


class TestPnpmLock(LockfileReaderContract):
    format_name = "pnpm"
    file_name = "pnpm-lock.yaml"
    manifest_name = "package.json"
    good = GOOD
    good_purls = frozenset(
        {
            "pkg:npm/client@2.0.0",
            "pkg:npm/encoding@1.9.0",
            "pkg:npm/react@18.3.1",
            "pkg:npm/string-width@4.2.3",
            "pkg:npm/%40scope/tester@1.10.0",
        }
    )
    good_skipped = frozenset({("watcher", "2.1.0"), ("forgotten", "1.0.0")})
    empty = "# nothing yet\n"
    malformed = GOOD + "\n  - [\n"
    wrong_version = GOOD.replace("'9.0'", "'10.0'")
    wrong_type = "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies: [client]\n"

    def test_peers_are_edges_to_what_they_were_resolved_with(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        assert ("pkg:npm/client@2.0.0", "pkg:npm/react@18.3.1") in closure.edges

    def test_aliases_keep_the_name_of_who_imports_them(self, tmp_path: Path) -> None:
        assert self.read_good(tmp_path).closures[0].aliases == (
            ("", "wide", "pkg:npm/string-width@4.2.3"),
            ("pkg:npm/%40scope/tester@1.10.0", "narrow", "pkg:npm/encoding@1.9.0"),
        )

    def test_versions_stay_texts_and_digests_become_hexadecimal(self, tmp_path: Path) -> None:
        rows = {row.coordinate.name: row for row in self.read_good(tmp_path).closures[0].dependencies}
        assert rows["tester"].coordinate.version == "1.10.0"
        assert rows["tester"].digests == ("sha512:" + "0" * 128,)


def read(folder: Path, text: str) -> Reading:
    path = folder / "pnpm-lock.yaml"
    path.write_text(text)
    return PnpmReader().read(path, linux_target())


OLD = {
    "5.4": """lockfileVersion: 5.4
specifiers: {client: ^2, '@scope/part': ^3, wide: npm:string-width@^4}
dependencies:
  client: 2.0.0_react@18.3.1
  wide: /string-width/4.2.3
devDependencies:
  '@scope/part': 3.0.0
packages:
  /@scope/part/3.0.0:
    resolution: {integrity: sha512-x}
    dev: true
  /client/2.0.0_react@18.3.1:
    resolution: {integrity: sha512-x}
    dependencies:
      react: 18.3.1
  /react/18.3.1:
    resolution: {integrity: sha512-x}
  /string-width/4.2.3:
    resolution: {integrity: sha512-x}
""",
    "6.0": """lockfileVersion: '6.0'
dependencies:
  client:
    specifier: ^2
    version: 2.0.0(react@18.3.1)
  wide:
    specifier: npm:string-width@^4
    version: /string-width@4.2.3
devDependencies:
  '@scope/part':
    specifier: ^3
    version: 3.0.0
packages:
  /@scope/part@3.0.0:
    resolution: {integrity: sha512-x}
    dev: true
  /client@2.0.0(react@18.3.1):
    resolution: {integrity: sha512-x}
    dependencies:
      react: 18.3.1
  /react@18.3.1:
    resolution: {integrity: sha512-x}
  /string-width@4.2.3:
    resolution: {integrity: sha512-x}
""",
}


@pytest.mark.parametrize("version", sorted(OLD))
def test_older_versions_mean_the_same(tmp_path: Path, version: str) -> None:
    (closure,) = read(tmp_path, OLD[version]).closures
    assert purls(closure) == {
        "pkg:npm/%40scope/part@3.0.0",
        "pkg:npm/client@2.0.0",
        "pkg:npm/react@18.3.1",
        "pkg:npm/string-width@4.2.3",
    }
    assert closure.edges == (("pkg:npm/client@2.0.0", "pkg:npm/react@18.3.1"),)
    assert closure.aliases == (("", "wide", "pkg:npm/string-width@4.2.3"),)
    assert {row.distance for row in closure.dependencies} == {1, 2}


WORKSPACE = """lockfileVersion: '9.0'
importers:
  .: {}
  packages/app:
    dependencies:
      '@shop/ui': {specifier: workspace:*, version: link:../ui}
      lib: {specifier: link:../../lib, version: link:../../lib}
      packed: {specifier: file:../../packed, version: packed-name@file:packed}
  packages/ui:
    dependencies:
      encoding: {specifier: ^2, version: 2.0.0}
    devDependencies:
      built: {specifier: ^1, version: 1.0.0}
packages:
  built@1.0.0: {resolution: {integrity: sha512-x}}
  encoding@2.0.0: {resolution: {integrity: sha512-x}}
  odd@https://host.example/odd.tar.gz: {resolution: {tarball: https://host.example/odd.tar.gz}, version: 1.0.0}
  packed-name@file:packed: {resolution: {directory: packed, type: directory}}
snapshots:
  built@1.0.0: {}
  encoding@2.0.0: {}
  odd@https://host.example/odd.tar.gz: {}
  packed-name@file:packed:
    dependencies:
      odd: https://host.example/odd.tar.gz
"""


def test_importers_links_and_folders_are_keyed_by_their_trees(tmp_path: Path) -> None:
    for folder, name in (("packages/ui", "@shop/ui"), ("lib", "lib"), ("packed", "packed-name")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "index.ts").write_text("export const a = 1\n")
        (tmp_path / folder / "package.json").write_text(f'{{"name": "{name}", "version": "0.1.0"}}')
    root, app, ui = read(tmp_path, WORKSPACE).closures
    assert root.dependencies == ()
    assert purls(ui) == {"pkg:npm/encoding@2.0.0", "pkg:npm/built@1.0.0"}
    keyed = {row.coordinate.purl.partition("?")[0]: row for row in app.dependencies if row.coordinate.checksum}
    assert set(keyed) == {"pkg:npm/%40shop/ui@0.1.0", "pkg:npm/lib@0.1.0", "pkg:npm/packed-name@0.1.0"}
    assert {row.scope for row in keyed.values()} == {"declared"}
    # What only a dependency's development needs is not installed for its askers.
    assert purls(app) - {row.coordinate.purl for row in keyed.values()} == {"pkg:npm/encoding@2.0.0"}
    assert [(each.name, each.version, each.reason) for each in app.skipped] == [
        ("odd", "1.0.0", "url source, not on this machine")
    ]
    assert app.aliases == (("", "packed", keyed["pkg:npm/packed-name@0.1.0"].coordinate.purl),)


def test_links_to_nothing_are_named_as_skipped(tmp_path: Path) -> None:
    _, app, _ = read(tmp_path, WORKSPACE).closures
    assert skipped(app) == {("@shop/ui", ""), ("lib", ""), ("packed-name", ""), ("odd", "1.0.0")}


def test_the_last_of_several_documents_is_the_projects(tmp_path: Path) -> None:
    tools = "lockfileVersion: '9.0'\nimporters:\n  .:\n    configDependencies: {tool: {specifier: 1, version: 1.0.0}}\n"
    (closure,) = read(tmp_path, f"---\n{tools}\n---\n{GOOD}").closures
    assert purls(closure) == TestPnpmLock.good_purls


def test_a_patched_package_is_said_to_be_read_as_released(tmp_path: Path) -> None:
    patched = GOOD.replace("importers:", "patchedDependencies:\n  client@2.0.0: {hash: abc, path: p.patch}\nimporters:")
    assert read(tmp_path, patched).notes == ("pnpm-lock.yaml: 1 packages are patched; they are read as released",)


@pytest.mark.parametrize(
    "text",
    [
        "packages:\n  /a/1.0.0: {}\n",
        "lockfileVersion: '4.0'\n",
        "lockfileVersion: {a: b}\n",
        "lockfileVersion: '9.0'\npackages:\n  a: {}\n",
        "lockfileVersion: '9.0'\npackages:\n  a@1.0.0: []\n",
        "lockfileVersion: '9.0'\npackages:\n  a@1.0.0: {resolution: x}\n",
        "lockfileVersion: '5.3'\npackages:\n  nowhere: {}\n",
        "lockfileVersion: '9.0'\nimporters: [a]\n",
        "lockfileVersion: '9.0'\npackages:\n  a@1.0.0: {version: 1.0.0...2}\n",
    ],
)
def test_what_is_no_lock_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(LockfileError):
        read(tmp_path, text)
