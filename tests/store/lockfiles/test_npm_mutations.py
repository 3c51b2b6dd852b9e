"""Lock files of the npm family with something wrong in them: read or refused, never anything else.

Here: one change anywhere in a good lock, made by hypothesis, for each format. Not here: what a good lock means
(tests/store/lockfiles/test_<format>.py).
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.lockfile_reader import linux_target
from depcodex.errors import LockfileError
from depcodex.lockfiles.detection import reader_named

LOCKS: dict[str, tuple[str, Any]] = {
    "npm": (
        "package-lock.json",
        {
            "lockfileVersion": 3,
            "packages": {
                "": {"workspaces": ["packages/*"], "dependencies": {"a": "^1"}, "peerDependenciesMeta": {"a": {}}},
                "packages/m": {"name": "@s/m", "version": "1.0.0", "dependencies": {"a": "^1"}},
                "node_modules/@s/m": {"resolved": "packages/m", "link": True},
                "node_modules/a": {
                    "version": "1.0.0",
                    "integrity": "sha512-AAAA",
                    "optionalDependencies": {"b": "^1"},
                    "peerDependencies": {"c": "*"},
                },
                "node_modules/b": {"version": "1.0.0", "optional": True, "os": ["linux"], "cpu": ["x64"]},
                "node_modules/c": {"version": "1.0.0", "resolved": "git+ssh://git@host.example/c.git#0"},
            },
        },
    ),
    "npm 1": (
        "package-lock.json",
        {
            "lockfileVersion": 1,
            "dependencies": {
                "a": {
                    "version": "1.0.0",
                    "requires": {"b": "^1", "c": "1"},
                    "dependencies": {"b": {"version": "npm:d@1.0.0"}},
                },
                "b": {"version": "file:b", "dependencies": {"a": {"version": "2.0.0"}}},
                "c": {"version": "https://host.example/c.tgz"},
            },
        },
    ),
    "pnpm": (
        "pnpm-lock.yaml",
        {
            "lockfileVersion": "9.0",
            "importers": {
                ".": {"dependencies": {"a": {"specifier": "^1", "version": "1.0.0(b@1.0.0)"}}},
                "m": {"devDependencies": {"x": {"specifier": "*", "version": "link:../x"}}},
            },
            "packages": {
                "a@1.0.0": {"resolution": {"integrity": "sha512-AAAA"}, "os": ["linux"]},
                "b@1.0.0": {"resolution": {"directory": "b", "type": "directory"}},
                "c@https://host.example/c.tgz": {"resolution": {"tarball": "x"}, "version": "1.0.0"},
            },
            "snapshots": {"a@1.0.0(b@1.0.0)": {"dependencies": {"b": "1.0.0"}, "optional": "true"}, "b@1.0.0": {}},
        },
    ),
    "pnpm 5": (
        "pnpm-lock.yaml",
        {
            "lockfileVersion": "5.4",
            "specifiers": {"a": "^1"},
            "dependencies": {"a": "1.0.0_b@1.0.0"},
            "packages": {
                "/a/1.0.0_b@1.0.0": {"resolution": {"integrity": "sha512-AAAA"}, "dependencies": {"b": "1.0.0"}},
                "/b/1.0.0": {
                    "resolution": {"type": "git", "repo": "x", "commit": "0"},
                    "name": "b",
                    "version": "1.0.0",
                },
            },
        },
    ),
    "yarn": (
        "yarn.lock",
        {
            "__metadata": {"version": "8"},
            "a@npm:^1, a@npm:1": {
                "version": "1.0.0",
                "resolution": "a@npm:1.0.0",
                "dependencies": {"b": "npm:^1"},
                "dependenciesMeta": {"b": {"optional": "true"}},
                "peerDependencies": {"c": "*"},
                "conditions": "os=linux",
            },
            "b@npm:^1": {"version": "1.0.0", "resolution": "b@patch:b@npm%3A1.0.0#x.patch"},
            "m@workspace:.": {
                "version": "0.0.0-use.local",
                "resolution": "m@workspace:.",
                "dependencies": {"a": "npm:^1"},
            },
        },
    ),
    "bun": (
        "bun.lock",
        {
            "lockfileVersion": 1,
            "workspaces": {
                "": {"name": "m", "dependencies": {"a": "^1"}, "optionalPeers": ["b"]},
                "p": {"name": "@s/p", "version": "1.0.0", "dependencies": {"a": "^1"}},
            },
            "packages": {
                "@s/p": ["@s/p@workspace:p"],
                "@s/p/a": ["a@2.0.0", "", {"peerDependencies": {"b": "*"}, "os": "linux"}, "sha512-AAAA"],
                "a": ["a@1.0.0", "", {"dependencies": {"b": "^1"}}, "sha512-AAAA"],
                "b": ["b@file:b", {}],
            },
        },
    ),
}
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 99)
    | st.sampled_from(
        [
            "",
            ".",
            "..",
            "/",
            "../../..",
            "@",
            "a@",
            "link:",
            "file:",
            "npm:",
            "workspace:",
            "patch:a",
            "\0",
            "1.0.0...2",
        ]
    )
    | st.text(max_size=6)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


def _changed(document: Any, draw: st.DataObject) -> Any:
    """The document with one value replaced, one key renamed, or one taken out."""
    document = copy.deepcopy(document)
    node = document
    for _ in range(draw.draw(st.integers(0, 4))):
        inner = [
            each
            for each in (node.values() if isinstance(node, dict) else node)
            if isinstance(each, (dict, list)) and each
        ]
        if not inner:
            break
        node = draw.draw(st.sampled_from(inner))
    if isinstance(node, list):
        node[draw.draw(st.integers(0, len(node) - 1))] = draw.draw(_VALUES)
        return document
    key = draw.draw(st.sampled_from(sorted(node)))
    kind = draw.draw(st.sampled_from(["replace", "replace", "rename", "remove"]))
    value = node.pop(key)
    if kind == "replace":
        node[key] = draw.draw(_VALUES)
    elif kind == "rename":
        node[draw.draw(st.sampled_from(["", "..", "../x", "/", "@", "\0"]) | st.text(max_size=8))] = value
    return document


@pytest.mark.parametrize("name", sorted(LOCKS))
@given(draw=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_lock_with_one_thing_changed_is_read_or_refused(name: str, draw: st.DataObject, tmp_path: Path) -> None:
    file_name, document = LOCKS[name]
    changed = _changed(document, draw)
    text = yaml.safe_dump(changed) if file_name in ("pnpm-lock.yaml", "yarn.lock") else json.dumps(changed)
    path = tmp_path / file_name
    path.write_text(text, encoding="utf-8", errors="replace")
    reader = reader_named(name.partition(" ")[0])
    try:
        reading = reader.read(path, linux_target())
    except LockfileError as problem:
        assert type(problem) is reader.error
        assert "\n" not in str(problem)
        return
    for closure in reading.closures:
        assert all(not row.location or Path(row.location).is_relative_to(tmp_path) for row in closure.dependencies)
        assert all(row.reason for row in closure.skipped)
