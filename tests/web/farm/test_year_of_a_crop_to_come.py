"""A crop entry that is not harvested yet is of a year that somebody sees and may change, never of this one unasked."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from provender.database import actor
from provender.records.kind import KINDS
from provender.services.farm.book import farm_book_of
from provender.services.farm.growing import growing_of, year_to_come
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

TO_COME = {"unit_id": "N40", "crop": "corn", "ending": "not_yet"}
RYE = {"cover_id": "R1", "unit_id": "N40", "species": "cereal rye", "method": "drilled"}


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    return cast.client()


def row(cast: Cast, kind: str) -> str:
    return reverse("farm_row", args=(cast.farm.handle, kind))


def seen(cast: Cast) -> dict[str, str]:
    return {"seen_version": str(farm_book_of(cast.farm).version)}


def entries(cast: Cast) -> set[str]:
    return set(farm_book_of(cast.farm).of(KINDS["harvest"]))


@pytest.mark.parametrize(("seeded", "year"), [("2030-10-05", 2031), ("7/1/2030", 2031), ("2030-06-30", 2030)])
def test_the_crop_after_a_cover_is_of_the_year_in_which_it_grows(
    cast: Cast, owner: Client, seeded: str, year: int
) -> None:
    sent = {**RYE, **seen(cast), "seeded_on": seeded, "leave": "harvest_id"}
    where = owner.post(row(cast, "cover_crop"), sent).headers["Location"]
    page = owner.get(where)
    assert page.context["form"]["harvest_year"].value() == str(year)
    assert "Harvest year" in page.content.decode()
    before = entries(cast)
    assert owner.post(where, {**TO_COME, **seen(cast), "harvest_year": str(year)}).status_code == 302
    assert entries(cast) - before == {f"N40-{year}"}
    assert [one["harvest_year"] for one in growing_of(farm_book_of(cast.farm))] == [year]


@pytest.mark.parametrize(("month", "after"), [(10, 0), (11, 1)])
def test_without_more_it_is_this_year_until_its_harvests_are_over(
    cast: Cast, owner: Client, monkeypatch: pytest.MonkeyPatch, month: int, after: int
) -> None:
    monkeypatch.setattr(actor, "now", lambda: datetime(2040, month, 20, 18, tzinfo=UTC), raising=False)
    monkeypatch.setattr("provender.services.farm.growing.today", lambda: datetime(2040, month, 20, tzinfo=UTC).date())
    assert year_to_come(farm_book_of(cast.farm), "N40") == 2040 + after
    before = entries(cast)
    assert owner.post(row(cast, "harvest"), {**TO_COME, **seen(cast)}).status_code == 302
    assert entries(cast) - before == {f"N40-{2040 + after}"}


def test_a_year_that_is_none_is_told(cast: Cast, owner: Client) -> None:
    for wrong in ("next", "20311", "1979"):
        page = owner.post(row(cast, "harvest"), {**TO_COME, **seen(cast), "harvest_year": wrong})
        assert "harvest_year" in page.context["form"].errors, wrong


def test_two_crops_to_come_of_two_years_are_no_repeat(cast: Cast, owner: Client) -> None:
    for year in ("2031", "2032"):
        sent = {**TO_COME, **seen(cast), "harvest_year": year}
        assert owner.post(row(cast, "harvest"), sent).status_code == 302, year
    again = owner.post(row(cast, "harvest"), {**TO_COME, **seen(cast), "harvest_id": "ELSE", "harvest_year": "2032"})
    assert again.status_code == 200, "one without a year in its name may be either"
    assert "already" in again.content.decode()
