"""Anyone's columns become ours by a map that a person confirmed; nothing is guessed in silence."""

import datetime as dt
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.formats.column_map import ColumnMap, ColumnRule, fingerprint
from provender.formats.map_suggest import suggest
from provender.formats.mapped import Mapped, import_table, map_book
from provender.formats.parsed import Parsed
from provender.formats.sheet import Sheet, TextRow, WorkbookFile
from provender.formats.targets import target, target_names
from provender.formats.units_row import behind, unit_in
from provender.formats.values import number_out, read_number
from provender.problem import Weight
from provender.records import KINDS
from tests.formats.conftest import Write

TODAY = dt.date(2026, 11, 21)


def book(*rows: tuple[str, ...]) -> WorkbookFile:
    lines = [TextRow(number, cells) for number, cells in enumerate(rows, 1) if any(cell.strip() for cell in cells)]
    return WorkbookFile("f.csv", (Sheet("", tuple(lines)),))


def codes(parsed: Parsed[Mapped], *but: str) -> list[str]:
    return [
        problem.code for problem in parsed.problems if problem.code not in ("suggested_map", "ignored_columns", *but)
    ]


def values(parsed: Parsed[Mapped]) -> list[dict[str, str]]:
    assert parsed.result is not None
    return [row.values for row in parsed.result.tables[0].rows]


TICKETS = (
    "Ticket No.",
    "Date",
    "Commodity",
    "Gross Wt (lb)",
    "Tare Wt (lb)",
    "Net Wt (kg)",
    "Moisture %",
    "Net Bu",
    "Driver",
)


def test_a_ticket_list_is_understood_and_a_person_is_asked() -> None:
    parsed = map_book(
        book(TICKETS, ("100234", "9/18/2026", "YC", "78,420", "27,180", "18706.15", "17.2", "712.4", "Al")), "ticket"
    )
    assert values(parsed) == [
        {
            "number": "100234",
            "day": "2026-09-18",
            "crop": "YC",
            "gross_lb": "78420",
            "tare_lb": "27180",
            "net_lb": "41240.001",
            "moisture_pct": "17.2",
            "net_bushels": "712.4",
        }
    ]
    questions = {problem.code: problem for problem in parsed.problems}
    assert questions["suggested_map"].weight is Weight.CONFIRM
    assert "Driver" in questions["ignored_columns"].cause
    assert parsed.result is not None
    assert not parsed.result.maps[0].confirmed


def test_a_saved_map_is_found_by_its_headings_and_asks_nothing() -> None:
    rows = (TICKETS, ("100234", "9/18/2026", "YC", "78420", "27180", "18706.15", "17.2", "712.4", "Al"))
    first = map_book(book(*rows), "ticket")
    assert first.result is not None
    saved = ColumnMap.from_text(first.result.maps[0].to_text())
    again = map_book(book(("Elevator Co.",), *rows), "ticket", [saved])
    assert values(again) == values(first)
    assert [problem.code for problem in again.problems] == ["rows_above", "rounded_values"]


def test_words_and_constants_of_a_map_are_used() -> None:
    made = ColumnMap(
        "Co-op",
        "ticket",
        fingerprint(("Tkt", "Date", "Grain")),
        (ColumnRule("Tkt", "number"), ColumnRule("Date", "day"), ColumnRule("Grain", "crop")),
        date_order="dmy",
        constants={"site": "Ames"},
        words={"crop": {"YC": "corn"}},
    )
    parsed = map_book(book(("Tkt", "Date", "Grain"), ("7", "3/4/2026", "yc")), "ticket", [made])
    assert values(parsed) == [{"site": "Ames", "number": "7", "day": "2026-04-03", "crop": "corn"}]
    assert parsed.problems == ()


def test_a_map_of_another_target_or_other_headings_is_not_used() -> None:
    made = ColumnMap("x", "contract", fingerprint(("Ticket", "Date")), (ColumnRule("Ticket", "number"),))
    assert "suggested_map" in [
        problem.code for problem in map_book(book(("Ticket", "Date"), ("7", "2026-04-03")), "ticket", [made]).problems
    ]


