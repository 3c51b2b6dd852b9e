"""Where Maven and Gradle keep what they fetched on this machine.

Here: the folders, and the files of one artifact in them. Not here: reading a jar, which of the files serve
(depcodex_assets.ecosystems), the formats of lock files.

Layouts: Maven's repository layout 2 (``group/as/path/artifact/version/artifact-version[-classifier].extension``, a
``.sha1`` beside each file that came from a registry); Gradle's ``modules-2/files-2.1/group/artifact/version/<sha1>/``,
where the folder's name is the file's sha1 without leading zeros (Gradle 4.4.1 to 8).
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_LOCAL_PATTERN = re.compile(r"-Dmaven\.repo\.local=(.+)")
_PLACE_PATTERN = re.compile(r"\$\{([^}]+)\}")
_GRADLE_FILES = "caches/modules-2/files-2.1"


@dataclass(frozen=True)
class CachedFile:
    """One file of an artifact in a cache.

    Attributes:
        path: where it lies.
        sha1: 40 hexadecimal digits that the registry gave for it; "" where the cache does not know.
    """

    path: Path
    sha1: str


@dataclass(frozen=True)
class JvmCaches:
    """The caches of this account.

    Attributes:
        repository: Maven's local repository; need not exist.
        gradle_home: Gradle's user home; need not exist.
    """

    repository: Path
    gradle_home: Path

    @classmethod
    def of(cls, environ: Mapping[str, str] | None = None) -> JvmCaches:
        """The caches as Maven and Gradle find them: options, the user's settings.xml, their defaults."""
        environ = os.environ if environ is None else environ
        home = _java_home_folder()
        return cls(
            _repository(environ, home),
            Path(environ.get("GRADLE_USER_HOME") or home / ".gradle"),
        )

    def files(self, group: str, artifact: str, version: str, ending: str) -> Iterator[CachedFile]:
        """The files ``artifact-version<ending>`` of an artifact, Maven's before Gradle's.

        Args:
            group: as a lock writes it.
            artifact: likewise.
            version: likewise; a snapshot's is found where it was installed on this machine.
            ending: ``.jar``, ``-sources.jar``, ``.pom``.
        """
        parts = (*group.split("."), artifact, version)
        if not all(_is_plain(each) for each in (group, *parts)):
            return
        name = f"{artifact}-{version}{ending}"
        path = self.repository.joinpath(*parts, name)
        if path.is_file():
            yield CachedFile(path, _sha1_beside(path))
        folder = self.gradle_home / _GRADLE_FILES / group / artifact / version
        for place in sorted(folder.glob(f"*/{_escaped(name)}")):
            if place.is_file() and re.fullmatch(r"[0-9a-f]{1,40}", place.parent.name):
                yield CachedFile(place, place.parent.name.zfill(40))


def _is_plain(part: str) -> bool:
    """Whether a part of a coordinate is one folder's name: it comes out of a lock file and becomes a path."""
    return part not in ("", ".", "..") and not set(part) & {"/", "\\", "\0"}


def _escaped(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)


def _sha1_beside(path: Path) -> str:
    try:
        text = path.with_name(f"{path.name}.sha1").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # Some registries write the file's name after the digest.
    match = re.search(r"\b[0-9a-fA-F]{40}\b", text)
    return match[0].lower() if match else ""


def _java_home_folder() -> Path:
    """The folder that Java calls user.home: the account's, whatever HOME says."""
    try:
        import pwd

        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except (ImportError, KeyError):
        return Path.home()


def _repository(environ: Mapping[str, str], home: Path) -> Path:
    for variable in ("MAVEN_ARGS", "MAVEN_OPTS"):
        try:
            options = shlex.split(environ.get(variable, ""))
        except ValueError:
            continue
        for option in reversed(options):
            match = _LOCAL_PATTERN.fullmatch(option)
            if match is not None:
                return Path(match[1])
    written = _settings_repository(home / ".m2" / "settings.xml")
    if written:
        variables = {"user.home": str(home), **{f"env.{name}": value for name, value in environ.items()}}
        placed = _PLACE_PATTERN.sub(lambda match: variables.get(match[1], match[0]), written)
        if "${" not in placed:
            return Path(placed)
    return home / ".m2" / "repository"


def _settings_repository(path: Path) -> str:
    from depcodex.errors import LockfileError
    from depcodex.lockfiles.xml_documents import read_xml, text_at

    if not path.is_file():
        return ""
    try:
        return text_at(read_xml(path, LockfileError, "settings"), "localRepository")
    except LockfileError:
        # Maven says what is wrong with it; recording goes on with the default.
        return ""
