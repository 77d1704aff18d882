"""A trader's sites, what a close needs, and what suppliers reported of what was bought."""

import csv
import io
import json
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.audit.sampling.population import incoming_by_year
from provender.custody.events.registry import post as post_to
from provender.custody.events.registry import read_event
from provender.custody.model.event import Event, Status
from provender.database.actor import today
from provender.database.models.farm import Book, ReportVersion
from provender.database.store.custody import SqlStore
from provender.database.store.custody_lists import stock_of
from provender.portfolio.report import of_reports
from provender.services.custody import periods
from provender.services.custody.checks import suppliers
from provender.services.custody.context import context_of
from provender.services.custody.entry import post_events, preview, read_fields, register_entity
from provender.services.custody.stock import per_mille
from provender.services.dashboard import tiles_of
from provender.standards.standard import REQUIREMENTS
from tests.custody.world import ev
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import desk_of, enter, texts, where
from tests.web.custody_season import BY, Season, days_ago


@pytest.fixture
def mill(cast: Cast) -> Cast:
    register_entity(cast.mill, day=date.fromisoformat(days_ago(3)), actor=BY, sites=["annex"])
    return cast


def page(cast: Cast) -> str:
    return str(cast.client("owner").get(where(cast, "custody_partners")).content.decode())


def test_a_site_is_closed_and_opened_again_from_the_page_of_sites(mill: Cast) -> None:
    client = mill.client()
    assert 'aria-label="Close annex"' in page(mill)
    form = client.get(where(mill, "custody_enter", "close-site"), {"site": "annex"})
    fields = {"event": form.context["form"].initial["event"], "day": days_ago(0), "site": "annex", "do": "enter"}
    assert client.post(where(mill, "custody_enter", "close-site"), fields).status_code == 302
    told = page(mill)
    assert 'aria-label="Open annex again"' in told
    assert "closed from" in told
    assert ("annex", "annex (closed)") in client.get(where(mill, "custody_enter", "receipt")).context["form"].fields[
        "site"
    ].choices
    link = next(
        deed for site, _, deed in client.get(where(mill, "custody_partners")).context["sites"] if site == "annex"
    )
    form = client.get(link)
    known = form.context["form"].initial
    again = {**{name: known[name] for name in ("event", "day", "movement")}, "reason": "a new lease", "do": "enter"}
    assert client.post(where(mill, "custody_enter", "correct"), again).status_code == 302
    assert 'aria-label="Close annex"' in page(mill)


def test_calls_close_a_site_show_it_and_refuse_what_comes_after(mill: Cast) -> None:
    secret = token(mill, mill.mill, "owner")
    shut = {"type": "close_site", "id": "shut-annex", "day": days_ago(1), "entity": mill.mill.handle, "site": "annex"}
    answer = post("/custody/events", secret, {"event": shut}, "key-1")
    assert answer.status_code == 201, answer.content
    [closed] = data(get("/custody/entity", secret))["closed_sites"]
    assert (closed["site"], closed["closed"], closed["event"]) == ("annex", days_ago(1), "shut-annex")
    ticket = {
        "type": "receipt", "id": "late", "day": days_ago(0), "entity": mill.mill.handle, "site": "annex",
        "form": "corn", "amount": "5", "number": "T-late",
    }  # fmt: skip
    answer = post("/custody/events", secret, {"event": ticket}, "key-2")
    assert (answer.status_code, "site_closed" in answer.content.decode()) == (409, True)
    other = {**shut, "id": "theirs", "entity": mill.elevator.handle}
    assert post("/custody/events", secret, {"event": other}, "key-3").status_code == 409


def test_a_batch_sees_the_closing_that_it_brings(mill: Cast) -> None:
    name = mill.mill.handle
    events = [
        ev("close_site", "shut", days_ago(1), entity=name, site="annex"),
        ev("receipt", "late", days_ago(0), entity=name, site="annex", form="corn", amount="5", number="T-late"),
    ]
    answers = post_events(list(map(read_event, events)), organisation=mill.mill, actor=BY, whole=False)
    assert [str(one.status) for one in answers] == ["posted", "site_closed"]


