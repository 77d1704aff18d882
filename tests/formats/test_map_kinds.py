"""A table is known by its headings and their units, or by a map that ships, and waits for a nod."""

import dataclasses
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from provender.formats.column_map import ColumnMap
from provender.formats.columns import TELLING, kind_by_headings, suggest, target, without_unit
from provender.formats.importing.prepare import prepare, waits_or_fails
from provender.formats.mapped import map_book, shipped_for, shipped_maps
from provender.formats.units import unit_kind
from provender.problem import Weight
from provender.records.folder import load_book
from provender.records.kind import KINDS
from tests.formats.test_column_maps import book as of_rows
from tests.formats.test_column_maps import values
from tests.formats.test_everyday_tables import ACCEPTED, book, brought
from tests.formats.test_intake import CHOICES, codes, table

assert book  # a fixture

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


@pytest.mark.parametrize("layout", TOLD)
def test_headings_that_people_use_tell_the_kind_of_a_table(layout: str) -> None:
    kind, heading = TOLD[layout]
    cells = tuple(heading.split(","))
    found = kind_by_headings(of_rows(cells, tuple("1" for _ in cells)).sheets[0], "f.csv")
    assert found is not None
    assert (found[0].name, found[1].weight) == (kind, Weight.CONFIRM)
    assert set(TELLING) >= {kind}


@pytest.mark.parametrize(
    "heading",
    [
        "Market,Price",
        "Date,Driver,Truck,Odometer start,Odometer end",
        "Date,Field,Rain (in)",
        "Field,Date,Pest,Severity,Notes",
        "Name,Date,Hours,Task",
        "Field,Date,Amount,Note",
        "Field,Acres,Rent",
        "Settlement No,Settlement Date,Commodity,Net Bushels,Price,Net Amount",
        "operation_id,unit_id,day,operation,weather",  # ours, with a column that is not: it is kept row by row
    ],
)
def test_a_table_of_something_else_stays_unknown(heading: str) -> None:
    cells = tuple(heading.split(","))
    assert kind_by_headings(of_rows(cells, tuple("1" for _ in cells)).sheets[0], "f.csv") is None


def test_a_list_of_passes_waits_for_a_nod_and_then_stands_in_the_book(book: Path) -> None:
    asked = brought(book, "spring.csv", PASSES.replace("Home 80", "HOME80"))
    assert {"kind_by_headings", "suggested_map", "weak_match", "waits"} <= set(codes(asked))
    assert [(count.kind, count.waiting) for count in asked.counts] == [("operation", 2)]
    assert load_book(book)["operation"].is_empty()
    brought(book, "spring.csv", PASSES.replace("Home 80", "HOME80"), dataclasses.replace(CHOICES, accept=True))
    assert load_book(book)["operation"].select("operation", "depth_in").rows() == [
        ("Sprayer, kill crop", None),
        ("Rotary hoe", 2000),
    ]


def test_a_file_that_is_called_a_kind_and_has_others_headings_waits_and_one_of_ours_with_a_slip_is_refused(
    book: Path,
) -> None:
    plan = brought(book, "operation.csv", PASSES.replace("Home 80", "HOME80"))
    assert [(count.kind, count.waiting, count.rejected) for count in plan.counts] == [("operation", 2, 0)]
    plan = brought(
        book, "operation.csv", "operation_id,unit_id,day,operation,depht_in\nO1,HOME80,2026-05-04,Combine,3\n"
    )
    assert codes(plan) == ["unknown_column"]


@pytest.mark.parametrize("money", ["Amount", "Total"])
def test_dollars_are_not_taken_for_goods(money: str) -> None:
    heading = ("Invoice", "Date", "Description", "Qty", "UOM", "Price", money)
    row = ("I100", "5/20/2026", "INSTINCT NXTGEN", "40", "GAL", "52.00", "2080.00")
    for kind in ("invoice", "inhibitor_purchase"):
        (found,) = values(map_book(of_rows(heading, row), kind))
        assert found["amount"] == "40", kind


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


def test_every_map_that_ships_names_fields_that_exist_and_takes_no_table_of_our_own() -> None:
    for each in shipped_maps():
        fields = target(each.target).fields
        assert {rule.field for rule in each.columns} | set(each.constants) <= set(fields), each.name
        assert len(each.known_by) >= 4, each.name
        assert not each.confirmed, each.name
    for kind in KINDS.values():
        names = tuple(kind.typed_fields)
        assert shipped_for(of_rows(names, tuple("1" for _ in names)).sheets[0], "", "f.csv") is None


