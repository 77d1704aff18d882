"""Loads of a ticket file that are not taken: said first, each with row, cause and remedy, and confirmed to be saved."""

import json
from typing import Final

import pytest
from django.test import Client

from provender.database.models.custody import CustodyEvent
from tests.web.api.test_calls import get, post
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_files import confirmed, hand_in, where
from tests.web.custody_season import Season, days_ago, fill_custody

FILE: Final = """Ticket No,Date,Location,Commodity,Customer,In/Out,Net Lbs,Moisture,Net Bu
1001,{day},north,Soybeans,Ada,In,60000,13.0,1000.00
1002,{day},north,Popcorn,Ben,In,30000,13.0,500.00
1003,{day},north,XB7,Cy,In,12000,13.0,200.00
1004,{day},north,,Cy,In,6000,13.0,100.00
1005,{day},north,Soybeans,Cy,In,,,
1006,someday,north,Soybeans,Cy,In,6000,13.0,50.00
,{day},north,Soybeans,Cy,In,6000,13.0,25.50
1008,{day},north,Soybeans,Dee,In,6000,13.0,10
1008,{day},north,Soybeans,Dee,In,6000,13.0,11
,,,,,,,,1896.50
"""
ROWS: Final = ["3", "4", "5", "6", "7", "8", "9", "10"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


def test_what_is_not_taken_stands_first_and_is_confirmed(cast: Cast, season: Season, owner: Client) -> None:
    address, before = where(cast, "custody_tickets"), CustodyEvent.objects.count()
    shown = hand_in(owner, address, "t.csv", FILE.format(day=days_ago(3)))
    page = shown.content.decode()
    assert "8 loads are not taken, 896 bu as far as the file says" in page
    assert page.index("are not taken") < page.index("tickets, as they would be entered")
    rows = [[cell.text for cell in row] for row in shown.context["left_out"].cells]
    assert [row[0] for row in rows] == ROWS
    assert all(row[5] and row[6] for row in rows), "cause and remedy"
    assert [row[4] for row in rows[:6]] == [*["Commodity"] * 3, "", "Date", "Ticket No"], "columns as in the file"
    assert "no feedstock" in rows[0][5]
    assert "XB7" in rows[1][5]
    told = [one.place.row for one in shown.context["problems"]]
    assert not {3, 4, 5, 6, 7, 8, 9} & set(told), "nothing is told twice"

    bare = owner.post(address, confirmed(shown, do="enter"))
    assert bare.status_code == 422
    assert CustodyEvent.objects.count() == before, "nothing is saved while it is not confirmed"
    assert "confirm that they stay out" in bare.context["unconfirmed"]
    done = owner.post(address, confirmed(shown, do="enter", leave_out=shown.context["leave_out"]))
    assert done.status_code == 200
    assert CustodyEvent.objects.count() == before + 1
    assert "1 ticket entered, 0 were there already, 0 were refused, 8 were left out." in done.content.decode()
    assert [[cell.text for cell in row] for row in done.context["left_out"].cells] == rows, "named once more, as before"
    assert not [one for one in done.context["problems"] if one.place.row in map(int, ROWS)], "and told once"


def test_an_empty_cell_of_a_column_of_directions_is_no_load_in(cast: Cast, season: Season, owner: Client) -> None:
    lines = FILE.format(day=days_ago(3)).splitlines()[:2]
    empty = [lines[1].replace(",In,", ",,").replace("1001", "1002"), lines[1].replace(",In,", ",Out,")]
    address = where(cast, "custody_tickets")
    shown = hand_in(owner, address, "t.csv", "\n".join([lines[0], *empty]) + "\n")
    ((row, ticket, _, bushels, column, cause, remedy),) = (
        [cell.text for cell in row] for row in shown.context["left_out"].cells
    )
    assert (row, ticket, bushels, column) == ("2", "1002", "1,000", "In/Out")
    assert "other rows say" in cause
    assert "In or Out" in remedy
    done = owner.post(address, confirmed(shown, do="enter", leave_out=shown.context["leave_out"]))
    assert "1 was left out." in done.content.decode()
    assert "1002" in done.content.decode(), "the ticket that stayed out is named"
    alone = hand_in(owner, address, "u.csv", f"{lines[0]}\n{empty[0]}\n")
    assert not alone.context["left_out"].rows, "a file that says it of no row is of loads in"


def test_what_was_confirmed_is_what_was_seen(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_tickets")
    text = FILE.format(day=days_ago(3))
    shown = hand_in(owner, address, "t.csv", text)
    other = hand_in(owner, address, "u.csv", text.replace("XB7", "Soybeans"))
    assert shown.context["leave_out"] != other.context["leave_out"]
    answer = owner.post(address, confirmed(other, do="enter", leave_out=shown.context["leave_out"]))
    assert answer.status_code == 422


def test_a_file_of_which_everything_is_taken_asks_nothing(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_tickets")
    shown = hand_in(owner, address, "t.csv", "\n".join(FILE.format(day=days_ago(3)).splitlines()[:2]) + "\n")
    assert not shown.context["left_out"].rows
    assert "not taken" not in shown.content.decode()
    assert owner.post(address, confirmed(shown, do="enter")).status_code == 302


def test_a_load_of_a_day_still_to_come_is_told_so(cast: Cast, season: Season, owner: Client) -> None:
    text = FILE.splitlines()[0] + f"\n2001,{days_ago(-5)},north,Soybeans,Ada,In,60000,13.0,1000.00\n"
    shown = hand_in(owner, where(cast, "custody_tickets"), "t.csv", text)
    (row,) = shown.context["left_out"].cells
    assert [row[0].text, row[1].text, row[3].text] == ["2", "2001", "1,000"]
    assert "is after" in row[5].text


def test_the_calls_ask_for_the_same_word(cast: Cast, season: Season, owner: Client) -> None:
    shown = hand_in(owner, where(cast, "custody_tickets"), "t.csv", FILE.format(day=days_ago(3)))
    mill, file = token(cast, cast.mill, "owner"), str(shown.context["form"]["upload"].value())
    read = json.loads(get(f"/custody/tickets/reading?file={file}", mill).content)
    assert [str(one["row"]) for one in read["left_out"]] == ROWS
    assert {"ticket": "1002", "bushels": "500", "row": 3}.items() <= read["left_out"][0].items()
    assert post("/custody/maps", mill, {"map": read["map"]}, "k0").status_code == 201
    refused = post("/custody/tickets", mill, {"file": file}, "k1")
    assert refused.status_code == 409
    assert "loads_left_out" in refused.content.decode()
    done = post("/custody/tickets", mill, {"file": file, "leave_out": read["leave_out"]}, "k2")
    assert done.status_code == 201, done.content
    assert (json.loads(done.content)["entered"], len(json.loads(done.content)["left_out"])) == (1, 8)
