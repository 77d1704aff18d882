"""What was sown and the pass that sowed it: a question where the two do not fit, never a verdict."""

import pytest

from provender.services.farm.check import SowingDoubt, sowing_doubts, sows
from provender.verdicts.assess import assess
from tests.standards.season import Rows, book_of, changed, clean_season, verdicts, with_row, without

PLANTER = "Planter, double disk opnr"
DRILL = "Drill or airseeder, double disk"
WHO = {"operation_id": "O9", "unit_id": "N40", "equipment": "16-row planter", "depth_in": "2", "speed_mph": "5",
       "width_ft": "40"}  # fmt: skip


def doubts(rows: Rows) -> list[SowingDoubt]:
    return sowing_doubts(assess(book_of(rows)))


def pairs(rows: Rows) -> list[tuple[str, str]]:
    return [(one.record.key if one.record else "", one.sower.key if one.sower else "") for one in doubts(rows)]


def passed(rows: Rows, day: str, operation: str = PLANTER, **cells: str) -> Rows:
    return with_row(rows, "operation", **WHO | {"day": day, "operation": operation} | cells)


@pytest.mark.parametrize(("day", "found"), [
    ("2025-04-30", []), ("2025-04-26", []), ("2025-05-01", [("P1", "O3")]), ("2025-05-28", [("P1", "O3")]),
    ("", [("P1", "O3")]),
])  # fmt: skip
def test_a_planter_pass_of_another_day_is_asked_about_with_its_planting(day: str, found: list[tuple[str, str]]) -> None:
    assert pairs(changed(clean_season(), "operation", 2, day=day)) == found


def test_a_planting_and_a_pass_without_the_other_are_asked_and_no_verdict_rests_on_it() -> None:
    (one,) = doubts(changed(clean_season(), "operation", 2, day="2025-05-05"))
    assert one.cause == "N40: planting P1 is of 2025-04-28, and pass O3 of a planter or drill is of 2025-05-05."
    assert one.remedy.startswith("Which day is right?")
    assert (one.harvest_id, one.crop, one.harvest_year) == ("H25", "corn", 2025)
    rows = clean_season()
    assert pairs(without(rows, "operation", 2)) == [("P1", "")]
    assert pairs(passed(rows, "2025-06-20")) == [("", "O9")]
    rows = passed(clean_season(), "2025-06-20")
    alone = with_row(rows, "planting", planting_id="P9", harvest_id="H25", planted_on="2025-06-20", replant="yes")
    asked, still = (verdicts(one)["H25"] for one in (rows, alone))
    assert [bool(doubts(one)) for one in (rows, alone)] == [True, False]
    assert {name: asked[name] for name in ("no_till", "reduced_till", "cover_crop")} == {
        name: still[name] for name in ("no_till", "reduced_till", "cover_crop")
    }


def test_of_two_passes_of_other_days_the_nearer_one_is_asked_about() -> None:
    rows = changed(clean_season(), "operation", 2, day="2025-05-20")
    assert pairs(passed(rows, "2025-05-05")) == [("P1", "O9"), ("", "O3")]


def test_planting_over_several_days_is_one_deed_each_replanting_has_its_pass_others_none() -> None:
    rows = passed(passed(clean_season(), "2025-04-30"), "2025-05-02", operation_id="O10")
    assert not doubts(rows)
    assert pairs(passed(rows, "2025-05-05", operation_id="O11")) == [("", "O11")]
    again = with_row(clean_season(), "planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-14",
                     replant="yes")  # fmt: skip
    assert pairs(again) == [("P2", "")]
    assert not doubts(passed(again, "2025-05-15"))
    for name in ("Aerial seeding", "Broadcast seeding, not incorporated", "Residue, row cleaner",
                 "Fert. applic., strip-till 30 in", "our own old machine"):  # fmt: skip
        assert not sows(name)
        assert not doubts(passed(clean_season(), "2025-06-20", name)), name
    assert all(map(sows, (PLANTER, DRILL)))


@pytest.mark.parametrize(("method", "found"), [
    ("drilled", [("C1", "O1")]), ("precision", [("C1", "O1")]), ("broadcast", [("", "O1")]), ("aerial", [("", "O1")]),
])  # fmt: skip
def test_only_a_drilled_cover_takes_a_pass(method: str, found: list[tuple[str, str]]) -> None:
    cover = clean_season()["cover_crop"][0]["cover_id"]
    rows = changed(clean_season(), "cover_crop", 0, method=method, seeded_on="2024-10-19")
    assert pairs(rows) == [(cover if one else "", sower) for one, sower in found]
    alone = without(changed(clean_season(), "cover_crop", 0, method=method), "operation", 0)
    assert pairs(alone) == ([(cover, "")] if found[0][0] else [])


def test_a_clean_season_and_what_is_not_recorded_is_asked_nothing_a_crop_to_come_is() -> None:
    oats = {"harvest_id": "H25o", "unit_id": "N40", "crop": "oats", "ending": "harvested", "first_day": "2025-04-24",
            "last_day": "2025-04-24"}  # fmt: skip
    rows = passed(with_row(clean_season(), "harvest", **oats), "2025-03-10", DRILL)
    assert not doubts(rows)
    clean = clean_season()
    for rows in (clean, without(clean, "planting", 0), changed(clean, "planting", 0, planted_on="")):
        assert not doubts(rows)
    rows = with_row(clean_season(), "harvest", harvest_id="H26", unit_id="N40", crop="corn", ending="not_yet")
    rows = with_row(rows, "planting", planting_id="P3", harvest_id="H26", planted_on="2026-04-20")
    (one,) = doubts(rows)
    assert (one.record and one.record.key, one.harvest_id, one.harvest_year) == ("P3", "H26", None)
