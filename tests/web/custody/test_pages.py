"""An elevator's pages say what its book says, and what they enter stands in the book or is refused at the form.

Trade in one look: what there is beside the amount, the deed on its preview only, a period as one statement.

Lists of a trader: parties by their names, whole in a file and on paper; what came in, with its mean.
"""

import csv
import io
import json
from dataclasses import fields as fields_of
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from provender.custody.documents.print import mean_ci
from provender.custody.events.registry import post, read_event
from provender.custody.model.entities import Entity
from provender.custody.model.lots import LotState
from provender.custody.queries.alerts import AlertKind
from provender.database.choices import Role
from provender.database.models.custody import CustodyEvent, CustodyLot, CustodyOrigin, CustodyStep
from provender.database.store.custody import SqlStore
from provender.database.store.custody_lists import open_slips, points_of, stock_changes, stock_of
from provender.exact import parse, show
from provender.schema import infos, is_required
from provender.services.accounts.organisations import create_organisation
from provender.services.custody import movements
from provender.services.custody.balances import months_at
from provender.services.custody.book_entry import OFFERS
from provender.services.custody.checks import touched
from provender.services.custody.context import CustodyContext, buyers, context_of
from provender.services.custody.entry import register_entity
from provender.services.custody.movements import OwnMovement, knows, movement_view
from provender.services.custody.stock import taken_view
from provender.services.custody.views import LotView
from provender.web import tables
from provender.web.custody.pages.movements import facts_of
from provender.web.inputs import said_plainly
from tests.custody.world import ev
from tests.web.api.test_calls import data, get
from tests.web.api.test_calls import post as call
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import TODAY, desk_of, enter, entered, sale, texts, where
from tests.web.custody_season import BY, SALT, Season, days_ago


def test_stock_is_summed_by_carbon_intensity_and_place(cast: Cast, season: Season, owner: Client) -> None:
    rows = stock_of(cast.mill.handle)
    assert sum(row.bushels for row in rows) == 2_500_000
    found = {(row.site, row.form): (row.amount, row.bushels) for row in rows}
    assert found == {
        ("north", "soybeans"): (1_300_000, 1_300_000),
        ("plant", "soybeans"): (600_000, 600_000),
        ("plant", "soybean_oil"): (6_720_000, 600_000),
    }
    assert "2,500 bu of soybeans" in texts(owner.get(where(cast, "custody_stock")))


def test_a_delivery_accepted_in_error_waits_again(cast: Cast, season: Season, owner: Client) -> None:
    incoming, movement = where(cast, "custody_incoming"), where(cast, "custody_movement") + f"?id={season.delivery}"
    assert "by the buyer" not in texts(owner.get(movement))
    assert enter(owner, cast, "accept", movement=season.delivery, site="north").status_code == 302
    page = owner.get(incoming)
    assert season.delivery not in page.content.decode().split("Came in last")[0]
    assert "Accepted" in texts(page).split("Came in last")[1]
    assert "Accepted by the buyer." in texts(owner.get(movement))
    assert (LotState.UNVERIFIED, 800_000) in {(row.state, row.bushels) for row in stock_of(cast.mill.handle)}
    accepted = CustodyEvent.objects.get(type="accept", name__startswith=f"{cast.mill.handle}-")
    answer = enter(owner, cast, "correct", movement=accepted.name, reason="it is at the other site")
    assert answer.status_code == 302
    assert f"/enter/accept/?movement={season.delivery}" in owner.get(incoming).content.decode()
    assert "Accept 1 delivery" in texts(owner.get(where(cast, "organisation")))
    assert enter(owner, cast, "accept", movement=season.delivery, site="plant").status_code == 302
    assert ("plant", 800_000) in {(row.site, row.bushels) for row in stock_of(cast.mill.handle)}


