"""The Dagster room: progress."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.progress import Progress, TextColumn

from depcodex_pipelines.bench import TABLE_OF_STAGE
from depcodex_pipelines.forecast import Forecast, stage_phrase
from depcodex_pipelines.progress import BarListener, PlainListener, listener_for
from depcodex_pipelines.tallies import StageTally


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_each_stage_is_forecast_at_its_own_pace() -> None:
    forecast = Forecast(10, call_count=100)
    forecast.ends("harvest", 10, seconds=5)
    forecast.ends("quarantine", 5, seconds=10)
    forecast.ends("summarise", 5, seconds=20, call_count=40)
    assert forecast.remaining_seconds() == pytest.approx(10 + 60 * 0.5)
    assert forecast.is_lower_bound


def test_the_first_batch_of_a_stage_is_forecast_from_its_share() -> None:
    clock = Clock()
    forecast = Forecast(10, clock=clock)
    forecast.begins("quarantine", 5)
    clock.now = 6.0
    forecast.advances(30, 60)
    # Half a batch took six seconds; one and a half are left.
    assert forecast.remaining_seconds() == pytest.approx(18)


def test_nothing_is_forecast_before_anything_is_measured() -> None:
    assert Forecast(3).remaining_seconds() is None


def test_the_share_rises_from_nothing_to_all() -> None:
    forecast = Forecast(4)
    shares = [forecast.fraction()]
    forecast.call_count = None
    for stage in TABLE_OF_STAGE:
        if stage == "summarise":
            forecast.call_count = 8
        for _ in range(2):
            forecast.begins(stage, 2)
            forecast.advances(1, 2)
            shares.append(forecast.fraction())
            forecast.ends(stage, 2, seconds=1, call_count=4)
            shares.append(forecast.fraction())
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, pytest.approx(1.0))


def test_an_empty_run_is_done() -> None:
    assert Forecast(0).fraction() == 1.0


def test_plain_progress_is_a_line_now_and_then() -> None:
    lines: list[str] = []
    clock = Clock()
    listener = PlainListener(lines.append, clock)
    listener.run_begins(2)
    for second in range(11):
        clock.now = float(second)
        listener.stage_begins("parse", 1)
    assert len(lines) == 2
    assert lines[0] == f"depcodex index: 0%, {stage_phrase('parse')}"


def test_the_time_left_is_told_once_a_tenth_of_the_stage_and_five_seconds_are_done() -> None:
    lines: list[str] = []
    clock = Clock()
    listener = PlainListener(lines.append, clock)
    listener.run_begins(10)
    listener.stage_begins("quarantine", 10)
    for clock.now, done in ((4.0, 20), (8.0, 5), (16.0, 20), (18.0, 30), (24.0, 40)):
        listener.advanced("quarantine", done, 100)
    # At 4 s it was too soon for any line, at 8 s too little was done; a stage that was not entered makes it a bound.
    assert [line.partition("screening")[2] for line in lines] == ["", ", at least 64 s left", ", at least 36 s left"]


def test_a_short_bound_from_below_is_not_told() -> None:
    lines: list[str] = []
    clock = Clock()
    listener = PlainListener(lines.append, clock)
    listener.run_begins(10)
    listener.stage_begins("harvest", 10)
    clock.now = 20.0
    listener.advanced("harvest", 95, 100)
    assert lines == ["depcodex index: 14%, reading sources"]


def test_when_every_stage_was_seen_the_time_left_is_no_bound() -> None:
    lines: list[str] = []
    clock = Clock()
    listener = PlainListener(lines.append, clock)
    listener.run_begins(4)
    listener.forecast.call_count = 0
    for stage in TABLE_OF_STAGE:
        listener.forecast.begins(stage, 2)
        clock.now += 3
        listener.forecast.ends(stage, 2, seconds=3)
    listener.forecast.begins("summarise", 2)
    listener.advanced("summarise", 1, 1)
    assert lines == ["depcodex index: 57%, retelling, 18 s left"]


def published() -> StageTally:
    tally = StageTally("publish", coordinate_count=3, seconds=1)
    tally.states = {
        "pkg:pypi/a@1": ("indexed", ""),
        "pkg:pypi/b@1": ("no_source", "the registry has no such version"),
        "pkg:pypi/c@1": ("failed", "failed:archive: corrupt"),
    }
    tally.rows = {"pkg:pypi/a@1": {"entries": 1200}}
    return tally


def test_plain_progress_names_what_was_not_indexed_and_leaves_failures_to_the_end() -> None:
    lines: list[str] = []
    listener = PlainListener(lines.append, Clock())
    listener.run_begins(3)
    listener.stage_ends(published(), 3)
    assert lines == ["depcodex index: no_source  pkg:pypi/b@1  the registry has no such version"]


def test_the_bar_has_a_line_for_each_coordinate_and_leaves_failures_to_the_end() -> None:
    stream = io.StringIO()
    with Progress(TextColumn("{task.description}"), console=Console(file=stream, width=100)) as progress:
        listener = BarListener(progress)
        listener.run_begins(3)
        listener.stage_begins("publish", 3)
        listener.stage_ends(published(), 3)
    text = stream.getvalue()
    assert "indexed  pkg:pypi/a@1  1,200 entries" in text
    assert "no_source  pkg:pypi/b@1  the registry has no such version" in text
    assert "pkg:pypi/c@1" not in text


def test_a_stream_that_is_no_terminal_gets_lines() -> None:
    stream = io.StringIO()
    with listener_for(stream) as listener:
        listener.model_calls_are_known(3, 5)
    assert stream.getvalue() == "depcodex index: 3 model calls, for 5 distinct documented texts\n"
