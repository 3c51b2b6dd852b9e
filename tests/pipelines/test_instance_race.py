"""Dagster's home when several processes open it at once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from depcodex.settings import Settings


def _open(home: str, is_going: object, failed: object) -> None:
    import warnings

    warnings.simplefilter("ignore")
    from depcodex_pipelines.instance import open_instance

    is_going.wait()  # type: ignore[attr-defined]
    try:
        with open_instance(Settings(home=Path(home))) as instance:
            instance.get_runs_count()
    except Exception as error:  # noqa: BLE001
        failed.put(repr(error))  # type: ignore[attr-defined]


def test_processes_that_open_a_new_home_at_once_all_can(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    is_going, failed = context.Barrier(3), context.Queue()
    workers = [context.Process(target=_open, args=(str(tmp_path), is_going, failed)) for _ in range(3)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(120)
    assert failed.empty(), failed.get()
    assert [each.exitcode for each in workers] == [0, 0, 0]
