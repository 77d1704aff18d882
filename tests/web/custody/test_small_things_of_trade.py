"""What a page of trade says of what was chosen, sold and rounded."""

import pytest
from django.test import Client
from django.urls import reverse

from provender.custody.events.registry import read_event
from provender.custody.store import post as post_to
from provender.database.choices import Role
from provender.database.store.custody import SqlStore
from provender.services.accounts.organisations import create_organisation
from provender.services.custody.entry import register_entity
from provender.services.custody.stock import stock
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody.test_bands import desk_of
from tests.web.custody.test_files import hand_in, where
from tests.web.custody_season import BY, Season, days_ago, fill_custody

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


def test_the_limit_by_which_lots_are_chosen_stands_on_form_and_preview(
    cast: Cast, season: Season, owner: Client
) -> None:
    address = where(cast, "custody_enter", "sale")
    form = owner.get(address).context["form"]
    assert "ci_max" in [field.name for field in form.main], "nobody has to unfold what chooses the lots"
    typed = {"do": "preview", "day": days_ago(0), "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "10"}
    limited = owner.post(address, {**typed, "ci_max": "5,100"}).content.decode()
    assert "Only of CI at most 5,100 g CO2e/bu" in limited
    assert "Only of CI" not in owner.post(address, typed).content.decode()
    both = owner.post(address, {**typed, "ci_max": "5100", "ci_min": "4000"}).content.decode()
    assert "Only of CI 4,000 g CO2e/bu to 5,100 g CO2e/bu" in both


def test_the_limit_of_the_contract_is_told_too(cast: Cast, season: Season, owner: Client) -> None:
    agreed = ev("contract", "c-9", days_ago(3), entity=cast.mill.handle, counterparty=cast.elevator.handle,
                role="recipient", number="C-9", start_day=days_ago(3), form="soybeans", amount="500",
                ci_max="5050")  # fmt: skip
    assert post_to(SqlStore(BY), read_event(agreed)).status == "posted"
    typed = {"do": "preview", "day": days_ago(0), "taker": cast.elevator.handle, "crop": "soybeans", "bushels": "10"}
    shown = owner.post(where(cast, "custody_enter", "sale"), {**typed, "contract": "C-9", "ci_max": "6000"})
    assert "Only of CI at most 5,050 g CO2e/bu" in shown.content.decode()


def test_the_lots_of_a_sale_lead_to_their_trace_where_it_is_accepted(cast: Cast, season: Season, owner: Client) -> None:
    page = owner.get(where(cast, "custody_movement"), {"id": "sale-mill"})
    links = [row[0].href for row in page.context["lots"].cells]
    assert links
    assert all(links)
    before = owner.get(links[0]).context["links"].cells
    assert before[-1][1].text == "Sale"
    assert before[-1][-1].note == "In transit"
    taken = ev("accept", "accept-8", days_ago(12), taker=cast.elevator.handle, movement="sale-mill", site="scale")
    assert post_to(SqlStore(BY), read_event(taken)).status == "posted"
    for asked in (links[0], f"{where(cast, 'custody_trace')}?find=sale-mill"):
        rows = owner.get(asked).context["links"].cells
        assert [row[1].text for row in rows][-2:] == ["Sale", "Accepted"]
        assert "In transit" not in [row[-1].note for row in rows], "it came long ago"
        assert rows[-1][3].text == cast.elevator.name
        assert rows[-1][-1].note == "", "what the buyer did with it since is not said, nor that it lies there"
        traced = owner.get(asked)
        assert "Holder 3" in traced.context["picture"]
        assert "Holder 4" not in traced.context["picture"], "an acceptance is no way back and forth"
        assert "the buyer's business" in traced.content.decode()
    page = owner.get(where(cast, "custody_movement"), {"id": "sale-mill"})
    assert "Accepted by the buyer." in page.content.decode(), "without a link to what only the buyer may open"
    lots = page.context["lots"]
    assert [row[-1].text for row in lots.cells] == ["Accepted"] * len(lots.cells), "nothing of it is on its way"
    assert cast.mill.name not in [cell.text for row in lots.cells for cell in row], "the seller stands above"
    assert f"{where(cast, 'custody_trace')}?find=sale-mill" in page.content.decode()
    buyer = cast.client("stranger").get(reverse("custody_movement", args=(cast.elevator.handle,)), {"id": "sale-mill"})
    assert 'href="?id=accept-8"' in buyer.content.decode()
    undone = ev("correct", "undo-8", days_ago(11), entity=cast.elevator.handle, movement="accept-8", reason="x")
    assert post_to(SqlStore(BY), read_event(undone)).status == "posted"
    assert owner.get(f"{where(cast, 'custody_trace')}?find=sale-mill").context["links"].cells[-1][1].text == "Sale"


def test_tickets_to_be_entered_name_their_farm(cast: Cast, season: Season, owner: Client) -> None:
    text = "Ticket No,Date,Location,Commodity,Customer,Farm,In/Out,Net Lbs,Moisture,Net Bu\n"
    text += f"1001,{days_ago(3)},north,Soybeans,Ada,Home Place,In,60000,13.0,1000.00\n"
    shown = hand_in(owner, where(cast, "custody_tickets"), "t.csv", text)
    (row,) = shown.context["tickets"].cells
    assert "Home Place" in [cell.text for cell in row]


def test_sums_that_are_rounded_one_by_one_say_so(cast: Cast, season: Season, owner: Client) -> None:
    assert stock(desk_of(cast))
    page = owner.get(where(cast, "custody_stock")).content.decode()
    assert "Stock by carbon intensity, each amount rounded to whole units" in page


def test_who_buys_from_no_farm_is_shown_its_sellers_and_not_itself(cast: Cast, season: Season) -> None:
    sold = ev("accept", "accept-8", days_ago(12), taker=cast.elevator.handle, movement="sale-mill", site="scale")
    assert post_to(SqlStore(BY), read_event(sold)).status == "posted"
    bought = cast.client("stranger").get(reverse("custody_suppliers", args=(cast.elevator.handle,)))
    assert "Reports behind what you bought" in bought.content.decode(), "it buys from the farm"
    other = create_organisation(
        "Crush", roles=[Role.PROCESSOR], manager=cast.person("stranger"), actor=cast.actor("stranger")
    )
    register_entity(other, day=SqlStore(BY).events()[-1].request.day, actor=BY, sites=["plant"])
    told = cast.client("stranger").get(reverse("custody_suppliers", args=(other.handle,)))
    page = told.content.decode()
    assert "You took in no crop from a farm" in page
    assert "your own book" not in page
    assert told.context["sellers"].empty == "Nothing was bought or accepted in these days."
