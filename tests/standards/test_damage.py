"""Damaged files earn no more than the clean ones, and a unit without records nothing (interpretations 2, 3).

Random seasons, damaged: ``test_standard``.
"""

from typing import Final

import pytest

from provender.records.book import RecordBook
from provender.records.kind import KINDS
from provender.records.reading import TextTable, read_table
from provender.rule.crops import Crop, Practice, claimable
from provender.standards.judge import judge
from provender.standards.standard import REQUIREMENTS, Part
from tests.standards.damage import Damage, hit, owned_by, tables, two_units
from tests.standards.season import Rows, answers, changed, clean_season, files_of, verdicts, with_row

Answers = dict[str, bool | None]


def judged(farms: dict[str, dict[str, TextTable]], rows: Rows) -> dict[str, dict[str, Answers]]:
    """Read and judge the tables of many farms that hold the files of one season: the answers of each crop entry."""
    readings = [
        (kind, read_table(KINDS[kind], owned_by(farm, table), farm_id=farm))
        for farm, of_farm in farms.items()
        for kind, table in of_farm.items()
    ]
    files: Rows = {"evidence": [{**one, "farm_id": farm} for farm in farms for one in rows["evidence"]]}
    found: dict[str, dict[str, Answers]] = {}
    for one in judge(RecordBook.from_readings(readings, files=files_of(files))):
        found.setdefault(one.farm_id, {})[one.harvest_id] = answers(one)
    return found


def test_every_single_unreadable_cell_of_a_clean_season_costs_something() -> None:
    """But those of the farm's own row, on which nothing rests where the unit names its county."""
    clean = tables(clean_season())
    damaged = {
        f"{kind}-{name}": clean | {kind: hit(table, Damage(kind, "cell", 0, column))}
        for kind, table in clean.items()
        for column, name in enumerate(table.heading)
        if name != "farm_id" and any(cells[column] for _, cells in table.rows)
    }
    after = judged({"clean": clean} | damaged, clean_season())
    best = after["clean"]["H25"]
    assert best == verdicts(clean_season())["H25"]
    assert len(damaged) > 100
    assert all(farm.startswith("farm-") for farm in damaged if best in after.get(farm, {}).values())


@pytest.mark.parametrize(
    ("kind", "row", "lost"),
    [
        ("operation", 0, Practice.no_till),
        ("operation", 4, Practice.no_till),
        ("nutrient_application", 1, Practice.nitrification_inhibitor),
    ],
)
def test_a_row_without_a_readable_unit_spoils_its_kind_on_the_whole_farm(kind: str, row: int, lost: Practice) -> None:
    clean = tables(two_units(clean_season(), clean_season()))
    unit = clean[kind].heading.index("unit_id")
    after = judged({"F1": clean | {kind: hit(clean[kind], Damage(kind, "cell", row, unit))}}, clean_season())
    assert [after["F1"][name][lost] for name in ("H25", "H25-2")] == [None, None]


def test_damage_on_one_unit_hides_what_it_took_and_nothing_shows_what_is_not_its_own() -> None:
    short = changed(two_units(clean_season(), clean_season()), "inhibitor_purchase", amount="25")
    clean = tables(short)
    inhibitor = clean["nutrient_application"].heading.index("inhibitor")
    damaged = clean | {"nutrient_application": hit(clean["nutrient_application"], Damage("", "cell", 3, inhibitor))}
    after = judged({"clean": clean, "damaged": damaged}, short)
    assert [after[farm]["H25"]["records_inhibitor_bought"] for farm in after] == [None, None]
    found = verdicts(bare_unit("harvest", "declaration"))["H25"]
    met = {name for name, one in REQUIREMENTS.items() if found[name] and one.part is Part.IMPLEMENTATION}
    assert met == {"no_till_residue_not_burned", "reduced_till_residue_not_burned"}
    rows = with_row(clean_season(), "unit", unit_id="S80", acres="80", county_fips="20177", boundary="s80.geojson")
    rows = with_row(
        rows, "harvest", harvest_id="S25", unit_id="S80", crop="corn", ending="harvested", last_day="2025-10-20"
    )
    found = verdicts(rows)["S25"]
    assert {name for name, answer in found.items() if answer} == set(OF_ITS_OWN_ROW)


def bare_unit(*kinds: str) -> Rows:
    """Return a farm whose unit has only rows of these kinds."""
    return {kind: of for kind, of in clean_season().items() if kind in ("farm", "unit", *kinds)}


@pytest.mark.parametrize(
    "kinds", [(), ("harvest",), ("harvest", "declaration"), ("declaration",), ("harvest", "soil_test")]
)
def test_a_unit_with_only_a_harvest_or_a_declaration_is_met_in_no_practice(kinds: tuple[str, ...]) -> None:
    found = verdicts(bare_unit(*kinds))
    assert set(found) == ({"H25"} if "harvest" in kinds else set())
    practices = [name for one in Practice for name in (one, f"{one}_records")]
    assert [name for of_crop in found.values() for name in practices if of_crop[name]] == []


OF_ITS_OWN_ROW: Final = (
    "records_tillage_unit", "records_cover_unit", "records_nutrients_unit", "records_nutrients_acres",
)  # fmt: skip
"""Where the unit lies and how large it is."""


@pytest.mark.parametrize("practice", list(Practice))
@pytest.mark.parametrize("crop", list(Crop))
def test_the_clean_season_meets_exactly_what_its_crop_may_claim(crop: Crop, practice: Practice) -> None:
    assert verdicts(clean_season(crop))["H25"][practice] is (practice in claimable(crop))
