"""Tables of others become rows of ours by their headings and units, and what is doubtful or lost is told by row."""

import datetime as dt
import json
import time
import tomllib
from dataclasses import replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.formats.columns import (
    TELLING,
    behind,
    kind_by_headings,
    suggest,
    target,
    target_names,
    unit_in,
    without_unit,
)
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.plan import plan_import, waits_or_fails
from provender.formats.importing.questions import causes_first
from provender.formats.mapped import Mapped, import_table, map_book, shipped_for, shipped_maps
from provender.formats.parsed import ColumnMap, ColumnRule, Parsed, Sheet, TextRow, WorkbookFile, fingerprint
from provender.formats.units import number_out, read_number, unit_kind
from provender.problem import Weight
from provender.records.folder import load_book, rejected_in
from provender.records.kind import KINDS
from tests.formats.test_intake import ACCEPTED, CHOICES, brought, table, table_text
from tests.formats.test_intake import codes as codes_of
from tests.formats.workbooks import Write, codes
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

pytestmark = pytest.mark.usefixtures("parsed_here")
TODAY = dt.date(2026, 11, 21)


def of_rows(*rows: tuple[str, ...]) -> WorkbookFile:
    lines = [TextRow(number, cells) for number, cells in enumerate(rows, 1) if any(cell.strip() for cell in cells)]
    return WorkbookFile("f.csv", (Sheet("", tuple(lines)),))


def written(text: str) -> WorkbookFile:
    return of_rows(*(tuple(line.split("|")) for line in text.split("\n")))


def values(parsed: Parsed[Mapped]) -> list[dict[str, str]]:
    assert parsed.result is not None
    return [row.values for row in parsed.result.tables[0].rows]


TICKETS = ("Ticket No.", "Date", "Commodity", "Gross Wt (lb)", "Tare Wt (lb)", "Net Wt (kg)", "Moisture %", "Net Bu",
           "Driver")  # fmt: skip
