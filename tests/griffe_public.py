"""What griffe, reading statically, finds public in a distribution: an oracle that shares no code with ours.

Here: the walk, and telling what was missed by cause. Not here: what is compared with it.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping
from pathlib import Path

import griffe

# Griffe makes an `__init__` up for dataclasses; no source holds one.
MADE_UP = "made up by griffe from a dataclass"
_SHOWN_COUNT = 8


def griffe_public(package: str, root: Path) -> dict[str, str]:
    """Every public path with what it is: through public parents, and through public aliases of classes.

    An aliased module is entered only where its own path is private: the members of a public one are compared under
    their own path, and sqlalchemy.testing.suite, which star-imports whole subpackages, would list all of it twice.
    """
    loader = griffe.GriffeLoader(search_paths=[root], allow_inspection=False)
    top = loader.load(package, try_relative_path=False)
    loader.resolve_aliases(implicit=False, external=False)
    paths = {package: "module"}

    def walk(parent: griffe.Object | griffe.Alias, path: str, above: frozenset[str]) -> None:
        for name, member in parent.members.items():
            if name == "tests" or not member.is_public:
                continue
            where = f"{path}.{name}"
            target: griffe.Object | griffe.Alias = member
            if member.is_alias:
                try:
                    target = member.final_target
                except griffe.GriffeError:
                    paths[where] = "an alias that griffe cannot resolve"
                    continue
            paths[where] = f"{'alias of a ' if member.is_alias else ''}{target.kind.value}"
            if name == "__init__" and "dataclass" in parent.labels and not member.is_alias and not member.lineno:
                paths[where] = MADE_UP
            is_entered = target.is_class or (target.is_module and (not member.is_alias or "._" in target.path))
            if is_entered and target.path not in above:
                walk(target, where, above | {target.path})

    walk(top, package, frozenset({package}))
    return paths


def is_special(path: str) -> bool:
    return path.rpartition(".")[2].startswith("__")


def report(package: str, expected: Mapping[str, str], missed: Mapping[str, str]) -> tuple[float, float]:
    """Prints the shares found and the misses by cause; the shares, of all and without special names."""
    plain = [path for path in expected if not is_special(path)]
    share = 1 - len(missed) / len(expected)
    plain_share = 1 - sum(1 for path in missed if not is_special(path)) / len(plain)
    print(f"\n{package}: {share:.2%} of {len(expected)}; without special names {plain_share:.2%} of {len(plain)}")
    for cause, count in collections.Counter(missed.values()).most_common():
        shown = [path for path, what in missed.items() if what == cause][:_SHOWN_COUNT]
        print(f"  {count} {cause}: {', '.join(shown)}")
    return share, plain_share
