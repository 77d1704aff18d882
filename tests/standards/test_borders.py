"""The days between which a crop interval lies are proved by every record that knows of them (interpretation 81).

Days before the producer's control: a predecessor's statement, logs or imagery speak for them (interpretation 68).
"""

from collections.abc import Callable
from typing import Final

import pytest

from provender.report.signing import refusals
from provender.rule.crops import Practice
from provender.standards.judge import judge
from provender.standards.standard import Missing, Verdict
from tests.proof.world import book_of_farms
from tests.report.official import official_rows, report_of
from tests.standards.season import (
    ANSWERS,
    Rows,
    changed,
    clean_season,
    evidence,
    intervals,
    verdict_of,
    with_row,
    without,
)

CLEAN: Final = clean_season()


def entry(row: int, first: str, last: str = "") -> Rows:
    return changed(CLEAN, "harvest", row, first_day=first, last_day=last or first)


def ticket(day: str, crop: str = "soybeans", year: str = "2024") -> Rows:
    cells = {"ticket_id": "T1", "buyer": "Elevator", "unit_id": "N40", "day": day, "crop": crop, "harvest_year": year}
    return with_row(CLEAN, "scale_ticket", **cells)


def cover(**cells: str) -> Rows:
    return changed(changed(CLEAN, "cover_crop", 0, **cells), "operation", 0, day=cells.get("seeded_on", "2024-10-09"))


def log(day: str, what: str = "machine_file") -> Rows:
    rows = changed(CLEAN, "harvest", 0, evidence="E20")
    return with_row(rows, "evidence", **evidence("E20", "yield.zip", what, day, unit_id="N40"))


def before(day: str) -> Rows:
    """Return the season with the crop before planted on a day."""
    return with_row(CLEAN, "planting", planting_id="P0", harvest_id="H24", planted_on=day)


def next_year(kind: str, **cells: str) -> Rows:
    rows = with_row(CLEAN, "harvest", harvest_id="H26", unit_id="N40", crop="soybeans", ending="not_yet")
    return with_row(rows, kind, harvest_id="H26", **cells)


