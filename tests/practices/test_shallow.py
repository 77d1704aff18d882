"""A typed depth below the published least is named for what it is, with its row."""

from provender.practices.assess import assess
from provender.problem import Problem
from tests.practices.season import book_of, clean_season


def judged(**cells: str) -> tuple[list[str], list[Problem]]:
    rows = clean_season()
    first = next(row for row in rows["operation"] if row["depth_in"])
    first |= cells
    found = assess(book_of(rows))
    missing = [
        record
        for one in found.intervals
        for practice in one.practices
        for finding in practice.findings
        for record in finding.missing
        if record.startswith("operation.depth_in")
    ]
    return missing, [problem for problem in found.problems if problem.code == "shallow_pass"]


def test_a_depth_below_the_published_least_is_not_called_zero_and_its_row_is_named() -> None:
    missing, (problem,) = judged(depth_in="0.1", known_by="typed_in_season", evidence="")
    assert set(missing) == {"operation.depth_in (below the published least; it counts with evidence)"}
    assert problem.place.column == "depth_in"
    assert problem.place.row
    assert "0.1 in is shallower than" in problem.cause


def test_a_depth_of_zero_is_not_recorded() -> None:
    missing, problems = judged(depth_in="0")
    assert set(missing) == {"operation.depth_in (zero in a machine file means not recorded)"}
    assert problems == []


def test_a_depth_with_evidence_counts() -> None:
    assert judged(depth_in="0.1", evidence="E1")[1] == []