@pytest.mark.parametrize(
    ("told", "taken"),
    [("Milo", "sorghum"), ("yellow corn", "corn"), ("Seed Corn", "seed_corn"), ("Forage Sorghum", "Forage Sorghum"),
     ("sorghum forage", "sorghum forage")],
)  # fmt: skip
def test_what_is_cut_for_forage_is_not_taken_for_grain(told: str, taken: str) -> None:
    parsed = map_book(book(("Field", "Crop", "Harvest date", "Bushels"), ("N40", told, "9/20/2026", "7300")), "harvest")
    assert [row["crop"] for row in values(parsed)] == [taken]


def test_an_ambiguous_date_is_a_problem_and_stays_as_written() -> None:
    parsed = map_book(book(("Ticket", "Date"), ("7", "03/04/2026")), "ticket")
    assert (codes(parsed), values(parsed)) == (["unreadable_day"], [{"number": "7", "day": "03/04/2026"}])


def test_one_date_that_can_be_read_one_way_settles_the_order_for_the_column() -> None:
    parsed = map_book(book(("Ticket", "Date"), ("7", "03/04/2026"), ("8", "03/24/2026")), "ticket")
    assert [row["day"] for row in values(parsed)] == ["2026-03-04", "2026-03-24"]


def test_dates_that_contradict_each_other_settle_nothing() -> None:
    parsed = map_book(book(("Ticket", "Date"), ("7", "03/24/2026"), ("8", "24/03/2026"), ("9", "03/04/2026")), "ticket")
    assert [row["day"] for row in values(parsed)] == ["2026-03-24", "2026-03-24", "03/04/2026"]


def test_a_decimal_comma_is_seen_in_the_values() -> None:
    parsed = map_book(book(("Ticket", "Net Bu", "Moisture %"), ("7", "1.712,4", "17,25")), "ticket")
    assert values(parsed) == [{"number": "7", "net_bushels": "1712.4", "moisture_pct": "17.25"}]


def test_totals_comments_and_unit_rows_are_left_out_and_named() -> None:
    parsed = map_book(
        book(("Ticket", "Net Bu"), ("Units", "bu"), ("7", "5"), ("Comment", "wet"), ("Total", "5")), "ticket"
    )
    assert values(parsed) == [{"number": "7", "net_bushels": "5"}]
    (problem,) = [problem for problem in parsed.problems if problem.code == "skipped_rows"]
    assert "row 2, 4, 5" in problem.cause
    assert problem.weight is Weight.CONFIRM


def test_rows_with_too_many_or_too_few_cells_are_told() -> None:
    parsed = map_book(
        book(("Ticket", "Net Bu", "Truck"), ("7", "5"), ("8", "6", "T1", "extra"), ("9", "7", "T2", "")), "ticket"
    )
    assert [problem.place.row for problem in parsed.problems if problem.code == "ragged_row"] == [2, 3]
    assert len(values(parsed)) == 3


def test_a_row_that_fills_no_imported_column_is_told() -> None:
    assert codes(
        map_book(book(("Ticket", "Net Bu", "Driver"), ("7", "5", "Al"), ("", "", "Bo")), "ticket"), "no_unit"
    ) == ["unused_rows"]


def test_what_cannot_be_read_is_told_on_every_row_it_stands_on() -> None:
    rows = [("1", "2026-09-18", "corn", "700"), ("2", "2026-09-18", "corn", "seven")] * 2
    parsed = map_book(book(("Ticket No.", "Date", "Commodity", "Net Bu"), *rows), "ticket")
    told = [problem.place.row for problem in parsed.problems if problem.code == "unreadable_quantity"]
    assert told == [3, 5]
    assert [row["net_bushels"] for row in values(parsed)] == ["700", "seven"] * 2


@pytest.mark.parametrize("text", ["7", "07.10", "0.5", "712.400", "1,234.5", " 12", "-3", "1.23456", "9.", ".5", "$7"])
def test_a_number_written_plainly_is_read_as_any_other(text: str) -> None:
    for way in (text, f"{text} bu"):  # with its unit it goes the long way
        parsed = map_book(book(("Ticket No.", "Net Bu"), ("1", way)), "ticket")
        out = number_out(read_number(text), 3)[0]
        assert values(parsed) == [{"number": "1", "net_bushels": out}]


def test_a_unit_of_another_kind_is_refused() -> None:
    parsed = map_book(book(("Lab Number", "pH", "P (lbs/acre)"), ("7", "6.5", "40")), "soil_test")
    assert codes(parsed, "no_unit") == ["unit_does_not_fit"]
    assert "p_ppm" not in values(parsed)[0]


