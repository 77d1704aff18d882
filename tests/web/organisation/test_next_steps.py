"""The overview of a trader and of a verifier says what to do next, and home stays short for those who see many."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.database.actor import Actor
from provender.database.choices import Right, Role
from provender.database.models.accounts import Organisation
from provender.database.store.record_books import rows_of
from provender.services.accounts.access import access_of
from provender.services.accounts.grants import grant_reading
from provender.services.accounts.organisations import add_member, create_organisation
from provender.services.clients import farm_steps, progress_of
from provender.services.custody.checks import period_steps
from provender.services.farm.book import Edit, change_book, latest
from provender.services.farm.verdicts import Standing, count_gaps, verdicts_of
from provender.services.reports.checklist import waiting_of
from provender.web.custody.pages.context import desk_at
from provender.web.organisation.pages.organisations import CARDS
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody
from tests.web.farm_season import claim_covers, fill_season

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


def test_a_farms_overview_begins_with_its_carbon_intensity_against_the_default(cast: Cast) -> None:
    fill_season(cast)
    client = cast.client()
    shown = _overview(client, cast.farm.handle)
    (first, href), *_ = shown["tiles"]
    assert (first.unit, first.share is not None) == ("g CO2e/bu", True)
    assert "below the national default" in first.note
    assert "." not in first.number, "whole grams: nobody decides by the digits behind"
    assert href == reverse("farm_intensity", args=(cast.farm.handle,))
    assert len(shown["first_steps"]) <= 3
    assert [*shown["first_steps"], *shown["more_steps"]] == shown["next_steps"]


def test_dollars_are_reckoned_at_the_price_that_somebody_types_and_keeps(cast: Cast) -> None:
    fill_season(cast)
    client = cast.client()
    assert "$" not in _overview(client, cast.farm.handle)["tiles"][0][0].note
    fifty = _reckoned(client, cast, "50")
    assert "at your $50 a ton" in fifty
    for odd in ("-1", "1e9", "99999999999999999999", "x"):
        where = reverse("organisation", args=(cast.farm.handle,))
        assert "is no price of a ton" in client.post(where, {"price": odd}).content.decode()
    client.logout()
    again = cast.client()
    assert _overview(again, cast.farm.handle)["tiles"][0][0].note == fifty, "the next visit knows it"
    assert "$" not in _overview(cast.client("reader"), cast.farm.handle)["tiles"][0][0].note, "it is theirs alone"
    assert "$" not in _reckoned(again, cast, ""), "a blank forgets it"


def _reckoned(client: Client, cast: Cast, price: str) -> str:
    """Type a price on the overview and return what its first number says."""
    page = client.post(reverse("organisation", args=(cast.farm.handle,)), {"price": price}, follow=True)
    return str(page.context["tiles"][0][0].note)


def test_who_only_visits_keeps_no_price(cast: Cast) -> None:
    where = reverse("organisation", args=(cast.farm.handle,))
    visitor = cast.client("verifier_in")
    assert b'name="price"' not in visitor.get(where).content
    assert visitor.post(where, {"price": "50"}).status_code in (403, 404)


def test_a_menu_stands_in_groups_and_a_phones_bar_holds_four_entries_at_most(cast: Cast) -> None:
    client = cast.client()
    for handle in (cast.farm.handle, cast.mill.handle):
        shown = _overview(client, handle)
        labels = [group.label for group in shown["menu"]]
        assert labels[0] == ""
        assert labels[-1] == "Account"
        assert len(labels) == len(set(labels))
        assert 2 <= len(shown["bar"]) <= 4
        entries = [entry for group in shown["menu"] for entry in group.entries]
        assert sum(entry.current for entry in entries) == 1
        assert {entry.view for entry in shown["bar"]} <= {entry.view for entry in entries}


def test_a_farm_is_not_asked_for_records_of_a_crop_of_which_it_says_nothing(cast: Cast) -> None:
    fill_season(cast)
    gaps = count_gaps(latest(cast.book))
    assert gaps["unsaid"]
    assert gaps["missing"] == gaps["open"] == 0
    (step, *_) = farm_steps(cast.farm)
    assert (step.page, step.words) == ("farm_claims", f"Say what {gaps['unsaid'][0]} claims")
    before, *rest = (part.words for part in progress_of(cast.farm).parts)
    assert re.fullmatch(r"\d+ things stand before the signatures of [^.]*\.", before), "what needs most stands first"
    assert rest == [f"What {gaps['unsaid'][0]} claims is not said."]
    claim_covers(cast)
    assert count_gaps(latest(cast.book))["missing"]
    assert not count_gaps(latest(cast.book))["unsaid"]


def test_a_farm_that_has_said_nothing_of_any_crop_learns_what_it_could_claim(cast: Cast) -> None:
    fill_season(cast)
    gone = [Edit("calculator_run", key, None) for key in rows_of(cast.book)["calculator_run"]]
    change_book(cast.book, gone, reason="no run yet", actor=cast.actor("owner"))
    gaps = count_gaps(latest(cast.book))
    assert gaps["missing"]
    assert not gaps["unsaid"]


def test_a_consultants_home_says_how_far_each_client_is(cast: Cast) -> None:
    fill_season(cast)
    claim_covers(cast)
    home = cast.client("consultant").get(reverse("home"))
    states = {one.name: parts for one, _, parts in home.context["memberships"] if parts}
    gaps = count_gaps(latest(cast.book))
    assert gaps["unshown"]
    assert gaps["missing"] == sum(number for _, number in gaps["lacks"])
    (open_practices,) = [one.words for one in states[cast.farm.name] if one.words.startswith("Not shown yet: ")]
    named, _, missing = open_practices.partition(". Missing in ")
    assert named == f"Not shown yet: {', '.join(gaps['unshown'])}"
    for label, number in gaps["lacks"][:3]:
        assert f"{label} ({number})" in missing
    where = f"{reverse('farm_crop', args=(cast.farm.handle,))}?crop={gaps['where']}"
    assert f'<a href="{where}">Not shown yet: ' in home.content.decode()
    own = cast.client().get(reverse("home")).context["memberships"]
    assert not any(progress.why or parts for _, progress, parts in own)


def test_a_home_says_that_clients_stand_by_need_and_leads_with_what_each_needs(cast: Cast) -> None:
    fill_season(cast)
    other = create_organisation("A Farm", roles=[Role.FARM], manager=cast.person("owner"), actor=Actor(None, "test"))
    add_member(other, cast.person("consultant"), Right.WRITE, on_behalf_of=cast.adviser, actor=Actor(None, "test"))
    home = cast.client("consultant").get(reverse("home"))
    clients = [one.name for one, progress, _ in home.context["memberships"] if progress.why]
    assert clients[:2] == ["A Farm", cast.farm.name], "one without any records needs most"
    assert "Clients stand by urgency" in home.content.decode()
    assert "Clients stand by urgency" not in cast.client().get(reverse("home")).content.decode()
    named = progress_of(cast.farm)
    assert named.things >= sum(one.things for one in waiting_of(latest(cast.book)).values())
    reasons = {one.name: progress.why for one, progress, _ in home.context["memberships"]}
    assert reasons["A Farm"] == "No record book yet"
    assert re.fullmatch(r"Things left before signatures: \d+", reasons[cast.farm.name])
    assert reasons[cast.farm.name] in home.content.decode()
    last = [one.name for one, _, _ in home.context["memberships"]][-1]
    assert last == cast.adviser.name, "one's own firm is no client"


def test_a_record_that_two_practices_of_a_crop_ask_for_is_missing_once(cast: Cast) -> None:
    fill_season(cast)
    claim_covers(cast)
    farm = latest(cast.book)
    lacking = []
    for interval in verdicts_of(farm)["intervals"]:
        unshown = [one for one in interval["practices"] if one["standing"] == Standing.NOT_SHOWN]
        lacking.append([str(each) for one in unshown for finding in one["findings"] for each in finding["missing"]])
    assert any(len(set(each)) < len(each) for each in lacking), "the season has one that several ask for"
    gaps = count_gaps(farm)
    assert gaps["missing"] == sum(len(set(each)) for each in lacking)
    (step, *_) = farm_steps(cast.farm)
    assert step.words == f"Add {gaps['missing']} missing records"
    assert all(label in step.why for label in gaps["unshown"])
    assert gaps["lacks"][0][0] in step.why


def test_a_period_is_declared_before_the_last_one_ends_and_closed_after_it(cast: Cast) -> None:
    fill_custody(cast)
    access = access_of(cast.person("owner"), cast.mill.handle, to="read")
    desk = desk_at(access)
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


def test_a_consultant_sees_first_who_needs_most(cast: Cast) -> None:
    fill_season(cast)
    by, owner, firm = cast.actor("owner"), cast.people["owner"], Organisation.objects.get(name="Good Advice")
    for name in ("A farm that is no client", "Without records"):
        new = create_organisation(name, roles=[Role.FARM], manager=owner, actor=by)
        client = None if "no client" in name else firm
        add_member(new, cast.person("consultant"), Right.READ, actor=by, on_behalf_of=client)
    home = cast.client("consultant").get(reverse("home"))
    names = [one.name for one, _, _ in home.context["memberships"]]
    assert names[:3] == ["Without records", cast.farm.name, cast.mill.name], "clients first, who needs most before all"
    assert names[3:] == sorted(names[3:]), "one's own stand last, by name"


def test_a_price_may_have_cents_and_says_what_a_bushel_earns(cast: Cast) -> None:
    fill_season(cast)
    client = cast.client()
    note = _reckoned(client, cast, "$20.50")
    assert "at your $20.50 a ton, " in note
    assert note.endswith("EXAMPLE: the calculator is made up, and no crop is sold by its figures"), "said beside money"
    assert note.partition(" a ton, ")[2].partition("¢")[0].replace(".", "").isdecimal()
    for odd in ("20.505", "10000.01", "1,000", "0x10"):
        client.post(reverse("organisation", args=(cast.farm.handle,)), {"price": odd})
        assert _overview(client, cast.farm.handle)["tiles"][0][0].note == note
