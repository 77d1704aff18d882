"""Whose grain a ticket says it is: a column of farms is kept as the name, a field beside it, and nothing is lost."""

from datetime import date
from pathlib import Path
from typing import Final

import pytest
from django.test import Client

from provender.custody.model.grain import GrainEntry, grain_group
from provender.database.models.custody import CustodyEvent
from provender.services.custody.context import READER
from provender.services.custody.tickets import read_tickets
from provender.services.search import search
from tests.web.cast import Cast
from tests.web.custody.test_files import confirmed, hand_in, where
from tests.web.custody_season import Season, days_ago, fill_custody

HEAD: Final = "Ticket No,Date,Location,Commodity,{columns},In/Out,Net Lbs,Moisture,Net Bu\n"
ROW: Final = "{number},{day},north,Soybeans,{cells},In,60000,13.0,1000.00\n"

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


def file_of(columns: str, *cells: str) -> str:
    rows = (ROW.format(number=1001 + at, day=days_ago(3), cells=each) for at, each in enumerate(cells))
    return HEAD.format(columns=columns) + "".join(rows)


def names(cast: Cast) -> dict[str, str]:
    with READER.reading() as facts:
        group = facts.many(GrainEntry, grain_group(cast.mill.handle, "north", "soybeans"))
        return {one.number: one.name for one in group}


@pytest.mark.parametrize(
    "heading", ["Farm", "Farm Name", "Grower", "Grower Name", "Producer", "Customer", "Account", "Account Name"]
)
def test_whose_grain_it_is_is_kept_as_the_name_on_the_ticket(
    cast: Cast, season: Season, owner: Client, heading: str
) -> None:
    address = where(cast, "custody_tickets")
    shown = hand_in(owner, address, "t.csv", file_of(heading, "Abel Creek Farm"))
    (row,) = shown.context["tickets"].cells
    assert row[4].text == "Abel Creek Farm", "under Customer"
    asked = [one.remedy for one in shown.context["problems"] if one.code == "weak_match"]
    assert bool(asked) == heading.startswith("Farm")
    assert all("below" in one for one in asked), "this page has no report to supply it from"
    owner.post(address, confirmed(shown, do="enter"))
    assert names(cast)["1001"] == "Abel Creek Farm"
    page = owner.get(where(cast, "custody_grain"), {"site": "north", "form": "soybeans"})
    assert "Abel Creek Farm" in page.content.decode()


@pytest.mark.parametrize("heading", ["Field", "Field Name", "Tract", "Tract No", "Farm/Field"])
def test_a_field_stays_a_field_and_is_kept_beside_the_name(
    cast: Cast, season: Season, owner: Client, heading: str
) -> None:
    address = where(cast, "custody_tickets")
    shown = hand_in(owner, address, "t.csv", file_of(f"Farm,{heading}", "Abel Creek Farm,North (40)", ",South 80"))
    assert [[cell.text for cell in row[4:6]] for row in shown.context["tickets"].cells] == [
        ["Abel Creek Farm", "North (40)"],
        ["", "South 80"],
    ]
    owner.post(address, confirmed(shown, do="enter"))
    kept = names(cast)
    assert [kept["1001"], kept["1002"]] == ["Abel Creek Farm (field North [40])", "(field South 80)"]


