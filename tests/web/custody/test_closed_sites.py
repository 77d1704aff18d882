"""A site is closed on the page, by a call and in a batch; it is marked wherever sites are shown, and opened again."""

from datetime import date

import pytest

from provender.custody.events.registry import read_event
from provender.services.custody.entry import post_events, register_entity
from tests.custody.world import ev
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.asking import where
from tests.web.custody_season import BY, days_ago


@pytest.fixture
def mill(cast: Cast) -> Cast:
    register_entity(cast.mill, day=_day(3), actor=BY, sites=["annex"])
    return cast


def _day(ago: int) -> date:
    return date.fromisoformat(days_ago(ago))


def page(cast: Cast) -> str:
    return str(cast.client("owner").get(where(cast, "custody_partners")).content.decode())


def test_a_site_is_closed_and_opened_again_from_the_page_of_sites(mill: Cast) -> None:
    client = mill.client()
    assert 'aria-label="Close annex"' in page(mill)
    form = client.get(where(mill, "custody_enter", "close-site"), {"site": "annex"})
    fields = {"event": form.context["form"].initial["event"], "day": days_ago(0), "site": "annex", "do": "enter"}
    assert client.post(where(mill, "custody_enter", "close-site"), fields).status_code == 302
    told = page(mill)
    assert 'aria-label="Open annex again"' in told
    assert "closed from" in told
    assert ("annex", "annex (closed)") in client.get(where(mill, "custody_enter", "receipt")).context["form"].fields[
        "site"
    ].choices
    link = next(
        deed for site, _, deed in client.get(where(mill, "custody_partners")).context["sites"] if site == "annex"
    )
    form = client.get(link)
    known = form.context["form"].initial
    again = {**{name: known[name] for name in ("event", "day", "movement")}, "reason": "a new lease", "do": "enter"}
    assert client.post(where(mill, "custody_enter", "correct"), again).status_code == 302
    assert 'aria-label="Close annex"' in page(mill)


def test_calls_close_a_site_show_it_and_refuse_what_comes_after(mill: Cast) -> None:
    secret = token(mill, mill.mill, "owner")
    shut = {"type": "close_site", "id": "shut-annex", "day": days_ago(1), "entity": mill.mill.handle, "site": "annex"}
    answer = post("/custody/events", secret, {"event": shut}, "key-1")
    assert answer.status_code == 201, answer.content
    [closed] = data(get("/custody/entity", secret))["closed_sites"]
    assert (closed["site"], closed["closed"], closed["event"]) == ("annex", days_ago(1), "shut-annex")
    ticket = {
        "type": "receipt", "id": "late", "day": days_ago(0), "entity": mill.mill.handle, "site": "annex",
        "form": "corn", "amount": "5", "number": "T-late",
    }  # fmt: skip
    answer = post("/custody/events", secret, {"event": ticket}, "key-2")
    assert (answer.status_code, "site_closed" in answer.content.decode()) == (409, True)
    other = {**shut, "id": "theirs", "entity": mill.elevator.handle}
    assert post("/custody/events", secret, {"event": other}, "key-3").status_code == 409


def test_a_batch_sees_the_closing_that_it_brings(mill: Cast) -> None:
    name = mill.mill.handle
    events = [
        ev("close_site", "shut", days_ago(1), entity=name, site="annex"),
        ev("receipt", "late", days_ago(0), entity=name, site="annex", form="corn", amount="5", number="T-late"),
    ]
    answers = post_events(list(map(read_event, events)), organisation=mill.mill, actor=BY, whole=False)
    assert [str(one.status) for one in answers] == ["posted", "site_closed"]