def test_a_period_that_runs_says_what_its_close_needs(cast: Cast, season: Season, owner: Client) -> None:
    page = owner.get(where(cast, "custody_period") + f"?start={season.open}")
    assert "What the close needs" in texts(page)
    assert "the close would be refused: The site has no record of grain." in texts(page)
    assert "What the close needs" in texts(owner.get(where(cast, "custody_periods")))
    for site in ("north", "plant"):
        for form in ("soybeans", "soybean_oil", "corn"):
            fields = {"site": site, "form": form, "amount": "900000", "number": f"{site}-{form}"}
            assert enter(owner, cast, "measurement", **fields).status_code == 302
    page = owner.get(where(cast, "custody_period") + f"?start={season.open}")
    assert "As the book stands, nothing is in the way." in texts(page)
    assert "closed on its last day" in texts(page)
    closed = owner.get(where(cast, "custody_period") + f"?start={season.closed}")
    assert "What the close needs" not in texts(closed)


@pytest.mark.parametrize(("days", "status"), [(-1, None), (0, None), (1, Status.PERIOD_NOT_ENDED)])
def test_no_period_is_closed_on_a_coming_day(cast: Cast, season: Season, days: int, status: Status | None) -> None:
    desk = desk_of(cast)
    last = next(one for one in desk.periods if one.start == season.open).end
    on = timezone.localdate() + timedelta(days=days)
    asked = read_fields("close", {"id": "c", "entity": desk.id, "day": last.isoformat(), "closed_on": on.isoformat()})
    assert getattr(asked, "status", None) == status
    if isinstance(asked, Event):
        assert preview(desk, asked).status is Status.PERIOD_NOT_ENDED, "it ends in three weeks: before its last day"


@pytest.mark.parametrize(
    ("parts", "want"),
    [([1, 1, 1], [334, 333, 333]), ([465, 100, 109], [690, 148, 162]), ([5], [1000]), ([0, 0], [0, 0]), ([], [])],
)
def test_shares_add_up_to_the_whole(parts: list[int], want: list[int]) -> None:
    assert per_mille(parts) == want


def test_a_period_that_is_due_is_closed_from_its_list(cast: Cast, season: Season) -> None:
    desk = desk_of(cast)
    running = next(one for one in desk.periods if one.start == season.open)
    assert periods.would_close(desk, running) is not None
    later = [one for one in desk.periods if one.start > season.open]
    assert all(periods.would_close(desk, one) is None for one in later)


def test_the_mean_of_an_overview_is_of_one_crop(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = stock_of(cast.mill.handle)
    corn = [replace(row, crop="corn", ci_g_per_bu=row.ci_g_per_bu * 2) for row in rows]
    monkeypatch.setattr("provender.services.dashboard.stock_of", lambda _: [*rows, *corn])
    tiles = {tile.label: tile.note for tile in tiles_of(cast.mill, None, today())}
    assert tiles["Soybeans on hand with CI"] == "Mean CI 5,000 g CO2e/bu"
    assert tiles["Corn on hand with CI"] in ("Mean CI 10,000 g CO2e/bu", "Mean CI 10,001 g CO2e/bu")


PASSES: Final = "no_till_no_full_width_disturbance"


def unit(name: str, verdict: str, **more: object) -> dict[str, Any]:
    practice = {"practice": "no_till", "implementation": verdict, "requirements": [PASSES, "unknown_here"]}
    interval = {
        "practices": [practice, practice],
        "requirements": {name: {"verdict": verdict} for name in (PASSES, "unknown_here")},
    }
    return {"unit_id": name, "bushels": "4000", "county_fips": "17019", "conventional": verdict != "met",
            "ci_g_per_bu": "8000.00" if verdict == "met" else None, "intervals": [interval],
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
    assert [(row["says"], row["fields"], row["bushels"]) for row in found.gaps] == [
        (REQUIREMENTS[PASSES].says, 1, 4_000_000)
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


def test_the_latest_report_behind_what_was_bought_is_shown_to_its_buyer_alone(reported: Cast, owner: Client) -> None:
    address = reverse("custody_suppliers", args=(reported.mill.handle,))
    page = owner.get(address)
    text = page.content.decode()
    assert page.status_code == 200
    assert [row[-1].text for row in owner.get(address).context["reports"].cells] == ["second"]
    assert "of another year" not in text
    assert 'data-fips="17019"' in text
    assert 'class="step' in text
    assert "<b>Ada</b>" not in text
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
        outcome = post_to(store, read_event({"id": f"below-{number}", "day": day, **event}))
        assert outcome.status == "posted", (number, outcome.message)
    with store.reading() as facts:
        assert incoming_by_year(facts, below) == {}
        assert len(incoming_by_year(facts, elevator)) == 1
