"""Trade in one look: what there is beside the amount, the deed on its preview only, a period as one statement."""

import json
from dataclasses import fields
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from provender.custody.events.registry import post as post_to
from provender.custody.events.registry import read_event
from provender.database.store.custody import SqlStore
from provender.exact import parse
from provender.schema import infos, is_required
from provender.services.custody.balances import months_at
from provender.services.custody.book_entry import OFFERS
from provender.services.custody.documents import mean_ci
from provender.services.custody.stock import taken_view
from provender.services.custody.views import LotView
from tests.custody.world import ev
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import where
from tests.web.custody_season import BY, Season, days_ago


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
        required = next(is_required(each) for each in fields(cls) if each.name == name)
        assert not required, f"{cls.type}.{name} is needed, so no choice makes it idle"
    piece = {"ci_g_per_bu": "5000", "amount": "1", "crop_used_bu": "300"}
    assert mean_ci({"cis": [piece, {"ci_g_per_bu": "6000", "amount": "999", "crop_used_bu": "100"}]}) == 525_000
    assert mean_ci({"cis": []}) is None


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
    for page, call in (("custody_day", "day"), ("custody_balance", "balance")):
        shown = client.get(where(cast, page), {"on": days_ago(0)})
        assert shown.status_code == 200
        for printed in (client.get(where(cast, page), {"as": "pdf"}), get(f"/custody/{call}.pdf", mill)):
            assert printed.content.startswith(b"%PDF"), printed.content[:300]
    sheet = data(get("/custody/day", mill))
    lying = {(one["site"], one["form"]): one["claims_amount"] for one in sheet["places"]}
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
        answer = post("/custody/events", mill, {"event": event}, event["id"])
        assert answer.status_code == 201, answer.content
    (one,) = data(get("/custody/deliveries", mill))["items"]
    assert (one["delivered_amount"], one["left_amount"]) == ("20", "480")
    page = client.get(where(cast, "custody_deliveries"))
    assert page.status_code == 200
    assert "480" in page.content.decode()
    asked = [_questions(mill)]
    post("/custody/events", mill, {"event": {**sale, "id": "s-8", "bushels": "5"}}, "s-8")
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
        assert post_to(SqlStore(BY), read_event(event)).status == "posted"
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
