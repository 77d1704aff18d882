"""The crop entry of a row, covers, two farms in one import, shares of a ticket, photographs without a unit."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from provender.formats.importing.crop_entries import Crop, NewEntry
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.plan import ImportPlan, plan_import, waits_or_fails, write_plan
from provender.formats.template_layout import kind_named
from provender.problem import Weight
from provender.records.folder import load_book, rejected_in, write_csv
from tests.formats.test_intake import ACCEPTED, CHOICES, book, brought, table, table_text
from tests.formats.workbooks import picture
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

PLANTED = "Field,Crop,Date Planted"


def crop(name: str, kind: str, ending: str, day: str = "", unit: str = "N40") -> dict[str, str]:
    days = {"first_day": day, "last_day": f"{day[:-2]}28"} if day else {}
    return {"harvest_id": name, "unit_id": unit, "crop": kind, "ending": ending, **days}


ENTRIES = (
    crop("N24", "corn", "harvested", "2024-10-02"), crop("W25", "wheat", "harvested", "2025-07-01"),
    crop("D25", "soybeans", "harvested", "2025-10-15"), crop("N26", "corn", "not_yet"),
    crop("S25", "corn", "harvested", "2025-09-20", "S12"),
)  # fmt: skip


def laid(tmp_path: Path, *harvests: dict[str, str]) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem"}))
    called = {"N40": ("North forty", "40"), "S12": ("South", "12")}
    units = ({"unit_id": unit, "name": name, "acres": acres} for unit, (name, acres) in called.items())
    (folder / "unit.csv").write_text(table("unit", *units))
    (folder / "harvest.csv").write_text(table("harvest", *harvests))
    return folder


@pytest.fixture
def farmed(tmp_path: Path) -> Path:
    return laid(tmp_path, *ENTRIES)


def planned(
    farmed: Path, *lines: str, heading: str = PLANTED, choices: Choices = ACCEPTED, name: str = "list"
) -> ImportPlan:
    path = farmed.parent / f"{name}.csv"
    path.write_text("\n".join([heading, *lines, ""]))
    return plan_import([path], ImportBook.in_folder(farmed), choices)


def rows(plan: ImportPlan, kind: str = "planting") -> list[str]:
    return table_text(plan, kind).splitlines()[1:]


def causes(plan: ImportPlan, code: str) -> list[str]:
    return [one.cause for one in plan.problems if one.code == code]


@ROWS
def test_the_one_entry_that_fits_is_taken_and_told_and_kept_with_the_row(farmed: Path, line: str, entry: str) -> None:
    plan = planned(farmed, line)
    (row,) = rows(plan)
    assert f",{entry}," in row
    (told,) = [one for one in plan.problems if one.code == "entry_chosen"]
    assert told.weight is Weight.NOTE
    one = next(one for one in ENTRIES if one["harvest_id"] == entry)
    year = one.get("first_day", "")[:4]
    assert f"was taken for the crop entry {one['unit_id']} {one['crop']} {year}".rstrip() in told.cause
    assert entry not in told.cause
    assert "Crop entry chosen by field" in row
    write_plan(plan)
    again = planned(farmed, line)
    assert rows(again) == []
    assert [one.same for one in again.counts] == [1], "the same file again brings nothing"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        pytest.param("N40,corn,", "N40 corn 2024 (harvested 2024-10-02), N40 corn (not harvested yet)", id="no day"),
        pytest.param("N40,,", "N40 corn 2024", id="neither day nor crop"),
    ],
)
def test_where_several_fit_the_row_stays_out_and_they_are_named(farmed: Path, line: str, named: str) -> None:
    plan = planned(farmed, line, "S12,,5/2/2025")
    assert len(rows(plan)) == 1
    (cause,) = causes(plan, "entry_asked")
    assert named in cause
    (asked,) = plan.asked
    assert {"N24", "N26"} <= set(asked.entries)
    assert [count.rejected for count in plan.counts] == [1]
    (kept,) = plan.book.rejected
    assert dict(kept.cells)["harvest_id"] in ("N40 (corn)", "N40"), "what the file said is kept"


def test_an_entry_without_a_day_makes_no_border_sure_and_two_to_come_are_told_by_name(farmed: Path) -> None:
    (farmed / "harvest.csv").write_text(table("harvest", *ENTRIES, crop("X", "corn", "harvested")))
    assert causes(planned(farmed, "N40,corn,5/1/2024"), "entry_asked")
    (farmed / "harvest.csv").write_text(table("harvest", *ENTRIES, crop("B26", "soybeans", "not_yet")))
    assert causes(planned(farmed, "N40,,5/1/2026"), "entry_asked")
    assert ",B26," in rows(planned(farmed, "N40,soybeans,5/1/2026"))[0]


def test_a_harvest_year_tells_what_no_day_does(farmed: Path) -> None:
    heading = "Field,Crop,Crop year,Yield goal,N lb/ac"
    plan = planned(farmed, "N40,corn,2024,200,180", heading=heading, choices=replace(ACCEPTED, kind="nutrient_budget"))
    assert ",N24," in rows(plan, "nutrient_budget")[0]


@pytest.mark.parametrize(("line", "offered"), [
    ("N40,soybeans,5/1/2026", Crop("N40", "soybeans", "2026", "N40-soybeans-2026")),
    ("S12,corn,5/1/2026", Crop("S12", "corn", "2026", "S12-corn-2026")),
    ("S12,,5/1/2026", Crop("S12", "", "2026", "S12-2026")),
    pytest.param("S12,wheat,10/1/2025", Crop("S12", "wheat", "2026", "S12-wheat-2026"), id="after this year's"),
])  # fmt: skip
def test_where_none_fits_it_is_offered_and_goes_in_once_said(farmed: Path, line: str, offered: Crop) -> None:
    plan = planned(farmed, line)
    assert rows(plan) == []
    (cause,) = causes(plan, "entry_missing")
    assert offered.unit in cause
    (asked,) = plan.asked
    assert asked.offered == offered
    assert not table_text(plan, "harvest")
    new = NewEntry(offered.unit, offered.crop or "corn", "not_yet")
    plan = planned(farmed, line, choices=replace(ACCEPTED, new_entries={offered.name: new}))
    assert f",{offered.name}," in rows(plan)[0]
    assert f"{offered.name},{offered.unit},{new.crop},,not_yet" in table_text(plan, "harvest")
    assert plan.asked == []


def test_an_entry_that_has_ended_is_added_with_its_day(farmed: Path) -> None:
    new = {"S12-corn-2024": NewEntry("S12", "corn", "harvested", "2024-09-30")}
    plan = planned(farmed, "S12,corn,5/1/2024", "S12,corn,5/1/2025", choices=replace(ACCEPTED, new_entries=new))
    assert [row.split(",")[2] for row in rows(plan)] == ["S12-corn-2024", "S25"]
    assert "harvested,2024-09-30,2024-09-30" in table_text(plan, "harvest")


def test_an_entry_by_its_name_counts_and_another_crop_beside_it_is_told(farmed: Path) -> None:
    assert ",N24," in rows(planned(farmed, "N24,corn,5/1/2024"))[0]
    plan = planned(farmed, "N24,wheat,5/1/2024")
    assert rows(plan) == []
    assert causes(plan, "unknown_reference") == ["'N24 (wheat)' is not among the crops and harvests of farm F1."]


def test_an_application_finds_the_crop_it_names_and_goes_in_by_its_day_where_none_fits(farmed: Path) -> None:
    heading = "Field,Date,Crop,Product,N lb/ac"
    lines = ("N40,4/20/2026,Corn,Urea,100", "N40,4/20/2026,Soybeans,Urea,90", "N40,4/21/2026,,Urea,80")
    plan = planned(farmed, *lines, heading=heading, choices=replace(ACCEPTED, kind="nutrient_application"))
    first, second, third = rows(plan, "nutrient_application")
    assert ",N40,N26," in first
    assert ",N40,," in second
    assert ",N40,," in third
    (told,) = [one for one in plan.problems if one.code == "entry_open"]
    assert (told.place.row, told.weight) == (3, Weight.CONFIRM)


@pytest.mark.parametrize(("day", "entries"), [
    pytest.param("2/3/2026", {"N26"}, id="after the crop before was cut"),
    pytest.param("8/30/2025", {"D25", "N26"}, id="while the crop before stands"),
    pytest.param("2/3/2024", {"N24", "W25"}, id="in the year of a crop whose planting nobody recorded"),
    pytest.param("12/3/2023", {"N24"}, id="in the year before"),
])  # fmt: skip
def test_a_budget_may_be_for_the_crop_after_the_one_that_stands(farmed: Path, day: str, entries: set[str]) -> None:
    heading = "Field,Yield Goal,N lb/ac,Plan date"
    plan = planned(farmed, f"N40,200,180,{day}", heading=heading, choices=replace(ACCEPTED, kind="nutrient_budget"))
    found = {name for row in rows(plan, "nutrient_budget") for name in row.split(",")} & {
        one["harvest_id"] for one in ENTRIES
    }
    assert (found or set(plan.asked[0].entries)) == entries


def test_a_second_planting_is_asked_about_in_the_book_and_in_one_file(farmed: Path) -> None:
    plan = planned(farmed, "N40,corn,4/20/2026", "N40,corn,5/9/2026")
    assert len(rows(plan)) == 2, "nothing is lost"
    (told,) = [one for one in plan.problems if one.code == "another_row"]
    assert (told.place.row, told.weight) == (3, Weight.CONFIRM)
    assert "N26 has a row of" in told.cause
    assert "N26-planting-2026-04-20 of 2026-04-20" in told.cause
    write_plan(plan)
    assert len(causes(planned(farmed, "N40,corn,5/20/2026", name="later"), "another_row")) == 1
    declared = planned(farmed, "N40,corn,5/20/2026,yes", heading=f"{PLANTED},Replant", name="later")
    assert len(rows(declared)) == 3
    assert not causes(declared, "another_row"), "who says that it was planted again is not asked"


@pytest.mark.parametrize(("new", "asked"), [
    (crop("A", "corn", "harvested", "2024-11-01"), True),
    pytest.param(crop("A", "soybeans", "harvested", "2024-11-01"), False, id="a double crop of another kind"),
    pytest.param(crop("A", "corn", "terminated", "2024-05-20"), False, id="a stand that was given up"),
    pytest.param(crop("A", "corn", "harvested", "2023-11-01"), False, id="another year"),
    pytest.param(crop("A", "corn", "harvested", "2024-11-01", "S12"), False, id="another field"),
    pytest.param({**crop("A", "corn", "harvested", "2024-11-01"), "use": "silage"}, False, id="another use"),
])  # fmt: skip
def test_a_second_entry_of_one_crop_and_year_is_asked_about(farmed: Path, new: dict[str, str], *, asked: bool) -> None:
    text = (farmed / "harvest.csv").read_text()
    (farmed / "harvest.csv").write_text(text.replace("N24,N40,corn,,", "N24,N40,corn,grain,"))
    path = farmed.parent / "harvest.csv"
    path.write_text(table("harvest", new))
    plan = plan_import([path], ImportBook.in_folder(farmed), ACCEPTED)
    assert bool(plan.changes) is not asked
    told = [one.remedy for one in plan.problems if one.code == "differs_from_book"]
    assert ["--twins each" in remedy for remedy in told] == [True] * asked
    plan = plan_import([path], ImportBook.in_folder(farmed), replace(ACCEPTED, twins="each"))
    assert f"A,{new['unit_id']}" in table_text(plan, "harvest")
    assert bool(causes(plan, "another_row")) is asked


COVERS = "Field,Cover Crop,Seeding Date,Seeding Rate (lb/ac),Seeding Method,Termination Date,Termination Method,Acres"
RYE = "N40,Cereal rye,10/9/2024,60,Drill,4/16/2025,Sprayed,40"


def harvest(name: str, year: int, unit: str = "N40") -> dict[str, str]:
    days = {"first_day": f"{year}-10-02", "last_day": f"{year}-10-03"}
    return {"harvest_id": name, "unit_id": unit, "crop": "corn", "ending": "harvested", "bushels": "9", **days}


@pytest.fixture
def covered(tmp_path: Path) -> Path:
    return laid(tmp_path, harvest("H24", 2024), harvest("H25", 2025), harvest("S25", 2025, "S12"))


def listed(covered: Path, *lines: str, heading: str = COVERS) -> ImportPlan:
    path = covered.parent / "covers 2024.csv"
    path.write_text("\n".join([heading, *lines, ""]))
    return plan_import([path], ImportBook.in_folder(covered), ACCEPTED)


def test_a_list_becomes_covers_of_the_crop_that_follows_and_their_species(covered: Path) -> None:
    plan = listed(covered, RYE, "South,rye & vetch mix,10/12/2024,45,flown on,4/20/2025,rolled,12")
    covers, species = table_text(plan, "cover_crop"), table_text(plan, "cover_species")
    assert "N40-cover-2024-10-09,N40,H25,2024-10-09,drilled,40,,,,,,2025-04-16,herbicide" in covers
    assert "S12-cover-2024-10-12,S12,S25,2024-10-12,aerial,12,,,,,,2025-04-20,roller_crimper" in covers
    assert 'N40-cover-2024-10-09,"Cereal Rye, Winter",Cereal rye,60' in species
    assert species.count("S12-cover-2024-10-12,") == 2
    assert ",45" not in species
    assert {"rate_of_mix", "kind_by_headings"} & {one.code for one in plan.problems} >= {"rate_of_mix"}


@ROWS
def test_a_list_of_plantings_is_none_of_covers(covered: Path, heading: str, line: str, kind: str) -> None:
    plan = listed(covered, line, heading=heading)
    assert kind in {one.kind for one in plan.counts}
    assert table_text(plan, kind)


def test_a_crop_cut_before_a_cover_was_seeded_is_none_that_follows_and_of_several_is_asked(covered: Path) -> None:
    plan = listed(covered, "N40,Rye,10/9/2024", heading="Field,Cover crop,Planted")
    assert ",N40,H25,2024-10-09," in table_text(plan, "cover_crop")
    plan = listed(covered, "N40,Rye,9/9/2024", heading="Field,Cover crop,Planted")
    assert not table_text(plan, "cover_crop")
    (told,) = [one for one in plan.problems if one.code == "entry_asked"]
    assert "'N40' can be N40 corn 2024 (harvested 2024-10-02), N40 corn 2025 (harvested 2025-10-02)." in told.cause


KILLED = "Field,Cover crop,Seeded,Killed"
CUT = crop("A25", "corn", "harvested", "2025-10-06")


@pytest.mark.parametrize(("stands", "line", "said"), [
    pytest.param(CUT, "N40,rye,10/12/2025,5/10/2026", "no crop entry of N40 fits", id="cut before it was seeded"),
    pytest.param(crop("A25", "corn", "harvested"), "N40,rye,10/12/2025,5/10/2026",
                 "only N40 corn (harvested, no day), called A25", id="cut on a day that nobody wrote"),
    pytest.param(CUT, "N40,rye,9/20/2025,", "nothing shows that it is the one", id="flown into the crop that stands"),
    pytest.param(crop("A27", "corn", "harvested", "2027-10-06"), "N40,rye,10/12/2025,5/10/2026",
                 "only N40 corn 2027", id="the crop in between is not entered"),
    pytest.param(CUT, "N40,rye,,5/10/2026", "no crop entry of N40 fits", id="no day of seeding"),
    pytest.param(crop("A25", "corn", "harvested", "2025-12-20"), "N40,rye,10/12/2025,12/15/2025", "only N40 corn 2025",
                 id="winter-killed before a late harvest"),
])  # fmt: skip
def test_a_cover_before_no_entry_goes_to_none(tmp_path: Path, stands: dict[str, str], line: str, said: str) -> None:
    plan = planned(laid(tmp_path, stands), line, heading=KILLED, name="covers")
    assert "cover_crop.csv" not in plan.files
    (told,) = [one for one in plan.problems if one.code in ("entry_asked", "entry_missing")]
    assert said in told.cause
    assert "--add-entry 'N40, CROP, 2026'" in told.remedy
    assert [one.offered for one in plan.asked] == [Crop("N40", "", "2026", "N40-2026")]


def test_a_species_that_stays_out_goes_to_its_cover_once_mended(tmp_path: Path) -> None:
    book = laid(tmp_path, CUT, crop("N40-2026", "soybeans", "not_yet"))
    heading = "Field,Cover crop,Seeded,Lbs/Acre,Killed"
    write_plan(planned(book, "N40,rye,11/9/2025,sixty,4/16/2026", heading=heading, name="covers"))
    (left,) = rejected_in(book)
    assert left.kind == "cover_species"
    said = replace(ACCEPTED, corrected={str(left.place): {"rate_lb_per_ac": "60"}})
    write_plan(plan_import([], ImportBook.in_folder(book), said))
    kept = load_book(book)
    assert [row["cover_id"] for row in kept["cover_species"]] == [row["cover_id"] for row in kept["cover_crop"]]
    assert not kept.problems


@pytest.mark.parametrize(("name", "day", "is_its"), [
    ("N40-2026", "10/9/2026", False), ("N40-2027", "10/9/2026", True), ("A", "10/9/2026", True),
    ("N40-2026", "11/9/2025", True),
])  # fmt: skip
def test_a_cover_goes_to_the_growing_crop_of_its_year_alone_and_its_species_with_it(
    tmp_path: Path, name: str, day: str, *, is_its: bool
) -> None:
    book = laid(tmp_path, CUT, crop(name, "soybeans", "not_yet"))
    said = ACCEPTED
    for _ in range(2):
        plan = planned(book, f"N40,rye,{day},", heading=KILLED, name="covers", choices=said)
        write_plan(plan)
        assert {one.kind: one.added for one in plan.counts} == dict.fromkeys(("cover_crop", "cover_species"), is_its)
        if is_its:
            break
        (asked,) = plan.asked
        assert asked.entries == (name,)
        is_its, said = True, replace(ACCEPTED, entries_said={f"N40|{name}": name})
    kept = load_book(book)
    assert [row["cover_id"] for row in kept["cover_species"]] == [row["cover_id"] for row in kept["cover_crop"]]
    assert not kept.problems


@pytest.mark.parametrize(("stands", "line", "kind", "heading"), [
    (CUT, "N40,200,180", "nutrient_budget", "Field,Yield Goal,N lb/ac"),
    (crop("A26", "corn", "harvested", "2026-10-06"), "N40,5/2/2025", "planting", "Field,Date Planted"),
])  # fmt: skip
def test_the_only_crop_is_asked_for(tmp_path: Path, stands: dict[str, str], line: str, kind: str, heading: str) -> None:
    plan = planned(laid(tmp_path, stands), line, heading=heading, choices=replace(ACCEPTED, kind=kind), name="list")
    assert rows(plan, kind) == []
    assert len(causes(plan, "entry_asked")) == 1


@pytest.mark.parametrize(("new", "told"), [
    (NewEntry("n40", "corn", "harvested", "2024-10-02", 2024), ("note", "N40 corn 2024 (harvested 2024-10-02) is")),
    (NewEntry("North Forty", "corn", "harvested", "2024-10-28", 2024), ("note", "is there already and was taken")),
    (NewEntry("N40", "corn", "harvested", "2024-11-09", 2024), ("confirm", "You wrote harvested 2024-11-09; nothing")),
    (NewEntry("N40", "corn", "not_yet", "", 2026), ("note", "N40 corn (not harvested yet) is there")),
    (NewEntry("N41", "corn", "not_yet", "", 2026), ("error", "no field is called 'N41'")),
    (NewEntry("n40", "soybeans", "not_yet", "", 2026), None),
])  # fmt: skip
def test_a_crop_that_is_typed_is_found_where_it_is(farmed: Path, new: NewEntry, told: tuple[str, str] | None) -> None:
    plan = planned(farmed, "S12,corn,5/1/2025", choices=replace(ACCEPTED, new_entries={"typed": new}))
    found = [(str(one.weight), one.cause) for one in plan.problems if one.code == "entry_not_added"]
    assert [weight for weight, _ in found] == ([told[0]] if told else [])
    assert told is None or told[1] in found[0][1]
    added = table_text(plan, "harvest")
    assert ("N40-soybeans-2026,N40" in added) is (told is None)
    assert "typed" not in added


__all__ = ["book"]


def csv(folder: Path, kind: str, *rows: dict[str, str]) -> Path:
    names = list(dict.fromkeys(name for row in rows for name in row))
    path = folder / f"{kind}.csv"
    path.write_text(write_csv([names, *([row.get(name, "") for name in names] for row in rows)]), encoding="utf-8")
    return path


def farms(folder: Path, **rows: list[dict[str, str]]) -> list[Path]:
    first = csv(folder, "farm", {"farm_id": "F1", "name": "Bluestem"}, {"farm_id": "F2", "name": "Switchgrass"})
    units = [{"farm_id": "F1", "unit_id": "N40", "acres": "40"}, {"farm_id": "F2", "unit_id": "S80", "name": "Home 80"}]
    both = [{"farm_id": farm, "unit_id": "E20", "acres": "20"} for farm in ("F1", "F2")]
    unit_file = csv(folder, "unit", *units, *both)
    return [first, unit_file, *(csv(folder, kind, *each) for kind, each in rows.items())]


def test_a_blank_farm_cell_is_filled_by_what_the_row_names_however_far_away(tmp_path: Path) -> None:
    harvests = [
        {"harvest_id": "a", "unit_id": "n 40", "crop": "corn", "ending": "harvested"},
        {"harvest_id": "b", "unit_id": "home 80", "crop": "corn", "ending": "harvested"},
    ]
    paths = farms(tmp_path, declaration=[{"harvest_id": "b", "residue_burned": "no"}], harvest=harvests)
    plan = plan_import(paths, ImportBook.in_folder(tmp_path / "book"), CHOICES)
    assert "F1,a,N40" in table_text(plan, "harvest")
    assert "F2,b,S80" in table_text(plan, "harvest")
    assert "F2,b" in table_text(plan, "declaration")


def test_a_row_that_two_farms_can_mean_or_none_is_put_on_no_farm(tmp_path: Path) -> None:
    rows = [{"harvest_id": "a", "unit_id": "E20", "crop": "corn", "ending": "harvested"}]
    plan = plan_import(farms(tmp_path, harvest=rows), ImportBook.in_folder(tmp_path / "book"), CHOICES)
    assert [count.rejected for count in plan.counts if count.kind == "harvest"] == [1]
    (told,) = [one for one in plan.problems if one.code == "which_farm"]
    assert "E20 is one of F1, F2" in told.cause
    assert told.weight is Weight.ERROR
    plan = plan_import(
        farms(tmp_path, producer=[{"producer_id": "P1", "name": "Ann"}]),
        ImportBook.in_folder(tmp_path / "book"),
        CHOICES,
    )
    assert "which_farm" in {one.code for one in plan.problems}
    assert not table_text(plan, "producer")


@pytest.mark.parametrize(("farm", "added"), [("Bluestem", 1), (" blue stem ", 1), ("f1", 1), ("Red Oak", 0)])
def test_a_farm_is_found_by_its_name_too(book: Path, farm: str, added: int) -> None:
    plan = brought(book, "unit.csv", f"farm_id,unit_id,acres\n{farm},W10,10\n")
    assert [count.added for count in plan.counts] == [added]


@pytest.mark.parametrize("name", ["Farms", "Farm", "farm", "Scale ticket", "scale_tickets"])
def test_a_sheet_is_known_by_one_or_by_several(name: str) -> None:
    assert kind_named(name) is not None


def test_one_farm_fills_blank_cells_as_before(book: Path) -> None:
    plan = brought(book, "unit.csv", table("unit", {"unit_id": "W10", "acres": "10"}))
    assert [count.added for count in plan.counts] == [1]


def tickets(book: Path, *rows: tuple[str, str], accept: bool = False, **same: str) -> ImportPlan:
    common = {"ticket_id": "T1", "buyer": "Co-op", "day": "2026-09-18", "crop": "corn", **same}
    made = [{**common, "net_lb": pounds, "net_bushels": bushels} for pounds, bushels in rows]
    return brought(book, "scale_ticket.csv", table("scale_ticket", *made), ACCEPTED if accept else CHOICES)


def total(plan: ImportPlan) -> str:
    text = table_text(plan, "scale_ticket").splitlines()
    return text[-1] if text else ""


def test_shares_of_a_load_are_added_up_where_its_pounds_or_a_person_prove_them(book: Path) -> None:
    plan = tickets(book, ("56000", "600"), ("56000", "400"))
    assert "T1,Co-op,2026-09-18,corn,,56000,,1000" in total(plan)
    assert "shares_added" in {one.code for one in plan.problems}
    asked = tickets(book, ("", "600"), ("", "400"))
    assert [(count.added, count.rejected) for count in asked.counts] == [(0, 2)]
    assert "600 and 400" in next(one.cause for one in asked.problems if one.code == "shares_asked")
    assert waits_or_fails(asked)
    assert ",,1000," in total(tickets(book, ("", "600"), ("", "400"), accept=True)) + ","
    one = {"ticket_id": "T1", "buyer": "Co-op", "net_bushels": "600"}
    rows = table("scale_ticket", one, {**one, "buyer": "Mill", "net_bushels": "400"})
    plan = brought(book, "scale_ticket.csv", rows, ACCEPTED)
    assert [count.rejected for count in plan.counts] == [2]


@pytest.mark.parametrize(
    "rows",
    [
        (("51240", "915"), ("51420", "915")),
        (("56000", "600"), ("56000", "600"), ("56000", "400")),
        (("50400", "900"), ("50400", "910")),
    ],
)
def test_doubles_that_are_no_proven_shares_stay_out(book: Path, rows: tuple[tuple[str, str], ...]) -> None:
    for accept in (False, True):
        plan = tickets(book, *rows, accept=accept)
        assert [count.added for count in plan.counts] == [0]
        assert waits_or_fails(plan)


def test_a_load_of_two_fields_is_one_ticket_that_names_neither(book: Path) -> None:
    units = table("unit", {"unit_id": "W10", "acres": "10"}, {"unit_id": "E20", "acres": "20"})
    (book / "unit.csv").write_text(units)
    one = {"ticket_id": "T1", "buyer": "Co-op", "day": "2026-09-18", "crop": "corn"}
    shares = ({"net_lb": "33600", "net_bushels": "600", "unit_id": "W10"},
              {"net_lb": "22400", "net_bushels": "400", "unit_id": "E20"})  # fmt: skip
    plan = brought(book, "scale_ticket.csv", table("scale_ticket", *({**one, **share} for share in shares)), CHOICES)
    assert "T1,Co-op,2026-09-18,corn,,56000,,1000,,,," in total(plan)
    told = next(one.cause for one in plan.problems if one.code == "shares_added")
    assert "600 and 400 of W10, E20, so it names no field" in told


def test_a_photograph_without_a_place_is_asked_about_and_takes_the_unit_that_is_said(book: Path) -> None:
    asked = brought(book, "IMG_1.jpg", picture())
    (told,) = [one for one in asked.problems if one.code == "photo_unit"]
    assert "--unit 'IMG_1.jpg=UNIT'" in told.remedy
    assert told.weight is Weight.CONFIRM
    said = brought(book, "IMG_1.jpg", picture(), replace(CHOICES, units={"IMG_1.jpg": "n40"}))
    assert "photo_unit" not in {one.code for one in said.problems}
    assert ",N40," in table_text(said, "evidence").splitlines()[-1]
    assert load_book(book)["evidence"]
