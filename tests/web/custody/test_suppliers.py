"""What an organisation's suppliers reported: only of what it bought itself, summed up, and saved as files."""

import csv
import io
import json
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.audit.sampling.population import incoming_by_year
from provender.custody.events.registry import read_event
from provender.custody.store import post
from provender.database.models.farm import Book, ReportVersion
from provender.database.store.custody import SqlStore
from provender.portfolio.report import of_reports
from provender.services.custody.context import context_of
from provender.services.custody.partners import suppliers
from tests.web.cast import Cast
from tests.web.custody_season import BY


def unit(name: str, verdict: str, **more: object) -> dict[str, Any]:
    needed = {"name": "r", "cite": "2100.051(a)", "says": "No tillage.", "verdict": verdict,
              "missing": ["a dated declaration"] if verdict == "not shown" else []}  # fmt: skip
    practice = {"practice": "no_till", "implementation": verdict, "requirements": [needed, needed]}
    return {"unit_id": name, "bushels": "4000", "county_fips": "17019", "conventional": verdict != "met",
            "ci_g_per_bu": "8000.00" if verdict == "met" else None, "intervals": [{"practices": [practice]}],
            **more}  # fmt: skip


def document(farm: str, **more: object) -> dict[str, Any]:
    finding = {"code": "bushels_unexplained", "cite": "2100.020", "effect_bushels": "12"}
    return {"farm": {"farm_id": farm, "name": "<b>Ada</b>", "county": "Champaign", "state": "IL"}, "crop": "soybeans",
            "harvest_year": 2025, "label": "official", "total_bushels": "12000", "farm_ci_g_per_bu": "8500.00",
            "national_default_g_per_bu": "9000.00", "findings": [finding, finding],
            "units": [unit("a", "met"), unit("b", "not met"), unit("c", "not shown")], **more}  # fmt: skip


def test_reports_are_summed_up_by_county_practice_gap_and_finding() -> None:
    stakes = [{"kind": "no_contract", "bushels": 5, "message": "m", "cite": "c"},
              {"kind": "in_dispute", "bushels": 9, "message": "m", "cite": "c"}]  # fmt: skip
    found = of_reports([document("F1"), document("F2", units=[unit("d", "met"), {"unit_id": "early"}])], stakes)
    elsewhere, here = found.counties
    assert (here["county"], here["fields"], here["farms"], here["bushels"]) == ("Champaign", 4, 2, 16_000_000)
    assert (here["no_till_met"], here["no_till_not"], here["no_till_open"]) == (2, 1, 1)
    assert here["ci"] == 850_000, "two at 8,000 and two at the default of 9,000"
    assert (elsewhere["fields"], elsewhere["no_till_open"], elsewhere["ci"]) == (1, 1, None)
    assert [(row["record"], row["fields"], row["bushels"]) for row in found.gaps] == [
        ("a dated declaration", 1, 4_000_000)
    ]
    assert [(row["farms"], row["bushels"]) for row in found.findings] == [(2, 48_000)]
    assert [row["kind"] for row in found.claims] == ["in_dispute", "no_contract"]


def test_a_practice_counts_as_in_its_worst_interval() -> None:
    both = unit("a", "met")
    both["intervals"] += unit("a", "not shown")["intervals"]
    [row] = of_reports([document("F1", units=[both])], []).counties
    assert (row["no_till_met"], row["no_till_open"]) == (0, 1)


@pytest.fixture
def reported(cast: Cast) -> Cast:
    """Let the farm of the cast have signed reports: of the crop it sold, in two versions, and of another year."""
    book, _ = Book.objects.get_or_create(organisation=cast.farm, kind="farm")
    for number, year, name in ((1, 2025, "first"), (2, 2025, "second"), (1, 2024, "of another year")):
        text = json.dumps(document(cast.farm.handle, harvest_year=year, label=name))
        ReportVersion.objects.create(book=book, crop="soybeans", harvest_year=year, number=number, document=text,
                                     document_hash=f"{number}{year}", book_head="h", at=timezone.now())  # fmt: skip
    return cast


def rows(client: Client, address: str, table: str) -> list[dict[str, str]]:
    saved = client.get(f"{address}?save=csv&table={table}")
    return list(csv.DictReader(io.StringIO(saved.content.decode("utf-8-sig"))))


def test_the_page_shows_the_latest_report_behind_what_was_bought(reported: Cast, owner: Client) -> None:
    address = reverse("custody_suppliers", args=(reported.mill.handle,))
    page = owner.get(address)
    text = page.content.decode()
    assert page.status_code == 200
    assert [row[-1].text for row in owner.get(address).context["reports"].cells] == ["second"]
    assert "of another year" not in text
    assert 'data-fips="17019"' in text
    assert 'class="step' in text
    assert "<b>Ada</b>" not in text


def test_its_tables_are_saved_as_they_are_shown(reported: Cast, owner: Client) -> None:
    address = reverse("custody_suppliers", args=(reported.mill.handle,))
    [county] = rows(owner, address, "counties")
    assert (county["County"], county["Fields"], county["CI, g CO2e/bu"]) == ("Champaign", "3", "8666.67")
    [report] = rows(owner, address, "reports")
    amounts = [text for name, text in report.items() if name.startswith(("Bought", "Reported", "Version"))]
    assert amounts == ["3000", "12000", "2"]
    [gap] = rows(owner, address, "gaps")
    assert (gap["Record that is missing"], gap["Bushels"]) == ("a dated declaration", "4000")


def test_a_report_is_of_who_bought_its_crop_from_the_farm_and_of_nobody_else(reported: Cast) -> None:
    for organisation, expected in ((reported.mill, 1), (reported.elevator, 1), (reported.farm, 0)):
        desk = context_of(organisation, actor=BY, today=date(2026, 1, 1))
        assert desk is not None
        assert len(suppliers(desk).reports) == expected


def test_a_buyer_further_down_sees_no_farm_of_a_first_point_that_farms_too(reported: Cast) -> None:
    store = SqlStore(BY)
    elevator, below = reported.elevator.handle, "further-down"
    day = (timezone.localdate() - timedelta(days=5)).isoformat()
    roles = ["farm", "first_point"]
    events: list[dict[str, Any]] = [
        {"type": "entity", "entity": elevator, "name": "Stan", "roles": roles},
        {"type": "entity", "entity": below, "name": "Below", "roles": ["farm", "intermediary"], "sites": ["dock"]},
        {"type": "period", "entity": below, "start_day": day, "end_day": day, "policy": "oldest_first"},
        {"type": "sale", "giver": elevator, "taker": below, "crop": "soybeans", "bushels": "10"},
        {"type": "accept", "taker": below, "movement": "below-3"},
    ]
    for number, event in enumerate(events):
        outcome = post(store, read_event({"id": f"below-{number}", "day": day, **event}))
        assert outcome.status == "posted", (number, outcome.message)
    with store.reading() as facts:
        assert incoming_by_year(facts, below) == {}
        assert len(incoming_by_year(facts, elevator)) == 1
