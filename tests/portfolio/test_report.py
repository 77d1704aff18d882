"""The report of a portfolio sums up what the jobs found; nobody's text gets out of its place on the page."""

import json
import re
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl
import pytest

from bench.nation.build import build
from bench.nation.judge import ALSO, judge
from provender.cli import app
from provender.portfolio.claims import FINDING, claims
from provender.portfolio.export import export_books
from provender.portfolio.farm_jobs import FARM
from provender.portfolio.jobs import open_portfolio, read_result
from provender.portfolio.report import county_map, overview, report_page
from provender.records.folder import load_book
from tests.portfolio.world import EXAMPLES, farm
from tests.practices.season import clean_season, with_row

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE: Final = "</script><img src=x onerror=alert(1)>{{data}}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    ticket = {"ticket_id": "T9", "buyer": HOSTILE, "day": "2025-10-22", "crop": "corn", "net_bushels": "700"}
    rows = with_row(clean_season(), "scale_ticket", **ticket)
    books = [("a", load_book(EXAMPLES / "bluestem-farm")), ("b", farm("F1", rows)), ("c", farm("F2", rows))]
    export_books(books, folder / "p")
    with pytest.raises(SystemExit) as ended:
        app.call(["portfolio", "report", str(folder / "p"), "--to", str(folder / "r.html"), "--xlsx",
                  str(folder / "r.xlsx"), "--as-of", "2026-02-01"])  # fmt: skip
    assert not ended.value.code
    return folder


def data(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


def test_the_page_sums_up_what_the_jobs_found_and_neither_obeys_nor_asks_anybody(made: Path) -> None:
    page = (made / "r.html").read_text(encoding="utf-8")
    rows = data(page)["counties"]
    farms = read_result(made / "p-results" / "intensity", FARM).collect()
    corn = farms.row(by_predicate=(pl.col("farm_id") == "BLUESTEM") & (pl.col("crop") == "corn"), named=True)
    mine = [row for row in rows if row["county"] == "Pottawatomie" and row["crop"] == "corn"]
    assert sum(int(row["ci_product"]) for row in mine) == pytest.approx(corn["ci_g_per_bu"] * corn["bushels"], rel=1e-5)
    assert sum(row["fields"] for row in rows) == 14
    assert sum(row["no_till_met"] for row in rows if row["county"] == "Shawnee") == 2
    assert all(row[f"no_till_{end}"] >= 0 for row in rows for end in ("met", "not", "open"))
    assert "Pottawatomie, KS" in page
    assert (made / "r.xlsx").stat().st_size > 5_000
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert "&lt;/script&gt;&lt;img" in page
    assert HOSTILE in data(page)["claims"][0]["message"]
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(', page)
    assert "@media print" in page


@pytest.mark.slow
@pytest.mark.browser
def test_on_a_phone_every_cell_is_in_sight_with_its_heading(made: Path, browser: "Browser") -> None:
    with browser.new_page(viewport={"width": 390, "height": 844}) as page:
        page.goto((made / "r.html").as_uri())
        right = "cells => Math.max(...cells.map(cell => cell.getBoundingClientRect().right))"
        for table in ("practices", "gaps", "claims", "findings"):
            assert page.eval_on_selector_all(f"#{table} td", right) <= 390, table
        cell = page.locator("#gaps td").first
        told = cell.evaluate("cell => getComputedStyle(cell, '::before').content")
        assert "record that is missing" in told
        page.select_option("#crop", "corn")
        assert cell.evaluate("cell => cell.dataset.label") == "record that is missing"


def test_a_gap_that_several_requirements_share_counts_once(made: Path) -> None:
    found = overview(made / "p-results" / "check", made / "p-results" / "intensity", claims(open_portfolio(made / "p")))
    keys = [(row["state"], row["crop"], row["record"]) for row in found.gaps]
    assert len(keys) == len(set(keys)) > 5
    assert all(row["fields"] <= found.total("fields") for row in found.gaps)


def test_an_empty_portfolio_has_a_page_too(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    empty = overview(tmp_path / "none", tmp_path / "none", pl.DataFrame(schema=FINDING))
    page = report_page(empty, title="Nothing & nobody", as_of=date(2026, 1, 1), source="")
    assert "Nothing &amp; nobody" in page
    assert "No county" in county_map([])


def test_all_planted_faults_are_found_and_nothing_else(tmp_path: Path) -> None:
    planted = build(tmp_path / "p", 7, farms=150, each=1, states=("KS",))
    outcome = judge(tmp_path / "p", tmp_path / "out", planted)
    assert len(planted) >= 34
    assert set(ALSO) <= set(planted)
    assert [line for line in outcome.lines if line.found != line.planted] == []
    assert outcome.false_alarms == ()
