"""What somebody new at an elevator's desk looks for: what a close needs, lots that are sold as chosen, who answered."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from provender.custody.model.event import Event, Status
from provender.services.custody import periods
from provender.services.custody.checks import alerts
from provender.services.custody.context import CustodyContext, context_of
from provender.services.custody.entry import preview, read_fields
from provender.services.custody.stock import per_mille
from provender.services.steps import counted
from tests.web.api.test_calls import post
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_pages import enter, sale, texts, where
from tests.web.custody_season import BY, Season, fill_custody


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


def desk_of(cast: Cast) -> CustodyContext:
    desk = context_of(cast.mill, actor=BY, today=timezone.localdate())
    assert desk is not None
    return desk


def test_a_period_that_runs_says_what_its_close_needs(cast: Cast, season: Season, owner: Client) -> None:
    page = owner.get(where(cast, "custody_period") + f"?start={season.open}")
    assert "What the close needs" in texts(page)
    assert "the close would be refused: The site has no record of grain." in texts(page)
    assert "What the close needs" in texts(owner.get(where(cast, "custody_periods")))
    for site in ("north", "plant"):
        for form in ("soybeans", "soybean_oil", "corn"):
            fields = {"site": site, "form": form, "amount": "900000", "number": f"{site}-{form}"}
            assert enter(owner, cast, "measurement", **fields).status_code == 302
    page = owner.get(where(cast, "custody_period") + f"?start={season.open}")
    assert "As the book stands, nothing is in the way." in texts(page)
    assert "closed on its last day" in texts(page)
    closed = owner.get(where(cast, "custody_period") + f"?start={season.closed}")
    assert "What the close needs" not in texts(closed)


def test_a_period_that_runs_names_what_the_checks_ask_and_what_waits(cast: Cast, season: Season, owner: Client) -> None:
    page = owner.get(where(cast, "custody_period") + f"?start={season.open}")
    asked = alerts(desk_of(cast))
    assert asked, "the season leaves something to look at"
    assert f"Look at {counted(len(asked), 'check')}" in texts(page)
    assert f'href="{where(cast, "custody_checks")}"' in page.content.decode()
    assert "Look at" not in texts(owner.get(where(cast, "custody_period") + f"?start={season.closed}"))


@pytest.mark.parametrize(("days", "status"), [(-1, None), (0, None), (1, Status.PERIOD_NOT_ENDED)])
def test_no_period_is_closed_on_a_day_that_is_still_to_come(
    cast: Cast, season: Season, days: int, status: Status | None
) -> None:
    desk = desk_of(cast)
    last = next(one for one in desk.periods if one.start == season.open).end
    on = timezone.localdate() + timedelta(days=days)
    asked = read_fields("close", {"id": "c", "entity": desk.id, "day": last.isoformat(), "closed_on": on.isoformat()})
    assert getattr(asked, "status", None) == status
    if isinstance(asked, Event):
        assert preview(desk, asked).status is Status.PERIOD_NOT_ENDED, "it ends in three weeks: before its last day"


def test_the_api_closes_no_period_before_it_is_over(cast: Cast, season: Season) -> None:
    desk = desk_of(cast)
    last = next(one for one in desk.periods if one.start == season.open).end.isoformat()
    answer = post(
        "/custody/events",
        token(cast, cast.mill, "owner"),
        {"event": {"type": "close", "id": "c", "entity": desk.id, "day": last, "closed_on": last}},
        "k",
    )
    assert "period_not_ended" in answer.content.decode()


def test_a_delivery_says_that_it_was_accepted_and_in_the_list_too(cast: Cast, season: Season, owner: Client) -> None:
    movement = where(cast, "custody_movement") + f"?id={season.delivery}"
    assert "by the buyer" not in texts(owner.get(movement))
    assert enter(owner, cast, "accept", movement=season.delivery, site="north").status_code == 302
    assert "Accepted by the buyer." in texts(owner.get(movement))
    assert "Accepted" in texts(owner.get(where(cast, "custody_incoming"))).split("Came in last")[1]


def test_a_delivery_sent_back_says_so(cast: Cast, season: Season, owner: Client) -> None:
    assert enter(owner, cast, "reject", movement=season.delivery, giver=cast.elevator.handle).status_code == 302
    assert "Sent back by the buyer." in texts(owner.get(where(cast, "custody_movement") + f"?id={season.delivery}"))


def test_a_ticket_says_what_it_is_once_it_is_entered(cast: Cast, season: Season, owner: Client) -> None:
    fields = {"site": "north", "form": "corn", "amount": "952.3", "number": "T-9"}
    assert enter(owner, cast, "receipt", **fields).status_code == 302
    said = texts(owner.get(where(cast, "custody_day")))
    day = date_format(timezone.localdate(), "DATE_FORMAT")
    assert f"Ticket T-9 of {day}: 952.3 bu of corn in at north." in said
    assert "952.3 bu" in said


@pytest.mark.parametrize(
    ("parts", "want"),
    [([1, 1, 1], [334, 333, 333]), ([465, 100, 109], [690, 148, 162]), ([5], [1000]), ([0, 0], [0, 0]), ([], [])],
)
def test_shares_add_up_to_the_whole(parts: list[int], want: list[int]) -> None:
    assert per_mille(parts) == want


def test_a_period_that_is_due_is_closed_from_its_list(cast: Cast, season: Season) -> None:
    desk = desk_of(cast)
    running = next(one for one in desk.periods if one.start == season.open)
    assert periods.would_close(desk, running) is not None
    later = [one for one in desk.periods if one.start > season.open]
    assert all(periods.would_close(desk, one) is None for one in later)


def test_a_sale_within_a_range_says_what_may_be_taken(cast: Cast, season: Season, owner: Client) -> None:
    page = enter(owner, cast, "sale", **sale(cast, "100", ci_max="1"))
    assert "What may be taken is 0 bu" in texts(page)
