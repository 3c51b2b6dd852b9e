"""go.sum without its go.mod: the modules whose zips it pins.

Here: the reader. Not here: the lines themselves (go_modules), go.sum beside a go.mod (gomod).

Spec: the Go modules reference, "go.sum files". The file names no roots and can pin several versions of a module: which
one is built only the go.mod says, so all of them are listed, without a distance. Modules of which only the go.mod is
pinned were never unpacked, and are no part of it.
"""

from __future__ import annotations

import re
from pathlib import Path

from depcodex.errors import LockfileError
from depcodex.lockfiles.documents import guarded, input_row, read_text
from depcodex.lockfiles.go_modules import GoSumError, module_package, read_go_sum
from depcodex.lockfiles.graph import Edge, Graph
from depcodex.lockfiles.interface import Reading, Sample, Target, closure_of

_LINE_PATTERN = re.compile(r"[\w.~/-]+ v\d[^\s/]*(?:/go\.mod)? h1:[A-Za-z0-9+/]{43}=")


class GoSumReader:
    """Reads go.sum; one closure."""

    name = "gosum"
    error: type[LockfileError] = GoSumError

    def matches_content(self, sample: Sample) -> bool:
        """The first line that is not empty is a module, a version and an h1 digest."""
        first = next((each for each in sample.text.split("\n") if each.strip()), "")
        return _LINE_PATTERN.fullmatch(first.strip()) is not None

    def read(self, path: Path, target: Target) -> Reading:
        """One closure without roots; see ``LockfileReader.read``."""
        digests = read_go_sum(path, read_text(path, GoSumError))
        graph = Graph()
        with guarded(path, GoSumError):
            for name, version in digests:
                graph.add(f"{name}@{version}", module_package(name, version, None, path.parent, digests))
        edges = [Edge(f"{name}@{version}") for name, version in digests]
        resolution = graph.resolve(edges, named=frozenset())
        return Reading((closure_of("gosum", resolution, target, (input_row(path, path.parent),)),))
