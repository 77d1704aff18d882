"""A table on a Spanish page says our words, leaves what somebody typed, and is searched and sorted as it is shown."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from provender.services.accounts.sessions import device_of
from provender.services.farm.uploads import store_upload
from provender.services.imports.steps import begin
from provender.web.pagination import WHOLE
from provender.web.said import said
from provender.web.tables import Cell, Column, Table, on_page
from tests.web.cast import Cast
from tests.web.farm_season import fill_season

CALLED = {"N40": "Home", "E80": "Corn", "T30": "None", "North forty": "Met", "UAN 28": "Compost", "Instinct": "Corn",
          "90 ft sprayer": "Not met"}  # fmt: skip
"""What a farm may call its units, products and equipment: as words of ours."""
SHOWN = re.compile(r'<td data-label="([^"]*)"[^>]*>(.*?)</td>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
WORDS = [Column("Name"), Column("State", words=True)]


@pytest.fixture(autouse=True)
def _a_spanish_reader() -> Iterator[None]:
    with translation.override("es"):
        yield


def cells(cast: Cast, view: str, **asked: str) -> dict[str, set[str]]:
    """Return what stands on a page in Spanish under each heading."""
    cast.client().post(reverse("language"), {"language": "es", "next": "/"})
    page = cast.client().get(reverse(view, args=(cast.farm.handle,)), asked)
    found: dict[str, set[str]] = {}
    for label, inside in SHOWN.findall(page.content.decode()):
        found.setdefault(label, set()).add(" ".join(TAG.sub(" ", inside).split()))
    return found


def test_units_products_and_equipment_called_as_our_words_stay_as_typed(cast: Cast) -> None:
    fill_season(cast, CALLED)
    home = cells(cast, "farm")
    assert {"Home", "Corn", "None"} <= home["Unidad"]
    assert not {"Inicio", "Maíz", "Ninguno", "All"} & home["Unidad"]
    assert any(text.startswith("Maíz") for text in home["Cultivo"]), "the crop beside it is our word"
    assert {"Home", "Corn", "None"} <= cells(cast, "farm_intensity")["Unidad"]
    assert "Home Met" in cells(cast, "farm_map")["Unidad"]
    season = cells(cast, "farm_season", unit="Home")
    assert "Compost" in season["Qué"]
    assert "Composta" not in season["Qué"]
    assert "Not met" in season["Más"]
    assert {text for text in season["Más"] if text.endswith(", Corn")}


def test_a_file_called_as_our_words_stays_as_typed(cast: Cast) -> None:
    actor = cast.actor("owner")
    begin(cast.book, [store_upload(cast.farm, "Corn", b"x", actor=actor)], actor=actor)
    begin(cast.book, [], actor=actor)
    assert cells(cast, "farm_imports")["Archivos"] == {"Corn", "Filas rechazadas"}


def test_typed_text_stays_in_every_column_and_as_small_print() -> None:
    rows = [[Cell("Home", note="Met", typed=True), Cell("Corn", typed=True)], [Cell("Home"), Cell("Corn")]]
    table = on_page(Table("x", WORDS, rows, totals=1), QueryDict())
    text = " ".join(TAG.sub(" ", render_to_string("parts/table.html", {"table": table, "unsaved": True})).split())
    assert "Home Met Corn" in text
    assert text.endswith("Home Maíz"), "the sums below are said too"


def test_find_and_sorting_go_by_what_is_shown() -> None:
    words = ["Not met", "Corn", "Yes", "Not recorded"]
    rows = [[Cell(f"row {at}"), Cell(words[at % 4])] for at in range(WHOLE + 4)]
    found = on_page(Table("x", WORDS, rows, sorts=True), QueryDict("find-x=maíz")).turning
    assert found is not None
    assert found.found == len([row for row in rows if row[1].text == "Corn"])
    english = on_page(Table("x", WORDS, rows, sorts=True), QueryDict("find-x=corn")).turning
    assert english is not None
    assert english.found == 0, "no row shows it"
    few = on_page(Table("x", WORDS, rows[:4], sorts=True), QueryDict("sort-x=2"))
    assert [row[1].text for row in few.cells] == ["Corn", "Not met", "Not recorded", "Yes"]


def test_what_somebody_typed_is_found_as_typed() -> None:
    rows = [[Cell(f"row {at}"), Cell("Home", typed=True)] for at in range(WHOLE + 1)]
    found = on_page(Table("x", WORDS, rows), QueryDict("find-x=home")).turning
    assert found is not None
    assert found.found == WHOLE + 1


def test_only_a_page_names_its_language(cast: Cast) -> None:
    browser = cast.client()
    browser.post(reverse("language"), {"language": "es", "next": "/"})
    assert browser.get(reverse("home"))["Content-Language"] == "es"
    template = browser.get(reverse("farm_template", args=(cast.farm.handle,)))
    assert "Content-Language" not in template


def test_no_address_is_said() -> None:
    """What stands in an address goes to a program: no word of it is said."""
    folder = Path(__file__).parents[3] / "src" / "provender" / "web" / "templates"
    spoken = re.compile(r'(?:href|action|src)="[^"]*\|(?:said|spoken)')
    assert [path.name for path in folder.rglob("*.html") if spoken.search(path.read_text(encoding="utf-8"))] == []


def test_sums_and_devices_are_said() -> None:
    assert said("1 of 2 met") == "cumplen 1 de 2"
    assert said("none claimed") == "ninguna declarada"
    for agent, into in {
        "Mozilla/5.0 (Windows NT 10.0) Chrome/1 Safari/1": "Chrome en Windows",
        "Mozilla/5.0 (iPhone) Safari/1": "Safari en un iPhone",
        "Macintosh": "Un navegador en una Mac",
    }.items():
        assert said(device_of(agent)) == into
