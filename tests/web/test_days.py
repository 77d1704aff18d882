"""Days are the party's, in the time zone of its county, and are written on every page as pages write days."""

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final
from unittest import mock

import pytest
from django import forms
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import provender.web
from provender.catalog.places import SPOKEN, counties, zone_of
from provender.catalog.tables import rows
from provender.database.actor import Actor, at_the_place_of, today
from provender.database.choices import Role
from provender.problem import Place, ProblemsError, refuse
from provender.services.accounts.organisations import create_organisation
from provender.services.accounts.tokens import create_token, find_token
from provender.web.inputs import attempt
from provender.web.signing_pages import answered
from provender.web.tables import days_said
from tests.web.cast import Cast

BY = Actor(None, "test")
LATE = datetime(2026, 10, 1, 4, 30, tzinfo=UTC)
"""Half past eleven in the evening of September 30 in Iowa, half past midnight of October 1 in New York."""


ZONES = (
    ("Story", "IA", "Chicago"), ("Story County", "ia", "Chicago"), ("Sherman", "KS", "Denver"),
    ("Riley", "KS", "Chicago"), ("Lake", "IN", "Chicago"), ("Marion", "IN", "Indiana/Indianapolis"),
    ("Knox", "TN", "New_York"), ("Shelby", "TN", "Chicago"), ("Malheur", "OR", "Denver"),
    ("Maricopa", "AZ", "Phoenix"), ("", "", "Chicago"), ("Nowhere", "XX", "Chicago"),
)  # fmt: skip


def test_a_county_has_its_zone_and_every_zone_of_the_table_a_name() -> None:
    assert [(*place, zone_of(*place)) for *place, _ in ZONES] == [(*at, f"America/{zone}") for *at, zone in ZONES]
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


TEMPLATES: Final = Path(provender.web.__file__).parent / "templates"
SENTENCES: Final = re.compile(
    r"\{\{ (?:\w+\.)*(?:cause|remedy|says|error|changes|gap|warning|against|observed|limit)\b[^}]*\}\}"
    r"|\{\{ (?:step|thing|part|one)\.(?:why|words)\b[^}]*\}\}"
)
NUMBERS: Final = frozenset({("farm/imports.html", "limit")})


def test_no_template_shows_a_sentence_without_its_days_but_where_one_is_typed() -> None:
    bare = [
        (str(path.relative_to(TEMPLATES)), found)
        for path in sorted(TEMPLATES.rglob("*.html"))
        for found in SENTENCES.findall(path.read_text(encoding="utf-8"))
        if "|days" not in found
    ]
    assert {(name, re.sub(r"[{} ]", "", found)) for name, found in bare} <= NUMBERS
    typed = "Write year-month-day, such as 2026-05-14."
    assert days_said(typed) == typed
    line = "Line 1, 'x': write it like T-1001, 950.25, 2026-10-05"
    assert days_said(line) == line, "as a line that is read by its commas"
    assert days_said("The day 2026-05-14 is later.") == "The day May 14, 2026 is later."


def test_refusals_in_a_form_on_a_page_and_of_a_signature_say_days_as_pages_do() -> None:
    def refused() -> dict[str, object]:
        raise refuse("row", "The harvest of 2025-10-01 is signed.", "Look at 2025-10-02.")

    class OneForm(forms.Form):
        template_name = "forms/form.html"
        day = forms.CharField(required=False)

    form = OneForm({})
    assert form.is_valid()
    attempt(form, refused)
    page = render_to_string("errors/refused.html", {"problems": _problems(refused)})
    for text in (form.render(), page, answered(refused).content.decode()):
        assert "Oct 1, 2025" in text
        assert "Oct 2, 2025" in text
        assert "2025-10-0" not in text


def _problems(deed: object) -> list[object]:
    try:
        deed()  # type: ignore[operator]
    except ProblemsError as refused:
        return list(refused.problems)
    return [Place("none")]