@pytest.mark.parametrize(
    "name", ["AGRIS", "Agvance", "oneWeigh", "CINCH", "A & L", "Ward", "Midwest", "Brookside", "UGA", "Soiltest"]
)
def test_each_system_that_was_asked_for_ships(name: str) -> None:
    assert any(each.name.startswith(name) for each in shipped_maps())


def test_a_laboratorys_file_is_known_without_a_word_and_its_filled_columns_count(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "farm.csv").write_text(table("farm", {"farm_id": "F1", "name": "Bluestem"}))
    (folder / "unit.csv").write_text(table("unit", {"unit_id": "N40", "acres": "40"}))
    path = tmp_path / "results.csv"
    path.write_text(f"{WARD}\nS,603610,24832,,N40,3/14/2026,3/16/2026,0,6,6.4,3.1,8.2,,14,201,22\n")
    asked = prepare([path], folder, CHOICES)
    assert {count.kind: count.waiting for count in asked.counts} == {"soil_test": 1}
    assert {"suggested_map", "weak_match", "several_columns"} <= {one.code for one in asked.problems}
    plan = prepare([path], folder, replace(CHOICES, accept=True))
    text = plan.files["soil_test.csv"].decode()
    assert "603610,N40,2026-03-14,Ward Laboratories,,6,6.4,3.1,8.2,22,201" in text
    assert not waits_or_fails(plan, accepted=True)


