"""What somebody new at an elevator's desk looks for: what a close needs, and pages and a log in plain words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from provender.custody.model.event import Event, Status
from provender.database.actor import today
from provender.database.store.custody_lists import stock_of
from provender.services.accounts.views import LogView
from provender.services.custody import periods
from provender.services.custody.entry import preview, read_fields
from provender.services.custody.stock import per_mille
from provender.services.dashboard import tiles_of
from provender.web.organisation.deeds import about_of, deed_said
from tests.web.cast import Cast
from tests.web.custody.asking import desk_of, enter, texts, where
from tests.web.custody_season import Season

pytestmark = pytest.mark.django_db


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


def test_the_mean_of_an_overview_is_of_one_crop(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = stock_of(cast.mill.handle)
    corn = [replace(row, key=row.key._replace(crop="corn", ci=row.key.ci * 2)) for row in rows]
    monkeypatch.setattr("provender.services.dashboard.stock_of", lambda _: [*rows, *corn])
    tiles = {tile.label: tile.note for tile in tiles_of(cast.mill, None, today())}
    assert tiles["Soybeans on hand with CI"] == "Mean CI 5,000 g CO2e/bu"
    assert tiles["Corn on hand with CI"] in ("Mean CI 10,000 g CO2e/bu", "Mean CI 10,001 g CO2e/bu")


@pytest.mark.parametrize(
    ("deed", "about", "said"),
    [
        ("audit: population frozen", "V-1, 3 farms, freezing 0123456789ab", "V-1, 3 farms"),
        ("audit: seed committed, sample drawn", "V-1, 3 farms, seed 0123456789ab", "V-1, 3 farms"),
        ("audit: finding", "V-1, responded 2", "finding 2 answered (V-1)"),
        ("audit: finding", "V-1, finding", "V-1, finding"),
        ("store file", "columns-of-ticket-0f.json", "what the columns of a file of tickets mean"),
        ("store file", "photo.jpg", "photo.jpg"),
    ],
)
def test_no_mark_of_the_program_stands_in_the_log(deed: str, about: str, said: str) -> None:
    row = LogView(1, datetime(2026, 11, 1, tzinfo=UTC), "Vic", "page", deed, about, None, None)
    assert about_of(row) == said
    assert deed_said(deed) != deed
