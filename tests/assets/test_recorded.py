"""From a recorded environment to its harvest: the coordinate that was recorded is the tree that is read."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

from contracts.installs import make_environment
from depcodex.commands.record import record_project
from depcodex.lockfiles import ClosureRequest
from depcodex.settings import Settings
from depcodex_assets.ecosystems.interface import HarvestParameters
from depcodex_assets.ecosystems.pypi_fetch import PipFetcher
from depcodex_assets.harvest import harvest
from depcodex_assets.recorded import harvest_requests, settle_record


def put(site: Path, name: str, files: dict[str, str], direct_url: object = None) -> None:
    """Installs a distribution with a whole RECORD, as pip does."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    files = files | {f"{info.name}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"}
    if direct_url is not None:
        files[f"{info.name}/direct_url.json"] = json.dumps(direct_url)
    rows = []
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(text)}")
    (info / "RECORD").write_text("\n".join([*rows, f"{info.name}/RECORD,,"]) + "\n")


def test_what_can_change_under_one_version_is_harvested_under_the_checksum_that_was_recorded(tmp_path: Path) -> None:
    site = make_environment(tmp_path / "project" / ".venv", "3.11.7")
    module = {"{}/__init__.py": "def pull(): ...\n", "{}/tests/__init__.py": "", "{}/tests/test_x.py": "x = 1\n"}
    git = {"url": "https://git.example.invalid/x", "vcs_info": {"vcs": "git", "commit_id": "a" * 40}}
    for name, origin in (("plain", None), ("gitty", git), ("edited", None)):
        put(site, name, {path.format(name): text for path, text in module.items()}, origin)
    (site / "edited" / "__init__.py").write_text("def hacked(): ...\n")
    settings = Settings(home=tmp_path / "home", is_offline=True)
    record, _ = record_project(settings, ClosureRequest(tmp_path / "project"), None)
    coordinates = [row.coordinate for row in settle_record(settings, record).union()]
    assert [bool(each.checksum) for each in coordinates] == [True, True, False]
    table = harvest(
        harvest_requests(settings, coordinates),
        fetcher=PipFetcher(),
        parameters=HarvestParameters.of(settings),
        clock=lambda: datetime(2026, 11, 30, tzinfo=UTC),
    )
    read = {row["path"]: row["content"] for row in table.to_pylist()}
    assert sorted(read) == ["edited/__init__.py", "gitty/__init__.py", "plain/__init__.py"]
    assert b"hacked" in read["edited/__init__.py"]
