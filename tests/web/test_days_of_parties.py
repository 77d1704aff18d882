"""Days are the party's days: in the time zone of its county, on pages and in calls, shown with the zone."""

from datetime import UTC, date, datetime, timedelta
from unittest import mock

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.catalog.places import SPOKEN, counties, zone_of
from provender.catalog.tables import rows
from provender.database.actor import Actor, at_the_place_of, today
from provender.database.choices import Role
from provender.services.accounts.organisations import create_organisation
from provender.services.accounts.tokens import create_token, find_token
from tests.web.cast import Cast

BY = Actor(None, "test")
LATE = datetime(2026, 10, 1, 4, 30, tzinfo=UTC)
"""Half past eleven in the evening of September 30 in Iowa, half past midnight of October 1 in New York."""


@pytest.mark.parametrize(
    ("county", "state", "zone"),
    [
        ("Story", "IA", "America/Chicago"),
        ("Story County", "ia", "America/Chicago"),
        ("Sherman", "KS", "America/Denver"),
        ("Riley", "KS", "America/Chicago"),
        ("Lake", "IN", "America/Chicago"),
        ("Marion", "IN", "America/Indiana/Indianapolis"),
        ("Knox", "TN", "America/New_York"),
        ("Shelby", "TN", "America/Chicago"),
        ("Malheur", "OR", "America/Denver"),
        ("Maricopa", "AZ", "America/Phoenix"),
        ("", "", "America/Chicago"),
        ("Nowhere", "XX", "America/Chicago"),
    ],
)
def test_a_county_has_its_zone(county: str, state: str, zone: str) -> None:
    assert zone_of(county, state) == zone


def test_every_state_and_county_of_the_table_exists_and_every_zone_has_a_name() -> None:
    known = {(one.state, one.name) for one in counties().values()}
    listed = rows("time_zones.csv")
    assert not [row for row in listed if row["county"] and (row["state"], row["county"]) not in known]
    assert {row["state"] for row in listed} == {one.state for one in counties().values()}
    assert {row["zone"] for row in listed} == set(SPOKEN)


@pytest.mark.django_db
def test_the_day_is_that_of_the_party_whose_door_is_open(cast: Cast) -> None:
    person = cast.person("owner")
    east = create_organisation("East", roles=[Role.FIRST_POINT], manager=person, county="", state="NY", actor=BY)
    west = create_organisation("West", roles=[Role.FIRST_POINT], manager=person, county="Story", state="IA", actor=BY)
    with mock.patch("django.utils.timezone.now", return_value=LATE):
        for party, day in ((east, "2026-10-01"), (west, "2026-09-30")):
            at_the_place_of(party)
            assert today().isoformat() == day
    timezone.deactivate()
    for party, zone in ((east, "Eastern time"), (west, "Central time")):
        page = cast.client().get(reverse("organisation", args=(party.handle,)))
        assert f"Days and times are {zone}." in page.content.decode()
        assert page.context["zone"] == zone


@pytest.mark.django_db
def test_a_token_works_through_its_last_day_at_the_place_of_its_organisation(cast: Cast) -> None:
    """Near midnight the day of whoever names no State is over, or not, while the organisation's is another."""
    person, last = cast.person("owner"), date(2026, 9, 30)
    for state, hours in (("NY", (False, False, True)), ("IA", (False, True, True)), ("CO", (True, True, True))):
        party = create_organisation(state, roles=[Role.FARM], manager=person, county="", state=state, actor=BY)
        with mock.patch("django.utils.timezone.now", return_value=LATE - timedelta(days=3)):
            _, secret = create_token(
                party, name="t", scopes=["organisation:read"], expires_on=last, actor=Actor(person, "test")
            )
        for hour, opens in zip((5, 4, 3), hours, strict=True):
            with mock.patch("django.utils.timezone.now", return_value=LATE.replace(hour=hour)):
                assert (find_token(secret) is not None) is opens, (state, hour)
                timezone.deactivate()


@pytest.mark.django_db
def test_the_zone_of_one_request_is_not_that_of_the_next(cast: Cast) -> None:
    at_the_place_of(cast.farm)
    Client().get(reverse("health"))
    assert timezone.get_current_timezone_name() == timezone.get_default_timezone_name()
