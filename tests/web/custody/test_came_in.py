"""What came in over some days: the mean weighted by bushels, from whom, the same by page, file and API."""

import csv
import io
from datetime import datetime

import openpyxl
import pytest
from django.test import Client

from provender.custody.events.registry import read_event
from provender.custody.store import post
from provender.database.store.custody import SqlStore
from provender.exact import half_even
from tests.custody.world import ev
from tests.web.api.test_calls import data, get
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_files import where
from tests.web.custody_season import BY, Season, days_ago, fill_custody

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(cast: Cast) -> Season:
    """A second lot of another intensity beside the season's: 3000 bu at 5000.25 bought, 800 bu at 5000.25 accepted."""
    season = fill_custody(cast)
    farm, mill = cast.farm.handle, cast.mill.handle
    for event in (
        ev("accept", "accept-1", days_ago(35), movement="sale-elevator", taker=mill, site="north"),
        ev("report", "report-24", days_ago(34), entity=farm, crop="soybeans", harvest_year=2024, bushels="900",
           ci="6100.5", salt="c2FsdCBvZiBhIGZhcm0gdGhhdCBpcyBsb25nIGVub3VnaB", report="1f" * 32),
    ):  # fmt: skip
        _post(event)
    origin = SqlStore(BY).events()[-1].request.origin  # type: ignore[attr-defined]
    _post(ev("slip", "slip-24", days_ago(33), giver=farm, taker=mill, origin=origin, bushels="777.7"))
    bought = {"giver": farm, "taker": mill, "slip": "slip-24", "site": "north"}
    for name, bushels in (("buy-24", "333.3"), ("buy-wrong", "100")):
        tickets = [{"number": f"T-{name}", "bushels": bushels}]
        _post(ev("purchase", name, days_ago(32), bushels=bushels, tickets=tickets, **bought))
    _post(ev("correct", "correct-1", days_ago(31), entity=mill, movement="buy-wrong", reason="typed twice"))
    return season


def _post(event: dict[str, object]) -> None:
    outcome = post(SqlStore(BY), read_event(event))
    assert outcome.status == "posted", outcome.message


MEAN = half_even(3_800_000 * 500_025 + 333_300 * 610_050, 4_133_300)
"""By hand: 3,800 bu at 5,000.25 and 333.3 bu at 6,100.50."""


def test_the_mean_of_what_came_in_is_weighted_by_bushels(cast: Cast, season: Season, owner: Client) -> None:
    page = owner.get(where(cast, "custody_came_in"))
    words = " ".join(page.content.decode().split())
    assert MEAN == 508_897
    assert "Soybeans: mean CI 5,088.97 g CO2e/bu</strong>, 4,133 bu from 2 suppliers." in words
    rows = [[cell.text for cell in row] for row in page.context["sums"].cells]
    farm, elevator = cast.farm.name, cast.elevator.name
    foot = [[cell.text for _, cell in row] for row in page.context["sums"].foot]
    assert [[row[1], row[3], row[4]] for row in rows[:2]] == [
        [farm, "3,333", "5,110.27"], [elevator, "800", "5,000.25"],
    ]  # fmt: skip
    assert (foot or rows[2:])[0][3:5] == ["4,133", "5,088.97"]
    assert "buy-wrong" not in words, "what was taken back did not come in"
    assert "buy-24" in words


