"""What a typed price makes of bushels and CI; totals across the operation: what nobody recorded is never zero.

What was sown and the pass that sowed it: a question where the two do not fit, never a verdict.
"""

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Final

import pytest

from provender.cli.output import NAMES
from provender.exact import show
from provender.intensity import ARGONNE
from provender.intensity.plan import UnitPlan, unit_plan
from provender.intensity.quantify import quantify
from provender.problem import ProblemsError
from provender.records.folder import load_book
from provender.rule.crops import Crop, Practice
from provender.services.farm import check
from provender.services.farm.due import Price, price_of
from provender.verdicts.assess import assess
from tests.standards.season import Rows, book_of, changed, clean_season, content_hash, verdicts, with_row, without

BLUESTEM: Final = Path(__file__).parents[3] / "examples" / "bluestem-farm"


@pytest.fixture(scope="module")
def planned() -> UnitPlan:
    judged = assess(load_book(BLUESTEM))
    corn = quantify(judged, "BLUESTEM", Crop.field_corn, 2025, ARGONNE)
    return next(unit_plan(judged, corn, unit) for unit in corn.units if unit.unit_id == "E80")


def test_a_premium_is_paid_for_bushels_and_points_below_the_default_and_a_point_has_grams() -> None:
    price = Price(Decimal("0.10"), Decimal("0.05"), Decimal(1000))
    assert price.worth(8_000_000, 200_000) == Decimal("1600.00")  # 8,000 bu x (0.10 + 0.05 x 2 points)
    assert price.worth(8_000_000, 199_000) == Decimal("1596.00")
    assert price.worth(8_000_000, -200_000) == Decimal("800.00")
    assert (price.worth(None, 0), price.worth(8_000_000, None)) == (None, None)
    assert Price(Decimal("0.10")).worth(8_000_000, None) == Decimal("800.00")
    with pytest.raises(ProblemsError, match="grams in a point"):
        price_of("", "1", "0")
    assert price_of("", "") is None


def test_a_gain_is_against_today_and_nothing_is_earned_without_a_practice(planned: UnitPlan) -> None:
    price, bushels = Price(per_point=Decimal("0.05"), point=Decimal(1000)), planned.unit.bushels
    none = next(option for option in planned.options if not option.combination.practices)
    cover = planned.adding(Practice.cover_crop)
    assert cover is not None
    assert cover.against_national is not None
    assert bushels is not None
    by_hand = Decimal(-cover.against_national) * bushels * Decimal("0.05") / (1000 * 100 * 1000)
    assert price.gain(cover, planned.today, bushels) == by_hand.quantize(Decimal("0.01"))
    assert price.of(none, bushels) == 0
    assert price.gain(planned.today, planned.today, bushels) == 0
    assert planned.adding(Practice.reduced_till) is None  # credited already


@pytest.mark.parametrize("text", ["much", "NaN", "Infinity", "-1", "1e9", "\u0663"])
def test_what_is_no_price_is_refused_by_the_name_of_its_field(text: str) -> None:
    with pytest.raises(ProblemsError, match="no price"):
        price_of(text, "")
    with pytest.raises(ProblemsError) as refused:
        price_of("", "1", text)
    assert "--" not in str(refused.value), "who asks at another door types no option"
    with pytest.raises(ProblemsError, match="--point"):
        price_of("", "1", text, names=NAMES)


SHARED = ("farm", "inhibitor_acceptance")

"""Kinds of which both units of a farm have one row together."""

IDENTIFIERS = re.compile(r"(?<![\w.])(?:H24|H25|[A-Z]\d)(?![\w.])")

"""Identifiers of the clean season but that of its unit."""

NAMED = frozenset({
    "harvest_id", "operation_id", "planting_id", "cover_id", "purchase_id", "application_id", "budget_id",
    "soil_test_id", "evidence_id", "evidence", "established_photo",
})  # fmt: skip


def renamed(rows: Rows, mark: str, unit: str = "N40") -> Rows:
    """Return a season whose identifiers begin with a mark, on a unit."""

    def cell(name: str, text: str) -> str:
        if name == "unit_id":
            return text.replace("N40", unit)
        return IDENTIFIERS.sub(lambda found: mark + found[0], text) if name in NAMED else text

    made = {kind: [{name: cell(name, text) for name, text in row.items()} for row in of] for kind, of in rows.items()}
    files = [
        {**one, "file": mark + one["file"], "sha256": content_hash(mark + one["file"])} for one in made["evidence"]
    ]
    return {**made, "evidence": files}


