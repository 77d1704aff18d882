"""A buyer sends back what a seller of several sites sent: to the site it left, or to another of the seller's."""

import pytest

from provender.custody.events.registry import read_event
from provender.custody.store import post as post_to
from provender.database.models.custody import CustodyEvent
from provender.database.store.custody import SqlStore
from provender.services.custody.entry import register_entity
from tests.custody.world import ev
from tests.web.api.test_calls import post
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_files import where
from tests.web.custody_season import BY, Season, days_ago, fill_custody

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    season = fill_custody(cast)
    register_entity(cast.elevator, day=SqlStore(BY).events()[-1].request.day, actor=BY, sites=["scale", "annex"])
    return season


def lies_at(cast: Cast) -> list[str]:
    with SqlStore(BY).reading() as facts:
        return sorted({lot.site for lot in facts.lots_of(cast.elevator.handle, "soybeans")})


@pytest.mark.parametrize(("site", "lies"), [("", ["scale"]), ("annex", ["annex", "scale"])])
def test_a_delivery_goes_back_to_the_site_it_left_or_to_one_that_is_named(
    cast: Cast, season: Season, site: str, lies: list[str]
) -> None:
    client = cast.client()
    address = where(cast, "custody_enter", "reject")
    form = client.get(address, {"movement": "sale-elevator", "giver": cast.elevator.handle})
    offered = [value for value, _ in form.context["form"].fields["site"].choices]
    assert offered == ["", "scale", "annex"], "the seller's sites, and none of one's own"
    typed = {"movement": "sale-elevator", "giver": cast.elevator.handle, "day": days_ago(0), "reason": "wet"}
    done = client.post(address, {"do": "post", **typed, "site": site})
    assert done.status_code == 302, done.content.decode()[-3000:]
    assert lies_at(cast) == lies


def test_a_call_sends_back_and_what_was_accepted_is_returned_alike(cast: Cast, season: Season) -> None:
    mill = token(cast, cast.mill, "owner")
    taken = ev("accept", "accept-9", days_ago(20), taker=cast.mill.handle, movement="sale-elevator", site="north")
    assert post_to(SqlStore(BY), read_event(taken)).status == "posted"
    event = {"type": "return", "id": "return-9", "day": days_ago(0), "giver": cast.mill.handle,
             "taker": cast.elevator.handle, "movement": "sale-elevator", "amount": "300"}  # fmt: skip
    assert post("/custody/events", mill, {"event": event}, "k").status_code == 201
    assert lies_at(cast) == ["scale"]
    assert post("/custody/events", mill, {"event": event}, "k2").status_code in (200, 201), "sent again it is the same"
    assert CustodyEvent.objects.filter(name="return-9").count() == 1


def test_a_form_names_the_sites_of_nobody_whom_one_does_not_deal_with(cast: Cast, season: Season) -> None:
    address = where(cast, "custody_enter", "reject")
    form = cast.client().get(address, {"movement": "sale-elevator", "giver": "somebody-else"})
    assert "annex" not in form.content.decode()
