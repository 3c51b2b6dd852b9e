"""Parse, shared among processes: each reads some of a batch's coordinates.

Here: dealing coordinates out, the worker process, and joining what comes back. Not here: how files are parsed
(depcodex_assets.parse).

The workers are plain child processes that speak Arrow streams: tree-sitter holds the interpreter's lock, so threads do
not help, and a forked child of a process that has opened LanceDB crashes (lancedb 0.40).

    python -m depcodex_assets.parse_shares      # a worker: SOURCE_FILES on stdin, DECLARATIONS on stdout
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from depcodex.coordinates import Coordinate
from depcodex_assets.parse import parse

# A worker takes .4 s to start, in which a process parses 1.5 MB (measured 2026-12-01).
_MIN_SHARE_BYTES = 3_000_000
# More would wait for the one process that reads the tables and writes what comes back.
_MAX_PROCESSES = 4
_PURLS_KEY = b"depcodex.purls"


def parse_shared(
    coordinates: Sequence[Coordinate],
    source_files: pa.Table,
    *,
    process_count: int | None = None,
    min_share_bytes: int = _MIN_SHARE_BYTES,
) -> pa.Table:
    """The same rows in the same order as ``parse``, made by several processes where there is enough to do.

    A worker that dies (a grammar may crash on hostile input) costs nothing but time: its share is parsed here.

    Args:
        coordinates: the batch, each once.
        source_files: ``schemas.SOURCE_FILES`` of it.
        process_count: this process among them; by default the processors that may be used, at most four.
        min_share_bytes: of source text that a worker is worth starting for.
    """
    if process_count is None:
        process_count = min(_MAX_PROCESSES, len(os.sched_getaffinity(0)))
    shares = _shares(coordinates, source_files, process_count, min_share_bytes)
    if len(shares) < 2:
        return parse(coordinates, source_files)
    workers = [_Worker(share, _files_of(share, source_files)) for share in shares[1:]]
    try:
        tables = [parse(shares[0], source_files)]
        for worker in workers:
            table = worker.result()
            tables.append(parse(worker.coordinates, source_files) if table is None else table)
    finally:
        for worker in workers:
            worker.end()
    return _ordered(coordinates, pa.concat_tables(tables))


def _shares(
    coordinates: Sequence[Coordinate], source_files: pa.Table, process_count: int, min_share_bytes: int
) -> list[list[Coordinate]]:
    """Coordinates dealt out, the largest first, each to whoever has least; shares too small for a worker are one."""
    sizes = (
        source_files.select(["coordinate_id", "size_bytes"])
        .group_by("coordinate_id")
        .aggregate([("size_bytes", "sum")])
    )
    by_id = dict(
        zip(sizes.column("coordinate_id").to_pylist(), sizes.column("size_bytes_sum").to_pylist(), strict=True)
    )
    total = sum(by_id.get(each.coordinate_id, 0) for each in coordinates)
    count = max(1, min(process_count, len(coordinates), total // max(1, min_share_bytes)))
    shares: list[list[Coordinate]] = [[] for _ in range(count)]
    loads = [0] * count
    for each in sorted(coordinates, key=lambda each: -by_id.get(each.coordinate_id, 0)):
        # This process starts at once, the others after a moment: ties go to it.
        lightest = loads.index(min(loads))
        shares[lightest].append(each)
        loads[lightest] += by_id.get(each.coordinate_id, 0)
    return [share for share in shares if share]


def _files_of(coordinates: Sequence[Coordinate], source_files: pa.Table) -> pa.Table:
    ids = pa.array([each.coordinate_id for each in coordinates], pa.int64())
    return source_files.filter(pc.is_in(source_files.column("coordinate_id"), ids))


def _ordered(coordinates: Sequence[Coordinate], declarations: pa.Table) -> pa.Table:
    """Rows by the order of the coordinates; those of one stay in the order that parse gave them."""
    ids = pa.array([each.coordinate_id for each in coordinates], pa.int64())
    ranks = pa.table(
        {
            "coordinate": pc.index_in(declarations.column("coordinate_id"), ids),
            "row": pa.array(range(declarations.num_rows), pa.int64()),
        }
    )
    return declarations.take(pc.sort_indices(ranks, [("coordinate", "ascending"), ("row", "ascending")]))


class _Worker:
    """A child process at work on a share; feeding it and hearing it out is a thread's business."""

    def __init__(self, coordinates: list[Coordinate], source_files: pa.Table) -> None:
        self.coordinates = coordinates
        self._output = b""
        purls = json.dumps([each.purl for each in coordinates]).encode()
        self._table = source_files.replace_schema_metadata({_PURLS_KEY: purls})
        self._process = subprocess.Popen(
            # -P: the folder it is started in may be a project's, with modules of any name.
            [sys.executable, "-P", "-m", "depcodex_assets.parse_shares"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._thread = threading.Thread(target=self._converse, daemon=True)
        self._thread.start()

    def _converse(self) -> None:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self._table.schema) as writer:
            writer.write_table(self._table)
        self._output, _ = self._process.communicate(sink.getvalue())

    def result(self) -> pa.Table | None:
        """The share's declarations; None where the worker died."""
        self._thread.join()
        if self._process.returncode != 0:
            return None
        return pa.ipc.open_stream(pa.py_buffer(self._output)).read_all()

    def end(self) -> None:
        """Leaves no process behind."""
        if self._process.poll() is None:
            self._process.kill()
        self._thread.join()


def _work() -> None:
    protocol = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever prints must not get between the streams.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    table = pa.ipc.open_stream(sys.stdin.buffer).read_all()
    purls = json.loads(table.schema.metadata[_PURLS_KEY])
    found = parse([Coordinate.parse(each) for each in purls], table)
    with protocol, pa.ipc.new_stream(protocol, found.schema) as writer:
        writer.write_table(found)


if __name__ == "__main__":
    _work()
