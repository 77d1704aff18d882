"""The short workbook as people fill it in: everyday words, blanks and typos, each told where it stands."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import openpyxl
import pytest

from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.plan import ImportPlan, plan_import, write_plan
from provender.problem import Weight
from provender.records.folder import load_book
from provender.services.farm.check import still_needed
from tests.formats.test_intake import ACCEPTED, CHOICES, table
from tests.formats.test_templates import SEASON, Fill, book_of, full, rows_of, short
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


def with_(sheet: str, **cells: list[str]) -> Fill:
    return {**SEASON, sheet: {**SEASON[sheet], **cells}}


def planned(tmp_path: Path, season: Fill) -> ImportPlan:
    return plan_import([short(tmp_path / "s.xlsx", season)], ImportBook.in_folder(tmp_path / "book"), ACCEPTED)


def told(plan: ImportPlan, *weights: Weight) -> list[tuple[str, int, str, str]]:
    chosen = weights or (Weight.ERROR,)
    return [
        (one.place.sheet, one.place.row, one.place.column, one.cause) for one in plan.problems if one.weight in chosen
    ]


@pytest.mark.parametrize(("season", "sheet", "row", "column", "cause"), [
    (with_("Short farm", Role=["boss"]), "Short farm", 9, "B", "'boss' is not among the choices."),
    (with_("Short fields", Acres=["40", "eighty"]), "Short fields", 4, "Acres", "'eighty' is not a number."),
    (with_("Short crops", Crop=["soybeans", "soybeans", "corn", "quinoa"]), "Short crops", 6, "Crop",
     "'quinoa' is not among the choices."),
    (with_("Short passes", Date=["2025-04-16", "2025-04-31", "2025-04-20"]), "Short passes", 3, "C",
     "'2025-04-31' is no day of the calendar."),
    (with_("Short passes", S80=["", "later", "x"]), "Short passes", 11, "C", "'later' is not a date."),
    (with_("Short passes", S90=["x"]), "Short passes", 13, "A", "'S90' is not among the management units of farm F1."),
    (with_("Short cover crops", Method=["somehow"]), "Short cover crops", 5, "B",
     "'somehow' is not among the choices."),
    (with_("Short budgets", **{"Soil P, ppm": ["low"]}), "Short budgets", 3, "Soil P, ppm", "'low' is not a number."),
    (with_("Short declarations", **{"Cover crop was grazed": ["perhaps"]}), "Short declarations", 8, "B",
     "'perhaps' is neither yes nor no."),
    (with_("Short declarations", **{"Residue was burned": ["no", "S80 = perhaps"]}), "Short declarations", 7, "C",
     "'perhaps' is neither yes nor no."),
])  # fmt: skip
def test_what_is_wrong_is_told_once_at_the_cell_in_which_it_stands(
    tmp_path: Path, season: Fill, sheet: str, row: int, column: str, cause: str
) -> None:
    path = short(tmp_path / "s.xlsx", season)
    plan = plan_import([path], ImportBook.in_folder(tmp_path / "book"), ACCEPTED)
    assert (sheet, row, column, cause) in told(plan)
    assert len(told(plan)) == len({each[:3] for each in told(plan)}) <= 3, "rows that name it are told once each"
    sizes = {page.title: page.max_row for page in openpyxl.load_workbook(path)}
    assert all(one.place.row <= sizes.get(one.place.sheet, 0) for one in plan.problems)
    write_plan(plan)
    assert plan.book.rejected


WORDS: dict[str, list[str]] = {"Crop": ["SB", "beans", "YC", "Milo"]}


@pytest.mark.parametrize(("sheet", "cells", "kind", "column", "read"), [
    ("Short crops", WORDS, "harvest", "crop", {"soybeans", "corn", "sorghum"}),
    ("Short cover crops", {"How": ["Roundup"]}, "cover_crop", "termination_method", {"herbicide"}),
    ("Short cover crops", {"Method": ["flown on"]}, "cover_crop", "method", {"aerial"}),
    ("Short nutrients", {"Method": ["Y-drop"]}, "nutrient_application", "method", {"sidedress"}),
    ("Short crops", {"Bushels": ["2,000", "4,100.00", "8000.0", "16400"]}, "harvest", "bushels",
     {2_000_000, 4_100_000, 8_000_000, 16_400_000}),
    ("Short passes", {"Speed, mph": ["8 mph", "5.12345", "8 km/h"]}, "operation", "speed_mph", {8_000, 5_123, 4_971}),
])  # fmt: skip
def test_words_and_numbers_are_read_as_in_any_other_file(
    tmp_path: Path, sheet: str, cells: dict[str, list[str]], kind: str, column: str, read: set[object]
) -> None:
    book, plan = book_of(short(tmp_path / "s.xlsx", with_(sheet, **cells)), tmp_path / "book")
    assert told(plan) == []
    assert {row[column] for row in rows_of(book, kind)} == read


def test_the_full_workbook_reads_the_same_words(tmp_path: Path) -> None:
    crop = {"harvest_id": "A", "unit_id": "N40", "crop": "milo", "ending": "Harvested", "last_day": "Oct 20, 2025"}
    cover = {"cover_id": "C", "unit_id": "N40", "harvest_id": "A", "seeded_on": "10/29/2024", "method": "flown on",
             "terminated_on": "16-Apr-25", "termination_method": "Roundup"}  # fmt: skip
    rows = {"farm": [{"farm_id": "F1", "name": "B"}], "unit": [{"unit_id": "N40", "acres": "40 ac"}],
            "harvest": [crop], "cover_crop": [cover]}  # fmt: skip
    book, plan = book_of(full(tmp_path / "full.xlsx", rows), tmp_path / "book")
    assert told(plan) == []
    assert [row["crop"] for row in rows_of(book, "harvest")] == ["sorghum"]
    assert [(row["method"], row["termination_method"]) for row in rows_of(book, "cover_crop")] == [
        ("aerial", "herbicide")
    ]


def test_an_acreage_reports_dry_beans_are_beans_and_unknown_labels_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text("farm_id,name\nF1,B\n")
    (tmp_path / "fsa.csv").write_text("Report number,Crop/Commodity,Crop year,Reported acres\n1,BEANS,2025,40\n")
    plan = plan_import([tmp_path / "fsa.csv"], ImportBook.in_folder(folder), replace(ACCEPTED, kind="reported_acres"))
    assert [count.rejected for count in plan.counts] == [1]
    path = short(tmp_path / "s.xlsx", SEASON)
    workbook = openpyxl.load_workbook(path)
    workbook["Short passes"]["A3"] = "When"
    workbook["Short crops"]["B2"] = "What grew"
    workbook.create_sheet("Notes").append(["Ann", "called on Monday"])
    workbook.save(path)
    plan = plan_import([path], ImportBook.in_folder(tmp_path / "book"), ACCEPTED)
    assert {("Short passes", 3, "A"), ("Short crops", 2, "B"), ("Notes", 0, "")} <= {each[:3] for each in told(plan)}


@pytest.mark.parametrize(("typed", "present", "answers", "unread"), [
    ("commercial fertilizer; starter", {"commercial_fertilizer", "starter"}, 13, 0),
    ("Fertilizer, legumes and Manure", {"commercial_fertilizer", "legume_crop", "manure"}, 13, 0),
    ("commercial fertilizer; startr", {"commercial_fertilizer"}, 1, 1),
    ("mostly the usual", set(), 0, 1),
    ("", set(), 0, 0),
])  # fmt: skip
def test_an_unread_source_leaves_open(tmp_path: Path, typed: str, present: set[str], answers: int, unread: int) -> None:
    season = with_("Short farm", **{"Sources of N": [typed]})
    book, plan = book_of(short(tmp_path / "s.xlsx", season), tmp_path / "book")
    rows = rows_of(book, "budget_source")
    assert {row["source"] for row in rows if row["present"]} == present
    assert len(rows) == answers
    assert [each[:3] for each in told(plan)] == [("Short farm", 11, "B")] * unread
    assert sum(count.rejected for count in plan.counts if count.kind == "budget_source") == unread
    if unread:  # corrected, it takes the place of what stayed out
        mended = with_("Short farm", **{"Sources of N": ["commercial fertilizer; starter"]})
        book, plan = book_of(short(tmp_path / "s.xlsx", mended), tmp_path / "book")
        assert len(rows_of(book, "budget_source")) == 13
        assert not list((tmp_path / "book" / "rejected").iterdir())


@ROWS
def test_one_cell_tells_each_nitrogen(tmp_path: Path, typed: str, amounts: dict[str, int | None], errors: int) -> None:
    season = with_("Short budgets", **{"N of each source, lb/ac": [typed]})
    book, plan = book_of(short(tmp_path / "s.xlsx", season), tmp_path / "book")
    assert {row["source"]: row["n_lb_per_ac"] for row in rows_of(book, "budget_source") if row["present"]} == amounts
    assert [each[:3] for each in told(plan)] == [("Short budgets", 3, "N of each source, lb/ac")] * errors


def test_a_blank_farm_is_the_farm_of_the_book_and_in_a_new_one_it_is_asked_for(tmp_path: Path) -> None:
    blank = with_("Short farm", Farm=[""])
    plan = planned(tmp_path, blank)
    assert ("Short farm", 2, "B") in [each[:3] for each in told(plan)]
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem Farm"}))
    book, plan = book_of(short(tmp_path / "s.xlsx", blank), folder)
    assert told(plan) == []
    assert [(row["farm_id"], row["producer_id"]) for row in rows_of(book, "producer")] == [("F1", "P1")]
    assert len(rows_of(book, "budget_source")) == 13
    assert rows_of(book, "unit")[0]["county_fips"] == "20177"
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "B"}, {"farm_id": "F2", "name": "S"}))
    assert "which_farm" in {one.code for one in planned(tmp_path, blank).problems}
    several = with_("Short farm", Farm=["F1", ""], **{"Farm name": ["B", "S"], "Producer": ["P1", "P2"]})
    assert ("Short farm", 2, "C") in [each[:3] for each in told(planned(tmp_path, several))]


@pytest.mark.parametrize(("season", "place"), [
    ({**SEASON, "Short passes": {**SEASON["Short passes"], "N40": ["", "", "", "x"]}}, ("Short passes", 12, "E")),
    (with_("Short cover crops", **{"Pounds per acre (each)": ["60"]}), ("Short cover crops", 3, "B")),
    (with_("Short declarations", **{"Harvest year": [""]}), ("Short declarations", 2, "B")),
    (with_("Short declarations", **{"Harvest year": ["2023"]}), ("Short declarations", 2, "B")),
    (with_("Short declarations", **{"Residue burnt": ["no"]}), ("Short declarations", 18, "A")),
])  # fmt: skip
def test_nothing_typed_is_passed_over_in_silence(tmp_path: Path, season: Fill, place: tuple[str, int, str]) -> None:
    assert place in [each[:3] for each in told(planned(tmp_path, season))]


def test_an_exception_that_names_nothing_known_leaves_the_answer_open_but_for_readable_ones(tmp_path: Path) -> None:
    answers = {"Residue was burned": ["no", "S80 = yes; N4O = yes"], "Cover crop was grazed": ["no", "s 80 = yes"]}
    book, plan = book_of(short(tmp_path / "s.xlsx", with_("Short declarations", **answers)), tmp_path / "book")
    said = {row["harvest_id"]: (row["residue_burned"], row["cover_grazed"]) for row in rows_of(book, "declaration")}
    assert said == {"N40-corn-2025": (None, False), "S80-corn-2025": (True, True)}
    assert [each[:3] for each in told(plan)] == [("Short declarations", 7, "C")]


def test_fields_and_crops_of_other_files_of_the_import_are_known(tmp_path: Path) -> None:
    (tmp_path / "unit.csv").write_text(table("unit", {"unit_id": "N40", "acres": "40"}))
    (tmp_path / "crops.csv").write_text("Field,Crop,First day,Last day,Bushels\nn 40,Corn,2025-10-20,2025-10-21,8000\n")
    season = {name: SEASON[name] for name in ("Short farm", "Short passes", "Short declarations")}
    season["Short passes"] = {name: texts[:2] for name, texts in season["Short passes"].items() if name != "S80"}
    season["Short declarations"] = {"Harvest year": ["2025"], "Residue was burned": ["no"]}
    paths = [short(tmp_path / "s.xlsx", season), tmp_path / "unit.csv", tmp_path / "crops.csv"]
    plan = plan_import(paths, ImportBook.in_folder(tmp_path / "book"), ACCEPTED)
    assert told(plan) == []
    write_plan(plan)
    book = load_book(tmp_path / "book")
    (entry,) = [row["harvest_id"] for row in rows_of(book, "harvest")]
    assert entry == "N40-corn-2025", "field, crop and year, not file and row"
    assert [row["harvest_id"] for row in rows_of(book, "declaration")] == [entry]
    assert {row["unit_id"] for row in rows_of(book, "operation")} == {"N40"}


def test_a_crop_that_stands_in_the_book_is_not_written_a_second_time(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem Farm"}))
    (folder / "unit.csv").write_text(table("unit", {"unit_id": "N40", "acres": "40"}, {"unit_id": "S80"}))
    stands = {"harvest_id": "list-2", "unit_id": "N40", "crop": "corn", "ending": "harvested", "use": "grain"}
    days = {"first_day": "2025-10-20", "last_day": "2025-10-21", "bushels": "8000"}
    grows = {"harvest_id": "list-3", "unit_id": "S80", "crop": "corn", "ending": "not_yet"}
    (folder / "harvest.csv").write_text(table("harvest", {**stands, **days}, grows))
    book, plan = book_of(short(tmp_path / "s.xlsx", SEASON), folder)
    corn = {row["harvest_id"]: row["unit_id"] for row in rows_of(book, "harvest") if row["crop"] == "corn"}
    assert corn == {"list-2": "N40", "list-3": "S80"}
    assert {one.code for one in plan.problems if one.place.sheet == "Short crops" and one.weight is Weight.ERROR} == {
        "differs_from_book"
    }, "the growing crop is asked about"


def test_days_in_any_way_tell_the_year_and_a_planted_crop_grows(tmp_path: Path) -> None:
    crops = {
        "Field": ["N40"] * 3, "Crop": ["corn"] * 3, "Planted": ["", "4/28/25", "29 Apr 2026"],
        "First day of harvest": ["Oct 2, 2024", "10/20/25", ""], "Last day of harvest": ["Oct 3, 2024", "10/21/25", ""],
    }  # fmt: skip
    book, plan = book_of(short(tmp_path / "s.xlsx", {**SEASON, "Short crops": crops}), tmp_path / "book")
    assert [each for each in told(plan) if each[0] == "Short crops"] == []
    assert [(row["harvest_id"], row["ending"]) for row in rows_of(book, "harvest")] == [
        ("N40-corn-2024", "harvested"), ("N40-corn-2025", "harvested"), ("N40-corn-2026", "not_yet"),
    ]  # fmt: skip


def test_two_fields_of_like_names_are_two_and_signs_go_into_the_name(tmp_path: Path) -> None:
    season = {**SEASON, "Short fields": {"Field": ["N40", "N-40", "Smith's"], "Acres": ["40", "41", "42"]}}
    season = {name: season[name] for name in ("Short farm", "Short fields")}
    season["Short crops"] = {"Field": ["N-40", "Smith's"], "Crop": ["wheat"] * 2, "Planted": ["2025-10-05"] * 2}
    book, plan = book_of(short(tmp_path / "s.xlsx", season), tmp_path / "book")
    assert told(plan) == []
    units = {row["unit_id"]: (row["name"], row["acres"]) for row in rows_of(book, "unit")}
    assert units == {"N40": (None, 40_000), "N-40": (None, 41_000), "Smith-s": ("Smith's", 42_000)}
    assert {row["harvest_id"] for row in rows_of(book, "harvest")} == {"N-40-wheat-2026", "Smith-s-wheat-2026"}


@pytest.mark.parametrize(("species", "rates", "sown"), [
    ("cereal rye + crimson clover", "45, 8", {"Cereal Rye, Winter": 45_000, "Clover, Crimson": 8_000}),
    ("Cereal Rye, Winter", "60", {"Cereal Rye, Winter": 60_000}),
    ("rye & oats mix", "", {"rye": None, "oats": None}),
])  # fmt: skip
def test_a_mix_is_read_as_in_a_list_of_covers(tmp_path: Path, species: str, rates: str, sown: dict[str, int]) -> None:
    season = with_("Short cover crops", **{"Species (a name; another)": [species], "Pounds per acre (each)": [rates]})
    book, plan = book_of(short(tmp_path / "s.xlsx", season), tmp_path / "book")
    assert told(plan) == []
    found = {row["species"]: row["rate_lb_per_ac"] for row in rows_of(book, "cover_species")}
    assert len(found) == len(sown)
    assert set(found.values()) == set(sown.values())
    assert {str(name) for name in found if "," in str(name)} <= {*sown, "Cereal Rye, Winter", "Oats, Spring"}


def test_a_consultants_season_in_everyday_words_goes_in_whole(samples: Path, tmp_path: Path) -> None:
    folder = samples / "consultant"
    book, plan = book_of(folder / "short_full_everyday_words.xlsx", tmp_path / "whole")
    assert told(plan) == []
    assert {count.kind: count.added for count in plan.counts}["harvest"] == 12
    assert all(count.added == count.rows for count in plan.counts)
    rye = {row["unit_id"]: row["harvest_id"] for row in rows_of(book, "cover_crop")}
    assert rye["East 120"] == "East 120-soybeans-2026"
    sources = {(row["source"], row["present"]) for row in rows_of(book, "budget_source")}
    assert {source for source, present in sources if present} == {"commercial_fertilizer", "starter"}
    fields = table("unit", *({"unit_id": unit} for unit in ("Home 80", "Creek 40", "Miller 60", "South 35")))
    for name, text in {
        "farm": table("farm", {"farm_id": "WR", "name": "Walnut Ridge Farms LLC"}),
        "unit": fields,
    }.items():
        (tmp_path / "one").mkdir(exist_ok=True)
        (tmp_path / "one" / f"{name}.csv").write_text(text)
    book, plan = book_of(folder / "short_farm_blank_id.xlsx", tmp_path / "one")
    assert len(rows_of(book, "producer")) == 1
    assert sum(count.rows for count in plan.counts if count.kind == "budget_source") == 52


def test_rye_is_of_the_crop_that_follows_it_which_is_asked_for_where_it_is_not_entered(tmp_path: Path) -> None:
    crops = {name: texts[:2] for name, texts in SEASON["Short crops"].items()}
    plan = planned(tmp_path, {**SEASON, "Short crops": crops, "Short declarations": {}})
    assert "cover_crop.csv" not in plan.files
    assert {one.offered.name for one in plan.asked if one.offered} == {"N40-2025"}
    (cause,) = [each[3] for each in told(plan) if each[0] == "Short cover crops"]
    assert "It has N40 soybeans 2024 (harvested 2024-10-02)" in cause


def declared(tmp_path: Path, *rows: dict[str, str]) -> list[dict[str, object]]:
    crops = [
        {"harvest_id": f"{unit}-{year}", "unit_id": unit, "crop": "corn", "ending": "harvested",
         "last_day": f"{year}-10-0{at}"}
        for at, unit in enumerate(("N40", "S80", "E20"), start=1) for year in (2024, 2025)
    ]  # fmt: skip
    units = [{"unit_id": unit, "acres": "40"} for unit in ("N40", "S80", "E20")]
    filled = {"farm": [{"farm_id": "F1", "name": "B"}], "unit": units, "harvest": crops, "declaration": list(rows)}
    book, plan = book_of(full(tmp_path / "full.xlsx", filled), tmp_path / "book")
    assert told(plan) == []
    return rows_of(book, "declaration")


@pytest.mark.parametrize(("said", "day", "year"), [
    ("all", "2025-11-20", 2025), ("same for all fields", "2026-01-05", 2025), ("All (2024)", "2025-11-20", 2024),
    ("all", "2025-02-01", 2025),
])  # fmt: skip
def test_one_declaration_is_the_same_for_all_fields(tmp_path: Path, said: str, day: str, year: int) -> None:
    rows = declared(
        tmp_path,
        {"harvest_id": f"S80 (corn {year})", "made_on": day, "residue_burned": "yes"},
        {"harvest_id": said, "made_on": day, "residue_burned": "no"},
    )
    assert {row["harvest_id"]: row["residue_burned"] for row in rows} == {
        f"N40-{year}": False, f"S80-{year}": True, f"E20-{year}": False,
    }  # fmt: skip


def test_what_a_season_still_needs_for_a_signature_is_one_list(tmp_path: Path) -> None:
    book_of(short(tmp_path / "s.xlsx", SEASON), tmp_path / "book")
    needed = still_needed(tmp_path / "book", CHOICES.as_of)
    assert needed.year == 2025
    assert len(set(needed.things)) == len(needed.things)
    said = "\n".join(needed.things)
    assert "operational control" in said
    assert "Enter the runs of a final version of USDA FD-CIC" in said
    assert "Season declarations: Manure was applied" in said
    more = with_("Short farm", **{"Operational control": ["yes"]})
    book_of(short(tmp_path / "s.xlsx", more), tmp_path / "again")
    assert "operational control" not in "\n".join(still_needed(tmp_path / "again", CHOICES.as_of).things)
