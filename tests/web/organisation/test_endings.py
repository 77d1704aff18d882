"""What ends within sixty days stands on the overview, the soonest first; what took its place ends the watch."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from provender.custody.events.registry import read_event
from provender.custody.store import post
from provender.database.choices import Area
from provender.database.models.custody import CustodyVerification
from provender.database.store.custody import SqlStore
from provender.rule.law import rule_version
from provender.services.accounts.grants import end_review, let_reviewer_in, revoke_reading
from provender.services.audits.standing import cycle_of, yearly_said
from provender.services.custody.entry import register_entity
from provender.services.dashboard import DAYS, _latest, endings
from provender.services.farm.book import Edit, change_book
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody_season import BY, fill_custody


@pytest.fixture(autouse=True)
def _this_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand on a day from which no test's last day is a 29 February, which two years before does not have."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 23, 18, tzinfo=UTC))


def soil_test(cast: Cast, name: str, left: int, unit: str = "G70") -> None:
    """Enter a soil test that carries a budget for so many more days."""
    today = timezone.localdate()
    last = today + timedelta(days=left)
    sampled = last.replace(year=last.year - rule_version(today).soil_test_max_years)
    row = {"soil_test_id": name, "unit_id": unit, "sampled_on": sampled.isoformat(), "farm_id": cast.farm.handle}
    change_book(cast.book, [Edit("soil_test", name, row)], reason="sampled", actor=cast.actor("owner"))


def said(cast: Cast) -> list[str]:
    page = cast.client().get(reverse("organisation", args=(cast.farm.handle,)))
    return [one.what for one, _, _ in page.context["endings"]]


@pytest.mark.parametrize(
    ("left", "shown"), [(DAYS, True), (DAYS + 1, False), (0, True), (-DAYS, True), (-DAYS - 1, False)]
)
def test_a_soil_test_is_watched_for_sixty_days_on_either_side(cast: Cast, left: int, *, shown: bool) -> None:
    soil_test(cast, "T1", left)
    assert ("Soil test of G70" in said(cast)) is shown


def test_a_newer_test_ends_the_watch(cast: Cast) -> None:
    soil_test(cast, "T1", 5)
    soil_test(cast, "T2", 400)
    assert "Soil test of G70" not in said(cast)


def test_the_soonest_stands_first_and_access_taken_back_is_not_watched(cast: Cast) -> None:
    soil_test(cast, "T1", 5)
    soil_test(cast, "T2", 2, unit="N40")
    rita = "Sign-in of Rita of the buyer as a reviewer"
    audit = "Audit by Vic Verifies: statement agreed for"
    assert said(cast) == ["Soil test of N40", "Soil test of G70", "Access of Vic Verifies", rita, audit]
    revoke_reading(cast.grant, actor=cast.actor("owner"))
    assert said(cast) == ["Soil test of N40", "Soil test of G70", rita, audit]


@pytest.mark.parametrize(("left", "shown"), [(0, True), (DAYS, True), (DAYS + 1, False)])
def test_a_reviewers_sign_in_is_watched_until_it_is_ended(cast: Cast, left: int, *, shown: bool) -> None:
    last = timezone.localdate() + timedelta(days=left)
    review, _ = let_reviewer_in(
        cast.farm, label="Grain buyer", kind="buyer", areas=[Area.RECORDS], purpose="sourcing", last_day=last,
        actor=cast.actor("owner"),
    )  # fmt: skip
    ending = "Sign-in of Grain buyer as a reviewer"
    assert (ending in said(cast)) is shown
    end_review(review, actor=cast.actor("owner"))
    assert ending not in said(cast)


def test_a_contract_that_runs_on_or_was_made_anew_does_not_end() -> None:
    day = date(2026, 1, 1)
    rows = [("a", "s", day, "1"), ("a", "s", None, "2"), ("b", "s", day, "3"), ("b", "s", day.replace(year=2027), "4")]
    assert list(_latest(rows)) == [("b", "s", day.replace(year=2027), "4")]


def test_an_accreditation_and_a_traders_papers_are_watched(cast: Cast) -> None:
    today = timezone.localdate()
    assert not endings(cast.verifier, today)
    assert [one.page for one in endings(cast.verifier, today + timedelta(days=320))] == ["audit_accreditation"]
    fill_custody(cast)
    statement = CustodyVerification.objects.filter(entity=cast.mill.handle).latest("end")
    assert "Your statement: last day that it covers" in [one.what for one in endings(cast.mill, statement.end)]
    assert not endings(cast.mill, statement.end + timedelta(days=DAYS + 1))


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


def test_checks_and_audits_of_us_name_the_same_days_that_no_statement_covers(cast: Cast) -> None:
    fill_custody(cast)
    client, here = cast.client("owner"), cast.mill.handle
    said = f"Days no statement covers: {yearly_said(cycle_of(cast.mill, timezone.localdate())).uncovered}."
    assert yearly_said(cycle_of(cast.mill, timezone.localdate())).uncovered
    for page in ("custody_checks", "audits_of_us"):
        assert said in client.get(reverse(page, args=(here,))).content.decode(), page
