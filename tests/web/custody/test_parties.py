"""Parties go by their names, with the code beside; lists and the search take both, and a strange code tells nothing."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import read_event
from provender.custody.store import post
from provender.database.choices import Role
from provender.database.store.custody import SqlStore
from provender.database.store.custody_lists import names_of
from provender.services.accounts.organisations import create_organisation
from provender.services.custody.checks import alerts
from provender.services.custody.context import buyers, context_of, dealt_with, parties_meant
from provender.services.custody.entry import register_entity
from provender.services.search import search
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody_season import BY, days_ago, fill_custody

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(cast: Cast) -> Cast:
    fill_custody(cast)
    return cast


def page(cast: Cast, name: str, *more: str, part: str = "owner", **asked: str) -> Any:  # noqa: ANN401 - the client's
    return cast.client(part).get(reverse(name, args=(cast.mill.handle, *more)), asked)


def desk_of(cast: Cast) -> Any:  # noqa: ANN401 - never None here
    return context_of(cast.mill, actor=BY, today=timezone.localdate())


def cells(answer: Any, table: str) -> list[list[tuple[str, str]]]:  # noqa: ANN401 - the client's
    return [[(cell.text, cell.note) for cell in row] for row in answer.context[table].rows]


@pytest.mark.parametrize("name", ["sales", "movements"])
def test_a_movement_says_the_name_and_quietly_the_code(world: Cast, name: str) -> None:
    rows = cells(page(world, f"custody_{name}"), name)
    parties = {cell for row in rows for cell in row[2:4] if cell[0]}
    assert (world.elevator.name, world.elevator.handle) in parties
    assert (world.mill.name, "") in parties, "oneself needs no code"
    saved = page(world, f"custody_{name}", save="csv").content.decode()
    assert f"{world.elevator.name} ({world.elevator.handle})" in saved


@pytest.mark.parametrize("typed", ["name", "part", "code"])
@pytest.mark.parametrize("list_of", ["sales", "movements"])
def test_a_list_is_asked_for_one_partner_by_name_or_code(world: Cast, typed: str, list_of: str) -> None:
    said = {"name": world.elevator.name.upper(), "part": world.elevator.name[:3], "code": world.elevator.handle}
    answer = page(world, f"custody_{list_of}", partner=said[typed])
    rows = cells(answer, list_of)
    assert rows
    assert all(world.elevator.name in (row[2][0], row[3][0]) for row in rows)
    assert len(rows) < len(cells(page(world, "custody_movements"), "movements"))


def test_nobody_of_that_name_is_said_and_nothing_more(world: Cast) -> None:
    create_organisation("Far Away Fuels", roles=[Role.REFINER], manager=None, actor=BY, handle="far-away")
    for typed in ("far-away", "Far Away Fuels", "nobody"):
        text = page(world, "custody_sales", partner=typed).content.decode()
        assert f"No row here is with “{typed}”." in text
        assert text.count("Far Away Fuels") == (2 if typed == "Far Away Fuels" else 0), "only what was typed"


def test_a_link_with_a_strange_code_does_not_tell_its_name(world: Cast) -> None:
    other = create_organisation("Far Away Fuels", roles=[Role.REFINER], manager=None, actor=BY, handle="far-away")
    register_entity(other, day=timezone.localdate(), actor=BY)
    for kind, field in (("sale", "taker"), ("purchase", "giver"), ("storage", "owner")):
        assert "Far Away Fuels" not in page(world, "custody_enter", kind, **{field: "far-away"}).content.decode()
    farm = page(world, "custody_enter", "purchase", giver=world.farm.handle).content.decode()
    assert world.farm.name in farm.replace("&#x27;", "'")


def test_names_of_registered_organizations_without_a_book_are_known(world: Cast) -> None:
    create_organisation("Far Away Fuels", roles=[Role.REFINER], manager=None, actor=BY, handle="far-away")
    assert names_of(["far-away", "nowhere", ""]) == {"far-away": "Far Away Fuels", "nowhere": "nowhere"}


def test_only_those_who_may_take_crop_are_offered_as_buyers(world: Cast) -> None:
    desk = desk_of(world)
    assert list(buyers(desk)) == [world.elevator.handle], "the farm sells and never takes"
    assert world.farm.handle in desk.partners
    plant = create_organisation("A Plant", roles=[Role.REFINER], manager=None, actor=BY, handle="a-plant")
    register_entity(plant, day=timezone.localdate(), actor=BY)
    deal = {"entity": world.mill.handle, "counterparty": "a-plant", "role": "recipient", "number": "K-9"}
    done = post(SqlStore(BY), read_event(ev("contract", "contract-9", days_ago(9), start_day=days_ago(9), **deal)))
    assert done.status == "posted"
    assert list(buyers(desk_of(world))) == [world.elevator.handle, "a-plant"], "whom it sold to lately stands first"
    form = page(world, "custody_enter", "sale").context["form"]
    assert [code for code, _ in form.fields["taker"].choices if code] == [world.elevator.handle, "a-plant"]


def test_whom_a_text_means(world: Cast) -> None:
    desk = desk_of(world)
    assert {world.farm.handle, world.elevator.handle} <= dealt_with(desk).keys()
    assert world.elevator.handle in parties_meant(desk, world.elevator.name.lower())
    assert parties_meant(desk, " zzz ") == {"zzz"}


def test_the_search_finds_a_partner_by_name_and_by_code(world: Cast) -> None:
    for typed in (world.elevator.name, world.elevator.handle):
        found = [one for one in search(world.mill, typed) if one.group == "Partners"]
        assert [(one.words, one.note) for one in found] == [(world.elevator.name, world.elevator.handle)]
        assert (found[0].page, found[0].query) == ("custody_movements", (("partner", world.elevator.handle),))
    assert not [one for one in search(world.elevator, world.farm.name) if one.group == "Partners"], "no contract"


def test_an_alert_names_the_party(world: Cast) -> None:
    desk = context_of(world.elevator, actor=BY, today=timezone.localdate())
    assert desk is not None
    said = " ".join(one.said for one in alerts(desk))
    assert f"no contract on file with {world.farm.name}, code {world.farm.handle} (" in said