def together(one: Rows, other: Rows) -> Rows:
    """Return the rows of both, of one farm."""
    return {kind: of if kind in SHARED else [*of, *other.get(kind, [])] for kind, of in one.items()}


def second_unit(crop: str = "soybeans") -> Rows:
    """Return a unit of 25 acres that meets all that its crop may claim; cover was seeded on 24.5 of them."""
    rows = changed(changed(clean_season(crop), "unit", acres="25"), "cover_crop", seeded_acres="24.5")
    return renamed(changed(rows, "harvest", 1, bushels="1000.125"), "Z", "S25")


def next_year() -> Rows:
    """Return the same unit a year later, its cover seeded after the harvest of 2025."""
    later = re.compile(r"\b(20\d\d)(?=-\d\d-\d\d)")

    def cell(name: str, text: str) -> str:
        moved = later.sub(lambda year: str(int(year[1]) + 1), text)
        return "2025-10-28" if moved == "2025-10-09" and name in ("day", "seeded_on") else moved

    rows = {kind: [{name: cell(name, text) for name, text in row.items()} for row in of]
            for kind, of in changed(clean_season(), "harvest", 1, bushels="7000").items()}  # fmt: skip
    rows = {**rows, "harvest": rows["harvest"][1:], "unit": []}
    return renamed(rows, "Y")


def totals_of(rows: Rows) -> dict[tuple[int, Practice], list[check.PracticeTotal]]:
    """Return the totals of each year and practice: of all crops first, unless one is all, then of each."""
    found: dict[tuple[int, Practice], list[check.PracticeTotal]] = {}
    for one in check.operation_totals(assess(book_of(rows)).intervals):
        found.setdefault((one.harvest_year, one.practice), []).append(one)
    return found


def said(total: check.PracticeTotal) -> tuple[int, str | None, str | None]:
    """Return crops on units, acres and bushels as texts."""
    acres, bushels = (None if one is None else show(one) for one in (total.acres, total.bushels))
    return total.crops_on_units, acres, bushels


def test_two_crops_of_a_year_add_up_and_two_years_of_a_unit_do_not() -> None:
    found = totals_of(together(clean_season(), second_unit()))
    no_till, cover = found[2025, Practice.no_till], found[2025, Practice.cover_crop]
    assert [(one.crop, *said(one)) for one in no_till] == [
        (None, 2, "65", "9000.125"),
        (Crop.field_corn, 1, "40", "8000"),
        (Crop.soybeans, 1, "25", "1000.125"),
    ]
    assert said(cover[0]) == (2, "64.5", "9000.125"), "acres seeded, not those of the unit"
    assert said(found[2025, Practice.split_in_season][0]) == (1, "40", "8000"), "soybeans may not claim it"
    assert [one[0].cite for one in (no_till, cover)] == ["", "2100.052(b)(4), (7)"]
    found = totals_of(together(clean_season(), next_year()))
    for practice in (Practice.no_till, Practice.cover_crop, Practice.split_in_season):
        assert said(found[2025, practice][0]) == (1, "40", "8000")
        assert said(found[2026, practice][0]) == (1, "40", "7000")
    assert {year for year, _ in found} == {2025, 2026}


def test_a_unit_whose_standard_is_not_met_or_not_shown_is_in_no_total() -> None:
    both = together(clean_season(), second_unit("corn"))
    plowed = changed(both, "operation", 6, operation="Plow, moldboard")
    undeclared = changed(both, "declaration", 1, all_operations_listed="")
    for rows, unshown in ((plowed, 0), (undeclared, 1)):
        found = totals_of(rows)
        assert said(found[2025, Practice.no_till][0]) == (1, "40", "8000")
        assert found[2025, Practice.no_till][0].not_shown == unshown
        inhibited = found[2025, Practice.nitrification_inhibitor]
        assert [(one.crop, *said(one)) for one in inhibited] == [(Crop.field_corn, 2, "65", "9000.125")], "one crop"


def test_a_practice_not_ticked_is_not_told_as_not_shown_and_one_that_nothing_meets_has_no_total() -> None:
    undeclared = changed(together(clean_season(), second_unit("corn")), "declaration", 1, all_operations_listed="")
    rows = changed(undeclared, "harvest", 3, claims="nitrification_inhibitor")
    assert totals_of(rows)[2025, Practice.no_till][0].not_shown == 0
    plowed = changed(clean_season(), "operation", 1, operation="Plow, moldboard")
    assert Practice.no_till not in {practice for _, practice in totals_of(plowed)}
    assert check.operation_totals([]) == ()
    assert check.totals_table(()).rows == []


