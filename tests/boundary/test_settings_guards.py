"""Settings that guard the boundary: no value switches a guard off, and a pattern holds as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from depcodex.coordinates import Coordinate
from depcodex.errors import SettingsError
from depcodex.settings import Settings

CHECKSUM = "a" * 64


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GATE_THRESHOLD", "nan"),
        ("GATE_THRESHOLD", "1.5"),
        ("GATE_THRESHOLD", "inf"),
        ("BATCH_COORDINATES", "0"),
        ("MODEL_TIMEOUT_SECONDS", "-1"),
        ("MODEL_TIMEOUT_SECONDS", "nan"),
        ("MODEL_TIMEOUT_SECONDS", "inf"),
        ("MAX_ARCHIVE_BYTES", "-5"),
        ("TIMEZONE", "Mars/Olympus"),
        ("TIMEZONE", "../../etc/passwd"),
        ("EXCLUDE", "requests"),
        ("HOLD", "pkg:pypi/good,requests"),
    ],
)
def test_a_value_that_would_switch_a_guard_off_is_refused(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=name.lower()):
        Settings.load({"DEPCODEX_HOME": str(tmp_path), f"DEPCODEX_{name}": value})


@pytest.mark.parametrize("value", ["-1", "0", "0.5", "1"])
def test_thresholds_of_the_whole_range_are_taken(value: str, tmp_path: Path) -> None:
    settings = Settings.load({"DEPCODEX_HOME": str(tmp_path), "DEPCODEX_GATE_THRESHOLD": value})
    assert settings.gate_threshold == float(value)


@pytest.mark.parametrize(
    ("purl", "pattern"),
    [
        ("pkg:pypi/foo@1.0?checksum=sha256:" + CHECKSUM, "pkg:pypi/foo@1.0"),
        ("pkg:pypi/foo@1.0?checksum=sha256:" + CHECKSUM, "pkg:pypi/foo"),
        ("pkg:pypi/foo-bar@1.0", "pkg:pypi/Foo_Bar"),
        ("pkg:pypi/foo-bar@1.0", "pkg:PyPI/foo.bar@1.*"),
        ("pkg:pypi/foo@1.0%2Blocal", "pkg:pypi/foo@1.0+local"),
        ("pkg:npm/%40scope/name@1.0.0", "pkg:npm/@scope/name"),
        ("pkg:npm/%40scope/name@1.0.0", "pkg:npm/%40scope/*"),
        ("pkg:npm/%40scope/name@1.0.0", "pkg:npm/@scope/name@1.0.0"),
    ],
)
def test_a_pattern_covers_what_it_names_however_it_is_spelt(purl: str, pattern: str) -> None:
    assert Coordinate.parse(purl).matches(pattern)


@pytest.mark.parametrize("pattern", ["pkg:pypi/foo@1.1", "pkg:pypi/fo", "pkg:npm/foo", "pkg:pypi/foo@1.0.1"])
def test_a_pattern_covers_nothing_else(pattern: str) -> None:
    assert not Coordinate.parse("pkg:pypi/foo@1.0").matches(pattern)
