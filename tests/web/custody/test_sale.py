"""A sale at its form: lots by limit and order, of what was chosen; where a refusal leads on; what is sent back."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import post as post_to
from provender.custody.events.registry import read_event
from provender.database.actor import Actor
from provender.database.models.custody import CustodyGrainEntry
from provender.database.store.custody import SqlStore
from provender.exact import CI_SCALE, SCALE, half_even, show
from provender.services.custody.context import CustodyContext, context_of
from provender.services.custody.entry import enter as enter_at
from provender.services.custody.entry import new_event_id, preview, read_fields, register_entity
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody.asking import TODAY, enter, entered, sale, texts, where
from tests.web.custody_season import BY, SALT, Season, days_ago

pytestmark = pytest.mark.django_db

FARMS = (("bea", 2024, "6000", "plant"), ("ada", 2025, "4000.5", "north"))


@pytest.fixture
def spread(cast: Cast, season: Season) -> Season:
    """Return the mill's season with soybeans of two more intensities, bought at two sites."""
    store = SqlStore(BY)
    mill = cast.mill.handle
    for farm, year, ci, site in FARMS:
        entered(ev("entity", f"entity-{farm}", days_ago(60), entity=farm, name=farm, roles=["farm"]))
        fields = {"crop": "soybeans", "harvest_year": year, "bushels": "300", "ci": ci, "salt": SALT}
        entered(ev("report", f"report-{farm}", days_ago(55), entity=farm, report=f"{year}" * 16, **fields))
        origin = store.events()[-1].request.origin  # type: ignore[attr-defined]
        slip = f"slip-{farm}"
        entered(ev("slip", slip, days_ago(50), giver=farm, origin=origin, taker=mill, bushels="100"))
        tickets = [{"number": f"T-{farm}", "bushels": "100"}]
        bought = {"giver": farm, "taker": mill, "slip": slip, "bushels": "100", "site": site, "tickets": tickets}
        entered(ev("purchase", f"buy-{farm}", days_ago(5), **bought))
        # Each site has grain behind what the season sold from it.
        grain = {"entity": mill, "site": site, "form": "soybeans", "number": f"G-{site}", "amount": "1000"}
        entered(ev("receipt", f"grain-{site}", days_ago(5), **grain))
    return season


@pytest.fixture
def desk(cast: Cast, spread: Season) -> CustodyContext:
    found = context_of(cast.mill, actor=Actor(None, "test"), today=timezone.localdate(), may_write=True)
    assert found is not None
    return found