TICKET = ("100234", "9/18/2026", "YC", "78,420", "27,180", "18706.15", "17.2", "712.4", "Al")
CASES: Final = [
    json.loads(line) for line in Path(__file__).with_name("maps.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Kind and lines of a table, the rows of ours that it becomes, codes with their rows, and words among what is told."""
ASKED = {"suggested_map", "mixed_days", "skipped_rows", "weak_match", "several_columns", "suggested_constant"}


@pytest.mark.parametrize("case", CASES, ids=[one["case"] for one in CASES])
def test_a_table_becomes_rows_of_ours_and_what_is_doubtful_or_lost_is_told_with_its_row(case: dict[str, Any]) -> None:
    parsed = map_book(written("\n".join(case["table"])), case["kind"])
    heading, *rows = (line.split("|") for line in case["ours"])
    found = values(parsed) if parsed.result else []
    assert [[row.get(column, "") for column in heading] for row in found] == rows
    assert {column for row in found for column in row} <= set(heading)
    assert all(not one.confirmed for one in (parsed.result.maps if parsed.result else ()))
    assert not found or parsed.problems[0].code == "suggested_map"
    problems = parsed.problems[bool(found) :]
    assert " ".join(f"{one.code}:{one.place.row}" for one in problems) == case["told"]
    assert case.get("says", "") in "\n".join(map(str, problems))
    assert all(one.weight is Weight.CONFIRM for one in parsed.problems if one.code in ASKED)


def test_a_table_of_our_headings_with_commas_for_fractions_or_units_in_its_cells_is_read_as_a_foreign_one(
    book: Path,
) -> None:
    head = "unit_id,day,product,rate"
    lines = ('HOME80,2026-06-01,Urea,"1,5",lb/ac', 'HOME80,2026-06-02,Urea,"2,500",lb/ac')
    plan = brought(book, "nutrient_application.csv", "\n".join([f"{head},rate_unit", *lines]), ACCEPTED)
    assert "mixed_decimals" in codes_of(plan)
    assert [(row["day"].day, row["rate"]) for row in load_book(book)["nutrient_application"]] == [(1, 1500)]
    assert [dict(row.cells)["day"] for row in rejected_in(book)] == ["2026-06-02"]
    lines = ("HOME80,2026-06-03,Urea,100 lbs/acre", "HOME80,2026-06-04,Urea,150 lb N/ac")
    brought(book, "nutrient_application.csv", "\n".join([head, *lines]), ACCEPTED)
    rows = [row for row in load_book(book)["nutrient_application"] if row["day"].day > 2]
    assert [(row["rate"], row["rate_unit"], row["n_lb_per_ac"]) for row in rows] == [
        (100_000, "lb/ac", None), (None, None, 150_000),
    ]  # fmt: skip


def test_a_list_of_yields_and_acres_gives_bushels_and_asks(book: Path) -> None:
    said = replace(ACCEPTED, kind="harvest")
    lines = ("HOME80,Corn,10/5/2024,40,200.5,", "HOME80,Corn,10/5/2023,40,,8000", "HOME80,Corn,10/5/2022,40,200,7990")
    text = "\n".join(["Field,Crop,Harvest Date,Acres,Yield (bu/ac),Bushels", *lines, ""])
    plan = brought(book, "yields.csv", text, said)
    assert "bushels_by_yield" in codes_of(plan)
    entries = {str(row["last_day"]): row["bushels"] for row in load_book(book)["harvest"] if row["last_day"]}
    assert entries == {"2024-10-05": 8_020_000, "2023-10-05": 8_000_000, "2022-10-05": 7_990_000}
    assert "bushels_by_yield" not in codes_of(brought(book, "y.csv", text.replace(",200.5,", ",,7999"), said))


def test_one_cause_is_told_once_and_a_note_that_says_of_work_that_it_was_not_done_is_asked_about(book: Path) -> None:
    def said(text: str) -> list[str]:
        return [str(one) for one in causes_first(brought(book, "log.csv", text, said_kind).problems)]

    said_kind = replace(ACCEPTED, kind="operation")
    told = said("Field,Date,How it went\nHOME80,2026-05-04,disked\nHOME80,2026-05-05,disked\n")
    assert [line for line in told if "in 2 rows, since the column 'How it went' was not recognized" in line]
    told = said("Field,Date,Operation\nHOME80,soon,Rotary hoe\n")
    assert len([line for line in told if "'soon'" in line]) == 1
    told = said("HOME80,2026-05-04,disked\n")
    assert len([line for line in told if "nobody can tell which of its columns" in line]) == 1
    assert not [line for line in told if "is missing" in line or "There is no column" in line]
    for remark in ("CANCELLED rained out", "Rained out", "never got done"):
        told = said(f"Field,Date,Operation,Notes\nHOME80,2026-05-04,Rotary hoe,{remark}\n")
        assert [line for line in told if "may say that this was not done" in line]
    assert not load_book(book)["operation"]


def test_a_map_of_other_headings_is_not_used_and_what_is_no_saved_map_refused() -> None:
    made = ColumnMap("x", "contract", fingerprint(("Ticket", "Date")), (ColumnRule("Ticket", "number"),))
    parsed = map_book(written("Ticket|Date\n7|2026-04-03"), "ticket", [made])
    assert "suggested_map" in [problem.code for problem in parsed.problems]
    with_columns = json.dumps({"name": "a", "target": "b", "fingerprint": "c", "columns": 5})
    for text in ("", "{}", "[]", "null", '{"name": 3}', with_columns):
        with pytest.raises((ValueError, TypeError, KeyError)):
            ColumnMap.from_text(text)


def test_a_saved_map_also_one_that_ships_is_found_by_its_headings_and_asks_nothing() -> None:
    first = map_book(of_rows(TICKETS, TICKET), "ticket")
    assert first.result is not None
    saved = ColumnMap.from_text(first.result.maps[0].to_text())
    again = map_book(of_rows(("Elevator Co.",), TICKETS, TICKET), "ticket", [saved])
    assert values(again) == values(first)
    assert [problem.code for problem in again.problems] == ["rows_above", "rounded_values"]
    table = of_rows(*OF_ELEVATORS["AGRIS"])
    first = map_book(table, "ticket")
    assert first.result is not None
    again = map_book(table, "ticket", [ColumnMap.from_text(first.result.maps[0].to_text())])
    assert (values(again), again.problems) == (values(first), ())


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
    parsed = map_book(of_rows(("Tkt", "Date", "Grain"), ("7", "3/4/2026", "yc")), "ticket", [made])
    assert values(parsed) == [{"site": "Ames", "number": "7", "day": "2026-04-03", "crop": "corn"}]
    assert parsed.problems == ()


def test_forage_is_not_taken_for_grain_nor_dollars_for_goods_and_numbers_are_read() -> None:
    grown = {"Milo": "sorghum", "yellow corn": "corn", "Seed Corn": "seed_corn"}
    grown |= {forage: forage for forage in ("Forage Sorghum", "sorghum forage")}
    rows = [("N40", told, "9/20/2026", "7300") for told in grown]
    found = values(map_book(of_rows(("Field", "Crop", "Harvest date", "Bushels"), *rows), "harvest"))
    assert {told: row["crop"] for told, row in zip(grown, found, strict=True)} == grown
    for text in ("7", "07.10", "0.5", "712.400", "1,234.5", " 12", "-3", "1.23456", "9.", ".5", "$7"):
        for way in (text, f"{text} bu"):  # with its unit it goes the long way
            parsed = map_book(of_rows(("Ticket No.", "Net Bu"), ("1", way)), "ticket")
            assert values(parsed) == [{"number": "1", "net_bushels": number_out(read_number(text), 3)[0]}], way
    row = ("I100", "5/20/2026", "INSTINCT NXTGEN", "40", "GAL", "52.00", "2080.00")
    for money, kind in product(("Amount", "Total"), ("invoice", "inhibitor_purchase")):
        heading = ("Invoice", "Date", "Description", "Qty", "UOM", "Price", money)
        (entry,) = values(map_book(of_rows(heading, row), kind))
        assert entry["amount"] == "40", (money, kind)


@pytest.mark.parametrize(("kind", "text", "column", "expected", "ahead"), [
    ("ticket", "Ticket,Date,Net Bu\n7,2026-11-21,5\n8,2026-11-22,6\n9,2076-09-24,7\n", "day",
     ["2026-11-21", None, None], [3, 4]),
    ("contract", "Contract,Commodity,Bushels,Delivery Start,Delivery End\nC1,corn,5000,2027-01-01,2027-01-31\n",
     "last_day", ["2027-01-31"], []),
    ("contract", "Contract #;Date;Commodity;Bushels;Price ($/bu)\nC9;2026-10-01;corn;712,4;4,10\n",
     "price_per_bu", ["4.1"], []),
], ids=["days to come", "a delivery window", "a contract"])  # fmt: skip
def test_days_that_are_still_to_come_are_taken_out_and_told_but_for_a_delivery_window(
    write: Write, kind: str, text: str, column: str, expected: list[str | None], ahead: list[int]
) -> None:
    parsed = import_table(write("t.csv", text), kind, as_of=TODAY)
    assert [row.get(column) for row in values(parsed)] == expected
    assert [problem.place.row for problem in parsed.problems if problem.code == "future_day"] == ahead
    if column == "price_per_bu":
        assert values(parsed)[0] == {"number": "C9", "day": "2026-10-01", "crop": "corn",
                                     "bushels": "712.4", "price_per_bu": "4.1"}  # fmt: skip


IN_HEADINGS: Final = {
    "Net Wt (lb)": "lb", "Moisture %": "pct", "Mehlich\u00a01\u00a0\u00a0mg/kg\u00a0(ppm)": "ppm", "P [mg/kg]": "ppm",
    "Depth_in": "in", "pH": "", "Net": "",
}  # fmt: skip
BEHIND: Final = {
    "62 lb/ac": ("62", "lb/ac"), "1,310 lbs/acre": ("1,310", "lb/ac"), "12.5ppm": ("12.5", "ppm"),
    **{plain: (plain, "") for plain in ("12.5", "high", "12 of 14", "<5 ppm")},
}  # fmt: skip


def test_headings_tell_units_layouts_and_the_kind_of_a_table() -> None:
    assert {text: unit_in(text) for text in IN_HEADINGS} == IN_HEADINGS
    assert {text: behind(text) for text in BEHIND} == BEHIND
    bare = {"Rate (lb/ac)": "Rate", "acres [ha]": "acres", "Note (old)": "Note (old)", "(lb)": "(lb)"}
    assert {heading: without_unit(heading) for heading in bare} == bare
    assert fingerprint(["Ticket No.", "Net_Bu", ""]) == fingerprint(["TICKET NO", "net bu"])
    assert fingerprint(["Ticket", "Net"]) != fingerprint(["Net", "Ticket"])
    assert {name: kind_told(heading) for name, (_, heading) in TOLD.items()} == {
        name: k for name, (k, _) in TOLD.items()
    }
    assert [heading for heading in UNKNOWN if kind_told(heading)] == []


def test_every_kind_and_document_is_a_target_and_every_shipped_map_names_its_fields() -> None:
    assert {*KINDS, "ticket", "contract", "invoice"} == set(target_names())
    for name in target_names():
        assert target(name).fields
        assert all(field.synonyms for field in target(name).fields.values())
    table = tomllib.loads((files("provender.formats") / "data" / "targets.toml").read_text("utf-8"))
    assert all(field in target(name).fields for name, fields in table.items() for field in fields)
    asked = ["AGRIS", "Agvance", "oneWeigh", "CINCH", "A&L", "Ward", "Midwest", "Brookside", "UGA", "Soiltest"]
    shipped = [each.name.replace("A & L", "A&L") for each in shipped_maps()]
    assert all(any(name.startswith(system) for name in shipped) for system in asked)
    for each in shipped_maps():
        fields = target(each.target).fields
        assert {rule.field for rule in each.columns} | set(each.constants) <= set(fields), each.name
        assert len(each.known_by) >= 4, each.name
        assert not each.confirmed, each.name
    for kind in KINDS.values():
        names = tuple(kind.typed_fields)
        assert shipped_for(of_rows(names, tuple("1" for _ in names)).sheets[0], "", "f.csv") is None


def test_our_own_column_names_map_whole_and_headings_in_camel_case_are_understood() -> None:
    for name in ("soil_test", "scale_ticket", "operation", "nutrient_application", "harvest", "ticket"):
        fields = target(name).fields
        found = suggest(of_rows(tuple(fields), tuple("1" for _ in fields)).sheets[0], target(name), "f.csv")
        assert found is not None
        assert {rule.field: rule.heading for rule in found.map.columns} == {each: each for each in fields}, name
    heading = ("TktNbr", "ShipDate", "Cmdty", "NetWt", "Dry Bushels", "I/O")
    found = suggest(of_rows(heading, ("7", "2026-09-04", "corn", "5600", "100", "I")).sheets[0], target("ticket"), "f")
    assert found is not None
    assert {rule.field for rule in found.map.columns} >= {"number", "crop", "net_lb", "net_bushels", "direction"}


CELL = st.text(max_size=8) | st.sampled_from(
    ["Ticket", "Date", "Net Bu", "Moisture %", "3/4/2026", "5.5", "Total", "Units"]
)


@given(st.lists(st.lists(CELL, min_size=1, max_size=5).map(tuple), min_size=1, max_size=8))
def test_every_row_under_the_headings_is_imported_or_named(rows: list[tuple[str, ...]]) -> None:
    made = of_rows(("Ticket", "Date", "Net Bu"), *rows)
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
    assert rows[0] == {"soil_test_id": "430", "unit_id": "Old Berlin 1", "method": "Mehlich 1", "ph": "6.18",
                       "laboratory": "UGA Agricultural and Environmental Services Laboratories", "k_ppm": "66.726",
                       "p_ppm": "80.484", "sampled_on": "2022-07-08"}  # fmt: skip
    told = ["merged_cells", "weak_match", "weak_match", "rounded_values", "rounded_values", "skipped_rows"]
    assert [code for code in codes(workbook) if code not in ("suggested_map", "ignored_columns")] == told
    text = import_table(kept / "modus" / "S22-14946-B500.csv", "soil_test", as_of=TODAY)
    assert [row["nitrate_n_ppm"] for row in values(text)] == ["21.6", "14.7", "14.9", "48.5", "10", "18.8"]
    assert "weak_match" in codes(text)


PASSES = "Field,Date,Implement,Depth (in),Speed (mph)\nHome 80,4/28/2026,Burndown,,\nHome 80,4/16/2026,Rotary hoe,2,9\n"
TOLD = {
    "A & L, Iowa": ("soil_test", "Client,Field,Lab Number,Date Received,Organic Matter %,Bray P1 ppm,Potassium K ppm"),
    "A & L, Great Lakes": ("soil_test", "LabNum,SampleId,Grower,Field,DateSampled,OM,P-M3,K,Mg,Ca,pH,BpH,CEC"),
    "Midwest": ("soil_test", "Report Number,Lab No,Account,Sample Id,Sampled Date,Org Matter,P1,P2,Bicarb P,K,Soil pH"),
    "Brookside": ("soil_test", "Lab #,Sample Location,Sample ID,pH,Organic Matter (humus) %,BRAY II P,POTASSIUM ppm"),
    "UGA": ("soil_test", "Lab,Sample,Date,Crop,LBC 1,pH CaCl2 2,Equiv. water pH,P lbs/acre,K lbs/acre"),
    "Soiltest": ("soil_test", "Laboratory Number,Grower,Field Name,Sample ID,Date Received,Olsen P,Potassium,pH"),
    "Agvise": ("soil_test", "LABNUM,REFNUM,GROWER,FIELDID,SAMPLEID,SAMPDATE,DEPTH1,N1,P_OLSEN,K,PH1,OM,S1,ZN"),
    "a grower's list": ("soil_test", "Sample ID,Soil pH,Buffer pH,P (Mehlich-3) ppm,K (Mehlich-3) ppm,OM %"),
    "a farm's account": ("scale_ticket", "Ticket ID,Delivery Date,Elevator,Crop,Net Weight (lbs),Net Bushels,Moisture"),
    "oneWeigh": ("scale_ticket", "TicketNumber,TicketDate,SiteName,InOut,CommodityName,NetWeight,NetBushels"),
    "a work log": ("operation", "Field Name,Date,Activity,Equipment,Acres,Operator,Notes"),
    "passes": ("operation", "Field,Date,Implement,Depth,Speed"),
    "applications": ("nutrient_application", "Field,Date,Product,Rate,Unit,Method,Acres"),
    "pounds of N": ("nutrient_application", "Field,Application Date,Fertilizer,lbs N/ac,Inhibitor"),
    "yields": ("harvest", "Field,Crop,Harvest Date,Acres,Total Bushels,Yield (bu/ac),Moisture"),
    "planting": ("planting", "Field,Crop,Plant Date,Variety,Population,Acres"),
    "a plan": ("nutrient_budget", "Field,Crop,Yield Goal,N rec,P2O5 rec,K2O rec,Plan Date"),
    "FSA-578": ("reported_acres", "Farm Number,Tract,CLU,Crop/Commodity,Int Use,Reported Acreage,Crop Year"),
    "fields": ("unit", "Field Name,FSA Farm,Tract,Acres,County"),
}  # fmt: skip


def kind_told(heading: str) -> str:
    """Return the kind that the headings of a table tell a person, who is asked; or nothing."""
    cells = tuple(heading.split(","))
    found = kind_by_headings(of_rows(cells, tuple("1" for _ in cells)).sheets[0], "f.csv")
    assert found is None or (found[1].weight, found[0].name in TELLING) == (Weight.CONFIRM, True)
    return found[0].name if found else ""


UNKNOWN: Final = (
    "Market,Price", "Date,Driver,Truck,Odometer start,Odometer end", "Date,Field,Rain (in)",
    "Field,Date,Pest,Severity,Notes", "Name,Date,Hours,Task", "Field,Date,Amount,Note", "Field,Acres,Rent",
    "Settlement No,Settlement Date,Commodity,Net Bushels,Price,Net Amount",
    "operation_id,unit_id,day,operation,weather",  # ours, with a column that is not: it is kept row by row
)  # fmt: skip


def test_a_file_called_a_kind_with_others_headings_waits_and_a_slip_is_refused(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.replace("Home 80", "HOME80"))
    assert [(count.kind, count.waiting, count.rejected) for count in plan.counts] == [("operation", 2, 0)]
    plan = brought(
        book, "operation.csv", "operation_id,unit_id,day,operation,depht_in\nO1,HOME80,2026-05-04,Combine,3\n"
    )
    assert codes_of(plan) == ["unknown_column"]


def test_an_amount_may_be_money_pounds_per_acre_give_way_and_a_yield_list_says_its_crops_were_harvested() -> None:
    sheet = of_rows(("Date", "Description", "Amount", "Price"), ("5/20/2026", "N-Serve", "40", "2")).sheets[0]
    found = suggest(sheet, target("invoice"), "f.csv")
    assert found is not None
    assert "weak_match" in {problem.code for problem in found.problems}
    heading = ("Sample", "pH", "OM", "Potassium lb/A", "Potassium ppm")
    parsed = map_book(of_rows(heading, ("HOME80", "6.4", "3.1", "356", "178")), "soil_test")
    assert values(parsed)[0]["k_ppm"] == "178"
    assert "several_columns" not in {problem.code for problem in parsed.problems}
    parsed = map_book(of_rows(("Field", "Crop", "Bushels"), ("HOME80", "Yellow Corn", "17200")), "harvest")
    assert values(parsed) == [{"unit_id": "HOME80", "crop": "corn", "bushels": "17200", "ending": "harvested"}]
    (asked,) = [problem for problem in parsed.problems if problem.code == "suggested_constant"]
    assert "How it ended; it was taken to be harvested" in asked.cause


WARD = "Kind Of Sample,Lab No,Cust No,Field ID,Sample ID,Date Recd,Date Rept,B Depth,E Depth,1:1 Soil pH"
WARD += ",Organic Matter LOI %,Nitrate-N ppm N,Bray P-1 ppm P,Olsen P ppm P,Potassium ppm K,Mehlich P-III ppm P"


def test_a_laboratorys_file_is_known_without_a_word_and_its_filled_columns_count(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem"}))
    (folder / "unit.csv").write_text(table("unit", {"unit_id": "N40", "acres": "40"}))
    path = tmp_path / "results.csv"
    path.write_text(f"{WARD}\nS,603610,24832,,N40,3/14/2026,3/16/2026,0,6,6.4,3.1,8.2,,14,201,22\n")
    asked = plan_import([path], ImportBook.in_folder(folder), CHOICES)
    assert {count.kind: count.waiting for count in asked.counts} == {"soil_test": 1, "evidence": 1}
    assert {"suggested_map", "weak_match", "several_columns"} <= {one.code for one in asked.problems}
    plan = plan_import([path], ImportBook.in_folder(folder), replace(CHOICES, accept=True))
    text = table_text(plan, "soil_test")
    assert "603610,N40,2026-03-14,Ward Laboratories,,6,6.4,3.1,8.2,22,201,,file-" in text, "the file is its paper"
    assert not waits_or_fails(plan, accepted=True)


OF_ELEVATORS: Final = ROWS.table("OF_ELEVATORS")


@pytest.mark.parametrize("system", OF_ELEVATORS)
def test_an_elevators_list_is_read_as_tickets_and_as_a_farms_scale_tickets(system: str) -> None:
    heading, row = OF_ELEVATORS[system]
    parsed = map_book(of_rows(heading, row), "ticket")
    (found,) = values(parsed)
    assert parsed.result is not None
    assert parsed.result.maps[0].name.startswith(system)
    core = {name: found[name] for name in ("number", "day", "net_lb", "moisture_pct", "net_bushels")}
    assert core == {"number": "100234", "day": "2026-09-04", "net_lb": "51240",
                    "moisture_pct": "15.2", "net_bushels": "915"}  # fmt: skip
    assert [one.code for one in parsed.problems if one.weight is Weight.CONFIRM] == ["suggested_map"]
    (farm,) = values(map_book(of_rows(heading, row), "scale_ticket"))
    assert (farm["ticket_id"], farm["buyer"], farm["crop"]) == ("100234", "AMES", "corn")
    assert farm["net_bushels"] == "915"


def test_a_column_whose_cells_can_be_one_thing_only_is_taken_for_it_and_asked_about() -> None:
    rows = [(str(at), f"9/{at + 10}/2026", "YC" if at else "corn", "100") for at in range(4)]
    known = [(number, day, "corn", bushels) for number, day, _, bushels in rows]
    found = suggest(of_rows(("Ticket", "When", "What", "Net Bu"), *known).sheets[0], target("ticket"), "f")
    assert found is not None
    assert {rule.heading: rule.field for rule in found.map.columns} == {
        "Ticket": "number", "When": "day", "What": "crop", "Net Bu": "net_bushels",
    }  # fmt: skip
    assert [one.code for one in found.problems].count("matched_by_content") == 2
    mixed = suggest(of_rows(("Ticket", "When", "What", "Net Bu"), *rows).sheets[0], target("ticket"), "f")
    assert mixed is not None
    assert "crop" not in {rule.field for rule in mixed.map.columns}


def test_a_laboratorys_file_that_states_other_units_than_its_map_is_believed_and_told() -> None:
    heading = ("Lab", "Point ID", "LBC", "LBCeq", "pH", "K", "P", "Date")
    pounds = ("UNITS", "", "ppm CaCO3/pH", "ppm CaCO3/pH", "", "lbs/acre", "Mehlich 1 lbs/acre", "")
    (shipped,) = [one for one in shipped_maps() if one.name.startswith("UGA")]
    parsed = map_book(
        of_rows(heading, pounds, ("1", "N40", "200", "210", "6.4", "120", "62", "11/5/2024")), "soil_test", [shipped]
    )
    assert not {"p_ppm", "k_ppm"} & values(parsed)[0].keys()
    assert [one.code for one in parsed.problems].count("other_unit") == 2


def test_every_column_takes_its_own_unit_in_brackets() -> None:
    count = 0
    for kind, (name, field) in ((one, each) for one in KINDS.values() for each in one.typed_fields.items()):
        if not (field.unit and unit_kind(field.unit)):
            continue
        count += 1
        own = [one for one in kind.key_columns if one != "farm_id"]
        cells = (*(f"X{at}" for at in range(len(own))), "7")
        found = suggest(of_rows((*own, f"{field.label} ({field.unit})"), cells).sheets[0], target(kind.name), "f.csv")
        assert found is not None
        taken = {rule.field: unit_kind(rule.unit) for rule in found.map.columns}
        assert taken.get(name) == unit_kind(field.unit), (kind.name, name)
    assert count > 20


def test_our_own_column_says_its_unit_and_hectares_become_acres(book: Path) -> None:
    parsed = map_book(
        of_rows(("application_id", "unit_id", "n_lb_per_ac"), ("A1", "N40", "28")), "nutrient_application"
    )
    assert values(parsed)[0]["n_lb_per_ac"] == "28", "pounds per acre, no acres"
    brought(book, "unit.csv", "unit_id,acres (ha)\nR1,40\n", ACCEPTED)
    assert [row["acres"] for row in load_book(book)["unit"] if row["unit_id"] == "R1"] == [98_842]
    text = "Field,Date,Product,Rate,Rate unit\nHOME80,2026-05-21,Urea,100,lb/ac\n"
    assert "no_unit" not in codes_of(brought(book, "applied.csv", text, ACCEPTED))


@ROWS
def test_a_rate_takes_the_unit_of_its_heading(book: Path, headings: str, cells: str, taken: list[object]) -> None:
    assert "unit_does_not_fit" not in codes_of(brought(book, "applied.csv", f"{headings}\n{cells}\n", ACCEPTED))
    row = load_book(book)["nutrient_application"][0]
    assert (row["rate"], row["rate_unit"]) == tuple(taken)


@pytest.mark.parametrize(
    ("headings", "cells", "code"),
    [
        ("Field,Date,Product,Rate (lb/ac),Rate unit", "HOME80,2026-05-21,Urea,100,gal/ac", "unit_conflict"),
        ("Field,Date,Product,Rate (ppm)", "HOME80,2026-05-21,Urea,100", "unit_does_not_fit"),
        ("unit_id,acres (lb)", "R1,40", "unit_does_not_fit"),
    ],
)
def test_a_unit_that_conflicts_is_refused_with_the_row(book: Path, headings: str, cells: str, code: str) -> None:
    assert code in codes_of(brought(book, "applied.csv", f"{headings}\n{cells}\n", ACCEPTED))
    assert not load_book(book)["nutrient_application"]


def test_ten_thousand_headings_are_matched_in_seconds() -> None:
    known = ("Field", "Date", "Implement", "Crop", "Net Wt (lb)", "Ticket No")
    heads = tuple(f"{known[at % 6]}{'' if at % 2 else f' no {at}'}" for at in range(10_000))
    rows = [TextRow(2, tuple(f"2 of {at}" for at in range(10_000)))]
    sheet, begun = Sheet("", (TextRow(1, heads), *rows)), time.process_time()
    kind_by_headings(sheet, "a.csv")
    suggest(sheet, target("operation"), "a.csv")
    assert time.process_time() - begun < 5
