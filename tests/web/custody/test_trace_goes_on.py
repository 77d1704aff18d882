"""A trace shows all that its viewer did with the bushels, lot by lot, and nothing of what others did."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from provender.custody.events.registry import read_event
from provender.custody.store import post
from provender.database.store.custody import SqlStore
from provender.exact import CI_SCALE
from tests.custody.world import Event, ev
from tests.web.api.test_calls import data, get
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_files import where
from tests.web.custody_season import BY, Season, days_ago, fill_custody

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    found = fill_custody(cast)
    said = {"crops": ["soybeans"], "opinion": "favourable", "verifier": "vic", "number": "V-2"}
    days = {"start_day": days_ago(100), "end_day": days_ago(-100)}
    entered(ev("statement", "statement-2", days_ago(99), entity=cast.elevator.handle, **said, **days))
    return found


def entered(event: Event) -> None:
    outcome = post(SqlStore(BY), read_event(event))
    assert outcome.status == "posted", outcome.message


def stations(client: Client, address: str, find: str) -> list[tuple[str, str, str, str]]:
    """Return what, bushels, form and state of each row of a trace."""
    table = client.get(address, {"find": find}).context["links"]
    return [(row[1].text, row[6].text, row[7].text, row[7].note) for row in table.cells]


def processed(cast: Cast) -> None:
    """Let the mill take the elevator's delivery in and turn part of it into oil."""
    mill = cast.mill.handle
    entered(ev("accept", "accept-1", days_ago(26), taker=mill, movement="sale-elevator", site="plant"))
    entered(
        ev(
            "process", "process-2", days_ago(25), entity=mill, crop="soybeans", bushels="700", output="soybean_oil",
            site="plant",
        )
    )  # fmt: skip


def test_a_purchase_traced_by_the_sellers_sale_goes_on_to_the_oil_made_of_it(
    cast: Cast, season: Season, owner: Client
) -> None:
    trace = where(cast, "custody_trace")
    assert stations(owner, trace, "sale-elevator")[-1] == ("Sale", "800 bu", "Soybeans", "In transit")
    processed(cast)
    rows = stations(owner, trace, "sale-elevator")
    assert ("Process", "Soybean oil", "Held") in [(what, form, state) for what, _, form, state in rows]
    assert [state for what, _, _, state in rows if what in ("Sale", "Purchase")] == [""] * sum(
        what in ("Sale", "Purchase") for what, *_ in rows
    ), "what went on lies there no more"
    chains = [row for row in rows if row[0] == "Report"]
    assert sum(int(bushels.removesuffix(" bu")) for _, bushels, _, _ in chains) == 800


def test_a_table_by_farm_says_the_numbers_of_the_drawing(cast: Cast, season: Season, owner: Client) -> None:
    """Each origin with its bushels, share and intensity: they add up to what is drawn, and nobody's name is opened."""
    processed(cast)
    shown = owner.get(where(cast, "custody_trace"), {"find": "sale-elevator"})
    found = shown.context["found"]
    drawn = sum(one.bushels for one in found.stations if one.type == "report")
    assert sum(one.bushels for one in found.farms) == drawn == 800_000
    assert sum(Decimal(one.share_pct) for one in found.farms) == 100
    assert {(one.origin, one.farm) for one in found.farms} <= {
        (one.origin, one.taker) for one in found.stations if one.type == "report"
    }
    assert all(one.ci_g_per_bu for one in found.farms)
    table = shown.context["farms"]
    assert table.foot[0][3][1].text == "800 bu"
    weighed = sum(Decimal(one.ci_g_per_bu or 0) * one.bushels for one in found.farms) / 800_000
    mean = Decimal(table.foot[0][5][1].text.replace(",", ""))
    assert abs(mean.scaleb(CI_SCALE) - weighed) <= Decimal("0.5"), "the sum says the mean of the whole"
    assert "By farm of origin" in shown.content.decode()


def test_the_seller_sees_no_station_and_no_cut_of_what_the_buyer_did(cast: Cast, season: Season) -> None:
    seller = cast.client("stranger")
    address = reverse("custody_trace", args=(cast.elevator.handle,))
    entered(ev("accept", "accept-1", days_ago(26), taker=cast.mill.handle, movement="sale-elevator", site="plant"))
    before = stations(seller, address, "sale-elevator")
    call = token(cast, cast.elevator, "stranger")
    by_call = data(get("/custody/trace?find=sale-elevator", call))["items"]
    entered(
        ev(
            "process", "process-2", days_ago(25), entity=cast.mill.handle, crop="soybeans", bushels="700",
            output="soybean_oil", site="plant",
        )
    )  # fmt: skip
    assert stations(seller, address, "sale-elevator") == before
    assert data(get("/custody/trace?find=sale-elevator", call))["items"] == by_call
    assert "oil" not in str(by_call)


def test_stations_stand_lot_by_lot_and_by_day(cast: Cast, season: Season, owner: Client) -> None:
    processed(cast)
    table = owner.get(where(cast, "custody_trace"), {"find": "sale-elevator"}).context["found"]
    order = [(one.origin, one.start_bu, one.day) for one in table.stations]
    assert order == sorted(order)


def test_the_buyers_answer_is_named_without_its_id_by_page_and_call(cast: Cast, season: Season, owner: Client) -> None:
    entered(ev("accept", "accept-8", days_ago(12), taker=cast.elevator.handle, movement="sale-mill", site="scale"))
    told = data(get("/custody/movement?event=sale-mill", token(cast, cast.mill, "owner")))
    assert (told["answer"], told["answered_by"]) == ("accept", ""), "only the buyer may open it"
    assert set(told["lots_answered"]) == {"accept"}
    assert "accept-8" not in str(told)
    assert "accept-8" not in owner.get(where(cast, "custody_movement"), {"id": "sale-mill"}).content.decode()
    buyer = data(get("/custody/movement?event=sale-mill", token(cast, cast.elevator, "stranger")))
    assert buyer["answered_by"] == "accept-8"


def test_the_lots_of_a_sale_that_was_taken_back_are_on_no_way(cast: Cast, season: Season, owner: Client) -> None:
    entered(ev("correct", "undo", days_ago(12), entity=cast.mill.handle, movement="sale-mill", reason="typed twice"))
    lots = owner.get(where(cast, "custody_movement"), {"id": "sale-mill"}).context["lots"]
    assert {row[-1].text for row in lots.cells} == {"Taken back"}