def test_a_number_with_the_other_decimal_sign_is_told_and_not_taken() -> None:
    parsed = map_book(book(("Ticket", "Net Bu", "Moisture %"), ("7", "712,4", "17.25")), "ticket")
    assert codes(parsed) == ["unreadable_quantity"]
    assert values(parsed) == [{"number": "7", "net_bushels": "712.4"}]


def test_a_unit_written_in_the_cell_is_understood() -> None:
    parsed = map_book(book(("Ticket", "Net Wt", "Moisture"), ("7", "41240 lb", "17.2%")), "ticket")
    assert (values(parsed), codes(parsed)) == ([{"number": "7", "net_lb": "41240", "moisture_pct": "17.2"}], [])


def test_two_columns_that_could_be_one_field_are_asked_about() -> None:
    parsed = map_book(
        book(("Lab Number", "pH", "Bray P (ppm)", "Olsen P (ppm)"), ("7", "6.5", "40", "20")), "soil_test"
    )
    assert "several_columns" in codes(parsed)
    assert values(parsed)[0]["p_ppm"] == "40"


def test_an_empty_column_gives_way_to_a_filled_one() -> None:
    parsed = map_book(book(("Lab Number", "pH", "Bray P (ppm)", "Olsen P (ppm)"), ("7", "6.5", "", "20")), "soil_test")
    assert values(parsed)[0]["p_ppm"] == "20"
    assert "several_columns" not in codes(parsed)


def test_the_day_tested_is_not_taken_for_the_day_sampled_in_silence() -> None:
    parsed = map_book(book(("Lab Number", "pH", "Date Tested"), ("7", "6.5", "2026-05-14")), "soil_test")
    assert codes(parsed) == ["weak_match"]


def test_a_sheet_that_is_something_else_is_named_with_its_rows() -> None:
    parsed = map_book(book(("Dear customer",), ("please find enclosed",)), "ticket")
    assert (parsed.result, codes(parsed)) == (None, ["no_headings"])
    assert "2 rows" in parsed.problems[0].cause


def test_days_that_are_still_to_come_are_taken_out_and_told(write: Write) -> None:
    path = write("t.csv", "Ticket,Date,Net Bu\n7,2026-11-21,5\n8,2026-11-22,6\n9,2076-09-24,7\n")
    parsed = import_table(path, "ticket", as_of=TODAY)
    assert [row.get("day") for row in values(parsed)] == ["2026-11-21", None, None]
    assert [problem.place.row for problem in parsed.problems if problem.code == "future_day"] == [3, 4]


def test_a_delivery_window_may_lie_ahead(write: Write) -> None:
    path = write(
        "c.csv", "Contract,Commodity,Bushels,Delivery Start,Delivery End\nC1,corn,5000,2027-01-01,2027-01-31\n"
    )
    parsed = import_table(path, "contract", as_of=TODAY)
    assert values(parsed)[0]["last_day"] == "2027-01-31"


def test_a_contract_becomes_rows(write: Write) -> None:
    path = write("c.csv", "Contract #;Date;Commodity;Bushels;Price ($/bu)\nC9;2026-10-01;corn;712,4;4,10\n")
    parsed = import_table(path, "contract", as_of=TODAY)
    assert values(parsed) == [
        {"number": "C9", "day": "2026-10-01", "crop": "corn", "bushels": "712.4", "price_per_bu": "4.1"}
    ]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Net Wt (lb)", "lb"),
        ("Moisture %", "pct"),
        ("Mehlich\u00a01\u00a0\u00a0mg/kg\u00a0(ppm)", "ppm"),
        ("P [mg/kg]", "ppm"),
        ("Depth_in", "in"),
        ("pH", ""),
        ("Net", ""),
    ],
)
def test_the_unit_in_a_heading_is_seen(text: str, unit: str) -> None:
    assert unit_in(text) == unit


def test_headings_that_differ_in_case_and_signs_are_one_layout() -> None:
    assert fingerprint(["Ticket No.", "Net_Bu", ""]) == fingerprint(["TICKET NO", "net bu"])
    assert fingerprint(["Ticket", "Net"]) != fingerprint(["Net", "Ticket"])


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", '{"name": 3}', json.dumps({"name": "a", "target": "b", "fingerprint": "c", "columns": 5})],
)
def test_what_is_no_saved_map_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        ColumnMap.from_text(text)


