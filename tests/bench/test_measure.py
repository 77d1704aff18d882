"""A budget of speed is a multiple of a reference, and a machine that changes speed meanwhile is not judged by it."""

import subprocess
import sys

import pytest

from bench import measure
from bench.__main__ import UNSTEADY, exit_status
from bench.measure import CLOCK, MISSED, NOT_JUDGED, OK, POLARS, PROCESSOR, Measure, at_most, judged, peer, timed


def _row(before: float, after: float, unit: str = "s", value: float = 6.0) -> Measure:
    return judged(Measure("x", value, unit, 3.0, of=PROCESSOR, before=before, after=after))


def test_a_multiple_counts_against_the_mean_of_both_references() -> None:
    assert _row(2.0, 2.0).verdict == _row(1.9, 2.1).verdict == OK
    assert _row(1.9, 2.09).verdict == MISSED
    assert _row(2.0, 2.0, "ms of CPU", 6_000.0).verdict == OK
    assert _row(2.0, 2.0, "ms of CPU", 6_001.0).verdict == MISSED


def test_references_more_than_a_fifth_apart_judge_nothing() -> None:
    assert _row(1.0, 1.3).verdict == _row(9.0, 7.0).verdict == NOT_JUDGED
    assert (_row(9.0, 8.0).verdict, _row(1.0, 1.15).verdict) == (OK, MISSED)


@pytest.mark.parametrize(
    ("verdicts", "status"),
    [((OK, OK), 0), ((OK, NOT_JUDGED), UNSTEADY), ((NOT_JUDGED, MISSED), 1), ((), 0)],
)
def test_a_run_that_judges_nothing_has_an_exit_status_of_its_own(verdicts: tuple[str, ...], status: int) -> None:
    assert exit_status([Measure("x", 1.0, "s", 1.0, verdict) for verdict in verdicts]) == status


def _references(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> None:
    found = iter(seconds)
    monkeypatch.setattr(measure, "reference", lambda _: next(found))


def test_work_is_done_again_until_its_reference_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    _references(monkeypatch, 1.0, 2.0, 2.0, 2.1)
    values = iter([3.0, 4.0, 5.0])
    row = timed("x", lambda: next(values), "s", 2.0)
    assert (row.value, row.before, row.after, row.verdict) == (4.0, 2.0, 2.1, OK)


def test_work_whose_reference_never_stays_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    _references(monkeypatch, *(1.0, 2.0) * 3)
    done = []
    row = timed("x", lambda: done.append(1) or 1.0, "s", 0.1)  # type: ignore[func-returns-value]
    assert (len(done), row.verdict) == (3, NOT_JUDGED)


def test_what_is_no_time_is_judged_by_itself_and_a_peer_never() -> None:
    assert [at_most("x", value, "GiB", 3.0).verdict for value in (3.0, 3.1)] == [OK, MISSED]
    assert judged(peer("x", 1e9, "s")).verdict == OK


@pytest.mark.parametrize("of", [PROCESSOR, CLOCK, POLARS])
def test_the_references_take_some_time(of: str) -> None:
    assert measure.reference(of) > 0


def test_a_benchmark_that_does_not_exist_is_told() -> None:
    done = subprocess.run([sys.executable, "-m", "bench", "nothing"], capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "'nothing'" in done.stderr
