"""The days between which a crop interval lies are proved by every record that knows of them (interpretation 81)."""

from typing import Final

import pytest

from provender.rule.crops import Practice
from provender.standards.standard import Missing, Verdict
from tests.standards.season import Rows, changed, clean_season, evidence, intervals, with_row, without

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


def test_a_hail_replant_keeps_no_till_unless_the_failed_stand_exceeds_the_limit_alone() -> None:
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


def test_a_replant_on_a_day_before_the_stand_was_given_up_contradicts_it() -> None:
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
