"""Whoever corrects a row of an earlier season comes back to that season, and is not asked about what is signed."""

import re
from html import unescape
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from provender.records.kind import KINDS
from provender.services.clients import farm_steps
from provender.services.farm.book import Edit, change_book, farm_book_of
from provender.services.farm.sown import sowing_questions
from provender.web.farm.forms import REASON, SEEN
from tests.web.cast import Cast
from tests.web.farm.test_signing import producer, registered
from tests.web.farm_season import fill_season
from tests.web.producer_keys import Producer

__all__ = ["producer", "registered"]

NEXT = {"harvest_id": "N40-2026", "unit_id": "N40", "crop": "corn", "ending": "not_yet"}
PLANTED = {"planting_id": "P26", "harvest_id": "N40-2026", "planted_on": "2026-04-20"}


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    return cast.client()


def address(cast: Cast, name: str, *about: str, **asked: str) -> str:
    found = reverse(name, args=(cast.farm.handle, *about))
    return f"{found}?{urlencode(asked)}" if asked else found


def link(cast: Cast, client: Client, page: str, row: str) -> str:
    """Return where a page's link to a row leads."""
    shown = client.get(page).content.decode()
    found = re.search(rf'href="([^"]*/operation/row/\?row={row}[^"]*)"', shown)
    assert found, page
    return unescape(found[1])


def saved(cast: Cast, client: Client, form: str) -> str:
    """Correct the equipment of a row and return where that leads."""
    key = parse_qs(urlsplit(form).query)["row"][0]
    texts = farm_book_of(cast.farm).texts(KINDS["operation"], key) or {}
    sent = {**texts, "equipment": "another planter", REASON: "typed wrong", SEEN: farm_book_of(cast.farm).version}
    answer = client.post(form, sent)
    if answer.status_code == 200:  # asked first, since something rests on it
        answer = client.post(form, {**sent, "looked": "yes"})
    return str(answer["Location"])


def test_a_mark_of_a_season_leads_back_to_its_year(cast: Cast, owner: Client) -> None:
    page = address(cast, "farm_season", year="2025", crop="Field corn")
    assert saved(cast, owner, link(cast, owner, page, "N40-04")) == page
    bare = address(cast, "farm_season")
    assert saved(cast, owner, link(cast, owner, bare, "N40-04")) == f"{bare}?year=2025"


def test_a_row_of_the_season_of_one_field_leads_back_to_it(cast: Cast, owner: Client) -> None:
    page = address(cast, "farm_season", unit="N40")
    assert saved(cast, owner, link(cast, owner, page, "N40-04")) == page


def test_a_row_that_was_looked_for_in_a_list_leads_back_to_what_was_looked_for(cast: Cast, owner: Client) -> None:
    page = address(cast, "farm_kind", "operation", sort="2")
    assert saved(cast, owner, link(cast, owner, page, "N40-04")) == page
    whole = address(cast, "farm_kind", "operation")
    assert saved(cast, owner, link(cast, owner, whole, "N40-04")) == whole


def test_who_leaves_a_correction_as_it_is_still_comes_back(cast: Cast, owner: Client) -> None:
    page = address(cast, "farm_season", year="2025")
    form = link(cast, owner, page, "N40-04")
    texts = farm_book_of(cast.farm).texts(KINDS["operation"], "N40-04") or {}
    sent = {**texts, "day": "2025-04-12", REASON: "wrong", SEEN: farm_book_of(cast.farm).version}
    asked = owner.post(form, sent).content.decode()
    left = re.search(r'href="([^"]*)">Leave it as it is', asked)
    assert left
    assert parse_qs(urlsplit(unescape(left[1])).query)["next"] == [page]


def test_what_is_signed_is_asked_about_no_more_and_this_year_is(registered: Producer) -> None:
    cast, client = registered.cast, registered.cast.client()
    first = farm_book_of(cast.farm).texts(KINDS["operation"], "N40-04") or {}
    again = Edit("operation", "X9", {**first, "operation_id": "X9", "unit_id": "T30", "day": "2025-05-15"})
    change_book(cast.book, [again], reason="test", actor=cast.actor("owner"))

    def steps() -> list[str]:
        return [one.words for one in farm_steps(cast.farm) if one.anchor == "sowing"]

    def asked() -> str:
        return client.get(address(cast, "farm_todo")).content.decode().partition('id="sowing"')[2]

    assert "X9" in asked(), "before it is signed"
    assert steps() == ["Answer 1 question"]
    assert registered.sign().status_code == 200
    assert sowing_questions(farm_book_of(cast.farm)), "the rows say what they said"
    assert "X9" not in asked()
    assert not steps()
    later = [Edit("harvest", "N40-2026", NEXT), Edit("planting", "P26", PLANTED)]
    change_book(cast.book, later, reason="test", actor=cast.actor("owner"))
    assert "P26" in asked()
    assert "X9" not in asked()


def test_in_a_book_of_several_years_a_step_says_of_which_harvest_it_is(cast: Cast, owner: Client) -> None:
    def told() -> list[str]:
        return [one.why for one in farm_steps(cast.farm) if one.page in ("farm_claims", "farm_crop", "farm")]

    assert told()
    assert not [why for why in told() if "about the harvest of" in why]
    cut = {"ending": "harvested", "first_day": "2026-10-01", "last_day": "2026-10-02", "bushels": "7000"}
    edits = [Edit("harvest", "N40-2026", {**NEXT, **cut, "claims": "none"})]
    change_book(cast.book, edits, reason="test", actor=cast.actor("owner"))
    assert [why for why in told() if why.startswith("This is about the harvest of 2025. ")]
