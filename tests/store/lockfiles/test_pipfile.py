"""Lock files and environments: pipfile."""

from __future__ import annotations

import json
from pathlib import Path

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls, skipped
from depcodex.lockfiles.pipfile import PipfileReader

DIGEST = "0123456789abcdef" * 4
DOCUMENT = {
    "_meta": {"hash": {"sha256": DIGEST}, "pipfile-spec": 6, "requires": {"python_version": "3.12"}, "sources": []},
    "default": {
        "client": {"hashes": [f"sha256:{DIGEST}"], "version": "==2.0.0", "extras": ["socks"]},
        "encoding": {"hashes": [], "markers": "python_version >= '3.6'", "version": "==1.0"},
        "winlib": {"markers": "sys_platform == 'win32'", "version": "==1.1"},
    },
    "develop": {
        "encoding": {"version": "==1.1"},
        "tester": {"hashes": [], "version": "==8.0"},
    },
    "docs": {"writer": {"version": "==3.0"}},
}
MANIFEST = """
[packages]
client = { version = "*", extras = ["socks"] }
[dev-packages]
tester = "*"
[docs]
writer = "*"
"""


class TestPipfileLock(LockfileReaderContract):
    format_name = "pipfile"
    file_name = "Pipfile.lock"
    manifest_name = "Pipfile"
    good = json.dumps(DOCUMENT, indent=4)
    good_manifest = MANIFEST
    good_purls = frozenset({"pkg:pypi/client@2.0.0", "pkg:pypi/encoding@1.0"})
    good_skipped = frozenset({("encoding", "1.1"), ("tester", "8.0"), ("winlib", "1.1"), ("writer", "3.0")})
    empty = ""
    malformed = json.dumps(DOCUMENT)[:-20]
    wrong_version = json.dumps({**DOCUMENT, "_meta": {"pipfile-spec": 7}})
    wrong_type = json.dumps({**DOCUMENT, "default": {"client": "==2.0.0"}})

    def test_the_pipfile_names_the_roots(self, tmp_path: Path) -> None:
        rows = {row.coordinate.name: row for row in self.read_good(tmp_path).closures[0].dependencies}
        assert (rows["client"].scope, rows["client"].distance) == ("declared", 1)
        assert (rows["encoding"].scope, rows["encoding"].distance) == ("importable", None)
        assert rows["client"].digests == (f"sha256:{DIGEST}",)

    def test_where_two_categories_name_a_package_the_main_one_wins(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, self.good)
        closure = self.reader.read(path, linux_target(groups=("dev", "docs"))).closures[0]
        assert purls(closure) == {*self.good_purls, "pkg:pypi/tester@8.0", "pkg:pypi/writer@3.0"}
        assert ("encoding", "1.1") in skipped(closure)


def test_an_entry_without_a_version_is_said_and_not_listed(tmp_path: Path) -> None:
    path = tmp_path / "Pipfile.lock"
    document = {
        "_meta": {"pipfile-spec": 6},
        "default": {"gone": {"git": "https://git.example.invalid/g", "ref": "abc"}},
    }
    path.write_text(json.dumps(document))
    reading = PipfileReader().read(path, linux_target())
    assert reading.closures[0].dependencies == ()
    assert reading.closures[0].skipped == ()
    assert "gone" in reading.notes[0]


def test_an_editable_path_is_keyed_by_its_tree_and_the_project_itself_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / "libs/here").mkdir(parents=True)
    (tmp_path / "libs/here/module.py").write_text("x = 1\n")
    path = tmp_path / "Pipfile.lock"
    entries = {"here": {"editable": True, "path": "./libs/here"}, "app": {"editable": True, "path": "."}}
    path.write_text(json.dumps({"_meta": {"pipfile-spec": 6}, "default": entries}))
    reading = PipfileReader().read(path, linux_target())
    (row,) = reading.closures[0].dependencies
    assert (row.coordinate.name, row.coordinate.version, row.location) == ("here", "0", str(tmp_path / "libs/here"))
    assert reading.notes == ()
