"""The Dagster room: failures."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from depcodex.closure import rekey
from depcodex.coordinates import Coordinate
from depcodex.errors import DigestMismatchError, FetchError, ModelUnavailableError, StoreFullError
from depcodex_pipelines.failures import UnexpectedError, as_dagster, described, translated
from depcodex_pipelines.tallies import RunReport

PROSE = "a sentence that a library wrote"


def raising(error: Exception) -> None:
    raise error


def test_a_transient_error_with_tries_left_asks_for_another(tmp_path: Path) -> None:
    report = RunReport()
    with pytest.raises(dg.RetryRequested):
        translated(lambda: raising(FetchError("pip: no answer")), report, tmp_path, tries_left=1)
    assert isinstance(report.error, FetchError)


@pytest.mark.parametrize(
    ("error", "may_help"),
    [
        (ModelUnavailableError("ollama: no answer"), True),
        (StoreFullError("store: the disk is full"), True),
        (DigestMismatchError("a.whl", "1", "2"), False),
    ],
)
def test_any_other_error_of_ours_fails_with_its_own_line(error: Exception, may_help: bool, tmp_path: Path) -> None:
    with pytest.raises(dg.Failure) as caught:
        translated(lambda: raising(error), RunReport(), tmp_path)
    assert caught.value.description == str(error)
    assert caught.value.metadata["a later run may succeed"].value is may_help
    assert not caught.value.allow_retries


def test_a_full_disk_waits_for_a_person_even_with_tries_left() -> None:
    assert isinstance(as_dagster(StoreFullError("store: the disk is full"), tries_left=2), dg.Failure)


def test_an_unexpected_error_is_cut_off_and_kept_in_the_private_log(tmp_path: Path) -> None:
    report = RunReport()
    with pytest.raises(dg.Failure) as caught:
        translated(lambda: raising(RuntimeError(PROSE)), report, tmp_path, tries_left=2)
    assert isinstance(report.error, UnexpectedError)
    assert caught.value.__cause__ is None
    # Even a suppressed context would be serialised.
    assert caught.value.__context__ is None
    assert PROSE not in str(caught.value.description)
    assert PROSE in (tmp_path / "errors.log").read_text()


def test_the_place_in_our_own_code_is_told() -> None:
    with pytest.raises(AttributeError) as caught:
        rekey(None, {Coordinate.parse("pkg:pypi/a@1"): None})  # type: ignore[arg-type,dict-item]
    assert described(caught.value).startswith("unexpected AttributeError at depcodex/closure.py:")


def test_a_failure_of_a_stage_passes_unchanged(tmp_path: Path) -> None:
    failure = dg.Failure("already told")
    with pytest.raises(dg.Failure) as caught:
        translated(lambda: raising(failure), RunReport(), tmp_path)
    assert caught.value is failure
