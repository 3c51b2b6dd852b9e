"""Settings: one frozen dataclass, read once from the environment and from settings.toml in the data home.

Here: names, defaults, where each value came from. Not here: anything that a project's own folder could set (a project
must not widen its own scope or reach another model: the agreement's section 4.9).
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from depcodex.errors import SettingsError

_LEAST = {"batch_coordinates": 1, "model_timeout_seconds": 0.1, "max_archive_bytes": 1}
_TRUE_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True)
class Settings:
    """Everything a person or a service can set.

    Each field is read from ``DEPCODEX_<NAME>`` first (lists: comma-separated), then from ``settings.toml``, else the
    default stands. ``depcodex doctor`` prints all of them.

    Attributes:
        home: the data home (``DEPCODEX_HOME``): inbox/, private/, public/, dagster/, cache/.
        rewriter: ``controlled`` or ``ollama:<model>``.
        embedder: ``minilm`` or ``ollama:<model>``.
        ollama_host: address of the Ollama server, ``http://host:port``.
        allow_remote_models: permit a model address that is not loopback; documentation then leaves the machine.
        is_offline: never fetch; local caches only.
        exclude: purl patterns that are never fetched, rewritten or shown.
        hold: purl patterns withheld from every answer.
        gate_threshold: overrides the calibrated threshold (0 to 1); negative: the calibrated one.
        batch_coordinates: coordinates that one run of the stages takes at a time.
        model_timeout_seconds: how long one model call may take.
        max_archive_bytes: archives above it are refused.
        standard_library: recording adds the standard libraries of the project's languages (Python, Go, Rust,
            Java), where their source is at hand.
        timezone: IANA name of the time zone that nightly runs go by.
    """

    home: Path
    rewriter: str = "controlled"
    embedder: str = "minilm"
    ollama_host: str = "http://127.0.0.1:11434"
    allow_remote_models: bool = False
    is_offline: bool = False
    exclude: tuple[str, ...] = ()
    hold: tuple[str, ...] = ()
    gate_threshold: float = -1.0
    batch_coordinates: int = 25
    model_timeout_seconds: float = 60.0
    max_archive_bytes: int = 512 * 1024 * 1024
    standard_library: bool = False
    timezone: str = "UTC"

    @property
    def inbox(self) -> Path:
        """Records of projects, one JSON file each."""
        return self.home / "inbox"

    @property
    def private(self) -> Path:
        """Raw documentation and fetched archives; mode 0700."""
        return self.home / "private"

    @property
    def public(self) -> Path:
        """What a reader may be shown."""
        return self.home / "public"

    @property
    def dagster(self) -> Path:
        """DAGSTER_HOME."""
        return self.home / "dagster"

    @property
    def cache(self) -> Path:
        """Derived data; may be deleted at any time."""
        return self.home / "cache"

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Settings from ``environ`` (the process's by default) and the data home's settings.toml.

        Raises:
            SettingsError: a value has the wrong type, or settings.toml has an unknown name or is no TOML.
        """
        environ = os.environ if environ is None else environ
        home = _data_home(environ)
        if home.exists() and not home.is_dir():
            raise SettingsError(f"{home}: the data home, expected a folder, got a file")
        path = home / "settings.toml"
        values: dict[str, object] = {}
        if path.is_file():
            try:
                values.update(tomllib.loads(path.read_text(encoding="utf-8")))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise SettingsError(f"{path}: not TOML: {error}") from error
        names = {each.name for each in dataclasses.fields(cls)} - {"home"}
        unknown = sorted(set(values) - names)
        if unknown:
            raise SettingsError(f"{path}: unknown setting {unknown[0]!r}, expected one of {', '.join(sorted(names))}")
        for name in names:
            text = environ.get(f"DEPCODEX_{name.upper()}")
            if text is not None:
                values[name] = text
        default = cls(home=home)
        typed: dict[str, Any] = {name: _typed(name, value, getattr(default, name)) for name, value in values.items()}
        for name, value in typed.items():
            _check(name, value)
        return dataclasses.replace(default, **typed)


def _data_home(environ: Mapping[str, str]) -> Path:
    text = environ.get("DEPCODEX_HOME")
    if text:
        return Path(text).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("depcodex", appauthor=False))


def _check(name: str, value: Any) -> None:
    """Refuses what would switch a guard off without a word, or fail in the middle of a run."""
    if name in ("exclude", "hold"):
        for pattern in value:
            if not pattern.lower().startswith(("pkg:", "*")):
                raise SettingsError(
                    f"setting {name}: expected purl patterns such as pkg:pypi/requests, got {pattern!r}"
                )
    elif name == "gate_threshold":
        # Above 1, and for "not a number", no text would be suspect.
        if not value <= 1:
            raise SettingsError(
                f"setting {name}: expected 0 to 1, or a negative number for the calibrated, got {value}"
            )
    elif name in _LEAST and not _LEAST[name] <= value < float("inf"):
        raise SettingsError(f"setting {name}: expected at least {_LEAST[name]}, got {value}")
    elif name == "timezone":
        import zoneinfo

        try:
            zoneinfo.ZoneInfo(value)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise SettingsError(
                f"setting {name}: expected an IANA time zone such as Europe/Berlin, got {value!r}"
            ) from error


def _typed(name: str, value: object, default: object) -> object:
    """``value`` in the type of ``default``."""
    problem = f"setting {name}: expected {type(default).__name__}, got {value!r}"
    try:
        if isinstance(default, bool):
            return value if isinstance(value, bool) else _TRUE_WORDS[str(value).strip().lower()]
        if isinstance(default, int):
            return int(str(value))
        if isinstance(default, float):
            return float(str(value))
    except (ValueError, KeyError) as error:
        raise SettingsError(problem) from error
    if isinstance(default, tuple):
        items = value if isinstance(value, list) else str(value).split(",")
        return tuple(str(item).strip() for item in items if str(item).strip())
    if not isinstance(value, str):
        raise SettingsError(problem)
    return value.strip()
