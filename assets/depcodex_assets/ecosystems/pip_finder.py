"""Finds and downloads release files with pip's own finder and session; runs as a script in a process of its own.

Here: the only lines that touch pip's internals, hence everything that a pip release may break. Not here: anything of
depcodex, so that the script runs under any interpreter that has pip (docs/adr/0011-fetch-sdists-without-building.md).

Index pages, local folders, credentials, mirrors, proxies and certificates are as pip's configuration says. Files are
downloaded and hashed, never unpacked, built or imported. One JSON object on stdin says what is wanted:
``{"folder", "max_bytes", "python_version", "platforms", "requests": [{"id", "name", "version", "digests"}]}``. One JSON
object a line on stdout says what became of it: ``{"id", "file", "file_name", "sha256", "is_verified", "is_yanked",
"released_on"}``, or ``{"id", "error", "detail"}``, ``{"progress": bytes}`` now and then, or ``{"fatal", "detail"}``.
"""

from __future__ import annotations

import errno
import gc
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

SDIST_SUFFIXES = (".tar.gz", ".tgz", ".zip", ".tar.bz2", ".tar.xz", ".tar")
_UNREACHABLE_AFTER = 2
_CHUNK_BYTES = 256 * 1024
_FAR = 1_000_000
# An index that names no digests gives no way to tell which of a release's files the lock means.
_MAX_TRIES = 8
# What a call into internals that have changed looks like.
_STRANGE = (ImportError, AttributeError, TypeError)


def main() -> int:
    """Reads the wish from stdin, answers on stdout; 0 when every request was answered."""
    # pip logs to stdout: it gets stderr, the protocol keeps the original.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(**fields: object) -> None:
        answers.write(json.dumps(fields) + "\n")
        answers.flush()

    wish = json.loads(sys.stdin.read())
    try:
        import pip  # noqa: F401
    except ImportError:
        say(fatal="missing", detail="pip is not installed for this interpreter")
        return 3
    try:
        return _run(wish, say)
    except _STRANGE as error:
        say(fatal="unsupported", detail=type(error).__name__)
        return 3


def _run(wish: dict[str, Any], say: Any) -> int:
    from pip._internal.commands.download import DownloadCommand
    from pip._internal.index.package_finder import LinkType

    class Evaluator:
        """Stands in for pip's: keeps every file of the project, whatever it was built for."""

        def __init__(self, project_name: str, files: list[tuple[str, Any]]) -> None:
            self.project_name = project_name
            self._files = files

        def evaluate_link(self, link: Any) -> tuple[Any, str]:
            version = release_version(link.filename, self.project_name)
            if version is None:
                return LinkType.format_unsupported, "not a release file of this project"
            self._files.append((version, link))
            return LinkType.candidate, "0"

    class Fetch(DownloadCommand):
        """`pip download` up to the point where it would choose and prepare."""

        ignore_require_venv = True

        def run(self, options: Any, args: list[str]) -> int:  # noqa: ARG002 — pip's signature
            # pip's own wrapper would turn a changed interface into exit status 2.
            try:
                self._answer_all(options)
            except _STRANGE as error:
                say(fatal="unsupported", detail=type(error).__name__)
            return 0

        def _answer_all(self, options: Any) -> None:
            session = self.get_default_session(options)
            finder = self._build_package_finder(options=options, session=session)
            watch = _Watch(session)
            files: dict[str, list[tuple[str, Any]]] = {}

            def listed(name: str) -> list[tuple[str, Any]]:
                if name not in files:
                    files[name] = []
                    vars(finder)["make_link_evaluator"] = lambda *_: Evaluator(name, files[name])
                    finder.find_all_candidates(name)
                return files[name]

            _answer_all(wish, listed, session, watch, say)

    quiet = ["--no-input", "--disable-pip-version-check", "-qqq"]
    status = Fetch("download", "finds and downloads release files").main(quiet)
    if status:
        say(fatal="pip", detail=f"exit status {status}")
    return int(status)


