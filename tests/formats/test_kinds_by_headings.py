"""A table that neither a name nor a layout tells is known by what its headings say together, and waits for a nod."""

import dataclasses
from pathlib import Path

import pytest

from provender.formats.map_kinds import TELLING, kind_by_headings
from provender.formats.map_suggest import suggest
from provender.formats.mapped import map_book
from provender.formats.targets import target
from provender.problem import Weight
from provender.records.folder import load_book
from tests.formats.test_column_maps import book as of_rows
from tests.formats.test_column_maps import values
from tests.formats.test_everyday_tables import book, brought
from tests.formats.test_intake import CHOICES, codes

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


def test_a_file_that_is_called_a_kind_and_has_others_headings_waits_instead_of_being_refused(book: Path) -> None:
    plan = brought(book, "operation.csv", PASSES.replace("Home 80", "HOME80"))
    assert [(count.kind, count.waiting, count.rejected) for count in plan.counts] == [("operation", 2, 0)]


def test_a_table_of_ours_with_a_slip_in_a_heading_is_refused_as_before(book: Path) -> None:
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


def test_an_amount_alone_may_be_money_and_is_asked_about() -> None:
    sheet = of_rows(("Date", "Description", "Amount", "Price"), ("5/20/2026", "N-Serve", "40", "2")).sheets[0]
    found = suggest(sheet, target("invoice"), "f.csv")
    assert found is not None
    assert "weak_match" in {problem.code for problem in found.problems}


def test_pounds_per_acre_are_not_taken_where_a_column_has_parts_per_million() -> None:
    heading = ("Sample", "pH", "OM", "Potassium lb/A", "Potassium ppm")
    parsed = map_book(of_rows(heading, ("HOME80", "6.4", "3.1", "356", "178")), "soil_test")
    assert values(parsed)[0]["k_ppm"] == "178"
    assert "several_columns" not in {problem.code for problem in parsed.problems}


def test_a_yield_list_says_that_its_crops_were_harvested_and_asks() -> None:
    parsed = map_book(of_rows(("Field", "Crop", "Bushels"), ("HOME80", "Yellow Corn", "17200")), "harvest")
    assert values(parsed) == [{"unit_id": "HOME80", "crop": "corn", "bushels": "17200", "ending": "harvested"}]
    (asked,) = [problem for problem in parsed.problems if problem.code == "suggested_constant"]
    assert "How it ended; it was taken to be harvested" in asked.cause