TICKETS = {
    "AGRIS": (
        ("Tkt Nbr", "Loc", "Ship Date", "I/O", "Name ID", "Cmdty", "Gross Wt", "Tare Wt", "Net Wt", "Moist", "Net Qty"),
        ("100234", "AMES", "9/4/2026", "I", "SMITH", "YC", "78420", "27180", "51240", "15.2", "915"),
    ),
    "Agvance": (
        ("Ticket Number", "Location", "Ticket Date", "Customer Name", "Commodity", "Gross Weight", "Tare Weight",
         "Net Weight", "Moisture", "Net Units"),
        ("100234", "AMES", "9/4/2026", "SMITH", "Yellow Corn", "78420", "27180", "51240", "15.2", "915"),
    ),
    "oneWeigh": (
        ("TicketNumber", "Location", "TicketDate", "InOut", "Customer", "Commodity", "GrossWeight", "TareWeight",
         "NetWeight", "Moisture", "NetBushels"),
        ("100234", "AMES", "9/4/2026", "Inbound", "SMITH", "CORN", "78420", "27180", "51240", "15.2", "915"),
    ),
    "CINCH": (
        ("Ticket #", "Location", "Date", "Producer", "Commodity", "Gross", "Tare", "Net", "Moisture", "Wet Bushels",
         "Dry Bushels"),
        ("100234", "AMES", "9/4/2026", "SMITH", "Corn", "78420", "27180", "51240", "15.2", "920", "915"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("system", TICKETS)
def test_an_elevators_list_is_read_as_tickets_and_as_a_farms_scale_tickets(system: str) -> None:
    heading, row = TICKETS[system]
    parsed = map_book(of_rows(heading, row), "ticket")
    (found,) = values(parsed)
    assert parsed.result is not None
    assert parsed.result.maps[0].name.startswith(system)
    core = {name: found[name] for name in ("number", "day", "crop", "net_lb", "moisture_pct", "net_bushels")}
    assert core == {"number": "100234", "day": "2026-09-04", "crop": "corn", "net_lb": "51240",
                    "moisture_pct": "15.2", "net_bushels": "915"}  # fmt: skip
    assert [one.code for one in parsed.problems if one.weight is Weight.CONFIRM] == ["suggested_map"]
    (farm,) = values(map_book(of_rows(heading, row), "scale_ticket"))
    assert (farm["ticket_id"], farm["buyer"], farm["net_bushels"]) == ("100234", "AMES", "915")


def test_a_map_that_ships_is_confirmed_by_saving_it_and_then_asks_nothing() -> None:
    heading, row = TICKETS["AGRIS"]
    first = map_book(of_rows(heading, row), "ticket")
    assert first.result is not None
    saved = ColumnMap.from_text(first.result.maps[0].to_text())
    again = map_book(of_rows(heading, row), "ticket", [saved])
    assert values(again) == values(first)
    assert again.problems == ()


def test_headings_in_camel_case_and_short_ones_are_understood() -> None:
    heading = ("TktNbr", "ShipDate", "Cmdty", "NetWt", "Dry Bushels", "I/O")
    found = suggest(of_rows(heading, ("7", "2026-09-04", "corn", "5600", "100", "I")).sheets[0], target("ticket"), "f")
    assert found is not None
    assert {rule.field for rule in found.map.columns} >= {"number", "crop", "net_lb", "net_bushels", "direction"}


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


MEASURED = [
    (kind.name, name, found.unit)
    for kind in KINDS.values()
    for name, found in kind.typed_fields.items()
    if found.unit and unit_kind(found.unit)
]


@pytest.mark.parametrize(("kind", "name", "unit"), MEASURED)
def test_every_column_takes_its_own_unit_in_brackets(kind: str, name: str, unit: str) -> None:
    own = [one for one in KINDS[kind].key_columns if one != "farm_id"]
    label = KINDS[kind].typed_fields[name].label
    sheet = of_rows((*own, f"{label} ({unit})"), (*(f"X{at}" for at in range(len(own))), "7")).sheets[0]
    found = suggest(sheet, target(kind), "f.csv")
    assert found is not None
    assert {rule.field: unit_kind(rule.unit) for rule in found.map.columns}.get(name) == unit_kind(unit)


@pytest.mark.parametrize(
    ("heading", "bare"),
    [("Rate (lb/ac)", "Rate"), ("acres [ha]", "acres"), ("Note (old)", "Note (old)"), ("(lb)", "(lb)")],
)
def test_only_a_unit_leaves_a_heading(heading: str, bare: str) -> None:
    assert without_unit(heading) == bare


def test_our_own_name_of_a_column_says_its_own_unit() -> None:
    parsed = map_book(
        of_rows(("application_id", "unit_id", "n_lb_per_ac"), ("A1", "N40", "28")), "nutrient_application"
    )
    assert values(parsed)[0]["n_lb_per_ac"] == "28", "pounds per acre, no acres"


@pytest.mark.parametrize(
    ("headings", "cells", "taken"),
    [
        ("Field,Date,Product,Rate (lb/ac)", "HOME80,2026-05-21,Urea,100", (100_000, "lb/ac")),
        ("Field,Date,Product,Rate (kg/ha)", "HOME80,2026-05-21,Urea,112", (99_924, "lb/ac")),
        ("application_id,unit_id,day,product,rate (gal/ac)", "A1,HOME80,2026-05-21,UAN 28,10", (10_000, "gal/ac")),
        ("Field,Date,Product,Rate (lb/ac),Rate unit", "HOME80,5/21/2026,Urea,9,lb/ac", (9_000, "lb/ac")),
    ],
)  # fmt: skip
def test_a_rate_takes_the_unit_of_its_heading(book: Path, headings: str, cells: str, taken: tuple[int, str]) -> None:
    assert "unit_does_not_fit" not in codes(brought(book, "applied.csv", f"{headings}\n{cells}\n", ACCEPTED))
    rows = load_book(book)["nutrient_application"]
    assert rows.select("rate", pl.col("rate_unit").cast(pl.String)).row(0) == taken


@pytest.mark.parametrize(
    ("headings", "cells", "code"),
    [
        ("Field,Date,Product,Rate (lb/ac),Rate unit", "HOME80,2026-05-21,Urea,100,gal/ac", "unit_conflict"),
        ("Field,Date,Product,Rate (ppm)", "HOME80,2026-05-21,Urea,100", "unit_does_not_fit"),
        ("unit_id,acres (lb)", "R1,40", "unit_does_not_fit"),
    ],
)
def test_a_unit_that_conflicts_is_refused_with_the_row(book: Path, headings: str, cells: str, code: str) -> None:
    plan = brought(book, "applied.csv", f"{headings}\n{cells}\n", ACCEPTED)
    assert code in codes(plan)
    assert load_book(book)["nutrient_application"].is_empty()


def test_acres_in_hectares_are_turned_into_ours_and_a_rate_beside_its_unit_has_one(book: Path) -> None:
    brought(book, "unit.csv", "unit_id,acres (ha)\nR1,40\n", ACCEPTED)
    units = load_book(book)["unit"]
    assert units.filter(pl.col("unit_id") == "R1")["acres"].to_list() == [98_842]
    text = "Field,Date,Product,Rate,Rate unit\nHOME80,2026-05-21,Urea,100,lb/ac\n"
    assert "no_unit" not in codes(brought(book, "applied.csv", text, ACCEPTED))