CASES: Final[dict[str, tuple[Rows, set[tuple[str, str]] | None]]] = {
    "nothing speaks against it": (CLEAN, None),
    "harvest typed after this crop was planted": (entry(0, "2025-05-02"), {("planting", "P1"), ("cover_crop", "C1")}),
    "planted the day before the harvest": (without(entry(0, "2025-04-29"), "cover_crop"), {("planting", "P1")}),
    "planted on the day of the harvest": (without(entry(0, "2025-04-28"), "cover_crop"), None),
    "drilled the day before the harvest": (entry(0, "2024-10-10"), {("cover_crop", "C1")}),
    "drilled on the day of the harvest": (entry(0, "2024-10-09"), None),
    "sown over the standing crop": (cover(seeded_on="2024-09-20", method="interseeded"), None),
    "sown nobody says how": (cover(seeded_on="2024-09-20", method=""), {("cover_crop", "C1")}),
    "a cover that ended before the harvest": (
        entry(0, "2025-04-17"), {("cover_crop", "C1")},
    ),
    "the crop before planted after its end": (before("2024-10-03"), {("planting", "P0")}),
    "the crop before planted on its last morning": (before("2024-10-02"), {("planting", "P0")}),
    "the crop before planted in spring": (before("2024-05-20"), None),
    "grain weighed two days before the harvest": (ticket("2024-09-30"), None),
    "grain weighed three days before the harvest": (ticket("2024-09-29"), {("scale_ticket", "T1")}),
    "grain of a year without an entry, weighed within a crop's time": (
        ticket("2023-12-05", year="2023"), {("scale_ticket", "T1")},
    ),
    "grain of the year before that": (ticket("2023-12-03", year="2023"), None),
    "grain of the year before out of the bin": (ticket("2024-03-01", year="2023"), None),
    "grain of another crop": (ticket("2024-09-29", crop="sorghum"), None),
    "this crop weighed before it was cut": (ticket("2025-10-17", "corn", "2025"), {("scale_ticket", "T1")}),
    "this crop weighed two days before": (ticket("2025-10-18", "corn", "2025"), None),
    "a yield log of before": (log("2024-09-29"), {("evidence", "E20")}),
    "a yield log of two days before": (log("2024-09-30"), None),
    "a yield log read out in winter": (log("2025-01-10"), None),
    "a photograph of before": (log("2024-07-01", "photograph"), None),
    "the combine two days before": (changed(CLEAN, "operation", 4, day="2025-10-18"), None),
    "the combine three days before": (changed(CLEAN, "operation", 4, day="2025-10-17"), {("operation", "O5")}),
    "the combine two days after": (changed(CLEAN, "operation", 4, day="2025-10-23"), None),
    "the combine three days after": (changed(CLEAN, "operation", 4, day="2025-10-24"), {("operation", "O5")}),
    "the next crop planted before": (
        next_year("planting", planting_id="P6", planted_on="2025-10-19"), {("planting", "P6")},
    ),
    "the next crop planted on that day": (next_year("planting", planting_id="P6", planted_on="2025-10-20"), None),
    "the next cover drilled before": (
        next_year("cover_crop", cover_id="C6", unit_id="N40", method="drilled", seeded_on="2025-10-19"),
        {("cover_crop", "C6")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_days_that_cannot_all_be_true_withhold_every_practice_that_rests_on_them(name: str) -> None:
    rows, named = CASES[name]
    (one,) = (each for each in intervals(rows) if each.harvest_id == "H25")
    against = one.season.contradicted_borders
    assert {(each.kind, each.row) for each in against if each.kind != "harvest"} == (named or set())
    assert any(each.reason == "end_contradicted" for each in against) is (named is not None)
    if named:
        assert {one[practice].implementation for practice in Practice} <= {Verdict.NOT_SHOWN, Verdict.NOT_MET}
        for name_of in ("no_till_stir_within_limit", "inhibitor_with_all_synthetic_n", "no_fall_none_in_fall"):
            assert set(against) <= set(one.requirements[name_of].findings)


def hail(stand: str = "Planter, double disk opnr", stir_name: str = "") -> Rows:
    """Return corn that hail killed on 20 May and that was planted again without tillage, with the adjuster's record."""
    rows = with_row(CLEAN, "harvest", harvest_id="H25f", unit_id="N40", crop="corn", ending="terminated",
                    first_day="2025-05-20", termination_record="adjuster form 12")  # fmt: skip
    rows = with_row(rows, "planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-22", replant="yes")
    again = {"unit_id": "N40", "equipment": "planter", "depth_in": "2", "speed_mph": "5", "width_ft": "40"}
    rows = with_row(rows, "operation", operation_id="O8", day="2025-05-22", operation=stand, **again)
    if stir_name:
        rows = with_row(rows, "operation", operation_id="O9", unit_id="N40", day="2025-04-20", operation=stir_name)
    return changed(rows, "declaration", 0, made_on="2025-11-01")


def test_a_hail_replant_keeps_no_till_unless_the_stand_exceeds_the_limit_or_days_differ() -> None:
    def told(rows: Rows) -> Verdict:
        (one,) = (each for each in intervals(rows) if each.harvest_id == "H25")
        return one.requirements["no_till_stir_within_limit"].verdict

    assert told(hail()) is Verdict.MET
    both = hail(stir_name="Fert. applic. anhyd knife 15 in spacing")
    (one,) = (each for each in intervals(both) if each.harvest_id == "H25")
    assert one.season.failed_stands
    assert told(both) is Verdict.MET
    assert told(hail(stir_name="Disk, offset, heavy")) is Verdict.NOT_SHOWN
    bare = changed(hail(), "harvest", 2, termination_record="")
    assert told(bare) is Verdict.NOT_SHOWN
    rows = changed(hail(), "planting", 1, planted_on="2025-05-19")
    (one,) = (each for each in intervals(rows) if each.harvest_id == "H25")
    assert Missing("planting", "planted_on", "P2", "planted_before_start") in one.season.contradicted_borders


def test_a_budget_without_a_day_may_be_the_first_and_a_declaration_without_one_the_latest() -> None:
    plan = {"budget_id": "B0", "harvest_id": "H25", "basis": "soil_test"}
    (one,) = intervals(with_row(CLEAN, "nutrient_budget", **plan))
    assert one.season.budget is not None
    assert one.season.budget.id == "B0"
    (one,) = intervals(with_row(CLEAN, "nutrient_budget", **plan, made_on="2025-03-02"))
    assert one.season.budget is not None
    assert one.season.budget.id == "B1"
    rows = with_row(hail(), "declaration", harvest_id="H25f", all_operations_listed="no")
    (one,) = (each for each in intervals(rows) if each.harvest_id == "H25")
    assert one.season.answer("all_operations_listed").value is None
    assert one[Practice.no_till].implementation is Verdict.NOT_SHOWN


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


CASES_CONTROL: Final[dict[str, tuple[Rows, bool | None]]] = {
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
    farms = {f"F{at:02}": name for at, name in enumerate(CASES_CONTROL)}
    found = judge(book_of_farms({farm: CASES_CONTROL[name][0] for farm, name in farms.items()}))
    of_unit = (one for one in found if one.harvest_id == "H25")
    return {farms[one.farm_id]: ANSWERS[one[Practice.no_till].implementation] for one in of_unit}


@pytest.mark.parametrize("name", CASES_CONTROL)
def test_days_before_control_are_shown_by_others_or_not(name: str, judged: dict[str, bool | None]) -> None:
    assert judged[name] is CASES_CONTROL[name][1]


def split(rows: Rows) -> bool | None:
    return verdict_of(rows, "no_fall_application")


def cover_control(rows: Rows) -> bool | None:
    return verdict_of(rows, "cover_crop")


@pytest.mark.parametrize("practice", [split, cover_control])
def test_other_practices_rest_on_the_same_days(practice: Callable[[Rows], bool | None]) -> None:
    assert practice(control(since=STARTS)) is True
    assert practice(control(since="2025-03-01")) is None


def test_known_records_fail_whoever_had_control_and_the_farmer_reads_what_would_show_it() -> None:
    rows = changed(control(since="2025-03-01"), "operation", 0, operation="Plow, moldboard", depth_in="8")
    assert verdict_of(rows, "no_till") is False
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
