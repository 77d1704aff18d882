"""An elevator's pages say what its book says, and what they enter stands in the book or is refused at the form."""

import json
from datetime import timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.closing import balance_of
from provender.custody.events.registry import post, read_event
from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import LotState
from provender.custody.queries.alerts import AlertKind
from provender.database.models.custody import CustodyEvent
from provender.database.store.custody import SqlStore
from provender.database.store.custody_lists import open_slips, points_of, stock_changes, stock_of
from provender.exact import show
from provender.services.custody.checks import touched
from provender.services.custody.context import CustodyContext, context_of
from provender.services.custody.movements import OwnMovement, knows, movement_view
from provender.web.custody.pages.movements import facts_of
from provender.web.custody.pages.partners import SETTLED_AT
from provender.web.inputs import said_plainly
from tests.web.cast import Cast
from tests.web.custody.asking import TODAY, enter, sale, texts, where
from tests.web.custody_season import BY, SALT, Season


def test_stock_is_summed_by_carbon_intensity_and_place(cast: Cast, season: Season, owner: Client) -> None:
    rows = stock_of(cast.mill.handle)
    assert sum(row.bushels for row in rows) == 2_500_000
    found = {(row.site, row.form): (row.amount, row.bushels) for row in rows}
    assert found == {
        ("north", "soybeans"): (1_300_000, 1_300_000),
        ("plant", "soybeans"): (600_000, 600_000),
        ("plant", "soybean_oil"): (6_720_000, 600_000),
    }
    page = texts(owner.get(where(cast, "custody_stock")))
    assert "2,500 bu of soybeans" in page
    assert "6,720 lb" in page
    assert "<svg" in owner.get(where(cast, "custody_stock")).content.decode()


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
    answer = enter(owner, cast, "correct", movement=accepted.name, reason="it lies in the other house")
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
    with SqlStore(BY).reading() as facts:
        period = next(one for one in facts.many(Period, cast.mill.handle) if one.start == season.open)
        (line,) = balance_of(facts, period).lines
    page = texts(owner.get(where(cast, "custody_period") + f"?start={season.open}"))
    for amount in (line.beginning, line.total_incoming, line.total_outgoing, line.ending):
        assert show(amount, group=True) in page
    enter(owner, cast, "sale", **sale(cast, "100"))
    assert "2,400" in texts(owner.get(where(cast, "custody_period") + f"?start={season.open}"))
    for kind in ("report", "slip", "withdraw", "nonsense"):
        assert owner.get(where(cast, "custody_enter", kind)).status_code == 404
    reader = cast.client("reader")
    for name in ("custody_stock", "custody_incoming", "custody_movements", "custody_periods", "custody_partners"):
        assert "/enter/" not in reader.get(where(cast, name)).content.decode(), name
    assert reader.get(where(cast, "custody_enter", "sale")).status_code == 403


def test_every_alert_leads_to_its_page_and_the_book_speaks_without_underscores() -> None:
    assert set(SETTLED_AT) == set(AlertKind)
    assert all(reverse(view, args=("mill",)) for view in SETTLED_AT.values())
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