class _Watch:
    """Sees what pip's finder only logs: whether an index answered at all."""

    def __init__(self, session: Any) -> None:
        self.problems: list[str] = []
        self._request = session.request
        session.request = self

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            response = self._request(*args, **keywords)
        except Exception as error:
            self.problems.append(type(error).__name__)
            raise
        status = int(response.status_code)
        if status >= 400 and status not in (404, 410):
            self.problems.append(f"status {status}")
        return response


def _answer_all(wish: dict[str, Any], listed: Any, session: Any, watch: _Watch, say: Any) -> None:
    preferred = _preferred_tags(wish["python_version"], wish["platforms"])
    unreachable_count = 0
    for request in wish["requests"]:
        if unreachable_count >= _UNREACHABLE_AFTER:
            say(id=request["id"], error="fetch", detail="the index could not be reached")
            continue
        watch.problems.clear()
        try:
            answer = _answer(request, wish, listed, session, preferred, say)
        except _STRANGE:
            raise
        except Exception as error:  # noqa: BLE001 — pip's and requests' errors have no root that is not Exception
            if is_disk_full(error):
                answer = {"error": "full", "detail": "no space left on the disk"}
                # What was half written lies in temporary files of pip's, held by the error's own frames.
                error.__traceback__ = error.__context__ = error.__cause__ = None
                gc.collect()
            else:
                answer = {"error": "fetch", "detail": type(error).__name__}
        if answer.get("error") == "no_source" and watch.problems:
            answer = {"error": "fetch", "detail": f"the index could not be read ({watch.problems[-1]})"}
            unreachable_count += 1
        elif not watch.problems:
            unreachable_count = 0
        say(id=request["id"], **answer)


def is_disk_full(error: BaseException | None) -> bool:
    """Whether an error, or one that it came from, says so: pip's cache writes during a download, under other names."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        inner = [each for each in error.args if isinstance(each, BaseException)]
        if any(isinstance(each, OSError) and each.errno in (errno.ENOSPC, errno.EDQUOT) for each in (error, *inner)):
            return True
        error = error.__cause__ or error.__context__
    return False


def _answer(
    request: dict[str, Any], wish: dict[str, Any], listed: Any, session: Any, preferred: dict[str, int], say: Any
) -> dict[str, Any]:
    known = listed(request["name"])
    links = [link for version, link in known if _same_version(version, request["version"])]
    if not links:
        what = "version" if known else "library"
        return {"error": "no_source", "detail": f"the registry has no such {what}"}
    accepted = set(request["digests"])
    hashes = {id(link): str(link.hash) if link.hash_name == "sha256" else "" for link in links}
    if accepted:
        possible = [link for link in links if hashes[id(link)] in accepted]
        possible = possible or [link for link in links if not hashes[id(link)]]
        if not possible:
            return {"error": "digest", "detail": hashes[id(links[0])]}
        links = possible
    got = ""
    by_preference = sorted(links, key=lambda link: preference(link.filename, bool(link.is_yanked), preferred))
    for link in by_preference[:_MAX_TRIES]:
        path = Path(wish["folder"]) / f"{request['id']}{_suffix(link.filename)}"
        expected = hashes[id(link)]
        came = _download(session, link, path, wish["max_bytes"], say)
        if came is None:
            return {"error": "size", "detail": f"more than {wish['max_bytes']} bytes"}
        got = came
        if (not accepted or got in accepted) and (not expected or got == expected):
            uploaded = getattr(link, "upload_time", None)
            return {
                "file": str(path),
                "file_name": link.filename,
                "sha256": got,
                "is_verified": bool(accepted or expected),
                "is_yanked": bool(link.is_yanked),
                "released_on": uploaded.date().isoformat() if uploaded else "",
            }
        path.unlink()
        if expected:
            break
    return {"error": "digest", "detail": got}


def _download(session: Any, link: Any, path: Path, max_bytes: int, say: Any) -> str | None:
    """The sha256 of what came, or None when it is larger than allowed."""
    digest = hashlib.sha256()
    got_bytes = 0
    told_at = time.monotonic()
    try:
        with (
            session.get(link.url_without_fragment, headers={"Accept-Encoding": "identity"}, stream=True) as response,
            path.open("xb") as file,
        ):
            response.raise_for_status()
            announced = int(response.headers.get("Content-Length") or 0)
            if announced > max_bytes:
                raise _TooLargeError
            for chunk in response.iter_content(_CHUNK_BYTES):
                file.write(chunk)
                digest.update(chunk)
                got_bytes += len(chunk)
                if got_bytes > max_bytes:
                    raise _TooLargeError
                if time.monotonic() - told_at > 1:
                    say(progress=got_bytes)
                    told_at = time.monotonic()
            if announced and got_bytes != announced:
                raise ConnectionError("ended early")
    except _TooLargeError:
        path.unlink(missing_ok=True)
        return None
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return digest.hexdigest()


class _TooLargeError(Exception):
    pass


def release_version(file_name: str, project_name: str) -> str | None:
    """The version that a release file's name says, or None where it is no release file of this project."""
    wanted = _canonical(project_name)
    if file_name.endswith(".whl"):
        parts = file_name[:-4].split("-")
        return parts[1] if len(parts) in (5, 6) and _canonical(parts[0]) == wanted else None
    suffix = _suffix(file_name)
    if suffix not in SDIST_SUFFIXES:
        return None
    stem = file_name[: -len(suffix)]
    for match in re.finditer("-", stem):
        if _canonical(stem[: match.start()]) == wanted and match.end() < len(stem):
            return stem[match.end() :]
    return None