def test_every_kind_of_record_and_every_elevator_document_is_a_target() -> None:
    assert {*KINDS, "ticket", "contract", "invoice"} == set(target_names())
    for name in target_names():
        fields = target(name).fields
        assert fields
        assert all(field.synonyms for field in fields.values())


def test_headings_listed_for_record_kinds_name_fields_that_exist() -> None:
    import tomllib
    from importlib.resources import files

    table = tomllib.loads((files("provender.formats") / "data" / "targets.toml").read_text("utf-8"))
    assert all(field in target(name).fields for name, fields in table.items() for field in fields)


def test_a_farms_own_list_of_passes_is_understood_with_its_units() -> None:
    head = ("Field", "Date", "Operation", "Implement", "Depth (cm)", "Avg Speed (km/h)", "Notes")
    parsed = map_book(book(head, ("N40", "4/20/2026", "Disk", "JD 637", "15.24", "8.05", "dry")), "operation")
    assert values(parsed) == [
        {"unit_id": "N40", "day": "2026-04-20", "operation": "Disk", "equipment": "JD 637", "depth_in": "6",
         "speed_mph": "5.002", "note": "dry"}
    ]  # fmt: skip
    assert "ignored_columns" not in [problem.code for problem in parsed.problems]


def test_a_farms_own_list_of_harvests_is_understood_and_what_may_be_meant_is_asked() -> None:
    head = ("Field Name", "Commodity", "Harvest Date", "Total Bushels", "Moisture %")
    parsed = map_book(book(head, ("N40", "corn", "9/20/2026", "7300", "15.5")), "harvest")
    (row,) = values(parsed)
    assert row == {
        "unit_id": "N40",
        "crop": "corn",
        "last_day": "2026-09-20",
        "bushels": "7300",
        "moisture_pct": "15.5",
        "ending": "harvested",
    }
    codes = [problem.code for problem in parsed.problems]
    assert (codes.count("weak_match"), codes.count("suggested_constant")) == (2, 1), "how it ended is asked about"


@pytest.mark.parametrize(
    "name", ["soil_test", "scale_ticket", "operation", "nutrient_application", "harvest", "ticket"]
)
def test_a_file_with_our_own_column_names_maps_whole(name: str) -> None:
    fields = target(name).fields
    found = suggest(book(tuple(fields), tuple("1" for _ in fields)).sheets[0], target(name), "f.csv")
    assert found is not None
    assert {rule.field: rule.heading for rule in found.map.columns} == {each: each for each in fields}


CELL = st.text(max_size=8) | st.sampled_from(
    ["Ticket", "Date", "Net Bu", "Moisture %", "3/4/2026", "5.5", "Total", "Units"]
)


@given(st.lists(st.lists(CELL, min_size=1, max_size=5).map(tuple), min_size=1, max_size=8))
def test_every_row_under_the_headings_is_imported_or_named(rows: list[tuple[str, ...]]) -> None:
    made = book(("Ticket", "Date", "Net Bu"), *rows)
    parsed = map_book(made, "ticket")
    assert parsed.result is not None
    (table,) = parsed.result.tables
    told = [problem for problem in parsed.problems if problem.code in ("rows_above", "skipped_rows", "unused_rows")]
    named = sum(int(problem.cause.split()[0]) for problem in told)
    assert len(made.sheets[0].lines) == 1 + len(table.rows) + named


def test_the_laboratories_own_tables_become_soil_tests(kept: Path) -> None:
    workbook = import_table(kept / "modus" / "SO2223-430.xlsx", "soil_test", as_of=TODAY)
    rows = values(workbook)
    assert len(rows) == 21
    assert rows[0] == {
        "soil_test_id": "430",
        "unit_id": "Old Berlin 1",
        "laboratory": "UGA Agricultural and Environmental Services Laboratories",
        "method": "Mehlich 1",
        "ph": "6.18",
        "k_ppm": "66.726",
        "p_ppm": "80.484",
        "sampled_on": "2022-07-08",
    }
    told = ["merged_cells", "weak_match", "weak_match", "rounded_values", "rounded_values", "skipped_rows"]
    assert codes(workbook) == told
    text = import_table(kept / "modus" / "S22-14946-B500.csv", "soil_test", as_of=TODAY)
    assert [row["nitrate_n_ppm"] for row in values(text)] == ["21.6", "14.7", "14.9", "48.5", "10", "18.8"]
    assert "weak_match" in codes(text)