def asked(desk: CustodyContext, cast: Cast, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    fields = {"giver": desk.id, "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "40"}
    return {"id": new_event_id(cast.mill, "sale"), "day": timezone.localdate().isoformat(), **fields, **more}


def sold(desk: CustodyContext, fields: dict[str, Any]) -> list[tuple[int, int]]:
    """Return carbon intensity and thousandths of a bushel of each lot that a sale gave away."""
    event = read_fields("sale", fields)
    foreseen = preview(desk, event)  # type: ignore[arg-type]
    done = enter_at(desk, event)  # type: ignore[arg-type]
    assert done.status == "posted", done.message
    assert done.message == foreseen.message
    with SqlStore(BY).reading() as facts:
        lots = [(lot.ci, lot.crop_amount) for lot in facts.lots_by(fields["id"]) if lot.by == fields["id"]]
    assert foreseen.facts == done.facts
    return lots


def held_by(desk: CustodyContext) -> dict[int, int]:
    with SqlStore(BY).reading() as facts:
        held: dict[int, int] = {}
        for lot in facts.stock(desk.id, "soybeans", "soybeans").lots:
            held[lot.ci] = held.get(lot.ci, 0) + lot.amount
        return held


@pytest.mark.parametrize(
    ("order", "bushels", "taken"),
    [
        ("lowest_ci_first", "40", {400_050: 40}),
        ("lowest_ci_first", "130", {400_050: 100, 500_025: 30}),
        ("highest_ci_first", "40", {600_000: 40}),
        ("by_policy", "40", {500_025: 40}),
    ],
)
def test_a_sale_takes_what_its_order_says_and_the_balance_of_each_intensity_is_exact(
    cast: Cast, desk: CustodyContext, order: str, bushels: str, taken: dict[int, int]
) -> None:
    before = held_by(desk)
    found: dict[int, int] = {}
    for ci, amount in sold(desk, asked(desk, cast, bushels=bushels, order=order)):
        found[ci] = found.get(ci, 0) + amount
    assert found == {ci: each * 10**SCALE for ci, each in taken.items()}
    after = held_by(desk)
    assert {ci: before[ci] - after.get(ci, 0) for ci in before if before[ci] != after.get(ci, 0)} == found


def test_limits_site_and_year_bound_the_order_too(cast: Cast, desk: CustodyContext) -> None:
    def cis(**more: Any) -> set[int]:  # noqa: ANN401 - any field
        return {ci for ci, _ in sold(desk, asked(desk, cast, bushels="10", order="lowest_ci_first", **more))}

    assert cis(ci_min="4500") == {500_025}
    assert cis(site="plant") == {500_025}
    assert cis(harvest_year=2024) == {600_000}
    too_much = read_fields("sale", asked(desk, cast, bushels="101", order="lowest_ci_first", harvest_year=2024))
    assert enter_at(desk, too_much).status == "exceeds_stock"  # type: ignore[arg-type]


def test_a_sale_sent_again_is_recognized_by_what_it_asked(cast: Cast, desk: CustodyContext) -> None:
    first = asked(desk, cast, bushels="100", order="lowest_ci_first")
    sold(desk, first)
    again = enter_at(desk, read_fields("sale", first))  # type: ignore[arg-type]
    assert again.status == "exists"
    other = enter_at(desk, read_fields("sale", {**first, "bushels": "90"}))  # type: ignore[arg-type]
    assert other.status == "id_has_other_content"


def test_a_sales_page_says_its_mean_and_no_codes(cast: Cast, desk: CustodyContext, owner: Client) -> None:
    fields = asked(desk, cast, order="lowest_ci_first", bushels="150")
    parts = sold(desk, fields)
    assert len(parts) > 1
    answer = owner.get(reverse("custody_movement", args=(desk.id,)), {"id": fields["id"]})
    said = dict(answer.context["said"])
    assert not [text for text in said.values() if re.search(r"[0-9a-f]{40}", text)]
    labels = [label for label, _ in answer.context["said"]]
    assert labels.index("Mean CI") == labels.index("Bushels (bu)") + 1
    mean = half_even(sum(ci * bushels for ci, bushels in parts), sum(bushels for _, bushels in parts))
    assert said["Mean CI"] == f"{show(mean, CI_SCALE, group=True)} g CO2e/bu"
    assert "Lots named" not in said, "they stand in the table below"


def test_a_form_leads_nowhere_else_and_tells_no_lots(cast: Cast, owner: Client, season: Season) -> None:
    theirs = owner.get(where(cast, "custody_enter", "sale"), {"lots": "nowhere 0-500"}).content.decode()
    assert "Named here" not in theirs
    sent = {"day": TODAY, "counterparty": cast.elevator.handle, "role": "recipient", "number": "1",
            "start_day": TODAY, "do": "post"}  # fmt: skip
    answer = owner.post(where(cast, "custody_enter", "contract") + "?next=https://elsewhere.example/", sent)
    assert answer["Location"] == where(cast, "custody_partners")


def test_a_contract_not_on_file_is_put_there_for_the_sale(cast: Cast, season: Season, owner: Client) -> None:
    page = enter(owner, cast, "sale", **sale(cast, contract="4711", site="north"))
    assert page.status_code == 409
    assert "No contract 4711 is on file with you." in texts(page)
    assert f"{cast.mill.handle}/4711" not in texts(page), "a key of the book tells a clerk nothing"
    ((label, href),) = page.context["onward"]
    assert label == "Put contract 4711 on file"
    form = owner.get(href).context["form"]
    assert [form[name].value() for name in ("counterparty", "role", "number")] == [
        cast.elevator.handle, "recipient", "4711",
    ]  # fmt: skip
    sent = {"day": TODAY, "counterparty": cast.elevator.handle, "role": "recipient", "number": "4711",
            "start_day": days_ago(3), "do": "post"}  # fmt: skip
    again = owner.post(href, sent)
    assert again.status_code == 302
    back = owner.get(again["Location"]).context["form"]
    assert [back[name].value() for name in ("taker", "bushels", "contract", "site")] == [
        cast.elevator.handle, "100", "4711", "north",
    ]  # fmt: skip
    assert enter(owner, cast, "sale", **sale(cast, contract="4711", site="north")).status_code == 302


def _ticket(cast: Cast, number: str = "C-607", **more: str) -> None:
    event = ev("receipt", f"ticket-{number}", days_ago(2), entity=cast.mill.handle, site="north", form="corn",
               amount="1200.5", number=number, **more)  # fmt: skip
    assert post_to(SqlStore(BY), read_event(event)).status.well


def test_a_ticket_in_the_list_is_made_void_by_a_form_filled_in(cast: Cast, season: Season, owner: Client) -> None:
    _ticket(cast)
    asked = {"site": "north", "form": "corn"}
    rows = {row[1].text: row for row in owner.get(where(cast, "custody_grain"), asked).context["tickets"].rows}
    way = rows["C-607"][-1]
    assert way.text == "Void"
    form = owner.get(way.href).context["form"]
    said = {name: form[name].value() for name in ("day", "form", "amount", "number", "site", "void")}
    assert said == {"day": days_ago(2), "form": "corn", "amount": "1200.5", "number": "C-607", "site": "north",
                    "void": "on"}  # fmt: skip
    assert form.further_open, "the tick is seen before it is sent"
    assert owner.post(way.href, {**said, "do": "post"}).status_code == 302
    assert CustodyGrainEntry.objects.get(number="C-607").void
    rows = {row[1].text: row for row in owner.get(where(cast, "custody_grain"), asked).context["tickets"].rows}
    assert rows["C-607"][-1].text == "", "it is void already"


def test_taking_a_tickets_number_back_leads_to_ones_own(cast: Cast, season: Season, owner: Client) -> None:
    page = enter(owner, cast, "correct", movement="T-buy-elevator", reason="typed twice")
    assert "Not yours: T-buy-elevator." in texts(page)
    assert page.context["onward"] == []
    _ticket(cast)
    page = enter(owner, cast, "correct", movement="C-607", reason="typed twice")
    assert page.status_code == 409
    assert "C-607 is a scale ticket at north, not an entry of claims." in texts(page)
    ((label, href),) = page.context["onward"]
    assert (label, owner.get(href).context["form"]["void"].value()) == ("Make ticket C-607 void", "on")
    behind = enter(owner, cast, "correct", movement="T-buy-mill", reason="typed twice")
    assert "It stands behind buy-mill" in texts(behind)
    assert behind.context["onward"][0][1] == where(cast, "custody_enter", "correct") + "?movement=buy-mill"


def test_stock_beside_the_amount_is_what_the_book_would_sell(cast: Cast, season: Season, owner: Client) -> None:
    where_sold = reverse("custody_enter", args=(cast.mill.handle, "sale"))
    assert "1,900 bu of soybeans" in owner.get(where_sold).context["form"].fields["bushels"].beside
    assert enter(owner, cast, "sale", **sale(cast, "0.296", site="north")).status_code == 302
    beside = owner.get(where_sold).context["form"].fields["bushels"].beside
    assert "1,899.704 bu of soybeans" in beside, "1,900 would be refused"
    page = enter(owner, cast, "sale", **sale(cast, "1900"))
    assert "You do not hold that much. You hold 1,899.704 bu" in texts(page)
    assert "giver" not in page.context["form"].errors["bushels"][0]
    assert enter(owner, cast, "sale", **sale(cast, "0.3", site="north")).status_code == 302
    assert "1,899 bu of soybeans" in owner.get(where_sold).context["form"].fields["bushels"].beside, "less is no harm"


def test_a_sale_without_ticket_is_told_twice_and_its_contracts_limit(cast: Cast, season: Season, owner: Client) -> None:
    address, said = where(cast, "custody_enter", "sale"), "No scale ticket is named"
    for more, told in (({"site": "north"}, True), ({}, True), ({"site": "north", "tickets": "S-9, 10"}, False)):
        typed = {"day": days_ago(0), "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "10", **more}
        shown = owner.post(address, {**typed, "do": "preview"})
        assert shown.context["preview"], shown.context["form"].errors
        assert (said in shown.content.decode()) is told
        done = owner.post(address, {**typed, "do": "post"}, follow=True)
        assert (said in done.content.decode()) is told
    agreed = ev("contract", "c-9", days_ago(3), entity=cast.mill.handle, counterparty=cast.elevator.handle,
                role="recipient", number="C-9", start_day=days_ago(3), form="soybeans", amount="500",
                ci_max="5050")  # fmt: skip
    assert post_to(SqlStore(BY), read_event(agreed)).status == "posted"
    typed = {"do": "preview", "day": days_ago(0), "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "10"}
    shown = owner.post(where(cast, "custody_enter", "sale"), {**typed, "contract": "C-9", "ci_max": "6000"})
    assert "Only of CI at most 5,050 g CO2e/bu" in shown.content.decode()


@pytest.fixture
def two_sites(cast: Cast, season: Season) -> Season:
    register_entity(cast.elevator, day=SqlStore(BY).events()[-1].request.day, actor=BY, sites=["scale", "annex"])
    return season


def lies_at(cast: Cast) -> list[str]:
    with SqlStore(BY).reading() as facts:
        return sorted({lot.site for lot in facts.lots_of(cast.elevator.handle, "soybeans")})


@pytest.mark.parametrize(("site", "lies"), [("", ["scale"]), ("annex", ["annex", "scale"])])
def test_a_delivery_goes_back_to_the_site_it_left(cast: Cast, two_sites: Season, site: str, lies: list[str]) -> None:
    client = cast.client()
    address = where(cast, "custody_enter", "reject")
    form = client.get(address, {"movement": "sale-elevator", "giver": cast.elevator.handle})
    offered = [value for value, _ in form.context["form"].fields["site"].choices]
    assert offered == ["", "scale", "annex"], "the seller's sites, and none of one's own"
    typed = {"movement": "sale-elevator", "giver": cast.elevator.handle, "day": days_ago(0), "reason": "wet"}
    done = client.post(address, {"do": "post", **typed, "site": site})
    assert done.status_code == 302, done.content.decode()[-3000:]
    assert lies_at(cast) == lies


def test_a_form_names_the_sites_of_nobody_whom_one_does_not_deal_with(cast: Cast, two_sites: Season) -> None:
    address = where(cast, "custody_enter", "reject")
    form = cast.client().get(address, {"movement": "sale-elevator", "giver": "somebody-else"})
    assert "annex" not in form.content.decode()