def test_a_farm_beside_a_customer_is_kept_beside_the_name(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_tickets")
    owner.post(
        address, confirmed(hand_in(owner, address, "t.csv", file_of("Customer,Farm", "Ada,Home Place")), do="enter")
    )
    assert names(cast)["1001"] == "Ada (field Home Place)"


def test_tickets_that_stand_without_their_field_are_there_already(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_tickets")
    owner.post(address, confirmed(hand_in(owner, address, "a.csv", file_of("Customer", "Ada", "")), do="enter"))
    before = CustodyEvent.objects.count()
    again = hand_in(owner, address, "b.csv", file_of("Customer,Field", "Ada,N40", ",S80"))
    done = owner.post(address, confirmed(again, do="enter"))
    assert done.status_code == 302, done.content.decode()
    assert CustodyEvent.objects.count() == before


@pytest.mark.parametrize(
    ("columns", "cells", "meant"),
    [
        ("Farm", "Abel", ("Abel", "")),
        ("Producer,Farm", "Ada,Home", ("Ada", "Home")),
        ("Producer,Farm", ",Abel", ("Abel", "")),
    ],
)
def test_a_layout_that_ships_says_so_too(tmp_path: Path, columns: str, cells: str, meant: tuple[str, str]) -> None:
    path = tmp_path / "cinch.csv"
    head, row = f"Ticket #,Date,Commodity,Wet Bushels,Dry Bushels,{columns}\n", f"7,{days_ago(3)},SB,102,100,{cells}\n"
    path.write_text(head + row)
    read = read_tickets(path, name="cinch.csv", day=date.fromisoformat(days_ago(0)), site="north")
    assert read.map is not None
    assert read.map.name.startswith("CINCH")
    (ticket,) = read.tickets
    assert (ticket.customer, ticket.farm) == meant
    assert not [one for one in read.problems if one.code == "several_columns"]


def test_columns_that_the_grain_book_does_not_keep_are_named(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_tickets")
    shown = hand_in(owner, address, "t.csv", file_of("Customer,Bin,Truck", "Ada,B1,T9"))
    (told,) = [one.cause for one in shown.context["problems"] if one.code == "not_kept"]
    assert "Bin" in told
    assert "Truck" in told
    plain = hand_in(owner, address, "u.csv", file_of("Customer,Field", "Ada,N40"))
    assert not [one for one in plain.context["problems"] if one.code == "not_kept"]


def test_a_ticket_is_found_by_its_number_and_leads_to_where_it_stands(
    cast: Cast, season: Season, owner: Client
) -> None:
    address = where(cast, "custody_tickets")
    file = file_of("Customer", "Abel", *(["Ben"] * 30))
    owner.post(address, confirmed(hand_in(owner, address, "t.csv", file), do="enter"))
    for asked, ticket in (("1031", "1031"), ("ticket 1001", "1001"), ("abel", "1001")):
        page = owner.get(where(cast, "organisation_search"), {"q": asked})
        (found, href) = dict(page.context["groups"])["Tickets"][0]
        assert found.words == f"Ticket {ticket}"
        assert found.note.startswith("north · soybeans in · ")
        rows = owner.get(href).context["tickets"].cells
        assert ticket in [row[1].text for row in rows], "on the page that it leads to"
    assert not [one for one in search(cast.elevator, "1031") if one.group == "Tickets"], "nobody else's"


def test_who_took_tickets_in_is_led_to_the_list_they_stand_in(cast: Cast, season: Season, owner: Client) -> None:
    address, grain = where(cast, "custody_tickets"), where(cast, "custody_grain")
    corn = file_of("Customer", "Ada").replace("Soybeans", "Corn").replace("1001", "2001")
    assert owner.post(address, confirmed(hand_in(owner, address, "c.csv", corn), do="enter")).status_code == 302
    shown = hand_in(owner, address, "t.csv", file_of("Customer", "Ada"))
    done = owner.post(address, confirmed(shown, do="enter"))
    assert done["Location"] == f"{grain}?site=north&form=soybeans", "corn stands first, and is not what came in"
    both = corn.replace("2001", "2002") + file_of("Customer", "Ada", "Ben").partition("\n")[2].replace("1002", "1003")
    both += file_of("Customer", "Cy").partition("\n")[2].replace("1001", "")
    shown = hand_in(owner, address, "b.csv", both)
    done = owner.post(address, confirmed(shown, do="enter", leave_out=shown.context["leave_out"]))
    assert done.status_code == 200
    page = done.content.decode()
    assert f'href="{grain}?site=north&amp;form=soybeans">Soybeans at north</a>' in page
    assert f'href="{grain}?site=north&amp;form=corn">Corn at north</a>' in page
    sites = owner.get(grain).context["grain"]
    links = [(row[0].text, row[0].in_file) for row in sites.cells if row[0].href]
    assert links == [("north, corn", "north"), ("north, soybeans", "north")], "no two links alike, the file as before"
