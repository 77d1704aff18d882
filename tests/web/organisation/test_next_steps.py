"""The overview says what to do next and what ends within sixty days, and home stays short for those who see many."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import post, read_event
from provender.database.actor import Actor, today
from provender.database.choices import Area, Right, Role
from provender.database.models.accounts import Organisation
from provender.database.models.custody import CustodyVerification
from provender.database.store.custody import SqlStore
from provender.rule.law import rule_version
from provender.services.accounts.access import access_of
from provender.services.accounts.grants import end_review, grant_reading, let_reviewer_in, revoke_reading
from provender.services.accounts.organisations import add_member, create_organisation
from provender.services.audits.standing import cycle_of, yearly_said
from provender.services.custody.checks import period_steps
from provender.services.custody.context import context_of
from provender.services.custody.entry import register_entity
from provender.services.dashboard import DAYS, _latest, endings
from provender.services.farm.book import Edit, change_book, latest
from provender.services.farm.verdicts import count_gaps
from provender.web.organisation.pages.organisations import CARDS
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody_season import BY, fill_custody
from tests.web.farm_season import claim_covers
from tests.web.fixtures import cast

__all__ = ["cast"]  # its days begin on the day of each test

Words = Callable[[str, Organisation], list[str]]


@pytest.fixture
def words(cast: Cast) -> Words:
    def said(part: str, organisation: Organisation) -> list[str]:
        client = cast.client(part)
        page = client.get(reverse("organisation", args=(organisation.handle,)))
        return [step.words for step in page.context["next_steps"]]

    return said


def test_who_has_no_book_of_custody_opens_one_and_a_contract_made_anew_does_not_end(cast: Cast, words: Words) -> None:
    assert words("stranger", cast.elevator) == ["Open the book"]
    day = date(2026, 1, 1)
    rows = [("a", "s", day, "1"), ("a", "s", None, "2"), ("b", "s", day, "3"), ("b", "s", day.replace(year=2027), "4")]
    assert list(_latest(rows)) == [("b", "s", day.replace(year=2027), "4")]


def test_what_waits_for_a_trader_stands_on_its_overview(cast: Cast, words: Words) -> None:
    fill_custody(cast)
    waiting = ["Accept 1 delivery", "Buy 1 sale slip", "Assign slips to 1 purchase", "Declare the next period"]
    assert words("owner", cast.mill) == waiting
    client = cast.client()
    tiles = {tile.label: tile.number for tile, _ in _overview(client, cast.mill.handle)["tiles"]}
    assert tiles == {"Soybeans on hand with CI": "2,500", "On the way to you": "800", "Days left of the period": "20"}
    stock = client.get(reverse("custody_stock", args=(cast.mill.handle,))).content.decode()
    assert "2,500 bu of soybeans" in stock, "the same number as on the overview"
    others = words("stranger", cast.elevator)
    assert (others[0], others[-1]) == ("Accept 1 delivery", "Put your contracts on file")


def _overview(client: Client, handle: str, query: str = "") -> Any:  # noqa: ANN401 - the context of a page
    page = client.get(reverse("organisation", args=(handle,)) + query)
    assert page.status_code == 200
    return page.context


def test_a_period_is_declared_before_the_last_one_ends_and_closed_after_it(cast: Cast) -> None:
    fill_custody(cast)
    access = access_of(cast.person("owner"), cast.mill.handle, to="read")
    desk = context_of(access.organisation, actor=access.actor, today=today(), may_write=access.may_write)
    assert desk is not None
    rows: tuple[tuple[int, list[str]], ...] = (
        (-30, []),
        (-29, ["Declare the next period"]),
        (0, ["Declare the next period"]),
        (1, ["Close the period", "Declare a mass balance time period"]),
    )
    for days_after_its_end, said in rows:
        desk.today = desk.periods[-1].end + timedelta(days=days_after_its_end)
        steps = [step.words[: len(words)] for step, words in zip(period_steps(desk), said, strict=True)]
        assert steps == said, days_after_its_end


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


def test_a_farms_overview_begins_with_its_ci_and_a_typed_price(season: Cast) -> None:
    client, handle = season.client(), season.farm.handle
    shown = _overview(client, handle)
    (first, href), *_ = shown["tiles"]
    assert (first.unit, first.share is not None) == ("g CO2e/bu", True)
    assert "below the national default" in first.note
    assert "$" not in first.note
    assert "." not in first.number, "whole grams: nobody decides by the digits behind"
    assert href == reverse("farm_intensity", args=(handle,))
    assert len(shown["first_steps"]) <= 3
    assert [*shown["first_steps"], *shown["more_steps"]] == shown["next_steps"]

    def typed(client: Client, price: str) -> Any:  # noqa: ANN401 - Django has no name for a test answer
        return client.post(reverse("organisation", args=(handle,)), {"price": price}, follow=True)

    def note(client: Client) -> str:
        return str(_overview(client, handle)["tiles"][0][0].note)

    assert "at your $50 a ton" in str(typed(client, "50").context["tiles"][0][0].note)
    typed(client, "$20.50")
    cents = note(client)
    assert "at your $20.50 a ton, " in cents
    assert cents.endswith("EXAMPLE: the calculator is made up, and no crop is sold by its figures"), "said beside money"
    assert cents.partition(" a ton, ")[2].partition("¢")[0].replace(".", "").isdecimal(), "what a bushel earns"
    for odd in ("-1", "1e9", "99999999999999999999", "x", "20.505", "10000.01", "1,000", "0x10"):
        assert "is no price of a ton" in typed(client, odd).content.decode(), odd
    client.logout()
    assert note(season.client()) == cents, "the next visit knows it"
    assert "$" not in note(season.client("reader")), "it is theirs alone"
    typed(season.client(), "")
    assert "$" not in note(season.client()), "a blank forgets it"
    visitor = season.client("verifier_in")
    assert b'name="price"' not in visitor.get(reverse("organisation", args=(handle,))).content
    assert typed(visitor, "50").status_code in (403, 404), "who only visits keeps none"


@pytest.mark.slow
def test_a_consultants_home_says_how_far_each_client_is_and_who_needs_most_stands_first(season: Cast) -> None:
    claim_covers(season)
    by, person = Actor(None, "test"), season.person("consultant")
    for name, firm in (("A farm that is no client", None), ("Without records", season.adviser)):
        new = create_organisation(name, roles=[Role.FARM], manager=season.person("owner"), actor=by)
        add_member(new, person, Right.READ, actor=by, on_behalf_of=firm)
    home = season.client("consultant").get(reverse("home"))
    text, found = home.content.decode(), home.context["memberships"]
    names = [one.name for one, _, _ in found]
    assert names[:3] == ["Without records", season.farm.name, season.mill.name], "clients first, who needs most before"
    assert names[3:] == sorted(names[3:]), "one's own stand last, by name: one's own firm is no client"
    reasons = {one.name: progress.why for one, progress, _ in found}
    assert reasons["Without records"] == "No record book yet"
    assert re.fullmatch(r"Things left before signatures: \d+", reasons[season.farm.name])
    assert reasons[season.farm.name] in text
    where = f"{reverse('farm_crop', args=(season.farm.handle,))}?crop={count_gaps(latest(season.book))['where']}"
    assert f'<a href="{where}">Not shown yet: ' in text
    own = season.client().get(reverse("home"))
    assert not any(progress.why or parts for _, progress, parts in own.context["memberships"])
    assert "Clients stand by urgency" not in own.content.decode()
    assert "places" not in own.context
    for number in range(CARDS):
        farm = create_organisation(f"Farm {number}", roles=[Role.FARM], manager=season.person("stranger"), actor=by)
        add_member(farm, person, Right.WRITE, actor=by, on_behalf_of=season.adviser)
    many = season.client("consultant").get(reverse("home"))
    assert len(many.context["places"].rows) == len(many.context["memberships"]) > CARDS, "a table to search"
    assert b"Farm 11</a>" in many.content


def soil_test(cast: Cast, name: str, left: int, unit: str = "G70") -> None:
    """Enter a soil test that carries a budget for so many more days."""
    today = timezone.localdate()
    last = today + timedelta(days=left)
    sampled = last.replace(year=last.year - rule_version(today).soil_test_max_years)
    row = {"soil_test_id": name, "unit_id": unit, "sampled_on": sampled.isoformat(), "farm_id": cast.farm.handle}
    change_book(cast.book, [Edit("soil_test", name, row)], reason="sampled", actor=cast.actor("owner"))


def ending(cast: Cast) -> list[str]:
    return [one.what for one in endings(cast.farm, timezone.localdate())]


@pytest.fixture
def this_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand on a day from which no test's last day is a 29 February, which two years before does not have."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 23, 18, tzinfo=UTC))


@pytest.mark.usefixtures("this_day")
def test_a_soil_test_is_watched_for_sixty_days_on_either_side_and_a_newer_one_ends_the_watch(cast: Cast) -> None:
    for left, shown in ((DAYS, True), (DAYS + 1, False), (0, True), (-DAYS, True), (-DAYS - 1, False)):
        soil_test(cast, "T1", left)
        assert ("Soil test of G70" in ending(cast)) is shown, left
    soil_test(cast, "T1", 5)
    soil_test(cast, "T2", 400)
    assert "Soil test of G70" not in ending(cast)


@pytest.mark.usefixtures("this_day")
def test_the_soonest_stands_first_and_access_taken_back_is_not_watched(cast: Cast) -> None:
    soil_test(cast, "T1", 5)
    soil_test(cast, "T2", 2, unit="N40")
    rita, audit = "Sign-in of Rita of the buyer as a reviewer", "Audit by Vic Verifies: statement agreed for"
    page = cast.client().get(reverse("organisation", args=(cast.farm.handle,)))
    said = [one.what for one, _, _ in page.context["endings"]]
    assert said == ["Soil test of N40", "Soil test of G70", "Access of Vic Verifies", rita, audit]
    revoke_reading(cast.grant, actor=cast.actor("owner"))
    assert ending(cast) == ["Soil test of N40", "Soil test of G70", rita, audit]


@pytest.mark.usefixtures("this_day")
def test_a_reviewers_sign_in_is_watched_until_it_is_ended(cast: Cast) -> None:
    for left, shown in ((0, True), (DAYS, True), (DAYS + 1, False)):
        review, _ = let_reviewer_in(
            cast.farm, label=f"Buyer {left}", kind="buyer", areas=[Area.RECORDS], purpose="sourcing",
            last_day=timezone.localdate() + timedelta(days=left), actor=cast.actor("owner"),
        )  # fmt: skip
        assert (f"Sign-in of Buyer {left} as a reviewer" in ending(cast)) is shown, left
        end_review(review, actor=cast.actor("owner"))
        assert f"Sign-in of Buyer {left} as a reviewer" not in ending(cast)


@pytest.mark.usefixtures("this_day")
def test_an_accreditation_and_a_traders_papers_are_watched(cast: Cast) -> None:
    today = timezone.localdate()
    assert not endings(cast.verifier, today)
    assert [one.page for one in endings(cast.verifier, today + timedelta(days=320))] == ["audit_accreditation"]
    fill_custody(cast)
    statement = CustodyVerification.objects.filter(entity=cast.mill.handle).latest("end")
    assert "Your statement: last day that it covers" in [one.what for one in endings(cast.mill, statement.end)]
    assert not endings(cast.mill, statement.end + timedelta(days=DAYS + 1))


@pytest.mark.usefixtures("this_day")
def test_an_audit_that_is_only_contracted_is_called_no_statement_anywhere(cast: Cast) -> None:
    """Claims go on under the contract of a first audit, which covers no day: home, checks and audits say the same."""
    register_entity(cast.elevator, day=date(2026, 1, 1), actor=BY, sites=["scale"])
    end, day = timezone.localdate() + timedelta(days=20), timezone.localdate().isoformat()
    begun = ev("statement", "contracted", day, entity=cast.elevator.handle, crops=["corn"], start_day=day,
               opinion="first_audit_contracted", verifier="vic", number="V-1", end_day=end.isoformat())  # fmt: skip
    assert post(SqlStore(BY), read_event(begun)).status == "posted"
    last = [one for one in endings(cast.elevator, timezone.localdate()) if one.last == end]
    assert [one.what for one in last] == ["Your contracted audit, no statement yet: last day that it carries claims"]
    client, here = cast.client("stranger"), cast.elevator.handle
    checks = client.get(reverse("custody_checks", args=(here,))).content.decode()
    assert "the last day that the contracted audit carries claims is" in checks
    assert "that the statement covers" not in checks


@pytest.mark.usefixtures("this_day")
def test_checks_and_audits_of_us_name_the_same_days_that_no_statement_covers(cast: Cast) -> None:
    fill_custody(cast)
    client, here = cast.client("owner"), cast.mill.handle
    said = f"Days no statement covers: {yearly_said(cycle_of(cast.mill, timezone.localdate())).uncovered}."
    assert yearly_said(cycle_of(cast.mill, timezone.localdate())).uncovered
    for page in ("custody_checks", "audits_of_us"):
        assert said in client.get(reverse(page, args=(here,))).content.decode(), page