def preference(file_name: str, is_yanked: bool, preferred: dict[str, int]) -> tuple[Any, ...]:
    """A sort key, best first: a wheel for this interpreter, then a source distribution, then any other wheel.

    A wheel has the layout that is imported, with a digest of each file; a source distribution has to be guessed at. A
    wheel for another system stands last: its extension modules' stubs may differ, its Python files seldom do.
    """
    if not file_name.endswith(".whl"):
        return (is_yanked, 1, SDIST_SUFFIXES.index(_suffix(file_name)), file_name)
    python, abi, platform = file_name[:-4].split("-")[-3:]
    ranks = (
        preferred.get(f"{each_python}-{each_abi}-{each_platform}", _FAR)
        for each_python in python.split(".")
        for each_abi in abi.split(".")
        for each_platform in platform.split(".")
    )
    rank = min(ranks)
    if rank < _FAR:
        return (is_yanked, 0, rank, file_name)
    is_same_system = sys.platform[:3] in platform.replace("macosx", "darwin")
    newest_first = [-int(digits) for digits in re.findall(r"\d+", python)] or [0]
    return (is_yanked, 2, not is_same_system, newest_first, file_name)


def _preferred_tags(python_version: str, platforms: Sequence[str]) -> dict[str, int]:
    """Each wheel tag of the target with its rank, 0 the best."""
    try:
        from packaging import tags
    except ImportError:
        from pip._vendor.packaging import tags  # type: ignore[no-redef]

    def ordered() -> Iterator[Any]:
        if not python_version and not platforms:
            yield from tags.sys_tags()
            return
        version = tuple(int(part) for part in python_version.split(".")[:2]) or sys.version_info[:2]
        targets = list(platforms) or list(tags.platform_tags())
        yield from tags.cpython_tags(version, platforms=targets)
        interpreter = "cp" + "".join(str(part) for part in version)
        yield from tags.compatible_tags(version, interpreter, targets)

    ranks: dict[str, int] = {}
    for rank, tag in enumerate(ordered()):
        ranks.setdefault(str(tag), rank)
    return ranks


def _same_version(one: str, other: str) -> bool:
    try:
        from packaging.version import InvalidVersion, Version
    except ImportError:
        from pip._vendor.packaging.version import InvalidVersion, Version  # type: ignore[assignment]
    try:
        return Version(one.replace("_", "-")) == Version(other)
    except InvalidVersion:
        return one == other


def _suffix(file_name: str) -> str:
    for suffix in (".whl", *SDIST_SUFFIXES):
        if file_name.endswith(suffix):
            return suffix
    return ""


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    sys.exit(main())
