"""npm brings tarballs from the registry that the user has set up; scripts of packages are not run."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from data.npm_packages import lock_digest_of, write_tarball
from depcodex.coordinates import Coordinate
from depcodex.errors import ArchiveLimitError, DigestMismatchError, FetchError, SourceNotFoundError
from depcodex_assets.archives import Limits
from depcodex_assets.ecosystems.interface import Fetched, HarvestParameters, HarvestRequest
from depcodex_assets.ecosystems.npm_cache import NpmCache
from depcodex_assets.ecosystems.npm_fetch import NpmFetcher
from servers.npm_registry import NpmRegistry, npm_environment, serve_registry


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[NpmRegistry]:
    folder = tmp_path / "registry"
    folder.mkdir()
    with serve_registry(folder) as running:
        yield running


def request(text: str, *digests: str) -> HarvestRequest:
    return HarvestRequest(Coordinate.parse(f"pkg:npm/{text}"), digests=digests)


def fetch(
    registry: NpmRegistry, tmp_path: Path, *requests: HarvestRequest, token: str = "", **changes: object
) -> list[Fetched]:
    folder = tmp_path / f"work{time.monotonic_ns()}"
    folder.mkdir()
    fetcher = NpmFetcher(environment=npm_environment(registry, tmp_path / "cache", token=token))
    parameters = replace(HarvestParameters(folder), **changes)  # type: ignore[arg-type]
    found: dict[Coordinate, Fetched] = {}
    for each in fetcher.fetch(requests, folder, parameters):
        if each.archive is not None:
            kept = tmp_path / f"kept-{each.file_name}"
            kept.write_bytes(each.archive.read_bytes())
            each = replace(each, archive=kept)
        assert each.coordinate not in found
        found[each.coordinate] = each
    return [found[each.coordinate] for each in requests]


def test_one_call_brings_many_and_one_failure_stops_no_other(registry: NpmRegistry, tmp_path: Path) -> None:
    alpha = write_tarball(registry.folder, "alpha", "1.0.0", {"index.js": ""})
    beta = write_tarball(registry.folder, "@scope/beta", "2.0.0-rc.1", {"index.js": ""})
    one, missing, unknown, two = fetch(
        registry,
        tmp_path,
        request("alpha@1.0.0"),
        request("alpha@9.9.9"),
        request("gamma@1.0.0"),
        request("%40scope/beta@2.0.0-rc.1", lock_digest_of(beta)),
    )
    assert one.archive is not None
    assert one.archive.read_bytes() == alpha.read_bytes()
    assert one.is_verified
    assert one.digest == "sha256:" + hashlib.sha256(alpha.read_bytes()).hexdigest()
    assert two.archive is not None
    assert two.archive.read_bytes() == beta.read_bytes()
    for each in (missing, unknown):
        assert isinstance(each.error, SourceNotFoundError)
        assert str(each.error).endswith("the registry has no such version")


def test_a_tarball_that_the_lock_does_not_name_is_refused(registry: NpmRegistry, tmp_path: Path) -> None:
    write_tarball(registry.folder, "alpha", "1.0.0", {"index.js": ""})
    (found,) = fetch(registry, tmp_path, request("alpha@1.0.0", "sha512:" + "0" * 128))
    assert isinstance(found.error, DigestMismatchError)
    assert found.error.expected == "sha512:" + "0" * 128


def test_a_tarball_that_the_registry_does_not_name_is_refused(registry: NpmRegistry, tmp_path: Path) -> None:
    registry.false_integrity.add(write_tarball(registry.folder, "alpha", "1.0.0", {"index.js": ""}).name)
    write_tarball(registry.folder, "beta", "1.0.0", {"index.js": ""})
    alpha, beta = fetch(registry, tmp_path, request("alpha@1.0.0"), request("beta@1.0.0"))
    assert isinstance(alpha.error, FetchError)
    assert beta.error is None


def test_no_name_and_no_version_leads_npm_anywhere_else(registry: NpmRegistry, tmp_path: Path) -> None:
    local = tmp_path / "local"
    local.mkdir()
    canary = tmp_path / "it-ran"
    (local / "package.json").write_text(
        f'{{"name": "local", "version": "1.0.0", "scripts": {{"prepack": "touch {canary}"}}}}'
    )
    coordinates = [
        Coordinate("npm", "", "alpha", f"file:{local}"),
        Coordinate("npm", "", "alpha", "https://127.0.0.1:1/x.tgz"),
        Coordinate("npm", "", "alpha", "git+ssh://127.0.0.1/x.git"),
        Coordinate("npm", "", "alpha", "latest"),
        Coordinate("npm", "", "--registry=http://127.0.0.1:1", "1.0.0"),
        Coordinate("npm", "", str(local), "1.0.0"),
        Coordinate("npm", "..", "local", "1.0.0"),
    ]
    for found in fetch(registry, tmp_path, *(HarvestRequest(each) for each in coordinates)):
        assert isinstance(found.error, SourceNotFoundError)
    assert registry.asked == []
    assert not canary.exists()


def test_two_packages_with_one_flat_name_are_kept_apart(registry: NpmRegistry, tmp_path: Path) -> None:
    first = write_tarball(registry.folder, "@a/b-c", "1.0.0", {"first.js": ""})
    kept = first.rename(registry.folder / "first.tgz")
    second = write_tarball(registry.folder, "@a-b/c", "1.0.0", {"second.js": ""})
    one, two = fetch(registry, tmp_path, request("%40a/b-c@1.0.0"), request("%40a-b/c@1.0.0"))
    assert one.digest == "sha256:" + hashlib.sha256(kept.read_bytes()).hexdigest()
    assert two.digest == "sha256:" + hashlib.sha256(second.read_bytes()).hexdigest()


def test_a_registry_that_does_not_answer_is_a_trouble_of_the_moment(registry: NpmRegistry, tmp_path: Path) -> None:
    write_tarball(registry.folder, "alpha", "1.0.0", {"index.js": ""})
    registry.silent.add("alpha")
    started = time.monotonic()
    (found,) = fetch(registry, tmp_path, request("alpha@1.0.0"), silence_seconds=3.0)
    assert isinstance(found.error, FetchError)
    assert time.monotonic() - started < 30


def test_a_registry_that_is_gone_is_a_trouble_of_the_moment(tmp_path: Path) -> None:
    folder = tmp_path / "registry"
    folder.mkdir()
    with serve_registry(folder) as running:
        gone = running
    one, two = fetch(gone, tmp_path, request("alpha@1.0.0"), request("beta@1.0.0"))
    assert isinstance(one.error, FetchError)
    assert isinstance(two.error, FetchError)
    assert gone.url not in str(one.error)


def test_credentials_of_the_user_are_used_and_not_shown(registry: NpmRegistry, tmp_path: Path) -> None:
    write_tarball(registry.folder, "alpha", "1.0.0", {"index.js": ""})
    registry.token = "secret-of-mine"
    (refused,) = fetch(registry, tmp_path, request("alpha@1.0.0"))
    assert isinstance(refused.error, FetchError)
    (found,) = fetch(registry, tmp_path, request("alpha@1.0.0"), token="secret-of-mine")
    assert found.error is None
    assert "secret" not in repr(found)


def test_a_deprecated_version_says_so(registry: NpmRegistry, tmp_path: Path) -> None:
    registry.deprecated.add(write_tarball(registry.folder, "alpha", "1.0.0", {"index.js": ""}).name)
    write_tarball(registry.folder, "beta", "1.0.0", {"index.js": ""})
    alpha, beta = fetch(registry, tmp_path, request("alpha@1.0.0"), request("beta@1.0.0"))
    assert (alpha.is_yanked, beta.is_yanked) == (True, False)


def test_a_tarball_over_the_limit_is_refused(registry: NpmRegistry, tmp_path: Path) -> None:
    write_tarball(registry.folder, "alpha", "1.0.0", {"index.js": "x" * 5000})
    (found,) = fetch(registry, tmp_path, request("alpha@1.0.0"), limits=Limits(max_archive_bytes=10))
    assert isinstance(found.error, ArchiveLimitError)


def test_a_machine_without_npm_is_told_so(tmp_path: Path) -> None:
    fetcher = NpmFetcher(npm=str(tmp_path / "no-npm"))
    (found,) = fetcher.fetch([request("alpha@1.0.0")], tmp_path, HarvestParameters(tmp_path))
    assert isinstance(found.error, FetchError)
    assert "npm cannot be started" in str(found.error)


def test_what_npm_brought_is_in_its_cache_under_the_registrys_name(registry: NpmRegistry, tmp_path: Path) -> None:
    tarball = write_tarball(registry.folder, "@scope/alpha", "1.0.0", {"index.js": ""})
    asked = request("%40scope/alpha@1.0.0", lock_digest_of(tarball))
    settings = {"cache": str(tmp_path / "cache"), "registry": registry.url + "/"}
    assert NpmCache(settings).tarball(asked) is None
    fetch(registry, tmp_path, asked)
    cached = NpmCache(settings).tarball(asked)
    assert cached is not None
    assert cached.path.read_bytes() == tarball.read_bytes()
    # Another lock's digest, another registry, another version: nothing.
    assert NpmCache(settings).tarball(request("%40scope/alpha@1.0.0", "sha512:" + "1" * 128)) is None
    assert NpmCache({**settings, "registry": "http://127.0.0.1:1/"}).tarball(asked) is None
    assert NpmCache(settings).tarball(request("%40scope/alpha@1.0.1")) is None
    # A project may know the digest of a tarball; that does not make it the bytes of another package.
    stolen = request("left@1.0.0", lock_digest_of(tarball))
    assert NpmCache(settings).tarball(stolen) is None
    # Bytes that were changed in the cache are no answer.
    cached.path.chmod(0o600)
    cached.path.write_bytes(cached.path.read_bytes() + b"x")
    assert NpmCache(settings).tarball(asked) is None
