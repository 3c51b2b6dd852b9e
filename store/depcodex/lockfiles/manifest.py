"""What a project itself names: dependencies, extras and groups of its pyproject.toml or Pipfile.

Here: PEP 621, PEP 735, and the tables of Poetry, PDM and uv, read to one shape. Not here: lock files.

A lock that does not say what the project asked for (poetry.lock, pdm.lock, pylock.toml, Pipfile.lock, an environment)
gets its roots, and with them distances and the declared scope, from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from depcodex.errors import LockfileError
from depcodex.lockfiles.constraints import alternatives
from depcodex.lockfiles.documents import guarded, normalised_name, parse_toml, read_text
from depcodex.lockfiles.graph import not_asked


class ManifestError(LockfileError):
    """A pyproject.toml or Pipfile beside a lock cannot be read."""

    format_name = "manifest"


@dataclass(frozen=True)
class Wanted:
    """One dependency that the project names.

    Attributes:
        name: normalised.
        constraint: version constraint, PEP 440 or Poetry's; "" for any.
        marker: PEP 508 marker; "" for always.
        extras: extras of it, normalised.
        is_optional: only there for an extra (Poetry's own table).
    """

    name: str
    constraint: str = ""
    marker: str = ""
    extras: tuple[str, ...] = ()
    is_optional: bool = False


@dataclass(frozen=True)
class Manifest:
    """What the project names. ``extras`` and ``groups`` are by normalised name; ``path`` is the file."""

    path: Path
    name: str = ""
    version: str = ""
    main: tuple[Wanted, ...] = ()
    extras: Mapping[str, tuple[Wanted, ...]] = field(default_factory=dict)
    groups: Mapping[str, tuple[Wanted, ...]] = field(default_factory=dict)

    def labelled(self, groups: frozenset[str], extras: frozenset[str]) -> list[tuple[Wanted, str]]:
        """Every dependency with why it is not asked for ("" where it is), main ones first."""
        rows = [(wanted, "") for wanted in self.main]
        for kind, table, asked in (("extra", self.extras, extras), ("group", self.groups, groups)):
            for name, members in sorted(table.items()):
                why = "" if name in asked else not_asked(kind, name)
                rows += [(wanted, why) for wanted in members]
        return [(each, why) for wanted, why in rows for each in self._without_self(wanted, frozenset())]

    def _without_self(self, wanted: Wanted, above: frozenset[str]) -> list[Wanted]:
        """``project[extra]``, by which an extra names another one, becomes what that extra names."""
        if not self.name or wanted.name != self.name:
            return [wanted]
        inner = [(extra, each) for extra in wanted.extras if extra not in above for each in self.extras.get(extra, ())]
        return [found for extra, each in inner for found in self._without_self(each, above | {extra})]


def read_pyproject(folder: Path) -> Manifest | None:
    """The manifest in a folder's pyproject.toml; None where there is no such file or it names no dependencies at all.

    Raises:
        ManifestError: the file is malformed.
    """
    path = folder / "pyproject.toml"
    if not path.is_file():
        return None
    document = parse_toml(read_text(path, ManifestError), path, ManifestError)
    with guarded(path, ManifestError):
        return _parse_pyproject(document, path)


def _parse_pyproject(document: Mapping[str, Any], path: Path) -> Manifest | None:
    tool = document.get("tool", {})
    project = document.get("project", {})
    poetry = tool.get("poetry", {})
    groups = _read_groups(document.get("dependency-groups", {}))
    for name, texts in tool.get("pdm", {}).get("dev-dependencies", {}).items():
        groups[normalised_name(name)] = (*groups.get(normalised_name(name), ()), *_requirements(texts))
    if "dev-dependencies" in tool.get("uv", {}):
        groups["dev"] = (*groups.get("dev", ()), *_requirements(tool["uv"]["dev-dependencies"]))
    if not (project or poetry or groups):
        return None
    main = _requirements(project.get("dependencies", ()))
    extras = {
        normalised_name(name): _requirements(texts) for name, texts in project.get("optional-dependencies", {}).items()
    }
    own = _poetry_table(poetry.get("dependencies", {}))
    if "dependencies" not in project:
        main = (*main, *(each for each in own if not each.is_optional))
    by_name: dict[str, list[Wanted]] = {}
    for wanted in own:
        by_name.setdefault(wanted.name, []).append(wanted)
    for name, members in poetry.get("extras", {}).items():
        chosen = [wanted for member in members for wanted in by_name.get(normalised_name(_bare_name(member)), ())]
        extras.setdefault(normalised_name(name), tuple(chosen))
    poetry_groups = {name: body.get("dependencies", {}) for name, body in poetry.get("group", {}).items()}
    if "dev-dependencies" in poetry:
        poetry_groups["dev"] = {**poetry["dev-dependencies"], **poetry_groups.get("dev", {})}
    for name, body in poetry_groups.items():
        groups[normalised_name(name)] = (*groups.get(normalised_name(name), ()), *_poetry_table(body))
    return Manifest(
        path,
        normalised_name(str(project.get("name") or poetry.get("name") or "")),
        str(project.get("version") or poetry.get("version") or ""),
        main,
        extras,
        groups,
    )


def read_pipfile(folder: Path) -> Manifest | None:
    """The manifest in a folder's Pipfile; None where there is none.

    Raises:
        ManifestError: the file is malformed.
    """
    path = folder / "Pipfile"
    if not path.is_file():
        return None
    document = parse_toml(read_text(path, ManifestError), path, ManifestError)
    with guarded(path, ManifestError):
        categories = {
            name: _poetry_table(body)
            for name, body in document.items()
            if isinstance(body, dict) and name not in ("requires", "scripts", "pipenv", "source", "pipfile")
        }
    main = categories.pop("packages", ())
    return Manifest(
        path, main=main, groups={normalised_name(_pip_group(name)): body for name, body in categories.items()}
    )


def _pip_group(category: str) -> str:
    return "dev" if category in ("dev-packages", "develop") else category


def wanted_of(text: str) -> Wanted:
    """One PEP 508 text.

    Raises:
        packaging.requirements.InvalidRequirement: the text is none.

    Example:
        >>> wanted_of("Requests[socks]>=2; python_version >= '3.8'").extras
        ('socks',)
    """
    from packaging.requirements import Requirement

    requirement = Requirement(text)
    return Wanted(
        normalised_name(requirement.name),
        str(requirement.specifier),
        str(requirement.marker or ""),
        tuple(sorted(normalised_name(each) for each in requirement.extras)),
    )


def _requirements(texts: Iterable[object]) -> tuple[Wanted, ...]:
    found = []
    for text in texts:
        if not isinstance(text, str):
            raise TypeError("expected a requirement")
        if text.lstrip().startswith("-e "):
            # PDM's editable form: `-e file:///…#egg=name`.
            text = text.partition("#egg=")[2].partition("&")[0]
            if not text:
                continue
        found.append(wanted_of(text))
    return tuple(found)


def _read_groups(raw: Mapping[str, Any]) -> dict[str, tuple[Wanted, ...]]:
    """PEP 735: lists of requirements and ``{include-group = "name"}``; a circle of includes ends where it closes."""
    table = {normalised_name(name): items for name, items in raw.items()}

    def expanded(name: str, above: tuple[str, ...]) -> tuple[Wanted, ...]:
        found: list[Wanted] = []
        for item in table.get(name, ()):
            if isinstance(item, dict):
                included = normalised_name(item["include-group"])
                if included not in above:
                    found += expanded(included, (*above, included))
            else:
                found += _requirements([item])
        return tuple(found)

    return {name: expanded(name, (name,)) for name in table}


def _poetry_table(raw: Mapping[str, Any]) -> tuple[Wanted, ...]:
    """A table of name → constraint, table, or list of tables (Poetry's and Pipfile's shape)."""
    found = []
    for name, value in raw.items():
        if normalised_name(name) == "python":
            continue
        for item in value if isinstance(value, list) else [value]:
            found.append(_poetry_wanted(name, item))
    return tuple(found)


def _poetry_wanted(name: str, item: Any) -> Wanted:
    if isinstance(item, str):
        return Wanted(normalised_name(name), "" if item == "*" else item)
    clauses = [f"({item['markers']})"] if item.get("markers") else []
    if item.get("python") and item["python"] != "*":
        clauses.append(python_marker(item["python"]))
    if item.get("platform"):
        clauses.append(f"sys_platform == '{item['platform']}'")
    # Pipfile writes single variables as keys of their own: `sys_platform = "== 'win32'"`.
    clauses += [f"{key} {item[key]}" for key in ("sys_platform", "python_version", "os_name") if key in item]
    return Wanted(
        normalised_name(name),
        "" if item.get("version", "*") == "*" else str(item["version"]),
        " and ".join(clause for clause in clauses if clause),
        tuple(sorted(normalised_name(each) for each in item.get("extras", ()))),
        bool(item.get("optional", False)),
    )


def python_marker(constraint: str) -> str:
    """A Poetry ``python`` constraint as a PEP 508 marker; "" where it allows every version.

    Raises:
        ValueError: the text is no constraint.

    Example:
        >>> python_marker("^3.8")
        "(python_full_version >= '3.8' and python_full_version < '4')"
    """
    choices = []
    for alternative in alternatives(constraint):
        if not alternative:
            return ""
        clauses = []
        for clause in alternative.split(","):
            operator, version = clause.rsplit("=", 1) if "=" in clause else (clause[0], clause[1:])
            operator += "=" if "=" in clause else ""
            clauses.append(f"python_full_version {operator} '{version}'")
        choices.append(" and ".join(clauses))
    return "(" + " or ".join(choices) + ")"


def _bare_name(text: str) -> str:
    return text.split("[")[0].split("(")[0].split(" ")[0].strip()
