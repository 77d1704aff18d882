"""A few hundred bad inputs of ``make fuzz``: each is told or imported, loses nothing, improves no verdict."""

from pathlib import Path

from fuzz.case import clean, judged, run, whole
from fuzz.seasons import PLOW, readings, seasons, tables
from provender.records.incomplete_row import IncompleteRow

SEED = 20261121
COUNT = 300


def test_bad_inputs_end_in_problems_or_records_and_never_in_a_better_verdict(tmp_path: Path) -> None:
    cases = []
    for number in range(1, COUNT + 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        cases.append(run(SEED, number, folder))
    judged(cases)
    assert [(case.number, case.how, case.faults) for case in cases if case.faults] == []
    assert sum(bool(case.problems) for case in cases) > COUNT * 0.8, "most of them must really be bad"


def test_the_clean_books_differ_in_what_they_meet_so_that_better_can_be_seen() -> None:
    met = clean()
    assert len(met["all met"]) == 12
    assert all(len(found) < 12 for name, found in met.items() if name != "all met")


def test_a_lost_row_without_its_mark_would_be_seen(tmp_path: Path) -> None:
    case = run(SEED, 1, tmp_path)
    case.season, case.incomplete_rows, case.faults = "plowed", [], []
    case.frames = {name: whole("all met")[name] for name in seasons()["all met"]}
    judged([case])
    assert any("no_till" in fault for fault in case.faults)
    case.faults, case.incomplete_rows = [], [IncompleteRow("operation", "F1", "N40")]
    judged([case])
    assert case.faults == []


def test_the_same_seed_gives_the_same_case(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    first, second = run(SEED, 7, tmp_path / "a"), run(SEED, 7, tmp_path / "b")
    assert (first.how, [str(one.cause) for one in first.problems]) == (
        second.how,
        [one.cause for one in second.problems],
    )


def test_a_plow_stands_in_the_book_that_fails_by_it() -> None:
    found = readings(tables(seasons()["plowed"]))["operation"].frame
    assert PLOW["operation"] in found["operation"].to_list()
