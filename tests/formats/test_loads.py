"""Elevators' lists in a farm's book: which lines are this farm's deliveries, and whose share of a load is its own."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from provender.formats.importing.incoming_files import Arrival, Source
from provender.formats.importing.loads import grower_of, with_own_loads
from provender.formats.importing.tables import spreadsheet
from provender.problem import Weight
from provender.records.book import RecordBook
from provender.records.folder import load_book, rejected_in
from provender.records.kind import KINDS
from tests.formats.test_intake import ACCEPTED, CHOICES, brought, codes
from tests.records.test_checks import row_of
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

BOOK = RecordBook.of({
    "farm": [row_of("farm", farm_id="WR", name="Walnut Ridge Farms LLC")],
    "producer": [row_of("producer", farm_id="WR", producer_id="DH", name="Dale Hovland")],
    "scale_ticket": [row_of("scale_ticket", farm_id="WR", ticket_id="9", buyer="Nevada")],
    "unit": [row_of("unit", farm_id="WR", unit_id="H80", name="Home 80")],
})  # fmt: skip
AGRIS = "Tkt Nbr,Loc,Tkt Date,I/O,Cust Name,Split %,Cmdty,Gross Wt,Tare Wt,Net Wt,Moist,Net Qty,Status"
Lines = list[str | dict[str, str]]


def loads(
    tmp_path: Path, *lines: str, heading: str = AGRIS, accept: bool = True, name: str = "list.csv"
) -> tuple[list[dict[str, str]], Arrival]:
    path = tmp_path / name
    path.write_text("\n".join([heading, *lines, ""]))
    arrival = Arrival(Source(name, "0" * 64, name), replace(CHOICES, accept=accept), path=path)
    spreadsheet(arrival)
    with_own_loads([arrival], ("WR",), BOOK)
    (table,) = (one for one in arrival.tables if one.kind is KINDS["scale_ticket"])
    return [dict(zip(table.table.heading, cells, strict=True)) for _, cells in table.table.rows], arrival


def said(arrival: Arrival, code: str) -> str:
    return " ".join(one.cause for table in arrival.tables for one in table.problems if one.code == code)


def line(
    number: str, who: str = "Walnut Ridge", way: str = "I", pct: str = "", bushels: str = "915", **more: str
) -> str:
    cells = {"crop": "YC", "gross": "77640", "tare": "26400", "net": "51240", "moist": "15.0", "status": "", **more}
    return ",".join([number, "Nevada", "10/09/2026", way, f'"{who}"', pct, cells["crop"], cells["gross"], cells["tare"],
                     cells["net"], cells["moist"], bushels, cells["status"]])  # fmt: skip


def written(lines: Lines) -> list[str]:
    return [one if isinstance(one, str) else line(**one) for one in lines]


MINE = line("1")


@ROWS
def test_a_line_of_no_delivery_of_this_farm_stays_out_and_is_counted(tmp_path: Path, lines: Lines, told: str) -> None:
    kept, arrival = loads(tmp_path, MINE, *written(lines))
    assert [row["ticket_id"] for row in kept] == ["1"]
    assert f"{told}." in said(arrival, "loads_left_out")
    assert not [one for table in arrival.tables for one in table.problems if one.weight is Weight.ERROR]


@ROWS
def test_a_line_of_which_nobody_can_tell_stays_out_and_is_asked_about(tmp_path: Path, lines: Lines, code: str) -> None:
    kept, arrival = loads(tmp_path, MINE, *written(lines))
    assert [row["ticket_id"] for row in kept] == ["1"]
    assert "1 of 2 lines" in said(arrival, code)
    assert {one.weight for table in arrival.tables for one in table.problems if one.code == code} == {Weight.CONFIRM}


@ROWS
def test_a_split_load_gives_this_farm_its_share(tmp_path: Path, lines: Lines, bushels: str, pounds: str) -> None:
    kept, _ = loads(tmp_path, *written(lines))
    assert (kept[0]["net_bushels"], kept[0]["net_lb"]) == (bushels, pounds)
    assert all(row["ticket_id"] == "2" or row["net_bushels"] == "915" for row in kept)


@ROWS
def test_a_customers_name_is_this_farm_or_somebody_else_or_asked(customer: str, farm: str | None) -> None:
    assert grower_of(customer, {"WR": "WR", "Walnut Ridge Farms LLC": "WR", "Dale Hovland": "WR"}) == farm


def test_a_list_of_strangers_waits_for_a_nod_or_is_not_taken_and_our_headings_read(tmp_path: Path) -> None:
    kept, arrival = loads(tmp_path, line("1", "Olson"), accept=False)
    assert len(kept) == 1
    assert said(arrival, "customer_asked").startswith("all loads are of Olson")
    assert arrival.tables[0].waits
    assert not loads(tmp_path, line("1", "Olson"))[1].tables[0].waits
    kept, arrival = loads(tmp_path, line("1", "Olson"), line("2", "Smith"))
    assert not kept
    assert "none is known as this farm (Olson, Smith)" in said(arrival, "load_grower")
    heading = "ticket_id,buyer,day,crop,net_bushels,void,customer"
    lines = ("1,Co-op,2026-10-09,corn,915,,Walnut Ridge", "2,Co-op,2026-10-09,corn,915,yes,Walnut Ridge")
    kept, arrival = loads(tmp_path, *lines, heading=heading, name="scale_ticket.csv")
    assert [(row["ticket_id"], row["evidence"][:5]) for row in kept] == [("1", "file-")]
    assert {one.kind and one.kind.name for one in arrival.tables} == {"scale_ticket", "evidence"}


def test_farms_of_a_list_may_be_fields_and_a_line_above_the_headings_names_the_elevator(tmp_path: Path) -> None:
    heading = "Heartland Co-op,,,,\nTkt No,Date,Cust,Cmdty,Bu"
    kept, arrival = loads(tmp_path, "1,10/09/2026,Home 80,YC,915.00", "2,10/10/2026,Home 80,MILO,1.00", heading=heading)
    assert [(row["unit_id"], row["buyer"], row["crop"]) for row in kept] == [
        ("Home 80", "Heartland Co-op", "corn"), ("Home 80", "Heartland Co-op", "sorghum"),
    ]  # fmt: skip
    assert "Heartland Co-op" in said(arrival, "buyer_by_title")
    kept, arrival = loads(tmp_path, "1,10/09/2026,Home 80,YC,915.00", heading=heading.partition("\n")[2])
    assert not kept
    assert said(arrival, "buyer_asked").startswith("1 of 1 lines wait")


@pytest.mark.parametrize(("pounds", "asked"), [("51240", False), ("38430", False), ("23242", True), ("", True)])
def test_bushels_that_go_with_the_weights_prove_their_units(tmp_path: Path, pounds: str, *, asked: bool) -> None:
    heading = "Tkt No,Date,Where weighed,Cmdty,Net Wt,Bu"
    _, arrival = loads(tmp_path, f"1,10/13/2026,Co-op,YC,{pounds},686.25", heading=heading)
    assert bool(said(arrival, "no_unit")) is (asked and bool(pounds))


@pytest.mark.parametrize(("others", "taken", "rejected"), [
    (("Blue Stem", "Smith"), 1, 0), (("Blue Stem", ""), 2, 0), (("Smith", "Smith"), 2, 0), (("Smith", "Jones"), 0, 2),
])  # fmt: skip
def test_a_list_of_work_of_several_growers_gives_the_farm_its_own(
    book: Path, others: tuple[str, str], taken: int, rejected: int
) -> None:
    days = zip(("2026-05-14", "2026-05-15"), others, strict=True)
    lines = [f"{grower},South,HOME80,{day},Rotary hoe" for day, grower in days]
    plan = brought(book, "log.csv", "\n".join(["Client,Farm,Field,Date,Operation", *lines, ""]), ACCEPTED)
    assert (len(load_book(book)["operation"]), len(rejected_in(book))) == (taken, rejected)
    assert bool({"loads_left_out", "customer_asked"} & set(codes(plan))) is (others[1] != "")