def test_crops_not_shown_or_with_records_open_are_told_beside_the_total() -> None:
    rows = changed(together(clean_season(), second_unit()), "declaration", 1, all_operations_listed="")
    table = check.totals_table(totals_of(rows)[2025, Practice.no_till])
    cells = [{column.label: cell.text for column, cell in row} for row in table.pairs]
    assert [(row["Crop"], row["Crops on units"], row["Not shown"]) for row in cells] == [
        ("All crops", "1", "1"),
        ("Field corn", "1", "0"),
    ]
    rows = changed(together(clean_season(), second_unit()), "cover_crop", 1, established_photo="")
    total, *crops = totals_of(rows)[2025, Practice.cover_crop]
    assert (total.crops_on_units, total.records_open) == (2, 1)
    assert [one.records_open for one in crops] == [0, 1]


@pytest.mark.parametrize(
    ("kind", "row", "column", "practice", "lacks"),
    [
        ("unit", 1, "acres", Practice.no_till, "acres"),
        ("harvest", 3, "bushels", Practice.no_till, "bushels"),
        ("harvest", 3, "bushels", Practice.cover_crop, "bushels"),
    ],
)
def test_a_missing_amount_leaves_no_total(kind: str, row: int, column: str, practice: Practice, lacks: str) -> None:
    rows = changed(together(clean_season(), second_unit()), kind, row, **{column: ""})
    total, corn, soybeans = found = totals_of(rows)[2025, practice]
    other = "bushels" if lacks == "acres" else "acres"
    assert (getattr(total, lacks), getattr(total, f"without_{lacks}")) == (None, 1)
    assert getattr(total, other) is not None
    assert getattr(total, f"without_{other}") == 0
    assert (getattr(corn, f"without_{lacks}"), getattr(soybeans, lacks)) == (0, None)
    assert getattr(corn, lacks) is not None, "what the other crop lacks takes nothing from this one"
    cells = {column.label: cell for column, cell in check.totals_table(found).pairs[0]}
    assert (cells[lacks.capitalize()].text, cells[lacks.capitalize()].saved) == ("not known: 1 of 2 not recorded", "")
    assert cells[f"Crops without {lacks}"].text == "1"


@pytest.mark.parametrize(("kind", "column"), [("cover_crop", "seeded_acres"), ("unit", "acres")])
def test_a_cover_crop_without_its_acres_is_not_shown_to_stand_on_its_unit_and_told_so(kind: str, column: str) -> None:
    rows = changed(together(clean_season(), second_unit()), kind, 1, **{column: ""})
    cover = totals_of(rows)[2025, Practice.cover_crop][0]
    assert (said(cover), cover.not_shown) == ((1, "40", "8000"), 1)


def test_a_seeding_without_acres_leaves_the_total_unknown_and_two_farms_are_two_operations() -> None:
    rows = together(clean_season(), second_unit())
    corn, soybeans = assess(book_of(rows)).intervals
    blank = assess(book_of(changed(rows, "cover_crop", 1, seeded_acres=""))).intervals[1]
    open_ = replace(soybeans, season=blank.season)
    cover = next(one for one in check.operation_totals([corn, open_]) if one.practice is Practice.cover_crop)
    assert (cover.acres, cover.without_acres) == (None, 1)
    other = {kind: [{**row, "farm_id": "F2"} for row in of] for kind, of in second_unit().items()}
    book = book_of({kind: [*of, *other[kind]] for kind, of in clean_season().items()})
    found = [one for one in check.operation_totals(assess(book).intervals) if one.practice is Practice.no_till]
    assert [(one.farm_id, *said(one)) for one in found] == [("F1", 1, "40", "8000"), ("F2", 1, "25", "1000.125")]
    table = check.totals_table(found)
    assert [column.label for column in table.columns][:2] == ["Farm", "Harvest year"]
    assert [row[0].text for row in table.cells] == ["F1", "F2"]


PLANTER = "Planter, double disk opnr"

DRILL = "Drill or airseeder, double disk"

WHO = {"operation_id": "O9", "unit_id": "N40", "equipment": "16-row planter", "depth_in": "2", "speed_mph": "5",
       "width_ft": "40"}  # fmt: skip


def doubts(rows: Rows) -> list[check.SowingDoubt]:
    return check.sowing_doubts(assess(book_of(rows)))


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
        assert not check.sows(name)
        assert not doubts(passed(clean_season(), "2025-06-20", name)), name
    assert all(map(check.sows, (PLANTER, DRILL)))


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
