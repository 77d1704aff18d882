"""What was sown and its pass: asked on To do with both rows; the form of the missing one begins with what is known."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, farm_book_of
from provender.services.farm.sown import pass_of, sowing_questions
from provender.web.farm.forms import SEEN
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

PLANTER = "N40-04"
DRILL = "N40-01"
NEXT = {"harvest_id": "N40-2026", "unit_id": "N40", "crop": "corn", "ending": "not_yet"}
RYE = {"cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-2026", "seeded_on": "2025-10-10", "method": "drilled"}


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    return cast.client()


def change(cast: Cast, kind: str, key: str, **changed: str) -> None:
    texts = farm_book_of(cast.farm).texts(KINDS[kind], key) or {}
    row = {**texts, **changed} if changed else None
    change_book(cast.book, [Edit(kind, key, row)], reason="test", actor=cast.actor("owner"))


def todo(cast: Cast, client: Client) -> str:
    page = client.get(reverse("farm_todo", args=(cast.farm.handle,))).content.decode()
    return unescape(page.partition('id="sowing"')[2].partition("</section>")[0])


def row_page(cast: Cast, kind: str) -> str:
    return reverse("farm_row", args=(cast.farm.handle, kind))


def test_a_season_that_fits_asks_nothing(cast: Cast, owner: Client) -> None:
    assert not todo(cast, owner)


def test_two_days_that_differ_are_asked_with_both_rows(cast: Cast, owner: Client) -> None:
    change(cast, "operation", PLANTER, day="2025-05-05")
    said = todo(cast, owner)
    assert "1 question" in said
    assert "Say which day is right" in said
    assert "planting N40-P1 is of Apr 23, 2025, and pass N40-04 of a planter or drill is of May 5, 2025" in said
    assert f"{row_page(cast, 'planting')}?row=N40-P1" in said
    assert f"{row_page(cast, 'operation')}?row={PLANTER}" in said


@pytest.mark.parametrize(("key", "words", "day", "operation"), [
    (PLANTER, "Add the pass of the planter", "2025-04-23", "Planter, double disk opnr"),
    (DRILL, "Add the pass of the drill", "2024-10-08", "Drill or airseeder, double disk"),
])  # fmt: skip
def test_the_form_of_a_missing_pass_begins_with_field_day_and_operation(
    cast: Cast, owner: Client, key: str, words: str, day: str, operation: str
) -> None:
    change(cast, "operation", key)
    link = re.search(rf'<a href="([^"]*)">{words}</a>', todo(cast, owner))
    assert link
    page = owner.get(link[1])
    form = page.context["form"]
    assert {name: form[name].value() for name in ("unit_id", "day")} == {"unit_id": "N40", "day": day}
    assert str(form["operation"].value()).startswith(operation)
    assert "Filled in from what your records say already" in page.content.decode()
    assert key not in farm_book_of(cast.farm).of(KINDS["operation"]), "nothing is written unasked"


def test_what_the_farm_sows_with_is_what_it_sowed_such_a_thing_with_last(cast: Cast, owner: Client) -> None:
    heavy = "Drill, heavy, direct seed, dbl disk opnr"
    change(cast, "operation", "K45-02", operation=heavy)
    farm = farm_book_of(cast.farm)
    assert pass_of(farm, "cover_crop", RYE) == {"unit_id": "N40", "day": "2025-10-10", "operation": heavy}
    beans = {"harvest_id": "G70-2025", "planted_on": "2025-06-09"}
    assert pass_of(farm, "planting", {**beans, "harvest_id": "N40-2025"})["operation"].startswith("Planter")


def test_a_pass_alone_offers_what_it_sowed(cast: Cast, owner: Client) -> None:
    change(cast, "planting", "N40-P1")
    change(cast, "cover_crop", "N40-C1")
    found = {one.sower.key: one.adds for one in sowing_questions(farm_book_of(cast.farm)) if one.sower}
    assert found == {
        PLANTER: ("planting", {"harvest_id": "N40-2025", "planted_on": "2025-04-23"}),
        DRILL: ("cover_crop", {"unit_id": "N40", "harvest_id": "N40-2025", "seeded_on": "2024-10-08"}),
    }
    link = re.search(r'<a href="([^"]*)">Add the planting</a>', todo(cast, owner))
    assert link
    form = owner.get(link[1]).context["form"]
    assert (form["harvest_id"].value(), form["planted_on"].value()) == ("N40-2025", "2025-04-23")


def test_whoever_saves_a_drilled_cover_is_led_to_its_pass(cast: Cast, owner: Client) -> None:
    change(cast, "harvest", "N40-2026", **NEXT)
    sent = {**RYE, SEEN: farm_book_of(cast.farm).version}
    page = owner.post(row_page(cast, "cover_crop"), sent, follow=True)
    told = [(str(one), one.extra_tags) for one in page.context["messages"] if one.level_tag == "warning"]
    ((words, address),) = told
    assert "RYE was drilled on 2025-10-10" in words
    form = owner.get(address).context["form"]
    assert (form["unit_id"].value(), form["day"].value()) == ("N40", "2025-10-10")
    assert "rill" in form["operation"].value()
    assert "Add the pass of the drill" in todo(cast, owner), "and it stays on the list"


def test_whoever_saves_one_that_was_flown_on_is_led_nowhere(cast: Cast, owner: Client) -> None:
    change(cast, "harvest", "N40-2026", **NEXT)
    sent = {**RYE, "method": "aerial", SEEN: farm_book_of(cast.farm).version}
    page = owner.post(row_page(cast, "cover_crop"), sent, follow=True)
    assert not [one for one in page.context["messages"] if one.level_tag == "warning"]
    assert not todo(cast, owner)


def test_a_gap_of_a_pass_opens_the_form_with_what_is_known(cast: Cast, owner: Client) -> None:
    change(cast, "operation", DRILL)
    page = unescape(owner.get(reverse("farm_crop", args=(cast.farm.handle,)), {"crop": "N40-2025"}).content.decode())
    assert "operation/row/?unit_id=N40&day=2024-10-08&operation=Drill" in page


def test_a_gap_whose_pass_is_of_another_day_opens_that_pass(cast: Cast, owner: Client) -> None:
    change(cast, "operation", PLANTER, day="2025-05-05")
    page = unescape(owner.get(reverse("farm_crop", args=(cast.farm.handle,)), {"crop": "N40-2025"}).content.decode())
    assert f"operation/row/?row={PLANTER}" in page, "a second pass would count twice"
    assert "operation/row/?unit_id=N40" not in page
