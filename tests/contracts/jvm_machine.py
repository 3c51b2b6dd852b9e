"""A machine without anything of Maven or Gradle, and what a test puts there.

Here: the caches of one test. Not here: jars (data.jars).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from depcodex.lockfiles.jvm_caches import JvmCaches


def empty_caches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> JvmCaches:
    """Caches below a folder, where this process and what it starts find them; mvn is not on the path."""
    monkeypatch.setenv("MAVEN_OPTS", f"-Dmaven.repo.local={folder / 'm2'}")
    monkeypatch.delenv("MAVEN_ARGS", raising=False)
    monkeypatch.setenv("GRADLE_USER_HOME", str(folder / "gradle-home"))
    return JvmCaches.of()


def put_in_maven(caches: JvmCaches, group: str, artifact: str, version: str, ending: str, content: bytes) -> Path:
    """A file as Maven keeps it, with the sha1 that the registry gave."""
    path = caches.repository.joinpath(*group.split("."), artifact, version, f"{artifact}-{version}{ending}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.with_name(f"{path.name}.sha1").write_text(hashlib.sha1(content, usedforsecurity=False).hexdigest())
    return path


def put_in_gradle(caches: JvmCaches, group: str, artifact: str, version: str, ending: str, content: bytes) -> Path:
    """A file as Gradle keeps it, in a folder that its sha1 names."""
    sha1 = hashlib.sha1(content, usedforsecurity=False).hexdigest().lstrip("0")
    folder = caches.gradle_home / "caches/modules-2/files-2.1" / group / artifact / version / sha1
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{artifact}-{version}{ending}"
    path.write_bytes(content)
    return path
