"""A year without a crop between two with crops is shown as empty, with the form that adds its crop."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from provender.services.farm.book import Edit, change_book, farm_book_of
from provender.services.farm.field_says import before_crop, empty_years
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

CORN = {"harvest_id": "N40-2027", "unit_id": "N40", "crop": "corn", "ending": "not_yet"}


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    return cast.client()


def write(cast: Cast, kind: str, key: str, **row: str) -> None:
    change_book(cast.book, [Edit(kind, key, row)], reason="test", actor=cast.actor("owner"))


def found(cast: Cast) -> list[tuple[str, str]]:
    return [(one.unit_id, one.words) for one in empty_years(farm_book_of(cast.farm))]


def page(cast: Cast, client: Client, name: str, **asked: str) -> str:
    return unescape(client.get(reverse(name, args=(cast.farm.handle,)), asked).content.decode())


def test_a_field_with_a_crop_each_year_has_no_empty_year(cast: Cast, owner: Client) -> None:
    assert not found(cast)
    assert "nothing entered" not in page(cast, owner, "farm_season", unit="N40")


def test_the_page_of_a_field_shows_the_year_between_with_the_form_of_its_crop(cast: Cast, owner: Client) -> None:
    write(cast, "harvest", "N40-2027", **CORN)
    assert found(cast) == [("N40", "2026: nothing entered")]
    shown = page(cast, owner, "farm_season", unit="N40")
    assert re.findall(r"<h2[^>]*>[^<]*(20\d\d)[^<]*</h2>", shown) == ["2025", "2026", "2027"]
    link = re.search(r'2026: nothing entered</h2><p> <a href="([^"]*)">Add its crop', shown)
    assert link
    form = owner.get(link[1]).context["form"]
    assert (form["unit_id"].value(), form["harvest_year"].value()) == ("N40", "2026")


def test_the_season_drawing_and_the_crop_say_it(cast: Cast, owner: Client) -> None:
    write(cast, "harvest", "N40-2027", **CORN)
    write(cast, "planting", "P27", planting_id="P27", harvest_id="N40-2027", planted_on="2027-04-20")
    drawn = page(cast, owner, "farm_season", year="2027")
    assert "2026: nothing entered" in drawn
    assert 'class="lane-empty"' in drawn
    assert "2026: nothing entered" in page(cast, owner, "farm_crop", crop="N40-2027")
    bare = page(cast, owner, "farm_season", year="2026")
    assert "2026: nothing entered" in bare
    assert "No records of" not in bare
    assert '<a href="?year=2026"' in page(cast, owner, "farm_season")


def test_who_may_only_read_is_offered_no_form(cast: Cast, owner: Client) -> None:
    write(cast, "harvest", "N40-2027", **CORN)
    shown = page(cast, cast.client("reader"), "farm_season", unit="N40")
    assert "2026: nothing entered" in shown
    assert "Add its crop" not in shown


def test_work_without_a_crop_is_not_nothing(cast: Cast, owner: Client) -> None:
    write(cast, "harvest", "N40-2027", **CORN)
    write(cast, "operation", "X", operation_id="X", unit_id="N40", day="2026-05-01", operation="Sprayer, kill crop")
    assert found(cast) == [("N40", "2026: no crop entered")]


@pytest.mark.parametrize(("key", "ending"), [("N40-2026", "fallow"), ("N40-2026", "prevented"), ("rest", "fallow")])
def test_a_year_that_lay_fallow_is_entered(cast: Cast, owner: Client, key: str, ending: str) -> None:
    write(cast, "harvest", "N40-2027", **CORN)
    write(cast, "harvest", key, harvest_id=key, unit_id="N40", crop="other", ending=ending)
    assert not found(cast), "and of a name without a year nobody knows which it is"


def test_several_years_stand_in_order_and_an_old_slip_asks_for_no_more(cast: Cast, owner: Client) -> None:
    write(cast, "harvest", "N40-2029", **{**CORN, "harvest_id": "N40-2029"})
    years = empty_years(farm_book_of(cast.farm))
    assert [one.year for one in before_crop(years, "N40", 2029)] == [2026, 2027, 2028]
    assert not before_crop(years, "N40", 2025)
    assert not before_crop(years, "N40", None)
    write(cast, "harvest", "old", harvest_id="old", unit_id="N40", crop="corn", ending="harvested",
          first_day="1925-10-01", last_day="1925-10-01")  # fmt: skip
    assert len(found(cast)) <= 10
