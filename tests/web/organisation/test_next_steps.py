"""The overview of a trader and of a verifier says what to do next, and home stays short for those who see many."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.database.actor import Actor
from provender.database.models import Organisation, Right, Role
from provender.services.accounts.grants import grant_reading
from provender.services.accounts.organisations import add_member, create_organisation
from provender.web.access import access_organisation
from provender.web.custody.pages.context import desk_at
from provender.web.organisation.next_steps import _periods
from provender.web.organisation.pages.home import CARDS
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

Words = Callable[[str, Organisation], list[str]]


@pytest.fixture
def words(cast: Cast) -> Words:
    def said(part: str, organisation: Organisation) -> list[str]:
        client = cast.client(part)
        page = client.get(reverse("organisation", args=(organisation.handle,)))
        return [step.words for step in page.context["next_steps"]]

    return said


def test_who_has_no_book_of_custody_opens_one(cast: Cast, words: Words) -> None:
    assert words("stranger", cast.elevator) == ["Open the book"]


def test_what_waits_for_a_trader_stands_on_its_overview(cast: Cast, words: Words) -> None:
    fill_custody(cast)
    assert words("owner", cast.mill) == ["Accept 1 delivery", "Buy 1 sale slip", "Assign slips to 1 purchase"]
    client = cast.client()
    glance = client.get(reverse("organisation", args=(cast.mill.handle,))).context["glance"]
    assert glance[0][1] == "2,500 bu of crop"
    assert glance[1][1].endswith(", open")
    others = words("stranger", cast.elevator)
    assert (others[0], others[-1]) == ("Accept 1 delivery", "Put your contracts on file")


@pytest.mark.parametrize(
    ("days_after_its_end", "said"),
    [
        (-14, []),
        (-13, ["Declare the next period"]),
        (0, ["Declare the next period"]),
        (1, ["Close the period", "Declare a mass balance time period"]),
    ],
)
def test_a_period_is_declared_before_the_last_one_ends_and_closed_after_it(
    cast: Cast, days_after_its_end: int, said: list[str]
) -> None:
    fill_custody(cast)
    access = access_organisation(cast.person("owner"), cast.mill.handle, to="read")
    desk = desk_at(access)
    assert desk is not None
    desk.today = desk.periods[-1].end + timedelta(days=days_after_its_end)
    assert [step.words[: len(words)] for step, words in zip(_periods(desk), said, strict=True)] == said


def test_a_verifier_registers_a_key_and_goes_on_with_its_audits(cast: Cast, words: Words) -> None:
    assert words("verifier_in", cast.verifier) == ["Register your signing key", "Audit Ada's Farm"]
    former = Organisation.objects.get(name="Past Verifiers")
    assert words("verifier_out", former) == [
        "Enter your accreditation",
        "Register your signing key",
        "Have somebody let you in",
    ]
    days = {"first_day": timezone.localdate(), "last_day": timezone.localdate()}
    grant_reading(cast.farm, former, **days, purpose="Audit", actor=cast.actor("owner"))
    assert words("verifier_out", former)[-1] == "Open an audit"


def test_home_is_a_table_to_search_for_somebody_who_works_for_many(cast: Cast) -> None:
    client, by = Client(), Actor(None, "test")
    client.force_login(cast.person("consultant"))
    for number in range(CARDS):
        farm = create_organisation(f"Farm {number}", roles=[Role.FARM], manager=cast.person("stranger"), actor=by)
        add_member(farm, cast.person("consultant"), Right.WRITE, actor=by, on_behalf_of=cast.adviser)
    home = client.get(reverse("home"))
    assert len(home.context["places"].rows) == len(home.context["memberships"]) > CARDS
    assert b"Farm 11</a>" in home.content
    client.force_login(cast.person("owner"))
    assert "places" not in client.get(reverse("home")).context
