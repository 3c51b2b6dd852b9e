"""Lock files and environments: pylock."""

from __future__ import annotations

from pathlib import Path

import pytest

from contracts.lockfile_reader import LockfileReaderContract, linux_target, purls
from depcodex.lockfiles.pylock import PylockReader

DIGEST = "0123456789abcdef" * 4
GOOD = f"""lock-version = "1.0"
requires-python = ">=3.10"
extras = ["db"]
dependency-groups = ["dev", "default"]
default-groups = ["default"]
created-by = "a tool"

[[packages]]
name = "app"
directory = {{ path = ".", editable = true }}
dependencies = [{{ name = "client" }}]

[[packages]]
name = "client"
version = "2.0.0"
requires-python = ">=3.8"
marker = "'default' in dependency_groups"
dependencies = [{{ name = "encoding" }}, {{ name = "winlib" }}]
sdist = {{ name = "client-2.0.0.tar.gz", hashes = {{ sha256 = "{DIGEST}" }} }}
wheels = [{{ name = "client-2.0.0-py3-none-any.whl", hashes = {{ sha256 = "{DIGEST[::-1]}", md5 = "00" }} }}]

[[packages]]
name = "encoding"
version = "1.0"
wheels = []

[[packages]]
name = "numbers-lib"
version = "1.26.0"
marker = "python_version < '3.11'"

[[packages]]
name = "numbers-lib"
version = "2.1.0"
marker = "python_version >= '3.11'"

[[packages]]
name = "database"
version = "3.0"
marker = "'db' in extras"

[[packages]]
name = "tester"
version = "8.0"
marker = "'dev' in dependency_groups"

[[packages]]
name = "winlib"
version = "1.1"
marker = "sys_platform == 'win32'"

[[packages]]
name = "futuristic"
version = "9.0"
requires-python = ">=3.99"
"""


class TestPylock(LockfileReaderContract):
    format_name = "pylock"
    file_name = "pylock.toml"
    good = GOOD
    good_purls = frozenset({"pkg:pypi/client@2.0.0", "pkg:pypi/encoding@1.0", "pkg:pypi/numbers-lib@2.1.0"})
    good_skipped = frozenset(
        {("database", "3.0"), ("futuristic", "9.0"), ("numbers-lib", "1.26.0"), ("tester", "8.0"), ("winlib", "1.1")}
    )
    empty = ""
    malformed = GOOD[:200] + "\n= 3\n"
    wrong_version = GOOD.replace('lock-version = "1.0"', 'lock-version = "2.0"')
    wrong_type = 'lock-version = "1.0"\n[[packages]]\nname = "a"\nversion = "1"\nwheels = [3]\n'

    def test_reasons_name_the_group_the_extra_or_the_marker(self, tmp_path: Path) -> None:
        reasons = {(row.name, row.version): row.reason for row in self.read_good(tmp_path).closures[0].skipped}
        assert reasons[("tester", "8.0")] == "group dev is not asked for"
        assert reasons[("database", "3.0")] == "extra db is not asked for"
        assert "marker" in reasons[("winlib", "1.1")]
        assert "requires-python" in reasons[("futuristic", "9.0")]

    def test_asked_groups_and_extras_come_in(self, tmp_path: Path) -> None:
        target = linux_target(groups=("dev",), extras=("db",))
        closure = self.reader.read(self.write(tmp_path, GOOD), target).closures[0]
        assert {"pkg:pypi/tester@8.0", "pkg:pypi/database@3.0"} <= purls(closure)

    def test_edges_and_digests_are_kept_and_nothing_has_a_distance(self, tmp_path: Path) -> None:
        closure = self.read_good(tmp_path).closures[0]
        assert ("pkg:pypi/client@2.0.0", "pkg:pypi/encoding@1.0") in closure.edges
        assert {row.distance for row in closure.dependencies} == {None}
        assert closure.dependencies[0].digests == tuple(sorted((f"sha256:{DIGEST}", f"sha256:{DIGEST[::-1]}")))

    def test_a_manifest_beside_it_names_the_roots(self, tmp_path: Path) -> None:
        manifest = '[project]\nname = "app"\ndependencies = ["client>=2"]\n'
        path = self.write(tmp_path, GOOD, manifest)
        rows = {row.coordinate.name: row for row in self.reader.read(path, linux_target()).closures[0].dependencies}
        assert (rows["client"].scope, rows["client"].distance) == ("declared", 1)
        assert (rows["encoding"].distance, rows["encoding"].via) == (2, ("pkg:pypi/client@2.0.0",))
        assert (rows["numbers-lib"].scope, rows["numbers-lib"].distance) == ("importable", None)

    @pytest.mark.parametrize("name", ["pylock.toml", "pylock.web.toml"])
    def test_the_file_names_of_the_specification_are_found(self, tmp_path: Path, name: str) -> None:
        from depcodex.lockfiles.detection import find_locks

        (tmp_path / name).write_text(GOOD)
        assert [(format.name, path.name) for format, path in find_locks(tmp_path)] == [("pylock", name)]


def test_a_missing_version_is_read_from_the_archive_name(tmp_path: Path) -> None:
    path = tmp_path / "pylock.toml"
    path.write_text(
        'lock-version = "1.0"\n[[packages]]\nname = "client"\n'
        'wheels = [{ url = "https://files.example.invalid/client-2.0.0-py3-none-any.whl", hashes = {} }]\n'
    )
    assert purls(PylockReader().read(path, linux_target()).closures[0]) == {"pkg:pypi/client@2.0.0"}