def test_two_days_choose_and_days_the_wrong_way_round_are_told(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_came_in")
    some = owner.get(address, {"since": days_ago(33), "on": days_ago(31)})
    assert [row[4].text for row in some.context["entries"].cells] == ["333"]
    none = owner.get(address, {"since": days_ago(3), "on": days_ago(2)})
    assert "Nothing was bought or accepted in these days." in none.content.decode()
    wrong = owner.get(address, {"since": days_ago(2), "on": days_ago(3)})
    assert wrong.status_code == 422
    assert "Say the earlier day first." in wrong.content.decode()


def test_the_file_holds_rows_and_totals(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_came_in")
    text = owner.get(address, {"save": "csv", "table": "came in"}).content.decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head == [
        "First day", "Last day", "Day", "Entry", "Kind", "From", "What", "Harvest year", "Bushels", "CI (g CO2e/bu)",
    ]  # fmt: skip
    assert {(row[0], row[1]) for row in rows} == {(days_ago(60), days_ago(0))}
    rows = [row[2:] for row in rows]
    totals = [row for row in rows if row[0] == "Total"]
    assert [(row[3].partition(" (")[0], row[6], row[7]) for row in totals] == [
        ("All", "4133.3", "5088.97"),
    ], "once, or a sum of the column counts thrice"  # fmt: skip
    assert rows[-1] == totals[0]
    assert len(rows) - len(totals) == 3
    book = openpyxl.load_workbook(io.BytesIO(owner.get(address, {"save": "xlsx", "table": "came in"}).content))
    lines = list(book["came in"].iter_rows(min_row=2, values_only=True))
    assert all(isinstance(one, datetime) for line in lines[:-1] for one in line[:3]), "days that a spreadsheet counts"
    assert lines[-1][2] == "Total"


def test_the_file_by_supplier_names_its_days_and_has_the_total(cast: Cast, season: Season, owner: Client) -> None:
    """Also where one supplier delivered: whoever files it reads days and total without the page."""
    for since, suppliers in ((days_ago(60), 2), (days_ago(33), 1)):
        asked = {"save": "csv", "table": "came in by supplier", "since": since}
        saved = owner.get(where(cast, "custody_came_in"), asked)
        assert f"came-in-by-supplier-{since}-to-{days_ago(0)}.csv" in saved["Content-Disposition"]
        head, *rows = csv.reader(io.StringIO(saved.content.decode("utf-8-sig")))
        assert head[:3] == ["First day", "Last day", "What"]
        assert [row[2].startswith("All ") for row in rows] == [False] * suppliers + [True]
        assert {tuple(row[:2]) for row in rows} == {(since, days_ago(0))}


def test_the_api_answers_what_the_page_shows(cast: Cast, season: Season, owner: Client) -> None:
    mill = token(cast, cast.mill, "owner")
    sums = data(get("/custody/came-in/sums", mill))["items"]
    assert [(one["supplier"], one["bushels"], one["mean_ci_g_per_bu"]) for one in sums] == [
        ("", "4133.3", "5088.97"), (cast.farm.handle, "3333.3", "5110.27"), (cast.elevator.handle, "800", "5000.25"),
    ]  # fmt: skip
    rows = data(get(f"/custody/came-in?since={days_ago(33)}", mill))["items"]
    assert [(one["entry"], one["ci_g_per_bu"]) for one in rows] == [("buy-24", "6100.5")]
    assert get(f"/custody/came-in?since={days_ago(1)}&on={days_ago(2)}", mill).status_code == 409


def test_what_came_in_last_goes_on_to_older_ones(
    cast: Cast, season: Season, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provender.web.custody.pages.sales.LATEST", 1)
    address, seen = where(cast, "custody_incoming"), []
    page = owner.get(address)
    while page.context["more"]:
        assert ">Older</a>" in page.content.decode()
        seen += [row[1].href for row in page.context["latest"].cells]
        page = owner.get(address + page.context["more"])
    seen += [row[1].href for row in page.context["latest"].cells]
    names = [href.partition("id=")[2] for href in seen]
    assert names == ["buy-wrong", "buy-24", "accept-1", "buy-mill"]


def test_the_file_of_movements_says_the_words_of_the_page(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_movements")
    shown = [row[1] for row in owner.get(address).context["movements"].cells]
    text = owner.get(address, {"save": "csv", "table": "movements"}).content.decode("utf-8-sig")
    saved = [row[1] for row in csv.reader(io.StringIO(text))][1:]
    said = [cell.text + (", taken back" if cell.note else "") for cell in shown]
    assert saved[: len(said)] == said
    assert {"Accepted", "Sale", "Purchase, taken back"} <= set(saved)
