"""Layouts that elevators and laboratories export are known by their headings, and a person is asked to confirm."""

from dataclasses import replace
from pathlib import Path

import pytest

from provender.formats.column_map import ColumnMap
from provender.formats.importing.prepare import prepare, waits_or_fails
from provender.formats.map_suggest import suggest
from provender.formats.mapped import map_book
from provender.formats.shipped_maps import shipped_for, shipped_maps
from provender.formats.targets import target
from provender.problem import Weight
from provender.records import KINDS
from tests.formats.test_column_maps import book, values
from tests.formats.test_intake import CHOICES, table

WARD = "Kind Of Sample,Lab No,Cust No,Field ID,Sample ID,Date Recd,Date Rept,B Depth,E Depth,1:1 Soil pH"
WARD += ",Organic Matter LOI %,Nitrate-N ppm N,Bray P-1 ppm P,Olsen P ppm P,Potassium ppm K,Mehlich P-III ppm P"


def test_every_map_that_ships_names_fields_that_exist_and_headings_that_it_is_known_by() -> None:
    for each in shipped_maps():
        fields = target(each.target).fields
        assert {rule.field for rule in each.columns} | set(each.constants) <= set(fields), each.name
        assert len(each.known_by) >= 4, each.name
        assert not each.confirmed, each.name


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
    parsed = map_book(book(heading, row), "ticket")
    (found,) = values(parsed)
    assert parsed.result is not None
    assert parsed.result.maps[0].name.startswith(system)
    core = {name: found[name] for name in ("number", "day", "crop", "net_lb", "moisture_pct", "net_bushels")}
    assert core == {"number": "100234", "day": "2026-09-04", "crop": "corn", "net_lb": "51240",
                    "moisture_pct": "15.2", "net_bushels": "915"}  # fmt: skip
    assert [one.code for one in parsed.problems if one.weight is Weight.CONFIRM] == ["suggested_map"]
    (farm,) = values(map_book(book(heading, row), "scale_ticket"))
    assert (farm["ticket_id"], farm["buyer"], farm["net_bushels"]) == ("100234", "AMES", "915")


def test_a_map_that_ships_is_confirmed_by_saving_it_and_then_asks_nothing() -> None:
    heading, row = TICKETS["AGRIS"]
    first = map_book(book(heading, row), "ticket")
    assert first.result is not None
    saved = ColumnMap.from_text(first.result.maps[0].to_text())
    again = map_book(book(heading, row), "ticket", [saved])
    assert values(again) == values(first)
    assert again.problems == ()


def test_headings_in_camel_case_and_short_ones_are_understood() -> None:
    heading = ("TktNbr", "ShipDate", "Cmdty", "NetWt", "Dry Bushels", "I/O")
    found = suggest(book(heading, ("7", "2026-09-04", "corn", "5600", "100", "I")).sheets[0], target("ticket"), "f")
    assert found is not None
    assert {rule.field for rule in found.map.columns} >= {"number", "crop", "net_lb", "net_bushels", "direction"}


def test_a_column_whose_cells_can_be_one_thing_only_is_taken_for_it_and_asked_about() -> None:
    rows = [(str(at), f"9/{at + 10}/2026", "YC" if at else "corn", "100") for at in range(4)]
    known = [(number, day, "corn", bushels) for number, day, _, bushels in rows]
    found = suggest(book(("Ticket", "When", "What", "Net Bu"), *known).sheets[0], target("ticket"), "f")
    assert found is not None
    assert {rule.heading: rule.field for rule in found.map.columns} == {
        "Ticket": "number", "When": "day", "What": "crop", "Net Bu": "net_bushels",
    }  # fmt: skip
    assert [one.code for one in found.problems].count("matched_by_content") == 2
    mixed = suggest(book(("Ticket", "When", "What", "Net Bu"), *rows).sheets[0], target("ticket"), "f")
    assert mixed is not None
    assert "crop" not in {rule.field for rule in mixed.map.columns}


def test_a_table_of_our_own_is_never_taken_for_another_systems() -> None:
    for kind in KINDS.values():
        names = tuple(kind.typed_fields)
        assert shipped_for(book(names, tuple("1" for _ in names)).sheets[0], "", "f.csv") is None


def test_a_laboratorys_file_that_states_other_units_than_its_map_is_believed_and_told() -> None:
    heading = ("Lab", "Point ID", "LBC", "LBCeq", "pH", "K", "P", "Date")
    pounds = ("UNITS", "", "ppm CaCO3/pH", "ppm CaCO3/pH", "", "lbs/acre", "Mehlich 1 lbs/acre", "")
    (shipped,) = [one for one in shipped_maps() if one.name.startswith("UGA")]
    parsed = map_book(
        book(heading, pounds, ("1", "N40", "200", "210", "6.4", "120", "62", "11/5/2024")), "soil_test", [shipped]
    )
    assert not {"p_ppm", "k_ppm"} & values(parsed)[0].keys()
    assert [one.code for one in parsed.problems].count("other_unit") == 2
