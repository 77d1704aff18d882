"""Page, API and command show the same totals of each practice across the operation."""

import csv
import io
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from provender.cli import app
from provender.exact import parse, show
from provender.schema import write
from provender.services.farm.book import latest
from provender.services.farm.check import CAPTION, EXPLAINED, PracticeTotal
from provender.services.farm.verdicts import totals_of
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.farm_season import EXAMPLE, fill_season
from tests.web.fixtures import _lift_guards_before_emptying, _own_folder, cast

__all__ = ["_lift_guards_before_emptying", "_own_folder", "cast"]

BOOKS: dict[str, dict[str, str]] = {"as it ships": {}, "without the bushels of N40": {"7300": ""}}
"""What stands in the cells of the example farm instead of other texts."""


def folder_of(called: Mapping[str, str], folder: Path) -> Path:
    """Return the example farm on disk with other texts in its harvests."""
    shutil.copytree(EXAMPLE, folder)
    harvests = folder / "harvest.csv"
    text = harvests.read_text(encoding="utf-8")
    for before, after in called.items():
        assert text.count(f",{before},") == 1
        text = text.replace(f",{before},", f",{after},")
    harvests.write_text(text, encoding="utf-8")
    return folder


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    with pytest.raises(SystemExit):
        app.call(tuple(map(str, arguments)))
    return capsys.readouterr().out


def without_farm(totals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the name of the farm, which is another one on the server."""
    return [{name: value for name, value in one.items() if name != "farm_id"} for one in totals]


def amounts(total: PracticeTotal) -> list[tuple[str, str, str]]:
    """Return practice, acres and bushels of each row as a file has them: blank where they are not known."""
    extents = [crop.extent for crop in total.crops]
    rows = extents if extents == [total.extent] else [total.extent, *extents]
    return [(total.label, in_file(extent.acres), in_file(extent.bushels)) for extent in rows]


def in_file(amount: int | None) -> str:
    return "" if amount is None else show(amount)


@pytest.mark.parametrize("called", BOOKS.values(), ids=BOOKS)
def test_the_totals_across_the_operation(
    cast: Cast, called: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill_season(cast, called)
    book = folder_of(called, tmp_path / "book")
    shown = totals_of(latest(cast.book))
    assert any(one.extent.bushels is None for one in shown) is bool(called)
    expected = write(shown, whole=True)
    assert data(get("/practice-totals?limit=500", cast.token_secret))["items"] == expected
    told = json.loads(printed(capsys, "check", book, "--json", "--csv", tmp_path / "saved.csv"))
    assert without_farm(told["practice_totals"]) == without_farm(expected)
    address = reverse("farm", args=(cast.farm.handle,))
    content = cast.client().get(address, {"save": "csv", "table": "practice totals"}).content
    assert content == (tmp_path / "saved-practice-totals.csv").read_bytes()
    rows = csv.DictReader(io.StringIO(content.decode("utf-8-sig")))
    assert [(row["Practice"], row["Acres"], row["Bushels"]) for row in rows] == [
        line for one in shown for line in amounts(one)
    ]


def test_the_page_and_the_screen_say_how_the_totals_are_made(
    cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called = BOOKS["without the bushels of N40"]
    fill_season(cast, called)
    page = cast.client().get(reverse("farm", args=(cast.farm.handle,))).content.decode()
    screen = " ".join(printed(capsys, "check", folder_of(called, tmp_path / "book")).split())
    for text in (CAPTION, EXPLAINED):
        assert text in page
        assert text in screen
    assert "not known: 1 of 3 not recorded" in page
    assert "not known: 1 of 3 not recorded" in screen


def test_a_year_and_a_unit_that_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Totals of one unit would not be across the operation: there are none."""
    unit = json.loads(printed(capsys, "check", EXAMPLE, "--unit", "N40", "--json"))
    year = json.loads(printed(capsys, "check", EXAMPLE, "--year", "2025", "--json"))
    assert unit["practice_totals"] == []
    assert {one["harvest_year"] for one in year["practice_totals"]} == {2025}
    assert parse(year["practice_totals"][0]["extent"]["acres"]) == 175_000