def test_a_column_that_writes_days_in_two_ways_is_told_with_a_row_of_each() -> None:
    rows = (("Ticket", "Date"), ("1", "10/14/2025"), ("2", "2025-10-15"), ("3", "16.10.2025"), ("4", "5/6/2025"))
    parsed = map_book(book(*rows), "ticket")
    told = next(one for one in parsed.problems if one.code == "mixed_days")
    assert (told.weight, told.place.row, told.place.column) == (Weight.CONFIRM, 2, "Date")
    assert "10/14/2025 (row 2) has the month first, 16.10.2025 (row 4) the day" in told.cause
    assert [row["day"] for row in values(parsed)[:3]] == ["2025-10-14", "2025-10-15", "2025-10-16"]
    assert "mixed_days" not in codes(map_book(book(*rows[:3], rows[4]), "ticket"))


_LAB = ("Sample ID", "Field", "Date Sampled", "Lab", "pH", "P", "K")


@pytest.mark.parametrize(
    ("units", "p", "expected"),
    [
        (("", "", "", "", "", "ppm", "mg/kg"), "31", "31"),
        (("", "", "", "", "", "Mehlich 3 (ppm)", "ppm"), "31", "31"),
        (("Units", "", "", "", "", "%", "ppm"), "0.0031", "31"),
        (("", "", "", "", "", "lbs/ac", "lbs/acre"), "62", None),
        (("", "", "", "", "", "ppm", "high"), "31", None),
    ],
)
def test_the_row_of_units_under_the_headings_is_believed(units: tuple[str, ...], p: str, expected: str | None) -> None:
    parsed = map_book(book(_LAB, units, ("7", "N40", "2025-11-05", "State lab", "6.4", p, "150")), "soil_test")
    row = values(parsed)[-1]
    assert row.get("p_ppm") == (expected if units[-1] != "high" else "31")
    assert (row["soil_test_id"], row["laboratory"]) == ("7", "State lab")
    of_soil = [one for one in parsed.problems if one.code == "unit_does_not_fit" and "divide the pounds" in one.remedy]
    assert len(of_soil) == (2 if units[-1] == "lbs/acre" else 0)
    assert len(values(parsed)) == (2 if units[-1] == "high" else 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("62 lb/ac", ("62", "lb/ac")),
        ("1,310 lbs/acre", ("1,310", "lb/ac")),
        ("12.5ppm", ("12.5", "ppm")),
        ("12.5", ("12.5", "")),
        ("high", ("high", "")),
        ("12 of 14", ("12 of 14", "")),
        ("<5 ppm", ("<5 ppm", "")),
    ],
)
def test_a_unit_behind_a_number_in_its_cell_is_seen(text: str, expected: tuple[str, str]) -> None:
    assert behind(text) == expected


def test_a_unit_in_the_cell_is_turned_into_that_of_the_record_or_told_with_what_to_do() -> None:
    rows = (("7", "N40", "2025-11-05", "State lab", "6.4", "31 mg/kg", "310 lbs/ac"),)
    parsed = map_book(book(_LAB, *rows), "soil_test")
    assert values(parsed)[0]["p_ppm"] == "31"
    assert "k_ppm" not in values(parsed)[0]
    assert [one.remedy[:26] for one in parsed.problems if one.code == "unit_does_not_fit"] == [
        "Ask the laboratory for ppm"
    ]


def test_a_first_row_whose_values_bear_their_units_is_no_row_of_units() -> None:
    rows = (("100234", "2025-10-20", "56000 lb", "1,000 bu"), ("100235", "2025-10-21", "50,400 lb", "900 bu"))
    parsed = map_book(book(("Ticket", "Date", "Net Wt", "Net Bu"), *rows), "ticket")
    assert [row["number"] for row in values(parsed)] == ["100234", "100235"]


@pytest.mark.parametrize(("target_of", "heading", "cells"), [
    ("inhibitor_purchase", ("Product", "Qty", "UOM", "Invoice Date"), ("Instinct", "20 gal", "lb", "2025-03-12")),
    ("soil_test", _LAB, ("7", "N40", "2025-11-05", "State lab", "6.4 ppm", "31", "150")),
])  # fmt: skip
def test_a_unit_in_the_cell_of_what_has_none_of_its_own_is_told(
    target_of: str, heading: tuple[str, ...], cells: tuple[str, ...]
) -> None:
    parsed = map_book(book(heading, cells), target_of)
    assert "unreadable_quantity" in codes(parsed)
