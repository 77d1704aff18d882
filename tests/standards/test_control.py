"""Days before the producer's control: a predecessor's statement, logs or imagery speak for them (interpretation 68)."""

from collections.abc import Callable
from typing import Final

import pytest

from provender.report.signing import refusals
from provender.rule.crops import Practice
from provender.standards.judge import judge
from tests.proof.world import book_of_farms
from tests.report.official import official_rows, report_of
from tests.standards.season import ANSWERS, Rows, changed, evidence, verdict_of, with_row

STARTS: Final = "2024-10-02"
"""The first day of the crop interval of N40."""


def control(**cells: str) -> Rows:
    return changed(official_rows(), "control", 0, **cells)


def shown_by(what: str, day: str = "2024-10-15", **cells: str) -> Rows:
    rows = with_row(control(since="2024-10-20", evidence="E70"), "evidence", **evidence("E70", "before.pdf", what, day))
    return changed(rows, "evidence", len(rows["evidence"]) - 1, **cells)


def before_march(day: str) -> Rows:
    """Return a unit in control from March, with the predecessor's statement of a day."""
    return with_row(
        control(since="2025-03-01", evidence="E70"), "evidence", **evidence("E70", "before.pdf", "form", day)
    )


def logged(rows: Rows) -> Rows:
    """Return the rows with the log of the one pass before 20 October 2024."""
    return changed(rows, "operation", 0, known_by="machine", evidence="E7")


CASES: Final[dict[str, tuple[Rows, bool | None]]] = {
    "in control from the first day": (control(since=STARTS), True),
    "one day later": (control(since="2024-10-03"), None),
    "the predecessor's statement": (shown_by("form"), True),
    "a contract": (shown_by("contract"), True),
    "imagery": (shown_by("map"), True),
    "a statement without a day": (shown_by("form", ""), True),
    "a statement of before these days": (shown_by("form", "2024-10-01"), None),
    "a statement about another unit": (shown_by("form", unit_id="S12"), None),
    "a statement whose file is gone": (shown_by("form", file="gone.pdf"), None),
    "a statement that was exchanged": (shown_by("form", sha256="ab" * 32), None),
    "a name that names nothing": (control(since="2024-10-20", evidence="E77"), None),
    "an invoice": (shown_by("invoice"), None),
    "every pass of these days logged, and no log of all": (logged(control(since="2024-10-20")), None),
    "a log of these days": (shown_by("machine_file"), True),
    "control from March, a statement of a month before": (before_march("2025-01-29"), True),
    "control from March, a statement of a day earlier": (before_march("2025-01-28"), None),
    "machine as a word": (changed(control(since="2024-10-20"), "operation", 0, known_by="machine"), None),
    "a partner had it before": (
        with_row(
            with_row(control(since="2024-10-20"), "producer", producer_id="P2", name="Bo", operational_control="yes"),
            "control", control_id="K2", unit_id="N40", producer_id="P2", since="2015-01-01", until="2024-10-19",
        ), True,
    ),
    "somebody without control had it before": (
        with_row(
            with_row(control(since="2024-10-20"), "producer", producer_id="P2", name="Bo", operational_control="no"),
            "control", control_id="K2", unit_id="N40", producer_id="P2", since="2015-01-01", until="2024-10-19",
        ), None,
    ),
    "control of another unit begins later": (
        with_row(
            official_rows(), "control", control_id="K2", unit_id="S12", producer_id="P1", since="2025-09-01",
        ), True,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def judged() -> dict[str, bool | None]:
    """Return by case whether no-till is shown; each is a farm of one book."""
    farms = {f"F{at:02}": name for at, name in enumerate(CASES)}
    found = judge(book_of_farms({farm: CASES[name][0] for farm, name in farms.items()}))
    of_unit = (one for one in found if one.harvest_id == "H25")
    return {farms[one.farm_id]: ANSWERS[one[Practice.no_till].implementation] for one in of_unit}


@pytest.mark.parametrize("name", CASES)
def test_days_before_control_are_shown_by_others_or_not(name: str, judged: dict[str, bool | None]) -> None:
    assert judged[name] is CASES[name][1]


def split(rows: Rows) -> bool | None:
    return verdict_of(rows, "no_fall_application")


def cover(rows: Rows) -> bool | None:
    return verdict_of(rows, "cover_crop")


@pytest.mark.parametrize("practice", [split, cover])
def test_other_practices_rest_on_the_same_days(practice: Callable[[Rows], bool | None]) -> None:
    assert practice(control(since=STARTS)) is True
    assert practice(control(since="2025-03-01")) is None


def test_what_fails_on_known_records_fails_whoever_had_control() -> None:
    rows = changed(control(since="2025-03-01"), "operation", 0, operation="Plow, moldboard", depth_in="8")
    assert verdict_of(rows, "no_till") is False


def test_the_farmer_reads_what_would_show_it() -> None:
    report = report_of(control(since="2024-10-20"))
    assert refusals(report)
    (unit,) = [one for one in report["units"] if one["unit_id"] == "N40"]
    missing = {
        lack["reason"]
        for interval in unit["intervals"]
        for one in interval["requirements"].values()
        for lack in one["missing"]
    }
    assert "control_not_shown" in missing
