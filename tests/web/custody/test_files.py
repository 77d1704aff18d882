"""Files that come to a trader's pages: tickets shown, confirmed, entered once; documents; signed papers back.

How far a sale reaches: the files of ours that it enters from its form to SQL, and what it looks up on the way.
"""

import json
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
from django.test import Client
from django.utils import timezone

import provender
from provender.custody.documents.build import transfer_document
from provender.custody.documents.receive import sign_document
from provender.custody.model.event import Status
from provender.custody.model.grain import GrainEntry, grain_group
from provender.custody.store import MemoryStore, run_lines
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import SignedDocument
from provender.database.store.custody import SqlStore
from provender.services.custody import checks, context, stock
from provender.services.custody.context import READER
from provender.services.custody.tickets import read_tickets
from provender.services.search import search
from provender.signing.keys import SigningKey
from tests.custody.world import Event, bought, entity, ev, posted
from tests.rows import CaseRows
from tests.web.api.test_calls import CALLER, get, post
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import TICKETS, TODAY, confirmed, hand_in, sale, where
from tests.web.custody_season import BY, Season, days_ago

CASES: Final = CaseRows(__file__)

pytestmark = pytest.mark.usefixtures("parsed_here")


def test_tickets_are_shown_then_entered_once(cast: Cast, season: Season, owner: Client) -> None:
    address, before = where(cast, "custody_tickets"), CustodyEvent.objects.count()
    shown = hand_in(owner, address, "tickets.csv", TICKETS.format(day=days_ago(3)))
    assert shown.status_code == 200
    assert len(shown.context["tickets"].rows) == 3
    assert CustodyEvent.objects.count() == before
    for _ in range(2):
        done = owner.post(address, confirmed(shown, do="enter"))
        assert done.status_code == 302, done.context["problems"]
        assert CustodyEvent.objects.count() == before + 3
    page = owner.get(where(cast, "custody_grain")).content.decode()
    # 3,000 by the purchase's own ticket, 1,500 in and 200 out by the file.
    assert "4,300 bu" in page


def test_a_file_without_tickets_is_told(cast: Cast, season: Season, owner: Client) -> None:
    for content in ("", "hello", "\0\0\0", "<html>", "a,b\n1,2\n"):
        answer = hand_in(owner, where(cast, "custody_tickets"), "tickets.csv", content)
        assert answer.status_code == 422, content


HEAD: Final = "Ticket No,Date,Location,Commodity,{columns},In/Out,Net Lbs,Moisture,Net Bu\n"

ROW: Final = "{number},{day},north,Soybeans,{cells},In,60000,13.0,1000.00\n"


def file_of(columns: str, *cells: str) -> str:
    rows = (ROW.format(number=1001 + at, day=days_ago(3), cells=each) for at, each in enumerate(cells))
    return HEAD.format(columns=columns) + "".join(rows)


def names(cast: Cast) -> dict[str, str]:
    with READER.reading() as facts:
        group = facts.many(GrainEntry, grain_group(cast.mill.handle, "north", "soybeans"))
        return {one.number: one.name for one in group}