def test_a_sale_is_posted_once_and_its_id_and_commas_are_put_right(cast: Cast, season: Season, owner: Client) -> None:
    name = owner.get(where(cast, "custody_enter", "sale")).context["form"].initial["event"]
    before = CustodyEvent.objects.count()
    answers = [enter(owner, cast, "sale", event=name, **sale(cast)) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert CustodyEvent.objects.count() == before + 1
    other = enter(owner, cast, "sale", event=name, **sale(cast, "200"))
    assert other.status_code == 409
    assert other.context["form"]["event"].value() != name
    assert other.context["form"]["bushels"].value() == "200"
    enter(owner, cast, "sale", event="buy-mill", **sale(cast))
    newest = CustodyEvent.objects.latest("id")
    assert newest.name.startswith(f"{cast.mill.handle}-sale-")
    assert enter(owner, cast, "sale", **sale(cast, "1,000.5")).status_code == 302
    assert json.loads(CustodyEvent.objects.latest("id").text)["bushels"] == "1000.5"


def test_every_wrong_field_is_told_where_it_is(cast: Cast, season: Season, owner: Client) -> None:
    wrong: list[tuple[dict[str, str], str, int, str]] = [
        ({"bushels": "many"}, "bushels", 422, "cannot be read"),
        ({"bushels": "1.2345"}, "bushels", 422, "cannot be read"),
        ({"taker": ""}, "taker", 422, "required"),
        ({"crop": "wheat"}, "crop", 409, ""),
        ({"lots": "all of them"}, "lots", 422, "Line 1"),
        ({"day": "2020-01-01"}, "day", 409, "before the rule"),
        ({"ci_max": "1"}, "ci_max", 409, "Widen the range"),
        ({"site": "plant", "bushels": "1000"}, "site", 409, "another site"),
        ({"bushels": "999999"}, "bushels", 409, "7 CFR 2100.034(d)"),
    ]
    for fields, column, status, told in wrong:
        answer = enter(owner, cast, "sale", **{**sale(cast), **fields})
        assert answer.status_code == status, fields
        assert told in str(answer.context["form"].errors[column]), fields
        assert answer.context["form"][column].value() == {**sale(cast), **fields}[column], "what was typed stays"


def test_periods_show_the_equation_and_no_form_offers_anothers(cast: Cast, season: Season, owner: Client) -> None:
    enter(owner, cast, "sale", **sale(cast, "100"))
    assert "2,400" in texts(owner.get(where(cast, "custody_period") + f"?start={season.open}"))
    for kind in ("report", "slip", "withdraw", "nonsense"):
        assert owner.get(where(cast, "custody_enter", kind)).status_code == 404
    reader = cast.client("reader")
    for name in ("custody_stock", "custody_incoming", "custody_movements", "custody_periods", "custody_partners"):
        assert "/enter/" not in reader.get(where(cast, name)).content.decode(), name
    assert reader.get(where(cast, "custody_enter", "sale")).status_code == 403


def test_every_alert_leads_to_its_page_and_the_book_speaks_without_underscores() -> None:
    assert all(reverse(f"custody_{kind.page}", args=("mill",)) for kind in AlertKind)
    said = said_plainly("500 lb of refined_soybean_oil, 20 lb of soybean_oil as slip_7.")
    assert said == "500 lb of refined soybean oil, 20 lb of soybean oil as slip_7."


def test_a_changed_report_names_its_farm_only_to_who_deals_with_it(cast: Cast, season: Season, owner: Client) -> None:
    worse = {"crop": "soybeans", "harvest_year": 2025, "bushels": "10000", "ci": "5100.25", "salt": SALT}
    event = {"type": "report", "id": "v2", "day": TODAY, "entity": cast.farm.handle, "version": 2, **worse}
    assert post(SqlStore(BY), read_event(event)).status == "posted"
    rows = owner.get(where(cast, "custody_checks")).context["alerts"].rows
    [link] = [row[0].href for row in rows if "report" in row[1].text]
    assert "What it changes for you" in texts(owner.get(link))
    assert SALT in texts(owner.get(link))
    with SqlStore(BY).reading() as facts:
        found = facts.posted("v2")
    assert found is not None
    other = CustodyContext(cast.mill, Entity("other", "Other", ()), BY, timezone.localdate())
    assert not knows(other, found, [])
    shown = dict(facts_of(movement_view(other, OwnMovement(found, [])).event))
    assert {"5,100.25", "2025"} < set(shown.values())
    assert {str(cast.farm), "v2", SALT}.isdisjoint(shown.values())


def test_history_ends_at_the_stock_of_today_and_steps_read_once_are_as_read_again(cast: Cast, season: Season) -> None:
    rows = stock_of(cast.mill.handle)
    today = timezone.localdate()
    (points,) = points_of(rows, stock_changes(cast.mill.handle, today - timedelta(days=183)), today).values()
    assert points == [
        (timezone.localdate() - timedelta(days=45), 3_000_000),
        (timezone.localdate() - timedelta(days=30), 2_500_000),
    ]
    (later,) = points_of(rows, stock_changes(cast.mill.handle, today - timedelta(days=40)), today).values()
    assert [amount for _, amount in later] == [3_000_000, 2_500_000]
    mill = cast.mill.handle
    with SqlStore(BY).reading() as once, SqlStore(BY).reading() as anew:
        once.know_steps(mill)
        days = sorted({one.day for one in anew.steps(mill)})
        assert len(days) > 2
        for start in (None, days[0], days[1], days[-1], days[-1] + timedelta(days=1)):
            assert list(once.steps(mill, start)) == list(anew.steps(mill, start)), start


def test_slips_with_long_names_wait_also_once_corrected(cast: Cast, season: Season, owner: Client) -> None:
    store = SqlStore(BY)
    long = "slip-" + "x" * 150
    for name in (long, f"{long}-2"):
        slip = {
            "type": "slip", "id": name, "day": TODAY, "giver": cast.farm.handle, "taker": cast.mill.handle,
            "origin": season.origin, "bushels": "10",
        }  # fmt: skip
        assert post(store, read_event(slip)).status.well
    assert [one.id for one in open_slips(cast.mill.handle)] == [season.slip, long, f"{long}-2"]
    bought = enter(
        owner, cast, "purchase", giver=cast.farm.handle, slip=long, site="north", bushels="10",
        tickets="T-LONG, 10",
    )  # fmt: skip
    assert bought.status_code == 302, texts(bought)
    assert [one.id for one in open_slips(cast.mill.handle)] == [season.slip, f"{long}-2"]
    purchase = CustodyEvent.objects.filter(type="purchase").order_by("-id").values_list("name", flat=True)[0]
    enter(owner, cast, "correct", movement=purchase, reason="Typed by mistake")
    assert [one.id for one in open_slips(cast.mill.handle)] == [season.slip, long, f"{long}-2"]
    assert open_slips(cast.elevator.handle) == []


def test_alerts_are_looked_for_anew_by_what_may_raise_them(cast: Cast, season: Season) -> None:
    store = SqlStore(BY)
    desk = context_of(cast.mill, actor=BY, today=timezone.localdate())
    assert desk is not None
    ticket = {"type": "receipt", "day": TODAY, "site": "north", "form": "corn", "amount": "1", "number": "N-1"}
    stated = {
        "type": "statement", "day": TODAY, "entity": cast.elevator.handle, "verifier": "V", "number": "another",
        "start_day": TODAY, "end_day": TODAY, "crops": ["corn"], "opinion": "first_audit_contracted", "scope": "All.",
    }  # fmt: skip
    sites = {"type": "entity", "day": TODAY, "entity": cast.elevator.handle, "name": "E", "roles": ["first_point"]}
    for name, event, moves in (
        ("a", {**sites, "sites": ["north"]}, False),
        ("b", {**ticket, "entity": cast.elevator.handle}, False),
        ("c", {**ticket, "entity": cast.mill.handle}, True),
        ("d", stated, True),
    ):
        before = touched(desk)
        outcome = post(store, read_event({**event, "id": name}))
        assert outcome.status.well, outcome.message
        assert (touched(desk) != before) is moves, name


def lot(ci: int, bushels: int, origin: str = "a") -> LotView:
    return LotView(
        lot="x", origin=origin, start_bu=5_000, stop_bu=5_000 + bushels * 1000, crop="corn", harvest_year=2025,
        ci_g_per_bu=ci, form="corn", amount=bushels * 1000, unit="bu", custodian="me", site="n", supplier="s",
        state="held", titled=date(2025, 11, 1),
    )  # fmt: skip


def test_what_an_event_takes_is_told_by_its_mean_three_shares_and_its_origins() -> None:
    lots = [lot(500_000, 600, "a"), lot(700_000, 300, "b"), lot(600_000, 90, "a"), lot(800_000, 10, "c")]
    taken = taken_view(lots)
    assert taken is not None
    assert (taken.bushels, taken.origins) == (1_000_000, 3)
    assert taken.mean_ci == (600 * 500_000 + 300 * 700_000 + 90 * 600_000 + 10 * 800_000) // 1000
    assert [(one.ci, one.bushels, one.share) for one in taken.shares] == [
        (500_000, 600_000, 600), (700_000, 300_000, 300), (None, 100_000, 100),
    ]  # fmt: skip
    three = taken_view(lots[:3])
    assert three is not None
    assert [one.ci for one in three.shares] == [500_000, 600_000, 700_000], "three need no rest"
    assert taken_view([]) is None


def test_an_entry_begins_as_last_time_with_whom_and_what_and_no_amount(cast: Cast, season: Season) -> None:
    client, page = cast.client(), where(cast, "custody_enter", "sale")
    form = client.get(page).context["form"]
    data = {"event": form.initial["event"], "day": days_ago(0), "do": "post", "taker": cast.elevator.handle,
            "crop": "soybeans", "bushels": "100", "site": "north"}  # fmt: skip
    assert client.post(page, data).status_code == 302
    (before,) = client.get(page).context["before"]
    assert before.key == data["event"]
    assert "Stan's Elevator, soybeans, north" in before.called
    initial = client.get(page, {"like": before.key}).context["form"].initial
    assert (initial["taker"], initial["crop"], initial["site"]) == (cast.elevator.handle, "soybeans", "north")
    assert "bushels" not in initial
    assert client.get(page, {"like": "somebody-sale-1"}).context["form"].initial.get("taker") is None
    buyer = client.get(reverse("custody_enter", args=(cast.elevator.handle, "sale")), {"like": before.key})
    assert buyer.status_code != 200 or buyer.context["form"].initial.get("crop") is None, "nobody else begins with it"


def test_every_field_that_a_choice_makes_idle_is_not_needed_and_a_mean_goes_by_crop_used() -> None:
    asked = [(cls, name, info) for cls in OFFERS.values() for name, info in infos(cls).items() if info.when]
    assert {name for _, name, _ in asked} >= {"bushels", "pounds", "delivered", "first_delivery"}
    for cls, name, info in asked:
        assert info.when
        assert info.when.field in infos(cls), name
        required = next(is_required(each) for each in fields_of(cls) if each.name == name)
        assert not required, f"{cls.type}.{name} is needed, so no choice makes it idle"
    piece = {"ci_g_per_bu": "5000", "amount": "1", "crop_used_bu": "300"}
    assert mean_ci({"cis": [piece, {"ci_g_per_bu": "6000", "amount": "999", "crop_used_bu": "100"}]}, show) == "5250"
    assert mean_ci({"cis": []}, show) == ""


def test_a_period_is_one_statement_whose_columns_add_up_and_an_odd_day_is_told(cast: Cast, season: Season) -> None:
    for start in (season.closed, season.open):
        answer = cast.client().get(where(cast, "custody_period"), {"start": start.isoformat()})
        tables = answer.context
        for row in tables["balance"].rows:
            opening, came, processed, out, held = (parse(cell.text) or 0 for cell in row[1:6])
            assert opening + came == processed + out + held, row[0].text
        ends = sum(parse(row[4].text) or 0 for row in tables["equations"].rows)
        assert sum(parse(row[5].text) or 0 for row in tables["balance"].rows if row[0].text != "Total") == ends
    client, mill = cast.client(), token(cast, cast.mill, "owner")
    for odd in ("month=2026-13", "month=x", f"since={days_ago(0)}&on={days_ago(9)}"):
        assert client.get(f"{where(cast, 'custody_balance')}?{odd}").status_code == 422
        assert get(f"/custody/balance?{odd}", mill).status_code == 409, odd
    assert client.get(where(cast, "custody_day"), {"on": "yesterday"}).status_code == 200, "today's"


def test_any_day_and_month_stand_on_pages_in_calls_and_on_paper_alike(cast: Cast, season: Season) -> None:
    client, mill = cast.client(), token(cast, cast.mill, "owner")
    for page, sheet in (("custody_day", "day"), ("custody_balance", "balance")):
        shown = client.get(where(cast, page), {"on": days_ago(0)})
        assert shown.status_code == 200
        for printed in (client.get(where(cast, page), {"as": "pdf"}), get(f"/custody/{sheet}.pdf", mill)):
            assert printed.content.startswith(b"%PDF"), printed.content[:300]
    places = data(get("/custody/day", mill))["places"]
    lying = {(one["site"], one["form"]): one["claims_amount"] for one in places}
    sites = {(one["site"], one["form"]): one["claims"] for one in data(get("/custody/grain/sites", mill))["items"]}
    assert {key: amount for key, amount in lying.items() if key in sites} == sites, "today's sheet is today's stock"
    start = data(get("/custody/balance", mill))["start"]
    begun = next(one for one in data(get("/custody/periods", mill))["items"] if one["start"] == start)
    interim = data(get(f"/custody/balance?since={begun['start']}&on={begun['end']}", mill))
    assert interim["lines"] == data(get(f"/custody/periods/{begun['start']}/balance", mill))["lines"]
    assert "nothing is closed by it" in interim["interim"]
    (row,) = data(get(f"/custody/balance/sums?since={begun['start']}&on={begun['end']}", mill))["items"]
    assert parse(row["ending_bu"]) == sum(parse(line["ending_bu"]) for line in interim["lines"]) > 0
    retired = sum(parse(line["outgoing"].get("retired into fuel", "0")) for line in interim["lines"])
    assert parse(row["retired_bu"]) == retired
    saved = client.get(where(cast, "custody_balance"), {"on": days_ago(0), "save": "csv", "table": "balance"})
    assert "Retired into fuel" in saved.content.decode()


def _questions(caller: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        get("/custody/deliveries", caller)
    return len(asked)


def test_a_contract_and_its_deliveries_are_the_same_on_the_page_and_in_the_calls(cast: Cast, season: Season) -> None:
    client, mill = cast.client(), token(cast, cast.mill, "owner")
    said = {"type": "contract", "id": "c-7", "day": days_ago(3), "entity": cast.mill.handle,
            "counterparty": cast.elevator.handle, "role": "recipient", "number": "C-7", "start_day": days_ago(3),
            "form": "soybeans", "amount": "500"}  # fmt: skip
    sale = {"type": "sale", "id": "s-7", "day": days_ago(0), "giver": cast.mill.handle, "contract": "C-7",
            "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "20"}  # fmt: skip
    for event in (said, sale):
        answer = call("/custody/events", mill, {"event": event}, event["id"])
        assert answer.status_code == 201, answer.content
    (one,) = data(get("/custody/deliveries", mill))["items"]
    assert (one["delivered_amount"], one["left_amount"]) == ("20", "480")
    page = client.get(where(cast, "custody_deliveries"))
    assert page.status_code == 200
    assert "480" in page.content.decode()
    asked = [_questions(mill)]
    call("/custody/events", mill, {"event": {**sale, "id": "s-8", "bushels": "5"}}, "s-8")
    assert data(get("/custody/deliveries", mill))["items"][0]["delivered_amount"] == "25"
    asked.append(_questions(mill))
    assert asked[0] == asked[1], "no question for each movement"
    other = data(get("/custody/deliveries", token(cast, cast.elevator, "stranger")))
    assert other["items"] == [], "nobody else's"


def test_a_refiners_figures_are_the_same_document_on_the_page_and_in_the_call(cast: Cast, season: Season) -> None:
    client, mill, name = cast.client(), token(cast, cast.mill, "owner"), cast.mill.handle
    days = f"since={days_ago(5)}&on={days_ago(0)}"
    empty = client.get(where(cast, "custody_figures"), {"year": "2001"})
    assert "Nothing was retired" in empty.content.decode()
    assert "provender custody" not in empty.content.decode()
    assert get(f"/custody/figures?{days}", mill).status_code == 409
    roles = {"roles": ["first_point", "refiner"], "sites": ["north", "plant"], "name": "Mill"}
    fuel = {"fuel": "biodiesel", "batch": "B-1", "crop": "soybeans", "bushels": "12.5"}
    for event in (ev("entity", "fuel-too", days_ago(3), entity=name, **roles),
                  ev("retire", "fuel-1", days_ago(0), entity=name, **fuel)):  # fmt: skip
        assert post(SqlStore(BY), read_event(event)).status == "posted"
    document = data(get(f"/custody/figures?{days}", mill))
    assert (document["crops"][0]["retired_bu"], len(document["batches"])) == ("12.5", 1)
    behind = data(get("/custody/trace?find=B-1", mill))["items"]
    assert {one["origin"] for one in behind} == {season.origin}, "a batch of fuel leads back to the farm"
    assert client.get(where(cast, "custody_trace"), {"find": "B-1"}).context["found"].bushels == 12_500
    assert get("/custody/trace?find=B-1", token(cast, cast.elevator, "stranger")).status_code == 404
    year = {"year": days_ago(0)[:4]}
    page = client.get(where(cast, "custody_figures"), year)
    assert "No text at hand says" in page.content.decode()
    assert "12.5" in page.content.decode()
    assert document["book"].keys() == {"head", "lines", "of"}
    assert "entries in a shared book." in page.content.decode()
    assert document["book"]["head"] not in page.content.decode()
    later = client.get(where(cast, "custody_figures"), {"year": str(int(year["year"]) + 1)})
    assert "Ask for days that have been" in later.content.decode()
    assert data(get(f"/custody/figures?since={days_ago(5)}&on={days_ago(-9)}", mill)) == document
    saved = json.loads(client.get(where(cast, "custody_figures"), {**year, "as": "json"}).content)
    assert saved == data(get(f"/custody/figures?year={year['year']}", mill))
    for kind, begin in (("pdf", b"%PDF"), ("csv", b"\xef\xbb\xbfretirement")):
        by_page = client.get(where(cast, "custody_figures"), {**year, "as": kind}).content
        assert by_page.startswith(begin), by_page[:40]
        assert get(f"/custody/figures.{kind}?{days}", mill).content.startswith(begin)


@pytest.mark.parametrize(("day", "months"), [
    (date(2026, 1, 31), ("2026-01", "2025-12")), (date(2026, 3, 1), ("2026-03", "2026-02")),
])  # fmt: skip
def test_this_month_and_the_last_one_are_the_calendars(day: date, months: tuple[str, str]) -> None:
    assert months_at(day) == months


def page(cast: Cast, name: str, *more: str, part: str = "owner", **asked: str) -> Any:  # noqa: ANN401 - the client's
    return cast.client(part).get(reverse(name, args=(cast.mill.handle, *more)), asked)


def cells(answer: Any, table: str) -> list[list[tuple[str, str]]]:  # noqa: ANN401 - the client's
    return [[(cell.text, cell.note) for cell in row] for row in answer.context[table].rows]


def test_a_list_is_asked_for_one_partner_by_name_or_code(cast: Cast) -> None:
    whole = len(cells(page(cast, "custody_movements"), "movements"))
    for list_of in ("sales", "movements"):
        for said in (cast.elevator.name.upper(), cast.elevator.name[:3], cast.elevator.handle):
            rows = cells(page(cast, f"custody_{list_of}", partner=said), list_of)
            assert 0 < len(rows) < whole, (list_of, said)
            assert all(cast.elevator.name in (row[2][0], row[3][0]) for row in rows), (list_of, said)


def test_nobody_of_that_name_is_said_and_a_strange_code_does_not_tell_its_name(cast: Cast) -> None:
    other = create_organisation("Far Away Fuels", roles=[Role.REFINER], manager=None, actor=BY, handle="far-away")
    for typed in ("far-away", "Far Away Fuels", "nobody"):
        text = page(cast, "custody_sales", partner=typed).content.decode()
        assert f"No row here is with “{typed}”." in text
        assert text.count("Far Away Fuels") == (2 if typed == "Far Away Fuels" else 0), "only what was typed"
    register_entity(other, day=timezone.localdate(), actor=BY)
    for kind, field in (("sale", "taker"), ("purchase", "giver"), ("storage", "owner")):
        assert "Far Away Fuels" not in page(cast, "custody_enter", kind, **{field: "far-away"}).content.decode()
    farm = page(cast, "custody_enter", "purchase", giver=cast.farm.handle).content.decode()
    assert cast.farm.name in farm.replace("&#x27;", "'")


def test_only_those_who_may_take_crop_are_offered_as_buyers(cast: Cast) -> None:
    desk = desk_of(cast)
    assert list(buyers(desk)) == [cast.elevator.handle], "the farm sells and never takes"
    assert cast.farm.handle in desk.partners
    plant = create_organisation("A Plant", roles=[Role.REFINER], manager=None, actor=BY, handle="a-plant")
    register_entity(plant, day=timezone.localdate(), actor=BY)
    deal = {"entity": cast.mill.handle, "counterparty": "a-plant", "role": "recipient", "number": "K-9"}
    done = post(SqlStore(BY), read_event(ev("contract", "contract-9", days_ago(9), start_day=days_ago(9), **deal)))
    assert done.status == "posted"
    assert list(buyers(desk_of(cast))) == [cast.elevator.handle, "a-plant"], "whom it sold to lately stands first"
    form = page(cast, "custody_enter", "sale").context["form"]
    assert [code for code, _ in form.fields["taker"].choices if code] == [cast.elevator.handle, "a-plant"]


LATER = 450

"""Lots written since, more than a page of a call looks at."""

LISTS = ("sales", "movements")


@pytest.fixture
def world(cast: Cast) -> Cast:
    """Return a mill whose sales are all older than one long loss."""
    today, origin = timezone.localdate(), CustodyOrigin.objects.all()[0]
    event = CustodyEvent.objects.create(
        name="long-loss", type="loss", day=today, digest="", text="{}", at=timezone.now()
    )
    made = CustodyLot.objects.bulk_create(
        CustodyLot(
            name=f"later-{number}", origin=origin, crop="soybeans", harvest_year=2025, span_start=number * 1000,
            span_stop=number * 1000 + 1000, owner=cast.mill.handle, custodian=cast.mill.handle, site="north",
            form="soybeans", product=0, rate=0, ci=0, state=LotState.LOST, since=today, acquired=today, titled=today,
            supplier=cast.mill.handle, batch="", by=event.name, opened_by=event,
        )
        for number in range(10**6, 10**6 + LATER)
    )  # fmt: skip
    CustodyStep.objects.bulk_create(CustodyStep(party=cast.mill.handle, day=today, lot=lot) for lot in made)
    return cast


def saved(cast: Cast, name: str, **asked: str) -> list[list[str]]:
    text = page(cast, f"custody_{name}", save="csv", table=name, **asked).content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))[1:]


def in_book(cast: Cast, *types: str) -> int:
    steps = CustodyStep.objects.filter(party=cast.mill.handle)
    own = {
        step.lot.opened_by for step in steps.select_related("lot__opened_by") if step.lot.by == step.lot.opened_by.name
    }
    return sum(event.type in types or not types for event in own)


def test_files_and_all_rows_hold_every_row_of_the_list_and_a_partner_with_older_rows_only_is_found(world: Cast) -> None:
    for name, types in zip(LISTS, (movements.SOLD, ()), strict=True):
        whole = in_book(world, *types)
        assert whole > 1
        assert len(saved(world, name)) == whole
        printed = page(world, f"custody_{name}", **{f"page-{name}": "every"})
        assert len(printed.context[name].rows) == whole
        assert not printed.context["more"]
        found = page(world, f"custody_{name}", partner=world.elevator.handle)
        assert found.context[name].rows
        assert len(saved(world, name, partner=world.elevator.handle)) == len(found.context[name].rows)


def test_a_page_or_a_file_that_stops_says_so(world: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(movements, "LOOKED_AT", LATER // 2)
        for name in LISTS:
            answer = page(world, f"custody_{name}", partner=world.elevator.handle)
            text = answer.content.decode()
            assert answer.context["more"]
            assert f"Nothing with “{world.elevator.handle}” back to " in text
            assert "No row here is with" not in text
            assert saved(world, name, partner=world.elevator.handle)
        assert "No movement yet" not in page(world, "custody_sales").content.decode()
    monkeypatch.setattr(tables, "SAVED_AT_MOST", 1)
    monkeypatch.setattr(tables, "PRINTED", 1)
    for name in LISTS:
        rows = saved(world, name)
        assert len(rows) == 2
        assert rows[-1][0].startswith("Not all rows: the list goes on after these 1.")
        text = page(world, f"custody_{name}", **{f"page-{name}": "every"}).content.decode()
        assert "<span>These are not all of them: a file, saved below the table, has every row.</span>" in text


@pytest.fixture
def two_years(cast: Cast, season: Season) -> Season:
    """A second lot of another intensity beside the season's: 3000 bu at 5000.25 bought, 800 bu at 5000.25 accepted."""
    farm, mill = cast.farm.handle, cast.mill.handle
    for event in (
        ev("accept", "accept-1", days_ago(35), movement="sale-elevator", taker=mill, site="north"),
        ev("report", "report-24", days_ago(34), entity=farm, crop="soybeans", harvest_year=2024, bushels="900",
           ci="6100.5", salt="c2FsdCBvZiBhIGZhcm0gdGhhdCBpcyBsb25nIGVub3VnaB", report="1f" * 32),
    ):  # fmt: skip
        entered(event)
    origin = SqlStore(BY).events()[-1].event.origin  # type: ignore[attr-defined]
    entered(ev("slip", "slip-24", days_ago(33), giver=farm, taker=mill, origin=origin, bushels="777.7"))
    bought = {"giver": farm, "taker": mill, "slip": "slip-24", "site": "north"}
    for name, bushels in (("buy-24", "333.3"), ("buy-wrong", "100")):
        tickets = [{"number": f"T-{name}", "bushels": bushels}]
        entered(ev("purchase", name, days_ago(32), bushels=bushels, tickets=tickets, **bought))
    entered(ev("correct", "correct-1", days_ago(31), entity=mill, movement="buy-wrong", reason="typed twice"))
    return season


def test_the_api_answers_what_the_page_shows(cast: Cast, two_years: Season, owner: Client) -> None:
    mill = token(cast, cast.mill, "owner")
    sums = data(get("/custody/came-in/sums", mill))["items"]
    assert [(one["supplier"], one["bushels"], one["mean_ci_g_per_bu"]) for one in sums] == [
        ("", "4133.3", "5088.97"), (cast.farm.handle, "3333.3", "5110.27"), (cast.elevator.handle, "800", "5000.25"),
    ]  # fmt: skip
    rows = data(get(f"/custody/came-in?since={days_ago(33)}", mill))["items"]
    assert [(one["entry"], one["ci_g_per_bu"]) for one in rows] == [("buy-24", "6100.5")]
    assert get(f"/custody/came-in?since={days_ago(1)}&on={days_ago(2)}", mill).status_code == 409
