"""No question breaks a page: numbers beyond every column, days that are none, control characters, unknown deeds."""

from itertools import product
from typing import Final

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from provender.audit.programme import Role as AuditRole
from tests.web.addresses import address, all_names
from tests.web.api.test_calls import get
from tests.web.api.test_every_call import token
from tests.web.cast import Cast, open_audit
from tests.web.custody_season import fill_custody

ASKED: Final = (
    "lot", "find", "start", "id", "sale", "site", "form", "before", "older", "after", "year", "ci", "crop", "row",
    "seen", "practice", "unit", "page", "kind", "limit", "state", "day", "as", "next",
    "q", "on", "since", "month", "mean", "mean_from", "amount", "under", "like", "gallons_per_bu", "btu_per_gallon",
    "energy_source",
)  # fmt: skip
ODD: Final = ("9999-12-31", "9" * 20, "\x00\x1b-1", "9999-12", "2206-13-45", "9" * 5000, "é²😀" * 90)
DONE: Final = ("nonsense", "\x00")
PAGES: Final = sorted(name for name in all_names() if not name.startswith(("api:", "account_", "mfa_")))

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Cast:
    fill_custody(cast)
    return cast


class Browsers:
    """A signed-in browser for each side of the pages."""

    def __init__(self, cast: Cast) -> None:
        self.sides = {part: cast.client(part) for part in ("owner", "verifier_in")}
        for client in self.sides.values():
            client.raise_request_exception = False

    def of(self, name: str) -> Client:
        """Return the browser of whoever the page is for."""
        return self.sides["verifier_in" if name.startswith("audit") and "of_us" not in name else "owner"]


@pytest.mark.slow
def test_no_odd_question_and_no_unknown_deed_breaks_a_page(season: Cast) -> None:
    browsers, broken = Browsers(season), []
    for name, odd in product(PAGES, ODD):
        answer = browsers.of(name).get(address(name, season), dict.fromkeys(ASKED, odd))
        b"".join(getattr(answer, "streaming_content", ()))
        if answer.status_code >= 500:
            broken.append((name, odd))
    for name, odd in product(PAGES, DONE):
        with transaction.atomic():
            said = {"do": odd, "about": odd, "upload": odd, "attempt": odd}
            if browsers.of(name).post(address(name, season), said).status_code >= 500:
                broken.append((name, odd))
            transaction.set_rollback(True)
    assert not broken


def test_no_odd_number_breaks_an_address_and_an_unknown_call_or_deed_is_told(cast: Cast) -> None:
    client, base = Browsers(cast).of("farm"), reverse("organisation", args=(cast.farm.handle,))
    parts = ("reports/corn/{}/", "reports/corn/{}/0.pdf", "members/{}/", "grants/{}/revoke/")
    for where in (base + part.format(odd) for part in parts for odd in ODD[:3:2]):
        assert client.get(where).status_code < 500, where[:80]
        assert client.post(where).status_code < 500, where[:80]
    for path in ("nothing", "", "custody/nothing?x=%00", "records/../x", "openapi"):
        for answer in (Client().get(f"/api/v1/{path}"), Client().put(f"/api/v1/{path}")):
            assert answer.status_code in (404, 405), path
            assert answer.headers["Content-Type"] == "application/problem+json", path
    by = cast.actor("verifier_in")
    audit = open_audit(cast.verifier, cast.mill, AuditRole.FIRST_POINT, actor=by, number="V-2")
    where = reverse("audit_sample", args=(cast.verifier.handle, audit.handle))
    answer = Browsers(cast).of("audit_sample").post(where, {"do": "nonsense"})
    assert answer.status_code == 409
    assert "no deed" in answer.content.decode()


DAYS: Final = (
    "day?on={}", "day.pdf?on={}", "balance?on={}", "balance?since={}", "balance.pdf?on={}", "balance/sums?on={}",
    "deliveries?on={}",
    "figures?on={}", "figures.pdf?since={}", "figures.csv?on={}",
)  # fmt: skip


def test_a_day_that_no_book_holds_is_refused_by_every_call_that_takes_one(season: Cast) -> None:
    mill = token(season, season.mill, "owner")
    for path in DAYS:
        for odd in ("9999-12-31", "2200-01-01"):
            assert get(f"/custody/{path.format(odd)}", mill).status_code == 422, path
        assert get(f"/custody/{path.format('2199-12-31')}", mill).status_code in (200, 409), path
    assert get("/custody/balance?month=9999-12", mill).status_code == 409
