"""The log in sentences, and tickets with whom they came: no name of the program, and nobody whom one may not know."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from provender.database.actor import today
from provender.database.store.custody_lists import stock_of
from provender.services.accounts.views import LogView
from provender.services.audits.findings import raise_finding
from provender.services.dashboard import tiles_of
from provender.web.organisation.deeds import about_of, deed_said
from tests.web.cast import Cast
from tests.web.custody.test_files import confirmed, hand_in, where
from tests.web.custody.test_left_out import FILE
from tests.web.custody_season import days_ago, fill_custody

pytestmark = pytest.mark.django_db


def latest(client: Client, handle: str) -> list[str]:
    page = client.get(reverse("organisation", args=(handle,)))
    return [f"{deed}: {about}" for _, deed, about in page.context["latest"]]


def test_a_finding_and_confirmed_columns_are_told_in_sentences(cast: Cast, owner: Client) -> None:
    said = {
        "severity": "minor", "cite": "2100.051(c)(3)", "subject": "G70", "text": "No paper", "owner": str(cast.farm),
        "due": today().isoformat(),
    }  # fmt: skip
    made = raise_finding(cast.audit, said, actor=cast.actor("verifier_in"))
    told = f"wrote about a finding: finding {made.number} raised ({cast.audit.number})"
    assert told in latest(owner, cast.farm.handle)
    fill_custody(cast)
    lines = FILE.format(day=days_ago(3)).splitlines()[:2]
    address = where(cast, "custody_tickets")
    owner.post(address, confirmed(hand_in(owner, address, "t.csv", "\n".join(lines) + "\n"), do="enter"))
    listed = latest(owner, cast.mill.handle)
    assert "kept a file: what the columns of a file of tickets mean" in listed
    assert "entered in the ledger: a ticket in" in listed, "and not the number of the entry"


def test_a_ticket_names_whom_it_came_from_and_one_without_claims_nobody(cast: Cast, owner: Client) -> None:
    fill_custody(cast)
    grain = owner.get(where(cast, "custody_grain"), {"site": "north", "form": "soybeans"}).context["tickets"]
    column = [one.label for one in grain.columns].index("With")
    assert {row[column].text for row in grain.cells} == {cast.farm.name}


def test_the_mean_of_an_overview_is_of_one_crop(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_custody(cast)
    rows = stock_of(cast.mill.handle)
    corn = [replace(row, key=row.key._replace(crop="corn", ci=row.key.ci * 2)) for row in rows]
    monkeypatch.setattr("provender.services.dashboard.stock_of", lambda _: [*rows, *corn])
    tiles = {tile.label: tile.note for tile in tiles_of(cast.mill, None, today())}
    assert tiles["Soybeans on hand with CI"] == "Mean CI 5,000 g CO2e/bu"
    assert tiles["Corn on hand with CI"] in ("Mean CI 10,000 g CO2e/bu", "Mean CI 10,001 g CO2e/bu")


@pytest.mark.parametrize(
    ("deed", "about", "said"),
    [
        ("audit: population frozen", "V-1, 3 farms, freezing 0123456789ab", "V-1, 3 farms"),
        ("audit: seed committed, sample drawn", "V-1, 3 farms, seed 0123456789ab", "V-1, 3 farms"),
        ("audit: finding", "V-1, responded 2", "finding 2 answered (V-1)"),
        ("audit: finding", "V-1, finding", "V-1, finding"),
        ("store file", "columns-of-ticket-0f.json", "what the columns of a file of tickets mean"),
        ("store file", "photo.jpg", "photo.jpg"),
    ],
)
def test_no_mark_of_the_program_stands_in_the_log(deed: str, about: str, said: str) -> None:
    row = LogView(1, datetime(2026, 11, 1, tzinfo=UTC), "Vic", "page", deed, about, None, None)
    assert about_of(row) == said
    assert deed_said(deed) != deed