@CASES
def test_a_heading_says_whose_grain_it_is(tmp_path: Path, columns: str, cells: str, meant: list[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(file_of(columns, cells))
    read = read_tickets(path, name="t.csv", day=timezone.localdate(), site="north")
    assert [(one.customer, one.farm) for one in read.tickets] == [tuple(meant)]
    asked = [one for one in read.problems if one.code == "weak_match"]
    assert bool(asked) == columns.startswith("Farm")


def test_whose_grain_it_is_is_kept_as_the_name_and_a_field_beside_it(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_tickets")
    shown = hand_in(owner, address, "t.csv", file_of("Farm,Tract", "Abel Creek Farm,North (40)", ",South 80", "Ada,"))
    assert [[cell.text for cell in row[4:6]] for row in shown.context["tickets"].cells] == [
        ["Abel Creek Farm", "North (40)"], ["", "South 80"], ["Ada", ""],
    ]  # fmt: skip
    asked = [one.remedy for one in shown.context["problems"] if one.code == "weak_match"]
    assert asked
    assert all("below" in one for one in asked), "this page has no report to supply it from"
    owner.post(address, confirmed(shown, do="enter"))
    kept = names(cast)
    assert [kept[number] for number in ("1001", "1002", "1003")] == [
        "Abel Creek Farm (field North [40])", "(field South 80)", "Ada",
    ]  # fmt: skip
    page = owner.get(where(cast, "custody_grain"), {"site": "north", "form": "soybeans"})
    assert "Abel Creek Farm" in page.content.decode()


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


def test_a_ticket_is_found_by_its_number_where_it_stands(cast: Cast, season: Season, owner: Client) -> None:
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


WORDS: Final = """Transaction ID,Date,Station,Crop,Customer,In/Out,Net Lbs,Moisture,Net Bu,Status
1001,{day},NORTH,SB,Ada,In,60000,13.0,1000.00,Open
1002,{day},NORTH,Beans,Ben,In,30000,13.0,500.00,Void
1003,{day},Elevator 7,Soybeans,Cy,RCV,12000,13.0,200.00,Zeta
1004,{day},NORTH,Sbns,Cy,In,6000,13.0,100.00,Open
"""


def test_words_of_a_file_are_asked_once_and_remembered(cast: Cast, season: Season, owner: Client) -> None:
    address, text = where(cast, "custody_tickets"), WORDS.format(day=days_ago(3))
    shown = hand_in(owner, address, "t.csv", text)
    form = shown.context["form"]
    asked = {form.fields[name].label: form[name].value() for name in form.fields if name.startswith("word_")}
    assert asked == {
        "\u201cSB\u201d in Crop means": "soybeans", "\u201cBeans\u201d in Crop means": "soybeans",
        "\u201cSbns\u201d in Crop means": "", "\u201cRCV\u201d in In/Out means": "",
        "\u201cNORTH\u201d in Station means": "north", "\u201cElevator 7\u201d in Station means": "",
        "\u201cOpen\u201d in Status means": "delivered", "\u201cVoid\u201d in Status means": "void",
        "\u201cZeta\u201d in Status means": "",
    }  # fmt: skip
    assert [row[0].text for row in shown.context["left_out"].cells] == ["4", "5"]
    assert "Enter 2 tickets" in shown.content.decode()
    meant = {"Sbns": "soybeans", "RCV": "in", "Elevator 7": "north", "Zeta": "delivered"}
    said = {name: meant[word] for name in form.fields for word in meant if word in str(form.fields[name].label)}
    before = CustodyEvent.objects.count()
    done = owner.post(address, confirmed(shown, do="enter", **said))
    assert done.status_code == 302, done.content.decode()
    assert CustodyEvent.objects.count() == before + 3, "the void one never came"
    again = hand_in(owner, address, "u.csv", text.replace("100", "200"))
    form = again.context["form"]
    assert not [name for name in form.fields if name.startswith("word_") and not form[name].value()]
    assert not again.context["left_out"].rows
    assert owner.post(address, confirmed(again, do="enter")).status_code == 302
    assert CustodyEvent.objects.count() == before + 6


def test_words_of_a_column_chosen_on_the_page_are_asked_before_anything_is_entered(
    cast: Cast, season: Season, owner: Client
) -> None:
    address, before = where(cast, "custody_tickets"), CustodyEvent.objects.count()
    shown = hand_in(owner, address, "t.csv", WORDS.format(day=days_ago(3)).replace(",Status", ",Remark 2"))
    form = shown.context["form"]
    column = next(name for name in form.fields if form.fields[name].label == "Remark 2")
    shown = owner.post(
        address, confirmed(shown, do="enter", leave_out=shown.context["leave_out"], **{column: "status"})
    )
    assert shown.status_code == 422
    labels = [str(one.label) for one in shown.context["form"].fields.values()]
    assert "\u201cVoid\u201d in Remark 2 means" in labels
    assert CustodyEvent.objects.count() == before


def test_days_of_three_numbers_are_decided_once_a_file(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_tickets")
    text = TICKETS.format(day="01/10/2026")
    shown = hand_in(owner, address, "t.csv", text)
    assert [one.code for one in shown.context["problems"]].count("day_order") == 1
    assert shown.context["form"]["date_order"].value() == "mdy"
    assert [row[1].text for row in shown.context["tickets"].cells] == ["2026-01-10"] * 3
    dmy = owner.post(address, confirmed(shown, do="look", date_order="dmy"))
    assert [row[1].text for row in dmy.context["tickets"].cells] == ["2026-10-01"] * 3


def test_what_was_confirmed_is_what_was_seen(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_tickets")
    text = FILE.format(day=days_ago(3))
    shown = hand_in(owner, address, "t.csv", text)
    other = hand_in(owner, address, "u.csv", text.replace("XB7", "Soybeans"))
    assert shown.context["leave_out"] != other.context["leave_out"]
    answer = owner.post(address, confirmed(other, do="enter", leave_out=shown.context["leave_out"]))
    assert answer.status_code == 422


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


RAW: Final = [
    "5.5", '"5.5"', "5", "5.500", "0.001", "5.5555", '"5.5555"', "5.00000000000000000001", "0.0001", "1e3", "5.5e0",
    "true", "null", "-5.5", "[5.5]", "99999999999999999999.5",
]  # fmt: skip


@pytest.mark.parametrize("kind", ["receipt", "measurement"])
def test_the_call_reads_a_number_as_a_file_of_events_does(cast: Cast, season: Season, kind: str) -> None:
    mill, day = token(cast, cast.mill, "owner"), days_ago(3)
    for place, raw in enumerate(RAW):
        said = f'"type": "{kind}", "id": "n-{kind}-{place}", "day": "{day}", "entity": "{cast.mill.handle}"'
        line = f'{{{said}, "site": "north", "form": "corn", "number": "N-{place}", "amount": {raw}}}'
        headers = {"Authorization": f"Bearer {mill}", "Idempotency-Key": f"n-{kind}-{place}"}
        body = f'{{"event": {line}}}'
        called = CALLER.post("/api/v1/custody/events/preview", body, content_type="application/json", headers=headers)
        (run,) = run_lines(SqlStore(BY), [line])
        answer = json.loads(called.content)
        assert (called.status_code == 200) == run.status.well, (raw, run, answer)
        if not run.status.well:
            (one,) = answer["problems"]
            named = "amount" in one["at"] or run.status is not Status.FIELD_UNREADABLE
            assert (one["code"], named) == (run.word, True), raw


def outside(cast: Cast) -> list[Event]:
    """A seller without an account here, in a book of its own: a farm, its elevator, and its sale to the mill."""
    mill = cast.mill.handle
    start = {"start_day": days_ago(60), "end_day": days_ago(-20), "policy": "oldest_first"}
    return [
        entity("far", "farm") | {"day": days_ago(100)},
        entity("silo", "first_point", "bin") | {"day": days_ago(100)},
        ev("entity", "entity-mill", days_ago(100), entity=mill, name="Mill", roles=["first_point"], sites=["north"]),
        ev("period", "period-silo", days_ago(61), entity="silo", **start),
        ev(
            "report", "report-far", days_ago(50), entity="far", crop="corn", harvest_year=2025, bushels="5000",
            ci="7000", salt="a" * 43,
        ),
    ]  # fmt: skip


def sold_outside(cast: Cast) -> Mapping[str, object]:
    """Return the transfer document of a sale from outside, not signed yet."""
    store = MemoryStore()
    posted(store, outside(cast))
    origin = store.events()[-1].event.origin  # type: ignore[attr-defined]
    posted(store, bought("b", "far", "silo", origin, "2000", day=days_ago(40), site="bin"))
    posted(store, [ev("sale", "S-77", days_ago(10), giver="silo", taker=cast.mill.handle, crop="corn", bushels="1500")])
    return transfer_document(store, "S-77", as_of=timezone.localdate())


def test_a_file_that_is_no_document_is_told(cast: Cast, season: Season, owner: Client) -> None:
    for content in ("", "{", "[]", '{"document": {}, "signature": "x..y"}', "9" * 5000):
        assert hand_in(owner, where(cast, "custody_receive"), "x.json", content).status_code in (409, 422), content


def test_a_document_of_somebody_with_an_account_is_not_taken_in(cast: Cast, season: Season, owner: Client) -> None:
    key = SigningKey.generate()
    pin = {"counterparty": cast.elevator.handle, "role": "supplier", "number": "K-8", "start_day": days_ago(50)}
    owner.post(where(cast, "custody_enter", "contract"), {"day": days_ago(50), **pin, "signing_key": key.fingerprint})
    document = {**sold_outside(cast), "seller": {"id": cast.elevator.handle, "name": "Stan"}}
    before = CustodyEvent.objects.count()
    answer = hand_in(owner, where(cast, "custody_receive"), "x.json", json.dumps(sign_document(document, key)))
    assert answer.status_code == 409
    assert [one.code for one in answer.context["problems"]] == ["sender_is_here"]
    assert CustodyEvent.objects.count() == before


def test_a_document_signed_elsewhere_is_kept_once_on_its_page(cast: Cast, season: Season, owner: Client) -> None:
    address, key = where(cast, "custody_document") + f"?sale={season.sale}", SigningKey.generate()
    text = json.dumps(sign_document(json.loads(owner.get(address + "&as=json").content), key))
    for _ in range(2):
        assert hand_in(owner, address, "signed.json", text).status_code == 302
        assert SignedDocument.objects.get().fingerprint == key.fingerprint
    assert json.loads(owner.get(address + "&as=json").content) == json.loads(text)


OURS: Final = str(Path(provender.__file__).parent)

MOST: Final = 30

CHOICES: Final = {context.buyers, checks.slips_left, checks.pending_left, stock.available, stock.products_in_stock}

"""What fills the boxes of a form: nobody sees them where an entry is posted."""


class Entered:
    """What a request enters of ours once it has passed the middleware: within the view."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.codes: set[object] = set()
        self._view: FrameType | None = None

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if self._view is None and event == "call" and code.co_filename == f"{OURS}/web/access.py":
            self._view = frame
        elif event == "return" and frame is self._view:
            self._view = None
        if self._view is not None and event == "call" and code.co_filename.startswith(OURS):
            self.files.add(code.co_filename.removeprefix(f"{OURS}/"))
            self.codes.add(code)


def test_a_sale_enters_few_files_and_looks_up_no_choices(cast: Cast, season: Season, owner: Client) -> None:
    body = {"do": "post", "day": TODAY, **sale(cast, "40", site="north")}
    assert owner.post(where(cast, "custody_enter", "sale"), body).status_code == 302, "what is imported late is there"
    entered = Entered()
    sys.setprofile(entered)
    try:
        answer = owner.post(where(cast, "custody_enter", "sale"), body)
    finally:
        sys.setprofile(None)
    assert answer.status_code == 302
    assert len(entered.files) <= MOST, "\n".join(sorted(entered.files))
    assert not {one.__code__ for one in CHOICES} & entered.codes
