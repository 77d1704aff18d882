"""What ends within sixty days stands on the overview, the soonest first; what took its place ends the watch."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from provender.database.choices import Area
from provender.database.models import CustodyVerification
from provender.rule.version import rule_version
from provender.services.accounts.grants import revoke_reading
from provender.services.accounts.reviews import end_review, let_reviewer_in
from provender.services.expiry import DAYS, _latest, endings
from provender.services.farm.book import Edit, change_book
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody


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
    audit = "Statement of Vic Verifies: agreed for"
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
    assert "Your verification statement: last day that it covers" in [
        one.what for one in endings(cast.mill, statement.end)
    ]
    assert not endings(cast.mill, statement.end + timedelta(days=DAYS + 1))
