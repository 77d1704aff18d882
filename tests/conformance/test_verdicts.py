"""Verdicts at every threshold of subpart F, at, just under, just over and missing: by the package and by the oracle."""

from typing import Any, Final

import pytest

from provender.practices.evaluate import ROOMS, evaluate
from provender.practices.prepared_book import load
from provender.records.book import RecordBook
from tests.conformance.kit import differences, part
from tests.practices import oracle
from tests.practices.season import Rows, book_of, changed, clean_season, with_row, without
from tests.practices.seasons import put_together

assert ROOMS  # importing them registers the requirements
PART: Final = part("verdicts/thresholds")
WORDS: Final = {True: "met", False: "not met", None: "not shown"}
Judged = dict[str, dict[str, Any]]


def edited(edits: list[dict[str, Any]]) -> Rows:
    """Return the season of the kit with the edits of a case made in their order."""
    rows: Rows = PART["base"]
    for one in edits:
        if "set" in one:
            rows = changed(rows, one["set"], one["row"], **one["cells"])
        elif "remove" in one:
            rows = without(rows, one["remove"], one["row"])
        else:
            rows = with_row(rows, one["add"], **one["cells"])
    return rows


@pytest.fixture(scope="module")
def book() -> RecordBook:
    """Return one book in which each case is a farm of its own."""
    return book_of(put_together([edited(case["input"]["edits"]) for case in PART["cases"]]))


def told(judged: Judged) -> list[str]:
    """Return how the answers of all farms differ from the kit's."""
    farms = iter(sorted(judged, key=lambda name: int(name.removeprefix("F"))))
    return differences("verdicts/thresholds", lambda case: WORDS[judged[next(farms)][case["ask"]]])


def test_the_package_judges_every_threshold_as_the_kit_says(book: RecordBook) -> None:
    rows = evaluate(load(book)).iter_rows(named=True)
    assert told({row["farm_id"]: row for row in rows if row["harvest_id"] == PART["harvest"]}) == []


def test_so_does_the_second_reading(book: RecordBook) -> None:
    assert told({name: oracle.read(rows)[PART["harvest"]] for name, rows in oracle.by_farm(book).items()}) == []


def test_the_season_of_the_kit_is_the_clean_season() -> None:
    assert PART["base"] == clean_season()
